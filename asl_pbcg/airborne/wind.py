"""Wind direction and wind speed. Rule: I.D, I.E."""

from __future__ import annotations

from difflib import get_close_matches

import msgspec

from asl_pbcg.airborne.settings import SPEEDS, Settings, Speed
from asl_pbcg.kernel.errors import PBCGError


class Wind(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The wind of one turn. ``side`` is the hexside 1 to 6 it blows from; compass names beside.

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
    """The hexside the wind blows towards: opposite the one it comes from. Rule: I.D."""
    return (side + 2) % 6 + 1


def wind_from(side: int, speed: Speed, settings: Settings) -> Wind:
    """The wind that comes from hexside ``side`` (1 to 6). Rule: I.D, I.E."""
    numbering = settings.wind_numbering
    return Wind(
        side=side, comes_from=numbering[side], blows_to=numbering[downwind(side)], speed=speed
    )


def read_side(typed: str, settings: Settings) -> int:
    """The hexside a player names by number or compass, for example ``5`` or ``W``.

    Raises PBCGError with the hexsides there are.
    """
    wanted = typed.strip().upper()
    by_name = {name: side for side, name in settings.wind_numbering.items()}
    if wanted in by_name:
        return by_name[wanted]
    if (
        wanted.isascii()
        and wanted.isdigit()
        and len(wanted) < 4
        and int(wanted) in settings.wind_numbering
    ):
        return int(wanted)
    known = ", ".join(f"{side} ({name})" for side, name in sorted(settings.wind_numbering.items()))
    raise PBCGError(
        f'"{typed[:20]}" is no hexside when the orientation is {settings.orientation}: '
        f"the hexsides are {known}."
    )


def read_speed(typed: str) -> Speed:
    """The wind speed a player names. Raises PBCGError with the three there are."""
    wanted = typed.strip().lower()
    for speed in SPEEDS:
        if wanted == speed:
            return speed
    close = get_close_matches(wanted, SPEEDS, 1, 0.5)
    near = f" Perhaps {close[0]}?" if close else ""
    raise PBCGError(f'"{typed[:20]}" is no wind speed: {", ".join(SPEEDS)} are.{near}')
