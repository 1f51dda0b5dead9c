"""Losses: SP of units, units that are gone, what they guarded and carried, suppression."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.area_terms import BRITISH, SideName
from asl_pbcg.st.rules.decision import note, pick
from asl_pbcg.st.rules.game_state import Pow, Unit
from asl_pbcg.st.rules.leaders import SCHMIDT, casualty_check, casualty_roll
from asl_pbcg.st.rules.phase_situation import Situation
from asl_pbcg.st.settings import Settings


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
