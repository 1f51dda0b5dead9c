"""Fire of PIATs, AT gun and tank cannon, and the attacks open to the British in their Fire Phase.

Rule: ST-PIA, ST-TAT, ST-FIR-05.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.area_terms import BRITISH, COMBAT_KINDS, GERMAN, SideName, area_of
from asl_pbcg.st.procedures.fire import Target, fire_given, on_line, places_in_reach, targets_at
from asl_pbcg.st.procedures.losses import (
    MERCEDES,
    active_tanks,
    casualty_check,
    casualty_roll,
    destroy_weapon,
    lose,
    spend_charge,
    tanks_on_map,
    tell_spent,
    wreck_mercedes,
    wreck_tank,
)
from asl_pbcg.st.procedures.tanks import panic_test
from asl_pbcg.st.state.area_tables import PiatHit, read_hit
from asl_pbcg.st.state.decision import note, pick, throw_on
from asl_pbcg.st.state.game_state import AreaWeapon, Unit
from asl_pbcg.st.state.phase_situation import Situation


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
    rolled = yield from throw_on(
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
    rolled = yield from throw_on(
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
        again = yield from throw_on(sit, "piat_hit", f"{found.name} is hit", side=unit.side)
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


class Attack(NamedTuple):
    """One attack of the phase. ``firers``: answers for small arms, else the unit that fires."""

    kind: Literal["small-arms", "piat", "at-gun"]
    weapon: str
    target: Target
    aimed_weapon: str = ""
    firers: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """How the attack is named in an answer."""
        return f"{self.weapon or self.kind} {self.aimed_weapon or self.target.id}"


def able_at(sit: Situation, place: str) -> list[str]:
    """Return the combat units at ``place`` that have not fired, else one leader. AMB-109."""
    shots, units = sit.shots, sit.units
    ids = sit.british.get(place, ())
    if shots.issuperset(ids):
        return []
    if len(ids) == 1:
        return [] if units[ids[0]].suppressed else [ids[0]]
    fighting = [id for id in ids if units[id].kind in COMBAT_KINDS]
    if fighting:
        return [id for id in fighting if id not in shots and not units[id].suppressed]
    if not shots.isdisjoint(ids):
        return []
    return sorted([id for id in ids if not units[id].suppressed])[:1]


def attacks(sit: Situation, used: set[str], close: Collection[str] | None = None) -> list[Attack]:
    """Return every attack that can be made now; ``used`` has the targets small arms fired at.

    ``close`` are the places that had Germans in reach when the phase began, if that is known:
    nobody moves in it.
    """
    if close is None:
        close = places_in_reach(sit, BRITISH)
    found = _small_arms(sit, close, used)
    if close and sit.tanks:
        found += _piats(sit, close)
    return found + _at_gun(sit)


def _small_arms(sit: Situation, close: Collection[str], used: set[str]) -> list[Attack]:
    """The attacks from ``close``: all who choose one target fire in a single one. ST-FIR-05."""
    firers: dict[Target, list[str]] = {}
    for place in close:
        able = able_at(sit, place)
        near = sit.rules.near_places[area_of(place)] if able else ()
        for enemy in sit.german.keys() & near:
            for target in targets_at(sit, GERMAN, enemy):
                if target.id not in used:
                    firers.setdefault(target, []).extend(able)
    return [
        Attack("small-arms", "", target, firers=tuple(sorted(firers[target])))
        for target in sorted(firers)
    ]


def _piats(sit: Situation, close: Collection[str]) -> list[Attack]:
    """Return the PIATs among ``close``. Rule: ST-PIA-04."""
    found = []
    for piat in map(sit.weapons.__getitem__, sit.rules.piats):
        if piat.status != "map" or piat.place not in close or piat.id in sit.shots:
            continue
        if sit.owner(piat) != BRITISH:
            continue
        firers = _crews(sit, piat.place)
        if not firers:
            continue
        for near in sit.geo.near[piat.area]:
            for tank in active_tanks(sit, near):
                found.append(Attack("piat", piat.id, Target(near, (tank,)), firers=firers))
    return found


def _crews(sit: Situation, place: str) -> tuple[str, ...]:
    """Return the combat units at ``place`` that have not fired."""
    return tuple(sorted([unit for unit in able_at(sit, place) if sit.units[unit].combat]))


def captured_at_gun(sit: Situation) -> AreaWeapon | None:
    """Return the AT gun, if the British have it and it can still be used. Rule: ST-TAT-04."""
    gun = sit.weapons.get(sit.rules.at_gun)
    if gun is None or gun.status != "map" or sit.owner(gun) != BRITISH:
        return None
    return gun


def _at_gun(sit: Situation) -> list[Attack]:
    """Return a captured AT gun: a unit, vehicle or weapon of the Germans. ST-TAT-04, ST-TAT-19."""
    found: list[Attack] = []
    weapon = captured_at_gun(sit)
    if weapon is None or weapon.id in sit.shots:
        return found
    firers = _crews(sit, weapon.place)
    if not firers:
        return found
    gun = Gun(weapon.id, weapon.area, firers[0])
    for place in sorted(sit.german):
        targets = targets_at(sit, GERMAN, place)
        targets += [
            Target(place, (unit.id,)) for unit in sit.at(GERMAN, place) if unit.kind == "tank"
        ]
        for target in targets:
            if suitable(sit, gun, sit.units[target.id]):
                found.append(Attack("at-gun", weapon.id, target, firers=firers))
        if targets and suitable_place(sit, gun, place):
            for aimed in (
                *sit.weapons_at(GERMAN, place, "mg"),
                *sit.weapons_at(GERMAN, place, "at"),
            ):
                found.append(Attack("at-gun", weapon.id, targets[0], aimed.id, firers))
    return found


def suitable_place(sit: Situation, gun: Gun, place: str) -> bool:
    """Whether a weapon at ``place`` can be aimed at: in the same or an adjacent area. ST-TAT-10."""
    return area_of(place) in sit.geo.near[gun.area]
