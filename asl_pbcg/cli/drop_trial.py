"""Single throws and drops tried out, behind ``pbcg drop``: dice, a given wind, made-up orders."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import typer

from asl_pbcg.airborne.dropmap import BOARD, MapSpec, build_map, read_map
from asl_pbcg.airborne.limits import sticks_per_hex
from asl_pbcg.airborne.orders import FORMAT, Orders, read_orders
from asl_pbcg.airborne.settings import Settings, settings_of
from asl_pbcg.airborne.state import DropState
from asl_pbcg.airborne.tables import table
from asl_pbcg.airborne.wind import Wind, read_side, read_speed, wind_from
from asl_pbcg.cli.drop_dice import Listed, read_dice
from asl_pbcg.cli.drop_files import read_sheet, settings_at, until_part
from asl_pbcg.kernel.dice import EntropyDice, SeededDice, TypedDice
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.tables import Rolled


def fresh_seed(seed: int | None, dice: str) -> int | None:
    """The seed of the program's dice; a new one is told so that the run can be repeated."""
    if dice and seed is not None:
        raise PBCGError("Give --dice or --seed, not both.")
    if dice or seed is not None:
        return seed
    import secrets

    fresh = secrets.randbelow(10**9)
    typer.echo(f"Dice of the program, --seed {fresh}.", err=True)
    return fresh


def given_wind(side: str, speed: str, settings: Settings) -> Wind | None:
    """The wind that a player gives instead of rolling it."""
    if not side and not speed:
        return None
    if not side or not speed:
        raise PBCGError("Give --wind and --speed together.")
    return wind_from(read_side(side, settings), read_speed(speed), settings)


def with_orientation(settings: Path | None, orientation: str) -> Settings:
    """The settings of a file, with the orientation that a player names beside it."""
    if not orientation:
        return settings_at(settings)
    given: dict[str, Any] = {"orientation": orientation}
    if settings:
        chosen = settings_at(settings)
        data = chosen.to_data()
        given = {key: data[key] for key in chosen.changed} | given
    return settings_of(given, "--orientation")


def one_shot(
    rolls: list[tuple[str, dict[str, Any], str]], dice: str, seed: int | None, settings: Settings
) -> list[Rolled]:
    """Throw one die for each (table, circumstances, words): listed, typed or by the program."""
    seed = fresh_seed(seed, dice)
    source: Any
    if dice == "manual":
        source = TypedDice(lambda question: str(typer.prompt(question)), typer.echo)
    else:
        source = (
            Listed(read_dice(dice)) if dice else EntropyDice() if seed is None else SeededDice(seed)
        )
    found = []
    for number, (name, given, words) in enumerate(rolls):
        chart = table(name, settings)
        try:
            found.append(chart.resolve(source.throw(chart.spec, number, words), given))
        except IllegalAnswer as error:
            raise PBCGError(str(error)) from error
    if isinstance(source, Listed | TypedDice):
        source.finish()
    return found


def plane_loads(at: str, sticks: int, settings: Settings) -> list[dict[str, Any]]:
    """Lines of an orders file that bring so many sticks over one hex on turn 1."""
    most = settings.sticks_per_platoon
    loads = [min(most, sticks - start) for start in range(0, sticks, most)]
    return [
        {"turn": 1, "at": at.strip().upper(), "platoon": str(number), "sticks": load}
        for number, load in enumerate(loads, 1)
    ]


def orders_or_at(
    file: Path | None, at: str, sticks: int, map_: str, settings: Settings
) -> tuple[Orders, MapSpec]:
    """The orders of a file, or one drop on a hex for trying out."""
    if file and at:
        raise PBCGError("Give an orders file or --at, not both.")
    if file:
        return read_sheet(file, map_, settings)
    if not at:
        raise PBCGError("Name a drop file, an orders file, or a hex with --at.")
    full = sticks_per_hex(settings)
    if not 1 <= sticks <= full:
        raise PBCGError(
            f"{sticks} sticks cannot be aimed at a hex: two platoons, that is {full} sticks, are "
            "the most (II.B)."
        )
    drops = plane_loads(at, sticks, settings)
    spec = read_map(map_ or BOARD, settings)
    raw = {"format": FORMAT, "title": f"Drop on {at.strip().upper()}", "drops": drops}
    return read_orders(raw, build_map(spec, settings), settings, f"--at {at}"), spec


def until_named(state: DropState, part: str) -> Callable[[DropState], bool]:
    """Stop when the part of the turn that a player names is done. Raises PBCGError."""
    name = part.strip().lower().replace("-", "_")
    if name not in state.parts:
        close = get_close_matches(name, state.parts, 1, 0.5)
        near = f" Perhaps {close[0]}?" if close else ""
        raise PBCGError(f'"{part}" is no part of a turn: {", ".join(state.parts)} are.{near}')
    return until_part(state, name)
