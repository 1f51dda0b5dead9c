"""Words that players put into a file: reasons, assertions, and notes by date, piece, hex or line.

The same checks read them where they are entered and where ``verify`` finds them in a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, UnsetType, ValidationError

from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import LONGEST_NAME, read_line
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.views import LogLine, visible
from asl_pbcg.kernel.wording import cut

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


DIARY: Final = "diary"
"""The step of a note behind its date: ``dawn/diary``."""


class PlayerNote(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One note. ``by`` is the side that wrote it, empty for both together or an umpire.

    ``about`` is a piece or hex, ``line`` the line of the log that it remarks on; a note with
    neither belongs to the diary of its ``date``. A ``private`` one is for its writer alone.
    ``number`` is its place among all that whoever reads it has seen, withdrawn ones too.
    """

    text: str
    date: str
    at: str = ""
    """When it was written."""
    by: str = ""
    private: bool = False
    about: str = ""
    line: str = ""
    number: int = 0
    called: str = ""
    """The name of the piece it is about, as players say it."""

    @property
    def head(self) -> str:
        """The writer of the note and what it is about; empty for one of the diary of both."""
        line = [f'"{self.line}"'] if self.line else []
        what = [self.called or self.about] if self.about else line
        mark = ["private"] if self.private else []
        return ", ".join([*filter(None, [self.by.capitalize()]), *what, *mark])

    @property
    def words(self) -> str:
        """Return the note with its head, on one line."""
        return f"{self.head}: {self.text}" if self.head else self.text


def notes_of(
    journal: Journal, viewer: str, about: str | None = None, date: str | None = None
) -> list[PlayerNote]:
    """Return the notes that ``viewer`` may see, in the order they were written.

    ``about`` names a piece or hex, empty for those of the diary and on lines; ``date`` a date.
    Those of another side that are private leave no trace.
    """
    notes = standing_notes(journal, viewer).values()
    return [note for note in notes if about in (None, note.about) and date in (None, note.date)]


def standing_notes(journal: Journal, viewer: str) -> dict[int, PlayerNote]:
    """Return the notes that ``viewer`` may see by the number of their entry.

    One that was corrected has its last words; one that was withdrawn stands no longer.
    """
    found: dict[int, PlayerNote] = {}
    for entry in journal.entries_of("note"):
        if not visible(entry, viewer):
            continue
        note = _note(entry)
        first = found.get(entry.body.get("replaces", -1)) if isinstance(entry.body, dict) else None
        if first is None:
            found[entry.seq] = msgspec.structs.replace(note, number=len(found) + 1)
        elif (first.by, first.private) == (note.by, note.private):
            found[entry.body["replaces"]] = msgspec.structs.replace(first, text=note.text)
    return {seq: note for seq, note in found.items() if note.text}


def add_note(
    journal: Journal, note: PlayerNote, replaces: int | None = None, was: str = ""
) -> None:
    """Write a note down; on the disk when this returns. It changes nothing of the game.

    With ``replaces``, the number of an entry, it stands in place of that one, whose words were
    ``was``; without words of its own it withdraws it.
    """
    body: dict[str, Any] = {"text": note.text}
    if note.line:
        body["line"] = note.line
    if replaces is not None:
        body |= {"replaces": replaces, "was": was}
    if note.called:
        body["called"] = note.called
    journal.append(
        Entry(
            kind="note",
            step=f"{note.date}/{DIARY}",
            about=note.about,
            side=note.by,
            secret=note.private,
            body=body,
        )
    )


def _note(entry: Entry) -> PlayerNote:
    body = entry.body if isinstance(entry.body, dict) else {"text": str(entry.body)}
    return PlayerNote(
        text=cut(str(body.get("text", "")), MAX_NOTE),
        date=entry.step.partition("/")[0],
        at=entry.at,
        by=entry.side,
        private=entry.secret,
        about=entry.about,
        line=cut(str(body.get("line", "")), MAX_NOTE),
        called=cut(str(body.get("called", "")), MAX_NOTE),
    )


def note_lines(entries: Iterable[Entry]) -> Iterator[tuple[int, list[LogLine]]]:
    """Yield what the log tells of each note, with the number of its entry."""
    for entry in entries:
        note = _note(entry)
        head, was = "Note", ""
        if isinstance(entry.body, dict) and "replaces" in entry.body:
            head = "Note corrected" if note.text else "Note withdrawn"
            was = cut(str(entry.body.get("was", "")), MAX_NOTE)
        note = note if note.text else msgspec.structs.replace(note, text=was)
        line = LogLine(
            kind="remark",
            step=entry.step,
            text=f"{head}. {note.words}",
            side=entry.side,
            secret=entry.secret,
            where=entry.about,
            seq=entry.seq,
        )
        yield entry.seq, [line]
