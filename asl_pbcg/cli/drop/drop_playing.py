"""Play a drop on at the terminal: drop files, dice, answers, and the report of how it stands.

A landing can also be tried out without a drop file, by settings and orders alone.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Self

import msgspec
import typer
from msgspec import to_builtins
from rich.table import Table

from asl_pbcg import __version__
from asl_pbcg.airborne.drop_game import Airborne, DropSession, begin_drop, check_is_drop
from asl_pbcg.airborne.drop_map import BOARD, MapSpec, build_map, read_map, read_spec
from asl_pbcg.airborne.drop_settings import (
    DropSettings,
    default_settings,
    read_settings,
    settings_of,
)
from asl_pbcg.airborne.drop_state import (
    END,
    REGROUP,
    DropState,
    Lander,
    Stick,
    WholeUnit,
    landed_units,
    name_counter,
    tally,
)
from asl_pbcg.airborne.drop_tables import sticks_per_hex, table
from asl_pbcg.airborne.landing_orders import FORMAT, Orders, read_orders
from asl_pbcg.airborne.wind import Wind, read_side, read_speed, wind_from
from asl_pbcg.cli.command_answers import Answer, OptionGroup
from asl_pbcg.cli.terminal.sentences import Sentences
from asl_pbcg.kernel.answers import Leave, ListedAnswers, drive
from asl_pbcg.kernel.dice import Dice, EntropyDice, ListedDice, SeededDice, TypedDice
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.reader import nearest_or_all
from asl_pbcg.kernel.seals import new_salt
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.kernel.wording import number_words

SUFFIX = ".pbcg"
Until = Callable[[DropState], bool]


class ThrowOptions(OptionGroup, frozen=True, kw_only=True):
    """The dice that are thrown."""

    dice: Annotated[
        str,
        typer.Option(metavar="DICE", help='Dice in the order they are thrown, 3,4,6, or "manual".'),
    ] = ""
    seed: Annotated[
        int | None, typer.Option(help="For program dice: the same seed, the same rolls.")
    ] = None

    def with_seed(self) -> Self:
        """Return the options with a seed for program dice; a new one is told, to be repeated."""
        if self.dice and self.seed is not None:
            raise PBCGError("Give --dice or --seed, not both.")
        if self.dice or self.seed is not None:
            return self
        fresh = secrets.randbelow(10**9)
        typer.echo(f"Dice of the program, --seed {fresh}.", err=True)
        return msgspec.structs.replace(self, seed=fresh)

    @property
    def program(self) -> Dice:
        """Return the program's dice."""
        return EntropyDice() if self.seed is None else SeededDice(self.seed)


class PlayOptions(ThrowOptions, frozen=True, kw_only=True):
    """How a drop goes on: its dice, and who answers."""

    answers: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Answer the questions from a file.")
    ] = None
    defaults: Annotated[
        bool,
        typer.Option(
            "--defaults",
            help="Ask nothing: nothing is shot down, no enemy, all platoons form.",
        ),
    ] = False

    @property
    def asks(self) -> bool:
        """Return whether somebody at the keyboard is asked, for dice at least."""
        return self.dice in ("", "manual") and not self.answers and not self.defaults


class SettingsOptions(OptionGroup, frozen=True, kw_only=True):
    """The settings that hold where there is no drop file."""

    settings: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Your own values in place of the shipped ones."),
    ] = None


class MapOptions(SettingsOptions, frozen=True, kw_only=True):
    """The map and the settings that hold where there is no drop file."""

    map_: Annotated[
        str, typer.Option("--map", metavar="MAP", help="pegasus-bridge or a map file.")
    ] = ""


class TryOptions(MapOptions, frozen=True, kw_only=True):
    """A landing that is tried out without a drop file."""

    at: Annotated[
        str, typer.Option(metavar="HEX", help="Without a file: one drop on this hex.")
    ] = ""
    sticks: Annotated[int, typer.Option(help="How many sticks that drop has.")] = 8
    wind: Annotated[
        str, typer.Option(metavar="SIDE", help="Hexside the wind blows from, if known: 5 or W.")
    ] = ""
    speed: Annotated[str, typer.Option(help="Its speed, if known: low, gusty or high.")] = ""


