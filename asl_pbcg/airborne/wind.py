"""Wind direction and wind speed. Rule: I.D, I.E."""

from __future__ import annotations

import msgspec

from asl_pbcg.airborne.drop_settings import SPEEDS, DropSettings, Speed
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest_or_all


class Wind(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The wind of one turn. ``side`` is the hexside 1 to 6 it blows from, with compass names.

    It serves every drop and every glider of the turn. Rule: I.D, I.E.
    """

    side: int
    comes_from: str
    blows_to: str
    speed: Speed

    def __str__(self) -> str:
        return (
            f"{self.speed} wind from hexside {self.side} ({self.comes_from}) towards "
            f"hexside {downwind(self.side)} ({self.blows_to})"
        )


def downwind(side: int) -> int:
    """Return the hexside the wind blows towards: opposite the one it comes from. Rule: I.D."""
    return (side + 2) % 6 + 1


def wind_from(side: int, speed: Speed, settings: DropSettings) -> Wind:
    """Return the wind that comes from hexside ``side`` (1 to 6). Rule: I.D, I.E."""
    names = settings.wind_numbering
    return Wind(side=side, comes_from=names[side], blows_to=names[downwind(side)], speed=speed)


def read_side(typed: str, settings: DropSettings) -> int:
    """Return the hexside a player names by number or compass, for example ``5`` or ``W``.

    Raises PBCGError with the hexsides there are.
    """
    wanted = typed.strip().upper()
    for side, name in settings.wind_numbering.items():
        if wanted in (name, str(side)):
            return side
    sides = ", ".join(f"{side} ({name})" for side, name in sorted(settings.wind_numbering.items()))
    raise PBCGError(
        f'"{typed[:20]}" is not a hexside when the orientation is {settings.orientation}: '
        f"the hexsides are {sides}."
    )


def read_speed(typed: str) -> Speed:
    """Return the wind speed a player names. Raises PBCGError with the three there are."""
    for speed in SPEEDS:
        if typed.strip().lower() == speed:
            return speed
    raise PBCGError(f'"{typed[:20]}" is not a wind speed{nearest_or_all(typed, SPEEDS)}.')
