"""The board for a page: as an SVG without anything that changes, and its geometry as data.

A page asks for both once. Both use the same unit, the user unit of the SVG, so that what a page
draws itself (Control, Setup Areas, counters) lies on the board without any reckoning.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.board_overlay import Overlay
from asl_pbcg.campaign.board_sheet import draw_picture
from asl_pbcg.campaign.board_view import BoardView, board_view
from asl_pbcg.campaign.hexinfo import HexInfo
from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.hex_view import whole
from asl_pbcg.hexes.items import Pen

THUMBNAIL_DPI: Final = 44.0

HEX: Final = 40.0
"""Height of a hex on the page, in user units."""
AROUND: Final = 20.0
"""Room round the map for the arrows and names of the Entry Areas."""

Place = tuple[float, float]


class HexPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Where a hex lies on the page, in user units, and what is printed in it, in words."""

    centre: Place
    corners: tuple[Place, Place, Place, Place, Place, Place]
    """Clockwise from the top left; side n (N, NE, SE, S, SW, NW) runs from n to n + 1. Hexes at
    the map's edge are not cut."""
    words: str


class BoardGeometry(msgspec.Struct, frozen=True, kw_only=True):
    """Where every hex lies on the page that ``board_svg`` draws; y runs downward."""

    width: float
    height: float
    hex_height: float
    hexes: dict[str, HexPlace]
    """Every hex in play, in board order."""


def _view(board: Board) -> BoardView:
    window = whole(board.grid)
    wide, high = window[2] * HEX + 2 * AROUND, window[3] * HEX + 2 * AROUND
    return board_view(board, Drawing(wide, high, "The board"), window, HEX, AROUND, AROUND)


@lru_cache(maxsize=4)
def board_geometry(board: Board) -> BoardGeometry:
    """Say where each hex in play lies on the page; ``msgspec.to_builtins`` makes plain data of it.

    ``hexes["Y20"].centre`` is where a counter stands, ``corners`` what a hex is filled with.
    """
    view = _view(board)

    def near(place: Place) -> Place:
        return round(place[0], 2), round(place[1], 2)

    hexes = {}
    for name in board.in_play:
        a, b, c, d, e, f = (near(place) for place in view.hex_ring(name))
        hexes[name] = HexPlace(
            centre=near(view.hex_at(name)), corners=(a, b, c, d, e, f), words=hex_words(board[name])
        )
    return BoardGeometry(
        width=round(view.drawing.width, 2),
        height=round(view.drawing.height, 2),
        hex_height=HEX,
        hexes=hexes,
    )


@lru_cache(maxsize=4)
def board_svg(board: Board) -> str:
    """Draw the whole board as an SVG document that fills what it is put into.

    It has three groups: ``#ground`` (everything printed; in it ``#names``, ``#entry-areas`` and
    ``#place-names``, which a page may leave out), ``#marks`` (empty: for what a page draws
    under the pointer) and ``#hexes``, which holds for every hex in play an unseen
    ``<g id="hex-Y20" class="hex" data-hex="Y20">`` with its shape, in board order, and a title
    that says what is printed in it. No script, no style sheet, nothing from elsewhere.
    """
    view = _view(board)
    drawing = view.drawing
    with drawing.group("ground"):
        draw_picture(view, Overlay())
    with drawing.group("marks"):
        pass
    with drawing.group("hexes"), drawing.clip(view.frame):
        for name in board.in_play:
            title = f"{name}: {hex_words(board[name])}"
            with drawing.group(
                f"hex-{name}", classes="hex", title=title, data={"hex": name}, hidden=True
            ):
                drawing.polygon(view.hex_ring(name), Pen(fill="#ffffff"))
    return drawing.to_svg(sized=False)


def hex_words(info: HexInfo) -> str:
    """Say in a few words what is printed in a hex."""
    words = [kind.replace("_", " ") for kind in info.terrain]
    if info.building:
        words.append(info.building_name or f"{info.building} building")
    if info.bridge:
        words.append("bridge")
    if info.road:
        words.append(f"{info.road} road")
    if info.level:
        words.append(f"level {info.level}")
    return ", ".join(words) or "open ground"


def board_thumbnail(board: Board, overlay: Overlay) -> bytes:
    """Draw the whole board small with ``overlay`` on it, as PNG; nobody could read hex names."""
    window, scale = whole(board.grid), 20.0
    drawing = Drawing(window[2] * scale, window[3] * scale, "The map")
    draw_picture(board_view(board, drawing, window, scale, 0, 0), overlay, hex_names=False)
    return drawing.to_png(THUMBNAIL_DPI)
