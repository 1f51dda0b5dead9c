"""Drop files, dice and answers behind ``pbcg drop``: sealing, opening, going on."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from asl_pbcg import __version__
from asl_pbcg.airborne.dropmap import BOARD, MapSpec, build_map, read_map, spec_faults, spec_of
from asl_pbcg.airborne.game import Airborne, DropSession, begin_drop
from asl_pbcg.airborne.orders import Orders, read_orders
from asl_pbcg.airborne.seal import new_salt
from asl_pbcg.airborne.settings import Settings, default_settings, read_settings
from asl_pbcg.airborne.state import END, REGROUP, DropState
from asl_pbcg.airborne.wind import Wind
from asl_pbcg.cli.drop_dice import Listed, read_dice
from asl_pbcg.kernel.answers import Answers, Leave, ListedAnswers, drive
from asl_pbcg.kernel.dice import Dice, EntropyDice, SeededDice
from asl_pbcg.kernel.errors import FaultsError, IllegalAnswer, PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.textfiles import read_yaml_or_json

SUFFIX = ".pbcg"


def settings_at(path: Path | None) -> Settings:
    """The settings of a file, or the defaults."""
    return read_settings(path) if path else default_settings()


def is_drop_file(path: Path | None) -> bool:
    """Whether a path is that of a drop file and not of an orders file."""
    return path is not None and path.suffix.lower() == SUFFIX


# Orders


def read_sheet(path: Path, named: str, settings: Settings) -> tuple[Orders, MapSpec]:
    """Read an orders file and the map it is for. Raises PBCGError or FaultsError."""
    raw = read_yaml_or_json(path)
    spec = _map_of(raw, named, settings, str(path))
    return read_orders(raw, build_map(spec, settings), settings, str(path)), spec


def _map_of(raw: Any, named: str, settings: Settings, source: str) -> MapSpec:
    if named:
        return read_map(named, settings)
    given = raw.get("map") if isinstance(raw, dict) else None
    if given is None:
        raise PBCGError(f"{source} names no map: add map: {BOARD} to it, or give --map.")
    faults = list(spec_faults(given, settings))
    if faults:
        raise FaultsError(source, faults)
    return spec_of(given)


def _meta(
    orders: Orders, spec: MapSpec, settings: Settings, salt: str, weather: Wind | None
) -> dict[str, Any]:
    import msgspec

    turns = range(1, orders.last_turn + 1) if weather else ()
    return {
        "game": Airborne.name,
        "settings": {
            "settings": settings.to_data(),
            "map": msgspec.to_builtins(spec),
            "side": orders.side,
            "salt": salt,
            "weather": {str(turn): msgspec.to_builtins(weather) for turn in turns},
        },
    }


def seal(path: Path, orders: Orders, spec: MapSpec, settings: Settings) -> DropSession:
    """Make a drop file that holds these orders, sealed; the caller closes its journal."""
    if not is_drop_file(path):
        raise PBCGError(f"{path} should end in {SUFFIX}: it will be a drop file.")
    journal = Journal.create(path, _meta(orders, spec, settings, new_salt(), None), __version__)
    session = begin_drop(journal)
    session.answer(orders.to_data())
    return session


def try_out(
    orders: Orders, spec: MapSpec, settings: Settings, weather: Wind | None = None
) -> DropSession:
    """A drop in memory that nothing is kept of."""
    journal = Journal.in_memory(_meta(orders, spec, settings, "not sealed", weather), __version__)
    session = begin_drop(journal)
    session.answer(orders.to_data())
    return session


def open_drop(path: Path, reading: bool = False) -> DropSession:
    """Open a drop file and check its seal; the caller closes its journal.

    ``reading`` only looks at it, also beside a pbcg that goes on with it.
    Raises PBCGError if it is no drop file, or its orders are not those that were sealed.
    """
    found = Journal.read if reading else Journal.open
    session = begin_drop(found(path, __version__))
    if session.state.orders is None:
        session.journal.close()
        raise PBCGError(f"{path} holds no orders yet: seal them again in a new file.")
    return session


@contextlib.contextmanager
def drop_file(path: Path, reading: bool = False) -> Iterator[DropSession]:
    """An open drop file that is let go at the end, whatever happened."""
    session = open_drop(path, reading)
    try:
        yield session
    finally:
        session.journal.close()


# Answers


class Defaults:
    """Every question gets its default: nothing happened that nobody spoke of."""

    def answer(self, prompt: Prompt) -> Any:
        """The default; raises Leave where there is none."""
        if prompt.default is None:
            raise Leave
        return prompt.default

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """None: the dice in use are thrown."""
        return None

    def hear_refusal(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """Dice that cannot lie so end the run."""
        raise error


# Going on


Until = Callable[[DropState], bool]


def until_part(state: DropState, part: str) -> Until:
    """Stop when a part of the turn is done. Raises PBCGError if it has passed already."""
    turn, number = state.turn, state.parts.index(part)
    if number < state.part:
        now = "its end" if state.now == END else state.now.replace("_", " ")
        why = f"{part} is behind it."
        if part == REGROUP:
            why = "platoons form at the start of a turn, before any other action (II.H)."
        raise PBCGError(f'Turn {turn} has gone on to {now}: {why} "pbcg drop run" goes on.')
    return lambda later: later.turn > turn or later.part > number


def until_turns(state: DropState, turns: int) -> Until:
    """Stop after so many turns, the one in progress counted."""
    last = state.turn + turns
    return lambda later: later.turn >= last


def go_on(session: DropSession, answers: Answers, dice: Dice, until: Until) -> bool:
    """Play on until a point is reached or the drop is over; False if somebody left."""
    return drive(session, answers, dice, until=lambda: until(session.state))


def rehearse(session: DropSession, answers: Answers, dice: Listed, until: Until) -> None:
    """Play on with listed dice in a copy, so that too few or too many leave no trace."""
    try:
        go_on(_copy(session), answers, dice, until)
        dice.finish()
    except PBCGError as error:
        raise PBCGError(f"{error} Nothing was written.") from error


def _copy(session: DropSession) -> DropSession:
    journal = session.journal
    copy = Journal.in_memory({key: journal.meta(key) for key in ("game", "settings")})
    for entry in journal.entries():
        copy.append(entry)
    return begin_drop(copy)


def play_on(
    session: DropSession,
    until: Until,
    *,
    dice: str,
    seed: int | None,
    answers: Path | None,
    defaults: bool,
) -> bool:
    """Play on as the command line says; False if somebody left before the end.

    ``dice`` is a list of dice, ``manual`` or empty for the program's, by ``seed`` if given. Listed
    dice without an answers file take every default.
    """
    if dice and dice != "manual":
        faces = read_dice(dice)

        def bring() -> Answers:
            return ListedAnswers.read(answers) if answers else Defaults()

        rehearse(session, bring(), Listed(faces), until)
        return go_on(session, bring(), Listed(faces), until)
    source: Dice = EntropyDice() if seed is None else SeededDice(seed)
    if answers or (defaults and dice != "manual"):
        who: Answers = ListedAnswers.read(answers) if answers else Defaults()
        return go_on(session, who, source, until)
    return _at_the_table(session, until, dice == "manual", source, defaults)


def _at_the_table(
    session: DropSession, until: Until, manual: bool, source: Dice, defaults: bool
) -> bool:
    """Ask the person at the keyboard; with ``defaults`` only for the dice."""
    from asl_pbcg.cli.drop_manner import DropManner
    from asl_pbcg.cli.terminal import Terminal
    from asl_pbcg.kernel.views import UMPIRE
    from asl_pbcg.play.drop import DropPlug
    from asl_pbcg.play.game import OpenGame
    from asl_pbcg.play.seat import Seat

    game = OpenGame(session.journal.path or Path("drop.pbcg"), DropPlug(), session, True)
    game.typed_dice, game.dice = manual, source
    game.until = lambda: until(session.state)
    terminal = Terminal(Seat(game, UMPIRE), DropManner(defaults))
    terminal.skip_told()  # what happened before is in the log
    game.throw_by_itself()
    return terminal.play(game.until)
