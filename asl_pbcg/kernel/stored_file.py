"""What a campaign file holds, read with its chain checked."""

from __future__ import annotations

import sqlite3
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

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
    read_entry,
    words_of,
)

MOST_SNAPSHOTS = 50_000
_MOST_SETTINGS = 64
_MOST_MEMORY = 64_000_000


class Kept(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A snapshot: where it stands in the file, or its content if it is not there."""

    id: int = 0
    seq: int
    step: str
    hash: str = ""
    content: tuple[bytes, bytes] | None = None


class Contents:
    """The settings, entries and snapshots of a file; ``heads`` begins with the settings' hash."""

    def __init__(self, meta: dict[str, str]) -> None:
        self.meta = meta
        self.entries: list[Stored] = []
        self.heads: list[str] = [beginning(meta)]
        self.kept: list[Kept] = []


def read_chained(connection: sqlite3.Connection, path: Path) -> Contents:
    """Read a file of the present form, with its whole chain.

    Raises Damaged or NoEntry for the first thing that does not fit.
    """
    contents = Contents(read_settings(connection, path))
    _read_entries(connection, contents)
    _check_head(connection, contents)
    _read_snapshots(connection, contents)
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


def _read_entries(connection: sqlite3.Connection, contents: Contents) -> None:
    total = 0
    entries, heads = contents.entries, contents.heads
    for seq, content in connection.execute("SELECT seq, entry FROM entries ORDER BY seq"):
        wanted = len(entries) + 1
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
            raise NoEntry(
                f"{words_of(entries[-1])} is not the one that entry {wanted} follows: one of the "
                "two was changed"
            ) from error
        heads.append(digest(content))


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


def _read_snapshots(connection: sqlite3.Connection, contents: Contents) -> None:
    rows = connection.execute("SELECT id, seq, step, hash FROM snapshots ORDER BY id")
    last = 0
    for id, seq, step, hash in rows:
        fits = isinstance(seq, int) and last <= seq <= len(contents.entries)
        named = isinstance(step, str) and isinstance(hash, str) and len(step) <= MOST_WORDS
        if not fits or not named or len(contents.kept) >= MOST_SNAPSHOTS:
            raise NoEntry("the states that it keeps cannot be read")
        last = seq
        contents.kept.append(Kept(id=id, seq=seq, step=step, hash=hash))


def snapshot_hash(kept: Kept, before: str, heads: list[str], state: bytes, lines: bytes) -> str:
    """The hash of a snapshot: of its state and log as stored, its entry and the snapshot before."""
    content: dict[str, Any] = {
        "before": before,
        "head": heads[kept.seq],
        "lines": sha256(lines).hexdigest(),
        "seq": kept.seq,
        "state": sha256(state).hexdigest(),
        "step": kept.step,
    }
    return digest(canonical(content))
