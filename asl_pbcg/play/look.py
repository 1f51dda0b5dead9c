"""Reading a game file beside the program that writes it. A writer's lock is never waited for."""

from __future__ import annotations

import time
from pathlib import Path

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import reason
from asl_pbcg.kernel.journal import Journal

TRIES, PAUSE = 60, 0.05


def look_at(path: Path, program: str) -> Journal:
    """The journal at ``path`` as it stood a moment ago, in memory: nothing can be written to it.

    Raises PBCGError if the file is missing, damaged or no game.
    """
    return Journal.of_bytes(_whole(path, program), path, program)


def _whole(path: Path, program: str) -> bytes:
    """The bytes of the file between two writes.

    A write in progress is known by its rollback journal. Two equal readings with none before,
    between and after them cannot both be torn.
    """
    if path.is_dir():
        raise PBCGError(f"{path} is a folder, no campaign file.")
    for _ in range(TRIES):
        if not _is_written(path):
            try:
                found = path.read_bytes()
                same = not _is_written(path) and path.read_bytes() == found
            except OSError as error:
                raise PBCGError(f"{path} could not be opened: {reason(error)}.") from error
            if same and not _is_written(path):
                return found
        time.sleep(PAUSE)
    # What a killed writer left is put right by opening the file to write.
    with Journal.open(path, program):
        pass
    return path.read_bytes()


def _is_written(path: Path) -> bool:
    """Whether a rollback journal with a header stands beside the file."""
    try:
        with path.with_name(f"{path.name}-journal").open("rb") as stream:
            return any(stream.read(8))
    except OSError:
        return False
