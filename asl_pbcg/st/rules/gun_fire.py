"""PIAT, AT gun and tank cannon: suitable targets, results. Rule: ST-PIA, ST-TAT."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.area_terms import SideName
from asl_pbcg.st.rules.area_results import PiatHit, read_hit
from asl_pbcg.st.rules.decision import note, pick, throw
from asl_pbcg.st.rules.fire import Target, fire_given, on_line
from asl_pbcg.st.rules.game_state import Unit
from asl_pbcg.st.rules.leaders import casualty_check, casualty_roll
from asl_pbcg.st.rules.losses import destroy_weapon, lose, spend_charge, tell_spent
from asl_pbcg.st.rules.phase_situation import Situation
from asl_pbcg.st.rules.tank_panic import panic_test
from asl_pbcg.st.rules.vehicles import MERCEDES, tanks_on_map, wreck_mercedes, wreck_tank


class Gun(NamedTuple):
    """A cannon or the AT gun: its id, its area, the unit that fires it."""

    id: str
    area: str
    crew: str


# -- suitable targets -------------------------------------------------------------------


def suitable(sit: Situation, gun: Gun, unit: Unit) -> bool:
    """Tell whether ``unit`` is a suitable target in the line of sight of ``gun``.

    Rule: ST-TAT-09 to ST-TAT-13.
    """
    if unit.area in sit.geo.near[gun.area]:
        return True
    if unit.fired != sit.turn:
        fired_at_gun = [turn for id, turn in unit.fired_at if id == gun.id]
        if not fired_at_gun or max(fired_at_gun) < sit.turn - 1:
            return False
    away = sit.geo.map.range(gun.area, unit.area)
    if away is None or away > sit.n.gun_range:
        return False
    return sit.geo.sees(gun.area, unit.area, sit.vehicles)


def fired_lately(unit: Unit, turn: int) -> bool:
    """Tell whether ``unit`` may be aimed at from afar by some gun. Rule: ST-TAT-11, ST-TAT-12."""
    return unit.fired == turn or any(when >= turn - 1 for _, when in unit.fired_at)


def remember_target(sit: Situation, unit: str, target: str) -> None:
    """``unit`` has fired at a tank or gun, which may answer this turn and next. ST-TAT-11."""
    old = dict(sit.units[unit].fired_at)
    old[target] = sit.turn
    sit.change(unit, fired_at=tuple(sorted(old.items())))


# -- Tank/AT fire -----------------------------------------------------------------------


def gun_given(sit: Situation, firers: Sequence[Unit], target: Target) -> dict[str, bool]:
    """Return the modifiers of Tank/AT fire: none, or as set those of small arms. Rule: AMB-90."""
    if sit.settings.tank_at_drm == "none":
        return {}
    given = fire_given(sit, firers, target, opportunity=False)
    for leader in ("german_leader", "german_leader_helps", "british_leader"):
        given.pop(leader, None)  # ST-LDR-03
    return given


def fire_guns(
    sit: Situation, guns: Sequence[Gun], target: Target, weapon: str = ""
) -> Script[None]:
    """Fire guns together at one unit, vehicle or weapon.

    ``weapon`` names an MG or AT gun that is aimed at in place of the unit.
    Rule: ST-TAT-05, ST-TAT-06, ST-TAT-14 to ST-TAT-18.
    """
    firers = [sit.units[gun.crew] for gun in guns]
    line = sit.rules.fire.tank_at
    sp = len(guns) * sit.n.gun_sp
    aimed_at = sit.weapons[weapon].name if weapon else sit.units[target.id].name
    rolled = yield throw(
        sit,
        "tank_at_fire",
        f"Tank/AT fire, {sp} SP, on {aimed_at} in {sit.geo.text(target.area)}",
        on_line(line, sp, gun_given(sit, firers, target)),
        roll_table=line.table,
        side=firers[0].side,
        where=target.area,
        by=tuple(gun.crew for gun in guns),
        on=(weapon,) if weapon else target.units,
    )
    hit = read_hit(rolled.result)
    if not hit.hard:
        return
    if target.area in sit.positions:
        del sit.positions[target.area]
        sit.book(positions_removed=1)
        yield note(
            sit, f"The prepared position in {sit.geo.text(target.area)} is gone.", "ST-TAT-16"
        )
    unit = None if weapon else sit.units[target.id]
    if weapon:
        destroy_weapon(sit, weapon)
        yield note(sit, f"{aimed_at} is destroyed.", "ST-TAT-16")
    elif unit and unit.kind == "tank":
        yield from wreck_tank(sit, unit.id)
    elif unit and unit.id == MERCEDES:
        yield from wreck_mercedes(sit)
    if hit.loss:
        side = sit.units[target.id].side if target.units else firers[0].side
        yield from _area_loses(sit, side, target, hit.loss, weapon)


def _area_loses(
    sit: Situation, side: SideName, target: Target, sp: int, weapon: str
) -> Script[None]:
    """Combat units at the target's place lose ``sp`` in all, the target first. AMB-119.

    Leaders there lose none of it: they roll for what the others lose. Rule: ST-TAT-18, ST-LDR-06.
    """
    unit = sit.units[target.id]
    if not weapon and unit.kind == "leader":
        for leader in target.units:
            yield from casualty_roll(sit, leader)
        return
    own = min(sp, unit.strength) if unit.combat and not weapon else 0
    lost = own > 0
    if own:
        yield from lose(sit, unit.id, own)
    for _ in range(sp - own):
        fighting = sorted(each.id for each in sit.at(side, target.place) if each.combat)
        if not fighting:
            break
        hit = yield from pick(
            sit,
            fighting,
            f"Which unit in {sit.geo.place_text(target.place)} loses 1 SP",
            rule="ST-TAT-17",
            side=side,
            called=sit.name_of,
        )
        yield from lose(sit, hit, 1)
        lost = True
    if lost:
        yield from casualty_check(sit, side, target.place)


# -- PIAT -------------------------------------------------------------------------------


def piat_given(sit: Situation, firer: Unit, target: Target) -> dict[str, bool]:
    """Return the modifiers of PIAT fire: those of small arms. Rule: ST-PIA-07, AMB-14."""
    given = fire_given(sit, (firer,), target, opportunity=False)
    if not sit.settings.piat_leader_drm:
        given.pop("british_leader", None)
    return given


def fire_piat(sit: Situation, piat: str, firer: str, tank: str) -> Script[None]:
    """One PIAT fires one shot at a tank. Rule: ST-PIA-04 to ST-PIA-11."""
    unit = sit.units[firer]
    found = sit.units[tank]
    spend_charge(sit, piat)
    head = first_shot_at_head(sit, tank)
    target = Target(found.area, (tank,))
    rolled = yield throw(
        sit,
        "piat_fire",
        f"{unit.name} fires {sit.weapons[piat].name} at {found.name}",
        piat_given(sit, unit, target),
        roll_table=sit.rules.fire.piat.table,
        side=unit.side,
        where=found.area,
        by=(firer,),
        on=(tank,),
    )
    hit = read_hit(rolled.result)
    if hit.hard and hit.loss:
        yield from wreck_tank(sit, tank)
    elif hit.hard:
        again = yield throw(sit, "piat_hit", f"{found.name} is hit", side=unit.side)
        if again.result == PiatHit.WRECKED:
            yield from wreck_tank(sit, tank)
        else:
            sit.change(tank, immobile=True)
            yield note(sit, f"{found.name} can no longer move, but may fire.", "ST-PIA-10")
    yield from tell_spent(sit, piat)
    if head and sit.units[tank].status == "wreck":
        yield from panic_test(sit)


def first_shot_at_head(sit: Situation, target: str) -> bool:
    """Note that the first AT or PIAT fire is made; whether it aims at the head tank. ST-TNK-12."""
    if sit.gun_fire_begun:
        return False
    sit.gun_fire_begun = True
    tanks = tanks_on_map(sit)
    return bool(tanks) and tanks[0] == target
