"""Counters on a map of hexes: in stacks, and laid out in rows on pages of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from asl_pbcg.hexes.counters import DARK, Face, draw_face
from asl_pbcg.hexes.drawing import Drawing, text_width
from asl_pbcg.hexes.hex_view import HexView
from asl_pbcg.hexes.items import INK, SOFT, Pen
from asl_pbcg.hexes.labels import Box
from asl_pbcg.hexes.page import MARGIN, TITLE, PageHeading, draw_foot, draw_heading

SHOWN: Final = 3
"""Counters of a stack that are seen; how many there are stands on it."""
LAYER: Final = 0.09
"""How far each counter of a stack is moved, in sides of a counter."""

Stack = Sequence[Face]
Label = tuple[str, Sequence[tuple[Face, str]]]
"""Where a stack lies, and its counters with the words under each."""


def draw_hex_stacks(view: HexView, name: str, stacks: Sequence[Stack], below: float) -> Box:
    """Draw the stacks of a hex side by side, ``below`` its name; give the box they take."""
    count = len(stacks)
    x, y = view.hex_at(name)
    layers = LAYER * (min(SHOWN, max(map(len, stacks))) - 1)
    room = min(y + 0.47 * view.scale, view.bottom) - below
    side = view.scale * (0.54, 0.41, 0.31)[min(count, 3) - 1]
    side = max(0.24 * view.scale, min(side, room / (1 + layers)))
    step = side * _APART
    # In the half hexes at the map's edge they move inward.
    half = step * count / 2
    x = min(max(x, view.left + half), view.right - half)
    top = max(below + layers * side, y + 0.12 * view.scale - side / 2)
    top = min(top, view.bottom - side)
    left = x - half + (step - side) / 2
    with view.drawing.group(classes="stacks", data={"hex": name}):
        for number, faces in enumerate(stacks):
            draw_stack(view.drawing, left + number * step, top, side, faces)
    return Box(left, top - layers * side, left + count * step, top + side)


_APART: Final = 1.2
"""From one stack of a hex to the next, in sides of a counter."""


def draw_stack(drawing: Drawing, left: float, top: float, side: float, faces: Stack) -> None:
    """Draw a stack, its first counter on top; more than one are counted at its left edge."""
    drawn = list(faces[:SHOWN])
    for number, face in reversed(list(enumerate(drawn))):
        away = number * LAYER * side
        draw_face(drawing, left + away, top - away, side, face)
    if len(faces) > 1:
        words = str(len(faces))
        high = side * 0.32
        wide = max(high, text_width(words, high * 0.8, bold=True) + high * 0.4)
        x, y = left + side * 0.08 - wide, top + side * 0.16  # above the words at the foot
        drawing.plate(x, y, wide, high, Pen(fill=DARK, stroke="#ffffff", width=side * 0.02))
        base = y + high * 0.79
        drawing.text(x + wide / 2, base, words, high * 0.8, "#ffffff", anchor="middle", bold=True)


# Pages of stacks

_SIDE: Final = 30.0
_STEP: Final = 37.0
_ROW: Final = 51.0
_GAP: Final = 13.0


def stack_pages(
    groups: Sequence[tuple[str, Sequence[Label]]], heading: PageHeading, size: tuple[float, float]
) -> list[Drawing]:
    """Lay out stacks on as many pages as they need, by groups with a headline each.

    ``size`` is that of a page in points. A stack is never parted from its name.
    """
    writer = _Pages(heading, size)
    for headline, stacks in groups:
        if stacks:
            writer.headline(headline)
            for where, counters in stacks:
                writer.stack(where, counters)
            writer.end_row()
    return writer.number_pages()


class _Pages:
    """Fills pages from the top left, block by block."""

    def __init__(self, heading: PageHeading, size: tuple[float, float]) -> None:
        self.heading, self.size = heading, size
        self.pages: list[Drawing] = []
        self.x = self.y = 0.0
        self._new()

    @property
    def drawing(self) -> Drawing:
        return self.pages[-1]

    @property
    def room(self) -> float:
        return self.size[0] - 2 * MARGIN

    def _new(self) -> None:
        self.pages.append(Drawing(*self.size, title=self.heading.words))
        box = Box(MARGIN, MARGIN, self.size[0] - MARGIN, MARGIN + TITLE)
        draw_heading(self.drawing, self.heading, box)
        draw_foot(self.drawing)
        self.x, self.y = MARGIN, MARGIN + TITLE + 4

    def headline(self, words: str) -> None:
        if self.y + 16 + _ROW > self.size[1] - MARGIN:
            self._new()
        self.drawing.text(MARGIN, self.y + 11, words.upper(), 8.6, INK, bold=True, spacing=0.8)
        line = [(MARGIN, self.y + 14), (self.size[0] - MARGIN, self.y + 14)]
        self.drawing.line(line, Pen(stroke=INK, width=0.7))
        self.x, self.y = MARGIN, self.y + 20

    def stack(self, where: str, counters: Sequence[tuple[Face, str]]) -> None:
        across = max(1, int(self.room // _STEP))
        title = text_width(where, 8, bold=True)
        for start in range(0, len(counters), across):
            row = counters[start : start + across]
            wide = max(len(row) * _STEP, title + 4)
            if self.x > MARGIN and self.x + wide > MARGIN + self.room:
                self.end_row()
            if self.y + _ROW > self.size[1] - MARGIN:
                self._new()
            words = where if start == 0 else f"{where}, continued"
            self.drawing.text(self.x, self.y + 8, words, 8, INK, bold=True)
            for number, (face, under) in enumerate(row):
                left, top = self.x + number * _STEP, self.y + 11
                draw_face(self.drawing, left, top, _SIDE, face)
                small = min(5.6, 5.6 * (_STEP - 3) / max(1.0, text_width(under, 5.6)))
                place = (left + _SIDE / 2, top + _SIDE + 7.2)
                self.drawing.text(*place, under, small, SOFT, anchor="middle")
            self.x += wide + _GAP

    def end_row(self) -> None:
        if self.x > MARGIN:
            self.x, self.y = MARGIN, self.y + _ROW + 3

    def number_pages(self) -> list[Drawing]:
        total = len(self.pages)
        for number, page in enumerate(self.pages, 1):
            words = f"page {number} of {total}"
            page.text(MARGIN, self.size[1] - MARGIN + 9, words, 5.6, SOFT)
        return self.pages
