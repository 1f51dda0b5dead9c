"""The balance of a game: start + luck of every roll + cost of every decision = result.

Each event is measured by pairs of imagined games with the same dice: the roll made against the
other rolls possible, the act done against that of the good player. The prospects where phases
begin are measured too. Least squares fit both to the result, as surveyors adjust a traverse, so
curve and events give one set of numbers.

``luck_of`` gives the luck of a roll in SP beyond its exact odds. No side loses more than is there:
of 5 SP lost by a leader alone one counts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from math import fsum
from typing import Any, Final, Literal, NamedTuple

from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.kernel.topic import Topic
from asl_pbcg.st.area_terms import BRITISH, GERMAN_INFANTRY, other
from asl_pbcg.st.picture.captions import GUNS, SMALL_ARMS, effect_words
from asl_pbcg.st.player.automatic_game import game_on
from asl_pbcg.st.player.playout import PhasePosition, Stale, gain_between, play_on
from asl_pbcg.st.rules.p7_hand_to_hand import gather, strength
from asl_pbcg.st.state.area_tables import (
    ALL_KILLED,
    NOTHING,
    Crash,
    GliderLost,
    Loss,
    WhichLost,
    odds,
    read_fight,
    read_hit,
    table,
)
from asl_pbcg.st.state.decision import TableRoll, sorts_of
from asl_pbcg.st.state.game_state import State, Unit
from asl_pbcg.st.state.phase_situation import Situation

SUPPRESSED: Final = 0.9
BREAKABLE: Final = 5.0
"""The worth of a vehicle or weapon, in SP; of a PIAT's hit that need not wreck it, half."""
ATTACKS: Final = (*SMALL_ARMS, *GUNS, "grenade")
BREAKS: Final = ("tank", "mercedes", "mg", "at")
LANDING: Final = ("glider.lost", "glider.which_lost", "glider.crash", "glider.crash_losses")


@dataclass(frozen=True, slots=True)
class Luck:
    """One roll: what it came to against what it comes to on average, in SP for the British."""

    turn: int
    words: str
    gain: float
    point: int = 0
    """The point of the curve it comes after; -1 for what comes before the first."""


def worth_of(point: str, result: str, on: str = "", standing: bool = True) -> tuple[float, int]:
    """Return the worth of an attack's result: for what it breaks or suppresses, and the SP lost.

    ``on`` is the kind of what it falls on: on units on foot (H) alone does nothing. Who is not
    ``standing`` is suppressed already. Rule: ST-TAT-16, ST-FIR-21.
    """
    hit = read_hit(result)
    if point in SMALL_ARMS and on == "mercedes":
        return BREAKABLE if hit.loss else 0.0, 0
    if point in SMALL_ARMS or point == "grenade":
        return SUPPRESSED if hit.suppressed and standing else 0.0, hit.loss
    broken = BREAKABLE if on in BREAKS else 0.0
    if point == "gammon" and on == "mercedes" and hit.suppressed:
        return broken, 0
    if not hit.hard:
        return 0.0, 0
    if point == "tank_at_fire":
        return broken, hit.loss
    return broken / 2 if point == "piat_fire" and not hit.loss else broken, 0


def luck_of(
    state: State, asked: Roll, rolled: Rolled, point: int, sit: Situation | None
) -> list[Luck]:
    """Return the result of a roll beyond its average, for the British."""
    if not isinstance(asked, TableRoll) or asked.secret or sit is None:
        return []
    worth = _worth(asked, sit)
    if worth is None:
        return []
    faces = range(1, asked.spec.sides + 1)
    throws = list(product(faces, repeat=asked.spec.count))
    gain = worth(rolled.dice) - fsum(map(worth, throws)) / len(throws)
    ours = asked.side == BRITISH or asked.id == "hand_to_hand_combat" or asked.id in LANDING
    words = f"{asked.text}: rolled {' '.join(map(str, rolled.dice))}, {_effect(sit, asked, rolled)}"
    return [Luck(state.turn, words, gain if ours else -gain, point)]


Worth = Callable[[tuple[int, ...]], float]
"""The worth of a throw to its roller; of a fight and a landing, to the British."""


def _worth(asked: TableRoll, sit: Situation) -> Worth | None:
    """Return the worth of each throw in SP; None where luck means nothing."""
    if asked.id in LANDING:
        return lambda faces: _landing(sit, asked, asked.resolve(faces).result)
    if asked.id == "hand_to_hand_combat":
        return partial(_fight, sit, asked)
    return partial(_attack, sit, asked, _most(sit, asked)) if asked.id in ATTACKS else None


def _fight(sit: Situation, asked: TableRoll, faces: tuple[int, ...]) -> float:
    """Return the SP that the Germans lose in a fight beyond the British. Rule: ST-H2H-14."""
    fight = gather(sit, asked.where)
    assert fight
    british, german = read_fight(asked.resolve(faces).result) or (Loss.NONE, Loss.NONE)
    lost = _loss_of(strength(sit, fight.german), german)
    return float(lost - _loss_of(strength(sit, fight.british), british))


