"""Lines on the picture of a drop: targets, drift lines, sticks lost off the map, flights."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from asl_pbcg.airborne.drop_map import DropMap
from asl_pbcg.airborne.drop_state import DropState, Stick, WholeUnit
from asl_pbcg.airborne.landing import glider_landing
from asl_pbcg.airborne.wind import Wind
from asl_pbcg.hexes.drawing import Drawing, text_width
from asl_pbcg.hexes.hex_view import HexView
from asl_pbcg.hexes.items import Pen, Point

DARK: Final = "#26241f"
OUTSIDE: Final = 12.0
"""How far outside the picture what left the map is marked, in points."""


@dataclass(frozen=True)
class DropSheet(HexView):
    """A part of a drop's map on the sheet."""

    map: DropMap


@dataclass(frozen=True, slots=True)
class DriftLine:
    """The drift of one target hex in one turn: its row, its wind and its sticks."""

    turn: int
    at: str
    row: str
    wind: Wind
    sticks: tuple[Stick, ...]

    @property
    def length(self) -> int:
        """Return how many hexes downwind the last stick came down."""
        return max(stick.drift for stick in self.sticks)


def drift_lines(state: DropState) -> list[DriftLine]:
    """Return every target hex with its sticks, in the order they were dropped. Rule: II.C."""
    sticks: dict[tuple[int, str], tuple[Stick, ...]] = {}
    for stick in state.sticks:
        if stick.row:
            key = (stick.turn, stick.aimed)
            sticks[key] = (*sticks.get(key, ()), stick)
    return [
        DriftLine(turn, at, group[0].row, state.winds[turn], group)
        for (turn, at), group in sticks.items()
    ]


@dataclass(frozen=True, slots=True)
class DownedLoad:
    """A plane or glider shot down before it landed at ``at``; a glider has no sticks. Rule: I.G."""

    turn: int
    load: str
    at: str
    sticks: int


def downed_loads(state: DropState) -> list[DownedLoad]:
    """Return the planes and gliders that were shot down, in the order of their turns."""
    downed = [counter for counter in state.counters if counter.status == "shot down"]
    loads = Counter(
        (counter.turn, counter.platoon if isinstance(counter, Stick) else counter.id, counter.aimed)
        for counter in downed
    )
    gliders = {unit.id for unit in state.units}
    return [
        DownedLoad(turn, load, at, 0 if load in gliders else sticks)
        for (turn, load, at), sticks in sorted(loads.items(), key=lambda item: item[0][0])
    ]


def target_hexes(state: DropState) -> list[str]:
    """Return every hex that something was aimed at, each once."""
    targets = [drift.at for drift in drift_lines(state)]
    targets += [unit.aimed for unit in state.units if unit.landing]
    return list(dict.fromkeys([*targets, *(load.at for load in downed_loads(state))]))


def line_hexes(state: DropState, dropmap: DropMap) -> Iterator[str]:
    """Yield the hexes of the map that targets and drift lines pass over."""
    yield from target_hexes(state)
    for drift in drift_lines(state):
        line = dropmap.downwind_line(drift.at, drift.wind, drift.length)
        yield from (at for _, at in line if at)


def draw_targets(sheet: DropSheet, state: DropState) -> None:
    """Mark each target hex with a ring and a cross."""
    for at in target_hexes(state):
        x, y = sheet.hex_at(at)
        radius = 0.46 * sheet.scale
        sheet.drawing.circle(x, y, radius, Pen(stroke="#ffffff", width=3.2, opacity=0.8))
        sheet.drawing.circle(x, y, radius, Pen(stroke=DARK, width=1.3))
        ticks = [
            [(x + dx * radius * share, y + dy * radius * share) for share in (0.82, 1.18)]
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
        ]
        sheet.drawing.lines(ticks, Pen(stroke=DARK, width=1.3))


