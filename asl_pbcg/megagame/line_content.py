"""The content of one line of the umpire: each thing that was said in it, once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.megagame.mega_settings import capital, spell_out
from asl_pbcg.megagame.playing_cards import Card

_LABELS: Final = {
    "at.name": "the target",
    "by.name": "who acts",
    "at.quality": "the target's quality",
    "by.quality": "the quality of who acts",
    "at.figures": "the target's figures",
    "by.figures": "the figures of who acts",
    "at.vehicle": "the target's vehicle",
    "by.vehicle": "the vehicle of who acts",
    "cover": "the cover of the target",
}


@dataclass(slots=True)
class DescribedUnit:
    """One unit of a line: its name at the table, or what it is."""

    name: str = ""
    side: str = ""
    quality: str = ""
    vehicle: str = ""
    figures: int | None = None

    @property
    def is_blank(self) -> bool:
        """Return whether nothing was said of it."""
        return self == DescribedUnit()


@dataclass(slots=True)
class LineContent:
    """The content of a line. ``by`` is the unit that acts, ``at`` the target.

    ``weapon`` is a name of the setting ``weapon_dice``, empty when only the dice matter; ``count``
    weapons or figures fire it, or ``dice`` says the dice outright. Distances are in inches.
    ``guns`` are flak weapons with their distances; ``contact`` figures reach base contact.
    """

    by: DescribedUnit = field(default_factory=DescribedUnit)
    at: DescribedUnit = field(default_factory=DescribedUnit)
    calibre: int | None = None
    bomb: str = ""
    cover: str = ""
    guns: list[tuple[str, float | None]] = field(default_factory=list)
    weapon: str = ""
    count: int | None = None
    dice: int | None = None
    distance: float | None = None
    building: bool = False
    short: bool = False
    moved: bool = False
    flank: bool = False
    anti_armour: str = ""
    hits: int | None = None
    contact: int | None = None
    edge: float | None = None
    state: str = ""
    names: list[str] = field(default_factory=list)
    text: str = ""
    # What the umpire says of an ambush or a target that the program takes to be lawful.
    seen: bool = True
    covered: bool = True
    unseen: bool = True
    still: bool = True
    in_front: bool = True
    # A house fight: groups of each side, and how its cards come.
    attackers: list[str] = field(default_factory=list)
    defenders: list[str] = field(default_factory=list)
    house: str = ""
    deal: bool = False
    real: bool = False
    hands: tuple[tuple[Card, ...], tuple[Card, ...]] | None = None

    @property
    def shell(self) -> str:
        """Return what falls: a bomb, a rocket or a calibre, or nothing."""
        return self.bomb or (f"{self.calibre} mm" if self.calibre else "")

    def put(self, key: str, value: Any) -> None:
        """Note that ``key`` is ``value``; raises IllegalAnswer if it was said otherwise."""
        owner, _, name = key.rpartition(".")
        part: Any = getattr(self, owner) if owner else self
        before = getattr(part, name)
        if isinstance(before, list):
            before.append(value)
        elif before in ("", None, False, value):
            setattr(part, name, value)
        else:
            label = capital(_LABELS.get(key, key))
            both = " and ".join(spell_out(str(statement)) for statement in (before, value))
            raise IllegalAnswer(f"{label} is said twice: {both}.")
