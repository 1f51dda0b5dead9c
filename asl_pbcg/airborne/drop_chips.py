"""Counters on the picture of a drop: a chip for each stick and glider load, platoons larger.

A state is shown by more than colour: undispersed is solid, dispersed white with a broken edge,
eliminated grey and crossed out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from asl_pbcg.airborne.drop_state import DropState
from asl_pbcg.airborne.flight_lines import DARK, DropSheet
from asl_pbcg.hexes.chips import ChipFace, Look, draw_chip
from asl_pbcg.hexes.items import Pen
from asl_pbcg.hexes.palette import BLUE, GREEN, RED

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
