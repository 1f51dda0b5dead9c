"""The campaign game as front ends see it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from asl_pbcg import __version__
from asl_pbcg.campaign.module import Module, module_of
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll, Script
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import UMPIRE, Line
from asl_pbcg.play import campaign_facts
from asl_pbcg.play.game import OpenGame
from asl_pbcg.play.plug import Plug, SheetName, StepState
from asl_pbcg.refit.sequence import CampaignGame

if TYPE_CHECKING:
    from asl_pbcg.campaign.position_raw import Rows
    from asl_pbcg.kernel.entries import Entry
    from asl_pbcg.play.vasl_save import Asks
    from asl_pbcg.records.sheet import Sheet

RANDOM_SELECTION = "A.9"
"""The rule of rolls that nobody has to look at first: one dr each, with nothing to decide."""
END_POSITION = campaign_facts.END_POSITION
HIDDEN_PIECES = campaign_facts.HIDDEN_PIECES


def create_campaign(path: Path, meta: dict[str, Any]) -> OpenGame:
    """Make a new campaign file at ``path`` and begin it; the caller closes it.

    ``meta`` holds ``settings`` (campaign, players, balance, house_rules, corrections), ``dice``
    (seeded or manual) and ``seed``. Raises PBCGError if something stands there.
    """
    import secrets
    from hashlib import sha256

    seed = meta.get("seed")
    salt = secrets.token_hex(8)
    if seed is not None:
        salt = sha256(f"ids/{seed}".encode()).hexdigest()[:16]
    settings = {"salt": salt, **meta["settings"]}
    module = module_of(settings["campaign"])
    meta = {"game": module.name, **meta, "settings": settings}
    plug = CampaignPlug(module)
    return OpenGame(path, plug, plug.session(Journal.create(path, meta, __version__)), True)


def taken_back(entry: Entry, lines: Sequence[Line], also_secret: bool) -> str:
    """What ``entry``, just taken back, was: the question and its answer, as ``lines`` told it."""
    told = next((line for line in lines if line.seq == entry.seq and line.kind == entry.kind), None)
    if told is not None and (also_secret or not told.secret):
        return told.text
    side = f" of the {entry.side.capitalize()} player" if entry.side else ""
    return f"a secret {entry.kind}{side}" if entry.secret else f"the {entry.kind} to {entry.point}"


class CampaignPlug(Plug):
    """The plug of the campaigns of a module."""

    kind = "campaign"
    called = "Campaign"
    features = ("board", "back", "paper", "correct")

    def __init__(self, module: Module) -> None:
        self.module = module
        self.game = module.name
        self.sides = tuple(side.value for side in module.sides)

    def runner(self, journal: Journal) -> CampaignGame:
        """Return the campaign game of the module."""
        return CampaignGame(self.module)

    def title(self, session: Session[Campaign]) -> str:
        """The campaign's title."""
        return session.state.frame.campaigns[session.state.campaign].title

    def date(self, session: Session[Campaign]) -> str:
        """The CG Date."""
        return session.state.date.title

    def heading(self, session: Session[Campaign]) -> str:
        """The RePh, or the campaign before its first scenario."""
        return campaign_facts.heading(session.state)

    def next_thing(self, session: Session[Campaign]) -> str:
        """A CG scenario to be played, or CG End."""
        return campaign_facts.next_thing(session)

    def throws(self, roll: Roll, viewer: str) -> bool:
        """A side throws its own rolls, and those that are nobody's."""
        return roll.side in ("", viewer)

    def throws_itself(self, roll: Roll, typed: bool) -> bool:
        """The dr of Random Selection by the program's dice; every other roll is looked at."""
        return not typed and roll.rule == RANDOM_SELECTION

    def undo(self, session: Session[Campaign], viewer: str, reason: str) -> str:
        """Take back the last answer; a side alone only its own.

        A secret answer is told to its own side only: others may look on.
        """
        session.check_undo(viewer)
        lines = session.lines()
        return taken_back(session.undo(reason), lines, viewer != UMPIRE)

    def dates_undone(self, entries: Sequence[Entry]) -> list[str]:
        """Return the CG Dates of the entries."""
        return list(dict.fromkeys(entry.step.partition("/")[0] for entry in entries))

    def corrects_alone(self, session: Session[Campaign], path: str, side: str) -> bool:
        """Only the few open facts of its own that the module lists."""
        from asl_pbcg.refit.correction_policy import corrects_alone

        return corrects_alone(session.state, Side(side), path)

    def correction_as_known(
        self, session: Session[Campaign], path: str, value: Any, side: str
    ) -> Line:
        """Checked against the campaign as ``side`` knows it."""
        from asl_pbcg.refit.correction_policy import correction_as_known

        return correction_as_known(session.state, Side(side), path, value)

    def visible_fault(self, session: Session[Campaign], error: PBCGError, sees: str) -> PBCGError:
        """Without the faults in what the other side keeps secret."""
        from asl_pbcg.refit.correction_policy import visible_fault

        return visible_fault(session.state, error, sees)

    def steps(self, session: Session[Campaign], lines: Sequence[Line]) -> list[StepState]:
        """The steps of the RePh in progress."""
        return campaign_facts.steps(session, lines)

    def facts(self, session: Session[Campaign], sees: str) -> dict[str, Any]:
        """CG Date, what comes next, forces, points."""
        return campaign_facts.facts(session, sees)

    def layers(self, session: Session[Campaign], sees: str, at: str) -> dict[str, Any] | None:
        """What lies on the map now, or after the last step of an earlier CG Date."""
        from asl_pbcg.play.campaign_map import layers

        # What this date has come to is told by what is asked, not by the latest that is kept.
        if at in ("", session.state.date.value):
            return layers(campaign_facts.map_state_for(session, sees), sees)
        return layers(_state_at(session, at), sees)

    def thumbnail(self, session: Session[Campaign], sees: str) -> bytes:
        """Draw the map small."""
        from asl_pbcg.play.campaign_map import thumbnail

        return thumbnail(session.state, sees)

    def piece(self, session: Session[Campaign], sees: str, id: str) -> dict[str, Any] | None:
        """The facts of one piece and its service record."""
        import re

        from asl_pbcg.kernel.views import for_side
        from asl_pbcg.play.campaign_map import one_piece

        found = one_piece(campaign_facts.state_for(session, sees), sees, id)
        if found is None:
            return None
        named = re.compile(rf"(?<![\w-]){re.escape(id)}(?![\w-])")
        record = [
            {"step": line.step, "text": line.text, "rule": line.rule}
            for line in for_side(session.lines(), sees)
            if line.where == id or named.search(line.text)
        ]
        return {**found, "record": record, "stations": _stations(session, sees, id)}

    def sheets(self, session: Session[Campaign], sees: str) -> list[SheetName]:
        """The roster and the other records."""
        from asl_pbcg.play.campaign_sheets import sheet_names

        return sheet_names(campaign_facts.state_for(session, sees), sees)

    def sheet(
        self, session: Session[Campaign], sees: str, names: Sequence[str], paper: str
    ) -> list[Sheet]:
        """The records by name; raises PBCGError for one there is not."""
        from asl_pbcg.play.campaign_sheets import background, campaign_sheets

        known = [each.name for each in self.sheets(session, sees)]
        for name in names:
            if name not in known:
                raise PBCGError(f'There is no sheet "{name}" now: {", ".join(known)} are.')
        state = campaign_facts.state_for(session, sees)
        return campaign_sheets(state, sees, names, None, background(session), paper)

    def read_document(self, session: Session[Campaign], prompt: Prompt, path: str) -> Any:
        """The position or changes that a file holds, as plain data."""
        return read_document(path, session.state)


