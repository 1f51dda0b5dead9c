"""What a campaign file holds, read with its chain checked: the whole of it, or its end."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.kernel import database
from asl_pbcg.kernel.database import damage
from asl_pbcg.kernel.entries import (
    MOST_BYTES,
    MOST_ENTRIES,
    MOST_WORDS,
    DoesNotFollow,
    NoEntry,
    Stored,
    beginning,
    canonical,
    digest,
    prev_of,
    read_entry,
    read_undo,
    words_of,
)
from asl_pbcg.kernel.sha import sha256

MOST_SNAPSHOTS = 50_000
SHORT = 60
"""A file of so many entries is always read as a whole."""
CORRECTION = "correction"
"""The step of what is kept after a correction."""
_MOST_SETTINGS = 64
_MOST_MEMORY = 64_000_000


class Kept(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A snapshot: where it stands in the file, or its content if it is not there.

    ``hash`` is empty where it was not read yet.
    """

    id: int = 0
    seq: int
    step: str
    hash: str = ""
    content: tuple[bytes, bytes] | None = None


class Contents:
    """The settings, entries and snapshots of a file.

    ``first`` entries at the beginning were not read; ``heads`` begins with the hash of the last of
    them, or of the settings.
    """

    def __init__(self, meta: dict[str, str], first: int = 0, head: str = "") -> None:
        self.meta = meta
        self.first = first
        self.entries: list[Stored] = []
        self.heads: list[str] = [head or beginning(meta)]
        self.kept: list[Kept] = []


def read_chained(connection: sqlite3.Connection, path: Path) -> Contents:
    """Read a file of the present form, with its whole chain.

    Raises Damaged or NoEntry for the first thing that does not fit.
    """
    contents = Contents(read_settings(connection, path))
    _read_entries(
        connection.execute("SELECT seq, entry FROM entries ORDER BY seq"),
        contents,
    )
    _check_head(connection, contents)
    _read_snapshots(connection, contents, len(contents.entries))
    return contents


def read_end(connection: sqlite3.Connection, path: Path) -> Contents | None:
    """Read a file of the present form from its last finished step on, and check its chain's end.

    What stands before is read when it is asked for (``read_beginning``). None where the end cannot
    be taken by itself: the file is short, goes back to before, or anything does not fit.
    """
    contents = Contents(read_settings(connection, path))
    heads = connection.execute("SELECT seq, hash FROM head").fetchmany(2)
    many, most = connection.execute("SELECT count(*), max(seq) FROM entries").fetchone()
    if len(heads) != 1 or not many == most == heads[0][0] or not SHORT < many <= MOST_ENTRIES:
        return None
    try:
        _read_snapshots(connection, contents, many)
        began = next((kept.seq for kept in reversed(contents.kept) if kept.step != CORRECTION), 0)
        first = min(began, many - 1)
        rows = connection.execute(
            "SELECT seq, entry FROM entries WHERE seq = 1 OR seq > ? ORDER BY seq", (first,)
        ).fetchall()
        if prev_of(rows[0][1]) != contents.heads[0]:  # the settings are read too
            return None
        del rows[0 : bool(first)]
        end = Contents(contents.meta, first, prev_of(rows[0][1]))
        _read_entries(rows, end)
        whole = end.heads[-1] == heads[0][1]
        back = [read_undo(each).back_to for each in end.entries if each.kind == "undo"]
    except (NoEntry, IndexError):
        return None
    end.kept = contents.kept
    return end if whole and min(back, default=first) >= first else None


def read_beginning(connection: sqlite3.Connection, end: Contents) -> Contents:
    """The entries before those of ``end``, their chain checked up to where ``end`` begins.

    Raises NoEntry for the first thing that does not fit.
    """
    contents = Contents(end.meta)
    _read_entries(
        connection.execute(
            "SELECT seq, entry FROM entries WHERE seq <= ? ORDER BY seq", (end.first,)
        ),
        contents,
    )
    last = len(contents.entries)
    if last != end.first:
        raise NoEntry(f"entry {last + 1} is missing")
    if contents.heads[-1] != end.heads[0]:
        raise NoEntry(_two(contents, last + 1))
    return contents


