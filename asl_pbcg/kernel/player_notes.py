"""Notes of the players: a diary by date, and remarks on a piece, a hex or a line of the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.players_words import MAX_NOTE
from asl_pbcg.kernel.views import LogLine, visible
from asl_pbcg.kernel.wording import cut

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
    def words(self) -> str:
        """Return the note with its writer and what it is about, on one line."""
        line = [f'"{self.line}"'] if self.line else []
        what = [self.called or self.about] if self.about else line
        mark = ["private"] if self.private else []
        head = ", ".join([*filter(None, [self.by.capitalize()]), *what, *mark])
        return f"{head}: {self.text}" if head else self.text


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