def _stations(session: Session[Campaign], sees: str, id: str) -> list[dict[str, Any]]:
    """Where a piece was at the end of each CG Date that is over, as ``sees`` might know it then.

    And where it is now, on the CG Date that is not.
    """
    from asl_pbcg.play.campaign_map import pieces_seen, place_words

    found = []
    now = session.state
    dates = dict.fromkeys(account.date for account in now.accounts)
    for date in dates:
        over = date is not now.date or bool(now.ended)
        if over:
            kept = session.journal.states.last(within=f"{date.value}/")
            if kept is None:
                continue
            state = session.game.decode(kept.state)
        else:
            state = campaign_facts.state_for(session, sees)
        line = next((each for each in pieces_seen(state, sees) if each.id == id), None)
        if line is None:
            continue
        found.append(
            {
                "date": date.value,
                "title": date.title,
                "over": over,
                "type": line.type,
                "place": place_words(line),
                "status": list(line.status),
                "possesses": list(line.possesses),
                "possessed_by": line.possessed_by,
            }
        )
    return found


def _state_at(session: Session[Campaign], at: str) -> Campaign:
    """The campaign as the last step of the CG Date ``at`` left it. Raises PBCGError if none did."""
    kept = session.journal.states.last(within=f"{at}/")
    if kept is None:
        raise PBCGError(f"Nothing is kept of {at}.")
    state: Campaign = session.game.decode(kept.state)
    return state


def read_document(
    path: str, state: Campaign, asks: Asks | None = None, side: Side | None = None
) -> Any:
    """The position or changes that the file ``path`` holds, as plain data.

    ``asks`` makes whoever answers what a VASL save cannot tell, ``side`` is the only side that
    looks at it. Raises PBCGError.
    """
    import msgspec

    from asl_pbcg.campaign.position_check import check_rows
    from asl_pbcg.campaign.position_counts import read_rows
    from asl_pbcg.campaign.position_files import read_raw_position
    from asl_pbcg.kernel.dialogue import Dialogue, Heading, by_default, converse
    from asl_pbcg.kernel.textfiles import read_yaml_or_json

    place = Path(path.strip().strip('"'))
    if place.suffix.lower() == ".vsav":
        from asl_pbcg.play.vasl_save import open_save, settle_save

        if asks is None:
            raise PBCGError(f"{place} is a VASL save: make a position of it first.")
        dialogue = open_save(place, state, (side,) if side else ())
        return msgspec.to_builtins(settle_save(dialogue, asks(dialogue)))
    if place.suffix in (".yaml", ".yml", ".json"):
        changes = read_yaml_or_json(place)
        if isinstance(changes, dict) and changes.get("format") == "pbcg-changes/1":
            return changes
    raw = read_raw_position(place)

    def script() -> Script[Rows]:
        return read_rows(raw, state, state.board, state.catalogue, ask_places=asks is not None)

    if asks is None:
        rows, _ = by_default(script())
    else:
        questions = Dialogue(script, Heading("position", "Position"))
        if not questions.done and not converse(questions, asks(questions)):
            raise PBCGError(f"{place} has not been taken: questions are left.")
        rows = questions.result
    return msgspec.to_builtins(check_rows(rows).position)
