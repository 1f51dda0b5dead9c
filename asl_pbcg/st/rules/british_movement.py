"""British Movement Phase. Rule: ST-SEQ-04, ST-MOV-01 and the following."""

from __future__ import annotations

from collections.abc import Sequence

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.rules.able import Able
from asl_pbcg.st.rules.actions import (
    MOVES,
    STOP,
    Action,
    choices,
    choices_after_step,
    common_mp,
    stack_choices,
    with_names,
)
from asl_pbcg.st.rules.assaults import clear_bunker, gammon, grenade, prepare_position
from asl_pbcg.st.rules.british_options import action_options, thing_name, unit_options
from asl_pbcg.st.rules.british_start import arrivals, break_down, reinforcement_roll
from asl_pbcg.st.rules.decision import Decision, decide, note
from asl_pbcg.st.rules.declared import coordination_lost, declared_movement
from asl_pbcg.st.rules.entering import enter
from asl_pbcg.st.rules.losses import escape, names, next_guard
from asl_pbcg.st.rules.moving import STEPS, go_together, hand_over, step
from asl_pbcg.st.rules.rules import Rules
from asl_pbcg.st.rules.situation import Situation, situation
from asl_pbcg.st.rules.state import State, Unit

END = "end-phase"


def british_movement(rules: Rules, state: State) -> Script[State]:
    """The whole phase: reinforcements, squads, then the actions of the units in any order."""
    sit = situation(rules, state)
    sit.forget_hampered()
    yield from reinforcement_roll(sit)
    yield from break_down(sit)
    yield from arrivals(sit)
    if coordination_lost(sit):
        yield from declared_movement(sit, carry_out)
        return sit.end()
    able = Able(sit)
    sit.stirred = set()
    units = sit.units
    while able.units:
        answer = yield act_decision(sit, able)
        if answer in units:
            yield from _act_unit(sit, answer, able)
        elif answer == END:
            break
        else:
            yield from _move_stack(sit, able.at(answer.removeprefix("stack ")))
        able.look()
    return sit.end()


def act_decision(sit: Situation, able: Able) -> Decision:
    """Which unit acts next; stacks move together."""
    ids = (*able.units, *able.stacks, END)
    return decide(
        "act",
        "Which unit acts?",
        rule="ST-SEQ-04",
        widget="units",
        situation=sit,
        ids=ids,
        build=lambda: unit_options(sit, ids),
        help="A unit may come back as long as it has MP.",
    )


def _act_unit(sit: Situation, unit: str, able: Able) -> Script[None]:
    units, movers = sit.units, (unit,)
    stirred = False
    legal, ids = choices(sit, units[unit])
    while legal:
        answer = yield _action_decision(sit, movers, legal, ids)
        if answer == STOP:
            return
        action = legal[ids.index(answer)]
        if action.kind in STEPS:
            if not stirred:
                stirred = True
                sit.stir(unit)
            if not step(sit, unit, action.target, action.mp):
                legal, ids = choices_after_step(sit, units[unit])
                continue
            yield from enter(sit, movers)
        else:
            yield from carry_out(sit, movers, action)
        found = units[unit]
        if found.status != "map" or found.suppressed:
            return
        legal, ids = choices(sit, found)
    able.rest(unit)


def action_decision(sit: Situation, unit: Unit, legal: Sequence[Action]) -> Decision:
    """What the unit does next."""
    return _action_decision(sit, (unit.id,), legal, with_names(legal)[1])


def _action_decision(
    sit: Situation,
    units: tuple[str, ...],
    legal: Sequence[Action],
    ids: Sequence[str],
    together: bool = False,
) -> Decision:
    named = names(sit.units[unit] for unit in units)
    return decide(
        "action",
        f"Where do {named} move?" if together else f"What does {named} do?",
        rule="ST-MOV-27" if together else "ST-SEQ-04",
        widget="actions",
        situation=sit,
        ids=ids,
        choices=legal,
        pieces=units,
        build=lambda: action_options(sit, units, legal),
    )


