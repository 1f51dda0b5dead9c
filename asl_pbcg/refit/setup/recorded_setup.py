"""A setup on record: the file of a side is taken over for its pieces and Fortifications.

Fortifications bought for the CG scenario get their hexes from it. Rule: 9.619, 9.6202, B28.53.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from asl_pbcg.campaign.module.fortification_ground import fortification_refusal
from asl_pbcg.campaign.position import Fortification, PieceEntry, Position
from asl_pbcg.campaign.position_words import (
    EquipmentStatus,
    FortificationKind,
    UnitStatus,
    VehicleStatus,
)
from asl_pbcg.campaign.scenario.scenario_facts import is_gun_of_i_2
from asl_pbcg.campaign.state.campaign_state import Bought, Campaign, change
from asl_pbcg.campaign.state.piece_changes import update, with_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side


def sets_up(state: Campaign, bought: Bought) -> bool:
    """Return whether ``bought`` is a Fortification that sets up in the coming CG scenario."""
    chart = state.charts.fortifications.kinds[bought.kind]
    return bought.date is state.date and bool(chart.size or bought.factors)


def purchase_name(state: Campaign, bought: Bought) -> str:
    """Name a purchase by its table and number: ``6 x A-P Mine Factor (purchase 3)``."""
    name = state.charts.fortifications.kinds[bought.kind].name
    factors = f"{bought.factors} x " if bought.factors else ""
    return f"{factors}{name} (purchase {bought.key.rpartition('-')[2]})"


def as_fortification(state: Campaign, bought: Bought) -> Fortification:
    """Return a purchase as it stands on the map, its place empty while no hex is recorded.

    Each sets up hidden, except A-T mines on a paved road or bridge. Rule: 9.62022, B28.53.
    """
    size = state.charts.fortifications.kinds[bought.kind].size
    made = Fortification(
        kind=FortificationKind.FOXHOLE if size else FortificationKind(bought.kind),
        at=bought.at,
        owner=bought.side,
        size=size or bought.factors,
        hidden=True,
    )
    seen = made.kind is FortificationKind.AT_MINES and bought.at
    if seen and fortification_refusal(state.board, state.terrain, made):
        return msgspec.structs.replace(made, hidden=False)
    return made


def newly_bought(state: Campaign, unplaced: bool = False) -> list[Fortification]:
    """Return the Fortifications bought for this CG Date where 9.620 recorded.

    With ``unplaced`` also those whose hex is not recorded yet. Rule: 9.619, 9.62022.
    """
    standing = {(fortification.kind, fortification.at) for fortification in state.fortifications}
    found = [
        as_fortification(state, purchase)
        for purchase in state.bought
        if sets_up(state, purchase) and (purchase.at or unplaced)
    ]
    return [each for each in found if (each.kind, each.at) not in standing]


def unplaced_purchases(state: Campaign, side: Side) -> list[Bought]:
    """Return what ``side`` bought for this CG Date and no hex is recorded for. Rule: 9.62022."""
    return [
        purchase
        for purchase in state.bought
        if purchase.side is side and sets_up(state, purchase) and not purchase.at
    ]


def match_purchases(
    state: Campaign, side: Side, listed: Iterable[Fortification]
) -> tuple[dict[str, str], list[Fortification]]:
    """Return the hex of each purchase of ``side`` that ``listed`` shows, and what is none.

    What stands on the map already or belongs to the OB is neither. Rule: 9.619, 9.62022.
    """
    standing = {(fortification.kind, fortification.at) for fortification in state.fortifications}
    own = [
        purchase for purchase in state.bought if purchase.side is side and sets_up(state, purchase)
    ]
    places: dict[str, str] = {}
    others = []
    for each in listed:
        if each.owner not in (None, side) or not each.at or (each.kind, each.at) in standing:
            continue
        hex = each.location.hex
        found = [
            bought
            for bought in own
            if bought.key not in places
            and bought.at in ("", hex)
            and _is_of(as_fortification(state, bought), each)
        ]
        if found:
            places[max(found, key=lambda bought: bool(bought.at)).key] = hex
        else:
            others.append(each)
    return places, others


def _is_of(bought: Fortification, listed: Fortification) -> bool:
    return bought.kind == listed.kind and listed.size in (None, bought.size)


def with_purchases_placed(state: Campaign, places: Mapping[str, str]) -> Campaign:
    """Record the hexes of purchases, by key. Rule: 9.62022."""
    if not places:
        return state
    bought = tuple(
        msgspec.structs.replace(purchase, at=places.get(purchase.key, purchase.at))
        for purchase in state.bought
    )
    return change(state, bought=bought)


AT_SETUP = (
    UnitStatus.CONCEALED,
    UnitStatus.HIDDEN,
    UnitStatus.CLOAKED,
    EquipmentStatus.DM,
    EquipmentStatus.EMPLACED,
    EquipmentStatus.HOOKED,
    VehicleStatus.CE,
)
"""Status that each setup decides; all other lasts, listed in its file or not."""
_TIES = ("possesses", "aboard", "tows")
_FACINGS = ("ca", "vca", "tca", "bypass")


def told_ties(setup: Position) -> frozenset[str]:
    """Return which ties (possession, Passengers, tows) a setup tells of.

    A setup in which no piece has such a tie leaves those as they were.
    """
    return frozenset(tie for tie in _TIES if any(getattr(piece, tie) for piece in setup.pieces))


def with_setup(state: Campaign, side: Side, setup: Position) -> Campaign:
    """Return the state with the pieces and Fortifications of ``side`` as its setup has them.

    Rule: 9.6202, 9.62022.
    """
    ties = told_ties(setup)
    listed = {piece.id for piece in setup.pieces}
    held = {id for piece in setup.pieces for id in (*piece.possesses, *piece.tows)}
    for piece in state.of(side):
        for id in {*piece.possesses, *piece.tows} & held:
            state = with_piece(state, state.piece(piece.id).without(id))
    for each in setup.pieces:
        state = update(state, each.id, **_fields(state.piece(each.id), state, each, ties))
    state = _along(state, listed)
    state = _ob_fortifications_placed(state, side, setup)
    return with_purchases_placed(state, match_purchases(state, side, setup.fortifications)[0])


def _fields(
    piece: Piece, state: Campaign, entry: PieceEntry, told: frozenset[str]
) -> dict[str, Any]:
    """Return what a setup says of a piece: place, status, ties and facings."""
    bound = is_gun_of_i_2(state, piece)
    kept = (word for word in piece.status if bound or word not in AT_SETUP)
    found: dict[str, Any] = {
        "at": entry.at,
        "status": piece.own_statuses((*kept, *entry.status)),
    }
    found |= {tie: getattr(entry, tie) for tie in told if tie in entry.__struct_fields__}
    for facing in _FACINGS:
        if facing in entry.__struct_fields__:
            old = getattr(piece, facing) if piece.at == entry.at else ""
            found[facing] = getattr(entry, facing) or old
    return found


def _along(state: Campaign, listed: Iterable[str]) -> Campaign:
    """Put what a setup does not list where its holder, Guard or vehicle is. Rule: 9.608."""
    known, moved = set(listed), list(listed)
    while moved:
        holder = state.piece(moved.pop())
        held = {*holder.possesses, *holder.tows}
        held |= {
            piece.id
            for piece in state.pieces
            if holder.id in (piece.aboard, piece.guarded_by if piece.is_prisoner else "")
        }
        for id in sorted(held - known):
            state = update(state, id, at=holder.at)
            known.add(id)
            moved.append(id)
    return state


def _ob_fortifications_placed(state: Campaign, side: Side, setup: Position) -> Campaign:
    """Record where the Fortifications of an Initial Scenario's OB set up. Rule: 9.51, 9.52."""
    for fortification in setup.fortifications:
        own = [
            piece
            for piece in state.of(side)
            if piece.kind == "fortification"
            and piece.type.split()[-1].lower() == fortification.kind
        ]
        if fortification.owner in (None, side) and not any(
            piece.at == fortification.at for piece in own
        ):
            free = next((piece for piece in own if not piece.at), None)
            state = update(state, free.id, at=fortification.at) if free else state
    return state
