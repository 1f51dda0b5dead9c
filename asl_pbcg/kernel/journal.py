"""The journal: the append-only, hash-chained list of answers that a game is made of.

It is a text file with one line for each command (``journal_text`` says what a line is,
``journal_file`` how it comes to the disk). Nothing is ever erased: undo and correction are entries
of their own. One program at a time may write a file, any number may read beside it.
"""

from __future__ import annotations

import bisect
import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.kernel.canonical import canonical
from asl_pbcg.kernel.entries import GAME_KINDS, KINDS, Entry, encode_entry, fingerprint
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import make_new
from asl_pbcg.kernel.journal_faults import JournalFault, WriteFailed
from asl_pbcg.kernel.journal_file import JournalFile, read_file
from asl_pbcg.kernel.journal_text import (
    MAX_ENTRIES,
    MAX_FILE,
    MAX_LINE,
    JournalText,
    header_line,
    is_journal,
    read_text,
    time_of,
)
from asl_pbcg.kernel.rules_print import program_stamp, rules_fingerprint
from asl_pbcg.kernel.standing import Situations, Standing, Undone
from asl_pbcg.kernel.state_cache import KeptStates, Snapshot, cache_file
from asl_pbcg.kernel.text_cache import read_text_once

__all__ = ["Entry", "Journal", "Snapshot", "WriteFailed"]

_SQLITE = b"SQLite format 3\0"
_WAITS = (0.0, 0.02, 0.05)
"""Seconds between two looks at a file whose last line another program may be writing."""


def is_game_file(path: Path) -> bool:
    """Return whether a file is one of the program's, as its first bytes say."""
    try:
        with path.open("rb") as file:
            beginning = file.read(100)
    except OSError:
        return False
    return is_journal(beginning) or (beginning.startswith(_SQLITE) and beginning[68:72] == b"PBCG")


