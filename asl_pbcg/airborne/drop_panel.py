"""Counters and panel of the picture of a drop: chips on the hexes, and the text beside the map.

Each stick and glider load is a chip, a platoon a larger one. A state is shown by more than colour:
undispersed is solid, dispersed white with a broken edge, eliminated grey and crossed out. The
panel lists wind, drops with their sticks, platoons, and signs. Rule: II.H.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from asl_pbcg.airborne.drop_state import DropState, Stick
from asl_pbcg.airborne.flight_lines import DARK, DropSheet, downed_loads, draw_arrow, drift_lines
from asl_pbcg.hexes.counters import ChipFace, Look, draw_chip
from asl_pbcg.hexes.items import BLUE, GREEN, INK, RED, Pen
from asl_pbcg.hexes.lattice import DIRECTIONS
from asl_pbcg.hexes.page import draw_headline, lines_of_words
from asl_pbcg.kernel.wording import number_words

PITCH: Final = 0.31
"""From chip to chip downwards, in hex heights, where there is room."""
SHAPES: Final[dict[str, Literal["plate", "pointed", "framed"]]] = {
    "stick": "plate",
    "glider load": "pointed",
    "platoon": "framed",
}


@dataclass(frozen=True, slots=True)
class DropChip:
    """One counter: its words, its state, and what it is."""

    words: str
    status: str
    kind: Literal["stick", "glider load", "platoon"] = "stick"

    def face(self, colour: str) -> ChipFace:
        """Return what it looks like: its state by its look, what it is by its shape."""
        looks: dict[str, Look] = {"dispersed": "outlined", "eliminated": "crossed out"}
        look = looks.get(self.status, "solid")
        return ChipFace(self.words, colour, look, SHAPES[self.kind])


def side_colour(side: str) -> str:
    """Return the colour of a side; any other force is green."""
    return {"british": RED, "german": BLUE}.get(side, GREEN)


def chips_by_hex(state: DropState) -> dict[str, list[DropChip]]:
    """Return the chips of each hex: what fell where it fell, platoons where they stand."""
    chips: dict[str, list[DropChip]] = {}
    for unit in state.units:
        if unit.sticks and unit.at:
            chips.setdefault(unit.at, []).append(DropChip(unit.id, unit.status, "platoon"))
        elif unit.fell:
            chip = DropChip(unit.id, unit.fate or unit.status, "glider load")
            chips.setdefault(unit.fell, []).append(chip)
    for stick in state.sticks:
        if stick.fell:
            chip = DropChip(stick.id, stick.fate or stick.status)
            chips.setdefault(stick.fell, []).append(chip)
    return chips


def draw_counters(sheet: DropSheet, state: DropState, colour: str) -> None:
    """Draw the ways sticks gathered, then every counter. Rule: II.H."""
    sticks = {stick.id: stick for stick in state.sticks}
    pen = Pen(stroke=DARK, width=0.7, dash=(1.2, 1.6), opacity=0.75)
    for unit in state.units:
        for stick in (sticks[id] for id in unit.sticks if unit.at and id in sticks):
            if stick.fell not in ("", unit.at):
                sheet.drawing.line([sheet.hex_at(stick.fell), sheet.hex_at(unit.at)], pen)
    for at, chips in chips_by_hex(state).items():
        _draw_stack(sheet, at, chips, colour)


def _draw_stack(sheet: DropSheet, at: str, chips: list[DropChip], colour: str) -> None:
    """Put chips into a hex: one column of up to three sticks, then two; platoons first."""
    large = [chip for chip in chips if chip.kind == "platoon"]
    small = [chip for chip in chips if chip.kind != "platoon"]
    columns = 1 if len(small) <= 3 else 2
    rows = [
        group[start : start + columns]
        for group in (large, small)
        for start in range(0, len(group), columns)
    ]
    scale, (x, y) = sheet.scale, sheet.hex_at(at)
    pitch = min(PITCH, 0.84 / len(rows)) * scale
    # In the half hexes at the map's edge the chips move inward.
    half = pitch * len(rows) / 2
    y = min(max(y + 0.08 * scale, sheet.top + half), sheet.bottom - half)
    x = min(max(x, sheet.left + 0.5 * scale), sheet.right - 0.5 * scale)
    for number, row in enumerate(rows):
        for place, chip in enumerate(row):
            wide = 0.53 if len(row) > 1 else 1.0 if chip.kind == "platoon" else 0.9
            across = x + 0.54 * scale * (place - (len(row) - 1) / 2)
            middle = (across, y + pitch * (number - (len(rows) - 1) / 2))
            title, data = f"{chip.words}, {chip.status}", {"piece": chip.words}
            with sheet.drawing.group(classes="counter", title=title, data=data):
                draw_chip(sheet.drawing, chip.face(colour), middle, wide * scale, 0.86 * pitch)


PANEL: Final = 196.0
"""Width of the panel in points."""
FATES: Final = ("undispersed", "dispersed", "eliminated", "lost")
_TEXT: Final = 7.4


def draw_panel(sheet: DropSheet, state: DropState, left: float, top: float) -> None:
    """Write the panel with its top left corner at a point; it shrinks if it is long."""
    y = _draw_winds(sheet, state, left, top + 8)
    y = _draw_signs(sheet, state, left, y)
    rows = [
        (words, bold) for title, lines in _sections(state) for words, bold in _rows(title, lines)
    ]
    heights = [1.35 if bold else 1.0 for _, bold in rows]
    line = min(11.0, (sheet.drawing.height - 30 - y) / max(1.0, sum(heights)))
    for (words, bold), height in zip(rows, heights, strict=True):
        if bold:
            draw_headline(sheet.drawing, words, left, y + 0.2 * line, PANEL)
        else:
            size = min(_TEXT, 0.68 * line)
            sheet.drawing.text(left, y + 0.75 * line, words, size, INK)
        y += height * line


def _rows(title: str, lines: Iterable[str]) -> list[tuple[str, bool]]:
    """Return a headline and its lines, broken to the width of the panel."""
    broken = (part for line in lines for part in lines_of_words(line, PANEL, _TEXT, later="   "))
    return [(title, True), *((part, False) for part in broken)]


def _draw_winds(sheet: DropSheet, state: DropState, left: float, y: float) -> float:
    """Draw a compass for each wind that something landed in; returns where the panel goes on."""
    drawing = sheet.drawing
    draw_headline(drawing, "Wind", left, y, PANEL)
    landed = {stick.turn for stick in state.sticks if stick.row}
    landed |= {unit.turn for unit in state.units if unit.landing}
    north = -math.radians({"N": 0, "E": 90, "S": 180, "W": 270}[sheet.map.sheet_top])
    for place, turn in enumerate(sorted(landed or state.winds)[:3]):
        x, middle, wind = left + 32 + place * 66, y + 40, state.winds[turn]
        drawing.circle(x, middle, 19.0, Pen(fill="#ffffff", stroke=INK, width=0.6))
        tip = (x + 25.5 * math.sin(north), middle + 2.7 - 25.5 * math.cos(north))
        drawing.text(*tip, "N", 7.6, INK, anchor="middle", bold=True)
        angle = math.radians(60 * DIRECTIONS.index(sheet.map.directions[wind.blows_to]))
        dx, dy = 15 * math.sin(angle), -15 * math.cos(angle)
        draw_arrow(drawing, (x - dx, middle - dy), (x + dx, middle + dy), INK, 1.6)
        drawing.text(x, middle + 38, f"turn {turn}", 7.2, INK, anchor="middle", bold=True)
        words = f"{wind.speed}, from {wind.comes_from}"
        drawing.text(x, middle + 47, words, 7.0, INK, anchor="middle")
    return y + 94


def _draw_signs(sheet: DropSheet, state: DropState, left: float, y: float) -> float:
    """Draw samples of the counters; returns where the panel goes on."""
    draw_headline(sheet.drawing, "Counters", left, y, PANEL)
    samples = [
        (DropChip("1.1", "undispersed"), "stick"),
        (DropChip("1.1", "dispersed"), "dispersed"),
        (DropChip("1.1", "eliminated"), "eliminated"),
    ]
    if any(unit.glider for unit in state.units):
        samples.append((DropChip("G1", "undispersed", "glider load"), "glider load"))
    if any(unit.sticks for unit in state.units):
        samples.append((DropChip("para 1", "undispersed", "platoon"), "platoon formed"))
    colour = side_colour(state.side)
    for number, (chip, words) in enumerate(samples):
        x, middle = left + number % 3 * 66, y + 17 + number // 3 * 13
        wide = 26.0 if chip.kind == "platoon" else 20.0
        draw_chip(sheet.drawing, chip.face(colour), (x + wide / 2, middle), wide, 8.6)
        sheet.drawing.text(x + wide + 4, middle + 2.5, words, 7, INK)
    return y + 17 + 13 * ((len(samples) + 2) // 3)


def _sections(state: DropState) -> Iterable[tuple[str, list[str]]]:
    """Yield the headlines of the panel, each with its lines."""
    lines = drift_lines(state)
    if lines:
        drops = [f"sticks {', '.join(FATES)}"]
        for drift in lines:
            planes = ", ".join(dict.fromkeys(stick.platoon for stick in drift.sticks))
            numbers = f"{_count_fates(drift.sticks)} ({planes})"
            drops.append(f"Turn {drift.turn}, {drift.at}, row {drift.row}: {numbers}")
        sticks = [stick for drift in lines for stick in drift.sticks]
        yield "Drops", [*drops, f"All {len(sticks)} sticks: {_count_fates(sticks)}"]
    gliders = [unit for unit in state.units if unit.landing]
    if gliders:
        yield (
            "Gliders",
            [
                f"{unit.id}: aimed at {unit.aimed}, {unit.landing.replace('_', ' ')}, "
                + (f"{unit.fell}, {unit.fate}" if unit.fell else "off the map, lost")
                for unit in gliders
            ],
        )
    downed = []
    for load in downed_loads(state):
        plane = f"plane of {load.load}, {number_words(load.sticks, 'stick')}"
        what = plane if load.sticks else f"glider of {load.load}"
        downed.append(f"Turn {load.turn}, {what}, aimed at {load.at}")
    if downed:
        yield "Shot down", downed
    formed = [unit for unit in state.units if unit.sticks]
    if formed:
        yield (
            "Platoons formed",
            [
                f"{unit.id} in {unit.at or 'no hex'}, turn {unit.turn}: {', '.join(unit.sticks)}"
                for unit in formed
            ],
        )


def _count_fates(sticks: Iterable[Stick]) -> str:
    count = Counter(stick.fate for stick in sticks)
    return ", ".join(str(count[fate]) for fate in FATES)
