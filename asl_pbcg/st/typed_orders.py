"""Orders as they are typed over several questions: words that wait, standing orders, wishes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.st.decision import Decision
from asl_pbcg.st.orders import ACTION_POINTS, FIRE_POINTS, UNIT_POINTS, numbered, read_order
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.standing_orders import StandingOrders, spared_firers

_GOING = ("move ", "arrow ")


class TypedOrders:
    """What a player has typed and not yet been asked for; ``said`` is what he must be told."""

    def __init__(self) -> None:
        self.standing = StandingOrders()
        self.said: list[str] = []
        self._queue: list[str] = []
        self._group: list[str] = []
        """The units of a stack that were named one by one."""
        self._before: dict[str, object] = {}
        self._ask_once = False

    @property
    def waiting(self) -> bool:
        """Whether words wait for their questions."""
        return bool(self._queue)

    def forget(self) -> None:
        """Drop the words that wait."""
        self._queue, self._group, self.standing.chosen = [], [], ""

    def ask_next(self) -> None:
        """The next question is asked whatever the standing orders say: something was undone."""
        self.forget()
        self._ask_once = True

    # -- without a question ---------------------------------------------------------------

    def answer(self, prompt: Prompt, news: bool) -> Any:
        """The answer that need not be typed any more, or None. ``news``: something has happened."""
        if not isinstance(prompt, Decision) or not prompt.situation.state.ready:
            return None
        if self._ask_once:
            self._ask_once = False
            return None
        if self._queue:
            return self._queued(prompt, news)
        if prompt.id == "firers":
            target, choices = prompt.choices
            answers, said = spared_firers(prompt.situation, target, choices)
            self.said += said
            return answers
        return self.standing.answer(prompt)

    def _queued(self, prompt: Decision, news: bool) -> Any:
        """The next of the words that were typed ahead."""
        if prompt.id == "stack":
            group, self._group = self._group, []
            return [id for id in prompt.ids if id in group] if group else list(prompt.ids)
        if prompt.id == "firers":
            return self.take(prompt, " ".join(self._drain()))
        if prompt.id not in UNIT_POINTS | ACTION_POINTS:
            return self.standing.answer(prompt)
        line = " ".join(self._queue)
        try:
            order = read_order(prompt, line)
        except PBCGError as error:
            self.forget()
            self.said.append(str(error))
            return None
        assert order
        answer = str(order.answer)
        if self._hurt(prompt.situation) or (news and answer.startswith(_GOING)):
            self.forget()
            self.said.append(f'Something has happened, so "{line}" waits for you to look first.')
            return None
        self._queue = list(order.rest)
        self._group = list(order.group)
        if prompt.id in UNIT_POINTS:
            self._watch(prompt.situation, order.group or (answer,))
        return order.answer

    def _drain(self) -> list[str]:
        words, self._queue = self._queue, []
        return words

    def _watch(self, sit: Situation, units: Sequence[str]) -> None:
        """Remember how the units are that an order is for."""
        self._before = {unit: _condition(sit, unit) for unit in units if unit in sit.units}

    def _hurt(self, sit: Situation) -> bool:
        """Whether one of the units that the order is for is worse off than when it was given."""
        return any(_condition(sit, unit) != before for unit, before in self._before.items())

    # -- what is typed --------------------------------------------------------------------

    def take(self, prompt: Decision, typed: str) -> Any:
        """What was typed as an answer; words for later questions wait.

        Raises IllegalAnswer with a sentence for what is no order here.
        """
        try:
            order = read_order(prompt, typed)
        except IllegalAnswer:
            raise
        except PBCGError as error:
            raise IllegalAnswer(str(error), prompt.rule) from error
        if order is None:
            return typed
        self._queue = list(order.rest)
        self._group = list(order.group)
        self.standing.chosen = ""
        if prompt.id in UNIT_POINTS:
            self._watch(prompt.situation, order.group or (str(order.answer),))
            if not self._queue:
                self.standing.chosen = str(order.answer)
            elif order.group:
                # The question who goes together is answered by the same line.
                pass
        elif prompt.id not in FIRE_POINTS:
            self._watch(prompt.situation, prompt.subject)
        return order.answer

    def wish(self, sit: Situation, kind: str, word: str) -> str:
        """A platoon is to split, or its squads to join: the answer it takes. ST-BRK-01, ST-BRK-03.

        Raises PBCGError for what can neither split nor join.
        """
        unit = numbered(sit, word)
        platoon = sit.rules.platoon_of.get(unit, unit)
        if platoon not in sit.rules.squads:
            raise PBCGError(f"Number {word or '?'} is no platoon of two squads.")
        wish = f"{kind} {platoon}"
        if wish not in self.standing.wishes:
            self.standing.wishes.append(wish)
        return wish


def _condition(sit: Situation, unit: str) -> object:
    found = sit.units[unit]
    return (found.status, found.lost, found.suppressed, found.wounded)
