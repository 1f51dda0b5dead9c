"""What the umpire typed ahead with a line: real dice, and real cards as they fell."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from asl_pbcg.kernel.dice import DiceSpec, KeyedDice
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.megagame.cards import Card, words
from asl_pbcg.megagame.house import DEAL, RULE, STOP
from asl_pbcg.megagame.outcome import Outcome

Throw = Callable[[Roll], tuple[int, ...]]


class LineDice:
    """The dice of one line: those typed, in the order they are asked for, or the program's.

    Typed dice must be all the dice of the line. ``ask`` brings a throw from somebody who can be
    asked; cards are always dealt by the program.
    """

    def __init__(
        self,
        seed: int | str,
        first: int,
        typed: tuple[int, ...] | None = None,
        ask: Throw | None = None,
        zero_is_ten: bool = False,
        own_seed: bool = False,
    ) -> None:
        self._program = KeyedDice(seed)
        self._number = first
        self._typed = (
            None if typed is None else [10 if d == 0 and zero_is_ten else d for d in typed]
        )
        self._ask = ask
        self._own_seed = own_seed
        self.other = ""
        """What was thrown in place of the table's own dice: real ones, or of a seed of the line."""

    def throw(self, roll: Roll) -> tuple[int, ...]:
        """The dice for ``roll``; raises IllegalAnswer when typed ones are missing or wrong."""
        number, self._number = self._number, self._number + 1
        if roll.id != DEAL:
            if self._typed is not None or self._ask:
                self.other = "real dice"
            if self._typed is not None:
                return self._next_typed(roll)
            if self._ask:
                return self._ask(roll)
        if self._own_seed:
            self.other = self.other or "dice of a seed of its own"
        return self._program.throw_in(roll.spec, b"", str(number))

    def _next_typed(self, roll: Roll) -> tuple[int, ...]:
        assert self._typed is not None
        count = roll.spec.count
        here, self._typed = self._typed[:count], self._typed[count:]
        if 0 in here:
            raise IllegalAnswer("A die cannot show 0: it shows 1 to 10. With --zero a 0 is a 10.")
        DiceSpec(max(1, len(here)), roll.spec.sides).check(here or [1])
        if len(here) < count:
            if self._ask and not here:
                return self._ask(roll)
            missing = count - len(here)
            raise IllegalAnswer(
                f"{missing} {'die is' if missing == 1 else 'dice are'} missing for: {roll.text}. "
                "Type all dice of the line in one --dice, in the order they are asked for."
            )
        return tuple(here)

    def finish(self, outcome: Outcome) -> None:
        """Settle that no typed die is left over, but for one thrown for an elite unit."""
        if self._typed and not (outcome.do == "morale" and not outcome.thrown):
            left = " ".join(map(str, self._typed))
            raise IllegalAnswer(f"Too many dice: nothing is rolled with the last ({left}).")


class ListedCards:
    """The cards of a fight in the order in which they fell; then nobody plays any more."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self._left = list(cards)

    def __call__(self, prompt: Prompt) -> Any:
        """The next card, or none."""
        return self._left.pop(0).id if self._left else STOP

    def finish(self) -> None:
        """Settle that no card is left over; raises IllegalAnswer."""
        if self._left:
            raise IllegalAnswer(
                f"The fight was over before {words(self._left)}: a card too many, or a figure.",
                RULE,
            )
