"""The effects of hits on dismounts, soft-skin vehicles and armour, and morale checks.

Rules: Combat results, Morale.
"""

from __future__ import annotations

from typing import Final

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.game_table import QUALITIES, TableUnit
from asl_pbcg.megagame.line_content import LineContent
from asl_pbcg.megagame.mega_settings import capital, spell_out

RULE: Final = "Combat results"
MAX_HITS: Final = 20


def hit_dismounts(call: Call, target: TableUnit, hits: int) -> None:
    """Take one figure for each hit; a unit that takes casualties checks morale."""
    lost = call.lose(target, hits)
    if not lost:
        return
    call.say(f"{losses_words(call, target, lost)}.")
    call.trigger(target, "casualties")


def losses_words(call: Call, target: TableUnit, lost: int) -> str:
    """Say how many figures ``target`` lost, and how many are left of those on the table."""
    noun = "occupant" if target.kind == "soft_skin" else "figure"
    words = f"{capital(target.name)}: {lost} {noun}{'s' if lost != 1 else ''} lost"
    now = call.now(target)
    if now.standing is not None:
        waits = call.simultaneous and target.listed
        before = (now.figures or 0) if waits else now.standing + lost
        words += f", {now.standing} of {before} left" if now.standing else ", none left"
        words += " when all fire is done" if waits else ""
    return words


def hit_occupants(call: Call, target: TableUnit, hits: int) -> Script[None]:
    """Roll for casualties among the occupants for every hit.

    Whether they then check morale is the setting ``embarked_check``.
    """
    if not hits or call.now(target).standing == 0:
        return
    rolls = yield from call.roll("occupants", f"Occupants of {target.name}", count=hits)
    casualties = sum(rolled.result == "casualty" for rolled in rolls)
    lost = call.lose(target, casualties)
    call.tell("Occupants", rolls, f"{lost or 'no'} casualt{'y' if lost == 1 else 'ies'}")
    out = call.now(target).going
    if lost and not out and call.value("embarked_check") == "occupants":
        call.trigger(target, "casualties")


def hit_soft_skin(call: Call, target: TableUnit, hits: int) -> Script[None]:
    """Small-arms hits on a soft-skin vehicle: counted over the turn, occupants rolled for each."""
    if not hits:
        return
    need = call.value("soft_skin_hits")
    taken = call.now(target).hits + hits
    call.change(target, hits=taken)
    if taken >= need:
        call.say(
            f"{capital(target.name)} has taken {taken} small-arms hits this turn: knocked out."
        )
        call.end(target, "knocked_out")
        call.outcome_result = "knocked_out"
    else:
        call.say(f"{capital(target.name)} has taken {taken} of {need} small-arms hits this turn.")
    yield from hit_occupants(call, target, hits)


def anti_armour(call: Call, line: LineContent, target: TableUnit) -> Script[None]:
    """Resolve the anti-armour hits that a line names, by their value or by a weapon."""
    value, hits = line.anti_armour, 1 if line.hits is None else line.hits
    if line.weapon:
        values = call.settings.whole("weapon_anti_armour")
        if values.get(line.weapon, "none") == "none":
            nothing = "has no anti-armour value: it does nothing to armour"
            raise IllegalAnswer(f"{capital(spell_out(line.weapon))} {nothing}.", RULE)
        value = call.value(f"weapon_anti_armour.{line.weapon}")
    if not value:
        raise IllegalAnswer("Say the hit: light, medium or heavy, or the weapon.", RULE)
    if not target.vehicle:
        raise IllegalAnswer("Say the vehicle: for example medium_tank, tiger or truck.", RULE)
    if not 1 <= hits <= MAX_HITS:
        raise IllegalAnswer(f"{hits} hits cannot be rolled at once: 1 to {MAX_HITS} can.", RULE)
    return hit_by_anti_armour(call, target, value, hits, line.flank, main=True)


def hit_by_anti_armour(
    call: Call,
    target: TableUnit,
    value: str,
    hits: int = 1,
    flank: bool = False,
    main: bool = False,
) -> Script[None]:
    """Resolve anti-armour hits of ``value`` (light, medium, heavy) on a vehicle, each for itself.

    A soft-skin vehicle's occupants are rolled for too.

    ``main`` makes this the line's own roll, which takes the umpire's modifier and result.
    """
    if not hits:
        return
    if not target.vehicle:
        raise IllegalAnswer("An anti-armour hit needs a vehicle: name its class.", RULE)
    armour_class = call.value(f"armour_class.{target.vehicle}")
    circumstances = {
        "anti_armour": call.value(f"anti_armour.{value}"),
        "armour_class": armour_class,
        "flank": flank,
    }
    if flank:
        call.value("flank_bonus")
    text = f"{value} anti-armour hit on {target.name}"
    rolls = yield from call.roll("armour", text, circumstances, hits, main)
    out = any(rolled.result == "knocked_out" for rolled in rolls)
    plural = "s" if hits > 1 else ""
    what = f"{capital(value)} AT hit{plural} on {target.name}, {spell_out(target.vehicle)}"
    call.tell(what, rolls, "knocked out" if out else "not knocked out")
    call.outcome_result = "knocked_out" if out else "holds"
    if out:
        call.end(target, "knocked_out")
    if target.kind == "soft_skin":
        yield from hit_occupants(call, target, hits)
    elif not out:
        call.trigger(target, "anti-armour hit")


MORALE_RULE: Final = "Morale"


def check_morale(call: Call, unit: TableUnit, edge: float | None = None) -> Script[None]:
    """Resolve one morale check of ``unit``.

    ``edge`` is the distance in inches to the table edge behind an armoured unit, if it matters.
    Raises IllegalAnswer if the unit's quality is not known. Rule: Morale.
    """
    call.who = call.who or unit.name
    call.done.append(unit.name)
    if unit.quality not in QUALITIES:
        needed = f"Say the quality of {unit.name}: green, veteran or elite (g, v, e)."
        raise IllegalAnswer(needed, MORALE_RULE)
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
