"""A study of good and random against both Germans, and how one of a million games goes.

``nice python benchmarks/study_st.py --kept FOLDER --write`` (extra ``[test]`` or ``[study]``) plays
the study on both cores and puts its table into ``st-study.md``; after Ctrl-C or a kill the same
command goes on. ``tests/st/many/test_st_study.py`` plays the first games of each arm again and
fails where the table is older than the rules.

``--speed`` measures instead how a study goes with two workers, and reckons for more (extra
``[cluster,study]``). Games are played by one job and by two Dask workers in turns, the same games;
the best clock of each counts, for other programs only ever add time. What whoever gives out the
work does himself is counted in processor time, the Dask scheduler with it. Then a folder with a
million games of each arm (few were played, the rest are copies) is gone on with, compared and
written. From these three the time and the room for a million games on any number of workers
follow, and from how many workers on the one that gives out the work is what they wait for. Exits
with 1 if two workers are not 1.85 times as fast as one job.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dask
import distributed

from asl_pbcg import __version__
from asl_pbcg.st.many.sim import SimulatedGames, chunk_sizes, simulate
from asl_pbcg.st.many.study import Compared, Study, StudyRun, study_of
from asl_pbcg.st.player.workers import cores

BOUND = 1.85
SEED = 122
MILLION = 1_000_000
WORKERS = (2, 8, 32, 128, 512)
QUIET = {
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.worker.memory.monitor-interval": "2s",
    "distributed.worker.profile.enabled": False,
}
"""How often Dask looks after itself; fifty times a second and more takes a twentieth of a core."""
PAGE = Path(__file__).resolve().parent.parent / "docs" / "engineers" / "st-study.md"
FIRST = 3
"""So many games of each arm stand above the table, to be played again by a test."""


def the_study(games: int) -> Study:
    """Good and random against both Germans, in the historical game."""
    choices = {"german": ["rules", "resolute"]}
    return study_of(["good", "random"], choices, {"mode": "historical"}, SEED, games)


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """The address of a scheduler in this process with so many workers, each its own process."""
    with (
        dask.config.set(QUIET),
        distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
        ) as local,
    ):
        yield local.scheduler_address


@dataclass(frozen=True)
class Played:
    """How long some games took: on the clock, and of the processor in this process."""

    clock: float
    own: float


def timed(games: int, address: str) -> Played:
    """Play the first arm's games, on the cluster at ``address`` or here if there is none."""
    spec = the_study(games).arms[0].spec
    begun, own = time.perf_counter(), time.process_time()
    assert simulate(spec, games, dask=address).done == games
    return Played(time.perf_counter() - begun, time.process_time() - own)


def against_two(games: int, rounds: int) -> tuple[Played, Played]:
    """One job, and two Dask workers: the best of the rounds of each."""
    one, two = [], []
    with cluster(2) as address:
        timed(40, address)  # each worker has loaded the game
        timed(4, "")
        for number in range(rounds):
            for there in ("", address) if number % 2 else (address, ""):
                (two if there else one).append(timed(games, there))
                print(f"  {'two workers' if there else 'one job'}: {(two if there else one)[-1]}")
    return min(one, key=lambda each: each.clock), min(two, key=lambda each: each.clock)


