"""What a plan of landings may come to in each wind, to be read before its orders are sealed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from asl_pbcg.airborne.dropmap import DropMap
from asl_pbcg.airborne.odds import drop_odds
from asl_pbcg.airborne.orders import Orders
from asl_pbcg.airborne.settings import Settings

WATER: Final = "sea"
"""The row of the Jump Survival Chart that water comes under."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """The wind from one hexside: which share of all sticks is lost on average, off the map or
    eliminated, and for each glider the chance that it comes down in water or off the map."""

    side: str
    lost: Fraction
    gliders: tuple[tuple[str, Fraction], ...]


def forecast(orders: Orders, dropmap: DropMap, settings: Settings) -> Iterator[Forecast]:
    """Work out what to expect of ``orders`` for each hexside that the wind may blow from.

    Rule: I.D, II.C, II.D, III.F.
    """
    for number, side in settings.wind_numbering.items():
        lost, sticks = Fraction(0), 0
        wet: list[tuple[str, Fraction]] = []
        for turn in drop_odds(orders, dropmap, settings, side=number):
            sticks += turn.sticks
            lost += turn.mean("lost")
            for glider in turn.gliders:
                chance = sum(
                    (part for at, part in glider.hexes.items() if _is_bad(at, dropmap, settings)),
                    Fraction(0),
                )
                if chance:
                    wet.append((glider.load, chance))
        yield Forecast(side, lost / sticks if sticks else Fraction(0), tuple(wet))


def _is_bad(at: str, dropmap: DropMap, settings: Settings) -> bool:
    return not at or WATER in dropmap.survival_rows(at, settings)


def forecast_lines(orders: Orders, dropmap: DropMap, settings: Settings) -> list[str]:
    """The forecast in lines of at most 80 letters."""
    from asl_pbcg.kernel.tables import percent

    found = ["Wind from   sticks lost   gliders that may end in water or off the map"]
    for each in forecast(orders, dropmap, settings):
        wet = ", ".join(f"{load} {percent(chance)}" for load, chance in each.gliders)
        found.append(f"  {each.side:<10}{percent(each.lost):>8}      {wet or '-'}")
    return found
