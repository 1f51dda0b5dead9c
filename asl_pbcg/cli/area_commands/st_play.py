"""``pbcg st play``: play the area game at the terminal, from a file, or watch it play itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any

import typer

from asl_pbcg.cli.area_commands.st_help import welcome
from asl_pbcg.cli.area_commands.st_manner import StManner
from asl_pbcg.cli.area_commands.st_report import facts, print_score
from asl_pbcg.cli.command_answers import Answer, answers
from asl_pbcg.cli.common import in_quotes
from asl_pbcg.cli.terminal.listed import drive_listed
from asl_pbcg.cli.terminal.sentences import Sentences
from asl_pbcg.cli.terminal.terminal import Terminal
from asl_pbcg.kernel.answers import Answers, Leave, ListedAnswers, drive
from asl_pbcg.kernel.deciders import deciders, hand_over
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.area_play.area_game import rules_of
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat
from asl_pbcg.st.area_terms import BRITISH
from asl_pbcg.st.many.score_card import PERSON, automatic_name
from asl_pbcg.st.player.expert import WEIGHED_AT, ExpertPlayer
from asl_pbcg.st.player.policy import player
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.thinking.advice import position_in

app = typer.Typer(add_completion=False)


class Policy(StrEnum):
    """The automatic players."""

    RANDOM = "random"
    GOOD = "good"
    EXPERT = "expert"


@app.command()
@answers
def play(
    file: Path = typer.Argument(..., help="The game file; pbcg st new makes one."),
    listed: Path | None = typer.Option(
        None, "--answers", help="Answer from a file; where it ends, you are asked."
    ),
    auto: Policy | None = typer.Option(
        None, "--auto", help="Let an automatic player answer for the British."
    ),
    until: int = typer.Option(
        0, "--until", show_default=False, metavar="TURN", help="Stop where this turn begins."
    ),
) -> Answer:
    """Play on where the game stands; every answer is kept at once."""
    if auto and listed:
        raise PBCGError("Give --answers or --auto, not both.")
    answered = ListedAnswers.read(listed) if listed else None
    with OpenGame.open(file, game=AreaGame.name) as game:
        session = game.session

        def stop() -> bool:
            return 0 < until <= int(session.state.turn)

        if auto:
            with _decided_by(session, automatic_name(auto.value)):
                drive(session, _automatic(auto, session), game.dice, until=stop)
        has_quit = False
        if listed and answered:
            has_quit = _left_at_list(game, listed, answered, stop)
        if not (auto or has_quit) and session.pending is not None and not stop():
            _ask(game, stop)
        return Answer(facts(session), lambda _: _tell_end(session, file))


def _left_at_list(
    game: OpenGame, answers: Path, listed: ListedAnswers, stop: Callable[[], bool]
) -> bool:
    """Answer from the file; whether the player left where his dice were asked for."""
    try:
        done = drive_listed(game, answers, listed, stop, lambda: _terminal(game, stop))
    except Leave:
        return True
    if not done and not stop():
        typer.echo("The answers file ends here; the rest is asked.", err=True)
    if listed.unused:
        typer.echo(listed.unused, err=True)
    return False


@contextmanager
def _decided_by(session: Session[State], name: str) -> Iterator[None]:
    """Write down that ``name`` decides for the British, and afterwards who did before."""
    journal = session.journal
    before = deciders(journal).get(BRITISH, str(journal.meta("player") or PERSON))

    def hand(to: str) -> None:
        with session.together():
            hand_over(journal, BRITISH, to, session.step.id if session.step else "")

    if session.pending is None:
        yield
        return
    hand(name)
    try:
        yield
    finally:
        if session.pending is not None:
            hand(before)


def _automatic(policy: Policy, session: Session[State]) -> Answers:
    seed = session.journal.meta("seed") or 0
    if policy is Policy.EXPERT:
        return Expert(session, seed)
    return Automatic(policy.value, seed)


def _ask(game: OpenGame, stop: Callable[[], bool]) -> None:
    terminal = _terminal(game, stop)
    game.throw_by_itself()
    terminal.play(stop)


def _terminal(game: OpenGame, stop: Callable[[], bool]) -> Terminal:
    manner = StManner()
    terminal = Terminal(Seat(game, BRITISH), manner)
    if game.session.journal.standing():
        manner.catch_up()
    else:
        welcome(terminal.screen.console)
    game.until = stop
    game.note_change()
    return terminal


def _tell_end(session: Session[State], file: Path) -> None:
    if session.state.over:
        assert session.state.result
        print_score(Sentences(), session.state.result, session.state)
        typer.echo(
            f"{in_quotes('st', 'records', file, '-o', 'game.pdf')} prints the sheets of the game."
        )
    else:
        typer.echo(f"Kept up to here. {in_quotes('st', 'play', file)} goes on.")


class Automatic:
    """An automatic player as one who answers a session."""

    def __init__(self, policy: str, seed: int) -> None:
        self._player = player(policy, seed)  # type: ignore[arg-type]

    def answer(self, prompt: Prompt) -> Any:
        """Return the player's answer."""
        return self._player.answer(prompt)

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """None: the game's own dice are thrown."""
        return None

    def hear_refusal(self, prompt: Prompt | Roll, error: Exception) -> None:
        """An automatic player answers legally; if not, the program is wrong."""
        raise AssertionError(f"automatic answer to {prompt.id} refused: {error}") from error


class Expert(Automatic):
    """The expert at a session: what has happened there is what he thinks from."""

    def __init__(self, session: Session[State], seed: int) -> None:
        super().__init__("good", seed)

        self._session = session
        self._expert = ExpertPlayer(seed, rules_of(session))

    def answer(self, prompt: Prompt) -> Any:
        """Return the answer that promises most."""
        if prompt.id in WEIGHED_AT and (position := position_in(self._session)):
            followed = self._expert.followed
            followed.state, followed.sent = position.state, list(position.sent)
        return self._expert.answer(prompt)
