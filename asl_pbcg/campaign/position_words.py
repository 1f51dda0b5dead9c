"""The words of a position: what may be true of a piece, and kinds of Fortifications and terrain."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, Literal, Self


class PositionWord(StrEnum):
    """A word of a position and what it means, in the players' words."""

    _value_: str
    meaning: str

    def __new__(cls, word: str, meaning: str = "") -> Self:
        """Make a member of a word and its meaning."""
        member = str.__new__(cls, word)
        member._value_ = word
        member.meaning = meaning
        return member

    @property
    def called(self) -> str:
        """Return its name as players say it: Foxhole, Burnt-Out Wreck."""
        return self.meaning.partition(";")[0].partition(":")[0]


class UnitStatus(PositionWord):
    """All that may be true of a unit at the end of a scenario."""

    BROKEN = "broken", "Broken"
    DM = "dm", "Desperation Morale"
    DISRUPTED = "disrupted", "Disrupted"
    PINNED = "pinned", "Pinned"
    CX = "cx", "CX"
    BERSERK = "berserk", "Berserk"
    FANATIC = "fanatic", "Fanatic"
    HEROIC = "heroic", "Heroic leader"
    WOUNDED = "wounded", "Wounded leader or hero"
    WALKING_WOUNDED = "walking-wounded", "Walking Wounded MMC (CG17)"
    ENCIRCLED = "encircled", "Encircled"
    UNARMED = "unarmed", "Unarmed, no prisoner"
    PRISONER = "prisoner", "Prisoner; fill in guarded_by"
    CONCEALED = "concealed", "Under a ? counter"
    HIDDEN = "hidden", "Set up HIP and not found"
    CLOAKED = "cloaked", "Cloaked (night)"
    NO_MOVE = "no-move", "On a No Move counter"
    FREEDOM_OF_MOVEMENT = "freedom-of-movement", "Has gained Freedom of Movement (CG4)"
    EXITED = "exited", "Left the map by this Entry Area in this scenario (CG15)"


class EquipmentStatus(PositionWord):
    """All that may be true of a Support Weapon or Gun."""

    MALFUNCTIONED = "malfunctioned", "Malfunctioned"
    CAPTURED = "captured", "Captured from the other side"
    DM = "dm", "Dismantled"
    LOW_AMMO = "low-ammo", "Low Ammo"
    HOOKED = "hooked", "Gun hooked up to a vehicle"
    EMPLACED = "emplaced", "Gun Emplaced"
    HIDDEN = "hidden", "Set up HIP and not found"
    EXITED = "exited", "Left the map by this Entry Area in this scenario (CG15)"


class VehicleStatus(PositionWord):
    """All that may be true of a vehicle."""

    IMMOBILIZED = "immobilized", "Immobilized"
    ABANDONED = "abandoned", "Abandoned"
    BOGGED = "bogged", "Bogged"
    MIRED = "mired", "Mired"
    STUNNED = "stunned", "Has a Stun counter, whichever side of it is up"
    STUN_PLUS_1 = (
        "stun-plus-1",
        "Its Stun counter shows the +1 side (9.601)",
    )  # and the counter shows its +1 side (9.601)
    SHOCKED = "shocked", "Shocked"
    UK = "uk", "Unconfirmed Kill"
    ENCIRCLED = "encircled", "Its Vulnerable crew is Encircled"
    RECALL = "recall", "Under Recall"
    MA_MALFUNCTIONED = "ma-malfunctioned", "Main Armament malfunctioned"
    MA_DISABLED = "ma-disabled", "Main Armament disabled"
    BMG_MALFUNCTIONED = "bmg-malfunctioned", "BMG malfunctioned"
    BMG_DISABLED = "bmg-disabled", "BMG disabled"
    CMG_MALFUNCTIONED = "cmg-malfunctioned", "CMG malfunctioned"
    CMG_DISABLED = "cmg-disabled", "CMG disabled"
    AAMG_MALFUNCTIONED = "aamg-malfunctioned", "AAMG malfunctioned"
    AAMG_DISABLED = "aamg-disabled", "AAMG disabled"
    LOW_AMMO = "low-ammo", "Low Ammo"
    CAPTURED = "captured", "Captured from the other side"
    MOTION = "motion", "In Motion"
    CE = "ce", "Crew Exposed"
    CONCEALED = "concealed", "Under a ? counter"
    HIDDEN = "hidden", "Set up HIP and not found"
    NO_MOVE = "no-move", "On a No Move counter"
    FREEDOM_OF_MOVEMENT = "freedom-of-movement", "Has gained Freedom of Movement (CG4)"
    EXITED = "exited", "Left the map by this Entry Area in this scenario (CG15)"

    @classmethod
    def of_weapon(cls, weapon: str, what: Literal["malfunctioned", "disabled"]) -> Self:
        """Return the status of a vehicle whose Inherent Weapon (MA, BMG, CMG, AAMG) is that."""
        return cls(f"{weapon.lower()}-{what}")


