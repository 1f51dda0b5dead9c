"""How a drop speaks at the terminal: program dice fall at once, real ones may be typed in a row."""

from __future__ import annotations

from typing import Any

from asl_pbcg.cli.drop_dice import read_dice
from asl_pbcg.cli.keys import Shown
from asl_pbcg.cli.manner import Manner
from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.play.asked import AskedPrompt, AskedRoll


class DropManner(Manner):
    """The manner of a drop; with ``defaults`` every question gets its default.

    Real dice may be typed several at once: ``3 5 1 6`` serves this roll and the next of its kind.
    """

    def __init__(self, defaults: bool = False) -> None:
        self._defaults = defaults
        self._queue: list[int] = []
        self._queued = ""

    def head(self, asked: Shown) -> str:
        """The title of the orders, then the rule and step."""
        sealed = self.terminal.seat.game.session.state.orders
        title = sealed.title if sealed else ""
        return "   ".join([title or "Drop", f"{asked.rule} {asked.step}".strip()])

    def hint(self, asked: Shown) -> str:
        """What may be typed, in a few words."""
        if isinstance(asked, AskedRoll):
            return "type the die, or several for the next rolls of this kind"
        return super().hint(asked)

    def ahead(self, asked: AskedPrompt) -> Any:
        """The default if nobody is asked; dice typed for the rolls before are not kept."""
        self.forget()
        return asked.default if self._defaults else None

    def ahead_dice(self, asked: AskedRoll) -> tuple[int, ...] | None:
        """The next of the dice typed in a row, if it was for rolls of this kind."""
        if self._queue and self._queued == asked.id:
            return (self._queue.pop(0),)
        self.forget()
        return None

    def read_dice(self, asked: AskedRoll, typed: str) -> tuple[int, ...]:
        """The die typed; more of them wait for the next rolls of this kind."""
        spec = DiceSpec.parse(asked.dice)
        try:
            faces = read_dice(typed, "These dice")
        except PBCGError as error:
            raise IllegalAnswer(str(error)) from error
        for face in faces:
            spec.check((face,))
        self._queue, self._queued = faces[1:], asked.id
        return (faces[0],)

    def forget(self) -> None:
        """Say that dice typed in a row were too many."""
        left, self._queue = len(self._queue), []
        if left:
            self.terminal.complain(f"{left} of the dice typed were too many and not used.")