def read_settings(connection: sqlite3.Connection, path: Path) -> dict[str, str]:
    """The settings as stored. Raises Damaged if they cannot be read."""
    rows = connection.execute("SELECT key, value FROM meta").fetchmany(_MOST_SETTINGS + 1)
    found: dict[str, str] = {}
    for key, value in rows:
        if not isinstance(key, str) or not isinstance(value, str) or len(value) > MOST_BYTES:
            raise damage(path, "its settings cannot be read")
        try:
            msgspec.json.decode(value)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise damage(path, f"its setting {key[:40]} cannot be read") from error
        found[key] = value
    if len(rows) > _MOST_SETTINGS:
        raise damage(path, f"it has more than {_MOST_SETTINGS} settings")
    return found


def _read_entries(rows: Iterable[tuple[Any, Any]], contents: Contents) -> None:
    total = 0
    entries, heads = contents.entries, contents.heads
    for wanted, (seq, content) in enumerate(rows, contents.first + 1):
        if seq != wanted:
            raise NoEntry(f"entry {wanted} is missing; {str(seq)[:20]} comes next")
        if not isinstance(content, bytes):
            raise NoEntry(f"entry {seq} cannot be read")
        total += len(content)
        if wanted > MOST_ENTRIES or total > _MOST_MEMORY:
            raise NoEntry(f"it has more than {MOST_ENTRIES:,} entries, or too long ones")
        try:
            entries.append(read_entry(content, wanted, heads[-1]))
        except DoesNotFollow as error:
            if not entries:
                raise NoEntry(
                    "its settings are not those with which entry 1 was written"
                ) from error
            raise NoEntry(_two(contents, wanted)) from error
        heads.append(digest(content))


def _two(contents: Contents, seq: int) -> str:
    return (
        f"{words_of(contents.entries[-1])} is not the one that entry {seq} follows: one of the "
        "two was changed"
    )


def _check_head(connection: sqlite3.Connection, contents: Contents) -> None:
    """Settle that the chain ends where the last write left it."""
    rows = connection.execute("SELECT seq, hash FROM head").fetchmany(2)
    if len(rows) != 1:
        raise NoEntry("it does not say where its chain ends")
    last, head = rows[0]
    if last != len(contents.entries):
        raise NoEntry(f"its chain should end with entry {last}, but {len(contents.entries)} stand")
    if head != contents.heads[-1]:
        what = f"its last entry, {last}," if last else "what it says of its settings"
        raise NoEntry(f"{what} is not the one that was written")


def _read_snapshots(connection: sqlite3.Connection, contents: Contents, entries: int) -> None:
    # Their hashes stand behind all that they hold: they are read with what is read of it.
    rows = connection.execute("SELECT id, seq, step FROM snapshots ORDER BY id")
    last = 0
    for id, seq, step in rows:
        fits = isinstance(seq, int) and last <= seq <= entries
        named = isinstance(step, str) and len(step) <= MOST_WORDS
        if not fits or not named or len(contents.kept) >= MOST_SNAPSHOTS:
            raise NoEntry("the states that it keeps cannot be read")
        last = seq
        contents.kept.append(Kept(id=id, seq=seq, step=step))


def snapshot_hash(kept: Kept, before: str, head: str, state: bytes, lines: bytes) -> str:
    """The hash of a snapshot: of its state and log as stored, the hash ``head`` of its last entry
    and that of the snapshot before.
    """
    content: dict[str, Any] = {
        "before": before,
        "head": head,
        "lines": sha256(lines).hexdigest(),
        "seq": kept.seq,
        "state": sha256(state).hexdigest(),
        "step": kept.step,
    }
    return digest(canonical(content))


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
