"""Ways of the automatic British player: MP with the danger of the places entered, in fractions.

Areas are whole numbers here and a way is worked out as far as somebody asks: a plan looks up
thousands of ways a game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush

from asl_pbcg.st.geometry import FAR, Geometry

SCALE = 8
"""Fractions of an MP in the ways."""
MOST_KNOWN = 200
"""Goals with their dangers that are remembered at most, so that memory stays flat."""
_BITS = 8
_MASK = (1 << _BITS) - 1

Steps = tuple[tuple[tuple[int, int], ...], ...]


class Grid:
    """The lines of a map by number; made once for a map and its rulings."""

    def __init__(self, geo: Geometry, arrows: bool, whole: bool) -> None:
        self.names: tuple[str, ...] = tuple(geo.names)
        assert len(self.names) <= _MASK + 1, "the map has more areas than a way can number"
        self.number: dict[str, int] = {name: at for at, name in enumerate(self.names)}
        number = self.number
        steps = {
            area: tuple((number[there], mp * SCALE) for there, mp in geo.steps[area])
            for area in self.names
        }
        self.onward: Steps = tuple(steps[area] for area in self.names)
        """From each area where one may go, with the cost."""
        if not whole:
            steps[geo.pegasus] = ()
        self.back: Steps = tuple(steps[area] for area in self.names)
        """To each area from where one may come, with the cost."""
        gliding: list[list[int]] = [[] for _ in self.names]
        if arrows:
            for area, ends in geo.arrows.items():
                for end in ends:
                    gliding[number[end]].append(number[area])
        self.gliding: tuple[tuple[int, ...], ...] = tuple(map(tuple, gliding))
        """To each area from where an arrow leads; an arrow costs 1 MP, whatever the danger."""
        self._known: dict[tuple[str, tuple[int, ...]], Ways] = {}

    def ways(self, goal: str, cost: tuple[int, ...]) -> Ways:
        """The ways to ``goal``; the same dangers come again in other games and imagined ones."""
        key = (goal, cost)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            found = self._known[key] = Ways(self, goal, cost)
        return found


class Ways:
    """How far every area is from one goal: ``cost`` is added for each area that is entered."""

    __slots__ = ("_best", "_cost", "_grid", "_number", "_queue", "_settled")

    def __init__(self, grid: Grid, goal: str, cost: Sequence[int]) -> None:
        self._grid = grid
        self._number = grid.number
        self._cost = cost
        count = len(grid.names)
        self._best = [FAR] * count
        self._settled = [FAR] * count
        at = grid.number[goal]
        self._best[at] = 0
        self._queue = [at]

    def of(self, area: str) -> int:
        """The way from ``area``, in fractions of an MP; FAR if there is none."""
        wanted = self._number[area]
        found = self._settled[wanted]
        if found < FAR or not self._queue:
            return found
        queue, best, settled, cost = self._queue, self._best, self._settled, self._cost
        back, gliding = self._grid.back, self._grid.gliding
        while queue:
            top = heappop(queue)
            at = top & _MASK
            if settled[at] < FAR:
                continue
            way = top >> _BITS
            settled[at] = way
            entered = way + cost[at]
            for before, mp in back[at]:
                there = entered + mp
                if there < best[before]:
                    best[before] = there
                    heappush(queue, there << _BITS | before)
            for before in gliding[at]:
                there = way + SCALE
                if there < best[before]:
                    best[before] = there
                    heappush(queue, there << _BITS | before)
            if at == wanted:
                return way
        return settled[wanted]


def ways_out(grid: Grid, start: str, cost: Sequence[int], most: int) -> Mapping[str, int]:
    """The ways from ``start`` to every area within ``most`` fractions of an MP."""
    onward, names = grid.onward, grid.names
    at = grid.number[start]
    best = {at: 0}
    settled: dict[str, int] = {}
    queue = [at]
    while queue:
        top = heappop(queue)
        at = top & _MASK
        way = top >> _BITS
        if best[at] < way:
            continue
        settled[names[at]] = way
        for there, mp in onward[at]:
            far = way + mp + cost[there]
            if far <= most and far < best.get(there, FAR):
                best[there] = far
                heappush(queue, far << _BITS | there)
    return settled
