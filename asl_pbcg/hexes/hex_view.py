"""Which part of a map a picture shows, and where on the sheet it lies."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.hexset import Grid, HexSet
from asl_pbcg.hexes.items import Point
from asl_pbcg.hexes.lattice import COLUMN_PITCH, SIDE_LENGTH

Window = tuple[float, float, float, float]
"""Left, top, right, bottom of a part of the map, in the map's own unit."""


@dataclass(frozen=True)
class View:
    """A window on a map, drawn on a sheet.

    ``window`` is in the map's own unit, with y downward; ``scale`` is points per unit; (``left``,
    ``top``) is where on the sheet the window's corner lies.
    """

    drawing: Drawing
    window: Window
    scale: float
    left: float
    top: float

    def at(self, x: float, y: float) -> Point:
        """Say where on the sheet a place of the map lies."""
        return (
            self.left + (x - self.window[0]) * self.scale,
            self.top + (y - self.window[1]) * self.scale,
        )

    def points(self, places: Iterable[Point]) -> list[Point]:
        """Say where on the sheet places of the map lie."""
        left = self.left - self.window[0] * self.scale
        top = self.top - self.window[1] * self.scale
        return [(left + x * self.scale, top + y * self.scale) for x, y in places]

    @property
    def width(self) -> float:
        """Return the picture's width in points."""
        return (self.window[2] - self.window[0]) * self.scale

    @property
    def height(self) -> float:
        """Return the picture's height in points."""
        return (self.window[3] - self.window[1]) * self.scale

    @property
    def right(self) -> float:
        """Return the picture's right edge in points."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Return the picture's lower edge in points."""
        return self.top + self.height

    @cached_property
    def frame(self) -> list[Point]:
        """Return the four corners of the picture on the sheet."""
        left, top, right, bottom = self.window
        return self.points([(left, top), (right, top), (right, bottom), (left, bottom)])


@dataclass(frozen=True)
class HexView(View):
    """A window on a hex grid; the unit is the height of a hex, as ``Grid.centre`` gives it."""

    grid: Grid

    @cached_property
    def hexes(self) -> HexSet:
        """Return the hexes of which any part is seen."""
        left, top, right, bottom = self.window
        grid = self.grid
        columns = range(
            max(0, math.floor((left - SIDE_LENGTH) / COLUMN_PITCH)),
            min(grid.columns, math.ceil((right + SIDE_LENGTH) / COLUMN_PITCH) + 1),
        )
        numbers = range(math.floor(top) - 1, math.ceil(bottom) + 2)
        return grid.set(
            name
            for column in columns
            for number in numbers
            if (name := grid.at(column, number)) is not None
            for x, y in (grid.centre(name),)
            if left - SIDE_LENGTH < x < right + SIDE_LENGTH and top - 0.5 < y < bottom + 0.5
        )

    @cached_property
    def near(self) -> HexSet:
        """The hexes seen and their neighbours, on which the look of the seen ones depends."""
        return self.hexes.spread(1)

    def hex_at(self, name: str) -> Point:
        """Say where on the sheet the centre of a hex lies. Raises UnknownHex."""
        return self.at(*self.grid.centre(name))

    def shows_middle(self, name: str) -> bool:
        """Return whether the picture's edge leaves the centre of a hex. Raises UnknownHex."""
        x, y = self.grid.centre(name)
        left, top, right, bottom = self.window
        return left - 0.01 < x < right + 0.01 and top - 0.01 < y < bottom + 0.01

    def hex_ring(self, name: str) -> list[Point]:
        """Say where on the sheet the corners of a hex lie, clockwise. Raises UnknownHex."""
        return self.points(self.grid.corners(name))


def whole(grid: Grid) -> Window:
    """Give the window of a whole grid."""
    return (0.0, 0.0, grid.width, grid.height)


def window_around(grid: Grid, centre: str, radius: int) -> Window:
    """Give the window of the hexes at most ``radius`` from a hex, cut at the map's edge."""
    x, y = grid.centre(centre)
    _, _, right, bottom = whole(grid)
    across = radius * COLUMN_PITCH + SIDE_LENGTH + 0.05
    down = radius + 0.55
    return (
        max(0.0, x - across),
        max(0.0, y - down),
        min(right, x + across),
        min(bottom, y + down),
    )


def chance(*words: object) -> random.Random:
    """Give numbers that look scattered but are the same every time for the same words."""
    return random.Random(crc32(" ".join(map(str, words)).encode()))
