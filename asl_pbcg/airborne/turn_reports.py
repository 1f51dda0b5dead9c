"""Reports of players at the end of a turn: movement, losses, recovery, other units.

One line each::

    move 1/A.1, 1/A.2 to X24      also a platoon's name, or a hex for all in it
    dispersed 1/A.3               recovered 1/A.3          eliminated para 1
    others 3 at X24               friendly units of the base game there
    done                          finish
"""

from __future__ import annotations

import random
from typing import Any, Final

from asl_pbcg.airborne.drop_map import DropMap
from asl_pbcg.airborne.drop_state import DropState, Lander, Stick, rights_of
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt, Script, ask

HELP: Final = (
    "move 1/A.1, 1/A.2 to X24 (a stick, a platoon, or a hex for all in it); dispersed ..., "
    "recovered ..., eliminated ...; others 3 at X24 (friendly units of the base game); "
    "done ends the turn; finish ends the drop."
)
_STATUS: Final = {
    "dispersed": "dispersed",
    "recovered": "undispersed",
    "eliminated": "eliminated",
}


def ask_report(state: DropState) -> Script[tuple[DropState, bool]]:
    """Ask for one report and carry it out; the second value is whether it was the last."""
    dropmap = state.make_map()

    def verify(line: Any) -> str:
        report(state, str(line), dropmap)
        return " ".join(str(line).split())

    line = yield from ask(
        Prompt(
            id="turn.changes",
            text=(
                f"Turn {state.turn}: what else happened, until your next turn begins? "
                "(move, dispersed, recovered, eliminated, others, done, finish)"
            ),
            rule="II.F",
            side=state.side,
            kind="text",
            default="done",
            help=HELP,
            verify=verify,
            draw=lambda source: _draw_line(state, source),
        )
    )
    return report(state, line, dropmap), line.lower() in ("done", "finish")


def report(state: DropState, line: str, dropmap: DropMap) -> DropState:
    """Return the state after one reported line. Raises IllegalAnswer that says what is wrong.

    Rule: II.F for movement, II.H for platoons that cannot break down.
    """
    verb, _, rest = " ".join(line.split()).partition(" ")
    verb = verb.lower()
    if verb in ("split", "break"):
        raise IllegalAnswer("A whole platoon never breaks down into sticks.", "II.H")
    if verb == "done" and not rest:
        return state
    if verb == "finish" and not rest:
        if state.turn < state.sealed.last_turn:
            ordered = "Landings are still ordered: the drop cannot be finished yet."
            raise IllegalAnswer(ordered, "I.H")
        return state.with_(finished=True)
    if verb == "move":
        return _move(state, rest, dropmap)
    if verb in _STATUS:
        return state.change(named_counters(state, rest), status=_STATUS[verb])
    if verb == "others":
        return _count_others(state, rest, dropmap)
    raise IllegalAnswer(f'"{line[:40]}" is not understood. Write one of: {HELP}')


def _move(state: DropState, rest: str, dropmap: DropMap) -> DropState:
    who, to, where = rest.rpartition(" to ")
    if not to:
        raise IllegalAnswer("Write who moves and where: move 1/A.1, 1/A.2 to X24.")
    at = _target_hex(where, dropmap)
    counters = named_counters(state, who)
    for counter in counters:
        if not rights_of(counter, state.turn).move:
            fresh = f"{counter.id} landed this turn and may not move before the next."
            raise IllegalAnswer(fresh, "II.F")
    return state.change(counters, at=at)


def _count_others(state: DropState, rest: str, dropmap: DropMap) -> DropState:
    number, at_word, where = rest.partition(" at ")
    if not at_word or not number.strip().isdigit() or len(number) > 3:
        raise IllegalAnswer("Write how many friendly units and where: others 3 at X24.")
    others = {**state.others, _target_hex(where, dropmap): int(number)}
    return state.with_(others={at: count for at, count in others.items() if count})


def _target_hex(where: str, dropmap: DropMap) -> str:
    try:
        return dropmap.check(where.strip().upper())
    except PBCGError as error:
        raise IllegalAnswer(str(error)) from error


def named_counters(state: DropState, named: str) -> list[Lander]:
    """Return the counters on the map that a player names, commas between them.

    A name is that of a stick or unit, of a platoon (all its sticks) or of a hex (all in it).
    Raises IllegalAnswer for a name that fits nothing on the map.
    """
    standing: list[Lander] = [stick for stick in state.sticks if stick.on_map]
    standing += [unit for unit in state.units if unit.on_map]
    names = [name.strip() for name in named.split(",") if name.strip()]
    if not names:
        raise IllegalAnswer("Name a stick, a platoon or a hex.")
    chosen: list[Lander] = []
    for name in names:
        fitting = _fitting_counters(standing, name.lower())
        if not fitting:
            known = ", ".join(each.id for each in standing[:12]) + ", ..." * (len(standing) > 12)
            raise IllegalAnswer(f'"{name[:40]}" is not on the map; these are: {known}.')
        chosen += [counter for counter in fitting if counter not in chosen]
    return chosen


def _fitting_counters(standing: list[Lander], name: str) -> list[Lander]:
    by_id = [counter for counter in standing if counter.id.lower() == name]
    if by_id:
        return by_id
    planes = [each for each in standing if isinstance(each, Stick) and each.platoon.lower() == name]
    return [*planes] or [counter for counter in standing if counter.at.lower() == name]


def _draw_line(state: DropState, source: random.Random) -> str:
    """Draw a legal line for automatic play: sticks recover, gather and then the turn ends."""
    if state.turn > state.sealed.last_turn + 8:
        return "finish"
    lines = ["done"]
    if hurt := [stick for stick in state.sticks if stick.status == "dispersed"]:
        lines.append(f"recovered {source.choice(hurt).id}")
    free = [each for each in state.sticks if each.on_map and rights_of(each, state.turn).move]
    lines += [f"move {each.id} to {free[0].at}" for each in free if each.at != free[0].at]
    return source.choice(lines)
