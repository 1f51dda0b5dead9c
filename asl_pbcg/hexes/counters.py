"""Counters drawn on a map: full faces, and small chips for hexes where many lie.

A face is plain data; its caller decides what may be seen of a piece. The looks of chips differ by
more than colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from asl_pbcg.hexes.drawing import Drawing, text_width
from asl_pbcg.hexes.items import RED, Pen, Point
from asl_pbcg.hexes.symbols import SYMBOLS, bunker_mark

Look = Literal["solid", "outlined", "crossed out"]
WHITE: Final = "#ffffff"
FRAME: Final = "#26241f"


@dataclass(frozen=True, slots=True)
class ChipFace:
    """The face of a chip: a word, its side's colour, and which of three looks and shapes it has.

    Outlined is white with a broken edge, crossed out grey. A plate has round corners, a pointed
    chip ends in points left and right, a framed one has a second edge.
    """

    word: str
    colour: str
    look: Look = "solid"
    shape: Literal["plate", "pointed", "framed"] = "plate"


def draw_chip(drawing: Drawing, face: ChipFace, middle: Point, wide: float, high: float) -> None:
    """Draw a chip round a point, ``wide`` and ``high`` in points."""
    x, y = middle[0] - wide / 2, middle[1] - high / 2
    fill, edge, ink = face.colour, WHITE, WHITE
    dash: tuple[float, ...] = ()
    if face.look == "outlined":
        fill, edge, ink, dash = WHITE, face.colour, face.colour, (1.6, 1.1)
    elif face.look == "crossed out":
        fill, edge, ink = "#e4e2dc", "#8d8a83", "#6d6a64"
    pen = Pen(fill=fill, stroke=edge, width=0.7 if dash else 0.5, dash=dash)
    if face.shape == "pointed":
        nose = high / 2
        points = [
            (x, middle[1]),
            (x + nose, y),
            (x + wide - nose, y),
            (x + wide, middle[1]),
            (x + wide - nose, y + high),
            (x + nose, y + high),
        ]
        drawing.polygon(points, pen)
    elif face.shape == "framed":
        drawing.box(x, y, wide, high, Pen(fill=fill, stroke=FRAME, width=1.1, dash=dash))
        inner = Pen(stroke=ink, width=0.4)
        drawing.box(x + 1.2, y + 1.2, wide - 2.4, high - 2.4, inner)
    else:
        drawing.plate(x, y, wide, high, pen)
    room = wide - (0.7 if face.shape == "pointed" else 0.45) * high
    size = 0.74 * high
    size = min(size, size * room / max(0.1, text_width(face.word, size, bold=True)))
    drawing.text(
        middle[0], middle[1] + 0.36 * size, face.word, size, ink, anchor="middle", bold=True
    )
    if face.look == "crossed out":
        cross = Pen(stroke="#3a3833", width=0.8)
        drawing.line([(x + 0.12 * wide, y + high), (x + 0.88 * wide, y)], cross)


DARK: Final = "#1c1a17"
MAX_BADGES: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """The print of a counter, and the markers on it.

    ``symbol`` is one of ``SYMBOLS``; ``left``, ``right`` and ``middle`` are words along its foot,
    ``head`` words along its top; ``edge`` is the colour of its border, two lines if ``double``.
    ``state`` is a word the symbol knows, or "wrecked". ``banner`` is a word on a light band across
    it, as BROKEN; ``barred`` puts it behind bars. ``badges`` are short words in circles, of more
    than four the rest is counted.
    ``title`` and ``id`` name it where a page shows it.
    """

    symbol: str
    ground: str
    ink: str = DARK
    edge: str = DARK
    double: bool = False
    left: str = ""
    right: str = ""
    middle: str = ""
    head: str = ""
    state: str = ""
    banner: str = ""
    barred: bool = False
    hatched: bool = False
    inside: bool = False
    """In the bunker of its place, beneath the marker."""
    badges: Sequence[str] = ()
    title: str = ""
    id: str = ""


def draw_face(drawing: Drawing, left: float, top: float, side: float, face: Face) -> None:
    """Draw one counter with its top left corner at (left, top), ``side`` points wide and high."""
    if face.id:
        data = {"piece": face.id}
        with drawing.group(classes="counter", title=face.title or face.id, data=data):
            _draw(drawing, left, top, side, face)
    else:
        _draw(drawing, left, top, side, face)


def _draw(drawing: Drawing, left: float, top: float, side: float, face: Face) -> None:
    shadow = side * 0.06
    drawing.box(left + shadow, top + shadow, side, side, Pen(fill="#000000", opacity=0.35))
    thick = side * (0.04 if face.edge == DARK else 0.075)
    edge = Pen(fill=face.ground, stroke=face.edge, width=thick)
    drawing.box(left, top, side, side, edge)
    if face.double:
        inner = side * 0.075
        pen = Pen(stroke=face.edge, width=side * 0.022)
        drawing.box(left + inner, top + inner, side - 2 * inner, side - 2 * inner, pen)
    if face.hatched:
        _hatch(drawing, left, top, side, face.ink)
    middle, words = left + side / 2, bool(face.left or face.right or face.middle)
    high = side * (0.4 if words else 0.5)
    symbol_y = top + side * ((0.43 if face.head else 0.36) if words else 0.5)
    if face.head:
        high *= 0.86
    SYMBOLS[face.symbol](drawing, middle, symbol_y, high, face.ink, face.ground, face.state)
    _words(drawing, left, top, side, face)
    if face.barred:
        bars = [
            [(left + side * place, top), (left + side * place, top + side)]
            for place in (0.2, 0.4, 0.6, 0.8)
        ]
        drawing.lines(bars, Pen(stroke=DARK, width=side * 0.05))
    if face.banner:
        high = side * 0.24
        y = symbol_y - high / 2
        drawing.box(left, y, side, high, Pen(fill=WHITE, stroke=DARK, width=side * 0.02))
        size = min(high * 0.78, 0.94 * side / text_width(face.banner, 1, bold=True))
        base = y + high / 2 + size * 0.36
        drawing.text(middle, base, face.banner, size, DARK, anchor="middle", bold=True)
    _state(drawing, left, top, side, face)


def _words(drawing: Drawing, left: float, top: float, side: float, face: Face) -> None:
    base, letters = top + side * 0.91, side * 0.3
    if face.double:
        base -= side * 0.03
    if face.right:
        drawing.text(left + side * 0.95, base, face.right, letters * 1.1, face.ink,
                     anchor="end", bold=True)  # fmt: skip
    if face.left:
        space = side * 0.56
        small = min(letters, letters * space / max(1e-6, text_width(face.left, letters)))
        drawing.text(left + side * 0.06, base, face.left, small, face.ink)
    if face.middle:
        wide = text_width(face.middle, 1, bold=True)
        size = min(letters * 1.15, side * 0.86 / wide)
        drawing.text(left + side / 2, base, face.middle, size, face.ink, anchor="middle", bold=True)
    if face.head:
        size = min(side * 0.19, side * 0.88 / text_width(face.head, 1))
        y = top + side * (0.2 if face.double else 0.18)
        drawing.text(left + side / 2, y, face.head, size, face.ink, anchor="middle")


def _hatch(drawing: Drawing, left: float, top: float, side: float, ink: str) -> None:
    with drawing.clip(_square(left, top, side)):
        drawing.lines(
            [
                [(left - side + i * side / 4, top + side), (left + i * side / 4, top)]
                for i in range(9)
            ],
            Pen(stroke=ink, width=side * 0.035, opacity=0.55),
        )


def _state(drawing: Drawing, left: float, top: float, side: float, face: Face) -> None:
    if face.state == "wrecked":
        for a, b in (((0.06, 0.06), (0.94, 0.94)), ((0.94, 0.06), (0.06, 0.94))):
            line = [
                (left + a[0] * side, top + a[1] * side),
                (left + b[0] * side, top + b[1] * side),
            ]
            drawing.line(line, Pen(stroke=WHITE, width=side * 0.13))
            drawing.line(line, Pen(stroke=RED, width=side * 0.075))
    badges = list(face.badges)
    if len(badges) > MAX_BADGES:
        badges[MAX_BADGES - 1 :] = [f"+{len(badges) - MAX_BADGES + 1}"]
    for number, words in enumerate(badges):
        # Two down the right edge, two down the left: above the words at the foot.
        x = left + side * (0.875 if number < 2 else 0.125)
        y, radius = top + side * (0.125 + 0.295 * (number % 2)), side * 0.14
        drawing.circle(x, y, radius, Pen(fill=WHITE, stroke=RED, width=side * 0.05))
        size = min(radius * 1.65, radius * 1.5 / text_width(words, 1, bold=True))
        drawing.text(x, y + size * 0.37, words, size, RED, anchor="middle", bold=True)
    if face.inside:
        bunker_mark(drawing, left + side * 0.17, top + side * 0.2, side * 0.2)


def _square(left: float, top: float, side: float) -> list[Point]:
    return [(left, top), (left + side, top), (left + side, top + side), (left, top + side)]
