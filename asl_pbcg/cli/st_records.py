"""``pbcg st records``: the rosters and the VP sheet, printed, filled or blank."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

from asl_pbcg.cli.common import paper_option
from asl_pbcg.cli.records import Paper
from asl_pbcg.cli.st_file import opened_game
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.area_game import seen_state, situation
from asl_pbcg.records import check_folder
from asl_pbcg.records.output import save
from asl_pbcg.st.settings import ST_RULINGS
from asl_pbcg.st.sheets import blank_sheets, game_sheets

app = typer.Typer(add_completion=False)


class SheetName(StrEnum):
    """The sheets there are, in the order they are printed."""

    BRITISH = "british"
    GERMAN = "german"
    VP = "vp"


@app.command()
def records(
    file: Path | None = typer.Argument(None, help="The game file; none with --blank."),
    output: Path = typer.Option(..., "-o", "--output", help="A .pdf or .xlsx file to write."),
    only: list[SheetName] = typer.Option(
        [], "--sheet", metavar="SHEET", help=f"Only these, one each time: {', '.join(SheetName)}."
    ),
    paper: Paper = paper_option(),
    blank: bool = typer.Option(False, "--blank", help="Empty forms for play on paper."),
    templates: Path | None = typer.Option(
        None, "--templates", help="A folder with your own layouts."
    ),
) -> None:
    """Print the British Unit Roster, the German roster and the VP sheet as PDF or Excel.

    Before the game is over the German roster holds what the British can see, and no more.
    """

    if templates:
        check_folder(templates)
    if blank:
        if file is not None:
            raise PBCGError("Give a game file, or --blank for empty forms, not both.")
        sheets, mark = blank_sheets(ST_RULINGS.settings({}), templates), ""
    elif file is None:
        raise PBCGError("Give a game file, or --blank for empty forms.")
    else:
        with opened_game(file, look=True) as session:
            if not session.state.ready:
                raise PBCGError("Nothing is set up yet; play the set-up first, or give --blank.")
            mark = f"File {session.journal.fingerprint}"
            sit = situation(session)
            state = sit.close()
            seen = state if state.over else seen_state(session)
            sheets = game_sheets(sit.rules, state, seen, templates)
    if only:
        sheets = [sheets[number] for number, name in enumerate(SheetName) if name in only]
    save(sheets, output, paper.value, mark)
    typer.echo(f"{output} written: {', '.join(sheet.heading for sheet in sheets)}.")
