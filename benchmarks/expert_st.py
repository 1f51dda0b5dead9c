"""The expert against the good player over the same games, hard variable ones if nothing is said.

Run: ``nice python benchmarks/expert_st.py --games 500 --kept FILE --write``. Game number n has the
same dice for all; every game is kept as it ends, and the same command goes on. The dice are others
than those by which the styles were found. Goal: the expert at least 5 VP above good, 95% intervals
apart. ``prudent`` is the expert without imagined games.

``--kinds --games 60 --kept FILE`` measures the other kinds of games and both Germans, a line each.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

from asl_pbcg.st.many.sim_report import share, spread
from asl_pbcg.st.player.automatic_game import Player, RandomDice, play
from asl_pbcg.st.player.expert import ExpertPlayer
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.scoring import victory_chart

HARD = {"mode": "variable", "difficulty": "hard"}
GAMES: dict[str, dict[str, str]] = {
    "historical": {"mode": "historical"},
    "full history": {"mode": "full_history"},
    "easy": {"mode": "variable", "difficulty": "easy"},
    "medium": {"mode": "variable", "difficulty": "medium"},
    "hard": HARD,
}
KINDS = {
    f"{name}, {words}": settings | more
    for words, more in (("the rules' own", {}), ("resolute", {"german": "resolute"}))
    for name, settings in GAMES.items()
    if more or settings is not HARD
}
"""What ``--kinds`` measures."""
PLAYERS = ("good", "prudent", "expert")


@cache
def the_game() -> AreaGame:
    """The game, made once in each process."""
    return AreaGame()


def one(task: tuple[str, int, float, str]) -> dict[str, Any]:
    """One game: who, number, VP, whether it was won, seconds of CPU, styles and lines of the chart.

    ``prudent`` is the expert that imagines nothing.
    """
    name, number, effort, kind = task
    game = the_game()
    began = process_time()
    who: Player = GoodPlayer()
    if name != "good":
        who = ExpertPlayer(number, game, effort if name == "expert" else 0.0)
    state = game.begin(KINDS.get(kind, HARD))
    for after in play(game, state, who, RandomDice(f"expert/{number}")):
        state = after
    assert state.result
    return {
        "kind": kind,
        "player": name,
        "number": number,
        "vp": state.result.vp,
        "won": state.result.level != victory_chart().levels[0],
        "seconds": round(process_time() - began, 2),
        "styles": dict(Counter(who.chosen)) if isinstance(who, ExpertPlayer) else {},
        "lines": {score.item: score.vp for score in state.result.scores},
    }


def report(found: dict[str, dict[int, dict[str, Any]]]) -> str:
    """The tables, in Markdown, over the games that all have played."""
    names = [name for name in PLAYERS if found[name]]
    numbers = sorted(set.intersection(*(set(found[name]) for name in names)))
    lines = [
        f"{len(numbers):,} hard variable games, the same dice for all.",
        "",
        "| player | VP, mean | 95% | won | 95% | above good | 95% | CPU a game, times good's |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in names:
        games = [found[name][number] for number in numbers]
        vp = spread([each["vp"] for each in games])
        won = share(sum(each["won"] for each in games), len(games))
        gain = spread([found[name][n]["vp"] - found["good"][n]["vp"] for n in numbers])
        slow = sum(each["seconds"] for each in games) / max(
            0.01, sum(found["good"][number]["seconds"] for number in numbers)
        )
        more = "" if name == "good" else f"{gain.mean:+.1f} | {gain.low:+.1f} to {gain.high:+.1f}"
        lines.append(
            f"| {name} | {vp.mean:.1f} | {vp.low:.1f} to {vp.high:.1f} | {won.share:.1%} | "
            f"{won.low:.1%} to {won.high:.1%} | {more or '|'} | {slow:.0f} |"
        )
    lines += ["", "| VP, mean | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for item, points in victory_chart().points.items():
        means = [
            sum(found[name][n]["lines"].get(item, 0) for n in numbers) / max(1, len(numbers))
            for name in names
        ]
        lines.append(f"| {points.text} | " + " | ".join(f"{mean:.1f}" for mean in means) + " |")
    if "expert" in names:
        styles: Counter[str] = Counter()
        for number in numbers:
            styles.update(found["expert"][number]["styles"])
        turns = max(1, sum(styles.values()))
        told = ", ".join(f"{name} {count / turns:.1%}" for name, count in styles.most_common())
        lines += ["", f"The expert's styles, by turns: {told}."]
    return "\n".join(lines)


def report_kinds(found: dict[str, dict[str, dict[int, dict[str, Any]]]]) -> str:
    """A line for each kind of game, in Markdown."""
    lines = [
        "| game, German | games | good, VP | won | expert, VP | won | above good | 95% |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for kind, players in found.items():
        numbers = sorted(set.intersection(*(set(players[name]) for name in ("good", "expert"))))
        if not numbers:
            continue
        cells = []
        for name in ("good", "expert"):
            games = [players[name][number] for number in numbers]
            vp = spread([each["vp"] for each in games])
            cells += [f"{vp.mean:.1f}", f"{sum(each['won'] for each in games) / len(games):.0%}"]
        gain = spread([players["expert"][n]["vp"] - players["good"][n]["vp"] for n in numbers])
        cells += [f"{gain.mean:+.1f}", f"{gain.low:+.1f} to {gain.high:+.1f}"]
        lines.append(f"| {kind} | {len(numbers)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def measure_kinds(
    only: str, games: int, effort: float, processes: int, kept: Path, writes: bool
) -> None:
    """Play ``games`` of every kind that has ``only`` in its name, good and expert; report."""
    found: dict[str, dict[str, dict[int, dict[str, Any]]]] = {
        kind: {"good": {}, "expert": {}} for kind in KINDS
    }
    if kept.exists():
        for line in kept.read_text(encoding="utf-8").splitlines():
            game = json.loads(line)
            found[game["kind"]][game["player"]][game["number"]] = game
    tasks = [
        (name, number, effort, kind)
        for kind in KINDS
        if only in kind
        for number in range(games)
        for name in ("good", "expert")
        if number not in found[kind][name]
    ]
    with ProcessPoolExecutor(processes) as pool:
        for game in pool.map(one, tasks):
            found[game["kind"]][game["player"]][game["number"]] = game
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(game) + "\n")
    text = report_kinds(found)
    print(text)
    if writes:
        write_down(text, "expert kinds")


def write_down(text: str, what: str = "expert") -> None:
    """Put the report between its marks in ``docs/engineers/st-engine.md``."""
    page = Path(__file__).resolve().parent.parent / "docs" / "engineers" / "st-engine.md"
    start, end = f"<!-- {what} -->", f"<!-- end of {what} -->"
    before, _, rest = page.read_text(encoding="utf-8").partition(start)
    after = rest.partition(end)[2]
    page.write_text(f"{before}{start}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def main() -> None:
    """Play and report; exit 1 if the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--players", default=",".join(PLAYERS))
    parser.add_argument("--effort", type=float, default=1.0, help="the expert's, of its own")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--kept", type=Path, required=True, help="keep each game here")
    parser.add_argument("--write", action="store_true", help="put it into st-engine.md")
    parser.add_argument("--kinds", nargs="?", const="", help="the other kinds; those with a word")
    given = parser.parse_args()
    if given.kinds is not None:
        measure_kinds(
            given.kinds, given.games, given.effort, given.processes, given.kept, given.write
        )
        return
    found: dict[str, dict[int, dict[str, Any]]] = {name: {} for name in PLAYERS}
    if given.kept.exists():
        for line in given.kept.read_text(encoding="utf-8").splitlines():
            game = json.loads(line)
            found[game["player"]][game["number"]] = game
    names = [name for name in PLAYERS if name in given.players.split(",")]
    tasks = [
        (name, number, given.effort, "hard")
        for name in names
        for number in range(given.games)
        if number not in found[name]
    ]
    with ProcessPoolExecutor(given.processes) as pool:
        for game in pool.map(one, tasks):
            found[game["player"]][game["number"]] = game
            with given.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(game) + "\n")
    text = report(found)
    print(text)
    if given.write:
        write_down(text)
    if len(found["expert"]) < given.games:
        sys.exit(1)
    good, expert = (
        spread([found[name][number]["vp"] for number in range(given.games)])
        for name in ("good", "expert")
    )
    sys.exit(not (expert.mean >= good.mean + 5 and expert.low > good.high))


if __name__ == "__main__":
    main()
