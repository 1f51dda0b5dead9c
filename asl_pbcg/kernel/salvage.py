"""Getting out of a damaged campaign file what can still be read.

SQLite is asked first, row by row. What it does not find is looked for in the pages themselves:
the leaves of its trees, whatever became of the branches above them, then the bare texts of entries.
"""

from __future__ import annotations

import contextlib
import itertools
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from asl_pbcg.kernel import database
from asl_pbcg.kernel.database import Damaged
from asl_pbcg.kernel.entries import (
    MOST_ENTRIES,
    NoEntry,
    Stored,
    beginning,
    canonical,
    digest,
    read_entry,
)
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import make_new, reason
from asl_pbcg.kernel.opening import read_contents
from asl_pbcg.kernel.stored_file import Kept, new_file, snapshot_hash

_LEAF = 0x0D
_MOST_CELLS = 400_000
_MOST_ROW = 16_000_000
_BEGINS = re.compile(rb'\{"about":"')
_ENDS = re.compile(rb'"step":"(?:[^"\\]|\\.)*"\}')
_MOST_LOOSE = 65_536
_MOST_ENDS = 20


class Salvaged(msgspec.Struct):
    """What came out of a damaged file, and sentences about what did not."""

    meta: dict[str, str]
    entries: list[bytes]
    kept: list[tuple[Any, ...]]
    """Rows of snapshots: number of the last entry, step, state, log, hash."""
    lost: list[str]
    seen: int
    """The highest number of an entry that could be seen."""
    complete: bool
    """Whether it is known what was lost: the file still says which entry was its last."""


def rescue(path: Path, new: Path) -> Salvaged:
    """Write all that can be read of the file at ``path`` into a new one at ``new``.

    Raises PBCGError if nothing can be, or ``new`` cannot be made. ``path`` is not touched.
    """
    if new.exists() or new.is_symlink():
        raise PBCGError(f"{new} exists already: choose another name or move it away.")
    found = salvage(path)

    def fill(connection: sqlite3.Connection) -> None:
        rows = list(enumerate(found.entries, 1))
        connection.executemany("INSERT INTO entries VALUES (?, ?)", rows)
        connection.executemany(
            "INSERT INTO snapshots (seq, step, state, lines, hash) VALUES (?, ?, ?, ?, ?)",
            found.kept,
        )
        head = digest(found.entries[-1]) if found.entries else beginning(found.meta)
        connection.execute("UPDATE head SET seq = ?, hash = ?", (len(rows), head))

    make_new(new, new_file(found.meta, fill))
    return found


