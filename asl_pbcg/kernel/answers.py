"""Answer a game's prompts: from a file, at random, by default, or in a dialogue without a file.

``drive`` answers a session until nothing waits. ``Dialogue`` runs one script whose answers live in
memory only, as when a position is made from a save; it is undone by asking again. A campaign keeps
its answers in a journal (``kernel/session.py``).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from asl_pbcg.kernel.dice import Dice
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Note, Prompt, Roll, Script
from asl_pbcg.kernel.reader import Reader
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.kernel.wording import stands_in


class Leave(Exception):
    """The one who answers wants to stop here; everything is kept."""


class Again(Exception):
    """The session has moved (an undo): look at what waits now and ask again."""


class Answers(Protocol):
    """Whoever answers prompts, and may bring dice of their own."""

    def answer(self, prompt: Prompt) -> Any:
        """Return the answer to ``prompt``; raises Leave to stop, Again after an undo."""
        ...

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """Return the dice for ``roll``, or None for the campaign's dice to be thrown."""
        ...

    def hear_refusal(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """Hear that the answer was illegal; raises if there is no point in asking again."""
        ...


class RandomAnswers:
    """Legal random answers, the same for the same seed."""

    def __init__(self, seed: int | str) -> None:
        self._source = random.Random(f"answers/{seed}")

    def answer(self, prompt: Prompt) -> Any:
        """A random legal answer."""
        return prompt.random_answer(self._source)

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """None: the campaign's own dice are thrown."""
        return None

    def hear_refusal(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """A random answer is legal; if it is not, the program is wrong."""
        raise AssertionError(f"random answer to {prompt.id} refused: {error}") from error


def _read_entries(listed: Any, reader: Reader) -> list[tuple[str, Any]]:
    """Return the decision point and the answer of each entry of an answers file."""
    entries = []
    if not isinstance(listed, list):
        reader.fault("answers", "", "must be a list")
        return []
    for number, item in enumerate(listed, 1):
        if isinstance(item, dict) and len(item) == 1:
            ((point, answer),) = item.items()
            entries.append((str(point), answer))
        else:
            reader.fault(f"answer {number}", "" if isinstance(item, dict) else item, _LINE)
    return entries


class ListedAnswers:
    """Answers from a file or list, in order: each names its decision point and the answer.

    A decision point may be followed by what the question is about, a piece, hex or side: the entry
    ``("9.606.2 b-648-3", "stay")`` answers that question only. ``otherwise`` answers, as often as
    it is asked, what the entries do not come to. A roll takes its dice from the file if the next
    entry names it, else they are thrown; with ``listed_dice`` that is a mistake. Where a document
    is asked for, ``read_document`` reads the file that the answer names.
    """

    def __init__(
        self,
        entries: list[tuple[str, Any]],
        source: str = "the answers",
        read_document: Callable[[str], Any] | None = None,
        otherwise: Mapping[str, Any] | None = None,
        listed_dice: bool = False,
        called: Callable[[str], str] = str,
    ) -> None:
        self._entries = entries
        self._called = called
        self._next = 0
        self._source = source
        self.read_document = read_document
        self._otherwise = dict(otherwise or {})
        self._listed_dice = listed_dice
        self._last = ""

    @classmethod
    def read(
        cls,
        path: Path,
        read_document: Callable[[str], Any] | None = None,
        only: tuple[str, ...] = ("",),
        without: tuple[str, ...] = (),
        called: Callable[[str], str] = str,
    ) -> ListedAnswers:
        """Read an answers file (YAML or JSON).

        Raises PBCGError for anything else, FaultsError with every fault.

        ``only`` takes the entries whose decision point begins so, ``without`` leaves such out: one
        file may answer first what a save asks and then the Refit Phase. ``called`` gives what
        questions call a thing that the file names by its id.
        """
        raw = read_yaml_or_json(path)
        if not isinstance(raw, dict) or raw.get("format") != "pbcg-answers/1":
            raise PBCGError(
                f"{path} is not an answers file: its first line must be format: pbcg-answers/1."
            )
        reader = Reader(str(path))
        reader.unknown("", raw, _KEYS)
        dice = raw.get("dice", "campaign")
        if dice not in ("campaign", "listed"):
            reader.fault("dice", dice, "must be campaign or listed")
        entries = _read_entries(raw.get("answers", []), reader)
        otherwise = raw.get("otherwise", {})
        if not isinstance(otherwise, dict):
            reader.fault("otherwise", "", _LINE)
        reader.raise_faults()

        def is_wanted(point: str) -> bool:
            return point.startswith(only) and not point.startswith(without)

        return cls(
            [(point, answer) for point, answer in entries if is_wanted(point)],
            str(path),
            read_document,
            {str(point): answer for point, answer in otherwise.items() if is_wanted(str(point))},
            dice == "listed",
            called,
        )

    @property
    def left(self) -> int:
        """Return how many answers have not been used."""
        return len(self._entries) - self._next

    @property
    def unused(self) -> str:
        """A sentence about the first answer that nobody asked for; empty if all were used."""
        if not self.left:
            return ""
        point, _ = self._entries[self._next]
        return f"{self._source}, answer {self._next + 1} is for {point}: that was not asked."

    def answer(self, prompt: Prompt) -> Any:
        """The next answer; raises Leave at the end, PBCGError if it answers something else."""
        answer = prompt.in_present_words(self._find(prompt))
        if answer == DEFAULT and prompt.default is not None:
            return prompt.default
        is_name = isinstance(answer, str) and answer != prompt.default
        if prompt.kind == "document" and is_name and self.read_document:
            return self.read_document(answer)
        return answer

    def _find(self, prompt: Prompt) -> Any:
        if self.left:
            point, answer = self._entries[self._next]
            if self._fits(point, prompt):
                self._next += 1
                self._last = f"answer {self._next}"
                return answer
        found = self._in_otherwise(prompt)
        if found is not None:
            return found[1]
        if [option.id for option in prompt.options] == [prompt.default]:
            return prompt.default  # there is nothing to choose
        if not self.left:
            raise Leave
        point, _ = self._entries[self._next]
        about = f", about {prompt.where}" if prompt.where else ""
        raise PBCGError(
            f"{self._source}, answer {self._next + 1} is for {point}, but the question is "
            f"{prompt.id}{about}: {prompt.text}"
        )

    def _fits(self, key: str, asked: Prompt | Roll) -> bool:
        """Whether an entry under ``key`` is for ``asked``: its point, and what it is about."""
        point, _, about = key.partition(" ")
        if point != asked.id:
            return False
        about = about.strip()
        return (
            not about
            or about in (asked.about, asked.where, asked.side)
            or asked.about.startswith(f"{about} ")  # a part of a piece
            or any(
                stands_in(name, text)
                for name in {about, self._called(about)}
                for text in (asked.text, asked.where)
            )
        )

    def _in_otherwise(self, asked: Prompt | Roll) -> tuple[str, Any] | None:
        """The entry for ``asked``: one that says what it is about goes before one that does not."""
        found = [key for key in self._otherwise if self._fits(key, asked)]
        if not found:
            return None
        key = max(found, key=len)
        self._last = f"otherwise {key}"
        return key, self._otherwise[key]

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """Return the dice of the next entry if it names this roll."""
        if self.left and self._fits(self._entries[self._next][0], roll):
            faces = self._entries[self._next][1]
            self._next += 1
            self._last = f"answer {self._next}"
        elif (found := self._in_otherwise(roll)) is not None:
            faces = found[1]
        elif self._listed_dice:
            raise PBCGError(
                f"{self._source} has no dice for {roll.id}: {roll.text} ({roll.spec})."
                + (f" {self.unused}" if self.left else "")
            )
        else:
            return None
        if isinstance(faces, int):
            faces = [faces]
        if not isinstance(faces, list) or not all(isinstance(face, int) for face in faces):
            raise PBCGError(f"{self._source}, {self._last}: dice are numbers, as [3, 4].")
        return tuple(faces)

    def hear_refusal(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """An illegal answer in a file ends the run with the file's place."""
        raise PBCGError(f"{self._source}, {self._last} ({prompt.id}): {error}") from error


DEFAULT = "default"
"""An answer in a file that takes what Enter would at the terminal."""
_LINE = "must be a decision point, a colon and the answer"
_KEYS = ("format", "dice", "answers", "otherwise")


def drive(
    session: Session[Any],
    answers: Answers,
    dice: Dice,
    after_roll: Callable[[Roll, Rolled], None] | None = None,
    until: Callable[[], bool] | None = None,
) -> bool:
    """Answer all prompts and throw all dice until nothing waits, or ``until`` says to stop.

    Returns False when the one who answers left before the end.
    """
    while (asked := session.pending) is not None:
        if until and until():
            return True
        if not let_answer(
            answers, asked, partial(_give, session, answers, dice, asked, after_roll)
        ):
            return False
    return True


def let_answer(answers: Answers, asked: Prompt | Roll, give: Callable[[], None]) -> bool:
    """Let ``give`` answer what is asked; False if whoever answers leaves.

    Of an answer that is refused he hears why; it is asked again.
    """
    try:
        give()
    except IllegalAnswer as error:
        answers.hear_refusal(asked, error)
    except Again:
        pass
    except Leave:
        return False
    return True


def _give(
    session: Session[Any],
    answers: Answers,
    dice: Dice,
    asked: Prompt | Roll,
    after_roll: Callable[[Roll, Rolled], None] | None,
) -> None:
    if not isinstance(asked, Roll):
        session.answer(answers.answer(asked))
        return
    faces, by = answers.dice(asked), "table"
    if faces is None:
        faces, by = session.dice(dice), "program"
    rolled = session.throw(faces, by)
    if after_roll:
        after_roll(asked, rolled)


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
