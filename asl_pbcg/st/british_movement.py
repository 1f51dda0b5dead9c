"""British Movement Phase. Rule: ST-SEQ-04, ST-MOV-01 and the following."""

from __future__ import annotations

import random
from collections.abc import Container, Mapping, Sequence
from functools import partial
from itertools import chain

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.actions import (
    MOVES,
    Action,
    actions,
    alike,
    allowance,
    group_moves,
    moves,
    mp_left,
)
from asl_pbcg.st.assaults import clear_bunker, gammon, grenade, prepare_position
from asl_pbcg.st.british_options import action_options, thing_name, unit_options
from asl_pbcg.st.british_start import arrivals, break_down, reinforcement_roll
from asl_pbcg.st.decision import Decision, decide, note
from asl_pbcg.st.declared import coordination_lost, declared_movement
from asl_pbcg.st.entering import enter
from asl_pbcg.st.losses import escape, names, next_guard
from asl_pbcg.st.rules import Rules
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.state import State, Unit

END = "end-phase"
STOP = "stop"


def british_movement(rules: Rules, state: State) -> Script[State]:
    """The whole phase: reinforcements, squads, then the actions of the units in any order."""
    sit = Situation(rules, state)
    yield from reinforcement_roll(sit)
    yield from break_down(sit)
    yield from arrivals(sit)
    if coordination_lost(sit):
        yield from declared_movement(sit, carry_out)
    else:
        yield from _act(sit)
    return sit.end()


def _act(sit: Situation) -> Script[None]:
    idle: set[str] = set()
    able: dict[str, list[str]] = {}
    while True:
        if sit.stirred is None:
            able = able_by_place(sit, idle)
        else:
            for place in sit.stirred:
                there = able_at(sit, sit.british.get(place, ()), idle)
                if there:
                    able[place] = there
                else:
                    able.pop(place, None)
        sit.stirred = set()
        if not able:
            return
        answer = yield act_decision(sit, able)
        if answer == END:
            return
        if answer.startswith("stack "):
            yield from _move_stack(sit, able, answer.removeprefix("stack "))
        else:
            yield from _act_unit(sit, answer, idle)


def able_by_place(sit: Situation, idle: Container[str] = ()) -> dict[str, list[str]]:
    """The units that can act now, by place, but for ``idle`` ones that have nothing to do."""
    found: dict[str, list[str]] = {}
    for place, ids in sit.british.items():
        if able := able_at(sit, ids, idle):
            found[place] = able
    return found


def able_at(sit: Situation, ids: Sequence[str], idle: Container[str] = ()) -> list[str]:
    """Those of ``ids`` that can act now."""
    units, spent, most = sit.units, sit.spent, sit.n.mp_british
    able = []
    for id in ids:
        unit = units[id]
        # As may_act, spelt out: this is asked of every unit before every action.
        if unit.suppressed or id in idle:
            continue
        used = spent.get(id)
        if not used or unit.inside or (used < most and allowance(sit, unit) > used):
            able.append(id)
    return able


def act_decision(sit: Situation, able: Mapping[str, Sequence[str]]) -> Decision:
    """Which unit acts next; stacks move together."""
    ids = sorted(chain.from_iterable(able.values()))
    ids += sorted([sit.rules.stack[place] for place, there in able.items() if len(there) > 1])
    ids.append(END)
    return decide(
        "act",
        "Which unit acts?",
        rule="ST-SEQ-04",
        situation=sit,
        ids=ids,
        build=partial(unit_options, sit, ids),
        help="A unit may come back as long as it has MP.",
    )


def _act_unit(sit: Situation, unit: str, idle: set[str]) -> Script[None]:
    while True:
        found = sit.units[unit]
        if found.status != "map" or found.suppressed:
            return
        legal = actions(sit, found)
        if not legal:
            idle.add(unit)
            stir(sit, unit)
            return
        asked = action_decision(sit, found, legal)
        answer = yield asked
        if answer == STOP:
            return
        yield from carry_out(sit, (unit,), legal[asked.ids.index(answer)])


def action_decision(sit: Situation, unit: Unit, legal: list[Action]) -> Decision:
    """What the unit does next."""
    ids = [action.id for action in legal]
    ids.append(STOP)
    return decide(
        "action",
        f"What does {unit.name} do?",
        rule="ST-SEQ-04",
        situation=sit,
        ids=ids,
        choices=legal,
        subject=(unit.id,),
        build=lambda: action_options(sit, (unit.id,), legal),
    )


