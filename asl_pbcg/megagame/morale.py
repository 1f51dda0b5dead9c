"""Morale: who checks, on what, and what becomes of a unit that fails. Rule: Morale."""

from __future__ import annotations

from typing import Final

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.game_table import QUALITIES, TableUnit
from asl_pbcg.megagame.mega_settings import capital

RULE: Final = "Morale"


def check_morale(call: Call, unit: TableUnit, edge: float | None = None) -> Script[None]:
    """Resolve one morale check of ``unit``.

    ``edge`` is the distance in inches to the table edge behind an armoured unit, if it matters.
    Raises IllegalAnswer if the unit's quality is not known. Rule: Morale.
    """
    call.who = call.who or unit.name
    call.done.append(unit.name)
    if unit.quality not in QUALITIES:
        needed = f"Say the quality of {unit.name}: green, veteran or elite (g, v, e)."
        raise IllegalAnswer(needed, RULE)
    if unit.quality == "elite":
        call.say(f"{capital(unit.name)}: elite, never checks.")
        call.outcome_result = "passes"
        return
    main = call.do == "morale"
    text = f"Morale of {unit.name} ({unit.quality})"
    (rolled,) = yield from call.roll(f"morale.{unit.quality}", text, main=main)
    on = call.value(f"morale.{unit.quality}")
    passes = rolled.result == "passes"
    result = "passes" if passes else f"fails, {_fail_morale(call, unit, edge)}"
    call.tell(f"{capital(unit.name)}, morale ({unit.quality} on {on}+)", (rolled,), result)
    if main:
        call.outcome_result = rolled.result


def _fail_morale(call: Call, unit: TableUnit, edge: float | None) -> str:
    """Do to ``unit`` what failed morale does, and return it in words. Rule: Morale."""
    later = " when all fire is done" if call.simultaneous else ""
    if unit.kind == "dismounts":
        call.end(unit, "routed")
        return f"routs off the table{later}"
    if unit.kind == "soft_skin":
        call.end(unit, "abandoned")
        return f"the vehicle is abandoned{later}"
    back = call.facts["retreat"] = call.value("armoured_retreat")
    words = f"retreats {back} in. away from the enemy, ending faced away"
    if edge is None:
        return f"{words}; for good if that takes it off the table"
    if edge < back:
        call.end(unit, "off_table")
        return f"{words}; the edge is {edge} in. away, so it is off the table for good"
    return f"{words}; it stays on the table"
