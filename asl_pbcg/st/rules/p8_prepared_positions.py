"""Prepared Position Phase. Rule: ST-SEQ-15, ST-PRE-05."""

from __future__ import annotations

from msgspec.structs import replace

from asl_pbcg.kernel.prompts import Note, Script
from asl_pbcg.st.state.game_rules import Rules
from asl_pbcg.st.state.game_state import PreparedPosition, State
from asl_pbcg.st.state.phase_situation import next_phase


def prepared_positions(rules: Rules, state: State) -> Script[State]:
    """Complete every position that is still under construction."""
    for position in state.positions:
        if position.builder:
            where = rules.geo.text(position.area)
            yield Note(f"The prepared position in {where} is complete.", "ST-PRE-05")
    complete = tuple([PreparedPosition(area=position.area) for position in state.positions])
    return next_phase(replace(state, positions=complete))
