"""The parts of a drawing (shapes, circles, words, clips, groups) and the colours of every map.

Lengths are points (1/72 inch), origin at the top left, y downward. Colours are "#rrggbb".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

INK: Final = "#26241f"
SOFT: Final = "#55514a"
"""Ink for what is said in passing."""
RED: Final = "#b2182b"
BLUE: Final = "#1f5fa8"
GREEN: Final = "#2f5d3a"

PAPER: Final = "#f1f0df"
LEVELS: Final = {1: "#e6dcbb", 2: "#d8c596"}
CREST: Final = "#a8885a"
LOW: Final = "#dfe8d3"
WATER: Final = "#aacde4"
BANK: Final = "#3f7ca8"
TREE: Final = "#8fb174"
BARK: Final = "#4f7338"
GRAIN: Final = "#dfe0a4"
STRAW: Final = "#8d8a3c"
MARSH: Final = "#d3e6dd"
SWAMP: Final = "#bcd2b6"
REED: Final = "#3f7f77"
EARTH: Final = "#8a6a3c"


Point = tuple[float, float]
Points = Sequence[Point]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Pen:
    """How a shape is filled and its line drawn; ``width`` and ``dash`` in points."""

    fill: str | None = None
    stroke: str | None = None
    width: float = 1
    dash: tuple[float, ...] = ()
    opacity: float = 1
    cap: Literal["butt", "round", "square"] = "butt"
    join: Literal["miter", "round"] = "round"


@dataclass(frozen=True, slots=True)
class Shape:
    """One or more rings (closed) or lines (open) drawn with one pen; overlaps cut holes."""

    parts: tuple[tuple[Point, ...], ...]
    closed: bool
    pen: Pen


@dataclass(frozen=True, slots=True)
class Circles:
    """Circles as (x, y, radius) drawn with one pen."""

    circles: tuple[tuple[float, float, float], ...]
    pen: Pen


@dataclass(frozen=True, slots=True)
class Lettering:
    """One line of text whose baseline starts, is centred or ends at a point."""

    x: float
    y: float
    text: str
    size: float
    colour: str
    anchor: Anchor
    bold: bool
    italic: bool
    angle: float
    opacity: float
    spacing: float


@dataclass(frozen=True, slots=True)
class Clip:
    """Items of which only what lies inside a polygon is seen."""

    inside: tuple[Point, ...]
    items: list[Item]


@dataclass(frozen=True, slots=True)
class Group:
    """Items that belong together, so that a page can find, name and restyle them.

    ``id`` and ``classes`` are those of SVG; ``title`` is what a screen reader and a pointer that
    rests on it tell; ``data`` becomes ``data-`` attributes, as ``{"hex": "Y20"}``.
    """

    items: list[Item]
    id: str = ""
    classes: str = ""
    title: str = ""
    data: tuple[tuple[str, str], ...] = ()
    hidden: bool = False
    """Only there to be found: neither painted nor printed."""
    shift: Point = (0.0, 0.0)
    """How far right and down everything in it is moved, in points."""


Item = Shape | Circles | Lettering | Clip | Group


def one_line(text: str) -> str:
    """Give words on one line, without letters that nothing prints."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
