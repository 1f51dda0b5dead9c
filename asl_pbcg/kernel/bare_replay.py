"""A journal played again from its entries alone; nothing that was kept of it is used."""

from __future__ import annotations

from typing import Generic, TypeVar

from asl_pbcg.kernel.journal import Journal, Snapshot
from asl_pbcg.kernel.journal_cache import CORRECTION
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.replay import beginning, repeat
from asl_pbcg.kernel.run import Game, Run
from asl_pbcg.kernel.views import LogLine

S = TypeVar("S")


class BareReplay(Generic[S]):
    """A game played again from ``start`` (or its beginning) on, as far as its entries fit.

    ``error`` is what ended it before the last entry.
    """

    def __init__(self, game: Game[S], journal: Journal, start: Snapshot | None = None) -> None:
        self.ended: dict[tuple[int, str], tuple[S, list[LogLine]]] = {}
        """State and log at the end of each step, by its last entry and its id."""
        self.asked: dict[int, Prompt | Roll] = {}
        """The prompt or roll that each entry answers."""
        self.steps: dict[int, str] = {}
        """The step in which each was asked."""
        self.corrected: dict[int, LogLine] = {}
        """The line that tells each correction."""
        self.reached = start.seq if start else 0
        """The last entry that fits."""
        self.error: Exception | None = None
        state = game.decode(start.state) if start else beginning(game, journal)
        try:
            self.run = Run(game, state, self.reached, self._end_step)
            for entry in journal.standing(self.reached):
                asked, step = self.run.pending, self.run.step
                repeat(game, self.run, entry)
                if asked and step and entry.kind != "correction":
                    self.asked[entry.seq], self.steps[entry.seq] = asked, step.id
                self.reached = entry.seq
        except Exception as error:  # whatever an unforeseen answer does to a script
            self.error = error

    def _end_step(self, seq: int, step: str, state: S, lines: list[LogLine]) -> None:
        self.ended[seq, step] = (state, list(lines))
        if step == CORRECTION:
            self.corrected[seq] = lines[0]
