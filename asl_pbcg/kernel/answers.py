"""Ways to answer: a script file, random legal play, and the loop that drives a session."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from asl_pbcg.kernel.dice import Dice
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.tables import Rolled


class Leave(Exception):
    """The one who answers wants to stop here; everything is kept."""


class Again(Exception):
    """The session has moved (an undo): look at what waits now and ask again."""


class Answers(Protocol):
    """Whoever answers prompts, and may bring dice of their own."""

    def answer(self, prompt: Prompt) -> Any:
        """The answer to ``prompt``; raises Leave to stop, Again after an undo."""
        ...

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """The dice for ``roll``, or None for the campaign's dice to be thrown."""
        ...

    def refused(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
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

    def refused(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """A random answer is legal; if it is not, the program is wrong."""
        raise AssertionError(f"random answer to {prompt.id} refused: {error}") from error


class ListedAnswers:
    """Answers from a file or list, in order: each names its decision point and the answer.

    A roll takes its dice from the file if the next entry names it, else they are thrown. Where a
    document is asked for, ``read_document`` reads the file that the answer names.
    """

    def __init__(
        self,
        entries: list[tuple[str, Any]],
        source: str = "the answers",
        read_document: Callable[[str], Any] | None = None,
    ) -> None:
        self._entries = entries
        self._next = 0
        self._source = source
        self._read_document = read_document

    @classmethod
    def read(cls, path: Path, read_document: Callable[[str], Any] | None = None) -> ListedAnswers:
        """Read an answers file (YAML or JSON); raises PBCGError for anything else."""
        from asl_pbcg.kernel.textfiles import read_yaml_or_json

        raw = read_yaml_or_json(path)
        if not isinstance(raw, dict) or raw.get("format") != "pbcg-answers/1":
            raise PBCGError(
                f"{path} is no answers file: its first line must be format: pbcg-answers/1."
            )
        listed = raw.get("answers")
        if not isinstance(listed, list):
            raise PBCGError(f"{path}: answers must be a list.")
        entries = []
        for number, item in enumerate(listed, 1):
            if not isinstance(item, dict) or len(item) != 1:
                raise PBCGError(
                    f"{path}, answer {number}: write the decision point, a colon and the answer."
                )
            ((point, answer),) = item.items()
            entries.append((str(point), answer))
        return cls(entries, str(path), read_document)

    @property
    def left(self) -> int:
        """How many answers have not been used."""
        return len(self._entries) - self._next

    def answer(self, prompt: Prompt) -> Any:
        """The next answer; raises Leave at the end, PBCGError if it answers something else."""
        if not self.left:
            raise Leave
        point, answer = self._entries[self._next]
        if point != prompt.id:
            raise PBCGError(
                f"{self._source}, answer {self._next + 1} is for {point}, but the question is "
                f"{prompt.id}: {prompt.text}"
            )
        self._next += 1
        is_name = isinstance(answer, str) and answer != prompt.default
        if prompt.kind == "document" and is_name and self._read_document:
            return self._read_document(answer)
        return answer

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """The dice of the next entry if it names this roll."""
        if not self.left or self._entries[self._next][0] != roll.id:
            return None
        faces = self._entries[self._next][1]
        self._next += 1
        if isinstance(faces, int):
            faces = [faces]
        if not isinstance(faces, list) or not all(isinstance(face, int) for face in faces):
            raise PBCGError(f"{self._source}, answer {self._next}: dice are numbers, as [3, 4].")
        return tuple(faces)

    def refused(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """An illegal answer in a file ends the run with the file's place."""
        raise PBCGError(f"{self._source}, answer {self._next} ({prompt.id}): {error}") from error


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
        try:
            if isinstance(asked, Roll):
                faces = answers.dice(asked)
                if faces is None:
                    faces = dice.throw(asked.spec, session.rolls, asked.text)
                rolled = session.throw(faces)
                if after_roll:
                    after_roll(asked, rolled)
            else:
                session.answer(answers.answer(asked))
        except IllegalAnswer as error:
            answers.refused(asked, error)
        except Again:
            continue
        except Leave:
            return False
    return True
