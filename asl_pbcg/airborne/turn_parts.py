"""The parts of a turn outside the Air Phase: wind, the base game's phases, the end of the turn.

At its end players report movement, losses, recovery and other units, one line each::

    move 1/A.1, 1/A.2 to X24      also a platoon's name, or a hex for all in it
    dispersed 1/A.3               recovered 1/A.3          eliminated para 1
    others 3 at X24               friendly units of the base game there
    done                          finish

The questions and throws that all parts of a turn use (``ask_which``, ``throw_on``) come first.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from asl_pbcg.airborne.drop_map import DropMap
from asl_pbcg.airborne.drop_settings import tell_used
from asl_pbcg.airborne.drop_state import DropState, Lander, Stick, landed_units, rights_of
from asl_pbcg.airborne.drop_tables import NUMBERS, table
from asl_pbcg.airborne.wind import wind_from
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Roll, Script, ask, ask_some, throw
from asl_pbcg.kernel.tables import Rolled


def ask_which(
    id: str, text: str, rule: str, options: Mapping[str, str], help: str, **more: Any
) -> Script[list[str]]:
    """Ask which of some things it is so of, by their ids; the usual answer is none of them."""
    prompt = Prompt(
        id=id,
        text=text,
        rule=rule,
        kind="choose-some",
        options=tuple(Option(*option) for option in options.items()),
        help=help,
        **{"default": "none", **more},
    )
    return (yield from ask_some(prompt))


def number_options(texts: Iterable[str]) -> dict[str, str]:
    """Return options that are chosen by their number."""
    return {str(number): text for number, text in enumerate(texts, 1)}


def throw_on(
    state: DropState, name: str, id: str, about: str, at: str, text: str, rule: str, **facts: Any
) -> Script[Rolled]:
    """Throw on the table ``name`` for what lands in or is aimed at the hex ``at``."""
    rolled = yield from throw(
        Roll(
            id=id,
            about=about,
            text=f"Turn {state.turn}, {text}",
            rule=rule,
            table=table(name, state.settings),
            given=facts,
            side=state.side,
            where=at,
        )
    )
    return rolled


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


def weather(state: DropState) -> Script[DropState]:
    """Roll the wind of the turn, one die for direction and one for speed. Rule: I.D, I.E."""
    turn, settings = state.turn, state.settings
    if settings.night:
        yield Note(str(NUMBERS.content.night), rule="I.C")
    if turn in state.given_weather:
        wind = state.given_weather[turn]
        yield Note(f"Turn {turn}, as given: {wind}.", rule="I.D")
    elif turn > state.sealed.last_turn:
        yield Note(f"Turn {turn}: no landing is left, the wind needs no roll.", rule="I.D")
        return state.with_(wind=None).next_part()
    else:
        rolls = []
        for name, rule in (("direction", "I.D"), ("speed", "I.E")):
            chart = table(f"wind_{name}", settings)
            text = f"Turn {turn}, wind {name}"
            roll = Roll(id=f"weather.{name}", text=text, rule=rule, table=chart)
            rolls.append((yield from throw(roll)))
        wind = wind_from(int(rolls[0].result), rolls[1].result, settings)  # type: ignore[arg-type]
        yield Note(f"Turn {turn}: {wind}.", rule="I.D")
        yield from tell_used(("orientation", "wind_numbering", "wind_speed_chart"), settings)
    return state.with_(wind=wind, winds={**state.winds, turn: wind}).next_part()


def base_phase(state: DropState) -> Script[DropState]:
    """Remind players of what the variant changes in a phase of the base game. Rule: II.F, II.H."""
    formed = [unit.id for unit in state.units if unit.sticks and unit.turn == state.turn]
    phase = f"Turn {state.turn}, {state.now.replace('_', ' ')}"
    if state.now == "direct_fire" and formed:
        yield Note(f"{phase}: not by {', '.join(formed)}.", rule="II.H")
    if state.now == "movement" and state.landed_now:
        yield Note(f"{phase}: not by sticks that land this turn.", rule="II.F")
    if state.now == "close_assault" and state.landed_now:
        may = "sticks that landed this turn may take part, without the favourable -2."
        yield Note(f"{phase}: {may}", rule="II.F")
    return state.next_part()


def end(state: DropState) -> Script[DropState]:
    """Take what players report of the rest of the turn, until the owner's next turn begins."""
    done = False
    while not done and landed_units(state):
        state, done = yield from ask_report(state)
    over = is_over(state)
    if over:
        sentence = "Nothing is left to land, and no platoon can form any more: the drop is over."
        yield Note(sentence, rule="II.H")
    return state.with_(turn=state.turn + 1, part=0, wind=None, finished=over or state.finished)


