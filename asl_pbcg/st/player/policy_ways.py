"""Ways of the automatic British player: MP, with the danger of the areas entered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
        extra = dict(dangers)
        onward = {
            area: [(there, mp * SCALE + extra.get(there, 0)) for there, mp in steps]
            for area, steps in geo.steps.items()
        }
        # A line costs the same both ways, besides the danger of the area that is entered.
        back = {
            area: [(before, mp * SCALE + extra.get(area, 0)) for before, mp in steps]
            for area, steps in geo.steps.items()
        }
        if not whole:
            back[geo.pegasus] = []
        for start, ends in geo.arrows.items() if arrows else ():
            for end in ends:
                back[end].append((start, SCALE))  # an arrow costs 1 MP, whatever the danger
        self.to: Callable[[str], Mapping[str, int]] = cache(lambda goal: _search(goal, back, FAR))
        self.within: Callable[[str, int], Mapping[str, int]] = cache(
            lambda start, mp: _search(start, onward, mp * SCALE)
        )


@lru_cache(maxsize=300)
def ways_over(geo: Geometry, arrows: bool, whole: bool, dangers: Dangers) -> PlayerWays:
    """Return the ways; the same dangers come again in other turns and imagined games."""
    return PlayerWays(geo, arrows, whole, dangers)


def _search(
    start: str, steps: Mapping[str, Sequence[tuple[str, int]]], most: int
) -> dict[str, int]:
    """Return the cost of the cheapest way from ``start`` to each area, up to ``most``."""
    way = {start: 0}
    queue = [(0, start)]
    while queue:
        so_far, area = heappop(queue)
        if so_far > way[area]:
            continue
        for there, cost in steps[area]:
            longer = so_far + cost
            if longer <= most and longer < way.get(there, FAR):
                way[there] = longer
                heappush(queue, (longer, there))
    return way
