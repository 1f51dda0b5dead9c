"""Ways of the automatic British player: MP, with the danger of the areas entered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from heapq import heappop, heappush

from asl_pbcg.st.board.geometry import FAR, NO_ARROWS, Geometry, Reach

SCALE = 8
"""Fractions of an MP in the ways."""
Dangers = frozenset[tuple[str, int]]
"""Areas with what entering each costs besides its MP, in fractions of an MP."""


class PlayerWays:
    """The shortest ways over a map with some dangers, in fractions of an MP; each searched once.

    ``to(goal)`` has the way from every area that can reach the goal; ``within(start, mp)`` the way
    to every area that a unit can walk to with so many MP.
    """

    def __init__(self, geo: Geometry, arrows: bool, whole: bool, dangers: Dangers) -> None:
        extra = dict(dangers)
        back = geo.steps if whole else {**geo.steps, geo.pegasus: ()}
        into = geo.arrows_into if arrows else NO_ARROWS
        self.to: Callable[[str], Reach] = cache(
            lambda goal: Reach(back, [goal], extra, SCALE, into)
        )
        self.within: Callable[[str, int], Mapping[str, int]] = cache(
            lambda start, mp: _walk(geo, extra, start, mp)
        )


@lru_cache(maxsize=300)
def ways_over(geo: Geometry, arrows: bool, whole: bool, dangers: Dangers) -> PlayerWays:
    """Return the ways; the same dangers come again in other turns and imagined games."""
    return PlayerWays(geo, arrows, whole, dangers)


def _walk(geo: Geometry, extra: Mapping[str, int], start: str, mp: int) -> dict[str, int]:
    """Return the cheapest way from ``start`` to each area that is no further than ``mp``."""
    way = {start: 0}
    queue = [(0, start)]
    while queue:
        so_far, area = heappop(queue)
        if so_far > way[area]:
            continue
        for there, line in geo.steps[area]:
            longer = so_far + line * SCALE + extra.get(there, 0)
            if longer <= mp * SCALE and longer < way.get(there, FAR):
                way[there] = longer
                heappush(queue, (longer, there))
    return way
