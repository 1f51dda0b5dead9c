"""British Movement Phase. Rule: ST-SEQ-04, ST-MOV-01 and the following."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from asl_pbcg.kernel.prompts import Script, ask, ask_some
from asl_pbcg.kernel.topic import Topic
from asl_pbcg.st.british.british_options import action_options, thing_name, unit_options
from asl_pbcg.st.british.british_start import arrivals, break_down, reinforcement_roll
from asl_pbcg.st.british.declared import coordination_lost, declared_movement
from asl_pbcg.st.procedures.assaults import clear_bunker, gammon, grenade, prepare_position
from asl_pbcg.st.procedures.losses import hand_over_pow, names, next_guard
from asl_pbcg.st.procedures.movement import (
    MOVES,
    STACK,
    STEPS,
    STOP,
    Action,
    able_units,
    acting_ids,
    legal_actions,
    move,
    moves_together,
    pay_for_move,
    spend,
)
from asl_pbcg.st.state.decision import Decision, decide, note
from asl_pbcg.st.state.game_rules import Rules
from asl_pbcg.st.state.game_state import State, Unit
from asl_pbcg.st.state.phase_situation import Situation

END = "end-phase"


def british_movement(rules: Rules, state: State) -> Script[State]:
    """Play the phase: reinforcements, squads, then the actions of the units in any order."""
    sit = Situation(rules, state)
    yield from reinforcement_roll(sit)
    yield from break_down(sit)
    yield from arrivals(sit)
    if coordination_lost(sit):
        yield from declared_movement(sit, carry_out)
        return sit.end()
    idle: set[str] = set()
    while able := able_units(sit, idle):
        answer = yield from ask(act_decision(sit, able))
        if answer == END:
            break
        if answer.startswith(STACK):
            yield from _move_stack(sit, sorted(able[answer.removeprefix(STACK)]))
        elif (yield from _act(sit, answer)):
            idle.add(answer)
    return sit.end()


def act_decision(sit: Situation, able: Mapping[str, Sequence[str]]) -> Decision:
    """Return the question which of the ``able`` units acts next; stacks move together."""
    ids = (*acting_ids(able), END)
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


def _act(sit: Situation, unit: str) -> Script[bool]:
    """Let one unit act until it stops; return whether it has nothing left to do."""
    while open_to := legal_actions(sit, sit.units[unit]):
        answer = yield from ask(action_decision(sit, (unit,), open_to))
        if answer == STOP:
            return False
        action = next(each for each in open_to if each.id == answer)
        yield from carry_out(sit, (unit,), action)
    return True


def action_decision(
    sit: Situation, units: tuple[str, ...], open_to: Sequence[Action], together: bool = False
) -> Decision:
    """Return the question what a unit does next, or where the units of a stack move."""
    named = names([sit.units[unit] for unit in units])
    return decide(
        "action",
        f"Where do {named} move?" if together else f"What does {named} do?",
        rule="ST-MOV-27" if together else "ST-SEQ-04",
        widget="actions",
        situation=sit,
        ids=(*[action.id for action in open_to], STOP),
        choices=open_to,
        pieces=units,
        topic=Topic(pieces=units, name=named),
        build=lambda: action_options(sit, units, open_to),
    )


def _move_stack(sit: Situation, there: Sequence[str]) -> Script[None]:
    """Move some of the units at one place together until they stop. Rule: ST-OPF-04."""
    chosen = yield from ask_some(
        decide(
            "stack",
            f"Which units in {sit.geo.text(sit.units[there[0]].area)} move together?",
            rule="ST-OPF-04",
            situation=sit,
            ids=there,
            build=lambda: unit_options(sit, there),
            kind="choose-some",
            least=2,
            draw=lambda source: source.sample(there, source.randint(2, len(there))),
        )
    )
    moving = tuple(chosen)
    while units := _movable(sit, moving):
        moving = tuple([unit.id for unit in units])
        open_to = moves_together(sit, units)
        if not open_to:
            return
        answer = yield from ask(action_decision(sit, moving, open_to, together=True))
        if answer == STOP:
            return
        yield from carry_out(sit, moving, next(each for each in open_to if each.id == answer))


def _movable(sit: Situation, stack: Sequence[str]) -> list[Unit]:
    """Return those of a stack who can go on."""
    units = [sit.units[unit] for unit in stack]
    return [unit for unit in units if unit.status == "map" and not unit.suppressed]


def carry_out(sit: Situation, units: tuple[str, ...], action: Action) -> Script[None]:
    """Do a legal action: pay its MP and settle what comes of it."""
    kind, unit = action.kind, units[0]
    if kind in MOVES:
        pay_for_move(sit, units, action)
        area = action.target or sit.units[unit].area
        fire = kind in STEPS or sit.settings.bunker_opportunity_fire
        yield from move(sit, units, area, inside=kind == "enter-bunker", fire=fire)
        return
    spend(sit, unit, action.mp)
    if kind in ("grenade", "grenade-bunker"):
        yield from grenade(sit, unit, action.target, kind == "grenade-bunker")
    elif kind == "gammon":
        yield from gammon(sit, unit, action.target)
    elif kind == "clear-bunker":
        yield from clear_bunker(sit, unit)
    elif kind == "prepare-position":
        yield from prepare_position(sit, unit)
    elif kind == "take":
        take(sit, unit, action.target)
        yield note(
            sit, f"{sit.units[unit].name} takes {thing_name(sit, action.target)}.", "ST-GEN-08"
        )
    else:
        yield from leave(sit, unit, action.target)


def take(sit: Situation, unit: str, thing: str) -> None:
    """Take a weapon or POW of the unit's place. Rule: ST-MOV-05, ST-PIA-02, ST-POW-06."""
    sit.handled.add((unit, "take", thing))
    if thing in sit.weapons:
        sit.change_weapon(thing, carrier=unit)
    else:
        sit.pows = sit.pows.having(replace(sit.pows[thing], escort=unit))


def leave(sit: Situation, unit: str, thing: str) -> Script[None]:
    """Leave a weapon where the unit is, or a POW to another unit there. Rule: ST-POW-07."""
    sit.handled.add((unit, "leave", thing))
    found = sit.units[unit]
    if thing in sit.weapons:
        sit.change_weapon(thing, carrier="")
        yield note(sit, f"{found.name} leaves {sit.weapons[thing].name}.", "ST-GEN-08")
    else:
        yield from hand_over_pow(sit, sit.pows[thing], next_guard(sit, found))
