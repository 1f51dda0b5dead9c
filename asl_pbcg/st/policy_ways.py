"""Ways of the automatic British player: MP with the danger of the places entered, in fractions.

Areas are whole numbers here and a way is worked out as far as somebody asks: a plan looks up
thousands of ways a game.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple
from weakref import WeakKeyDictionary

from asl_pbcg.st.geometry import FAR, Geometry

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
        toward: list[list[tuple[int, int]]] = [[] for _ in self.names]
        for at, before in enumerate(self.back):
            for here, mp in before:
                toward[here].append((at, mp))
        self.toward: Steps = tuple(map(tuple, toward))
        """The same by the area that one comes from."""
        gliding: list[list[int]] = [[] for _ in self.names]
        self.gliding_to: list[tuple[int, ...]] = [() for _ in self.names]
        if arrows:
            for area, ends in geo.arrows.items():
                self.gliding_to[number[area]] = tuple(number[end] for end in ends)
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
        self._safe: dict[str, Safe] = {}
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

    def safe(self, goal: str) -> Safe:
        """The ways to ``goal`` where nothing is dangerous; worked out once."""
        found = self._safe.get(goal)
        if found is None:
            found = self._safe[goal] = self._look_for(self.number[goal])
        return found

    def _look_for(self, goal: int) -> Safe:
        count = len(self.names)
        way, entered = [FAR] * count, [0] * count
        way[goal] = here = 0
        found = {0: [goal]}  # the areas by their way; all ways are whole MP
        back, gliding = self.back, self.gliding
        while found:
            for at in found.pop(here, ()):
                if way[at] < here:
                    continue
                through = entered[at] | 1 << at
                for before, mp in back[at]:
                    far = here + mp
                    if far < way[before]:
                        way[before], entered[before] = far, through
                        if far in found:
                            found[far].append(before)
                        else:
                            found[far] = [before]
                for before in gliding[at]:
                    far = here + SCALE
                    if far < way[before]:
                        way[before], entered[before] = far, entered[at]
                        found.setdefault(far, []).append(before)
            here += SCALE
        return Safe(way, entered, {})

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


class Safe(NamedTuple):
    """From each area the way to one goal without danger, and the areas that it enters as bits.

    Danger only makes a way longer: as long as none lies on this way, none is shorter.
    """

    way: list[int]
    entered: list[int]
    nearer: dict[str, tuple[Nearer, int]]
    """For an area asked for: :meth:`Ways.nearer` without danger, and the areas that would change
    it if they were dangerous, as bits."""


class Dangers(NamedTuple):
    """What entering each area costs beside its MP; the areas where it costs anything, as bits."""

    cost: tuple[int, ...]
    areas: int


class Ways:
    """How far every area is from one goal: the cost of the dangers is added where one enters."""

    __slots__ = (
        "_bound", "_cost", "_dangerous", "_grid", "_known", "_nearer", "_number",
        "_on_the_way", "_proven", "_safe", "_start", "least_danger", "least_ways",
    )  # fmt: skip

    def __init__(self, grid: Grid, goal: str, dangers: Dangers) -> None:
        self._grid = grid
        self._number = grid.number
        self._cost, self._dangerous = dangers
        self._safe = grid.safe(goal)
        self.least_ways = self._safe.way
        """The ways without danger."""
        self._start = at = grid.number[goal]
        # Who comes to a goal enters it, unless an arrow leads there: its own danger lies on
        # every way and makes none of them longer than another.
        apart = not grid.gliding[at]
        self.least_danger = self._cost[at] if apart else 0
        """What the danger of the goal adds to all of them but its own."""
        self._on_the_way = self._dangerous & ~(1 << at) if apart else self._dangerous
        self._bound: list[int] = []
        self._known: set[int] = set()
        self._proven = 0
        """The areas whose shortest way is the shortest with the danger on it too, as bits."""
        self._nearer: dict[str, Nearer] = {}

    def of(self, area: str) -> int:
        """The way from ``area``, in fractions of an MP; FAR if there is none."""
        wanted = self._number[area]
        safe = self._safe
        if safe.entered[wanted] & self._on_the_way:
            return self._past_danger(wanted)
        way, danger = safe.way[wanted], self.least_danger
        return way + danger if danger and 0 < way < FAR else way

    def least(self, area: str) -> int:
        """What the way from ``area`` is at least: danger only makes it longer."""
        if self._bound:
            return min(self._bound[self._number[area]], FAR)
        way = self._safe.way[self._number[area]]
        return way + self.least_danger if 0 < way < FAR else way

    def shorter(self, area: str, than: int) -> int:
        """The way from ``area`` if it is shorter than ``than``, else FAR."""
        if self.least(area) >= than:
            return FAR
        found = self.of(area)
        return found if found < than else FAR

    def nearer(self, area: str) -> Nearer:
        """Where one step from ``area`` leads nearer."""
        found = self._nearer.get(area)
        if found is None:
            safe = self._safe
            known = safe.nearer.get(area)
            if known is None:
                known = safe.nearer[area] = self._nearer_safe(area)
            found = known[0] if not known[1] & self._dangerous else self._nearer_of(area)
            self._nearer[area] = found
        return found

    def _nearer_safe(self, area: str) -> tuple[Nearer, int]:
        """The same without danger, and the areas that would change it by their danger."""
        safe, at, start = self._safe, self._number[area], self._start
        here, bits, beside = safe.way[at], safe.entered[at], False
        if here == FAR:
            return NO_STEP, 0
        found: dict[str, float] = {}
        for name, there in self._grid.ends[at]:
            way = safe.way[there]
            if way < here:
                found[name] = (here - way) / SCALE
                bits |= safe.entered[there]
                beside = beside or there == start
        if not (beside or self._grid.gliding[start]):
            bits &= ~(1 << start)  # it has still to be entered after the step
        return found, bits

    def _nearer_of(self, area: str) -> Nearer:
        here, at = self.of(area), self._number[area]
        bound, cost = self._bound, self._cost
        if bound:
            # By way of any other area it is no shorter.
            for there, mp in self._grid.toward[at]:
                least = here - mp - cost[there]
                if least > bound[there]:
                    bound[there] = least
        found: dict[str, float] = {}
        for name, _ in self._grid.ends[at]:
            there = self.shorter(name, here)
            if there < FAR:
                found[name] = (here - there) / SCALE
        return found

    def _past_danger(self, wanted: int) -> int:
        """The way from an area whose shortest way is dangerous.

        It is at most that way with all the danger on it; another one is looked for if it could be
        shorter.
        """
        known, bound = self._known, self._bound
        if wanted in known:
            return bound[wanted]
        if not bound:
            self._begin_bound()
        way, cost = self.least_ways[wanted], self._cost
        dangerous = self._safe.entered[wanted] & self._dangerous
        while dangerous:
            at = dangerous.bit_length() - 1
            way += cost[at]
            dangerous ^= 1 << at
        if bound[wanted] < way and not self._proven >> wanted & 1:
            way = self._way_round(wanted, way)
        known.add(wanted)
        bound[wanted] = way
        return way

    def _way_round(self, wanted: int, whole: int) -> int:
        """The way from an area if it is shorter than ``whole``, else that one.

        It is looked for where it can be the shortest first, and no further than to where the way
        on is known.
        """
        known, bound = self._known, self._bound
        entered, on_the_way = self._safe.entered, self._on_the_way
        onward, gliding, cost = self._grid.toward, self._grid.gliding_to, self._cost
        paid, came = {wanted: 0}, {wanted: wanted}
        looked_at: list[int] = []
        queue = [(bound[wanted], bound[wanted], wanted)]
        while queue:
            least, ahead, at = heappop(queue)
            here = paid[at]
            if here + ahead < least:
                continue  # it has been looked at when less was paid
            if at in known or not entered[at] & on_the_way:
                whole = least
                while at != wanted:
                    at = came[at]
                    known.add(at)
                break
            looked_at.append(at)
            for there, mp in onward[at]:
                far = here + mp + cost[there]
                if there not in paid or far < paid[there]:
                    ahead = bound[there]
                    if far + ahead < whole:
                        paid[there], came[there] = far, at
                        heappush(queue, (far + ahead, ahead, there))
            for there in gliding[at]:
                far, ahead = here + SCALE, bound[there]
                if far + ahead < whole and (there not in paid or far < paid[there]):
                    paid[there], came[there] = far, at
                    heappush(queue, (far + ahead, ahead, there))
        else:
            # Nor is there a shorter one from wherever on the way one sets out.
            self._proven |= entered[wanted]
        # From each area looked at it is as far at least as it would be on this way.
        for before in looked_at:
            least = whole - paid[before]
            if least > bound[before]:
                bound[before] = least
        return whole

    def _begin_bound(self) -> None:
        """How far it is from each area at least: who is not beside the goal comes by there."""
        start, cost, gliding = self._start, self._cost, self._grid.gliding
        beside = [at for at, _ in self._grid.back[start]]
        ring = 0
        if beside and not gliding[start]:
            ring = min([0 if gliding[at] else cost[at] for at in beside])
        found = list(map((self.least_danger + ring).__add__, self.least_ways))
        found[start] = 0
        if ring:
            for at in beside:
                found[at] -= ring
        self._bound += found  # at once: a teacher may think in another thread


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
