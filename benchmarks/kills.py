"""Kills the program in the midst of everything that writes, and looks what is left.

Run: ``python benchmarks/kills.py [HOW MANY [SEED]]`` (2,000 and 1 by itself). Each time a fresh
copy of a file gets one command in a process of its own, which is killed (SIGKILL, every fourth time
Ctrl-C) after a time drawn at random. Then the file must open and verify, must hold every entry that
it held and every answer that was acknowledged, and must be as before the command or as after it
where the command is one transaction. Stopped by Ctrl-C the program must say so. Ends with exit code
1 if anything was lost or half done.
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
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from asl_pbcg import __version__
from asl_pbcg.airborne.drop_state import landed_units
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.open_game import OpenGame

ROOT = Path(__file__).resolve().parent.parent
PBCG = [sys.executable, "-m", "asl_pbcg"]
WHOLE = 2000
MAX_SECONDS = 6.0
"""A command that goes on for longer is killed within that time."""
STOPPED = 130
"""The exit code of a program stopped by Ctrl-C."""


@dataclass(frozen=True)
class Task:
    """A command; ``base`` is the file it writes to, ``one`` whether it is one transaction.

    ``answers`` is for the program that answers question after question and says each number that
    was acknowledged.
    """

    name: str
    base: str
    args: tuple[str, ...]
    one: bool = True
    typed: str = ""
    answers: bool = False


TASKS = (
    Task("new", "", ("new", "FILE", "--campaign", "CG1", "--auto", "--seed", "5"), one=False),
    Task("refit", "campaign", ("refit", "FILE", "--auto", "4"), one=False),
    Task("answers", "campaign", ("--answer", "FILE"), one=False, answers=True),
    Task("correct", "campaign", ("correct", "FILE", "san/german=6", "--reason", "x", "--yes")),
    Task("undo", "campaign", ("undo", "FILE", "--reason", "a die fell off")),
    Task("undo to a step", "campaign", ("undo", "FILE", "--to", "STEP", "--reason", "x", "--yes")),
    Task("setup", "setup", ("refit", "FILE", "--answers", "setup.yaml"), one=False),
    Task("st", "st", ("st", "play", "FILE", "--auto", "good", "--until", "3"), one=False),
    Task("st undo", "st", ("st", "undo", "FILE", "--reason", "x")),
    Task("drop", "drop", ("drop", "run", "FILE", "--defaults"), one=False),
    Task("drop undo", "drop", ("drop", "run", "FILE", "--undo", "x")),
    Task("drop apply", "campaign",
         ("drop", "log", "drop.pbcg", "--apply", "FILE", "PIECES", "--yes")),
    Task("mega", "mega", ("mega", "run", "FILE"), one=False,
         typed="".join(f"note n{n}\nunit U{n}n german green 6\nbarrage 105 open at U{n}n\n"
                       for n in range(12))),
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


Words = dict[str, list[str]]


def prepare(folder: Path) -> Words:
    """Make the files that commands write to; returns what STEP and PIECES stand for in commands.

    Where they were made before they are taken as they are.
    """

    def run(*args: str, typed: str = "") -> None:
        subprocess.run([*PBCG, *args], input=typed, text=True, check=True, cwd=folder,
                       capture_output=True)  # fmt: skip

    from campaign_generator import CampaignAnswers

    from asl_pbcg.kernel.answers import drive
    from asl_pbcg.play.campaign_game.campaign_plug import create_campaign

    made = (folder / "mega.pbcg").exists()
    for name, point, many in () if made else (("campaign", "9.606", 6), ("setup", "9.620.2", 0)):
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
    if not made:
        _prepare_others(folder, run)
    with OpenGame.open(folder / "drop.pbcg", look=True) as drop:
        landed = landed_units(drop.session.state)[:4]
    with OpenGame.open(folder / "campaign.pbcg", look=True) as campaign:
        taken = {each.at for each in landed}
        # Who stands where one has landed needs no correction.
        ids = [piece.id for piece in campaign.session.state.pieces if piece.at not in taken]
        step = campaign.session.journal.standing()[-1].step
    pieces = [f"--piece={each.id}={id}" for each, id in zip(landed, ids, strict=False)]
    return {"STEP": [step], "PIECES": pieces}


def _prepare_others(folder: Path, run: Callable[..., None]) -> None:
    run("st", "new", "st.pbcg", "--historical", "--seed", "3")
    run("st", "play", "st.pbcg", "--auto", "good", "--until", "2")
    run("drop", "orders", "--template", "-o", "orders.yaml")
    run("drop", "orders", "drop.pbcg", "--seal", "orders.yaml")
    run("drop", "run", "drop.pbcg", "--defaults")
    evening = "unit Krafft german elite 400\nbarrage 105 open at Krafft\n"
    run("mega", "run", "mega.pbcg", typed=evening)
    (folder / "setup.yaml").write_text(
        "format: pbcg-answers/1\nanswers: []\notherwise: {'9.620.2': none}\n"
    )


Content = tuple[str, str, str, str]


def contents(path: Path, reading: bool = False) -> list[Content]:
    """The entries of a file, which must open and fit together."""
    with (Journal.read if reading else Journal.open)(path, __version__) as journal:
        for _ in journal.states:
            pass
        return [
            (each.kind, each.point, each.about, str(each.body))
            for each in journal.entries()
            if each.kind != "carried"
        ]


def answer_on(path: Path) -> None:
    """Answer question after question, and say each number as soon as it is acknowledged."""
    from campaign_generator import CampaignAnswers

    with OpenGame.open(path) as game:
        session = game.session
        answers = CampaignAnswers(4, session)
        while (asked := session.pending) is not None:
            if isinstance(asked, Prompt):
                session.answer(answers.answer(asked))
            else:
                session.throw(session.dice(session.program_dice), "program")
            print(session.journal.last, flush=True)


def times(task: Task, folder: Path, words: Words) -> float:
    """How long the command takes when nobody kills it."""
    start = time.monotonic()
    path, process = begin(task, folder, words)
    _, errors = process.communicate(task.typed)
    if process.returncode:
        raise AssertionError(f"{task.name} fails by itself: {errors[-500:]}")
    if task.base and contents(path) == contents(folder / f"{task.base}.pbcg", reading=True):
        raise AssertionError(f"{task.name} writes nothing")
    return min(time.monotonic() - start, MAX_SECONDS)


def begin(task: Task, folder: Path, words: Words) -> tuple[Path, subprocess.Popen[str]]:
    """A fresh copy, and the command on its way."""
    path = folder / "work.pbcg"
    for left in folder.glob("work.pbcg*"):
        left.unlink()
    if task.base:
        shutil.copy(folder / f"{task.base}.pbcg", path)
        path.chmod(0o644)
    given = {"FILE": [path.name], **words}
    args = [each for word in task.args for each in given.get(word, [word])]
    program = [sys.executable, str(Path(__file__).resolve())] if task.answers else PBCG
    return path, subprocess.Popen(
        [*program, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, cwd=folder,
    )  # fmt: skip


def kill_once(task: Task, folder: Path, words: Words, span: float, source: random.Random) -> str:
    """Kill the command once; what is wrong, or nothing."""
    before = contents(folder / f"{task.base}.pbcg", reading=True) if task.base else []
    path, process = begin(task, folder, words)
    assert process.stdin
    if task.typed:
        process.stdin.write(task.typed)
        process.stdin.flush()
    # Most of the time goes by before the first write: kills fall where the command works.
    time.sleep(span * source.uniform(0.35, 1.05))
    stop = signal.SIGINT if source.random() < 0.25 else signal.SIGKILL
    process.send_signal(stop)
    told, errors = process.communicate()
    # NumPy, which shapely loads from C, prints a Ctrl-C that comes while it is imported.
    if "Traceback" in errors and "numpy" not in errors and not task.answers:
        return f"traceback: {errors[-300:]}"
    names = [each.name for each in folder.iterdir() if each.name.startswith(".work")]
    hidden = [name for name in names if not name.endswith(".lock")]
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
    acknowledged = told[: told.rfind("\n") + 1].split()
    if task.answers and acknowledged and len(after) < int(acknowledged[-1]):
        return f"entry {acknowledged[-1]} was acknowledged, {len(after)} are kept"
    if task.one and new and not _whole(task, new, words):
        return f"half done: {[each[:2] for each in new]}"
    if process.returncode == STOPPED and "Stopped" not in errors:
        return "it does not say that it was stopped"
    return ""


def _whole(task: Task, new: list[Content], words: Words) -> bool:
    kinds = [each[0] for each in new]
    if task.name == "drop apply":
        return kinds.count("correction") == len(words["PIECES"])
    if task.name == "correct":
        return "correction" in kinds
    return kinds[0] == "undo"


def main() -> int:
    """Kill as often as asked; print what came of it."""
    if sys.argv[1:2] == ["--answer"]:
        answer_on(Path(sys.argv[2]))
        return 0
    wanted, seed = (*map(int, sys.argv[1:3]), *(WHOLE, 1)[len(sys.argv[1:3]) :])
    with tempfile.TemporaryDirectory() as place:
        done, wrong = kills(wanted, seed, Path(place))
    print(f"{sum(done.values())} kills: {', '.join(f'{n} {name}' for name, n in done.items())}")
    for sentence in wrong:
        print(f"WRONG {sentence}")
    print(f"{len(wrong)} wrong")
    return bool(wrong)


def kills(
    wanted: int, seed: int, folder: Path, tasks: tuple[Task, ...] = TASKS, span: float = 0.0
) -> tuple[Counter[str], list[str]]:
    """Kill so many commands in turn: how many of each, and what was wrong.

    ``folder`` is for the files; ``span`` is how long each command takes, if that is known.
    """
    source = random.Random(seed)
    done: Counter[str] = Counter()
    wrong: list[str] = []
    words = prepare(folder)
    spans = {task.name: span or times(task, folder, words) for task in tasks}
    for number in range(wanted):
        task = tasks[number % len(tasks)]
        found = kill_once(task, folder, words, spans[task.name], source)
        done[task.name] += 1
        if found:
            wrong.append(f"{task.name}: {found}")
            print(f"WRONG {wrong[-1]}", flush=True)
        if number % 20 == 19:
            print(f"{number + 1} kills, {len(wrong)} wrong", flush=True)
    return done, wrong


if __name__ == "__main__":
    sys.exit(main())
