"""The campaign's board as a map to drop on."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from asl_pbcg.airborne.drop_map import BOARD, DropBoard, offer_board
from asl_pbcg.campaign.board import board as campaign_board
from asl_pbcg.campaign.map import board_overlay, board_view

if TYPE_CHECKING:
    from asl_pbcg.campaign.board.board import HexInfo
    from asl_pbcg.hexes.hex_view import HexView


@cache
def _load() -> DropBoard:
    board = campaign_board.load_board()
    return DropBoard(
        grid=board.grid,
        terrain={info.name: words for info in board if (words := _words(info))},
        out_of_play=frozenset(board.grid.names) - frozenset(board.in_play),
        draw=_draw,
    )


def _words(info: HexInfo) -> tuple[str, ...]:
    words: list[str] = [*info.terrain]
    if info.water_obstacle and not {"canal", "pond"} & set(words):
        words.append("water")
    if info.building:
        words.append("building")
    if info.slope:
        words.append("slope")
    if info.cliff:
        words.append("cliff")
    return tuple(words)


def _draw(view: HexView) -> None:
    # A hair inside the map's edge, where the board's picture shows no Entry Areas.
    from asl_pbcg.campaign.map import board_sheet

    left, top, right, bottom = view.window
    hair = 1e-6
    window = (left + hair, top + hair, right - hair, bottom - hair)
    board = campaign_board.load_board()
    part = board_view.board_view(board, view.drawing, window, view.scale, view.left, view.top)
    board_sheet.draw_picture(part, board_overlay.Overlay())


def offer_campaign_board() -> None:
    """Offer the campaign's board to drop on."""
    offer_board(BOARD, _load)
