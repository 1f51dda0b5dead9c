"""The area game for the kernel's runner: a step for set-up, one for each phase, one to score.

Rule: ST-SEQ-01.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import msgspec

from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.kernel.session import Step
from asl_pbcg.st.area_terms import PHASES
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.rules.p1_glider_landing import glider_landing
from asl_pbcg.st.rules.p2_suppression_removal import suppression_removal
from asl_pbcg.st.rules.p3_british_movement import british_movement
from asl_pbcg.st.rules.p4_german_movement import german_movement
from asl_pbcg.st.rules.p5_british_fire import british_fire
from asl_pbcg.st.rules.p6_german_fire import german_fire
from asl_pbcg.st.rules.p7_hand_to_hand import hand_to_hand
from asl_pbcg.st.rules.p8_prepared_positions import prepared_positions
from asl_pbcg.st.rules.p9_bridge import bridge
from asl_pbcg.st.rules.scoring import final_score
from asl_pbcg.st.rules.setup import setup
from asl_pbcg.st.settings import ST_RULINGS, Settings
from asl_pbcg.st.state.game_rules import Rules
from asl_pbcg.st.state.game_state import State

PhaseScript = Callable[[Rules, State], Script[State]]
SCRIPTS: Mapping[str, PhaseScript] = {
    "glider_landing": glider_landing,
    "suppression_removal": suppression_removal,
    "british_movement": british_movement,
    "german_movement": german_movement,
    "british_fire": british_fire,
    "german_fire": german_fire,
    "hand_to_hand": hand_to_hand,
    "prepared_positions": prepared_positions,
    "bridge": bridge,
}


class _Known(NamedTuple):
    """The rules and steps of all games under the same settings."""

    rules: Rules
    steps: dict[tuple[int, int], Step[State]]
    """The phases by turn and number."""


class AreaGame:
    """The area game on one map (the shipped one without ``area_map``); it has no state."""

    name = "st"
    rules_of = (("st", "hexes"), ("st",))

    def __init__(self, area_map: GameMap | None = None) -> None:
        self.map = area_map or load_map()
        self._known: dict[Settings, _Known] = {}
        self._last: tuple[Settings, _Known] | None = None

    def rules(self, settings: Settings) -> Rules:
        """Return the rules under ``settings``, worked out once."""
        return self._of(settings).rules

    def _of(self, settings: Settings) -> _Known:
        last = self._last
        if last is not None and last[0] is settings:
            return last[1]
        found = self._known.get(settings)
        if found is None:
            found = self._known[settings] = _Known(Rules(self.map, settings), {})
        self._last = settings, found
        return found

    def begin(self, settings: Mapping[str, Any]) -> State:
        """Return the state before set-up. Raises FaultsError for settings that are none."""
        return State(settings=ST_RULINGS.settings(settings))

    dice_of_seed = SeededDice
    """A solitaire game with a seed is the same for whoever plays it."""
    secret_by_program = True
    """The program makes the rolls that are hidden from the player, real dice or not."""

    def next_step(self, state: State) -> Step[State] | None:
        """Set-up, then the phases of each turn, then the score. Rule: ST-SEQ-01, ST-VIC-01."""
        rules, steps = self._of(state.settings)
        if not state.ready:
            return Step("setup", "Set-up", partial(setup, rules), "ST-SET-01")
        if state.turn > rules.n.turns:
            if state.over:
                return None
            return Step("score", "Victory", partial(final_score, rules), "ST-VIC-01")
        key = state.turn, state.phase
        found = steps.get(key)
        if found is None:
            phase = PHASES[state.phase]
            found = steps[key] = Step(
                f"{state.turn}.{state.phase + 1}",
                f"Turn {state.turn}, {phase.title}",
                partial(SCRIPTS[phase.name], rules),
                phase.rule,
            )
        return found

    def encode(self, state: State) -> bytes:
        """Return the state as it is stored."""
        return _ENCODER.encode(state)

    def decode(self, stored: bytes) -> State:
        """Return the state from its stored form."""
        return _DECODER.decode(stored)


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(State)
