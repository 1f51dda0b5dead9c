"""9.614 Equipment Repair and Replenishment: its paragraphs in their order, side by side."""

from __future__ import annotations

from collections import Counter
from functools import partial

from asl_pbcg.campaign.events import keep_book
from asl_pbcg.campaign.position_words import TerrainKind
from asl_pbcg.campaign.seen import wreck_shown
from asl_pbcg.campaign.state import Campaign, Told
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Script, secretly, under
from asl_pbcg.refit.catalogue_questions import in_own_catalogue
from asl_pbcg.refit.s614_captured import captured_equipment
from asl_pbcg.refit.s614_vehicles import (
    abandoned_vehicles,
    immobilization_repair,
    recall,
    stun_recovery,
)
from asl_pbcg.refit.s614_weapons import low_ammo, mg_exchange, special_ammo, weapon_repair
from asl_pbcg.refit.scrounging import wrecks_and_scrounging

PARAGRAPHS = {
    "9.6141a": abandoned_vehicles,
    "9.6141b": immobilization_repair,
    "9.6141c": recall,
    "9.6141d": stun_recovery,
    "9.6142": weapon_repair,
    "9.61421": mg_exchange,
    "9.61422": captured_equipment,
    "9.61423": wrecks_and_scrounging,
    "9.61424": special_ammo,
    "9.61425": low_ammo,
}
"""The sub-steps in the order each side runs them. Rule: 9.614."""
_WRECKS = {TerrainKind.WRECK: "A Wreck", TerrainKind.BURNT_OUT_WRECK: "A Burnt-Out Wreck"}


def repair_and_replenishment(state: Told) -> Script[Told]:
    """Decide what is repaired, Recalled, worn out, Scrounged and replenished.

    Each side does it by itself and in secret; both see the Wrecks that it leaves on the map.

    Rule: 9.614; ruling P-90.
    """
    for side in (Side.GERMAN, Side.BRITISH):
        before = state
        state = yield from secretly(
            in_own_catalogue(state, side, partial(_of_side, side=side)), side
        )
        state = yield from _wrecks_on_map(before, state)
    return state


def _of_side(state: Told, side: Side) -> Script[Told]:
    nothing = True
    for rule, procedure in PARAGRAPHS.items():
        said, state = yield from _hear(under(procedure(state, side), rule=rule))
        nothing = nothing and not said
    if nothing:
        yield Note("No Equipment needs repair or replenishment.")
    return state


def _wrecks_on_map(before: Campaign, state: Told) -> Script[Told]:
    """Tell both sides of the Wrecks that lie on the map now: nothing hides a Wreck. Rule: CG14."""
    for each in Counter(state.terrain) - Counter(before.terrain):
        if each.kind in _WRECKS:
            of = f" of a {each.type}" if each.type else ""
            yield Note(f"{_WRECKS[each.kind]}{of} lies in {each.at}.", "CG14")
    return keep_book(state, wreck_shown(before, state))


def _hear(script: Script[Told]) -> Script[tuple[bool, Told]]:
    """Run ``script`` and say whether it asked, rolled or told anything."""
    active, sent = False, None
    while True:
        try:
            item = script.send(sent)
        except StopIteration as finished:
            return active, finished.value
        active = True
        sent = yield item
