"""Orders by counter in a front end without a keyboard: what is answered because of one order.

The terminal has its own (``cli/area_commands/st_manner.py``). Both use
``st/british/standing_orders.py``, so that the same words do the same and nobody is asked what needs
no answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from asl_pbcg.kernel.errors import IllegalAnswer, NeedsReason, PBCGError
from asl_pbcg.play.player_orders import PlayerOrders
from asl_pbcg.play.refusals import Moved
from asl_pbcg.play.seat import Seat
from asl_pbcg.st.british.orders import ACTION_POINTS, FIRE_POINTS, UNIT_POINTS, end_of
from asl_pbcg.st.british.standing_orders import TypedOrders, worth_a_look
from asl_pbcg.st.state.decision import Decision

_WITHIN = frozenset({"stack", "firers"})
"""Questions in the middle of an order: to undo one is to undo what led to it."""


class AreaOrders(PlayerOrders):
    """The orders of one player at one game file.

    ``said`` is what must be told beside the log: why words typed ahead were not carried out.
    """

    def __init__(self) -> None:
        super().__init__()
        self._typed = TypedOrders()
        self._marks: list[int] = []
        """How many entries stood before each order."""

    def give(self, seat: Seat, line: str, seq: int) -> None:
        """Carry out the orders of ``line`` as far as they go; all of it is kept.

        Raises Moved if the game has gone on since ``seq``, IllegalAnswer for what is not an order.
        """
        decision = _decision(seat)
        if seq != seat.seq or decision is None:
            raise Moved("The game has gone on since you looked: look again.")
        before, line_count = _standing(seat), len(seat.lines())
        self.said = []
        words = line.split()
        first = words[0].lower() if words else ""
        if first in ("split", "join"):
            self._break_down(seat, decision, first, words[1:])
            return
        if first == "f" and words[1:] in (["ask"], ["auto"]):
            self._typed.standing.fire = "ask" if words[1] == "ask" else "auto"
            return
        if first in ("end", "ee") and len(words) == 1:
            self._end(seat)
            return
        if decision.id == "break_down" and line not in decision.ids:
            seat.answer(self._typed.standing.answer(decision), seq)
            decision, seq = _decision(seat), seat.seq
            if decision is None:
                raise Moved("The game has gone on since you looked: look again.")
        if first == "e" and len(words) == 1 and (end := end_of(decision)) is not None:
            self._typed.forget()
            value = end
        else:
            value = self._typed.take(decision, line)
            if value == line and line not in decision.ids:
                raise IllegalAnswer(f'"{line}" is not an order here.', decision.rule)
        try:
            seat.answer(value, seq)
        except PBCGError:
            self._typed.forget()
            raise
        self._mark(before)
        self.go_on(seat, line_count)

    def _end(self, seat: Seat) -> None:
        """The phase is over, whatever unit is asked about."""
        before, line_count = _standing(seat), len(seat.lines())
        self._typed.forget()
        while (decision := _decision(seat)) is not None:
            if decision.id not in UNIT_POINTS | ACTION_POINTS | FIRE_POINTS:
                raise IllegalAnswer("This must be answered before the phase can end.", "")
            seat.answer(end_of(decision))
            if decision.id in UNIT_POINTS | FIRE_POINTS:
                break
        self._mark(before)
        self.go_on(seat, line_count)

    @property
    def fire(self) -> str:
        """Whether every Opportunity Fire is asked (``ask``) or only where in doubt (``auto``)."""
        return self._typed.standing.fire

    def _break_down(self, seat: Seat, decision: Decision, kind: str, units: list[str]) -> None:
        """Split or join: at once if the phase has just begun, else when the next one begins."""
        for word in units or [""]:
            self._typed.wish(decision.situation, kind, word)
        standing = seat.game.session.journal.standing()
        if standing and standing[-1].point == "break_down":
            seat.game.session.undo()
            seat.game.note_change()
        elif decision.id != "break_down":
            self.said = ["That is done when your next Movement Phase begins."]
            return
        self.go_on(seat, len(seat.lines()))

    @contextmanager
    def going_on(self, seat: Seat) -> Iterator[None]:
        """Go on after an answer that is given by itself within the context."""
        before, line_count = _standing(seat), len(seat.lines())
        yield
        self._typed.forget()
        self.said = []
        self._mark(before)
        self.go_on(seat, line_count)

    def go_on(self, seat: Seat, line_count: int) -> None:
        """Answer what was typed ahead or need not be asked; ``line_count`` lines are old."""
        while (decision := _decision(seat)) is not None:
            news = worth_a_look(seat.lines()[line_count:]) if self._typed.waiting else False
            value = self._typed.answer(decision, news)
            self.said += self._typed.said
            self._typed.said = []
            if value is None:
                return
            try:
                seat.answer(value)
            except IllegalAnswer as error:
                self._typed.forget()
                self.said.append(str(error))
                return

    def undo(self, seat: Seat, reason: str) -> None:
        """Undo the last order with all it brought. Raises NeedsReason where dice fell."""
        now = _standing(seat)
        while self._marks and self._marks[-1] >= now:
            self._marks.pop()
        if not self._marks:
            seat.undo(reason)
            while (decision := _decision(seat)) is not None and decision.id in _WITHIN:
                seat.undo(reason)
        else:
            first = self._marks[-1]
            later = seat.game.session.journal.standing()[first:]
            if not reason and any(entry.kind == "roll" for entry in later):
                raise NeedsReason(
                    "Since then dice were thrown: that can be undone only with a reason, "
                    "which stays in the log."
                )
            while _standing(seat) > first:
                seat.undo(reason)
            self._marks.pop()
        self.said = []
        self._typed.forget()

    def _mark(self, before: int) -> None:
        while self._marks and self._marks[-1] >= before:
            self._marks.pop()
        self._marks.append(before)


def _decision(seat: Seat) -> Decision | None:
    pending = seat.game.session.pending
    return pending if isinstance(pending, Decision) else None


def _standing(seat: Seat) -> int:
    return len(seat.game.session.journal.standing())
