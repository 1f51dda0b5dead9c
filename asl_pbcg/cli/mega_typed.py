"""One line typed at a table: the words of a command, settled at the desk in progress."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.cli.mega_line import LEAVE, split_line
from asl_pbcg.kernel.errors import PBCGError

if TYPE_CHECKING:
    from asl_pbcg.megagame.desk import Desk

# typer brings click along, under a name that differs between its versions.
_USAGE: Any = typer.BadParameter.__mro__[1]


@dataclass(slots=True)
class Running:
    """The table that lines are for, handed to each of them."""

    desk: Desk
    ask: bool = False
    folder: Path | None = None
    """Lines of a script write nothing but below this folder."""


def settle_typed(group: Any, running: Running, line: str) -> bool:
    """Settle one typed line; False when it says to leave. Raises PBCGError."""
    words = split_line(line)
    if words[:2] == ["pbcg", "mega"]:  # as the help shows a line
        words = words[2:]
    if not words:
        return True
    if words[0].lower() in LEAVE and len(words) == 1:
        return False
    if words == ["help"] or words == ["?"]:
        words = ["--help"]
    try:
        group.main(args=words, prog_name="", standalone_mode=False, obj=running)
    except _USAGE as error:
        raise PBCGError(error.format_message()) from error
    return True
