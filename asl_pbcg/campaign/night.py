"""CG4 Night CG scenarios: Freedom of Movement, and who may not move in a Refit Phase."""

from __future__ import annotations

from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import Status, UnitStatus
from asl_pbcg.campaign.retained import has_left, retained_area
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import CGDate, Side

FREE = UnitStatus.FREEDOM_OF_MOVEMENT
NO_MOVE = UnitStatus.NO_MOVE


def south_of_cc(name: str, board: Board, first_north: str) -> bool:
    """Whether a hex lies south of hexrow CC: in hexrows A to BB. Rule: CG4b; ruling C-71."""
    return board.grid.index(name) < board.grid.index(f"{first_north}1")


def statuses_that_matter(piece: Piece, date: CGDate) -> tuple[Status, ...]:
    """Return what is true of a piece, without Freedom of Movement by day. Rule: CG4, E1.21."""
    return tuple(each for each in piece.status if date.is_night or each != FREE)


def freedom_of_movement(state: Campaign, piece: Piece, board: Board) -> bool:
    """Whether a unit has Freedom of Movement as the scenario of the current CG Date begins.

    Night I: the British, and no German on map. Night II: the British, and Germans who are not
    south of hexrow CC or gained it in Night I. Who has Escaped or Shifted since may set up anywhere
    in that Setup Area: he counts as south if any of it is, and so does a place that is not known.
    Night III and by day: everybody.

    Rule: CG4, CG4a, CG4b, CG4c.
    """
    if piece.side is Side.BRITISH or state.date not in (CGDate.NIGHT_1, CGDate.NIGHT_2):
        return True
    waits_in = piece.retained_in
    if piece.off_map or (waits_in and waits_in.is_entry_area and not piece.at):
        return True  # it enters; only what sets up on map waits
    if state.date is CGDate.NIGHT_1:
        return False
    if piece.has(FREE):
        return True
    if not piece.on_map:
        return False
    places = [piece.location.hex]
    if state.determined and has_left(state, piece):
        area = retained_area(state, piece)
        places = area.hexes.names if area else places
    first_north = state.frame.night.north_from
    return not any(south_of_cc(place, board, first_north) for place in places)


def is_held_by_no_move(state: Campaign, piece: Piece, board: Board) -> bool:
    """Whether a unit may not change its Location in the Refit Phase before Night II.

    That is a German unit south of hexrow CC on a No Move marker, as long as it has it; a counter
    left on a vehicle that the British have captured means nothing. Rule: 9.6058, CG4b; ruling P-33.
    """
    return (
        state.coming_date is CGDate.NIGHT_2
        and piece.side is Side.GERMAN
        and piece.has(NO_MOVE)
        and piece.on_map
        and south_of_cc(piece.location.hex, board, state.frame.night.north_from)
    )
