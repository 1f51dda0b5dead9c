"""What players report at the end of a turn: movement, losses, recovery, other units.

One line each::

    move 1/A.1, 1/A.2 to X24      also a platoon's name, or a hex for all in it
    dispersed 1/A.3               recovered 1/A.3          eliminated para 1
    others 3 at X24               friendly units of the base game there
    done                          finish
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import msgspec

from asl_pbcg.airborne.dropmap import DropMap
from asl_pbcg.airborne.state import DropState, make_map
from asl_pbcg.airborne.units import Stick, Unit, may
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt, Script, ask

HELP: Final = (
    "move 1/A.1, 1/A.2 to X24 (a stick, a platoon, or a hex for all in it); dispersed ..., "
    "recovered ..., eliminated ...; others 3 at X24 (friendly units of the base game); "
    "done ends the turn; finish ends the drop."
)
_VERBS: Final = ("move", "dispersed", "recovered", "eliminated", "others", "done", "finish")
_STATUS: Final = {
    "dispersed": "dispersed",
    "recovered": "undispersed",
    "eliminated": "eliminated",
}

Item = Stick | Unit


def ask_change(state: DropState) -> Script[tuple[DropState, bool]]:
    """Ask for one change, carry it out; the second value is whether it was the last."""
    dropmap = make_map(state)

    def verify(line: Any) -> str:
        apply_change(state, str(line), dropmap)
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
            draw=_draw(state),
        )
    )
    return apply_change(state, line, dropmap), line.lower() in ("done", "finish")


def apply_change(state: DropState, line: str, dropmap: DropMap) -> DropState:
    """The state after one reported line. Raises IllegalAnswer that says what is wrong.

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
            raise IllegalAnswer(
                "Landings are still ordered: the drop cannot be finished yet.", "I.H"
            )
        return state.with_(finished=True)
    if verb == "move":
        return _move(state, rest, dropmap)
    if verb in _STATUS:
        return _change(state, find(state, rest), status=_STATUS[verb])
    if verb == "others":
        return _others(state, rest, dropmap)
    raise IllegalAnswer(f'"{line[:40]}" is not understood. Write one of: {HELP}')


def _move(state: DropState, rest: str, dropmap: DropMap) -> DropState:
    who, to, where = rest.rpartition(" to ")
    if not to:
        raise IllegalAnswer("Write who moves and where: move 1/A.1, 1/A.2 to X24.")
    at = _hex(where, dropmap)
    items = find(state, who)
    for item in items:
        if not may(item, state.turn).move:
            raise IllegalAnswer(
                f"{item.id} landed this turn and may not move before the next.", "II.F"
            )
    return _change(state, items, at=at)


def _others(state: DropState, rest: str, dropmap: DropMap) -> DropState:
    number, at_word, where = rest.partition(" at ")
    if not at_word or not number.strip().isdigit() or len(number) > 3:
        raise IllegalAnswer("Write how many friendly units and where: others 3 at X24.")
    others = {**state.others, _hex(where, dropmap): int(number)}
    return state.with_(others={at: count for at, count in others.items() if count})


def _hex(where: str, dropmap: DropMap) -> str:
    try:
        return dropmap.check(where.strip().upper())
    except PBCGError as error:
        raise IllegalAnswer(str(error)) from error


def find(state: DropState, named: str) -> list[Item]:
    """The sticks and units on the map that a player names, commas between them.

    A name is that of a stick or unit, a platoon (all its sticks) or a hex (all in it). Raises
    IllegalAnswer for a name that fits nothing on the map.
    """
    items: list[Item] = [stick for stick in state.sticks if stick.on_map]
    items += [unit for unit in state.units if unit.on_map]
    found: dict[str, Item] = {}
    names = [name.strip() for name in named.split(",")]
    if not any(names):
        raise IllegalAnswer("Name a stick, a platoon or a hex.")
    for name in filter(None, names):
        fits = _fitting(items, name)
        if not fits:
            standing = ", ".join(item.id for item in items[:12]) + (", ..." * (len(items) > 12))
            raise IllegalAnswer(f'"{name[:40]}" is nothing that stands on the map: {standing}.')
        found |= {item.id: item for item in fits}
    return list(found.values())


def _fitting(items: list[Item], name: str) -> list[Item]:
    wanted = name.lower()
    tests: tuple[Callable[[Item], bool], ...] = (
        lambda item: item.id.lower() == wanted,
        lambda item: isinstance(item, Stick) and item.platoon.lower() == wanted,
        lambda item: item.at.lower() == wanted,
    )
    for test in tests:
        if fits := [item for item in items if test(item)]:
            return fits
    return []


def _change(state: DropState, items: list[Item], **changes: str) -> DropState:
    ids = {item.id for item in items}

    def new(item: Any) -> Any:
        return msgspec.structs.replace(item, **changes) if item.id in ids else item

    return state.with_(
        sticks=tuple(new(stick) for stick in state.sticks),
        units=tuple(new(unit) for unit in state.units),
    )


def is_last(state: DropState) -> bool:
    """Whether nothing is left to land and too few sticks of every type to form a platoon.

    Rule: II.H.
    """
    if state.turn < state.sealed.last_turn:
        return False
    left = Counter(stick.type for stick in state.sticks if stick.on_map)
    return all(number < state.settings.sticks_per_platoon for number in left.values())


def _draw(state: DropState) -> Callable[[random.Random], str]:
    """A legal line for automatic play: sticks recover, gather and then the turn ends."""

    def draw(source: random.Random) -> str:
        lines = ["done"]
        if hurt := [stick for stick in state.sticks if stick.status == "dispersed"]:
            lines.append(f"recovered {source.choice(hurt).id}")
        free = [stick for stick in state.sticks if stick.on_map and may(stick, state.turn).move]
        if len(free) > 1:
            goal = free[0].at
            lines += [f"move {stick.id} to {goal}" for stick in free if stick.at != goal]
        if state.turn > state.sealed.last_turn + 8:
            return "finish"
        return source.choice(lines)

    return draw
