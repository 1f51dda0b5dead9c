"""Lines that a rescue hands back: proven, but behind a lost one; and giving them again.

Their file begins with a line that says which game they are of. The lines follow as they stood.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from msgspec import ValidationError

from asl_pbcg.kernel.canonical import Unreadable, canonical, read_canonical
from asl_pbcg.kernel.entries import (
    GAME_KINDS,
    Entry,
    JournalFault,
    WriteFailed,
    faces_of,
    read_entry,
)
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import make_new, write_atomic
from asl_pbcg.kernel.journal_file import read_file
from asl_pbcg.kernel.journal_text import JournalText, read_line
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.side_part import part_of_side

ENDING = ".answers"


def answers_path(new: Path) -> Path:
    """Return the file for the answers that are handed back beside a new game file."""
    return new.with_name(f"{new.name}{ENDING}")


class _Head(msgspec.Struct, forbid_unknown_fields=True):
    """The first line of the file of lines that were handed back."""

    answers_of: str
    """The hash of the last line before them; empty where not even the first could be kept."""
    begin: int
    """The number of the first entry of them."""
    given: int = 0
    """How many of the lines were given again."""
    moved: list[tuple[int, int]] = []
    """The first entries of lines given again, each with its number now where that is another."""


class HandedBack:
    """Lines to give again, and how far that has come."""

    def __init__(self, head: _Head, lines: list[bytes]) -> None:
        self._head = head
        self._lines = lines
        self._entries = list(_entries_of(lines, head.begin))
        """The entries of each line; none of a lost one, which is empty."""

    @classmethod
    def of(cls, text: JournalText | None, behind: Sequence[bytes]) -> HandedBack | None:
        """Return what is handed back of the lines behind those kept; None if that is nothing.

        The first of them is the lost one; another one that is lost is empty.
        """
        lines = list(behind[1:])
        if not any(lines):
            return None
        before = len(text.entries) if text else 0
        begin = _first_number(lines) or before + 2 if text else 1
        head = _Head(text.heads[-1] if text else "", begin)
        return cls(head, lines)

    @classmethod
    def read(cls, path: Path) -> HandedBack:
        """Read the file of lines that were handed back. Raises PBCGError if it is none."""
        first, *lines = (line + b"\n" for line in read_file(path).split(b"\n"))
        try:
            head = msgspec.convert(read_canonical(first[:-1]), _Head)
            return cls(head, [b"" if line == b"\n" else line for line in lines[:-1]])
        except (Unreadable, ValidationError, JournalFault) as error:
            raise PBCGError(
                f"{path} does not hold answers that pbcg rescue handed back."
            ) from error

    def write(self, path: Path, again: bool = False) -> None:
        """Write it to a new file, or ``again`` in place of the one that was read."""
        lines = [line or b"\n" for line in self._lines]
        content = b"".join([canonical(self._head) + b"\n", *lines])
        if again:
            write_atomic(path, content, private=True)
        else:
            make_new(path, content)

    @property
    def done(self) -> bool:
        """Whether all was given again."""
        return self._head.given == len(self._lines)

    def give(self, session: Session[Any]) -> str:
        """Give again what is asked, line by line; say why it goes no further, empty at its end.

        Raises PBCGError if the game is not the one that they are of.
        """
        heads = session.journal.text.heads
        if self._head.answers_of and self._head.answers_of not in heads:
            raise PBCGError("These answers are of another game, or of another rescue of it.")
        while not self.done:
            entries = self._entries[self._head.given]
            if not entries:
                return "A line between was lost: answer what is asked now, then give the rest."
            moved = list(self._head.moved)
            try:
                with session.together():
                    first = session.journal.last + 1
                    if self._number_now(entries[0].seq) != first:
                        self._head.moved.append((entries[0].seq, first))
                    _give_line(session, entries, self._number_now)
            except Exception as error:  # whatever another answer before does to a script
                self._head.moved = moved
                if isinstance(error, WriteFailed):
                    raise
                return str(error) if isinstance(error, PBCGError) else "It does not fit now."
            self._head.given += 1
        return ""

    def _number_now(self, old: int) -> int:
        """Return the number that an entry has now."""
        moved = self._head.moved
        place = bisect.bisect_right(moved, (old, 1 << 62)) - 1
        if place >= 0:
            return old - moved[place][0] + moved[place][1]
        return min(old, moved[0][1] - 1) if moved else old

    def skip_lost(self) -> None:
        """Pass over a line between that was lost."""
        if not self.done and not self._lines[self._head.given]:
            self._head.given += 1


def _entries_of(lines: Sequence[bytes], number: int) -> Iterator[list[Entry]]:
    for line in lines:
        read = read_line(line) if line else None
        entries = [
            read_entry(stored, seq, read.at, "") for seq, stored in enumerate(read.entries, number)
        ] if read else []  # fmt: skip
        yield entries
        number += len(entries) if line else 1


def _first_number(lines: Sequence[bytes]) -> int:
    """Return the number of the first entry, which a checkpoint behind the first tells; else 0."""
    whole = []
    for line in lines:
        if not line:
            break
        whole.append(line)
    entries = [entry for line in _entries_of(whole, 1) for entry in line]
    for before, entry in pairwise(entries):
        if entry.kind == "checkpoint" and before.kind in GAME_KINDS:
            return int(entry.body["after"]) - before.seq + 1
    return 0


# -- Giving a line again -------------------------------------------------------------------


def _give_line(
    session: Session[Any], entries: list[Entry], number_now: Callable[[int], int]
) -> None:
    """Give the entries of one line again as the commands did that wrote it."""
    corrects = any(entry.kind == "correction" for entry in entries)
    for entry in entries:
        acting = _acting(session, entry, number_now)
        if entry.kind == "correction":
            acting.correct(entry.point, entry.body["value"], entry.body["reason"])
            return  # what it gives again it has given
        if entry.kind == "redo":
            acting.redo()
            return
        if entry.kind in GAME_KINDS:
            _give_entry(acting, entry)
        elif entry.kind == "undo" and not corrects:
            acting.undo_back_to(number_now(entry.body["back_to"]), entry.body.get("reason", ""))
        elif entry.kind not in ("undo", "checkpoint"):
            session.journal.append(_renumber_note(entry, number_now))


def _acting(session: Session[Any], entry: Entry, number_now: Callable[[int], int]) -> Session[Any]:
    """Return the part of the side that gave an entry by itself, else the game of both."""
    body, apart = entry.body, len(entry.on) == 1
    if entry.kind == "undo":
        apart = "of" in body
    elif entry.kind == "redo":
        undone = session.journal.last_undo(entry.side)
        apart = bool(entry.side and undone and undone.undo == number_now(body["undo"]))
    return part_of_side(session, entry.side) if apart and session.apart else session


def _give_entry(session: Session[Any], entry: Entry) -> None:
    own = session.expected_dice() if entry.kind == "roll" and isinstance(entry.body, list) else None
    if own is not None and own != faces_of(entry.body):
        raise PBCGError(f"{entry.point} falls otherwise in this situation: roll it again.")
    session.give(entry)


def _renumber_note(entry: Entry, number_now: Callable[[int], int]) -> Entry:
    """Return a note with the number that the note it replaces has now."""
    if entry.kind != "note" or "replaces" not in entry.body:
        return entry
    body = {**entry.body, "replaces": number_now(entry.body["replaces"])}
    return msgspec.structs.replace(entry, body=body)
