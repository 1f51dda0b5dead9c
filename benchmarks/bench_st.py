"""How fast the area game plays itself, beside Catanatron's random players, in one run.

Run: ``pip install -e ".[bench]"``, then ``python benchmarks/bench_st.py`` on an idle machine.

Three things are measured. Each has its bound; the script says whether it holds, exit 1 if not.

1. One core: games and decisions a second, random British player against the automatic Germans,
   beside four random players of Catanatron. Rounds of both take turns, in processor time; the
   median of the rounds counts. A decision is a question with more than one legal answer, for
   both alike. With forced moves, every question counts for both, whatever its answers: the area
   game asks hardly any question with one answer, in Catanatron to roll the dice and often to end
   the turn is such a move. Every game is played twice, to be timed and to be counted.
2. Two jobs against one, the same games, on the clock, workers' start included. Rounds take turns
   and the best round of each counts, for other programs on the machine only ever add time; the
   share of the processors that others took is printed beside each round.
3. Peak memory of 100 and of 1,000 games.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.st.many.sim import Spec, simulate
from asl_pbcg.st.player.automatic_game import RandomDice, play
from asl_pbcg.st.player.policy import RandomPlayer
from asl_pbcg.st.rules.area_game_steps import AreaGame

SETTINGS: list[dict[str, Any]] = [
    {"mode": "historical"},
    {"mode": "variable", "difficulty": "easy"},
    {"mode": "variable", "difficulty": "medium"},
    {"mode": "variable", "difficulty": "hard"},
]
JOBS_BOUND = 1.8
MEMORY_BOUND = 1.05


class Played(NamedTuple):
    """What one game came to: questions with a choice, all questions, all questions and dice."""

    decisions: int
    asked: int
    moves: int


class Speed(NamedTuple):
    """The same a second of processor time, and games."""

    games: float
    decisions: float
    asked: float
    moves: float


class CountedDice(RandomDice):
    """Dice that know how often they were thrown."""

    thrown = 0

    def throw(self, spec: DiceSpec, number: int, reason: str) -> tuple[int, ...]:
        self.thrown += 1
        return super().throw(spec, number, reason)


Side = tuple[Callable[[int], None], Callable[[int], Played]]
"""How one of the two plays a game, and counts it."""


# -- one core -----------------------------------------------------------------------------


def has_choice(prompt: Any) -> bool:
    """Whether a question of the area game has more than one legal answer."""
    if prompt.kind == "choose":
        return len(prompt.ids) > 1
    if prompt.kind == "number":
        return bool(prompt.most > prompt.least)
    # Some of several: one answer only if all of them must be taken.
    return bool(prompt.least != len(prompt.ids))


def area_game(game: AreaGame, number: int) -> None:
    """One area game with the random British player."""
    state = game.begin(SETTINGS[number % len(SETTINGS)])
    for after in play(game, state, RandomPlayer(number), RandomDice(number)):
        state = after
    assert state.over


def counted_area_game(game: AreaGame, number: int) -> Played:
    """What the same game came to."""
    decisions = asked = 0

    def seen(prompt: Prompt) -> None:
        nonlocal decisions, asked
        asked += 1
        decisions += has_choice(prompt)

    state = game.begin(SETTINGS[number % len(SETTINGS)])
    dice = CountedDice(number)
    for _ in play(game, state, RandomPlayer(number), dice, seen):
        pass
    return Played(decisions, asked, asked + dice.thrown)


def catan(number: int) -> tuple[Any, int]:
    """A game of Catanatron with four random players before its first move; most turns."""
    from catanatron import Color, Game, RandomPlayer
    from catanatron.game import TURNS_LIMIT

    return Game([RandomPlayer(color) for color in Color], seed=number + 1), TURNS_LIMIT


def catan_game(number: int) -> None:
    """Play it as Game.play does, without its copies of the whole game at the start and end."""
    game, most = catan(number)
    while game.winning_color() is None and game.state.num_turns < most:
        game.play_tick()


def counted_catan_game(number: int) -> Played:
    """What the same game came to."""
    game, most = catan(number)
    decisions = asked = 0
    while game.winning_color() is None and game.state.num_turns < most:
        asked += 1
        decisions += len(game.state.playable_actions) > 1
        game.play_tick()
    return Played(decisions, asked, asked)


def speed(
    one: Callable[[int], None], counted: Callable[[int], Played], first: int, games: int
) -> Speed:
    """Play ``games`` games from number ``first`` on; they are counted in a second play, untimed."""
    start = time.process_time()
    for number in range(first, first + games):
        one(number)
    seconds = time.process_time() - start
    played = [counted(number) for number in range(first, first + games)]
    return Speed(
        games / seconds,
        sum(each.decisions for each in played) / seconds,
        sum(each.asked for each in played) / seconds,
        sum(each.moves for each in played) / seconds,
    )


def one_core(rounds: int, games: int) -> bool:
    """Compare both on one core; whether the bound holds."""
    game = AreaGame()

    both: tuple[Side, Side] = (
        (partial(area_game, game), partial(counted_area_game, game)),
        (catan_game, counted_catan_game),
    )
    for side in both:  # what is worked out once is not part of the measure
        speed(*side, 10_000, 4)
    ours: list[Speed] = []
    theirs: list[Speed] = []
    for number in range(rounds):
        order = list(zip((ours, theirs), both, strict=True))
        for found, side in order if number % 2 else reversed(order):
            found.append(speed(*side, number * games, games))
    print(f"One core, {rounds} rounds of {games} games each, median a second of processor time:")
    print(f"{'':28}{'pbcg':>10}{'Catanatron':>12}{'ratio':>8}{'least':>8}")
    held = {}
    for name, words in (
        ("games", "games"),
        ("decisions", "decisions"),
        ("asked", "with forced moves"),
        ("moves", "with forced moves and dice"),
    ):
        mine = [getattr(each, name) for each in ours]
        other = [getattr(each, name) for each in theirs]
        ratios = [a / b for a, b in zip(mine, other, strict=True)]
        held[name] = statistics.median(ratios)
        print(
            f"{words:28}{statistics.median(mine):10,.1f}{statistics.median(other):12,.1f}"
            f"{held[name]:8.2f}{min(ratios):8.2f}"
        )
    return tell("decisions at least Catanatron's", held["decisions"] >= 1.0)


# -- jobs ---------------------------------------------------------------------------------


def busy() -> tuple[float, float]:
    """Processor seconds that the whole machine has worked, and that it could have."""
    stat = Path("/proc/stat")
    if not stat.exists():
        return 0.0, 0.0
    ticks = [int(each) for each in stat.read_text().splitlines()[0].split()[1:9]]
    second = os.sysconf("SC_CLK_TCK")
    return (sum(ticks) - ticks[3] - ticks[4]) / second, sum(ticks) / second


def own_seconds() -> float:
    """Processor seconds of this process and its ended children."""
    found = os.times()
    return found.user + found.system + found.children_user + found.children_system


def timed(games: int, jobs: int) -> tuple[float, float, float]:
    """Seconds on the clock, the share of the processors that others took, processor seconds."""
    spec = Spec(policy="random", seed=1, settings=SETTINGS[2])
    before, own = busy(), own_seconds()
    start = time.perf_counter()
    done = simulate(spec, games, jobs).done
    seconds = time.perf_counter() - start
    assert done == games
    after = busy()
    whole = after[1] - before[1]
    used = own_seconds() - own
    others = max(0.0, (after[0] - before[0]) - used)
    return seconds, others / whole if whole else 0.0, used


def two_jobs(rounds: int, games: int) -> bool:
    """Compare two jobs with one; whether the bound holds."""
    best = {1: float("inf"), 2: float("inf")}
    work = {1: float("inf"), 2: float("inf")}
    print(f"Two jobs against one, {games} games, {os.cpu_count()} cores:")
    for number in range(1, rounds + 1):
        words = []
        for jobs in (1, 2) if number % 2 else (2, 1):
            seconds, others, used = timed(games, jobs)
            best[jobs] = min(best[jobs], seconds)
            work[jobs] = min(work[jobs], used)
            words.append(f"{jobs} job{'s' * (jobs > 1)} {seconds:.1f} s (others took {others:.0%})")
        print(f"  round {number}: {', '.join(sorted(words))}")
    ratio = best[1] / best[2]
    print(f"  best of each: {best[1]:.1f} s and {best[2]:.1f} s, {ratio:.2f} times as fast")
    print(
        f"  processor time: {work[1]:.1f} s and, of both jobs together, {work[2]:.1f} s, "
        f"{work[2] / work[1] - 1:+.0%}"
    )
    return tell(f"two jobs at least {JOBS_BOUND} times one", ratio >= JOBS_BOUND)


# -- memory -------------------------------------------------------------------------------


def peak(games: int) -> int:
    """Peak memory of a fresh process that plays ``games`` games, in kB."""
    command = [sys.executable, __file__, "--only", "peak", "--games", str(games)]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(found.stdout)


def memory(few: int, many: int) -> bool:
    """Compare the peak memory of few and many games; whether the bound holds."""
    small, large = peak(few), peak(many)
    print(f"Peak memory: {few} games {small / 1024:.1f} MB, {many:,} games {large / 1024:.1f} MB")
    return tell(f"at most {MEMORY_BOUND:.0%} of it", large <= MEMORY_BOUND * small)


def tell(bound: str, held: bool) -> bool:
    """Say whether a bound holds."""
    print(f"  {bound}: {'holds' if held else 'DOES NOT HOLD'}\n", flush=True)
    return held


def main() -> None:
    """Measure and print; exit 1 if a bound is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=["speed", "jobs", "memory", "peak"])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--games", type=int, default=1200, help="games of a round of two jobs")
    given = parser.parse_args()
    if given.only == "peak":
        simulate(Spec(policy="random", seed=1, settings=SETTINGS[3]), given.games)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        return
    random.seed(1)
    held = []
    if given.only in (None, "speed"):
        held.append(one_core(given.rounds, 12))
    if given.only in (None, "jobs"):
        held.append(two_jobs(max(3, given.rounds // 3), given.games))
    if given.only in (None, "memory"):
        held.append(memory(100, 1000))
    sys.exit(int(not all(held)))


if __name__ == "__main__":
    main()
