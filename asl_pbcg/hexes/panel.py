"""The panels beside any map: rows of a legend, named trays, a numbered track."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from asl_pbcg.hexes.counters import ChipFace, draw_chip
from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import INK, Pen
from asl_pbcg.hexes.labels import Box
from asl_pbcg.hexes.page import (
    PLATE_EDGE,
    PLATE_INK,
    PLATE_SOFT,
    draw_headline,
    lines_of_words,
)

TRAY: Final = "#f1ead6"
HEAD: Final = 12.4
"""Height of a headline with its rule, in points."""


@dataclass(frozen=True, slots=True)
class PanelRow:
    """A line of a legend: its words, and what draws its sample into a box (None: a headline)."""

    words: str
    sample: Callable[[Box], None] | None = None


def draw_row(
    drawing: Drawing,
    row: PanelRow,
    room: Box,
    sample: float,
    size: float = 1.0,
    *,
    words: float = 7.2,
    colour: str = INK,
) -> None:
    """Draw a row into its room: a sample ``sample`` points wide, then its words.

    A headline is in ``colour`` and goes across the room; ``size`` times 1.
    """
    if row.sample is None:
        wide = room.right - room.left
        draw_headline(drawing, row.words, room.left, room.top + size, wide, size, colour)
        return
    row.sample(Box(room.left + 0.5, room.top + 0.8, room.left + sample + 0.5, room.bottom - 0.8))
    middle = (room.top + room.bottom) / 2
    place = (room.left + sample + 6 * size, middle + 2.5 * size)
    drawing.text(*place, row.words, words * size, INK)


def draw_tray(drawing: Drawing, room: Box, name: str, size: float) -> Box:
    """Draw a tray for counters with its name; returns where they may lie."""
    width, height = room.right - room.left, room.bottom - room.top
    drawing.box(room.left, room.top, width, height, Pen(fill=TRAY, stroke=PLATE_EDGE, width=0.6))
    side, head = 3 * size, 0.84 * size
    draw_headline(drawing, name, room.left + side, room.top + 1.6 * size, width - 2 * side, head,
                  PLATE_SOFT)  # fmt: skip
    return Box(room.left + side, room.top + 11.5 * size, room.right - side, room.bottom - size)


def draw_words(
    drawing: Drawing, words: str, room: Box, size: float, step: float, *, italic: bool = False
) -> int:
    """Write words, broken into lines, from the top of a room; returns how many lines they take."""
    lines = lines_of_words(words, room.right - room.left, size)
    for number, line in enumerate(lines):
        at = room.top + size + step * number
        drawing.text(room.left, at, line, size, PLATE_SOFT, italic=italic)
    return len(lines)


def draw_track(
    drawing: Drawing, steps: Iterable[int], now: int | None, room: Box, colour: str
) -> None:
    """Draw a track of numbered trays across a room, a chip in ``colour`` on the one that is now."""
    numbers = list(steps)
    wide, high = (room.right - room.left) / len(numbers), room.bottom - room.top
    for place, number in enumerate(numbers):
        left, middle = room.left + place * wide + 1.2, (room.top + room.bottom) / 2
        pen = Pen(fill=TRAY, stroke=PLATE_EDGE, width=0.6)
        drawing.box(left, room.top, wide - 2.4, high, pen)
        x = left + wide / 2 - 1.2
        if number == now:
            draw_chip(drawing, ChipFace(str(number), colour), (x, middle), wide - 5, high - 4)
        else:
            drawing.text(x, middle + 4.4, str(number), 12.5, PLATE_INK, anchor="middle", bold=True)
