"""How a megagame table speaks at the terminal: one line in, one line out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from asl_pbcg.cli.manner import Manner
from asl_pbcg.cli.mega_line import ALIASES
from asl_pbcg.cli.mega_typed import Running, settle_typed
from asl_pbcg.cli.terminal_keys import Shown
from asl_pbcg.kernel.answers import Again, Leave
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.megagame.report import head
from asl_pbcg.play.asked import AskedPrompt

_SHARED = ("undo", "u", "?")
"""What is a key at every table, though a line may begin with it."""
_NOT_HERE = ("explain", "rule", "o", "odds")
"""Keys that have nothing to tell: a line says by itself what it rests on."""


class MegaManner(Manner):
    """The manner of a table: ``group`` holds its lines, ``running`` the desk that settles them."""

    names_files = False

    def __init__(self, group: Any, running: Running) -> None:
        self._group = group
        self._running = running
        self.taken = {*group.commands, *ALIASES, *_NOT_HERE} - {*_SHARED}

    def is_drawn(self, asked: Shown) -> bool:
        """Nothing stands above a line."""
        return True

    def mark(self, asked: Shown) -> str:
        """Turn and phase."""
        return f"{head(self._running.desk.table)}> "

    def enter(self, asked: AskedPrompt) -> str:
        """Nothing: a remark, which settles nothing."""
        return "#"

    def read_document(self, asked: AskedPrompt, typed: str) -> Any:
        """Settle the line, which is kept at once. Raises PBCGError for what is wrong with it."""
        if not settle_typed(self._group, self._running, typed):
            raise Leave
        self.terminal.seat.game.note_change()
        raise Again

    def tell(self, lines: Sequence[LogLine], away: bool) -> None:
        """Nothing: a line tells its own answer."""

    def log(self, lines: Sequence[LogLine], rest: str) -> None:
        """What the lines of this phase came to."""
        super().log([line for line in lines if line.kind != "answer"], rest)

    def help(self, asked: Shown, topic: str) -> None:
        """The lines that there are, or what one of them takes."""
        settle_typed(self._group, self._running, f"{topic} --help".strip())

    def typed_words(self, asked: Shown) -> list[tuple[str, str]]:
        """What else may be typed."""
        return []

    def words(self, asked: Shown) -> list[str]:
        """The lines, and the units at the table."""
        return [*self._group.commands, *(unit.name for unit in self._running.desk.table.units)]
