"""Orders as they are typed over several questions: words that wait, standing orders, wishes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any

from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.st.orders import (
    ACTION_POINTS,
    FIRE_POINTS,
    UNIT_POINTS,
    names_firer,
    read_order,
    unit_numbered,
)
from asl_pbcg.st.rules.decision import Decision
from asl_pbcg.st.rules.phase_situation import Situation
from asl_pbcg.st.standing_orders import StandingOrders, spared_firers

_GOING = ("move ", "arrow ", "enter-bunker", "leave-bunker")
_OWN_DOING = frozenset({"ST-GEN-08", "ST-POW-06", "ST-PRE-03", "ST-BRN-05", "ST-BRK-01"})
"""The rules of notes that say no more than the player ordered.

Things are taken, left or handed over, a position is begun, units enter, a platoon splits.
"""


class TypedOrders:
    """Orders typed ahead of their questions; ``said`` holds messages to the player."""

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
        """Tell whether words wait for their questions."""
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
        if not isinstance(prompt, Decision):
            return None
        if self._ask_once:
            self._ask_once = False
            return None
        if self._queue:
            return self._next_queued(prompt, news)
        if prompt.id == "firers":
            return self._spare(prompt)
        return self.standing.answer(prompt)

    def _spare(self, prompt: Decision) -> list[str]:
        """Return all who are of use fire, but for those whom a gun still needs."""
        target, choices = prompt.choices
        answers, said = spared_firers(prompt.situation, target, choices)
        self.said += said
        return answers

    def _next_queued(self, prompt: Decision, news: bool) -> Any:
        """Return the next of the words that were typed ahead."""
        if prompt.id == "stack":
            group, self._group = self._group, []
            return group or list(prompt.ids)
        if prompt.id in ("firers", "firer"):
            return self._named_firers(prompt)
        if prompt.id not in UNIT_POINTS | ACTION_POINTS | FIRE_POINTS:
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

    def _named_firers(self, prompt: Decision) -> Any:
        """Return who fires by the words after the target, or who is of use if none is named."""
        named = list(takewhile(names_firer, self._queue))
        if not named:
            return self._spare(prompt) if prompt.id == "firers" else None
        self._queue = self._queue[len(named) :]
        try:
            return self.take(prompt, " ".join(named))
        except PBCGError as error:
            self.forget()
            self.said.append(str(error))
            return None

    def _watch(self, sit: Situation, units: Sequence[str]) -> None:
        """Remember how the units are that an order is for."""
        self._before = {unit: _condition(sit, unit) for unit in units if unit in sit.units}

    def _hurt(self, sit: Situation) -> bool:
        """Whether one of the units that the order is for is worse off than when it was given."""
        return any(_condition(sit, unit) != before for unit, before in self._before.items())

    # -- what is typed --------------------------------------------------------------------

    def take(self, prompt: Decision, typed: str) -> Any:
        """Return what was typed as an answer; words for later questions wait.

        A question in the midst of an order leaves the words that wait already.
        Raises IllegalAnswer with a sentence for what is not an order here.
        """
        try:
            order = read_order(prompt, typed)
        except IllegalAnswer:
            raise
        except PBCGError as error:
            raise IllegalAnswer(str(error)) from error
        if order is None:
            return typed
        interjected = prompt.id not in UNIT_POINTS | ACTION_POINTS | FIRE_POINTS
        self._queue = [*order.rest, *self._queue] if interjected else list(order.rest)
        self._group = list(order.group)
        self.standing.chosen = ""
        if prompt.id in UNIT_POINTS:
            self._watch(prompt.situation, order.group or (str(order.answer),))
            if not self._queue:
                self.standing.chosen = str(order.answer)
        elif prompt.id not in FIRE_POINTS:
            self._watch(prompt.situation, prompt.pieces)
        return order.answer

    def wish(self, sit: Situation, kind: str, word: str) -> str:
        """A platoon is to split, or its squads to join: the answer it takes. ST-BRK-01, ST-BRK-03.

        Raises PBCGError for what can neither split nor join.
        """
        unit = unit_numbered(sit, word)
        platoon = sit.rules.platoon_of.get(unit, unit)
        if platoon not in sit.rules.squads:
            raise PBCGError(f"Number {word or '?'} is not a platoon of two squads.")
        wish = f"{kind} {platoon}"
        if wish not in self.standing.wishes:
            self.standing.wishes.append(wish)
        return wish


def worth_a_look(lines: Iterable[LogLine]) -> bool:
    """Tell whether what happened should be seen before a unit walks on.

    Opportunity Fire and looking out that changed nothing is not, nor is a weapon that was taken
    or a remark of a player; a counter turned up is.
    """
    idle = ("opportunity_fire_combat", "spotting.infantry", "spotting.tank")
    return any(
        line.kind in ("roll", "note")
        and line.point not in idle
        and not (line.kind == "note" and line.rule in _OWN_DOING)
        for line in lines
    )


def _condition(sit: Situation, unit: str) -> object:
    ordered = sit.units[unit]
    return (ordered.status, ordered.lost, ordered.suppressed, ordered.wounded)
