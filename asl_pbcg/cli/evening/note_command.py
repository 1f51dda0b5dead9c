"""``pbcg note``: a diary of the campaign, and remarks on pieces, hexes and lines of the log."""

from __future__ import annotations

from pathlib import Path

import typer

from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.cli.campaign_file import open_game
from asl_pbcg.cli.command_answers import Answer, answers, refuse_idle
from asl_pbcg.cli.common import Viewer, as_option
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.player_notes import PlayerNote, notes_of
from asl_pbcg.play.campaign_game.campaign_notes import find_subject, keep_note, revise_note
from asl_pbcg.play.seat import Seat

app = typer.Typer(add_completion=False)


@app.command()
@answers
def note(
    file: Path = typer.Argument(..., help="The campaign file."),
    text: str = typer.Argument("", metavar="[TEXT]", help="The note; without it all are listed."),
    about: str = typer.Option("", "--about", metavar="PIECE|HEX", help="A piece or hex: A-3, Z15."),
    line: str = typer.Option("", "--line", metavar="WORDS", help="The last such line of the log."),
    date: str = typer.Option("", "--date", help="The CG Date of the diary: dawn, day-1."),
    private: bool = typer.Option(False, "--private", help="For its writer alone."),
    correct: int = typer.Option(0, "--correct", show_default=False, help="Your note to reword."),
    withdraw: int = typer.Option(
        0, "--withdraw", show_default=False, help="Your note to withdraw."
    ),
    viewer: Viewer = as_option("Whose note it is."),
) -> Answer:
    """Keep a note in the log: a diary by CG Date, or a remark on a piece, hex or line.

    \b
      pbcg note evening.pbcg "Never again." --about A-3 --private --as british
      pbcg note evening.pbcg "Snake eyes, of course." --line "Escape D-2"
      pbcg note evening.pbcg --date dawn
      pbcg note evening.pbcg "Never before." --correct 1 --as british
      pbcg note evening.pbcg --withdraw 1 --as british
    """
    number = correct or withdraw
    if number:
        refusal = _revision_refusal(text, correct, withdraw, about or line or date or private)
        if refusal:
            raise PBCGError(refusal)
    elif not text:
        refuse_idle("without a note", "--line", "--private")
    with open_game(file, look=not (text or number)) as game:
        seat = Seat(game, viewer.value)
        if number:
            revised = revise_note(seat, number, text)
            done = "Corrected" if text else "Withdrawn"
            return Answer(revised, lambda revision: typer.echo(f"{done}. {revision.words}"))
        if text:
            kept = keep_note(seat, text, about=about, line=line, date=date, private=private)
            return Answer(kept, lambda new_note: typer.echo(f"Kept. {new_note.words}"))
        journal = game.session.journal
        subject = about and find_subject(seat, about)
        return Answer(notes_of(journal, seat.sees, subject or None, date or None), _print_notes)


def _revision_refusal(text: str, correct: int, withdraw: int, option: str | bool) -> str:
    """Return why a note cannot be changed with these options; empty if it can."""
    if correct and withdraw:
        return "Correct a note or withdraw it: give --correct or --withdraw."
    if correct and not text.strip():
        return "What does the note say now? Give its new words, or --withdraw it."
    if withdraw and text:
        return "A note that is withdrawn has no words: leave them out, or give --correct."
    if option:
        return "A corrected note stays what it is about, and whose: give its number alone."
    return ""


def _print_notes(notes: list[PlayerNote]) -> None:
    if not notes:
        typer.echo("There are no notes.")
    for entry in notes:
        typer.echo(f"{entry.number:3}  {CGDate.title_of(entry.date):9} {entry.words}")
