"""Files of the forms 1 and 2, whose entries had no chain: read, and carried over once.

All entries come along, those taken back too, with their times and programs; what an entry was
about was not written then. A last entry of the kind ``carried`` says from where they came.
"""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.kernel import database
from asl_pbcg.kernel.entries import (
    MOST_ENTRIES,
    MOST_WORDS,
    Entry,
    NoEntry,
    canonical,
    digest,
    read_entry,
    store,
    void_among,
)
from asl_pbcg.kernel.stored_file import (
    MOST_SNAPSHOTS,
    Contents,
    Kept,
    read_settings,
    snapshot_hash,
)

_KINDS = ("answer", "roll", "undo", "correction")


def read_old_contents(connection: sqlite3.Connection, path: Path) -> Contents:
    """What a file of form 1 or 2 holds, its entries chained as if they had been written now.

    Raises Damaged or NoEntry if it cannot be read.
    """
    contents = Contents(read_settings(connection, path))
    rows = connection.execute(
        "SELECT seq, kind, step, point, side, secret, body, at, program FROM entries ORDER BY seq"
    )
    for row in rows:
        wanted = len(contents.entries) + 1
        seq, kind, step, point, side, secret, body, at, program = row
        words = (kind, step, point, side, body, at, program)
        if seq != wanted or wanted > MOST_ENTRIES:
            raise NoEntry(f"entry {wanted} is missing; {str(seq)[:20]} comes next")
        if not all(isinstance(each, str) for each in words) or kind not in _KINDS:
            raise NoEntry(f"entry {seq} cannot be read")
        _append(
            contents,
            Entry(
                kind=kind,
                step=step,
                point=point,
                side=side,
                secret=bool(secret),
                body=_read(body, f"entry {seq}"),
                at=at,
                program=program,
            ),
        )
    _read_old_snapshots(connection, contents)
    return contents


def _append(contents: Contents, entry: Entry) -> bytes:
    seq, prev = len(contents.entries) + 1, contents.heads[-1]
    _, content = store(msgspec.structs.replace(entry, seq=seq, prev=prev))
    contents.entries.append(read_entry(content, seq, prev))
    contents.heads.append(digest(content))
    return content


def _read(text: str, what: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NoEntry(f"{what} cannot be read") from error


def _read_old_snapshots(connection: sqlite3.Connection, contents: Contents) -> None:
    void = void_among(contents.entries)
    last = 0
    rows = connection.execute("SELECT seq, step, state, lines FROM snapshots ORDER BY id")
    for number, (seq, step, state, lines) in enumerate(rows):
        fits = isinstance(seq, int) and 0 <= seq <= len(contents.entries)
        named = isinstance(step, str) and len(step) <= MOST_WORDS and isinstance(lines, str)
        if not fits or not named or not isinstance(state, bytes) or number >= MOST_SNAPSHOTS:
            raise NoEntry("the states that it keeps cannot be read")
        if seq in void or seq < last:
            continue
        last = seq
        if not state.startswith(b"\x78"):
            state = zlib.compress(state, 1)
        contents.kept.append(Kept(seq=seq, step=step, content=(state, lines.encode())))


def carry_over(
    connection: sqlite3.Connection, path: Path, contents: Contents, program: str
) -> Contents:
    """Bring the file behind ``connection`` into the present form, in one transaction.

    Raises WriteFailed if the disk refuses; the file is then as it was.
    """
    version = database.version_of(connection)
    if contents.entries:
        _append(
            contents,
            Entry(
                kind="carried",
                step="",
                point="",
                body={"format": version, "entries": len(contents.entries)},
                at=datetime.now(UTC).isoformat(timespec="seconds"),
                program=program,
            ),
        )
    rows = []
    for at, kept in enumerate(contents.kept):
        assert kept.content
        before = contents.kept[at - 1].hash if at else ""
        hash = snapshot_hash(kept, before, contents.heads[kept.seq], *kept.content)
        contents.kept[at] = Kept(id=at + 1, seq=kept.seq, step=kept.step, hash=hash)
        rows.append((at + 1, kept.seq, kept.step, *kept.content, hash))
    try:
        connection.execute("BEGIN IMMEDIATE")
        for table in ("meta", "entries", "snapshots"):
            connection.execute(f"DROP TABLE {table}")
        for statement in database.SCHEMA.split(";"):
            connection.execute(statement)
        connection.executemany("INSERT INTO meta VALUES (?, ?)", list(contents.meta.items()))
        connection.executemany(
            "INSERT INTO entries VALUES (?, ?)",
            [(entry.seq, canonical(entry)) for entry in contents.entries],
        )
        connection.executemany("INSERT INTO snapshots VALUES (?, ?, ?, ?, ?, ?)", rows)
        connection.execute(
            "INSERT INTO head VALUES (?, ?)", (len(contents.entries), contents.heads[-1])
        )
        connection.execute(f"PRAGMA user_version = {database.FORMAT}")
        connection.execute("COMMIT")
    except BaseException as error:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        if isinstance(error, sqlite3.Error):
            raise database.WriteFailed(
                f"{path} could not be brought into its present form: {database.plain(error)}. "
                "It is as it was."
            ) from error
        raise
    return contents
