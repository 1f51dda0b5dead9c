"""The journal: the append-only, hash-chained list of answers a game is made of.

It lives in one SQLite file (``database`` opens that, ``entries`` says what an entry is). Nothing
is ever erased: undo and correction are entries of their own. What one command changes is written
in one transaction; once it is done it is on the disk. One program at a time may write a file, any
number may read beside it.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.kernel import database
from asl_pbcg.kernel.carry_over import carry_over, read_contents
from asl_pbcg.kernel.database import Damaged, WriteFailed, damage, plain
from asl_pbcg.kernel.entries import (
    GAME_KINDS,
    NOTHING,
    Entry,
    NoEntry,
    Stored,
    after,
    beginning,
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
from asl_pbcg.kernel.files import make_new, reason
from asl_pbcg.kernel.stored_file import (
    CORRECTION,
    Contents,
    Kept,
    read_beginning,
    snapshot_hash,
)

__all__ = ["Entry", "Journal", "Snapshot", "WriteFailed"]

MOST_STATE = 32_000_000
"""The most bytes of a state or a log once it is inflated."""
_ZLIB = b"\x78"  # how compressed data begin; a plain state begins with a brace
_WAITS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4)


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """The state after a finished step; ``seq`` is the last entry it includes."""

    seq: int
    step: str
    state: bytes
    lines: str


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
        self._db = connection
        self._program = program
        self._meta = contents.meta
        self._end = contents
        """What was read of it: all, or what stands since the last finished step."""
        self._kept = contents.kept
        self._deferred: list[tuple[Kept, bytes, bytes]] = []
        """States to be kept with the next write."""
        self._void: set[int] | None = None
        self._standing: list[Stored] | None = None
        self._situations: list[bytes] = []
        self._thrown: dict[tuple[bytes, str, str], tuple[int, ...]] | None = None
        self._depth = 0
        self._before: tuple[int, list[Kept], list[tuple[Kept, bytes, bytes]]] = (0, [], [])
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
        database.check_file(path)
        if database.connection_held(path):
            raise PBCGError(
                f"{path} is open in another pbcg: close that one first, then try again."
            )
        remarks = _settle_left_over(path)
        connection = database.connect(path)
        try:
            contents = read_contents(connection, path, whole=False)
            if database.version_of(connection) < database.FORMAT:
                contents = carry_over(connection, path, contents, program)
            journal = cls(contents, program, path, connection)
            journal.remarks = remarks
            journal._let_go = database.hold(path, connection)
            return journal
        except (sqlite3.Error, UnicodeError) as error:
            connection.close()
            raise damage(path, plain(error)) from error
        except BaseException:
            connection.close()
            raise

    @classmethod
    def read(cls, path: Path, program: str) -> Journal:
        """Read the campaign file at ``path``, also beside a program that writes to it.

        The file is not touched, whatever lies beside it. Raises PBCGError as ``open`` does.
        """
        database.check_file(path)
        own = database.connection_held(path)
        left = None
        for wait in _WAITS:
            time.sleep(wait)
            try:
                data = own.serialize() if own else path.read_bytes()
                left = None if own else database.left_over(path)
                journal = cls._of_bytes(data, path, program)
            except OSError as error:
                raise PBCGError(f"{path} could not be opened: {reason(error)}.") from error
            except Damaged:
                if left is None:
                    raise
                continue  # another program may be in the midst of a write
            if left:
                journal.remarks.append(_beside(left, "it was left alone"))
            return journal
        assert left
        before = database.rolled_back(data, left)
        if before is None:
            raise damage(path, "it was left in the midst of a write")
        journal = cls._of_bytes(before, path, program)
        journal.remarks.append(
            f"{path} was left in the midst of a write; this is how it stood before. "
            "The next command that writes puts it in order."
        )
        return journal

    @classmethod
    def _of_bytes(cls, data: bytes, path: Path, program: str) -> Journal:
        connection = database.in_memory(data, path)
        try:
            contents = read_contents(connection, path, whole=False)
            if database.version_of(connection) < database.FORMAT:
                contents = carry_over(connection, path, contents, program)
            return cls(contents, program, path, connection, reading=True)
        except (sqlite3.Error, UnicodeError) as error:
            connection.close()
            raise damage(path, plain(error)) from error
        except BaseException:
            connection.close()
            raise

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
        assert self._db
        try:
            with database.patience(self._db):
                begun = read_beginning(self._db, end)
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

    def _head_of(self, seq: int) -> str:
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

    def step_began(self) -> int:
        """The last entry before the step in progress was first begun."""
        return next((kept.seq for kept in reversed(self._kept) if kept.step != CORRECTION), 0)

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

    def last_snapshot(self, upto: int | None = None, within: str = "") -> Snapshot | None:
        """The newest snapshot that still stands, with no entry after ``upto`` in it.

        With ``within`` it is one of a step whose id begins so, for example ``dawn/``.
        """
        void = self._void_now()
        for at in range(len(self._kept) - 1, -1, -1):
            kept = self._kept[at]
            if kept.seq in void or not kept.step.startswith(within):
                continue
            if upto is None or kept.seq <= upto:
                state, lines = self._read_kept(at)
                return Snapshot(
                    seq=kept.seq, step=kept.step, state=_inflate(state, self.path), lines=lines
                )
        return None

    def snapshots(self) -> Iterator[Snapshot]:
        """Every snapshot, oldest first."""
        for at, kept in enumerate(self._kept):
            state, lines = self._read_kept(at)
            state = _inflate(state, self.path)
            yield Snapshot(seq=kept.seq, step=kept.step, state=state, lines=lines)

    def logs(self) -> Iterator[str]:
        """What snapshots that stand keep of the log, oldest first."""
        for _, lines in self.kept_lines():
            yield lines

    def kept_lines(self, after: int = 0) -> Iterator[tuple[int, str]]:
        """The last entry and the log of each snapshot that stands and goes beyond ``after``."""
        void = self.void()
        for at, kept in enumerate(self._kept):
            if kept.seq not in void and (kept.seq > after or not after):
                yield kept.seq, self._read_kept(at)[1]

    def _read_kept(self, at: int) -> tuple[bytes, str]:
        """The state and the log of a snapshot as stored. Raises Damaged if they do not fit."""
        kept = self._kept[at]
        if kept.content is not None:
            return kept.content[0], kept.content[1].decode()
        assert self._db
        try:
            with database.patience(self._db):
                row = self._db.execute(
                    "SELECT state, lines FROM snapshots WHERE id = ?", (kept.id,)
                ).fetchone()
        except (sqlite3.Error, UnicodeError) as error:
            raise damage(self.path, plain(error)) from error
        if row is None or not all(isinstance(each, bytes) for each in row):
            raise damage(self.path, f"the state after {kept.step[:40]} is missing")
        state, lines = row
        before = self._kept[at - 1].hash if at else ""
        if snapshot_hash(kept, before, self._head_of(kept.seq), state, lines) != kept.hash:
            raise damage(
                self.path,
                f"the state or the log kept after {kept.step[:40]} (entry {kept.seq}) is not "
                "the one that was written",
            )
        try:
            return state, lines.decode()
        except UnicodeDecodeError as error:
            raise damage(self.path, f"the log after {kept.step[:40]} cannot be read") from error

    # -- writing -----------------------------------------------------------------------

    def transaction(self) -> Transaction:
        """What is written within is on the disk as a whole when it ends, or not at all.

        Raises WriteFailed if the disk refuses; whatever was raised, the journal is then as it was.
        """
        return Transaction(self)

    def _begin(self) -> None:
        if self.reading:
            raise PBCGError(f"{self.path} was opened for reading only.")
        self._before = (self.last, list(self._kept), list(self._deferred))
        self._depth = 1
        try:
            self._execute("BEGIN IMMEDIATE")
            deferred, self._deferred = self._deferred, []
            for kept, state, lines in deferred:
                self._insert_kept(kept, state, lines)
        except BaseException:
            self._roll_back()
            raise

    def _commit(self) -> None:
        try:
            self._execute("UPDATE head SET seq = ?, hash = ?", self.last, self.head)
            self._execute("COMMIT")
        except BaseException:
            self._roll_back()
            raise
        self._depth = 0

    def _roll_back(self) -> None:
        self._depth = 0
        if self._db:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
        last, self._kept, self._deferred = self._before
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
        if self._db:
            self._execute("INSERT INTO entries VALUES (?, ?)", entry.seq, content)
        self._end.entries.append(kept)
        self._end.heads.append(digest(content))
        if entry.kind == "undo":
            back_to = read_undo(kept).back_to
            if back_to < self._end.first:
                self.read_whole()
            self._forget()
            self._drop_kept(back_to)
        elif self._standing is not None and entry.kind in GAME_KINDS:
            self._standing.append(kept)
        return entry

    def keep(self, snapshot: Snapshot) -> None:
        """Keep the state after a finished step: at once within a transaction, else with the next.

        A state can always be made again from the entries, so none is written by itself.
        """
        state, lines = snapshot.state, snapshot.lines.encode()
        if self.path:
            # A campaign keeps some 170 states and goes back and forth by mail.
            state = zlib.compress(state, 1)
        kept = Kept(seq=snapshot.seq, step=snapshot.step, content=(state, lines))
        if self._depth and self._db:
            self._insert_kept(kept, state, lines)
        else:
            self._kept.append(kept)
            if self._db and not self.reading:
                self._deferred.append((kept, state, lines))

    def _insert_kept(self, kept: Kept, state: bytes, lines: bytes) -> None:
        at = next((n for n, each in enumerate(self._kept) if each is kept), len(self._kept))
        before = self._kept[at - 1].hash if at else ""
        hash = snapshot_hash(kept, before, self._head_of(kept.seq), state, lines)
        row = (kept.seq, kept.step, state, lines, hash)
        id = self._execute(
            "INSERT INTO snapshots (seq, step, state, lines, hash) VALUES (?, ?, ?, ?, ?)", *row
        )
        written = Kept(id=id, seq=kept.seq, step=kept.step, hash=hash)
        self._kept[at : at + 1] = [written]

    def _drop_kept(self, back_to: int) -> None:
        """What was kept after the answers taken back never stands again; entries stay."""
        gone = [kept for kept in self._kept if kept.seq > back_to]
        if not gone:
            return
        self._kept = [kept for kept in self._kept if kept.seq <= back_to]
        self._deferred = [each for each in self._deferred if each[0].seq <= back_to]
        if any(kept.id for kept in gone):
            self._execute("DELETE FROM snapshots WHERE seq > ?", back_to)

    def _execute(self, statement: str, *values: Any) -> int:
        if not self._db:
            return 0
        try:
            return int(self._db.execute(statement, values).lastrowid or 0)
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
        if self._db:
            self._db.close()
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


def new_file(
    meta: Mapping[str, str], fill: Callable[[sqlite3.Connection], None] | None = None
) -> bytes:
    """The bytes of a campaign file with the settings ``meta``; ``fill`` may write more into it."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with contextlib.closing(connection):
        database.prepare(connection)
        connection.executemany("INSERT INTO meta VALUES (?, ?)", list(meta.items()))
        connection.execute("INSERT INTO head VALUES (0, ?)", (beginning(meta),))
        if fill:
            fill(connection)
        return connection.serialize()


