"""German Movement Phase. Rule: ST-GMV-01 and the following.

The order is fixed: reinforcements are rolled for, the demolition is checked, then the Mercedes,
the tanks on the map, the column that enters, the other infantry, whoever was held up by those that
have moved since, the leaders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.germans.german_advance import (
    drive_mercedes,
    may_move,
    mg_bearers,
    moving_order,
    waits_in_pillbox,
    walk,
    walk_schmidt,
)
from asl_pbcg.st.germans.german_column import (
    column_forms,
    drive_all,
    drive_held_up,
    enter_columns,
    march_all,
    reinforcement_roll,
    tell_who_waits,
)
from asl_pbcg.st.germans.german_resolute import approach_of, wake_column
from asl_pbcg.st.procedures.demolition import demolition_check
from asl_pbcg.st.procedures.losses import HICKMAN, SCHMIDT
from asl_pbcg.st.state.game_rules import Rules
from asl_pbcg.st.state.game_state import State, Unit
from asl_pbcg.st.state.phase_situation import Situation


def german_movement(rules: Rules, state: State) -> Script[State]:
    """The whole phase."""
    sit = Situation(rules, state)
    yield from reinforcement_roll(sit)
    yield from column_forms(sit)
    yield from demolition_check(sit)
    yield from wake_column(sit)
    approach = approach_of(sit)
    yield from drive_mercedes(sit)
    bearers = mg_bearers(sit)
    yield from drive_all(sit, approach)
    yield from march_all(sit, approach)
    entered: Counter[str] = Counter()
    yield from enter_columns(sit, approach, entered)
    goes_on = True
    while goes_on:
        for unit in moving_order(sit, approach):
            if may_move(sit, sit.units[unit]) and not marches(sit, sit.units[unit]):
                yield from walk(sit, approach, unit, carried_mg(sit, unit, bearers))
        driven = yield from drive_held_up(sit, approach)
        came = yield from enter_columns(sit, approach, entered)
        goes_on = driven or came
    yield from tell_who_waits(sit)
    for unit in leaders_to_move(sit):
        if unit == SCHMIDT:
            if not waits_in_pillbox(sit):
                yield from walk_schmidt(sit, approach)
        elif may_move(sit, sit.units[unit]):
            yield from walk(sit, approach, unit)
    return sit.end()


def carried_mg(sit: Situation, unit: str, bearers: Mapping[str, str]) -> str:
    """Return the MG that a unit takes along: the one it was given, if it stands beside it."""
    mg = bearers.get(unit, "")
    return mg if mg and sit.weapons[mg].place == sit.units[unit].place else ""


def marches(sit: Situation, unit: Unit) -> bool:
    """Tell whether ``unit`` belongs to a column that has not been attacked. Rule: ST-TNK-05, 07."""
    return unit.force and not sit.triggered and bool(unit.order)


def leaders_to_move(sit: Situation) -> list[str]:
    """Return the leaders on the map, in id order; they move last."""
    units = sit.units
    return [id for id in (HICKMAN, SCHMIDT) if id in units and units[id].status == "map"]
