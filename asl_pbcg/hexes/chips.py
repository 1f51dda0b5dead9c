"""Chips: small counters with a word on them, for places where many lie on one hex.

Which look a piece has says whoever draws it; a look is told by more than colour.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from asl_pbcg.hexes.drawing import Drawing, text_width
from asl_pbcg.hexes.items import Pen, Point

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
