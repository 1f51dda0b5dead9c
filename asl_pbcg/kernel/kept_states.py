"""The states and logs that a journal keeps after finished steps.

Each is hashed with the one before it and with the last entry it includes; what is read back must
be what was written. So opening is fast, and a later version strands no campaign.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from asl_pbcg.kernel import database
from asl_pbcg.kernel.database import damage, plain
from asl_pbcg.kernel.stored_file import CORRECTION, Kept, snapshot_hash

MOST_STATE = 32_000_000
"""The most bytes of a state or a log once it is inflated."""
_ZLIB = b"\x78"  # how compressed data begin; a plain state begins with a brace


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """The state after a finished step; ``seq`` is the last entry it includes."""

    seq: int
    step: str
    state: bytes
    lines: str


class Mark(NamedTuple):
    """What was kept at one moment, so that a write that fails can be taken back."""

    kept: list[Kept]
    deferred: list[tuple[Kept, bytes, bytes]]


class Holder(Protocol):
    """The journal that the states belong to."""

    path: Path | None
    reading: bool
    connection: sqlite3.Connection | None

    def head_of(self, seq: int) -> str:
        """The hash of the entry ``seq``."""
        ...

    def execute(self, statement: str, *values: Any) -> int:
        """Write to its file."""
        ...


class KeptStates:
    """What a journal keeps beside its entries, oldest first."""

    def __init__(self, journal: Holder, kept: list[Kept]) -> None:
        self._journal = journal
        self._kept = kept
        self._deferred: list[tuple[Kept, bytes, bytes]] = []
        """States to be kept with the next write."""

    # -- reading -----------------------------------------------------------------------

    @property
    def step_began(self) -> int:
        """The last entry before the step in progress was first begun."""
        return next((kept.seq for kept in reversed(self._kept) if kept.step != CORRECTION), 0)

    def last(self, void: Collection[int], upto: int | None, within: str) -> Snapshot | None:
        """The newest one whose last entry is not ``void`` and not after ``upto``.

        With ``within`` it is one of a step whose id begins so.
        """
        for at in range(len(self._kept) - 1, -1, -1):
            kept = self._kept[at]
            if kept.seq in void or not kept.step.startswith(within):
                continue
            if upto is None or kept.seq <= upto:
                return self._snapshot(at)
        return None

    def all(self) -> Iterator[Snapshot]:
        """Every one."""
        return map(self._snapshot, range(len(self._kept)))

    def lines(self, void: Collection[int], after: int) -> Iterator[tuple[int, str]]:
        """The last entry and the log of each that is not ``void`` and goes beyond ``after``."""
        for at, kept in enumerate(self._kept):
            if kept.seq not in void and (kept.seq > after or not after):
                yield kept.seq, self._read(at)[1]

    def _snapshot(self, at: int) -> Snapshot:
        kept = self._kept[at]
        state, lines = self._read(at)
        state = _inflate(state, self._journal.path)
        return Snapshot(seq=kept.seq, step=kept.step, state=state, lines=lines)

    def _read(self, at: int) -> tuple[bytes, str]:
        """The state and the log as stored. Raises Damaged if they do not fit."""
        kept, path = self._kept[at], self._journal.path
        if kept.content is not None:
            return kept.content[0], kept.content[1].decode()
        state, lines, hash = self._row(kept)
        before = self._hash_before(at)
        if snapshot_hash(kept, before, self._journal.head_of(kept.seq), state, lines) != hash:
            raise damage(
                path,
                f"the state or the log kept after {kept.step[:40]} (entry {kept.seq}) is not "
                "the one that was written",
            )
        try:
            return state, lines.decode()
        except UnicodeDecodeError as error:
            raise damage(path, f"the log after {kept.step[:40]} cannot be read") from error

    def _row(self, kept: Kept) -> tuple[bytes, bytes, str]:
        db, path = self._journal.connection, self._journal.path
        assert db
        try:
            with database.patience(db):
                row = db.execute(
                    "SELECT state, lines, hash FROM snapshots WHERE id = ?", (kept.id,)
                ).fetchone()
        except (sqlite3.Error, UnicodeError) as error:
            raise damage(path, plain(error)) from error
        if row is None or not all(map(isinstance, row, (bytes, bytes, str))):
            raise damage(path, f"the state after {kept.step[:40]} is missing")
        state, lines, hash = row
        return state, lines, hash

    def _hash_before(self, at: int) -> str:
        if not at:
            return ""
        before = self._kept[at - 1]
        return before.hash or (self._row(before)[2] if before.id else "")

    # -- writing -----------------------------------------------------------------------

    def keep(self, snapshot: Snapshot, at_once: bool) -> None:
        """Keep a state: ``at_once``, else with the next write."""
        journal = self._journal
        state, lines = snapshot.state, snapshot.lines.encode()
        if journal.path:
            # A campaign keeps some 170 states and goes back and forth by mail.
            state = zlib.compress(state, 1)
        kept = Kept(seq=snapshot.seq, step=snapshot.step, content=(state, lines))
        if at_once and journal.connection:
            self.insert(kept, state, lines)
        else:
            self._kept.append(kept)
            if journal.connection and not journal.reading:
                self._deferred.append((kept, state, lines))

    def write_deferred(self) -> None:
        """Write what waits for the next write."""
        deferred, self._deferred = self._deferred, []
        for kept, state, lines in deferred:
            self.insert(kept, state, lines)

    def insert(self, kept: Kept, state: bytes, lines: bytes) -> None:
        """Write one to the file, in its place."""
        at = next((n for n, each in enumerate(self._kept) if each is kept), len(self._kept))
        head = self._journal.head_of(kept.seq)
        hash = snapshot_hash(kept, self._hash_before(at), head, state, lines)
        id = self._journal.execute(
            "INSERT INTO snapshots (seq, step, state, lines, hash) VALUES (?, ?, ?, ?, ?)",
            *(kept.seq, kept.step, state, lines, hash),
        )
        self._kept[at : at + 1] = [Kept(id=id, seq=kept.seq, step=kept.step, hash=hash)]

    def drop(self, back_to: int) -> None:
        """What was kept after the answers taken back never stands again; entries stay."""
        gone = [kept for kept in self._kept if kept.seq > back_to]
        if not gone:
            return
        self._kept = [kept for kept in self._kept if kept.seq <= back_to]
        self._deferred = [each for each in self._deferred if each[0].seq <= back_to]
        if any(kept.id for kept in gone):
            self._journal.execute("DELETE FROM snapshots WHERE seq > ?", back_to)

    def mark(self) -> Mark:
        """What is kept now."""
        return Mark(list(self._kept), list(self._deferred))

    def go_back(self, mark: Mark) -> None:
        """Let stand what stood at a ``mark``."""
        self._kept, self._deferred = mark


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
