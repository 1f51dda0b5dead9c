"""What the British can attack in their Fire Phase: small arms, PIATs, a captured AT gun."""

from __future__ import annotations

from typing import Literal, NamedTuple

from asl_pbcg.st.fire import Target, targets_at
from asl_pbcg.st.gun_fire import Gun, suitable
from asl_pbcg.st.places import area_of
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


def able_at(sit: Situation, place: str) -> list[Unit]:
    """Who at ``place`` has not fired: combat units, or a leader where they are alone. AMB-109."""
    found = []
    shots, units = sit.shots, sit.units
    ids = sit.british.get(place, ())
    alone = True
    for id in ids:
        unit = units[id]
        if unit.kind in COMBAT_KINDS:
            alone = False
            if not unit.suppressed and id not in shots:
                found.append(unit)
    if alone:
        able = sorted([id for id in ids if not units[id].suppressed])
        if able and shots.isdisjoint(ids):
            found.append(units[able[0]])
    return found


def attacks(sit: Situation, used: set[str]) -> list[Attack]:
    """Every attack that can be made now; ``used`` has the targets small arms fired at.

    All small arms that choose one target fire in a single attack. Rule: ST-FIR-05.
    """
    found: list[Attack] = []
    if not sit.german:
        return found
    seen: dict[str, list[Target]] = {}
    small: dict[Target, list[str]] = {}
    german, near_places = sit.german.keys(), sit.rules.near_places
    for place in sit.british:
        nearby = german & near_places[area_of(place)]
        able = [unit.id for unit in able_at(sit, place)] if nearby else ()
        if not able:
            continue
        for near in nearby:
            if near not in seen:
                seen[near] = targets_at(sit, GERMAN, near)
            for target in seen[near]:
                if target.id not in used:
                    small.setdefault(target, []).extend(able)
    found += [
        Attack("small-arms", "", target, firers=tuple(sorted(small[target])))
        for target in sorted(small)
    ]
    found += _piats(sit)
    found += _at_gun(sit)
    return found


def _piats(sit: Situation) -> list[Attack]:
    found = []
    for piat in sit.weapons.values():
        if piat.kind != "piat" or piat.status != "map" or piat.id in sit.shots:
            continue
        if sit.owner(piat) != BRITISH or sit.german.keys().isdisjoint(
            sit.rules.near_places[piat.area]
        ):
            continue
        firers = _crews(sit, piat.place)
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


def _crews(sit: Situation, place: str) -> tuple[str, ...]:
    """The combat units at ``place`` that have not fired."""
    return tuple(sorted([unit.id for unit in able_at(sit, place) if unit.combat]))


def _at_gun(sit: Situation) -> list[Attack]:
    """A captured AT gun: a unit, vehicle or weapon of the Germans. Rule: ST-TAT-04, ST-TAT-19."""
    found = []
    for weapon in sit.weapons.values():
        if weapon.kind != "at" or weapon.status != "map" or weapon.id in sit.shots:
            continue
        if sit.owner(weapon) != BRITISH:
            continue
        firers = _crews(sit, weapon.place)
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
    return area_of(place) in sit.geo.near[gun.area]
