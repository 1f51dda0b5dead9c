"""The panel beside the picture of a drop: wind, drops with their sticks, platoons, signs."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Final

from asl_pbcg.airborne.counters import Chip, chip_face, side_colour
from asl_pbcg.airborne.lines import Drift, drifts, shot_down
from asl_pbcg.airborne.state import DropState
from asl_pbcg.airborne.wind import Wind
from asl_pbcg.hexes.chips import draw_chip
from asl_pbcg.hexes.items import Pen
from asl_pbcg.hexes.page import draw_headline, lines_of_words
from asl_pbcg.hexes.palette import INK, SOFT
from asl_pbcg.kernel.wording import number_words

if TYPE_CHECKING:
    from asl_pbcg.airborne.sheet import Sheet

PANEL: Final = 196.0
"""Width of the panel in points."""
STEP: Final = {"N": 0, "NE": 60, "SE": 120, "S": 180, "SW": 240, "NW": 300}
TOPS: Final = {"N": 0, "E": 90, "S": 180, "W": 270}
STATES: Final = ("undispersed", "dispersed", "eliminated", "lost")


def draw_panel(sheet: Sheet, state: DropState, left: float, top: float) -> None:
    """Write the panel with its top left corner at a point; it shrinks if it is long."""
    y = _winds(sheet, state, left, top + 8)
    y = _signs(sheet, state, left, y)
    rows = _rows(state)
    room = sheet.drawing.height - 30 - y
    line = min(11.0, room / max(1.0, sum(height for height, _, _ in rows)))
    for height, words, bold in rows:
        size = min(7.4, 0.68 * line)
        if bold:
            y += 0.2 * line
            draw_headline(sheet.drawing, words, left, y, PANEL)
            y += (height - 0.2) * line
        else:
            sheet.drawing.text(left, y + 0.75 * line, words, size, INK)
            y += height * line


def _winds(sheet: Sheet, state: DropState, left: float, y: float) -> float:
    """A rose for each wind; returns where the panel goes on."""
    draw_headline(sheet.drawing, "Wind", left, y, PANEL)
    y += 12
    turns = [turn for turn in sorted(state.winds) if _has_landed(state, turn)] or sorted(
        state.winds
    )
    for place, turn in enumerate(turns[:3]):
        x = left + 32 + place * 66
        _rose(sheet, state.winds[turn], x, y + 28)
        sheet.drawing.text(x, y + 66, f"turn {turn}", 7.2, INK, anchor="middle", bold=True)
        wind = state.winds[turn]
        words = f"{wind.speed}, from {wind.comes_from}"
        sheet.drawing.text(x, y + 75, words, 7.0, INK, anchor="middle")
    return y + 82


def _has_landed(state: DropState, turn: int) -> bool:
    return any(stick.turn == turn and stick.row for stick in state.sticks) or any(
        unit.turn == turn and unit.landing for unit in state.units
    )


def _rose(sheet: Sheet, wind: Wind, x: float, y: float) -> None:
    drawing, radius = sheet.drawing, 19.0
    drawing.circle(x, y, radius, Pen(fill="#ffffff", stroke=SOFT, width=0.6))
    north = math.radians(-TOPS[sheet.map.sheet_top])
    for quarter, name in enumerate("NESW"):
        angle = north + quarter * math.pi / 2
        dx, dy = math.sin(angle), -math.cos(angle)
        drawing.line(
            [(x + dx * radius, y + dy * radius), (x + dx * (radius - 3), y + dy * (radius - 3))],
            Pen(stroke=INK, width=0.9),
        )
        drawing.text(
            x + dx * (radius + 6.5),
            y + dy * (radius + 6.5) + 2.7,
            name,
            7.6,
            INK,
            anchor="middle",
            bold=name == "N",
        )
    angle = math.radians(STEP[sheet.map.sheet_direction(wind.blows_to)])
    dx, dy = math.sin(angle), -math.cos(angle)
    tail, tip = (x - dx * 15, y - dy * 15), (x + dx * 15, y + dy * 15)
    feathers = {"low": 1, "gusty": 2, "high": 3}[wind.speed]
    drawing.line([tail, tip], Pen(stroke=INK, width=1.6))
    drawing.polygon(
        [
            tip,
            (tip[0] - dx * 7 - dy * 3.2, tip[1] - dy * 7 + dx * 3.2),
            (tip[0] - dx * 7 + dy * 3.2, tip[1] - dy * 7 - dx * 3.2),
        ],
        Pen(fill=INK),
    )
    for number in range(feathers):
        px, py = tail[0] + dx * 3.4 * number, tail[1] + dy * 3.4 * number
        end = (px - dx * 2.5 - dy * 5.5, py - dy * 2.5 + dx * 5.5)
        drawing.line([(px, py), end], Pen(stroke=INK, width=1.2))


def _signs(sheet: Sheet, state: DropState, left: float, y: float) -> float:
    """Samples of the counters; returns where the panel goes on."""
    draw_headline(sheet.drawing, "Counters", left, y, PANEL)
    y += 17
    colour = side_colour(state.side)
    samples = [
        (Chip("1.1", "undispersed"), "stick"),
        (Chip("1.1", "dispersed"), "dispersed"),
        (Chip("1.1", "eliminated"), "eliminated"),
    ]
    if any(unit.glider for unit in state.units):
        samples.append((Chip("G1", "undispersed", "glider"), "glider load"))
    if any(unit.sticks for unit in state.units):
        samples.append((Chip("para 1", "undispersed", "platoon"), "platoon formed"))
    for number, (chip, words) in enumerate(samples):
        column, row = number % 3, number // 3
        x = left + column * 66
        wide = 26.0 if chip.kind == "platoon" else 20.0
        draw_chip(sheet.drawing, chip_face(chip, colour), (x + wide / 2, y + row * 13), wide, 8.6)
        sheet.drawing.text(x + wide + 4, y + row * 13 + 2.5, words, 7, INK)
    return y + 13 * ((len(samples) + 2) // 3)


def _rows(state: DropState) -> list[tuple[float, str, bool]]:
    """The lines of the panel: (height in lines, words, whether it is a headline)."""
    rows: list[tuple[float, str, bool]] = []
    found = drifts(state)
    if found:
        rows.append((1.35, "Drops", True))
        rows.append((1.0, "sticks undispersed, dispersed, eliminated, lost", False))
        for drift in found:
            rows += [(1.0, words, False) for words in _drop_lines(drift)]
    if found:
        count = Counter(stick.fate for drift in found for stick in drift.sticks)
        total = ", ".join(str(count[name]) for name in STATES)
        number = sum(count.values())
        rows.append((1.1, f"All {number} sticks: {total}", False))
    gliders = [unit for unit in state.units if unit.landing]
    if gliders:
        rows.append((1.35, "Gliders", True))
        for unit in gliders:
            place = f"{unit.fell}, {unit.fate}" if unit.fell else "off the map, lost"
            words = f"{unit.id}: aimed at {unit.aimed}, {unit.landing.replace('_', ' ')}, {place}"
            rows.append((1.0, words, False))
    downed = shot_down(state)
    if downed:
        rows.append((1.35, "Shot down", True))
        for each in downed:
            plane = f"plane of {each.load}, {number_words(each.sticks, 'stick')}"
            what = plane if each.sticks else f"glider of {each.load}"
            words = f"Turn {each.turn}, {what}, aimed at {each.at}"
            rows += [(1.0, part, False) for part in lines_of_words(words, PANEL, 7.4, later="   ")]
    formed = [unit for unit in state.units if unit.sticks]
    if formed:
        rows.append((1.35, "Platoons formed", True))
        for unit in formed:
            names = ", ".join(unit.sticks)
            words = f"{unit.id} in {unit.at or 'no hex'}, turn {unit.turn}: {names}"
            rows += [(1.0, part, False) for part in lines_of_words(words, PANEL, 7.4, later="   ")]
    return rows


def _drop_lines(drift: Drift) -> list[str]:
    count = Counter(stick.fate for stick in drift.sticks)
    numbers = ", ".join(str(count[name]) for name in STATES)
    planes = ", ".join(dict.fromkeys(stick.platoon for stick in drift.sticks))
    words = f"Turn {drift.turn}, {drift.at}, row {drift.row}: {numbers} ({planes})"
    return lines_of_words(words, PANEL, 7.4, later="   ")
