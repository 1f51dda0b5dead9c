"""How Germans on foot get about: what a step costs, where their MP take them, by which way.

Rule: ST-GMV-01, ST-MOV-14, ST-STK-03.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from asl_pbcg.st.actions import ferry_works
from asl_pbcg.st.geometry import FAR, Nearer
from asl_pbcg.st.german_approach import Approach
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.state import Unit
from asl_pbcg.st.terms import BRITISH, GERMAN_INFANTRY
from asl_pbcg.st.vehicles import tank_areas, tank_in
from asl_pbcg.st.whereabouts import NOBODY


class Route(NamedTuple):
    """A way to an area: MP, areas under British eyes, obstructed areas (negative), the areas."""

    mp: int
    seen: int
    cover: int
    areas: tuple[str, ...]


def step_mp(sit: Situation, unit: Unit, here: str, there: str, mp: int) -> int | None:
    """MP for a German on foot to step from ``here`` to ``there``, or None. Rule: ST-MOV-14."""
    extra = sit.n.cost_enemy_occupied if sit.is_occupied(BRITISH, there) else 0
    if sit.bridge == "destroyed":
        pegasus = sit.geo.pegasus
        if there == pegasus:
            return sit.n.cost_ferry + extra if ferry_works(sit) else None
        if here == pegasus and unit.bank and sit.bank_of(there) != unit.bank:
            return mp + extra if ferry_works(sit) else None
    return mp + extra


class Ways(Mapping[str, Route]):
    """Where a German on foot can go with its MP, and the best way there, by a search.

    Best is least MP, then fewest watched areas, then most obstructed areas, then id order. A
    way ends where it enters a British area, and leads through no area where a tank leaves no
    room for it. Rule: ST-GMV-01, ST-STK-03.
    """

    def __init__(self, sit: Situation, approach: Approach, unit: Unit, mp: int) -> None:
        start = unit.area
        self.mp: dict[str, int] = {start: 0}
        """The least MP to each area."""
        self._from: dict[str, list[str]] = {start: []}
        self._best = BestWays(sit, approach, start, self.mp, self._from.__getitem__)
        leader = unit.kind == "leader"
        steps, british = sit.geo.steps, approach.british
        now, bunker_in, surcharge = sit.british, sit.rules.bunker_in, sit.n.cost_enemy_occupied
        vehicles = sit.vehicles
        whole = sit.bridge != "destroyed"
        best, before = self.mp, self._from
        at: list[list[str]] = [[start], *([] for _ in range(mp))]
        # Every step costs something: the areas are done in the order of their MP.
        for spent in range(mp):
            for area in at[spent]:
                if best[area] < spent or (area in british and area != start):
                    continue
                for there, cost in steps[area]:
                    total = spent + cost
                    if total > mp or total > best.get(there, FAR):
                        continue
                    if whole:
                        if there in now or bunker_in[there] in now:
                            total += surcharge
                    else:
                        pay = step_mp(sit, unit, area, there, cost)
                        if pay is None:
                            continue
                        total = spent + pay
                    known = best.get(there, FAR)
                    if total > mp or total > known:
                        continue
                    if there in vehicles and not leader and full_for_infantry(sit, there):
                        continue
                    if total < known:
                        best[there] = total
                        before[there] = [area]
                        at[total].append(there)
                    else:
                        before[there].append(area)

    def __getitem__(self, area: str) -> Route:
        return self._best.to(area)

    def __iter__(self) -> Iterator[str]:
        return iter(self.mp)

    def __len__(self) -> int:
        return len(self.mp)


class BestWays:
    """The best of the ways with least MP: ``before`` names the areas that they come from."""

    __slots__ = ("_approach", "_before", "_known", "_mp", "_sit")

    def __init__(
        self,
        sit: Situation,
        approach: Approach,
        start: str,
        mp: Mapping[str, int],
        before: Callable[[str], Sequence[str]],
    ) -> None:
        self._sit = sit
        self._approach = approach
        self._mp = mp
        self._before = before
        self._known = {start: Route(0, 0, 0, ())}

    def to(self, area: str) -> Route:
        """The best way to ``area``."""
        found = self._known.get(area)
        if found is None:
            seen, cover, areas = min(
                [
                    (way.seen, way.cover, (*way.areas, area))
                    for way in map(self.to, self._before(area))
                ]
            )
            found = self._known[area] = Route(
                self._mp[area],
                seen + self._approach.is_watched(area),
                cover - self._sit.is_obstructed(area),
                areas,
            )
        return found


class OpenWays:
    """The same ways from an area without British, read from the empty map where that can be done.

    British and full areas bar the ways on through them. What can be reached by a shortest way
    of the empty map without them takes no more MP than there; only for what cannot, and might be
    reached by a longer way, all ways are looked for.
    """

    __slots__ = (
        "_mp", "_searched", "_start", "approach", "barred", "british", "full", "sit", "unit",
    )  # fmt: skip

    def __init__(self, sit: Situation, approach: Approach, unit: Unit, mp: int) -> None:
        self.sit = sit
        self.approach = approach
        self.unit = unit
        self._mp = mp
        self._start = start = unit.area
        around = sit.geo.around[start, mp]
        self.barred = self.british = approach.british.intersection(around)
        """The British areas within reach; those where a tank leaves no room are barred too."""
        self.full: Sequence[str] = NOBODY
        """The areas within reach where a tank leaves no room."""
        if unit.kind != "leader":
            german, limit = sit.german, sit.n.infantry_with_tank
            full = []
            for area, active in tank_areas(sit).items():
                if area in around:
                    others = len(german.get(area, NOBODY)) - active
                    if others < limit and area not in sit.geo.has_bunker:
                        continue
                    if infantry_in(sit, area) >= limit:
                        full.append(area)
            if full:
                self.full = full
                self.barred = self.british.union(full)
        self._searched: Ways | None = None
        if sit.bridge == "destroyed":
            self._search()

    def ends(self, goal: str, than: int) -> Nearer:
        """The areas that may be reached and are nearer to ``goal`` than ``than``.

        The MP are the least that each takes.
        """
        geo = self.sit.geo
        if self._searched is not None:
            return geo.rank(self._searched.mp.items(), self.approach.away(goal), than)
        return geo.nearer[self._start, self._mp, goal, than]

    def mp_to(self, area: str, least: int) -> int | None:
        """The MP to ``area``, which takes ``least`` on an empty map; None if it is too far."""
        if area in self.full:
            return None
        # The tables are asked for the British where they were when the phase began.
        if self._searched is None and self.approach.stands():
            if self._free_ways(area):
                if area in self.british:
                    least += self.sit.n.cost_enemy_occupied
                return least if least <= self._mp else None
            if least == self._mp or not self._may_come_round(area):
                return None
        return self._search().mp.get(area)

    def _may_come_round(self, area: str) -> bool:
        """Whether a longer way could lead to ``area``: one must come in from next to it."""
        mp, barred = self.sit.geo.on_foot[self._start], self.barred
        for here, cost in self.sit.geo.steps[area]:
            if here not in barred and mp[here] + cost <= self._mp:
                return True
        return False

    def to(self, area: str) -> tuple[str, ...]:
        """The best way to an area that :meth:`mp_to` has given the MP of: the areas entered."""
        if self._searched is not None:
            return self._searched[area].areas
        found = self._free_ways(area)
        return found[0] if len(found) == 1 else min(found, key=self._worth)

    def _worth(self, areas: tuple[str, ...]) -> tuple[int, int, tuple[str, ...]]:
        """How good a way is: few areas under British eyes, many obstructed ones."""
        seen = sum(map(self.approach.is_watched, areas))
        return seen, -sum(map(self.sit.is_obstructed, areas)), areas

    def _free_ways(self, area: str) -> Sequence[tuple[str, ...]]:
        """The shortest ways to ``area`` through no area that is British or full."""
        ways, through = self.sit.geo.shortest[self._start, area]
        barred = self.barred
        if through.isdisjoint(barred):
            return ways
        if len(ways) == 1:
            return ()
        return [way for way in ways if barred.isdisjoint(way[:-1])]

    def _search(self) -> Ways:
        if self._searched is None:
            self._searched = Ways(self.sit, self.approach, self.unit, self._mp)
        return self._searched


def full_for_infantry(sit: Situation, area: str) -> bool:
    """Whether a tank there leaves no room for another infantry unit. Rule: ST-STK-03."""
    return tank_in(sit, area) and infantry_in(sit, area) >= sit.n.infantry_with_tank


def infantry_in(sit: Situation, area: str) -> int:
    """How many German infantry units stand in ``area``. Rule: ST-STK-03."""
    german, units = sit.german, sit.units
    count = 0
    if area in german:
        for id in german[area]:
            if units[id].kind in GERMAN_INFANTRY:
                count += 1
    if area in sit.geo.has_bunker:
        for id in german.get(sit.rules.bunker_in[area], NOBODY):
            if units[id].kind in GERMAN_INFANTRY:
                count += 1
    return count
