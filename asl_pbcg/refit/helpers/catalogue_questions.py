"""Values of the unit catalogue that are to be checked: asked for once, when they first matter.

The answer stands in the campaign's own corrections of the catalogue, so nobody asks again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from asl_pbcg.campaign.module.campaign_tables import table
from asl_pbcg.campaign.module.catalogue import (
    LADDER,
    AnyType,
    InfantryType,
    VehicleType,
    WeaponType,
)
from asl_pbcg.campaign.state.campaign_events import keep_book
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, change
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask, ask_number, paragraph
from asl_pbcg.refit.helpers.subjects import About

A = TypeVar("A")
T = TypeVar("T", bound=AnyType)
POINT = "catalogue"
"""The decision point of all these questions."""


def note_value(state: Told, type: AnyType, field: str, value: Any) -> Told:
    """Return the state with the players' own value of one field of a type."""
    corrections = {side: dict(types) for side, types in state.catalogue_corrections.items()}
    types = corrections.setdefault(type.side.value, {})
    types[type.name] = {**types.get(type.name, {}), field: value}
    return keep_book(state, change(state, catalogue_corrections=corrections))


def _key(entry: AnyType, field: str) -> str:
    return f"{entry.side.value}/{entry.name}/{field}"


def _note_who_was_asked(state: Told, entry: AnyType, field: str, by: Side) -> Told:
    """Return the state with who was asked; once it was asked openly both sides know."""
    noted_in_secret = dict(state.answered_in_secret)
    before = noted_in_secret.pop(_key(entry, field), ())
    if state.in_secret:
        noted_in_secret[_key(entry, field)] = (*before, by)
    return keep_book(state, change(state, answered_in_secret=noted_in_secret))


def without_secret_answers(state: Campaign, of: str = "", but: Side | None = None) -> Campaign:
    """Return the state with the values of the catalogue that both sides know of.

    Only those ``of`` a side, type or field (``german/50L AT``) are left out; without it all. What
    the side ``but`` answered stays. What one side was asked for in secret would tell what it has
    in need of repair. Rule: 9.614.
    """
    hidden = {
        key
        for key, sides in state.answered_in_secret.items()
        if but not in sides and (not of or f"{key}/".startswith(f"{of}/"))
    }
    known = {
        side: {
            name: {
                field: value
                for field, value in values.items()
                if f"{side}/{name}/{field}" not in hidden
            }
            for name, values in types.items()
        }
        for side, types in state.catalogue_corrections.items()
    }
    if of:  # told openly now
        asked = {key: by for key, by in state.answered_in_secret.items() if key not in hidden}
        state = change(state, answered_in_secret=asked)
    return change(state, catalogue_corrections=known)


def in_own_catalogue(state: Told, side: Side, part: Callable[[Told], Script[Told]]) -> Script[Told]:
    """Run the secret ``part`` of a side without what the other alone was asked about counters.

    What the other side said stands again afterwards, unless this side was asked the same.
    """
    own = without_secret_answers(state, but=side)
    if own.catalogue_corrections == state.catalogue_corrections:
        return (yield from part(state))
    after = yield from part(keep_book(state, own))
    for entry, field, value in _values(state):
        asked = state.answered_in_secret.get(_key(entry, field), (side,))
        if side not in (*asked, *after.answered_in_secret.get(_key(entry, field), ())):
            after = note_value(after, entry, field, value)
    return after


def _values(state: Campaign) -> Iterator[tuple[AnyType, str, Any]]:
    """Yield the players' own values of the catalogue: type, field, value."""
    for side, types in state.catalogue_corrections.items():
        for name, values in types.items():
            entry = state.catalogue.find(name, Side(side))
            if entry is not None:
                yield from ((entry, field, value) for field, value in values.items())


def _as_known(state: Campaign, entry: T, by: Side) -> T:
    """Return the type as ``by`` knows it: a default is not the other side's secret answer."""
    if not state.answered_in_secret:
        return entry
    known = without_secret_answers(state, but=by if state.in_secret else None).catalogue
    return cast(T, known.find(entry.name, entry.side) or entry)


def _ask(
    asked_by: Callable[[Prompt], Script[A]],
    state: Told,
    entry: AnyType,
    field: str,
    by: Side,
    likely: A,
    prompt: Prompt,
) -> Script[tuple[Told, A | None]]:
    """Ask ``by`` what a value on the counters of a type is, unless that side knows it.

    Return the state in which that is noted, and the answer: None if nothing was asked.
    """
    asked = state.answered_in_secret.get(_key(entry, field))
    if entry.sure(field) and (asked is None or (by in asked and state.in_secret)):
        return state, None
    own = replace(
        prompt,
        id=f"{POINT}.{field}",
        subject=About(_key(entry, field), by),
        default=likely,
        draw=lambda source: likely,
        help=f"{prompt.help} It is asked once in a campaign.".lstrip(),
    )
    answer = yield from asked_by(own)
    return _note_who_was_asked(state, entry, field, by), answer


def _flag(
    state: Told, entry: VehicleType, field: str, by: Side, text: str, help: str = ""
) -> Script[tuple[Told, bool]]:
    """Resolve a fact about a vehicle type that its counter answers with yes or no."""
    entry = _as_known(state, entry, by)
    value: bool = getattr(entry, field)
    options = (Option("yes", "yes"), Option("no", "no"))
    prompt = Prompt(state=state, id=POINT, text=text, help=help, options=options)
    likely = "yes" if value else "no"
    state, answer = yield from _ask(ask, state, entry, field, by, likely, prompt)
    if answer is None:
        return state, value
    return note_value(state, entry, field, answer == "yes"), answer == "yes"