def is_over(state: DropState) -> bool:
    """Return whether nothing is left to land and too few sticks of each type to form a platoon.

    Rule: II.H.
    """
    types = Counter(stick.type for stick in state.sticks if stick.on_map)
    few = all(number < state.settings.sticks_per_platoon for number in types.values())
    return few and state.turn >= state.sealed.last_turn


# What players report at its end


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
    verb, _, words = " ".join(line.split()).partition(" ")
    verb = verb.lower()
    if verb in ("split", "break"):
        raise IllegalAnswer("A whole platoon never breaks down into sticks.", "II.H")
    if verb == "done" and not words:
        return state
    if verb == "finish" and not words:
        if state.turn < state.sealed.last_turn:
            ordered = "Landings are still ordered: the drop cannot be finished yet."
            raise IllegalAnswer(ordered, "I.H")
        return state.with_(finished=True)
    if verb == "move":
        return _move(state, words, dropmap)
    if verb in _STATUS:
        return state.change(named_counters(state, words), status=_STATUS[verb])
    if verb == "others":
        return _count_others(state, words, dropmap)
    raise IllegalAnswer(f'"{line[:40]}" is not understood. Write one of: {HELP}')


def _move(state: DropState, words: str, dropmap: DropMap) -> DropState:
    who, to, where = words.rpartition(" to ")
    if not to:
        raise IllegalAnswer("Write who moves and where: move 1/A.1, 1/A.2 to X24.")
    at = _target_hex(where, dropmap)
    counters = named_counters(state, who)
    for counter in counters:
        if not rights_of(counter, state.turn).move:
            fresh = f"{counter.id} landed this turn and may not move before the next."
            raise IllegalAnswer(fresh, "II.F")
    return state.change(counters, at=at)


def _count_others(state: DropState, words: str, dropmap: DropMap) -> DropState:
    number, at_word, where = words.partition(" at ")
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
            ids = ", ".join(unit.id for unit in standing[:12]) + ", ..." * (len(standing) > 12)
            raise IllegalAnswer(f'"{name[:40]}" is not on the map; these are: {ids}.')
        chosen += [counter for counter in fitting if counter not in chosen]
    return chosen


def _fitting_counters(standing: list[Lander], name: str) -> list[Lander]:
    by_id = [unit for unit in standing if unit.id.lower() == name]
    if by_id:
        return by_id
    planes = [unit for unit in standing if isinstance(unit, Stick) and unit.platoon.lower() == name]
    return [*planes] or [unit for unit in standing if unit.at.lower() == name]


def _draw_line(state: DropState, source: random.Random) -> str:
    """Draw a legal line for automatic play: sticks recover, gather and then the turn ends."""
    if state.turn > state.sealed.last_turn + 8:
        return "finish"
    lines = ["done"]
    if hurt := [stick for stick in state.sticks if stick.status == "dispersed"]:
        lines.append(f"recovered {source.choice(hurt).id}")
    free = [stick for stick in state.sticks if stick.on_map and rights_of(stick, state.turn).move]
    lines += [f"move {stick.id} to {free[0].at}" for stick in free if stick.at != free[0].at]
    return source.choice(lines)
