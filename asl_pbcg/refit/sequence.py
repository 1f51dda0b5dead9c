"""The sequence of the Refit Phase and the Initial Scenario, as the kernel's runner runs it.

``CampaignGame`` says which step follows which, which facts are secret and how they are corrected.
``side_with_turn_since`` gives the side that had, or may have had, a secret turn between two steps.
Rule: 9.6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from asl_pbcg.campaign.module.campaign_module import Module
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.position_words import status_words
from asl_pbcg.campaign.scenario.snipers import san_in_force
from asl_pbcg.campaign.state.campaign_events import as_told
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.piece_changes import with_piece
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.campaign.state.pieces import retype
from asl_pbcg.campaign.state.seen import OWN_FIELDS, seen_pieces
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Script, under
from asl_pbcg.kernel.session import Step
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.refit.helpers.catalogue_questions import without_secret_answers
from asl_pbcg.refit.helpers.situation import are_coupled


def side_with_turn_since(state: Campaign, step: str, side: Side) -> str:
    """Return the other side if it may have acted in secret since ``side`` was asked in ``step``.

    Empty if it cannot have. Whether it was asked anything in those steps does not matter: that is
    its secret. Rule: 9.613-9.620; ruling P-90.
    """
    date, _, at = step.partition("/")
    dates = state.frame.campaigns[state.campaign].dates
    if date not in dates or at not in _steps_of_date(state):
        return side.other.value
    between = _between(state, CGDate(date), at)
    if len(between) < 2:  # each side has one turn in a step; a step to come was corrected away
        return "" if between else side.other.value
    before, after = _turns(state, *between[0]), _turns(state, *between[-1])
    acts = (
        side.other in before and (side not in before or before.index(side) == 0),
        side.other in after and after.index(side.other) == 0,
        *(side.other in _turns(state, *each) for each in between[1:-1]),
    )
    return side.other.value if any(acts) else ""


def _steps_of_date(state: Campaign) -> list[str]:
    """Return the steps of one CG Date in order: it begins in the middle of a RePh. Rule: 9.612."""
    module, steps = state.module, state.frame.steps
    secret = [step.step for step in steps if step.secret]
    open_steps = [step.step for step in steps if not step.secret]
    return [module.initial, *secret, module.from_paper, module.scenario, *open_steps]


def _between(state: Campaign, date: CGDate, at: str) -> list[tuple[CGDate, str]]:
    """Return the steps of each CG Date from one to that in progress, both included."""
    dates = state.frame.campaigns[state.campaign].dates
    spans = [
        (each, step)
        for each in dates[dates.index(date) : dates.index(state.date) + 1]
        for step in _steps_of_date(state)
    ]
    now = (state.date, state.at)
    if (date, at) not in spans or now not in spans:
        return []
    return spans[spans.index((date, at)) : spans.index(now) + 1]


def _turns(state: Campaign, date: CGDate, at: str) -> tuple[Side, ...]:
    """Return the sides that act in secret in a step, in their order."""
    chart = state.frame.step(at)
    if chart is None or not chart.secret:
        return ()
    if chart.side:
        return (chart.side,)
    first = chart.first or state.frame.setup_order[date].first_setup
    return (first, first.other)


T = TypeVar("T")
Procedure = Callable[[Campaign], Script[Campaign]]


def step_after(state: Campaign) -> str:
    """Return the step after ``state.at``."""
    module = state.module
    if state.at == module.from_paper:
        return module.scenario
    steps = module.order(initial=state.at == module.initial)  # from 9.617 on both are the same
    return steps[steps.index(state.at) + 1]


class CampaignGame:
    """A campaign game for the script runner: which step of its module follows which."""

    def __init__(self, module: Module = PEGASUS_BRIDGE) -> None:
        self.module = module
        self.name = module.name
        self.rules_of = (("campaign", "hexes", "refit"), (module.folder,))

    def begin(self, settings: Mapping[str, Any]) -> Campaign:
        """Return the campaign before its first step."""
        from asl_pbcg.refit.s950_initial import begin

        return begin(settings)

    def next_step(self, state: Campaign) -> Step[Campaign] | None:
        """Return the step that comes next; None while a CG scenario is played and after CG End."""
        if state.ended or state.at not in self.module.procedures:
            return None
        if state.part and not self.is_apart(state):
            return None  # that side has done its part
        return Step(
            id=f"{state.date}/{state.at}",
            title=self.module.step_titles[state.at],
            script=_run(self.module.procedure(state.at)),
            rule=state.at,
        )

    def is_apart(self, state: Campaign) -> bool:
        """Return whether both sides act at once in the step that is next. Rule: 9.613-9.620.

        Not where prisoners couple what they do.
        """
        if state.ended or not state.in_secret or state.at not in self.module.procedures:
            return False
        first = next(step.step for step in state.frame.steps if step.secret)
        if state.at != first or not any(piece.is_prisoner for piece in state.pieces):
            return state.at == first or not state.in_turn
        return not are_coupled(state)

    def part(self, state: Campaign, side: str) -> Campaign:
        """Return the state on which one side's part of such steps is played alone."""
        return change(state, part=Side(side))

    def encode(self, state: Campaign) -> bytes:
        """Return the state as it is stored."""
        return msgspec.json.encode(state)

    def decode(self, stored: bytes) -> Campaign:
        """Return the state from its stored form; fields that are newer take their defaults.

        A house rule whose default has changed since keeps the one the campaign began with; a choice
        that is no longer offered is forgotten.
        """
        state: Campaign = msgspec.json.decode(stored, type=self.module.state)
        register = self.module.rulings
        if state.readings >= register.edition:
            return state
        chosen = register.earlier_defaults(state.readings) | state.house_rules
        kept = {
            id: choice
            for id, choice in chosen.items()
            if id in register.settable and choice in register.settable[id].choices
        }
        return change(state, house_rules=kept, readings=register.edition)

    def correct(self, state: Campaign, path: str, value: Any) -> tuple[Campaign, LogLine]:
        """Return the state with one fact changed by the players, and the line that tells it.

        What only one side may know of stays its secret.
        """
        root, stroke, rest = path.strip().strip("/").partition("/")
        rest = _by_name(state, root, rest)
        path = f"{_CALLED.get(root, root)}{stroke}{rest}"
        if (root, rest) == ("pieces", "+"):
            from asl_pbcg.refit.corrections.piece_restoring import bring_piece

            new, piece, words = bring_piece(state, value)
            side = secret_of(new, f"pieces/{piece.id}")
            return new, self._line(state, f"Correction: {words}.", side)
        if root == "area_names":
            from asl_pbcg.refit.s605_areas import with_name

            old: Any = state.area_names.get(rest, "")
            new = with_name(state, rest, str(value))
        else:
            from asl_pbcg.kernel.corrections import correct_state

            _check_status(state, path, value)
            state = _with_open_answers(state, path)
            new, old = correct_state(state, path, value)
            old = _default(state, path) if old is None else old
            if root == "san" and rest in state.sides:  # II13 counted, as on the roster
                old, value = san_in_force(state, Side(rest)), san_in_force(new, Side(rest))
        if root == "pieces" and rest.endswith("/type"):
            id = rest.removesuffix("/type")
            before, after = state.piece(id), new.piece(id)
            if state.catalogue.find(after.type, after.maker):
                new = with_piece(new, retype(state.catalogue, before, after.type))
        whole = root == "pieces" and rest and "/" not in rest
        side = secret_of(state, f"{path}/{OWN_FIELDS[0]}" if whole else path)
        called = "/".join(filter(None, [root, *map(short_name, rest.split("/"))]))
        tell = _words
        if root == "pieces":
            tell = _status_words if rest.endswith("/status") else _piece_words
        text = f"Correction: {called} was {tell(old)}, is now {tell(value)}."
        return new, self._line(state, text, side)

    def _line(self, state: Campaign, text: str, side: str) -> LogLine:
        """Return the line of a correction; secret if it is ``side``'s alone."""
        step = f"{state.date}/{state.at}"
        return LogLine(kind="correction", step=step, text=text, side=side, secret=bool(side))

    def turn_since(self, state: Campaign, step: str, viewer: str) -> str:
        """Return the other side if it may have acted in secret since ``step``; else nothing."""
        return side_with_turn_since(state, step, Side(viewer)) if viewer in {*Side} else ""

    def check_correction(self, before: Campaign, after: Campaign) -> None:
        """Refuse a new correction the campaign could not go on with. Raises FaultsError."""
        from asl_pbcg.refit.corrections.soundness import check_correction

        check_correction(before, after, tuple(self.module.procedures))

    def check_state(self, state: Campaign) -> None:
        """Refuse a state that a file gives and no campaign goes on from. Raises FaultsError."""
        from asl_pbcg.refit.corrections.soundness import check_state

        check_state(state, tuple(self.module.procedures))


