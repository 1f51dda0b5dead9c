"""Exact chances as weights of equally likely throws: sums, mixtures and sticks in places.

A ``Dist`` gives, for a number of sticks, the chance of each (whole, dispersed); the rest is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from typing import Final, NamedTuple, TypeVar

Dist = dict[tuple[int, int], Fraction]
Numbers = dict[int, Fraction]

OUTCOMES: Final = ("whole", "dispersed", "lost")

K = TypeVar("K", int, tuple[int, int])

SURE: Dist = {(0, 0): Fraction(1)}


class Faces(NamedTuple):
    """How many faces of the survival die leave a stick whole, disperse it or lose it."""

    whole: int
    dispersed: int
    lost: int

    @property
    def spoiled(self) -> Faces:
        """The same where all units of the hex are dispersed anyway."""
        return Faces(0, self.whole + self.dispersed, self.lost)


OFF_MAP = Faces(0, 0, 6)


def sticks_in(places: Sequence[Faces], number: int) -> Dist:
    """``number`` sticks in as many of these places, every choice of places equally likely."""
    return _sticks_in(tuple(sorted(places)), number)


@lru_cache(maxsize=4096)
def _sticks_in(places: tuple[Faces, ...], number: int) -> Dist:
    # (sticks so far, whole, dispersed) -> ways; each place takes a stick or stays empty.
    ways: dict[tuple[int, int, int], int] = {(0, 0, 0): 1}
    for at, faces in enumerate(places):
        new: dict[tuple[int, int, int], int] = {}
        left = len(places) - at - 1
        for (used, whole, dispersed), count in ways.items():
            if used + left >= number:
                key = (used, whole, dispersed)
                new[key] = new.get(key, 0) + count
            if used < number:
                for key, weight in (
                    ((used + 1, whole + 1, dispersed), faces.whole),
                    ((used + 1, whole, dispersed + 1), faces.dispersed),
                    ((used + 1, whole, dispersed), faces.lost),
                ):
                    if weight:
                        new[key] = new.get(key, 0) + count * weight
        ways = new
    total = comb(len(places), number) * 6**number
    return {
        (whole, dispersed): Fraction(count, total)
        for (used, whole, dispersed), count in ways.items()
        if used == number
    }


def together(dists: Iterable[Dist]) -> Dist:
    """The sum of independent groups of sticks."""
    found = SURE
    for dist in dists:
        found = dist if found is SURE else found if dist is SURE else _sum_dists(found, dist)
    return found


def _sum_dists(left: Dist, right: Dist) -> Dist:
    # Whole numbers over one denominator: far faster than adding fraction by fraction.
    ways_left, all_left = _weights(left)
    ways_right, all_right = _weights(right)
    new: dict[tuple[int, int], int] = {}
    for (whole, dispersed), ways in ways_left.items():
        for (more, more_dispersed), other in ways_right.items():
            key = (whole + more, dispersed + more_dispersed)
            new[key] = new.get(key, 0) + ways * other
    return {key: Fraction(ways, all_left * all_right) for key, ways in new.items()}


def add_numbers(left: Numbers, right: Numbers) -> Numbers:
    """The sum of two independent numbers."""
    ways_left, all_left = _weights(left)
    ways_right, all_right = _weights(right)
    new: dict[int, int] = {}
    for number, ways in ways_left.items():
        for more, other in ways_right.items():
            new[number + more] = new.get(number + more, 0) + ways * other
    return {key: Fraction(ways, all_left * all_right) for key, ways in new.items()}


def mix(parts: Iterable[tuple[Fraction, Mapping[K, Fraction]]]) -> dict[K, Fraction]:
    """One of several distributions, each with its chance; parts may also be taken away."""
    listed = [
        (weight, dist, lcm(*(c.denominator for c in dist.values()))) for weight, dist in parts
    ]
    common = lcm(*(weight.denominator * among for weight, _, among in listed))
    found: dict[K, int] = {}
    for weight, dist, among in listed:
        scale = weight.numerator * (common // (weight.denominator * among))
        for key, chance in dist.items():
            ways = scale * chance.numerator * (among // chance.denominator)
            found[key] = found.get(key, 0) + ways
    return {key: Fraction(ways, common) for key, ways in sorted(found.items()) if ways}


def _weights(dist: Mapping[K, Fraction]) -> tuple[dict[K, int], int]:
    """A distribution as whole numbers and what they add up to."""
    among = lcm(*(chance.denominator for chance in dist.values()))
    return {
        key: chance.numerator * (among // chance.denominator) for key, chance in dist.items()
    }, among


def numbers_of(dist: Dist, sticks: int) -> dict[str, Numbers]:
    """How many of ``sticks`` are whole, dispersed and lost, each by itself."""
    found: dict[str, Numbers] = {"whole": {}, "dispersed": {}, "lost": {}}
    for (whole, dispersed), chance in dist.items():
        lost = sticks - whole - dispersed
        for name, number in (("whole", whole), ("dispersed", dispersed), ("lost", lost)):
            numbers = found[name]
            numbers[number] = numbers.get(number, Fraction(0)) + chance
    return {name: dict(sorted(numbers.items())) for name, numbers in found.items()}


def mean_of(numbers: Numbers) -> Fraction:
    """The mean."""
    return sum((number * chance for number, chance in numbers.items()), Fraction(0))


class HexChances(NamedTuple):
    """What becomes of the sticks of several drops in one hex that may hold too many."""

    each: list[Dist]
    total: Dist
    over: Fraction


def chances_of_a_hex(
    counts: Sequence[int], faces: Faces, most: int, after_survival: bool
) -> HexChances:
    """Sticks of several drops in one hex: dispersed if more than ``most`` land (or survive)."""
    if not after_survival:
        over = sum(counts) > most
        now = faces.spoiled if over else faces
        each = [sticks_in([now] * count, count) for count in counts]
        return HexChances(each, together(each), Fraction(int(over)))
    alive = [_survivors(count, faces) for count in counts]
    shares: list[list[tuple[Fraction, Dist]]] = [[] for _ in counts]
    totals: list[tuple[Fraction, Dist]] = []
    chance_over = Fraction(0)
    for chance, standing in _combinations(alive):
        over = sum(standing) > most
        chance_over += chance if over else 0
        dists = [_split(number, faces, over) for number in standing]
        for share, dist in zip(shares, dists, strict=True):
            share.append((chance, dist))
        totals.append((chance, together(dists)))
    return HexChances([mix(share) for share in shares], mix(totals), chance_over)


def _survivors(count: int, faces: Faces) -> list[tuple[Fraction, int]]:
    stay = Fraction(faces.whole + faces.dispersed, 6)
    return [
        (comb(count, alive) * stay**alive * (1 - stay) ** (count - alive), alive)
        for alive in range(count + 1)
        if stay or not alive
    ]


def _combinations(
    alive: Sequence[list[tuple[Fraction, int]]],
) -> Iterable[tuple[Fraction, list[int]]]:
    from itertools import product

    for choice in product(*alive):
        chance = Fraction(1)
        for part, _ in choice:
            chance *= part
        if chance:
            yield chance, [number for _, number in choice]


def _split(alive: int, faces: Faces, over: bool) -> Dist:
    """The states of sticks that have survived."""
    if over or not alive:
        return {(0, alive): Fraction(1)}
    whole = Fraction(faces.whole, faces.whole + faces.dispersed)
    found = {}
    for number in range(alive + 1):
        chance = comb(alive, number) * whole**number * (1 - whole) ** (alive - number)
        if chance:
            found[number, alive - number] = chance
    return found
