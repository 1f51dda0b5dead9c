"""9.601, 9.12 What Melee costs: a unit reduced, Casualty VP lost, and who is lost no longer."""

from __future__ import annotations

from asl_pbcg.campaign.events import happen
from asl_pbcg.campaign.fact_events import CVPLost
from asl_pbcg.campaign.piece_changes import update
from asl_pbcg.campaign.piece_events import Reduced
from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import UnitStatus, VehicleStatus
from asl_pbcg.campaign.state import Campaign, Told, with_account
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Script, yes_no
from asl_pbcg.refit.situation import PLUS_1, fighters, in_melee
from asl_pbcg.refit.unit_changes import captured_vp, cvp_of


def reduce_in_melee(state: Told, piece: Piece) -> Script[Told]:
    """Reduce a squad to its HS; a prisoner's CVP were lost when it was captured. Rule: A7.302."""
    entry = state.catalogue.infantry(piece.type, piece.side)
    before = cvp_of(state, piece)
    after = update(state, piece.id, type=entry.half_squad)
    where = f" in {piece.at}"
    state = yield from happen(
        state, after, Reduced(piece=piece, to=after.piece(piece.id), where=where)
    )
    if piece.is_prisoner:
        return state
    return (yield from lose_vp(state, piece.side, before - cvp_of(state, state.piece(piece.id))))


def lose_vp(state: Told, side: Side, count: int) -> Script[Told]:
    """Add to the CVP ``side`` lost in the scenario; it runs on through 9.603. Rule: 9.12."""
    if not count or state.account.scenario_ended:
        return state
    lost = dict(state.account.cvp_lost)
    lost[side] = max(0, lost.get(side, 0) + count)
    told = CVPLost(text=f"{side.title} Casualty VP {count:+d}, now {lost[side]}.", rule="9.12")
    return (yield from happen(state, with_account(state, cvp_lost=lost), told))


def no_longer_lost(state: Told, wards: list[Piece]) -> Script[Told]:
    """Take off the CVP of those who were prisoners and have been Rearmed. Rule: A26.222."""
    for ward in wards:
        rearmed = any(each.id == ward.id and not each.is_prisoner for each in state.pieces)
        if rearmed and (yield from _settle_whether_counted(state, ward)):
            state = yield from lose_vp(state, ward.side, -captured_vp(state, ward))
    return state


def _settle_whether_counted(state: Campaign, ward: Piece) -> Script[bool]:
    """Decide whether a prisoner's CVP are among those lost in this CG scenario. Rule: 9.12."""
    if not captured_vp(state, ward):
        return False
    if ward.received is state.date or state.date is state.frame.campaigns[state.campaign].dates[0]:
        return True
    return (
        yield from yes_no(
            state,
            "9.601.4b",
            f"Was {name_piece(ward)} captured in this CG scenario? Then its CVP are lost no "
            "longer.",
            "9.12",
            subject=ward,
        )
    )


# -- Who fights ------------------------------------------------------------------------------------


def can_attack(state: Campaign, place: str) -> bool:
    """Return whether anybody in the Location can still make a CC attack. Rule: 9.601, A11.1."""
    return in_melee(state, place) and any(
        not unit.has(UnitStatus.BROKEN, UnitStatus.UNARMED, VehicleStatus.SHOCKED, VehicleStatus.UK)
        and not (unit.has(VehicleStatus.STUNNED) and not unit.has(PLUS_1))
        for unit in fighters(state, place)
    )
