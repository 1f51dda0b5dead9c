"""Where Germans go: the fixed preferences that replace free judgement. Rule: ST-GMV-01 to 07.

All distances are MP on the map as it was when the German Movement Phase began.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from asl_pbcg.st.actions import ferry_works
from asl_pbcg.st.geometry import FAR, Reach
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.state import Unit
from asl_pbcg.st.terms import BRITISH, GERMAN, GERMAN_INFANTRY
from asl_pbcg.st.vehicles import slow_going, tank_in

MOST_KNOWN: Final = 100
"""Goals with the British about them that are remembered at most, so that memory stays flat."""


class Route(NamedTuple):
    """A way to an area: MP, areas under British eyes, obstructed areas (negative), the areas."""

    mp: int
    seen: int
    cover: int
    areas: tuple[str, ...]


class Approach:
    """The British-occupied areas at the start of the phase and how far every area is from them."""

    def __init__(self, sit: Situation) -> None:
        self.sit = sit
        geo = sit.geo
        self.sp: dict[str, int] = {}
        """SP of the British by area: the areas with a British unit or leader. Rule: ST-GMV-02."""
        self.watched: set[str] = set()
        """Areas on which British able to fire could fire."""
        for place, ids in sit.british.items():
            area = place.rstrip("*")
            units = [unit for unit in map(sit.units.__getitem__, ids) if unit.combat]
            sp = sum(unit.strength for unit in units) if units else sit.n.leaders_alone_sp
            self.sp[area] = self.sp.get(area, 0) + sp
            if any(not unit.suppressed for unit in units):
                self.watched.update(geo.near[area])
        self.british = frozenset(self.sp)
        """Areas with a British unit or leader."""
        self.ranked = sorted(
            self.british, key=lambda area: (not sit.is_obstructed(area), self.sp[area], area)
        )
        self.back = self._land_back()
        self._to: dict[str, Reach] = {}
        self._near: dict[str, tuple[int, str]] = {}
        self._tables = [(area, self._away(area)) for area in self.ranked]

    def _land_back(self) -> Mapping[str, tuple[tuple[str, int], ...]]:
        """For each area where one may come from, with the MP; a destroyed bridge is closed."""
        sit = self.sit
        steps = sit.geo.steps
        if sit.bridge != "destroyed":
            return steps
        bridge = sit.geo.pegasus
        ferry = ferry_works(sit)
        back = dict(steps)
        back[bridge] = tuple((area, sit.n.cost_ferry) for area, _ in steps[bridge]) if ferry else ()
        if not ferry:
            for area, _ in steps[bridge]:
                back[area] = tuple(step for step in steps[area] if step[0] != bridge)
        return back

    def _away(self, goal: str) -> Mapping[str, int]:
        """MP from every area to ``goal`` on a map without enemies."""
        geo = self.sit.geo
        whole = self.back is geo.steps
        return geo.away(goal) if whole else Reach(self.back, {goal: 0}, ()).all()

    def nearest(self, area: str) -> int:
        """MP from ``area`` to the nearest British area; FAR if none can be reached."""
        return self._nearest(area)[0]

    def target(self, area: str) -> str:
        """The British area to head for, or nothing. Ties: obstructed, fewer SP, id. ST-GMV-01."""
        return self._nearest(area)[1]

    def _nearest(self, area: str) -> tuple[int, str]:
        """The MP to the nearest British area, and which it is."""
        found = self._near.get(area)
        if found is None:
            found = self._near[area] = self._look_for(area)
        return found

    def _look_for(self, area: str) -> tuple[int, str]:
        if area in self.british:
            return 0, area
        best, goal = FAR, ""
        for each, away in self._tables:
            # No way to the nearest leads through another British area: that one is nearer. So
            # only the last step enters an area with enemies.
            mp = away.get(area, FAR)
            if mp < best:
                best, goal = mp, each
        return (best + self.sit.n.cost_enemy_occupied, goal) if goal else (FAR, "")

    def goal(self, unit: Unit) -> str:
        """Where ``unit`` heads for, or nothing if it stays. Rule: ST-GMV-01."""
        return self.target(unit.area)

    def why(self, goal: str) -> str:
        """Why a unit heads for ``goal``, in words."""
        return "the nearest British are in"

    def may_attack(self, unit: Unit, area: str) -> bool:
        """Whether ``unit`` may enter the British-occupied ``area``. Rule: ST-GMV-03."""
        return True

    def may_wait(self, unit: Unit, area: str) -> bool:
        """Whether ``unit`` may end its move in ``area``, where no British are. Rule: ST-GMV-04."""
        return True

    def may_stop(self, tank: Unit, area: str) -> bool:
        """Whether a tank may end its move in ``area``. Rule: ST-TNK-07."""
        return True

    def to(self, goal: str) -> Reach:
        """MP from the areas to ``goal``."""
        found = self._to.get(goal)
        if found is None:
            found = self._to[goal] = self._reach(goal)
        return found

    def _reach(self, goal: str) -> Reach:
        """The same where the British stand as they stood in an earlier turn comes again."""
        if self.back is not self.sit.geo.steps:
            return Reach(self.back, {goal: 0}, self.british)
        known = self.sit.rules.approached
        key = (goal, self.british)
        found: Reach | None = known.get(key)
        if found is None:
            if len(known) >= MOST_KNOWN:
                known.clear()
            found = known[key] = Reach(self.back, {goal: 0}, self.british)
        return found


def german_sp(sit: Situation, area: str) -> int:
    """The SP of the German infantry in an area."""
    return sum(unit.strength for unit in sit.in_area(GERMAN, area) if unit.combat)


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
    """Where a German on foot can go with its MP, and the best way there.

    Best is least MP, then fewest watched areas, then most obstructed areas, then id order. A
    way ends where it enters a British area, and leads through no area where a tank leaves no
    room for it. Rule: ST-GMV-01, ST-STK-03.
    """

    def __init__(self, sit: Situation, approach: Approach, unit: Unit, mp: int) -> None:
        self._sit = sit
        self._watched = approach.watched
        start = unit.area
        self.mp: dict[str, int] = {start: 0}
        """The least MP to each area."""
        self._from: dict[str, list[str]] = {start: []}
        self._routes: dict[str, Route] = {start: Route(0, 0, 0, ())}
        leader = unit.kind == "leader"
        steps, british = sit.geo.steps, approach.british
        now, star, surcharge = sit.british, sit.rules.star, sit.n.cost_enemy_occupied
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
                        if there in now or star[there] in now:
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
        found = self._routes.get(area)
        if found is None:
            ways = (self[before] for before in self._from[area])
            seen, cover, areas = min((way.seen, way.cover, (*way.areas, area)) for way in ways)
            found = self._routes[area] = Route(
                self.mp[area],
                seen + (area in self._watched),
                cover - self._sit.is_obstructed(area),
                areas,
            )
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.mp)

    def __len__(self) -> int:
        return len(self.mp)


def full_for_infantry(sit: Situation, area: str) -> bool:
    """Whether a tank there leaves no room for another infantry unit. Rule: ST-STK-03."""
    return tank_in(sit, area) and infantry_in(sit, area) >= sit.n.infantry_with_tank


def infantry_in(sit: Situation, area: str) -> int:
    """How many German infantry units stand in ``area``. Rule: ST-STK-03."""
    units, german = sit.units, sit.german
    return sum(
        units[id].kind in GERMAN_INFANTRY
        for place in (area, sit.rules.star[area])
        if place in german
        for id in german[place]
    )


def choose_end(sit: Situation, approach: Approach, unit: Unit, mp: int) -> Route | None:
    """Where a German on foot goes with ``mp``, and by which way; None if it stays.

    Preferences: British obstructed, British open, other obstructed, other open area, and only
    areas nearer to the target. Rule: ST-GMV-03, ST-GMV-04, ST-GMV-05.
    """
    start = unit.area
    target = approach.goal(unit)
    if not target or start in approach.british or sit.is_occupied(BRITISH, start):
        return None
    reach = approach.to(target)
    here = reach.of(start)
    remaining = reach.settled  # all that is nearer than the start is in it
    leader = unit.kind == "leader"
    ways = Ways(sit, approach, unit, mp)
    best: tuple[int | str, ...] | None = None
    for area, spent in ways.mp.items():
        left = remaining.get(area, FAR)
        if left >= here:
            continue
        obstructed = sit.is_obstructed(area)
        # A leader breaks ties toward the most German SP.
        tie = -german_sp(sit, area) if leader else 0
        key: tuple[int | str, ...]
        if area in approach.british:
            if not approach.may_attack(unit, area):
                continue
            key = (0 if obstructed else 1, spent, approach.sp[area], tie, area)
        elif area == target:
            key = (1, spent, 0, tie, area)  # a place to be retaken: whoever gets there is there
        elif not approach.may_wait(unit, area):
            continue
        else:
            key = (2 if obstructed else 3, left, spent, tie, area)
        if best is None or key < best:
            best = key
    return ways[str(best[-1])] if best else None


def road_routes(sit: Situation, tank: Unit, mp: int) -> dict[str, Route]:
    """The best way by road to every area that a tank can reach. Rule: ST-TNK-01, ST-TNK-02."""
    best: dict[str, Route] = {}
    queue: list[tuple[Route, str]] = [(Route(0, 0, 0, ()), tank.area)]
    while queue:
        route, area = heapq.heappop(queue)
        if area in best:
            continue
        best[area] = route
        if route.areas and sit.is_occupied(BRITISH, area):
            continue
        for there, cost in sit.geo.road_steps.get(area, ()):
            pay = vehicle_mp(sit, there, cost, tank=True)
            if there in best or pay is None or route.mp + pay > mp:
                continue
            heapq.heappush(queue, (Route(route.mp + pay, 0, 0, (*route.areas, there)), there))
    return best


def vehicle_mp(sit: Situation, there: str, mp: int, tank: bool) -> int | None:
    """MP for a tank or the Mercedes to enter ``there``, or None.

    Rule: ST-MOV-26, ST-STK-02, ST-STK-03, ST-TNK-06.
    """
    if sit.bridge == "destroyed" and there == sit.geo.pegasus:
        return None
    if tank and (
        tank_in(sit, there, wrecks=sit.settings.wreck_blocks_road)
        or infantry_in(sit, there) > sit.n.infantry_with_tank
    ):
        return None
    extra = sit.n.cost_enemy_occupied if sit.is_occupied(BRITISH, there) else 0
    return mp + extra + slow_going(sit, there)


def choose_tank_end(sit: Situation, approach: Approach, tank: Unit, mp: int) -> Route | None:
    """The road area nearest to the British that a tank can reach; None if it stays. ST-TNK-07."""
    found = road_routes(sit, tank, mp)
    ends = [area for area in found if approach.may_stop(tank, area)] or [tank.area]
    area = min(ends, key=lambda area: (approach.nearest(area), found[area].mp, area))
    return found[area] if found[area].areas else None


def next_by_road(sit: Situation, area: str, goal: str) -> str:
    """The next road area on the shortest way to ``goal``, or nothing. Rule: ST-TNK-05."""
    away = sit.geo.away(goal, road=True)
    steps = [
        (away[there] + mp, there)
        for there, mp in sit.geo.road_steps.get(area, ())
        if there in away and away[there] < away.get(area, FAR)
    ]
    return min(steps)[1] if steps else ""
