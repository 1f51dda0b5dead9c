"""The analyst at the page: finished games are weighed beside the answers, one after the other."""

from __future__ import annotations

import asyncio
from typing import Final

from asl_pbcg.web.page_work import ViewerPlace, WeighedGame, weigh_game
from asl_pbcg.web.worker_processes import Workers

Key = tuple[str, int]
"""The ID of a game, and how far it had come."""
NEARLY: Final = 0.99
"""So much is told to be done at most while the page is not there."""
MAX_SECONDS: Final = 1800.0
"""So long a report may take."""


class GameReport:
    """A report that is being made: the share done, in the end what it says, or a fault."""

    def __init__(self) -> None:
        self.done = 0.0
        self.weighed: WeighedGame | None = None
        self.fault: Exception | None = None

    def tell(self, done: float) -> None:
        """Note the share that is done."""
        self.done = min(NEARLY, done)


class Analyst:
    """Makes one report after the other; each is made once. The server does not wait for it."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._one = asyncio.Lock()
        self._reports: dict[Key, GameReport] = {}
        self._tasks: dict[Key, asyncio.Task[None]] = {}

    def report(self, key: Key) -> GameReport | None:
        """The report on a game, if it has been begun."""
        return self._reports.get(key)

    def begin(self, key: Key, place: ViewerPlace) -> GameReport:
        """Begin the report on a game, unless it is made or being made."""
        begun = self._reports.get(key)
        if begun is not None and begun.fault is None:
            return begun
        report = self._reports[key] = GameReport()
        self._tasks[key] = asyncio.create_task(self._weigh(report, place))
        return report

    def give_up(self, key: Key) -> None:
        """Make no report after all; one that is made stays."""
        if key in self._tasks and not self._tasks[key].done():
            self._tasks.pop(key).cancel()
            del self._reports[key]

    def close(self) -> None:
        """Give up the reports that are not made."""
        for key in list(self._tasks):
            self.give_up(key)

    async def _weigh(self, report: GameReport, place: ViewerPlace) -> None:
        try:
            async with self._one:
                report.weighed = await self._workers.run(
                    weigh_game, place, tell=report.tell, seconds=MAX_SECONDS
                )
        except Exception as fault:
            report.fault = fault