def _stack_decision(sit: Situation, units: Sequence[str]) -> Decision:
    """Return the question which units of a place move together."""
    return decide(
        "stack",
        f"Which units in {sit.geo.text(sit.units[units[0]].area)} move together?",
        rule="ST-OPF-04",
        situation=sit,
        ids=units,
        build=lambda: unit_options(sit, units),
        kind="choose-some",
        least=2,
        draw=lambda source: source.sample(units, source.randint(2, len(units))),
    )


def _move_stack(sit: Situation, there: Sequence[str]) -> Script[None]:
    movers = tuple((yield _stack_decision(sit, there)))
    while units := _movable(sit, movers):
        movers = tuple([unit.id for unit in units])
        left = common_mp(sit, units)
        legal, ids = stack_choices(sit, units, left)
        while legal:
            answer = yield _action_decision(sit, movers, legal, ids, together=True)
            if answer == STOP:
                return
            action = legal[ids.index(answer)]
            if go_together(sit, movers, action, left is not None):
                yield from _react(sit, movers, action)
                break
            if left is None or action.kind not in STEPS or sit.bridge != "intact":
                break
            # Nothing tells them apart on the next step either.
            left -= action.mp
            legal, ids = stack_choices(sit, (sit.units[movers[0]],), left)
        else:
            return


def _movable(sit: Situation, stack: Sequence[str]) -> list[Unit]:
    """Those of a stack who can go on."""
    found = map(sit.units.__getitem__, stack)
    return [unit for unit in found if unit.status == "map" and not unit.suppressed]


def carry_out(sit: Situation, units: tuple[str, ...], action: Action) -> Script[None]:
    """Do a legal action: pay its MP and settle what comes of it."""
    if action.kind in MOVES:
        return _move(sit, units, action)
    return _work(sit, units[0], action)


def _work(sit: Situation, unit: str, action: Action) -> Script[None]:
    """All but moving."""
    kind = action.kind
    sit.spent[unit] = sit.spent.get(unit, 0) + action.mp
    sit.stir(unit)
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
    """Move units together; then the enemy reacts."""
    if go_together(sit, units, action):
        yield from _react(sit, units, action)


def _react(sit: Situation, units: tuple[str, ...], action: Action) -> Script[None]:
    """The enemy reacts to a move, to one in or out of a bunker as it is set."""
    fire = action.kind in STEPS or sit.settings.bunker_opportunity_fire
    return enter(sit, units, fire=fire)


def take(sit: Situation, unit: str, thing: str) -> None:
    """A unit takes a weapon or POW of its place. Rule: ST-MOV-05, ST-PIA-02, ST-POW-06."""
    sit.handled.add((unit, "take", thing))
    if thing in sit.weapons:
        hand_over(sit, thing, unit)
    else:
        old = sit.pows[thing]
        sit.pows[thing] = type(old)(id=old.id, name=old.name, escort=unit)
        sit.stir(old.escort)
        sit.stir(unit)


def leave(sit: Situation, unit: str, thing: str) -> Script[None]:
    """A unit leaves a weapon where it is, or a POW to another unit there. Rule: ST-POW-07."""
    sit.handled.add((unit, "leave", thing))
    sit.stir(unit)
    found = sit.units[unit]
    if thing in sit.weapons:
        hand_over(sit, thing, "")
        yield note(f"{found.name} leaves {sit.weapons[thing].name}.", "ST-GEN-08")
        return
    pow = sit.pows[thing]
    if guard := next_guard(sit, found):
        sit.pows[thing] = type(pow)(id=pow.id, name=pow.name, escort=guard.id)
        sit.stir(guard.id)
        yield note(f"{guard.name} takes over {pow.name}.", "ST-POW-06")
    else:
        escape(sit, thing)
        yield note(f"{pow.name} escapes.", "ST-POW-07")
