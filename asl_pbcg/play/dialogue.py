"""A script without a file, asked like a game: its answers live as long as the program asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from asl_pbcg.kernel.dialogue import Dialogue
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll, Script
from asl_pbcg.kernel.session import Session, Step
from asl_pbcg.kernel.views import Line
from asl_pbcg.play.game import OpenGame
from asl_pbcg.play.plug import Kind, NoCorrections, SheetName, StepState
from asl_pbcg.records.sheet import Sheet

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


class DialoguePlug(NoCorrections):
    """The plug of a dialogue: there is nothing but its questions."""

    kind: Kind = "campaign"
    game = DialogueGame.name

    def __init__(self, title: str, sides: tuple[str, ...] = ()) -> None:
        self._title = title
        self.sides = sides

    def session(self, journal: Journal) -> Session[Any]:
        """A dialogue stands in no file."""
        raise PBCGError("There is nothing to go on with.")

    def title(self, session: Session[Any]) -> str:
        """What it is about."""
        return self._title

    date = heading = title

    def next_thing(self, session: Session[Any]) -> str:
        """Nothing comes after it."""
        return ""

    def throws(self, roll: Roll, viewer: str) -> bool:
        """No dice are thrown."""
        return True

    def throws_itself(self, roll: Roll, typed: bool) -> bool:
        """No dice are thrown."""
        return False

    def undo(self, session: Session[Any], viewer: str, reason: str) -> str:
        """Take back the last answer."""
        return f"the answer to {session.undo(reason).point}"

    def steps(self, session: Session[Any], lines: Sequence[Line]) -> list[StepState]:
        """There is one step."""
        return []

    def facts(self, session: Session[Any], sees: str) -> dict[str, Any]:
        """There are none."""
        return {}

    def layers(self, session: Session[Any], sees: str, at: str) -> dict[str, Any] | None:
        """There is no map."""
        return None

    def piece(self, session: Session[Any], sees: str, id: str) -> dict[str, Any] | None:
        """There are no pieces."""
        return None

    def sheets(self, session: Session[Any], sees: str) -> list[SheetName]:
        """There are no sheets."""
        return []

    def sheet(
        self, session: Session[Any], sees: str, names: Sequence[str], paper: str
    ) -> list[Sheet]:
        """There are no sheets."""
        return []

    def read_document(self, session: Session[Any], prompt: Prompt, path: str) -> Any:
        """No file is asked for."""
        raise PBCGError("No file is asked for here.")
