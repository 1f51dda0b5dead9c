"""Mjr Schmidt and his Mercedes. Rule: ST-MER-01 to ST-MER-12."""

from __future__ import annotations

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.area_terms import BRITISH, GERMAN
from asl_pbcg.st.board.geometry import FAR, Reach
from asl_pbcg.st.rules.decision import note, throw
from asl_pbcg.st.rules.german_advance import Approach, foot_allowance, may_move, step_mp, walk
from asl_pbcg.st.rules.leaders import SCHMIDT
from asl_pbcg.st.rules.move import move
from asl_pbcg.st.rules.phase_situation import Situation
from asl_pbcg.st.rules.rules import german_order
from asl_pbcg.st.rules.vehicles import MERCEDES, road_step, vehicle_mp


def drive_mercedes(sit: Situation) -> Script[None]:
    """The Mercedes appears on turn 3 and drives to leave at Le Port. ST-MER-02 to ST-MER-05."""
    car = sit.units.get(MERCEDES)
    if car is None:
        return
    if car.enters_turn == sit.turn:
        rolled = yield throw(sit, "mercedes_speed", "Speed of the Mercedes", side=GERMAN)
        sit.mercedes_mp = int(rolled.result)
        yield note(sit, f"Mjr Schmidt enters at {car.enters} in his Mercedes.", "ST-MER-02")
        yield from move(sit, (MERCEDES,), sit.geo.entry(car.enters))
    goal = sit.geo.entry(german_order().mercedes_exit)
    spent = 0
    while sit.units[MERCEDES].status == "map" and spent < sit.mercedes_mp:
        car = sit.units[MERCEDES]
        if car.area == goal:
            sit.take_off(MERCEDES, "left")
            sit.take_off(SCHMIDT, "left")
            yield note(sit, "The Mercedes leaves the map at Le Port with Mjr Schmidt.", "ST-MER-05")
            return
        there, cost = road_step(sit, car.area, goal)
        pay = vehicle_mp(sit, there, cost, tank=False) if there else None
        if pay is None or spent + pay > sit.mercedes_mp:
            return
        spent += pay
        yield note(sit, f"The Mercedes drives to {sit.geo.text(there)}.", "ST-MER-05")
        yield from move(sit, (MERCEDES,), there)


def waits_in_pillbox(sit: Situation) -> bool:
    """Tell whether Schmidt stays for the demolition (chits C to H). Rule: AMB-83."""
    schmidt = sit.units[SCHMIDT]
    return (
        sit.settings.schmidt_waits_in_pillbox
        and sit.demo == "open"
        and schmidt.area == sit.geo.pillbox
    )


def on_foot(sit: Situation) -> bool:
    """Tell whether Schmidt has lost his car and not yet met other Germans. Rule: ST-MER-09."""
    schmidt = sit.units[SCHMIDT]
    car = sit.units.get(MERCEDES)
    if car is None or car.status != "wreck" or schmidt.status != "map":
        return False
    return not any(unit.combat and not unit.dummy for unit in sit.at(GERMAN, schmidt.area))


def walk_schmidt(sit: Situation, approach: Approach) -> Script[None]:
    """Schmidt on foot goes to the nearest Germans, or to leave at Le Port. Rule: ST-MER-09."""
    schmidt = sit.units[SCHMIDT]
    if not may_move(sit, schmidt):
        return
    if not on_foot(sit):
        yield from walk(sit, approach, SCHMIDT)
        return
    mp = foot_allowance(sit, schmidt, "")
    exit_area = sit.geo.entry(german_order().mercedes_exit)
    # A garrison that lies face down is a German unit too, a dummy is none.
    friends = {unit.area for unit in sit.on_map(GERMAN) if unit.combat and not unit.dummy}
    leaving = not friends
    away = Reach(approach.back, friends or {exit_area}, approach.extra)
    while mp > 0:
        schmidt = sit.units[SCHMIDT]
        if schmidt.status != "map" or schmidt.suppressed or sit.is_occupied(BRITISH, schmidt.area):
            return
        if leaving and schmidt.area == exit_area:
            sit.take_off(SCHMIDT, "left")
            yield note(sit, "Mjr Schmidt leaves the map at Le Port.", "ST-MER-09")
            return
        if not leaving and schmidt.area in friends:
            return
        here = away.of(schmidt.area)  # whatever is nearer is settled then
        steps = []
        for there, cost in sit.geo.steps[schmidt.area]:
            pay = step_mp(sit, schmidt, schmidt.area, there, cost)
            left = away.settled.get(there, FAR)
            if pay is not None and left < here:
                steps.append((left + pay, there, pay))
        if not steps or min(steps)[2] > mp:
            return
        _, there, pay = min(steps)
        mp -= pay
        yield note(sit, f"Mjr Schmidt walks to {sit.geo.text(there)}.", "ST-MER-09")
        yield from move(sit, (SCHMIDT,), there)
