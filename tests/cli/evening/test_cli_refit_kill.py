"""``pbcg refit`` killed, stopped, on a full disk or opened twice loses no acknowledged answer."""

from __future__ import annotations

import contextlib
import os
import random
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from campaign_generator import CampaignAnswers

from asl_pbcg.cli.campaign_file import create_campaign, open_campaign
from asl_pbcg.kernel.answers import RandomAnswers, drive
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.play.campaign_game.campaign_plug import RANDOM_SELECTION

LEFT_IN = ["9.601", "9.606"]
"""Steps in which campaigns are left; they run on into other steps."""
WAITS = (b" > ", b"Press Enter. ", b"leave it) > ")
KEPT = "Kept up to here."
ENVIRONMENT = {**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
NO_ROOM = """
import resource, signal, sys
from asl_pbcg.__main__ import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
main()
"""
"""Runs pbcg where no file can grow beyond so many bytes."""
Given = list[tuple[str, str, Any]]


@cache
def left_in(step: str) -> bytes:
    """A campaign that was left within a step, as its file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.pbcg"
        meta = {"game": "pegasus-bridge", "settings": {"campaign": "CG2"}, "seed": 11}
        session = create_campaign(path, {**meta, "dice": "seeded"})
        answers = CampaignAnswers(11, session)

        def there() -> bool:
            return session.state.at == step and session.begun

        drive(session, answers, session.program_dice, until=there)
        session.journal.close()
        return path.read_bytes()


def copy_of(step: str, folder: Path, to: str = "evening") -> Path:
    path = folder / f"{to}.pbcg"
    path.write_bytes(left_in(step))
    return path


def standing(path: Path) -> Given:
    session = open_campaign(path)
    found = [(each.kind, each.point, each.body) for each in session.journal.standing()]
    session.journal.close()
    return found


def evening(path: Path, seed: int, many: int) -> list[str]:
    """Play a copy on at random; what a player types to play the same."""
    session = open_campaign(path)
    answers = RandomAnswers(seed)
    typed: list[str] = []
    while session.pending is not None and len(typed) < many:
        asked = session.pending
        if isinstance(asked, Roll):
            session.throw(session.dice(session.program_dice))
            if asked.rule != RANDOM_SELECTION:  # these the program throws by itself
                typed.append("")
        elif asked.kind == "document" and asked.default is None:
            break
        else:
            value = answers.answer(asked)
            session.answer(value)
            typed.append(as_typed(asked, value))
    session.journal.close()
    assert len(typed) > 8
    return typed


def as_typed(asked: Prompt, value: Any) -> str:
    if isinstance(value, list):
        return " ".join(value) or "none"
    return "" if value == asked.default else str(value)


def hear_ctrl_c() -> None:
    """A child of nohup, and of some CI, would otherwise ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Player:
    """The program with somebody at its keyboard, over pipes."""

    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", "asl_pbcg", "refit", str(path)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT,
            preexec_fn=hear_ctrl_c,
        )  # fmt: skip
        assert self.process.stdin
        assert self.process.stdout
        self._selector = selectors.DefaultSelector()
        self._selector.register(self.process.stdout, selectors.EVENT_READ)
        self.shown = b""
        self._seen = 0

    def wait_for_prompt(self) -> bytes:
        """Read until the program waits for the keyboard; what it waits with, empty at its end."""
        assert self.process.stdout
        until = time.monotonic() + 60
        while time.monotonic() < until:
            new = self.shown[self._seen :]
            for words in WAITS:
                if new.endswith(words):
                    self._seen = len(self.shown)
                    return words
            if self._selector.select(timeout=1):
                more = os.read(self.process.stdout.fileno(), 65536)
                if not more:
                    return b""
                self.shown += more
        raise AssertionError(f"no prompt came after: {self.shown[-500:]!r}")

    def to_question(self) -> bool:
        """Go to the next question, Enter where only somebody must look away; False at the end."""
        while True:
            words = self.wait_for_prompt()
            if not words:
                return False
            if b"Enter. " not in words:
                return True
            self.type("")

    def type(self, text: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def end(self) -> tuple[int, str]:
        """Wait for the program's end; its exit code and all it printed."""
        assert self.process.stdin
        assert self.process.stdout
        assert self.process.stderr
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.shown += self.process.stdout.read()
        errors = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        self._selector.close()
        code = self.process.wait(timeout=60)
        told = (self.shown + errors).decode("utf-8", "replace")
        assert "Traceback" not in told, told[-3000:]
        return code, " ".join(told.split())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", LEFT_IN)
def test_a_kill_at_any_prompt_loses_nothing(name: str, seed: int, tmp_path: Path) -> None:
    model = copy_of(name, tmp_path, "model")
    typed = evening(model, seed, many=30)
    expected = standing(model)
    path = copy_of(name, tmp_path)
    before = len(standing(path))
    source = random.Random(f"{name}/{seed}")
    kill_after = source.randint(1, len(typed))
    player = Player(path)
    acknowledged = 0
    for text in typed[:kill_after]:
        assert player.to_question()
        player.type(text)
        acknowledged += 1
    if source.random() < 0.5:
        player.to_question()  # the next question acknowledges the answer
    else:
        acknowledged -= 1
        time.sleep(source.uniform(0, 0.05))
    player.process.kill()
    assert player.end()[0] == -signal.SIGKILL
    kept = standing(path)
    assert len(kept) >= before + acknowledged
    assert kept == expected[: len(kept)]
    session = open_campaign(path)
    rest = len(session.journal.standing()) + 5
    drive(
        session,
        RandomAnswers(seed),
        session.program_dice,
        until=lambda: (
            len(session.journal.standing()) >= rest
            or (isinstance(session.pending, Prompt) and session.pending.kind == "document")
        ),
    )
    session.journal.close()


def test_ctrl_c_at_a_prompt_keeps_everything(tmp_path: Path) -> None:
    typed = evening(copy_of("9.606", tmp_path, "model"), 1, many=9)
    path = copy_of("9.606", tmp_path)
    before = len(standing(path))
    player = Player(path)
    for text in typed[:4]:
        assert player.to_question()
        player.type(text)
    assert player.to_question()
    player.process.send_signal(signal.SIGINT)
    code, told = player.end()
    assert code == 0
    assert KEPT in told
    assert len(standing(path)) == before + 4


@pytest.mark.parametrize("seed", range(4))
def test_ctrl_c_in_the_middle_of_a_step_ends_with_a_sentence(tmp_path: Path, seed: int) -> None:
    model = copy_of("9.606", tmp_path, "model")
    path = copy_of("9.606", tmp_path)
    command = [sys.executable, "-m", "asl_pbcg", "refit", "--auto", "3"]
    subprocess.run([*command, str(model)], check=True, capture_output=True)
    expected, before = standing(model), len(standing(path))
    process = subprocess.Popen(
        [*command, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    source = random.Random(seed)
    deadline = time.monotonic() + 30
    size = path.stat().st_size
    while path.stat().st_size == size and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.001)  # it has begun to write
    time.sleep(source.uniform(0, 0.2))
    process.send_signal(signal.SIGINT)
    told = " ".join(process.communicate(timeout=60))
    assert "Traceback" not in told
    stopped = "Stopped. Everything answered so far is kept." in told
    # It was through before, or just then; or it ended by the signal itself, as seen by a shell.
    assert process.returncode in (0, 130, -signal.SIGINT)
    assert "is ready" in told if process.returncode == 0 else stopped or "is ready" in told
    assert stopped or process.returncode != 130
    kept = standing(path)
    assert before <= len(kept)
    assert kept == expected[: len(kept)]


def test_a_full_disk_in_the_middle_of_a_step_loses_nothing(tmp_path: Path) -> None:
    path = copy_of("9.606", tmp_path)
    before = len(standing(path))
    limit = path.stat().st_size + 6000

    result = subprocess.run(
        [sys.executable, "-c", NO_ROOM, str(limit), "refit", str(path), "--auto", "3"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 2, result.stdout + result.stderr
    assert "Traceback" not in result.stderr
    told = " ".join(result.stderr.split())
    assert "could not be written" in told
    assert "everything acknowledged before is kept." in told
    kept = standing(path)
    assert len(kept) > before
    again = subprocess.run(
        [sys.executable, "-m", "asl_pbcg", "refit", str(path), "--auto", "3"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert again.returncode == 0, again.stderr
    assert standing(path)[: len(kept)] == kept


@pytest.mark.parametrize("command", ["refit", "undo", "status", "log"])
def test_a_second_program_may_read_but_not_write(tmp_path: Path, command: str) -> None:
    path = copy_of("9.606", tmp_path)
    player = Player(path)
    assert player.to_question()
    second = subprocess.run(
        [sys.executable, "-m", "asl_pbcg", command, str(path)],
        capture_output=True, text=True, input="", check=False,
    )  # fmt: skip
    if command in ("status", "log"):
        assert second.returncode == 0, second.stderr
        assert "Escape" in second.stdout
    else:
        assert second.returncode == 2
        assert f"{path.name} is open in another pbcg: close that one first" in second.stderr
    player.type("q")
    code, told = player.end()
    assert code == 0
    assert KEPT in told


def test_input_that_ends_in_the_middle_keeps_everything(tmp_path: Path) -> None:
    path = copy_of("9.606", tmp_path)
    typed = evening(copy_of("9.606", tmp_path, "model"), 2, many=9)
    before = len(standing(path))
    player = Player(path)
    for text in typed[:3]:
        assert player.to_question()
        player.type(text)
    code, told = player.end()
    assert code in (0, 2)
    assert "kept" in told.lower()
    assert len(standing(path)) == before + 3
