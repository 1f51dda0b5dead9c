"""9.606 Who must and who may attempt Escape, and who is Overstacked."""

from __future__ import annotations

from collections.abc import Collection

from asl_pbcg.campaign.night import is_held_by_no_move
from asl_pbcg.campaign.piece_changes import update
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.refit.retention import still_there
from asl_pbcg.refit.situation import (
    at_location,
    in_board_order,
    setup_area,
)
from asl_pbcg.refit.stacking import excess_of, stacking_kind
from asl_pbcg.refit.status_chart import Outcome, status_of
from asl_pbcg.refit.vehicle_actions import is_mobile

Group = tuple[Side, str, list[Piece]]
"""The units of one side in one Location."""

_MUST: frozenset[Outcome] = frozenset({"must_escape", "retained_or_escape"})


def may_go(piece: Piece) -> bool:
    """Return whether a piece can go by itself at all: Infantry, or a vehicle that is mobile."""
    return piece.is_personnel or is_mobile(piece)


def _is_concerned(state: Campaign, piece: Piece) -> bool:
    """Return whether 9.606 asks at all what becomes of ``piece``."""
    return piece.on_map and not piece.aboard and may_go(piece) and still_there(state, piece)


def who_escapes(
    state: Campaign, done: Collection[str] = (), calm: dict[str, Piece] | None = None
) -> tuple[list[Piece], list[Piece]]:
    """Return who must and who may attempt Escape, those ``done`` with left out.

    ``calm`` remembers who neither must nor may, so that a whole side is not searched again after
    each attempt; who has changed since, as a prisoner who is Rearmed, is. Rule: 9.606, 9.6056.
    """
    calm = {} if calm is None else calm
    must, may = [], []
    for piece in state.pieces:
        if piece.id in done or calm.get(piece.id) is piece:
            continue
        outcome = status_of(state, piece).outcome if _is_concerned(state, piece) else None
        if outcome in _MUST:
            must.append(piece)
        elif outcome == "may_escape":
            may.append(piece)
        else:
            calm[piece.id] = piece
    return in_board_order(state, must), in_board_order(state, may)


def by_location(state: Campaign, pieces: list[Piece]) -> list[Group]:
    """Return pieces by Location and side, Locations in alphanumeric order. Ruling C-86."""
    groups: dict[tuple[str, Side], list[Piece]] = {}
    for piece in in_board_order(state, pieces):
        groups.setdefault((piece.at, piece.side), []).append(piece)
    return [(side, at, units) for (at, side), units in groups.items()]


def may_not_move(state: Campaign, piece: Piece) -> bool:
    """Return whether a No Move counter keeps a unit where it is. Rule: 9.6058, CG4b."""
    return is_held_by_no_move(state, piece, state.board)


# -- Overstacked ----------------------------------------------------------------------------


def overstacking(state: Campaign, place: str, side: Side, leaving: Collection[str] = ()) -> str:
    """Return what a side has too much of in a Location once ``leaving`` are gone; empty if nothing.

    Rule: 9.606, A5.1.
    """
    found = _excess(state, place, side, leaving)
    return " and ".join(found.values())


def too_many(state: Campaign, piece: Piece, leaving: Collection[str] = ()) -> bool:
    """Return whether ``piece`` is of the kind its Location is Overstacked with."""
    return stacking_kind(piece) in _excess(state, piece.at, piece.side, leaving)


def _excess(state: Campaign, place: str, side: Side, leaving: Collection[str]) -> dict[str, str]:
    stay = [
        piece
        for piece in at_location(state, place)
        if piece.side is side
        and piece.id not in leaving
        and not piece.is_prisoner
        and not piece.aboard  # it is the vehicle's crew
        and still_there(state, piece)
    ]
    return excess_of(stay)


def places_to_move(state: Campaign, piece: Piece) -> list[str]:
    """Return the other Locations of its Setup Area a unit may be moved to without Overstacking.

    Rule: 9.606.
    """
    areas = state.areas
    area = setup_area(state, piece)
    if area is None:
        return []
    places = [name for name in area.hexes if name in areas.board.enterable]
    if not piece.is_vehicle:
        places += [str(each) for each in area.strategic_locations if not each.ground]
    return [
        place
        for place in dict.fromkeys(places)
        if place != piece.at
        and not overstacking(update(state, piece.id, at=place), place, piece.side)
    ]
