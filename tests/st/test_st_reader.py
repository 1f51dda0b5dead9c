"""Each German move of 20 games against the source, by the independent reader of the log."""

from __future__ import annotations

from typing import Any

import pytest
import st_reader

from asl_pbcg.st.player.policy import player
from asl_pbcg.st.rules import p4_german_movement, p6_german_fire
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.state.game_rules import Rules
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.state.phase_situation import Situation

GAME = AreaGame()
SETTINGS: list[dict[str, Any]] = [
    {"mode": "historical"},
    {"mode": "variable", "difficulty": "easy"},
    {"mode": "variable", "difficulty": "medium"},
    {"mode": "variable", "difficulty": "hard"},
]
OPENED: list[Situation] = []


def watched(rules: Rules, state: State) -> Situation:
    """The situation of a phase; the reader can look at it while the phase runs."""
    OPENED[:] = [Situation(rules, state)]
    return OPENED[0]


@pytest.mark.finding("F-40")
@pytest.mark.rule("ST-GMV-01", "ST-GMV-03", "ST-GMV-04", "ST-TNK-04", "ST-TNK-07", "ST-FIR-04")
@pytest.mark.parametrize("ambush", [False, True])
def test_germans_move_and_aim_as_the_source_says(
    ambush: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (p4_german_movement, p6_german_fire):
        monkeypatch.setattr(module, "Situation", watched)
    faults, heard, entered = [], 0, [0] * 5
    for number in range(10):
        settings = SETTINGS[number % 4]
        side = player("good" if number % 3 else "random", number)
        for reader in st_reader.read_game(GAME, settings, side, number, OPENED, ambush):
            faults += [f"game {number}, {fault}" for fault in reader.faults]
            heard += reader.heard
            for paid in reader.entered.values():
                entered[len(paid)] += 1
    assert not faults, "\n".join(faults)
    assert heard > 300
    assert entered[4] > 3  # a column of four stacks and more comes in whole
