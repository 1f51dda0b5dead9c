"""Opening a campaign file: by one program alone, or to look beside the one that writes.

What an interrupted write left beside the file is settled before SQLite may look at it.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from asl_pbcg.kernel import database
from asl_pbcg.kernel.database import Damaged, damage, plain
from asl_pbcg.kernel.entries import NoEntry
from asl_pbcg.kernel.errors import HeldElsewhere, PBCGError
from asl_pbcg.kernel.files import reason
from asl_pbcg.kernel.stored_file import Contents, read_chained, read_end

_WAITS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4)
"""Seconds between two looks at a file in which another program may be in the midst of a write."""


class Opened(NamedTuple):
    """What was read of a file, what reads more of it, and what players should hear of it."""

    contents: Contents
    connection: sqlite3.Connection
    remarks: list[str]
    let_go: Callable[[], None] = lambda: None
    """Lets go what this program alone held."""


def open_alone(path: Path, program: str) -> Opened:
    """Open the campaign file at ``path`` for this program alone.

    A file of an older form is carried over, with its history. Raises PBCGError if it is
    missing, no campaign, too new, damaged, or held by another program.
    """
    database.check_file(path)
    if database.connection_held(path):
        raise HeldElsewhere(path)
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        raise PBCGError(
            f"{path} cannot be played on: it or its folder is read-only for you. "
            "Copy it to a folder of yours; it can be looked at where it is."
        )
    remarks = _settle_left_over(path)
    connection = database.connect(path)
    contents = _contents(connection, path, program)
    try:
        return Opened(contents, connection, remarks, database.hold(path, connection))
    except OSError as error:
        connection.close()
        raise PBCGError(f"{path} could not be opened: {reason(error)}.") from error


def open_beside(path: Path, program: str) -> Opened:
    """Open a copy in memory of the campaign file at ``path``, also beside a program that writes.

    The file is not touched, whatever lies beside it. Raises PBCGError as ``open_alone`` does.
    """
    database.check_file(path)
    own = database.connection_held(path)
    left = None
    for wait in _WAITS:
        time.sleep(wait)
        try:
            data = own.serialize() if own else path.read_bytes()
            left = None if own else database.interrupted_write(path)
            opened = _in_memory(data, path, program)
        except OSError as error:
            raise PBCGError(f"{path} could not be opened: {reason(error)}.") from error
        except Damaged:
            if left is None:
                raise
            continue  # another program may be in the midst of a write
        if left:
            opened.remarks.append(_beside(left, "it was left alone"))
        return opened
    assert left
    before = database.roll_back(data, left)
    if before is None:
        raise damage(path, "it was left in the midst of a write")
    opened = _in_memory(before, path, program)
    opened.remarks.append(
        f"{path} was left in the midst of a write; this is how it stood before. "
        "The next command that writes puts it in order."
    )
    return opened


def _in_memory(data: bytes, path: Path, program: str) -> Opened:
    connection = database.in_memory(data, path)
    return Opened(_contents(connection, path, program), connection, [])


def _contents(connection: sqlite3.Connection, path: Path, program: str) -> Contents:
    """What the file holds, in the present form; the connection is closed if that fails."""
    with database.closing_if_wrong(connection, path):
        contents = read_contents(connection, path, whole=False)
        if database.version_of(connection) < database.FORMAT:
            from asl_pbcg.kernel.carry_over import carry_over

            contents = carry_over(connection, path, contents, program)
        return contents


def read_contents(connection: sqlite3.Connection, path: Path, whole: bool = True) -> Contents:
    """Read a file of any form whose schema was checked, with its whole chain or only its end.

    Raises Damaged for the first thing that does not fit.
    """
    try:
        with database.patience(connection):
            if database.version_of(connection) < database.FORMAT:
                from asl_pbcg.kernel.carry_over import read_old_contents

                return read_old_contents(connection, path)
            end = None if whole else read_end(connection, path)
            return end or read_chained(connection, path)
    except NoEntry as error:
        raise damage(path, str(error)) from error
    except (sqlite3.Error, UnicodeError) as error:
        raise damage(path, plain(error)) from error


# -- What an interrupted write left ------------------------------------------------------


def _settle_left_over(path: Path) -> list[str]:
    """Look at what an interrupted write left beside ``path`` before SQLite may.

    A file that is whole as it stands stays so, and the left-over is put aside: it may be of
    another file that once had this name. Else SQLite takes the write back. Returns what to tell.
    """
    left = database.interrupted_write(path)
    if left is None or database.is_being_written(path):
        return []
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PBCGError(f"{path} could not be opened: {reason(error)}.") from error
    if _is_whole(data, path):
        aside = left.with_name(f"{left.name}-put-aside")
        try:
            left.replace(aside)
        except OSError as error:
            raise PBCGError(f"{left} could not be put aside: {reason(error)}.") from error
        return [_beside(left, f"it was put aside as {aside.name}")]
    before = database.roll_back(data, left)
    if before is None or not _is_whole(before, path):
        raise damage(path, f"{left.name} beside it does not put it in order")
    return [
        f"pbcg was stopped in the midst of a write to {path}: that write is taken back, "
        "the file is as it was before it."
    ]


def _beside(left: Path, done: str) -> str:
    return (
        f"{left.name} was left by another write or another file of this name; the campaign file "
        f"is whole without it, and {done}."
    )


def _is_whole(data: bytes, path: Path) -> bool:
    try:
        with contextlib.closing(database.in_memory(data, path)) as connection:
            with database.patience(connection):
                (checked,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            read_contents(connection, path)
            return bool(checked == "ok")
    except (PBCGError, sqlite3.Error, UnicodeError):
        return False
