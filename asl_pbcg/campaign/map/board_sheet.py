"""Draw the board on a page: as a map sheet with title and legend, or as the SVG of a web page.

For a web page the board is an SVG without anything that changes, and its geometry is plain data;
both use the SVG's user unit, so the page can lay Control, Setup Areas and counters on the board
without conversion. A page asks for both once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import msgspec

from asl_pbcg.campaign.board.board import Board, HexInfo
from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.map.board_ground import draw_ground
from asl_pbcg.campaign.map.board_legend import (
    LINE,
    LegendEntry,
    draw_legend,
    legend_entries,
    length,
)
from asl_pbcg.campaign.map.board_margins import (
    draw_entry_areas,
    draw_frame,
    draw_names,
    draw_place_names,
    edge_of,
)
from asl_pbcg.campaign.map.board_overlay import Overlay, draw_area_labels, draw_lines, draw_shading
from asl_pbcg.campaign.map.board_view import BoardView, board_view, name_place
from asl_pbcg.campaign.map.board_works import draw_works
from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.hex_view import Window, whole, window_around
from asl_pbcg.hexes.items import Pen
from asl_pbcg.hexes.labels import Box, Taken
from asl_pbcg.hexes.outline import hatching, outline
from asl_pbcg.hexes.page import MARGIN, TITLE, PageHeading, draw_foot, draw_heading
from asl_pbcg.hexes.stacks import Stack, draw_hex_stacks
from asl_pbcg.records.layout import Paper

LARGEST: Final = 96.0
"""How high a hex may be drawn, in points."""
EDGE: Final = 17.0
"""Room round the picture where an Entry Area is shown."""
COLUMN: Final = 112.0
"""Width of a legend column."""
GAP: Final = 10.0
TIGHT: Final = 11.2
"""The least height of a line of the legend."""
VEIL: Final = 0.28
"""How much the ground pales where something is marked on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapHeading(PageHeading):
    """The heading of a map sheet."""

    title: str = "Pegasus Bridge"


def map_sheet(
    board: Board,
    overlay: Overlay | None = None,
    *,
    heading: PageHeading | None = None,
    paper: Paper | str | tuple[float, float] = Paper.A4,
    around: str | None = None,
    radius: int = 8,
    stacks: Mapping[str, Sequence[Stack]] | None = None,
) -> Drawing:
    """Draw the board, or the hexes at most ``radius`` from the hex ``around``, on one page.

    ``paper`` may also be a size in points; ``stacks`` are the counters of each hex, on top of all.

    The page lies or stands, and the legend stands beside or below, as makes the hexes largest.
    Raises UnknownHex.
    """
    overlay = overlay or Overlay()
    heading = heading or MapHeading()
    window = whole(board.grid) if around is None else window_around(board.grid, around, radius)
    preview = board_view(board, Drawing(0, 0), window, 1, 0, 0)
    edge = EDGE if any(edge_of(preview, area) for area in entry_areas(board).values()) else 0.0
    size = paper if isinstance(paper, tuple) else Paper.parse(paper).size
    plan = _best_plan(
        window,
        size,
        legend_entries(board, overlay, preview.hexes),
        edge,
    )
    drawing = Drawing(plan.width, plan.height, title=heading.words)
    view = board_view(board, drawing, window, plan.scale, plan.left, plan.top)
    draw_picture(view, overlay, stacks)
    draw_heading(drawing, heading, plan.title)
    _legend(view, overlay, plan)
    draw_foot(drawing)
    return drawing


def draw_picture(
    view: BoardView,
    overlay: Overlay,
    stacks: Mapping[str, Sequence[Stack]] | None = None,
    hex_names: bool = True,
) -> None:
    """Draw the board with what is marked on it, its frame, its Entry Areas and counters."""
    taken = Taken()
    with view.drawing.clip(view.frame):
        draw_ground(view)
        if not overlay.empty:
            view.drawing.polygon(view.frame, Pen(fill="#ffffff", opacity=VEIL))
        draw_shading(view, overlay)
        _grid_lines(view)
        _out_of_play(view)
        draw_works(view)
        draw_lines(view, overlay, taken)
        if hex_names:
            with view.drawing.group("names"):
                draw_names(view, taken)
    for name, piles in (stacks or {}).items():
        if name in view.hexes and view.shows_middle(name):
            below = view.at(*name_place(view, name)[2:])[1] + 0.02 * view.scale
            taken.add(draw_hex_stacks(view, name, piles, below), 6)
    draw_frame(view)
    with view.drawing.group("entry-areas"):
        draw_entry_areas(view, overlay)
    draw_area_labels(view, overlay, taken)
    with view.drawing.group("place-names"):
        draw_place_names(view, taken)


