"""A paper campaign brought in at the terminal: what its file leaves out is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.cli.campaign_file import kept_book
from asl_pbcg.cli.common import in_quotes
from asl_pbcg.cli.terminal.listed import drive_listed
from asl_pbcg.cli.terminal.terminal import Terminal
from asl_pbcg.kernel.answers import Answers, Leave, ListedAnswers, RandomAnswers, drive
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.play.campaign_game.campaign_from_paper import (
    PaperBook,
    bring_in,
    is_under_way,
    read_book,
)
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.plug import BOTH

AskAtTerminal = Callable[[], Terminal]


class WithBook:
    """Gives what the book says, and leaves all else to somebody else."""

    def __init__(self, book: PaperBook, others: Answers) -> None:
        self._book = book
        self._others = others

    def answer(self, prompt: Prompt) -> Any:
        """Return the book's answer, else that of the others."""
        answer = self._book.answer(prompt)
        return self._others.answer(prompt) if answer is None else answer

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """Return whatever the others bring."""
        return self._others.dice(roll)

    def hear_refusal(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """Raise it: a book is not asked again."""
        raise error


def bring_in_paper(
    game: OpenGame,
    book: PaperBook,
    terminal: AskAtTerminal,
    auto: int | None = None,
    listed: Path | None = None,
) -> bool:
    """Bring the campaign in; return False if the player left before all was answered."""

    def is_over() -> bool:
        return not is_under_way(game.session, book)

    if auto is not None:
        return drive(game.session, WithBook(book, RandomAnswers(auto)), game.dice, until=is_over)
    if listed:
        answers = WithBook(book, ListedAnswers.read(listed, called=short_name))
        try:
            if drive_listed(game, listed, answers, is_over, terminal):
                return True
        except Leave:
            return False
    while not is_over():
        if not terminal().play(lambda: is_over() or _is_known(game, book)):
            return False
        bring_in(game.session, book)
        game.note_change()
    return True


def go_on_bringing_in(game: OpenGame, terminal: AskAtTerminal) -> bool:
    """Go on with the book that ``pbcg new --from`` was left with; False if the player left again.

    Of a book that cannot be read any more this is told, and all is asked.
    """
    path = kept_book(game.path).find(game.session)
    if path is None:
        return True
    try:
        book = read_book(path, {"campaign": game.session.state.campaign})
    except PBCGError as error:
        typer.echo(f"{path}, with which this campaign begins, is not taken. {error}", err=True)
        return True
    if is_under_way(game.session, book):
        typer.echo(f"{path}, with which this campaign begins, is taken.", err=True)
        if not bring_in_paper(game, book, terminal):
            return False
    kept_book(game.path).forget()
    return True


def _is_known(game: OpenGame, book: PaperBook) -> bool:
    asked = game.session.pending
    return isinstance(asked, Prompt) and book.answer(asked) is not None


def print_kept(game: OpenGame, viewer: str) -> None:
    """Print how ``viewer``, who leaves at a question, goes on."""
    # Whoever saw one side's prompts types this, and is not to see the other side's.
    eyes = () if viewer == BOTH else ("--as", viewer)
    typer.echo(f"Kept up to here. {in_quotes('refit', game.path, *eyes)} goes on.")


def print_brought(game: OpenGame) -> None:
    """Print what a campaign from paper has in its file now, and what comes next."""
    state, goes_on = game.session.state, in_quotes("refit", game.path)
    title = state.frame.campaigns[state.campaign].title
    counts = [number_words(len(state.of(side)), f"{side.title} piece") for side in state.sides]
    typer.echo(f"{title} is brought in after {state.date.title}: {', '.join(counts)}.")
    if not state.pieces:
        print_position_next(game)
    else:
        typer.echo(f"{goes_on} begins the Refit Phase.")


def print_position_next(game: OpenGame) -> None:
    """Print that the end position of the CG scenario just played comes next."""
    with_position = in_quotes("refit", game.path, "--position", "END")
    typer.echo(f"The end position of {game.session.state.date.title} comes next: {with_position}.")
