"""``pbcg table``: any roll table of the rules, without a campaign."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any, Final

import typer
from rich.table import Table

from asl_pbcg.cli.command_answers import Answer, answers, refuse_idle
from asl_pbcg.cli.terminal.sentences import Sentences
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.table_set import TableSet
from asl_pbcg.kernel.tables import Rolled, RollTable, percent

app = typer.Typer(add_completion=False)

MAX_WIDTH: Final = 76
"""Letters that a line of a table has, so that it stands on a screen of 80."""

# Name prefix -> (module, function that gives the TableSet).
SETS: dict[str, tuple[str, str]] = {
    "": ("asl_pbcg.campaign.module.campaign_tables", "campaign_tables"),
    "drop.": ("asl_pbcg.airborne.drop_tables", "airborne_tables"),
    "mega.": ("asl_pbcg.megagame.mega_tables", "megagame_tables"),
    "st.": ("asl_pbcg.st.state.area_tables", "st_tables"),
}


def _set(prefix: str) -> TableSet:
    module, function = SETS[prefix]
    tables: TableSet = getattr(import_module(module), function)()
    return tables


def find_table(name: str) -> RollTable:
    """Return the roll table ``name`` of any game; raises PBCGError with the nearest names."""
    prefix = max((start for start in SETS if name.startswith(start)), key=len)
    return _set(prefix)[name]


def all_tables() -> Iterator[RollTable]:
    """Yield every roll table of every game."""
    for prefix in SETS:
        tables = _set(prefix)
        yield from (tables[name] for name in tables)


@app.command()
@answers
def table(
    name: str = typer.Argument("", metavar="TABLE", help="The table, for example escape.infantry."),
    given: list[str] = typer.Option(
        [], "--given", metavar="CIRCUMSTANCE[=N]", help="What holds; may be repeated."
    ),
    roll: str = typer.Option("", "--roll", help="The Original roll as one total, for example 8."),
    listed: bool = typer.Option(False, "--list", help="List every table."),
) -> Answer:
    """Resolve a table: the modifiers that apply, exact odds and, with a roll, the result."""
    if listed and name:
        raise PBCGError(f"--list shows every table: leave out {name}, or --list.")
    if listed or not name:
        refuse_idle("without a table", "--given", "--roll")
        tables = list(all_tables())
        data = {"tables": [describe(table) for table in tables]}
        return Answer.in_lines(data, list_lines(tables))
    roll_table = find_table(name)
    circumstances = read_given(given)
    if not given and not roll and {*roll_table.needs, *roll_table.columns} - circumstances.keys():
        return Answer(describe(roll_table), lambda _: _print_rows(roll_table))
    answer = resolve(roll_table, circumstances, _read_roll(roll))
    return Answer(answer, lambda _: _print_resolved(roll_table, answer))


def read_given(typed: list[str]) -> dict[str, int | bool | str]:
    """Read ``isolated`` or ``hs_equivalents=2`` as players type them."""
    circumstances: dict[str, int | bool | str] = {}
    for item in typed:
        name, equals, value = item.partition("=")
        name, value = name.strip(), value.strip()
        if name in circumstances:
            raise PBCGError(f"--given {name} is given twice.")
        if not equals:
            circumstances[name] = True
        elif value.isascii() and value.lstrip("+-").isdigit() and len(value) < 7:
            circumstances[name] = int(value)
        elif value:
            circumstances[name] = value
        else:
            raise PBCGError(f"--given {item}: write {name}=N with a number, or {name} alone.")
    return circumstances


def _read_roll(roll: str) -> int | None:
    if not roll:
        return None
    if not roll.isascii() or not roll.strip().lstrip("+-").isdigit() or len(roll) > 6:
        raise PBCGError(f'--roll "{roll}" is not a number: give the total of the dice.')
    return int(roll)


def resolve(
    roll_table: RollTable, circumstances: dict[str, int | bool | str], roll: int | None
) -> dict[str, Any]:
    """Return the answer of ``pbcg table`` as plain data; ``roll`` is the Original total, if any."""
    circumstances = roll_table.check(circumstances)
    drm = roll_table.modifiers(circumstances)
    counts, outcomes = roll_table.odds_counts(circumstances)
    answer: dict[str, Any] = {
        "table": roll_table.name,
        "title": roll_table.title,
        "rule": roll_table.rule,
        "dice": roll_table.dice,
        "given": circumstances,
        "drm": [
            {"name": item.name, "value": item.value, "why": item.why, "rule": item.rule}
            for item in drm
        ],
        "total_drm": sum(item.value for item in drm),
        "odds": {result: f"{count}/{outcomes}" for result, count in counts.items()},
        "percent": {result: round(100 * count / outcomes, 2) for result, count in counts.items()},
    }
    if roll is not None:
        rolled: Rolled = roll_table.resolve_total(roll, circumstances)
        answer |= {"roll": roll, "final": rolled.final, "result": rolled.result}
        if rolled.says:
            answer["says"] = rolled.says
        if rolled.facts:
            answer["facts"] = rolled.facts
    return answer


def describe(roll_table: RollTable) -> dict[str, Any]:
    """Return a table as ``--list --json`` gives it: dice, results, circumstances."""
    results = [result for row in roll_table.rows for result in (row.results or (row.result,))]
    entry: dict[str, Any] = {
        "table": roll_table.name,
        "title": roll_table.title,
        "rule": roll_table.rule,
        "dice": roll_table.dice,
        "secret": roll_table.secret,
        "results": list(dict.fromkeys(results)),
        "circumstances": roll_table.circumstances,
    }
    return entry | ({"certainty": roll_table.certainty} if roll_table.certainty else {})


def list_lines(tables: Iterable[RollTable]) -> Iterator[str]:
    """Yield each table's name, dice, rule and title, and the circumstances it knows."""
    # Nothing is cut: these are the very names that --given needs.
    width = shutil.get_terminal_size().columns - 1 if sys.stdout.isatty() else 10_000
    for roll_table in tables:
        words = f"{roll_table.name:28} {roll_table.dice:5} {roll_table.rule:8} {roll_table.title}"
        yield typer.style(words, bold=True)
        if roll_table.circumstances:
            names = f"--given {', '.join(roll_table.circumstances)}"
            yield from textwrap.wrap(names, width, initial_indent="    ", subsequent_indent="    ")


