"""A megagame table as front ends see it: every line settled is an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.megagame.game_table import Table, all_phases
from asl_pbcg.megagame.table_log import MegaGame, undo_line
from asl_pbcg.play.plug import Plug, StepState


class MegaPlug(Plug):
    """The plug of a table: the umpire alone sits at it, and nothing is secret."""

    kind = "mega"
    called = "Megagame table"
    terminal_command = "pbcg mega run"
    game = MegaGame.name

    def runner(self, journal: Journal) -> MegaGame:
        """Return the game of a table."""
        return MegaGame()

    def title(self, session: Session[Table]) -> str:
        """Return the table's title."""
        return session.state.title

    def date(self, session: Session[Table]) -> str:
        """Return the turn and phase."""
        return session.state.heading

    def heading(self, session: Session[Table]) -> str:
        """Return the title, turn and phase."""
        return f"{session.state.title}  {self.date(session)}".strip()

    def undo(self, session: Session[Table], viewer: str, reason: str) -> str:
        """Undo the last line; one with dice only for a reason. Raises NeedsReason."""
        return undo_line(session, reason).line

    def steps(self, session: Session[Table], lines: Sequence[LogLine]) -> list[StepState]:
        """Return the phases of the turn."""
        phases = list(all_phases())
        now = phases.index(session.state.phase)
        return [
            StepState(
                id=f"{session.state.turn}.{name}",
                title=all_phases()[name].title,
                state="done" if number < now else "now" if number == now else "to-come",
            )
            for number, name in enumerate(phases)
        ]

    def facts(self, session: Session[Table], sees: str) -> dict[str, Any]:
        """Return the turn and phase, and how many units stand at the table."""
        return {
            "title": self.title(session),
            "date": self.date(session),
            "turn": session.state.turn,
            "over": False,
            "units": len(session.state.units),
            "waiting_for": "umpire",
            "asked": {"id": "line", "text": "What happens?"},
        }

    def piece(self, session: Session[Table], sees: str, id: str) -> dict[str, Any] | None:
        """Return one unit at the table."""
        unit = session.state.find(id)
        facts: dict[str, Any] | None = msgspec.to_builtins(unit) if unit else None
        return facts
