"""The journal: the append-only, hash-chained list of answers a game is made of.

It lives in one SQLite file (``opening`` opens that, ``entries`` says what an entry is,
``kept_states`` keeps the state after each finished step). Nothing is ever erased: undo and
correction are entries of their own. What one command changes is written in one transaction; once
it is done it is on the disk. One program at a time may write a file, any number may read beside it.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.kernel import database
from asl_pbcg.kernel.database import WriteFailed, damage, plain
from asl_pbcg.kernel.entries import (
    GAME_KINDS,
    NOTHING,
    Entry,
    NoEntry,
    Stored,
    after,
    digest,
    exception_of,
    faces_of,
    fingerprint,
    full,
    read_undo,
    store,
    void_among,
)
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import make_new
from asl_pbcg.kernel.kept_states import KeptStates, Snapshot
from asl_pbcg.kernel.opening import Opened, open_alone, open_beside
from asl_pbcg.kernel.stored_file import Contents, new_file, read_beginning

__all__ = ["Entry", "Journal", "Snapshot", "WriteFailed"]


class Journal:
    """A campaign file held by this program, one that is only read, or a journal in memory."""

    def __init__(
        self,
        contents: Contents,
        program: str,
        path: Path | None = None,
        connection: sqlite3.Connection | None = None,
        reading: bool = False,
    ) -> None:
        self.path = path
        self.reading = reading
        """Whether it is only read: nothing may be appended."""
        self.remarks: list[str] = []
        """What players should hear of the file, for example of a write that was interrupted."""
        self.connection = connection
        """The file, or a copy of it in memory; None where the journal has no file."""
        self._program = program
        self._meta = contents.meta
        self._end = contents
        """What was read of it: all, or what stands since the last finished step."""
        self._states = KeptStates(self, contents.kept)
        self._void: set[int] | None = None
        self._standing: list[Stored] | None = None
        self._situations: list[bytes] = []
        self._thrown: dict[tuple[bytes, str, str], tuple[int, ...]] | None = None
        self._depth = 0
        self._before = (0, self._states.mark())
        """What stood before the write in progress: the last entry, what was kept."""
        self._let_go: Callable[[], None] = lambda: None

    # -- opening -----------------------------------------------------------------------

    @classmethod
    def create(cls, path: Path, meta: Mapping[str, Any], program: str) -> Journal:
        """Make a new campaign file at ``path`` that holds ``meta``.

        Raises PBCGError if something stands there already or it cannot be written.
        """
        if path.exists() or path.is_symlink():
            raise PBCGError(f"{path} exists already: choose another name or move it away.")
        make_new(path, new_file(_as_stored(meta)))
        return cls.open(path, program)

    @classmethod
    def open(cls, path: Path, program: str) -> Journal:
        """Open the campaign file at ``path`` for this program alone.

        A file of an older form is carried over, with its history. Raises PBCGError if it is
        missing, no campaign, too new, damaged, or held by another program.
        """
        return cls._from_opened(open_alone(path, program), path, program)

    @classmethod
    def read(cls, path: Path, program: str) -> Journal:
        """Read the campaign file at ``path``, also beside a program that writes to it.

        The file is not touched, whatever lies beside it. Raises PBCGError as ``open`` does.
        """
        return cls._from_opened(open_beside(path, program), path, program, reading=True)

    @classmethod
    def _from_opened(
        cls, found: Opened, path: Path, program: str, reading: bool = False
    ) -> Journal:
        journal = cls(found.contents, program, path, found.connection, reading)
        journal.remarks = found.remarks
        journal._let_go = found.let_go
        return journal

    @classmethod
    def in_memory(cls, meta: Mapping[str, Any], program: str = "") -> Journal:
        """A journal without a file, for tests and simulation."""
        return cls(Contents(_as_stored(meta)), program)

    # -- reading -----------------------------------------------------------------------

    def read_whole(self) -> None:
        """Read what opening left unread, with its chain.

        Whatever asks for entries before the last finished step does it. Raises Damaged.
        """
        end = self._end
        if not end.first:
            return
        assert self.connection
        try:
            with database.patience(self.connection):
                begun = read_beginning(self.connection, end)
        except NoEntry as error:
            raise damage(self.path, str(error)) from error
        except (sqlite3.Error, UnicodeError) as error:
            raise damage(self.path, plain(error)) from error
        begun.entries += end.entries
        begun.heads += end.heads[1:]
        self._end = begun
        self._forget()

    @property
    def _entries(self) -> list[Stored]:
        self.read_whole()
        return self._end.entries

    def _since(self, after: int) -> list[Stored]:
        """The entries after ``after``."""
        if after < self._end.first:
            self.read_whole()
        return self._end.entries[after - self._end.first :]

    def head_of(self, seq: int) -> str:
        """The hash of the entry ``seq``; of the settings if it is 0."""
        if seq < self._end.first:
            self.read_whole()
        return self._end.heads[seq - self._end.first]

    def meta(self, key: str) -> Any:
        """A setting of the campaign, as it was given when it began; None if there is none."""
        return msgspec.json.decode(self._meta[key]) if key in self._meta else None

    def settings(self) -> tuple[str, ...]:
        """The names of all settings."""
        return tuple(self._meta)

    @property
    def last(self) -> int:
        """The number of the last entry; 0 if there is none."""
        return self._end.first + len(self._end.entries)

    @property
    def head(self) -> str:
        """The hash of the last entry, or of the settings if there is none yet."""
        return self._end.heads[-1]

    @property
    def heads(self) -> Sequence[str]:
        """The hash of the settings, then of each entry."""
        self.read_whole()
        return self._end.heads

    @property
    def carried(self) -> bool:
        """Whether it was carried over from an older form, whose entries had no chain."""
        return any(entry.kind == "carried" for entry in self._entries)

    @property
    def fingerprint(self) -> str:
        """The short fingerprint of the head, as records print it."""
        return fingerprint(self.head)

    def entries(self, after: int = 0) -> list[Entry]:
        """Every entry after ``after``, undone ones too, in order."""
        return [full(entry) for entry in self._since(after)]

    def entry(self, seq: int) -> Entry:
        """The entry ``seq``, undone or not."""
        return full(self._since(seq - 1)[0])

    def entries_of(self, kind: str, after: int = 0) -> list[Entry]:
        """Every entry of one kind after ``after``, in order."""
        return [full(entry) for entry in self._since(after) if entry.kind == kind]

    def standing(self, after: int = 0) -> list[Entry]:
        """The entries of the game after ``after`` that no undo has taken back."""
        if after < self._end.first:
            self.read_whole()
        return [full(entry) for entry in self._stand() if entry.seq > after]

    def rolls(self) -> int:
        """How many rolls stand."""
        self.read_whole()
        return sum(entry.kind == "roll" for entry in self._stand())

    def void(self) -> AbstractSet[int]:
        """The numbers of all entries that an undo has taken back."""
        self.read_whole()
        return self._void_now()

    def _void_now(self) -> AbstractSet[int]:
        """Those among the entries that were read; none of them takes back others."""
        if self._void is None:
            self._void = void_among(self._end.entries)
        return self._void

    def _stand(self) -> list[Stored]:
        if self._standing is None:
            void = self._void_now()
            self._standing = [
                entry
                for entry in self._end.entries
                if entry.kind in GAME_KINDS and entry.seq not in void
            ]
        return self._standing

    # -- situations: what dice are thrown in ---------------------------------------------

    def situation(self) -> bytes:
        """The hash of the standing entries: the same after the same, however it came to it."""
        self.read_whole()
        stand = self._stand()
        known = self._situations
        if not known:
            known.append(NOTHING)
        for entry in stand[len(known) - 1 :]:
            known.append(after(known[-1], entry))
        return known[len(stand)]

    def thrown_before(self, point: str, about: str) -> tuple[int, ...] | None:
        """The campaign's own dice for a roll that was asked in this very situation before."""
        if not any(entry.kind == "undo" for entry in self._entries):
            return None
        if self._thrown is None:
            self._thrown = {}
            for now, entry in self.situations():
                if entry.kind == "roll" and not exception_of(entry.body):
                    key = (now, entry.point, entry.about)
                    self._thrown.setdefault(key, faces_of(entry.body))
        return self._thrown.get((self.situation(), point, about))

    def situations(self) -> Iterator[tuple[bytes, Entry]]:
        """Every entry of the game, undone ones too, with the situation in which it was made."""
        stack: list[tuple[int, bytes]] = [(0, NOTHING)]
        for entry in self._entries:
            if entry.kind == "undo":
                back_to = read_undo(entry).back_to
                while stack[-1][0] > back_to:
                    stack.pop()
            elif entry.kind in GAME_KINDS:
                yield stack[-1][1], full(entry)
                stack.append((entry.seq, after(stack[-1][1], entry)))

    # -- snapshots ---------------------------------------------------------------------

    def step_began(self) -> int:
        """The last entry before the step in progress was first begun."""
        return self._states.step_began

    def last_snapshot(self, upto: int | None = None, within: str = "") -> Snapshot | None:
        """The newest snapshot that still stands, with no entry after ``upto`` in it.

        With ``within`` it is one of a step whose id begins so, for example ``dawn/``.
        """
        return self._states.last(self._void_now(), upto, within)

    def snapshots(self) -> Iterator[Snapshot]:
        """Every snapshot, oldest first."""
        return self._states.all()

    def logs(self) -> Iterator[str]:
        """What snapshots that stand keep of the log, oldest first."""
        for _, lines in self.kept_lines():
            yield lines

    def kept_lines(self, after: int = 0) -> Iterator[tuple[int, str]]:
        """The last entry and the log of each snapshot that stands and goes beyond ``after``."""
        return self._states.lines(self.void(), after)

    # -- writing -----------------------------------------------------------------------

    def transaction(self) -> Transaction:
        """What is written within is on the disk as a whole when it ends, or not at all.

        Raises WriteFailed if the disk refuses; whatever was raised, the journal is then as it was.
        """
        return Transaction(self)

    def _begin(self) -> None:
        if self.reading:
            raise PBCGError(f"{self.path} was opened for reading only.")
        self._before = (self.last, self._states.mark())
        self._depth = 1
        try:
            self.execute("BEGIN IMMEDIATE")
            self._states.write_deferred()
        except BaseException:
            self._roll_back()
            raise

    def _commit(self) -> None:
        try:
            self.execute("UPDATE head SET seq = ?, hash = ?", self.last, self.head)
            self.execute("COMMIT")
        except BaseException:
            self._roll_back()
            raise
        self._depth = 0

    def _roll_back(self) -> None:
        self._depth = 0
        if self.connection:
            with contextlib.suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")
        last, marked = self._before
        self._states.go_back(marked)
        count = last - self._end.first
        del self._end.entries[count:], self._end.heads[count + 1 :]
        self._forget()

    def append(self, entry: Entry) -> Entry:
        """Write ``entry``; when this returns, or the transaction ends, it is on the disk."""
        if not self._depth:
            with self.transaction():
                return self._append(entry)
        return self._append(entry)

    def _append(self, entry: Entry) -> Entry:
        at = entry.at if entry.kind == "carried" else ""
        entry = msgspec.structs.replace(
            entry,
            seq=self.last + 1,
            prev=self.head,
            at=at or _now(int(time.time())),
            program=self._program,
        )
        kept, content = store(entry)
        if self.connection:
            self.execute("INSERT INTO entries VALUES (?, ?)", entry.seq, content)
        self._end.entries.append(kept)
        self._end.heads.append(digest(content))
        if entry.kind == "undo":
            back_to = read_undo(kept).back_to
            if back_to < self._end.first:
                self.read_whole()
            self._forget()
            self._states.drop(back_to)
        elif self._standing is not None and entry.kind in GAME_KINDS:
            self._standing.append(kept)
        return entry

    def keep(self, snapshot: Snapshot) -> None:
        """Keep the state after a finished step: at once within a transaction, else with the next.

        A state can always be made again from the entries, so none is written by itself.
        """
        self._states.keep(snapshot, at_once=bool(self._depth))

    def execute(self, statement: str, *values: Any) -> int:
        """Write to the file, if there is one. Raises WriteFailed if the disk refuses."""
        if not self.connection:
            return 0
        try:
            return int(self.connection.execute(statement, values).lastrowid or 0)
        except sqlite3.Error as error:
            raise WriteFailed(
                f"{self.path} could not be written: {plain(error)}. It is as it was before this; "
                "everything acknowledged before is kept."
            ) from error

    def _forget(self) -> None:
        """Forget what was reckoned from the entries."""
        self._void = self._standing = self._thrown = None
        self._situations = []

    def close(self) -> None:
        """Let the file go."""
        if self.connection:
            self.connection.close()
        self._let_go()

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


@lru_cache(maxsize=1)
def _now(second: int) -> str:
    """The time as entries have it, ``2026-11-22T18:04:11+00:00``."""
    return datetime.fromtimestamp(second, UTC).isoformat(timespec="seconds")


def _as_stored(meta: Mapping[str, Any]) -> dict[str, str]:
    return {key: msgspec.json.encode(value).decode() for key, value in meta.items()}
