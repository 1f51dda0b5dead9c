"""A recorded game played again for the analyst: its phases, rolls and decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.st.area_terms import PHASES
from asl_pbcg.st.follow import replay_record
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.picture.captions import STEPS, decided_words
from asl_pbcg.st.record import Entry, Record
from asl_pbcg.st.rules.british_options import action_text
from asl_pbcg.st.rules.decision import Decision
from asl_pbcg.st.rules.game_state import State
from asl_pbcg.st.rules.legal import STOP, ActionKind, action
from asl_pbcg.st.thinking.choices import Choice, choices
from asl_pbcg.st.thinking.luck import Luck, luck_of
from asl_pbcg.st.thinking.playout import PhasePosition, position_of

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
    sent: list[tuple[str, Any]] = []
    skip = 0  # answers to come that belong to the order before them
    for moment in replay_record(game, record):
        asked, state = moment.asked, moment.state
        if moment.kind == "begin":
            sent, skip = [], 0
            if state and state.ready and PHASES[state.phase].name in CURVE_PHASES:
                hidden = frozenset(unit.id for unit in state.units if unit.face_down)
                position = PhasePosition(state, (), hidden, state.demo_marker != "none")
                course.points.append((state.turn, PHASES[state.phase].title, position))
        elif moment.kind == "otherwise":
            course.otherwise.append(moment.step.title)
        if moment.kind != "asked":
            course.state = state or course.state
        elif isinstance(asked, Roll | Prompt) and not moment.coming:
            course.inside = moment.situation.close() if moment.situation else None
        elif isinstance(asked, Roll):
            now = len(course.points) - 1
            course.luck += luck_of(course.state, asked, moment.sent, now, moment.situation)
            sent.append(("roll", tuple(moment.coming[0][2])))
        elif isinstance(asked, Prompt):
            if isinstance(asked, Decision):
                decision = None if skip else moment_of(course.state, sent, asked, moment.coming)
                skip = max(0, skip - 1)
                if decision:
                    decision.point = len(course.points) - 1
                    course.moments.append(decision)
                    skip = len(decision.chosen.answers) - 1
            sent.append((moment.coming[0][1], moment.coming[0][2]))
    return course


def moment_of(
    state: State, sent: Sequence[tuple[str, Any]], asked: Decision, coming: Sequence[Entry]
) -> Moment | None:
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
    chosen = next((each for each in listed.values() if _same(each.answers, answers)), None)
    if chosen is None:
        chosen = Choice(answers, _words(asked, answers), "")
    others = [(name, each) for name, each in listed.items() if each is not chosen]
    others = others[: OTHER_STEPS if asked.id in STEPS else OTHERS]
    if not others:
        return None
    made = Choice(answers, decided_words(asked, chosen.words), chosen.why)
    return Moment(position_of(state, sent, asked), made, dict(others), state.turn)


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
