"""Guards and prisoners: who may guard whom, and what becomes of prisoners who have no Guard."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from asl_pbcg.campaign.areas.area_paths import Destination
from asl_pbcg.campaign.module.catalogue import InfantryType
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state.campaign_events import happen
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, possessor
from asl_pbcg.campaign.state.piece_changes import capture, drop_status, transfer, update
from asl_pbcg.campaign.state.piece_events import Freed, GuardChanged, Retained, Transferred
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Prompt, Script, ask_some, under
from asl_pbcg.refit.helpers.retention import retain, still_there
from asl_pbcg.refit.helpers.situation import (
    at_location,
    is_isolated,
    pieces_retained_in,
    retained_area,
)
from asl_pbcg.refit.helpers.subjects import About, piece_option, put_to
from asl_pbcg.refit.helpers.unit_choices import choose_unit, choose_way
from asl_pbcg.refit.helpers.unit_paths import freed_ways, retained_words

REARMED_CLASSES = ("green", "conscript")
_SIZES = {"squad": "squad", "half_squad": "half_squad", "crew": "half_squad"}


def wards_of(state: Campaign, guard: str) -> list[Piece]:
    """Return the prisoners that the unit ``guard`` guards."""
    return [piece for piece in state.pieces if piece.guarded_by == guard]


def can_guard(piece: Piece, prisoner: Piece) -> bool:
    """Return whether ``piece`` is a unit capable of being the Guard of ``prisoner``.

    Rule: A20.5.
    """
    return (
        piece.side is not prisoner.side
        and piece.is_personnel
        and not piece.is_prisoner
        and not piece.has(UnitStatus.UNARMED, UnitStatus.BROKEN)
    )


def rearmed_type(state: Campaign, piece: Piece) -> str:
    """Return what an unarmed MMC is Replaced by: the Green or Conscript MMC of its size.

    Rule: 9.608.

    An SMC stays what he is. A crew comes back as an HS.
    """
    size = _SIZES.get(piece.kind)
    for known in state.catalogue:
        if (
            isinstance(known, InfantryType)
            and known.side is piece.side
            and known.kind == size
            and known.unit_class in REARMED_CLASSES
        ):
            return known.name
    return piece.type


def rearm(state: Campaign, id: str) -> Campaign:
    """Return the state with a unit that is neither prisoner nor unarmed any more. Rule: 9.608."""
    new = rearmed_type(state, state.piece(id))
    state = update(state, id, guarded_by="", type=new)
    return drop_status(state, id, UnitStatus.PRISONER, UnitStatus.UNARMED)


def no_longer_prisoner(state: Told, id: str, rule: str = "") -> Script[Told]:
    """Give a prisoner back to his own side: an MMC Replaced, an SMC as he was.

    Rule: 9.608, 9.6041, A20.551; ruling P-30.
    """
    after = rearm(state, id)
    return (
        yield from happen(
            state, after, Freed(piece=state.piece(id), rule=rule, to=after.piece(id).type)
        )
    )


def without_guard(
    state: Told,
    wards: Iterable[Piece],
    captor: Side,
    dropped: Iterable[str] = (),
    *,
    point: str,
    rule: str = "A20.551",
    left: Collection[str] = (),
) -> Script[Told]:
    """Decide what becomes of prisoners whose Guard was just Eliminated.

    Another unit of ``captor`` in the Location must claim each; if none can, he is Rearmed and may
    possess what of ``dropped`` (ids) his Guard left there. ``point`` is the prompt's id, the
    second one has an ``a`` behind it. ``left`` are units no longer there, as they
    Escaped. Rule: 9.6041, A20.551.
    """
    left = frozenset(left)
    return under(_each_claimed(state, wards, captor, dropped, point, left), rule=rule)


def _each_claimed(
    state: Told,
    wards: Iterable[Piece],
    captor: Side,
    dropped: Iterable[str],
    point: str,
    left: Collection[str],
) -> Script[Told]:
    for ward in wards:
        ward = state.piece(ward.id)
        claimants = [each for each in at_location(state, ward.at) if can_guard(each, ward)]
        claimants = [each for each in claimants if each.side is captor and each.id not in left]
        if claimants:
            guard = claimants[0].id
            if len(claimants) > 1 and _matters(state, claimants):
                guard = yield from choose_unit(
                    state,
                    point,
                    put_to(captor, ward),
                    claimants,
                    f"Which unit claims the prisoner {name_piece(ward)}?",
                    help="Another unit in the Location must claim him if possible; A20.5 says how "
                    "many it can guard.",
                )
            after = update(state, ward.id, guarded_by=guard)
            yield Note(f"{name_piece(state.piece(guard))} claims {name_piece(ward)}.")
            state = yield from happen(state, after, GuardChanged(piece=ward))
        else:
            yield Note(f"Nobody can claim {name_piece(ward)}: Rearmed.")
            state = yield from no_longer_prisoner(state, ward.id)
            state = yield from _takes(state, ward.id, dropped, point)
    return state


def _matters(state: Campaign, claimants: list[Piece]) -> bool:
    """Return whether it matters who guards: 9.608 Eliminates prisoners of non-Isolated Guards.

    Before the Setup Areas of the RePh are determined nobody knows.
    """
    return state.determined is None or any(is_isolated(state, each) for each in claimants)


def _takes(state: Told, id: str, dropped: Iterable[str], point: str) -> Script[Told]:
    """Let a Rearmed prisoner possess what his Guard dropped. Rule: 9.6041, A20.551."""
    standing = {piece.id for piece in state.pieces}
    free = [item for item in dropped if item in standing and possessor(state, item) is None]
    if not free:
        return state
    unit = state.piece(id)
    taken = yield from ask_some(
        Prompt(
            state=state,
            id=f"{point}a",
            subject=unit,
            kind="choose-some",
            options=tuple(piece_option(state.piece(item)) for item in free),
            default="none",
            text=f"What does the Rearmed {name_piece(unit)} take of what its Guard dropped?",
        )
    )
    for item in taken:
        after = transfer(capture(state, item, unit.side), item, id)
        state = yield from happen(state, after, Transferred(piece=state.piece(item)))
        yield Note(f"{name_piece(unit)} possesses {name_piece(state.piece(item))}.")
    return state


# -- 9.608: Guards that are lost, prisoners that are freed


def other_guards(state: Campaign, guard: Piece, prisoner: Piece) -> list[Piece]:
    """Return the units in the Guard's Setup Area that could guard the prisoner instead.

    Above the ground of an area they are Isolated if he is. Rule: 9.608, 9.6057.
    """
    isolated = is_isolated(state, guard)
    return [
        piece
        for piece in pieces_retained_in(state, guard.side, guard.area)
        if guard.area
        and piece.id != guard.id
        and can_guard(piece, prisoner)
        and is_isolated(state, piece) == isolated
    ]


def ways_home(state: Campaign, guard: Piece, prisoner: Piece) -> list[Destination]:
    """Return what a freed prisoner is Retained into: the nearest area of his side, or several.

    With a Guard who was Retained elsewhere than he stood, counted from the nearest hex of that
    Setup Area. Rule: 9.608.
    """
    if still_there(state, guard):
        return freed_ways(state, prisoner)
    area = retained_area(state, guard)
    if area is None:
        return []
    places = area.hexes.names or [str(location) for location in area.strategic_locations]
    found: list[Destination] = []
    for place in places:
        found += freed_ways(state, msgspec.structs.replace(prisoner, at=place))
    nearest = min((way.length for way in found), default=0)
    kept: dict[tuple[str, str], Destination] = {}
    for way in found:
        if way.length == nearest:
            kept.setdefault((way.kind, way.id), way)
    return list(kept.values())


def free_prisoner(state: Told, prisoner: Piece, ways: list[Destination]) -> Script[Told]:
    """Retain a freed prisoner by his own side: an MMC Replaced, an SMC as he was. Rule: 9.608."""
    text = f"The freed {name_piece(prisoner)} is equally near to these. Where is it Retained?"
    way = yield from choose_way(state, "9.608.3", prisoner, ways, text)
    state = yield from no_longer_prisoner(state, prisoner.id, "9.608")
    unit = state.piece(prisoner.id)
    yield Note(f"{name_piece(unit)} is free and Retained {retained_words(way)}.")
    return (
        yield from happen(state, retain(state, unit.id, way.kind, way.id), Retained(piece=unit))
    )


def guard_lost(state: Told, guard: Piece, point: str, left: Collection[str] = ()) -> Script[Told]:
    """Give the prisoners of a Guard who is about to be lost to another one, or free them.

    Another unit of the same Area takes over, as its owner likes; ``point`` is the prompt's id.
    ``left`` are units that are lost with him.

    Rule: 9.608, A20.551.
    """
    for ward in wards_of(state, guard.id):
        others = [each for each in other_guards(state, guard, ward) if each.id not in left]
        if not others:
            ways = ways_home(state, guard, ward)
            if ways:
                state = yield from free_prisoner(state, ward, ways)
            else:
                state = yield from no_longer_prisoner(state, ward.id, "A20.551")
            continue
        new = yield from choose_unit(
            state,
            point,
            About(ward.id, guard.side, name_piece(ward)),
            others,
            f"{name_piece(guard)} is lost. Who takes over its prisoner {name_piece(ward)}?",
            rule="A20.5",
            with_place=True,
        )
        after = update(state, ward.id, guarded_by=new, at=state.piece(new).at)
        yield Note(f"{name_piece(state.piece(new))} takes over {name_piece(ward)}.", "A20.5")
        state = yield from happen(state, after, GuardChanged(piece=ward))
    return state
