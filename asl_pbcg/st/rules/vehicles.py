"""Tanks and the Mercedes: what becomes of them when they are hit."""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.area_terms import BRITISH, GERMAN, GERMAN_INFANTRY
from asl_pbcg.st.rules.decision import note
from asl_pbcg.st.rules.leaders import SCHMIDT, casualty_roll
from asl_pbcg.st.rules.phase_situation import Situation

MERCEDES = "mercedes"
ORDER: Final = attrgetter("order")


def wreck_tank(sit: Situation, tank: str) -> Script[None]:
    """Turn a tank to its wrecked side. Rule: ST-PIA-11, ST-TAT-16, ST-VIC-09."""
    found = sit.units[tank]
    sit.take_off(tank, "wreck")
    sit.book(tanks=1)
    yield note(sit, f"{found.name} in {sit.geo.text(found.area)} is wrecked.", "ST-VIC-09")


def wreck_mercedes(sit: Situation) -> Script[None]:
    """Wreck the Mercedes; Schmidt rolls and goes on by foot. Rule: ST-MER-07, ST-MER-08."""
    car = sit.units[MERCEDES]
    sit.take_off(MERCEDES, "wreck")
    yield note(sit, f"The Mercedes in {sit.geo.text(car.area)} is wrecked.", "ST-MER-07")
    if sit.units[SCHMIDT].status == "aboard":
        sit.put(SCHMIDT, car.area)
        yield from casualty_roll(sit, SCHMIDT)


def tanks_on_map(sit: Situation) -> list[str]:
    """Return the active tanks on the map, head of the column first. Rule: ST-TNK-12."""
    tanks = map(sit.units.__getitem__, sit.tanks)
    found = [unit for unit in tanks if unit.status == "map"]
    if len(found) > 1:
        found.sort(key=ORDER)
    return [unit.id for unit in found]


def tank_in(sit: Situation, area: str, wrecks: bool = True) -> bool:
    """Tell whether an active tank (or a wreck of one) stands in ``area``. Rule: ST-STK-02."""
    statuses = ("map", "wreck") if wrecks else ("map",)
    if area not in sit.vehicles:
        return False
    there = [sit.units[id].status for id in sit.tanks if sit.units[id].area == area]
    return not set(there).isdisjoint(statuses)


def active_tanks(sit: Situation, area: str) -> list[str]:
    """Return the active tanks in an area (one at most), by id."""
    if area not in sit.vehicles:
        return []
    return [id for id in sit.german.get(area, ()) if sit.units[id].kind == "tank"]


def slow_going(sit: Situation, area: str) -> int:
    """Extra MP for a tank or the Mercedes: a glider or a wrecked Mercedes in ``area``.

    Rule: ST-MOV-26, AMB-95.
    """
    if area not in sit.vehicles:
        return 0
    for glider in sit.gliders.values():
        if glider.area == area:
            return sit.n.cost_wreck
    blocks = sit.settings.wreck_blocks_road  # a wrecked tank then, which nobody drives past
    for id in (MERCEDES,) if blocks else (MERCEDES, *sit.tanks):
        unit = sit.units.get(id)
        if unit and unit.area == area and unit.status == "wreck":
            return sit.n.cost_wreck
    return 0


# -- room and roads ---------------------------------------------------------------------


def infantry_in(sit: Situation, area: str) -> int:
    """Return how many German infantry units stand in ``area``. Rule: ST-STK-03."""
    if not sit.is_occupied(GERMAN, area):
        return 0
    return len([unit for unit in sit.in_area(GERMAN, area) if unit.kind in GERMAN_INFANTRY])


def has_room(sit: Situation, area: str, count: int) -> bool:
    """Tell whether ``count`` infantry units may come into ``area``. Rule: ST-STK-03."""
    return not tank_in(sit, area) or infantry_in(sit, area) + count <= sit.n.infantry_with_tank


def areas_full_of_infantry(sit: Situation) -> set[str]:
    """Return the areas where a tank leaves no room for another infantry unit. ST-STK-03."""
    tanks = [sit.units[id] for id in sit.tanks]
    areas = {tank.area for tank in tanks if tank.status in ("map", "wreck")}
    return {area for area in areas if infantry_in(sit, area) >= sit.n.infantry_with_tank}


def vehicle_mp(sit: Situation, there: str, mp: int, tank: bool) -> int | None:
    """Return the MP for a tank or the Mercedes to enter ``there``; None if it may not.

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


def road_step(sit: Situation, area: str, goal: str) -> tuple[str, int]:
    """Return the next road area on the shortest way to ``goal`` and its MP, or nothing."""
    return sit.geo.on_road_to(goal).get(area, ("", 0))
