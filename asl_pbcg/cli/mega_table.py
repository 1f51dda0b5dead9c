"""The umpire's lines about the table itself: units, phases, log, settings, a whole evening."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.cli.command_answers import Answer, answers
from asl_pbcg.cli.common import paper_option
from asl_pbcg.cli.mega_line import LineCommand, at_desk, logged_desk, say, show, umpire_line
from asl_pbcg.kernel.errors import PBCGError

if TYPE_CHECKING:
    from asl_pbcg.megagame.words import Said
else:
    Said = Any  # typer reads annotations, and the rules are loaded only when a line runs

app = typer.Typer(add_completion=False)


@app.command(cls=LineCommand)
@umpire_line("unit", few=True)
def unit(said: Said) -> None:
    """Bring a unit to the table.

    \b
    Words: its name, side, quality, figures or vehicle; occupants of a soft-skin vehicle too.
      unit "A Coy" british veteran 9   unit "Tiger 1" german elite tiger
      unit Lorries allied green truck 6
    """


@app.command("set", cls=LineCommand)
@umpire_line("set", few=True)
def set_unit(said: Said) -> None:
    """Correct a unit by your word; needs --because.

    \b
    Words: NAME, then side, quality, figures, vehicle, or fights, routed, abandoned, knocked_out,
    destroyed, off_table; removed strikes out a unit that was named by mistake.
      set "A Coy" 6 -b "miscounted"    set Lorries fights -b "crew rallied"
      set Grendiers removed -b "mistyped"
    """


@app.command(cls=LineCommand)
@umpire_line("move", few=True)
def move(
    said: Said,
    to: str = typer.Option("", "--to", metavar="TEXT", help="Where, for the log."),
) -> None:
    """Note that units moved.

    \b
    They fire as having moved, and cannot ambush next turn.
      move "A Coy" Lorries             move Grenadiers --to "the bridge"
    """
    if to:
        said.put("what", f"to {to}")


@app.command(cls=LineCommand)
@umpire_line("note", few=True)
def note(said: Said) -> None:
    """Put your own words into the log."""
    said.put("text", " ".join(said.things["words"]))


@app.command("next", cls=LineCommand)
@umpire_line("next", few=True)
def next_phase(said: Said) -> None:
    """Go on to the next phase, a phase, or the next turn.

    \b
      next          next fire          next turn
    """
    said.put("to", " ".join(said.things["words"]))


_LOG = typer.Option(None, "-l", "--log", metavar="FILE", envvar="PBCG_MEGA_LOG", help="The log.")
_JSON = typer.Option(False, "-j", "--json", help="Answer as JSON.")


@app.command()
@answers
def undo(
    ctx: typer.Context,
    reason: list[str] = typer.Argument(None, metavar="[WHY]...", help="Why, if dice were rolled."),
    log: Path = _LOG,
) -> Answer:
    """Take back the last line; after dice say why."""
    with at_desk(ctx, log) as desk:
        record = logged_desk(desk).undo(" ".join(reason or []))
    return Answer({"undone": record.line}, lambda _: show(f"Taken back: {record.line}"))


@app.command()
def status(ctx: typer.Context, log: Path = _LOG, as_json: bool = _JSON) -> None:
    """How the table stands, and who must check morale."""
    from asl_pbcg.megagame.report import standing, status_lines

    with at_desk(ctx, log, reading=True) as desk:
        table = logged_desk(desk).table
        if as_json:
            typer.echo(json.dumps(standing(table), ensure_ascii=False))
        else:
            for text in status_lines(table):
                show(text)


@app.command(cls=LineCommand)
def settings(
    ctx: typer.Context,
    file: Path = typer.Argument(None, help="Your own settings: checked, shown, or put in force."),
    own: Path = typer.Option(None, "-S", "--settings", metavar="FILE", help="The same."),
    example: Path = typer.Option(
        None, "--example", metavar="FILE", help="Write one to begin with."
    ),
    every: bool = typer.Option(False, "--all", help="Also the values that are printed rules."),
    words: bool = typer.Option(False, "--words", help="Every word that lines understand."),
    rulings: bool = typer.Option(False, "--rulings", help="How doubtful places are read."),
    log: Path = _LOG,
    as_json: bool = _JSON,
) -> None:
    """House values, inferred ones and your own in force.

    \b
      settings                         house and inferred values
      settings mine.yaml               check your file and show what it changes
      settings --example mine.yaml     write a file with every value that is not printed
      settings mine.yaml --log FILE    put it in force at that table from now on
    """
    from asl_pbcg.megagame.lines import settle_line
    from asl_pbcg.megagame.report import (
        example_settings,
        rulings_lines,
        settings_lines,
        settings_plain,
        words_lines,
    )
    from asl_pbcg.megagame.settings import Settings
    from asl_pbcg.megagame.typed import LineDice
    from asl_pbcg.megagame.words import Said

    if example:
        from asl_pbcg.cli.mega_run import may_write
        from asl_pbcg.kernel.files import write_atomic

        may_write(ctx, example)
        if example.exists():
            raise PBCGError(f"{example} exists already: choose another name or move it away.")
        write_atomic(example, example_settings())
        typer.echo(f"{example} written: change what you like, leave out the rest.")
        return
    if rulings:
        for text in rulings_lines():
            show(text)
        return
    source = file or own
    with at_desk(ctx, log, reading=not source) as desk:
        if source and desk.logged:
            said = Said({"own": Settings.read(source).own, "source": source})
            script = settle_line("settings", said, desk.table)
            say(desk.settle(ctx.meta["line"], script, LineDice(desk.seed, 0)))
            return
        found = Settings.read(source) if source else desk.table.settings
        if words:
            for text in words_lines(found):
                show(text)
        elif as_json:
            typer.echo(json.dumps(settings_plain(found, every), ensure_ascii=False))
        else:
            for text in settings_lines(found, every):
                show(text)


@app.command()
def log(
    ctx: typer.Context,
    file: Path = typer.Argument(None, help="The table's log; none at a table."),
    output: list[Path] = typer.Option([], "-o", "--output", help="A .pdf or .xlsx file."),
    paper: str = paper_option(),
    templates: Path = typer.Option(None, "--templates", help="A folder with your own layouts."),
    every: bool = typer.Option(
        False, "--all", help="Also lines without dice that were taken back."
    ),
    as_json: bool = _JSON,
    log: Path = typer.Option(None, "-l", "--log", envvar="PBCG_MEGA_LOG", hidden=True),
) -> None:
    """Show a table's log, or print it as PDF or Excel.

    \b
      log table3.mega                  log table3.mega -o evening.pdf -o evening.xlsx
    """
    from asl_pbcg.megagame.report import log_lines, log_plain

    with at_desk(ctx, file or log, reading=True) as desk:
        logged_desk(desk)
        if output:
            from asl_pbcg.cli.mega_run import may_write

            for path in output:
                may_write(ctx, path)
            print_log(desk, output, paper, templates)
        elif as_json:
            typer.echo(json.dumps(log_plain(desk, every), ensure_ascii=False))
        else:
            for text in log_lines(desk, every):
                show(text)


def print_log(desk: Any, output: list[Path], paper: str, templates: Path | None) -> None:
    """Write a table's log with its casualties to every file of ``output``."""
    from asl_pbcg.megagame.sheets import log_sheets
    from asl_pbcg.records.output import save

    sheets = log_sheets(desk, templates)
    for path in output:
        save(sheets, path, paper, f"File {desk.fingerprint}")
        typer.echo(f"{path} written: {', '.join(sheet.heading for sheet in sheets)}.")