def _loss_of(sp: int, loss: Loss) -> int:
    """Return the SP that ``loss`` takes from a side of ``sp``. Rule: ST-H2H-14."""
    return {Loss.NONE: 0, Loss.HALF: (sp + 1) // 2, Loss.ALL: sp}[loss]


# -- attacks ------------------------------------------------------------------------------


def _attack(sit: Situation, asked: TableRoll, most: int, faces: tuple[int, ...]) -> float:
    """Return the worth of an attack; its targets lose at most ``most`` SP together."""
    broken, lost = 0.0, 0
    for on, result in _results(asked, faces):
        standing = any(not sit.units[id].suppressed for id in on if id in sit.units)
        worth, sp = worth_of(asked.id, result, _kind(sit, on[0]), standing)
        broken += worth
        lost += sp
        if asked.id == "grenade":
            broken += _grenade_breaks(sit, asked, result)
    return broken + min(lost, most)


def _results(asked: TableRoll, faces: tuple[int, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the results of a throw: on its target, then by an MG on the others. ST-MGF-05."""
    assert asked.table
    yield asked.on, asked.resolve(faces).result
    for on, given in asked.beside:
        yield on, asked.table.resolve(faces, given).result


def results_of(asked: TableRoll, faces: tuple[int, ...]) -> list[str]:
    """Return all that a throw comes to, in the table's words."""
    return [result for _, result in _results(asked, faces)]


def _kind(sit: Situation, id: str) -> str:
    """Return the kind of a unit or weapon."""
    return sit.weapons[id].kind if id in sit.weapons else sit.units[id].kind


def _there(sit: Situation, asked: TableRoll) -> list[Unit]:
    """Return the units that may lose SP to an attack: all in the place that it falls on."""
    first = asked.on[0]
    inside = sit.weapons[first].inside if first in sit.weapons else sit.units[first].inside
    near = sit.in_area(other(asked.side), asked.where)
    return [unit for unit in near if unit.inside == inside and not unit.dummy]


def _most(sit: Situation, asked: TableRoll) -> int:
    """Return the SP that an attack can cost at most. Rule: ST-FIR-18, ST-GRE-08, ST-LDR-01."""
    most = sum(unit.strength for unit in _there(sit, asked) if unit.combat)
    if asked.id == "grenade":
        most += sum(id in sit.weapons for id in asked.on) * sit.n.weapon_sp
    aimed_at = [sit.units[id] for id in asked.on if id in sit.units]
    if not any(unit.combat for unit in aimed_at) and any(u.kind == "leader" for u in aimed_at):
        most += sit.n.leaders_alone_sp
    return most


def _grenade_breaks(sit: Situation, asked: TableRoll, result: str) -> float:
    """Return the worth of what a grenade wrecks: the car, or a lone tank. ST-GRE-10, ST-GRE-11."""
    hit = read_hit(result)
    there = {unit.kind for unit in _there(sit, asked)}
    if "mercedes" in there:
        by_loss = hit.loss and sit.settings.grenade_wrecks_mercedes == "loss"
        return BREAKABLE if hit.hard or by_loss else 0.0
    return BREAKABLE if hit.hard and "tank" in there and not there & GERMAN_INFANTRY else 0.0


def _effect(sit: Situation, asked: TableRoll, rolled: Rolled) -> str:
    """Return the effect of a roll in words: on its target, and by an MG on the others."""
    if asked.id not in (*SMALL_ARMS, "tank_at_fire", "grenade"):
        return effect_words(asked.id, asked.topic, rolled.result, rolled.says)
    most = _most(sit, asked)
    (on, result), *beside = _results(asked, rolled.dice)
    if asked.id == "grenade":
        car = any(unit.kind == "mercedes" for unit in _there(sit, asked))
        words = effect_words(
            asked.id, asked.topic, result if car else _at_most(result, asked.id, most)
        )
    else:
        counted = result if _kind(sit, on[0]) == "mercedes" else _at_most(result, asked.id, most)
        words = effect_words(asked.id, asked.topic, counted)
    hit = [
        f"{', '.join(map(sit.name_of, on))} "
        f"{effect_words(asked.id, Topic(kind=sorts_of(sit, on)), result)}"
        for on, result in beside
        if result != NOTHING
    ]
    return f"{words}; by the MG {', '.join(hit)}" if hit else words


def _at_most(result: str, point: str, most: int) -> str:
    """Return a result as it falls on so many SP: what cannot be lost is not told as lost."""
    hit = read_hit(result)
    if hit.loss <= most:
        return result
    nothing = "S" if point == "tank_at_fire" else NOTHING
    return f"{most or nothing}{'(H)' * hit.hard}"


# -- landing ------------------------------------------------------------------------------


def _landing(sit: Situation, asked: TableRoll, result: str) -> float:
    """Return the SP that a roll of the landing costs. Rule: ST-GLI-02, ST-GLI-21, ST-GLI-22."""
    if asked.id in ("glider.lost", "glider.which_lost"):
        line = [_aboard(sit, int(number))[0] for number in asked.on]
        if asked.id == "glider.which_lost":
            return -float(line[list(WhichLost).index(WhichLost(result))])
        return -sum(line) / len(line) if result == GliderLost.ONE else 0.0
    aboard, fighting = _aboard(sit, int(asked.on[0]))
    if asked.id == "glider.crash_losses":
        return -float(aboard if result == ALL_KILLED else min(int(result), fighting))
    if result != Crash.CRASHED:
        return 0.0
    losses = odds(table("glider.crash_losses"))
    return -fsum(
        float(chance) * (aboard if sp == ALL_KILLED else min(int(sp), fighting))
        for sp, chance in losses.items()
    )


def _aboard(sit: Situation, number: int) -> tuple[int, int]:
    """Return the SP aboard a glider, and those of combat units among them."""
    load = [
        unit for unit in sit.units.values() if unit.glider == number and unit.status == "aboard"
    ]
    fighting = sum(unit.strength for unit in load if unit.combat)
    return fighting + sum(unit.kind == "leader" for unit in load) * sit.n.leader_sp, fighting


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
            item.vp
            for item in self.items
            if item.event.kind in kinds and turn in (0, item.event.turn)
        )

    @property
    def remainder(self) -> float:
        """Return what start and events leave of the end: nothing."""
        return self.end - fsum((self.start, *(item.vp for item in self.items)))


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
