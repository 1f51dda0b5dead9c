"""Close assaults on vehicles. Rule: Close assault."""

from __future__ import annotations

from typing import Final

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.table import Unit
from asl_pbcg.megagame.targets import hit_by_anti_armour

RULE: Final = "Close assault"


def close_assault(
    call: Call,
    attacker: Unit,
    target: Unit,
    distance: float | None = None,
    figures: int | None = None,
) -> Script[None]:
    """Settle a close assault on a vehicle: who may, one light AT hit, then the morale check.

    ``distance`` is in inches before the figures move into contact and ``figures`` those that do;
    None when the umpire has seen that they suffice. Raises IllegalAnswer that says why not.
    """
    call.by, call.who = attacker.name, target.name
    reach, least = call.value("assault_distance"), call.value("assault_figures")
    if figures is None:
        figures = attacker.standing
    elif attacker.standing is not None and figures > attacker.standing:
        raise IllegalAnswer(f"{attacker.name} has only {attacker.standing} figures.", RULE)
    far = distance is not None and distance > reach
    few = figures is not None and figures < least
    quality = attacker.quality or "unknown"
    same = bool(attacker.side and attacker.side == target.side)
    held = attacker.suppressed and "no_move" in call.value("suppress_effect")
    call.require(
        RULE,
        (attacker.quality == "elite", f"Only elite units close assault; this one is {quality}."),
        (not attacker.vehicle, f"Figures on foot close assault; {attacker.name} is a vehicle."),
        (not far, f"It must be within {reach} in. of the vehicle; it is {distance} in. away."),
        (not few, f"At least {least} figures must reach base contact; there are {figures}."),
        (bool(target.vehicle), "Close assaults are made against vehicles."),
        (not same, f"{attacker.name} and {target.name} are on the same side."),
        (not held, f"{attacker.name} is suppressed and may not move."),
    )
    if call.value("vehicle_reaction_fire"):
        call.say("The vehicle may fire first.")
    yield from hit_by_anti_armour(call, target, call.value("assault_hit"), main=True)
    call.trigger(target, "close assault")
