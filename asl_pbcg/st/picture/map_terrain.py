"""The ground of the map: fields, woods, houses, water and roads, drawn around the areas.

All of it is picture: an area's ``look`` chooses its ground, a double line draws the hedge or
ditch it crosses. Patterns differ in form, not only in colour, so that a grey print still reads.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import Item, Pen
from asl_pbcg.kernel.slow_libraries import shapely
from asl_pbcg.st.board.map import GameMap, MapArea
from asl_pbcg.st.picture.map_frame import MapFrame, Place, smooth
from asl_pbcg.st.picture.map_ground import stored_ground
from asl_pbcg.st.picture.map_patterns import ground_pattern

_TINTS: Final = {
    "field": "#e6ebc9",
    "wheat": "#f0e5b4",
    "stubble": "#efe6c6",
    "meadow": "#d9e6bd",
    "marsh": "#d5e4d3",
    "garden": "#dfe3bb",
    "houses": "#ecd9c4",
    "church": "#ecd9c4",
    "chateau": "#dfe0bd",
    "farm": "#eadcc0",
    "orchard": "#d3e0ae",
    "park": "#cfdcaa",
    "copse": "#c2d3a0",
    "scrub": "#d2dcb0",
    "hedge": "#dde6bf",
    "pond": "#d6e3c4",
    "quarry": "#e4ddcb",
}
_PLAIN: Final = ("field", "meadow", "field", "wheat", "field", "stubble")
_SHORT: Final = 24  # metres: no hedge is drawn along less
_WATER: Final = "#a8cbe0"
_BANK: Final = "#3f7396"
_ROAD: Final = "#fffaf0"
_CASING: Final = "#7b5f3e"
_HEDGE: Final = "#55703a"

_CELL_GAP: Final = 0.9  # metres between two fields
_LIE: Final = -0.27  # radians the strips of land are turned by


def draw_ground(area_map: GameMap, frame: MapFrame) -> None:
    """Draw everything that lies under the areas and their lines.

    It is the same in every turn and takes long to reckon, so it is kept for the next picture.
    """
    frame.drawing.add(_ground(area_map, replace(frame, drawing=_NOWHERE)))


_NOWHERE: Final = Drawing(0, 0)


@lru_cache(maxsize=8)
def _ground(area_map: GameMap, where: MapFrame) -> tuple[Item, ...]:
    return stored_ground(area_map, where) or reckoned_ground(area_map, where)


def reckoned_ground(area_map: GameMap, where: MapFrame) -> tuple[Item, ...]:
    """Return the ground as shapely makes it from the map."""
    frame = replace(where, drawing=Drawing(0, 0))
    _draw_everything(area_map, frame)
    return tuple(frame.drawing.items)


def _draw_everything(area_map: GameMap, frame: MapFrame) -> None:
    sheet = shapely.box(frame.west, frame.south, frame.east, frame.north)
    drawing = frame.drawing
    drawing.box(frame.left, frame.top, frame.width, frame.height, Pen(fill="#c3cfa6"))
    waters = {name: _water_shape(area_map, name, sheet) for name in area_map.water}
    wet = shapely.union_all([water.buffer(5) for water in waters.values()]) if waters else None
    cells, looks = _cells(area_map, sheet, wet)
    roads = shapely.MultiLineString(_road_lines(area_map, frame))
    for key, cell in cells.items():
        look = looks[key]
        for part in _parts(cell.buffer(-_CELL_GAP).buffer(-3).buffer(3)):
            outline = frame.path(part.exterior.coords)
            drawing.polygon(outline, Pen(fill=_TINTS[look], stroke="#93a36e", width=0.3))
            ground_pattern(frame, look, part, _centre(area_map, key), roads, key)
    _hedges(area_map, frame, cells)
    _zones(area_map, frame, cells)
    for name, water in waters.items():
        _draw_water(frame, name, water, area_map)
    _trenches(area_map, frame)
    _roads(area_map, frame)


def _centre(area_map: GameMap, key: str) -> tuple[float, float] | None:
    area = area_map.areas.get(key)
    return (area.x, area.y) if area else None


def _parts(shape: Any) -> list[Any]:
    parts = getattr(shape, "geoms", [shape])
    return [part for part in parts if part.geom_type == "Polygon" and part.area > 60]


# Fields


def _warp(x: float, y: float) -> tuple[float, float]:
    """Bend straight boundaries a little, the same way on both sides."""
    return (
        x + 6 * math.sin(y / 61 + 1.3) + 3 * math.sin(x / 37 + y / 53),
        y + 6 * math.sin(x / 57 + 0.4) + 3 * math.sin(y / 41 - x / 47),
    )


def _cells(area_map: GameMap, sheet: Any, wet: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """Part the ground into one field per area, and more where there is none."""
    places = {area.id: (area.x, area.y) for area in area_map.areas.values()}
    looks = {area.id: area.look or _plain(area) for area in area_map.areas.values()}
    places |= _empty_fields(sheet.buffer(140).bounds, list(places.values()))
    chance = random.Random(122)
    looks |= {key: chance.choice(_PLAIN) for key in places if key not in looks}
    points = shapely.MultiPoint(list(places.values()))
    diagram = shapely.voronoi_polygons(points, extend_to=sheet.buffer(200))
    tree = shapely.STRtree(list(diagram.geoms))
    cells = {}
    for key, place in places.items():
        index = tree.query(shapely.Point(place), predicate="within")
        cell = shapely.segmentize(diagram.geoms[int(index[0])], 9)
        bent = shapely.Polygon([_warp(x, y) for x, y in cell.exterior.coords])
        bent = bent.buffer(0).intersection(sheet)
        if wet is not None:
            bent = bent.difference(wet)
        if not bent.is_empty:
            cells[key] = bent
    return cells, {key: looks[key] for key in cells}


def _empty_fields(
    bounds: tuple[float, float, float, float], taken: list[Place]
) -> dict[str, Place]:
    """Give middles of fields where there is no area: strips along the lie of the land."""
    west, south, east, north = bounds
    middle_x, middle_y = (west + east) / 2, (south + north) / 2
    reach = math.hypot(east - west, north - south) / 2
    run, rise = math.cos(_LIE), math.sin(_LIE)
    chance = random.Random(44)
    places = {}
    down = -reach
    row = 0
    while down < reach:
        deep = chance.uniform(74, 124)
        along = -reach + chance.uniform(0, 90)
        while along < reach:
            wide = chance.uniform(84, 190)
            u, v = along + wide / 2, down + deep / 2 + chance.uniform(-6, 6)
            x, y = middle_x + u * run - v * rise, middle_y + u * rise + v * run
            inside = west < x < east and south < y < north
            if inside and min(math.dist((x, y), other) for other in taken) > 88:
                places[f"*{row}.{along:.0f}"] = (x, y)
            along += wide
        down += deep
        row += 1
    return places


def _plain(area: MapArea) -> str:
    if area.kind == "flight":
        return ("meadow", "field")[sum(map(ord, area.id)) % 2]
    if area.terrain == "obstructed":
        return "scrub" if not area.road else "houses"
    return _PLAIN[sum(map(ord, area.id)) % len(_PLAIN)]


def _hedges(area_map: GameMap, frame: MapFrame, cells: dict[str, Any]) -> None:
    """Draw the hedge or ditch that a double line crosses, on the boundary of its two fields."""
    for number, line in enumerate(area_map.lines):
        if line.kind != "double" or line.a not in cells or line.b not in cells:
            continue
        edge = cells[line.a].buffer(1.0).intersection(cells[line.b].boundary)
        edge = shapely.line_merge(edge) if edge.geom_type == "MultiLineString" else edge
        for part in getattr(edge, "geoms", [edge]):
            if part.length < _SHORT:
                continue  # a point where they touch, or too little for a hedge
            path = frame.path(part.coords)
            if number % 3 == 0:
                frame.drawing.line(path, Pen(stroke=_BANK, width=1.5))
                frame.drawing.line(path, Pen(stroke="#cfe2ea", width=0.7))
                continue
            beads = []
            for i in range(int(part.length / 7) + 1):
                spot = part.interpolate(i * 7.0)
                size = 3.4 + 1.0 * math.sin(i * 2.3 + number)
                beads.append((*frame.at(spot.x, spot.y), size * frame.scale))
            frame.drawing.circles(beads, Pen(fill=_HEDGE, stroke="#34471f", width=0.25))


def _zones(area_map: GameMap, frame: MapFrame, cells: dict[str, Any]) -> None:
    """Draw a broken line around each landing zone and its name on the ground."""
    for zone in area_map.zones:
        fields = [cells[name].buffer(3) for name in zone.areas if name in cells]
        if not fields:
            continue
        for part in _parts(shapely.union_all(fields).buffer(-9)):
            path = frame.path(part.exterior.coords)
            path.append(path[0])
            frame.drawing.line(path, Pen(stroke="#fffdf0", width=2.6, opacity=0.8))
            frame.drawing.line(path, Pen(stroke="#7a3f8c", width=1.1, dash=(4.5, 2.0, 1.0, 2.0)))


def _trenches(area_map: GameMap, frame: MapFrame) -> None:
    """Draw a length of trench before each bunker and the pillbox, away from Pegasus Bridge."""
    bridges = [area_map.areas[name] for name in area_map.with_feature("pegasus_bridge")]
    for area in area_map.areas.values():
        if not area.features & {"bunker", "pillbox"} or not bridges:
            continue
        facing = math.atan2(area.y - bridges[0].y, area.x - bridges[0].x)
        line = []
        for i in range(-9, 10):
            away = 37.0 if i % 2 == 0 else 42.0
            for step in (i - 0.5, i + 0.5):
                turn = facing + step * 0.125
                line.append((area.x + away * math.cos(turn), area.y + away * math.sin(turn)))
        frame.drawing.line(frame.path(line), Pen(stroke="#f6efdc", width=2.2))
        frame.drawing.line(frame.path(line), Pen(stroke="#5b4630", width=1.0))


# Water


def _water_shape(area_map: GameMap, name: str, sheet: Any) -> Any:
    """Give the surface of a water: the canal dug straight, the river of changing width."""
    water = area_map.water[name]
    course = smooth(list(water.course), 10)
    # Both ends go on beyond the edge of the sheet.
    west, south, east, north = sheet.bounds
    far = max(east - west, north - south)
    course = [_beyond(course[1], course[0], far), *course, _beyond(course[-2], course[-1], far)]
    middle = shapely.LineString(course)
    if name == "canal":
        return middle.buffer(water.width / 2, cap_style="flat").intersection(sheet)
    middle = middle.intersection(sheet.buffer(60))
    line = max(getattr(middle, "geoms", [middle]), key=lambda part: part.length)
    left, right = [], []
    count = int(line.length / 9)
    for i in range(count + 1):
        here, there = line.interpolate(i * 9.0), line.interpolate(i * 9.0 + 1)
        if i == count:
            here, there = line.interpolate(line.length - 1), line.interpolate(line.length)
        run, rise = there.x - here.x, there.y - here.y
        size = math.hypot(run, rise) or 1
        half = water.width / 2
        wide = half + 3.2 * math.sin(i / 5.1) + 2.0 * math.sin(i / 2.3 + 1)
        near = half + 3.0 * math.sin(i / 4.3 + 2) + 2.0 * math.sin(i / 1.9)
        left.append((here.x - rise / size * wide, here.y + run / size * wide))
        right.append((here.x + rise / size * near, here.y - run / size * near))
    return shapely.Polygon(left + right[::-1]).buffer(0).intersection(sheet)


def _beyond(one: Place, two: Place, metres: float) -> Place:
    """Give the place ``metres`` past ``two`` on the way from ``one``."""
    length = math.dist(one, two) or 1
    return (
        two[0] + (two[0] - one[0]) / length * metres,
        two[1] + (two[1] - one[1]) / length * metres,
    )


def _draw_water(frame: MapFrame, name: str, water: Any, area_map: GameMap) -> None:
    drawing = frame.drawing
    for part in _parts(water):
        outline = frame.path(part.exterior.coords)
        drawing.polygon(outline, Pen(fill=_WATER, stroke=_BANK, width=1.1))
        with drawing.clip(outline):
            inner = (0.27, 0.44) if name == "canal" else (0.2, 0.34, 0.45)
            width = area_map.water[name].width
            for share in inner:
                for ring in _rings(part.buffer(-width * share)):
                    drawing.line(frame.path(ring), Pen(stroke="#6f9fbd", width=0.35, opacity=0.8))
    if name == "canal":
        # Towpaths on both banks.
        with drawing.clip(frame.frame):
            for ring in _rings(water.buffer(9)):
                drawing.line(frame.path(ring), Pen(stroke="#8a7a55", width=0.5, dash=(2.4, 1.4)))


def _rings(shape: Any) -> list[Any]:
    return [part.exterior.coords for part in _parts(shape)]


# Roads


def _roads(area_map: GameMap, frame: MapFrame) -> None:
    """Draw the roads along the road lines, and on from the entry areas to the edge of the map."""
    drawing = frame.drawing
    paths = [frame.path(line) for line in _road_lines(area_map, frame)]
    width = 15 * frame.scale
    with drawing.clip(frame.frame):
        drawing.lines(paths, Pen(stroke=_CASING, width=width + 1.3, join="round", cap="round"))
        drawing.lines(paths, Pen(stroke=_ROAD, width=width, join="round", cap="round"))
    _bridge_spans(area_map, frame)


def _bridge_spans(area_map: GameMap, frame: MapFrame) -> None:
    """Draw the parapets of the bridges along their road."""
    for feature, name in (("pegasus_bridge", "canal"), ("ranville_bridge", "orne")):
        for bridge in area_map.with_feature(feature):  # type: ignore[arg-type]
            here = area_map.areas[bridge]
            ends = [area_map.areas[end] for end in area_map.steps(bridge)]
            if len(ends) < 2 or name not in area_map.water:
                continue
            west, east = min(ends, key=lambda a: a.x), max(ends, key=lambda a: a.x)
            length = math.dist((west.x, west.y), (east.x, east.y)) or 1
            run, rise = (east.x - west.x) / length, (east.y - west.y) / length
            half = area_map.water[name].width * 0.5 + 17
            for side in (-1, 1):
                x, y = here.x - rise * 11 * side, here.y + run * 11 * side
                wing = [
                    (
                        x - run * (half + 6) - rise * 6 * side,
                        y - rise * (half + 6) + run * 6 * side,
                    ),
                    (x - run * half, y - rise * half),
                    (x + run * half, y + rise * half),
                    (
                        x + run * (half + 6) - rise * 6 * side,
                        y + rise * (half + 6) + run * 6 * side,
                    ),
                ]
                frame.drawing.line(frame.path(wing), Pen(stroke="#2b2723", width=1.5))


def _road_lines(area_map: GameMap, frame: MapFrame) -> list[list[Place]]:
    return [_run_out(frame, area_map, smooth(chain)) for chain in road_chains(area_map)]


def road_chains(area_map: GameMap) -> list[list[Place]]:
    """Give the roads as long runs through their areas, the straighter way on at a crossroads."""
    ways: dict[str, list[str]] = defaultdict(list)
    for line in area_map.lines:
        if line.road:
            ways[line.a].append(line.b)
            ways[line.b].append(line.a)
    through: dict[tuple[str, str], str] = {}
    for name, ends in ways.items():
        left = list(ends)
        while len(left) > 1:
            pairs = [(a, b) for i, a in enumerate(left) for b in left[i + 1 :]]
            one, two = min(pairs, key=lambda pair: _bend(area_map, pair[0], name, pair[1]))
            through[one, name], through[two, name] = two, one
            left.remove(one)
            left.remove(two)
    chains, done = [], set()
    starts = [(a, b) for a, ends in ways.items() for b in ends]
    # Begin at the ends of runs; a ring, if there is one, is begun anywhere.
    starts.sort(key=lambda start: (start[1], start[0]) in through)
    for start, onward in starts:
        if frozenset((start, onward)) in done:
            continue
        chain, here, there = [start], start, onward
        while frozenset((here, there)) not in done:
            done.add(frozenset((here, there)))
            chain.append(there)
            following = through.get((here, there))
            if following is None:
                break
            here, there = there, following
        chains.append([(area_map.areas[name].x, area_map.areas[name].y) for name in chain])
    return chains


def _bend(area_map: GameMap, before: str, here: str, after: str) -> float:
    a, b, c = (area_map.areas[name] for name in (before, here, after))
    one = math.atan2(b.y - a.y, b.x - a.x)
    two = math.atan2(c.y - b.y, c.x - b.x)
    return abs((two - one + math.pi) % (2 * math.pi) - math.pi)


def _run_out(frame: MapFrame, area_map: GameMap, chain: list[Place]) -> list[Place]:
    entries = {(a.x, a.y) for a in area_map.areas.values() if a.shape == "oval"}
    far = frame.width / frame.scale
    if chain[0] in entries:
        chain = [_beyond(chain[min(3, len(chain) - 1)], chain[0], far), *chain]
    if chain[-1] in entries:
        chain = [*chain, _beyond(chain[max(-4, -len(chain))], chain[-1], far)]
    return chain
