"""A recorded game played again for the analyst: its phases, rolls and decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final, cast

from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.st.area_terms import PHASES
from asl_pbcg.st.british.british_options import action_text
from asl_pbcg.st.picture.captions import STEPS, decided_words
from asl_pbcg.st.picture.follow import replay_record
from asl_pbcg.st.player.playout import PhasePosition, position_of
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.procedures.movement import STOP, ActionKind, action
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.game_record import Entry, Record
from asl_pbcg.st.state.decision import Decision, TableRoll
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.thinking.balance import CourseEvent, EventKind, Luck, luck_of, results_of
from asl_pbcg.st.thinking.choices import Choice, choices

STACK: Final = "stack"
ORDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "act": (STACK, "action"),
    "declare": (STACK, "declare_action"),
}
"""Questions that begin an order to a unit, and those that go on with it."""
CURVE_PHASES: Final = ("british_movement", "german_movement")
"""Phases at whose beginning the curve has a point."""
OTHERS: Final = 5
"""A decision is weighed against so many others at most, a further step of an order so many:"""
OTHER_STEPS: Final = 3


@dataclass(slots=True)
class Moment:
    """A decision as it was made, and what else might have been done."""

    position: PhasePosition
    chosen: Choice
    others: dict[str, Choice]
    turn: int
    point: int = 0
    """The point of the curve it comes after; -1 for what comes before the first."""
    decided: Sequence[tuple[str, Any]] = ()
    from_here: int = 0
    """All that was decided in the phase, and where in it what came after this begins."""

    @property
    def rest(self) -> Sequence[tuple[str, Any]]:
        """Return what was decided in the rest of the phase."""
        return self.decided[self.from_here :]


@dataclass(slots=True)
class Course:
    """A recorded game as it went: the state it came to, points of the curve, decisions, rolls.

    ``inside`` is the state in the middle of a phase in which the record ends.
    """

    state: State
    inside: State | None = None
    points: list[tuple[int, str, PhasePosition]] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    luck: list[Luck] = field(default_factory=list)
    start: PhasePosition | None = None
    """Where the set-up is done: from here on luck and decisions are balanced."""
    events: list[CourseEvent] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    """How many events there are before each point of the curve."""
    decided: int = 0
    """How many decisions were made; the events are those that the good player would not make."""
    otherwise: list[str] = field(default_factory=list)
    """Phases that were played under another reading of a rule."""

    @property
    def stands(self) -> State:
        """Return how the game stands where the record ends."""
        return self.inside or self.state


def course_of(game: AreaGame, record: Record) -> Course:
    """Play the game that is recorded again.

    Of a phase that was played under another reading of a rule the rest is left out. Raises
    PlayedOtherwise if the state after it is not known.
    """
    course = Course(record.begun)
    events = _Events(course)
    sent: list[tuple[str, Any]] = []
    decided: list[tuple[str, Any]] = []
    skip = 0  # answers to come that belong to the order before them
    for moment in replay_record(game, record):
        asked, state, sit = moment.asked, moment.state, moment.situation
        if moment.kind == "begin":
            sent, decided, skip = [], [], 0
            if state and state.ready:
                hidden = frozenset(unit.id for unit in state.units if unit.face_down)
                position = PhasePosition(state, (), hidden, state.demo_marker != "none")
                events.begin(position)
                if PHASES[state.phase].name in CURVE_PHASES:
                    course.nodes.append(len(course.events))
                    course.points.append((state.turn, PHASES[state.phase].title, position))
        elif moment.kind == "otherwise":
            course.otherwise.append(moment.step.title)
            events.gap = True
        if moment.kind != "asked":
            course.state = state or course.state
        elif isinstance(asked, Roll | Prompt) and not moment.coming:
            course.inside = sit.close() if sit else None
        elif isinstance(asked, Roll):
            luck = luck_of(course.state, asked, moment.sent, len(course.points) - 1, sit)
            course.luck += luck
            faces = tuple(moment.coming[0][2])
            if isinstance(asked, TableRoll) and sit and not asked.secret:
                position = position_of(course.state, sent, sit)
                events.roll(position, asked, faces, luck[0] if luck else None)
            sent.append(("roll", faces))
        elif isinstance(asked, Prompt):
            answer = (moment.coming[0][1], moment.coming[0][2])
            if isinstance(asked, Decision):
                if skip:
                    skip -= 1
                else:
                    position = position_of(course.state, sent, asked.situation)
                    decision = moment_of(position, asked, moment.coming)
                    answers: tuple[Any, ...] = (answer[1],)
                    if decision:
                        decision.point = len(course.points) - 1
                        decision.decided = decided
                        answers = decision.chosen.answers
                        decision.from_here = len(decided) + len(answers)
                        course.moments.append(decision)
                        skip = len(answers) - 1
                    events.decide(position, asked, answers, decision)
                events.compare_with_good(asked, answer[1])
                decided.append(answer)
            sent.append(answer)
    events.keep_decision()
    return course


class _Events:
    """Notes the events of a course, each with the position that it changed."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._last: tuple[PhasePosition, tuple[Any, ...]] | None = None
        self.gap = False
        """Whether part of a phase is not known."""
        self._decision: CourseEvent | None = None
        self._as_good = True

    def begin(self, position: PhasePosition) -> None:
        """Note that a phase begins."""
        self._course.start = self._course.start or position
        self.keep_decision()
        self._turn_up(position)
        self._last = position, ()

    def _turn_up(self, position: PhasePosition) -> None:
        """Note what has come to light since the last event."""
        if self._last is None:
            return
        last, answers = self._last
        hidden = sorted(last.hidden - position.hidden)
        words = [
            f"a {'dummy' if unit.dummy else unit.kind} in {unit.area}"
            for unit in last.state.units
            if unit.id in hidden
        ]
        if last.marker and not position.marker:
            words.append("the marker at the bridge")
        if self.gap:
            words = ["a phase that was played with another pbcg"]
        if words:
            told = f"Turned up: {', '.join(words)}" if not self.gap else words[0]
            self._note("turned up", told, position, last, answers_before=answers)
        self.gap = False

    def roll(
        self, position: PhasePosition, asked: TableRoll, faces: tuple[int, ...], luck: Luck | None
    ) -> None:
        """Note a roll, if it could have come to something else."""
        self._turn_up(position)
        after = position.with_roll(faces)
        self._last = after, ()
        came_to = results_of(asked, faces)
        every = product(range(1, asked.spec.sides + 1), repeat=asked.spec.count)
        throws = tuple(None if results_of(asked, each) == came_to else each for each in every)
        words = luck.words if luck else f"{asked.text}: rolled {' '.join(map(str, faces))}"
        if any(throws):
            sp = luck.gain if luck else None
            self._note("roll", words, after, position, throws=throws, sp=sp)

    def decide(
        self, position: PhasePosition, asked: Decision, answers: tuple[Any, ...],
        moment: Moment | None,
    ) -> None:  # fmt: skip
        """Note a decision."""
        if self._course.start is None:
            return
        self._turn_up(position)
        self._last = position, answers
        if moment:
            words, number = moment.chosen.words, len(self._course.moments) - 1
        else:
            words, number = decided_words(asked, asked.words(answers[0])), -1
        self._note("decision", words, position, position, answers=answers, moment=number)
        self._as_good = True
        self._course.decided += 1

    def compare_with_good(self, asked: Decision, answer: Any) -> None:
        """Note whether the good player would have answered so: then nothing is to be weighed."""
        self._as_good = self._as_good and GoodPlayer().answer(asked) == answer

    def keep_decision(self) -> None:
        """Keep the last decision, unless the good player would have made it too."""
        if self._decision and not self._as_good:
            self._course.events.append(self._decision)
        self._decision = None

    def _note(
        self, kind: EventKind, words: str, after: PhasePosition, before: PhasePosition, **more: Any
    ) -> None:
        self.keep_decision()
        course = self._course
        event = CourseEvent(
            kind, before.state.turn, len(course.points) - 1, words, after, before, **more
        )
        if kind == "decision":
            self._decision = event
        else:
            course.events.append(event)


