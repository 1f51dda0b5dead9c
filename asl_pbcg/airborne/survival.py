"""Jump survival of one stick by the terrain of its hex. Rule: II.D."""

from __future__ import annotations

from fractions import Fraction

from asl_pbcg.airborne.settings import Settings
from asl_pbcg.airborne.tables import table
from asl_pbcg.airborne.units import StickStatus, UnitStatus
from asl_pbcg.kernel.tables import Rolled


def jump(die: int, terrain: str, settings: Settings) -> Rolled:
    """Settle the survival roll of a stick that came down in ``terrain``, a row of the chart.

    Raises IllegalAnswer for a die that is not 1 to 6. Rule: II.D.
    """
    return table("jump_survival", settings).resolve((die,), {"terrain": terrain})


def after_roll(status: StickStatus, result: str) -> StickStatus:
    """The state of a stick on the map after its survival roll. Rule: II.D."""
    if result == "eliminated":
        return "eliminated"
    return "dispersed" if result == "dispersed" else status


def unit_after_roll(status: UnitStatus, result: str) -> UnitStatus:
    """As ``after_roll``, for a glider load where the players use the chart for gliders too."""
    if result == "eliminated":
        return "eliminated"
    return "dispersed" if result == "dispersed" else status


def survival_odds(terrain: str, settings: Settings) -> dict[str, Fraction]:
    """The exact chance of each result in ``terrain``. Rule: II.D."""
    odds = table("jump_survival", settings).odds({"terrain": terrain})
    return {name: odds.get(name, Fraction(0)) for name in ("no effect", "dispersed", "eliminated")}
