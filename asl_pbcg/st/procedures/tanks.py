"""Tanks in panic after the loss of the lead tank, and tanks in a British prepared position.

Rule: ST-TNK-08 to ST-TNK-10, ST-TNK-12 to ST-TNK-18.
"""

from __future__ import annotations

from asl_pbcg.kernel.prompts import Script, ask
from asl_pbcg.st.area_terms import BRITISH, GERMAN, GERMAN_INFANTRY
from asl_pbcg.st.board.geometry import FAR, Reach
from asl_pbcg.st.procedures.demolition import tank_on_bridge
from asl_pbcg.st.procedures.losses import road_step, tank_in, tanks_on_map, vehicle_mp, wreck_tank
from asl_pbcg.st.procedures.movement import move
from asl_pbcg.st.state.area_tables import LeadTankLost, OffRoad, StuckTank, TankInPosition
from asl_pbcg.st.state.decision import area_option, decide, note, throw_on
from asl_pbcg.st.state.game_rules import german_order
from asl_pbcg.st.state.phase_situation import Situation


def break_position(sit: Situation, tank: str) -> Script[bool]:
    """Settle the roll if there is one; whether the tank's move is over with it. ST-TNK-08."""
    found = sit.units[tank]
    area = found.area
    if not (sit.at(BRITISH, area) and sit.position_of(BRITISH, area) and area in sit.geo.roads):
        return False
    sit.spent[tank] = sit.n.mp_german
    stacked = any(unit.kind in GERMAN_INFANTRY for unit in sit.at(GERMAN, area))
    rolled = yield from throw_on(
        sit,
        "prepared_position_tank",
        f"{found.name} in the prepared position of {sit.geo.text(area)}",
        {"german_infantry": True} if stacked else {},
        side=GERMAN,
        where=area,
    )
    if rolled.result == TankInPosition.STAYS:
        return True
    goal = sit.geo.entry(german_order().march_exit)
    if found.retreat:
        goal = exit_of(sit, area, road=True)
    there, cost = road_step(sit, area, goal)
    if not there:
        return True
    pay = vehicle_mp(sit, there, cost, tank=True)
    if pay is None or pay > sit.n.mp_german:
        yield note(sit, f"{found.name} cannot go on: the road ahead is blocked.", "ST-TNK-10")
        return True
    del sit.positions[area]
    sit.book(positions_removed=1)
    yield note(sit, f"{found.name} breaks through the prepared position.", "ST-TNK-10")
    yield from displace(sit, area)
    yield from move(sit, (tank,), there)
    yield from tank_on_bridge(sit, tank)
    return True


def displace(sit: Situation, area: str) -> Script[None]:
    """The British leave the road; the player picks where to. No fire. Rule: ST-TNK-10."""
    open_to = sorted(
        there
        for there in sit.geo.solid[area]
        if there not in sit.geo.roads and there not in sit.geo.flight
    )
    if not open_to:
        yield note(sit, "The British have nowhere to go and stay.", "ST-TNK-10")
        return
    there = open_to[0]
    if len(open_to) > 1:
        there = yield from ask(
            decide(
                "displaced_to",
                f"The British in {sit.geo.text(area)} are pushed off the road. Where to?",
                rule="ST-TNK-10",
                situation=sit,
                ids=tuple(open_to),
                build=lambda: [area_option(sit, id) for id in open_to],
                pieces=tuple(sorted(unit.id for unit in sit.at(BRITISH, area))),
            )
        )
    for unit in sorted(sit.at(BRITISH, area), key=lambda unit: unit.id):
        sit.put(unit.id, there)
    yield note(sit, f"The British fall back to {sit.geo.text(there)}.", "ST-TNK-10")


def panic_test(sit: Situation) -> Script[None]:
    """The first AT or PIAT fire has destroyed the lead tank. Rule: ST-TNK-12."""
    rolled = yield from throw_on(sit, "lead_tank_lost", "The lead tank is lost", side=GERMAN)
    tanks = tanks_on_map(sit)
    if rolled.result == LeadTankLost.ALL_RETREAT:
        for tank in tanks:
            sit.change(tank, retreat="road")
        _turn_back_waiting(sit)
        yield note(sit, "All German tanks retreat to the nearest entry area.", "ST-TNK-13")
    elif rolled.result == LeadTankLost.SECOND_RETREATS and tanks:
        sit.change(tanks[0], retreat="second")
        yield note(sit, f"{sit.units[tanks[0]].name} retreats.", "ST-TNK-14")


