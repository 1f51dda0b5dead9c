"""States and logs after finished steps: in memory, and cached on this machine.

They follow from the entries. The cache is keyed by the hash of the line of the last entry that a
state includes, and by the version of the program: deleting it costs a replay, nothing else.
"""

from __future__ import annotations

import contextlib
import os
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from asl_pbcg.kernel.standing import Standing

CORRECTION = "correction"
"""The step of what is kept after a correction."""
VARIABLE = "PBCG_CACHE"
"""Names another folder for the cache, or ``off``."""
MAX_CACHE = 64_000_000
"""The most bytes that the cache of one campaign may have before it is begun again."""
_DAYS = 90
_HEAD = 8


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """The state after a finished step; ``seq`` is the last entry it includes.

    ``given`` says that it was taken from a checkpoint, since it does not follow from the entries
    under the rules of this program.
    """

    seq: int
    step: str
    state: bytes
    lines: str
    given: bool = False


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    """A snapshot as it is cached: with the hash of its line and how many stand before it."""

    head: str
    place: int
    seq: int
    step: str
    given: bool
    state: bytes
    lines: str


class KeptStates:
    """The snapshots of a journal that stand, oldest first; ``file`` is where they are cached."""

    def __init__(self, file: Path | None = None, compress: bool = False) -> None:
        self.file = file
        self._compress = compress
        self._kept: list[Snapshot] = []
        self._saved = 0

    def __len__(self) -> int:
        return len(self._kept)

    def load(self, head_of: Callable[[int], str], standing: Standing) -> None:
        """Take those from the cache that are of this journal as it stands."""
        if not self.file:
            return
        last = len(standing.entries)
        found: dict[int, _Kept] = {}
        for kept in _read_cache(self.file):
            if kept.seq <= last and head_of(kept.seq) == kept.head and standing.stands(kept.seq):
                found[kept.place] = kept
        seq = 0
        for place in range(len(found)):
            kept_here = found.get(place)
            if kept_here is None or kept_here.seq < seq:
                break
            seq = kept_here.seq
            self._kept.append(
                Snapshot(
                    seq=seq,
                    step=kept_here.step,
                    state=kept_here.state,
                    lines=kept_here.lines,
                    given=kept_here.given,
                )
            )
        self._saved = len(self._kept)

    # -- reading -----------------------------------------------------------------------

    @property
    def step_began(self) -> int:
        """The last entry before the step in progress was first begun."""
        return next((kept.seq for kept in reversed(self._kept) if kept.step != CORRECTION), 0)

    @property
    def given(self) -> Snapshot | None:
        """The newest one that was taken from a checkpoint."""
        return next((kept for kept in reversed(self._kept) if kept.given), None)

    def last(self, upto: int | None = None, within: str = "") -> Snapshot | None:
        """Return the newest one without an entry after ``upto``.

        With ``within`` it is one of a step whose id begins so.
        """
        for kept in reversed(self._kept):
            if kept.step.startswith(within) and (upto is None or kept.seq <= upto):
                return self._plain(kept)
        return None

    def all(self) -> Iterator[Snapshot]:
        """Yield every one."""
        return map(self._plain, self._kept)

    def lines(self, after: int) -> Iterator[tuple[int, str]]:
        """Yield the last entry and the log of each that goes beyond ``after``."""
        for kept in self._kept:
            if kept.seq > after or not after:
                yield kept.seq, kept.lines

    def at(self, seq: int, step: str) -> Snapshot | None:
        """Return the snapshot of the step ``step`` whose last entry is ``seq``."""
        for kept in reversed(self._kept):
            if (kept.seq, kept.step) == (seq, step):
                return self._plain(kept)
            if kept.seq < seq:
                break
        return None

    def includes(self, seq: int, step: str) -> bool:
        """Return whether the end of the step ``step`` with the last entry ``seq`` is among them."""
        return any((kept.seq, kept.step) == (seq, step) for kept in self._kept)

    def logs_between(self, before: tuple[int, str], last: Snapshot) -> list[str]:
        """Return the logs after the step ``before`` (its last entry and id) up to ``last``."""
        logs: list[str] = []
        for kept in self._kept:
            logs.append(kept.lines)
            if (kept.seq, kept.step) == before:
                logs = []
            if (kept.seq, kept.step) == (last.seq, last.step):
                break
        return logs

    def _plain(self, kept: Snapshot) -> Snapshot:
        if not self._compress:
            return kept
        return msgspec.structs.replace(kept, state=zlib.decompress(kept.state))

    # -- writing -----------------------------------------------------------------------

    def keep(self, snapshot: Snapshot) -> None:
        """Keep a snapshot."""
        if self._compress:
            state = zlib.compress(snapshot.state, 1)
            snapshot = msgspec.structs.replace(snapshot, state=state)
        self._kept.append(snapshot)

    def drop(self, after: int) -> None:
        """Forget those that include an entry after ``after``."""
        while self._kept and self._kept[-1].seq > after:
            self._kept.pop()
        self._saved = min(self._saved, len(self._kept))

    def clear(self) -> None:
        """Forget all."""
        self._kept.clear()
        self._saved = 0

    def save(self, head_of: Callable[[int], str]) -> None:
        """Write what is new to the cache; where that fails it costs a replay some day."""
        new, place = self._kept[self._saved :], self._saved
        if not self.file or not new:
            return
        self._saved = len(self._kept)
        parts = []
        for number, kept in enumerate(new, place):
            content = msgspec.msgpack.encode(
                _Kept(
                    head_of(kept.seq), number, kept.seq, kept.step, kept.given, kept.state,
                    kept.lines,
                )
            )  # fmt: skip
            parts.append(len(content).to_bytes(4, "big") + zlib.crc32(content).to_bytes(4, "big"))
            parts.append(content)
        with contextlib.suppress(OSError):
            _append(self.file, b"".join(parts))


