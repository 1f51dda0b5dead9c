"""Lines on the picture of a drop: targets, drift lines, sticks lost off the map, flights."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from asl_pbcg.airborne.counters import side_colour
from asl_pbcg.airborne.drift import downwind_line
from asl_pbcg.airborne.dropmap import DropMap
from asl_pbcg.airborne.gliders import glider_landing
from asl_pbcg.airborne.places import centre
from asl_pbcg.airborne.state import DropState
from asl_pbcg.airborne.units import Stick, Unit
from asl_pbcg.airborne.wind import Wind
from asl_pbcg.hexes.drawing import Drawing, text_width
from asl_pbcg.hexes.items import Pen, Point

if TYPE_CHECKING:
    from asl_pbcg.airborne.sheet import Sheet

INK: Final = "#26241f"
OUTSIDE: Final = 12.0
"""How far outside the picture what left the map is told, in points."""


@dataclass(frozen=True, slots=True)
class Drift:
    """The drift of one target hex in one turn: its wind, its sticks, how far the last one went."""

    turn: int
    at: str
    row: str
    wind: Wind
    sticks: tuple[Stick, ...]

    @property
    def length(self) -> int:
        """How many hexes downwind the last stick came down."""
        return max(stick.drift for stick in self.sticks)


def drifts(state: DropState) -> list[Drift]:
    """Every target hex with its sticks, in the order they were dropped. Rule: II.C."""
    found: dict[tuple[int, str], list[Stick]] = {}
    for stick in state.sticks:
        if stick.row:
            found.setdefault((stick.turn, stick.aimed), []).append(stick)
    return [
        Drift(turn, at, sticks[0].row, state.winds[turn], tuple(sticks))
        for (turn, at), sticks in found.items()
    ]


@dataclass(frozen=True, slots=True)
class ShotDown:
    """A plane or glider that anti-aircraft fire brought down before it landed. Rule: I.G."""

    turn: int
    load: str
    at: str
    """The hex it was aimed at."""
    sticks: int
    """How many sticks were aboard; none for a glider."""


def shot_down(state: DropState) -> list[ShotDown]:
    """Return the planes and gliders that were shot down, in the order of their turns."""
    planes: dict[tuple[int, str, str], int] = {}
    for stick in state.sticks:
        if stick.status == "shot down":
            key = (stick.turn, stick.platoon, stick.aimed)
            planes[key] = planes.get(key, 0) + 1
    found = [ShotDown(*key, sticks) for key, sticks in planes.items()]
    found += [
        ShotDown(unit.turn, unit.id, unit.aimed, 0)
        for unit in state.units
        if unit.status == "shot down"
    ]
    return sorted(found, key=lambda each: each.turn)


def line_hexes(state: DropState, dropmap: DropMap) -> Iterator[str]:
    """The hexes of the map that targets and drift lines pass over."""
    for drift in drifts(state):
        line = downwind_line(dropmap, drift.at, drift.wind, drift.length)
        yield from (at for _, at in line if at)
    for unit in state.units:
        if unit.landing:
            yield unit.aimed
    yield from (each.at for each in shot_down(state))


def draw_targets(sheet: Sheet, state: DropState) -> None:
    """Mark each target hex with a ring and a cross."""
    targets = [drift.at for drift in drifts(state)]
    targets += [unit.aimed for unit in state.units if unit.landing]
    targets += [each.at for each in shot_down(state)]
    for at in dict.fromkeys(targets):
        x, y = sheet.hex_at(at)
        radius = 0.46 * sheet.scale
        sheet.drawing.circle(x, y, radius, Pen(stroke="#ffffff", width=3.2, opacity=0.8))
        sheet.drawing.circle(x, y, radius, Pen(stroke=INK, width=1.3))
        ticks = [
            [(x + dx * radius * share, y + dy * radius * share) for share in (0.82, 1.18)]
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
        ]
        sheet.drawing.lines(ticks, Pen(stroke=INK, width=1.3))


def draw_lines(sheet: Sheet, state: DropState) -> None:
    """Draw the drift line of each target hex, and tag what left the map or was shot down."""
    lost: dict[tuple[int, int], int] = {}
    for drift in drifts(state):
        line = downwind_line(sheet.map, drift.at, drift.wind, drift.length)
        places = [place for place, _ in line]
        start, end = sheet.hex_at(drift.at), sheet.at(*centre(places[-1]))
        if drift.length:
            inside = _cut(start, end, sheet, OUTSIDE * 0.6)
            halo = Pen(stroke="#ffffff", width=3.4, opacity=0.75, cap="round")
            sheet.drawing.line([start, inside], halo)
            sheet.drawing.line([start, inside], Pen(stroke=INK, width=1.1, dash=(4, 2.4)))
            _head(sheet.drawing, start, inside, INK, 5.0)
        for stick in drift.sticks:
            if stick.fate == "lost":
                x, y = sheet.at(*centre(places[stick.drift]))
                x, y = _cut(start, (x, y), sheet, OUTSIDE)
                lost[round(x), round(y)] = lost.get((round(x), round(y)), 0) + 1
    taken: list[Point] = []
    for (x, y), number in lost.items():
        taken.append(_tag(sheet, f"{number} lost", (float(x), float(y)), taken))
    for each in shot_down(state):
        x, y = sheet.hex_at(each.at)
        below = (x, y + 0.62 * sheet.scale)
        taken.append(_tag(sheet, f"{each.load} shot down", below, taken))


def _tag(sheet: Sheet, words: str, where: Point, taken: list[Point]) -> Point:
    """Write a small label at a place, moved down until it covers none of the others."""
    x, y = where
    size = 7.0
    wide = text_width(words, size, bold=True) + 6
    while any(abs(x - other[0]) < wide + 1 and abs(y - other[1]) < 11 for other in taken):
        y += 2
    pen = Pen(fill="#ffffff", stroke=INK, width=0.7)
    sheet.drawing.box(x - wide / 2, y - 5, wide, 10, pen)
    sheet.drawing.text(x, y + 2.5, words, size, INK, anchor="middle", bold=True)
    return x, y


def _cut(start: Point, end: Point, sheet: Sheet, out: float) -> Point:
    """``end``, or where the line from ``start`` is ``out`` points outside the picture."""
    share = 1.0
    box = (sheet.left - out, sheet.top - out, sheet.right + out, sheet.bottom + out)
    for axis in (0, 1):
        way = end[axis] - start[axis]
        if way > 0 and end[axis] > box[axis + 2]:
            share = min(share, (box[axis + 2] - start[axis]) / way)
        elif way < 0 and end[axis] < box[axis]:
            share = min(share, (box[axis] - start[axis]) / way)
    return (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))


def _head(drawing: Drawing, start: Point, end: Point, colour: str, size: float) -> None:
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    wings = [
        (end[0] - size * math.cos(angle + turn), end[1] - size * math.sin(angle + turn))
        for turn in (0.45, -0.45)
    ]
    drawing.polygon([end, *wings], Pen(fill=colour))


def draw_flights(sheet: Sheet, state: DropState) -> None:
    """Draw each glider's flight along the hex row of its target, its landing and its shift."""
    colour = side_colour(state.side)
    for unit in state.units:
        if unit.landing:
            _flight(sheet, state, unit, colour)


def _flight(sheet: Sheet, state: DropState, unit: Unit, colour: str) -> None:
    order = next(order for order in state.sealed.gliders if order.load == unit.id)
    wind = state.winds[unit.turn]
    assert unit.landing
    landed = glider_landing(order.at, order.flight, unit.landing, wind, sheet.map, state.settings)
    along = sheet.map.sheet_direction(order.flight)
    entry = sheet.hex_at(sheet.map.enters_at(order.at, along))
    before, end = sheet.at(*centre(landed.before_shift)), sheet.at(*centre(landed.place))
    halo = Pen(stroke="#ffffff", width=3, opacity=0.7)
    sheet.drawing.line([entry, before], halo)
    sheet.drawing.line([entry, before], Pen(stroke=colour, width=0.8, dash=(7, 2)))
    if before != end:
        sheet.drawing.line([before, end], Pen(stroke=colour, width=1.4))
        _head(sheet.drawing, before, end, colour, 5.0)
