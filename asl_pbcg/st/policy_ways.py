"""Ways of the automatic British player: MP with the danger of the places entered, in fractions.

Areas are whole numbers here and a way is worked out as far as somebody asks: a plan looks up
thousands of ways a game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from asl_pbcg.st.geometry import FAR, Geometry

SCALE = 8
"""Fractions of an MP in the ways."""
MOST_KNOWN = 400
"""Goals with their dangers that are remembered at most, so that memory stays flat."""
_BITS = 8
_MASK = (1 << _BITS) - 1

Steps = tuple[tuple[tuple[int, int], ...], ...]
Ranked = Sequence[tuple[float, str, int]]
"""Areas with the way there, by what is against them whatever the Germans do."""


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
        self._safe: dict[str, Safe] = {}
        self._known: dict[tuple[str, tuple[int, ...]], Ways] = {}
        self._around: dict[tuple[str, int], tuple[Mapping[str, int], int]] = {}
        self.ranks: dict[str, Ranked] = {}
        """What :func:`policy_caution.rank_ways` makes of the safe ways out of each area."""

    def ways(self, goal: str, dangers: Dangers) -> Ways:
        """The ways to ``goal``; the same dangers come again in other turns and imagined games."""
        key = (goal, dangers.cost)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            found = self._known[key] = Ways(self, goal, dangers)
        return found

    def safe(self, goal: str) -> Safe:
        """The ways to ``goal`` where nothing is dangerous; worked out once."""
        found = self._safe.get(goal)
        if found is None:
            found = self._safe[goal] = self._look_for(self.number[goal])
        return found

    def _look_for(self, goal: int) -> Safe:
        count = len(self.names)
        way, entered, done = [FAR] * count, [0] * count, [False] * count
        way[goal] = 0
        queue = [goal]
        back, gliding = self.back, self.gliding
        while queue:
            at = heappop(queue) & _MASK
            if done[at]:
                continue
            done[at] = True
            here = way[at]
            through = entered[at] | 1 << at
            for before, mp in back[at]:
                far = here + mp
                if far < way[before]:
                    way[before], entered[before] = far, through
                    heappush(queue, far << _BITS | before)
            for before in gliding[at]:
                far = here + SCALE
                if far < way[before]:
                    way[before], entered[before] = far, entered[at]
                    heappush(queue, far << _BITS | before)
        return Safe(way, entered)

    def around(self, start: str, most: int) -> tuple[Mapping[str, int], int]:
        """What :func:`ways_out` finds without danger, and the areas it enters as bits."""
        found = self._around.get((start, most))
        if found is None:
            ways = ways_out(self, start, [0] * len(self.names), most)
            bits = sum(1 << self.number[area] for area in ways if area != start)
            found = self._around[start, most] = (ways, bits)
        return found


class Safe(NamedTuple):
    """From each area the way to one goal without danger, and the areas that it enters as bits.

    Danger only makes a way longer: as long as none lies on this way, none is shorter.
    """

    way: list[int]
    entered: list[int]


class Dangers(NamedTuple):
    """What entering each area costs beside its MP; the areas where it costs anything, as bits."""

    cost: tuple[int, ...]
    areas: int


class Ways:
    """How far every area is from one goal: the cost of the dangers is added where one enters."""

    __slots__ = ("_best", "_cost", "_dangerous", "_grid", "_number", "_queue", "_safe", "_settled")

    def __init__(self, grid: Grid, goal: str, dangers: Dangers) -> None:
        self._grid = grid
        self._number = grid.number
        self._cost, self._dangerous = dangers
        self._safe = grid.safe(goal)
        at = grid.number[goal]
        self._queue = [at]
        self._best: list[int] = []
        self._settled: list[int] = []

    def of(self, area: str) -> int:
        """The way from ``area``, in fractions of an MP; FAR if there is none."""
        wanted = self._number[area]
        safe = self._safe
        if not safe.entered[wanted] & self._dangerous:
            return safe.way[wanted]
        return self._past_danger(wanted)

    def least(self, area: str) -> int:
        """What the way from ``area`` is at least: danger only makes it longer."""
        return self._safe.way[self._number[area]]

    def shorter(self, area: str, than: int) -> int:
        """The way from ``area`` if it is shorter than ``than``, else FAR."""
        wanted = self._number[area]
        safe = self._safe
        found = safe.way[wanted]
        if found >= than:
            return FAR
        if safe.entered[wanted] & self._dangerous:
            found = self._past_danger(wanted)
        return found if found < than else FAR

    def _past_danger(self, wanted: int) -> int:
        """The way from an area whose shortest way is dangerous."""
        if not self._best:
            count = len(self._number)
            self._best, self._settled = [FAR] * count, [FAR] * count
            self._best[self._queue[0]] = 0
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


def safe_around(grid: Grid, start: str, dangers: Dangers, most: int) -> Mapping[str, int] | None:
    """The ways from ``start`` to every area within ``most``, if nothing there is dangerous."""
    ways, entered = grid.around(start, most)
    return None if entered & dangers.areas else ways


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
