"""The SQLite files of pbcg 0.2.0 (its form 3), imported once with their history.

The file is read as if a stranger had made it: its schema is compared word for word before a row is
read, rows have bounds, nothing of it runs.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from asl_pbcg.kernel.canonical import Unreadable, canonical, digest, read_canonical
from asl_pbcg.kernel.checkpoints import MAX_STATE, checkpoint_entry, part_of
from asl_pbcg.kernel.entries import Entry, encode_entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import reason, sync, write_atomic
from asl_pbcg.kernel.journal_cache import CORRECTION, Snapshot
from asl_pbcg.kernel.journal_text import (
    MAX_ENTRIES,
    JournalLine,
    JournalText,
    header_line,
    read_text,
)
from asl_pbcg.kernel.standing import Standing

FORM = 3
OLD_FORMAT = "pbcg-journal/3"
ENDING = ".0.2.0"
"""Added to the name of the old file."""
_APPLICATION = 0x50424347
_MAX_ROW = 16_000_000
_STEPS = 50_000_000
"""So many thousand steps of SQLite are enough for any whole file."""
_SCHEMA = {
    "meta": "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "entries": "CREATE TABLE entries (seq INTEGER PRIMARY KEY, entry BLOB NOT NULL)",
    "snapshots": "CREATE TABLE snapshots (\n  id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, "
    "step TEXT NOT NULL, state BLOB NOT NULL,\n  lines BLOB NOT NULL, hash TEXT NOT NULL)",
    "head": "CREATE TABLE head (seq INTEGER NOT NULL, hash TEXT NOT NULL)",
}
_NAMES = (
    "about", "at", "body", "kind", "point", "prev", "program", "secret", "seq", "side", "step",
)  # fmt: skip


def import_file(path: Path, content: bytes, text: bytes) -> str:
    """Put the ``text`` of an old file in its place, and the old file beside it; say so.

    Raises PBCGError if it cannot be written; nothing has changed then.
    """
    aside = path.with_name(path.name + ENDING)
    number = 1
    while aside.exists() or aside.is_symlink():
        number += 1
        aside = path.with_name(f"{path.name}{ENDING}-{number}")
    try:
        try:
            os.link(path, aside)
        except (OSError, AttributeError):
            write_atomic(aside, content)  # a file system without links
        sync(path.parent)
        write_atomic(path, text)
    except BaseException as error:
        with contextlib.suppress(OSError):
            aside.unlink()
        if isinstance(error, OSError):
            raise PBCGError(f"{path} could not be imported: {reason(error)}.") from error
        raise
    return f"{path} was written by pbcg 0.2.0; it is a text file now. The old file is {aside.name}."


def imported_text(path: Path, content: bytes, program: str) -> bytes:
    """Return the text of a file of pbcg 0.2.0. Raises PBCGError if it cannot be imported."""
    beside = path.with_name(path.name + "-journal")
    if beside.exists() and beside.stat().st_size:
        raise PBCGError(
            f"{path} was left in the midst of a write by pbcg 0.2.0 ({beside.name}): open it once "
            'with that version ("pbcg status"), then with this one.'
        )
    try:
        with contextlib.closing(sqlite3.connect(":memory:")) as connection:
            text = b"".join(_lines(connection, path, content, program))
    except (sqlite3.Error, UnicodeError, zlib.error, Unreadable) as error:
        raise _damage(path, str(error)) from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:  # not what stands there
        raise _damage(path, "a row cannot be read") from error
    read_text(text, path)
    return text


def _damage(path: Path, words: str) -> PBCGError:
    return PBCGError(
        f"{path} is a file of pbcg 0.2.0 and damaged ({words.rstrip('.')}): pbcg rescue of that "
        "version keeps what can be read of it."
    )


def _lines(
    connection: sqlite3.Connection, path: Path, content: bytes, program: str
) -> Iterator[bytes]:
    """Yield the lines of the new file: one for each old entry, and one with the checkpoints."""
    _open(connection, path, content)
    texts = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    meta = {str(key): msgspec.json.decode(text) for key, text in texts.items()}
    old = _entries(connection, path, texts)
    line = header_line(meta, program, {"form": FORM, "meta": texts}, old[0].at if old else "")
    yield line
    named = program
    for entry in old:
        next_line = JournalLine(entry.at, [_raw_entry(entry)], entry.seq + 1, digest(line))
        if entry.program != named:
            named = entry.program
            next_line.program, next_line.rules = named, ""
        line = canonical(next_line) + b"\n"
        yield line
    if checkpoints := [_raw_entry(entry) for entry in _checkpoints(connection, old)]:
        yield canonical(JournalLine(old[-1].at, checkpoints, len(old) + 2, digest(line))) + b"\n"


def _raw_entry(entry: Entry) -> msgspec.Raw:
    return msgspec.Raw(encode_entry(entry))


def _open(connection: sqlite3.Connection, path: Path, content: bytes) -> None:
    """Open the old file in memory, once it is known to be one. Raises PBCGError."""
    if content[68:72] != _APPLICATION.to_bytes(4, "big"):
        raise PBCGError(f"{path} is not a pbcg campaign file (J01).")
    form = int.from_bytes(content[60:64], "big")
    if form > FORM:
        raise PBCGError(f"{path} was written by a newer pbcg: install the newest one (J02).")
    if form < FORM:
        raise PBCGError(
            f"{path} was written by a pbcg before 0.2.0 (form {form}), whose files this version "
            "does not read: open it once with pbcg 0.2.0 to go on with it, then with this one."
        )
    if content[18:20] != b"\1\1":
        raise _damage(path, "another program has changed its kind")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_ROW)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.deserialize(content)
    steps = iter(range(_STEPS // 1000))
    connection.set_progress_handler(lambda: next(steps, None) is None, 1000)
    found = connection.execute("SELECT type, name, sql FROM sqlite_schema").fetchmany(9)
    tables = {name: sql for kind, name, sql in found if kind == "table"}
    others = [name for kind, name, _ in found if kind != "table"]
    if tables != _SCHEMA or others != ["sqlite_autoindex_meta_1"]:
        raise _damage(path, "its tables are not those that pbcg made")


def _entries(connection: sqlite3.Connection, path: Path, texts: dict[str, str]) -> list[Entry]:
    """Return the old entries, their chain checked. Raises PBCGError."""
    entries: list[Entry] = []
    head = first_hash(texts)
    rows = connection.execute("SELECT seq, entry FROM entries ORDER BY seq")
    for seq, stored in rows.fetchmany(MAX_ENTRIES + 1):
        old = read_canonical(stored)
        fits = isinstance(old, dict) and tuple(old) == _NAMES and old["prev"] == head
        if not fits or not seq == old["seq"] == len(entries) + 1:
            raise _damage(path, f"entry {seq} does not follow what stands before it")
        at = str(old["at"]).removesuffix("+00:00") + "Z"
        entries.append(msgspec.convert({**old, "at": at}, Entry))
        head = digest(stored)
    if connection.execute("SELECT seq, hash FROM head").fetchall() != [(len(entries), head)]:
        raise _damage(path, "its last entry is not the one that was written")
    return entries


def _checkpoints(connection: sqlite3.Connection, old: list[Entry]) -> Iterator[Entry]:
    """Yield the newest kept state of each part of the game that stands, with its log."""
    standing = Standing.of(old)
    last: Snapshot | None = None
    logs: list[bytes] = []
    rows = connection.execute("SELECT seq, step, state, lines FROM snapshots ORDER BY id")
    for seq, step, state, lines in rows:
        if not standing.stands(seq):
            continue
        if step == CORRECTION and last:
            step = last.step
        if last and part_of(step) != part_of(last.step):
            yield checkpoint_entry(last, logs)
            logs = []
        inflate = zlib.decompressobj()
        plain = inflate.decompress(state, MAX_STATE) if state[:1] == b"\x78" else state
        last = Snapshot(seq=seq, step=step, stored_state=plain, stored_log=lines)
        logs.append(lines)
    if last:
        yield checkpoint_entry(last, logs)


# -- Fingerprints that were printed before the import ----------------------------------------


def first_hash(texts: dict[str, str]) -> str:
    """Return the hash that the first old entry goes back to."""
    return digest(canonical({"format": OLD_FORMAT, "meta": texts}))


def old_heads(text: JournalText) -> list[str]:
    """Return the hashes that an imported file had in its old form, from its settings on."""
    heads = [first_hash(text.header.source["meta"])]
    for line in range(1, len(text.heads)):
        entry = text.entries[text.starts[line]]
        if text.named[line][1] or entry.kind == "checkpoint":
            break
        old = {name: getattr(entry, name) for name in _NAMES if name != "prev"}
        old |= {"at": entry.at.removesuffix("Z") + "+00:00", "prev": heads[-1]}
        heads.append(digest(canonical(old)))
    return heads