ELIMINATED = "eliminated"
"""The word that players write as the status or the place of a piece that was Eliminated in play."""

Status = UnitStatus | EquipmentStatus | VehicleStatus
"""All that may be true of a piece; members of two lists with the same word are equal."""


_SPELLED: Final = {
    "dm": "DM",
    "cx": "CX",
    "ce": "CE",
    "uk": "UK",
    "no-move": "No Move",
    "freedom-of-movement": "Freedom of Movement",
    "walking-wounded": "Walking Wounded",
    "low-ammo": "Low Ammo",
    "stun-plus-1": "Stun +1",
}
"""The words of files that players write otherwise."""


def status_words(status: Iterable[str]) -> str:
    """Say what is true of a piece as players write it: ``Stun +1, MA malfunctioned``."""
    return ", ".join(map(_spell, status))


def _spell(word: str) -> str:
    if word is EquipmentStatus.DM:
        return "dm"  # dismantled, in the rulebook's letters
    return _SPELLED.get(word) or _weapon_first(word).replace("-", " ")


def _weapon_first(word: str) -> str:
    """Write an Inherent Weapon in capitals: ``MA-disabled``."""
    weapon, _, what = word.partition("-")
    return f"{weapon.upper()} {what}" if what in ("malfunctioned", "disabled") else word


class GliderState(PositionWord):
    """A glider on the map."""

    LANDED = "landed", "Landed and not wrecked"
    WRECKED = "wrecked", "Wrecked"


class FortificationKind(PositionWord):
    """Fortifications that stand on the map or are hidden in it."""

    FOXHOLE = "foxhole", "Foxhole; size 1 to 3"
    TRENCH = "trench", "Trench"
    PILLBOX = "pillbox", "Pillbox"
    WIRE = "wire", "Wire"
    AP_MINES = "ap-mines", "A-P minefield; size is its factors"
    AT_MINES = "at-mines", "A-T minefield; size is its factors"
    MINEFIELD = "minefield", "Minefield counter: neither strength nor type (9.6073)"
    """A Minefield counter: it shows neither strength nor type. Rule: 9.6073."""


class TerrainKind(PositionWord):
    """Changes of the printed terrain, fires and wrecks. Rule: CG14."""

    BLAZE = "blaze", "Terrain Blaze"
    FLAME = "flame", "Flame"
    RUBBLE_STONE = "rubble-stone", "Stone Rubble"
    RUBBLE_WOOD = "rubble-wood", "Wooden Rubble"
    SHELLHOLE = "shellhole", "Shellholes"
    BREACH = "breach", "Breach; fill in hexside"
    TRAIL_BREAK = "trail-break", "Trail Break; fill in hexside"
    WRECK = "wreck", "Wreck"
    BURNT_OUT_WRECK = "burnt-out-wreck", "Burnt-Out Wreck"
    BURNING_WRECK = "burning-wreck", "Burning Wreck"


WRECKS: Final = frozenset(
    {TerrainKind.WRECK, TerrainKind.BURNT_OUT_WRECK, TerrainKind.BURNING_WRECK}
)
