"""Where Germans go: the fixed preferences that replace free judgement. Rule: ST-GMV-01 to 07.

All distances are MP on the map as it was when the German Movement Phase began.
"""

from __future__ import annotations

import heapq
from typing import Final

from asl_pbcg.st.geometry import Nearer
from asl_pbcg.st.german_approach import Approach
from asl_pbcg.st.german_ways import OpenWays, Route, infantry_in
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.state import Unit
from asl_pbcg.st.terms import BRITISH, GERMAN
from asl_pbcg.st.vehicles import slow_going, tank_in

NOWHERE: Final = ("", 0)
Liking = tuple[int, int, int, int, str]
"""How an area is liked as the end of a move, and which it is."""


def german_sp(sit: Situation, area: str) -> int:
    """The SP of the German infantry in an area."""
    return sum(unit.strength for unit in sit.in_area(GERMAN, area) if unit.combat)


def choose_end(sit: Situation, approach: Approach, unit: Unit, mp: int) -> tuple[str, ...] | None:
    """By which areas a German on foot goes with ``mp``, to the last of them; None if it stays.

    Preferences: British obstructed, British open, other obstructed, other open area, and only
    areas nearer to the target. Rule: ST-GMV-03, ST-GMV-04, ST-GMV-05.
    """
    start = unit.area
    target = approach.goal(unit)
    if not target or start in approach.british or sit.is_occupied(BRITISH, start):
        return None
    ways = OpenWays(sit, approach, unit, mp)
    if unit.kind == "leader" or sit.bridge == "destroyed":
        return _choose_among(ways, target)
    # Whoever stood here before goes the same way, unless what it depends on has changed.
    chosen = approach.chosen()
    key = (start, mp, target, unit.force, *ways.full)
    if key not in chosen:
        chosen[key] = _choose_among(ways, target)
    return chosen[key]


def _choose_among(ways: OpenWays, target: str) -> tuple[str, ...] | None:
    here = ways.approach.to_border(ways.unit.area, target)
    # No area is nearer, or reached with less MP, than on an empty map.
    ends = ways.ends(target, here)
    end = _end_among_british(ways, target, here, ends)
    if not end and ends.ranked:
        end = _end_elsewhere(ways, target, here, ends)
    return ways.to(end) if end else None


def _end_among_british(ways: OpenWays, target: str, here: int, ends: Nearer) -> str:
    """The area with British, or to be retaken, that is liked best as the end. ST-GMV-03."""
    areas = ways.british.intersection(ends.mp)
    if target in ends.mp and target not in areas:
        areas |= {target}
    if not areas:
        return ""
    approach, unit = ways.approach, ways.unit
    if len(areas) == 1:
        hopes = [(0, ends.mp[area], 0, 0, area) for area in areas]
    else:
        hopes = sorted([_liking(ways, area, ends.mp[area]) for area in areas])
    best: Liking | None = None
    for hope in hopes:
        if best is not None and best <= hope:
            break
        area = hope[-1]
        spent = ways.mp_to(area, hope[1])
        if spent is None or (area != target and approach.to_border(area, target) >= here):
            continue
        if area in approach.british and not approach.may_attack(unit, area):
            continue
        if len(hopes) == 1:
            return area
        key = _liking(ways, area, spent)
        if best is None or key < best:
            best = key
    return best[-1] if best else ""


def _liking(ways: OpenWays, area: str, spent: int) -> Liking:
    """How an area with British, or to be retaken, is liked as the end; the lowest is best."""
    sit, approach = ways.sit, ways.approach
    tie = _tie(sit, area) if ways.unit.kind == "leader" else 0
    if area not in approach.british:  # whoever gets to a place to be retaken is there
        return 1, spent, 0, tie, area
    return 0 if sit.is_obstructed(area) else 1, spent, approach.sp(area), tie, area


