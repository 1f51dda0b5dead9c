"""The analyst at the page: weighs a finished game beside the one thread that works on games."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from asl_pbcg.kernel.session import Session
    from asl_pbcg.st.state import State

Key = tuple[str, int]
"""The ID of a game, and how far it had come."""


class Report:
    """A report that is being made: the share that is done, and in the end the page."""

    def __init__(self) -> None:
        self.done = 0.0
        self.made: Future[str] | None = None

    def tell(self, done: float) -> None:
        """Note the share that is done."""
        self.done = done


class Analyst:
    """Makes one report after the other; each is made once."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "analyst")
        self._reports: dict[Key, Report] = {}
        self._closed = False

    def report(self, key: Key) -> Report | None:
        """The report on a game, if it has been begun."""
        return self._reports.get(key)

    def begin(self, key: Key, session: Session[State]) -> Report:
        """Begin the report on a game; everything that may change meanwhile is read here."""
        from asl_pbcg.st.game import AreaGame

        known = self._reports.get(key)
        if known is not None:
            return known
        assert isinstance(session.game, AreaGame)
        game = AreaGame(session.game.map)
        begun = game.begin(session.journal.meta("settings"))
        entries = [(e.kind, e.point, e.body) for e in session.journal.standing()]
        report = self._reports[key] = Report()
        report.made = self._thread.submit(self._weigh, report, game, begun, entries)
        return report

    def _weigh(self, report: Report, game: Any, begun: State, entries: list[Any]) -> str:
        from asl_pbcg.st.analysis import analyse
        from asl_pbcg.st.analysis_report import html_report
        from asl_pbcg.st.workers import cores

        def tell(done: float) -> None:
            if self._closed:
                raise KeyboardInterrupt
            report.tell(done)

        # In processes of their own the games leave the page the processor it needs.
        return html_report(analyse(game, begun, entries, tell=tell, jobs=cores()))

    def close(self) -> None:
        """Weigh no more."""
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)
