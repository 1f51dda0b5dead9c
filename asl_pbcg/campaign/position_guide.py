"""The guide page of the workbook that players fill in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ELIMINATED_SAYS: Final = "Eliminated in play; nothing else is read of its row"


SHEETS: Final[Mapping[str, str]] = {
    "about": "the CG Date and the few facts there is one of. Only the date must be filled in.",
    "control": "the Strategic Locations each side Controls, one below the other; those of SSR "
    "PB4 too, Strategic or not.",
    "gliders": "gliders on the map, landed or wrecked.",
    "fortifications": "foxholes, trenches, pillboxes, Wire and mines.",
    "terrain": "fires, Rubble, shellholes, breaches and wrecks.",
    "units": "squads, HS, crews, leaders and heroes, one row each.",
    "equipment": "Support Weapons and Guns, one row each, possessed or not.",
    "vehicles": "vehicles, one row each; their Inherent crews are part of them.",
    "ww_box": "British Airborne MMC in the Walking Wounded box (CG17).",
}
"""The sheets to fill in, and what goes on each."""

STEPS: Final = (
    "Fill this workbook in when a CG scenario ends, before the Refit Phase. "
    "Put down what stands on the map then; the program does the rest.",
    "Begin on the sheet about: choose the CG Date just played.",
    "Every other sheet is a list with one row for each piece. A list may stay empty. "
    "Rows may stand in any order, and empty rows do no harm.",
    "Cells with a drop-down list take the words of that list; all words are explained on the "
    "sheet words.",
    "A cell that takes several words, as status or possesses, takes them with commas between: "
    "broken, wounded.",
    "Locations: Z15 is ground level of hex Z15, Z15/1 the first level of the building there, "
    "Z21/pillbox inside the pillbox. What waits off map has the Entry Area as its place: "
    "off-map A7.",
    "Under id stands the name of a unit, weapon or vehicle as sheets and map have it: A-3, LMG 3b. "
    "It stays the same for the whole campaign. A new piece gets one of your own: b1, tiger.",
    "A piece that was Eliminated: write eliminated as its status or its place, or leave its row "
    "out. You are asked about a row whose place is empty. The status exited is for Germans who "
    "left by their own Entry Area and live (CG15).",
    "Capitals do not matter in these words, in types and in Locations: Broken, z15.",
    "Captured equipment belongs to the side that has it now, with status captured; its type is "
    "what its own side calls it.",
    "Do not change the headings, and write no formulas.",
    "Check it with: pbcg position check FILE. All mistakes are named at once, with sheet, row "
    "and column, and with what would be right.",
)
"""How to fill in the workbook."""

EXAMPLE: Final[Mapping[str, Mapping[str, str]]] = {
    "units": {
        "id": "A-1",
        "side": "british",
        "type": "6-4-8",
        "at": "Z15/1",
        "status": "broken",
        "possesses": "LMG 1b",
        "formation": "ox-and-bucks",
    },
    "equipment": {
        "id": "LMG 1b",
        "side": "british",
        "type": "LMG",
        "at": "Z15/1",
        "status": "malfunctioned",
    },
    "control": {"british": "Z15/1", "german": "Z15"},
}
"""One row of three sheets, told on the guide page."""

EXAMPLE_SAYS: Final = (
    "This is a British 6-4-8 of the Ox and Bucks, broken, on the first level of the building in "
    "Z15. It possesses a malfunctioned LMG, which has its own row on the sheet equipment. The "
    "British Control the first level of Z15, the Germans its ground level."
)
