"""The numbers of the airborne variant that stand in no table, from ``data/airborne/rules.yaml``."""

from __future__ import annotations

from typing import Any

from asl_pbcg.airborne.settings import Settings, Speed
from asl_pbcg.kernel.data import load_data


def _rule(key: str) -> Any:
    return load_data("airborne/rules.yaml")[key]


def sticks_per_hex(settings: Settings) -> int:
    """How many sticks two platoons are: the most aimed at or landed in a hex. Rule: I.F, II.B."""
    return int(_rule("platoons_per_hex")["value"]) * settings.sticks_per_platoon


def gliders_per_hex() -> int:
    """How many gliders may be aimed at or landed in a hex in a turn. Rule: III.E."""
    return int(_rule("gliders_per_hex")["value"])


def glider_miss() -> int:
    """How many hexes short or long a glider lands. Rule: III.F.1."""
    return int(_rule("glider_miss")["value"])


def glider_shift(speed: Speed) -> int:
    """How many hexes the wind shifts a glider. Rule: III.F.2."""
    return int(_rule("glider_shift")["values"][speed])


def airdropped_artillery_scenario() -> int:
    """The one scenario that airdrops artillery. Rule: III.C."""
    return int(_rule("airdropped_artillery_scenario")["value"])


def heavy_anti_aircraft() -> tuple[str, ...]:
    """Batteries that may be used as anti-aircraft. Rule: I.B.2."""
    return tuple(_rule("heavy_anti_aircraft")["values"])
