"""The sheet a map is drawn on: paper, colours, where a place in metres falls, and room for words.

Labels of areas and names of the waters are set where nothing else stands.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from asl_pbcg.hexes.drawing import Drawing, text_width
from asl_pbcg.hexes.hex_view import View
from asl_pbcg.hexes.items import Pen, Point
from asl_pbcg.hexes.labels import Box, Taken, picture_box
from asl_pbcg.st.board.map import GameMap

Place = tuple[float, float]
"""Metres east and north."""
SIGN: Final = 8.3  # points, the radius of an area's sign for which line widths are given
AROUND: Final = 62.0  # metres of ground between the outermost areas and the edge of the map

INK: Final = "#1c1a17"
PAPER: Final = "#fbf8ee"
BLUE: Final = "#1d4e9e"
RED: Final = "#b3231b"
BRITISH: Final = "#d9c39a"
GERMAN: Final = "#5d665f"


@dataclass(frozen=True)
class MapFrame(View):
    """The part of the sheet that shows ground; places are metres east and north.

    The window counts metres southward, as a sheet does; ``scale`` is points to the metre.
    """

    def at(self, x: float, y: float) -> Point:
        """Say where a place in metres falls on the sheet."""
        return super().at(x, -y)

    def path(self, places: Iterable[tuple[float, ...]]) -> list[Point]:
        """Say where a line of places falls on the sheet."""
        return self.points((place[0], -place[1]) for place in places)

    @property
    def west(self) -> float:
        """Metres at the left edge."""
        return self.window[0]

    @property
    def north(self) -> float:
        """Metres at the upper edge."""
        return -self.window[1]

    @property
    def east(self) -> float:
        """Metres at the right edge."""
        return self.window[2]

    @property
    def south(self) -> float:
        """Metres at the lower edge."""
        return -self.window[3]


def frame_for(
    area_map: GameMap,
    drawing: Drawing,
    left: float,
    top: float,
    width: float,
    height: float,
    column: float = 0.0,
) -> MapFrame:
    """Fit all areas into a part of the sheet, as large as they go, the ground filling it.

    A ``column`` of that many points stays without areas at the right.
    """
    xs = [area.x for area in area_map.areas.values()]
    ys = [area.y for area in area_map.areas.values()]
    if area_map.compass:
        xs.append(area_map.compass[0])
        ys.append(area_map.compass[1] + 22)  # the letter N stands above the rose
    wide, high = max(xs) - min(xs) + 2 * AROUND, max(ys) - min(ys) + 2 * AROUND
    scale = min((width - column) / wide, height / high)
    middle_x, middle_y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    west, north = middle_x - (width - column) / scale / 2, middle_y + height / scale / 2
    window = (west, -north, west + width / scale, -north + height / scale)
    return MapFrame(drawing, window, scale, left, top)


def sign_radius(frame: MapFrame) -> float:
    """Say how large an area's sign is drawn, in points."""
    return min(max(24.5 * frame.scale, 6.5), 14.0)


def sign_scale(frame: MapFrame) -> float:
    """Say how much larger than their given size signs and letters are drawn."""
    return sign_radius(frame) / SIGN


def smooth(places: list[tuple[float, float]], step: float = 8.0) -> list[tuple[float, float]]:
    """Draw a flowing line through ``places`` (Catmull-Rom), a point every ``step`` metres or so."""
    if len(places) < 3:
        return list(places)
    first = (2 * places[0][0] - places[1][0], 2 * places[0][1] - places[1][1])
    last = (2 * places[-1][0] - places[-2][0], 2 * places[-1][1] - places[-2][1])
    points = [first, *places, last]
    line = [places[0]]
    for p0, p1, p2, p3 in zip(points, points[1:], points[2:], points[3:], strict=False):
        parts = max(1, round(math.dist(p1, p2) / step))
        for i in range(1, parts + 1):
            t = i / parts
            line.append(
                (
                    _spline(p0[0], p1[0], p2[0], p3[0], t),
                    _spline(p0[1], p1[1], p2[1], p3[1], t),
                )
            )
    return line


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (
        2 * b
        + (c - a) * t
        + (2 * a - 5 * b + 4 * c - d) * t * t
        + (3 * b - a - 3 * c + d) * t * t * t
    )


_REACH: Final = {"oval": 1.5, "triangle": 1.45}


class SheetRoom(Taken):
    """The places on the sheet that are taken, in points."""

    def take(self, left: float, top: float, right: float, bottom: float) -> None:
        """Note that something stands in a box."""
        self.add(Box(left, top, right, bottom))

    def along(self, a: Point, b: Point, half: float = 1.2) -> None:
        """Note that a line runs from ``a`` to ``b``."""
        parts = max(1, int(math.dist(a, b) / 5))
        for i in range(parts + 1):
            x, y = a[0] + (b[0] - a[0]) * i / parts, a[1] + (b[1] - a[1]) * i / parts
            self.take(x - half, y - half, x + half, y + half)


