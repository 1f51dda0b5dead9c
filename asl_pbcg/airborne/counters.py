"""Counters on the picture of a drop: a chip for each stick and glider load, platoons larger.

A state is told by more than colour: undispersed is solid, dispersed white with a broken edge,
eliminated grey and crossed out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from asl_pbcg.airborne.state import DropState
from asl_pbcg.airborne.units import Stick
from asl_pbcg.hexes.chips import ChipFace, Look, draw_chip
from asl_pbcg.hexes.items import Pen
from asl_pbcg.hexes.palette import BLUE, GREEN, RED

if TYPE_CHECKING:
    from asl_pbcg.airborne.sheet import Sheet

COLOUR: Final = {"british": RED, "german": BLUE}
SHAPES: Final[dict[str, Literal["plate", "pointed", "framed"]]] = {
    "glider": "pointed",
    "platoon": "framed",
}
PITCH: Final = 0.31
"""From chip to chip downwards, in hex heights, where there is room."""


@dataclass(frozen=True, slots=True)
class Chip:
    """One counter: its words, its state, and whether it is a glider load or a platoon."""

    words: str
    status: str
    kind: str = "stick"


def side_colour(side: str) -> str:
    """The colour of a side; any other force is green."""
    return COLOUR.get(side, GREEN)


def chips_by_hex(state: DropState) -> dict[str, list[Chip]]:
    """What is drawn in each hex: sticks and gliders where they fell, platoons where they stand."""
    found: dict[str, list[Chip]] = {}
    for unit in state.units:
        if unit.sticks and unit.at:
            found.setdefault(unit.at, []).append(Chip(unit.id, unit.status, "platoon"))
        elif unit.fell:
            chip = Chip(unit.id, unit.fate or unit.status, "glider")
            found.setdefault(unit.fell, []).append(chip)
    for stick in state.sticks:
        if stick.fell:
            found.setdefault(stick.fell, []).append(Chip(stick.id, stick.fate or stick.status))
    return found


def draw_counters(sheet: Sheet, state: DropState) -> None:
    """Draw the ways sticks gathered, then every counter. Rule: II.H."""
    colour = side_colour(state.side)
    sticks = {stick.id: stick for stick in state.sticks}
    for unit in state.units:
        if unit.at:
            _gathering(sheet, unit.at, [sticks[id_] for id_ in unit.sticks if id_ in sticks])
    for at, chips in chips_by_hex(state).items():
        x, y = sheet.hex_at(at)
        _stack(sheet, chips, x, y + 0.08 * sheet.scale, colour)


def _gathering(sheet: Sheet, at: str, sticks: list[Stick]) -> None:
    pen = Pen(stroke="#26241f", width=0.7, dash=(1.2, 1.6), opacity=0.75)
    for stick in sticks:
        if stick.fell and stick.fell != at:
            sheet.drawing.line([sheet.hex_at(stick.fell), sheet.hex_at(at)], pen)


def _stack(sheet: Sheet, chips: list[Chip], x: float, y: float, colour: str) -> None:
    """Put chips into a hex: one column of up to three, then two; platoons first."""
    large = [chip for chip in chips if chip.kind == "platoon"]
    small = [chip for chip in chips if chip.kind != "platoon"]
    columns = 1 if len(small) <= 3 else 2
    rows = [large[at : at + columns] for at in range(0, len(large), columns)]
    rows += [small[at : at + columns] for at in range(0, len(small), columns)]
    scale = sheet.scale
    pitch = min(PITCH, 0.84 / max(1, len(rows))) * scale
    # In the half hexes at the map's edge the chips move inward.
    half = pitch * len(rows) / 2
    y = min(max(y, sheet.top + half), sheet.bottom - half)
    x = min(max(x, sheet.left + 0.5 * scale), sheet.right - 0.5 * scale)
    first = y - pitch * (len(rows) - 1) / 2
    for number, row in enumerate(rows):
        across = 0.54 * scale
        start = x - across * (len(row) - 1) / 2
        for place, chip in enumerate(row):
            wide = (0.53 if len(row) > 1 else 1.0 if chip.kind == "platoon" else 0.9) * scale
            middle = (start + place * across, first + number * pitch)
            data = {"piece": chip.words}
            title = f"{chip.words}, {chip.status}"
            with sheet.drawing.group(classes="counter", title=title, data=data):
                draw_chip(sheet.drawing, chip_face(chip, colour), middle, wide, 0.86 * pitch)


def chip_face(chip: Chip, colour: str) -> ChipFace:
    """What a chip looks like: its state by its look, what it is by its shape."""
    looks: dict[str, Look] = {"dispersed": "outlined", "eliminated": "crossed out"}
    shape = SHAPES.get(chip.kind, "plate")
    return ChipFace(chip.words, colour, looks.get(chip.status, "solid"), shape)
