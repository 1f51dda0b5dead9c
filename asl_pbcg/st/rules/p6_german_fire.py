"""German Fire Phase: spotting, choice of targets, small arms, cannons and the AT gun.

Rule: ST-FIR-04, ST-SEQ-13, ST-TAT-02.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.area_terms import BRITISH, GERMAN
from asl_pbcg.st.procedures.fire import (
    Target,
    Volley,
    crews,
    left_of,
    places_in_reach,
    shoot,
    small_arms_sp,
    target_name,
    target_sp,
    targets_at,
)
from asl_pbcg.st.procedures.german_guns import awake, holds_fire, look_out, mark_fired
from asl_pbcg.st.procedures.gun_fire import Gun, fire_guns, fired_lately, suitable
from asl_pbcg.st.procedures.losses import disturb, names
from asl_pbcg.st.state.decision import note, pick
from asl_pbcg.st.state.game_rules import Rules
from asl_pbcg.st.state.game_state import State, Unit
from asl_pbcg.st.state.phase_situation import Situation


def german_fire(rules: Rules, state: State) -> Script[State]:
    """The whole phase."""
    sit = Situation(rules, state)
    close = places_in_reach(sit, GERMAN)
    able = awake_ones(sit, close)
    if not able or not (close or who_fired(sit, sit.turn)):
        return sit.end()
    held: list[Unit] = []
    if sit.turn < rules.fire_free_turn:
        held = [unit for unit in able if unit.force and holds_fire(sit, unit)]
    if held:
        yield from look_out(sit, [unit for unit in held if unit.combat or unit.kind == "tank"])
        able = [sit.units[unit.id] for unit in able]
        able = [unit for unit in able if not holds_fire(sit, unit)]
    if not able:
        return sit.end()
    gunners = mg_crews(sit, able)
    guns = at_guns(sit, able, gunners) + [Gun(u.id, u.area, u.id) for u in able if u.kind == "tank"]
    crews_of_at = {gun.crew for gun in guns if gun.id != gun.crew}
    if sit.settings.german == "resolute":  # RES-5
        fired = yield from heavy_guns(sit, guns)
        fired |= yield from small_arms(sit, able, gunners, crews_of_at)
    else:
        fired = yield from small_arms(sit, able, gunners, crews_of_at)
        fired |= yield from heavy_guns(sit, guns)
    return sit.end()


def awake_ones(sit: Situation, close: Iterable[str]) -> list[Unit]:
    """Return the Germans who may act and have a use for it, in id order.

    Small arms and who looks out need British near, as they are in places of ``close``; a tank and
    who serves the AT gun see farther.
    """
    german = sit.german
    places = {*close}
    if sit.rules.at_gun in sit.weapons:
        places.add(sit.weapons[sit.rules.at_gun].place)
    for tank in map(sit.units.__getitem__, sit.tanks):
        if tank.status == "map":
            places.add(tank.place)
    ids = sorted(chain.from_iterable([german[place] for place in places if place in german]))
    return [unit for unit in map(sit.units.__getitem__, ids) if awake(unit)]


# -- targets ----------------------------------------------------------------------------


def preference(sit: Situation, area: str, target: Target) -> tuple[int, int, int]:
    """Tell how German fire from ``area`` prefers a target; the lowest is best.

    Same area before adjacent before farther, open before obstructed (or a bunker), most SP.
    Rule: ST-FIR-04.
    """
    there = sit.geo.area_at[target.place]
    away = 0 if there == area else 1 if there in sit.geo.beside[area] else 2
    covered = there != target.place or sit.is_obstructed(there)
    return (away, covered, -target_sp(sit, target))


def best_targets(sit: Situation, area: str, targets: Iterable[Target]) -> list[Target]:
    """Return the targets that German fire from ``area`` likes equally well, in id order."""
    found = list(targets)
    if len(found) < 2:
        return found
    keys = [preference(sit, area, target) for target in found]
    best = min(keys)
    tied = [target for target, key in zip(found, keys, strict=True) if key == best]
    if len(tied) > 1:
        tied.sort(key=lambda target: target.id)
    return tied


def choose_target(sit: Situation, firer: str, tied: list[Target]) -> Script[Target]:
    """The target of one German unit among the best; ties by die. Rule: ST-FIR-04."""
    chosen: Target = yield from pick(
        sit,
        tied,
        f"Target of {firer}",
        rule="ST-FIR-04",
        side=GERMAN,
        called=lambda t: target_name(sit, t),
    )
    return chosen


def targets_near(sit: Situation, area: str) -> list[Target]:
    """Return the British in ``area`` or next to it, at whom Germans there may fire. ST-FIR-01."""
    found: list[Target] = []
    for place in sit.british.keys() & sit.rules.near_places[area]:
        found += targets_at(sit, BRITISH, place)
    return found


# -- small arms and MGs -----------------------------------------------------------------


def small_arms(
    sit: Situation, able: list[Unit], gunners: set[str], at_crews: set[str]
) -> Script[bool]:
    """Each unit chooses its target, those with one target fire together; whether any has one.

    Rule: ST-FIR-04, ST-FIR-05.
    """
    firers = [unit for unit in able if unit.combat or unit.kind == "tank"]
    firers += leaders_alone(sit, able)
    # MG crews and tanks declare first, so that small arms may add to them.
    firers.sort(key=lambda u: (u.id not in gunners and u.kind != "tank", u.id))
    chosen: dict[Target, list[Unit]] = {}
    best: dict[str, list[Target]] = {}
    for unit in firers:
        area = unit.area
        if area not in best:
            best[area] = best_targets(sit, area, targets_near(sit, area))
        tied = best[area]
        if not tied:
            continue
        target = tied[0] if len(tied) == 1 else (yield from choose_target(sit, unit.name, tied))
        if target in chosen:
            chosen[target].append(unit)
        else:
            chosen[target] = [unit]
    for target, units in chosen.items():
        yield from _attack(sit, target, units, gunners, at_crews)
    return bool(chosen)


def _attack(
    sit: Situation, target: Target, units: list[Unit], gunners: set[str], at_crews: set[str]
) -> Script[None]:
    target = left_of(sit, target)
    if not target.units:
        return
    small = mg = 0
    for unit in units:
        if unit.kind == "tank":
            mg += sit.n.tank_mg_sp
        elif unit.kind == "leader":
            small += sit.n.leaders_alone_sp
        else:
            small += small_arms_sp(sit, unit, unit.id in gunners, unit.id in at_crews)
            mg += sit.n.mg_sp if unit.id in gunners else 0
    if small + mg <= 0:
        return
    yield from disturb(sit, *target.units)
    spread: list[Target] = []
    serving: set[str] = set()
    if mg:
        spread = [t for t in targets_at(sit, BRITISH, target.place) if t != target]
        serving = {unit.id for unit in units if unit.id in gunners or unit.kind == "tank"}
        for each in spread:
            yield from disturb(sit, *each.units)
    yield note(sit, f"{names(units)}: the best target is {target_name(sit, target)}.", "ST-FIR-04")
    for unit in units:
        mark_fired(sit, unit.id)
    volley = Volley(tuple([unit.id for unit in units]), small, mg)
    yield from shoot(sit, volley, target, spread=spread, gunners=serving)


def mg_crews(sit: Situation, able: Iterable[Unit]) -> set[str]:
    """Return the German units that fire an MG, the strongest of each stack. Rule: ST-MGF-01."""
    stacks: dict[str, list[Unit]] = {}
    for unit in able:
        if unit.place in sit.weapons.at and unit.combat:
            stacks.setdefault(unit.place, []).append(unit)
    found: set[str] = set()
    for place, stack in stacks.items():
        guns = len(sit.weapons_at(GERMAN, place, "mg"))
        found.update([unit.id for unit in crews(stack, guns)])
    return found


def leaders_alone(sit: Situation, able: Iterable[Unit]) -> list[Unit]:
    """For each place with leaders and no combat unit, the leader who fires. AMB-109."""
    found: dict[str, Unit] = {}
    for unit in able:
        if unit.kind == "leader" and not any(each.combat for each in sit.at(GERMAN, unit.place)):
            found.setdefault(unit.place, unit)
    return list(found.values())


# -- cannons and the AT gun -------------------------------------------------------------


def at_guns(
    sit: Situation, able: Collection[Unit], gunners: Collection[str] | None = None
) -> list[Gun]:
    """Return the AT gun with its crew: the weakest unit there that serves no MG. Rule: ST-TAT-07.

    ``gunners`` are those who do, if that is known.
    """
    weapon = sit.weapons.get(sit.rules.at_gun)
    if weapon is None or weapon.status != "map" or sit.owner(weapon) != GERMAN:
        return []
    place = weapon.place
    if gunners is None:
        gunners = mg_crews(sit, able)
    stack = [u for u in able if u.place == place and u.combat and u.id not in gunners]
    if not stack:
        return []
    crew = min(stack, key=lambda unit: (unit.strength, unit.id))
    return [Gun(weapon.id, weapon.area, crew.id)]


def heavy_guns(sit: Situation, guns: list[Gun]) -> Script[bool]:
    """Each gun takes its best suitable target; those that take the same one fire together.

    Returns whether any has one. Rule: ST-FIR-04, ST-TAT-06, ST-TAT-14.
    """
    able = [gun for gun in guns if sit.units[gun.crew].status == "map"]
    if not able:
        return False
    shown = who_fired(sit, sit.turn)
    chosen: dict[Target, list[Gun]] = {}
    for gun in able:
        tied = best_targets(sit, gun.area, targets_of(sit, gun, shown))
        if tied:
            target = yield from choose_target(sit, _gun_name(sit, gun), tied)
            chosen.setdefault(target, []).append(gun)
    for target, together in chosen.items():
        target = left_of(sit, target)
        if not target.units:
            continue
        yield from disturb(sit, *target.units)
        for gun in together:
            mark_fired(sit, gun.crew)
        yield note(
            sit,
            f"{', '.join([_gun_name(sit, gun) for gun in together])}: the best target is "
            f"{target_name(sit, target)}.",
            "ST-TAT-14",
        )
        yield from fire_guns(sit, together, target)
    return bool(chosen)


def who_fired(sit: Situation, turn: int) -> list[Unit]:
    """The British who have fired this turn, or lately at a tank or gun. ST-TAT-11, ST-TAT-12."""
    units = map(sit.units.__getitem__, chain.from_iterable(sit.british.values()))
    found = [unit for unit in units if unit.fired == turn or unit.fired_at]
    return [unit for unit in found if fired_lately(unit, turn)]


def targets_of(sit: Situation, gun: Gun, shown: Iterable[Unit]) -> list[Target]:
    """Return the suitable targets of ``gun``: the British near it, and who of ``shown`` it can see.

    Rule: ST-TAT-09 to ST-TAT-13.
    """
    near = sit.geo.near[gun.area]
    found = targets_near(sit, gun.area)
    far = [unit for unit in shown if unit.area not in near and suitable(sit, gun, unit)]
    if far:
        seen = {unit.id for unit in far}
        for place in {unit.place for unit in far}:
            found += [each for each in targets_at(sit, BRITISH, place) if each.id in seen]
    return found


def _gun_name(sit: Situation, gun: Gun) -> str:
    if gun.id in sit.weapons:
        return sit.weapons[gun.id].name
    return f"the cannon of {sit.units[gun.id].name}"
