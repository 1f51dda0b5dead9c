"""What ``pbcg drop`` prints: the log, what stands where, tables with certainty, odds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from fractions import Fraction

    from asl_pbcg.airborne.chances import Numbers
    from asl_pbcg.airborne.dropmap import DropMap
    from asl_pbcg.airborne.game import DropSession
    from asl_pbcg.airborne.odds import TurnOdds
    from asl_pbcg.airborne.settings import Settings
    from asl_pbcg.kernel.views import Line


def as_json(answer: Any) -> None:
    """Print plain data."""
    typer.echo(json.dumps(answer, indent=1, ensure_ascii=False))


def log_lines(lines: list[Line]) -> None:
    """Print lines of the log: rolls and notes, answers only where they say something."""
    for line in lines:
        if line.kind == "answer" and (line.point == "orders" or line.text.endswith(" none")):
            continue
        if line.point == "turn.changes" and line.text.endswith(" done"):
            continue
        rule = f"  [{line.rule}]" if line.rule else ""
        typer.echo(f"{line.text}{rule}")


def line_data(lines: list[Line]) -> list[dict[str, Any]]:
    """Lines of the log for JSON, rolls with their dice, table and result."""
    import msgspec

    found: list[dict[str, Any]] = msgspec.to_builtins(lines)
    return found


def tell(session: DropSession, before: int, json_wanted: bool, finished: bool = True) -> None:
    """Tell what came of going on: the new lines of the log, then how the drop stands."""
    from asl_pbcg.airborne.report import state_data, summary

    lines = session.lines()
    new = lines[before:]
    asked = session.pending
    if json_wanted:
        answer = state_data(session.state)
        waits = {"point": asked.id, "text": asked.text} if asked and not finished else None
        as_json({**answer, "waiting": waits, "log": line_data(new)})
        return
    log_lines(new)
    typer.echo("")
    standing_table(session)
    typer.echo(summary(session.state))
    if not finished and asked:
        typer.echo(f"Waiting: {asked.text}")
        typer.echo("Everything up to here is kept.")


def standing_table(session: DropSession) -> None:
    """Print what stands in each hex, and what is gone."""
    from rich.table import Table

    from asl_pbcg.airborne.report import standing
    from asl_pbcg.cli.sentences import Sentences

    rows = standing(session.state)
    if not rows:
        return
    grid = Table("Hex", "Terrain", "State", "What", box=None, header_style="bold")
    groups: dict[tuple[str, str, str], list[str]] = {}
    for row in rows:
        key = (row["hex"], row["terrain"], row["state"])
        words = row["id"] if row["what"] == "stick" else f"{row['id']} ({row['what']})"
        groups.setdefault(key, []).append(words)
    for (at, terrain, state), names in groups.items():
        grid.add_row(at or "-", terrain if at else "", state, ", ".join(names))
    Sentences(markup=False).print(grid)


# Tables


def list_tables(settings: Settings) -> None:
    """Print which tables there are, each with its certainty."""
    from asl_pbcg.airborne.tables import tables_for

    tables = tables_for(settings)
    for name in tables:
        found = tables[name]
        typer.echo(f"{short_name(name)}: {found.title} ({found.rule}), {found.dice}")
        typer.echo(f"    {found.certainty}")
    typer.echo("drift: the eighteen drift diagrams (II.C); --letter I shows one of them.")
    typer.echo("settings: every value that can be set, with its certainty.")
    typer.echo("night: the night changes (I.C).    rulings: readings of doubtful points.")


def short_name(name: str) -> str:
    """A roll table's name as typed after ``pbcg drop table``."""
    return name.removeprefix("drop.").replace("_", "-")


def show_table(name: str, settings: Settings) -> None:
    """Print one roll table with its rows, odds and certainty."""
    from asl_pbcg.airborne.tables import table

    found = table(name, settings)
    typer.echo(f"{found.title} ({found.rule}), {found.dice}")
    columns = next(iter(found.columns.values()), ())
    if columns:
        typer.echo("  die  " + "".join(f"{column:<12}" for column in columns).rstrip())
    for row in found.rows:
        if columns:
            cells = "".join(f"{result:<12}" for result in row.results).rstrip()
            typer.echo(f"  {row.span:>3}  {cells}")
        elif name == "wind_direction":
            side = settings.wind_numbering[int(row.result)]
            typer.echo(f"  {row.span:>3}  from hexside {row.result}, {side}")
        else:
            typer.echo(f"  {row.span:>3}  {row.says or row.result}")
    typer.echo(f"Certainty: {found.certainty}")


def show_drift(settings: Settings) -> None:
    """Print the eighteen drift diagrams."""
    from asl_pbcg.airborne.drift import drift_rows

    typer.echo(
        "Drift diagrams (II.C): the most sticks in the target hex, then hex by hex downwind."
    )
    for row in drift_rows(settings):
        sure = f" {row.sureness:.0%}" if row.sureness else ""
        mark = "" if row.certainty == "certain" else f"   {row.certainty}{sure}"
        typer.echo(f"  {row.letter}  {' '.join(str(number) for number in row.sticks)}{mark}")
    typer.echo("Rows without a mark are certain. --letter I tells what was filled in.")


