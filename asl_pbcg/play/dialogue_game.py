"""A script without a file, asked like a game: its answers live as long as the program asks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from asl_pbcg.kernel.answers import Dialogue
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.kernel.session import Session, Step
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.plug import Plug

T = TypeVar("T")


class Asking(msgspec.Struct, frozen=True):
    """All there is to know of a dialogue between two questions."""

    done: bool = False


class DialogueGame(Generic[T]):
    """The one step of a dialogue, for the script runner."""

    name = "dialogue"

    def __init__(self, dialogue: Dialogue[T]) -> None:
        self._dialogue = dialogue

    def begin(self, settings: Mapping[str, Any]) -> Asking:
        """Nothing has been asked."""
        return Asking()

    def next_step(self, state: Asking) -> Step[Asking] | None:
        """The script, once."""
        heading = self._dialogue.step
        return None if state.done else Step(heading.id, heading.title, self._script)

    def _script(self, state: Asking) -> Script[Asking]:
        yield from self._dialogue.begin()
        return Asking(done=True)

    def encode(self, state: Asking) -> bytes:
        """Whether it is done."""
        return msgspec.json.encode(state)

    def decode(self, stored: bytes) -> Asking:
        """Whether it is done."""
        return msgspec.json.decode(stored, type=Asking)


def open_dialogue(dialogue: Dialogue[Any], path: Path, sides: tuple[str, ...] = ()) -> OpenGame:
    """A dialogue as a game that seats can be taken at; ``path`` is what it is about."""
    journal = Journal.in_memory({"settings": {}, "dice": "seeded", "seed": 0})
    session = Session(DialogueGame(dialogue), journal)
    return OpenGame(path, DialoguePlug(dialogue.step.title, sides), session, True)


class DialoguePlug(Plug):
    """The plug of a dialogue: there is nothing but its questions."""

    kind = "dialogue"
    called = "Questions"
    game = DialogueGame.name
    asks_one = True

    def __init__(self, title: str, sides: tuple[str, ...] = ()) -> None:
        self._title = title
        self.sides = sides

    def title(self, session: Session[Any]) -> str:
        """Return its subject."""
        return self._title

    def undo(self, session: Session[Any], viewer: str, reason: str) -> str:
        """Undo the last answer."""
        return f"the answer to {session.undo(reason).point}"
