"""Coordination loss: with both HQ killed everything is declared first. Rule: ST-HQU-02 to 04."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from asl_pbcg.kernel.prompts import Option, Script
from asl_pbcg.st.actions import (
    STOP,
    Action,
    actions,
    actions_like,
    group_moves,
    may_act,
    moves,
    mp_left,
)
from asl_pbcg.st.british_options import action_options, action_text, unit_options
from asl_pbcg.st.decision import decide, note
from asl_pbcg.st.losses import names
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.state import Position
from asl_pbcg.st.terms import BRITISH

END = "end-declaration"
CarryOut = Callable[[Situation, tuple[str, ...], Action], Script[None]]


class Declared(NamedTuple):
    """One declared action and the units that do it."""

    units: tuple[str, ...]
    action: Action


def coordination_lost(sit: Situation) -> bool:
    """Whether every HQ is killed (or, as set, none is left in play). Rule: ST-HQU-02, AMB-64."""
    sections = [sit.units[id] for id in sit.rules.headquarters if id in sit.units]
    if sit.settings.hq_loss == "killed":
        return bool(sections) and all(unit.status == "dead" for unit in sections)
    return not any(unit.status == "map" for unit in sections)


def declared_movement(sit: Situation, carry_out: CarryOut) -> Script[None]:
    """Declare all movement and actions, then do them in any order. Rule: ST-HQU-03, ST-HQU-04."""
    yield note("Both HQ are lost: all movement and actions are declared first.", "ST-HQU-02")
    plan = yield from _declare(sit)
    left = list(plan)
    while left:
        free: dict[str, Declared] = {}
        waiting: set[str] = set()
        for number, item in enumerate(left, 1):
            if waiting.isdisjoint(item.units):
                free[f"declared-{number}"] = item
            waiting.update(item.units)
        dead = next((number for number, item in free.items() if not possible(sit, item)), "")
        if dead:
            item = free[dead]
            yield note(f"{_who(sit, item)} cannot {_what(sit, item)} any more.", "ST-HQU-03")
            left.remove(item)
            continue
        ids = tuple(free)

        def build(free: dict[str, Declared] = free) -> list[Option]:
            return [
                Option(number, f"{_who(sit, item)}: {_what(sit, item)}")
                for number, item in free.items()
            ]

        answer = yield decide(
            "carry_out",
            "Which declared action is carried out next?",
            rule="ST-HQU-03",
            situation=sit,
            ids=ids,
            choices=tuple(free.values()),
            build=build,
            default=ids[0],
        )
        item = free[answer]
        left.remove(item)
        action = possible(sit, item)
        assert action
        yield from carry_out(sit, item.units, action)


def possible(sit: Situation, item: Declared) -> Action | None:
    """The declared action as it can be done now, or None. Attacks on nobody are wasted.

    Rule: ST-HQU-03.
    """
    units = [sit.units[unit] for unit in item.units]
    if any(unit.status != "map" or unit.suppressed for unit in units):
        return None
    if len(units) > 1:
        return next((a for a in group_moves(sit, units) if a.id == item.action.id), None)
    unit = units[0]
    like = actions_like(sit, unit, item.action.kind)
    found = next((each for each in like if each.id == item.action.id), None)
    if found or item.action.kind not in ("grenade", "grenade-bunker"):
        return found
    area = item.action.target
    reach = area == unit.area or (
        item.action.kind == "grenade" and area in sit.geo.solid[unit.area]
    )
    if reach and unit.grenades and item.action.mp <= mp_left(sit, unit):
        return item.action
    return None


def _who(sit: Situation, item: Declared) -> str:
    return names(sit.units[unit] for unit in item.units)


def _what(sit: Situation, item: Declared) -> str:
    return action_text(sit, sit.units[item.units[0]], item.action)


def _declare(sit: Situation) -> Script[list[Declared]]:
    """The plan, made on a copy where nothing goes wrong."""
    plan: list[Declared] = []
    shadow = shadow_of(sit)
    idle: set[str] = set()
    while True:
        able = [
            unit for unit in shadow.on_map(BRITISH) if unit.id not in idle and may_act(shadow, unit)
        ]
        ids = [unit.id for unit in able]
        places = [unit.place for unit in able]
        ids += sorted({f"stack {place}" for place in places if places.count(place) > 1})
        ids.append(END)
        answer = yield decide(
            "declare",
            "Declare the actions of which unit?",
            rule="ST-HQU-02",
            situation=shadow,
            ids=ids,
            build=partial(unit_options, shadow, ids),
            help="What is declared must be done; nothing else may be done.",
        )
        if answer == END:
            return plan
        if answer.startswith("stack "):
            yield from _declare_stack(shadow, plan, answer.removeprefix("stack "))
            continue
        if not actions(shadow, shadow.units[answer]):
            idle.add(answer)
        while True:
            action = yield from _declare_action(shadow, (answer,))
            if action is None:
                break
            plan.append(Declared((answer,), action))


def _declare_stack(shadow: Situation, plan: list[Declared], place: str) -> Script[None]:
    there = tuple(sorted(u.id for u in shadow.at(BRITISH, place) if may_act(shadow, u)))
    chosen = yield decide(
        "stack",
        f"Which units in {shadow.geo.text(place.rstrip('*'))} move together?",
        rule="ST-OPF-04",
        situation=shadow,
        ids=there,
        build=lambda: unit_options(shadow, there),
        kind="choose-some",
        least=2,
    )
    units = tuple(chosen)
    while True:
        action = yield from _declare_action(shadow, units)
        if action is None:
            return
        plan.append(Declared(units, action))


def _declare_action(shadow: Situation, units: tuple[str, ...]) -> Script[Action | None]:
    found = [shadow.units[unit] for unit in units]
    legal = actions(shadow, found[0]) if len(found) == 1 else group_moves(shadow, found)
    if not legal:
        return None
    answer = yield decide(
        "declare_action",
        f"What will {names(found)} do?",
        rule="ST-HQU-02",
        situation=shadow,
        ids=[*(action.id for action in legal), STOP],
        choices=legal,
        subject=units,
        build=lambda: action_options(shadow, units, legal),
    )
    if answer == STOP:
        return None
    action = next(action for action in legal if action.id == answer)
    imagine(shadow, units, action)
    return action


def shadow_of(sit: Situation) -> Situation:
    """A copy of the situation to plan on."""
    shadow = Situation(sit.rules, sit.close())
    shadow.spent = dict(sit.spent)
    shadow.slowed = dict(sit.slowed)
    shadow.carried_mg = set(sit.carried_mg)
    shadow.pow_moved = dict(sit.pow_moved)
    shadow.handled = set(sit.handled)
    return shadow


def imagine(sit: Situation, units: tuple[str, ...], action: Action) -> None:
    """Do an action on the copy as if nothing came of it."""
    for id in units:
        unit = sit.units[id]
        mp = action.mp
        if len(units) > 1:
            mp = next(
                each.mp for each in moves(sit, unit, mp_left(sit, unit)) if each.id == action.id
            )
        sit.spent[id] = sit.spent.get(id, 0) + mp
        if action.kind in ("move", "arrow"):
            for weapon in sit.loads(id):
                if weapon.kind == "mg":
                    sit.carried_mg.add(id)
            for pow in sit.pows_of(id):
                sit.pow_moved[pow.id] = sit.pow_moved.get(pow.id, 0) + mp
                sit.slowed[id] = sit.n.mp_escort
            sit.put(id, action.target)
        elif action.kind in ("enter-bunker", "leave-bunker"):
            sit.put(id, unit.area, inside=action.kind == "enter-bunker")
        elif action.kind in ("grenade", "grenade-bunker"):
            sit.change(id, grenades=unit.grenades - 1)
        elif action.kind == "gammon":
            bomb = sit.weapons_at(BRITISH, unit.place, "gammon")[0]
            left = bomb.charges - 1
            sit.change_weapon(bomb.id, charges=left, status="map" if left else "spent")
        elif action.kind == "clear-bunker":
            sit.cleared.add(unit.area)
        elif action.kind == "prepare-position":
            sit.positions[unit.area] = Position(area=unit.area, builder=id)
        elif action.target in sit.weapons:
            sit.handled.add((id, action.kind, action.target))
            sit.change_weapon(action.target, carrier=id if action.kind == "take" else "")
        else:
            sit.handled.add((id, action.kind, action.target))
            if action.kind == "take":
                sit.pows[action.target] = replace(sit.pows[action.target], escort=id)
            else:
                del sit.pows[action.target]
