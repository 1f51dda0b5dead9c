"""Small samples of what ``benchmarks/kills.py`` and ``benchmarks/hostile.py`` do at length."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "benchmarks"))

from hostile import attack
from kills import TASKS, kills, prepare

KILLED = ("refit", "answers", "correct", "drop apply", "mega")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that both begin with."""
    folder = tmp_path_factory.mktemp("made")
    prepare(folder)
    return folder


def test_a_kill_in_the_midst_of_a_command_loses_nothing(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    tasks = tuple(task for task in TASKS if task.name in KILLED)
    done, wrong = kills(len(KILLED), 3, tmp_path, tasks, span=0.9)
    assert wrong == []
    assert set(done) == set(KILLED)


def test_hostile_inputs_of_every_kind_get_a_sentence(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    found = attack(260, 2, tmp_path)
    assert found.wrong == []
    assert len(found.done) == 25
    assert found.longest < 5
