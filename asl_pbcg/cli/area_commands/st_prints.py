"""``pbcg st records``, ``film``, ``branch``: a game on paper, as a film, played on from a frame."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

from asl_pbcg.cli.area_commands.st_file import opened_game
from asl_pbcg.cli.command_answers import Answer, answers, refuse_idle, written_files
from asl_pbcg.cli.common import paper_option
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.play.area_play.area_beginnings import branch_game
from asl_pbcg.play.area_play.area_game import filled_sheets, rules_of
from asl_pbcg.play.area_play.area_look import film_frames
from asl_pbcg.records import check_folder
from asl_pbcg.records.output import save
from asl_pbcg.st.many.area_sheets import blank_sheets
from asl_pbcg.st.picture.film import gif, html
from asl_pbcg.st.settings import ST_RULINGS

records_app = typer.Typer(add_completion=False)
film_app = typer.Typer(add_completion=False)
branch_app = typer.Typer(add_completion=False)


class RosterSheet(StrEnum):
    """The sheets there are, in the order they are printed."""

    BRITISH = "british"
    GERMAN = "german"
    VP = "vp"


@records_app.command()
@answers
def records(
    file: Path | None = typer.Argument(None, help="The game file; none with --blank."),
    output: Path = typer.Option(..., "-o", "--output", help="A .pdf or .xlsx file to write."),
    only: list[RosterSheet] = typer.Option(
        [], "--sheet", metavar="SHEET", help=f"Only these, one each time: {', '.join(RosterSheet)}."
    ),
    paper: str = paper_option(),
    blank: bool = typer.Option(False, "--blank", help="Empty forms for play on paper."),
    templates: Path | None = typer.Option(
        None, "--templates", metavar="FOLDER", help="A folder with your own layouts."
    ),
) -> Answer:
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
            sheets = filled_sheets(session, templates)
    if only:
        sheets = [sheets[number] for number, name in enumerate(RosterSheet) if name in only]
    save(sheets, output, paper, mark)
    headings = ", ".join(sheet.heading for sheet in sheets)
    return written_files([output], f"{headings}.")


@film_app.command()
@answers
def film(
    file: Path = typer.Argument(..., help="The game file."),
    output: Path = typer.Option(..., "-o", "--output", help="The film: .html or .gif."),
    seconds: float = typer.Option(0.6, "--seconds", help="How long a frame of a GIF stands."),
) -> Answer:
    """Make a film of a game: a frame for each thing that happened."""
    if output.suffix.lower() not in (".html", ".gif"):
        raise PBCGError(f"{output} should end in .html or .gif.")
    if output.suffix.lower() == ".html":
        refuse_idle("in a page, which has keys of its own for it", "--seconds")
    if not 0.05 <= seconds <= 60:
        raise PBCGError(f"--seconds {seconds} is not possible: 0.05 to 60 is.")
    with opened_game(file, look=True) as session:
        frames, area_map = film_frames(session), rules_of(session).map
    if output.suffix.lower() == ".html":
        write_atomic(output, html(area_map, frames))
    else:
        write_atomic(output, gif(area_map, frames, seconds))
    return written_files([output], f"{len(frames)} frames.")


@branch_app.command()
@answers
def branch(
    file: Path = typer.Argument(..., help="The game file."),
    output: Path = typer.Option(..., "-o", "--output", help="The new game file."),
    turn: int = typer.Option(0, "--turn", show_default=False, help="Where this turn begins."),
    german: bool = typer.Option(
        False, "--german", help="With --turn: at its German Movement Phase."
    ),
    frame: int = typer.Option(0, "--frame", show_default=False, help="At this frame of the film."),
) -> Answer:
    """Play on from an earlier moment of a game, as a new game.

    The old file stays as it is: pbcg st branch game.pbcg --turn 5 -o other.pbcg
    """
    with opened_game(file, look=True) as session:
        where = branch_game(session, output, turn, frame, german)
    return written_files([output], f"It goes on from {where}.")