def _read_cache(path: Path) -> Iterator[_Kept]:
    try:
        content = path.read_bytes()
    except (OSError, ValueError):
        return
    view, at = memoryview(content), 0
    try:
        while at + _HEAD <= len(content):
            size = int.from_bytes(view[at : at + 4], "big")
            part = view[at + _HEAD : at + _HEAD + size]
            if zlib.crc32(part) != int.from_bytes(view[at + 4 : at + _HEAD], "big"):
                break
            yield _DECODER.decode(part)
            at += _HEAD + size
    except (msgspec.DecodeError, UnicodeError, ValueError):
        pass
    if at != len(content):  # a write that was interrupted: begin again rather than behind it
        with contextlib.suppress(OSError):
            path.unlink()


_DECODER = msgspec.msgpack.Decoder(_Kept)


def _append(path: Path, content: bytes) -> None:
    try:
        if path.stat().st_size > MAX_CACHE:
            path.unlink()
    except FileNotFoundError:
        _make_room(path)
    handle = os.open(
        path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600
    )
    try:
        os.write(handle, content)
    finally:
        os.close(handle)


def _make_room(path: Path) -> None:
    """Make the folder, and remove what no program has used for long."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    campaign = path.name.partition("-")[0]
    for other in path.parent.iterdir():
        stale = time.time() - other.stat().st_mtime > _DAYS * 86_400
        if other.suffix == path.suffix and (stale or other.name.startswith(campaign)):
            other.unlink()


def cache_file(campaign: str, stamp: str) -> Path | None:
    """Return where states of the campaign with the first hash ``campaign`` are cached."""
    named = os.environ.get(VARIABLE, "")
    if named == "off":
        return None
    if named:
        folder = Path(named)
    else:
        from platformdirs import user_cache_path

        folder = user_cache_path("pbcg", appauthor=False) / "states"
    return folder / f"{campaign[:32]}-{stamp}.states"