_CALLED = {"units": "catalogue_corrections"}
"""Fields of the campaign that players call otherwise: ``units/german/Marder/cvp``."""
UMPIRE = "umpire"
GERMAN_ALONE = ("cpp", "groups")
BY_SIDE = ("fpp", "dummies")
_COUNTS = ("fpp", "san", "dummies", "ww_box", "received_count")
"""Facts that are numbers by side or type: 0 where nothing is written down."""
UMPIRE_ALONE = (
    *BY_SIDE, "accounts", "bought", "gone", "seen", "determined", "received_count",
    "answered_in_secret", "occupants", "salt",
)  # fmt: skip
"""Facts that are not told to either side unless they are one side's own."""


def _by_name(state: Campaign, root: str, rest: str) -> str:
    """Return the rest of a path with the name of a piece or purchase in place of its number."""
    number, *field = rest.split("/")
    entry = listed_entry({"pieces": state.pieces, "bought": state.bought}.get(root, ()), number)
    return rest if entry is None else "/".join([entry_name(entry), *field])


def listed_entry(entries: Sequence[Any], number: str) -> Any:
    """Return the entry of a list that a number from 0 stands for.

    None for a word that is not the number of an entry, or that is the name of one.
    """
    if not (number.isdecimal() and len(number) < 10) or number in map(entry_name, entries):
        return None
    return dict(enumerate(entries)).get(int(number))


