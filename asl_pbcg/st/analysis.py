"""A finished game weighed: how the prospects went, which decisions cost most, what was luck.

Prospects are mean VP of imagined games (``playout.py``); luck is told by the exact odds of each
roll, in SP; a decision is weighed against the best that the teacher finds, with common dice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import hypot
from typing import Any, Final

from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.st.actions import action
from asl_pbcg.st.british_options import action_text
from asl_pbcg.st.captions import CAR, GUNS, SMALL_ARMS, breakable, effect_words
from asl_pbcg.st.decision import Decision
from asl_pbcg.st.follow import situation_in
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.hand_to_hand import gather, strength
from asl_pbcg.st.playout import Position, Tally, compare, position_of
from asl_pbcg.st.policy_style import STEADY
from asl_pbcg.st.results import Loss, read_fight, read_hit
from asl_pbcg.st.scoring import score_now
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.state import Score, State
from asl_pbcg.st.tables import odds
from asl_pbcg.st.teacher import Choice, choices
from asl_pbcg.st.terms import BRITISH, PHASES

CURVE: Final = 16
"""Imagined games at each point of the curve."""
FIRST: Final = 3
"""Imagined games of each choice at first; the worst decisions get more."""
MORE: Final = 12
DOUBTFUL: Final = 10
"""How many decisions get more."""
END: Final = "the end"
SUPPRESSED: Final = 0.9
BREAKABLE: Final = 5.0
"""What a vehicle or weapon is worth, in SP; a PIAT's hit that need not wreck it, half of that."""
TURNING: Final = 0.5
"""A step of the curve by fewer VP is no turning point, a roll by fewer SP explains none."""


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
        """What stands below it on the curve: its turn, or that the game is over."""
        return "end" if self.phase == END else str(self.turn)


@dataclass(frozen=True, slots=True)
class Luck:
    """One roll: what it came to against what it comes to on average, in SP for the British."""

    turn: int
    words: str
    gain: float
    point: int = 0
    """The point of the curve it comes after."""


@dataclass(slots=True)
class Weighed:
    """One decision: what was done, what would have been best, and what that is worth."""

    turn: int
    point: int
    done: str
    best: str
    why: str
    cost: float
    games: int


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
    """All that came of it. ``place`` is the share of compared games that ended with less VP."""

    vp: int
    level: str
    curve: list[Point] = field(default_factory=list)
    luck: list[Luck] = field(default_factory=list)
    decisions: list[Weighed] = field(default_factory=list)
    compared: int = 0
    place: float = 0.0

    @property
    def turning_points(self) -> list[TurningPoint]:
        """The steps of the curve that are larger than their error, steepest first."""
        steps = [
            TurningPoint(begin, end, self._reasons(number))
            for number, (begin, end) in enumerate(pairwise(self.curve))
            if abs(end.vp - begin.vp) >= max(TURNING, hypot(begin.error, end.error))
        ]
        return sorted(steps, key=lambda step: -abs(step.gain))

    def _reasons(self, number: int) -> tuple[str, ...]:
        """What made the step after point ``number``: the likeliest of each kind."""
        begin, end = self.curve[number], self.curve[number + 1]
        up = end.vp > begin.vp
        before = {each.item: each.vp for each in begin.scores}
        # What the prospects had in them before it came is no reason: a gain makes no fall.
        changes = {each.text: each.vp - before.get(each.item, 0) for each in end.scores}
        found = [f"{text} {vp:+d} VP" for text, vp in changes.items() if vp and (vp > 0) is up]
        rolls = [
            each
            for each in self.luck
            if each.point == number and (each.gain > 0) is up and abs(each.gain) >= TURNING
        ]
        if rolls:
            roll = max(rolls, key=lambda each: abs(each.gain))
            found.append(f"{roll.words} ({roll.gain:+.1f} SP)")
        costs = [each for each in self.decisions if each.point == number and each.cost > TURNING]
        if costs and not up:
            worst = max(costs, key=lambda each: each.cost)
            found.append(f"{worst.done} (a decision that cost {worst.cost:.1f} VP)")
        return tuple(found)

    @property
    def total_luck(self) -> float:
        """All luck together, in SP."""
        return sum(each.gain for each in self.luck)


@dataclass(slots=True)
class _Moment:
    position: Position
    others: dict[str, Choice]
    chosen: Choice
    turn: int
    point: int = 0


