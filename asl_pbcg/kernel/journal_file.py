"""The campaign file on the disk: held by one program, written only while it is what it was.

A write is on the disk when ``append`` returns, or the file is as it was before. A file that another
program changed underneath, with or without a lock, is not written to.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.file_lock import FileLock, check_writable
from asl_pbcg.kernel.files import reason
from asl_pbcg.kernel.journal_faults import ChangedUnderneath, WriteFailed
from asl_pbcg.kernel.journal_text import MAX_FILE

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
