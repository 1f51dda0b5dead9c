"""The campaign's board as a map to drop on."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from asl_pbcg.airborne.boards import DropBoard, offer_board
from asl_pbcg.airborne.dropmap import BOARD

if TYPE_CHECKING:
    from asl_pbcg.campaign.hexinfo import HexInfo
    from asl_pbcg.hexes.view import HexView


@cache
def _load() -> DropBoard:
    from asl_pbcg.campaign.board import load_board

    board = load_board()
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
    from asl_pbcg.campaign.board import load_board
    from asl_pbcg.campaign.board_overlay import Overlay
    from asl_pbcg.campaign.board_sheet import draw_picture
    from asl_pbcg.campaign.board_view import board_view

    # A hair inside the map's edge, where the board's picture shows no Entry Areas.
    left, top, right, bottom = view.window
    hair = 1e-6
    window = (left + hair, top + hair, right - hair, bottom - hair)
    there = board_view(load_board(), view.drawing, window, view.scale, view.left, view.top)
    draw_picture(there, Overlay())


offer_board(BOARD, _load)
