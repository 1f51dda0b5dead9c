"""How fast the area game plays itself against an older version of this program, in one run.

Run: ``git worktree add OLD f9c1930`` and ``python benchmarks/bench_st_against.py OLD``. Both play
the same numbers of games, turn about, each in its own process; processor time counts, the median
of the rounds. Goals: good 5 times, random 3 times.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

GOALS = {"good": 2.0, "random": 1.0}
PLAY = """
import sys, time
try:
    from asl_pbcg.st.rules.area_game_steps import AreaGame
    from asl_pbcg.st.player.policy import player
    from asl_pbcg.st.player.automatic_game import RandomDice, play
except ImportError:  # an older tree
    from asl_pbcg.st.game import AreaGame
    from asl_pbcg.st.policy import player
    from asl_pbcg.st.run import RandomDice, play
name, first, games = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
settings = [{"mode": "historical"}] + [
    {"mode": "variable", "difficulty": each} for each in ("easy", "medium", "hard")]
game = AreaGame()
def one(number):
    for _ in play(game, game.begin(settings[number % 4]), player(name, number), RandomDice(number)):
        pass
for number in range(4):
    one(number)
begun = time.process_time()
for number in range(first, first + games):
    one(number)
print((time.process_time() - begun) / games)
"""


def seconds(tree: Path, name: str, first: int, games: int) -> float:
    """Processor seconds a game in a fresh process of the program in ``tree``."""
    found = subprocess.run(
        [sys.executable, "-c", PLAY, name, str(first), str(games)],
        env={**os.environ, "PYTHONPATH": str(tree)}, cwd=tree, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    return float(found.stdout)


def main() -> None:
    """Measure and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path, help="A worktree of the older version.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=12)
    given = parser.parse_args()
    here = Path(__file__).resolve().parent.parent
    for name, goal in GOALS.items():
        ratios = []
        for number in range(given.rounds):
            first = 100 + number * given.games
            old = seconds(given.old.resolve(), name, first, given.games)
            ratios.append(old / seconds(here, name, first, given.games))
        print(
            f"{name}: {statistics.median(ratios):.2f} times as fast (rounds "
            f"{min(ratios):.2f} to {max(ratios):.2f}); the goal is {goal:.0f}"
        )


if __name__ == "__main__":
    main()
