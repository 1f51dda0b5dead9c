"""The analyst at the page: weighs a finished game beside the one thread that works on games."""

from __future__ import annotations

from threading import Lock, Thread
from typing import Any, Final

from asl_pbcg.kernel.session import Session
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.many.workers import cores
from asl_pbcg.st.record import Record, record_of
from asl_pbcg.st.rules.game_state import State
from asl_pbcg.st.thinking.analysis import analyse
from asl_pbcg.st.thinking.analysis_report import html_report

Key = tuple[str, int]
"""The ID of a game, and how far it had come."""
NEARLY: Final = 0.99
"""So much is told to be done at most while the page is not there."""


class GameReport:
    """A report that is being made: the share that is done, and in the end the page, or a fault."""

    def __init__(self) -> None:
        self.done = 0.0
        self.page = ""
        self.fault: Exception | None = None

        self.stopped = False

    def tell(self, done: float) -> None:
        """Note the share that is done; here the work ends when nobody waits for it any more."""
        if self.stopped:
            raise KeyboardInterrupt
        self.done = min(NEARLY, done)


class Analyst:
    """Makes one report after the other; each is made once. The server does not wait for it."""

    def __init__(self) -> None:
        self._one = Lock()
        self._reports: dict[Key, GameReport] = {}

    def report(self, key: Key) -> GameReport | None:
        """The report on a game, if it has been begun."""
        return self._reports.get(key)

    def begin(self, key: Key, session: Session[State]) -> GameReport:
        """Begin the report on a game; everything that may change meanwhile is read here."""

        begun = self._reports.get(key)
        if begun is not None and begun.fault is None:
            return begun
        assert isinstance(session.game, AreaGame)
        game = AreaGame(session.game.map)
        record = record_of(session)
        report = self._reports[key] = GameReport()
        # A daemon: who ends the server does not wait for a report that nobody will read.
        Thread(target=self._weigh, args=(report, game, record), daemon=True).start()
        return report

    def close(self) -> None:
        """Reports that are not done are given up."""
        for each in self._reports.values():
            each.stopped = True

    def _weigh(self, report: GameReport, game: Any, record: Record) -> None:

        with self._one:
            try:
                analysis = analyse(game, record, tell=report.tell, jobs=cores())
                report.page = html_report(analysis)
            except Exception as fault:
                report.fault = fault
