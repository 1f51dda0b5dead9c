"""Morale: who checks, on what, and what becomes of a unit that fails. Rule: Morale."""

from __future__ import annotations

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.outcome import capital
from asl_pbcg.megagame.table import QUALITIES, Check, Unit

RULE = "Morale"


def check_morale(call: Call, unit: Unit, edge: float | None = None) -> Script[bool]:
    """Settle one morale check of ``unit``; gives whether it passed.

    ``edge`` is the distance in inches to the table edge behind an armoured unit, if it matters.
    Raises IllegalAnswer if the unit's quality is not known. Rule: Morale.
    """
    call.who = call.who or unit.name
    call.done.append(unit.name)
    if unit.quality not in QUALITIES:
        raise IllegalAnswer(
            f"Say the quality of {unit.name}: green, veteran or elite (g, v, e).", RULE
        )
    if unit.quality == "elite":
        call.say(f"{capital(unit.name)}: elite, never checks.")
        call.outcome_result = "passes"
        return True
    main = call.do == "morale"
    (rolled,) = yield from call.roll(
        f"morale.{unit.quality}", f"Morale of {unit.name} ({unit.quality})", main=main
    )
    on = call.value(f"morale.{unit.quality}")
    what = f"{capital(unit.name)}, morale ({unit.quality} on {on}+)"
    if rolled.result == "passes":
        call.tell(what, (rolled,), "passes")
    else:
        call.tell(what, (rolled,), f"fails, {fail_morale(call, unit, edge)}")
    if main:
        call.outcome_result = rolled.result
    return rolled.result == "passes"


def fail_morale(call: Call, unit: Unit, edge: float | None = None) -> str:
    """What becomes of ``unit`` that failed, done and in words. Rule: Morale."""
    later = " when all fire is done" if call.simultaneous else ""
    if unit.kind == "dismounts":
        call.end(unit, "routed")
        return f"routs off the table{later}"
    if unit.kind == "soft_skin":
        call.end(unit, "abandoned")
        return f"the vehicle is abandoned{later}"
    back = call.value("armoured_retreat")
    call.facts["retreat"] = back
    words = f"retreats {back} in. away from the enemy, ending faced away"
    if edge is None:
        return f"{words}; for good if that takes it off the table"
    if edge < back:
        call.end(unit, "off_table")
        return f"{words}; the edge is {edge} in. away, so it is off the table for good"
    return f"{words}; it stays on the table"


def check_all(call: Call, checks: tuple[Check, ...], edge: float | None = None) -> Script[None]:
    """Settle at once every check in ``checks``, which this very line made due."""
    for check in checks:
        unit = call.unit_of(check)
        if not unit.going:
            yield from check_morale(call, unit, edge)