def is_drop_file(path: Path | None) -> bool:
    """Return whether a path is that of a drop file and not of an orders file."""
    return path is not None and path.suffix.lower() == SUFFIX


def settings_at(path: Path | None, orientation: str = "") -> DropSettings:
    """Return the settings of a file, or the defaults with an ``orientation``."""
    if path and orientation:
        raise PBCGError("Write the orientation into the settings file, or leave --settings out.")
    if orientation:
        return settings_of({"orientation": orientation}, "--orientation")
    return read_settings(path) if path else default_settings()


def given_wind(side: str, speed: str, settings: DropSettings) -> Wind | None:
    """Return the wind that a player gives instead of rolling it."""
    if bool(side) != bool(speed):
        raise PBCGError("Give --wind and --speed together.")
    return wind_from(read_side(side, settings), read_speed(speed), settings) if side else None


# Orders


def read_sheet(path: Path, named: str, settings: DropSettings) -> tuple[Orders, MapSpec]:
    """Read an orders file and the map it is for; ``named`` is another map for it.

    Raises PBCGError, FaultsError.
    """
    raw = read_yaml_or_json(path)
    spec_data = raw.get("map") if isinstance(raw, dict) else None
    if not named and spec_data is None:
        raise PBCGError(f"{path} names no map: add map: {BOARD} to it, or give --map.")
    spec = read_map(named, settings) if named else read_spec(spec_data, settings, str(path))
    return read_orders(raw, build_map(spec, settings), settings, str(path)), spec


def plane_loads(at: str, sticks: int, settings: DropSettings) -> dict[str, Any]:
    """Return an orders file that brings so many sticks over one hex on turn 1."""
    full, most = sticks_per_hex(settings), settings.sticks_per_platoon
    if not 1 <= sticks <= full:
        raise PBCGError(
            f"{sticks} sticks cannot be aimed at a hex: two platoons, that is {full} sticks, are "
            "the most (II.B)."
        )
    loads = [min(most, sticks - start) for start in range(0, sticks, most)]
    drops = [
        {"turn": 1, "at": at, "platoon": str(number), "sticks": load}
        for number, load in enumerate(loads, 1)
    ]
    return {"format": FORMAT, "title": f"Drop on {at}", "drops": drops}


def orders_to_try(
    file: Path | None, tried: TryOptions, settings: DropSettings
) -> tuple[Orders, MapSpec]:
    """Return the orders of a file, or one drop on a hex for trying out."""
    if file and tried.at:
        raise PBCGError("Give an orders file or --at, not both.")
    if file:
        return read_sheet(file, tried.map_, settings)
    if not tried.at:
        raise PBCGError("Name a drop file, an orders file, or a hex with --at.")
    raw = plane_loads(tried.at.strip().upper(), tried.sticks, settings)
    spec = read_map(tried.map_ or BOARD, settings)
    return read_orders(raw, build_map(spec, settings), settings, f"--at {tried.at}"), spec


# Drop files


def begin_sealed(
    path: Path | None,
    orders: Orders,
    spec: MapSpec,
    settings: DropSettings,
    weather: Wind | None = None,
) -> DropSession:
    """Begin a drop with these orders sealed, in a drop file or, without one, in memory.

    The caller closes its journal.
    """
    turns = range(1, orders.last_turn + 1) if weather else ()
    start = {
        "settings": settings.to_data(),
        "map": to_builtins(spec),
        "side": orders.side,
        "salt": new_salt() if path else "not sealed",
        "weather": {str(turn): to_builtins(weather) for turn in turns},
    }
    meta = {"game": Airborne.name, "settings": start}
    journal = Journal.create(path, meta, __version__) if path else Journal.in_memory(meta)
    session = begin_drop(journal)
    session.answer(orders.to_data())
    return session


