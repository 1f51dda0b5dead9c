"""The lock that keeps a second program from writing to a game file.

The system lets it go when the program ends, however it ends: a lock file that was left lying means
nothing.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from pathlib import Path

from asl_pbcg.kernel.errors import HeldElsewhere, PBCGError

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
