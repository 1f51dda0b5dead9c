"""The good player and simple tricks against the resolute German, over the same games.

Run: ``nice python benchmarks/resolute_st.py --games 1000 --write``. Historical games; game number
n has the same dice for everybody. The tricks (``tests/support/st_tricks.py``) are the good player
with one idea instead: holding one area, holding what is taken, hiding, running. Goals: the good
player wins 45% to 65%, and no trick wins more than he. Tricks that hardly ever win may be played
less often (``--few``). With ``--kept FILE`` every game is kept as it ends, and the same command
goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from st_tricks import TRICKS

from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.many.automatic_game import RandomDice, play
from asl_pbcg.st.many.sim_report import share, spread
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.rules.scoring import victory_chart

PLAYERS: dict[str, type[GoodPlayer]] = {"good": GoodPlayer, **TRICKS}
CLOSE = ("good", "run and return", "hide", "hold what is taken")
"""Those who win often enough to be compared over all games."""
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
    """The table, in Markdown. Each trick is compared with the good player over its own games."""
    good = [won for _, won in found["good"]]
    lines = [
        f"{len(good):,} historical games of the good player; game n has the same dice for all.",
        "",
        "| player | games | VP, mean | 95% | won | 95% | won, good lost | lost, good won |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, games in found.items():
        vp = spread([each for each, _ in games])
        won = share(sum(each for _, each in games), len(games))
        more = sum(mine and not his for (_, mine), his in zip(games, good, strict=False))
        less = sum(his and not mine for (_, mine), his in zip(games, good, strict=False))
        lines.append(
            f"| {name} | {len(games):,} | {vp.mean:.1f} | {vp.low:.1f} to {vp.high:.1f} | "
            f"{won.share:.1%} | {won.low:.1%} to {won.high:.1%} | {more} | {less} |"
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


def played(
    pool: ProcessPoolExecutor, name: str, games: int, kept: Path | None
) -> list[tuple[int, bool]]:
    """The games of one player; those of the kept file are not played again."""
    known: dict[int, tuple[int, bool]] = {}
    if kept and kept.exists():
        for line in kept.read_text(encoding="utf-8").splitlines():
            who, number, vp, won = json.loads(line)
            if who == name:
                known[number] = (vp, won)
    left = [number for number in range(games) if number not in known]
    for number, result in zip(left, pool.map(partial(one, name), left, chunksize=4), strict=True):
        known[number] = result
        if kept:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps([name, number, *result]) + "\n")
    return [known[number] for number in range(games)]


def main() -> None:
    """Play and report; exit 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--few", type=int, help="games of the tricks that hardly ever win")
    parser.add_argument("--players", default=",".join(PLAYERS), help="good and some tricks")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--kept", type=Path, help="keep each game here and go on from it")
    parser.add_argument("--write", action="store_true", help="put it into st-soak.md")
    given = parser.parse_args()
    found: dict[str, list[tuple[int, bool]]] = {}
    names = given.players.split(",")
    names.sort(key=lambda name: CLOSE.index(name) if name in CLOSE else len(CLOSE))
    with ProcessPoolExecutor(given.processes) as pool:
        for name in names:
            games = given.games if name in CLOSE else given.few or given.games
            found[name] = played(pool, name, games, given.kept)
            print(report(found), flush=True)
    if given.write:
        write_down(report(found))
    shares = {name: sum(won for _, won in games) / len(games) for name, games in found.items()}
    held = 0.45 <= shares["good"] <= 0.65
    sys.exit(not (held and shares["good"] == max(shares.values())))


if __name__ == "__main__":
    main()
