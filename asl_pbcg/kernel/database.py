"""The SQLite file under a journal, read as if a stranger had made it.

Its schema is compared word for word before a row is read: no view, trigger or foreign table runs
or is looked into. Sizes and counts have bounds. What an interrupted write left beside the file is
looked at before SQLite may touch either.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from asl_pbcg.kernel.errors import HeldElsewhere, PBCGError
from asl_pbcg.kernel.files import reason
from asl_pbcg.kernel.wording import quotation, to_type

APPLICATION = 0x50424347  # "PBCG" in SQLite's application id, so that a wrong file is known
FORMAT = 3
"""1: the states of snapshots are plain; 2: they may be compressed; 3: entries are chained."""
SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE entries (seq INTEGER PRIMARY KEY, entry BLOB NOT NULL);
CREATE TABLE snapshots (
  id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, step TEXT NOT NULL, state BLOB NOT NULL,
  lines BLOB NOT NULL, hash TEXT NOT NULL);
CREATE TABLE head (seq INTEGER NOT NULL, hash TEXT NOT NULL);
"""
OLD_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE entries (
  seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, step TEXT NOT NULL, point TEXT NOT NULL,
  side TEXT NOT NULL, secret INTEGER NOT NULL, body TEXT NOT NULL, at TEXT NOT NULL,
  program TEXT NOT NULL);
CREATE TABLE snapshots (
  id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, step TEXT NOT NULL, state BLOB NOT NULL,
  lines TEXT NOT NULL);
"""
"""Formats 1 and 2."""
MOST_FILE = 64_000_000
"""The most bytes of a campaign file."""
_MOST_ROW = 16_000_000
_STEPS = 200_000
"""Steps of SQLite between two looks at the clock."""
_MOST_SECONDS = 4.0
_HEADER = b"SQLite format 3\0"
_JOURNAL = bytes.fromhex("d9d505f920a163d7")  # how a rollback journal begins
_RESERVED = 0x40000001  # the byte of the file that SQLite locks while it writes
_LOCKS = 512
_TRIES = 6


class Damaged(PBCGError):
    """A campaign file that cannot be read as one; ``pbcg rescue`` may still get something."""


class WriteFailed(PBCGError):
    """The disk refused a write; the file is as it was before."""


# -- Files -----------------------------------------------------------------------------


def is_game_file(path: Path) -> bool:
    """Whether a file is marked as one of the program's, as its first bytes say."""
    if connection_held(path):
        return True  # closing it would let go this process's locks on it
    try:
        with path.open("rb") as file:
            head = file.read(72)
    except OSError:
        return False
    return head.startswith(_HEADER) and head[68:72] == APPLICATION.to_bytes(4, "big")


def check_size(path: Path) -> None:
    """Settle that there is a file of bearable size at ``path``; a pipe or device is never opened.

    Raises PBCGError if not.
    """
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise PBCGError(f"{path} is a folder, no campaign file.")
        if not stat.S_ISREG(found.st_mode):
            raise PBCGError(f"{path} is no file but a pipe or a device.")
        if found.st_size > MOST_FILE:
            raise PBCGError(
                f"{path} has {found.st_size:,} bytes; a campaign file has {MOST_FILE:,} at most."
            )
    except OSError as error:
        raise PBCGError(f"{path} could not be opened: {reason(error)}.") from error
    except ValueError as error:
        raise PBCGError(f"{str(path)!r} is no name of a file.") from error


def check_file(path: Path) -> None:
    """Settle that there is a file of bearable size at ``path`` that begins as SQLite's do.

    Raises PBCGError if not.
    """
    check_size(path)
    try:
        # Closing a file lets go this process's locks on it: never one that it holds.
        if not connection_held(path):
            with path.open("rb") as stream:
                head = stream.read(20)
            if not head.startswith(_HEADER):
                raise PBCGError(f"{path} is no pbcg campaign file.")
            if head[18:] != b"\1\1":
                raise damage(path, "another program has changed its kind")
    except OSError as error:
        raise PBCGError(f"{path} could not be opened: {reason(error)}.") from error


_held: dict[tuple[int, int], sqlite3.Connection] = {}


def connection_held(path: Path) -> sqlite3.Connection | None:
    """This process's own connection to the file at ``path``, if it holds it."""
    try:
        found = path.stat()
    except OSError:
        return None
    return _held.get((found.st_dev, found.st_ino))


def hold(path: Path, connection: sqlite3.Connection) -> Callable[[], None]:
    """Note that this process holds the file at ``path``; returns what lets it go."""
    found = path.stat()
    key = (found.st_dev, found.st_ino)
    _held[key] = connection

    def let_go() -> None:
        if _held.get(key) is connection:
            del _held[key]

    return let_go


def interrupted_write(path: Path) -> Path | None:
    """The rollback journal that an interrupted write left beside ``path``, if it holds anything."""
    beside = path.with_name(path.name + "-journal")
    try:
        if not stat.S_ISREG(beside.lstat().st_mode):
            return None
        with beside.open("rb") as stream:
            return beside if stream.read(len(_JOURNAL)) == _JOURNAL else None
    except OSError:
        return None


def roll_back(data: bytes, beside: Path) -> bytes | None:
    """The file ``data`` as it was before the write that left ``beside``; None if that fails.

    It is tried on a copy in a folder of its own.
    """
    try:
        if beside.stat().st_size > 2 * MOST_FILE:
            return None
        left = beside.read_bytes()
    except OSError:
        return None
    import tempfile

    if left.endswith(_JOURNAL):  # it names a journal of journals, which pbcg never writes
        return None
    with tempfile.TemporaryDirectory(prefix="pbcg-") as folder:
        copy = Path(folder) / "copy"
        copy.write_bytes(data)
        copy.with_name("copy-journal").write_bytes(left)
        try:
            with contextlib.closing(sqlite3.connect(copy, timeout=0)) as connection:
                _be_careful(connection)
                connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
            return copy.read_bytes()
        except (sqlite3.Error, OSError, UnicodeError):
            return None


