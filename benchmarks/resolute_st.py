"""The good player and simple tricks against the resolute German, over the same games.

Run: ``nice python benchmarks/resolute_st.py --games 1000 --write``. Historical games; game number n
has the same dice for everybody. The tricks (``tests/st_tricks.py``) are the good player with one
idea instead: holding one area, holding what is taken, hiding, running. Goals: the good player wins
45% to 65%, and no trick wins more than he (one-sided, paired by game).
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from st_tricks import TRICKS

from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.policy import GoodPlayer
from asl_pbcg.st.run import RandomDice, play
from asl_pbcg.st.scoring import victory_chart
from asl_pbcg.st.sim_report import share, spread

PLAYERS: dict[str, type[GoodPlayer]] = {"good": GoodPlayer, **TRICKS}
SETTINGS = {"mode": "historical", "german": "resolute"}


@cache
def the_game() -> AreaGame:
    """The game, made once in each process."""
    return AreaGame()


def one(name: str, number: int) -> tuple[int, bool]:
    """The VP of one game, and whether it is a British victory."""
    game = the_game()
    state = game.begin(SETTINGS)
    for after in play(game, state, PLAYERS[name](), RandomDice(f"resolute/{number}")):
        state = after
    assert state.result
    return state.result.vp, state.result.level != victory_chart().levels[0]


def report(found: dict[str, list[tuple[int, bool]]]) -> str:
    """The table, in Markdown."""
    good = [won for _, won in found["good"]]
    lines = [
        f"{len(good):,} historical games each, the same dice for all.",
        "",
        "| player | VP, mean | 95% | won | 95% | won where good lost | lost where good won |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, games in found.items():
        vp = spread([each for each, _ in games])
        won = share(sum(each for _, each in games), len(games))
        more = sum(mine and not his for (_, mine), his in zip(games, good, strict=True))
        less = sum(his and not mine for (_, mine), his in zip(games, good, strict=True))
        lines.append(
            f"| {name} | {vp.mean:.1f} | {vp.low:.1f} to {vp.high:.1f} | {won.share:.1%} | "
            f"{won.low:.1%} to {won.high:.1%} | {more} | {less} |"
        )
    return "\n".join(lines)


def write_down(text: str) -> None:
    """Put the report below its heading in ``docs/engineers/st-soak.md``."""
    page = Path(__file__).resolve().parent.parent / "docs" / "engineers" / "st-soak.md"
    mark, end = "## Against the resolute German\n", "\n## Last result\n"
    before, _, rest = page.read_text(encoding="utf-8").partition(mark)
    intro = rest.partition("\n\n")[0]
    last = rest.partition(end)[2]
    page.write_text(f"{before}{mark}{intro}\n\n{text}\n{end}{last}", encoding="utf-8")


def main() -> None:
    """Play and report; exit 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--players", default=",".join(PLAYERS), help="good and some tricks")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="put it into st-soak.md")
    given = parser.parse_args()
    found: dict[str, list[tuple[int, bool]]] = {}
    with ProcessPoolExecutor(given.processes) as pool:
        for name in given.players.split(","):
            numbers = range(given.games)
            found[name] = list(pool.map(partial(one, name), numbers, chunksize=8))
            print(report(found), flush=True)
    text = report(found)
    if given.write:
        write_down(text)
    wins = {name: sum(won for _, won in games) for name, games in found.items()}
    held = 0.45 <= wins["good"] / given.games <= 0.65
    sys.exit(not (held and wins["good"] == max(wins.values())))


if __name__ == "__main__":
    main()
