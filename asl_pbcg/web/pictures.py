"""Small pictures of maps, for the home page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asl_pbcg.campaign.board import Board
    from asl_pbcg.play.seat import Seat

DPI = 44.0
AREA_DPI = 60.0


def small_map(board: Board, seat: Seat) -> bytes:
    """The map of a campaign as the seat may see it, small."""
    from asl_pbcg.campaign.board_sheet import draw_picture
    from asl_pbcg.campaign.board_view import board_view
    from asl_pbcg.hexes.drawing import Drawing
    from asl_pbcg.hexes.view import whole
    from asl_pbcg.play.campaign_map import overlay_seen

    state = seat.game.session.state
    overlay = overlay_seen(state, seat.sees)
    window, scale = whole(board.grid), 20.0
    drawing = Drawing(window[2] * scale, window[3] * scale, "The map")
    draw_picture(board_view(board, drawing, window, scale, 0, 0), overlay)
    return drawing.to_png(DPI)


def small_area_map(seat: Seat) -> bytes:
    """The map of an area game with its counters as the seat may see them, small."""
    from asl_pbcg.play.area_game import rules_of, seen_state
    from asl_pbcg.st.picture.counters import draw_game

    session = seat.game.session
    drawing = draw_game(seen_state(session, seat.sees), rules_of(session).map)
    return drawing.to_png(AREA_DPI)