class Journal:
    """A campaign file held by this program, one that is only read, or a journal in memory."""

    def __init__(
        self,
        text: JournalText,
        program: str,
        path: Path | None = None,
        file: JournalFile | None = None,
        reading: bool = False,
    ) -> None:
        self.path = path
        self.reading = reading
        """Whether it is only read: nothing may be appended."""
        self.remarks: list[str] = []
        """What players should hear of the file, for example of a line that was not finished."""
        self.rules_of: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        """Rooms and data folders whose fingerprint the journal names; the session says which."""
        self._text = text
        self._program = program
        self._file = file
        self._situations = Situations()
        self._new: list[bytes] = []
        """The entries of the transaction in progress, as they are stored."""
        self._depth = 0
        cache = cache_file(text.heads[0], program_stamp(program)) if path else None
        self.states = KeptStates(cache, compress=path is not None)
        self.states.load(self.head_of, text.standing)
        later = dict.fromkeys(entry.kind for entry in text.entries if entry.kind not in KINDS)
        if later:
            self.remarks.append(
                f"It holds entries that a later version of pbcg made ({', '.join(later)}); they "
                "are kept."
            )

    # -- opening -----------------------------------------------------------------------

    @classmethod
    def create(cls, path: Path, meta: Mapping[str, Any], program: str) -> Journal:
        """Make a new campaign file at ``path`` that holds ``meta``.

        Raises PBCGError if something stands there already or it cannot be written.
        """
        if path.exists() or path.is_symlink():
            raise PBCGError(f"{path} exists already: choose another name or move it away.")
        make_new(path, header_line(meta, program))
        return cls.open(path, program)

    @classmethod
    def open(cls, path: Path, program: str) -> Journal:
        """Open the campaign file at ``path`` for this program alone.

        A file of 0.2.0 is imported. Raises PBCGError if it is missing, not a campaign, too new,
        damaged, or held by another program.
        """
        file = JournalFile(path)
        try:
            remarks = []
            if file.content.startswith(_SQLITE):
                from asl_pbcg.kernel.sqlite_import import import_file

                remarks.append(import_file(path, file.content, program))
                file.reread()
            text = read_text_once(file.content, path, program)
            file.leave_out(len(text.torn))
            journal = cls(text, program, path, file)
            journal.remarks += remarks
            journal._mention_torn("It is cut off with the next answer.")
            return journal
        except BaseException:
            file.close()
            raise

    @classmethod
    def read(cls, path: Path, program: str, every_line: bool = False) -> Journal:
        """Read the campaign file at ``path``, also beside a program that writes to it.

        The file is not touched. With ``every_line`` nothing is taken from a cache. Raises
        PBCGError as ``open`` does.
        """
        for wait in _WAITS:
            time.sleep(wait)
            content = read_file(path)
            if content.endswith(b"\n") or content.startswith(_SQLITE):
                break
        if content.startswith(_SQLITE):
            from asl_pbcg.kernel.sqlite_import import imported_text

            content = imported_text(path, content, program)
        text = read_text(content, path) if every_line else read_text_once(content, path, program)
        journal = cls(text, program, path, reading=True)
        journal._mention_torn("It is left out.")
        return journal

    def read_again(self) -> None:
        """Read a file that changed underneath; what stood in memory is forgotten.

        Raises PBCGError if it cannot be read or is another game now; then nothing has changed.
        """
        assert self.path
        assert self._file
        content = read_file(self.path)
        text = read_text_once(content, self.path, self._program)
        if text.heads[0] != self._text.heads[0]:
            raise PBCGError(f"{self.path} is another game now: open it by itself.")
        self._file.take(content)
        self._file.leave_out(len(text.torn))
        self._text = text
        self._situations = Situations()
        self.states = KeptStates(self.states.file, compress=True)
        self.states.load(self.head_of, text.standing)

    def _mention_torn(self, done: str) -> None:
        if self._text.torn:
            self.remarks.append(
                f"The last line of {self.path} was not finished when a program or the machine "
                f"stopped. {done} Everything acknowledged before is there."
            )

    @classmethod
    def in_memory(cls, meta: Mapping[str, Any], program: str = "") -> Journal:
        """Return a journal without a file, for tests and simulation."""
        return cls(JournalText(header_line(meta, program)), program)

    # -- reading -----------------------------------------------------------------------

    @property
    def _entries(self) -> list[Entry]:
        return self._text.entries

    def line_of(self, seq: int) -> int:
        """Return the place of the line of the entry ``seq`` among the lines; 0 for the first."""
        return bisect.bisect_left(self._text.starts, seq) - 1 if seq else 0

    def head_of(self, seq: int) -> str:
        """Return the hash of the line of the entry ``seq``; of the first line if it is 0."""
        return self._text.heads[self.line_of(seq)]

    def rules_at(self, seq: int) -> str:
        """Return the fingerprint of the rules that the line of the entry ``seq`` was made under."""
        return self._text.named[self.line_of(seq)][1]

    def rules_named(self, upto: int | None = None) -> list[str]:
        """Return the fingerprints of the rules of its lines, up to the entry ``upto``."""
        last = None if upto is None else self.line_of(upto) + 1
        return list(dict.fromkeys(rules for _, rules in self._text.named[1:last]))

    def meta(self, key: str) -> Any:
        """Return a setting of the campaign, as it was given when it began; None without one."""
        return self._text.meta().get(key)

    def settings(self) -> tuple[str, ...]:
        """Return the names of all settings."""
        return tuple(self._text.meta())

    @property
    def text(self) -> JournalText:
        """What the file says."""
        return self._text

    @property
    def source(self) -> Any:
        """What an imported file was imported from; None otherwise."""
        return self._text.header.get("source")

    @property
    def last(self) -> int:
        """The number of the last entry; 0 if there is none."""
        return len(self._entries)

    @property
    def head(self) -> str:
        """The hash of the last line."""
        return self._text.heads[-1]

    @property
    def heads(self) -> Sequence[str]:
        """The hash of each line, from the first on."""
        return self._text.heads

    @property
    def carried(self) -> bool:
        """Whether it was brought over from a form before 3, whose entries had no chain."""
        return bool(self.ends_of_older_forms())

    def ends_of_older_forms(self) -> list[int]:
        """Return the numbers of the entries where an earlier form ended; only an import has any."""
        return [each.seq for each in self.entries_of("carried") if self.is_imported(each.seq)]

    def is_imported(self, seq: int) -> bool:
        """Return whether the entry ``seq`` came with the import: no rules were known then."""
        return self.source is not None and not self.rules_at(seq)

    @property
    def fingerprint(self) -> str:
        """The short fingerprint of the head, as records print it."""
        return fingerprint(self.head)

    def entries(self, after: int = 0) -> list[Entry]:
        """Return every entry after ``after``, undone ones too, in order."""
        return self._entries[after:]

    def entry(self, seq: int) -> Entry:
        """Return the entry ``seq``, undone or not."""
        return self._entries[seq - 1]

    def entries_of(self, kind: str, after: int = 0) -> list[Entry]:
        """Return every entry of one kind after ``after``, in order."""
        return [entry for entry in self.entries(after) if entry.kind == kind]

    def standing(self, after: int = 0) -> list[Entry]:
        """Return the entries of the game after ``after`` that no undo has taken back."""
        stack = self._text.standing.stack
        return stack[bisect.bisect_right(stack, after, key=lambda entry: entry.seq) :]

    def rolls(self) -> int:
        """Return how many rolls stand."""
        return sum(entry.kind == "roll" for entry in self._text.standing.stack)

    def void(self) -> AbstractSet[int]:
        """Return the numbers of all game entries that an undo has taken back."""
        return self._text.standing.void

    @property
    def undone(self) -> Undone | None:
        """What a redo gives back; None when nothing was undone since the last answer."""
        pile = self._text.standing.pile
        return pile[-1] if pile else None

    def same_command(self, undo: Entry) -> list[Entry]:
        """Return what was written behind an undo by the same command.

        In what was imported a command has several lines: what a correction gave again follows it.
        """
        entries, line = self._entries, self.line_of(undo.seq)
        if not self.is_imported(undo.seq):
            ends = self._text.starts[line + 1 :][:1] or [len(entries)]
            return entries[undo.seq : ends[0]]
        followed = entries[undo.seq : undo.seq + 1]
        if not undo.body.get("left") and not (followed and followed[0].kind == "correction"):
            return []
        return list(itertools.takewhile(lambda each: each.kind in GAME_KINDS, entries[undo.seq :]))

    def checkpoints(self) -> list[Entry]:
        """Return the checkpoints that stand, in order."""
        stands = self._text.standing.stands
        return [each for each in self.entries_of("checkpoint") if stands(each.body["after"])]

    # -- situations: what dice are thrown in -------------------------------------------

    def situation(self) -> bytes:
        """Return the hash of the standing entries: the same whenever the same stands."""
        return self._read_situations().now

    def thrown_before(self, point: str, about: str) -> tuple[int, ...] | None:
        """Return the campaign's own dice for a roll that was made in this very situation before."""
        if not self.void():
            return None
        found = self._read_situations()
        return found.own_dice(found.now, point, about)

    def situations(self) -> Iterator[tuple[bytes, Entry]]:
        """Yield every entry of the game, undone ones too, with the situation of its making."""
        yield from self._read_situations().made_in

    def _read_situations(self) -> Situations:
        self._situations.read(self.entries(self._situations.read_up_to))
        return self._situations

    # -- snapshots ---------------------------------------------------------------------

    def step_began(self) -> int:
        """Return the last entry before the step in progress was first begun."""
        return self.states.step_began

    def last_snapshot(self, upto: int | None = None, within: str = "") -> Snapshot | None:
        """Return the newest snapshot that stands, with no entry after ``upto`` in it.

        With ``within`` it is one of a step whose id begins so, for example ``dawn/``.
        """
        return self.states.last(upto, within)

    def snapshots(self) -> Iterator[Snapshot]:
        """Yield every snapshot that stands, oldest first."""
        return self.states.all()

    def kept_lines(self, after: int = 0) -> Iterator[tuple[int, str]]:
        """Yield last entry and log of each snapshot that stands and goes beyond ``after``."""
        return self.states.lines(after)

    def keep(self, snapshot: Snapshot) -> None:
        """Keep the state after a finished step: it can always be made again from the entries."""
        self.states.keep(snapshot)
        if not self._depth:
            self.states.save(self.head_of)

    # -- writing -----------------------------------------------------------------------

    def transaction(self) -> Transaction:
        """Begin a line: what is written within is on the disk when it ends, or none of it.

        Raises WriteFailed if the disk refuses; whatever was raised, the journal is then as it was.
        """
        return Transaction(self)

    def _begin(self) -> None:
        if self.reading:
            raise PBCGError(f"{self.path} was opened for reading only.")
        self._depth = 1
        self._new = []

    def _commit(self) -> None:
        try:
            if self._new:
                self._write_line()
        except BaseException:
            self._roll_back()
            raise
        self._depth = 0
        self.states.save(self.head_of)

    def _write_line(self) -> None:
        text, seq = self._text, self.last - len(self._new)
        named = (self._program, rules_fingerprint(*self.rules_of))
        line: dict[str, Any] = {
            "at": self._entries[-1].at,
            "entries": [msgspec.Raw(stored) for stored in self._new],
            "n": len(text.heads) + 1,
            "prev": text.heads[-1],
        }
        if named != text.named[-1]:
            line |= {"program": named[0], "rules": named[1]}
        content = canonical(line) + b"\n"
        if len(content) > MAX_LINE:
            raise PBCGError(f"That is too large to keep: {MAX_LINE:,} bytes are the most.")
        if self.last > MAX_ENTRIES or text.size + len(content) > MAX_FILE:
            raise PBCGError(f"{self.path or 'The journal'} is full: begin another file.")
        if self._file:
            self._file.append(content)
        text.note(content, seq, named)

    def _roll_back(self) -> None:
        self._depth = 0
        if self._new:
            before = self.last - len(self._new)
            self._text.standing = Standing(self._entries[:before])
            self._situations = Situations()
            self._new = []
            self.states.drop(before)

    def append(self, entry: Entry) -> Entry:
        """Write ``entry``; when this returns, or the transaction ends, it is on the disk."""
        if not self._depth:
            with self.transaction():
                return self.append(entry)
        stored = encode_entry(entry)
        at = self._entries[-1].at if self._new else time_of(int(time.time()))
        entry = msgspec.structs.replace(entry, seq=self.last + 1, at=at, program=self._program)
        try:
            self._text.standing.add(entry)
        except JournalFault as fault:
            raise PBCGError(f"That cannot be kept: {fault} ({fault.code}).") from fault
        self._new.append(stored)
        if entry.kind == "undo":
            self.states.drop(entry.body["back_to"])
        return entry

    def close(self) -> None:
        """Let the file go."""
        if self._file:
            self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Transaction:
    """What a ``with`` of ``Journal.transaction`` begins and ends; one within another is part of it.

    A class, since a generator takes as long as writing an entry does.
    """

    __slots__ = ("_journal",)

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def __enter__(self) -> None:
        journal = self._journal
        if journal._depth:
            journal._depth += 1
        else:
            journal._begin()

    def __exit__(self, kind: object, *_: object) -> None:
        journal = self._journal
        if journal._depth > 1:
            journal._depth -= 1
        elif kind is None:
            journal._commit()
        else:
            journal._roll_back()
