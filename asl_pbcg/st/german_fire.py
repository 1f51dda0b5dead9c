"""German Fire Phase: spotting, choice of targets, small arms, cannons and the AT gun.

Rule: ST-FIR-04, ST-SEQ-13, ST-TAT-02.
"""

from __future__ import annotations

from collections.abc import Iterable

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.decision import note, pick
from asl_pbcg.st.fire import (
    Target,
    Volley,
    crews,
    shoot,
    small_arms_sp,
    target_name,
    target_sp,
    targets_at,
    targets_in,
)
from asl_pbcg.st.german_guns import awake, holds_fire, look_out
from asl_pbcg.st.gun_fire import Gun, fire_guns, suitable
from asl_pbcg.st.losses import disturb
from asl_pbcg.st.rules import Rules
from asl_pbcg.st.situation import Situation, situation
from asl_pbcg.st.state import State, Unit
from asl_pbcg.st.terms import BRITISH, GERMAN


def german_fire(rules: Rules, state: State) -> Script[State]:
    """The whole phase."""
    sit = situation(rules, state)
    if not sit.german:
        return sit.end()
    held = [unit for unit in sit.on_map(GERMAN) if holds_fire(sit, unit) and awake(unit)]
    yield from look_out(sit, [unit for unit in held if unit.combat or unit.kind == "tank"])
    able = [unit for unit in sit.on_map(GERMAN) if awake(unit) and not holds_fire(sit, unit)]
    guns = at_guns(sit, able) + [Gun(u.id, u.area, u.id) for u in able if u.kind == "tank"]
    crews_of_at = {gun.crew for gun in guns if gun.id != gun.crew}
    if sit.settings.german == "resolute":  # RES-5
        yield from heavy_guns(sit, guns)
        yield from small_arms(sit, able, crews_of_at)
    else:
        yield from small_arms(sit, able, crews_of_at)
        yield from heavy_guns(sit, guns)
    return sit.end()


# -- targets ----------------------------------------------------------------------------


def preference(sit: Situation, area: str, target: Target) -> tuple[int, int, int]:
    """How German fire from ``area`` prefers a target; the lowest is best.

    Same area before adjacent before farther, open before obstructed (or a bunker), most SP.
    Rule: ST-FIR-04.
    """
    away = 0 if target.area == area else 1 if target.area in sit.geo.beside[area] else 2
    covered = target.inside or sit.is_obstructed(target.area)
    return (away, covered, -target_sp(sit, target))


def best_targets(sit: Situation, area: str, targets: Iterable[Target]) -> list[Target]:
    """The targets that German fire from ``area`` likes equally well, in id order."""
    found = sorted(targets)
    if len(found) < 2:
        return found
    keys = [preference(sit, area, target) for target in found]
    best = min(keys)
    tied = [target for target, key in zip(found, keys, strict=True) if key == best]
    return sorted(tied, key=lambda target: target.id)


def choose_target(
    sit: Situation, firer: str, area: str, targets: Iterable[Target]
) -> Script[Target | None]:
    """The target of one German unit; ties by die. Rule: ST-FIR-04."""
    tied = best_targets(sit, area, targets)
    if not tied:
        return None
    chosen: Target = yield from pick(
        tied, f"Target of {firer}", side=GERMAN, called=lambda t: target_name(sit, t)
    )
    return chosen


def targets_near(sit: Situation, area: str) -> list[Target]:
    """The British that Germans in ``area`` may fire at with small arms. Rule: ST-FIR-01."""
    british = sit.british
    bunker_in = sit.rules.bunker_in
    found: list[Target] = []
    if british.keys().isdisjoint(sit.rules.near_places[area]):
        return found
    for near in sit.geo.near[area]:
        if near in british or bunker_in[near] in british:
            found += targets_in(sit, BRITISH, near)
    return found


# -- small arms and MGs -----------------------------------------------------------------


def small_arms(sit: Situation, able: list[Unit], at_crews: set[str]) -> Script[None]:
    """Each unit chooses its target, those with one target fire together. ST-FIR-04, ST-FIR-05."""
    gunners = mg_crews(sit, able)
    firers = [unit for unit in able if unit.combat or unit.kind == "tank"]
    firers += leaders_alone(sit, able)
    # MG crews and tanks declare first, so that small arms may add to them.
    firers.sort(key=lambda u: (u.id not in gunners and u.kind != "tank", u.id))
    chosen: dict[Target, list[Unit]] = {}
    near: dict[str, list[Target]] = {}
    for unit in firers:
        if unit.area not in near:
            near[unit.area] = targets_near(sit, unit.area)
        if not near[unit.area]:
            continue
        target = yield from choose_target(sit, unit.name, unit.area, near[unit.area])
        if target:
            chosen.setdefault(target, []).append(unit)
    for target, units in chosen.items():
        yield from _attack(sit, target, units, gunners, at_crews)