def place_words(
    frame: MapFrame,
    room: SheetRoom,
    x: float,
    y: float,
    away: float,
    words: str,
    letters: float,
    colour: str = INK,
    *,
    bold: bool = False,
    italic: bool = False,
) -> None:
    """Write words beside a sign where least stands in their way, on a light ground."""
    wide = text_width(words, letters, bold=bold) + 2.0
    high = letters * 0.92
    box = room.best(_spots_beside(frame, x, y, away, wide, high))
    room.add(box)
    left, top = box.left, box.top
    drawing = frame.drawing
    drawing.plate(left - 0.4, top - 0.3, wide + 0.8, high + 0.9, Pen(fill=PAPER, opacity=0.86))
    drawing.text(
        left + wide / 2, top + high * 0.5 + letters * 0.36, words, letters, colour,
        anchor="middle", bold=bold, italic=italic,
    )  # fmt: skip


def _spots_beside(
    frame: MapFrame, x: float, y: float, away: float, wide: float, high: float
) -> Iterator[tuple[Box, float]]:
    """Yield boxes around a sign, each with its cost: how far off it is, off the map or not."""
    whole = picture_box(frame).with_margin(-2)
    for rank, turn in enumerate((0, 180, 45, 135, 315, 225, 90, 270, 20, 160, 340, 200)):
        run, rise = math.cos(math.radians(turn)), -math.sin(math.radians(turn))
        for step in (1.2, 3.4, 6.0, 9.5, 14.0, 19.0):
            middle_x = x + run * (away + step + wide / 2 * abs(run))
            middle_y = y + rise * (away + step + high / 2 * abs(rise))
            left, top = middle_x - wide / 2, middle_y - high / 2
            box = Box(left, top, left + wide, top + high)
            yield box, rank * 0.12 + step * 0.55 + (0 if box.inside(whole) else 1e6)


def draw_labels(area_map: GameMap, frame: MapFrame, room: SheetRoom) -> None:
    """Write what the areas are called that the rules name: set-up labels, bridges, entries."""
    size = sign_scale(frame)
    radius = sign_radius(frame)
    ordered = sorted(area_map.areas.values(), key=lambda area: (not area.label, area.id))
    for area in ordered:
        x, y = frame.at(area.x, area.y)
        away = radius * (1.35 if "setup" in area.features else _REACH.get(area.shape, 1.1))
        if area.features & {"pegasus_bridge", "ranville_bridge"}:
            place_words(frame, room, x, y, away, area.name.upper(), 6.4 * size, bold=True)
        elif area.entry:
            place_words(frame, room, x, y, away, area.entry.upper(), 7.6 * size, bold=True)
        elif area.label:
            place_words(frame, room, x, y, away, area.label, 5.6 * size, RED, bold=True)


def draw_zone_names(area_map: GameMap, frame: MapFrame, room: SheetRoom) -> None:
    """Write the name of each landing zone beside the middle one of its areas."""
    size = sign_scale(frame)
    for zone in area_map.zones:
        middle = area_map.areas[zone.areas[len(zone.areas) // 2]]
        x, y = frame.at(middle.x, middle.y)
        place_words(
            frame, room, x, y, sign_radius(frame) * 1.1, zone.name, 7.4 * size, "#6b2f7e", bold=True
        )


def draw_water_names(area_map: GameMap, frame: MapFrame, room: SheetRoom) -> None:
    """Write the names of the waters along them, where no line crosses."""
    names = {"canal": "CAEN CANAL", "orne": "RIVER ORNE"}
    letters = 7.6 * sign_scale(frame)
    for key, water in area_map.water.items():
        words = names.get(key, key.upper())
        wide = text_width(words, letters, bold=True, spacing=2.0)
        done: list[Point] = []
        spots = _along_water(frame, list(water.course), wide)
        spots.sort(key=lambda spot: room.cost(_around(spot, wide, letters)))
        for spot in spots:
            x, y, angle = spot
            if any(math.dist((x, y), other) < frame.height * 0.42 for other in done):
                continue
            if room.cost(_around(spot, wide, letters)) > 12 and done:
                break
            done.append((x, y))
            turn = math.radians(angle)
            drop = letters * 0.34
            frame.drawing.text(
                x - math.sin(turn) * drop,
                y + math.cos(turn) * drop,
                words,
                letters,
                "#28567a",
                anchor="middle",
                bold=True,
                italic=True,
                angle=angle,
                spacing=2.0,
            )
            room.add(_around(spot, wide, letters))
            if len(done) == 2:
                break


def _around(spot: tuple[float, float, float], wide: float, high: float) -> Box:
    x, y, angle = spot
    run, rise = abs(math.cos(math.radians(angle))), abs(math.sin(math.radians(angle)))
    half_x, half_y = (wide * run + high * rise) / 2, (wide * rise + high * run) / 2
    return Box(x - half_x, y - half_y, x + half_x, y + half_y)


def _along_water(
    frame: MapFrame, course: list[tuple[float, float]], wide: float
) -> list[tuple[float, float, float]]:
    line = [
        point
        for point in frame.path(smooth(course, 8))
        if frame.top + wide * 0.6 < point[1] < frame.top + frame.height - wide * 0.6
    ]
    spots = []
    steps = max(1, int(wide / 2 / (8 * frame.scale)))
    for i in range(steps, len(line) - steps, 3):
        (x1, y1), (x2, y2) = line[i - steps], line[i + steps]
        angle = math.degrees(math.atan2(y2 - y1, x2 - x1))
        angle = angle - 180 if angle > 90 else angle + 180 if angle < -90 else angle
        spots.append(((x1 + x2) / 2, (y1 + y2) / 2, angle))
    return spots
