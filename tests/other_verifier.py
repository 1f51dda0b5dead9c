"""A verifier of campaign files written from ``docs/engineers/journal.md`` alone.

It uses nothing of pbcg. Where it disagrees with ``pbcg verify`` about the chain, the page or the
program is wrong.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path
from typing import Any

NAMES = (
    "about", "at", "body", "kind", "point", "prev", "program", "secret", "seq", "side", "step",
)  # fmt: skip


def canonical(value: Any) -> bytes:
    """JSON with sorted keys, no white space, UTF-8."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode()


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def first_wrong(path: Path) -> str:
    """The first place of a file that does not fit, in words; empty if its chain is whole."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return _first_wrong(database)
    except (sqlite3.Error, ValueError, KeyError, TypeError) as error:
        return f"cannot be read: {error}"
    finally:
        database.close()


def _first_wrong(database: sqlite3.Connection) -> str:
    if database.execute("PRAGMA application_id").fetchone()[0] != 0x50424347:
        return "another kind of file"
    if database.execute("PRAGMA user_version").fetchone()[0] != 3:
        return "another form"
    kinds = database.execute("SELECT type, name FROM sqlite_schema ORDER BY name").fetchall()
    if kinds != [
        ("table", "entries"), ("table", "head"), ("table", "meta"), ("table", "snapshots"),
        ("index", "sqlite_autoindex_meta_1"),
    ]:  # fmt: skip
        return "other tables"
    meta = dict(database.execute("SELECT key, value FROM meta").fetchall())
    heads = [sha(canonical({"format": "pbcg-journal/3", "meta": meta}))]
    for seq, content in database.execute("SELECT seq, entry FROM entries ORDER BY seq"):
        entry = json.loads(content)
        if seq != len(heads) or entry["seq"] != seq:
            return f"the number of entry {len(heads)}"
        if entry["prev"] != heads[-1]:
            return f"what entry {seq} follows"
        if tuple(entry) != NAMES or canonical(entry) != content:
            return f"the form of entry {seq}"
        heads.append(sha(content))
    if database.execute("SELECT seq, hash FROM head").fetchall() != [(len(heads) - 1, heads[-1])]:
        return "the head"
    before = ""
    rows = database.execute("SELECT seq, step, state, lines, hash FROM snapshots ORDER BY id")
    for seq, step, state, lines, hash in rows:
        said = {
            "before": before, "head": heads[seq], "lines": sha(lines), "seq": seq,
            "state": sha(state), "step": step,
        }  # fmt: skip
        if sha(canonical(said)) != hash:
            return f"what is kept after {step}"
        before = hash
    return ""