@contextlib.contextmanager
def drop_file(path: Path, reading: bool = False) -> Iterator[DropSession]:
    """Open a drop file and check its seal; it is closed at the end, whatever happened.

    ``reading`` only looks at it, also beside a pbcg that goes on with it. Raises PBCGError.
    """
    open_journal = Journal.read if reading else Journal.open
    session = begin_drop(open_journal(path, __version__, partial(check_is_drop, path)))
    try:
        if session.state.orders is None:
            raise PBCGError(f"{path} holds no orders yet: seal them again in a new file.")
        yield session
    finally:
        session.journal.close()


# Dice and answers


Wanted = tuple[str, dict[str, Any], str]
"""A roll: its table, circumstances and words."""


def throw_alone(rolls: list[Wanted], options: ThrowOptions, settings: DropSettings) -> list[Rolled]:
    """Throw one die for each of ``rolls``: listed, typed or by the program."""
    options = options.with_seed()
    source: Any = options.program
    if options.dice == "manual":
        source = TypedDice(lambda question: str(typer.prompt(question)), typer.echo)
    elif options.dice:
        source = ListedDice.read(options.dice, "--dice")
    results = []
    for number, (name, circumstances, words) in enumerate(rolls):
        chart = table(name, settings)
        results.append(chart.resolve(source.throw(chart.spec, number, words), circumstances))
    if options.dice:
        source.finish()
    return results


class DefaultAnswers:
    """Answers every question with its default: nothing happened that nobody reported."""

    def answer(self, prompt: Prompt) -> Any:
        """Return the default; raises Leave without one."""
        if prompt.default is None:
            raise Leave
        return prompt.default

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """Return None: the dice in use are thrown."""
        return None

    def hear_refusal(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """End the run on dice that cannot be."""
        raise error


# Playing on


def until_part(state: DropState, part: str) -> Until:
    """Return where to stop: when the part of the turn that a player names is done.

    Raises PBCGError if there is no such part or it has passed already.
    """
    name = part.strip().lower().replace("-", "_")
    if name not in state.parts:
        raise PBCGError(f'"{part}" is not a part of a turn{nearest_or_all(name, state.parts)}.')
    turn, number = state.turn, state.parts.index(name)
    if number < state.part:
        now = "its end" if state.now == END else state.now.replace("_", " ")
        why = f"{name} is behind it."
        if name == REGROUP:
            why = "platoons form at the start of a turn, before any other action (II.H)."
        raise PBCGError(f'Turn {turn} has gone on to {now}: {why} "pbcg drop run" goes on.')
    return lambda later: later.turn > turn or later.part > number


def until_turns(state: DropState, turns: int) -> Until:
    """Return where to stop: after so many turns, the one in progress counted."""
    last = state.turn + turns
    return lambda later: later.turn >= last


def play_on(session: DropSession, until: Until, options: PlayOptions) -> bool:
    """Play on until a point is reached or the drop is over; False if somebody left before.

    Listed dice without an answers file take every default; what goes wrong with them leaves no
    trace.
    """

    def is_done() -> bool:
        return until(session.state)

    source, manual = options.program, options.dice == "manual"
    who = ListedAnswers.read(options.answers) if options.answers else DefaultAnswers()
    if options.asks or (manual and not options.answers):
        from asl_pbcg.cli.drop import drop_terminal

        return drop_terminal.play(session, is_done, manual, source, options.defaults)
    if not options.dice or manual:
        return drive(session, who, source, until=is_done)
    listed = ListedDice.read(options.dice, "--dice")
    try:
        with session.together():
            done = drive(session, who, listed, until=is_done)
            listed.finish()
    except PBCGError as error:
        raise PBCGError(f"{error} Nothing was written.") from error
    return done


# The log and how a drop stands


def log_lines(lines: Iterable[LogLine]) -> Iterator[str]:
    """Yield lines of the log: rolls and notes, answers only where they say something."""
    for line in lines:
        idle = line.point == "orders" or line.answer in ([], "none")
        if line.kind == "answer" and idle:
            continue
        if line.point == "turn.changes" and line.answer == "done":
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
