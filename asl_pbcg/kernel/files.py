"""Write files atomically, and refuse invisible characters in entered text and in file names.

A reader of a file finds its old content or its new one, never half of one. Control characters
command a terminal, bidirectional and other format characters change a line without being seen:
both are refused in a line that somebody enters, and ``cli/terminal/streams.py`` prints those of a
file as visible signs.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from asl_pbcg.kernel.errors import PBCGError

UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0001-\U000e007f\U000e0100-\U000e01ef"
)
"""The characters, as a class of a regular expression; line feed and tab are none of them."""
_UNSEEN = re.compile(f"[{UNSEEN}]")
_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\..*)?", re.I)
LONGEST_NAME = 60
"""Letters of a player's name."""
_SIGNS = '<>:"/\\|?*'


def unseen(text: str) -> str:
    """Return the first character of a line that cannot be seen, as U+202E, or an empty text."""
    found = _UNSEEN.search(text) or re.search(r"[\n\t]", text)
    return f"U+{ord(found[0]):04X}" if found else ""


def with_signs(text: str) -> str:
    """Return ``text`` with a sign such as ``<U+202E>`` for each character that cannot be seen."""
    return _UNSEEN.sub(lambda found: f"<U+{ord(found[0]):04X}>", text)


def read_line(text: str, what: str, most: int) -> str:
    """Return a line that somebody entered, without blanks round it. Raises PBCGError.

    ``what`` begins the sentence that refuses it, as ``A player's name``.
    """
    line = text.strip()
    if len(line) > most or re.search(r"[\r\n\t]", line):
        raise PBCGError(f"{what} is one line of {most} characters at most.")
    if sign := unseen(line):
        raise PBCGError(f"{what} holds a character that cannot be seen ({sign}): leave it out.")
    return line


def check_file_name(name: str) -> None:
    """Refuse a name that no file can have on every system. Raises PBCGError.

    Windows keeps the names of devices for itself and drops a dot or blank at the end. Commands
    take a name that begins with a dash for an option, and shells ``~`` for a home folder.
    """
    shown = with_signs(name)
    if name.startswith(("-", "~")):
        words = "commands take for options" if name[0] == "-" else "shells take for a home folder"
        raise PBCGError(
            f"{shown} begins with {name[0]}, which {words}: begin it with a letter or number."
        )
    if _DEVICE.fullmatch(name):
        raise PBCGError(f"{shown} is the name of a device on Windows: choose another name.")
    if name != name.rstrip(". "):
        raise PBCGError(f"{shown} ends with a dot or blank, which Windows drops: leave it out.")
    signs = [each for each in name if each in _SIGNS]
    if signs or unseen(name):
        said = f"a {signs[0]}" if signs else f"a character that cannot be seen ({unseen(name)})"
        raise PBCGError(f"{shown} holds {said}, which no file on Windows can: choose another name.")


def write_atomic(path: Path, content: bytes | str, private: bool = False) -> None:
    """Put ``content`` at ``path`` in one move, durable before it returns.

    What is ``private`` its owner alone can read, from the first moment on. Raises PBCGError when
    the disk is full or the folder cannot be written to; whatever stood at ``path`` before is then
    still there.
    """
    _check_name(path)
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise PBCGError(f"{path} is not a file but a pipe or a device: choose another name.")
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        with _write_aside(path, data, private) as temporary:
            temporary.replace(path)
    except OSError as error:
        raise PBCGError(f"{path} could not be written: {reason(error)}.") from error


def make_new(path: Path, content: bytes) -> None:
    """Put ``content`` into a new file at ``path``, whole and durable before it returns.

    Raises PBCGError if something stands there already or it cannot be written.
    """
    _check_name(path)
    try:
        with _write_aside(path, content) as temporary:
            try:
                os.link(temporary, path)
            except FileExistsError:
                raise
            except (OSError, AttributeError):
                temporary.replace(path)  # a file system without links
    except FileExistsError:
        raise PBCGError(f"{path} exists already: choose another name or move it away.") from None
    except OSError as error:
        raise PBCGError(f"{path} could not be made: {reason(error)}.") from error


_MAX_COPIES = 100


def keep_copy(path: Path, content: bytes) -> Path:
    """Keep ``content``, which the file at ``path`` no longer holds, beside it; return where.

    Raises PBCGError if it cannot be written.
    """
    for number in range(1, _MAX_COPIES):
        copy = path.with_name(f"{path.name}.before{f'-{number}' if number > 1 else ''}")
        with contextlib.suppress(OSError):
            if copy.read_bytes() == content:
                return copy
        if not os.path.lexists(copy):
            make_new(copy, content)
            return copy
    raise PBCGError(f"There are {_MAX_COPIES} copies of {path} already: move them away.")


def _check_name(path: Path) -> None:
    """Refuse a new file whose name not every system can hold. Raises PBCGError.

    What is there already is written again, and so are the files beside it, which begin with a dot.
    """
    if not path.name.startswith(".") and not os.path.lexists(path):
        check_file_name(path.name)


@contextlib.contextmanager
def _write_aside(path: Path, content: bytes, private: bool = False) -> Iterator[Path]:
    """Write ``content`` into a file next to ``path``, which the block moves into its place.

    Whatever happens, nothing is left under the other name; a killed program's is swept later.
    """
    _sweep(path)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        # mkstemp makes a private file; a printed sheet should be as readable as any other.
        if not private:
            umask = os.umask(0)
            os.umask(umask)
            temporary.chmod(0o666 & ~umask)
        yield temporary
        sync(path.parent)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def sync(path: Path) -> None:
    """Bring a file or folder to the disk; a system that cannot sync a folder need not."""
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


_STALE = 600
"""Seconds after which a temporary file is one that a killed program left."""


def _sweep(path: Path) -> None:
    """Take away what writes of ``path`` left that were killed."""
    with contextlib.suppress(OSError, ValueError):
        for left in path.parent.iterdir():
            ours = left.name.startswith(f".{path.name}.") and left.name.endswith(".tmp")
            if ours and time.time() - left.lstat().st_mtime > _STALE:
                left.unlink()


_IN_USE = (5, 32, 33)
"""The error of Windows for a file that another program, often Excel, has open."""


def reason(error: OSError) -> str:
    """Say in plain words why the system refused a file."""
    if getattr(error, "winerror", None) in _IN_USE:
        return "another program has it open, or you have no permission for it"
    words = {
        errno.ENOSPC: "the disk is full",
        errno.EACCES: "you have no permission for it",
        errno.EPERM: "you have no permission for it",
        errno.ENOENT: "there is no such file or folder",
        errno.EISDIR: "that is a folder",
        errno.ENOTDIR: "part of the path is not a folder",
        errno.EROFS: "that disk cannot be written to",
    }
    return words.get(error.errno or 0, (error.strerror or str(error)).lower())
