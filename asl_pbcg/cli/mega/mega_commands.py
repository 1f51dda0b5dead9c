"""``pbcg mega``: the umpire of a megagame table, its log and its settings."""

from __future__ import annotations

from pathlib import Path

import typer

from asl_pbcg.cli.command_answers import Answer, answers, refuse_idle, written_files
from asl_pbcg.cli.common import paper_option
from asl_pbcg.cli.mega.mega_evening import check_may_write, run_evening
from asl_pbcg.cli.mega.mega_line import LineCommand, check_logged, open_log, print_outcome
from asl_pbcg.cli.mega.mega_umpire import app
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.megagame import mega_sheets, table_report
from asl_pbcg.megagame.mega_settings import UmpireSettings
from asl_pbcg.megagame.table_log import LineDice, TableLog, undo_line
from asl_pbcg.megagame.umpire_lines import settle_settings
from asl_pbcg.records import output as printing

_LOG = typer.Option(None, "-l", "--log", metavar="FILE", envvar="PBCG_MEGA_LOG", help="The log.")
_TEMPLATES = typer.Option(
    None, "--templates", metavar="FOLDER", help="A folder with your own layouts."
)


@app.command()
@answers
def undo(
    ctx: typer.Context,
    reason: list[str] = typer.Argument(None, metavar="[WHY]...", help="Why, if dice were rolled."),
    log: Path = _LOG,
) -> Answer:
    """Undo the last line; after dice say why."""
    with open_log(ctx, log) as table_log:
        check_logged(table_log)
        line = undo_line(table_log.session, " ".join(reason or [])).line
    return Answer({"undone": line}, lambda _: typer.echo(f"Undone: {line}"))


@app.command()
@answers
def status(ctx: typer.Context, log: Path = _LOG) -> Answer:
    """Show how the table stands, and who must check morale."""
    with open_log(ctx, log, reading=True) as table_log:
        check_logged(table_log)
        table = table_log.table
    lines = table_report.status_lines(table)
    return Answer.in_lines(table_report.table_data(table), lines)


@app.command(cls=LineCommand)
@answers
def settings(
    ctx: typer.Context,
    file: Path = typer.Argument(None, help="Your own settings: checked, shown, or put in force."),
    own: Path = typer.Option(None, "-S", "--settings", metavar="FILE", help="The same."),
    example: Path = typer.Option(None, metavar="FILE", help="Write one to begin with."),
    every: bool = typer.Option(False, "--all", help="Also the values that are printed rules."),
    words: bool = typer.Option(False, "--words", help="Every word that lines understand."),
    log: Path = _LOG,
) -> Answer:
    """Show house values, inferred ones and your own in force.

    \b
      settings                         house and inferred values
      settings mine.yaml               check your file and show what it changes
      settings --example mine.yaml     write every value that is not printed
      settings mine.yaml --log FILE    put it in force at that table from now on
    """
    if example or words:
        refuse_idle("with --example" if example else "with --words", "--all")
    if example:
        refuse_idle("with --example", "--words", "--settings")
        check_may_write(ctx, example)
        if example.exists():
            raise PBCGError(f"{example} exists already: choose another name or move it away.")
        write_atomic(example, table_report.example_settings())
        return written_files([example], "Change what you like, leave out the rest.")
    source = file or own
    with open_log(ctx, log, reading=not source) as table_log:
        umpire_settings = UmpireSettings.read(source) if source else table_log.table.settings
        if source and table_log.logged:
            script = settle_settings(umpire_settings.own, str(source), table_log.table)
            outcome = table_log.settle(ctx.meta["line"], script, LineDice(0, 0))
            return Answer(outcome.as_data(), lambda _: print_outcome(outcome))
    if words:
        lines = table_report.words_lines(umpire_settings)
        return Answer.in_lines(table_report.words_data(umpire_settings), lines)
    lines = table_report.settings_lines(umpire_settings, every)
    return Answer.in_lines(table_report.settings_data(umpire_settings, every), lines)


@app.command()
@answers
def log(
    ctx: typer.Context,
    file: Path = typer.Argument(None, help="The table's log; none at a table."),
    output: list[Path] = typer.Option([], "-o", "--output", help="A .pdf or .xlsx file."),
    paper: str = paper_option(),
    templates: Path = _TEMPLATES,
    every: bool = typer.Option(False, "--all", help="Also lines without dice that were undone."),
    log: Path = typer.Option(None, "-l", "--log", envvar="PBCG_MEGA_LOG", hidden=True),
) -> Answer:
    """Show a table's log, or print it as PDF or Excel.

    \b
      log table3.mega             log table3.mega -o evening.pdf -o evening.xlsx
    """
    if output:
        refuse_idle("with -o", "--all")
    else:
        refuse_idle("without -o", "--paper", "--templates")
    with open_log(ctx, file or log, reading=True) as table_log:
        check_logged(table_log)
        for path in output:
            check_may_write(ctx, path)
        if output:
            return _print_log(table_log, output, paper, templates)
        lines = list(table_report.log_lines(table_log, every))
        return Answer.in_lines(table_report.log_data(table_log, every), lines)


def _print_log(
    table_log: TableLog, output: list[Path], paper: str, templates: Path | None
) -> Answer:
    """Write a table's log with its casualties to every file of ``output``."""
    sheet = mega_sheets.log_sheet(table_log, templates)
    for path in output:
        fingerprint = table_log.session.journal.fingerprint
        printing.save((sheet,), path, paper, f"File {fingerprint}")
    return written_files(output, f"{sheet.heading}.")


@app.command()
@answers
def run(
    ctx: typer.Context,
    file: Path = typer.Argument(..., help="The table's log; it is begun if there is none."),
    title: str = typer.Option("", help="What the table is called, for a new log."),
    script: Path = typer.Option(None, metavar="FILE", help="Read lines from a file."),
    start: int = typer.Option(1, "--from", min=1, metavar="N", help="Begin at this script line."),
    seed: str = typer.Option("", metavar="N", help="Program dice of a new log."),
    settings: Path = typer.Option(None, "-S", "--settings", metavar="FILE", help="Own settings."),
    ask: bool = typer.Option(False, "--ask", help="Ask for each throw of real dice."),
    into: Path = typer.Option(
        None, metavar="FOLDER", help="Where lines of a script may write; else here."
    ),
    output: list[Path] = typer.Option([], "-o", "--output", help="Then print: .pdf or .xlsx."),
    paper: str = paper_option(),
    templates: Path = _TEMPLATES,
) -> Answer:
    """Umpire a table line by line and keep its log.

    \b
    Every line is kept as soon as it is answered; run FILE goes on where it stood.
      unit "A Coy" british veteran 9   barrage 105 open at "A Coy"   next   status
    Undo with undo WHY; leave with quit; any line with --help tells what it takes.
      run table3.mega --title "Table 3, Oosterbeek" --seed 7
      run table3.mega --script evening.txt -o evening.pdf -o evening.xlsx
    """
    if not output:
        refuse_idle("without -o", "--paper", "--templates")
    if not script:
        refuse_idle("without --script", "--from")
    table = run_evening(ctx, file, title, seed, settings, ask, script, start, into)
    if output:
        with TableLog.open(file) as table_log:
            written = _print_log(table_log, output, paper, templates)
            written.show(written.data)
    return Answer(table_report.table_data(table), lambda _: None)
