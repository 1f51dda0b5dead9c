"""Ways of the automatic British player: MP, with the danger of the areas entered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from heapq import heappop, heappush

from asl_pbcg.st.board.geometry import FAR, Geometry

SCALE = 8
"""Fractions of an MP in the ways."""
Dangers = frozenset[tuple[str, int]]
"""Areas with what entering each costs besides its MP, in fractions of an MP."""


class PlayerWays:
    """The shortest ways over a map with some dangers, in fractions of an MP; each searched once.

    ``to(goal)`` is the way from every area that can reach the goal; ``within(start, mp)`` the way
    to every area that a unit can walk to with so many MP.
    """

    def __init__(self, geo: Geometry, arrows: bool, whole: bool, dangers: Dangers) -> None:
        self._geo = geo
        self._closed = "" if whole else geo.pegasus
        self._cost = dict(dangers)
        self._arrows_into: dict[str, list[str]] = defaultdict(list)
        for start, ends in geo.arrows.items() if arrows else ():
            for end in ends:
                self._arrows_into[end].append(start)
        self.to: Callable[[str], Mapping[str, int]] = cache(self._to)
        self.within: Callable[[str, int], Mapping[str, int]] = cache(self._within)

    def _to(self, goal: str) -> Mapping[str, int]:
        def steps_back(area: str) -> Iterable[tuple[str, int]]:
            if area != self._closed:
                cost = self._cost.get(area, 0)
                for before, mp in self._geo.steps[area]:
                    yield before, mp * SCALE + cost
            for before in self._arrows_into.get(area, ()):
                yield before, SCALE  # an arrow costs 1 MP, whatever the danger

        return _search(goal, steps_back, FAR)

    def _within(self, start: str, mp: int) -> Mapping[str, int]:
        def steps(area: str) -> Iterable[tuple[str, int]]:
            for there, cost in self._geo.steps[area]:
                yield there, cost * SCALE + self._cost.get(there, 0)

        return _search(start, steps, mp * SCALE)


@lru_cache(maxsize=300)
def ways_over(geo: Geometry, arrows: bool, whole: bool, dangers: Dangers) -> PlayerWays:
    """Return the ways; the same dangers come again in other turns and imagined games."""
    return PlayerWays(geo, arrows, whole, dangers)


def _search(
    start: str, steps: Callable[[str], Iterable[tuple[str, int]]], most: int
) -> dict[str, int]:
    """Return the cost of the cheapest way from ``start`` to each area, up to ``most``."""
    way = {start: 0}
    queue = [(0, start)]
    while queue:
        so_far, area = heappop(queue)
        if so_far > way[area]:
            continue
        for there, cost in steps(area):
            longer = so_far + cost
            if longer <= most and longer < way.get(there, FAR):
                way[there] = longer
                heappush(queue, (longer, there))
    return way
