"""Exact odds of drop orders: sticks whole, dispersed and lost, gliders by hex.

The dice are followed through: the wind of the turn serves all drops, one drift die moves all
sticks aimed at a hex, places of a row that is not full are drawn, sticks of several drops that may
crowd one hex are looked at together, and each stick has its survival roll. The odds are those right
after the landing of each turn, without anti-aircraft fire and enemies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from asl_pbcg.airborne import limits
from asl_pbcg.airborne.chances import (
    OFF_MAP,
    OUTCOMES,
    Dist,
    Faces,
    Numbers,
    add_numbers,
    mean_of,
    mix,
    numbers_of,
)
from asl_pbcg.airborne.crowding import Aimed, Line, group_odds
from asl_pbcg.airborne.drift import downwind_line, drift_row
from asl_pbcg.airborne.dropmap import DropMap
from asl_pbcg.airborne.glider_odds import GliderOdds, GlidersInWind
from asl_pbcg.airborne.orders import Orders
from asl_pbcg.airborne.places import Place, place_of
from asl_pbcg.airborne.settings import SPEEDS, DriftRow, Settings, Speed
from asl_pbcg.airborne.survival import survival_odds
from asl_pbcg.airborne.tables import table
from asl_pbcg.airborne.wind import Wind, wind_from


@dataclass(frozen=True, slots=True)
class DropOdds:
    """The odds of everything aimed at one hex in one turn.

    ``numbers`` gives the chance of each number of sticks whole, dispersed and lost; ``eliminated``
    and ``off_map`` are the mean numbers of sticks that ``lost`` is made of.
    """

    turn: int
    at: str
    sticks: int
    dist: Dist
    numbers: dict[str, Numbers]
    eliminated: Fraction
    off_map: Fraction

    def mean(self, outcome: str) -> Fraction:
        """The mean number of sticks ``whole``, ``dispersed`` or ``lost``."""
        return mean_of(self.numbers[outcome])


@dataclass(frozen=True, slots=True)
class TurnOdds:
    """The odds of one turn: each drop, each glider, and all sticks of the turn together."""

    turn: int
    drops: tuple[DropOdds, ...]
    gliders: tuple[GliderOdds, ...]
    sticks: int
    total: dict[str, Numbers]

    def mean(self, outcome: str) -> Fraction:
        """The mean number of sticks of the turn ``whole``, ``dispersed`` or ``lost``."""
        return mean_of(self.total[outcome])


def drop_odds(
    orders: Orders,
    dropmap: DropMap,
    settings: Settings,
    *,
    side: int | None = None,
    speed: Speed | None = None,
) -> tuple[TurnOdds, ...]:
    """Work out the exact odds of all orders, turn by turn.

    ``side`` (hexside 1 to 6 the wind blows from) and ``speed`` take the place of the dice where
    the wind is known.
    """
    turns = sorted({order.turn for order in orders.drops} | {g.turn for g in orders.gliders})
    return tuple(_Turn(orders, turn, dropmap, settings, side, speed).odds() for turn in turns)


def winds(settings: Settings, side: int | None, speed: Speed | None) -> list[tuple[Fraction, Wind]]:
    """Every wind that may blow, with its chance. Rule: I.D, I.E."""
    chart = table("wind_speed", settings).odds({})
    speeds = {speed: Fraction(1)} if speed else {each: chart.get(each, 0) for each in SPEEDS}
    sides = (side,) if side else tuple(range(1, 7))
    return [
        (Fraction(chance) / len(sides), wind_from(one, each, settings))
        for each, chance in speeds.items()
        for one in sides
        if chance
    ]


class _Target(NamedTuple):
    at: str
    sticks: int


@dataclass(slots=True)
class _Gathered:
    """What one wind brings to each target, added up over the winds."""

    drops: dict[int, list[tuple[Fraction, Dist]]] = field(default_factory=dict)
    off_map: dict[int, Fraction] = field(default_factory=dict)
    totals: dict[str, list[tuple[Fraction, Numbers]]] = field(
        default_factory=lambda: {name: [] for name in OUTCOMES}
    )


class _Turn:
    """The odds of one turn."""

    def __init__(
        self,
        orders: Orders,
        turn: int,
        dropmap: DropMap,
        settings: Settings,
        side: int | None,
        speed: Speed | None,
    ) -> None:
        self.turn = turn
        self.map = dropmap
        self.settings = settings
        self.winds = winds(settings, side, speed)
        self.targets = [
            _Target(at, sum(drop.sticks for drop in drops))
            for at, drops in orders.drops_of(turn).items()
        ]
        self.gliders = orders.gliders_of(turn)
        self.most = limits.sticks_per_hex(settings)
        self.after_survival = settings.cap_check == "after_survival"
        self._faces: dict[str, Faces] = {}
        self._rows: dict[str, list[tuple[Fraction, DriftRow]]] = {}

    def odds(self) -> TurnOdds:
        """The odds of the turn."""
        gathered = _Gathered()
        gliders = GlidersInWind(self.gliders, self.map, self.settings)
        for chance, wind in self.winds:
            over = self._wind(chance, wind, gliders.crowded_hexes(wind), gathered)
            gliders.add(chance, wind, over)
        drops = tuple(self._drop(number, gathered) for number in range(len(self.targets)))
        return TurnOdds(
            turn=self.turn,
            drops=drops,
            gliders=gliders.odds(),
            sticks=sum(target.sticks for target in self.targets),
            total={name: mix(parts) for name, parts in gathered.totals.items()},
        )

    def _drop(self, number: int, gathered: _Gathered) -> DropOdds:
        target = self.targets[number]
        dist = mix(gathered.drops[number])
        numbers = numbers_of(dist, target.sticks)
        off_map = gathered.off_map[number]
        return DropOdds(
            turn=self.turn,
            at=target.at,
            sticks=target.sticks,
            dist=dist,
            numbers=numbers,
            eliminated=mean_of(numbers["lost"]) - off_map,
            off_map=off_map,
        )

    def faces(self, at: str) -> Faces:
        """The faces of the survival die in a hex, by its worst row."""
        if at not in self._faces:
            row = self.map.survival_rows(at, self.settings)[0]
            odds = survival_odds(row, self.settings)
            self._faces[at] = Faces(
                *(int(odds[name] * 6) for name in ("no effect", "dispersed", "eliminated"))
            )
        return self._faces[at]

    def rows(self, speed: Speed) -> list[tuple[Fraction, DriftRow]]:
        """The drift diagrams of a wind speed with their chances. Rule: II.C."""
        if speed not in self._rows:
            odds = table("drift_pattern", self.settings).odds({"wind": speed})
            self._rows[speed] = [
                (chance, drift_row(letter, self.settings)) for letter, chance in odds.items()
            ]
        return self._rows[speed]

    # One wind

    def _wind(
        self,
        chance: Fraction,
        wind: Wind,
        crowded_hexes: list[tuple[Fraction, frozenset[str]]],
        gathered: _Gathered,
    ) -> dict[str, Fraction]:
        """Add what one wind brings; returns the chance that sticks crowd a hex, by hex."""
        over: dict[str, Fraction] = {}
        for part, spoiled in crowded_hexes:
            weight = chance * part
            aimed = [self._aim(target, wind, spoiled) for target in self.targets]
            for number, each in enumerate(aimed):
                gathered.off_map.setdefault(number, Fraction(0))
                for share, line in each.lines:
                    off = sum(at is None for at, _ in line.places)
                    sticks = Fraction(off * each.sticks, len(line.places))
                    gathered.off_map[number] += weight * share * sticks
            totals = []
            for group in _groups(aimed, self.most):
                found = group_odds(
                    [aimed[number] for number in group],
                    self.most,
                    self.after_survival,
                    partial(self._faces_in, spoiled=spoiled),
                    self._along(wind),
                )
                for number, dist in zip(group, found.each, strict=True):
                    gathered.drops.setdefault(number, []).append((weight, dist))
                totals.append(found.total)
                for at, crowding in found.crowds.items():
                    over[at] = over.get(at, Fraction(0)) + part * crowding
            for name, numbers in _sum_of(totals).items():
                gathered.totals[name].append((weight, numbers))
        return over

    def _faces_in(self, at: str, spoiled: frozenset[str]) -> Faces:
        return self.faces(at).spoiled if at in spoiled else self.faces(at)

    def _along(self, wind: Wind) -> Callable[[str], int]:
        """How far downwind a hex lies, to put hexes of one row in order."""
        start = Place(0, 0)
        step = start.step(self.map.sheet_direction(wind.blows_to))

        def along(at: str) -> int:
            place = place_of(self.map.grid, at)
            return place.column * step.column + place.double * step.double

        return along

    def _aim(self, target: _Target, wind: Wind, spoiled: frozenset[str]) -> Aimed:
        lines = []
        for part, row in self.rows(wind.speed):
            line = downwind_line(self.map, target.at, wind, len(row.sticks) - 1)
            places = [line[distance][1] for distance in row.places]
            if self.settings.stick_assignment != "random_slots":
                places = places[: target.sticks]
            found = [(at, self._faces_in(at, spoiled) if at else OFF_MAP) for at in places]
            lines.append((part, Line(found)))
        return Aimed(target.at, target.sticks, lines)


def _groups(aimed: Sequence[Aimed], most: int) -> list[list[int]]:
    """The targets in groups whose sticks may together crowd a hex; most stand alone."""
    reach = [each.most_in() for each in aimed]
    by_hex: dict[str, list[int]] = {}
    for number, found in enumerate(reach):
        for at in found:
            by_hex.setdefault(at, []).append(number)
    group_of = list(range(len(aimed)))
    for at, numbers in by_hex.items():
        if sum(reach[number][at] for number in numbers) > most:
            joined = {group_of[number] for number in numbers}
            group_of = [min(joined) if group in joined else group for group in group_of]
    groups: dict[int, list[int]] = {}
    for number, group in enumerate(group_of):
        groups.setdefault(group, []).append(number)
    return list(groups.values())


def _sum_of(parts: Sequence[dict[str, Numbers]]) -> dict[str, Numbers]:
    """Whole, dispersed and lost of independent groups of sticks, each added up by itself."""
    found: dict[str, Numbers] = {name: {0: Fraction(1)} for name in OUTCOMES}
    for part in parts:
        found = {name: add_numbers(found[name], part[name]) for name in OUTCOMES}
    return found
