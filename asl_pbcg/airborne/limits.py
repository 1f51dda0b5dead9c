"""The numbers of the airborne variant that stand in no table: ``data/airborne/rules.yaml``."""

from __future__ import annotations

from typing import Final

import msgspec

from asl_pbcg.airborne.settings import Settings, Speed
from asl_pbcg.kernel.typed_data import data_file


class _Number(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rule: str
    value: int


class _Shift(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rule: str
    values: dict[Speed, int]


class _Batteries(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rule: str
    values: tuple[str, ...]


class Night(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Night changes to ranges, spotting and vehicles. Rule: I.C."""

    rule: str
    range_divisor: int
    spotting: int
    vehicle_movement: int


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/airborne/rules.yaml``."""

    platoon_per_plane: _Number
    platoons_per_hex: _Number
    gliders_per_hex: _Number
    glider_load: _Number
    glider_miss: _Number
    glider_shift: _Shift
    airdropped_artillery_scenario: _Number
    heavy_anti_aircraft: _Batteries
    night: Night


LIMITS: Final = data_file("airborne/rules.yaml", Limits)


def sticks_per_hex(settings: Settings) -> int:
    """How many sticks two platoons are: the most aimed at or landed in a hex. Rule: I.F, II.B."""
    return LIMITS.content.platoons_per_hex.value * settings.sticks_per_platoon


def gliders_per_hex() -> int:
    """How many gliders may be aimed at or landed in a hex in a turn. Rule: III.E."""
    return LIMITS.content.gliders_per_hex.value


def glider_miss() -> int:
    """How many hexes short or long a glider lands. Rule: III.F.1."""
    return LIMITS.content.glider_miss.value


def glider_shift(speed: Speed) -> int:
    """How many hexes the wind shifts a glider. Rule: III.F.2."""
    return LIMITS.content.glider_shift.values[speed]


def airdropped_artillery_scenario() -> int:
    """The one scenario that airdrops artillery. Rule: III.C."""
    return LIMITS.content.airdropped_artillery_scenario.value


def heavy_anti_aircraft() -> tuple[str, ...]:
    """Batteries that may be used as anti-aircraft. Rule: I.B.2."""
    return LIMITS.content.heavy_anti_aircraft.values
