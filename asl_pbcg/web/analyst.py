"""The analyst at the page: weighs a finished game beside the one thread that works on games."""

from __future__ import annotations

from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from asl_pbcg.kernel.session import Session
    from asl_pbcg.st.state import State

Key = tuple[str, int]
"""The ID of a game, and how far it had come."""
NEARLY: Final = 0.99
"""So much is told to be done at most while the page is not there."""


class Report:
    """A report that is being made: the share that is done, and in the end the page, or a fault."""

    def __init__(self) -> None:
        self.done = 0.0
        self.page = ""
        self.fault: Exception | None = None

    def tell(self, done: float) -> None:
        """Note the share that is done."""
        self.done = min(NEARLY, done)


class Analyst:
    """Makes one report after the other; each is made once. The server does not wait for it."""

    def __init__(self) -> None:
        self._one = Lock()
        self._reports: dict[Key, Report] = {}

    def report(self, key: Key) -> Report | None:
        """The report on a game, if it has been begun."""
        return self._reports.get(key)

    def begin(self, key: Key, session: Session[State]) -> Report:
        """Begin the report on a game; everything that may change meanwhile is read here."""
        from asl_pbcg.st.course import record_of
        from asl_pbcg.st.game import AreaGame

        known = self._reports.get(key)
        if known is not None and known.fault is None:
            return known
        assert isinstance(session.game, AreaGame)
        game = AreaGame(session.game.map)
        begun, entries = record_of(session)
        report = self._reports[key] = Report()
        # A daemon: who ends the server does not wait for a report that nobody will read.
        Thread(target=self._weigh, args=(report, game, begun, entries), daemon=True).start()
        return report

    def _weigh(self, report: Report, game: Any, begun: State, entries: list[Any]) -> None:
        from asl_pbcg.st.analysis import analyse
        from asl_pbcg.st.analysis_report import html_report

        with self._one:
            try:
                report.page = html_report(analyse(game, begun, entries, tell=report.tell))
            except Exception as fault:
                report.fault = fault