@dataclass(slots=True)
class _Course:
    """A recorded game as it went: the state it came to, points of the curve, decisions, rolls.

    ``inside`` is the state in the middle of a phase in which the record ends.
    """

    state: State
    inside: State | None = None
    points: list[tuple[int, str, Position]] = field(default_factory=list)
    moments: list[_Moment] = field(default_factory=list)
    luck: list[Luck] = field(default_factory=list)

    @property
    def stands(self) -> State:
        """How the game stands where the record ends."""
        return self.inside or self.state


Entry = tuple[str, str, Any]
"""Kind (answer or roll), decision point, body."""


def analyse(
    game: AreaGame,
    begun: State,
    entries: Sequence[Entry],
    effort: float = 1.0,
    tell: Callable[[float], None] = lambda done: None,
) -> Analysis:
    """Weigh the game that ``entries`` make from ``begun``; ``tell`` hears the share done."""
    course = _follow(game, begun, entries)
    points, moments, result = course.points, course.moments, course.state.result
    rules = game.rules(begun.settings)
    score = result or score_now(rules, course.stands)
    found = Analysis(score.vp, result.level if result else "", luck=course.luck)
    work = len(points) + len(moments) + DOUBTFUL
    for done, (turn, phase, position) in enumerate(points):
        tally = {"": Tally(position.state)}
        compare(game, position, {"": ((), STEADY)}, tally, range(max(2, round(CURVE * effort))))
        outlook = tally[""].outlook()
        lines = score_now(rules, position.state).scores
        found.curve.append(Point(turn, phase, outlook.vp, outlook.error, lines))
        tell(done / work)
    if result:
        last = Point(course.state.turn, END, float(result.vp), 0.0, result.scores)
        found.curve.append(last)
    weighed = []
    for done, moment in enumerate(moments):
        weighed.append((moment, _weigh(game, moment, range(max(2, round(FIRST * effort))))))
        tell((len(points) + done) / work)
    weighed.sort(key=lambda pair: -pair[1].cost)
    for done, (moment, first) in enumerate(weighed[:DOUBTFUL]):
        more = _weigh(game, moment, range(100, 100 + max(4, round(MORE * effort))))
        first.cost, first.games, first.best, first.why = (
            more.cost, more.games, more.best, more.why
        )  # fmt: skip
        tell((len(points) + len(moments) + done) / work)
    found.decisions = sorted((each for _, each in weighed[:DOUBTFUL]), key=lambda w: -w.cost)
    return found


def _weigh(game: AreaGame, moment: _Moment, numbers: range) -> Weighed:
    """What the decision cost against the best other, over these imagined games."""
    every = {"chosen": moment.chosen, **moment.others}
    tallies = {name: Tally(moment.position.state) for name in every}
    compare(
        game, moment.position,
        {name: (choice.answers, STEADY) for name, choice in every.items()},
        tallies, numbers,
    )  # fmt: skip
    own = tallies["chosen"].outlook()
    others = [name for name in moment.others if tallies[name].vp]
    best = max(others, key=lambda name: tallies[name].outlook().vp, default="chosen")
    cost = tallies[best].outlook().vp - own.vp
    choice = every[best]
    chosen = moment.chosen.words
    return Weighed(moment.turn, moment.point, chosen, choice.words, choice.why, cost, own.games)


# -- following the game -------------------------------------------------------------------


def _follow(game: AreaGame, begun: State, entries: Sequence[Entry]) -> _Course:
    """Play the recorded game again."""
    left = list(entries)
    course = _Course(begun)
    # A phase without a decision or a roll goes by after the last entry too.
    while (step := game.next_step(course.state)) is not None:
        state = course.state
        if state.ready and PHASES[state.phase].name in ("british_movement", "german_movement"):
            hidden = frozenset(unit.id for unit in state.units if unit.face_down)
            seen = Position(state, (), hidden, state.demo_marker != "none")
            course.points.append((state.turn, PHASES[state.phase].title, seen))
        now = max(0, len(course.points) - 1)
        script, sent_so_far = step.script(state), list[tuple[str, Any]]()
        sent: Any = None
        try:
            while True:
                asked = script.send(sent)
                sent = None
                if not isinstance(asked, Roll | Prompt):
                    continue
                if not left:
                    sit = situation_in(script)
                    course.inside = sit.close() if sit else None
                    return course
                kind, point, body = left[0]
                if isinstance(asked, Decision) and kind == "answer":
                    moment = _moment(state, sent_so_far, asked, left)
                    if moment:
                        moment.point = now
                        course.moments.append(moment)
                left.pop(0)
                if isinstance(asked, Roll):
                    sent = asked.resolve(tuple(body))
                    course.luck += _luck(state, asked, sent, now, situation_in(script))
                    sent_so_far.append(("roll", tuple(body)))
                else:
                    sent = body
                    sent_so_far.append((point, body))
        except StopIteration as finished:
            course.state = finished.value
    return course


