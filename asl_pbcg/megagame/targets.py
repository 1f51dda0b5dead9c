"""The effects of hits: on dismounts, soft-skin vehicles and armour. Rule: Combat results."""

from __future__ import annotations

from typing import Final

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.game_table import TableUnit
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
    given = {
        "anti_armour": call.value(f"anti_armour.{value}"),
        "armour_class": armour_class,
        "flank": flank,
    }
    if flank:
        call.value("flank_bonus")
    text = f"{value} anti-armour hit on {target.name}"
    rolls = yield from call.roll("armour", text, given, hits, main)
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
