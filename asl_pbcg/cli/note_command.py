"""``pbcg note``: a diary of the campaign, and remarks on pieces, hexes and lines of the log."""

from __future__ import annotations

from pathlib import Path

import typer

from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.cli.campaign_file import open_game
from asl_pbcg.cli.command_answers import Answer, answers
from asl_pbcg.cli.common import Viewer, as_option
from asl_pbcg.kernel.player_notes import PlayerNote, notes_of
from asl_pbcg.play.campaign_notes import keep_note
from asl_pbcg.play.seat import Seat

app = typer.Typer(add_completion=False)


@app.command()
@answers
def note(
    file: Path = typer.Argument(..., help="The campaign file."),
    text: str = typer.Argument("", metavar="[TEXT]", help="The note; without it all are listed."),
    about: str = typer.Option(
        "", "--about", metavar="PIECE|HEX", help="A piece or hex: b-648-3, Z15."
    ),
    line: str = typer.Option("", "--line", metavar="WORDS", help="The last such line of the log."),
    date: str = typer.Option("", "--date", help="The CG Date of the diary: dawn, day-1."),
    private: bool = typer.Option(False, "--private", help="For its writer alone."),
    viewer: Viewer = as_option("Whose note it is."),
) -> Answer:
    """Keep a note in the log: a diary by CG Date, or a remark on a piece, hex or line.

    \b
    pbcg note evening.pbcg "Never again." --about b-648-3 --private --as british
    pbcg note evening.pbcg "Snake eyes, of course." --line "Escape g-467-2"
    pbcg note evening.pbcg --date dawn
    """
    with open_game(file, look=not text) as game:
        seat = Seat(game, viewer.value)
        if text:
            kept = keep_note(seat, text, about=about, line=line, date=date, private=private)
            return Answer(kept, lambda each: typer.echo(f"Kept. {each.words}"))
        journal = game.session.journal
        return Answer(notes_of(journal, seat.sees, about or None, date or None), _print_notes)


def _print_notes(notes: list[PlayerNote]) -> None:
    if not notes:
        typer.echo("There are no notes.")
    for each in notes:
        typer.echo(f"{CGDate.title_of(each.date):9} {each.words}")
