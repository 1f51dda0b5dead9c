"""The words of a position: what may be true of a piece, and kinds of Fortifications and terrain."""

from enum import StrEnum
from typing import Literal, Self


class UnitStatus(StrEnum):
    """What may be true of a unit at the end of a scenario."""

    BROKEN = "broken"
    DM = "dm"
    DISRUPTED = "disrupted"
    PINNED = "pinned"
    CX = "cx"
    BERSERK = "berserk"
    FANATIC = "fanatic"
    HEROIC = "heroic"
    WOUNDED = "wounded"
    WALKING_WOUNDED = "walking-wounded"
    ENCIRCLED = "encircled"
    UNARMED = "unarmed"
    PRISONER = "prisoner"
    CONCEALED = "concealed"
    HIDDEN = "hidden"
    CLOAKED = "cloaked"
    NO_MOVE = "no-move"
    FREEDOM_OF_MOVEMENT = "freedom-of-movement"
    EXITED = "exited"


class EquipmentStatus(StrEnum):
    """What may be true of a Support Weapon or Gun."""

    MALFUNCTIONED = "malfunctioned"
    CAPTURED = "captured"
    DM = "dm"
    LOW_AMMO = "low-ammo"
    HOOKED = "hooked"
    EMPLACED = "emplaced"
    HIDDEN = "hidden"
    EXITED = "exited"


class VehicleStatus(StrEnum):
    """What may be true of a vehicle."""

    IMMOBILIZED = "immobilized"
    ABANDONED = "abandoned"
    BOGGED = "bogged"
    MIRED = "mired"
    STUNNED = "stunned"  # it has a Stun counter
    STUN_PLUS_1 = "stun-plus-1"  # and the counter shows its +1 side (9.601)
    SHOCKED = "shocked"
    UK = "uk"
    ENCIRCLED = "encircled"  # its Vulnerable PRC are
    RECALL = "recall"
    MA_MALFUNCTIONED = "ma-malfunctioned"
    MA_DISABLED = "ma-disabled"
    BMG_MALFUNCTIONED = "bmg-malfunctioned"
    BMG_DISABLED = "bmg-disabled"
    CMG_MALFUNCTIONED = "cmg-malfunctioned"
    CMG_DISABLED = "cmg-disabled"
    AAMG_MALFUNCTIONED = "aamg-malfunctioned"
    AAMG_DISABLED = "aamg-disabled"
    LOW_AMMO = "low-ammo"
    CAPTURED = "captured"
    MOTION = "motion"
    CE = "ce"
    CONCEALED = "concealed"
    HIDDEN = "hidden"
    NO_MOVE = "no-move"
    FREEDOM_OF_MOVEMENT = "freedom-of-movement"
    EXITED = "exited"

    @classmethod
    def of_weapon(cls, weapon: str, what: Literal["malfunctioned", "disabled"]) -> Self:
        """What is true of a vehicle whose Inherent Weapon (MA, BMG, CMG, AAMG) is that."""
        return cls(f"{weapon.lower()}-{what}")


ELIMINATED = "eliminated"
"""What players write as the status or the place of a piece that was Eliminated in play."""

Status = UnitStatus | EquipmentStatus | VehicleStatus
"""What may be true of a piece; members of two lists with the same word are equal."""


class GliderState(StrEnum):
    """A glider on the map."""

    LANDED = "landed"
    WRECKED = "wrecked"


class FortificationKind(StrEnum):
    """Fortifications that stand on the map or are hidden in it."""

    FOXHOLE = "foxhole"
    TRENCH = "trench"
    PILLBOX = "pillbox"
    WIRE = "wire"
    AP_MINES = "ap-mines"
    AT_MINES = "at-mines"
    MINEFIELD = "minefield"
    """A Minefield counter: it shows neither strength nor type. Rule: 9.6073."""


class TerrainKind(StrEnum):
    """Changes of the printed terrain, fires and wrecks. Rule: CG14."""

    BLAZE = "blaze"
    FLAME = "flame"
    RUBBLE_STONE = "rubble-stone"
    RUBBLE_WOOD = "rubble-wood"
    SHELLHOLE = "shellhole"
    BREACH = "breach"
    TRAIL_BREAK = "trail-break"
    WRECK = "wreck"
    BURNT_OUT_WRECK = "burnt-out-wreck"
    BURNING_WRECK = "burning-wreck"
