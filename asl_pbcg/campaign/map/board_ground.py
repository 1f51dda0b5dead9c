"""The ground of the map sheet: levels, vegetation, water, slopes."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise
from typing import Any

from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.map.board_view import BoardView, board_view
from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.hex_view import Window, chance
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.hexes.items import (
    BANK,
    BARK,
    CREST,
    EARTH,
    GRAIN,
    LEVELS,
    LOW,
    MARSH,
    PAPER,
    REED,
    STRAW,
    SWAMP,
    TREE,
    WATER,
    Item,
    Pen,
    Point,
)
from asl_pbcg.hexes.lattice import COLUMN_PITCH, DIRECTIONS
from asl_pbcg.hexes.outline import lines_of, rings, round_off, shape, smooth
from asl_pbcg.kernel.slow_libraries import affinity, shapely


def draw_ground(view: BoardView) -> None:
    """Draw everything that lies under the hex grid."""
    view.drawing.add(_ground(view.board, view.window, view.scale, view.left, view.top))


@lru_cache(maxsize=64)
def _ground(
    board: Board, window: Window, scale: float, left: float, top: float
) -> tuple[Item, ...]:
    """The ground of a view, which is the same on every sheet and takes long to draw."""
    view = board_view(board, Drawing(0, 0), window, scale, left, top)
    view.drawing.polygon(view.frame, Pen(fill=PAPER))
    _levels(view)
    _grain(view)
    _wet_ground(view)
    _woods(view)
    _graveyard(view)
    _slopes(view)
    _canal_and_ponds(view)
    _gullies(view)
    _ditches_and_streams(view)
    return tuple(view.drawing.items)


def _fill(view: BoardView, geometry: Any, pen: Pen) -> None:
    view.drawing.polygons([view.points(ring) for ring in rings(geometry)], pen)


# Levels


def _levels(view: BoardView) -> None:
    values = _heights(view)
    for level in sorted(LEVELS):
        if max(values.values()) < level:
            continue
        region = _higher(values, level)
        if region is None:
            continue
        ground = [smooth(ring, closed=True) for ring in rings(region)]
        colour = LEVELS[level]
        view.drawing.polygons(
            [view.points(ring) for ring in ground],
            Pen(fill=colour, stroke=CREST, width=0.035 * view.scale),
        )
    below = {place: -value for place, value in values.items()}
    region = _higher(below, 1) if min(values.values()) < 0 else None
    if region is not None:
        ground = [smooth(ring, closed=True) for ring in rings(region)]
        pen = Pen(fill=LOW, stroke=CREST, width=0.03 * view.scale, dash=(1.5, 1))
        view.drawing.polygons([view.points(ring) for ring in ground], pen)


def _heights(view: BoardView) -> dict[tuple[int, int], int]:
    """Give the level at every centre, by column and twice the depth, one hex beyond the map."""
    grid = view.board.grid
    places = [grid.column_row(name) for name in view.near]
    columns = [column for column, _ in places]
    numbers = [number for _, number in places]
    values = {}
    for column in range(min(columns) - 1, max(columns) + 2):
        for number in range(min(numbers) - 2, max(numbers) + 3):
            inside = min(max(column, 0), grid.columns - 1)
            first = 1 - inside % 2
            name = grid.at(inside, min(max(number, first), first + grid.rows - 1))
            assert name is not None
            info = view.board[name]
            # The level of open water is that of its surface; the banks carry the ground's.
            level = 0 if info.water_obstacle else info.level
            values[column, 2 * number - (1 - column % 2)] = level
    return values


def _higher(values: dict[tuple[int, int], int], level: int) -> Any:
    """Give the region at or above a level: its edge runs midway between centres that differ."""

    def place(node: tuple[int, int]) -> Point:
        return node[0] * COLUMN_PITCH, node[1] / 2

    pieces = []
    for column, depth in values:
        for third in ((column + 1, depth + 1), (column - 1, depth + 1)):
            triangle = [(column, depth), (column, depth + 2), third]
            if any(node not in values for node in triangle):
                continue
            inside = [values[node] >= level for node in triangle]
            if not any(inside):
                continue
            corners: list[Point] = []
            for number in range(3):
                corner, after = triangle[number], triangle[(number + 1) % 3]
                if inside[number]:
                    corners.append(place(corner))
                if inside[number] != inside[(number + 1) % 3]:
                    (ax, ay), (bx, by) = place(corner), place(after)
                    corners.append(((ax + bx) / 2, (ay + by) / 2))
            pieces.append(shapely.Polygon(corners))
    return shapely.coverage_union_all(pieces) if pieces else None


# Vegetation


def _woods(view: BoardView) -> None:
    woods = view.holding("woods")
    if not woods:
        return
    core = round_off(woods, 0.1, 0.12)
    crowns = []
    for ring in rings(core):
        length = 0.0
        closed = [*ring, ring[0]]
        for (ax, ay), (bx, by) in pairwise(closed):
            step = math.dist((ax, ay), (bx, by))
            while length < step:
                share = length / step if step else 0
                x, y = ax + share * (bx - ax), ay + share * (by - ay)
                crowns.append(shapely.Point(x, y).buffer(0.105, quad_segs=4))
                length += 0.17
            length -= step
    cloud = shapely.unary_union([core, *crowns])
    _fill(view, cloud, Pen(fill=TREE, stroke=BARK, width=0.03 * view.scale))
    arcs = []
    for name in woods:
        x, y = view.board.grid.centre(name)
        luck = chance("woods", name)
        for dx, dy in ((-0.3, -0.02), (0.0, 0.08), (0.28, -0.05), (-0.14, 0.3), (0.18, 0.32)):
            cx, cy = x + dx + luck.uniform(-0.05, 0.05), y + dy + luck.uniform(-0.05, 0.05)
            radius = luck.uniform(0.06, 0.085)
            arcs.append(
                view.points(
                    [
                        (cx + radius * math.cos(angle), cy - radius * math.sin(angle))
                        for angle in (math.pi * i / 6 for i in range(-1, 8))
                    ]
                )
            )
    view.drawing.lines(arcs, Pen(stroke=BARK, width=0.025 * view.scale, cap="round"))


def _grain(view: BoardView) -> None:
    grain = view.holding("grain")
    if not grain:
        return
    field = round_off(grain, 0.04, 0.1)
    _fill(view, field, Pen(fill=GRAIN, stroke=STRAW, width=0.015 * view.scale))
    left, top, right, bottom = field.bounds
    pitch = 0.17
    ears = [
        ((column + row % 2 / 2) * pitch, row * pitch * 0.8)
        for column in range(math.floor(left / pitch), math.ceil(right / pitch))
        for row in range(math.floor(top / pitch / 0.8), math.ceil(bottom / pitch / 0.8))
    ]
    inside = shapely.contains_xy(field.buffer(-0.05), [x for x, _ in ears], [y for _, y in ears])
    strokes = [
        view.points([(x - 0.02, y + 0.035), (x + 0.02, y - 0.035)])
        for (x, y), is_inside in zip(ears, inside, strict=True)
        if is_inside
    ]
    view.drawing.lines(strokes, Pen(stroke=STRAW, width=0.022 * view.scale))


def _wet_ground(view: BoardView) -> None:
    for kind, tint, spots in (
        ("marsh", MARSH, ((-0.26, 0.0), (0.14, 0.1), (-0.12, 0.34), (0.32, -0.12))),
        ("swamp", SWAMP, ((-0.3, 0.0), (0.0, 0.1), (0.3, 0.0), (-0.15, 0.34), (0.17, 0.34))),
    ):
        hexes = view.holding(kind)
        if not hexes:
            continue
        _fill(view, round_off(hexes, 0.03, 0.12), Pen(fill=tint))
        reeds: list[list[Point]] = []
        waves: list[list[Point]] = []
        for name in hexes:
            x, y = view.board.grid.centre(name)
            for dx, dy in spots:
                cx, cy = x + dx, y + dy
                for lean in (-0.07, 0.0, 0.07):
                    top = 0.13 if lean == 0 else 0.09
                    reeds.append(view.points([(cx, cy), (cx + lean, cy - top)]))
                waves.append(view.points([(cx - 0.11, cy + 0.02), (cx + 0.11, cy + 0.02)]))
                if kind == "swamp":
                    waves.append(view.points([(cx - 0.06, cy + 0.06), (cx + 0.16, cy + 0.06)]))
        view.drawing.lines(reeds, Pen(stroke=REED, width=0.022 * view.scale))
        view.drawing.lines(waves, Pen(stroke=BANK, width=0.022 * view.scale))


def _graveyard(view: BoardView) -> None:
    crosses: list[list[Point]] = []
    for name in view.holding("graveyard"):
        x, y = view.board.grid.centre(name)
        for dx, dy in ((-0.25, 0.05), (0.0, 0.2), (0.25, 0.05), (-0.13, 0.4), (0.13, 0.4)):
            cx, cy = x + dx, y + dy
            crosses.append(view.points([(cx, cy - 0.1), (cx, cy + 0.07)]))
            crosses.append(view.points([(cx - 0.05, cy - 0.05), (cx + 0.05, cy - 0.05)]))
    view.drawing.lines(crosses, Pen(stroke="#444444", width=0.03 * view.scale))


# Slopes, gullies


def _slopes(view: BoardView) -> None:
    ticks: list[list[Point]] = []
    for info in view.infos:
        x, y = view.board.grid.centre(info.name)
        corners = view.board.grid.corners(info.name)
        for side in info.slope:
            number = DIRECTIONS.index(side)
            (ax, ay), (bx, by) = corners[number], corners[(number + 1) % 6]
            inward = ((x - (ax + bx) / 2) * 2, (y - (ay + by) / 2) * 2)
            for step in range(1, 8):
                px, py = ax + (bx - ax) * step / 8, ay + (by - ay) * step / 8
                deep = 0.2 if step % 2 else 0.12
                end = (px + inward[0] * deep, py + inward[1] * deep)
                ticks.append(view.points([(px, py), end]))
    view.drawing.lines(ticks, Pen(stroke=EARTH, width=0.022 * view.scale))


def chains(view: BoardView, *kinds: str) -> tuple[list[list[Point]], HexSet]:
    """Follow a line of terrain from hex to hex.

    Gives lines through the centres, and the hexes where three such hexes touch each other, so
    that nobody could say how the line runs.
    """
    grid = view.board.grid
    hexes = view.holding(*kinds)
    links: dict[str, list[str]] = {
        name: [end for end in grid.neighbours(name) if end in hexes] for name in hexes
    }
    thick = {
        name
        for name, others in links.items()
        if any(set(links[neighbour]) & set(others) for neighbour in others)
    }
    lines: list[list[Point]] = []
    used: set[tuple[str, str]] = set()
    for start in sorted(hexes, key=lambda name: (len(links[name]) == 2, grid.index(name))):
        for neighbour in links[start]:
            if (start in thick and neighbour in thick) or (start, neighbour) in used:
                continue
            trail = [start, neighbour]
            used |= {(start, neighbour), (neighbour, start)}
            while len(links[trail[-1]]) == 2 and trail[-1] not in thick:
                after = next(name for name in links[trail[-1]] if name != trail[-2])
                if (trail[-1], after) in used:
                    break
                used |= {(trail[-1], after), (after, trail[-1])}
                trail.append(after)
            lines.append(smooth([grid.centre(name) for name in trail], closed=False))
    return lines, grid.set(thick)


def _gullies(view: BoardView) -> None:
    lines, _ = chains(view, "gully")
    ticks: list[list[Point]] = []
    for line in lines:
        path = shapely.LineString(line)
        for step in range(1, int(path.length / 0.11)):
            foot, after = path.interpolate(step * 0.11), path.interpolate(step * 0.11 + 0.01)
            dx, dy = (after.x - foot.x) * 10, (after.y - foot.y) * 10
            side = 1 if step % 2 else -1
            ticks.append(view.points([(foot.x, foot.y), (foot.x - side * dy, foot.y + side * dx)]))
    pen = Pen(stroke=EARTH, width=0.04 * view.scale, cap="round")
    view.drawing.lines([view.points(line) for line in lines], pen)
    view.drawing.lines(ticks, Pen(stroke=EARTH, width=0.025 * view.scale))


# Water


def _canal_and_ponds(view: BoardView) -> None:
    canal = view.board.terrain("canal")
    if not canal.isdisjoint(view.near):
        # A wide closing fills the notches between hexes; then the banks are drawn in.
        ends = shape(canal & view.board.edge)
        beyond = [affinity.translate(ends, across) for across in (-0.8, 0.8)]
        water = shapely.unary_union([shape(canal), *beyond], grid_size=1e-6)
        water = water.buffer(4, quad_segs=32).buffer(-4.26, quad_segs=32)
        _water(view, water)
        shores = [line for deep in (0.14, 0.32) for line in lines_of(water.buffer(-deep).boundary)]
        pen = Pen(stroke=BANK, width=0.018 * view.scale, opacity=0.6)
        view.drawing.lines([view.points(line) for line in shores], pen)
    ponds = view.holding("pond")
    if ponds:
        _water(view, round_off(ponds, 0.12, 0.2))


def _water(view: BoardView, water: Any) -> None:
    _fill(view, water, Pen(stroke="#fbfaf0", width=0.14 * view.scale))
    _fill(view, water, Pen(fill=WATER, stroke=BANK, width=0.045 * view.scale))


def _ditches_and_streams(view: BoardView) -> None:
    streams, _ = chains(view, "stream")
    bands = view.board.terrain("cliff_band")
    if bands:
        land = shape(bands)
        for line in streams:
            bank = shapely.LineString(line).intersection(land).parallel_offset(0.15, "left")
            steep = [view.points(part) for part in lines_of(bank)]
            view.drawing.lines(steep, Pen(stroke=EARTH, width=0.1 * view.scale, dash=(0.6, 0.7)))
    points = [view.points(line) for line in streams]
    view.drawing.lines(points, Pen(stroke=BANK, width=0.15 * view.scale, cap="round"))
    view.drawing.lines(points, Pen(stroke=WATER, width=0.08 * view.scale, cap="round"))
    ditches, drained = chains(view, "irrigation_ditch")
    pen = Pen(stroke=BANK, width=0.05 * view.scale, cap="round")
    view.drawing.lines([view.points(line) for line in ditches], pen)
    drains: list[list[Point]] = []
    for name in drained:
        x, y = view.board.grid.centre(name)
        drains.append(view.points([(x - 0.36, y - 0.04), (x + 0.36, y - 0.04)]))
        drains.append(view.points([(x - 0.2, y + 0.09), (x + 0.2, y + 0.09)]))
    view.drawing.lines(drains, pen)
