"""Ways of the automatic British player: MP with the danger of the places entered, in fractions.

Areas are whole numbers here and a way is worked out as far as somebody asks: a plan looks up
thousands of ways a game.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple
from weakref import WeakKeyDictionary

from asl_pbcg.st.board.geometry import FAR, Geometry

SCALE = 8
"""Fractions of an MP in the ways."""
MOST_KNOWN = 300
"""Dangers whose ways are remembered at most, so that memory stays flat."""
_BITS = 8
_MASK = (1 << _BITS) - 1

Steps = tuple[tuple[tuple[int, int], ...], ...]
Ranked = Sequence[tuple[float, str, int, float, float, int]]
"""Areas by what is against them whatever the Germans do; with each the way there, what it and the
way back weigh, and the areas entered on the way as bits."""
Nearer = Mapping[str, float]
"""The areas one step on from which it is nearer to a goal, with the MP gained."""
NO_STEP: Nearer = {}


def grid_for(geo: Geometry, arrows: bool, whole: bool) -> Grid:
    """The lines of a map, numbered once for all games that read it alike."""
    known = _GRIDS.setdefault(geo, {})
    found = known.get((arrows, whole))
    if found is None:
        found = known[arrows, whole] = Grid(geo, arrows, whole)
    return found


_GRIDS: WeakKeyDictionary[Geometry, dict[tuple[bool, bool], Grid]] = WeakKeyDictionary()


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
        self.ends: tuple[tuple[tuple[str, int], ...], ...] = tuple(
            tuple(
                (there, number[there])
                for there in dict.fromkeys(
                    [*dict(geo.steps[area]), *(geo.arrows[area] if arrows else ())]
                )
            )
            for area in self.names
        )
        """From each area where one step leads, an arrow too, in the order of legal actions."""
        self._known: dict[tuple[int, ...], Reaches] = {}
        self.dangers: dict[Hashable, Dangers] = {}
        """The dangers by what brings them about (``policy_plan.py``)."""
        self.ranks: dict[str, Ranked] = {}
        """What :func:`policy_caution.rank_ways` makes of the safe ways out of each area."""

    def reaches(self, dangers: Dangers) -> Reaches:
        """The ways with these dangers; the same come again in other turns and imagined games."""
        found = self._known.get(dangers.cost)
        if found is None:
            if len(self._known) >= MOST_KNOWN:
                del self._known[next(iter(self._known))]
            found = self._known[dangers.cost] = Reaches(self, dangers)
        return found

    def around(self, start: str, most: int) -> dict[str, tuple[int, int]]:
        """What :func:`ways_out` finds without danger, with the areas entered on each way as bits.

        Danger only makes a way longer: as long as none lies on this way, none is shorter.
        """
        onward, names = self.onward, self.names
        at = self.number[start]
        best, entered = {at: 0}, {at: 0}
        settled: dict[str, tuple[int, int]] = {}
        found = {0: [at]}  # the areas by their way; all ways are whole MP
        way = 0
        while found:
            for at in found.pop(way, ()):
                if best[at] < way:
                    continue
                through = entered[at]
                settled[names[at]] = (way, through)
                for there, mp in onward[at]:
                    far = way + mp
                    if far <= most and far < best.get(there, FAR):
                        best[there], entered[there] = far, through | 1 << there
                        found.setdefault(far, []).append(there)
            way += SCALE
        return settled


class Dangers(NamedTuple):
    """What entering each area costs beside its MP; the areas where it costs anything, as bits."""

    cost: tuple[int, ...]
    areas: int


class Ways:
    """How far every area is from one goal: the cost of the dangers is added where one enters."""

    __slots__ = ("_grid", "_nearer", "_way")

    def __init__(self, grid: Grid, goal: str, dangers: Dangers) -> None:
        at = grid.number[goal]
        self._grid = grid
        self._nearer: dict[str, Nearer] = {}
        self._way = _search(grid, at, dangers.cost)

    def of(self, area: str) -> int:
        """The way from ``area``, in fractions of an MP; FAR if there is none."""
        return self._way[self._grid.number[area]]

    def nearer(self, area: str) -> Nearer:
        """Where one step from ``area`` leads nearer."""
        found = self._nearer.get(area)
        if found is None:
            way, at = self._way, self._grid.number[area]
            found = self._nearer[area] = {
                name: (way[at] - way[there]) / SCALE
                for name, there in self._grid.ends[at]
                if way[there] < way[at] < FAR
            }
        return found


def _search(grid: Grid, goal: int, cost: Sequence[int]) -> list[int]:
    """The way from every area to ``goal``; an arrow costs 1 MP, whatever the danger."""
    way = [FAR] * len(grid.names)
    way[goal] = 0
    queue = [(0, goal)]
    while queue:
        here, at = heappop(queue)
        if way[at] < here:
            continue
        steps = [(before, mp + cost[at]) for before, mp in grid.back[at]]
        steps += [(before, SCALE) for before in grid.gliding[at]]
        for before, pay in steps:
            if here + pay < way[before]:
                way[before] = here + pay
                heappush(queue, (here + pay, before))
    return way


class Reaches(dict[str, Ways]):
    """The ways to every goal, each looked for when it is asked for first."""

    __slots__ = ("_grid", "dangers", "outward")

    def __init__(self, grid: Grid, dangers: Dangers) -> None:
        super().__init__()
        self._grid = grid
        self.dangers = dangers
        self.outward: dict[str, Outward] = {}
        """The ways from an area to all others."""

    def __missing__(self, goal: str) -> Ways:
        found = self[goal] = Ways(self._grid, goal, self.dangers)
        return found


class Outward:
    """The ways out of one area: without danger, and as they are where some lies on them."""

    __slots__ = ("_cost", "_grid", "_most", "_start", "_ways", "dangerous", "ranked")

    def __init__(self, grid: Grid, start: str, dangers: Dangers, most: int, ranked: Ranked) -> None:
        self._grid, self._start, self._most = grid, start, most
        self._cost, self.dangerous = dangers
        self._ways: Mapping[str, int] | None = None
        self.ranked = ranked
        """Where one may wait, by what is against it without danger on the way."""

    def least(self, area: str, way: int) -> int:
        """What the way is at least that is ``way`` without danger: whoever comes enters."""
        return way + self._cost[self._grid.number[area]]

    def past_danger(self, area: str, least: int, entered: int) -> int:
        """The way that is ``least`` at least and enters these areas if they are not dangerous.

        FAR if it is farther than anybody goes in a turn.
        """
        if entered & self.dangerous == 1 << self._grid.number[area]:
            return least
        return self.all().get(area, FAR)

    def all(self) -> Mapping[str, int]:
        """The ways to every area that can be reached in a turn."""
        if self._ways is None:
            self._ways = ways_out(self._grid, self._start, self._cost, self._most)
        return self._ways


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
