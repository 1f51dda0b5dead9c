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

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.standing import Standing

CORRECTION = "correction"
"""The step of what is kept after a correction."""
VARIABLE = "PBCG_CACHE"
"""Names another folder for the cache, or ``off``."""
MAX_CACHE = 64_000_000
"""The most bytes that the cache of one campaign may have before it is begun again."""
_DAYS = 90
_HEAD = 8
_BLOCK = 256
"""So many bytes hold nearly every head."""
_ENDINGS = (".states", ".lines")


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


class _Head(msgspec.Struct, frozen=True, array_like=True):
    """What stands before the content of a cached snapshot.

    ``head`` is the hash of its line, ``place`` how many snapshots stand before it; then the lengths
    of state and log.
    """

    head: str
    place: int
    seq: int
    step: str
    given: bool
    state: int
    lines: int


class _Kept(msgspec.Struct):
    """A snapshot in memory, or where its content stands in the cache."""

    seq: int
    step: str
    given: bool
    content: tuple[bytes, bytes] | None
    """State and log, compressed where they are cached."""
    at: int = 0
    head: _Head | None = None


class KeptStates:
    """The snapshots of a journal that stand, oldest first; ``file`` is where they are cached."""

    def __init__(self, file: Path | None = None, compress: bool = False) -> None:
        self.file = file
        self._compress = compress
        self._kept: list[_Kept] = []
        self._saved = 0

    def __len__(self) -> int:
        return len(self._kept)

    def load(self, head_of: Callable[[int], str], standing: Standing) -> None:
        """Take those from the cache that are of this journal as it stands."""
        if not self.file:
            return
        last = len(standing.entries)
        found: dict[int, _Kept] = {}
        for head, at in _read_heads(self.file):
            if head.seq <= last and head_of(head.seq) == head.head and standing.stands(head.seq):
                found[head.place] = _Kept(head.seq, head.step, head.given, None, at, head)
        for place in range(len(found)):
            kept = found.get(place)
            if kept is None or (self._kept and kept.seq < self._kept[-1].seq):
                break
            self._kept.append(kept)
        self._saved = len(self._kept)

    # -- reading -----------------------------------------------------------------------

    @property
    def step_began(self) -> int:
        """The last entry before the step in progress was first begun."""
        return next((kept.seq for kept in reversed(self._kept) if kept.step != CORRECTION), 0)

    @property
    def given(self) -> str:
        """The step of the newest one that was taken from a checkpoint; empty without one."""
        return next((kept.step for kept in reversed(self._kept) if kept.given), "")

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
                yield kept.seq, self._lines(kept)

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
            logs.append(self._lines(kept))
            if (kept.seq, kept.step) == before:
                logs = []
            if (kept.seq, kept.step) == (last.seq, last.step):
                break
        return logs

    def _plain(self, kept: _Kept) -> Snapshot:
        state = self._content(kept)[0]
        return Snapshot(
            seq=kept.seq,
            step=kept.step,
            state=_inflate(state) if self._compress else state,
            lines=self._lines(kept),
            given=kept.given,
        )

    def _lines(self, kept: _Kept) -> str:
        lines = self._content(kept)[1]
        return (_inflate(lines) if self._compress else lines).decode()

    def _content(self, kept: _Kept) -> tuple[bytes, bytes]:
        if kept.content is None:
            assert self.file
            assert kept.head
            before = msgspec.msgpack.encode(kept.head)
            try:
                with self.file.open("rb") as stream:
                    stream.seek(kept.at - len(before))
                    if stream.read(len(before)) != before:  # begun again by another program
                        raise _cache_gone(self.file)
                    kept.content = (stream.read(kept.head.state), stream.read(kept.head.lines))
            except OSError as error:
                raise _cache_gone(self.file) from error
        return kept.content

    # -- writing -----------------------------------------------------------------------

    def keep(self, snapshot: Snapshot) -> None:
        """Keep a snapshot."""
        content = (snapshot.state, snapshot.lines.encode())
        if self._compress:
            content = (zlib.compress(content[0], 1), zlib.compress(content[1], 1))
        self._kept.append(_Kept(snapshot.seq, snapshot.step, snapshot.given, content))

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
            state, lines = self._content(kept)
            head = msgspec.msgpack.encode(
                _Head(
                    head_of(kept.seq), number, kept.seq, kept.step, kept.given, len(state),
                    len(lines),
                )
            )  # fmt: skip
            size = len(head).to_bytes(4, "big") + zlib.crc32(head).to_bytes(4, "big")
            parts += [size, head, state, lines]
        with contextlib.suppress(OSError):
            write_cache(self.file, b"".join(parts), behind=True)


def _inflate(content: bytes) -> bytes:
    try:
        return zlib.decompress(content)
    except zlib.error as error:
        raise PBCGError(
            "What this machine had cached of the game was damaged: remove it (see pbcg settings, "
            f"or the variable {VARIABLE}) and try again; nothing of the game is lost."
        ) from error


def _cache_gone(file: Path) -> PBCGError:
    return PBCGError(f"{file}, what was cached of the game, is gone: try again; nothing is lost.")


def _read_heads(path: Path) -> Iterator[tuple[_Head, int]]:
    """Yield what stands before each cached snapshot, and where its content begins."""
    at, whole = 0, False
    try:
        with path.open("rb", buffering=0) as stream:
            end = os.fstat(stream.fileno()).st_size
            while at + _HEAD <= end:
                stream.seek(at)
                block = stream.read(_BLOCK)
                ends = _HEAD + (int.from_bytes(block[:4], "big") & 0xFFFF)
                part = (
                    block[_HEAD:ends]
                    if ends <= _BLOCK
                    else block[_HEAD:] + stream.read(ends - _BLOCK)
                )
                if zlib.crc32(part) != int.from_bytes(block[4:_HEAD], "big"):
                    break
                head = _DECODER.decode(part)
                content = at + _HEAD + len(part)
                at = content + head.state + head.lines
                if at > end:
                    break
                yield head, content
            whole = at == end
    except (OSError, msgspec.DecodeError, UnicodeError, ValueError):
        pass
    if not whole:  # a write that was interrupted: begin again rather than behind it
        with contextlib.suppress(OSError):
            path.unlink()


_DECODER = msgspec.msgpack.Decoder(_Head)


def write_cache(path: Path, content: bytes, behind: bool = False) -> None:
    """Write a file of the cache, or ``behind`` what it holds. Raises OSError."""
    try:
        if not behind or path.stat().st_size > MAX_CACHE:
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
        older = other.name.startswith(campaign) and other.stem != path.stem
        if other.suffix in _ENDINGS and (stale or older):
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
