"""Man-made terrain on the map sheet: roads, buildings, the bridge, hedges, walls and fences."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from asl_pbcg.campaign.board.board import HexInfo
from asl_pbcg.campaign.map.board_ground import chains
from asl_pbcg.campaign.map.board_view import (
    BoardView,
    RoadKind,
    house_place,
    road_lines,
    tree_places,
    wings,
)
from asl_pbcg.hexes.hex_view import chance
from asl_pbcg.hexes.items import Pen, Point
from asl_pbcg.hexes.lattice import DIRECTIONS, OPPOSITE
from asl_pbcg.hexes.outline import rings
from asl_pbcg.kernel.slow_libraries import shapely

ROAD: Final[dict[RoadKind, tuple[float, str, str]]] = {
    "unpaved": (0.13, "#f7ecca", "#a3854e"),
    "paved": (0.19, "#d4d1ca", "#77726a"),
}
"""Width in hex heights, colour of the road, colour of its edges."""

STONE: Final = "#8f8d88"
WOOD: Final = "#c08a52"
WALLS: Final = "#3c3a37"
TREE: Final = "#8fb174"
BARK: Final = "#4f7338"
HEDGE: Final = "#3f6b2a"
FENCE: Final = "#6b5433"
EARTH: Final = "#6d4f27"


HexsideLines = Callable[[BoardView, list[list[Point]]], None]
"""Draws lines of the sheet, from the view on which they lie, as something on hexsides."""


def draw_works(view: BoardView) -> None:
    """Draw roads, hexside terrain, buildings and the bridge."""
    _roads(view)
    _orchards(view)
    draw_hexsides(view)
    _buildings(view)
    _hexsides(view, "rowhouse", bar)
    _bridge(view)


# Roads


def _orchards(view: BoardView) -> None:
    trees = [
        (*view.at(x, y), 0.09 * view.scale)
        for name in view.holding("orchard", "partial_orchard")
        for x, y in tree_places(view, name)
    ]
    view.drawing.circles(trees, Pen(fill=TREE, stroke=BARK, width=0.03 * view.scale))
    view.drawing.circles([(x, y, r * 0.22) for x, y, r in trees], Pen(fill=BARK))


def _roads(view: BoardView) -> None:
    drawn: dict[RoadKind, list[list[Point]]] = {
        kind: [
            view.points(line)
            for name in view.near
            for line in road_lines(view, view.board[name], kind)
        ]
        for kind in ROAD
    }
    paths = [view.points(line) for line in _paths(view)]
    view.drawing.lines(
        paths,
        Pen(stroke=EARTH, width=0.05 * view.scale, dash=(0.13 * view.scale, 0.1 * view.scale)),
    )
    for kind, (width, _, edge) in ROAD.items():
        pen = Pen(stroke=edge, width=width * view.scale, cap="round")
        view.drawing.lines(drawn[kind], pen)
    for kind, (width, colour, _) in ROAD.items():
        pen = Pen(stroke=colour, width=(width - 0.055) * view.scale, cap="round")
        view.drawing.lines(drawn[kind], pen)


def _paths(view: BoardView) -> list[list[Point]]:
    return chains(view, "path")[0]


# Hexsides


def draw_hexsides(view: BoardView) -> None:
    """Draw hedges, walls, fences and cliffs."""
    for field, draw in (
        ("cliff", cliff),
        ("fence", fence),
        ("hedge", hedge),
        ("wall", wall),
    ):
        _hexsides(view, field, draw)


def _hexsides(
    view: BoardView, field: str, draw: Callable[[BoardView, list[list[Point]]], None]
) -> None:
    """Draw every hexside that has something, once."""
    done: set[tuple[str, str]] = set()
    lines: list[list[Point]] = []
    for info in view.infos:
        corners = view.board.grid.corners(info.name)
        for side in getattr(info, field):
            neighbour = view.board.grid.neighbour(info.name, side)
            if (info.name, side) in done:
                continue
            if neighbour is not None:
                done.add((neighbour, OPPOSITE[side]))
            number = DIRECTIONS.index(side)
            ends = [corners[number], corners[(number + 1) % 6]]
            if field == "cliff" and neighbour and view.board[neighbour].level > info.level:
                ends.reverse()
            lines.append(view.points(ends))
    if lines:
        draw(view, lines)


def hedge(view: BoardView, lines: list[list[Point]]) -> None:
    """Draw lines of the sheet as hedges: a row of round bushes."""
    bushes = [
        (x, y, 0.052 * view.scale)
        for line in lines
        for x, y in _along(line, max(0.105 * view.scale, 0.5))
    ]
    view.drawing.lines(lines, Pen(stroke=HEDGE, width=0.05 * view.scale))
    view.drawing.circles(bushes, Pen(fill=HEDGE))


def wall(view: BoardView, lines: list[list[Point]]) -> None:
    """Draw lines of the sheet as walls: dark, with light stones in them."""
    view.drawing.lines(lines, Pen(stroke=WALLS, width=0.1 * view.scale, cap="round"))
    dash = (0.11 * view.scale, 0.055 * view.scale)
    view.drawing.lines(lines, Pen(stroke="#efece4", width=0.042 * view.scale, dash=dash))


def fence(view: BoardView, lines: list[list[Point]]) -> None:
    """Draw lines of the sheet as fences: a thin line with posts."""
    view.drawing.lines(lines, Pen(stroke=FENCE, width=0.03 * view.scale))
    posts: list[list[Point]] = []
    for line in lines:
        (ax, ay), (bx, by) = line
        length = math.dist(*line)
        dx, dy = (bx - ax) / length, (by - ay) / length
        size = 0.055 * view.scale
        for x, y in _along(line, 0.145 * view.scale):
            for across in (1, -1):
                ex, ey = size * (dx + across * dy), size * (dy - across * dx)
                posts.append([(x - ex, y - ey), (x + ex, y + ey)])
    view.drawing.lines(posts, Pen(stroke=FENCE, width=0.022 * view.scale))


def cliff(view: BoardView, lines: list[list[Point]]) -> None:
    """Draw lines of the sheet as cliffs: thick, with teeth on the right-hand side."""
    view.drawing.lines(lines, Pen(stroke=EARTH, width=0.09 * view.scale))
    teeth: list[list[Point]] = []
    for line in lines:
        (ax, ay), (bx, by) = line
        length = math.dist(*line)
        dx, dy = (bx - ax) / length, (by - ay) / length
        for x, y in _along(line, 0.11 * view.scale):
            deep = 0.14 * view.scale
            teeth.append([(x, y), (x + dy * deep, y - dx * deep)])
    view.drawing.lines(teeth, Pen(stroke=EARTH, width=0.045 * view.scale))


def bar(view: BoardView, lines: list[list[Point]]) -> None:
    """Draw lines of the sheet as the black bars of row houses."""
    view.drawing.lines(lines, Pen(stroke="#000000", width=0.11 * view.scale))


def _along(line: list[Point], step: float) -> list[Point]:
    (ax, ay), (bx, by) = line
    count = max(1, round(math.dist(*line) / step))
    return [
        (ax + (bx - ax) * (i + 0.5) / count, ay + (by - ay) * (i + 0.5) / count)
        for i in range(count)
    ]


# Buildings and the bridge


def _buildings(view: BoardView) -> None:
    for name, footprint in view.board.footprints.items():
        if footprint.isdisjoint(view.near):
            continue
        if len(footprint) == 1:
            (only,) = footprint
            x, y, angle = house_place(view, only)
            shapes = [_house(x, y, angle, only)]
            ridges = [_ridge(x, y, angle)]
        else:
            spines = wings(view, footprint)
            joined = shapely.line_merge(
                shapely.unary_union([shapely.LineString(spine) for spine in spines])
            )
            body = joined.buffer(0.17, cap_style="square", join_style="mitre")
            shapes = rings(body)
            ridges = spines
        stone = view.board[name].building == "stone"
        pen = Pen(
            fill=STONE if stone else WOOD,
            stroke=WALLS,
            width=0.045 * view.scale,
            join="miter",
        )
        view.drawing.polygons([view.points(ring) for ring in shapes], pen)
        view.drawing.lines(
            [view.points(ridge) for ridge in ridges],
            Pen(stroke="#d9d7d2" if stone else "#7c5226", width=0.025 * view.scale),
        )
        if not stone:
            _planks(view, shapes[0])
    for info in view.infos:
        if info.stairs:
            _symbol(view, info)


def _planks(view: BoardView, house: list[Point]) -> None:
    if len(house) != 4:
        return
    a, b, c, d = house
    view.drawing.lines(
        [view.points([a, c]), view.points([b, d])], Pen(stroke="#7c5226", width=0.02 * view.scale)
    )


def _house(x: float, y: float, angle: float, name: str) -> list[Point]:
    luck = chance("size", name)
    wide, deep = luck.choice((0.23, 0.25, 0.27)), luck.choice((0.14, 0.155, 0.165))
    return [
        (
            x + sx * wide * math.cos(angle) - sy * deep * math.sin(angle),
            y + sx * wide * math.sin(angle) + sy * deep * math.cos(angle),
        )
        for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]


def _ridge(x: float, y: float, angle: float) -> list[Point]:
    return [
        (x + sign * 0.2 * math.cos(angle), y + sign * 0.2 * math.sin(angle)) for sign in (-1, 1)
    ]


def _symbol(view: BoardView, info: HexInfo) -> None:
    alone = len(view.board.building(info.name)) == 1
    x, y = house_place(view, info.name)[:2] if alone else view.board.grid.centre(info.name)
    px, py = view.at(x, y)
    size = 0.085 * view.scale
    white = Pen(fill="#ffffff", stroke=WALLS, width=0.03 * view.scale)
    if info.stairs == "square":
        view.drawing.box(px - size, py - size, 2 * size, 2 * size, white)
    elif info.stairs == "circle":
        view.drawing.circle(px, py, size * 1.1, white)
    else:
        pen = Pen(stroke="#ffffff", width=0.06 * view.scale)
        view.drawing.lines(
            [
                [(px, py - 1.5 * size), (px, py + 1.5 * size)],
                [(px - size, py - 0.4 * size), (px + size, py - 0.4 * size)],
            ],
            pen,
        )


def _bridge(view: BoardView) -> None:
    grid = view.board.grid
    bridges = view.board.bridges & view.near
    for piece in bridges.pieces():
        decks: list[list[Point]] = []
        for name in piece:
            corners = grid.corners(name)
            for side in view.board[name].road_sides:
                number = DIRECTIONS.index(side)
                (ax, ay), (bx, by) = corners[number], corners[(number + 1) % 6]
                decks.append([grid.centre(name), ((ax + bx) / 2, (ay + by) / 2)])
        lines = [view.points(deck) for deck in decks]
        view.drawing.lines(lines, Pen(stroke="#1d1d1d", width=0.38 * view.scale))
        view.drawing.lines(lines, Pen(stroke="#ffffff", width=0.31 * view.scale))
        view.drawing.lines(lines, Pen(stroke="#1d1d1d", width=0.25 * view.scale))
        view.drawing.lines(lines, Pen(stroke="#d4d1ca", width=0.2 * view.scale))
