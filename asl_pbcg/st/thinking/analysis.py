"""A finished game weighed: how the prospects went, which decisions cost most, what was luck.

Prospects are mean VP of imagined games (``playout.py``). Luck and decisions are told in VP and
balance (``balance.py``); what the worst decisions cost is measured by games of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from math import hypot
from typing import Final

from msgspec.structs import asdict

from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.many.automatic_game import packed_map
from asl_pbcg.st.many.game_cache import simulate_once
from asl_pbcg.st.many.sim import Spec
from asl_pbcg.st.many.sim_report import share
from asl_pbcg.st.record import Record
from asl_pbcg.st.rules.game_state import Score, State
from asl_pbcg.st.rules.scoring import score_now
from asl_pbcg.st.thinking.balance import BalanceItem, GameBalance
from asl_pbcg.st.thinking.course import course_of
from asl_pbcg.st.thinking.weighing import TURNING, Weighed, weigh_course

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
        before = {each.item: each.vp for each in begin.scores}
        # What the prospects had in them before it came is not a reason: a gain makes no fall.
        changes = {each.text: each.vp - before.get(each.item, 0) for each in end.scores}
        reasons = [f"{text} {vp:+d} VP" for text, vp in changes.items() if vp and (vp > 0) is up]
        rolls = [
            each
            for each in self.luck
            if each.event.point == number and (each.vp > 0) is up and abs(each.vp) >= TURNING
        ]
        if rolls:
            roll = max(rolls, key=lambda each: abs(each.vp))
            reasons.append(f"{roll.event.words} ({roll.vp:+.1f} VP)")
        costs = [each for each in self.decisions if each.point == number and each.is_told]
        if costs and not up:
            worst = max(costs, key=lambda each: (each.sure, each.cost))
            cost = "cost" if worst.sure else "may have cost"
            reasons.append(f"{worst.done} (a decision that {cost} {worst.cost:.1f} VP)")
        return tuple(reasons)

    @property
    def luck(self) -> list[BalanceItem]:
        """Return what chance changed: rolls, and what was turned up."""
        items = self.balance.items if self.balance else ()
        return [each for each in items if each.event.kind != "decision"]


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
