"""Direct fire, in its own phase and out of an ambush, and close assaults on vehicles.

Rules: Direct fire, Ambush, Close assault.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import msgspec

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.kernel.reader import nearest
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.game_table import TableUnit
from asl_pbcg.megagame.line_content import LineContent
from asl_pbcg.megagame.mega_settings import capital, spell_out
from asl_pbcg.megagame.targets import hit_by_anti_armour, hit_dismounts, hit_soft_skin
from asl_pbcg.megagame.upkeep import check_movement

RULE: Final = "Direct fire"
FLAME: Final = "flamethrower"
MAX_SHOTS: Final = 100


def ambush(
    call: Call, line: LineContent, firer: TableUnit, target: TableUnit | None
) -> Script[None]:
    """Resolve an ambush: its conditions, direct fire with the bonus, and the morale check.

    Raises IllegalAnswer that says every condition that fails. Rule: Ambush.
    """
    check_movement(call, target, firer)
    still = line.still and not (firer.moved and firer.moved >= call.table.turn - 1)
    arc = call.value("ambush_arc") if not line.in_front else 0
    zone = f"The target is not in the ambush zone in front of the unit ({arc} degrees)."
    call.require(
        "Ambush",
        (line.covered, "The ambushing unit is not in a covered position."),
        (line.unseen, "The ambushing unit has been seen."),
        (still, "The ambushing unit moved in the turn before."),
        (line.in_front, zone),
    )
    yield from direct_fire(call, line, firer, target, ambush=True)
    stops = call.value("ambush_stops_movement")
    where = "ends where it stands" if stops else "is completed first"
    if target:
        call.say(f"The movement of {target.name} {where}.")
        call.trigger(target, "ambush")
    else:
        call.say(f"The target's movement {where}, and it checks morale.")


def direct_fire(
    call: Call,
    line: LineContent,
    firer: TableUnit,
    target: TableUnit | None,
    ambush: bool = False,
) -> Script[None]:
    """Resolve the fire of one unit: to hit, building re-rolls, and what the hits do.

    Without a ``target`` only the hits are counted. Raises IllegalAnswer. Rule: Direct fire.
    """
    effect = call.value("suppress_effect") if firer.suppressed else "marker_only"
    suppressed = f"{firer.name} is suppressed and may not fire."
    call.require(RULE, ("no_fire" not in effect, suppressed), call.sides_differ(firer, target))
    facts = _conditions(call, line, firer, ambush)
    count = _dice(call, line, firer)
    wanted, call.result = _wanted_hits(call.result), ""
    who = firer.name if firer.listed else "Ambush" if ambush else "Fire"
    weapon = f", {spell_out(line.weapon)}" if line.weapon else ""
    text = capital(f"{who}{weapon}{f' at {target.name}' if target else ''}")
    rolls = yield from call.roll("to_hit", text, facts, count, True, partial(_natural_10, call))
    hits = sum(rolled.result == "hit" for rolled in rolls)
    call.tell(text, rolls, _hits_words(hits))
    if line.building and hits:
        again = yield from call.roll("building", "Hits on a building, re-rolled", count=hits)
        hits = sum(rolled.result == "hit" for rolled in again)
        stand = f"{_hits_words(hits)} stand{'s' * (hits == 1)}"
        call.tell("In a building, re-rolled", again, stand)
    if wanted is not None:
        call.overrule(_hits_words(wanted), _hits_words(hits))
        hits = wanted
    call.facts["hits"] = hits
    call.outcome_result = "hit" if hits else "miss"
    _note_fire(call, line, firer)
    if target:
        yield from _hit(call, line, target, hits)
        if line.weapon == FLAME:
            call.trigger(target, "flamethrower")


def _hit(call: Call, line: LineContent, target: TableUnit, hits: int) -> Script[None]:
    """Do to this kind of target what ``hits`` of this weapon do. Rule: Combat results."""
    values = call.settings.whole("weapon_anti_armour")
    if target.kind == "dismounts":
        hit_dismounts(call, target, hits)
    elif line.weapon in values and call.value(f"weapon_anti_armour.{line.weapon}") != "none":
        yield from hit_by_anti_armour(call, target, values[line.weapon], hits, line.flank)
    elif target.kind == "soft_skin":
        yield from hit_soft_skin(call, target, hits)
    elif hits:
        call.say(f"Without an anti-armour value the hits do nothing to {target.name}.")


def _note_fire(call: Call, line: LineContent, firer: TableUnit) -> None:
    """Keep that ``firer`` fired in this phase; remark on a second time and on too many figures.

    A unit that fires again may do so with other figures. Rule: Direct fire.
    """
    if not call.table.turn or not firer.listed:
        return
    now = f"{call.table.turn}.{call.table.phase}"
    unit = call.now(firer)
    before = unit.fired_by if unit.fired == now else 0
    carried = line.weapon in call.settings["carried_by_each_figure"]
    figures = (firer.figures if line.count is None else line.count) if carried else 0
    total = before + (figures or 0)
    if firer.figures is not None and figures and total > firer.figures:
        have = number_words(firer.figures, "figure")
        call.say(f"Remark: {firer.name} has {have}, and {total} have fired in this phase.")
    elif unit.fired == now:
        call.say(f"Remark: {firer.name} has fired in this phase before.")
    call.change(firer, fired=now, fired_by=total)


def _dice(call: Call, line: LineContent, firer: TableUnit) -> int:
    """Return how many to-hit dice are thrown."""
    has_dice = line.weapon in call.settings.whole("weapon_dice")
    if line.dice is not None:
        if line.count is not None and has_dice:
            due = line.count * int(call.value(f"weapon_dice.{line.weapon}"))
            throw = f"{line.count} throw {number_words(due, 'die', 'dice')}"
            wrong = f"{capital(spell_out(line.weapon))}: {throw}, not {line.dice}."
            call.require(RULE, (line.dice == due, wrong))
        dice = line.dice
    elif not line.weapon:
        raise IllegalAnswer("Say with what it fires, or the dice: for example 6 rifles.", RULE)
    else:
        count = line.count
        if count is None and line.weapon in call.settings["carried_by_each_figure"]:
            call.value("carried_by_each_figure")
            count = firer.figures
            if count is None:
                raise IllegalAnswer(f"Say how many fire: for example 6 {line.weapon}.", RULE)
        dice = (1 if count is None else count) * int(call.value(f"weapon_dice.{line.weapon}"))
    if not 1 <= dice <= MAX_SHOTS:
        raise IllegalAnswer(f"{dice} dice cannot be thrown: 1 to {MAX_SHOTS} can.", RULE)
    return dice


def _conditions(call: Call, line: LineContent, firer: TableUnit, ambush: bool) -> dict[str, bool]:
    """Return which modifiers hold; the whole list is a house list."""
    short, weapon = line.short, line.weapon
    ranges = call.settings.whole("weapon_range")
    if line.distance is not None and weapon:
        if weapon not in ranges:
            hint = nearest(weapon, ranges)
            raise IllegalAnswer(f"The settings have no range for {weapon}{hint}.", RULE)
        reach = int(call.value(f"weapon_range.{weapon}"))
        too_far = f"{capital(spell_out(weapon))} reaches {reach} in., not {line.distance}."
        call.require(RULE, (line.distance <= reach, too_far))
        short = short or line.distance * 2 <= reach
    return {
        "short_range": short,
        "ambush": ambush,
        "soft_cover": line.cover == "soft",
        "hard_cover": line.cover == "hard",
        "firer_moved": line.moved or bool(firer.moved and firer.moved == call.table.turn),
        "elite_firer": firer.quality == "elite",
        "green_firer": firer.quality == "green",
    }


def _natural_10(call: Call, rolled: Rolled) -> Rolled:
    """Return a 10 on the die as a hit, whatever the modifiers, if the settings say so."""
    if rolled.original == 10 and rolled.result == "miss" and call.value("natural_10_hits"):
        return msgspec.structs.replace(rolled, result="hit", says="natural 10")
    return rolled


def _wanted_hits(result: str) -> int | None:
    if not result:
        return None
    if not result.isdigit() or len(result) > 3:
        raise IllegalAnswer(f'"{result}" is not a number of hits.', RULE)
    return int(result)


def _hits_words(hits: int) -> str:
    return f"{hits or 'no'} hit{'s' if hits != 1 else ''}"


ASSAULT_RULE: Final = "Close assault"


def close_assault(
    call: Call, line: LineContent, attacker: TableUnit, target: TableUnit
) -> Script[None]:
    """Resolve a close assault on a vehicle: who may, one light AT hit, then the morale check.

    The distance is in inches before the figures move into contact; what the line does not say the
    umpire has seen to suffice. Raises IllegalAnswer that says why not. Rule: Close assault.
    """
    check_movement(call, attacker)
    reach, least = call.value("assault_distance"), call.value("assault_figures")
    figures = attacker.standing if line.contact is None else line.contact
    if attacker.standing is not None and (figures or 0) > attacker.standing:
        raise IllegalAnswer(f"{attacker.name} has only {attacker.standing} figures.", ASSAULT_RULE)
    far = line.distance is not None and line.distance > reach
    few = figures is not None and figures < least
    quality = attacker.quality or "unknown"
    held = attacker.suppressed and "no_move" in call.value("suppress_effect")
    call.require(
        ASSAULT_RULE,
        (attacker.quality == "elite", f"Only elite units close assault; this one is {quality}."),
        (not attacker.vehicle, f"Figures on foot close assault; {attacker.name} is a vehicle."),
        (not far, f"It must be within {reach} in. of the vehicle; it is {line.distance} in. away."),
        (not few, f"At least {least} figures must reach base contact; there are {figures}."),
        (bool(target.vehicle), "Close assaults are made against vehicles."),
        call.sides_differ(attacker, target),
        (not held, f"{attacker.name} is suppressed and may not move."),
    )
    if call.value("vehicle_reaction_fire"):
        call.say("The vehicle may fire first.")
    yield from hit_by_anti_armour(call, target, call.value("assault_hit"), main=True)
    call.trigger(target, "close assault")
