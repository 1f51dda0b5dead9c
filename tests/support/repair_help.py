"""Campaigns for the tests of 9.614 to 9.616, and what a roll was made with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from refit_helpers import campaign_at

from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.prompts import Prompt, Roll, Script
from asl_pbcg.refit import s614_captured, s614_repair
from asl_pbcg.refit.helpers import scrounging

Procedure = Callable[[Campaign], Script[Campaign]]
BRITISH_HELD = ["M12", "Z21"]
GERMAN_HELD = ["A7", "JJ12"]
RING = ["G8", "I8", "K8", "G10", "K10", "G12", "I12", "K12", "H6", "J6", "H14", "J14"]
REPAIR = {
    "british": {"LMG": {"repair": 1}, "PIAT": {"repair": 1}, "57L AT": {"repair": 1}},
    "german": {"LMG": {"repair": 1}, "MMG": {"repair": 2}, "50L AT": {"repair": 1}},
}
"""Repair Numbers that the players have read off their counters already."""


def both(procedure: Callable[[Campaign, Side], Script[Campaign]]) -> Procedure:
    """A paragraph of 9.614 for one side after the other."""

    def run(state: Campaign) -> Script[Campaign]:
        for side in Side:
            state = yield from procedure(state, side)
        return state

    return run


abandoned_vehicles = both(s614_repair.abandoned_vehicles)
immobilization_repair = both(s614_repair.immobilization_repair)
recall = both(s614_repair.recall)
stun_recovery = both(s614_repair.stun_recovery)
weapon_repair = both(s614_repair.weapon_repair)
mg_exchange = both(s614_repair.mg_exchange)
captured_equipment = both(s614_captured.captured_equipment)
wrecks_and_scrounging = both(scrounging.wrecks_and_scrounging)
special_ammo = both(s614_repair.special_ammo)
low_ammo = both(s614_repair.low_ammo)


def campaign(*pieces: Piece, played: CGDate = CGDate.DAWN, **fields: Any) -> Campaign:
    """After the scenario ``played``, the new CG Date begun.

    British Setup Areas A (M12) and B (Z21), German ones A (A7) and B (JJ12); none is Isolated.
    """
    fields.setdefault("british", BRITISH_HELD)
    fields.setdefault("german", GERMAN_HELD)
    fields.setdefault("catalogue_corrections", REPAIR)
    state = campaign_at("9.614", *pieces, date=played, **fields)
    coming = played.next
    assert coming
    return change(state, date=coming)


def isolated_british(*pieces: Piece, **fields: Any) -> Campaign:
    """One British Setup Area A (I10) with Germans all round it: it is Isolated."""
    return campaign(*pieces, british=["I10"], german=RING, **fields)


def isolated_germans(*pieces: Piece, **fields: Any) -> Campaign:
    """One German Setup Area A (I10) with British all round it: it is Isolated."""
    return campaign(*pieces, british=RING, german=["I10"], **fields)


def rolls(asked: list[Prompt | Roll]) -> list[Roll]:
    """The rolls among what was asked."""
    return [each for each in asked if isinstance(each, Roll)]


def drm(roll: Roll) -> dict[str, int]:
    """The modifiers of a roll, by name."""
    assert roll.table
    return {each.name: each.value for each in roll.table.modifiers(roll.given)}


def prompts(asked: list[Prompt | Roll]) -> list[Prompt]:
    """The prompts among what was asked."""
    return [each for each in asked if isinstance(each, Prompt)]
