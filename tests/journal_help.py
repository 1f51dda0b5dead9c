"""What tests do to campaign files by hand, as somebody would who knows how they are made."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.kernel.entries import beginning, canonical, digest
from asl_pbcg.kernel.journal import Journal


def run_sql(path: Path, *statements: str) -> None:
    """Change a file with any SQLite tool."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA synchronous = OFF")
    for statement in statements:
        database.execute(statement)
    database.close()


def raw_entries(path: Path) -> list[dict[str, Any]]:
    """The entries as they are stored."""
    database = sqlite3.connect(path)
    rows = [row[0] for row in database.execute("SELECT entry FROM entries ORDER BY seq")]
    database.close()
    return [msgspec.json.decode(row) for row in rows]


def write_entries(path: Path, entries: list[dict[str, Any]], chained: bool = True) -> None:
    """Put entries in place of those of a file; ``chained`` reckons the chain anew to the end."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    meta = dict(database.execute("SELECT key, value FROM meta"))
    head = beginning(meta)
    database.execute("DELETE FROM entries")
    for seq, entry in enumerate(entries, 1):
        content = canonical({**entry, "seq": seq, "prev": head} if chained else entry)
        head = digest(content)
        database.execute("INSERT INTO entries VALUES (?, ?)", (seq, content))
    if chained:
        database.execute("UPDATE head SET seq = ?, hash = ?", (len(entries), head))
        database.execute("DELETE FROM snapshots")
    database.commit()
    database.close()


def rewrite(path: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """Change the entries of a file and reckon its whole chain anew: only a witness can tell."""
    entries = raw_entries(path)
    change(entries)
    write_entries(path, entries)


def as_if_begun_now(path: Path) -> None:
    """Bring a file of an older form into the present one as if it had been begun in that.

    Then its seed counts: the dice of files that were carried over come from the system.
    """
    Journal.open(path, "test").close()
    entries = raw_entries(path)
    assert entries[-1]["kind"] == "carried"
    run_sql(
        path,
        f"DELETE FROM entries WHERE seq = {len(entries)}",
        f"UPDATE head SET seq = {len(entries) - 1}, hash = '{entries[-1]['prev']}'",
    )
