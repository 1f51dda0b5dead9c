"""Luck and decisions balance: start + luck + decisions = result, over many games.

``nice -n 19 python benchmarks/balance_st.py --games 200`` plays games of the good and the random
player by turns, analyses each with the fewest imagined games there can be, and prints the largest
remainder in VP, in all and from one point of the curve to the next; also the mean of luck, which is
0 over many games. It ends with exit code 1 if a remainder is larger than 1e-9.
"""

from __future__ import annotations

import argparse
import sys
from math import fsum
from pathlib import Path
from statistics import mean, stdev
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from st_recorded import recorded

from asl_pbcg.st.player.automatic_game import RandomDice, play
from asl_pbcg.st.player.policy import GoodPlayer, RandomPlayer
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.thinking.analysis import Analysis, analyse

LARGEST = 1e-9
KINDS = (
    {"mode": "historical"},
    {"mode": "variable", "difficulty": "hard"},
    {"mode": "historical", "german": "resolute"},
    {"mode": "variable", "difficulty": "easy"},
)


def analysis_of(number: int, effort: float, turn: int) -> Analysis:
    """Play game ``number`` and analyse it from ``turn`` on; before that the good player plays."""
    game = AreaGame()
    begun = game.begin(KINDS[number // 2 % len(KINDS)])
    if turn > 1:
        states = play(game, begun, GoodPlayer(number), RandomDice(f"before/{number}"))
        begun = next(state for state in states if state.turn == turn)
    player = GoodPlayer(number) if number % 2 else RandomPlayer(number)
    return analyse(game, recorded(player, begun=begun, dice=number), effort)


def remainders(analysis: Analysis) -> list[float]:
    """Return what is left over in all and in each step of the curve."""
    balance = analysis.balance
    assert balance is not None and balance.end == analysis.vp
    found = [abs(balance.remainder)]
    for point, begin in enumerate(analysis.curve[:-1]):
        gains = [each.vp for each in balance.items if each.event.point == point]
        found.append(abs(begin.vp + fsum(gains) - analysis.curve[point + 1].vp))
    return found


def main() -> None:
    """Print the largest remainder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--effort", type=float, default=0.01)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--turn", type=int, default=1, help="analyse from this turn on")
    given = parser.parse_args()
    largest, events, begun = 0.0, 0, process_time()
    luck: list[float] = []
    for number in range(given.first, given.first + given.games):
        analysis = analysis_of(number, given.effort, given.turn)
        largest = max(largest, *remainders(analysis))
        assert analysis.balance is not None
        events += len(analysis.balance.items)
        luck.append(analysis.balance.total("roll", "turned up"))
        print(
            f"{number}: {analysis.vp} VP, start {analysis.balance.start:.1f}, largest remainder so "
            f"far {largest:.1e}, {process_time() - begun:.0f} s CPU",
            flush=True,
        )
    print(f"{given.games} games, {events} events: largest remainder {largest:.1e} VP")
    if len(luck) > 1:
        off = 2 * stdev(luck) / len(luck) ** 0.5
        print(f"Mean luck {mean(luck):+.1f} VP (give or take {off:.1f})")
    sys.exit(largest > LARGEST)


if __name__ == "__main__":
    main()