def table_lines(roll_table: RollTable, says: Mapping[str, str] = {}) -> Iterator[str]:
    """Yield the table itself; ``says`` has words for results in place of its own.

    Columns that have no room on a line stand below each other.
    """
    yield f"{roll_table.title} ({roll_table.rule}), {roll_table.dice}"
    cells = [
        [row.span, *(row.results or [says.get(row.result) or row.says or row.result])]
        for row in roll_table.rows
    ]
    for name, columns in roll_table.columns.items():
        cells = [[f"{roll_table.dice}, {name}", *columns], *cells]
        if sum(_widths(cells)) + 2 * len(columns) > MAX_WIDTH:
            cells = list(map(list, zip(*cells, strict=True)))
    widths = _widths(cells)
    for row in cells:
        line = "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        yield f"  {line}".rstrip()
    if roll_table.certainty:
        yield f"Certainty: {roll_table.certainty}"


def _widths(cells: list[list[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*cells, strict=True)]


def _print_rows(roll_table: RollTable) -> None:
    """Print the table itself, when a circumstance it needs is not given."""
    for line in table_lines(roll_table):
        typer.echo(line)
    for name, words in roll_table.circumstances.items():
        typer.echo(f"  --given {name}: {words}")


def _print_resolved(roll_table: RollTable, answer: dict[str, Any]) -> None:
    console = Sentences()
    console.print(f"[bold]{roll_table.title}[/]  {roll_table.rule}  {roll_table.spec.name}")
    for drm in answer["drm"]:
        console.print(f"  {drm['value']:+d}  {drm['why']}  [dim]{drm['rule']}[/]")
    console.print(f"  {answer['total_drm']:+d}  in all")
    says = {row.result: row.says for row in roll_table.rows if row.result}
    grid = Table("Final", "Result", "Odds", "", box=None, header_style="bold")
    for result, odds in answer["odds"].items():
        circumstances = answer["given"]
        rows = [row for row in roll_table.rows if roll_table.result(row, circumstances) == result]
        spans = [row.fill(circumstances).span for row in rows]
        grid.add_row(", ".join(spans), says.get(result) or result, odds, percent(Fraction(odds)))
    console.print(grid)
    if "roll" in answer:
        result = answer.get("says") or answer["result"]
        console.print(f"Roll {answer['roll']}, Final {answer['final']}: [bold]{result}[/]")
    used = {note for row in roll_table.rows for note in row.notes}
    for mark, note in roll_table.notes.items():
        if mark in used:
            console.print(f"  [dim]{mark} {note}[/]")
    if roll_table.certainty:
        console.print(f"  [yellow]{roll_table.certainty}[/]")
    unused = [name for name in roll_table.drm if name not in answer["given"]]
    if unused:
        console.print(f"[dim]Other circumstances: {', '.join(unused)}[/]")
