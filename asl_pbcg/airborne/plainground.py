"""The ground of a plain hex map: a colour and a word for each kind of terrain, hex names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from asl_pbcg.airborne.settings import default_settings
from asl_pbcg.hexes.items import Pen
from asl_pbcg.hexes.palette import GRAIN, LEVELS, MARSH, PAPER, SWAMP, TREE, WATER

if TYPE_CHECKING:
    from asl_pbcg.airborne.sheet import Sheet

COLOURS: Final = {
    "sea": WATER,
    "forest": TREE,
    "town": "#cbb9ac",
    "gully": GRAIN,
    "swamp": SWAMP,
    "stream": MARSH,
    "slope": LEVELS[1],
    "clear": PAPER,
}
"""By row of the Jump Survival Chart."""


def draw_plain_ground(sheet: Sheet) -> None:
    """Draw the hexes of a plain map that the picture shows."""
    drawing, settings = sheet.drawing, default_settings()
    seen = sheet.hexes
    with drawing.clip(sheet.frame):
        drawing.polygon(sheet.frame, Pen(fill=PAPER))
        for name in seen:
            rows = sheet.map.survival_rows(name, settings)
            pen = Pen(fill=COLOURS[rows[0]], stroke="#8b877d", width=max(0.25, 0.014 * sheet.scale))
            drawing.polygon(sheet.hex_ring(name), pen)
        for name in seen:
            x, y = sheet.hex_at(name)
            drawing.text(
                x, y - 0.33 * sheet.scale, name, 0.15 * sheet.scale, "#33302b", anchor="middle"
            )
            words = ", ".join(word for word in sheet.map.words(name) if word != "clear")
            drawing.text(
                x, y + 0.46 * sheet.scale, words, 0.12 * sheet.scale, "#33302b", anchor="middle"
            )