def _inflate(state: bytes, path: Path | None) -> bytes:
    """A state as the game wrote it. Raises Damaged if it is no state or too large."""
    if not state.startswith(_ZLIB):
        return state
    inflate = zlib.decompressobj()
    try:
        plain_state = inflate.decompress(state, MOST_STATE)
    except zlib.error as error:
        raise damage(path, "a state that it keeps cannot be inflated") from error
    if inflate.unconsumed_tail or not inflate.eof:
        raise damage(path, f"a state that it keeps is not whole or over {MOST_STATE:,} bytes")
    return plain_state


# -- What an interrupted write left ------------------------------------------------------


def _settle_left_over(path: Path) -> list[str]:
    """Look at what an interrupted write left beside ``path`` before SQLite may.

    A file that is whole as it stands stays so, and the left-over is put aside: it may be of
    another file that once had this name. Else SQLite takes the write back. Returns what to tell.
    """
    left = database.left_over(path)
    if left is None or database.is_being_written(path):
        return []
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PBCGError(f"{path} could not be opened: {reason(error)}.") from error
    if _is_whole(data, path):
        aside = left.with_name(f"{left.name}-put-aside")
        try:
            left.replace(aside)
        except OSError as error:
            raise PBCGError(f"{left} could not be put aside: {reason(error)}.") from error
        return [_beside(left, f"it was put aside as {aside.name}")]
    before = database.rolled_back(data, left)
    if before is None or not _is_whole(before, path):
        raise damage(path, f"{left.name} beside it does not put it in order")
    return [
        f"pbcg was stopped in the midst of a write to {path}: that write is taken back, "
        "the file is as it was before it."
    ]


def _beside(left: Path, done: str) -> str:
    return (
        f"{left.name} was left by another write or another file of this name; the campaign file "
        f"is whole without it, and {done}."
    )


def _is_whole(data: bytes, path: Path) -> bool:
    try:
        with contextlib.closing(database.in_memory(data, path)) as connection:
            with database.patience(connection):
                (checked,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            read_contents(connection, path)
            return bool(checked == "ok")
    except (PBCGError, sqlite3.Error, UnicodeError):
        return False
