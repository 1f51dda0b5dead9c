"""Playing on from the middle of a phase: what an answer comes to, over many imagined games.

A position is the state at the beginning of the phase and what was answered and rolled since; it
is given again on an imagined state (``unseen.py``), then the answer that is weighed, then an
automatic player plays on to the end. The same number means the same imagined state and the same
dice for every answer that is compared.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Any, Final

from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.many.run import RandomDice, play
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.player.policy_style import STEADY, Style
from asl_pbcg.st.rules.decision import Decision
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.rules.state import State
from asl_pbcg.st.thinking.unseen import imagine

_ASK = object()


class Stale(Exception):
    """What was answered and rolled does not fit the imagined state; another is imagined."""


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of a game: the state when the phase began, and what was sent to its script since.

    ``sent`` holds answers in their stored form and dice as tuples. ``hidden`` and ``marker`` say
    what lies face down now.
    """

    state: State
    sent: tuple[tuple[str, Any], ...] = ()
    hidden: frozenset[str] = frozenset()
    marker: bool = False


def position_of(state: State, sent: Sequence[tuple[str, Any]], decision: Decision) -> Position:
    """The position in which ``decision`` is asked."""
    sit = decision.situation
    hidden = frozenset(unit.id for unit in sit.units.values() if unit.face_down)
    return Position(state, tuple(sent), hidden, sit.demo_marker != "none")


@dataclass(slots=True)
class Followed:
    """Follows a game that is played: the state of the phase and what was sent to it."""

    state: State | None = None
    sent: list[tuple[str, Any]] = field(default_factory=list)

    def begin(self, state: State) -> None:
        """A phase begins."""
        self.state, self.sent = state, []


def play_on(
    game: AreaGame,
    position: Position,
    answers: Sequence[Any],
    number: int | str,
    style: Style = STEADY,
    truth: bool = False,
    player: GoodPlayer | None = None,
) -> State:
    """One imagined game from ``position`` to its end; the state at the end.

    ``answers`` are given to the first questions; ``style`` plays on until the phase is over, the
    good player after it; or ``player`` plays on to the end. With ``truth`` nothing is imagined but
    the dice: how the game itself may go on, for whoever looks whether advice came true. Raises
    Stale if the imagined state does not fit.
    """
    source = random.Random(f"imagined/{number}")
    state = position.state
    if not truth:
        state = imagine(state, position.hidden, position.marker, source)
    who = player or GoodPlayer(style=style)
    dice = RandomDice(f"imagined/{number}")
    step = game.next_step(state)
    assert step
    script = step.script(state)
    given = list(position.sent)
    first = list(answers)
    sent: Any = None
    try:
        while True:
            asked = script.send(sent)
            sent = None
            if isinstance(asked, Roll):
                if given:
                    kind, value = given.pop(0)
                    if kind != "roll":
                        raise Stale
                    sent = asked.resolve(value)
                else:
                    sent = asked.resolve(dice.throw(asked.spec, 0, ""))
            elif isinstance(asked, Prompt):
                if given:
                    kind, sent = given.pop(0)
                    if kind != asked.id:
                        raise Stale
                elif first:
                    sent = first.pop(0)
                else:
                    sent = who.answer(asked)
    except StopIteration as finished:
        state = finished.value
    if player is None and style is not STEADY:
        who = GoodPlayer()
    for after in play(game, state, who, dice):
        state = after
    return state


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a choice comes to: mean VP, its standard error, the chance of victory, games played."""

    vp: float
    error: float
    win: float
    games: int


FEW: Final = 2
"""As many games more, won and lost by turns, are reckoned with: few games are never sure."""
SPREAD: Final = 8.0
"""How far the VP of these lie from the mean, as those of whole games do."""


def mean_of(values: Sequence[float]) -> tuple[float, float]:
    """The mean of some values in VP, at least one, and its standard error.

    Games that went alike do not make either sure while they are few.
    """
    count = len(values)
    mean = fsum(values) / count
    squares = fsum((value - mean) ** 2 for value in values) + FEW * SPREAD**2
    return mean, (squares / (count - 1 + FEW) / count) ** 0.5


class Tally:
    """VP of imagined games of one choice, by the number of the game."""

    def __init__(self, state: State) -> None:
        self._least = victory_chart().least[state.difficulty or "easy"]["marginal"]
        self.vp: dict[int, int] = {}

    def outlook(self) -> Outlook:
        """The mean, its error and the chance of a victory (marginal or better)."""
        values = list(self.vp.values())
        count = len(values)
        if not count:
            return Outlook(0.0, 0.0, 0.0, 0)
        mean, error = mean_of(values)
        won = sum(value >= self._least for value in values) + FEW / 2
        return Outlook(mean, error, won / (count + FEW), count)


def compare(
    game: AreaGame,
    position: Position,
    choices: Mapping[str, tuple[Sequence[Any], Style]],
    tallies: Mapping[str, Tally],
    numbers: Collection[int],
    player: Callable[[Style], GoodPlayer] | None = None,
) -> None:
    """Play the imagined games ``numbers`` for every choice; what came of them goes to the tallies.

    All choices meet the same imagined states and dice. ``player`` makes who plays on to the end.
    """
    for number in numbers:
        found: dict[str, int] = {}
        try:
            for name, (answers, style) in choices.items():
                who = player(style) if player else None
                state = play_on(game, position, answers, number, style, player=who)
                assert state.result
                found[name] = state.result.vp
        except Stale:
            continue
        for name, vp in found.items():
            tallies[name].vp[number] = vp
