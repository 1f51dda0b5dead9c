"""Exact odds of gliders: where each lands, and in which state. Rule: III.E, III.F."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from asl_pbcg.airborne import limits
from asl_pbcg.airborne.chances import Numbers, add_numbers
from asl_pbcg.airborne.dropmap import DropMap
from asl_pbcg.airborne.gliders import Result, glider_landing
from asl_pbcg.airborne.orders import GliderOrder
from asl_pbcg.airborne.settings import Settings
from asl_pbcg.airborne.survival import survival_odds
from asl_pbcg.airborne.tables import table
from asl_pbcg.airborne.wind import Wind

_RESULTS: Final[tuple[Result, ...]] = ("short", "on_target", "long")


@dataclass(frozen=True, slots=True)
class GliderOdds:
    """The odds of one glider: where it lands (lost where it is on no hex) and in which state."""

    load: str
    at: str
    hexes: dict[str, Fraction]
    states: dict[str, Fraction]


class GlidersInWind:
    """The odds of the gliders of a turn, wind by wind. Rule: III.E, III.F."""

    def __init__(
        self, gliders: Sequence[GliderOrder], dropmap: DropMap, settings: Settings
    ) -> None:
        self.gliders = gliders
        self.map = dropmap
        self.settings = settings
        self.most = limits.gliders_per_hex()
        self._hexes: list[dict[str, Fraction]] = [{} for _ in gliders]
        self._states: list[dict[str, Fraction]] = [{} for _ in gliders]

    def places(self, wind: Wind) -> list[dict[str, Fraction]]:
        """Where each glider may land in this wind; "" is off the map."""
        odds = table("glider_landing", self.settings).odds({})
        found: list[dict[str, Fraction]] = []
        for order in self.gliders:
            places: dict[str, Fraction] = {}
            for result in _RESULTS:
                landed = glider_landing(
                    order.at, order.flight, result, wind, self.map, self.settings
                )
                at = landed.at or ""
                places[at] = places.get(at, Fraction(0)) + odds.get(result, Fraction(0))
            found.append(places)
        return found

    def crowded_hexes(self, wind: Wind) -> list[tuple[Fraction, frozenset[str]]]:
        """Every set of hexes that too many gliders may land in, with its chance."""
        places = self.places(wind)
        reach = Counter(at for found in places for at in found if at)
        near = {at for at, number in reach.items() if number > self.most}
        joined = [found for found in places if near & found.keys()]
        # Gliders one after the other; hexes outside ``near`` need no counting.
        states: dict[tuple[tuple[str, int], ...], Fraction] = {(): Fraction(1)}
        for found in joined:
            new: dict[tuple[tuple[str, int], ...], Fraction] = {}
            for state, chance in states.items():
                for at, part in found.items():
                    counts = dict(state)
                    if at in near:
                        counts[at] = counts.get(at, 0) + 1
                    key = tuple(sorted(counts.items()))
                    new[key] = new.get(key, Fraction(0)) + chance * part
            states = new
        sets: dict[frozenset[str], Fraction] = {}
        for state, chance in states.items():
            over = frozenset(at for at, number in state if number > self.most)
            sets[over] = sets.get(over, Fraction(0)) + chance
        return [(chance, over) for over, chance in sets.items()]

    def add(
        self,
        chance: Fraction,
        wind: Wind,
        crowded_by_sticks: Mapping[str, Fraction],
    ) -> None:
        """Add what one wind brings to each glider."""
        places = self.places(wind)
        for number, found in enumerate(places):
            others = [other for at, other in enumerate(places) if at != number]
            for at, part in found.items():
                weight = chance * part
                hexes = self._hexes[number]
                hexes[at] = hexes.get(at, Fraction(0)) + weight
                if not at:
                    self._state(number, "lost", weight)
                    continue
                quiet = 1 - crowded_by_sticks.get(at, Fraction(0))
                crowd = 1 - quiet * (1 - self._at_least(others, at, self.most))
                self._land(number, at, weight, crowd)

    def _land(self, number: int, at: str, weight: Fraction, crowd: Fraction) -> None:
        if self.settings.glider_terrain_check == "use_jump_table":
            row = self.map.survival_rows(at, self.settings)[0]
            odds = survival_odds(row, self.settings)
            self._state(number, "eliminated", weight * odds["eliminated"])
            whole = odds["no effect"] * (1 - crowd)
            self._state(number, "undispersed", weight * whole)
            self._state(number, "dispersed", weight * (1 - odds["eliminated"] - whole))
        else:
            self._state(number, "undispersed", weight * (1 - crowd))
            self._state(number, "dispersed", weight * crowd)

    def _state(self, number: int, name: str, chance: Fraction) -> None:
        if chance:
            states = self._states[number]
            states[name] = states.get(name, Fraction(0)) + chance

    @staticmethod
    def _at_least(others: Sequence[Mapping[str, Fraction]], at: str, number: int) -> Fraction:
        """The chance that at least ``number`` of these gliders land in a hex."""
        counts: Numbers = {0: Fraction(1)}
        for other in others:
            there = other.get(at, Fraction(0))
            counts = add_numbers(counts, {0: 1 - there, 1: there} if there else {0: Fraction(1)})
        return sum((part for count, part in counts.items() if count >= number), Fraction(0))

    def odds(self) -> tuple[GliderOdds, ...]:
        """The odds of each glider."""
        return tuple(
            GliderOdds(
                load=order.load,
                at=order.at,
                hexes=dict(sorted(hexes.items(), key=lambda item: -item[1])),
                states=states,
            )
            for order, hexes, states in zip(self.gliders, self._hexes, self._states, strict=True)
        )
