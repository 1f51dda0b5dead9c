"""Reading a game file beside the program that writes it. A writer's lock is never waited for."""

from __future__ import annotations

from pathlib import Path

from asl_pbcg.kernel.journal import Journal


def look_at(path: Path, program: str) -> Journal:
    """The journal at ``path`` as it stood a moment ago, in memory: nothing can be written to it.

    Raises PBCGError if the file is missing, damaged or no game.
    """
    return Journal.read(path, program)
