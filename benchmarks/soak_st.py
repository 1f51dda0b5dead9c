"""Thousands of whole automatic area games, everything of each checked.

Run: ``python benchmarks/soak_st.py --games 2000 --write``. Half of the games are played by the
random player and half by the good one, all kinds of game and both Germans in turn; in every other
ten games each doubtful point of the rules is settled at random. Some more games are the expert's.

Checked in every game: it ends, and after each phase the accounts (SP, grenades, charges, markers,
VP) balance and follow from the phase before; the VP at the end are counted by hand once more.
Every fourth game (``--journal 1``: every game) is played on a journal: its log must tell what the
ledger holds, and its answers and dice must make the same game again, phase by phase and word by
word. Exits with 1 if a game fails, and names it.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from st_soak import KINDS, Ended, Task, expert_tasks, tasks, whole, without_journal

from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.many.sim_report import Z, share, spread
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.settings import ST_RULINGS


@cache
def the_map() -> GameMap:
    """The shipped map, read once in each process."""
    return load_map()


def one(given: tuple[Task, bool]) -> tuple[Task, Ended | None, str]:
    """Play and check one game, maybe on a journal: what came of it, or what was wrong."""
    task, journal = given
    try:
        return task, (whole if journal else without_journal)(task, the_map()), ""
    except Exception as error:
        return task, None, f"{type(error).__name__}: {str(error)[:400]}"


def table(ended: list[Ended]) -> list[str]:
    """VP and British victories by player and kind of game, with 95% intervals, in Markdown."""
    found: dict[tuple[str, str], list[Ended]] = defaultdict(list)
    for each in ended:
        found[each.task.policy, each.task.kind].append(each)
    lines = [
        "| British player | game | games | VP, mean | 95% | British victory | 95% |",
        "|---|---|---|---|---|---|---|",
    ]
    for policy in ("random", "good", "expert"):
        for kind in KINDS:
            games = found[policy, kind]
            if len(games) < 2:
                continue
            vp = spread([each.vp for each in games])
            won = share(sum(each.level != victory_chart().levels[0] for each in games), len(games))
            lines.append(
                f"| {policy} | {kind} | {len(games)} | {vp.mean:.1f} | {vp.low:.1f} to "
                f"{vp.high:.1f} | {won.share:.0%} | {won.low:.0%} to {won.high:.0%} |"
            )
    return lines


def difference(name: str, a: list[int], b: list[int]) -> str:
    """How far the means of ``a`` and ``b`` are apart, with its 95% interval."""
    if len(a) < 2 or len(b) < 2:
        return f"{name}: too few games"
    far = statistics.fmean(a) - statistics.fmean(b)
    half = Z * math.sqrt(statistics.variance(a) / len(a) + statistics.variance(b) / len(b))
    return f"{name}: {far:.1f} VP ({far - half:.1f} to {far + half:.1f})"


def differences(ended: list[Ended]) -> list[str]:
    """The good player against the random one, easy against hard."""

    def vp(policy: str, *kinds: str) -> list[int]:
        return [
            each.vp
            for each in ended
            if each.task.policy == policy and each.task.kind in (kinds or tuple(KINDS))
        ]

    return [
        difference("* good player above the random one", vp("good"), vp("random")),
        difference("* good player, easy above hard", vp("good", "easy"), vp("good", "hard")),
        difference("* random player, easy above hard", vp("random", "easy"), vp("random", "hard")),
    ]


def settled(ended: list[Ended]) -> str:
    """How many choices of the doubtful points were played."""
    played = {(name, each.task.settings[name]) for each in ended for name in each.task.settings}
    choices = {(name, c) for name, ruling in ST_RULINGS.settable.items() for c in ruling.choices}
    return f"{len(choices & played)} of {len(choices)} choices of rulings were played."


def report(ended: list[Ended], seconds: float, processes: int, failed: int) -> str:
    """All of it, in Markdown."""
    answers = sum(each.answers for each in ended)
    rolls = sum(each.rolls for each in ended)
    plain = [each for each in ended if each.task.plain]
    other = [each for each in ended if not each.task.plain]
    lines = [
        f"{len(ended) + failed} games, {answers:,} answers, {rolls:,} rolls, {seconds:.0f} s on "
        f"{processes} processes; {failed} failed. {settled(other)}",
        "",
    ]
    for german, words in GERMANS.items():
        games = [each for each in plain if each.task.german == german]
        lines += [f"{words}:", "", *table(games), "", *differences(games), ""]
    lines += [
        "With every doubtful point settled at random:",
        "",
        *table(other),
        "",
        *differences(other),
    ]
    return "\n".join(lines)


GERMANS = {
    "rules": "With the default rulings, against the rules' own Germans",
    "resolute": "With the default rulings, against the resolute German",
}


def write_down(text: str) -> None:
    """Put the report below the last heading of ``docs/engineers/st-soak.md``."""
    page = Path(__file__).resolve().parent.parent / "docs" / "engineers" / "st-soak.md"
    head, mark, _ = page.read_text(encoding="utf-8").partition("## Last result\n")
    page.write_text(f"{head}{mark}\n{text}\n", encoding="utf-8")


def main() -> None:
    """Play and report; exit 1 if a game failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--experts", type=int, default=20, help="games of the expert besides")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--journal", type=int, default=4, help="one game in so many on a journal")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("-o", "--output", type=Path, help="write the report here too")
    parser.add_argument("--write", action="store_true", help="put it into st-soak.md")
    given = parser.parse_args()
    # Every so many games of each player, kind and German, whatever their number.
    block = 8 * len(KINDS)
    on_journal = [
        (task, task.number // block % given.journal == 0)
        for task in tasks(given.games, given.first)
    ]
    on_journal += [(task, False) for task in expert_tasks(given.experts)]
    start = time.perf_counter()
    ended: list[Ended] = []
    failed = 0
    with ProcessPoolExecutor(given.processes) as pool:
        for number, (task, end, wrong) in enumerate(pool.map(one, on_journal, chunksize=4), 1):
            if end is None:
                failed += 1
                print(f"game {task.number}, {task.policy}, {task.kind}: {wrong}", flush=True)
            else:
                ended.append(end)
            if number % 100 == 0:
                print(f"{number} games, {time.perf_counter() - start:.0f} s", flush=True)
    kept = sum(journal for _, journal in on_journal)
    text = report(ended, time.perf_counter() - start, given.processes, failed)
    text = f"{kept} games were played on a journal and replayed.\n\n{text}"
    print(text)
    if given.output:
        given.output.write_text(text + "\n", encoding="utf-8")
    if given.write:
        write_down(text)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
