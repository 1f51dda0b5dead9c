"""Close assaults on vehicles. Rule: Close assault."""

from __future__ import annotations

from typing import Final

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.game_table import TableUnit
from asl_pbcg.megagame.line_content import LineContent
from asl_pbcg.megagame.targets import hit_by_anti_armour
from asl_pbcg.megagame.upkeep import check_movement

RULE: Final = "Close assault"


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
        raise IllegalAnswer(f"{attacker.name} has only {attacker.standing} figures.", RULE)
    far = line.distance is not None and line.distance > reach
    few = figures is not None and figures < least
    quality = attacker.quality or "unknown"
    held = attacker.suppressed and "no_move" in call.value("suppress_effect")
    call.require(
        RULE,
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