def _end_elsewhere(ways: OpenWays, target: str, here: int, ends: Nearer) -> str:
    """The area without British that is liked best as the end. Rule: ST-GMV-04, ST-GMV-05.

    Whoever is liked best by the MP of an empty map is liked best if they are the true ones.
    """
    approach, unit, barred = ways.approach, ways.unit, ways.barred
    # Nobody stands in the way on the way to the nearest British.
    straight = here if here <= approach.open_round(unit.area) else 0
    best: Liking | None = None
    for hope in _hopes(ways, ends):
        if best is not None and best <= hope:
            break
        rank, left, least, tie, area = hope
        if area in barred or area == target or not approach.may_wait(unit, area):
            continue
        spent = ways.mp_to(area, least)
        if spent is None:
            continue
        if least + left != straight:
            left = approach.to_border(area, target)
            if left >= here:
                continue
        key = (rank, left, spent, tie, area)
        if key == hope:
            return area
        if best is None or key < best:
            best = key
    return best[-1] if best else ""


def _hopes(ways: OpenWays, ends: Nearer) -> list[Liking]:
    """How areas without British are liked as the end on an empty map, best first."""
    sit = ways.sit
    if ways.unit.kind == "leader":
        return sorted(
            [
                (0 if area in sit.vehicles else rank, left, spent, _tie(sit, area), area)
                for rank, left, spent, _, area in ends.ranked
            ]
        )
    covered = [
        (0, ends.left[area], ends.mp[area], 0, area)
        for area in ends.open.intersection(sit.vehicles)
        if area not in ways.barred
    ]
    # Those that a vehicle covers come before the rest, where they are once more.
    return sorted([*covered, *ends.ranked]) if covered else ends.ranked


def _tie(sit: Situation, area: str) -> int:
    """A leader breaks ties toward the most German SP."""
    return -german_sp(sit, area)


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
    british = sit.british
    if there in british or sit.rules.bunker_in[there] in british:
        mp += sit.n.cost_enemy_occupied
    return mp + slow_going(sit, there) if vehicles else mp


def choose_tank_end(
    sit: Situation, approach: Approach, tank: Unit, mp: int
) -> tuple[str, ...] | None:
    """By which areas a tank drives to the road area nearest to the British; None if it stays.

    What is best on an empty road is best if nothing on the way there costs more. ST-TNK-07.
    """
    hopes = approach.road_ends(tank, mp)
    shut: set[str] = set()  # the areas next to the tank that it cannot enter
    for number, (near, least, area, way) in enumerate(hopes, 1):
        if way.gates <= shut:
            continue
        gate = way.areas[0]
        if gate not in shut and vehicle_mp(sit, gate, 0, tank=True) is None:
            shut.add(gate)
            if way.gates <= shut:
                continue
        more = vehicle_mp(sit, area, 0, tank=True)  # than on an empty map, from wherever it comes
        if more is None or least + more > mp:
            continue
        later = hopes[number][:3] if number < len(hopes) else None
        if more and later and (near, least + more, area) > later:
            return _end_by_search(sit, approach, tank, mp)
        for there in way.areas[:-1]:
            if vehicle_mp(sit, there, 0, tank=True) != 0:
                return _end_by_search(sit, approach, tank, mp)
        return way.areas
    return None


def _end_by_search(
    sit: Situation, approach: Approach, tank: Unit, mp: int
) -> tuple[str, ...] | None:
    """The same of all ways compared."""
    found = road_routes(sit, tank, mp)
    ends = [area for area in found if approach.may_stop(tank, area)] or [tank.area]
    area = min(ends, key=lambda area: (approach.nearest(area), found[area].mp, area))
    return found[area].areas or None


def road_step(sit: Situation, area: str, goal: str) -> tuple[str, int]:
    """The next road area on the shortest way to ``goal`` and its MP, or nothing. ST-TNK-05."""
    return sit.geo.on_road_to[goal].get(area, NOWHERE)


def next_by_road(sit: Situation, area: str, goal: str) -> str:
    """The next road area on the shortest way to ``goal``, or nothing. Rule: ST-TNK-05."""
    return road_step(sit, area, goal)[0]
