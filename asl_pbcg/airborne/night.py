"""Night changes to ranges, spotting and vehicles. Rule: I.C."""

from __future__ import annotations

from asl_pbcg.airborne.limits import LIMITS, Night
from asl_pbcg.airborne.settings import Settings


def _night() -> Night:
    return LIMITS.content.night


def weapon_range(printed: int, settings: Settings) -> int:
    """The range in hexes of a weapon with the ``printed`` range. Rule: I.C.1."""
    return printed // _night().range_divisor if settings.night else printed


def spotting_range(usual: int, settings: Settings) -> int:
    """How many hexes away a unit can be spotted that is seen at ``usual`` by day. Rule: I.C.2."""
    return min(usual, _night().spotting) if settings.night else usual


def movement(printed: int, vehicle: bool, wagon: bool, settings: Settings) -> int:
    """The movement points of a unit; only vehicles lose some, and wagons do not. Rule: I.C.3.

    Never below the setting night_mp_floor (nor above what is printed).
    """
    if not settings.night or not vehicle or wagon:
        return printed
    return max(printed + _night().vehicle_movement, min(printed, settings.night_mp_floor))


def night_words() -> str:
    """The three changes in a sentence."""
    night = _night()
    return (
        f"Night: ranges are divided by {night.range_divisor} and rounded down, spotting reaches "
        f"at most {night.spotting} hexes, vehicles have {night.vehicle_movement} movement "
        "points, wagons keep theirs."
    )