def moment_of(position: PhasePosition, asked: Decision, coming: Sequence[Entry]) -> Moment | None:
    """The decision that the ``coming`` entries make of ``asked``; None if there was no other.

    An order is weighed as a whole: who, then the first thing done; each further step by itself.
    """
    answers = _answers(asked, coming)
    if answers is None:
        return None
    listed = choices(asked)
    if asked.id in STEPS:
        # What no plan asks for is not worth weighing at every step.
        listed = {
            name: choice
            for name, choice in listed.items()
            if choice.why or choice.answers in (answers, (STOP,))
        }
    chosen = next((way for way in listed.values() if _same(way.answers, answers)), None)
    if chosen is None:
        chosen = Choice(answers, _words(asked, answers), "")
    others = [(name, each) for name, each in listed.items() if each is not chosen]
    others = others[: OTHER_STEPS if asked.id in STEPS else OTHERS]
    if not others:
        return None
    made = Choice(answers, decided_words(asked, chosen.words), chosen.why)
    return Moment(position, made, dict(others), position.state.turn)


def _answers(asked: Decision, coming: Sequence[Entry]) -> tuple[Any, ...] | None:
    """Return the answers, to an order all that belong to it; None before it is a decision."""
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
    """Tell whether two choices are the same, lists of units in any order."""
    return len(one) == len(other) and all(
        sorted(a) == sorted(b) if isinstance(a, list) and isinstance(b, list) else a == b
        for a, b in zip(one, other, strict=True)
    )


def _words(asked: Decision, answers: Sequence[Any]) -> str:
    """Return the decision as the teacher words it."""
    if len(answers) == 1 and asked.id not in STEPS:
        words = asked.words(answers[0])
        return words.partition(",")[0] if asked.id in ("fire", "declare_fire") else words
    sit = asked.situation
    units = [sit.units[id] for id in asked.pieces]
    if asked.id in ORDERS:
        units = [sit.units[id] for id in (answers[1] if len(answers) > 2 else answers[:1])]
    kind, _, target = str(answers[-1]).partition(" ")
    done = action_text(sit, units[0], action(cast(ActionKind, kind), target, 0))
    return done if asked.id in STEPS else f"{', '.join(unit.name for unit in units)}: {done}"