def show_settings(settings: Settings) -> None:
    """Print every setting with its value, certainty and reason."""
    from asl_pbcg.airborne.report import settings_data

    for each in settings_data(settings):
        if each["setting"] == "terrain_alias":
            value = f"{len(each['value'])} kinds of terrain, see --json"
        else:
            value = plain(each["value"])
        typer.echo(f"{each['setting']}: {value}   [{each['rule']}, {each['certainty']}]")
        typer.echo(f"    {each['words'].capitalize()}. {' '.join(each['why'].split())}")


def plain(value: Any) -> str:
    """A value as a settings file writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {plain(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(plain(each) for each in value) + "]"
    return str(value)


def show_row_on_map(spots: list[tuple[str, int]], dropmap: DropMap, settings: Settings) -> None:
    """Print the numbers of a drift diagram hex by hex, with the terrain they come down in."""
    for distance, (at, number) in enumerate(spots):
        if not at:
            typer.echo(f"  +{distance:<3} {number}  off the map")
        else:
            row = dropmap.survival_rows(at, settings)[0]
            words = ", ".join(dropmap.words(at))
            typer.echo(f"  +{distance:<3} {number}  {at}: {words} ({row})")


# Odds


def show_odds(turns: tuple[TurnOdds, ...], settings: Settings, plain_terrain: str = "") -> None:
    """Print exact odds, each drop order and each turn. Rule: II.C, II.D, III.F.

    ``plain_terrain`` says that the map is that terrain everywhere and has no edge.
    """
    from asl_pbcg.airborne.chances import OUTCOMES

    for turn in turns:
        for drop in turn.drops:
            if plain_terrain:
                typer.echo(f"{drop.sticks} sticks, {plain_terrain} everywhere, no map edge:")
            else:
                where = f"Turn {drop.turn}, {drop.at}, {drop.sticks} sticks"
                typer.echo(f"{where}, one drift die for all:")
            _numbers(drop.numbers, drop.sticks)
            means = ", ".join(f"{float(drop.mean(name)):.2f} {name}" for name in OUTCOMES)
            typer.echo(
                f"  on average {means} ({float(drop.eliminated):.2f} eliminated, "
                f"{float(drop.off_map):.2f} off the map)"
            )
        if len(turn.drops) > 1:
            means = ", ".join(f"{float(turn.mean(name)):.2f} {name}" for name in OUTCOMES)
            typer.echo(f"Turn {turn.turn}, all {turn.sticks} sticks: on average {means}")
            half = (turn.sticks + 1) // 2
            chance = sum(
                (chance for number, chance in turn.total["whole"].items() if number >= half),
                start=_zero(),
            )
            typer.echo(f"  at least {half} whole: {chance_text(chance)}")
        for glider in turn.gliders:
            states = ", ".join(f"{name} {_percent(c)}" for name, c in glider.states.items())
            typer.echo(f"Turn {turn.turn}, glider of {glider.load}, aimed at {glider.at}: {states}")
            hexes = list(glider.hexes.items())
            shown = ", ".join(f"{at or 'off the map'} {_percent(c)}" for at, c in hexes[:8])
            rest = len(hexes) - 8
            more = f", and {rest} more hex{'' if rest == 1 else 'es'}" if rest > 0 else ""
            typer.echo(f"  {shown}{more}")
    from asl_pbcg.airborne.settings import name_uncertain

    used = ["jump_survival"]
    if not plain_terrain:
        used += ["wind_numbering", "wind_speed_chart", "drift_rows_override", "sticks_per_platoon"]
        used += ["stick_assignment", "terrain_alias", "mixed_hex", "cap_check"]
    typer.echo(name_uncertain(used, settings))
    if settings.stick_assignment == "owner_choice":
        typer.echo("Sticks are taken to fill the nearest places first; the owner may do otherwise.")
    if settings.mixed_hex == "asked":
        typer.echo("Hexes with several kinds of terrain are taken by their worst row.")


SHORT = 9
"""A fraction of so many letters can still be read."""


def _zero() -> Fraction:
    from fractions import Fraction

    return Fraction(0)


def _numbers(numbers: dict[str, Numbers], sticks: int) -> None:
    typer.echo("             " + "".join(f"{number:>7}" for number in range(sticks + 1)))
    for name, found in numbers.items():
        cells = "".join(f"{_percent(found.get(n, _zero())):>7}" for n in range(sticks + 1))
        typer.echo(f"  {name:<11}{cells}")


def _percent(chance: Fraction) -> str:
    from asl_pbcg.kernel.tables import percent

    return percent(chance) if chance else "-"


def chance_text(chance: Fraction) -> str:
    """A chance with one digit of percent, and exactly where its numbers are short."""
    value = float(chance * 100)
    shown = f"{value:.1f}%"
    if shown in ("0.0%", "100.0%") and chance not in (0, 1):
        shown = "<0.1%" if value < 50 else ">99.9%"
    exact = str(chance)
    return f"{shown} ({exact})" if len(exact) <= SHORT and "/" in exact else shown
