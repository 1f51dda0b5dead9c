"""What players are told when they fill in a position: the guide page and the word lists."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from asl_pbcg.campaign.position_words import (
    EquipmentStatus,
    FortificationKind,
    GliderState,
    TerrainKind,
    UnitStatus,
    VehicleStatus,
)
from asl_pbcg.campaign.terms import CGDate, Side

_MEANING: Final[tuple[tuple[StrEnum, str], ...]] = (
    (UnitStatus.BROKEN, "Broken"),
    (UnitStatus.DM, "Desperation Morale"),
    (UnitStatus.DISRUPTED, "Disrupted"),
    (UnitStatus.PINNED, "Pinned"),
    (UnitStatus.CX, "CX"),
    (UnitStatus.BERSERK, "Berserk"),
    (UnitStatus.FANATIC, "Fanatic"),
    (UnitStatus.HEROIC, "Heroic leader"),
    (UnitStatus.WOUNDED, "Wounded leader or hero"),
    (UnitStatus.WALKING_WOUNDED, "Walking Wounded MMC (CG17)"),
    (UnitStatus.ENCIRCLED, "Encircled"),
    (UnitStatus.UNARMED, "Unarmed, no prisoner"),
    (UnitStatus.PRISONER, "Prisoner; fill in guarded_by"),
    (UnitStatus.CONCEALED, "Under a ? counter"),
    (UnitStatus.HIDDEN, "Set up HIP and not found"),
    (UnitStatus.CLOAKED, "Cloaked (night)"),
    (UnitStatus.NO_MOVE, "On a No Move counter"),
    (UnitStatus.FREEDOM_OF_MOVEMENT, "Has gained Freedom of Movement (CG4)"),
    (UnitStatus.EXITED, "Left the map by this Entry Area in this scenario (CG15)"),
    (EquipmentStatus.MALFUNCTIONED, "Malfunctioned"),
    (EquipmentStatus.CAPTURED, "Captured from the other side"),
    (EquipmentStatus.DM, "Dismantled"),
    (EquipmentStatus.LOW_AMMO, "Low Ammo"),
    (EquipmentStatus.HOOKED, "Gun hooked up to a vehicle"),
    (EquipmentStatus.EMPLACED, "Gun Emplaced"),
    (EquipmentStatus.HIDDEN, "Set up HIP and not found"),
    (EquipmentStatus.EXITED, "Left the map by this Entry Area in this scenario (CG15)"),
    (VehicleStatus.IMMOBILIZED, "Immobilized"),
    (VehicleStatus.ABANDONED, "Abandoned"),
    (VehicleStatus.BOGGED, "Bogged"),
    (VehicleStatus.MIRED, "Mired"),
    (VehicleStatus.STUNNED, "Has a Stun counter, whichever side of it is up"),
    (VehicleStatus.STUN_PLUS_1, "Its Stun counter shows the +1 side (9.601)"),
    (VehicleStatus.SHOCKED, "Shocked"),
    (VehicleStatus.UK, "Unconfirmed Kill"),
    (VehicleStatus.ENCIRCLED, "Its Vulnerable crew is Encircled"),
    (VehicleStatus.RECALL, "Under Recall"),
    (VehicleStatus.MA_MALFUNCTIONED, "Main Armament malfunctioned"),
    (VehicleStatus.MA_DISABLED, "Main Armament disabled"),
    (VehicleStatus.BMG_MALFUNCTIONED, "BMG malfunctioned"),
    (VehicleStatus.BMG_DISABLED, "BMG disabled"),
    (VehicleStatus.CMG_MALFUNCTIONED, "CMG malfunctioned"),
    (VehicleStatus.CMG_DISABLED, "CMG disabled"),
    (VehicleStatus.AAMG_MALFUNCTIONED, "AAMG malfunctioned"),
    (VehicleStatus.AAMG_DISABLED, "AAMG disabled"),
    (VehicleStatus.LOW_AMMO, "Low Ammo"),
    (VehicleStatus.CAPTURED, "Captured from the other side"),
    (VehicleStatus.MOTION, "In Motion"),
    (VehicleStatus.CE, "Crew Exposed"),
    (VehicleStatus.CONCEALED, "Under a ? counter"),
    (VehicleStatus.HIDDEN, "Set up HIP and not found"),
    (VehicleStatus.NO_MOVE, "On a No Move counter"),
    (VehicleStatus.FREEDOM_OF_MOVEMENT, "Has gained Freedom of Movement (CG4)"),
    (VehicleStatus.EXITED, "Left the map by this Entry Area in this scenario (CG15)"),
    (GliderState.LANDED, "Landed and not wrecked"),
    (GliderState.WRECKED, "Wrecked"),
    (FortificationKind.FOXHOLE, "Foxhole; size 1 to 3"),
    (FortificationKind.TRENCH, "Trench"),
    (FortificationKind.PILLBOX, "Pillbox"),
    (FortificationKind.WIRE, "Wire"),
    (FortificationKind.AP_MINES, "A-P minefield; size is its factors"),
    (FortificationKind.AT_MINES, "A-T minefield; size is its factors"),
    (
        FortificationKind.MINEFIELD,
        "Minefield counter: neither strength nor type (9.6073)",
    ),
    (TerrainKind.BLAZE, "Terrain Blaze"),
    (TerrainKind.FLAME, "Flame"),
    (TerrainKind.RUBBLE_STONE, "Stone Rubble"),
    (TerrainKind.RUBBLE_WOOD, "Wooden Rubble"),
    (TerrainKind.SHELLHOLE, "Shellholes"),
    (TerrainKind.BREACH, "Breach; fill in hexside"),
    (TerrainKind.TRAIL_BREAK, "Trail Break; fill in hexside"),
    (TerrainKind.WRECK, "Wreck"),
    (TerrainKind.BURNT_OUT_WRECK, "Burnt-Out Wreck"),
    (TerrainKind.BURNING_WRECK, "Burning Wreck"),
    (Side.BRITISH, "British"),
    (Side.GERMAN, "German"),
    *((date, date.title) for date in CGDate),
)
"""What each word means, in the players' words; pairs, for dm is a word of two lists."""
_BY_WORD: Final = {(type(word), word.value): says for word, says in _MEANING}


ELIMINATED_SAYS: Final = "Eliminated in play; nothing else is read of its row"


def meaning(word: StrEnum) -> str:
    """What a word means in the list it belongs to."""
    return _BY_WORD[type(word), word.value]


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
    "Every unit, weapon and vehicle needs an id of its own, as you like it: b1, lmg-1, tiger. "
    "It keeps the id for the whole campaign.",
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
        "id": "b1",
        "side": "british",
        "type": "6-4-8",
        "at": "Z15/1",
        "status": "broken",
        "possesses": "lmg-1",
        "formation": "ox-and-bucks",
    },
    "equipment": {
        "id": "lmg-1",
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