def _turn_back_waiting(sit: Situation) -> None:
    """Tanks of the column that wait off the map do not come any more. Rule: AMB-118."""
    for unit in list(sit.units.values()):
        if unit.kind == "tank" and unit.status == "waiting" and unit.enters_turn <= sit.turn:
            sit.take_off(unit.id, "left")


def exit_of(sit: Situation, area: str, road: bool) -> str:
    """Return the entry area nearest to ``area``; ties go to Le Port, then Benouville. ST-TNK-13."""
    entries = [sit.geo.entry(name) for name in german_order().retreat_order]
    return min(entries, key=lambda entry: sit.geo.away(entry, road).get(area, FAR))


def retreat(sit: Situation, tank: str) -> Script[None]:
    """One tank in panic moves with its full MP. Rule: ST-TNK-13 to ST-TNK-17."""
    mp = sit.n.mp_german - sit.spent.get(tank, 0)
    while mp > 0:
        found = sit.units[tank]
        if found.status != "map":
            return
        road = found.retreat != "off_road"
        goal = exit_of(sit, found.area, road)
        if found.area == goal:
            sit.take_off(tank, "left")
            yield note(sit, f"{found.name} leaves the map at {sit.geo.text(goal)}.", "ST-TNK-13")
            return
        if road:
            there, cost = road_step(sit, found.area, goal)
            blocked = not there or vehicle_mp(sit, there, cost, tank=True) is None
            if blocked and found.retreat == "second":
                left = yield from _leave_road(sit, tank, goal, mp)
                if left < 0:
                    return
                mp = left
                continue
        else:
            there, cost = _off_road_step(sit, found.area, goal)
            blocked = not there
        if blocked:
            yield note(sit, f"{found.name} cannot retreat: the way is blocked.", "ST-TNK-13")
            return
        pay = vehicle_mp(sit, there, cost, tank=True)
        if pay is None or pay > mp:
            return
        mp -= pay
        yield note(sit, f"{found.name} retreats to {sit.geo.text(there)}.", "ST-TNK-13")
        yield from move(sit, (tank,), there)
        yield from tank_on_bridge(sit, tank)


def _off_road_step(sit: Situation, area: str, goal: str) -> tuple[str, int]:
    """Return the next area on or off the road toward ``goal``, round other tanks. ST-TNK-17."""
    barred = sit.geo.flight | {there for there in sit.vehicles if tank_in(sit, there)}
    barred -= {area, goal}
    free = {
        here: tuple(step for step in steps if step[0] not in barred)
        for here, steps in sit.geo.steps.items()
    }
    away = Reach(free, [goal], {})
    found = [
        (away.of(there) + mp, there, mp)
        for there, mp in sit.geo.steps[area]
        if there not in barred
        and away.of(there) < FAR
        and vehicle_mp(sit, there, mp, tank=True) is not None
    ]
    _, there, mp = min(found, default=(0, "", 0))
    return there, mp


def _leave_road(sit: Situation, tank: str, goal: str, mp: int) -> Script[int]:
    """The second tank leaves the blocked road; returns its MP left, -1 if it halts. ST-TNK-15."""
    found = sit.units[tank]
    away = sit.geo.away(goal)
    steps = [
        (away.get(there, FAR), there, cost)
        for there, cost in sit.geo.steps[found.area]
        if there not in sit.geo.roads and there not in sit.geo.flight and not tank_in(sit, there)
    ]
    if not steps:
        yield note(sit, f"{found.name} cannot leave the road and waits.", "ST-TNK-15")
        return -1
    _, there, cost = min(steps)
    pay = vehicle_mp(sit, there, cost, tank=True)
    if pay is None or pay > mp:
        return -1
    yield note(sit, f"{found.name} leaves the road for {sit.geo.text(there)}.", "ST-TNK-15")
    sit.change(tank, retreat="off_road")
    yield from move(sit, (tank,), there)
    rolled = yield from throw_on(sit, "off_road", f"{found.name} leaves the road", side=GERMAN)
    if rolled.result == OffRoad.GOES_ON:
        return mp - pay
    again = yield from throw_on(sit, "stuck_tank", f"{found.name} is stuck", side=GERMAN)
    if again.result == StuckTank.CREW_PANICS:
        yield from wreck_tank(sit, tank)
    return -1
