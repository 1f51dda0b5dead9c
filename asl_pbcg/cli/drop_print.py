"""Output of ``pbcg drop``: the log and how a drop stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import typer
from rich.table import Table

from asl_pbcg.airborne.drop_game import DropSession
from asl_pbcg.airborne.drop_state import (
    DropState,
    Lander,
    Stick,
    WholeUnit,
    landed_units,
    name_counter,
    tally,
)
from asl_pbcg.cli.command_answers import Answer
from asl_pbcg.cli.sentences import Sentences
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.kernel.wording import number_words

# The log and how a drop stands


def log_lines(lines: Iterable[LogLine]) -> Iterator[str]:
    """Yield lines of the log: rolls and notes, answers only where they say something."""
    for line in lines:
        idle = line.point == "orders" or line.text.endswith(" none")
        if line.kind == "answer" and idle:
            continue
        if line.point == "turn.changes" and line.text.endswith(" done"):
            continue
        yield f"{line.text}{f'  [{line.rule}]' if line.rule else ''}"


def progress(session: DropSession, before: int, finished: bool = True) -> Answer:
    """Answer what came of going on: the log from ``before``, then how the drop stands."""
    state, new = session.state, session.lines()[before:]
    asked = None if finished else session.pending
    waiting = {"point": asked.id, "text": asked.text} if asked else None

    def show(_: Any) -> None:
        for line in (*log_lines(new), ""):
            typer.echo(line)
        _print_standing(state)
        typer.echo(summary(state))
        if asked:
            typer.echo(f"Waiting: {asked.text}\nEverything up to here is kept.")

    return Answer({**state_data(state), "waiting": waiting, "log": new}, show)


def state_data(state: DropState) -> dict[str, Any]:
    """Return a drop as plain data; orders of turns to come are left out."""
    return {
        **facts_of(state, "side fingerprint turn finished sticks units"),
        "title": state.orders.title if state.orders else "",
        "next": "" if state.finished else state.now,
        "winds": dict(sorted(state.winds.items())),
        "landed": [_counter_data(counter) for counter in landed_units(state)],
        "tally": tally(state),
        "settings_changed": state.settings.chosen,
    }


def _counter_data(counter: Lander) -> dict[str, Any]:
    facts = facts_of(counter, "id type kind at status turn")
    sticks = counter.sticks if isinstance(counter, WholeUnit) else ()
    return {"what": name_counter(counter), **facts, "sticks": sticks}


def _print_standing(state: DropState) -> None:
    """Print what stands in each hex in board order, and what is gone."""
    dropmap = state.make_map()
    order = {name: number for number, name in enumerate(dropmap.grid.names)}
    groups: dict[tuple[str, str], list[str]] = {}
    for counter in landed_units(state, with_lost=True):
        kind = "" if isinstance(counter, Stick) else f" ({name_counter(counter)})"
        groups.setdefault((counter.at, counter.status), []).append(f"{counter.id}{kind}")
    grid = Table("Hex", "Terrain", "State", "What", box=None, header_style="bold")
    for (at, status), names in sorted(groups.items(), key=lambda g: order.get(g[0][0], len(order))):
        terrain = ", ".join(dropmap.words(at)) if at else ""
        grid.add_row(at or "-", terrain, status, ", ".join(names))
    if groups:
        Sentences(markup=False).print(grid)


def summary(state: DropState) -> str:
    """Say how a drop stands in one sentence: sticks by state, platoons formed, glider loads."""
    count = tally(state)
    numbers = {
        "not landed yet": count.aloft,
        "undispersed": count.undispersed,
        "dispersed": count.dispersed,
        "eliminated": count.eliminated,
        "lost off the map": count.lost,
        "shot down": count.shot_down,
        "in platoons": count.in_platoons,
    }
    parts = [f"{number} {words}" for words, number in numbers.items() if number]
    sentence = ", ".join([f"{number_words(count.ordered, 'stick')} ordered", *parts]) + "."
    if count.platoons:
        formed = ", ".join(f"{number} on turn {turn}" for turn, number in count.platoons.items())
        sentence += f" Platoons formed: {formed}."
    if count.glider_loads:
        loads = ", ".join(f"{number} {status}" for status, number in count.glider_loads.items())
        sentence += f" Glider loads: {loads}."
    return sentence
