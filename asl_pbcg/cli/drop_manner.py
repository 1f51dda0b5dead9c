"""How a drop speaks at the terminal: program dice fall at once, real ones may be typed in a row."""

from __future__ import annotations

from typing import Any

from asl_pbcg.cli.manner import Manner
from asl_pbcg.cli.terminal_keys import Shown
from asl_pbcg.play.asked import AskedPrompt, AskedRoll


class DropManner(Manner):
    """The manner of a drop; with ``defaults`` every question gets its default.

    Real dice may be typed several at once: ``3 5 1 6`` serves this roll and the next of its kind.
    """

    def __init__(self, defaults: bool = False) -> None:
        self._defaults = defaults

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
        """The default if nobody is asked."""
        return asked.default if self._defaults else None
