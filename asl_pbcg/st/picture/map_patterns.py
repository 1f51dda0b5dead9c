"""Patterns of the ground: trees, tufts, ploughed rows, houses. Each look has its own form."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from typing import Any, Final

from asl_pbcg.hexes.items import Pen
from asl_pbcg.kernel.slow_libraries import shapely
from asl_pbcg.st.picture.map_frame import MapFrame, Place

_TREE: Final = Pen(fill="#7f9c58", stroke="#41562a", width=0.3)
_DARK_TREE: Final = Pen(fill="#5f7f45", stroke="#33471f", width=0.3)
_ROOF: Final = Pen(fill="#6a4334", stroke="#2f1d15", width=0.35)
_SHADE: Final = Pen(fill="#2f1d15", opacity=0.25)
_FINE: Final = Pen(stroke="#7d8c55", width=0.4)

CLEAR: Final = 31.0  # metres around an area's centre kept free of houses and trees


def ground_pattern(
    frame: MapFrame, look: str, cell: Any, centre: Place | None, roads: Any, seed: str
) -> None:
    """Draw what grows or stands in a field, never under the sign of its area or on a road."""
    draw = _PATTERNS.get(look)
    if draw is not None:
        with frame.drawing.clip(frame.path(cell.exterior.coords)):
            chance = random.Random(f"{look} {seed}")
            if look in _BUILT:
                draw(frame, cell, centre, chance, roads)
            else:
                draw(frame, cell, centre, chance)


def _scatter(
    cell: Any, step: float, chance: random.Random, jitter: float = 0.35
) -> Iterator[Place]:
    """Give places all over a field, ``step`` metres apart, a little out of line."""
    west, south, east, north = cell.bounds
    shapely.prepare(cell)
    rows = int((north - south) / (step * 0.87)) + 2
    for row in range(rows):
        for column in range(int((east - west) / step) + 2):
            x = west + (column + 0.5 * (row % 2) + chance.uniform(-jitter, jitter)) * step
            y = south + (row + chance.uniform(-jitter, jitter)) * step * 0.87
            if shapely.contains_xy(cell, x, y):
                yield x, y


def _free(place: Place, centre: Place | None, room: float = CLEAR) -> bool:
    return centre is None or math.dist(place, centre) > room


def _strokes(frame: MapFrame, strokes: list[list[Place]], pen: Pen) -> None:
    frame.drawing.lines([frame.path(stroke) for stroke in strokes], pen)


def _rows(angle: float, step: float, pen: Pen) -> Callable[..., None]:
    def draw(frame: MapFrame, cell: Any, centre: Place | None, chance: random.Random) -> None:
        turn = angle + chance.choice((-25, 0, 20, 62))
        run, rise = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        middle = cell.centroid
        strokes = []
        for i in range(-22, 23):
            x, y = middle.x - rise * i * step, middle.y + run * i * step
            strokes.append([(x - run * 180, y - rise * 180), (x + run * 180, y + rise * 180)])
        _strokes(frame, strokes, pen)

    return draw


def _tufts(step: float, colour: str) -> Callable[..., None]:
    def draw(frame: MapFrame, cell: Any, centre: Place | None, chance: random.Random) -> None:
        strokes = []
        for x, y in _scatter(cell, step, chance):
            if _free((x, y), centre, 26):
                strokes += [
                    [(x, y), (x - 3, y + 5)],
                    [(x, y), (x, y + 6.5)],
                    [(x, y), (x + 3, y + 5)],
                ]
        _strokes(frame, strokes, Pen(stroke=colour, width=0.4))

    return draw


def _marsh(frame: MapFrame, cell: Any, centre: Place | None, chance: random.Random) -> None:
    strokes, water = [], []
    for x, y in _scatter(cell, 27, chance):
        if _free((x, y), centre, 28):
            water.append([(x - 8, y), (x + 8, y)])
            water.append([(x - 4, y - 3), (x + 5, y - 3)])
            strokes += [[(x, y), (x - 4, y + 6)], [(x, y), (x, y + 8)], [(x, y), (x + 4, y + 6)]]
    _strokes(frame, water, Pen(stroke="#4e86a5", width=0.5))
    _strokes(frame, strokes, Pen(stroke="#5d7a45", width=0.4))


def _trees(step: float, size: float, pen: Pen, jitter: float) -> Callable[..., None]:
    def draw(frame: MapFrame, cell: Any, centre: Place | None, chance: random.Random) -> None:
        crowns, shades = [], []
        for place in _scatter(cell.buffer(-size * 0.7), step, chance, jitter):
            if not _free(place, centre):
                continue
            x, y = frame.at(*place)
            radius = size * frame.scale * chance.uniform(0.8, 1.15)
            shades.append((x + radius * 0.3, y + radius * 0.3, radius))
            crowns.append((x, y, radius))
        frame.drawing.circles(shades, _SHADE)
        frame.drawing.circles(crowns, pen)
        lights = [(x - r * 0.25, y - r * 0.25, r * 0.35) for x, y, r in crowns]
        frame.drawing.circles(lights, Pen(fill="#ffffff", opacity=0.28))

    return draw


def _scrub(frame: MapFrame, cell: Any, centre: Place | None, chance: random.Random) -> None:
    _tufts(24, "#6c7d43")(frame, cell, centre, chance)
    _trees(30, 5.5, _TREE, 0.45)(frame, cell, centre, chance)


def _hedge(frame: MapFrame, cell: Any, centre: Place | None, chance: random.Random) -> None:
    _rows(10, 9, Pen(stroke="#b3bf8d", width=0.35))(frame, cell, centre, chance)
    ring = cell.buffer(-7).exterior
    beads = []
    for i in range(int(ring.length / 9)):
        spot = ring.interpolate(i * 9.0)
        beads.append((*frame.at(spot.x, spot.y), 4.6 * frame.scale))
    frame.drawing.circles(beads, _DARK_TREE)


def _pond(frame: MapFrame, cell: Any, centre: Place | None, chance: random.Random) -> None:
    middle = cell.representative_point()
    x, y = centre or (middle.x, middle.y)
    shore = []
    for i in range(40):
        turn = i / 40 * 2 * math.pi
        wide = 1 + 0.09 * math.sin(3 * turn + 1) + 0.06 * math.sin(5 * turn)
        shore.append((x + 47 * wide * math.cos(turn), y + 36 * wide * math.sin(turn)))
    frame.drawing.polygon(frame.path(shore), Pen(fill="#a8cbe0", stroke="#3f7396", width=0.8))
    inner = [(x + (px - x) * 0.86, y + (py - y) * 0.86) for px, py in shore]
    frame.drawing.polygon(frame.path(inner), Pen(stroke="#6f9fbd", width=0.35))
    strokes = []
    for i in range(0, 40, 3):
        px, py = shore[i]
        strokes += [[(px, py), (px - 2, py + 8)], [(px + 3, py), (px + 4, py + 9)]]
    _strokes(frame, strokes, Pen(stroke="#4d6a38", width=0.5))


def _quarry(frame: MapFrame, cell: Any, centre: Place | None, chance: random.Random) -> None:
    for inset, length in ((6, 11), (22, 8)):
        ring = cell.buffer(-inset).exterior
        if ring.length < 40:
            continue
        _strokes(frame, [list(ring.coords)], Pen(stroke="#6b5a44", width=0.6))
        ticks = []
        for i in range(int(ring.length / 6)):
            here, there = ring.interpolate(i * 6.0), ring.interpolate(i * 6.0 + 1)
            run, rise = there.x - here.x, there.y - here.y
            sign = 1 if ring.is_ccw else -1
            ticks.append(
                [
                    (here.x, here.y),
                    (here.x - rise * length * sign, here.y + run * length * sign),
                ]
            )
        _strokes(frame, ticks, Pen(stroke="#6b5a44", width=0.45))


def _block(x: float, y: float, wide: float, high: float, turn: float) -> list[Place]:
    run, rise = math.cos(turn), math.sin(turn)
    return [
        (x + px * run - py * rise, y + px * rise + py * run)
        for px, py in (
            (-wide / 2, -high / 2),
            (wide / 2, -high / 2),
            (wide / 2, high / 2),
            (-wide / 2, high / 2),
        )
    ]


def _roofs(frame: MapFrame, blocks: list[list[Place]]) -> None:
    shift = 2.2
    frame.drawing.polygons(
        [frame.path([(x + shift, y - shift) for x, y in block]) for block in blocks], _SHADE
    )
    for block in blocks:
        frame.drawing.polygon(frame.path(block), _ROOF)
    ridges = []
    for block in blocks:
        if len(block) == 4:
            (ax, ay), (bx, by), (cx, cy), (dx, dy) = block
            ridges.append([((ax + dx) / 2, (ay + dy) / 2), ((bx + cx) / 2, (by + cy) / 2)])
    _strokes(frame, ridges, Pen(stroke="#c49a80", width=0.3))


def _houses(
    frame: MapFrame, cell: Any, centre: Place | None, chance: random.Random, roads: Any
) -> None:
    _rows(0, 7, Pen(stroke="#c9b394", width=0.3))(frame, cell, None, chance)
    blocks: list[Any] = []
    for place in _scatter(cell.buffer(-7), 19, chance, 0.25):
        spot = shapely.Point(place)
        away = spot.distance(roads) if not roads.is_empty else 60.0
        if not _free(place, centre, 35) or away < 17:
            continue
        turn = _along(roads, spot) + chance.choice((0, 0, 0, math.pi / 2))
        if away > 50 and chance.random() < 0.45:
            continue
        block = _block(*place, chance.uniform(12, 18), chance.uniform(8, 10), turn)
        shape = shapely.Polygon(block)
        if all(shape.distance(other) > 3 for other in blocks):
            blocks.append(shape)
    _roofs(frame, [list(block.exterior.coords)[:4] for block in blocks])


def _along(roads: Any, spot: Any) -> float:
    """Give the direction of the road nearest to a spot."""
    if roads.is_empty:
        return 0.0
    road = min(roads.geoms, key=spot.distance)
    metres = road.project(spot)
    here, there = road.interpolate(max(0.0, metres - 4)), road.interpolate(metres + 4)
    return math.atan2(there.y - here.y, there.x - here.x)


def _church(
    frame: MapFrame, cell: Any, centre: Place | None, chance: random.Random, roads: Any
) -> None:
    spots = [
        spot
        for spot in _scatter(cell.buffer(-16), 9, chance)
        if _free(spot, centre, 46) and (roads.is_empty or shapely.Point(spot).distance(roads) > 24)
    ]
    x, y = min(spots, default=(cell.centroid.x, cell.centroid.y))
    yard = shapely.Point(x, y).buffer(23)
    _houses(frame, cell.difference(yard), centre, chance, roads)
    cross = [
        (-19, -5), (-3, -5), (-3, -13), (7, -13), (7, -5), (16, -5),
        (16, 5), (7, 5), (7, 13), (-3, 13), (-3, 5), (-19, 5),
    ]  # fmt: skip
    frame.drawing.polygon(
        frame.path([(x + px, y + py) for px, py in cross]),
        Pen(fill="#2e2621", stroke="#fff6e6", width=0.6),
    )


def _chateau(frame: MapFrame, cell: Any, centre: Place | None, chance: random.Random) -> None:
    middle = cell.representative_point()
    x, y = centre or (middle.x, middle.y)
    _trees(27, 6.5, _TREE, 0.4)(frame, cell, centre, chance)
    wings = [(-34, 30), (34, 30), (34, 56), (22, 56), (22, 44), (-22, 44), (-22, 56), (-34, 56)]
    frame.drawing.polygon(
        frame.path([(x + px, y - py) for px, py in wings]),
        Pen(fill="#e9e2c8", stroke="#8f8a63", width=0.3),
    )
    _roofs(
        frame,
        [
            _block(x, y - 40, 62, 13, 0),
            _block(x - 29, y - 52, 11, 16, 0),
            _block(x + 29, y - 52, 11, 16, 0),
        ],
    )


def _farm(frame: MapFrame, cell: Any, centre: Place | None, chance: random.Random) -> None:
    middle = cell.representative_point()
    x, y = centre or (middle.x, middle.y)
    _rows(30, 8, Pen(stroke="#c2b184", width=0.35))(frame, cell, centre, chance)
    side = chance.choice((1, -1))
    _roofs(
        frame,
        [
            _block(x - 40, y + side * 8, 11, 34, 0),
            _block(x - 16, y + side * 38, 36, 11, 0),
            _block(x + 39, y + side * 22, 11, 26, 0),
        ],
    )


def _garden(frame: MapFrame, cell: Any, centre: Place | None, chance: random.Random) -> None:
    for angle in (0, 90):
        state = chance.getstate()
        _rows(angle, 11, Pen(stroke="#a9b274", width=0.4))(frame, cell, centre, chance)
        chance.setstate(state)
    _trees(46, 4.6, _TREE, 0.4)(frame, cell, centre, chance)
    wall = cell.buffer(-5).exterior
    _strokes(frame, [list(wall.coords)], Pen(stroke="#6b5a44", width=0.9))


_BUILT: Final = ("houses", "church")
_PATTERNS: Final[dict[str, Callable[..., None]]] = {
    "field": _rows(25, 13, Pen(stroke="#ccd6a6", width=0.35)),
    "wheat": _rows(60, 5.5, Pen(stroke="#d2bd70", width=0.35)),
    "stubble": _rows(-20, 9, Pen(stroke="#cdb981", width=0.45, dash=(0.7, 2.2))),
    "meadow": _tufts(38, "#8aa363"),
    "marsh": _marsh,
    "garden": _garden,
    "houses": _houses,
    "church": _church,
    "chateau": _chateau,
    "farm": _farm,
    "orchard": _trees(19, 5.4, _TREE, 0.04),
    "park": _trees(25, 7.0, _TREE, 0.45),
    "copse": _trees(14.5, 8.2, _DARK_TREE, 0.3),
    "scrub": _scrub,
    "hedge": _hedge,
    "pond": _pond,
    "quarry": _quarry,
}
