"""Where Germans go: the fixed preferences that replace free judgement. Rule: ST-GMV-01 to 07.

All distances are MP on the map as it was when the German Movement Phase began.
"""

from __future__ import annotations

import heapq

from asl_pbcg.st.geometry import FAR
from asl_pbcg.st.german_approach import Approach
from asl_pbcg.st.german_ways import OpenWays, Route, infantry_in
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.state import Unit
from asl_pbcg.st.terms import BRITISH, GERMAN
from asl_pbcg.st.vehicles import slow_going, tank_in

Liking = tuple[int, int, int, int, str]
"""How an area is liked as the end of a move, and which it is."""


def german_sp(sit: Situation, area: str) -> int:
    """The SP of the German infantry in an area."""
    return sum(unit.strength for unit in sit.in_area(GERMAN, area) if unit.combat)


def choose_end(sit: Situation, approach: Approach, unit: Unit, mp: int) -> Route | None:
    """Where a German on foot goes with ``mp``, and by which way; None if it stays.

    Preferences: British obstructed, British open, other obstructed, other open area, and only
    areas nearer to the target. Rule: ST-GMV-03, ST-GMV-04, ST-GMV-05.
    """
    start = unit.area
    target = approach.goal(unit)
    if not target or start in approach.british or sit.is_occupied(BRITISH, start):
        return None
    here = approach.mp_to(start, target)
    toll = approach.toll(target)
    away, near = approach.away(target).get, here - toll
    ways = OpenWays(sit, approach, unit, mp)
    # Nothing is nearer, or reached with less MP, than on an empty map: whoever is liked best
    # by these numbers is liked best if they turn out to be the true ones.
    hopes = [
        (_liking(sit, approach, unit, target, area, spent, away(area, FAR) + toll), spent)
        for area, spent in ways.ends()
        if away(area, FAR) < near
    ]
    hopes.sort()
    best: Liking | None = None
    for hope, least in hopes:
        if best is not None and best <= hope:
            break
        area = hope[-1]
        spent = ways.mp_to(area, least)
        if spent is None:
            continue
        left = approach.mp_to(area, target)
        if left >= here or not _may_end(approach, unit, target, area):
            continue
        key = _liking(sit, approach, unit, target, area, spent, left)
        if best is None or key < best:
            best = key
    return ways.to(best[-1]) if best else None


def _may_end(approach: Approach, unit: Unit, target: str, area: str) -> bool:
    """Whether ``unit`` may end its move in ``area``: attack there, retake it, or wait."""
    if area in approach.british:
        return approach.may_attack(unit, area)
    return area == target or approach.may_wait(unit, area)


def _liking(
    sit: Situation, approach: Approach, unit: Unit, target: str, area: str, spent: int, left: int
) -> Liking:
    """How a German on foot likes to end its move in ``area``; the lowest is best."""
    # A leader breaks ties toward the most German SP.
    tie = -german_sp(sit, area) if unit.kind == "leader" else 0
    obstructed = area in sit.geo.obstructed or area in sit.vehicles
    if area in approach.british:
        return (0 if obstructed else 1, spent, approach.sp(area), tie, area)
    if area == target:  # a place to be retaken: whoever gets there is there
        return (1, spent, 0, tie, area)
    return (2 if obstructed else 3, left, spent, tie, area)


def road_routes(sit: Situation, tank: Unit, mp: int) -> dict[str, Route]:
    """The best way by road to every area that a tank can reach. Rule: ST-TNK-01, ST-TNK-02."""
    best: dict[str, Route] = {}
    queue: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    while queue:
        spent, areas = heapq.heappop(queue)
        area = areas[-1] if areas else tank.area
        if area in best:
            continue
        best[area] = Route(spent, 0, 0, areas)
        if areas and sit.is_occupied(BRITISH, area):
            continue
        for there, cost in sit.geo.road_steps.get(area, ()):
            if there in best or spent + cost > mp:
                continue
            pay = vehicle_mp(sit, there, cost, tank=True)
            if pay is not None and spent + pay <= mp:
                heapq.heappush(queue, (spent + pay, (*areas, there)))
    return best


def vehicle_mp(sit: Situation, there: str, mp: int, tank: bool) -> int | None:
    """MP for a tank or the Mercedes to enter ``there``, or None.

    Rule: ST-MOV-26, ST-STK-02, ST-STK-03, ST-TNK-06.
    """
    if sit.bridge == "destroyed" and there == sit.geo.pegasus:
        return None
    vehicles = there in sit.vehicles
    if tank and (
        (vehicles and tank_in(sit, there, wrecks=sit.settings.wreck_blocks_road))
        or infantry_in(sit, there) > sit.n.infantry_with_tank
    ):
        return None
    if sit.is_occupied(BRITISH, there):
        mp += sit.n.cost_enemy_occupied
    return mp + slow_going(sit, there) if vehicles else mp


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
