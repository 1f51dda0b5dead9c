"""Automatic area games ask, tell, roll and settle what they did when this was written.

``python tests/st/test_same_area_games.py --write`` writes what is compared with again: only after a
rule or a sentence was changed on purpose, with the rulebook open.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

if __name__ == "__main__":
    ROOT = Path(__file__).resolve().parent.parent.parent
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from damage import damaged
from fingerprints import Item, check, write
from st_aids_told import simulated
from st_aids_told import told as aids_told
from st_crowds import crowd
from st_help import GAME
from st_map_help import shipped
from st_soak import Task, tasks
from st_told import told

from asl_pbcg.kernel.errors import FaultsError
from asl_pbcg.st.board.map_check import check_data
from asl_pbcg.st.settings import ST_RULINGS

GAMES = tasks(60)[::2][:14] + tasks(60)[1::2][16:30]
CROWDS = tasks(60)[1::2][:14]
"""Games in which many of both sides are brought together before each turn."""
MAPS = 3
A_MAP = 25
AIDS = ((9, 14), (7, 14), (1, 13))
"""The number of a game, and the turn from which on the aids look at it."""


def name_of(task: Task) -> str:
    """The name of the file that a game is compared with."""
    return f"game-{task.number}"


def map_faults(seed: int) -> Iterator[Item]:
    """What is said of damaged maps and settings."""
    source = random.Random(f"maps/{seed}")
    for number in range(A_MAP):
        data = damaged(shipped(), source, 4)
        yield f"map {number}", str([str(fault) for fault in check_data(data)[1]])
    for number in range(A_MAP):
        settings = damaged(GAMES[number].settings, source)
        try:
            yield f"settings {number}", str(ST_RULINGS.settings(settings))
        except FaultsError as error:
            yield f"settings {number}", str([str(fault) for fault in error.faults])


@pytest.mark.parametrize("task", GAMES, ids=name_of)
def test_the_game_of_a_seed_goes_as_it_went(task: Task) -> None:
    """Every question with its options, roll with its DRM, note, changed fact, front ends' aid."""
    check(name_of(task), told(GAME, task))


@pytest.mark.parametrize("task", CROWDS, ids=name_of)
def test_a_game_of_crowds_goes_as_it_went(task: Task) -> None:
    check(f"crowd-{task.number}", told(GAME, task, crowd))


@pytest.mark.parametrize(("number", "turn"), AIDS)
def test_the_aids_say_of_a_game_what_they_said(number: int, turn: int) -> None:
    """Teacher, expert, film and report of the last turns."""
    check(f"aids-{number}", aids_told(GAME, tasks(number + 1)[number], turn))


def test_a_simulation_comes_to_what_it_came_to(tmp_path: Path) -> None:
    check("simulation", simulated(tmp_path))


@pytest.mark.parametrize("seed", range(MAPS))
def test_what_is_wrong_with_a_map_is_told_as_it_was(seed: int) -> None:
    check(f"maps-{seed}", map_faults(seed))


if __name__ == "__main__" and "--write" in sys.argv:
    for each in GAMES:
        write(name_of(each), told(GAME, each))
    for each in CROWDS:
        write(f"crowd-{each.number}", told(GAME, each, crowd))
    for number, turn in AIDS:
        write(f"aids-{number}", aids_told(GAME, tasks(number + 1)[number], turn))
    with tempfile.TemporaryDirectory() as folder:
        write("simulation", simulated(Path(folder)))
    for each_seed in range(MAPS):
        write(f"maps-{each_seed}", map_faults(each_seed))
