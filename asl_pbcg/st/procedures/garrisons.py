"""Garrison activation and what an attack sets going. Rule: ST-GAR-01 to ST-GAR-05."""

from __future__ import annotations

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.area_terms import BRITISH, GERMAN
from asl_pbcg.st.procedures.losses import SCHMIDT, disturb
from asl_pbcg.st.state.area_tables import GarrisonActivation
from asl_pbcg.st.state.decision import note, throw_on
from asl_pbcg.st.state.game_state import Pow
from asl_pbcg.st.state.phase_situation import Situation


def turn_up(sit: Situation, unit: str, roll: bool) -> Script[bool]:
    """Activate a face-down counter; returns whether it was a garrison and no dummy.

    Rule: ST-GAR-03, ST-GAR-04.
    """
    found = sit.units[unit]
    where = sit.geo.text(found.area)
    if found.dummy:
        sit.take_off(unit, "left")
        sit.change(unit, face_down=False)
        yield note(sit, f"The counter in {where} was a dummy.", "ST-GAR-03")
        return False
    sit.change(unit, face_down=False)
    yield note(sit, f"The counter in {where} is a garrison squad: it is activated.", "ST-GAR-03")
    if roll:
        rolled = yield from throw_on(
            sit, "garrison_activation", f"Activation of {found.name}", side=GERMAN, where=found.area
        )
        if rolled.result == GarrisonActivation.NO_OPPORTUNITY_FIRE:
            sit.change(unit, no_opportunity_fire=sit.turn)
    return True


def activate_near(sit: Situation, area: str) -> Script[None]:
    """A British unit has moved into ``area``: counters there and next to it turn up.

    Rule: ST-GAR-02, AMB-27.
    """
    german = sit.german
    units = sit.units
    aware = {area, *sit.geo.aware[area]}
    found = []
    for place in sit.rules.near_places[area].intersection(german):
        if sit.geo.area_at[place] in aware:
            found += [id for id in german[place] if units[id].face_down]
    for id in sorted(found):
        yield from turn_up(sit, id, roll=True)


def activate_all(sit: Situation) -> Script[None]:
    """Turn 5 begins: every counter that still lies face down turns up. Rule: ST-GAR-05, AMB-26."""
    for unit in list(sit.on_map(GERMAN)):
        if unit.face_down:
            yield from turn_up(sit, unit.id, roll=sit.settings.turn_5_roll)


def attack_unit(sit: Situation, unit: str) -> Script[bool]:
    """The British attack ``unit``; returns whether it is (still) there to be hit.

    A face-down counter turns up first (AMB-24); an attack on a German unit opens the
    demolition (ST-DEM-03); the unit knows that the British are there (ST-GRN-06, ST-TNK-07).
    """
    found = sit.units[unit]
    if found.face_down:
        if sit.settings.attack_activates:
            if not (yield from turn_up(sit, unit, roll=True)):
                return False
        elif found.dummy:
            return False
    sit.attacked = True
    yield from alarm(sit, unit)
    return True


def alarm(sit: Situation, unit: str) -> Script[None]:
    """``unit`` is fired on or fights: reinforcements turn on the British, the Mercedes speeds up.

    Rule: ST-GRN-06, ST-TNK-07, ST-MER-04, AMB-47.
    """
    found = sit.units[unit]
    if found.force:
        if not sit.triggered:
            sit.triggered = True
            yield note(
                sit,
                "A German reinforcement is attacked: tanks and infantry turn to the nearest "
                "British.",
                "ST-TNK-07",
            )
        yield from release(sit, found.id, "is attacked")
    if found.kind == "mercedes":
        fast = sit.n.mp_mercedes_fired_on
        if sit.mercedes_mp != fast:
            sit.mercedes_mp = fast
            yield note(sit, f"The Mercedes is fired on: {fast} MP from now on.", "ST-MER-04")


def release(sit: Situation, unit: str, why: str, alone: bool = False) -> Script[None]:
    """A German reinforcement may fire from now on, and its force with it. ST-GRN-06, AMB-47."""
    found = sit.units[unit]
    if not found.force or found.released:
        return
    if alone or sit.settings.fire_release == "unit":
        sit.change(unit, released=True)
        yield note(sit, f"{found.name} {why} and may fire from now on.", "ST-GRN-06")
        return
    for other in list(sit.units.values()):
        if other.force and not other.released:
            sit.change(other.id, released=True)
    yield note(
        sit, f"{found.name} {why}: the German reinforcements may fire from now on.", "ST-GRN-06"
    )


def capture_schmidt(sit: Situation, area: str, by: str) -> Script[None]:
    """A British unit has entered ``area``: Schmidt is captured if no other German is there.

    The POW goes to the unit that entered or to another combat unit there; where only a leader
    is, the marker goes at once. The capture counts all the same (AMB-120).
    Rule: ST-MER-10, ST-MER-11, ST-POW-07.
    """
    there = sit.in_area(GERMAN, area)
    if len(there) != 1 or there[0].id != SCHMIDT:
        return
    guards = sorted(unit.id for unit in sit.in_area(BRITISH, area) if unit.combat)
    guard = by if by in guards else (guards[0] if guards else "")
    sit.schmidt_captured = True
    sit.book(pows_taken=1)
    yield note(sit, f"{sit.units[by].name} captures Mjr Schmidt.", "ST-MER-10")
    if guard:
        sit.take_off(SCHMIDT, "pow")
        pow = Pow(id=f"pow-{SCHMIDT}", name="Mjr Schmidt (POW)", escort=guard)
        sit.pows = sit.pows.having(pow)
    else:
        sit.take_off(SCHMIDT, "left")
        sit.book(pows_escaped=1)
        yield note(sit, "No combat unit is there to guard him: he slips away.", "ST-POW-07")


def british_fires(sit: Situation, unit: str) -> Script[None]:
    """A British unit fires: it is remembered, and its digging ends. Rule: ST-TAT-12, ST-PRE-04."""
    sit.change(unit, fired=sit.turn)
    yield from disturb(sit, unit)
