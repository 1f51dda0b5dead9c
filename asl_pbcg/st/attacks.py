"""What the British can attack in their Fire Phase: small arms, PIATs, a captured AT gun."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from asl_pbcg.st.fire import Target, targets_at, targets_in
from asl_pbcg.st.gun_fire import Gun, suitable
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.state import Unit
from asl_pbcg.st.terms import BRITISH, COMBAT_KINDS, GERMAN


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


def able_units(sit: Situation) -> list[Unit]:
    """The units that have not fired: combat units, and leaders where they are alone. AMB-109."""
    found = []
    shots, units = sit.shots, sit.units
    for ids in sit.british.values():
        there = [units[id] for id in ids]
        alone = True
        for unit in there:
            if unit.kind in COMBAT_KINDS:
                alone = False
                if not unit.suppressed and unit.id not in shots:
                    found.append(unit)
        if alone:
            able = sorted(u.id for u in there if not u.suppressed)
            if able and shots.isdisjoint(ids):
                found.append(units[able[0]])
    return found


def attacks(sit: Situation, used: set[str]) -> list[Attack]:
    """Every attack that can be made now; ``used`` has the targets small arms fired at.

    All small arms that choose one target fire in a single attack. Rule: ST-FIR-05.
    """
    able = able_units(sit)
    found: list[Attack] = []
    if not sit.german:
        return found
    seen: dict[str, list[Target]] = {}
    small: dict[Target, list[str]] = {}
    german, near_places = sit.german.keys(), sit.rules.near_places
    for unit in able:
        if german.isdisjoint(near_places[unit.area]):
            continue
        for near in sit.geo.near[unit.area]:
            if near not in seen:
                seen[near] = targets_in(sit, GERMAN, near)
            for target in seen[near]:
                if target.id not in used:
                    small.setdefault(target, []).append(unit.id)
    found += [
        Attack("small-arms", "", target, firers=tuple(sorted(small[target])))
        for target in sorted(small)
    ]
    found += _piats(sit, able)
    found += _at_gun(sit, able)
    return found


def _piats(sit: Situation, able: Sequence[Unit]) -> list[Attack]:
    found = []
    for piat in sit.weapons.values():
        if piat.kind != "piat" or piat.status != "map" or piat.id in sit.shots:
            continue
        if sit.owner(piat) != BRITISH or sit.german.keys().isdisjoint(
            sit.rules.near_places[piat.area]
        ):
            continue
        firers = tuple(sorted(u.id for u in able if u.combat and u.place == piat.place))
        if not firers:
            continue
        for near in sit.geo.near[piat.area]:
            if near in sit.vehicles:
                for unit in sit.at(GERMAN, near):
                    if unit.kind == "tank":
                        found.append(
                            Attack("piat", piat.id, Target(near, (unit.id,)), firers=firers)
                        )
    return found


def _at_gun(sit: Situation, able: Sequence[Unit]) -> list[Attack]:
    """A captured AT gun: a unit, vehicle or weapon of the Germans. Rule: ST-TAT-04, ST-TAT-19."""
    found = []
    for weapon in sit.weapons.values():
        if weapon.kind != "at" or weapon.status != "map" or weapon.id in sit.shots:
            continue
        if sit.owner(weapon) != BRITISH:
            continue
        firers = tuple(sorted(u.id for u in able if u.combat and u.place == weapon.place))
        if not firers:
            continue
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
    return place.rstrip("*") in sit.geo.near[gun.area]
