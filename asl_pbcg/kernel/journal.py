"""The journal: the append-only list of answers a game is made of, in one SQLite file.

Nothing is ever erased: undo and correction are entries of their own. Every entry is on the
disk before ``append`` returns. One program at a time may hold a file.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import reason

FORMAT = 2
"""1: the states of snapshots are plain; 2: they may be compressed."""
_ZLIB = b"\x78"  # how compressed data begin; a plain state begins with a brace
_APPLICATION = 0x50424347  # "PBCG" in SQLite's application id, so that a wrong file is known
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE entries (
  seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, step TEXT NOT NULL, point TEXT NOT NULL,
  side TEXT NOT NULL, secret INTEGER NOT NULL, body TEXT NOT NULL, at TEXT NOT NULL,
  program TEXT NOT NULL);
CREATE TABLE snapshots (
  id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, step TEXT NOT NULL, state BLOB NOT NULL,
  lines TEXT NOT NULL);
"""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry. ``kind``: answer, roll, undo or correction; ``point``: the decision point."""

    seq: int = 0
    kind: str
    step: str
    point: str
    side: str = ""
    secret: bool = False
    body: Any
    at: str = ""
    program: str = ""


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """The state after a finished step; ``seq`` is the last entry it includes."""

    seq: int
    step: str
    state: bytes
    lines: str


class Journal:
    """A campaign file held by this program, or a journal in memory."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None, program: str) -> None:
        self._db = connection
        self.path = path
        self._program = program
        self._void: set[int] | None = None
        self._format: int = self._db.execute("PRAGMA user_version").fetchone()[0]
        self._meta: dict[str, str] = dict(self._db.execute("SELECT key, value FROM meta"))

    @classmethod
    def create(cls, path: Path, meta: Mapping[str, Any], program: str) -> Journal:
        """Make a new campaign file at ``path`` that holds ``meta``.

        Raises PBCGError if something stands there already or it cannot be written.
        """
        if path.exists():
            raise PBCGError(f"{path} exists already: choose another name or move it away.")
        import tempfile

        temporary = ""
        try:
            # Built aside and moved into place, so that a file of that name is always whole.
            handle, temporary = tempfile.mkstemp(f".{path.name}.tmp", ".", dir=path.parent)
            os.close(handle)
            connection = sqlite3.connect(temporary)
            with contextlib.closing(connection):
                _prepare(connection, meta)
            _sync(Path(temporary))
            umask = os.umask(0)
            os.umask(umask)
            Path(temporary).chmod(0o666 & ~umask)
            _place(Path(temporary), path)
            _sync(path.parent)
        except OSError as error:
            raise PBCGError(f"{path} could not be made: {reason(error)}.") from error
        except sqlite3.Error as error:
            raise PBCGError(f"{path} could not be made: {_plain(error)}.") from error
        finally:
            with contextlib.suppress(OSError):
                if temporary:
                    Path(temporary).unlink()
        return cls.open(path, program)

    @classmethod
    def open(cls, path: Path, program: str) -> Journal:
        """Open the campaign file at ``path`` for this program alone.

        Raises PBCGError if it is missing, no campaign, too new, or held by another program.
        """
        _check_head(path)
        connection = None
        try:
            connection = sqlite3.connect(path, timeout=0.2, isolation_level=None)
            connection.execute("PRAGMA synchronous = EXTRA")
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            # The first write takes the lock that exclusive mode then keeps until the end.
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")
            _check_kind(connection, path)
            return cls(connection, path, program)
        except sqlite3.OperationalError as error:
            if connection:
                connection.close()
            if "locked" in str(error):
                raise PBCGError(
                    f"{path} is open in another pbcg: close that one first, then try again."
                ) from error
            raise PBCGError(f"{path} could not be opened: {_plain(error)}.") from error
        except sqlite3.Error as error:
            if connection:
                connection.close()
            raise PBCGError(f"{path} is damaged: {_plain(error)}.") from error
        except PBCGError:
            if connection:
                connection.close()
            raise

    @classmethod
    def of_bytes(cls, stored: bytes, path: Path, program: str) -> Journal:
        """The journal in ``stored``, all bytes of the file at ``path``, to be read in memory.

        Nothing that is done to it reaches the file. Raises PBCGError as ``open`` does.
        """
        _check_head(path)
        connection = sqlite3.connect(":memory:", isolation_level=None)
        try:
            connection.deserialize(stored)
            _check_kind(connection, path)
            return cls(connection, None, program)
        except sqlite3.Error as error:
            connection.close()
            raise PBCGError(f"{path} is damaged: {_plain(error)}.") from error
        except PBCGError:
            connection.close()
            raise

    @classmethod
    def in_memory(cls, meta: Mapping[str, Any], program: str = "") -> Journal:
        """A journal without a file, for tests and simulation."""
        connection = sqlite3.connect(":memory:", isolation_level=None)
        _prepare(connection, meta)
        return cls(connection, None, program)

    def meta(self, key: str) -> Any:
        """A setting of the campaign, as it was given when it began; None if there is none."""
        return msgspec.json.decode(self._meta[key]) if key in self._meta else None

    def append(self, entry: Entry) -> Entry:
        """Write ``entry``; when this returns it is on the disk."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        body = msgspec.json.encode(entry.body).decode()
        row = (entry.kind, entry.step, entry.point, entry.side, int(entry.secret), body, at)
        seq = self._write(
            "INSERT INTO entries (kind, step, point, side, secret, body, at, program) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*row, self._program),
        )
        if entry.kind == "undo":
            if self._void is not None:
                self._void.update(range(entry.body["back_to"] + 1, seq))
            # What was kept after the answers taken back never stands again; entries stay.
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("DELETE FROM snapshots WHERE seq > ?", (entry.body["back_to"],))
        return msgspec.structs.replace(entry, seq=seq, at=at, program=self._program)

    def keep(self, snapshot: Snapshot) -> None:
        """Keep the state after a finished step."""
        state = snapshot.state
        if self.path:
            # A campaign keeps some 170 states and goes back and forth by mail.
            state = zlib.compress(state, 1)
            if self._format < FORMAT:
                self._write(f"PRAGMA user_version = {FORMAT}", ())
                self._format = FORMAT
        self._write(
            "INSERT INTO snapshots (seq, step, state, lines) VALUES (?, ?, ?, ?)",
            (snapshot.seq, snapshot.step, state, snapshot.lines),
        )

    def _write(self, statement: str, values: tuple[Any, ...]) -> int:
        try:
            cursor = self._db.execute(statement, values)
        except sqlite3.Error as error:
            raise PBCGError(
                f"{self.path} could not be written: {_plain(error)}. "
                "Everything acknowledged before is kept."
            ) from error
        return int(cursor.lastrowid or 0)

    def entries(self, after: int = 0) -> list[Entry]:
        """Every entry after ``after``, undone ones too, in order."""
        return [_entry(row) for row in self._rows("SELECT * FROM entries WHERE seq > ?", after)]

    def standing(self, after: int = 0) -> list[Entry]:
        """The entries after ``after`` that no undo has taken back."""
        void = self.void()
        kept = [entry for entry in self.entries(after) if entry.kind != "undo"]
        return [entry for entry in kept if entry.seq not in void]

    def rolls(self) -> int:
        """How many rolls stand."""
        void = self.void()
        rolls = self._rows("SELECT seq FROM entries WHERE kind = 'roll'")
        return sum(seq not in void for (seq,) in rolls)

    def void(self) -> AbstractSet[int]:
        """The numbers of all entries that an undo has taken back."""
        if self._void is None:
            # Read once: nobody else writes while this program holds the file.
            self._void = set()
            for seq, body in self._rows("SELECT seq, body FROM entries WHERE kind = 'undo'"):
                self._void.update(range(int(msgspec.json.decode(body)["back_to"]) + 1, seq))
        return self._void

    def last_snapshot(self, upto: int | None = None, within: str = "") -> Snapshot | None:
        """The newest snapshot that still stands, with no entry after ``upto`` in it.

        With ``within`` it is one of a step whose id begins so, for example ``dawn/``.
        """
        void = self.void()
        # The states are large: only the one that is wanted is read.
        for id, seq, step in self._rows("SELECT id, seq, step FROM snapshots ORDER BY id DESC"):
            if seq not in void and (upto is None or seq <= upto) and step.startswith(within):
                ((state, lines),) = self._rows(
                    "SELECT state, lines FROM snapshots WHERE id = ?", id
                )
                return Snapshot(seq=seq, step=step, state=_plain_state(state), lines=lines)
        return None

    def logs(self) -> Iterator[str]:
        """What snapshots that stand keep of the log, oldest first."""
        void = self.void()
        for seq, lines in self._rows("SELECT seq, lines FROM snapshots ORDER BY id"):
            if seq not in void:
                yield lines

    def _rows(self, statement: str, *values: Any) -> list[Any]:
        return list(self._db.execute(statement, values))

    def close(self) -> None:
        """Let the file go."""
        self._db.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _check_head(path: Path) -> None:
    """Settle that ``path`` is a file of the right kind at all; raises PBCGError if not."""
    if path.is_dir():
        raise PBCGError(f"{path} is a folder, no campaign file.")
    try:
        with path.open("rb") as stream:
            head = stream.read(16)
    except OSError as error:
        raise PBCGError(f"{path} could not be opened: {reason(error)}.") from error
    if head != b"SQLite format 3\0":
        raise PBCGError(f"{path} is no pbcg campaign file.")


def _check_kind(connection: sqlite3.Connection, path: Path) -> None:
    """Settle that it is ours and not too new; raises PBCGError if not."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
        raise PBCGError(f"{path} is no pbcg campaign file.")
    if connection.execute("PRAGMA user_version").fetchone()[0] > FORMAT:
        raise PBCGError(f"{path} was written by a newer pbcg: install the newest one.")