def a_million(folder: Path, models: list[SimulatedGames]) -> dict[str, float]:
    """Seconds of the processor and peak memory of a study with a million games an arm."""
    study = the_study(MILLION)
    folder.mkdir()
    source = random.Random(SEED)
    for number, model in enumerate(models, 1):
        lines = [",".join(map(str, model.values(each))) for each in model.numbers()]
        with (folder / f"arm-{number}.csv").open("w", encoding="ascii", newline="") as stream:
            for game in range(1, MILLION + 1):
                stream.write(f"{game},{source.choice(lines)}\r\n")
    code = (
        "import sys, time; from pathlib import Path; import study_st; "
        "begun = time.process_time(); kept = study_st.StudyRun("
        f"study_st.the_study({MILLION}), Path(sys.argv[1])); read = time.process_time(); "
        "kept.compare_arms(); told = time.process_time(); kept.write(kept.folder); "
        "print(read - begun, told - read, time.process_time() - told)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)], cwd=Path(__file__).parent,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    read, compare, write = map(float, done.stdout.split())
    size = {path.suffix: path.stat().st_size for path in folder.glob("games.*")}
    return {
        "arms": len(study.arms), "read": read, "compare": compare, "write": write,
        "memory": peak / 1024, "csv": size[".csv"] / 1e6, "parquet": size.get(".parquet", 0) / 1e6,
        "kept": sum(path.stat().st_size for path in folder.glob("arm-*.csv")) / 1e6,
    }  # fmt: skip


def the_table(found: list[Compared]) -> Iterator[str]:
    """What the study found, and how narrow its intervals would be after a million games."""
    yield "| arm | games | VP a game | 95% | won | 95% | VP over the first arm | 95% | VP, 95% after a million |"  # noqa: E501
    yield "|---|---|---|---|---|---|---|---|---|"
    for each in found:
        half = (each.high - each.low) / 2 * (each.games / MILLION) ** 0.5
        yield (
            f"| {each.name} | {each.games:,} | {each.vp:.2f} | {each.low:.2f} to {each.high:.2f} | "
            f"{each.victory:.1%} | {each.victory_low:.1%} to {each.victory_high:.1%} | "
            f"{each.gain:+.2f} | {each.gain_low:+.2f} to {each.gain_high:+.2f} | ± {half:.3f} |"
        )


def chunks(games: int, workers: int) -> int:
    """In how many chunks so many games are given out."""
    return sum(1 for _ in chunk_sizes("good", games, workers))


def the_header(runs: StudyRun) -> str:
    """What the table was computed with, and how the first games went by which that is checked."""
    first = "; ".join(
        f"{arm.name}: {', '.join(str(results.values(n)[0]) for n in range(1, FIRST + 1))}"
        for arm, results in zip(runs.study.arms, runs.results, strict=True)
    )
    return (
        f"Computed with pbcg {__version__}, seed {SEED}, {runs.study.games:,} games of each arm. "
        f"VP of games 1 to {FIRST}: {first}."
    )


def report(games: int, one: Played, two: Played, million: dict[str, Any]) -> str:
    """What was measured and what follows, in Markdown."""
    game, own = one.clock / games, two.own / chunks(games, 2)
    most = next(w for w in range(1, 100_000) if own * chunks(MILLION, w) > game * MILLION / w)
    lines = [
        f"One job played {games:,} games of the first arm in {one.clock:.1f} s "
        f"({game * 1000:.1f} ms each), two Dask workers in {two.clock:.1f} s: "
        f"{one.clock / two.clock:.2f} times as fast. Giving out the work, scheduler included, took "
        f"{own * 1000:.1f} ms of a processor for each of {chunks(games, 2)} chunks. So in a study "
        f"of a million games some {most} workers of this speed keep it busy; more add nothing.", "",
        f"A million games of each of {million['arms']:.0f} arms: to read what is kept takes "
        f"{million['read']:.0f} s of a processor, to compare {million['compare']:.0f} s, to write "
        f"all tables {million['write']:.0f} s; {million['memory']:.0f} MB of memory at most, "
        f"{million['kept']:.0f} MB kept on the disk, games.csv {million['csv']:.0f} MB, "
        f"games.parquet {million['parquet']:.0f} MB.", "",
        "| workers | chunks of games | a million games of one arm |", "|---|---|---|",
    ]  # fmt: skip
    for workers in WORKERS:
        playing, giving = MILLION * game / workers, own * chunks(MILLION, workers)
        waits = " (they wait for work)" if giving > playing else ""
        hours = max(playing, giving) / 3600
        lines.append(f"| {workers} | {chunks(MILLION, workers):,} | {hours:.1f} h{waits} |")
    return "\n".join(lines) + "\n"


def measure_speed(games: int, rounds: int) -> tuple[str, bool]:
    """Measure, and return what to write and whether two workers are fast enough."""
    with tempfile.TemporaryDirectory() as name:
        one, two = against_two(games, rounds)
        models = StudyRun(the_study(30), Path(name) / "few")
        models.run(1, "", lambda done: None)
        million = a_million(Path(name) / "million", models.results)
    return report(games, one, two, million), one.clock / two.clock >= BOUND


def play_study(folder: Path, games: int) -> str:
    """Play the study, or go on with it, and return its header and table."""
    runs = StudyRun(the_study(games), folder)
    if not runs.run(cores(), "", lambda done: print(f"{done} games", end="\r", flush=True)):
        sys.exit("Stopped; the same command goes on.")
    return "\n".join([the_header(runs), "", *the_table(runs.compare_arms())]) + "\n"


def write_down(text: str, mark: str) -> None:
    """Put ``text`` between the marks of the page."""
    begin, end = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->\n"
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    after = rest.partition(end)[2]
    PAGE.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")


def main() -> None:
    """Play the study, or measure; exit 1 if two workers are too slow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", type=int, default=1000, help="games of each arm of the study")
    parser.add_argument("--kept", type=Path, help="where the study is kept")
    parser.add_argument("--speed", action="store_true", help="measure how fast a study goes")
    parser.add_argument("--games", type=int, default=2000, help="games of a round of --speed")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--write", action="store_true", help=f"put it into {PAGE.name}")
    given = parser.parse_args()
    held = True
    if given.speed:
        text, held = measure_speed(given.games, given.rounds)
    elif given.kept:
        text = play_study(given.kept, given.study)
    else:
        parser.error("name a folder for the study with --kept, or give --speed")
    print(text)
    if given.write:
        write_down(text, "measured" if given.speed else "arms")
    sys.exit(not held)


if __name__ == "__main__":
    main()
