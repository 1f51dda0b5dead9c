"""9.614 Equipment Repair and Replenishment: its paragraphs in their order."""

from __future__ import annotations

from collections.abc import Callable

from asl_pbcg.campaign.state import Campaign
from asl_pbcg.kernel.prompts import Script, tell
from asl_pbcg.refit.s614_captured import captured_equipment
from asl_pbcg.refit.s614_vehicles import abandoned, immobilization_repair, recall, stunned
from asl_pbcg.refit.s614_weapons import low_ammo, mg_exchange, special_ammo, weapon_repair
from asl_pbcg.refit.s614_wrecks import wrecks_and_scrounging

PARAGRAPHS: dict[str, Callable[[Campaign], Script[Campaign]]] = {
    "9.6141a": abandoned,
    "9.6141b": immobilization_repair,
    "9.6141c": recall,
    "9.6141d": stunned,
    "9.6142": weapon_repair,
    "9.61421": mg_exchange,
    "9.61422": captured_equipment,
    "9.61423": wrecks_and_scrounging,
    "9.61424": special_ammo,
    "9.61425": low_ammo,
}
"""The sub-steps in the order they are run, each for both sides. Rule: 9.614."""


def repair_and_replenishment(state: Campaign) -> Script[Campaign]:
    """Settle what is repaired, Recalled, worn out, Scrounged and replenished. Rule: 9.614."""
    nothing = True
    for paragraph in PARAGRAPHS.values():
        said, state = yield from _heard(paragraph(state))
        nothing = nothing and not said
    if nothing:
        yield from tell("No Equipment needs repair or replenishment.", "9.614")
    return state


def _heard(script: Script[Campaign]) -> Script[tuple[bool, Campaign]]:
    """Run ``script`` and say whether it asked, rolled or told anything."""
    said, sent = False, None
    while True:
        try:
            item = script.send(sent)
        except StopIteration as finished:
            return said, finished.value
        said = True
        sent = yield item
