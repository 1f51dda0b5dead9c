"""``pbcg seal`` and ``pbcg unseal``: eight words that prove later what a side held."""

from __future__ import annotations

from pathlib import Path

import typer

from asl_pbcg.cli.campaign_file import open_game
from asl_pbcg.cli.command_answers import Answer, answers, written_words
from asl_pbcg.cli.common import Viewer, as_option, in_quotes
from asl_pbcg.cli.terminal.streams import print_document
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import make_new
from asl_pbcg.kernel.seals import Seal
from asl_pbcg.play.campaign_game import campaign_seals
from asl_pbcg.play.sealed_files import find_sealed, is_game_file, seal_file
from asl_pbcg.play.seat import Seat

app = typer.Typer(add_completion=False)
unseal_app = typer.Typer(add_completion=False)


@app.command()
@answers
def seal(
    file: Path = typer.Argument(..., help="A campaign, or any file: notes, a picture."),
    viewer: Viewer = as_option("Whose purchases, hidden pieces and setup: british or german."),
) -> Answer:
    """Seal what your side holds at this CG Date, or any file: eight words to say aloud.

    The words tell nothing. Whoever heard them can check later that nothing was changed since.

    \b
      pbcg seal evening.pbcg --as german
      pbcg seal notes.txt
    """
    if is_game_file(file):
        with open_game(file) as game:
            made = campaign_seals.seal_holdings(Seat(game, viewer.value))
        lines = (
            f"Sealed for {made.side.capitalize()}. Tell the other player these words:",
            f"  {made.words}",
            f"{in_quotes('unseal', file, '--as', made.side)} shows what was sealed.",
        )
        return Answer.in_lines(_public_part(made), lines)
    sealed = seal_file(file, "" if viewer is Viewer.UMPIRE else viewer.value)
    lines = (
        f"{file} is sealed. Tell the other player these words:",
        f"  {sealed.words}",
        f"Keep {file.name} as it is, and {sealed.path} with it: both are needed for the proof.",
    )
    return Answer.in_lines(sealed, lines)


@unseal_app.command()
@answers
def unseal(
    file: Path = typer.Argument(..., help="The campaign, or the file that was sealed."),
    words: str = typer.Argument("", metavar="[WORDS]", help="Its words; without them the last."),
    output: Path = typer.Option(
        None, "-o", "--output", help="Write what was sealed, for the other player to check."
    ),
    opened: bool = typer.Option(
        False, "--open", help="Open it in the campaign file, for the other side to see."
    ),
    viewer: Viewer = as_option("Whose seal it is: british or german."),
) -> Answer:
    """Show what was sealed, with its salt; whoever has that and the words can check it.

    \b
      pbcg unseal evening.pbcg --as german
      pbcg unseal evening.pbcg "oak ..." --as german -o night-2.sealed
      pbcg verify night-2.sealed --sealed "oak ..."
    """
    if is_game_file(file):
        with open_game(file, look=not opened) as game:
            opening = campaign_seals.unseal(Seat(game, viewer.value), words, opened)
        seal_words, text = opening.words, opening.text
    elif opened:
        raise PBCGError("A file is opened by giving it to the other player, its seal with it.")
    else:
        sealed = find_sealed(file, words)
        seal_words, text = sealed.words, sealed.text
    if output:
        make_new(output, text.encode())
    proof = in_quotes("verify", output or "FILE", "--sealed", seal_words)

    def show(_: object) -> None:
        print_document(text)
        typer.echo(f"Sealed as: {seal_words}")
        if output:
            typer.echo(written_words(output, more=f"{proof} proves it."))

    data = {"words": seal_words, "text": text, "written": [str(output)] if output else []}
    return Answer(data, show)


def _public_part(made: Seal) -> dict[str, str]:
    """Return what is told of a seal: everything but what was sealed."""
    return {"side": made.side, "date": made.date, "at": made.at, "words": made.words}
