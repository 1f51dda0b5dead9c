"""A drop at the terminal: program dice fall at once, real ones may be typed in a row."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from asl_pbcg.airborne.drop_game import DropSession
from asl_pbcg.cli.terminal.manner import Manner, Shown
from asl_pbcg.cli.terminal.terminal import Terminal
from asl_pbcg.kernel.dice import Dice
from asl_pbcg.kernel.views import UMPIRE
from asl_pbcg.play.asked import AskedPrompt, AskedRoll
from asl_pbcg.play.drop import DropPlug
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat


class DropManner(Manner):
    """The manner of a drop at the terminal; with ``defaults`` every question gets its default.

    Real dice may be typed several at once: ``3 5 1 6`` serves this roll and the next of its kind.
    """

    def __init__(self, defaults: bool = False) -> None:
        self._defaults = defaults

    def head(self, asked: Shown) -> list[str]:
        """Return the title of the orders, then the rule and step."""
        sealed = self.terminal.seat.game.session.state.orders
        title = sealed.title if sealed else ""
        return [title or "Drop", f"{asked.rule} {asked.step}".strip()]

    def hint(self, asked: Shown) -> str:
        """Return what may be typed, in a few words."""
        if isinstance(asked, AskedRoll):
            return "type the die, or several for the next rolls of this kind"
        return super().hint(asked)

    def ahead(self, asked: AskedPrompt) -> Any:
        """Return the default if nobody is asked."""
        return asked.default if self._defaults else None


def play(
    session: DropSession, is_done: Callable[[], bool], manual: bool, source: Dice, defaults: bool
) -> bool:
    """Ask the person at the keyboard until a point is reached; False if they left before.

    With ``defaults`` only real dice are asked for.
    """
    game = OpenGame(session.journal.path or Path("drop.pbcg"), DropPlug(), session, True)
    game.typed_dice, game.dice = manual, source
    game.until = is_done
    terminal = Terminal(Seat(game, UMPIRE), DropManner(defaults))
    terminal.skip_told()  # what happened before is in the log
    game.throw_by_itself()
    return terminal.play(is_done)
