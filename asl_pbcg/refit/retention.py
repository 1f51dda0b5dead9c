"""Retaining a unit in an area it does not stand in: what comes along, and what stays behind."""

from __future__ import annotations

from asl_pbcg.campaign.area_paths import AreaKind
from asl_pbcg.campaign.state import Campaign, Piece, transfer, update


def retained(state: Campaign, id: str, kind: AreaKind, area: str) -> Campaign:
    """The state with a unit Retained in another area: a Setup Area, or off map at an Entry Area.

    What it possesses or tows, whom it guards and its Armor Leader come along. A Gun that is not
    towed stays where it is. What comes into a Setup Area has no Location until 9.620; a towed Gun
    keeps the one it had, as CG11 asks for it.

    Rule: 9.6053, 9.6055, 9.6061, 9.608.
    """
    unit = state.piece(id)
    for gun in left_behind(state, unit):
        state = transfer(state, gun.id)
    unit = state.piece(id)
    along = {*unit.possesses, *unit.tows}
    at = "" if kind == "Setup Area" else f"off-map {area}"
    state = update(state, id, at=at, area=area, aboard="")
    for each in state.pieces:
        if each.guarded_by == id or (each.aboard == id and each.is_armor_leader):
            own = area if each.side is unit.side else ""
            state = update(state, each.id, at=at, area=own)
        elif each.id in along:
            keeps = each.kind == "gun" and not at
            state = update(state, each.id, at=each.at if keeps else at, area=area)
    return state


def left_behind(state: Campaign, unit: Piece) -> list[Piece]:
    """The Guns a unit possesses; no Gun moves in the RePh but one that is towed. Rule: 9.6055."""
    held = (state.piece(item) for item in unit.possesses)
    return [piece for piece in held if piece.kind == "gun"]