def salvage(path: Path) -> Salvaged:
    """All that can be read of the file at ``path``. Raises PBCGError if that is nothing."""
    database.check_size(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PBCGError(f"{path} could not be opened: {reason(error)}.") from error
    if _is_old(data, path):
        raise PBCGError(
            f"{path} is of an older form, whose entries have no chain: what is wrong in it cannot "
            "be told from what is right. Use the version of pbcg that wrote it."
        )
    lost: list[str] = []
    rows = _rows(data, path)
    meta = _settings(rows, lost)
    if not meta:
        raise PBCGError(f"{path}: nothing can be read of it, not even how the campaign began.")
    entries, heads = _entries(rows, meta, lost)
    complete = bool(lost) or heads[-1] in rows.heads
    return Salvaged(meta, entries, _keep(rows, heads), lost, _last_seen(rows), complete)


def _is_old(data: bytes, path: Path) -> bool:
    """Whether the file is of a form without a chain; raises PBCGError if it is of a newer one."""
    version = int.from_bytes(data[60:64], "big")
    if version in (1, 2):
        with (
            contextlib.suppress(Damaged, sqlite3.Error, UnicodeError),
            contextlib.closing(database.in_memory(data, path)) as connection,
        ):
            read_contents(connection, path)
            raise PBCGError(f"{path} can be read as it is; nothing needs to be rescued.")
    return version in (1, 2)


class _Rows:
    """Rows by their table, several for one number where the file holds old copies too."""

    def __init__(self) -> None:
        self.meta: list[tuple[str, str]] = []
        self.entries: dict[int, list[bytes]] = {}
        self.snapshots: dict[int, list[tuple[Any, ...]]] = {}
        self.heads: set[str] = set()

    def take(self, id: int, row: tuple[Any, ...]) -> None:
        """Take a row of any table: they differ by their number of columns."""
        if len(row) == 2 and isinstance(row[1], bytes) and row[0] in (None, id):
            _into(self.entries, id, row[1])
        elif len(row) == 2 and all(isinstance(each, str) for each in row):
            if row not in self.meta:
                self.meta.append((row[0], row[1]))
        elif len(row) == 2 and isinstance(row[0], int) and isinstance(row[1], str):
            self.heads.add(row[1])
        elif len(row) == 6 and isinstance(row[3], bytes) and isinstance(row[4], bytes):
            _into(self.snapshots, id, row[1:])


def _into(found: dict[int, list[Any]], id: int, row: Any) -> None:
    rows = found.setdefault(id, [])
    if row not in rows:
        rows.append(row)


def _rows(data: bytes, path: Path) -> _Rows:
    rows = _Rows()
    with (
        contextlib.suppress(PBCGError, sqlite3.Error, UnicodeError),
        contextlib.closing(database.in_memory(data, path)) as connection,
    ):
        for table in ("meta", "entries", "snapshots", "head"):
            with contextlib.suppress(sqlite3.Error, UnicodeError), database.patience(connection):
                for row in connection.execute(f"SELECT rowid, * FROM {table}"):
                    rows.take(row[0], row[1:])
    for id, row in _cells(data):
        rows.take(id, row)
    for seq, content in _loose(data):
        rows.take(seq, (seq, content))
    return rows


# -- The pages themselves ----------------------------------------------------------------


def _cells(data: bytes) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Every row that stands in a leaf of a table, whatever stands above it."""
    size = int.from_bytes(data[16:18], "big")
    for fitting in dict.fromkeys((size if size > 1 else 65536, 4096)):
        if fitting < 512 or fitting & (fitting - 1):
            continue
        found = 0
        for start in range(0, len(data) - fitting + 1, fitting):
            head = start + (100 if start == 0 else 0)
            if data[head] != _LEAF:
                continue
            for number in range(int.from_bytes(data[head + 3 : head + 5], "big")):
                pointer = data[head + 8 + 2 * number : head + 10 + 2 * number]
                at = start + int.from_bytes(pointer, "big")
                with contextlib.suppress(IndexError, ValueError):
                    yield _cell(data, at, start, fitting)
                found += 1
                if found > _MOST_CELLS:
                    return
        if found:
            return


def _loose(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Every entry whose text stands in one piece, whatever the page round it says."""
    for number, found in enumerate(_BEGINS.finditer(data)):
        if number > _MOST_CELLS:
            return
        start = found.start()
        ends = _ENDS.finditer(data, start, start + _MOST_LOOSE)
        for end in itertools.islice(ends, _MOST_ENDS):
            content = data[start : end.end()]
            with contextlib.suppress(msgspec.DecodeError, UnicodeError, RecursionError):
                yield msgspec.json.decode(content, type=Stored).seq, content
                break


def _cell(data: bytes, at: int, start: int, size: int) -> tuple[int, tuple[Any, ...]]:
    length, at = _varint(data, at)
    id, at = _varint(data, at)
    if length > _MOST_ROW or at >= start + size:
        raise ValueError
    here = _local(length, size)
    content = data[at : at + here]
    if here < length:
        page = int.from_bytes(data[at + here : at + here + 4], "big")
        parts = [content]
        left, most = length - here, len(data) // size
        while left > 0:
            if not 0 < page <= most or len(parts) > most:
                raise ValueError
            over = data[(page - 1) * size : page * size]
            parts.append(over[4 : 4 + min(left, size - 4)])
            left -= len(parts[-1])
            page = int.from_bytes(over[:4], "big")
        content = b"".join(parts)
    return id, _record(content)


def _local(length: int, size: int) -> int:
    """How many bytes of a row of ``length`` stand in the leaf itself."""
    if length <= size - 35:
        return length
    least = (size - 12) * 32 // 255 - 23
    here = least + (length - least) % (size - 4)
    return here if here <= size - 35 else least


def _record(content: bytes) -> tuple[Any, ...]:
    end, at = _varint(content, 0)
    types = []
    while at < end:
        kind, at = _varint(content, at)
        types.append(kind)
        if len(types) > 9:
            raise ValueError
    at = end
    row: list[Any] = []
    for kind in types:
        width = (kind - 12) // 2 if kind >= 12 else (0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0)[kind]
        part = content[at : at + width]
        if len(part) < width:
            raise ValueError
        at += width
        if kind >= 12:
            row.append(part if kind % 2 == 0 else part.decode("utf-8", "replace"))
        elif kind == 0:
            row.append(None)
        else:
            row.append(kind - 8 if kind in (8, 9) else int.from_bytes(part, "big", signed=True))
    return tuple(row)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = 0
    for place in range(9):
        byte = data[at + place]
        if place == 8:
            return number << 8 | byte, at + 9
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, at + place + 1
    raise ValueError


# -- What fits together ------------------------------------------------------------------


def _settings(rows: _Rows, lost: list[str]) -> dict[str, str]:
    meta: dict[str, str] = {}
    for key, value in rows.meta:
        with contextlib.suppress(msgspec.DecodeError, UnicodeError, RecursionError):
            msgspec.json.decode(value)
            meta.setdefault(key, value)
    wanted = _begins_with(rows)
    if wanted and meta and beginning(meta) not in wanted:
        lost.append("The settings with which the campaign began are not those that were written.")
    return meta


def _begins_with(rows: _Rows) -> set[str]:
    """What first entries say that they follow."""
    found = set()
    for content in rows.entries.get(1, []):
        with contextlib.suppress(msgspec.DecodeError, UnicodeError, RecursionError):
            found.add(msgspec.json.decode(content, type=Stored).prev)
    return found


def _entries(rows: _Rows, meta: dict[str, str], lost: list[str]) -> tuple[list[bytes], list[str]]:
    """The entries from the first on, as long as each follows the one before."""
    heads = [beginning(meta)]
    begun = _begins_with(rows)
    if begun and heads[0] not in begun:
        heads = [sorted(begun)[0]]  # the settings are wrong; the entries may still be right
    found: list[bytes] = []
    while len(found) < MOST_ENTRIES:
        seq = len(found) + 1
        candidates = [each for each in rows.entries.get(seq, []) if _fits(each, seq, heads[-1])]
        # Of several, the one that the next entry follows.
        follow = {_prev(each) for each in rows.entries.get(seq + 1, [])}
        chosen = [each for each in candidates if digest(each) in follow]
        if not chosen and follow - {""} and candidates:
            chosen = [each for each in candidates if _mends(rows, seq + 1, digest(each))]
            if not chosen:
                break  # the next entry follows another: this one was changed
        if not candidates:
            break
        found.append((chosen or candidates)[0])
        heads.append(digest(found[-1]))
    last = _last_seen(rows)
    if last > len(found):
        lost.append(
            f"Entry {len(found) + 1} cannot be read or was changed; it and all after it, up to "
            f"entry {last}, are lost."
        )
    if heads[0] != beginning(meta):
        found = _chain_anew(found, meta)
        heads = [beginning(meta), *map(digest, found)]
    return found, heads


def _mends(rows: _Rows, seq: int, prev: str) -> bool:
    """Whether of entry ``seq`` only what it says that it follows is wrong; then that is mended."""
    after = {_prev(each) for each in rows.entries.get(seq + 1, [])} | rows.heads
    for content in rows.entries.get(seq, []):
        with contextlib.suppress(msgspec.DecodeError, UnicodeError, RecursionError):
            entry = msgspec.json.decode(content, type=Stored)
            mended = canonical(msgspec.structs.replace(entry, prev=prev))
            if digest(mended) in after:
                rows.entries[seq].append(mended)
                return True
    return False


def _fits(content: bytes, seq: int, prev: str) -> bool:
    try:
        read_entry(content, seq, prev)
    except NoEntry:
        return False
    return True


def _prev(content: bytes) -> str:
    try:
        return msgspec.json.decode(content, type=Stored).prev
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""


def _chain_anew(entries: list[bytes], meta: dict[str, str]) -> list[bytes]:
    """The chain on other settings than it was begun with: all its hashes are new."""
    head = beginning(meta)
    found = []
    for content in entries:
        entry = msgspec.structs.replace(msgspec.json.decode(content, type=Stored), prev=head)
        found.append(canonical(entry))
        head = digest(found[-1])
    return found


def _last_seen(rows: _Rows) -> int:
    known = [
        seq
        for seq, contents in rows.entries.items()
        if 0 < seq <= MOST_ENTRIES and any(each.startswith(b'{"about":') for each in contents)
    ]
    return max(known, default=0)


def _keep(rows: _Rows, heads: list[str]) -> list[tuple[Any, ...]]:
    """The snapshots from the first on, as long as each fits its entries and the one before."""
    found: list[tuple[Any, ...]] = []
    before = ""
    for id in sorted(rows.snapshots):
        fitting = [row for row in rows.snapshots[id] if _snapshot_fits(row, before, heads)]
        if not fitting:
            return found
        found.append(fitting[0])
        before = fitting[0][4]
    return found


def _snapshot_fits(row: tuple[Any, ...], before: str, heads: list[str]) -> bool:
    seq, step, state, lines, hash = row
    if not isinstance(seq, int) or not 0 <= seq < len(heads) or not isinstance(step, str):
        return False
    return bool(snapshot_hash(Kept(seq=seq, step=step), before, heads[seq], state, lines) == hash)
