"""A script answered without a file: questions one after the other, undone by asking again.

A campaign keeps its answers in a journal (``session.py``). What only makes something, as a position
from a save, needs none: its answers live as long as the program asks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from asl_pbcg.kernel.answers import Answers, let_answer
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Note, Prompt, Roll, Script
from asl_pbcg.kernel.views import LogLine

T = TypeVar("T")


@dataclass(frozen=True)
class Heading:
    """The words at the head of its prompts."""

    id: str
    title: str


class Dialogue(Generic[T]):
    """One script and the answers it has got; ``pending`` waits, ``result`` is there at the end."""

    def __init__(self, begin: Callable[[], Script[T]], heading: Heading) -> None:
        self.begin = begin
        self.step = heading
        self._answers: list[Any] = []
        self._points: list[str] = []
        self._start()

    def _start(self) -> None:
        self._lines: list[LogLine] = []
        self._script = self.begin()
        self.pending: Prompt | None = None
        self._result: T | None = None
        self.done = False
        self._send(None)

    def _send(self, value: Any) -> None:
        try:
            asked = self._script.send(value)
            while isinstance(asked, Note):
                self._lines.append(LogLine.of_note(self.step.id, asked))
                asked = self._script.send(None)
        except StopIteration as finished:
            self.pending, self._result, self.done = None, finished.value, True
            return
        if isinstance(asked, Roll):
            raise TypeError("a dialogue throws no dice")
        self.pending = asked

    @property
    def result(self) -> T:
        """Return what the script settled; raises PBCGError while something is asked."""
        if not self.done:
            raise PBCGError("There are questions left.")
        return self._result  # type: ignore[return-value]

    @property
    def rolls(self) -> int:
        """No dice are thrown."""
        return 0

    def lines(self) -> list[LogLine]:
        """Return what has been told and answered so far."""
        return list(self._lines)

    def answer(self, value: Any) -> None:
        """Answer what waits. Raises IllegalAnswer; nothing has changed then."""
        if self.pending is None:
            raise PBCGError("Nothing is asked now.")
        asked = self.pending
        stored = asked.check(value)
        self._answers.append(stored)
        self._points.append(asked.id)
        self._take(asked, stored)

    def _take(self, asked: Prompt, stored: Any) -> None:
        self._lines.append(LogLine.of(self.step.id, asked, stored))
        self._send(stored)

    def undo(self, reason: str = "") -> _TakenBack:
        """Undo the last answer and ask again. Raises PBCGError if there is none."""
        if not self._answers:
            raise PBCGError("Nothing has been answered yet.")
        self._answers.pop()
        point = self._points.pop()
        answers = list(self._answers)
        self._start()
        for stored in answers:
            assert self.pending
            self._take(self.pending, stored)
        return _TakenBack(point)


@dataclass(frozen=True)
class _TakenBack:
    point: str


def converse(dialogue: Dialogue[T], answers: Answers) -> bool:
    """Let ``answers`` answer all that is asked; False if whoever answers leaves before the end."""
    while dialogue.pending is not None:
        asked = dialogue.pending

        def give(asked: Prompt = asked) -> None:
            dialogue.answer(answers.answer(asked))

        if not let_answer(answers, asked, give):
            return False
    return True


def likeliest(prompt: Prompt) -> Any:
    """Return the default answer to a prompt; without one the first legal option."""
    return prompt.check(prompt.legal[0].id if prompt.default is None else prompt.default)


def by_default(script: Script[T]) -> tuple[T, list[Prompt]]:
    """Run a script with the likeliest answer to every prompt, and give what was asked."""
    asked: list[Prompt] = []
    sent: Any = None
    while True:
        try:
            item = script.send(sent)
        except StopIteration as finished:
            settled: T = finished.value
            return settled, asked
        sent = None
        if isinstance(item, Prompt):
            asked.append(item)
            sent = likeliest(item)
