"""Exact odds of drop orders: sticks whole, dispersed and lost, gliders by hex.

The dice are followed through: the wind of the turn serves all drops, one drift die moves all
sticks aimed at a hex, places of a row that is not full are drawn, sticks of several drops that may
crowd one hex are looked at together, and each stick has its survival roll. The odds are those right
after the landing of each turn, without anti-aircraft fire and enemies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import NamedTuple

from asl_pbcg.airborne import limits
from asl_pbcg.airborne.chances import (
    OFF_MAP,
    Dist,
    Faces,
    Numbers,
    add_numbers,
    crowded,
    expected,
    mix,
    numbers_of,
    sticks_in,
    together,
)
from asl_pbcg.airborne.drift import DriftRow, downwind_line, drift_row
from asl_pbcg.airborne.dropmap import DropMap
from asl_pbcg.airborne.glider_odds import GliderOdds, GlidersInWind
from asl_pbcg.airborne.orders import Orders
from asl_pbcg.airborne.settings import SPEEDS, Settings, Speed
from asl_pbcg.airborne.survival import survival_odds
from asl_pbcg.airborne.tables import table
from asl_pbcg.airborne.wind import Wind, wind_from

OUTCOMES = ("whole", "dispersed", "lost")


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
        return expected(self.numbers[outcome])


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
        return expected(self.total[outcome])


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


class _Line(NamedTuple):
    """One target under one drift diagram: the faces of each place, and the places by hex."""

    places: list[tuple[str | None, Faces]]
    by_hex: Counter[str]


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
            eliminated=expected(numbers["lost"]) - off_map,
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
        lines = [
            [(part, self._line(target, row, wind)) for part, row in self.rows(wind.speed)]
            for target in self.targets
        ]
        for number, (target, options) in enumerate(zip(self.targets, lines, strict=True)):
            gathered.off_map.setdefault(number, Fraction(0))
            for part, line in options:
                off = sum(hex_ is None for hex_, _ in line.places)
                share = Fraction(off * target.sticks, len(line.places))
                gathered.off_map[number] += chance * part * share
        over: dict[str, Fraction] = {}
        for part, spoiled in crowded_hexes:
            weight = chance * part
            totals = []
            for group in self._groups(lines):
                each, total, crowds = self._group(group, lines, spoiled)
                for number, dist in zip(group, each, strict=True):
                    gathered.drops.setdefault(number, []).append((weight, dist))
                totals.append(total)
                for hex_, crowding in crowds.items():
                    over[hex_] = over.get(hex_, Fraction(0)) + part * crowding
            for name, numbers in _sum_of(totals).items():
                gathered.totals[name].append((weight, numbers))
        return over

    def _line(self, target: _Target, row: DriftRow, wind: Wind) -> _Line:
        line = downwind_line(self.map, target.at, wind, len(row.sticks) - 1)
        places = [(line[distance][1], distance) for distance in row.places]
        if self.settings.stick_assignment != "random_slots":
            places = places[: target.sticks]
        found = [(at, self.faces(at) if at else OFF_MAP) for at, _ in places]
        return _Line(found, Counter(at for at, _ in places if at))

    def _groups(self, lines: Sequence[Sequence[tuple[Fraction, _Line]]]) -> list[list[int]]:
        """The targets in groups whose sticks may together crowd a hex; most stand alone."""
        reach: list[Counter[str]] = []
        for target, options in zip(self.targets, lines, strict=True):
            most: Counter[str] = Counter()
            for _, line in options:
                for at, count in line.by_hex.items():
                    most[at] = max(most[at], min(count, target.sticks))
            reach.append(most)
        together_at: dict[str, list[int]] = {}
        for number, most in enumerate(reach):
            for at in most:
                together_at.setdefault(at, []).append(number)
        group_of = list(range(len(reach)))
        for at, numbers in together_at.items():
            if sum(reach[number][at] for number in numbers) > self.most:
                joined = {group_of[number] for number in numbers}
                group_of = [min(joined) if group in joined else group for group in group_of]
        groups: dict[int, list[int]] = {}
        for number, group in enumerate(group_of):
            groups.setdefault(group, []).append(number)
        return list(groups.values())

    def _group(
        self,
        group: Sequence[int],
        lines: Sequence[Sequence[tuple[Fraction, _Line]]],
        spoiled: frozenset[str],
    ) -> tuple[list[Dist], dict[str, Numbers], dict[str, Fraction]]:
        """One group: each target's sticks, all its sticks, and the chance to crowd each hex.

        First as if no hex could be crowded; then every choice of drift diagrams that crowds one
        is put right.
        """
        sticks = [self.targets[number].sticks for number in group]
        each = [
            [(part, self._alone(number, line, spoiled)) for part, line in lines[target]]
            for number, target in zip(sticks, group, strict=True)
        ]
        apart = [numbers_of(mix(parts), number) for parts, number in zip(each, sticks, strict=True)]
        totals = [(Fraction(1), _sum_of(apart))]
        crowds: dict[str, Fraction] = {}
        for choice in product(*(lines[number] for number in group)) if len(group) > 1 else ():
            found = [line for _, line in choice]
            full = self._full(sticks, found)
            if not full:
                continue
            chance = prod((part for part, _ in choice), start=Fraction(1))
            alone = [
                self._alone(number, line, spoiled)
                for number, line in zip(sticks, found, strict=True)
            ]
            for parts, dist in zip(each, alone, strict=True):
                parts.append((-chance, dist))
            wrong = [numbers_of(dist, number) for dist, number in zip(alone, sticks, strict=True)]
            totals.append((-chance, _sum_of(wrong)))
            for weight, dists, total, over in self._placed(sticks, found, full, spoiled):
                for parts, dist in zip(each, dists, strict=True):
                    parts.append((chance * weight, dist))
                totals.append((chance * weight, total))
                for at, crowding in over.items():
                    crowds[at] = crowds.get(at, Fraction(0)) + chance * weight * crowding
        both = {name: mix((part, total[name]) for part, total in totals) for name in OUTCOMES}
        return [mix(parts) for parts in each], both, crowds

    def _alone(self, sticks: int, line: _Line, spoiled: frozenset[str]) -> Dist:
        return sticks_in(
            [faces.spoiled if at in spoiled else faces for at, faces in line.places], sticks
        )

    def _full(self, sticks: Sequence[int], lines: Sequence[_Line]) -> list[str]:
        """The hexes in which more than two platoons may land with these drift diagrams."""
        most: Counter[str] = Counter()
        for number, line in zip(sticks, lines, strict=True):
            for at, count in line.by_hex.items():
                most[at] += min(count, number)
        return [at for at, count in most.items() if count > self.most]

    def _placed(
        self,
        sticks: Sequence[int],
        lines: Sequence[_Line],
        full: Sequence[str],
        spoiled: frozenset[str],
    ) -> Iterator[tuple[Fraction, list[Dist], dict[str, Numbers], dict[str, Fraction]]]:
        """Every way to fill the hexes that may be crowded, with its chance and what comes of it."""
        patterns = [
            list(self._patterns(number, line, full, spoiled))
            for number, line in zip(sticks, lines, strict=True)
        ]
        for choice in product(*patterns):
            chance = prod((part for part, _, _ in choice), start=Fraction(1))
            each = [rest for _, _, rest in choice]
            totals = [
                numbers_of(rest, number - sum(filled))
                for number, (_, filled, rest) in zip(sticks, choice, strict=True)
            ]
            over = {}
            for place, at in enumerate(full):
                faces = self.faces(at).spoiled if at in spoiled else self.faces(at)
                counts = [filled[place] for _, filled, _ in choice]
                here = crowded(counts, faces, self.most, self.after_survival)
                each = [together(pair) for pair in zip(each, here.each, strict=True)]
                totals.append(numbers_of(here.total, sum(counts)))
                over[at] = here.over
            yield chance, each, _sum_of(totals), over

    def _patterns(
        self, sticks: int, line: _Line, full: Sequence[str], spoiled: frozenset[str]
    ) -> Iterator[tuple[Fraction, tuple[int, ...], Dist]]:
        """How many sticks of one target lie in each of the ``full`` hexes, with the chance, and
        what becomes of its other sticks."""
        rest = [
            faces.spoiled if at in spoiled else faces for at, faces in line.places if at not in full
        ]
        ways = comb(len(line.places), sticks)
        spans = [range(min(line.by_hex[at], sticks) + 1) for at in full]
        for filled in product(*spans):
            left = sticks - sum(filled)
            if not 0 <= left <= len(rest):
                continue
            count = comb(len(rest), left)
            for at, number in zip(full, filled, strict=True):
                count *= comb(line.by_hex[at], number)
            yield Fraction(count, ways), filled, sticks_in(rest, left)


def _sum_of(parts: Sequence[dict[str, Numbers]]) -> dict[str, Numbers]:
    """Whole, dispersed and lost of independent groups of sticks, each added up by itself."""
    found: dict[str, Numbers] = {name: {0: Fraction(1)} for name in OUTCOMES}
    for part in parts:
        found = {name: add_numbers(found[name], part[name]) for name in OUTCOMES}
    return found