def draw_drift_lines(sheet: DropSheet, state: DropState) -> None:
    """Draw the drift line of each target hex, and tag what left the map or was shot down."""
    lost = Counter[Point]()
    for drift in drift_lines(state):
        line = sheet.map.downwind_line(drift.at, drift.wind, drift.length)
        points = [sheet.at(*place.centre) for place, _ in line]
        if drift.length:
            end = _cut(points[0], points[-1], sheet, OUTSIDE * 0.6)
            halo = Pen(stroke="#ffffff", width=3.4, opacity=0.75, cap="round")
            sheet.drawing.line([points[0], end], halo)
            sheet.drawing.line([points[0], end], Pen(stroke=DARK, width=1.1, dash=(4, 2.4)))
            _draw_head(sheet.drawing, points[0], end, DARK)
        for stick in drift.sticks:
            if stick.fate == "lost":
                x, y = _cut(points[0], points[stick.drift], sheet, OUTSIDE)
                lost[round(x), round(y)] += 1
    taken: list[Point] = []
    for place, number in lost.items():
        taken.append(_draw_tag(sheet, f"{number} lost", place, taken))
    for load in downed_loads(state):
        x, y = sheet.hex_at(load.at)
        below = (x, y + 0.62 * sheet.scale)
        taken.append(_draw_tag(sheet, f"{load.load} shot down", below, taken))


def _draw_tag(sheet: DropSheet, words: str, where: Point, taken: list[Point]) -> Point:
    """Write a small label at a place, moved down until it covers none of the others."""
    x, y = where
    wide = text_width(words, 7.0, bold=True) + 6
    while any(abs(x - tag[0]) < wide + 1 and abs(y - tag[1]) < 11 for tag in taken):
        y += 2
    pen = Pen(fill="#ffffff", stroke=DARK, width=0.7)
    sheet.drawing.box(x - wide / 2, y - 5, wide, 10, pen)
    sheet.drawing.text(x, y + 2.5, words, 7.0, DARK, anchor="middle", bold=True)
    return x, y


def _cut(start: Point, end: Point, sheet: DropSheet, out: float) -> Point:
    """Return ``end``, or where the line from ``start`` is ``out`` points outside the picture."""
    low, high = (sheet.left - out, sheet.top - out), (sheet.right + out, sheet.bottom + out)
    share = 1.0
    for axis in (0, 1):
        way = end[axis] - start[axis]
        bound = high[axis] if way > 0 else low[axis]
        if way and (bound - start[axis]) / way < share:
            share = (bound - start[axis]) / way
    return (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))


def _draw_head(drawing: Drawing, start: Point, end: Point, colour: str, size: float = 5.0) -> None:
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    wings = [
        (end[0] - size * math.cos(angle + turn), end[1] - size * math.sin(angle + turn))
        for turn in (0.45, -0.45)
    ]
    drawing.polygon([end, *wings], Pen(fill=colour))


def draw_arrow(drawing: Drawing, start: Point, end: Point, colour: str, width: float) -> None:
    """Draw a line with a head at its end."""
    drawing.line([start, end], Pen(stroke=colour, width=width))
    _draw_head(drawing, start, end, colour)


def draw_flight(sheet: DropSheet, state: DropState, unit: WholeUnit, colour: str) -> None:
    """Draw a glider's flight along the hex row of its target, its landing and its shift."""
    order = next(order for order in state.sealed.gliders if order.load == unit.id)
    assert unit.landing
    wind = state.winds[unit.turn]
    landed = glider_landing(order.at, order.flight, unit.landing, wind, sheet.map, state.settings)
    entry = sheet.hex_at(sheet.map.entry_hex(order.at, order.flight))
    before, end = sheet.at(*landed.before_shift.centre), sheet.at(*landed.place.centre)
    sheet.drawing.line([entry, before], Pen(stroke="#ffffff", width=3, opacity=0.7))
    sheet.drawing.line([entry, before], Pen(stroke=colour, width=0.8, dash=(7, 2)))
    if before != end:
        draw_arrow(sheet.drawing, before, end, colour, 1.4)
