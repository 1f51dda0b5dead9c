"""Decisions of a recorded game weighed, each against the best that the teacher finds.

Every decision is weighed by a few imagined games first, the doubtful ones by more. What the worst
cost, and how steep the steepest steps of the curve are, is told by games that had no say in which
they are: whoever looks for the largest of many numbers finds one that chance has made large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from asl_pbcg.st.many.workers import share_out
from asl_pbcg.st.thinking.course import Course, Moment
from asl_pbcg.st.thinking.playout import (
    ImaginedGames,
    Outlook,
    Played,
    add_games,
    mean_of,
    outlook_of,
    play_task,
)

CURVE: Final = 16
"""Imagined games at each point of the curve."""
FIRST: Final = 3
"""Imagined games of each choice at first."""
SECOND: Final = 6
"""More of them for the doubtful decisions: one in so many, but at least so many."""
ONE_IN: Final = 4
LEAST: Final = 20
LAST: Final = 40
"""Games that tell what the worst decisions cost, and how many of these there are; and the
prospects beside the steepest steps of the curve, at so many points."""
WORST: Final = 10
STEEP: Final = 12
FROM_SECOND: Final = 1_000
FROM_LAST: Final = 2_000
"""Numbers of imagined games, so that no game is played in two rounds."""
TURNING: Final = 0.5
"""Fewer VP are not told as a cost or a turning point; a roll by fewer SP explains none."""
CHOSEN: Final = "chosen"
CURVE_POINT: Final = "go on"


@dataclass(frozen=True, slots=True)
class Weighed:
    """One decision: what was done, what would have been best, and what that is worth."""

    turn: int
    point: int
    done: str
    best: str
    why: str
    cost: float
    games: int
    error: float = 0.0
    """The standard error of the cost."""

    @property
    def sure(self) -> bool:
        """Tell whether it cost more than chance may make it seem."""
        return self.cost > 2 * self.error

    @property
    def is_told(self) -> bool:
        """Tell whether it is worth a word: more than half a VP, and more than its error."""
        return self.cost > max(TURNING, self.error)


@dataclass(slots=True)
class WeighedCourse:
    """The outlook at points of the curve, the worst decisions, the number of decisions weighed."""

    curve: dict[int, Outlook] = field(default_factory=dict)
    decisions: list[Weighed] = field(default_factory=list)
    weighed: int = 0
    stopped: bool = False


def weigh_course(
    area_map: bytes,
    course: Course,
    effort: float,
    tell: Callable[[float], None],
    jobs: int,
    dask: str,
) -> WeighedCourse:
    """Weigh every moment of ``course`` and every point of its curve."""
    work = _Work(area_map, course, effort, tell, jobs, dask)
    weighed = WeighedCourse()
    try:
        work.look_at_all()
        work.look_again()
        work.measure()
        work.measure_steps()
    except KeyboardInterrupt:  # what is done counts
        weighed.stopped = True
    for at, (_, _, position) in enumerate(course.points):
        if prospects := work.prospects(at):
            weighed.curve[at] = outlook_of(position.state, prospects)
    weighed.weighed = sum(bool(played.get(CHOSEN)) for played in work.played.values())
    weighed.decisions = sorted(work.tell_worst(), key=lambda each: -each.cost)
    return weighed


class _Work:
    """The rounds, and what has been played."""

    def __init__(
        self,
        area_map: bytes,
        course: Course,
        effort: float,
        tell: Callable[[float], None],
        jobs: int,
        dask: str,
    ) -> None:
        self._play = partial(play_task, area_map)
        self._points = course.points
        self._result = course.state.result
        self._moments: Sequence[Moment] = course.moments
        self._effort = effort
        self._tell = tell
        self._jobs, self._dask = jobs, dask
        self.points: dict[int, Played] = {}
        self.played: dict[int, Played] = {}
        """The games played at each moment in search of the best choice."""
        self._measured: dict[int, Played] = {}
        self._best: dict[int, str] = {}
        doubtful = min(len(self._moments), self._doubtful)
        worst = min(len(self._moments), WORST)
        steep = min(len(course.points), STEEP)
        self._whole = len(course.points) + len(self._moments) + doubtful + worst + steep
        self._done = 0

    @property
    def _doubtful(self) -> int:
        return max(LEAST, len(self._moments) // ONE_IN)

    def _numbers(self, games: int, begin: int = 0, least: int = 2) -> range:
        return range(begin, begin + max(least, round(games * self._effort)))

    def _run(self, tasks: Sequence[ImaginedGames], into: dict[int, Played]) -> None:
        def keep(task: ImaginedGames, played: Played) -> None:
            place = self.points if CURVE_POINT in task.answers else into
            add_games(place.setdefault(task.at, {}), played)
            self._done += 1
            self._tell(self._done / self._whole)

        def each(_: int) -> Iterator[ImaginedGames]:
            return iter(tasks)

        share_out(self._play, each, keep, self._jobs, self._dask)

    def _point(self, at: int, numbers: Sequence[int]) -> ImaginedGames:
        _, _, position = self._points[at]
        return ImaginedGames(at, position, {CURVE_POINT: ()}, numbers)

    def _task(self, at: int, names: Sequence[str], numbers: Sequence[int]) -> ImaginedGames:
        moment = self._moments[at]
        answers = {CHOSEN: moment.chosen.answers}
        answers |= {name: moment.others[name].answers for name in names}
        return ImaginedGames(at, moment.position, answers, numbers)

    # -- rounds ---------------------------------------------------------------------------

    def look_at_all(self) -> None:
        """A few games at every point of the curve and for every decision."""
        curve, first = self._numbers(CURVE), self._numbers(FIRST)
        tasks = [self._point(at, curve) for at in range(len(self._points))]
        moments = enumerate(self._moments)
        tasks += [self._task(at, list(each.others), first) for at, each in moments]
        self._run(tasks, self.played)

    def look_again(self) -> None:
        """More games for the doubtful ones, the best of the others alone."""
        numbers = self._numbers(SECOND, FROM_SECOND)
        tasks = [self._task(at, self._rank(at)[:3], numbers) for at in self._worst(self._doubtful)]
        self._run(tasks, self.played)

    def measure(self) -> None:
        """Measure the cost of the worst, by games of their own."""
        numbers = self._numbers(LAST, FROM_LAST, least=4)
        worst = self._worst(WORST)
        self._best = {at: self._rank(at)[0] for at in worst}
        tasks = [self._task(at, [self._best[at]], numbers) for at in worst]
        self._run(tasks, self._measured)

    def measure_steps(self) -> None:
        """The prospects at both ends of the steepest steps, by games of their own."""
        vp = [mean_of(list(self.prospects(at).values()))[0] for at in range(len(self._points))]
        if self._result:
            vp.append(float(self._result.vp))
        steps = sorted(range(len(vp) - 1), key=lambda at: -abs(vp[at + 1] - vp[at]))
        beside = dict.fromkeys(
            end for at in steps for end in (at, at + 1) if end < len(self._points)
        )
        numbers = self._numbers(LAST, FROM_LAST, least=4)
        self._run([self._point(at, numbers) for at in list(beside)[:STEEP]], {})

    # -- what came of them ----------------------------------------------------------------

    def prospects(self, at: int) -> dict[int, int]:
        """The VP of the games at a point of the curve: those that measure it, if it is measured."""
        played = self.points.get(at, {}).get(CURVE_POINT, {})
        measured = {number: vp for number, vp in played.items() if number >= FROM_LAST}
        return measured or played

    def _rank(self, at: int) -> list[str]:
        """Return the other choices, best first by the games so far."""
        played = self.played[at]
        others = [name for name in played if name != CHOSEN and played[name]]
        most = max(len(played[name]) for name in others)
        others = [name for name in others if len(played[name]) == most]
        return sorted(others, key=lambda name: -mean_of(list(played[name].values()))[0])

    def _worst(self, count: int) -> list[int]:
        """Return the moments that seem to have cost most."""
        weighed = [at for at, played in self.played.items() if played[CHOSEN]]

        def cost(at: int) -> float:
            best = self._rank(at)[0]
            return _cost(self.played[at], best)[0]

        return sorted(weighed, key=lambda at: (-cost(at), at))[:count]

    def tell_worst(self) -> Iterator[Weighed]:
        """Yield the worst decisions, and what is known of their cost."""
        for at in self._best or self._worst(WORST):
            measured = self._measured.get(at, {})
            if self._best and not measured.get(CHOSEN):
                continue  # stopped before, or no game fits
            played = measured or self.played[at]
            best = self._best.get(at) or self._rank(at)[0]
            cost, error = _cost(played, best)
            moment = self._moments[at]
            other = moment.others[best]
            yield Weighed(
                moment.turn, moment.point, moment.chosen.words, other.words, other.why,
                cost, len(played[CHOSEN]), error,
            )  # fmt: skip


def _cost(played: Played, best: str) -> tuple[float, float]:
    """The VP by which ``best`` is ahead of what was chosen, game by game, and their error."""
    chosen, other = played[CHOSEN], played[best]
    return mean_of([other[number] - vp for number, vp in chosen.items() if number in other])
