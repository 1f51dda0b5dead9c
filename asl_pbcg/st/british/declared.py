"""Coordination loss: with both HQ killed everything is declared first. Rule: ST-HQU-02 to 04."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from asl_pbcg.kernel.prompts import Option, Script, ask, ask_some
from asl_pbcg.kernel.topic import Topic
from asl_pbcg.st.area_terms import BRITISH, area_of
from asl_pbcg.st.british.british_options import (
    action_options,
    action_text,
    action_topic,
    unit_options,
)
from asl_pbcg.st.procedures.losses import names
from asl_pbcg.st.procedures.movement import (
    MOVES,
    STACK,
    STOP,
    Action,
    able_units,
    acting_ids,
    legal_actions,
    moves,
    moves_together,
    mp_left,
    pay_for_move,
    spend,
)
from asl_pbcg.st.state.decision import decide, note
from asl_pbcg.st.state.game_state import PreparedPosition
from asl_pbcg.st.state.phase_situation import Situation

END = "end-declaration"
CarryOut = Callable[[Situation, tuple[str, ...], Action], Script[None]]


class Declared(NamedTuple):
    """One declared action and the units that do it."""

    units: tuple[str, ...]
    action: Action


def coordination_lost(sit: Situation) -> bool:
    """Tell whether every HQ is killed (or, as set, none is left in play). ST-HQU-02, AMB-64."""
    sections = [sit.units[id] for id in sit.rules.headquarters if id in sit.units]
    if sit.settings.hq_loss == "killed":
        return bool(sections) and all(unit.status == "dead" for unit in sections)
    return not any(unit.status == "map" for unit in sections)


def declared_movement(sit: Situation, carry_out: CarryOut) -> Script[None]:
    """Declare all movement and actions, then do them in any order. Rule: ST-HQU-03, ST-HQU-04."""
    yield note(sit, "Both HQ are lost: all movement and actions are declared first.", "ST-HQU-02")
    plan = yield from _declare(sit)
    while plan:
        free = _free(plan)
        wasted = next((item for item in free if not possible(sit, item)), None)
        if wasted:
            plan.remove(wasted)
            yield note(
                sit, f"{_who(sit, wasted)} cannot {_what(sit, wasted)} any more.", "ST-HQU-03"
            )
            continue
        item = yield from _next_declared(sit, plan, free)
        action = possible(sit, item)
        assert action
        plan.remove(item)
        yield from carry_out(sit, item.units, action)


def _free(plan: Sequence[Declared]) -> list[Declared]:
    """Return what may be done now: each unit does its actions in their order. ST-HQU-03."""
    waiting: set[str] = set()
    free = []
    for item in plan:
        if waiting.isdisjoint(item.units):
            free.append(item)
        waiting.update(item.units)
    return free


def _next_declared(
    sit: Situation, plan: Sequence[Declared], free: Sequence[Declared]
) -> Script[Declared]:
    ids = tuple([f"declared-{plan.index(item) + 1}" for item in free])
    answer = yield from ask(
        decide(
            "carry_out",
            "Which declared action is carried out next?",
            rule="ST-HQU-03",
            situation=sit,
            ids=ids,
            choices=tuple(free),
            build=lambda: [
                Option(
                    id,
                    f"{_who(sit, item)}: {_what(sit, item)}",
                    topic=action_topic(sit, item.action),
                )
                for id, item in zip(ids, free, strict=True)
            ],
            default=ids[0],
        )
    )
    return free[ids.index(answer)]


def possible(sit: Situation, item: Declared) -> Action | None:
    """Return the declared action as it can be done now. Attacks on nobody are wasted.

    It may cost other MP by now; None if it cannot be done any more. Rule: ST-HQU-03.
    """
    action = item.action
    units = [sit.units[unit] for unit in item.units]
    if any(unit.status != "map" or unit.suppressed for unit in units):
        return None
    thrower = units[0]
    if len(units) == 1 and action.kind in MOVES:
        return moves(sit, thrower, mp_left(sit, thrower)).get(action.id)
    open_to = legal_actions(sit, thrower) if len(units) == 1 else moves_together(sit, units)
    for each in open_to:
        if each.id == action.id:
            return each
    reach = action.target == thrower.area or (
        action.kind == "grenade" and action.target in sit.geo.solid[thrower.area]
    )
    throws = action.kind in ("grenade", "grenade-bunker") and reach and thrower.grenades
    return action if throws and action.mp <= mp_left(sit, thrower) else None


def _who(sit: Situation, item: Declared) -> str:
    return names(sit.units[unit] for unit in item.units)


def _what(sit: Situation, item: Declared) -> str:
    return action_text(sit, sit.units[item.units[0]], item.action)


def _declare(sit: Situation) -> Script[list[Declared]]:
    """The plan, made on a copy where nothing goes wrong."""
    plan: list[Declared] = []
    shadow = sit.copy_to_plan()
    idle: set[str] = set()
    while True:
        ids = (*acting_ids(able_units(shadow, idle)), END)
        answer = yield from ask(
            decide(
                "declare",
                "Declare the actions of which unit?",
                rule="ST-HQU-02",
                widget="units",
                situation=shadow,
                ids=ids,
                build=partial(unit_options, shadow, ids),
                help="What is declared must be done; nothing else may be done.",
            )
        )
        if answer == END:
            return plan
        if answer.startswith(STACK):
            yield from _declare_stack(shadow, plan, answer.removeprefix(STACK))
        else:
            if not legal_actions(shadow, shadow.units[answer]):
                idle.add(answer)
            yield from _declare_for(shadow, plan, (answer,))


def _declare_stack(shadow: Situation, plan: list[Declared], place: str) -> Script[None]:
    there = tuple(sorted(able_units(shadow)[place]))
    chosen = yield from ask_some(
        decide(
            "stack",
            f"Which units in {shadow.geo.text(area_of(place))} move together?",
            rule="ST-OPF-04",
            situation=shadow,
            ids=there,
            build=lambda: unit_options(shadow, there),
            kind="choose-some",
            least=2,
        )
    )
    yield from _declare_for(shadow, plan, tuple(chosen))


def _declare_for(shadow: Situation, plan: list[Declared], units: tuple[str, ...]) -> Script[None]:
    """Declare what some units will do, one action after the other."""
    while True:
        its = [shadow.units[unit] for unit in units]
        open_to = legal_actions(shadow, its[0]) if len(its) == 1 else moves_together(shadow, its)
        if not open_to:
            return
        ids = (*[action.id for action in open_to], STOP)
        answer = yield from ask(
            decide(
                "declare_action",
                f"What will {names(its)} do?",
                rule="ST-HQU-02",
                widget="actions",
                situation=shadow,
                ids=ids,
                choices=open_to,
                pieces=units,
                topic=Topic(pieces=units, name=names(its)),
                build=partial(action_options, shadow, units, open_to),
            )
        )
        if answer == STOP:
            return
        action = open_to[ids.index(answer)]
        imagine(shadow, units, action)
        plan.append(Declared(units, action))


def imagine(sit: Situation, units: tuple[str, ...], action: Action) -> None:
    """Do an action on a copy as if nothing came of it."""
    if action.kind in MOVES:
        pay_for_move(sit, units, action)
        for id in units:
            area = action.target or sit.units[id].area
            sit.put(id, area, inside=action.kind == "enter-bunker")
        return
    (id,) = units
    unit = sit.units[id]
    spend(sit, id, action.mp)
    if action.kind in ("grenade", "grenade-bunker"):
        sit.change(id, grenades=unit.grenades - 1)
    elif action.kind == "gammon":
        bomb = sit.weapons_at(BRITISH, unit.place, "gammon")[0]
        left = bomb.charges - 1
        sit.change_weapon(bomb.id, charges=left, status="map" if left else "spent")
    elif action.kind == "clear-bunker":
        sit.cleared.add(unit.area)
    elif action.kind == "prepare-position":
        sit.positions[unit.area] = PreparedPosition(area=unit.area, builder=id)
    else:
        sit.handled.add((id, action.kind, action.target))
        takes = action.kind == "take"
        if action.target in sit.weapons:
            sit.change_weapon(action.target, carrier=id if takes else "")
        elif takes:
            sit.pows = sit.pows.having(replace(sit.pows[action.target], escort=id))
        else:
            sit.pows = sit.pows.without(sit.pows[action.target])
