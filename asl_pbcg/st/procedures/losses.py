"""Losses of both sides: SP, leaders, weapons, POWs, suppression; tanks and Mercedes when hit.

Leaders roll on the Leader Casualty Table. The room that vehicles and infantry leave each other in
an area, and their MP there, stand here too. Rule: ST-LDR-06, ST-FIR-18, ST-STK-02, ST-TAT-16.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from operator import attrgetter
from typing import Final

from msgspec.structs import replace

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.area_terms import BRITISH, BUNKER, GERMAN, GERMAN_INFANTRY, SideName
from asl_pbcg.st.settings import Settings
from asl_pbcg.st.state.area_tables import LeaderCasualty
from asl_pbcg.st.state.decision import note, pick, throw_on
from asl_pbcg.st.state.game_rules import british_order
from asl_pbcg.st.state.game_state import Pow, Unit
from asl_pbcg.st.state.phase_situation import Situation

HICKMAN = "hickman"
SCHMIDT = "schmidt"
PRIDAY = "priday"


def commands(settings: Settings, leader: Unit, unit: Unit) -> bool:
    """Tell whether ``leader`` is an appropriate leader for ``unit``, never for himself.

    Rule: ST-SUP-09, ST-SUP-10.
    """
    if leader.kind != "leader" or leader.id == unit.id or leader.side != unit.side:
        return False
    if leader.side == BRITISH:
        if leader.id == unit.under or leader.id == british_order().commander_of_all:
            return True
        return leader.id == PRIDAY and settings.priday_commands == "all"
    if not (unit.combat or unit.kind == "leader"):
        return False
    return leader.id == SCHMIDT or (leader.id == HICKMAN and unit.kind == "garrison")


def is_led(sit: Situation, unit: Unit, active: bool = False) -> bool:
    """Tell whether an appropriate leader (an ``active`` one: not suppressed) stands with ``unit``.

    Rule: ST-LDR-02, ST-LDR-05, AMB-107.
    """
    return any_led(sit, (unit,), active)


def any_led(
    sit: Situation, units: Sequence[Unit], active: bool = False, unhurt: bool = False
) -> bool:
    """Tell whether an appropriate leader stands with one of ``units``, who are of one side.

    It counts once; ``active`` leaves out the suppressed, ``unhurt`` the wounded. Rule: ST-LDR-04.
    """
    if not units:
        return False
    leaders = all_leaders()
    there = sit.british if units[0].side == BRITISH else sit.german
    for unit in units:
        ids = there.get(unit.area + BUNKER if unit.inside else unit.area, ())
        if leaders.isdisjoint(ids):
            continue
        for id in leaders.intersection(ids):
            leader = sit.units[id]
            if (active and leader.suppressed) or (unhurt and leader.wounded):
                continue
            if commands(sit.settings, leader, unit):
                return True
    return False


@cache
def all_leaders() -> frozenset[str]:
    """Return the leaders of both sides, wherever they are."""
    ours = [unit.id for unit in british_order().units if unit.kind == "leader"]
    return frozenset([*ours, SCHMIDT, HICKMAN])


def leaders_at(sit: Situation, side: SideName, place: str) -> list[Unit]:
    """Return the leaders of ``side`` at one place, in id order."""
    ids = (sit.british if side == BRITISH else sit.german).get(place, ())
    return [sit.units[id] for id in sorted(all_leaders().intersection(ids))]


def kill_leader(sit: Situation, leader: str) -> None:
    """Take a killed leader off the map and book it. Rule: ST-LDR-10."""
    unit = sit.units[leader]
    sit.take_off(leader, "dead")
    sit.change(leader, lost=unit.sp)
    if unit.side == BRITISH:
        sit.book(leaders=1)
    else:
        sit.book(german_leaders=1)


def casualty_roll(sit: Situation, leader: str) -> Script[None]:
    """Roll ``leader`` on the Leader Casualty Table. Rule: ST-LDR-07, ST-LDR-09."""
    unit = sit.units[leader]
    rolled = yield from throw_on(
        sit, "leader_casualty", f"Leader casualty, {unit.name}", side=unit.side
    )
    result = LeaderCasualty(rolled.result)
    if result is LeaderCasualty.KILLED or (result is LeaderCasualty.WOUNDED and unit.wounded):
        kill_leader(sit, leader)
        yield note(sit, f"{unit.name} is killed.", "ST-LDR-10")
    elif result is LeaderCasualty.WOUNDED:
        sit.change(leader, wounded=True)
        yield note(sit, f"{unit.name} is wounded.", "ST-LDR-08")


def casualty_check(sit: Situation, side: SideName, place: str) -> Script[None]:
    """Roll for each leader of ``side`` at ``place`` after an SP loss there. Rule: ST-LDR-06."""
    for leader in leaders_at(sit, side, place):
        yield from casualty_roll(sit, leader.id)


def suppress(sit: Situation, *units: str) -> Script[None]:
    """Turn units and leaders to their suppressed side. Rule: ST-FIR-17, ST-SUP-01."""
    for unit in units:
        if not sit.units[unit].suppressed:
            found = sit.change(unit, suppressed=True)
            yield note(sit, f"{found.name} is suppressed.", "ST-FIR-17")


def lose(sit: Situation, unit: str, sp: int) -> Script[None]:
    """Take ``sp`` (at most what it has) from a combat unit. Rule: ST-FIR-18, ST-FIR-22."""
    old = sit.units[unit]
    assert 0 < sp <= old.strength, f"{unit} cannot lose {sp} SP"
    new = sit.change(unit, lost=old.lost + sp)
    if new.side == BRITISH:
        sit.book(british_sp=sp)
    else:
        sit.book(german_sp=sp)
    if new.strength:
        yield note(sit, f"{new.name} loses {sp} SP, {new.strength} left.", "ST-FIR-18")
        return
    yield note(sit, f"{new.name} loses {sp} SP and is eliminated.", "ST-FIR-18")
    yield from eliminate(sit, unit)


def eliminate(sit: Situation, unit: str) -> Script[None]:
    """Take a combat unit that has no SP left off the map."""
    sit.take_off(unit, "dead")
    if sit.units[unit].face_down:
        sit.change(unit, face_down=False)  # an attack need not have turned it up (AMB-24)
    forget_builder(sit, unit)
    gone = platoon_gone(sit, unit)
    if gone:
        sit.book(platoons=(gone,))
    yield from free_pows(sit, unit)


def kill_unit(sit: Situation, unit: str) -> Script[None]:
    """Eliminate a combat unit whole, whatever SP it has left."""
    yield from lose(sit, unit, sit.units[unit].strength)


def platoon_gone(sit: Situation, unit: str) -> str:
    """The platoon of which nothing is left now that ``unit`` is dead, or nothing. ST-VIC-13."""
    found = sit.units[unit]
    if found.side != BRITISH:
        return ""
    if found.kind == "platoon":
        return unit
    platoon = sit.rules.platoon_of.get(unit, "")
    if platoon and all(is_killed(sit.settings, sit.units[s]) for s in sit.rules.squads[platoon]):
        return platoon
    return ""


def is_killed(settings: Settings, unit: Unit) -> bool:
    """Whether a unit counts as killed: dead, or lost with its glider if that counts. AMB-36."""
    lost = unit.status == "absent" and unit.glider > 0
    return unit.status == "dead" or (lost and settings.lost_glider_units_killed)


def forget_builder(sit: Situation, unit: str) -> bool:
    """Remove the position that ``unit`` is building; whether there was one. Rule: ST-PRE-04."""
    for position in sit.positions.values():
        if position.builder == unit:
            del sit.positions[position.area]
            sit.book(positions_removed=1)
            return True
    return False


def disturb(sit: Situation, *units: str) -> Script[None]:
    """``units`` fire, are fired on or fight: what they are building is lost. Rule: ST-PRE-04."""
    for unit in units:
        area = sit.units[unit].area
        if forget_builder(sit, unit):
            text = f"The prepared position begun in {sit.geo.text(area)} is lost."
            yield note(sit, text, "ST-PRE-04")


def free_pows(sit: Situation, escort: str) -> Script[None]:
    """Hand the POWs of a lost ``escort`` to a unit in its area, or let them escape.

    Rule: ST-POW-06, ST-POW-07.
    """
    for pow in sit.pows_of(escort):
        yield from hand_over_pow(sit, pow, next_guard(sit, sit.units[escort]))


def hand_over_pow(sit: Situation, pow: Pow, guard: Unit | None) -> Script[None]:
    """Give a POW to ``guard``; without one he escapes. Rule: ST-POW-06, ST-POW-07."""
    if guard:
        sit.pows = sit.pows.having(replace(pow, escort=guard.id))
        yield note(sit, f"{guard.name} takes over {pow.name}.", "ST-POW-06")
        return
    sit.pows = sit.pows.without(pow)
    sit.book(pows_escaped=1)
    if pow.id == f"pow-{SCHMIDT}":
        sit.change(SCHMIDT, status="left")
    yield note(sit, f"{pow.name} escapes.", "ST-POW-07")


def next_guard(sit: Situation, escort: Unit) -> Unit | None:
    """Return the combat unit in the area of ``escort`` that takes over its POWs. ST-POW-06."""
    others = [u for u in sit.in_area(BRITISH, escort.area) if u.combat and u.id != escort.id]
    return min(others, key=lambda unit: unit.id, default=None)


def lose_at(sit: Situation, side: SideName, place: str, target: str, sp: int) -> Script[None]:
    """The ``target`` at ``place`` loses ``sp``; the excess falls on others, then leaders roll.

    Each excess SP falls on a random other unit of the stack; on a leader it is a roll on the
    Leader Casualty Table. Rule: ST-FIR-18, ST-FIR-19, ST-FIR-20, AMB-18.
    """
    unit = sit.units[target]
    own = min(sp, unit.strength)
    if own:
        yield from lose(sit, target, own)
    for _ in range(sp - own):
        others = exposed_units(sit, side, place)
        if not others:
            break
        hit = yield from pick(
            sit,
            others,
            f"Which unit in {sit.geo.place_text(place)} takes the excess loss",
            rule="ST-FIR-19",
            side=side,
            called=sit.name_of,
        )
        if sit.units[hit].kind == "leader":
            yield from casualty_roll(sit, hit)
        else:
            yield from lose(sit, hit, 1)
    yield from casualty_check(sit, side, place)


def exposed_units(sit: Situation, side: SideName, place: str) -> list[str]:
    """Return the units and leaders at ``place`` that an excess loss can fall on, in id order."""
    there = sit.at(side, place)
    return sorted([unit.id for unit in there if unit.combat or unit.kind == "leader"])


def lose_in_turn(sit: Situation, side: SideName, place: str, sp: int) -> Script[None]:
    """Let random units at ``place`` lose ``sp``, each until it is gone, then another.

    MG and AT gun count 1 SP each. Rule: ST-GRE-08.
    """
    left = sp
    while left:
        targets = [unit.id for unit in sit.at(side, place) if unit.combat]
        targets += guns_at(sit, side, place)
        if not targets:
            break
        hit = yield from pick(
            sit,
            sorted(targets),
            f"Which unit in {sit.geo.place_text(place)} loses SP",
            rule="ST-GRE-08",
            side=side,
            called=sit.name_of,
        )
        if hit in sit.weapons:
            destroy_weapon(sit, hit)
            yield note(sit, f"{sit.weapons[hit].name} is destroyed.", "ST-GRE-08")
            left -= sit.n.weapon_sp
        else:
            loss = min(left, sit.units[hit].strength)
            yield from lose(sit, hit, loss)
            left -= loss


def guns_at(sit: Situation, side: SideName, place: str) -> list[str]:
    """Return the MGs and the AT gun of a side at ``place``, which count 1 SP each. ST-GRE-08."""
    return [gun.id for kind in ("mg", "at") for gun in sit.weapons_at(side, place, kind)]


def destroy_weapon(sit: Situation, weapon: str) -> None:
    """Take a destroyed MG or AT gun off the map. Rule: ST-TAT-16."""
    sit.change_weapon(weapon, status="destroyed", carrier="")
    sit.book(weapons_destroyed=1)


def spend_charge(sit: Situation, weapon: str) -> None:
    """Use up one shot of a PIAT or one use of a gammon; the last one removes it. ST-PIA-05."""
    old = sit.weapons[weapon]
    sit.book(charges=1)
    if old.charges > 1:
        sit.change_weapon(weapon, charges=old.charges - 1)
    else:
        sit.change_weapon(weapon, charges=0, status="spent", carrier="")


def tell_spent(sit: Situation, weapon: str) -> Script[None]:
    """Say that a weapon is used up, if it is. Rule: ST-PIA-05."""
    found = sit.weapons[weapon]
    if found.status == "spent":
        yield note(sit, f"{found.name} is used up.", "ST-PIA-05")


def names(units: Iterable[Unit]) -> str:
    """Units as players read them in a row."""
    return ", ".join([unit.name for unit in units])


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
