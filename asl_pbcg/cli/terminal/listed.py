"""Answers from a file where the players throw real dice: dice it does not list are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from asl_pbcg.kernel.answers import Answers, Leave, drive
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt, Roll

if TYPE_CHECKING:
    from pathlib import Path

    from asl_pbcg.cli.terminal.terminal import Terminal
    from asl_pbcg.play.open_game import OpenGame


class WithRealDice:
    """Answers of somebody else; a roll of theirs without dice waits where real ones are thrown."""

    def __init__(self, game: OpenGame, others: Answers) -> None:
        self._game = game
        self._others = others

    def answer(self, prompt: Prompt) -> Any:
        """Return the answer of the others."""
        return self._others.answer(prompt)

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """Return the dice of the others; raises Leave where the players must throw."""
        faces = self._others.dice(roll)
        typed = self._game.typed_dice
        if faces is None and typed and not self._game.plug.throws_itself(roll, typed):
            raise Leave
        return faces

    def hear_refusal(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """The others hear of it."""
        self._others.hear_refusal(prompt, error)


def drive_listed(
    game: OpenGame,
    source: Path,
    answers: Answers,
    until: Callable[[], bool],
    make_terminal: Callable[[], Terminal],
) -> bool:
    """Answer from the file ``source``; real dice that it does not list are asked for one by one.

    Returns False where the answers end; raises Leave if the player left at a roll, PBCGError if
    the input had ended there.
    """
    terminal: Terminal | None = None
    listed = WithRealDice(game, answers)
    while not drive(game.session, listed, game.dice, until=until):
        game.note_change()
        roll = game.session.pending
        if not isinstance(roll, Roll):
            return False
        terminal = terminal or make_terminal()
        _ask_roll(game, roll, terminal)
        if game.session.pending is roll:
            if terminal.keyboard.ended:
                raise PBCGError(
                    f"{source} has no dice for {roll.id}: {roll.text} ({roll.spec.name}); real "
                    "dice are thrown in this game, and the input has ended. Everything up to here "
                    "is kept: list the dice, or go on at the terminal."
                )
            raise Leave
    game.note_change()
    return True


def _ask_roll(game: OpenGame, roll: Roll, terminal: Terminal) -> None:
    terminal.play(lambda: game.session.pending is not roll)
