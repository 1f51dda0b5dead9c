"""The balance of a game: start + luck of every roll + cost of every decision = result.

Each event is measured by pairs of imagined games with the same dice: what was rolled against
what else could be rolled, what was done against what the good player would do. The prospects
where phases begin are measured too. Least squares fit both to the result, as surveyors adjust a
traverse, so what is told of the curve and of each event is one set of numbers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum
from typing import Any, Final, Literal, NamedTuple

from asl_pbcg.st.many.automatic_game import game_on
from asl_pbcg.st.thinking.playout import PhasePosition, Stale, gain_between, play_on

EventKind = Literal["roll", "decision", "turned up"]
UNKNOWN: Final = 10.0
"""The standard error, in VP, of an event that no imagined game fits."""
ALIKE: Final = 4
"""So many pairs counts what is known of all events of a group, for the error of one."""
FEW: Final = 1.0
"""The square of a further deviation, in VP, among all events of a group."""
QUIET: Final = 0.02
"""As above, of an event where no imagined game was changed at all."""


@dataclass(frozen=True, slots=True)
class CourseEvent:
    """A roll, a decision or something turned up: the position after it, and what it stands against.

    ``others`` are the throws of a roll that make another result among all of its throws (None
    stands for those that make the same).
    """

    kind: EventKind
    turn: int
    point: int
    words: str
    after: PhasePosition
    before: PhasePosition
    answers: tuple[Any, ...] = ()
    """Decisions, given at the position ``after``."""
    answers_before: tuple[Any, ...] = ()
    throws: tuple[tuple[int, ...] | None, ...] = ()
    sp: float | None = None
    """Worth of a roll beyond its exact odds, in SP, where that means something."""
    moment: int = -1
    """The number of the moment among those that are weighed against other choices."""


@dataclass(frozen=True, slots=True)
class BalanceItem:
    """An event and the VP by which it changed the prospects, with the standard error."""

    event: CourseEvent
    vp: float
    error: float


@dataclass(frozen=True, slots=True)
class GameBalance:
    """The prospects at the start, what each event changed, and the end."""

    start: float
    start_error: float
    end: float
    items: tuple[BalanceItem, ...]
    luck_error: float
    """The standard error of all luck together, and so of all decisions and the start."""
    decisions_error: float

    def total(self, *kinds: EventKind, turn: int = 0) -> float:
        """Return the VP of all events of some kinds together; of one turn if that is given."""
        return fsum(
            each.vp
            for each in self.items
            if each.event.kind in kinds and turn in (0, each.event.turn)
        )

    @property
    def remainder(self) -> float:
        """Return what start and events leave of the end: nothing."""
        return self.end - fsum((self.start, *(each.vp for each in self.items)))


# -- measuring --------------------------------------------------------------------------------


class EventGames(NamedTuple):
    """Pairs of imagined games of one event, as work for another process."""

    at: int
    event: CourseEvent
    numbers: Sequence[int]


def play_event(area_map: bytes, task: EventGames) -> list[float]:
    """Return by how many VP each game with the event is ahead of the one it is paired with."""
    game, event = game_on(area_map), task.event
    source = random.Random(f"throws/{task.at}/{task.numbers[0]}")
    gains: list[float] = []
    for place, number in enumerate(task.numbers):
        before = event.before
        if event.throws:
            # Evenly spread over all throws, so that few games meet the odds.
            at = int((place + source.random()) / len(task.numbers) * len(event.throws))
            faces = event.throws[at]
            if faces is None:
                gains.append(0.0)
                continue
            before = before.with_roll(faces)
        try:
            played = play_on(game, event.after, event.answers, number)
            gain = gain_between(played, play_on(game, before, event.answers_before, number))
        except Stale:
            continue
        gains.append(float(gain))
    return gains


def gain_of(gains: Sequence[float], variance: float = 0.0) -> tuple[float, float]:
    """Return the mean of the gains of pairs and its standard error, unknown without any.

    ``variance`` is that of a pair of its group; it counts as much as ALIKE pairs.
    """
    count = len(gains)
    if not count:
        return 0.0, UNKNOWN
    mean = fsum(gains) / count
    squares = _squares(gains) + ALIKE * variance + QUIET
    return mean, (squares / (count + ALIKE) / count) ** 0.5


def all_gains(
    gains: Sequence[Sequence[float]], groups: Sequence[Hashable]
) -> list[tuple[float, float]]:
    """Return the gain of each event and its error, measured by those of its group too.

    The spread of a few pairs says little, and least where they missed what happens rarely: as if
    sure of nothing they would leave what they missed to events of another group.
    """
    variances: dict[Hashable, float] = {}
    for group in set(groups):
        alike = [each for each, other in zip(gains, groups, strict=True) if other == group]
        variances[group] = (fsum(map(_squares, alike)) + FEW) / (sum(map(len, alike)) + 1)
    return [gain_of(each, variances[group]) for each, group in zip(gains, groups, strict=True)]


def _squares(gains: Sequence[float]) -> float:
    mean = fsum(gains) / max(1, len(gains))
    return fsum((each - mean) ** 2 for each in gains)


# -- fitting ----------------------------------------------------------------------------------


class FittedLevels(NamedTuple):
    """The prospects at each node between events, fitted; ``error`` is that of a sum of them."""

    vp: list[float]
    error: Callable[[Mapping[int, float]], float]


def fit_levels(
    gains: Sequence[tuple[float, float]],
    levels: Sequence[tuple[int, float, float]],
    result: float | None,
) -> FittedLevels:
    """Fit the prospects at the nodes between events by weighted least squares.

    ``gains`` are the measured steps from node to node with their errors, ``levels`` measured
    prospects (node, VP, error); the last node is the ``result`` where the game is over.
    """
    count = len(gains) + (result is None)
    diagonal, right = [0.0] * count, [0.0] * count
    beside = [0.0] * max(0, count - 1)
    for node, (gain, error) in enumerate(gains):
        weight = error**-2
        diagonal[node] += weight
        right[node] -= weight * gain
        if node + 1 < count:
            diagonal[node + 1] += weight
            right[node + 1] += weight * gain
            beside[node] -= weight
        elif result is not None:
            right[node] += weight * result
    for node, vp, error in levels:
        if node < count:
            diagonal[node] += error**-2
            right[node] += vp * error**-2
    fitted = _solve(diagonal, beside, right)

    def error_of(sum_of: Mapping[int, float]) -> float:
        form = [sum_of.get(node, 0.0) for node in range(count)]
        solved = _solve(diagonal, beside, form)
        variance = fsum(one * other for one, other in zip(form, solved, strict=True))
        return float(max(0.0, variance) ** 0.5)

    return FittedLevels(fitted + ([] if result is None else [result]), error_of)


def _solve(
    diagonal: Sequence[float], beside: Sequence[float], right: Sequence[float]
) -> list[float]:
    """Solve a symmetric system of equations in which only neighbours meet."""
    count = len(diagonal)
    pivots, values = list(diagonal), list(right)
    for row in range(1, count):
        factor = beside[row - 1] / pivots[row - 1]
        pivots[row] -= factor * beside[row - 1]
        values[row] -= factor * values[row - 1]
    for row in range(count - 1, -1, -1):
        if row + 1 < count:
            values[row] -= beside[row] * values[row + 1]
        values[row] /= pivots[row]
    return values


def balance_of(events: Sequence[CourseEvent], levels: FittedLevels) -> GameBalance:
    """Return the balance that the fitted levels make."""
    items = []
    luck: dict[int, float] = {}
    decisions: dict[int, float] = {}
    for node, (event, (vp, after)) in enumerate(zip(events, pairwise(levels.vp), strict=True)):
        items.append(BalanceItem(event, after - vp, levels.error({node: -1.0, node + 1: 1.0})))
        into = decisions if event.kind == "decision" else luck
        into[node] = into.get(node, 0.0) - 1.0
        into[node + 1] = into.get(node + 1, 0.0) + 1.0
    return GameBalance(
        levels.vp[0], levels.error({0: 1.0}), levels.vp[-1], tuple(items),
        levels.error(luck), levels.error(decisions),
    )  # fmt: skip
