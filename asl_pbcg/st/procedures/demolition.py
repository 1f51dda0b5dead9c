"""Demolition of Pegasus Bridge, and a tank on the damaged bridge. Rule: ST-DEM-01 to 13."""

from __future__ import annotations

from asl_pbcg.kernel.prompts import Note, Script
from asl_pbcg.st.area_terms import BRITISH, GERMAN
from asl_pbcg.st.procedures.losses import (
    MERCEDES,
    SCHMIDT,
    destroy_weapon,
    kill_leader,
    kill_unit,
    wreck_mercedes,
    wreck_tank,
)
from asl_pbcg.st.state.area_tables import DamagedBridge, Demolition
from asl_pbcg.st.state.decision import note, throw_on
from asl_pbcg.st.state.phase_situation import Situation


def demolition_check(sit: Situation) -> Script[None]:
    """The one attempt of the game, before the Germans move. Rule: ST-SEQ-09, ST-DEM-02.

    It comes in the first German Movement Phase after an attack; the other conditions must hold
    then, or (as set) in a later one. That the chance has passed is secret only where the player
    may not know whether what was attacked is a unit. Rule: ST-DEM-03 to ST-DEM-05, AMB-28, AMB-24.
    """
    if sit.demo != "open" or not sit.attacked:
        return
    if not conditions_hold(sit):
        if sit.settings.demolition_window == "strict":
            sit.demo = "over"
            yield Note(
                state=sit,
                text="The chance to blow the bridge has passed.",
                rule="ST-DEM-03",
                side=GERMAN,
                secret=not sit.settings.attack_activates,
            )
        return
    if sit.demo_marker == "blank":
        sit.demo, sit.demo_marker = "over", "none"
        yield note(sit, "The Germans try to blow Pegasus Bridge: it is not wired.", "ST-DEM-06")
        return
    yield note(sit, "The Germans try to blow Pegasus Bridge: it is wired.", "ST-DEM-06")
    schmidt = sit.units[SCHMIDT]
    there = schmidt.status == "map" and schmidt.area == sit.geo.pillbox
    rolled = yield from throw_on(
        sit,
        "demolition",
        "Demolition of Pegasus Bridge",
        {"schmidt_in_pillbox": True} if there else {},
        side=GERMAN,
    )
    if rolled.result == Demolition.MALFUNCTION:
        sit.demo = "malfunction"
    else:
        sit.demo, sit.demo_marker = "blown", "none"
        if rolled.result == Demolition.DESTROYED:
            yield from destroy_bridge(sit)
        else:
            sit.bridge = "damaged"
            for unit in sit.at(BRITISH, sit.geo.pegasus):
                sit.change(unit.id, came=sit.turn)
            yield note(sit, "Pegasus Bridge is damaged.", "ST-DEM-10")


def conditions_hold(sit: Situation) -> bool:
    """Germans and no British in the pillbox area, a British unit near. ST-DEM-04, ST-DEM-05."""
    pillbox = sit.geo.pillbox
    if not sit.is_occupied(GERMAN, pillbox) or sit.is_occupied(BRITISH, pillbox):
        return False
    if all(unit.dummy for unit in sit.in_area(GERMAN, pillbox)):
        return False
    return any(sit.is_occupied(BRITISH, area) for area in sit.geo.demolition_near)


def destroy_bridge(sit: Situation) -> Script[None]:
    """The charge destroys the bridge and all on it. Rule: ST-DEM-08."""
    pegasus = sit.geo.pegasus
    sit.bridge = "destroyed"
    yield note(sit, "Pegasus Bridge is destroyed.", "ST-DEM-08")
    for weapon in list(sit.weapons.values()):
        if weapon.status == "map" and weapon.area == pegasus:
            if weapon.kind in ("mg", "at"):
                destroy_weapon(sit, weapon.id)
            else:
                sit.change_weapon(weapon.id, status="left", carrier="")
    for vehicle in sit.in_area(GERMAN, pegasus):
        if vehicle.id == MERCEDES:
            yield from wreck_mercedes(sit)  # Schmidt gets out and shares the fate of the rest
        elif vehicle.kind == "tank":
            yield from wreck_tank(sit, vehicle.id)
    for side in (BRITISH, GERMAN):
        for unit in sorted(sit.in_area(side, pegasus), key=lambda unit: unit.id):
            if unit.kind == "leader":
                kill_leader(sit, unit.id)
                yield note(sit, f"{unit.name} is killed.", "ST-DEM-08")
            else:
                yield from kill_unit(sit, unit.id)


def tank_on_bridge(sit: Situation, tank: str) -> Script[None]:
    """A tank has entered the bridge: a damaged one may break. Rule: ST-DEM-11, ST-DEM-12."""
    if sit.bridge != "damaged" or sit.units[tank].area != sit.geo.pegasus:
        return
    rolled = yield from throw_on(
        sit, "damaged_bridge", f"{sit.units[tank].name} enters the damaged bridge", side=GERMAN
    )
    if rolled.result == DamagedBridge.BREAKS:
        sit.bridge = "destroyed"
        yield note(sit, "The bridge breaks under the tank and is destroyed.", "ST-DEM-12")
        yield from wreck_tank(sit, tank)