@paragraph("9.6142")
def repair_number(state: Told, piece: Piece) -> Script[tuple[Told, int | None]]:
    """Resolve the Repair Number of a SW or Gun; None if it cannot be repaired. Rule: 9.6142."""
    entry = state.type_of(piece)
    if not isinstance(entry, WeaponType):
        return state, None
    entry = _as_known(state, entry, piece.side)
    prompt = Prompt(
        state=state,
        id=POINT,
        kind="number",
        least=0,
        most=table("weapon_repair").drm["repair_number"].most or 0,
        text=f"The Repair Number on the counter of the {entry.side.title} {entry.name}?",
        help="It stands on the malfunctioned side as R and a number; 0 says that it cannot be "
        "repaired.",
    )
    likely = entry.repair or 0
    state, number = yield from _ask(ask_number, state, entry, "repair", piece.side, likely, prompt)
    if number is None:
        return state, entry.repair
    return note_value(state, entry, "repair", number or None), number or None


@paragraph("CG14")
def has_wreck(state: Told, name: str, side: Side, by: Side) -> Script[tuple[Told, bool]]:
    """Decide whether the counter of a vehicle type of ``side`` has a wreck depiction; ``by`` says.

    Rule: CG14.
    """
    entry = state.catalogue.find(name, side)
    if not isinstance(entry, VehicleType):
        return state, True
    text = f"Has the counter of the {side.title} {name} a wreck depiction?"
    help = "A vehicle without one can never turn into a (Burnt-Out) Wreck (CG14)."
    return (yield from _flag(state, entry, "wreck", by, text, help))


@paragraph("D5.1")
def inherent_crew(state: Told, piece: Piece) -> Script[tuple[Told, bool]]:
    """Decide whether a vehicle type has an Inherent crew. Rule: D5.1."""
    entry = state.type_of(piece)
    if not isinstance(entry, VehicleType):
        return state, False
    text = f"Has the {entry.side.title} {entry.name} an Inherent crew?"
    return (yield from _flag(state, entry, "crew", piece.side, text))


UNDERSCORED = "underscored"


@paragraph("A19.13")
def settle_replacement(state: Told, piece: Piece) -> Script[tuple[Told, str]]:
    """Decide by which type a unit is Replaced; empty if by none: it would be Disrupted.

    A counter whose Morale Factor is underscored is Replaced by no lesser type. Rule: A19.13;
    house rule P-28.
    """
    entry = state.type_of(piece)
    if not isinstance(entry, InfantryType):
        return state, ""
    entry = _as_known(state, entry, piece.side)
    if not entry.replaced_by:
        return state, ""
    lesser = [
        type.name
        for type in state.catalogue
        if isinstance(type, InfantryType)
        and (type.side, type.kind) == (entry.side, entry.kind)
        and LADDER.index(type.unit_class) > LADDER.index(entry.unit_class)
    ]
    parts = state.plays("P-28", "half-squads") and entry.half_squad
    fate = f"it becomes two {entry.half_squad}" if parts else "it is Eliminated (9.606 note 2)"
    prompt = Prompt(
        state=state,
        id=POINT,
        options=(
            Option(
                UNDERSCORED, "an underscored Morale Factor", f"no lesser type Replaces it: {fate}"
            ),
            *(Option(name, f"a plain one, and {name} Replaces it") for name in lesser),
        ),
        text=f"What does the counter of the {entry.side.title} {entry.name} show?",
        help="Underscored Morale: no lesser type Replaces such a unit; a squad becomes two HS "
        "of its class, an HS would be Disrupted (A19.13). Which type Replaces another stands "
        "in the National Capabilities of Chapter A.",
    )
    likely = UNDERSCORED if entry.underscored else entry.replaced_by
    state, answer = yield from _ask(ask, state, entry, UNDERSCORED, piece.side, likely, prompt)
    if answer is None:
        return state, "" if entry.underscored else entry.replaced_by
    state = note_value(state, entry, UNDERSCORED, answer == UNDERSCORED)
    if answer == UNDERSCORED:
        return state, ""
    return note_value(state, entry, "replaced_by", answer), answer


@paragraph("D10.5")
def scrounges(state: Told, name: str, side: Side, by: Side) -> Script[tuple[Told, str]]:
    """Decide which SW a successful Scrounge of a vehicle type yields; empty if none does.

    A "(f)" vehicle yields the German-coloured French LMG. Rule: 9.61423, D10.5.
    """
    entry = state.catalogue.find(name, side)
    if not isinstance(entry, VehicleType):
        return state, ""
    entry = _as_known(state, entry, by)
    guns = [
        type.name
        for type in state.catalogue
        if isinstance(type, WeaponType) and type.side is side and "machine gun" in type.what
    ]
    prompt = Prompt(
        state=state,
        id=POINT,
        options=(*(Option(gun, gun) for gun in guns), Option("nothing", "nothing")),
        text=f"Which SW does a successful Scrounge of a {side.title} {name} yield?",
        help="See D10.5 and its Vehicle Notes.",
    )
    likely = entry.scrounges or "nothing"
    state, answer = yield from _ask(ask, state, entry, "scrounges", by, likely, prompt)
    if answer is None:
        return state, entry.scrounges
    weapon = "" if answer == "nothing" else answer
    return note_value(state, entry, "scrounges", weapon), weapon
