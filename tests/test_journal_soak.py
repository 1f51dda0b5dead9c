"""Small samples of what ``benchmarks/kills.py`` and ``benchmarks/hostile.py`` do at length."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))

from hostile import attack
from kills import TASKS, kills


def test_a_kill_in_the_midst_of_every_command_loses_nothing() -> None:
    done, wrong = kills(len(TASKS), seed=3)
    assert wrong == []
    assert len(done) == len(TASKS)


def test_hostile_inputs_of_every_kind_get_a_sentence() -> None:
    done, wrong, longest = attack(200, seed=2)
    assert wrong == []
    assert len(done) == 10
    assert longest < 5
