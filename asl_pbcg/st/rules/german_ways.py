"""Where the Germans go. Rule: ST-GMV-01 to 07, ST-TNK-05, ST-TNK-07, ST-MOV-14, ST-STK-03.

They head for the nearest British of the map as it was when the German Movement Phase began, take
the quickest way there, and end their move where the preferences of the rules like it best.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from asl_pbcg.st.board.geometry import Geometry, Reach, Steps
from asl_pbcg.st.rules.legal import ferry_works
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.state import Unit
from asl_pbcg.st.rules.vehicles import slow_going, tank_in
from asl_pbcg.st.terms import BRITISH, GERMAN, GERMAN_INFANTRY

NOWHERE: Final = ("", 0)


class Route(NamedTuple):
    """A way to an area: MP, areas under British eyes, obstructed areas (negative), the areas."""

    mp: int
    seen: int
    cover: int
    areas: tuple[str, ...]


class Approach:
    """The British as the German Movement Phase begins, and how far every area is from them.

    The variant Germans override :meth:`goal` and the questions that begin with ``may``.
    """

    def __init__(self, sit: Situation) -> None:
        self.sit = sit
        self.british = frozenset(sit.areas_of(BRITISH))
        """Areas with a British unit or leader."""
        self._units = {area: sit.in_area(BRITISH, area) for area in self.british}
        self._obstructed = {area: sit.is_obstructed(area) for area in self.british}
        self._ferry = None if sit.bridge != "destroyed" else ferry_works(sit)
        self.back = steps_back(sit.geo, self._ferry)
        self._enter = sit.n.cost_enemy_occupied
        self._nearest = Reach(self.back, dict.fromkeys(self.british, 0), self.british)
        self._watched: dict[str, bool] = {}

    def sp(self, area: str) -> int:
        """SP of the British in ``area``; leaders alone count as one unit. Rule: ST-GMV-02."""
        combat = [unit.strength for unit in self._units.get(area, ()) if unit.combat]
        return sum(combat) if combat else self.sit.n.leaders_alone_sp

    def is_watched(self, area: str) -> bool:
        """Whether British able to fire could fire on ``area``."""
        if area not in self._watched:
            self._watched[area] = any(
                unit.combat and not unit.suppressed
                for near in self.sit.geo.near[area]
                for unit in self._units.get(near, ())
            )
        return self._watched[area]

    def nearest(self, area: str) -> int:
        """MP from ``area`` to the nearest British area; FAR if none can be reached."""
        return self._nearest.of(area)

    def mp_to(self, area: str, goal: str) -> int:
        """MP from ``area`` to ``goal``, through or round the British; FAR if no way leads there."""
        return distances(self.sit.geo, goal, self.british, self._ferry).of(area)

    def mp_to_border(self, area: str, goal: str) -> int:
        """MP from ``area`` to the border of ``goal``."""
        if area == goal:
            return 0
        return self.mp_to(area, goal) - (self._enter if goal in self.british else 0)

    def target(self, area: str) -> str:
        """The nearest British area, or nothing. Ties: obstructed, fewer SP, id. ST-GMV-01."""
        mp, enter = self._nearest.of(area), 0 if area in self.british else self._enter
        away = (distances(self.sit.geo, goal, NOBODY_THERE, self._ferry) for goal in self.british)
        near = [
            goal for goal, mps in zip(self.british, away, strict=True) if mps.of(area) + enter == mp
        ]
        rank = lambda goal: (not self._obstructed[goal], self.sp(goal), goal)  # noqa: E731
        return min(near, key=rank, default="")

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


NOBODY_THERE: Final[frozenset[str]] = frozenset()


def steps_back(geo: Geometry, ferry: bool | None) -> Steps:
    """Where one may come from; ``ferry`` says whether it works, None if the bridge stands."""
    return geo.steps if ferry is None else geo.back_when_broken[ferry]


@lru_cache(maxsize=400)
def distances(geo: Geometry, goal: str, british: frozenset[str], ferry: bool | None) -> Reach:
    """MP to ``goal`` from every area, more where British stand; worked out as far as is asked."""
    return Reach(steps_back(geo, ferry), {goal: 0}, british)


# -- ways ---------------------------------------------------------------------------------

Onward = Callable[[str], Iterable[tuple[str, int]]]


def routes(
    sit: Situation, approach: Approach, unit: Unit, mp: int, onward: Onward
) -> dict[str, Route]:
    """The best way to every area within ``mp``; ``onward`` gives the steps out of an area.

    Best is least MP, then fewest watched areas, then most obstructed ones, then id order.
    """
    best: dict[str, Route] = {}
    queue = [Route(0, 0, 0, ())]
    while queue:
        way = heapq.heappop(queue)
        area = way.areas[-1] if way.areas else unit.area
        if area in best:
            continue
        best[area] = way
        for there, pay in onward(area):
            if there not in best and way.mp + pay <= mp:
                seen = way.seen + approach.is_watched(there)
                cover = way.cover - sit.is_obstructed(there)
                heapq.heappush(queue, Route(way.mp + pay, seen, cover, (*way.areas, there)))
    return best


def on_foot(sit: Situation, approach: Approach, unit: Unit) -> Onward:
    """The steps of a German on foot: he goes no further than to the British.

    Infantry finds no room beside a tank with infantry. Rule: ST-STK-03.
    """

    def onward(here: str) -> Iterable[tuple[str, int]]:
        if here in approach.british:
            return
        for there, cost in sit.geo.steps[here]:
            pay = step_mp(sit, unit, here, there, cost)
            if pay is not None and (unit.kind == "leader" or not full_for_infantry(sit, there)):
                yield there, pay

    return onward


def by_road(sit: Situation, tank: Unit) -> Onward:
    """The steps of a tank: it stops where it meets British. Rule: ST-TNK-01, ST-TNK-02."""

    def onward(here: str) -> Iterable[tuple[str, int]]:
        if here != tank.area and sit.is_occupied(BRITISH, here):
            return
        for there, cost in sit.geo.road_steps.get(here, ()):
            pay = vehicle_mp(sit, there, cost, tank=True)
            if pay is not None:
                yield there, pay

    return onward


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
    if sit.is_occupied(BRITISH, there):
        mp += sit.n.cost_enemy_occupied
    return mp + slow_going(sit, there)


# -- where a move ends ----------------------------------------------------------------------


def choose_end(sit: Situation, approach: Approach, unit: Unit, mp: int) -> Route | None:
    """Return the way a German on foot takes with ``mp``, or None if it stays.

    Preferences: British obstructed, British open, other obstructed, other open area, and only
    areas nearer to the target. A leader breaks ties toward most German SP. A unit that has moved
    in this phase already leaves an obstructed area for an obstructed or British one alone.
    Rule: ST-GMV-03, ST-GMV-04, ST-GMV-05.
    """
    start, target = unit.area, approach.goal(unit)
    if not target or start in approach.british or sit.is_occupied(BRITISH, start):
        return None
    here = approach.mp_to_border(start, target)
    ways = routes(sit, approach, unit, mp, on_foot(sit, approach, unit))
    attacks: list[tuple[tuple[int, ...], str]] = []
    halts: list[tuple[tuple[int, ...], str]] = []
    for area, way in ways.items():
        left = approach.mp_to_border(area, target)
        if left >= here and not (area == start and sit.spent.get(unit.id)):
            continue
        is_open = not sit.is_obstructed(area)
        tie = -german_sp(sit, area) if unit.kind == "leader" else 0
        if area in approach.british:
            if approach.may_attack(unit, area):
                attacks.append(((is_open, way.mp, approach.sp(area), tie), area))
        elif area == target:  # whoever gets to a place to be retaken is there
            attacks.append(((True, way.mp, 0, tie), area))
        elif approach.may_wait(unit, area):
            halts.append(((is_open, left, way.mp, tie), area))
    _, end = min(attacks or halts, default=((), start))
    return ways[end] if end != start else None


def choose_tank_end(sit: Situation, approach: Approach, tank: Unit, mp: int) -> Route | None:
    """Return the way of a tank to the road area nearest to the British. Rule: ST-TNK-07."""
    ways = routes(sit, approach, tank, mp, by_road(sit, tank))
    ends = [area for area in ways if approach.may_stop(tank, area)] or [tank.area]
    end = min(ends, key=lambda area: (approach.nearest(area), ways[area].mp, area))
    return ways[end] if ways[end].areas else None


def german_sp(sit: Situation, area: str) -> int:
    """The SP of the German infantry in an area."""
    return sum(unit.strength for unit in sit.in_area(GERMAN, area) if unit.combat)


def road_step(sit: Situation, area: str, goal: str) -> tuple[str, int]:
    """The next road area on the shortest way to ``goal`` and its MP, or nothing. ST-TNK-05."""
    return sit.geo.on_road_to[goal].get(area, NOWHERE)


def next_by_road(sit: Situation, area: str, goal: str) -> str:
    """The next road area on the shortest way to ``goal``, or nothing. Rule: ST-TNK-05."""
    return road_step(sit, area, goal)[0]


def full_for_infantry(sit: Situation, area: str) -> bool:
    """Whether a tank there leaves no room for another infantry unit. Rule: ST-STK-03."""
    return tank_in(sit, area) and infantry_in(sit, area) >= sit.n.infantry_with_tank


def infantry_in(sit: Situation, area: str) -> int:
    """How many German infantry units stand in ``area``. Rule: ST-STK-03."""
    return sum(unit.kind in GERMAN_INFANTRY for unit in sit.in_area(GERMAN, area))
