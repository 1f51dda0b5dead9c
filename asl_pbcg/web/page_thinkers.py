"""The teacher and the analyst at the page, which think beside the thread that answers requests.

The ``Teacher`` thinks about one question at a time in slices and drops it for the next; the
``Analyst`` makes reports on finished games, one after the other and each once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from asl_pbcg.kernel.session import Session
from asl_pbcg.st.player.workers import Crew
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.thinking.advice import (
    UNPLANNED,
    Advice,
    advice_words,
    advise,
    equal_words,
    new_crew,
    places_of,
    position_in,
)
from asl_pbcg.st.thinking.choices import choices
from asl_pbcg.web.page_work import ViewerPlace, WeighedGame, weigh_game
from asl_pbcg.web.worker_processes import Workers

MAX_THOUGHT: Final = 20.0
"""So many seconds of thought are given to one question at most."""
REST: Final = 120.0
"""After so many seconds in which nobody asks those who play imagined games are let go."""


def _numbers(advice: Advice) -> dict[str, float]:
    """Return what the games of a choice say, with intervals."""
    win = advice.win
    return {
        "vp": round(advice.outlook.vp, 1),
        "error": round(2 * advice.outlook.error, 1),
        "win": round(win.share, 3),
        "low": round(win.low, 3),
        "high": round(win.high, 3),
    }


class AdvisedQuestion:
    """The teacher's thoughts about one question."""

    def __init__(self, key: tuple[str, int], thoughts: Iterator[list[Advice]], state: State):
        self.key = key
        self.thoughts = thoughts
        self.state = state
        self.told: dict[str, Any] = {"lines": [], "equal": "", "best": [], "more": True}


class Teacher:
    """One question is thought about at a time; whoever asks next makes it forget the last."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "teacher")
        self._crew: Crew | None = None
        self._resting: asyncio.TimerHandle | None = None
        self._lesson: AdvisedQuestion | None = None

    def lesson(self, id: str, seq: int, session: Session[State]) -> AdvisedQuestion | None:
        """The lesson about what is asked now in the game ``id``; None if nothing can be weighed.

        Everything that the game itself may change meanwhile is read here.
        """

        if self._lesson and self._lesson.key == (id, seq):
            return self._lesson
        decision, position = session.pending, position_in(session)
        if not isinstance(decision, Decision) or position is None:
            return None
        options = choices(decision)
        if not options:
            return None
        game = AreaGame(session.game.map)  # type: ignore[attr-defined]
        self._crew = self._crew or new_crew()
        thoughts = advise(game, position, decision, MAX_THOUGHT, listed=options, crew=self._crew)
        self._lesson = AdvisedQuestion((id, seq), thoughts, session.state)
        return self._lesson

    async def think(self, lesson: AdvisedQuestion) -> dict[str, Any]:
        """Think on for a moment, and say what is best so far."""
        loop = asyncio.get_running_loop()
        self._stay()
        try:
            return await loop.run_in_executor(self._thread, self._slice, lesson)
        finally:
            self._stay()  # of several who ask at once the last one counts
            self._resting = loop.call_later(REST, self.rest)

    def _slice(self, lesson: AdvisedQuestion) -> dict[str, Any]:

        advice = next(lesson.thoughts, None) if lesson is self._lesson else None
        if advice is None:
            lesson.told = {**lesson.told, "more": False}
            return lesson.told
        lesson.told = {
            "lines": advice_words(lesson.state, advice),
            "equal": equal_words(advice),
            "best": [
                {
                    "place": place,
                    "order": each.choice.order,
                    "words": each.choice.words,
                    "why": each.choice.why or UNPLANNED,
                    "numbers": _numbers(each) if each.is_meant else None,
                    "games": each.outlook.games,
                    "answers": list(each.choice.answers),
                }
                for place, each in zip(places_of(advice), advice, strict=True)
            ],
            "more": True,
        }
        return lesson.told

    def _stay(self) -> None:
        if self._resting:
            self._resting.cancel()

    def rest(self) -> None:
        """Think no more until somebody asks again."""
        self._lesson = None
        if self._crew:
            self._crew.close()
            self._crew = None

    def close(self) -> None:
        """Think no more."""
        self.rest()
        self._thread.shutdown(wait=False, cancel_futures=True)


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
