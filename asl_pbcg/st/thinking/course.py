"""A recorded game played again for the analyst: its phases, rolls and decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.run import Step
from asl_pbcg.st.follow import situation_in
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.picture.captions import STEPS, decided_words
from asl_pbcg.st.record import Entry, Given, PlayedOtherwise, Record, settle
from asl_pbcg.st.rules.actions import STOP, action
from asl_pbcg.st.rules.british_options import action_text
from asl_pbcg.st.rules.decision import Decision
from asl_pbcg.st.rules.state import State
from asl_pbcg.st.terms import PHASES
from asl_pbcg.st.thinking.choices import Choice, choices
from asl_pbcg.st.thinking.luck import Luck, luck_of
from asl_pbcg.st.thinking.playout import Position, position_of

STACK: Final = "stack"
ORDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "act": (STACK, "action"),
    "declare": (STACK, "declare_action"),
}
"""Questions that begin an order to a unit, and those that go on with it."""
OTHERS: Final = 5
"""A decision is weighed against so many others at most, a further step of an order so many:"""
OTHER_STEPS: Final = 3


@dataclass(slots=True)
class Moment:
    """A decision as it was made, and what else might have been done."""

    position: Position
    chosen: Choice
    others: dict[str, Choice]
    turn: int
    point: int = 0
    """The point of the curve it comes after; -1 for what comes before the first."""


@dataclass(slots=True)
class Course:
    """A recorded game as it went: the state it came to, points of the curve, decisions, rolls.

    ``inside`` is the state in the middle of a phase in which the record ends.
    """

    state: State
    inside: State | None = None
    points: list[tuple[int, str, Position]] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    luck: list[Luck] = field(default_factory=list)
    otherwise: list[str] = field(default_factory=list)
    """Phases that were played under another reading of a rule."""

    @property
    def stands(self) -> State:
        """How the game stands where the record ends."""
        return self.inside or self.state


def course_of(game: AreaGame, record: Record) -> Course:
    """Play the game that is recorded again.

    Of a phase that was played under another reading of a rule the rest is left out. Raises
    PlayedOtherwise if the state after it is not known.
    """
    given = Given(record)
    course = Course(record.begun)
    # A phase without a decision or a roll goes by after the last entry too.
    while (step := game.next_step(course.state)) is not None:
        state = course.state
        if state.ready and PHASES[state.phase].name in ("british_movement", "german_movement"):
            hidden = frozenset(unit.id for unit in state.units if unit.face_down)
            seen = Position(state, (), hidden, state.demo_marker != "none")
            course.points.append((state.turn, PHASES[state.phase].title, seen))
        given.begin(step.id)
        try:
            after = _play_step(course, step, given)
        except PlayedOtherwise:
            course.otherwise.append(step.title)
            after = given.leave()
        if after is None:
            return course
        course.state = after
    return course


def _play_step(course: Course, step: Step[State], given: Given) -> State | None:
    """One step; the state after it, None if the record ends before."""
    state = course.state
    now = len(course.points) - 1
    script, sent_so_far = step.script(state), list[tuple[str, Any]]()
    sent: Any = None
    weighed = 0  # answers to come that belong to the order before them
    try:
        while True:
            asked = script.send(sent)
            sent = None
            if not isinstance(asked, Roll | Prompt):
                continue
            coming = given.coming
            entry = given.next()
            if entry is None:
                sit = situation_in(script)
                course.inside = sit.close() if sit else None
                return None
            kind, point, body = entry
            sent = settle(asked, body)
            if isinstance(asked, Decision) and kind == "answer":
                moment = None if weighed else moment_of(state, sent_so_far, asked, coming)
                weighed = max(0, weighed - 1)
                if moment:
                    moment.point = now
                    course.moments.append(moment)
                    weighed = len(moment.chosen.answers) - 1
            if isinstance(asked, Roll):
                course.luck += luck_of(state, asked, sent, now, situation_in(script))
                sent_so_far.append(("roll", tuple(body)))
            else:
                sent_so_far.append((point, body))
    except StopIteration as finished:
        return given.end(finished.value)


def moment_of(
    state: State, sent: Sequence[tuple[str, Any]], asked: Decision, coming: Sequence[Entry]
) -> Moment | None:
    """The decision that the ``coming`` entries make of ``asked``; None if there was no other.

    An order is weighed as a whole: who, then the first thing done; each further step by itself.
    """
    answers = _answers(asked, coming)
    if answers is None:
        return None
    found = choices(asked)
    if asked.id in STEPS:
        # What no plan asks for is not worth weighing at every step.
        found = {
            name: choice
            for name, choice in found.items()
            if choice.why or choice.answers in (answers, (STOP,))
        }
    chosen = next((each for each in found.values() if _same(each.answers, answers)), None)
    if chosen is None:
        chosen = Choice(answers, _words(asked, answers), "")
    others = [(name, each) for name, each in found.items() if each is not chosen]
    others = others[: OTHER_STEPS if asked.id in STEPS else OTHERS]
    if not others:
        return None
    told = Choice(answers, decided_words(asked, chosen.words), chosen.why)
    return Moment(position_of(state, sent, asked), told, dict(others), state.turn)


def _answers(asked: Decision, coming: Sequence[Entry]) -> tuple[Any, ...] | None:
    """What was answered: to an order all that belongs to it. None if it is no decision yet."""
    answers: list[Any] = []
    last = ""
    for kind, point, body in coming[:3]:
        # After the end of a phase the next question may be that of the next turn.
        if kind != "answer" or (answers and point not in ORDERS.get(asked.id, ())):
            break
        answers.append(body)
        last = point
        if point in STEPS:
            break
    if asked.id == STACK:
        return None  # who goes along belongs to the order
    if asked.id not in ORDERS or answers[0] == asked.ids[-1]:
        return tuple(answers[:1])
    if last not in STEPS:
        return None  # nobody in the stack can move, or the record ends before the order
    # Who does nothing has decided so at the question after this one.
    return None if answers[-1] == STOP else tuple(answers)


def _same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether two choices are the same, lists of units in any order."""
    return len(one) == len(other) and all(
        sorted(a) == sorted(b) if isinstance(a, list) and isinstance(b, list) else a == b
        for a, b in zip(one, other, strict=True)
    )


def _words(asked: Decision, answers: Sequence[Any]) -> str:
    """What was done, as the teacher calls it."""
    if len(answers) == 1 and asked.id not in STEPS:
        words = asked.words(answers[0])
        return words.partition(",")[0] if asked.id in ("fire", "declare_fire") else words
    sit = asked.situation
    units = [sit.units[id] for id in asked.pieces]
    if asked.id in ORDERS:
        units = [sit.units[id] for id in (answers[1] if len(answers) > 2 else answers[:1])]
    kind, _, target = str(answers[-1]).partition(" ")
    done = action_text(sit, units[0], action(kind, target, 0))
    return done if asked.id in STEPS else f"{', '.join(unit.name for unit in units)}: {done}"
