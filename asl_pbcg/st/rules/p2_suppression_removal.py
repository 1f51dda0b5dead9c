"""Suppression Removal Phase. Rule: ST-SUP-05 to ST-SUP-12; the garrisons wake on turn 5."""

from __future__ import annotations

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.area_terms import BRITISH
from asl_pbcg.st.procedures.garrisons import activate_all
from asl_pbcg.st.procedures.losses import is_led
from asl_pbcg.st.state.area_tables import SuppressionRemoval
from asl_pbcg.st.state.decision import note, throw_on
from asl_pbcg.st.state.game_rules import Rules
from asl_pbcg.st.state.game_state import State, Unit
from asl_pbcg.st.state.phase_situation import Situation, next_phase


def suppression_removal(rules: Rules, state: State) -> Script[State]:
    """Every suppressed unit and leader rolls once, British first, in id order."""
    suppressed = [unit for unit in state.units if unit.suppressed]
    wakes = state.turn == rules.n.garrisons_wake_turn
    if not wakes and not suppressed:
        return next_phase(state)
    sit = Situation(rules, state)
    if wakes:
        yield from activate_all(sit)
    for each in sorted(suppressed, key=lambda unit: (unit.side, unit.id)):
        unit = sit.units[each.id]
        if unit.status == "map":
            yield from recover(sit, unit)
    return sit.end()


def removal_table(unit: Unit) -> str:
    """Return the table a unit or leader rolls on. Rule: ST-SUP-06, ST-SUP-07, ST-SUP-08."""
    if unit.side == BRITISH:
        return "suppression_removal.british"
    if unit.kind == "garrison":
        return "suppression_removal.garrison"
    return "suppression_removal.german"


def recover(sit: Situation, unit: Unit) -> Script[None]:
    """One suppressed unit or leader rolls. Rule: ST-SUP-05, ST-SUP-10, ST-SUP-11."""
    given = {"leader": True} if is_led(sit, unit) else {}
    rolled = yield from throw_on(
        sit, removal_table(unit), f"Suppression removal, {unit.name}", given, side=unit.side
    )
    if rolled.result == SuppressionRemoval.RECOVERS:
        sit.change(unit.id, suppressed=False)
        yield note(sit, f"{unit.name} is no longer suppressed.", "ST-SUP-11")