def is_being_written(path: Path) -> bool:
    """Whether another program writes to the file now, as far as the system can tell."""
    try:
        import fcntl
    except ImportError:  # Windows: nobody can rename what another program holds open
        beside = path.with_name(path.name + "-journal")
        try:
            beside.replace(beside)
        except OSError:
            return True
        return False
    handle = os.open(path, os.O_RDWR)
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, _LOCKS, _RESERVED)
        fcntl.lockf(handle, fcntl.LOCK_UN, _LOCKS, _RESERVED)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


# -- Connections -----------------------------------------------------------------------


def connect(path: Path) -> sqlite3.Connection:
    """Open the file at ``path`` for this program alone; its schema is not looked at yet.

    Raises PBCGError if another program holds it or it cannot be written.
    """
    connection = None
    try:
        connection = sqlite3.connect(path, timeout=0.2, isolation_level=None)
        _be_careful(connection)
        connection.execute("PRAGMA synchronous = EXTRA")
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        # The first write takes the lock that exclusive mode then keeps until the end.
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
        check_kind(connection, path)
        return connection
    except sqlite3.OperationalError as error:
        if connection:
            connection.close()
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (
            sqlite3.SQLITE_BUSY,
            sqlite3.SQLITE_LOCKED,
        ):
            raise HeldElsewhere(path) from error
        raise PBCGError(f"{path} could not be opened: {plain(error)}.") from error
    except (sqlite3.Error, UnicodeError) as error:
        if connection:
            connection.close()
        raise damage(path, plain(error)) from error
    except BaseException:
        if connection:
            connection.close()
        raise


def in_memory(data: bytes, path: Path) -> sqlite3.Connection:
    """The database file ``data`` opened in memory; ``path`` is where it came from.

    Raises PBCGError if it is no campaign file.
    """
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with closing_if_wrong(connection, path):
        if not data.startswith(_HEADER):
            raise PBCGError(f"{path} is no pbcg campaign file.")
        if data[18:20] != b"\1\1":
            raise damage(path, "another program has changed its kind")
        _be_careful(connection)
        connection.deserialize(data)
        check_kind(connection, path)
    return connection


@contextlib.contextmanager
def closing_if_wrong(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Close ``connection`` if what is done with it fails; raise Damaged for what sqlite says."""
    try:
        yield
    except (sqlite3.Error, UnicodeError) as error:
        connection.close()
        raise damage(path, plain(error)) from error
    except BaseException:
        connection.close()
        raise


def _be_careful(connection: sqlite3.Connection) -> None:
    """Let the file run nothing, read no row past its bound, and keep nobody waiting."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_ROW)
    connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, 100_000)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0")
    connection.text_factory = _text


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


@contextlib.contextmanager
def patience(connection: sqlite3.Connection) -> Any:
    """Let reading go on for some seconds at most; then sqlite3.OperationalError is raised."""
    until = time.monotonic() + _MOST_SECONDS
    connection.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
    try:
        yield
    finally:
        connection.set_progress_handler(None, 0)


def check_kind(connection: sqlite3.Connection, path: Path) -> None:
    """Settle that the file is pbcg's, of a form that this program knows, word for word.

    Raises PBCGError if not.
    """
    with patience(connection):
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise PBCGError(f"{path} is no pbcg campaign file.")
        version = version_of(connection)
        if version > FORMAT:
            raise PBCGError(f"{path} was written by a newer pbcg: install the newest one.")
        wanted = _words(SCHEMA if version == FORMAT else OLD_SCHEMA)
        found = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchmany(
            len(wanted) + 1
        )
    if version < 1 or sorted(found, key=repr) != wanted:
        raise damage(path, "its tables are not those that pbcg makes")


def version_of(connection: sqlite3.Connection) -> int:
    """The format of a file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _words(schema: str) -> list[Any]:
    """The rows of ``sqlite_schema`` that SQLite writes for the tables of ``schema``."""
    tables = [each.strip() for each in schema.split(";") if each.strip()]
    names = [each.split()[2] for each in tables]
    rows: list[Any] = [
        ("table", *(name, name), sql) for name, sql in zip(names, tables, strict=True)
    ]
    rows.append(("index", "sqlite_autoindex_meta_1", "meta", None))
    return sorted(rows, key=repr)


def prepare(connection: sqlite3.Connection) -> None:
    """Make the tables of a new file."""
    connection.executescript(SCHEMA)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")


def damage(path: Path | None, what: str) -> Damaged:
    """The sentence for a file in which ``what`` is wrong."""
    rescue = quotation(to_type("pbcg", "rescue", path or "FILE", "-o", "NEW"))
    return Damaged(
        f"{path} is damaged: {what.rstrip('.')}. {rescue} keeps all of it that can be read."
    )


def plain(error: sqlite3.Error | UnicodeError) -> str:
    """Say in plain words why SQLite refused."""
    if isinstance(error, UnicodeError):  # not even its own words about the file could be read
        return "its tables cannot be read"
    text = str(error)
    if "full" in text:
        return "the disk is full"
    if "readonly" in text or "read-only" in text:
        return "it or its folder is read-only for you"
    if "interrupted" in text:
        return "it keeps the reader busy for ever"
    return text.rstrip(".")