def entry_name(entry: Any) -> str:
    """Return the id of a piece or the key of a purchase; empty for what has no name."""
    return getattr(entry, "id", "") or getattr(entry, "key", "")


def secret_of(state: Campaign, path: str) -> str:
    """Return whose secret the fact at ``path`` is; empty if both sides may know it."""
    root, *rest = path.strip("/").split("/")
    owner = _owner_of(state, root, rest)
    if root == "pieces" and owner:
        open_now = state.seen is None and rest[0] in {
            piece.id for piece in seen_pieces(state, Side(owner))
        }
        return "" if open_now and not {*rest[1:2]} & {*OWN_FIELDS} else owner
    return owner or (UMPIRE if root in UMPIRE_ALONE or root == "pieces" else "")


def _owner_of(state: Campaign, root: str, rest: list[str]) -> str:
    """Return the side whose fact it is, whether the other knows it or not; empty if neither's."""
    if root in GERMAN_ALONE:
        return Side.GERMAN.value
    key = rest[0] if rest else ""
    if root in BY_SIDE and key in state.sides:
        return key
    if root == "fortifications":
        listed = dict(enumerate(state.fortifications))
        each = listed.get(int(key)) if key.isdecimal() else None
        return each.owner.value if each and each.hidden and each.owner else ""
    if root == "pieces":
        return next((piece.side.value for piece in state.pieces if piece.id == key), "")
    if root == "bought":
        return next((purchase.side.value for purchase in state.bought if purchase.key == key), "")
    return ""


def _with_open_answers(state: Campaign, path: str) -> Campaign:
    """Return the state without secret answers about the values of a type that are corrected.

    Neither what stood there nor that nothing changes may tell them.
    """
    root, *names = path.strip("/").split("/")
    if root != "catalogue_corrections":
        return state
    return without_secret_answers(state, of="/".join(names))


def _check_status(state: Campaign, path: str, value: Any) -> None:
    """Refuse a status that no piece of that kind has. Raises PBCGError."""
    root, *rest = path.strip("/").split("/")
    piece = next((piece for piece in state.pieces if rest == [piece.id, "status"]), None)
    if root != "pieces" or piece is None or not isinstance(value, list):
        return
    for word in value:
        if word not in piece.statuses:
            known = ", ".join(piece.statuses) or "nothing"
            raise PBCGError(f'{path}: "{str(word)[:40]}" must be one of: {known}.')


def _default(state: Campaign, path: str) -> Any:
    """Return what holds for a fact at ``path`` that nobody has set yet; None if nothing does."""
    root, *rest = path.strip("/").split("/")
    if root == "house_rules" and rest and rest[0] in state.module.rulings:
        return state.ruling(rest[0])
    if root in _COUNTS:
        return 0
    if root == "catalogue_corrections" and len(rest) == 3 and rest[0] in state.sides:
        entry = state.catalogue.find(rest[1], Side(rest[0]))
        return msgspec.to_builtins(entry).get(rest[2]) if entry else None
    if root == "pieces" and len(rest) == 2:
        return getattr(state.piece(rest[0]), rest[1], None)
    return None


def _status_words(value: Any) -> str:
    return f"[{status_words(value)}]" if isinstance(value, list) and value else _words(value)


def _piece_words(value: Any) -> str:
    """Return a fact of a piece in words, other pieces by their names."""
    if isinstance(value, list | tuple) and value:
        return f"[{', '.join(map(_piece_words, value))}]"
    return short_name(value) if isinstance(value, str) and value else _words(value)


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple) and value:
        return f"[{', '.join(map(_words, value))}]"
    if isinstance(value, dict) and value:
        return ", ".join(f"{name} {_words(inner)}" for name, inner in value.items())
    if isinstance(value, float):
        return f"{value:g}"
    return "nothing" if value in (None, "", [], (), {}) else str(value)


def in_its_step(state: Campaign, script: Script[T]) -> Script[T]:
    """Run ``script`` under the rule, the secrecy and the side of the step that is next."""
    if state.step is None:
        return script
    step = state.step
    return under(
        script, rule=step.step, secret=step.secret, side=step.side or "", widget=step.widget
    )


def _run(procedure: Procedure) -> Procedure:
    """Return the procedure, and then the step after it comes next."""

    def run(state: Campaign) -> Script[Campaign]:
        after = step_after(state)
        if state.step and state.step.side and not state.plays_part(state.step.side):
            return change(state, at=after)
        state = yield from in_its_step(state, procedure(as_told(state)))
        return change(state, at=after)

    return run
