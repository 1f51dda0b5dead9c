"""The attacks open to the British in their Fire Phase: small arms, PIATs, a captured AT gun."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple

from asl_pbcg.st.area_terms import BRITISH, COMBAT_KINDS, GERMAN
from asl_pbcg.st.board.places import area_of
from asl_pbcg.st.rules.fire import Target, places_in_reach, targets_at
from asl_pbcg.st.rules.game_state import AreaWeapon
from asl_pbcg.st.rules.gun_fire import Gun, suitable
from asl_pbcg.st.rules.phase_situation import Situation
from asl_pbcg.st.rules.vehicles import active_tanks


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
