"""Imagined games as work for other processes: positions sent there, VP that come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from asl_pbcg.st.many.packed import game_on
from asl_pbcg.st.player.policy_style import STEADY
from asl_pbcg.st.thinking.playout import Position, Tally, compare


class Task(NamedTuple):
    """Imagined games of a position: of the answers that are weighed there, the numbers."""

    at: int
    """Which of several positions it is, for whoever shares them out."""
    position: Position
    answers: Mapping[str, Sequence[Any]]
    numbers: Sequence[int]


Played = dict[str, dict[int, int]]
"""VP of imagined games by their number, for each choice."""


def prepare() -> None:
    """What a process needs for imagined games and takes long to make."""
    game_on(b"")


def play_task(area_map: bytes, task: Task) -> Played:
    """Play the imagined games of ``task`` on the map; empty where none fits what was seen."""
    tallies = {name: Tally(task.position.state) for name in task.answers}
    choices = {name: (answers, STEADY) for name, answers in task.answers.items()}
    compare(game_on(area_map), task.position, choices, tallies, task.numbers)
    return {name: tally.vp for name, tally in tallies.items()}
