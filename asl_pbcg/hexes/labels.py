"""Place words on the map sheet where they can be read, and choose round numbers for a scale."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from asl_pbcg.hexes.hex_view import HexView, View
from asl_pbcg.hexes.items import Point
from asl_pbcg.hexes.lattice import SIDE_LENGTH


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the sheet, in points."""

    left: float
    top: float
    right: float
    bottom: float

    def over(self, other: Box) -> float:
        """Say how much area two boxes share."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across * down if across > 0 and down > 0 else 0.0

    def inside(self, other: Box) -> bool:
        """Say whether this box lies wholly in another."""
        return (
            self.left >= other.left
            and self.right <= other.right
            and self.top >= other.top
            and self.bottom <= other.bottom
        )

    def away(self, place: Point) -> float:
        """Say how far a place lies from the box; 0 inside it."""
        across = max(self.left - place[0], 0.0, place[0] - self.right)
        down = max(self.top - place[1], 0.0, place[1] - self.bottom)
        return math.hypot(across, down)

    def with_margin(self, by: float) -> Box:
        """Give the box with a margin."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


_CELL = 30.0


@dataclass(slots=True)
class Taken:
    """The boxes on the sheet already, and how much it hurts to cover them."""

    # By square of the sheet, so that a label is compared only with what is near it.
    cells: dict[tuple[int, int], list[tuple[Box, float]]] = field(default_factory=dict)

    @staticmethod
    def _cells(box: Box) -> Iterator[tuple[int, int]]:
        for column in range(int(box.left // _CELL), int(box.right // _CELL) + 1):
            for row in range(int(box.top // _CELL), int(box.bottom // _CELL) + 1):
                yield column, row

    def add(self, box: Box, weight: float = 1) -> None:
        """Remember a box."""
        for cell in self._cells(box):
            self.cells.setdefault(cell, []).append((box, weight))

    def cost(self, box: Box) -> float:
        """Say how much a label in a box would cover, in points squared times weight."""
        near = {pair for cell in self._cells(box) for pair in self.cells.get(cell, ())}
        return sum(weight * box.over(label) for label, weight in near)

    def best(self, boxes: Iterable[tuple[Box, float]]) -> Box:
        """Choose from boxes, each with its own cost, the one that covers least."""
        return min(boxes, key=lambda pair: pair[1] + self.cost(pair[0]))[0]


def hex_box(view: HexView, name: str) -> Box:
    """Give the box round a hex on the sheet."""
    x, y = view.grid.centre(name)
    left, top = view.at(x - SIDE_LENGTH, y - 0.5)
    right, bottom = view.at(x + SIDE_LENGTH, y + 0.5)
    return Box(left, top, right, bottom)


def picture_box(view: View) -> Box:
    """Give the box of the whole picture on the sheet."""
    return Box(view.left, view.top, view.left + view.width, view.top + view.height)


def round_ticks(low: float, high: float, about: int) -> list[int]:
    """Return the round numbers from ``low`` to ``high``, some ``about`` of them or fewer."""
    step = _round_up((high - low) / about)
    return list(range(math.ceil(low / step) * step, math.floor(high) + 1, step))


def _round_up(number: float) -> int:
    """Return the next round number: 1, 2, 5, 10, 20 and so on."""
    if number <= 1:
        return 1
    ten: int = 10 ** int(math.log10(number))
    return next(ten * factor for factor in (1, 2, 5, 10) if ten * factor >= number)
