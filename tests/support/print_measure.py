"""What is wrong with the place of words on printed pages, measured on the PDF itself.

Words leave the page or its margin, leave the frame they stand in (the line above them, the sides
of their cell), or are printed over other words or over a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium

TEXT, PATH = 1, 2
MARGIN = 20.0
"""Points at each side of a page that stay white; at its head and foot 12."""
HAIR = 1.0
"""Points by which things may touch: letters lean, lines have a width."""
MAX_LINE = 1.6
"""The most points that a line is thick; what is thicker is an area."""


@dataclass(frozen=True, slots=True)
class Box:
    """A thing on a page in points from its lower left corner."""

    left: float
    bottom: float
    right: float
    top: float

    def covers(self, other: Box) -> bool:
        """Whether two things lie on each other by more than a hair, both ways."""
        return (
            min(self.right, other.right) - max(self.left, other.left) > HAIR
            and min(self.top, other.top) - max(self.bottom, other.bottom) > HAIR
        )


@dataclass(frozen=True, slots=True)
class PrintedPage:
    """The words and the ruled lines of a page."""

    width: float
    height: float
    words: list[Box]
    lines: list[Box]
    read: Callable[[Box], str]
    """Reads what stands in a box, as long as its document is open."""


def printed_pages(content: bytes) -> Iterator[PrintedPage]:
    """Yield the pages of a PDF."""
    document = pdfium.PdfDocument(content)
    try:
        for page in document:
            text = page.get_textpage()
            words, lines = [], []
            for each in page.get_objects():
                box = Box(*each.get_bounds())
                if each.type == TEXT and box.right > box.left and box.top > box.bottom:
                    words.append(box)
                elif each.type == PATH and is_line(box):
                    lines.append(box)
            yield PrintedPage(*page.get_size(), words, lines, _reader(text))
            text.close()
            page.close()
    finally:
        document.close()


def _reader(text: Any) -> Callable[[Box], str]:
    def read(box: Box) -> str:
        found = text.get_text_bounded(box.left, box.bottom, box.right, box.top)
        return f'"{" ".join(found.split())}"'

    return read


def is_line(box: Box) -> bool:
    """Whether a path is a ruled line, not an area nor the stroke of a drawing."""
    thin, long = sorted((box.right - box.left, box.top - box.bottom))
    return thin < MAX_LINE and long > 6


def misplaced(page: PrintedPage) -> list[str]:
    """Return what is wrong on a page, a sentence each."""
    return [*outside(page), *_out_of_frame(page), *_on_lines(page), *_overprinted(page)]


def outside(page: PrintedPage) -> Iterator[str]:
    """Yield words that stand beyond the margins of their page."""
    for each in page.words:
        across = each.left >= MARGIN and each.right <= page.width - MARGIN
        if not (across and each.bottom >= 12 and each.top <= page.height - 12):
            yield f"{page.read(each)} leaves the page"


def _out_of_frame(page: PrintedPage) -> Iterator[str]:
    """Yield words that end farther right than the ruled line next above their beginning."""
    upright = [each for each in page.lines if each.top - each.bottom > 6]
    level = [
        each
        for each in page.lines
        if each.right - each.left > 40 and not any(_meets(each, side) for side in upright)
    ]
    for each in page.words:
        above = [
            line
            for line in level
            if line.bottom > each.top - HAIR and line.left - HAIR <= each.left <= line.right
        ]
        frame = min(above, key=lambda line: line.bottom, default=None)
        if frame and each.right > frame.right + HAIR:
            yield f"{page.read(each)} leaves its frame by {each.right - frame.right:.1f} points"


def _meets(level: Box, upright: Box) -> bool:
    """Whether an upright line meets a level one, which is of a table then: its cells are measured
    by their sides."""
    across = level.left - HAIR <= upright.left <= level.right + HAIR
    return across and upright.bottom < level.top + HAIR and upright.top > level.bottom - HAIR


def _on_lines(page: PrintedPage) -> Iterator[str]:
    """Yield words that a ruled line runs through."""
    for line in page.lines:
        upright = line.top - line.bottom > 6
        for each in page.words:
            across = min(line.left - each.left, each.right - line.right)
            along = min(line.bottom - each.bottom, each.top - line.top)
            apart = max(line.left, each.left) > min(line.right, each.right)
            apart = apart or max(line.bottom, each.bottom) > min(line.top, each.top)
            if not apart and (across if upright else along) > HAIR:
                yield f"{page.read(each)} stands on a line"


def _overprinted(page: PrintedPage) -> Iterator[str]:
    """Yield words that are printed over others."""
    ordered = sorted(page.words, key=lambda each: -each.top)
    for place, one in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if other.top < one.bottom:
                break
            if one.covers(other):
                yield f"{page.read(one)} and {page.read(other)} are printed over each other"
