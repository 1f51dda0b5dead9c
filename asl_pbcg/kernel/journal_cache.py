"""States, logs and lines of a campaign file, kept in memory and cached on this machine.

A state belongs to the exact lines that it was made from: its key is the hash of the last line that
the program had read, which names all lines before it. Only a state that this program came to by
playing is cached; of one that the file gives the cache holds where in the file it stands. Lines are
cached with their very bytes. Deleting the cache costs a replay, nothing else.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from asl_pbcg.kernel.canonical import NotCanonical, digest, fraction
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal_text import JournalText, read_text
from asl_pbcg.kernel.rules_print import program_stamp
from asl_pbcg.kernel.standing import Standing

CORRECTION = "correction"
"""The step of what is kept after a correction."""
VARIABLE = "PBCG_CACHE"
"""Names another folder for the cache, or ``off``."""
MAX_CACHE = 64_000_000
"""The most bytes that the cache of one campaign may have before it is begun again."""
_DAYS = 90
_FEW = 64
"""So many new lines are read again at each opening rather than cached."""
_STATES, _LINES = ".states", ".lines"


class Snapshot(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """The state and the log after a finished step; ``seq`` is the last entry it includes.

    ``checkpoint`` is the number of the entry that it was taken from, since it does not follow from
    the entries under the rules of this program; 0 where the program came to it by playing.
    """

    seq: int
    step: str
    checkpoint: int = 0
    packed: bool = False
    """Whether state and log are compressed."""
    stored_state: bytes
    stored_log: bytes

    @property
    def state(self) -> bytes:
        """The state as the game encodes it."""
        return _inflate(self.stored_state) if self.packed else self.stored_state

    @property
    def log(self) -> bytes:
        """The lines of the log as JSON."""
        return _inflate(self.stored_log) if self.packed else self.stored_log

    @property
    def end(self) -> tuple[int, str]:
        """The last entry that it includes and the step that ended."""
        return (self.seq, self.step)

    def compress(self) -> Snapshot:
        """Return it as it is cached."""
        if self.packed:
            return self
        return msgspec.structs.replace(
            self,
            stored_state=zlib.compress(self.stored_state, 1),
            stored_log=zlib.compress(self.stored_log, 1),
            packed=True,
        )


def _inflate(content: bytes) -> bytes:
    try:
        return zlib.decompress(content)
    except zlib.error as error:
        raise PBCGError(
            "What this machine had cached of the game was damaged: remove it (see pbcg settings, "
            f"or the variable {VARIABLE}) and try again; nothing of the game is lost."
        ) from error


class _CachedSnapshot(msgspec.Struct, array_like=True):
    """A snapshot, the hash of the last line read before it, and how many snapshots precede it."""

    head: str
    place: int
    snapshot: Snapshot


ReadCheckpoint = Callable[[int], Snapshot]
"""Reads the checkpoint of an entry by its number: raises PBCGError."""


class KeptStates:
    """The snapshots of a journal that stand, oldest first; ``file`` is where they are cached."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self.paused = False
        """Whether what is kept is not what the file comes to: then nothing is cached."""
        self.examined = 0
        """The place of the last line whose checkpoints were compared with what is kept."""
        self._kept: list[Snapshot] = []
        self._saved = 0

    def load(
        self, heads: Sequence[str], standing: Standing, read_checkpoint: ReadCheckpoint
    ) -> None:
        """Take from the cache what was made from lines of this journal, as far as it stands."""
        if not self.file:
            return
        lines = {head: place for place, head in enumerate(heads)}
        cached: list[tuple[int, Snapshot]] = []
        for part in _read_parts(self.file, _CHECKED):
            record = _SNAPSHOT_DECODER.decode(part)
            line = lines.get(record.head)
            if line is not None and record.place <= len(cached):
                cached[record.place :] = [(line, record.snapshot)]
        for line, snapshot in cached:
            if not standing.stands(snapshot.seq):
                break
            if snapshot.checkpoint:
                try:
                    snapshot = read_checkpoint(snapshot.checkpoint)
                except PBCGError:
                    break
            self._kept.append(snapshot)
            self.examined = max(self.examined, line)
        self._saved = len(self._kept)

    def __iter__(self) -> Iterator[Snapshot]:
        return iter(self._kept)

    @property
    def step_began(self) -> int:
        """The last entry before the step in progress was first begun."""
        return next((kept.seq for kept in reversed(self._kept) if kept.step != CORRECTION), 0)

    @property
    def given(self) -> str:
        """The step of the newest one that was taken from a checkpoint; empty without one."""
        return next((kept.step for kept in reversed(self._kept) if kept.checkpoint), "")

    @property
    def newest_checkpoint(self) -> int:
        """The number of the newest entry that one was taken from; 0 without one."""
        return max((kept.checkpoint for kept in self._kept), default=0)

    def last(self, upto: int | None = None, within: str = "") -> Snapshot | None:
        """Return the newest one without an entry after ``upto``.

        With ``within`` it is one of a step whose id begins so, for example ``dawn/``.
        """
        for kept in reversed(self._kept):
            if kept.step.startswith(within) and (upto is None or kept.seq <= upto):
                return kept
        return None

    def until(self, end: tuple[int, str], after: tuple[int, str] | None = None) -> list[Snapshot]:
        """Return those behind the end ``after`` up to ``end``; none if that is not kept."""
        ends = [kept.end for kept in self._kept]
        if end not in ends:
            return []
        first = ends.index(after) + 1 if after in ends else 0
        return self._kept[first : ends.index(end) + 1]

    def keep(self, snapshot: Snapshot) -> None:
        """Keep a snapshot."""
        self._kept.append(snapshot)

    def drop(self, after: int) -> None:
        """Forget those that include an entry after ``after``."""
        while self._kept and self._kept[-1].seq > after:
            self._kept.pop()
        self._saved = min(self._saved, len(self._kept))

    def drop_end(self, end: tuple[int, str]) -> None:
        """Forget the one at ``end`` and those behind it."""
        ends = [kept.end for kept in self._kept]
        if end in ends:
            self._cut(ends.index(end))

    def drop_behind(self, end: tuple[int, str] | None) -> None:
        """Forget those behind the one at ``end``; all where it is not kept."""
        ends = [kept.end for kept in self._kept]
        self._cut(ends.index(end) + 1 if end in ends else 0)

    def _cut(self, place: int) -> None:
        del self._kept[place:]
        self._saved = min(self._saved, place)

    def clear(self) -> None:
        """Forget all."""
        self._cut(0)

    def save(self, heads: Sequence[str]) -> None:
        """Write what is new to the cache; where that fails it costs a replay some day.

        ``heads`` are the hashes of all lines that were read.
        """
        self.examined = len(heads) - 1
        if not self.file or self.paused or self._saved == len(self._kept):
            return
        parts = []
        for place in range(self._saved, len(self._kept)):
            snapshot = self._kept[place]
            if snapshot.checkpoint:
                snapshot = msgspec.structs.replace(snapshot, stored_state=b"", stored_log=b"")
            else:
                snapshot = self._kept[place] = snapshot.compress()
            parts.append(msgspec.msgpack.encode(_CachedSnapshot(heads[-1], place, snapshot)))
        self._saved = len(self._kept)
        _write_parts(self.file, parts, _CHECKED, behind=True)


