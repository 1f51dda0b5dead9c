"""The sheet a map is drawn on: its paper, its colours and where a place in metres falls on it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.hex_view import View
from asl_pbcg.hexes.items import Point
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
