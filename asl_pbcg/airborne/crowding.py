"""Exact odds of several drops whose sticks may crowd one another's hexes. Rule: I.F, II.C.

All these drops lie on one hex row along the wind. Only the number of sticks in a hex decides
whether it is crowded, so numbers are followed hex by hex and not every choice of dice by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, lcm, prod
from typing import NamedTuple

from asl_pbcg.airborne.chances import (
    OUTCOMES,
    Dist,
    Faces,
    HexChances,
    Numbers,
    add_numbers,
    chances_of_a_hex,
    mix,
    numbers_of,
    sticks_in,
    together,
)

Counts = tuple[int, ...]
"""Sticks in each of the hexes that may be crowded."""

Packed = tuple[int, ...]
"""The numbers whole, dispersed and lost, each packed into one integer."""


class Line(NamedTuple):
    """One target under one drift diagram: its places with their faces, nearest first.

    A place off the map has no hex.
    """

    places: list[tuple[str | None, Faces]]

    @property
    def by_hex(self) -> Counter[str]:
        """How many places lie in each hex."""
        return Counter(at for at, _ in self.places if at)


@dataclass(frozen=True, slots=True)
class Aimed:
    """What is aimed at one hex: how many sticks, and the lines its drift die may bring."""

    at: str
    sticks: int
    lines: list[tuple[Fraction, Line]]

    def most_in(self) -> Counter[str]:
        """The most sticks it may put into each hex."""
        most: Counter[str] = Counter()
        for _, line in self.lines:
            for at, count in line.by_hex.items():
                most[at] = max(most[at], min(count, self.sticks))
        return most


@dataclass(frozen=True, slots=True)
class GroupOdds:
    """The odds of a group: each drop, all its sticks together, the chance to crowd each hex."""

    each: list[Dist]
    total: dict[str, Numbers]
    crowds: dict[str, Fraction]


class _Option(NamedTuple):
    """One way a drop may fill the hexes that may be crowded, and what becomes of its others."""

    chance: Fraction
    counts: Counts
    rest: Dist


def alone(aimed: Aimed) -> Dist:
    """The sticks of one drop that no other drop can crowd."""
    return mix(
        (chance, sticks_in([faces for _, faces in line.places], aimed.sticks))
        for chance, line in aimed.lines
    )


def group_odds(
    group: Sequence[Aimed],
    most: int,
    after_survival: bool,
    faces: Callable[[str], Faces],
    along: Callable[[str], int],
) -> GroupOdds:
    """The odds of drops on one hex row. ``along`` orders hexes downwind; ``faces`` as in lines.

    More than ``most`` sticks in a hex are all dispersed; they are counted before the survival
    rolls or after them. Rule: I.F, II.C.
    """
    if len(group) == 1:
        dist = alone(group[0])
        return GroupOdds([dist], numbers_of(dist, group[0].sticks), {})
    return _Group(group, most, after_survival, faces, along).odds()


class _Group:
    def __init__(
        self,
        group: Sequence[Aimed],
        most: int,
        after_survival: bool,
        faces: Callable[[str], Faces],
        along: Callable[[str], int],
    ) -> None:
        self.group = sorted(group, key=lambda aimed: along(aimed.at))
        self.order = [self.group.index(aimed) for aimed in group]
        self.most = most
        self.after_survival = after_survival
        self.faces = faces
        self.along = along
        reach: Counter[str] = Counter()
        for aimed in group:
            reach.update(aimed.most_in())
        self.hexes = sorted((at for at, count in reach.items() if count > most), key=along)
        self.options = [_merge(self._options(aimed)) for aimed in self.group]
        self.share = cache(self._share)

    def odds(self) -> GroupOdds:
        """The odds of the group, in the order it was given."""
        each = [self._marginal(number) for number in range(len(self.group))]
        return GroupOdds([each[number] for number in self.order], self._total(), self._crowds())

    def _options(self, aimed: Aimed) -> Iterator[_Option]:
        for chance, line in aimed.lines:
            by_hex = line.by_hex
            rest = [faces for at, faces in line.places if at not in self.hexes]
            ways = comb(len(line.places), aimed.sticks)
            spans = [range(min(by_hex[at], aimed.sticks) + 1) for at in self.hexes]
            for counts in product(*spans):
                left = aimed.sticks - sum(counts)
                if not 0 <= left <= len(rest):
                    continue
                count = comb(len(rest), left)
                for at, number in zip(self.hexes, counts, strict=True):
                    count *= comb(by_hex[at], number)
                yield _Option(chance * Fraction(count, ways), counts, sticks_in(rest, left))

    # One drop

    def _marginal(self, number: int) -> Dist:
        """What becomes of one drop: its own sticks, spoiled where the others make a crowd."""
        near = [
            place
            for place in range(len(self.hexes))
            if any(option.counts[place] for option in self.options[number])
        ]
        others, outcomes = self._others(number, near)
        parts: list[tuple[Fraction, Dist]] = []
        for option in self.options[number]:
            mine = [place for place in near if option.counts[place]]
            weights: Counter[Counts] = Counter()
            for counts, ways in others.items():
                found = dict(zip(near, counts, strict=True))
                key = tuple(self._telling(option.counts[place], found[place]) for place in mine)
                weights[key] += ways
            for counts, ways in weights.items():
                shares = [
                    self.share(place, option.counts[place], count)
                    for place, count in zip(mine, counts, strict=True)
                ]
                chance = option.chance * Fraction(ways, outcomes)
                parts.append((chance, together([option.rest, *shares])))
        return mix(parts)

    def _others(self, number: int, near: Sequence[int]) -> tuple[dict[Counts, int], int]:
        """How many sticks of all other drops lie in these hexes, as ways out of how many."""
        found: dict[Counts, int] = {tuple(0 for _ in near): 1}
        outcomes = 1
        for other, options in enumerate(self.options):
            if other == number:
                continue
            common = lcm(*(option.chance.denominator for option in options))
            outcomes *= common
            steps: Counter[Counts] = Counter()
            for option in options:
                counts = tuple(option.counts[place] for place in near)
                steps[counts] += int(option.chance * common)
            new: Counter[Counts] = Counter()
            for before, ways in found.items():
                for counts, more in steps.items():
                    key = tuple(map(self._add, before, counts))
                    new[key] += ways * more
            found = dict(new)
        return found, outcomes

    def _add(self, left: int, right: int) -> int:
        # Before survival it is enough to know that there are too many.
        count = left + right
        return count if self.after_survival else min(count, self.most + 1)

    def _telling(self, mine: int, others: int) -> int:
        # Before survival only whether there are too many makes a difference.
        if self.after_survival:
            return others
        return (self.most + 1) * (mine + others > self.most)

    def _share(self, place: int, mine: int, others: int) -> Dist:
        faces = self.faces(self.hexes[place])
        here = chances_of_a_hex([mine, others], faces, self.most, self.after_survival)
        return here.each[0]

    # All together

    def _crowds(self) -> dict[str, Fraction]:
        found = {}
        for place, at in enumerate(self.hexes):
            counts: Numbers = {0: Fraction(1)}
            for options in self.options:
                mine = mix((option.chance, {option.counts[place]: _ONE}) for option in options)
                counts = add_numbers(counts, mine)
            found[at] = sum(
                (
                    chance * self._crowd(place, count).over
                    for count, chance in counts.items()
                    if count > self.most
                ),
                Fraction(0),
            )
        return found

    def _crowd(self, place: int, count: int) -> HexChances:
        return chances_of_a_hex(
            [count], self.faces(self.hexes[place]), self.most, self.after_survival
        )

    def _total(self) -> dict[str, Numbers]:
        """All sticks together: drop after drop downwind, each hex settled once none can reach it.

        Each number is a polynomial packed into one integer, so that sums of independent numbers
        are products.
        """
        scales = [lcm(*(o.chance.denominator for o in options)) for options in self.options]
        spreads = [_spread(options) for options in self.options]
        outcomes = prod(scales) * prod(spreads) * 6 ** sum(aimed.sticks for aimed in self.group)
        packing = _Packing(outcomes.bit_length() + 1)

        @cache
        def settle(place: int, count: int) -> Packed:
            total = self._crowd(place, count).total
            return packing.pack(numbers_of(total, count), 6**count)

        states: dict[Counts, Packed] = {(0,) * len(self.hexes): (1, 1, 1)}
        for number, options in enumerate(self.options):
            steps = []
            for option in options:
                left = self.group[number].sticks - sum(option.counts)
                numbers = numbers_of(option.rest, left)
                factors = packing.pack(numbers, spreads[number] * 6**left)
                steps.append((option.counts, int(option.chance * scales[number]), factors))
            new: dict[Counts, Packed] = {}
            for counts, values in states.items():
                for more, ways, factors in steps:
                    key = tuple(left + right for left, right in zip(counts, more, strict=True))
                    _put(new, key, values, tuple(ways * factor for factor in factors))
            last = number + 1 == len(self.group)
            reached = None if last else self.along(self.group[number + 1].at)
            states = self._settle(new, reached, settle)
        (values,) = states.values()
        return {
            name: packing.unpack(value, outcomes)
            for name, value in zip(OUTCOMES, values, strict=True)
        }

    def _settle(
        self,
        states: dict[Counts, Packed],
        reached: int | None,
        settle: Callable[[int, int], Packed],
    ) -> dict[Counts, Packed]:
        """The states with every hex upwind of ``reached`` settled and forgotten; None: all."""
        done = [
            place
            for place, at in enumerate(self.hexes)
            if reached is None or self.along(at) < reached
        ]
        found: dict[Counts, Packed] = {}
        for counts, values in states.items():
            factors: Packed = (1, 1, 1)
            for place in done:
                if counts[place]:
                    more = settle(place, counts[place])
                    factors = tuple(a * b for a, b in zip(factors, more, strict=True))
            left = tuple(0 if place in done else count for place, count in enumerate(counts))
            _put(found, left, values, factors)
        return found


def _put(states: dict[Counts, Packed], key: Counts, values: Packed, factors: Packed) -> None:
    """Add ``values`` times ``factors`` to a state."""
    old = states.get(key, (0, 0, 0))
    states[key] = tuple(o + v * f for o, v, f in zip(old, values, factors, strict=True))


_ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class _Packing:
    """Polynomials with whole coefficients as one integer of ``bits`` bits for each."""

    bits: int

    def pack(self, numbers: dict[str, Numbers], scale: int) -> Packed:
        """The three numbers as integers; their chances times ``scale`` must be whole."""
        return tuple(
            sum(int(chance * scale) << (self.bits * number) for number, chance in found.items())
            for found in (numbers[name] for name in OUTCOMES)
        )

    def unpack(self, value: int, outcomes: int) -> Numbers:
        """The number an integer stands for."""
        mask = (1 << self.bits) - 1
        found, number = {}, 0
        while value:
            if value & mask:
                found[number] = Fraction(value & mask, outcomes)
            value >>= self.bits
            number += 1
        return found


def _spread(options: Sequence[_Option]) -> int:
    """What the chances of the other sticks must be multiplied with to be whole."""
    denominators = [chance.denominator for option in options for chance in option.rest.values()]
    return lcm(1, *denominators)


def _merge(options: Iterator[_Option]) -> list[_Option]:
    """Options that fill the hexes alike, as one."""
    groups: dict[Counts, list[_Option]] = {}
    for option in options:
        groups.setdefault(option.counts, []).append(option)
    found = []
    for counts, members in groups.items():
        chance = sum((option.chance for option in members), Fraction(0))
        rest = mix((option.chance / chance, option.rest) for option in members)
        found.append(_Option(chance, counts, rest))
    return found
