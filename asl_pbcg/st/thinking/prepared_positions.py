"""Prepared Position Phase. Rule: ST-SEQ-15, ST-PRE-05."""

from __future__ import annotations

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.rules.decision import note
from asl_pbcg.st.rules.rules import Rules
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.state import Position, State


def prepared_positions(rules: Rules, state: State) -> Script[State]:
    """Complete the positions that are still under construction."""
    sit = Situation(rules, state)
    begun = [position.area for position in state.positions if position.builder]
    if not begun:
        return sit.end()
    for area in begun:
        sit.positions[area] = Position(area=area)
        yield note(f"The prepared position in {sit.geo.text(area)} is complete.", "ST-PRE-05")
    return sit.end()
