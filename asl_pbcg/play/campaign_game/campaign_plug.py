"""The campaign game as front ends see it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from asl_pbcg import __version__
from asl_pbcg.campaign.module.campaign_module import Module, module_of
from asl_pbcg.campaign.module.frame import CampaignWidget
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.canonical import sha256
from asl_pbcg.kernel.deciders import names_in
from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import UMPIRE, LogLine
from asl_pbcg.play.campaign_game import campaign_facts
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.plug import Plug, SheetName, StepName, StepState
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.refit import correction_paths, correction_policy
from asl_pbcg.refit.sequence import CampaignGame

if TYPE_CHECKING:
    from asl_pbcg.chronicle.difference import Difference
    from asl_pbcg.refit.correction_choices import CorrectableFact

RANDOM_SELECTION = "A.9"
"""The rule of rolls that nobody has to look at first: one dr each, with nothing to decide."""


def create_campaign(path: Path, meta: dict[str, Any]) -> OpenGame:
    """Make a new campaign file at ``path`` and begin it; the caller closes it.

    ``meta`` holds ``settings`` (campaign, players, balance, house_rules, corrections), ``dice``
    (seeded or manual) and ``seed``. Raises PBCGError if something stands there.
    """

    import secrets

    seed = meta.get("seed")
    salt = secrets.token_hex(8)
    if seed is not None:
        salt = sha256(f"ids/{seed}".encode()).hexdigest()[:16]
    settings = {"salt": salt, **meta["settings"]}
    module = module_of(settings["campaign"])
    meta = {"game": module.name, **meta, "settings": settings}
    plug = CampaignPlug(module)
    return OpenGame(path, plug, plug.session(Journal.create(path, meta, __version__)), True)


def undone_words(entry: Entry, lines: Sequence[LogLine], also_secret: bool) -> str:
    """Say what ``entry``, just undone, was: the question and its answer, as in ``lines``."""
    for line in lines:
        if (line.seq, line.kind) == (entry.seq, entry.kind) and (also_secret or not line.secret):
            return line.text
    by = f" by the {entry.side.capitalize()} player" if entry.side else ""
    return (
        f"what was done last in secret{by}"
        if entry.secret
        else f"the {entry.kind} to {entry.point}"
    )


class CampaignPlug(Plug):
    """The plug of the campaigns of a module."""

    kind = "campaign"
    called = "Campaign"
    features = ("board", "back", "paper", "notes", "correct")
    widgets = get_args(CampaignWidget)

    def __init__(self, module: Module) -> None:
        self.module = module
        self.game = module.name
        self.sides = tuple(side.value for side in module.sides)

    def runner(self, journal: Journal) -> CampaignGame:
        """Return the campaign game of the module."""
        return CampaignGame(self.module)

    def name_step(self, step: str) -> StepName:
        """Return the CG Date and the title of a step, as ``night-1/9.606``."""
        return campaign_facts.name_step(self.module, step)

    def title(self, session: Session[Campaign]) -> str:
        """The campaign's title."""
        return session.state.frame.campaigns[session.state.campaign].title

    def players(self, state: Campaign) -> dict[str, tuple[str, ...]]:
        """Return the names of the players of each side."""
        return {side: names_in(state.players_of(Side(side))) for side in self.sides}

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
        """Undo the last answer; a side alone only its own.

        A secret answer is told to its own side only: others may look on.
        """
        session.check_undo(viewer)
        lines = session.lines()
        return undone_words(session.undo(reason), lines, viewer != UMPIRE)

    def dates_undone(self, entries: Sequence[Entry]) -> list[str]:
        """Return the CG Dates of the entries."""
        return list(dict.fromkeys(entry.step.partition("/")[0] for entry in entries))

    def corrects_alone(self, session: Session[Campaign], path: str, side: str) -> bool:
        """Only the few open facts of its own that the module lists."""
        return correction_policy.corrects_alone(session.state, Side(side), path)

    def correctable_facts(
        self, session: Session[Campaign], sees: str, piece: str
    ) -> Sequence[CorrectableFact]:
        """Return the facts of a piece, or of the campaign, as far as ``sees`` knows them."""

        from asl_pbcg.refit import correction_choices

        visible_state = correction_policy.known_state(campaign_facts.state_for(session, sees), sees)
        return correction_choices.correctable_facts(visible_state, piece)

    def spell_correction(
        self, session: Session[Campaign], path: str, value: Any, sees: str
    ) -> tuple[str, Any]:
        """Return path and value as they are stored: pieces by id, the SAN without II13."""

        from asl_pbcg.play.campaign_game import campaign_map

        state = campaign_facts.state_for(session, sees)
        path, value = correction_paths.stored_correction(state, path, value)
        return correction_policy.spell(path, value, campaign_map.pieces_known(state, sees), sees)

    def correction_as_known(
        self, session: Session[Campaign], path: str, value: Any, sees: str, alone: bool
    ) -> tuple[LogLine, str]:
        """Checked against the campaign as ``sees`` knows it."""
        return correction_policy.correction_as_known(session.state, sees, path, value, alone)

    def named_fault(self, error: PBCGError) -> PBCGError:
        """Pieces by their short names."""
        return correction_policy.named_fault(error)

    def steps(self, session: Session[Campaign], lines: Sequence[LogLine]) -> list[StepState]:
        """The steps of the RePh in progress."""
        return campaign_facts.steps(session, lines)

    def facts(self, session: Session[Campaign], sees: str) -> dict[str, Any]:
        """CG Date, what comes next, forces, points."""
        return campaign_facts.facts(session, sees)

    def layers(self, session: Session[Campaign], sees: str, at: str) -> dict[str, Any]:
        """Return what lies on the map now, or after the last step of an earlier CG Date."""

        from asl_pbcg.play.campaign_game import campaign_map

        return campaign_map.layers_at(session, sees, at)

    def thumbnail(self, session: Session[Campaign], sees: str) -> bytes:
        """Draw the map small."""

        from asl_pbcg.campaign.map import board_sheet
        from asl_pbcg.play.campaign_game import campaign_map

        state: Campaign = session.state
        return board_sheet.board_thumbnail(state.board, campaign_map.overlay_seen(state, sees))

    def piece(self, session: Session[Campaign], sees: str, id: str) -> dict[str, Any] | None:
        """Return the facts of one piece and its service record."""

        from asl_pbcg.play.campaign_game import campaign_map

        return campaign_map.piece_card(session, sees, id)

    def sheets(self, session: Session[Campaign], sees: str) -> list[SheetName]:
        """The roster and the other records."""

        from asl_pbcg.play.campaign_game import campaign_sheets

        return campaign_sheets.sheet_names(campaign_facts.state_for(session, sees), sees)

    def sheet(
        self, session: Session[Campaign], sees: str, names: Sequence[str], paper: str
    ) -> list[Sheet]:
        """Fill the records by name; raises PBCGError for one there is not."""

        from asl_pbcg.play.campaign_game import campaign_sheets

        offered = [sheet.name for sheet in self.sheets(session, sees)]
        if missing := [name for name in names if name not in offered]:
            raise PBCGError(f'There is no sheet "{missing[0]}" now: {", ".join(offered)} are.')
        state = campaign_facts.state_for(session, sees)
        return campaign_sheets.campaign_sheets(
            state, sees, names, None, campaign_sheets.background(session), paper
        )

    def as_asked(self, session: Session[Campaign], prompt: Prompt, sees: str) -> Prompt:
        """The end position is held against the campaign as ``sees`` knows it. Rule: 9.2 OB."""

        from asl_pbcg.play.campaign_game import position_document

        if prompt.id != campaign_facts.END_POSITION:
            return prompt
        return position_document.end_position_of(session.now, prompt, sees)

    def difference(
        self, session: Session[Campaign], prompt: Prompt, value: Any, sees: str
    ) -> Difference | None:
        """Return what a proposed end position changes. Rule: 9.2, 9.12."""

        from asl_pbcg.play.campaign_game import position_document

        if prompt.id != campaign_facts.END_POSITION:
            return None
        return position_document.difference_of(session.now, value, sees)

    def read_document(
        self, session: Session[Campaign], prompt: Prompt, path: str, sees: str
    ) -> Any:
        """The position or changes that a file holds, or its part of a campaign from paper."""

        from asl_pbcg.play.campaign_game import position_document

        if prompt.id == campaign_facts.PAPER_RECORDS:
            from asl_pbcg.play.campaign_game import campaign_from_paper

            return campaign_from_paper.read_part(Path(path), session.state, prompt)
        return position_document.read_document(path, session.state, sees=sees)
