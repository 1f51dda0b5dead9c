"""The overlay of a map sheet, on top of the board: Control, areas, shading, Entry Areas.

Plain data about hexes and sides; what it means is the business of whoever makes it. A side is
told by more than its colour: British lines are long dashes and double, its plates round; German
lines are dots and solid, its plates square.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final, Literal

from asl_pbcg.campaign.map.board_view import BoardView
from asl_pbcg.campaign.terms import Side
from asl_pbcg.hexes.drawing import text_width
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.hexes.items import BLUE, RED, Pen, Point
from asl_pbcg.hexes.labels import Box, Taken, hex_box, picture_box
from asl_pbcg.hexes.outline import hatching, outline

SideName = Literal["british", "german"]
"""How a side is drawn: as the British, the first of two, or as the Germans."""

COLOUR: Final[dict[str, str]] = {"british": RED, "german": BLUE}
HATCH: Final[dict[str, float]] = {"british": 45.0, "german": -45.0}
YELLOW: Final = "#ffe84a"
YELLOW_LINE: Final = "#6b5a00"


def name_of(side: Side) -> SideName:
    """How a side is drawn on the map sheet."""
    return "british" if side.is_first else "german"


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategicMark:
    """A Strategic Location: its hex, who Controls it (None: nobody), and letters for squares.

    The letters say what makes it one where the map does not show it: E entrenchment,
    F Fortification, G Gun, V vehicle; a level above ground is told as "1", "2". Rule: 9.605.
    """

    at: str
    side: SideName | None
    letters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaMark:
    """A Setup Area: its hexes, whose it is, its ID, and whether it is Isolated (then hatched).

    ``at`` is where it lies if it has no hex of its own: a level of a hex that is the enemy's.
    """

    hexes: HexSet
    side: SideName
    label: str = ""
    isolated: bool = False
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """Everything drawn over the board.

    ``no_mans_land`` is shaded yellow; ``hatched`` are further sets with a side's hatching;
    ``eligible`` are the arrow hexes of the Entry Areas that are Eligible, None for all of them
    without saying so; ``legend`` are further lines for the legend as (letters, words).
    """

    strategic: tuple[StrategicMark, ...] = ()
    areas: tuple[AreaMark, ...] = ()
    no_mans_land: HexSet | None = None
    hatched: tuple[tuple[HexSet, SideName], ...] = ()
    eligible: frozenset[str] | None = None
    legend: tuple[tuple[str, str], ...] = field(default_factory=tuple)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show on top of the board."""
        return not (self.strategic or self.areas or self.no_mans_land or self.hatched)


def draw_shading(view: BoardView, overlay: Overlay) -> None:
    """Draw what lies under the hex names: yellow for No Man's Land, hatching for Isolated areas."""
    if overlay.no_mans_land:
        yellow(view, overlay.no_mans_land)
    for hexes, side in overlay.hatched:
        hatch(view, hexes, side)
    for area in overlay.areas:
        if area.isolated:
            hatch(view, area.hexes, area.side)


def yellow(view: BoardView, hexes: HexSet) -> None:
    """Shade hexes yellow with level lines, which no terrain has and any copier keeps."""
    shaded = hexes & view.hexes
    ground = [view.points(ring) for ring in outline(shaded, 0.0)]
    view.drawing.polygons(ground, Pen(fill=YELLOW, opacity=0.5))
    lines = [view.points(line) for line in hatching(shaded, 0.17, 0.0, 0.0)]
    view.drawing.lines(lines, Pen(stroke=YELLOW_LINE, width=0.026 * view.scale))
    view.drawing.polygons(ground, Pen(stroke=YELLOW_LINE, width=0.04 * view.scale))


def hatch(view: BoardView, hexes: HexSet, side: SideName) -> None:
    """Hatch hexes in a side's colour and direction."""
    lines = hatching(hexes & view.near, 0.16, HATCH[side])
    pen = Pen(stroke=COLOUR[side], width=0.028 * view.scale, opacity=0.75)
    view.drawing.lines([view.points(line) for line in lines], pen)


def draw_lines(view: BoardView, overlay: Overlay, taken: Taken) -> None:
    """Draw Setup-Area boundaries and the outlines of Strategic Locations."""
    for area in overlay.areas:
        boundary(view, area.hexes, area.side)
    held: dict[str, int] = {}
    for mark in sorted(overlay.strategic, key=lambda mark: mark.side or ""):
        if mark.at not in view.hexes or mark.side is None:
            continue
        depth = held.get(mark.at, 0)
        held[mark.at] = depth + 1
        ring = view.board.grid.set([mark.at])
        for line in outline(ring, 0.055 + 0.13 * depth):
            strategic_outline(view, view.points(line), mark.side)
        taken.add(hex_box(view, mark.at), 2.5)
    for at in dict.fromkeys(mark.at for mark in overlay.strategic if mark.at in view.hexes):
        letters = [letter for mark in overlay.strategic if mark.at == at for letter in mark.letters]
        _letters(view, at, letters, taken)


def strategic_outline(view: BoardView, ring: list[Point], side: SideName) -> None:
    """Outline a Strategic Location: British double, German solid."""
    if side == "british":
        view.drawing.polygon(ring, Pen(stroke=COLOUR[side], width=0.13 * view.scale, join="miter"))
        view.drawing.polygon(ring, Pen(stroke="#ffffff", width=0.045 * view.scale, join="miter"))
    else:
        view.drawing.polygon(ring, Pen(stroke=COLOUR[side], width=0.105 * view.scale, join="miter"))


