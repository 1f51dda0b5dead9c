"""Kills the program in the midst of everything that writes, and looks what is left.

Run: ``python benchmarks/kills.py [HOW MANY]`` (2,000 by itself). Each time a fresh copy of a file
gets one command in a process of its own, which is killed (SIGKILL, every fourth time Ctrl-C) after
a time drawn at random. Then the file must open and verify, must hold every entry that it held and
every answer that was acknowledged, and must be as before the command or as after it where the
command is one transaction. Ends with exit code 1 if anything was lost or half done.
"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from asl_pbcg import __version__
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.session import Session

ROOT = Path(__file__).resolve().parent.parent
PBCG = [sys.executable, "-m", "asl_pbcg"]
WHOLE = 2000


@dataclass(frozen=True)
class Task:
    """A command; ``base`` is the file it writes to, ``one`` whether it is one transaction."""

    name: str
    base: str
    args: tuple[str, ...]
    one: bool = True
    typed: str = ""


TASKS = (
    Task("new", "", ("new", "FILE", "--campaign", "CG1", "--auto", "--seed", "5"), one=False),
    Task("refit", "campaign", ("refit", "FILE", "--auto", "4"), one=False),
    Task("correct", "campaign", ("correct", "FILE", "san/german=6", "--reason", "x", "--yes")),
    Task("undo", "campaign", ("undo", "FILE", "--reason", "a die fell off")),
    Task("undo to a step", "campaign", ("undo", "FILE", "--to", "STEP", "--reason", "x")),
    Task("setup", "setup", ("refit", "FILE", "--answers", "setup.yaml"), one=False),
    Task("st", "st", ("st", "play", "FILE", "--auto", "good", "--until", "3"), one=False),
    Task("st undo", "st", ("st", "undo", "FILE", "--reason", "x")),
    Task("drop", "drop", ("drop", "run", "FILE", "--defaults"), one=False),
    Task("drop undo", "drop", ("drop", "run", "FILE", "--undo", "x")),
    Task("mega", "mega", ("mega", "run", "FILE"), one=False,
         typed="".join(f"note n{n}\nbarrage 105 open at Krafft\n" for n in range(12))),
    Task("mega undo", "mega", ("mega", "run", "FILE"), typed="undo the die was cocked\n"),
)  # fmt: skip


class Reached:
    """Whether a question was asked more often than ``many`` times."""

    def __init__(self, session: Session[Any], point: str, many: int) -> None:
        self._session, self._point, self._many = session, point, many
        self.seen = 0

    def __call__(self) -> bool:
        """Look once more."""
        asked = self._session.pending
        self.seen += asked is not None and asked.id.startswith(self._point)
        return self.seen > self._many


def prepare(folder: Path) -> dict[str, str]:
    """Make the files that commands write to; returns the step to go back to."""

    def run(*args: str, typed: str = "") -> None:
        subprocess.run([*PBCG, *args], input=typed, text=True, check=True, cwd=folder,
                       capture_output=True)  # fmt: skip

    from campaign_generator import CampaignAnswers

    from asl_pbcg.kernel.answers import drive
    from asl_pbcg.play.campaign import create_campaign

    for name, point, many in (("campaign", "9.606", 6), ("setup", "9.620.2", 0)):
        for seed in range(1, 60):
            path = folder / f"{name}.pbcg"
            path.unlink(missing_ok=True)
            meta = {"settings": {"campaign": "CG2"}, "seed": seed, "dice": "seeded"}
            with create_campaign(path, meta) as game:
                there = Reached(game.session, point, many)
                answers = CampaignAnswers(seed, game.session)
                drive(game.session, answers, game.session.program_dice, until=there)
                if there.seen > many:
                    break
    run("st", "new", "st.pbcg", "--historical", "--seed", "3")
    run("st", "play", "st.pbcg", "--auto", "good", "--until", "2")
    run("drop", "orders", "--template", "-o", "orders.yaml")
    run("drop", "orders", "drop.pbcg", "--seal", "orders.yaml")
    run("drop", "run", "drop.pbcg", "--defaults")
    evening = "unit Krafft german green 60\nbarrage 105 open at Krafft\n"
    run("mega", "run", "mega.pbcg", typed=evening)
    (folder / "setup.yaml").write_text(
        "format: pbcg-answers/1\nanswers: []\notherwise: {'9.620.2': none}\n"
    )
    with Journal.read(folder / "campaign.pbcg", __version__) as journal:
        return {"step": journal.standing()[-1].step}


def contents(path: Path) -> list[object]:
    """The entries of a file, which must open and fit together."""
    with Journal.open(path, __version__) as journal:
        for _ in journal.snapshots():
            pass
        return [(each.kind, each.point, each.about, str(each.body)) for each in journal.entries()]


def times(task: Task, folder: Path, step: str) -> float:
    """How long the command takes when nobody kills it."""
    start = time.monotonic()
    _, process = begin(task, folder, step)
    process.communicate(task.typed)
    return time.monotonic() - start


def begin(task: Task, folder: Path, step: str) -> tuple[Path, subprocess.Popen[str]]:
    """A fresh copy, and the command on its way."""
    path = folder / "work.pbcg"
    for left in folder.glob("work.pbcg*"):
        left.unlink()
    if task.base:
        shutil.copy(folder / f"{task.base}.pbcg", path)
    args = [{"FILE": path.name, "STEP": step}.get(word, word) for word in task.args]
    return path, subprocess.Popen(
        [*PBCG, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, cwd=folder,
    )  # fmt: skip


def kill_once(task: Task, folder: Path, step: str, span: float, source: random.Random) -> str:
    """Kill the command once; what is wrong, or nothing."""
    before = contents(folder / f"{task.base}.pbcg") if task.base else []
    path, process = begin(task, folder, step)
    assert process.stdin
    if task.typed:
        process.stdin.write(task.typed)
        process.stdin.flush()
    # Most of the time goes by before the first write: kills fall where the command works.
    time.sleep(span * source.uniform(0.35, 1.05))
    process.send_signal(signal.SIGINT if source.random() < 0.25 else signal.SIGKILL)
    told, errors = process.communicate()
    if "Traceback" in errors:
        return f"traceback: {errors[-300:]}"
    hidden = [each.name for each in folder.iterdir() if each.name.startswith(".work")]
    if hidden:
        return f"{hidden} was left behind"
    if not path.exists():
        return "" if not task.base else "the file is gone"
    try:
        after = contents(path)
    except PBCGError as error:
        return str(error)
    if after[: len(before)] != before:
        return "entries that were there are others now"
    new = after[len(before) :]
    if task.name == "mega" and len(new) < told.count("\nn"):
        return f"{told.count(chr(10) + 'n')} notes were told, {len(new)} lines are kept"
    if task.one and new and process.returncode < 0 and not _whole(task, new):
        return f"half done: {[each[:2] for each in new]}"  # type: ignore[index]
    return ""


def _whole(task: Task, new: list[object]) -> bool:
    kinds = [str(each[0]) for each in new]  # type: ignore[index]
    if task.name == "correct":
        return "correction" in kinds
    return kinds[0] == "undo"


def main() -> int:
    """Kill as often as asked; print what came of it."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else WHOLE
    done, wrong = kills(wanted, seed=1)
    print(f"{sum(done.values())} kills: {', '.join(f'{n} {name}' for name, n in done.items())}")
    for sentence in wrong:
        print(f"WRONG {sentence}")
    print(f"{len(wrong)} wrong")
    return bool(wrong)


def kills(wanted: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Kill so many commands in turn: how many of each, and what was wrong."""
    source = random.Random(seed)
    done: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        step = prepare(folder)["step"]
        spans = {task.name: times(task, folder, step) for task in TASKS}
        for number in range(wanted):
            task = TASKS[number % len(TASKS)]
            found = kill_once(task, folder, step, spans[task.name], source)
            done[task.name] += 1
            if found:
                wrong.append(f"{task.name}: {found}")
                print(f"WRONG {wrong[-1]}", flush=True)
            if number % 20 == 19:
                print(f"{number + 1} kills, {len(wrong)} wrong", flush=True)
    return done, wrong


if __name__ == "__main__":
    sys.exit(main())
