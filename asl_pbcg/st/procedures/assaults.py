"""Grenades, gammon bombs, clearing bunkers, prepared positions. Rule: ST-GRE, ST-GAM, ST-BUN."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.area_terms import BRITISH, GERMAN, GERMAN_INFANTRY, SideName
from asl_pbcg.st.procedures.garrisons import attack_unit
from asl_pbcg.st.procedures.losses import (
    MERCEDES,
    active_tanks,
    casualty_check,
    casualty_roll,
    disturb,
    guns_at,
    is_led,
    leaders_at,
    lose,
    lose_in_turn,
    spend_charge,
    suppress,
    tell_spent,
    wreck_mercedes,
    wreck_tank,
)
from asl_pbcg.st.procedures.odds import GrenadeTargets
from asl_pbcg.st.state.area_tables import BunkerClearing, odds, read_hit, table
from asl_pbcg.st.state.decision import note, throw_on
from asl_pbcg.st.state.game_state import Pow, PreparedPosition, Unit
from asl_pbcg.st.state.phase_situation import Situation

"""The words of a roll on the Mercedes where the players read the rule so. AMB-102."""


def grenade_given(sit: Situation, unit: Unit, area: str, bunker: bool) -> dict[str, bool | str]:
    """Return the column and the modifier of a grenade attack. Rule: ST-GRE-06."""
    if bunker or (sit.settings.pillbox_is_bunker and area == sit.geo.pillbox and unit.area == area):
        column = "bunker"
    else:
        place = "same" if unit.area == area else "adjacent"
        column = f"{place}_{'obstructed' if sit.is_cover(area) else 'open'}"
    given: dict[str, bool | str] = {"at": column}
    if is_led(sit, unit):
        given["leader"] = True
    return given


def grenade_chances(sit: Situation, unit: Unit, area: str, bunker: bool) -> Mapping[str, Fraction]:
    """Return the exact chance of each grenade result. Rule: ST-GRE-06."""
    return odds(table("grenade"), grenade_given(sit, unit, area, bunker))


def grenade_targets(sit: Situation, place: str) -> GrenadeTargets:
    """Return the sorts of Germans that a grenade into ``place`` falls on. Rule: ST-GRE-03."""
    there = sit.at(GERMAN, place)
    kinds = {unit.kind for unit in there}
    return GrenadeTargets(
        fighters=any(unit.combat or unit.face_down for unit in there),
        leaders="leader" in kinds,
        guns=bool(guns_at(sit, GERMAN, place)),
        car="mercedes" in kinds,
        tank="tank" in kinds,
        any_loss_wrecks_car=sit.settings.grenade_wrecks_mercedes == "loss",
    )


def grenade(sit: Situation, unit: str, area: str, bunker: bool) -> Script[None]:
    """Infantry throws a grenade at all enemies at a place. Rule: ST-GRE-01 to 12.

    Germans throw them only as the resolute German (RES-8).
    """
    thrower = sit.change(unit, grenades=sit.units[unit].grenades - 1)
    sit.book(grenades=1)
    enemy: SideName = GERMAN if thrower.side == BRITISH else BRITISH
    enemies = sit.places_of(enemy)
    place = sit.rules.bunker_in[area] if bunker else area
    if enemy == BRITISH:
        yield from disturb(sit, *enemies.get(place, ()))
    else:
        for id in sorted(enemies.get(place, ())):
            yield from attack_unit(sit, id)
    where = sit.geo.place_text(place)
    if place not in enemies:
        yield note(
            sit, f"{thrower.name} throws a grenade into {where}: no one is there.", "ST-GRE-12"
        )
        return
    any_loss_wrecks = sit.settings.grenade_wrecks_mercedes == "loss"
    on = (*sorted(enemies[place]), *guns_at(sit, enemy, place))
    remarks = {MERCEDES: " (any SP loss wrecks it)"} if any_loss_wrecks else {}
    names = ", ".join(sit.name_of(id) + remarks.get(id, "") for id in on)
    rolled = yield from throw_on(
        sit,
        "grenade",
        f"{thrower.name} throws a grenade at {names} in {where}",
        grenade_given(sit, thrower, area, bunker),
        side=thrower.side,
        where=area,
        by=(unit,),
        on=on,
    )
    hit = read_hit(rolled.result)
    leaders = leaders_at(sit, enemy, place)
    if hit.suppressed:
        for id in sorted(enemies.get(place, ())):
            found = sit.units[id]
            if found.combat or found.kind == "leader":
                yield from suppress(sit, id)
    if enemy == GERMAN and (hit.hard or (hit.loss and any_loss_wrecks)):
        yield from _grenade_at_vehicle(sit, area, place, hit.hard)
    if hit.loss:
        yield from lose_in_turn(sit, enemy, place, hit.loss)
        # Schmidt, thrown out of his car by this very grenade, has rolled already.
        for leader in leaders:
            yield from casualty_roll(sit, leader.id)


def _grenade_at_vehicle(sit: Situation, area: str, place: str, hard: bool) -> Script[None]:
    """A grenade wrecks the Mercedes, or a tank that no infantry guards. ST-GRE-10, ST-GRE-11."""
    there = sit.at(GERMAN, place)
    if any(unit.id == MERCEDES for unit in there):
        yield from wreck_mercedes(sit)
    elif hard and not any(unit.kind in GERMAN_INFANTRY for unit in there):
        for tank in active_tanks(sit, area):
            yield from wreck_tank(sit, tank)


def gammon(sit: Situation, unit: str, target: str) -> Script[None]:
    """A British combat unit uses a gammon bomb on a vehicle in its area. ST-GAM-01 to 09."""
    user = sit.units[unit]
    bombs = sit.weapons_at(BRITISH, user.place, "gammon")
    own = [bomb for bomb in bombs if bomb.carrier == unit]
    bomb = (own or bombs)[0].id
    spend_charge(sit, bomb)
    found = sit.units[target]
    yield from attack_unit(sit, target)
    rolled = yield from throw_on(
        sit,
        "gammon",
        f"{user.name} uses a gammon bomb on {found.name}",
        roll_table=sit.rules.fire.gammon.table,
        side=BRITISH,
        where=user.area,
        by=(unit,),
        on=(target,),
    )
    if gammon_wrecks(rolled.result, found.kind):
        if target == MERCEDES:
            yield from wreck_mercedes(sit)
        else:
            yield from wreck_tank(sit, target)
    yield from tell_spent(sit, bomb)


def gammon_wrecks(result: str, kind: str) -> bool:
    """Tell whether a gammon result wrecks a vehicle of ``kind``. Rule: ST-GAM-08, ST-GAM-09."""
    hit = read_hit(result)
    return hit.hard or (hit.suppressed and kind == "mercedes")


def clear_bunker(sit: Situation, unit: str) -> Script[None]:
    """A British combat unit clears the bunker it stands in. Rule: ST-BUN-01 to ST-BUN-06."""
    found = sit.units[unit]
    where = sit.geo.text(found.area)
    rolled = yield from throw_on(
        sit, "bunker_clearing", f"{found.name} clears the bunker of {where}", side=BRITISH
    )
    sit.cleared.add(found.area)
    sit.book(bunkers_cleared=1)
    if rolled.result == BunkerClearing.POW:
        name = f"POW from {found.area}"
        pow = Pow(id=f"pow-{found.area.lower()}", name=name, escort=unit)
        sit.pows = sit.pows.having(pow)
        sit.book(pows_taken=1)
        yield note(sit, f"{found.name} takes a POW.", "ST-BUN-03")
    elif rolled.result == BunkerClearing.LOSS:
        yield from lose(sit, unit, 1)
        yield from casualty_check(sit, BRITISH, found.place)


def prepare_position(sit: Situation, unit: str) -> Script[None]:
    """A British combat unit begins a prepared position. Rule: ST-PRE-01 to ST-PRE-03."""
    area = sit.units[unit].area
    sit.positions[area] = PreparedPosition(area=area, builder=unit)
    sit.book(positions_begun=1)
    yield note(
        sit,
        f"{sit.units[unit].name} begins a prepared position in {sit.geo.text(area)}.",
        "ST-PRE-03",
    )
