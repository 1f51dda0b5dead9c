"""The parts of every drawn page: heading, its foot, a compass rose, words broken into lines."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from asl_pbcg.hexes.drawing import Drawing, text_width
from asl_pbcg.hexes.items import INK, SOFT, Pen
from asl_pbcg.hexes.labels import Box

FOOT: Final = "An unofficial aid to play. Where the printed map differs, the printed map is right."
MARGIN: Final = 24.0
TITLE: Final = 40.0
"""Height of a heading in points."""
PLATE: Final = "#fbf8ee"
PLATE_INK: Final = "#1c1a17"
PLATE_EDGE: Final = "#4c463b"
PLATE_SOFT: Final = "#6a6355"
"""Of a panel that lies on a map: its ground, its words, its lines, its lesser words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHeading:
    """The words at the top of a page: its title, what it shows, and lines at the right."""

    title: str
    subtitle: str = ""
    lines: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Everything it says, for the title of a file."""
        return ", ".join(part for part in (self.title, self.subtitle, *self.lines) if part)


def draw_heading(drawing: Drawing, heading: PageHeading, box: Box, colour: str = INK) -> None:
    """Write a heading into a box over a double rule; the lines at the right in ``colour``.

    Long words shrink rather than run into those at the right.
    """
    base = box.top + 21
    title = heading.title.upper()
    lines_width = max((text_width(line, 10, bold=True) for line in heading.lines), default=0.0)
    needed = text_width(title, 21, bold=True, spacing=1.5) + 12
    needed += text_width(heading.subtitle, 12) + 12
    share = min(1.0, (box.right - box.left - lines_width) / needed)
    drawing.text(box.left, base, title, 21 * share, INK, bold=True, spacing=1.5 * share)
    wide = text_width(title, 21 * share, bold=True, spacing=1.5 * share)
    if heading.subtitle:
        left = box.left + wide + 12 * share
        drawing.text(left, base, heading.subtitle, 12 * share, SOFT, italic=True)
    for number, line in enumerate(reversed(heading.lines)):
        bold = number == len(heading.lines) - 1
        drawing.text(box.right, base - 12 * number, line, 10, colour, anchor="end", bold=bold)
    drawing.line([(box.left, base + 7), (box.right, base + 7)], Pen(stroke=INK, width=1.2))
    drawing.line([(box.left, base + 9.2), (box.right, base + 9.2)], Pen(stroke=INK, width=0.4))


def draw_plate(drawing: Drawing, x: float, y: float, width: float, height: float) -> None:
    """Lay a plate with a shadow and a double edge on a map, for a panel to be drawn on."""
    drawing.box(x + 1.6, y + 1.6, width, height, Pen(fill="#000000", opacity=0.22))
    drawing.box(x, y, width, height, Pen(fill=PLATE, stroke=PLATE_EDGE, width=0.9))
    drawing.box(x + 2, y + 2, width - 4, height - 4, Pen(stroke=PLATE_EDGE, width=0.3))


def draw_title_block(
    drawing: Drawing,
    heading: PageHeading,
    x: float,
    y: float,
    width: float,
    size: float,
    colour: str,
) -> None:
    """Write a heading into a panel on a map: centred, the title over a rule, ``size`` times 1.

    Its lines, soft and slanted, follow the subtitle; they take 9 points each.
    """
    middle = x + width / 2
    drawing.text(
        middle, y + 21 * size, heading.title.upper(), 14.6 * size, colour,
        anchor="middle", bold=True, spacing=0.9,
    )  # fmt: skip
    drawing.line(
        [(x + 12 * size, y + 26 * size), (x + width - 12 * size, y + 26 * size)],
        Pen(stroke=PLATE_EDGE, width=0.5),
    )
    drawing.text(
        middle, y + 34 * size, heading.subtitle.upper(), 6.2 * size, PLATE_INK,
        anchor="middle", bold=True, spacing=0.6,
    )  # fmt: skip
    for number, line in enumerate(heading.lines):
        drawing.text(
            middle, y + (43.5 + 9 * number) * size, line, 6.4 * size, PLATE_SOFT,
            anchor="middle", italic=True,
        )  # fmt: skip


def draw_foot(drawing: Drawing) -> None:
    """Write at the foot of a page what it is and what it is not."""
    place = (drawing.width - MARGIN, drawing.height - MARGIN + 9)
    drawing.text(*place, FOOT, 5.6, "#6f6b63", anchor="end")


def draw_headline(
    drawing: Drawing,
    words: str,
    left: float,
    y: float,
    width: float,
    size: float = 1.0,
    colour: str = INK,
) -> None:
    """Write a small underlined headline into a panel ``width`` points wide, its top at ``y``.

    It is ``size`` times 1.
    """
    spacing = 0.8 * min(1.0, size)
    base, rule = y + 7.5 * size, y + 9.6 * size
    drawing.text(left, base, words.upper(), 7.2 * size, colour, bold=True, spacing=spacing)
    drawing.line([(left, rule), (left + width, rule)], Pen(stroke=colour, width=0.5))


def draw_rose(
    drawing: Drawing, x: float, y: float, radius: float, *, north: float = 0.0, paper: str = ""
) -> None:
    """Draw a compass rose round (x, y); ``north`` is where north lies, in degrees clockwise.

    ``paper`` is the colour of a disc behind it.
    """
    turn = math.radians(north)
    if paper:
        drawing.circle(x, y, radius * 0.82, Pen(fill=paper, stroke=INK, width=0.5, opacity=0.9))
    drawing.circle(x, y, radius * 0.62, Pen(stroke=INK, width=0.5))
    for eighth in range(8):
        angle = turn + eighth * math.pi / 4
        reach = radius * (1.0 if eighth == 0 else 0.8 if eighth % 2 == 0 else 0.5)
        tip = (x + reach * math.sin(angle), y - reach * math.cos(angle))
        for side, fill in ((-1, INK), (1, "#ffffff")):
            flank = angle + side * math.pi / 4
            corner = (x + radius * 0.18 * math.sin(flank), y - radius * 0.18 * math.cos(flank))
            drawing.polygon([(x, y), tip, corner], Pen(fill=fill, stroke=INK, width=0.35))
    size = radius * 0.56
    away = radius * 1.12 + size * 0.36
    place = (x + away * math.sin(turn), y - away * math.cos(turn) + size * 0.36)
    drawing.text(*place, "N", size, INK, anchor="middle", bold=True)


def lines_of_words(
    words: str, room: float, size: float, *, bold: bool = False, later: str = ""
) -> list[str]:
    """Break words into lines no wider than ``room`` points; later lines begin with ``later``."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines[-1].strip() else f"{lines[-1]}{word}"
        if lines[-1].strip() and text_width(longer, size, bold=bold) > room:
            lines.append(f"{later}{word}")
        else:
            lines[-1] = longer
    return lines