def _attack(
    sit: Situation, target: Target, units: list[Unit], gunners: set[str], at_crews: set[str]
) -> Script[None]:
    alive = tuple(unit for unit in target.units if sit.units[unit].status == "map")
    if not alive:
        return
    target = Target(target.place, alive)
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
    spread = [t for t in targets_at(sit, BRITISH, target.place) if t != target] if mg else []
    for each in (target, *spread):
        for id in each.units:
            yield from disturb(sit, id)
    yield note(
        f"{', '.join(unit.name for unit in units)}: the best target is {target_name(sit, target)}.",
        "ST-FIR-04",
    )
    for unit in units:
        sit.change(unit.id, fired=sit.turn)
    volley = Volley(tuple(unit.id for unit in units), small, mg)
    serving = {unit.id for unit in units if unit.id in gunners or unit.kind == "tank"}
    yield from shoot(sit, volley, target, spread=spread, gunners=serving)


def mg_crews(sit: Situation, able: list[Unit]) -> set[str]:
    """The German units that fire an MG, the strongest of each stack. Rule: ST-MGF-01."""
    found: set[str] = set()
    for place in {unit.place for unit in able if unit.combat}:
        guns = len(sit.weapons_at(GERMAN, place, "mg"))
        if guns:
            stack = [unit for unit in able if unit.combat and unit.place == place]
            found |= {unit.id for unit in crews(stack, guns)}
    return found


def leaders_alone(sit: Situation, able: list[Unit]) -> list[Unit]:
    """For each place with leaders and no combat unit, the leader who fires. AMB-109."""
    found: dict[str, Unit] = {}
    for unit in able:
        if unit.kind == "leader" and not any(each.combat for each in sit.at(GERMAN, unit.place)):
            found.setdefault(unit.place, unit)
    return list(found.values())


# -- cannons and the AT gun -------------------------------------------------------------


def at_guns(sit: Situation, able: list[Unit]) -> list[Gun]:
    """The AT gun with its crew: the weakest unit there that serves no MG. Rule: ST-TAT-07."""
    gunners = mg_crews(sit, able)
    found = []
    for weapon in sit.weapons.values():
        if weapon.kind != "at" or weapon.status != "map" or sit.owner(weapon) != GERMAN:
            continue
        stack = [u for u in able if u.combat and u.place == weapon.place and u.id not in gunners]
        if stack:
            crew = min(stack, key=lambda unit: (unit.strength, unit.id))
            found.append(Gun(weapon.id, weapon.area, crew.id))
    return found


def heavy_guns(sit: Situation, guns: list[Gun]) -> Script[None]:
    """Each gun takes its best suitable target; those that take the same one fire together.

    Rule: ST-FIR-04, ST-TAT-06, ST-TAT-14.
    """
    able = [gun for gun in guns if sit.units[gun.crew].status == "map"]
    shown = places_that_fired(sit) if able else set()
    chosen: dict[Target, list[Gun]] = {}
    for gun in able:
        targets = [
            target
            for target in targets_of(sit, gun, shown)
            if suitable(sit, gun, sit.units[target.id])
        ]
        target = yield from choose_target(sit, _gun_name(sit, gun), gun.area, targets)
        if target:
            chosen.setdefault(target, []).append(gun)
    for aimed, together in chosen.items():
        alive = tuple([unit for unit in aimed.units if sit.units[unit].status == "map"])
        if not alive:
            continue
        target = Target(aimed.place, alive)
        for unit in alive:
            yield from disturb(sit, unit)
        for gun in together:
            sit.change(gun.crew, fired=sit.turn)
        yield note(
            f"{', '.join(_gun_name(sit, gun) for gun in together)}: the best target is "
            f"{target_name(sit, target)}.",
            "ST-TAT-14",
        )
        yield from fire_guns(sit, together, target)


def places_that_fired(sit: Situation) -> set[str]:
    """Where British stand who have fired this turn, or at a tank or gun. ST-TAT-11, ST-TAT-12."""
    turn, units = sit.turn, sit.units
    return {
        place
        for place, ids in sit.british.items()
        for unit in map(units.__getitem__, ids)
        if unit.fired == turn or unit.fired_at
    }


def targets_of(sit: Situation, gun: Gun, shown: set[str]) -> list[Target]:
    """The British that may be suitable targets: those near the gun, and who is ``shown``."""
    found: list[Target] = []
    for place in sorted(sit.british.keys() & (sit.rules.near_places[gun.area] | shown)):
        found += targets_at(sit, BRITISH, place)
    return found


def _gun_name(sit: Situation, gun: Gun) -> str:
    if gun.id in sit.weapons:
        return sit.weapons[gun.id].name
    return f"the cannon of {sit.units[gun.id].name}"
