"""Opening, answering and replay against an older version of this program, in one run.

Run: ``git worktree add OLD f9c1930`` and ``python benchmarks/bench_open_against.py OLD``. Each
version plays automatic CG I campaigns of the same seeds by its own rules and questions, up to Dusk,
and fills them to 1,500 entries by undoing and answering again. Turn about, each in a process of
its own, are measured: ``pbcg status`` of that file (opening), an answer or roll written to it
(answering: ``answer`` and ``throw`` alone, before it is filled, of the decision points that both
versions asked), and the bare replay for one entry that stands.
The campaigns of two versions differ in what happens in them, so the same is measured once more
with a small game that is the same in both: the journal alone, and opening it to read its whole
log. Processor time counts; the median of the rounds. Bound: at most 1.15 times the older version,
for the campaigns; of the journal alone it is reported.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

BOUND = 1.15
ALONE_NAMES = ("answering", "opening", "replay", "the log")
MAKE = """
import sys, time
from pathlib import Path
sys.path[:0] = [sys.argv[1] + "/tests", sys.argv[1] + "/tests/support", sys.argv[1] + "/benchmarks"]
import bench_open, collections, json
from asl_pbcg.kernel.session import Session
seconds, calls = collections.Counter(), collections.Counter()
def timed(own):
    def call(self, *args, **more):
        point = self.pending.id
        begun = time.process_time()
        try:
            return own(self, *args, **more)
        finally:
            if not self.journal.void():  # what fills the file is one question again and again
                seconds[point] += time.process_time() - begun
                calls[point] += 1
    return call
Session.answer, Session.throw = timed(Session.answer), timed(Session.throw)
path = Path(sys.argv[2])
session = bench_open.long_campaign(path)
assert len(session.journal.entries()) >= 1500
session.journal.close()
print(json.dumps({point: (calls[point], seconds[point]) for point in calls}))
"""
REPLAY = """
import sys
from pathlib import Path
sys.path[:0] = [sys.argv[2] + "/tests", sys.argv[2] + "/tests/support", sys.argv[2] + "/benchmarks"]
import bench_open
entries, seconds = bench_open.bare(Path(sys.argv[1]))
print(seconds / entries)
"""
STATUS = """
import resource, subprocess, sys
for _ in range(3):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "asl_pbcg", "status", sys.argv[1]], check=True,
                   stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
"""


ALONE = """
import os, sys, time
from pathlib import Path
import msgspec
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Option, Prompt, Roll, ask, throw
from asl_pbcg.kernel.session import Session, Step
try:
    from asl_pbcg.kernel.verification.verify import BareReplay as replay
except ImportError:  # a version whose session replays by itself
    def replay(game, journal):
        Session(game, journal, bare=True)
class State(msgspec.Struct, frozen=True):
    step: int = 0
    many: tuple[int, ...] = ()
def script(state):
    for n in range(9):
        yield from ask(Prompt(id="1.1", text=f"{n}?", options=(Option("a", "a"), Option("b", "b"))))
    rolled = yield from throw(Roll(id="1.2", text="a roll"))
    return State(state.step + 1, (*state.many, rolled.final))
class Game:
    name = "benchmark"
    def begin(self, settings):
        return State()
    def next_step(self, state):
        return Step(str(state.step), "a step", script) if state.step < 150 else None
    def encode(self, state):
        return msgspec.json.encode(state)
    def decode(self, stored):
        return msgspec.json.decode(stored, type=State)
path = Path(sys.argv[1])
if path.exists():
    path.unlink()
session = Session(Game(), Journal.create(path, {"game": "benchmark", "settings": {}}, "b"))
begun = time.process_time()
while session.pending is not None:
    session.throw((3,)) if isinstance(session.pending, Roll) else session.answer("a")
answering = time.process_time() - begun
session.journal.close()
begun = time.process_time()
for _ in range(20):
    with Journal.open(path, "b") as journal:
        Session(Game(), journal)
opening = (time.process_time() - begun) / 20
begun = time.process_time()
for _ in range(20):
    with Journal.open(path, "b") as journal:
        Session(Game(), journal).lines()
log = (time.process_time() - begun) / 20
with Journal.open(path, "b") as journal:
    begun = time.process_time()
    replay(Game(), journal)
    replay = time.process_time() - begun
print(answering, opening, replay, log)
"""


def run(tree: Path, script: str, *args: str) -> float:
    """The least number that a script prints."""
    return min(numbers(tree, script, *args))


def same_questions(old: dict[str, tuple[int, float]], new: dict[str, tuple[int, float]]) -> float:
    """How much longer the answers to an older campaign's questions take, of points that both ask.

    Both are calls and seconds by decision point; the mean of each point counts as often as it was
    asked in the older campaign.
    """
    shared = old.keys() & new.keys()
    spent = sum(old[point][1] for point in shared)
    now = sum(old[point][0] * new[point][1] / new[point][0] for point in shared)
    return now / spent


def numbers(tree: Path, script: str, *args: str) -> list[float]:
    """The numbers that a script prints in a fresh process of the program in ``tree``."""
    return [float(word) for word in output(tree, script, *args).split()]


def output(tree: Path, script: str, *args: str) -> str:
    """What a script prints in a fresh process of the program in ``tree``."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    found = subprocess.run(
        [sys.executable, "-c", script, *args], capture_output=True, text=True, check=True,
        env={**environment, "PYTHONPATH": str(tree)}, cwd=tree,
    )  # fmt: skip
    return found.stdout


def main() -> int:
    """Measure and print the ratios; 1 if one is over the bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path, help="A worktree of the older version.")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--alone", action="store_true", help="The journal alone.")
    given = parser.parse_args()
    trees = (given.old.resolve(), Path(__file__).resolve().parent.parent)
    ratios: dict[str, list[float]] = {"answering": [], "opening": [], "replay": []}
    memory = Path("/dev/shm")  # a disk that others use would be measured else
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        files = [str(Path(folder) / f"{name}.pbcg") for name in ("old", "new")]
        for _ in range(0 if given.alone else max(3, given.rounds // 3)):
            old, new = (
                json.loads(output(tree, MAKE, str(tree), file))
                for tree, file in zip(trees, files, strict=True)
            )
            ratios["answering"].append(same_questions(old, new))
        for name, script in (("opening", STATUS), ("replay", REPLAY)):
            if given.alone:
                break
            for number in range(given.rounds + 1):
                old, new = (
                    run(tree, script, file, str(tree))
                    for tree, file in zip(trees, files, strict=True)
                )
                if number:  # the first round writes the compiled files
                    ratios[name].append(new / old)
        for _ in range(given.rounds):
            olds, news = (
                numbers(tree, ALONE, file) for tree, file in zip(trees, files, strict=True)
            )
            for name, old, new in zip(ALONE_NAMES, olds, news, strict=True):
                ratios.setdefault(f"{name}, the journal alone", []).append(new / old)
    ratios = {name: found for name, found in ratios.items() if found}
    for name, found in ratios.items():
        print(
            f"{name}: {statistics.median(found):.2f} times the older version's time (rounds "
            f"{min(found):.2f} to {max(found):.2f}); at most {BOUND}"
        )
    whole = [found for name, found in ratios.items() if "alone" not in name]
    return any(statistics.median(found) > BOUND for found in whole)


if __name__ == "__main__":
    sys.exit(main())
