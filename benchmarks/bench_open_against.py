"""Opening, answering and replay against an older version of this program, in one run.

Run: ``git worktree add OLD f9c1930`` and ``python benchmarks/bench_open_against.py OLD``. Each
version plays automatic CG I campaigns of the same seeds by its own rules and questions, up to Dusk,
and fills them to 1,500 entries by undoing and answering again. Turn about, each in a process of
its own, are measured: ``pbcg status`` of that file (opening), an answer or roll written to it
(answering: ``answer`` and ``throw`` alone), and the bare replay, both for one entry that stands.
Processor time counts; the median of the rounds. Bound: at most 1.15 times the older version.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

BOUND = 1.15
MAKE = """
import sys, time
from pathlib import Path
sys.path[:0] = [sys.argv[1] + "/tests", sys.argv[1] + "/benchmarks"]
import bench_open
from asl_pbcg.kernel.session import Session
spent, calls = 0.0, 0
def timed(own):
    def call(*args, **more):
        global spent, calls
        begun = time.process_time()
        try:
            return own(*args, **more)
        finally:
            spent += time.process_time() - begun
            calls += 1
    return call
Session.answer, Session.throw = timed(Session.answer), timed(Session.throw)
path = Path(sys.argv[2])
session = bench_open.long_campaign(path)
assert len(session.journal.entries()) >= 1500
session.journal.close()
print(spent / calls)
"""
REPLAY = """
import sys
from pathlib import Path
sys.path[:0] = [sys.argv[2] + "/tests", sys.argv[2] + "/benchmarks"]
import bench_open
entries, seconds = bench_open.bare(Path(sys.argv[1]))
print(seconds / entries)
"""
STATUS = """
import os, subprocess, sys
before = os.times()
subprocess.run([sys.executable, "-m", "asl_pbcg", "status", sys.argv[1]], check=True,
               stdout=subprocess.DEVNULL)
after = os.times()
print(after.children_user + after.children_system - before.children_user - before.children_system)
"""


def run(tree: Path, script: str, *args: str) -> float:
    """What a script prints in a fresh process of the program in ``tree``."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    found = subprocess.run(
        [sys.executable, "-c", script, *args], capture_output=True, text=True, check=True,
        env={**environment, "PYTHONPATH": str(tree)}, cwd=tree,
    )  # fmt: skip
    return float(found.stdout.split()[-1])


def main() -> int:
    """Measure and print the ratios; 1 if one is over the bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path, help="A worktree of the older version.")
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    trees = (given.old.resolve(), Path(__file__).resolve().parent.parent)
    ratios: dict[str, list[float]] = {"answering": [], "opening": [], "replay": []}
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / f"{name}.pbcg") for name in ("old", "new")]
        for _ in range(max(3, given.rounds // 3)):
            old, new = (
                run(tree, MAKE, str(tree), file) for tree, file in zip(trees, files, strict=True)
            )
            ratios["answering"].append(new / old)
        for name, script in (("opening", STATUS), ("replay", REPLAY)):
            for number in range(given.rounds + 1):
                old, new = (
                    run(tree, script, file, str(tree))
                    for tree, file in zip(trees, files, strict=True)
                )
                if number:  # the first round writes the compiled files
                    ratios[name].append(new / old)
    for name, found in ratios.items():
        print(
            f"{name}: {statistics.median(found):.2f} times the older version's time (rounds "
            f"{min(found):.2f} to {max(found):.2f}); at most {BOUND}"
        )
    return any(statistics.median(found) > BOUND for found in ratios.values())


if __name__ == "__main__":
    sys.exit(main())