def boundary(view: BoardView, hexes: HexSet, side: SideName) -> None:
    """Draw a Setup Area's boundary: British in long dashes, German in dots."""
    lines = [
        [*points, points[0]] for ring in outline(hexes, 0.045) if (points := view.points(ring))
    ]
    boundary_lines(view, lines, side)


def boundary_lines(view: BoardView, lines: list[list[Point]], side: SideName) -> None:
    """Draw lines of the sheet as a side's Setup-Area boundary."""
    scale = view.scale
    view.drawing.lines(lines, Pen(stroke="#ffffff", width=0.19 * scale, opacity=0.6))
    if side == "british":
        dash = (0.3 * scale, 0.13 * scale)
        pen = Pen(stroke=COLOUR[side], width=0.1 * scale, dash=dash)
    else:
        dash = (0.001 * scale, 0.19 * scale)
        pen = Pen(stroke=COLOUR[side], width=0.125 * scale, dash=dash, cap="round")
    view.drawing.lines(lines, pen)


def _letters(view: BoardView, at: str, letters: list[str], taken: Taken) -> None:
    if not letters:
        return
    size = max(0.3 * view.scale, 4.6)
    size = min(size, 12.0)
    x, y = view.at(*view.board.grid.centre(at))
    wide = size * 1.1
    left = x - wide * len(letters) / 2
    top = y + 0.02 * view.scale - size * 0.35
    for number, letter in enumerate(letters):
        letter_square(view, left + number * wide, top, size, letter)
    taken.add(Box(left, top, left + wide * len(letters), top + size), 3)


def letter_square(view: BoardView, left: float, top: float, size: float, letter: str) -> None:
    """Draw a letter in a white square, its top left corner on the sheet given."""
    view.drawing.box(
        left, top, size, size, Pen(fill="#ffffff", stroke="#111111", width=0.07 * size)
    )
    view.drawing.text(
        left + size / 2, top + size * 0.77, letter[:2], size * 0.76, anchor="middle", bold=True
    )


def draw_area_labels(view: BoardView, overlay: Overlay, taken: Taken) -> None:
    """Put a plate with whose it is and its ID on or beside every Setup Area."""
    size = max(5.6, min(0.42 * view.scale, 11.0))
    picture = picture_box(view)
    for area in overlay.areas:
        visible = (view.board.grid.set([area.at]) if area.at else area.hexes) & view.hexes
        if not visible or not area.label:
            continue
        words = f"{area.side.capitalize()} {area.label}"
        wide = text_width(words, size, bold=True) + size * 1.1
        high = size * 1.45
        middle = _middle(view, visible)
        boxes = []
        for name in visible.spread(2) & view.hexes:
            cx, cy = view.board.grid.centre(name)
            for dx, dy in ((0.0, 0.0), (0.43, 0.0), (-0.43, 0.0), (0.0, 0.5)):
                x, y = view.at(cx + dx, cy + dy)
                box = Box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
                if box.inside(picture.with_margin(-2)):
                    away = math.dist((x, y), middle)
                    outside = 0.0 if name in visible else 0.6 * wide * high
                    boxes.append((box, away * 0.5 + outside))
        if not boxes:
            continue
        box = taken.best(boxes)
        _leader(view, box, visible, area.side)
        plate(view, box, words, size, area.side)
        taken.add(box.with_margin(1), 8)


def _leader(view: BoardView, box: Box, hexes: HexSet, side: SideName) -> None:
    """Join a plate that stands beside its area to the area's nearest hex."""
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    centres = [view.at(*view.board.grid.centre(name)) for name in hexes]
    near = min(centres, key=lambda centre: math.dist(centre, (x, y)))
    if abs(near[0] - x) < (box.right - box.left) / 2 + 0.4 * view.scale and (
        abs(near[1] - y) < (box.bottom - box.top) / 2 + 0.4 * view.scale
    ):
        return
    share = 0.36 * view.scale / math.dist(near, (x, y))
    near = (near[0] + (x - near[0]) * share, near[1] + (y - near[1]) * share)
    view.drawing.line([(x, y), near], Pen(stroke="#ffffff", width=2.4))
    view.drawing.line([(x, y), near], Pen(stroke=COLOUR[side], width=1.2))
    view.drawing.circle(*near, 1.8, Pen(fill=COLOUR[side], stroke="#ffffff", width=0.5))


def plate(view: BoardView, box: Box, words: str, size: float, side: SideName) -> None:
    """Draw a side's plate with white words: round ends for the British, square for the Germans."""
    wide, high = box.right - box.left, box.bottom - box.top
    pen = Pen(fill=COLOUR[side], stroke="#ffffff", width=max(0.6, 0.09 * size))
    if side == "british":
        view.drawing.plate(box.left, box.top, wide, high, pen)
    else:
        view.drawing.box(box.left, box.top, wide, high, pen)
    view.drawing.text(
        (box.left + box.right) / 2,
        box.top + high / 2 + size * 0.36,
        words,
        size,
        "#ffffff",
        anchor="middle",
        bold=True,
    )


def _middle(view: BoardView, hexes: HexSet) -> Point:
    centres = [view.at(*view.board.grid.centre(name)) for name in hexes]
    return (
        sum(x for x, _ in centres) / len(centres),
        sum(y for _, y in centres) / len(centres),
    )
