"""The campaign file on the disk: locked by one program, and written only while unchanged.

A write is on the disk when ``append`` returns, or the file is as it was before. A file that
another program changed, with or without a lock, is not written to. The system releases the lock
when the program ends, however it ends, so a lock file left behind means nothing.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from pathlib import Path

from asl_pbcg.kernel.entries import ChangedUnderneath, WriteFailed
from asl_pbcg.kernel.errors import HeldElsewhere, PBCGError
from asl_pbcg.kernel.files import reason
from asl_pbcg.kernel.journal_text import MAX_FILE

LOCK_SECONDS = 0.2
"""The timeout in seconds for a file that another program holds."""
_PAUSE = 0.05
_NO_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL)
"""The errors of a file system that cannot lock files."""

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """The lock of the game file at ``path``, held from the moment this is made.

    Raises HeldElsewhere if another program has it, PBCGError where it cannot be had.
    """

    def __init__(self, path: Path) -> None:
        self.file = lock_path(path)
        end = time.monotonic() + LOCK_SECONDS
        while not self._take(path):
            if time.monotonic() > end:
                raise HeldElsewhere(path)
            time.sleep(_PAUSE)

    def _take(self, path: Path) -> bool:
        """Lock the file; False if another program has it or has just taken it away."""
        try:
            self._handle = os.open(self.file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise _no_lock_file(path, self.file) from error
        try:
            _lock(self._handle)
            if os.path.samestat(os.fstat(self._handle), self.file.stat()):
                return True
        except FileNotFoundError:
            pass
        except OSError as error:
            os.close(self._handle)
            if error.errno in _NO_LOCKS:
                raise PBCGError(
                    f"{path} cannot be played on: it is on a disk that cannot lock files, as some "
                    "network folders. Copy it to a disk of this machine and play on there; it can "
                    "be looked at where it is."
                ) from error
            if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
                return False
            raise _read_only(path) from error
        os.close(self._handle)
        return False

    def release(self) -> None:
        """Let the file go and take the lock file away."""
        handle, self._handle = self._handle, -1
        if handle < 0:
            return
        with contextlib.suppress(OSError):
            self.file.unlink()
        os.close(handle)


def lock_path(path: Path) -> Path:
    """Return the file that is locked while a program holds ``path``."""
    real = path.resolve()
    return real.with_name(f".{real.name}.lock")


def check_writable(path: Path) -> None:
    """Refuse a file that is not there, or cannot be written to. Raises PBCGError."""
    if not path.exists():
        raise PBCGError(f"{path} could not be opened: there is no such file or folder.")
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        raise _read_only(path)


def _read_only(path: Path) -> PBCGError:
    return PBCGError(
        f"{path} cannot be played on: it or its folder is read-only for you. "
        "Copy it to a folder of yours; it can be looked at where it is."
    )


def _no_lock_file(path: Path, file: Path) -> PBCGError:
    """Return why the lock file cannot be opened."""
    if len(os.fsencode(file.name)) > _MAX_NAME:
        return PBCGError(
            f"The name of {path.name[:40]}... is too long: {_MAX_NAME - len(_ROUND)} letters are "
            "the most to play on. Rename it; it can be looked at as it is."
        )
    if os.path.lexists(file):
        return PBCGError(
            f"{path} cannot be played on: {file.name} beside it is of another user. Once they have "
            "closed the game, remove that file."
        )
    return _read_only(path)


_MAX_NAME = 255
"""The most bytes of a name on most disks."""
_ROUND = "..lock"
"""The end that a lock file's name has besides."""


_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_sync = getattr(os, "fdatasync", os.fsync)


def read_file(path: Path) -> bytes:
    """Return the content of the file at ``path``; a pipe, device or huge file is never read.

    Raises PBCGError if there is none that can be read.
    """
    try:
        state = path.stat()
        if stat.S_ISDIR(state.st_mode):
            raise PBCGError(f"{path} is a folder, not a campaign file.")
        if not stat.S_ISREG(state.st_mode):
            raise PBCGError(f"{path} is not a file but a pipe or a device.")
        if state.st_size > MAX_FILE:
            raise PBCGError(
                f"{path} has {state.st_size:,} bytes; a campaign file has {MAX_FILE:,} at most."
            )
        return path.read_bytes()
    except OSError as error:
        raise PBCGError(f"{path} could not be opened: {reason(error)}.") from error
    except ValueError as error:
        raise PBCGError(f"{str(path)!r} is not the name of a file.") from error