def _plain_state(state: bytes) -> bytes:
    return zlib.decompress(state) if state.startswith(_ZLIB) else state


def _entry(row: tuple[Any, ...]) -> Entry:
    seq, kind, step, point, side, secret, body, at, program = row
    return Entry(
        seq=seq,
        kind=kind,
        step=step,
        point=point,
        side=side,
        secret=bool(secret),
        body=msgspec.json.decode(body),
        at=at,
        program=program,
    )


def _prepare(connection: sqlite3.Connection, meta: Mapping[str, Any]) -> None:
    connection.executescript(_SCHEMA)
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    rows = [(key, msgspec.json.encode(value).decode()) for key, value in meta.items()]
    connection.executemany("INSERT INTO meta VALUES (?, ?)", rows)
    connection.commit()


def _place(temporary: Path, path: Path) -> None:
    """Move the new file to ``path`` unless somebody made one there in the meantime."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise PBCGError(f"{path} exists already: choose another name or move it away.") from None
    except (OSError, AttributeError):
        temporary.replace(path)  # a file system without links


def _sync(path: Path) -> None:
    """Bring a file or folder to the disk; a system that cannot sync a folder need not."""
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _plain(error: sqlite3.Error) -> str:
    text = str(error)
    if "full" in text:
        return "the disk is full"
    if "readonly" in text or "read-only" in text:
        return "you may not write there"
    return text.rstrip(".")
