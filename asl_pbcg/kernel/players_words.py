"""The words that players put into a file: reasons, notes, hand-overs, paper assertions.

The same reads them where they are entered, and where ``verify`` finds them in a file.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, UnsetType, ValidationError

from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.foreign_text import LONGEST_NAME, read_line

MAX_REASON: Final = 500
MAX_NOTE: Final = 1_000
MAX_FACTS: Final = 200
MAX_FACT: Final = 200
"""The most characters of a fact of a paper roster with its value."""


class _NoteBody(msgspec.Struct, forbid_unknown_fields=True):
    text: str
    line: Annotated[str, Meta(max_length=MAX_NOTE)] = ""
    replaces: int | UnsetType = UNSET
    was: str = ""
    called: Annotated[str, Meta(max_length=MAX_NOTE)] = ""


_Fact = Annotated[str, Meta(min_length=1, max_length=MAX_FACT)]
_FactValue = Annotated[str, Meta(max_length=MAX_NOTE)] | int | float | None
_Facts = Annotated[dict[_Fact, _FactValue], Meta(min_length=1, max_length=MAX_FACTS)]


def check_reason(reason: str) -> None:
    """Refuse a reason that is not one line of some words. Raises PBCGError."""
    read_line(reason, "A reason", MAX_REASON)


def read_note(text: str) -> str:
    """Return the words of a note as somebody entered them. Raises PBCGError."""
    return read_line(" ".join(text.split()), "A note", MAX_NOTE)


def check_words(entry: Entry) -> None:
    """Refuse words of players in an entry that no command would have kept. Raises PBCGError."""
    body = entry.body
    try:
        if entry.kind == "note":
            note = msgspec.convert(body, _NoteBody)
            if not (read_note(note.text) or note.replaces is not UNSET):
                raise PBCGError("A note without words is not kept")
            read_note(note.was)
        elif entry.kind == "hand":
            _check_name(body)
        elif entry.kind == "assertion":
            msgspec.convert(body, _Facts)
        elif entry.kind in ("undo", "correction"):
            reason = body.get("reason", "")
            check_reason(reason)
            if entry.kind == "correction" and not reason.strip():
                raise PBCGError("A correction needs a reason")
    except ValidationError as error:
        raise PBCGError(f"That is not what a {entry.kind} holds") from error


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not read_line(name, "A player's name", LONGEST_NAME):
        raise PBCGError("A hand-over names one player")
