"""German ways read from tables made once are those that a search finds, whoever stands where."""

from __future__ import annotations

import random

import pytest
from st_help import british, german, situation

from asl_pbcg.st.actions import ferry_works
from asl_pbcg.st.geometry import FAR, Reach
from asl_pbcg.st.german_approach import Approach
from asl_pbcg.st.german_behaviour import choose_end, choose_tank_end, german_sp, road_routes
from asl_pbcg.st.german_ways import OpenWays, Ways
from asl_pbcg.st.resolute import approach_of
from asl_pbcg.st.rules import british_order
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.state import Unit

FIGHTERS = [f"infantry-{number:02d}" for number in range(1, 13)]
SEEDS = range(12)


def crowded(seed: int) -> Situation:
    """British and Germans near one another, tanks and gliders among them, seldom no bridge."""
    source = random.Random(f"ways/{seed}")
    sit = situation(6, "german_movement", chit="E", german="resolute" if seed % 4 == 3 else "rules")
    centre = sit.geo.pegasus if seed % 3 == 2 else source.choice(sit.geo.land)
    near = [area for area, _ in sit.geo.within(centre, source.choice((3, 5, 8)))]
    for unit in source.sample([each.id for each in british_order().units], source.randint(1, 8)):
        british(sit, source.choice(near), unit, suppressed=source.random() < 0.3)
    for unit in (*FIGHTERS[6:], "schmidt"):
        german(sit, source.choice(near), unit)
    for number in (1, 2, 3):
        area = source.choice(near)
        german(sit, area, f"tank-{number}", *FIGHTERS[2 * number - 2 : 2 * number])
        if source.random() < 0.3:
            sit.take_off(f"tank-{number}", "wreck")
    sit.place_vehicle(source.choice(near))
    if seed % 6 == 5:
        sit.bridge = "destroyed"
    if seed % 12 == 11:  # a sapper works the ferry
        sapper = next(each.id for each in british_order().units if each.kind == "sapper")
        british(sit, sit.geo.pegasus, sapper)
        sit.change(sapper, came=sit.turn - 1)
        assert ferry_works(sit)
    return sit


def ground(sit: Situation, seed: int) -> Approach:
    """The approach as the phase began; tanks may push British away, or break the bridge, later."""
    found = approach_of(sit)
    if seed % 5 == 4:
        unit = min(unit.id for unit in sit.on_map("british"))
        sit.put(unit, sit.geo.steps[sit.units[unit].area][0][0])
    if seed % 6 == 2:
        sit.bridge = "destroyed"
    return found


def walkers(sit: Situation) -> list[Unit]:
    return [unit for unit in sit.on_map("german") if unit.combat or unit.kind == "leader"]


def liked_best(sit: Situation, approach: Approach, unit: Unit, mp: int) -> tuple[str, ...] | None:
    """The end of the move by the rules' words, from a search of all ways and distances."""
    target = approach.goal(unit)
    here = unit.area
    if not target or here in approach.british or sit.is_occupied("british", here):
        return None
    left = Reach(approach.back, {target: 0}, approach.british).all()
    ways = Ways(sit, approach, unit, mp)
    found = []
    for area, way in ways.items():
        if left.get(area, FAR) >= left.get(here, FAR):
            continue
        tie = -german_sp(sit, area) if unit.kind == "leader" else 0
        if area in approach.british:
            if approach.may_attack(unit, area):
                rank = 0 if sit.is_obstructed(area) else 1
                found.append((rank, way.mp, approach.sp(area), tie, area))
        elif area == target:
            found.append((1, way.mp, 0, tie, area))
        elif approach.may_wait(unit, area):
            found.append((2 if sit.is_obstructed(area) else 3, left[area], way.mp, tie, area))
    return ways[min(found)[-1]].areas if found else None


@pytest.mark.rule("ST-GMV-01", "ST-MOV-14", "ST-STK-03")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_way_to_each_area_is_that_of_the_search(seed: int) -> None:
    sit = crowded(seed)
    approach = ground(sit, seed)
    for unit in walkers(sit):
        if unit.area in approach.british:
            continue  # it does not move
        searched = Ways(sit, approach, unit, 3)
        near = sit.geo.within(unit.area, 3)
        assert set(searched) <= {area for area, _ in near}
        for area, least in near:
            fresh = OpenWays(sit, approach, unit, 3)  # nothing has been looked for yet
            assert fresh.mp_to(area, least) == searched.mp.get(area), (unit.area, area)
            if area in searched:
                assert fresh.to(area) == searched[area].areas


@pytest.mark.rule("ST-GMV-01", "ST-GMV-02", "ST-MOV-14")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_mp_to_the_british_are_those_of_the_search(seed: int) -> None:
    sit = crowded(seed)
    approach = Approach(sit)
    everywhere = {
        goal: Reach(approach.back, {goal: 0}, approach.british).all() for goal in approach.british
    }
    goals = sorted(approach.british)
    for area in sit.geo.land:
        if area in approach.british:
            continue
        mps = {goal: everywhere[goal].get(area, FAR) for goal in goals}
        assert {goal: approach.mp_to(area, goal) for goal in goals} == mps
        nearest = min(mps.values())
        assert approach.nearest(area) == nearest
        tied = [goal for goal in goals if mps[goal] == nearest < FAR]
        weakest = min(tied, key=lambda a: (not sit.is_obstructed(a), approach.sp(a), a), default="")
        assert approach.target(area) == weakest


@pytest.mark.rule("ST-GMV-01", "ST-GMV-03", "ST-GMV-04", "ST-GMV-05")
@pytest.mark.parametrize("seed", range(24))
def test_the_end_of_the_move_is_that_of_all_ways_compared(seed: int) -> None:
    sit = crowded(seed)
    approach = ground(sit, seed)
    moved = 0
    for unit in walkers(sit):
        for mp in (2, 3):
            expected = liked_best(sit, approach, unit, mp)
            assert choose_end(sit, approach, unit, mp) == expected, (unit.id, unit.area)
            moved += expected is not None
        if unit.area not in approach.british:
            sit.put(unit.id, min(there for there, _ in sit.geo.steps[unit.area]))
    assert moved or seed


@pytest.mark.rule("ST-TNK-07")
@pytest.mark.parametrize("seed", range(24))
def test_a_tank_stays_only_where_no_road_it_can_reach_is_nearer(seed: int) -> None:
    sit = crowded(seed)
    approach = ground(sit, seed)
    source = random.Random(f"tanks/{seed}")
    for tank in [unit for unit in sit.on_map("german") if unit.kind == "tank"]:
        if source.random() < 0.7:
            sit.put(tank.id, source.choice(sorted(sit.geo.roads)))
        found = road_routes(sit, sit.units[tank.id], 3)
        start = sit.units[tank.id].area
        ends = [area for area in found if approach.may_stop(tank, area)] or [start]
        best = min(ends, key=lambda area: (approach.nearest(area), found[area].mp, area))
        route = choose_tank_end(sit, approach, sit.units[tank.id], 3)
        assert (route[-1] if route else start) == best
        assert (route or ()) == found[best].areas
