"""What a British unit may do in its Movement Phase but move: attack, work, take and leave things.

Rule: ST-GRE-01, ST-GAM-01, ST-BUN-01, ST-PRE-01, ST-GEN-08.
"""

from __future__ import annotations

from asl_pbcg.st.rules.action import Action, ActionKind, action, allowance
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.state import Unit
from asl_pbcg.st.terms import BRITISH, BRITISH_INFANTRY, GERMAN, VEHICLES


def attacks(sit: Situation, unit: Unit, left: int) -> list[Action]:
    """Grenades and gammon bombs that ``unit`` can use with ``left`` MP."""
    n = sit.n
    area = unit.area
    german = sit.german
    found: list[Action] = []
    throws = unit.grenades and unit.kind in BRITISH_INFANTRY and n.cost_grenade <= left
    if throws and not german.keys().isdisjoint(sit.rules.near_places[area]):
        if area in german:
            found.append(action("grenade", area, n.cost_grenade))
        if sit.rules.bunker_in[area] in german:
            found.append(action("grenade-bunker", area, n.cost_grenade))
        found += [
            action("grenade", there, n.cost_grenade)
            for there, _ in sit.geo.steps[area]
            if there in german
        ]
    if area in sit.vehicles and area in german and n.cost_gammon <= left and not unit.inside:
        targets = [u.id for u in sit.at(GERMAN, area) if u.kind in VEHICLES]
        if targets and any(sit.weapons_at(BRITISH, area, "gammon")):
            found += [action("gammon", target, n.cost_gammon) for target in sorted(targets)]
    return found


def works(sit: Situation, unit: Unit, left: int) -> tuple[Action, ...]:
    """Clearing the bunker it is in, or beginning a prepared position in the open."""
    n = sit.n
    area = unit.area
    if unit.inside:
        if area not in sit.cleared and n.cost_clear_bunker <= left:
            return (action("clear-bunker", "", n.cost_clear_bunker),)
    elif (
        left >= n.cost_prepare_position
        and not sit.spent.get(unit.id, 0)
        and area not in sit.positions
    ):
        return (action("prepare-position", "", n.cost_prepare_position),)
    return ()


def loads(sit: Situation, unit: Unit) -> list[Action]:
    """Taking and leaving weapons and POWs; each unit does each of these once a phase."""
    area = unit.area
    place = sit.rules.bunker_in[area] if unit.inside else area
    found = _arms(sit, unit, place) if place in sit.armed else []
    if sit.pows:
        id, done = unit.id, sit.handled
        for pow in sit.pows_in(area):
            kind: ActionKind = "leave" if pow.escort == id else "take"
            if (id, kind, pow.id) not in done:
                found.append(action(kind, pow.id, 0))
    return found


def _arms(sit: Situation, unit: Unit, place: str) -> list[Action]:
    """Taking weapons at the ``place`` of the unit and leaving them."""
    id, done = unit.id, sit.handled
    kinds = [each.kind for each in sit.loads(id)] if id in sit.bearers else ()
    found: list[Action] = []
    for name in sit.armed[place]:
        weapon = sit.weapons[name]
        kind = weapon.kind
        if weapon.carrier == id:
            if (id, "leave", name) not in done:
                found.append(action("leave", name, 0))
        elif not (
            kind == "at"
            or kind in kinds
            or (kinds and sit.settings.one_weapon_per_unit)
            or (id, "take", name) in done
            or sit.owner(weapon) != BRITISH
            or (kind == "mg" and not _mg_fits(sit, unit))
        ):
            found.append(action("take", name, 0))
    return found


def _mg_fits(sit: Situation, unit: Unit) -> bool:
    """Whether the smaller allowance still covers what the unit has spent. Rule: ST-MOV-06."""
    if unit.id in sit.carried_mg:
        return True
    return allowance(sit, unit) + sit.n.mp_carrying_mg >= sit.spent.get(unit.id, 0)
