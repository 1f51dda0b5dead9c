"""Writing files so that a reader sees the old one or the new one, never half of one."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from asl_pbcg.kernel.errors import PBCGError


def write_atomic(path: Path, content: bytes | str) -> None:
    """Put ``content`` at ``path`` in one move, durable before it returns.

    Raises PBCGError when the disk is full or the folder cannot be written to; whatever
    stood at ``path`` before is then still there.
    """
    import tempfile

    data = content.encode("utf-8") if isinstance(content, str) else content
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(
            prefix=f".{path.name}.", suffix=".tmp", dir=path.parent
        )
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        # mkstemp makes a private file; a printed sheet should be as readable as any other.
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    except OSError as error:
        if temporary:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
        raise PBCGError(f"{path} could not be written: {reason(error)}.") from error


def reason(error: OSError) -> str:
    """Say in plain words why the system refused a file."""
    import errno

    words = {
        errno.ENOSPC: "the disk is full",
        errno.EACCES: "you may not write there",
        errno.EPERM: "you may not write there",
        errno.ENOENT: "there is no such file or folder",
        errno.EISDIR: "that is a folder",
        errno.ENOTDIR: "part of the path is not a folder",
        errno.EROFS: "that disk cannot be written to",
    }
    return words.get(error.errno or 0, (error.strerror or str(error)).lower())
