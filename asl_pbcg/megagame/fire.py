"""Direct fire, in its own phase and out of an ambush. Rules: Direct fire, Ambush."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

import msgspec

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.kernel.reader import nearest
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.outcome import capital
from asl_pbcg.megagame.settings import spell_out
from asl_pbcg.megagame.table import Unit
from asl_pbcg.megagame.targets import hit_by_anti_armour, hit_dismounts, hit_soft_skin

RULE: Final = "Direct fire"
FLAME: Final = "flamethrower"
MOST_DICE: Final = 100


@dataclass(frozen=True, slots=True)
class Shots:
    """How a unit fires. ``weapon`` is a name of the setting ``weapon_dice``, empty when only the
    dice matter; ``count`` weapons or figures fire it, or ``dice`` says the dice outright.

    ``distance`` is in inches; ``short`` says short range where no distance is given.
    """

    weapon: str = ""
    count: int | None = None
    dice: int | None = None
    distance: float | None = None
    cover: tuple[str, ...] = ()
    building: bool = False
    short: bool = False
    moved: bool = False
    flank: bool = False


@dataclass(frozen=True, slots=True)
class Ambush:
    """What the umpire says of an ambush: its four conditions."""

    covered: bool = True
    unseen: bool = True
    still: bool = True
    in_front: bool = True


def direct_fire(call: Call, firer: Unit, target: Unit | None, shots: Shots) -> Script[None]:
    """Settle the fire of one unit: to hit, building re-rolls, and what the hits do.

    Without a ``target`` only the hits are counted. Raises IllegalAnswer. Rule: Direct fire.
    """
    _may_fire(call, firer, target)
    yield from _fire(call, firer, target, shots, ambush=False)


def ambush(
    call: Call, firer: Unit, target: Unit | None, shots: Shots, conditions: Ambush
) -> Script[None]:
    """Settle an ambush: its conditions, direct fire with the bonus, and the morale check.

    Raises IllegalAnswer that says every condition that fails. Rule: Ambush.
    """
    turn = call.table.turn
    still = conditions.still and not (firer.moved and firer.moved >= turn - 1)
    arc = call.value("ambush_arc") if not conditions.in_front else 0
    call.require(
        "Ambush",
        (conditions.covered, "The ambushing unit is not in a covered position."),
        (conditions.unseen, "The ambushing unit has been seen."),
        (still, "The ambushing unit moved in the turn before."),
        (
            conditions.in_front,
            f"The target is not in the ambush zone in front of the unit ({arc} degrees).",
        ),
    )
    _may_fire(call, firer, target)
    yield from _fire(call, firer, target, shots, ambush=True)
    stops = call.value("ambush_stops_movement")
    where = "ends where it stands" if stops else "is completed first"
    if target:
        call.say(f"The movement of {target.name} {where}.")
        call.trigger(target, "ambush")
    else:
        call.say(f"The target's movement {where}, and it checks morale.")


def _may_fire(call: Call, firer: Unit, target: Unit | None) -> None:
    effect = call.value("suppress_effect") if firer.suppressed else "marker_only"
    same = bool(target and firer.side and firer.side == target.side)
    call.require(
        RULE,
        ("no_fire" not in effect, f"{firer.name} is suppressed and may not fire."),
        (not same, f"{firer.name} and {target.name if target else ''} are on the same side."),
    )


def _fire(call: Call, firer: Unit, target: Unit | None, shots: Shots, ambush: bool) -> Script[None]:
    call.by = firer.name
    call.who = target.name if target else ""
    given = _conditions(call, firer, shots, ambush)
    count = _dice(call, firer, shots)
    wanted, call.result = _wanted_hits(call.result), ""
    who = firer.name if firer.listed else "Ambush" if ambush else "Fire"
    at = f" at {target.name}" if target else ""
    text = f"{who}{f', {spell_out(shots.weapon)}' if shots.weapon else ''}{at}"
    rolls = yield from call.roll("to_hit", text, given, count, True, partial(_natural_10, call))
    hits = sum(rolled.result == "hit" for rolled in rolls)
    call.tell(capital(text), rolls, _hits_words(hits))
    if shots.building and hits:
        stood = yield from call.roll("building", "Hits on a building, re-rolled", count=hits)
        hits = sum(rolled.result == "hit" for rolled in stood)
        call.tell(
            "In a building, re-rolled", stood, f"{_hits_words(hits)} stand{'s' * (hits == 1)}"
        )
    if wanted is not None:
        call.overrule(f"{_hits_words(wanted)} in place of {_hits_words(hits)}.")
        hits = wanted
    call.facts["hits"] = hits
    _note_fire(call, firer, shots)
    call.outcome_result = "hit" if hits else "miss"
    if target:
        yield from _hit(call, target, shots, hits)
        if shots.weapon == FLAME:
            call.trigger(target, "flamethrower")


def _hit(call: Call, target: Unit, shots: Shots, hits: int) -> Script[None]:
    """What ``hits`` of this weapon do to this kind of target. Rule: Combat results."""
    if target.kind == "dismounts":
        hit_dismounts(call, target, hits)
        return
    value = "none"
    if shots.weapon in call.settings.whole("weapon_anti_armour"):
        value = call.value(f"weapon_anti_armour.{shots.weapon}")
    if value != "none":
        yield from hit_by_anti_armour(call, target, value, hits, shots.flank)
    elif target.kind == "soft_skin":
        yield from hit_soft_skin(call, target, hits)
    elif hits:
        call.say(f"Without an anti-armour value the hits do nothing to {target.name}.")


def _note_fire(call: Call, firer: Unit, shots: Shots) -> None:
    """Keep that ``firer`` fired in this phase; remark on a second time and on too many figures.

    Who fires again may be others of its figures. Rule: Direct fire.
    """
    if not call.table.turn or not firer.listed:
        return
    now = f"{call.table.turn}.{call.table.phase}"
    unit = call.now(firer)
    before = unit.fired_by if unit.fired == now else 0
    each = shots.weapon in call.settings["carried_by_each_figure"]
    figures = (firer.figures if shots.count is None else shots.count) if each else 0
    total = before + (figures or 0)
    if firer.figures is not None and figures and total > firer.figures:
        have = number_words(firer.figures, "figure")
        call.say(f"Remark: {firer.name} has {have}, and {total} have fired in this phase.")
    elif unit.fired == now:
        call.say(f"Remark: {firer.name} has fired in this phase before.")
    call.change(firer, fired=now, fired_by=total)


def _dice(call: Call, firer: Unit, shots: Shots) -> int:
    """How many to-hit dice are thrown."""
    if shots.dice is not None:
        dice = shots.dice
        if shots.count is not None and shots.weapon in call.settings.whole("weapon_dice"):
            due = shots.count * int(call.value(f"weapon_dice.{shots.weapon}"))
            throw = f"{shots.count} throw {number_words(due, 'die', 'dice')}"
            wrong = f"{capital(spell_out(shots.weapon))}: {throw}, not {dice}."
            call.require(RULE, (dice == due, wrong))
    elif not shots.weapon:
        raise IllegalAnswer("Say with what it fires, or the dice: for example 6 rifles.", RULE)
    else:
        count = shots.count
        if count is None:
            count = 1
            if shots.weapon in call.settings["carried_by_each_figure"]:
                call.value("carried_by_each_figure")
                count = firer.figures
        if count is None:
            raise IllegalAnswer(f"Say how many fire: for example 6 {shots.weapon}.", RULE)
        dice = count * int(call.value(f"weapon_dice.{shots.weapon}"))
    if not 1 <= dice <= MOST_DICE:
        raise IllegalAnswer(f"{dice} dice cannot be thrown: 1 to {MOST_DICE} can.", RULE)
    return dice


def _conditions(call: Call, firer: Unit, shots: Shots, ambush: bool) -> dict[str, bool]:
    """Which modifiers hold; the whole list is a house list."""
    if len(set(shots.cover)) > 1:
        raise IllegalAnswer(
            f"A target is in one kind of cover, not {' and '.join(shots.cover)}.", RULE
        )
    short = shots.short
    ranges = call.settings.whole("weapon_range")
    if shots.distance is not None and shots.weapon:
        if shots.weapon not in ranges:
            raise IllegalAnswer(
                f"The settings have no range for {shots.weapon}{nearest(shots.weapon, ranges)}.",
                RULE,
            )
        reach = int(call.value(f"weapon_range.{shots.weapon}"))
        too_far = f"{capital(spell_out(shots.weapon))} reaches {reach} in."
        call.require(RULE, (shots.distance <= reach, f"{too_far}, not {shots.distance}."))
        short = short or shots.distance * 2 <= reach
    moved = shots.moved or bool(firer.moved and firer.moved == call.table.turn)
    return {
        "short_range": short,
        "ambush": ambush,
        "soft_cover": "soft" in shots.cover,
        "hard_cover": "hard" in shots.cover,
        "firer_moved": moved,
        "elite_firer": firer.quality == "elite",
        "green_firer": firer.quality == "green",
    }


def _natural_10(call: Call, rolled: Rolled) -> Rolled:
    """A 10 on the die hits, whatever the modifiers, if the settings say so."""
    if rolled.original == 10 and rolled.result == "miss" and call.value("natural_10_hits"):
        return msgspec.structs.replace(rolled, result="hit", says="natural 10")
    return rolled


def _wanted_hits(result: str) -> int | None:
    if not result:
        return None
    if not result.isdigit() or len(result) > 3:
        raise IllegalAnswer(f'"{result}" is no number of hits.', RULE)
    return int(result)


def _hits_words(hits: int) -> str:
    return f"{hits or 'no'} hit{'s' if hits != 1 else ''}"
