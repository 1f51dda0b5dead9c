"""Playing on from the middle of a phase: what an answer comes to, over many imagined games.

A position is the state at the beginning of the phase and what was answered and rolled since; it
is given again on an imagined state (``unseen.py``), then the answer that is weighed, then an
automatic player plays on to the end. The same number means the same imagined state and the same
dice for every answer that is compared.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Any, Final, NamedTuple

from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.st.player.automatic_game import Player, RandomDice, game_on, play
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.player.unseen import imagine
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.state.phase_situation import Situation

Answers = Mapping[str, Sequence[Any]]
"""The choices that are compared: what each answers to the first questions."""
Played = dict[str, dict[int, int]]
"""VP of imagined games by their number, for each choice."""


ORDER_POINTS: Final = ("act", "declare", "fire", "declare_fire")
"""Questions with which an order begins."""


class Stale(Exception):
    """Recorded answers and dice do not fit the imagined state; another is imagined."""


@dataclass(frozen=True, slots=True)
class PhasePosition:
    """A moment of a game: the state when the phase began, and what was sent to its script since.

    ``sent`` holds answers in their stored form and dice as tuples. ``hidden`` and ``marker`` say
    what lies face down now.
    """

    state: State
    sent: tuple[tuple[str, Any], ...] = ()
    hidden: frozenset[str] = frozenset()
    marker: bool = False

    def with_roll(self, faces: tuple[int, ...]) -> PhasePosition:
        """Return the position after a roll in it came to ``faces``."""
        return replace(self, sent=(*self.sent, ("roll", faces)))


def position_of(state: State, sent: Sequence[tuple[str, Any]], sit: Situation) -> PhasePosition:
    """Return the position in the situation ``sit``, after ``sent``."""
    hidden = frozenset(unit.id for unit in sit.units.values() if unit.face_down)
    return PhasePosition(state, tuple(sent), hidden, sit.demo_marker != "none")


class _Resumed:
    """Gives what was recorded, then the answers that are weighed, then asks player and dice."""

    def __init__(
        self, sent: Iterable[tuple[str, Any]], answers: Iterable[Any], player: Player, seed: str
    ) -> None:
        self._recorded = list(sent)
        self._answers = list(answers)
        self._player, self._dice = player, RandomDice(seed)

    def answer(self, prompt: Prompt) -> Any:
        """Return the next answer. Raises Stale if another question was answered."""
        if self._recorded:
            return self._next(prompt.id)
        return self._answers.pop(0) if self._answers else self._player.answer(prompt)

    def throw(self, spec: DiceSpec, number: int, reason: str) -> tuple[int, ...]:
        """Return the next dice. Raises Stale if a question was answered instead."""
        if not self._recorded:
            return self._dice.throw(spec, number, reason)
        faces: tuple[int, ...] = self._next("roll")
        return faces

    def _next(self, point: str) -> Any:
        recorded, body = self._recorded.pop(0)
        if recorded != point:
            raise Stale
        return body

    def forget(self) -> None:
        """Drop what is left of it: the phase is over."""
        self._recorded, self._answers = [], []


class AsPlayed(GoodPlayer):
    """The good player, who decides the rest of a phase as it was decided, as far as that goes."""

    def __init__(self, rest: Sequence[tuple[str, Any]]) -> None:
        super().__init__()
        self._rest = list(rest)
        self._phase: tuple[int, int] | None = None

    def answer(self, prompt: Prompt) -> Any:
        """Return the next recorded answer that fits the question, else a good one."""
        if self._rest and isinstance(prompt, Decision):
            state = prompt.situation.state
            self._phase = self._phase or (state.turn, state.phase)
            if self._phase != (state.turn, state.phase):
                self._rest.clear()
            for place, (point, body) in enumerate(self._rest):
                if point == prompt.id:
                    try:
                        checked = prompt.check(body)
                    except IllegalAnswer:
                        continue
                    del self._rest[: place + 1]
                    return checked
                if point in ORDER_POINTS and prompt.id not in ORDER_POINTS:
                    break  # what comes now was decided of others
        return super().answer(prompt)


def play_on(
    game: AreaGame,
    position: PhasePosition,
    answers: Iterable[Any],
    number: int | str,
    truth: bool = False,
    player: Player | None = None,
) -> Iterator[State]:
    """Play one imagined game from ``position``: yields the state after each phase to the end.

    ``answers`` are given to the first questions; ``player``, else the good player, plays on. With
    ``truth`` only the dice are imagined: how the game itself may go on, to see whether advice
    came true. Raises Stale if the imagined state does not fit.
    """
    seed = f"imagined/{number}"
    state = position.state
    if not truth:
        state = imagine(state, position.hidden, position.marker, random.Random(seed))
    resumed = _Resumed(position.sent, answers, player or GoodPlayer(), seed)
    states = play(game, state, resumed, resumed)
    yield next(states)
    resumed.forget()
    yield from states


def play_to_end(
    game: AreaGame,
    position: PhasePosition,
    answers: Iterable[Any],
    number: int | str,
    truth: bool = False,
    player: Player | None = None,
) -> State:
    """Play one imagined game as ``play_on`` does and return the state at its end."""
    (state,) = deque(play_on(game, position, answers, number, truth, player), maxlen=1)
    return state


def gain_between(one: Iterator[State], other: Iterator[State]) -> int:
    """Return by how many VP the first of two imagined games ends ahead of the other.

    Where both come to the same state they are not played on: neither is ahead.
    """
    first, second = next(one), next(other)
    while first != second:
        if first.result and second.result:
            return first.result.vp - second.result.vp
        ahead = _progress(first) - _progress(second)
        if ahead <= 0:
            first = next(one)
        if ahead >= 0:
            second = next(other)
    return 0


def _progress(state: State) -> int:
    """Return how many phases of a game have been played."""
    return 10_000 if state.result else state.turn * 100 + state.phase


def compare(
    game: AreaGame,
    position: PhasePosition,
    answers: Answers,
    numbers: Iterable[int],
    player: Callable[[str], Player] = lambda name: GoodPlayer(),
) -> Played:
    """Play the imagined games ``numbers`` for every choice; returns the VP of each.

    All choices meet the same imagined states and dice. ``player`` makes who plays on a choice.
    """
    played: Played = {name: {} for name in answers}
    for number in numbers:
        try:
            ended = {
                name: play_to_end(game, position, given, number, player=player(name)).result
                for name, given in answers.items()
            }
        except Stale:
            continue
        for name, result in ended.items():
            assert result
            played[name][number] = result.vp
    return played


def add_games(played: Played, more: Played) -> None:
    """Add further games to those that were played."""
    for name, vp in more.items():
        played.setdefault(name, {}).update(vp)


class ImaginedGames(NamedTuple):
    """Imagined games of a position as work for another process: choices, numbers of games."""

    at: int
    """Which of several positions it is, for whoever shares them out."""
    position: PhasePosition
    answers: Answers
    numbers: Sequence[int]
    rest: Sequence[tuple[str, Any]] = ()
    """Decisions of the rest of the phase; every choice goes on with them."""


def prepare() -> None:
    """Make what a process needs for imagined games and takes long."""
    game_on(b"")


def play_task(area_map: bytes, task: ImaginedGames) -> Played:
    """Play the imagined games of ``task`` on the map; none where none fits what was seen."""
    return compare(
        game_on(area_map), task.position, task.answers, task.numbers, lambda _: AsPlayed(task.rest)
    )


# -- what imagined games say ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outlook:
    """The prospects of a choice: mean VP, its error, the chance of victory, games played."""

    vp: float
    error: float
    win: float
    games: int


FEW: Final = 2
"""So many games more are counted, won and lost by turns: a few games are never sure."""
SPREAD: Final = 8.0
"""How far the VP of these lie from the mean, as those of whole games do."""


def mean_of(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of some values in VP, at least one, and its standard error.

    Games that went alike do not make either sure while they are few.
    """
    count = len(values)
    mean = fsum(values) / count
    squares = fsum((value - mean) ** 2 for value in values) + FEW * SPREAD**2
    return mean, (squares / (count - 1 + FEW) / count) ** 0.5


def outlook_of(state: State, played: Mapping[int, int]) -> Outlook:
    """Return the mean of games, its error and the chance of a victory (marginal or better)."""
    values = list(played.values())
    count = len(values)
    if not count:
        return Outlook(0.0, 0.0, 0.0, 0)
    mean, error = mean_of(values)
    least = victory_chart().least[state.difficulty or "easy"]["marginal"]
    won = sum(value >= least for value in values) + FEW / 2
    return Outlook(mean, error, won / (count + FEW), count)