class JournalFile:
    """A campaign file that this program alone may write, from the moment this is made.

    Raises PBCGError if there is none, it is read-only, or another program holds it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        check_writable(path)
        self._lock = FileLock(path)
        try:
            self.reread()
        except BaseException:
            self.close()
            raise

    def reread(self) -> None:
        """Take the file as it stands now."""
        self.take(read_file(self.path))

    def take(self, content: bytes) -> None:
        """Take ``content`` as what this program last read of the file."""
        self._content = bytearray(content)
        self._whole = len(content)
        self._mark = _mark(self.path.stat())

    @property
    def content(self) -> bytes:
        """Return what this program last read or wrote."""
        return bytes(self._content)

    def go_on_at(self, size: int) -> None:
        """Note where the whole lines end: what is behind is cut off with the next write.

        Where the LF of the last line is missing it is written too.
        """
        self._whole = size

    def append(self, line: bytes) -> None:
        """Write ``line`` at the end; it is on the disk when this returns.

        Raises ChangedUnderneath if the file is no longer what this program left, WriteFailed if
        the disk refuses; nothing is written then.
        """
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_APPEND | _BINARY)
        except FileNotFoundError as error:
            raise ChangedUnderneath(self.path, "was moved or deleted") from error
        except OSError as error:
            raise self._write_failure(error) from error
        try:
            self._check(handle)
            self._write(handle, line)
        finally:
            os.close(handle)

    def _check(self, handle: int) -> None:
        """Check that the open file is what this program last read or wrote."""
        state, size = os.fstat(handle), len(self._content)
        if state.st_size != size:
            how = "was cut short" if state.st_size < size else "was written to"
            raise ChangedUnderneath(self.path, f"{how} by another program")
        start = max(0, size - _TAIL) if _mark(state) == self._mark else 0
        if _read_at(handle, start, size - start) != self._content[start:]:
            raise ChangedUnderneath(self.path, "was replaced or changed by another program")
        self._mark = _mark(state)

    def _write(self, handle: int, line: bytes) -> None:
        start = min(self._whole, len(self._content))
        torn = bytes(self._content[start:])
        addition = b"\n" * (self._whole - len(self._content)) + line
        try:
            if torn:
                os.ftruncate(handle, start)
            rest = memoryview(addition)
            while rest:
                rest = rest[os.write(handle, rest) :]
            _sync(handle)
        except BaseException as error:
            with contextlib.suppress(OSError):
                os.ftruncate(handle, start)
                if torn:
                    os.write(handle, torn)
                self._mark = _mark(os.fstat(handle))
            if isinstance(error, OSError):
                raise self._write_failure(error) from error
            raise
        del self._content[start:]
        if _read_at(handle, start, len(addition)) != addition:
            self._take_out(handle, addition)
            raise ChangedUnderneath(self.path, "was written to by another program")
        state = os.fstat(handle)
        try:
            same = os.path.samestat(self.path.stat(), state)
        except OSError as error:
            raise ChangedUnderneath(self.path, "was moved or deleted") from error
        if not same:
            raise ChangedUnderneath(self.path, "was replaced by another program")
        self._content += addition
        self._whole = len(self._content)
        self._mark = _mark(state)

    def _take_out(self, handle: int, line: bytes) -> None:
        """Cut off ``line`` where it stands behind what another program wrote at the same time."""
        with contextlib.suppress(OSError):
            start = os.fstat(handle).st_size - len(line)
            if _read_at(handle, start, len(line)) == line:
                os.ftruncate(handle, start)

    def _write_failure(self, error: OSError) -> WriteFailed:
        return WriteFailed(
            f"{self.path} could not be written: {reason(error)}. It is as it was before this; "
            "everything acknowledged before is kept."
        )

    def close(self) -> None:
        """Let the file go."""
        self._lock.release()


_TAIL = 4096
"""So many bytes at the end are compared before each write."""


def _mark(state: os.stat_result) -> tuple[int, int, int, int]:
    return (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns)


def _read_at(handle: int, start: int, length: int) -> bytes:
    os.lseek(handle, start, os.SEEK_SET)
    parts = []
    while length and (part := os.read(handle, length)):
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
