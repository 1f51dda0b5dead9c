"""A finished game weighed: its curve of prospects, its luck, and its worst decisions.

Prospects are mean VP of imagined games (``st/player/playout.py``). The balance (``balance.py``)
gives luck, and how far each decision fell short of the good player's. The worst decisions are then
weighed against all other choices: whatever is chosen, the rest of the phase is played as it was
played and the good player goes on after it. Their cost is measured by games that had no part in
selecting them, because the largest of many measured numbers is large by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from math import fsum, hypot
from typing import Any, Final

from msgspec.structs import asdict

from asl_pbcg.st.area_terms import numbers as game_numbers
from asl_pbcg.st.many.sim import Spec
from asl_pbcg.st.many.sim_report import share
from asl_pbcg.st.many.simulated_games import simulate_once
from asl_pbcg.st.player.automatic_game import packed_map
from asl_pbcg.st.player.playout import (
    ImaginedGames,
    Outlook,
    Played,
    add_games,
    mean_of,
    outlook_of,
    play_task,
)
from asl_pbcg.st.player.workers import share_out
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.game_record import Record
from asl_pbcg.st.rules.scoring import score_now
from asl_pbcg.st.state.game_state import Score, State
from asl_pbcg.st.thinking.balance import (
    BalanceItem,
    EventGames,
    GameBalance,
    all_gains,
    balance_of,
    fit_levels,
    gain_of,
    play_event,
)
from asl_pbcg.st.thinking.course import Course, course_of

CURVE: Final = 16
"""Imagined games at each point of the curve."""
AT_START: Final = 32
"""Imagined games from the start."""
PAIRS: Final = 5
ALL_PAIRS: Final = 2_400
"""Pairs of imagined games of each event of the balance; fewer in games of so many events that all
together would have more than these: the report stays within a minute."""
ALIKE_TURNS: Final = 3
"""Events of a kind within so many turns are alike in what they can change."""
MORE_PAIRS: Final = 10
"""Further pairs of the events known least, so many of these."""
NOISY: Final = 20
FIRST: Final = 5
"""Imagined games of each choice at the decisions that fell short most, so many of these."""
DOUBTFUL: Final = 12
LAST: Final = 30
"""Games that tell what the worst decisions cost, and how many of these there are."""
WORST: Final = 8
AT_ONCE: Final = 8
"""So many games are one task, so that all processors end together."""
DONE_AFTER: Final = (0.0, 0.62, 0.78, 0.86, 1.0)
"""The share of all work that is done after each round, about."""
FROM_FIRST: Final = 1_000
FROM_LAST: Final = 2_000
"""Numbers of imagined games, so that no game is played in two rounds."""
TURNING: Final = 0.5
"""Fewer VP are not told as a cost or a turning point; a roll by less explains none."""
START: Final = -1
"""The number of the start among the points of the curve."""
CHOSEN: Final = "chosen"


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
    """The outlook at points of the curve, the balance, the worst decisions.

    ``curve`` holds VP and standard error of each point.
    """

    curve: dict[int, tuple[float, float]] = field(default_factory=dict)
    balance: GameBalance | None = None
    """None where it was stopped before all was measured, or nothing had been set up."""
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
    """Weigh every event of ``course`` and every point of its curve."""
    work = _Work(area_map, course, effort, tell, jobs, dask)
    weighed = WeighedCourse()
    try:
        work.play_on_from_all()
        work.measure_noisy()
        work.look_for_better()
        work.measure_worst()
    except KeyboardInterrupt:  # what is done counts
        weighed.stopped = True
    weighed.curve = {at: (each.vp, each.error) for at, each in work.outlooks().items() if at >= 0}
    if work.balance is not None:
        weighed.balance = work.balance
        weighed.curve |= work.fitted
    weighed.weighed = course.decided - sum(
        each.kind == "decision" and not work.gains.get(at) for at, each in enumerate(course.events)
    )
    weighed.decisions = sorted(work.worst_decisions(), key=lambda each: -each.cost)
    return weighed


_Task = EventGames | ImaginedGames


def _play(area_map: bytes, task: _Task) -> list[float] | Played:
    """Play the imagined games of a task."""
    if isinstance(task, EventGames):
        return play_event(area_map, task)
    return play_task(area_map, task)


def _few_at_once(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the numbers of games, so many as are one task."""
    for first in range(0, len(numbers), AT_ONCE):
        yield numbers[first : first + AT_ONCE]


def _turns_of(task: _Task) -> float:
    """Return how long the games of a task are, about, in turns to play."""
    if isinstance(task, EventGames):
        # Pairs end where both games come to the same, those of decisions mostly soon.
        games = len(task.numbers) * (0.4 if task.event.kind == "decision" else 1.0)
        turn = task.event.turn
    else:
        games = float(len(task.answers) * len(task.numbers))
        turn = task.position.state.turn
    return games * (game_numbers().turns + 1 - turn)


