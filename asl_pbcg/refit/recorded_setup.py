"""A setup on record: what a side's file says of its pieces and Fortifications is what they are.

Rule: 9.6202.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from asl_pbcg.campaign.piece_changes import update, with_piece
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position import PieceEntry, Position
from asl_pbcg.campaign.position_words import EquipmentStatus, UnitStatus, VehicleStatus
from asl_pbcg.campaign.scenario_facts import is_gun_of_i_2
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.refit.new_fortifications import (
    match_purchases,
    with_purchases_placed,
)

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
    return frozenset(tie for tie in _TIES if any(getattr(each, tie) for each in setup.pieces))


def with_setup(state: Campaign, side: Side, setup: Position) -> Campaign:
    """Return the state with the pieces and Fortifications of ``side`` as its setup has them.

    Rule: 9.6202, 9.62022.
    """
    ties = told_ties(setup)
    listed = {each.id for each in setup.pieces}
    held = {id for each in setup.pieces for id in (*each.possesses, *each.tows)}
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
            each.id
            for each in state.pieces
            if holder.id in (each.aboard, each.guarded_by if each.is_prisoner else "")
        }
        for id in sorted(held - known):
            state = update(state, id, at=holder.at)
            known.add(id)
            moved.append(id)
    return state


def _ob_fortifications_placed(state: Campaign, side: Side, setup: Position) -> Campaign:
    """Record where the Fortifications of an Initial Scenario's OB set up. Rule: 9.51, 9.52."""
    for each in setup.fortifications:
        own = [
            piece
            for piece in state.of(side)
            if piece.kind == "fortification" and piece.type.split()[-1].lower() == each.kind
        ]
        if each.owner in (None, side) and not any(piece.at == each.at for piece in own):
            free = next((piece for piece in own if not piece.at), None)
            state = update(state, free.id, at=each.at) if free else state
    return state