def _moment(
    state: State, sent: Sequence[tuple[str, Any]], asked: Decision, coming: Sequence[Entry]
) -> _Moment | None:
    """A decision worth weighing: an order to a unit, the end of a phase, an attack."""
    if asked.id not in ("act", "fire") or not state.ready:
        return None
    others = choices(asked)
    answers: list[Any] = []
    last = ""
    for kind, point, body in coming[:3]:
        # After the end of a phase the next question may be that of the next turn.
        if kind != "answer" or point not in (("stack", "action") if answers else (asked.id,)):
            break
        answers.append(body)
        last = point
        if point == "action":
            break
    if not answers or (len(answers) > 1 and answers[-1] == "stop"):
        return None
    if asked.id == "act" and answers[0] != asked.ids[-1] and last != "action":
        return None  # nobody in the stack can move, or the record ends before the order
    name = answers[0] if len(answers) == 1 else f"{answers[0]} {answers[-1]}"
    same = others.pop("end" if answers[0] == asked.ids[-1] else name, None)
    listed = dict(list(others.items())[:5])
    if not listed:
        return None
    words = same.words if same else _words(asked, answers)
    chosen = Choice(tuple(answers), words, "")
    return _Moment(position_of(state, sent, asked), listed, chosen, state.turn)


def _words(asked: Decision, answers: Sequence[Any]) -> str:
    """What was done, as the teacher calls it."""
    if len(answers) == 1:
        return asked.words(answers[0]).split(",")[0]
    sit = asked.situation
    units = [sit.units[id] for id in (answers[1] if len(answers) > 2 else answers[:1])]
    kind, _, target = str(answers[-1]).partition(" ")
    done = action_text(sit, units[0], action(kind, target, 0))
    return f"{', '.join(unit.name for unit in units)}: {done}"


# -- luck -----------------------------------------------------------------------------------


def _value(
    point: str, result: str, text: str = "", sp: tuple[int, int] | None = None
) -> float | None:
    """What a result is worth to whoever rolls, in SP; None where luck means nothing here.

    ``text`` says what is aimed at: on units on foot (H) alone does nothing. A fight is told for
    the British, with the ``sp`` of both sides. Rule: ST-TAT-16, ST-FIR-21, ST-H2H-14.
    """
    if point in SMALL_ARMS and CAR in text:
        return BREAKABLE if read_hit(result).loss else 0.0
    if point in SMALL_ARMS or point == "grenade":
        hit = read_hit(result)
        return SUPPRESSED if hit.suppressed else float(hit.loss)
    if point in GUNS:
        hit = read_hit(result)
        broken = BREAKABLE if (breaks := breakable(text)) else 0.0
        if point == "piat_fire":
            return broken if hit.hard and hit.loss else broken / 2 if hit.hard else 0.0
        lost = hit.loss if point == "tank_at_fire" else 0
        works = hit.hard or (point == "gammon" and breaks == "car" and hit.suppressed)
        return broken + lost if works else 0.0
    if point == "hand_to_hand_combat" and sp:
        lost_by = read_fight(result) or (Loss.NONE, Loss.NONE)
        british, german = map(_loss_of, sp, lost_by)
        return float(german - british)
    return None


def _loss_of(sp: int, loss: Loss) -> int:
    """The SP that ``loss`` takes from a side of ``sp``. Rule: ST-H2H-14."""
    return {Loss.NONE: 0, Loss.HALF: (sp + 1) // 2, Loss.ALL: sp}[loss]


def _luck(
    state: State, asked: Roll, rolled: Rolled, point: int, sit: Situation | None
) -> list[Luck]:
    """What a roll came to beyond its average, for the British."""
    if asked.table is None or asked.secret:
        return []
    fight = gather(sit, asked.where) if sit and asked.id == "hand_to_hand_combat" else None
    sp = (strength(sit, fight.british), strength(sit, fight.german)) if sit and fight else None
    value = _value(asked.id, rolled.result, asked.text, sp)
    if value is None:
        return []
    mean = sum(
        float(chance) * (_value(asked.id, result, asked.text, sp) or 0.0)
        for result, chance in odds(asked.table, asked.given).items()
    )
    ours = asked.side == BRITISH or asked.id == "hand_to_hand_combat"
    faces = " ".join(map(str, rolled.dice))
    effect = effect_words(asked.id, asked.text, rolled.result, rolled.says)
    words = f"{asked.text}: rolled {faces}, {effect}"
    return [Luck(state.turn, words, (value - mean) * (1 if ours else -1), point)]