class _Work:
    """The rounds of continuations that an analysis plays, and the outcomes it has so far."""

    def __init__(
        self,
        area_map: bytes,
        course: Course,
        effort: float,
        tell: Callable[[float], None],
        jobs: int,
        dask: str,
    ) -> None:
        self._map = area_map
        self._course = course
        self._effort = effort
        self._tell = tell
        self._jobs, self._dask = jobs, dask
        self._points: dict[int, Played] = {}
        self.gains: dict[int, list[float]] = {}
        """By how many VP each event changed pairs of imagined games."""
        self.balance: GameBalance | None = None
        self.fitted: dict[int, tuple[float, float]] = {}
        """The curve as it fits the balance: VP and error."""
        self._bounds: dict[int, tuple[float, float]] = {}
        """The most that each decision can have cost, by the balance, and its error."""
        self._searched: dict[int, Played] = {}
        self._measured: dict[int, Played] = {}
        self._rounds = 0

    def _numbers(self, games: float, begin: int = 0, least: int = 1) -> range:
        return range(begin, begin + max(least, round(games * self._effort)))

    def _run(self, tasks: Sequence[_Task], keep: Callable[[int, Any], None]) -> None:
        """Do the work of the next round."""
        begin, end = DONE_AFTER[self._rounds : self._rounds + 2]
        self._rounds += 1
        whole, done = fsum(map(_turns_of, tasks)), 0.0

        def keep_one(task: _Task, came_to: Any) -> None:
            nonlocal done
            keep(task.at, came_to)
            done += _turns_of(task)
            self._tell(begin + (end - begin) * done / whole)

        def each(_: int) -> Iterator[_Task]:
            return iter(tasks)

        share_out(partial(_play, self._map), each, keep_one, self._jobs, self._dask)

    # -- rounds ---------------------------------------------------------------------------

    def play_on_from_all(self) -> None:
        """Play on from the points of the curve, and pairs of games with and without each event."""
        places = [(at, position) for at, (_, _, position) in enumerate(self._course.points)]
        if self._course.start is not None:
            places.insert(0, (START, self._course.start))
        games = [
            ImaginedGames(at, position, {CHOSEN: ()}, few)
            for at, position in places
            for few in _few_at_once(self._numbers(AT_START if at == START else CURVE))
        ]
        events = self._course.events
        numbers = self._numbers(min(PAIRS, ALL_PAIRS / max(1, len(events))))
        pairs = [EventGames(at, event, numbers) for at, event in enumerate(events)]
        self._run([*games, *pairs], self._keep_first)

    def _keep_first(self, at: int, came_to: Played | list[float]) -> None:
        if isinstance(came_to, list):
            self.gains.setdefault(at, []).extend(came_to)
        else:
            add_games(self._points.setdefault(at, {}), came_to)

    def measure_noisy(self) -> None:
        """Play further pairs of the events known least, and balance all."""
        known = {at: gain_of(gains)[1] for at, gains in self.gains.items() if gains}
        noisy = sorted(known, key=lambda at: (-known[at], at))[:NOISY]
        numbers = self._numbers(MORE_PAIRS, FROM_FIRST)
        more = [EventGames(at, self._course.events[at], numbers) for at in noisy]
        self._run(more, self._keep_first)
        self._balance_events()

    def _balance_events(self) -> None:
        result = self._course.state.result
        outlooks = self.outlooks()
        if START not in outlooks or (result is None and not self._course.events):
            return
        nodes = {START: 0, **dict(enumerate(self._course.nodes))}
        measured = [(nodes[at], each.vp, each.error) for at, each in outlooks.items()]
        events = self._course.events
        gains = all_gains(
            [self.gains.get(at, []) for at in range(len(events))],
            [(event.kind, event.turn // ALIKE_TURNS) for event in events],
        )
        levels = fit_levels(gains, measured, None if result is None else float(result.vp))
        self.balance = balance_of(events, levels)
        for at, node in nodes.items():
            self.fitted[at] = levels.vp[node], levels.error({node: 1.0})
        del self.fitted[START]
        self._bound_costs(self.balance)

    def _bound_costs(self, balance: GameBalance) -> None:
        """Work out what each decision can have cost: no more than what came of it after all.

        That is what it and the later decisions of the same step of the curve lost together, and
        what it lost by itself.
        """
        lost, point = [0.0], None
        for item in reversed(balance.items):
            if item.event.point != point:
                lost, point = [], item.event.point
            if item.event.kind != "decision":
                continue
            lost.append(-item.vp)
            if item.event.moment >= 0:
                self._bounds[item.event.moment] = min(-item.vp, fsum(lost)), item.error

    def look_for_better(self) -> None:
        """Play the other choices at the decisions that fell short most."""
        numbers = self._numbers(FIRST, FROM_FIRST)
        tasks = [self._task(at, None, numbers) for at in self._worst(DOUBTFUL)]
        self._run(tasks, self._searched.__setitem__)

    def measure_worst(self) -> None:
        """Measure the cost of the worst, by games of their own.

        The best of many others looks better than it is: one that is not even ahead costs nothing.
        """
        numbers = self._numbers(LAST, FROM_LAST, least=4)
        costs = {
            at: self._cost(at, self._searched)[0]
            for at in self._worst(DOUBTFUL)
            if self._searched.get(at, {}).get(CHOSEN)
        }
        costly = [at for at, cost in costs.items() if cost > TURNING]
        costly = sorted(costly, key=lambda at: (-costs[at], at))[:WORST]
        tasks = [
            self._task(at, self._best(at), few) for at in costly for few in _few_at_once(numbers)
        ]
        self._run(tasks, lambda at, played: add_games(self._measured.setdefault(at, {}), played))

    def _task(self, at: int, name: str | None, numbers: Sequence[int]) -> ImaginedGames:
        """Return the games of a decision: what was chosen and all others, or the one of a name."""
        moment = self._course.moments[at]
        answers = {CHOSEN: moment.chosen.answers}
        answers |= {
            other: each.answers for other, each in moment.others.items() if name in (None, other)
        }
        return ImaginedGames(at, moment.position, answers, numbers, moment.rest)

    # -- what came of them ----------------------------------------------------------------

    def outlooks(self) -> dict[int, Outlook]:
        """Return the prospects at the points of the curve by the games from there alone."""
        places = {START: self._course.start}
        places |= {at: position for at, (_, _, position) in enumerate(self._course.points)}
        return {
            at: outlook_of(position.state, played[CHOSEN])
            for at, position in places.items()
            if position is not None and (played := self._points.get(at)) and played[CHOSEN]
        }

    def _worst(self, count: int) -> list[int]:
        """Return the decisions that may have cost most, by the balance."""
        costly = [at for at, (bound, _) in self._bounds.items() if bound > TURNING]
        return sorted(costly, key=lambda at: (-self._bounds[at][0], at))[:count]

    def _best(self, at: int) -> str:
        """Return the best of the other choices by the games so far."""
        played = self._searched[at]
        others = (name for name in played if name != CHOSEN)
        return max(others, key=lambda name: mean_of(list(played[name].values()))[0])

    def _cost(self, at: int, of: dict[int, Played]) -> tuple[float, float]:
        """Return the VP by which the best is ahead of what was chosen, game by game."""
        played = of[at]
        chosen, other = played[CHOSEN], played[self._best(at)]
        return mean_of([other[number] - vp for number, vp in chosen.items()])

    def worst_decisions(self) -> Iterator[Weighed]:
        """Yield the worst decisions, and what is known of their cost."""
        for at, played in sorted(self._measured.items()):
            if not played[CHOSEN]:
                continue  # no game fits
            cost, error = self._cost(at, self._measured)
            bound, bound_error = self._bounds[at]
            moment, best = self._course.moments[at], self._course.moments[at].others[self._best(at)]
            yield Weighed(
                moment.turn, moment.point, moment.chosen.words, best.words, best.why,
                min(cost, bound), len(played[CHOSEN]), max(error, bound_error),
            )  # fmt: skip


END: Final = "the end"
AGAINST: Final = 500
"""So many games of the good player a game is compared with."""


@dataclass(frozen=True, slots=True)
class Point:
    """The prospects at the beginning of a phase."""

    turn: int
    phase: str
    vp: float
    error: float
    scores: tuple[Score, ...] = ()
    """The lines of the Victory Point Chart as they stand there."""

    @property
    def label(self) -> str:
        """Return its label below the curve: the turn, or "end"."""
        return "end" if self.phase == END else str(self.turn)


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A steep step of the curve, and what made it: lines of the chart, a roll, a decision."""

    begin: Point
    end: Point
    reasons: tuple[str, ...]

    @property
    def gain(self) -> float:
        """By how many VP the prospects changed."""
        return self.end.vp - self.begin.vp


@dataclass(slots=True)
class Analysis:
    """All that came of it. ``place`` is the share of compared games that ended with less VP.

    Its 95% interval is that of all games there can be.
    """

    vp: int
    level: str
    curve: list[Point] = field(default_factory=list)
    balance: GameBalance | None = None
    """None where it was stopped before."""
    decisions: list[Weighed] = field(default_factory=list)
    moments: int = 0
    """How many decisions could have been made otherwise, and how many of them were weighed."""
    weighed: int = 0
    otherwise: int = 0
    """Phases played under another reading of a rule: what was decided in them is not all known."""
    stopped: bool = False
    """Whether it was stopped before all was weighed."""
    compared: int = 0
    place: float = 0.0
    place_low: float = 0.0
    place_high: float = 0.0
    as_good: float = 0.0
    """The share of compared games that ended with the same VP."""

    @property
    def turning_points(self) -> list[TurningPoint]:
        """Return the steps of the curve that chance does not explain, steepest first."""
        steps = [
            TurningPoint(begin, end, self._reasons(number))
            for number, (begin, end) in enumerate(pairwise(self.curve))
            if abs(end.vp - begin.vp) >= max(TURNING, 2 * hypot(begin.error, end.error))
        ]
        return sorted(steps, key=lambda step: -abs(step.gain))

    def _reasons(self, number: int) -> tuple[str, ...]:
        """Return the reasons of the step after point ``number``: the likeliest of each kind."""
        begin, end = self.curve[number], self.curve[number + 1]
        up = end.vp > begin.vp
        before = {score.item: score.vp for score in begin.scores}
        # What the prospects had in them before it came is not a reason: a gain makes no fall.
        changes = {score.text: score.vp - before.get(score.item, 0) for score in end.scores}
        reasons = [f"{text} {vp:+d} VP" for text, vp in changes.items() if vp and (vp > 0) is up]
        rolls = [
            each
            for each in self.luck
            if each.event.point == number and (each.vp > 0) is up and abs(each.vp) >= TURNING
        ]
        if rolls:
            roll = max(rolls, key=lambda each: abs(each.vp))
            reasons.append(f"{roll.event.words} ({roll.vp:+.1f} VP)")
        costs = [
            decision for decision in self.decisions if decision.point == number and decision.is_told
        ]
        if costs and not up:
            worst = max(costs, key=lambda each: (each.sure, each.cost))
            cost = "cost" if worst.sure else "may have cost"
            reasons.append(f"{worst.done} (a decision that {cost} {worst.cost:.1f} VP)")
        return tuple(reasons)

    @property
    def luck(self) -> list[BalanceItem]:
        """Return what chance changed: rolls, and what was turned up."""
        items = self.balance.items if self.balance else ()
        return [item for item in items if item.event.kind != "decision"]


def analyse(
    game: AreaGame,
    record: Record,
    effort: float = 1.0,
    tell: Callable[[float], None] = lambda done: None,
    jobs: int = 1,
    dask: str = "",
) -> Analysis:
    """Weigh a recorded game; ``tell`` hears the share done.

    Imagined games are shared out as in ``workers.py``; with ``effort`` 2 there are twice as many.
    After Ctrl-C what is done counts.
    """
    course = course_of(game, record)
    result = course.state.result
    rules = game.rules(record.begun.settings)
    score = result or score_now(rules, course.stands)
    weighed = weigh_course(packed_map(game.map), course, effort, tell, jobs, dask)
    analysis = Analysis(score.vp, result.level if result else "", balance=weighed.balance)
    analysis.decisions, analysis.weighed, analysis.moments = (
        weighed.decisions, weighed.weighed, course.decided,
    )  # fmt: skip
    analysis.stopped = weighed.stopped
    analysis.otherwise = len(course.otherwise)
    for number, (turn, phase, position) in enumerate(course.points):
        if number not in weighed.curve:
            break  # stopped before: what comes after a gap would make one step of many
        lines = score_now(rules, position.state).scores
        analysis.curve.append(Point(turn, phase, *weighed.curve[number], lines))
    if result and len(analysis.curve) == len(course.points):
        last = Point(course.state.turn, END, float(result.vp), 0.0, result.scores)
        analysis.curve.append(last)
    return analysis


def compare_with_good(
    analysis: Analysis,
    game: AreaGame,
    over: State,
    games: int,
    tell: Callable[[float], None],
    jobs: int,
    dask: str = "",
) -> None:
    """Find the place of a game that is ``over`` among games with the same set-up.

    The good player plays these, the same ones each time; ``tell`` hears how many are done. After
    Ctrl-C those that are done count.
    """
    settings = asdict(over.settings)
    if over.settings.mode == "variable":
        settings["difficulty"] = over.difficulty
    spec = Spec(policy="good", seed=1, settings=settings, area_map=packed_map(game.map))
    vp = simulate_once(spec, games, jobs, dask, lambda r, _: tell(r.done)).column("vp")
    if vp:
        place = share(sum(each < analysis.vp for each in vp), len(vp))
        analysis.compared, analysis.place = len(vp), place.share
        analysis.place_low, analysis.place_high = place.low, place.high
        analysis.as_good = vp.count(analysis.vp) / len(vp)