def _grid_lines(view: BoardView) -> None:
    """Draw three sides of every hex; the neighbours draw the others."""
    grid = view.board.grid
    lines = []
    for name in view.hexes.spread(1):
        corners = grid.corners(name)
        lines.append(view.points(corners[:4]))
        if name in grid.edge:
            lines.append(view.points((*corners[3:], corners[0])))
    view.drawing.lines(lines, Pen(stroke="#8b877d", width=max(0.25, 0.016 * view.scale)))


def _out_of_play(view: BoardView) -> None:
    out = (view.board.grid.all - view.board.in_play) & view.near
    rings = [view.points(ring) for ring in outline(out, 0.0)]
    view.drawing.polygons(rings, Pen(fill="#ffffff"))
    lines = [view.points(line) for line in hatching(out, 0.4, 45, 0.0)]
    view.drawing.lines(lines, Pen(stroke="#c9c6bd", width=0.4))
    view.drawing.polygons(rings, Pen(stroke="#4d4a44", width=0.5))


# The page


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """Where things lie on the page, in points."""

    width: float
    height: float
    scale: float
    left: float
    top: float
    legend: Box
    columns: int
    title: Box = field(default_factory=lambda: Box(0, 0, 0, 0))


def _best_plan(
    window: Window, paper: tuple[float, float], entries: list[LegendEntry], edge: float
) -> _Plan:
    plans = [
        plan(window, size, entries, edge)
        for size in (paper, paper[::-1])
        for plan in (_legend_beside, _legend_below)
    ]
    return max(plans, key=lambda plan: plan.scale)


def _legend_beside(
    window: Window, size: tuple[float, float], entries: list[LegendEntry], edge: float
) -> _Plan:
    wide, high = window[2] - window[0], window[3] - window[1]
    room = size[1] - 2 * MARGIN - TITLE
    columns = next(n for n in range(1, 20) if length(entries, n) * TIGHT <= room)
    column = columns * (COLUMN + GAP)
    across = size[0] - 2 * MARGIN - column - 2 * edge
    down = room - 2 * edge
    scale = min(across / wide, down / high, LARGEST)
    spare_x = (across - wide * scale) / 2
    spare_y = (down - high * scale) / 2
    # Leftover height goes above and below; leftover width moves the legend inward.
    left = MARGIN + edge + spare_x
    top = MARGIN + TITLE + edge + min(spare_y, 14)
    legend_left = left + wide * scale + edge + GAP
    return _Plan(
        width=size[0],
        height=size[1],
        scale=scale,
        left=left,
        top=top,
        legend=Box(legend_left, top, legend_left + column - GAP, size[1] - MARGIN),
        columns=columns,
        title=Box(left, MARGIN, legend_left + column - GAP, MARGIN + TITLE),
    )


def _legend_below(
    window: Window, size: tuple[float, float], entries: list[LegendEntry], edge: float
) -> _Plan:
    wide, high = window[2] - window[0], window[3] - window[1]
    room = size[0] - 2 * MARGIN
    columns = max(1, int((room + GAP) // (COLUMN + GAP)))
    below = length(entries, columns) * LINE
    across = room - 2 * edge
    down = size[1] - 2 * MARGIN - TITLE - 2 * edge - below - GAP
    scale = min(across / wide, down / high, LARGEST)
    left = MARGIN + edge + (across - wide * scale) / 2
    top = MARGIN + TITLE + edge
    legend_top = top + high * scale + edge + GAP
    return _Plan(
        width=size[0],
        height=size[1],
        scale=scale,
        left=left,
        top=top,
        legend=Box(MARGIN, legend_top, size[0] - MARGIN, size[1] - MARGIN),
        columns=columns,
        title=Box(MARGIN, MARGIN, size[0] - MARGIN, MARGIN + TITLE),
    )


def _legend(view: BoardView, overlay: Overlay, plan: _Plan) -> None:
    draw_legend(view, overlay, plan.legend, plan.columns)


BOARD_THUMBNAIL_DPI: Final = 44.0

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
    return drawing.to_png(BOARD_THUMBNAIL_DPI)