@app.command()
def run(
    ctx: typer.Context,
    file: Path = typer.Argument(..., help="The table's log; it is begun if there is none."),
    title: str = typer.Option("", "--title", help="What the table is called, for a new log."),
    script: Path = typer.Option(None, "--script", metavar="FILE", help="Read lines from a file."),
    start: int = typer.Option(1, "--from", min=1, metavar="N", help="Begin at this script line."),
    seed: str = typer.Option("", "--seed", metavar="N", help="Program dice of a new log."),
    settings: Path = typer.Option(None, "-S", "--settings", metavar="FILE", help="Own settings."),
    ask: bool = typer.Option(False, "--ask", help="Ask for each throw of real dice."),
    into: Path = typer.Option(
        None, "--into", metavar="FOLDER", help="Where lines of a script may write; else here."
    ),
    output: list[Path] = typer.Option([], "-o", "--output", help="Then print: .pdf or .xlsx."),
    paper: str = paper_option(),
    templates: Path = typer.Option(None, "--templates", help="A folder with your own layouts."),
) -> None:
    """Umpire a table line by line and keep its log.

    \b
    Every line is kept as soon as it is answered; run FILE again goes on where it stood.
      unit "A Coy" british veteran 9   barrage 105 open at "A Coy"     morale     next     status
    Take back with undo WHY; leave with quit; any line with --help tells what it takes.
      run table3.mega --title "Table 3, Oosterbeek" --seed 7
      run table3.mega --script evening.txt -o evening.pdf -o evening.xlsx
    """
    from asl_pbcg.cli.mega_run import run_table

    run_table(ctx, file, title, script, start, seed, settings, ask, into)
    if output:
        from asl_pbcg.megagame.desk import Desk

        with Desk.open(file) as desk:
            print_log(desk, output, paper, templates)