_SNAPSHOT_DECODER = msgspec.msgpack.Decoder(_CachedSnapshot)
_TEXT_DECODER = msgspec.json.Decoder(JournalText, float_hook=fraction)


def read_text_once(content: bytes, path: Path, program: str) -> JournalText:
    """Read a whole file as ``read_text`` does; what was read before is not read again.

    Raises Damaged for the first thing that does not fit.
    """
    file = cache_file(digest(content.partition(b"\n")[0] + b"\n"), program, _LINES)
    known = _load_text(file, content) if file else None
    before = len(known.heads) if known else 0
    text = read_text(content, path, known)
    if file and len(text.heads) >= before + _FEW:
        _write_parts(file, [msgspec.json.encode(text), content[: text.size]])
    return text


def _load_text(file: Path, content: bytes) -> JournalText | None:
    """Return what was read of lines that ``content`` begins with; None without any."""
    parts = list(_read_parts(file))
    if len(parts) != 2 or not content.startswith(parts[1]):
        return None
    try:
        text = _TEXT_DECODER.decode(parts[0])
    except (ValueError, NotCanonical):
        return None
    return text if text.size == len(parts[1]) else None


# -- Files of the cache ------------------------------------------------------------------

_NUMBER = 4
"""Bytes of a number before each part: first its length, then its CRC-32."""
_CHECKED = 256
"""So much of a snapshot is checked by a CRC-32; the rest is when it is inflated."""


def _read_parts(path: Path, checked: int | None = None) -> Iterator[memoryview]:
    """Yield the parts of a file of the cache; one with a write that was interrupted is removed."""
    try:
        content = memoryview(path.read_bytes())
    except OSError:
        return
    while content:
        length, check = (content[at : at + _NUMBER] for at in (0, _NUMBER))
        end = 2 * _NUMBER + int.from_bytes(length, "big")
        part = content[2 * _NUMBER : end]
        if len(content) < end or zlib.crc32(part[:checked]) != int.from_bytes(check, "big"):
            with contextlib.suppress(OSError):
                path.unlink()
            return
        yield part
        content = content[end:]


def _write_parts(
    path: Path, parts: list[bytes], checked: int | None = None, behind: bool = False
) -> None:
    """Write a file of the cache, or ``behind`` what it holds; a failure costs time only."""
    content = bytearray()
    for part in parts:
        for number in (len(part), zlib.crc32(part[:checked])):
            content += number.to_bytes(_NUMBER, "big")
        content += part
    with contextlib.suppress(OSError):
        try:
            if not behind or path.stat().st_size > MAX_CACHE:
                path.unlink()
        except FileNotFoundError:
            _make_room(path)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        handle = os.open(path, flags, 0o600)
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
        if other.suffix in (_STATES, _LINES) and (stale or older):
            other.unlink()


def cache_file(campaign: str, program: str, ending: str = _STATES) -> Path | None:
    """Return where what ``program`` keeps of the campaign with that first hash is cached."""
    folder = cache_folder()
    return folder / f"{campaign[:32]}-{program_stamp(program)}{ending}" if folder else None


def cache_folder(within: str = "") -> Path | None:
    """Return the folder of the cache, or one ``within`` it; None where nothing is cached."""
    named = os.environ.get(VARIABLE, "")
    if named == "off":
        return None
    folder = Path(named) if named else user_cache_folder() / "states"
    return folder / within


def keep_newest(folder: Path, ending: str, most: int) -> None:
    """Make a folder of the cache; where it has ``most`` files, half make room, the oldest first.

    Raises OSError where the folder cannot be made or a file not removed.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    cached = list(folder.glob(f"*{ending}"))
    if len(cached) >= most:
        for file in sorted(cached, key=lambda each: each.stat().st_mtime)[: most // 2]:
            file.unlink(missing_ok=True)


def user_cache_folder() -> Path:
    """Return where programs of this user keep what can be made again.

    It is the folder that platformdirs names, whose import takes as long as opening a campaign.
    """
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "pbcg" / "Cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "pbcg"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "pbcg"