def _move_stack(sit: Situation, able: Mapping[str, Sequence[str]], place: str) -> Script[None]:
    there = sorted(able[place])

    def draw(source: random.Random) -> list[str]:
        return source.sample(there, source.randint(2, len(there)))

    chosen: list[str] = yield decide(
        "stack",
        f"Which units in {sit.geo.text(place.rstrip('*'))} move together?",
        rule="ST-OPF-04",
        situation=sit,
        ids=there,
        build=lambda: unit_options(sit, there),
        kind="choose-some",
        least=2,
        draw=draw,
    )
    movers = tuple(chosen)
    while True:
        units = [sit.units[unit] for unit in movers]
        movers = tuple(unit.id for unit in units if unit.status == "map" and not unit.suppressed)
        if not movers:
            return
        legal = group_moves(sit, [sit.units[unit] for unit in movers])
        if not legal:
            return
        ids = [action.id for action in legal]
        ids.append(STOP)
        answer = yield decide(
            "action",
            f"Where do {names(sit.units[unit] for unit in movers)} move?",
            rule="ST-MOV-27",
            situation=sit,
            ids=ids,
            choices=legal,
            subject=movers,
            build=partial(action_options, sit, movers, legal),
        )
        if answer == STOP:
            return
        yield from carry_out(sit, movers, legal[ids.index(answer)])


def stir(sit: Situation, unit: str) -> None:
    """What ``unit`` can still do has changed, though it has not moved."""
    if sit.stirred is not None:
        sit.stirred.add(sit.units[unit].place)


def carry_out(sit: Situation, units: tuple[str, ...], action: Action) -> Script[None]:
    """Do a legal action: pay its MP and settle what comes of it."""
    if action.kind in MOVES:
        return _move(sit, units, action)
    return _work(sit, units[0], action)


def _work(sit: Situation, unit: str, action: Action) -> Script[None]:
    """All but moving."""
    kind = action.kind
    sit.spent[unit] = sit.spent.get(unit, 0) + action.mp
    stir(sit, unit)
    if kind in ("grenade", "grenade-bunker"):
        area = action.target or sit.units[unit].area
        yield from grenade(sit, unit, area, kind == "grenade-bunker")
    elif kind == "gammon":
        yield from gammon(sit, unit, action.target)
    elif kind == "clear-bunker":
        yield from clear_bunker(sit, unit)
    elif kind == "prepare-position":
        yield from prepare_position(sit, unit)
    elif kind == "take":
        take(sit, unit, action.target)
        yield note(f"{sit.units[unit].name} takes {thing_name(sit, action.target)}.", "ST-GEN-08")
    else:
        yield from leave(sit, unit, action.target)


def _move(sit: Situation, units: tuple[str, ...], action: Action) -> Script[None]:
    """Move units together: each pays its own MP, then the enemy reacts. Rule: ST-MOV-08."""
    kind = action.kind
    own = [action.mp]
    if len(units) > 1 and alike(sit, [sit.units[id] for id in units]):
        own *= len(units)
    elif len(units) > 1:
        own = [_own_mp(sit, sit.units[id], action) for id in units]
    spent = sit.spent
    for id, mp in zip(units, own, strict=True):
        spent[id] = spent.get(id, 0) + mp
        if kind == "move" or kind == "arrow":
            if id in sit.mg_bearers:
                sit.carried_mg.add(id)
            for pow in sit.pows_of(id) if sit.pows else ():
                sit.pow_moved[pow.id] = sit.pow_moved.get(pow.id, 0) + mp
                sit.slowed[id] = sit.n.mp_escort
            sit.put(id, action.target)
        else:
            sit.put(id, sit.units[id].area, inside=kind == "enter-bunker")
    if sit.german.keys().isdisjoint(sit.rules.near_places[sit.units[units[0]].area]):
        return  # nobody is there to see it
    bunker = kind == "enter-bunker" or kind == "leave-bunker"
    yield from enter(sit, units, fire=not bunker or sit.settings.bunker_opportunity_fire)


def _own_mp(sit: Situation, unit: Unit, action: Action) -> int:
    """What the action costs this unit of a stack."""
    return next(each.mp for each in moves(sit, unit, mp_left(sit, unit)) if each.id == action.id)


def take(sit: Situation, unit: str, thing: str) -> None:
    """A unit takes a weapon or POW of its place. Rule: ST-MOV-05, ST-PIA-02, ST-POW-06."""
    sit.handled.add((unit, "take", thing))
    sit.stirred = None
    if thing in sit.weapons:
        sit.change_weapon(thing, carrier=unit)
    else:
        old = sit.pows[thing]
        sit.pows[thing] = type(old)(id=old.id, name=old.name, escort=unit)


def leave(sit: Situation, unit: str, thing: str) -> Script[None]:
    """A unit leaves a weapon where it is, or a POW to another unit there. Rule: ST-POW-07."""
    sit.handled.add((unit, "leave", thing))
    sit.stirred = None
    found = sit.units[unit]
    if thing in sit.weapons:
        sit.change_weapon(thing, carrier="")
        yield note(f"{found.name} leaves {sit.weapons[thing].name}.", "ST-GEN-08")
        return
    pow = sit.pows[thing]
    if guard := next_guard(sit, found):
        sit.pows[thing] = type(pow)(id=pow.id, name=pow.name, escort=guard.id)
        yield note(f"{guard.name} takes over {pow.name}.", "ST-POW-06")
    else:
        escape(sit, thing)
        yield note(f"{pow.name} escapes.", "ST-POW-07")
