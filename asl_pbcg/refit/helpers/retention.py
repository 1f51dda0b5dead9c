"""Retaining a unit in an area it does not stand in: what comes along, and what stays behind."""

from __future__ import annotations

from asl_pbcg.campaign.areas.area_paths import AreaKind
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.position_words import EquipmentStatus
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_changes import transfer, update
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.refit.helpers.situation import setup_area


def retain(
    state: Campaign, id: str, kind: AreaKind, area: str, *, guns_too: bool = False
) -> Campaign:
    """Return the state with a unit Retained in a Setup Area, or off map at an Entry Area.

    What it possesses or tows, whom it guards, its Armor Leader and an MMC that mans it come along.
    A Gun that is neither towed nor dm stays behind; with ``guns_too`` only as P-38 has it. In a
    Setup Area ``at`` still says where a piece ended the scenario, until 9.620 sets it up; what was
    off map has no place until then.

    Rule: 9.6053, 9.6055, 9.6061, 9.608.
    """
    unit = state.piece(id)
    into = area if guns_too and kind == "Setup Area" else ""
    for gun in guns_left_behind(state, unit, into):
        state = transfer(state, gun.id)
    unit = state.piece(id)
    along, guards = {*unit.possesses, *unit.tows}, {id}
    for piece in state.pieces:
        if piece.aboard == id:
            along |= {piece.id, *piece.possesses}
            guards.add(piece.id)
    off_map = str(Location.off_map(area)) if kind == "Entry Area" else ""
    state = update(state, id, at=off_map or _on_map(unit), area=area, aboard="", listed_at="")
    for piece in state.pieces:
        guarded = piece.guarded_by in guards
        if guarded or piece.id in along:
            own = "" if guarded else area
            state = update(state, piece.id, at=off_map or _on_map(piece), area=own, listed_at="")
    return state


def _on_map(piece: Piece) -> str:
    """Return where a piece is on the map; empty if it was off map."""
    return "" if piece.off_map else piece.at


def guns_left_behind(state: Campaign, unit: Piece, into: str = "") -> list[Piece]:
    """Return the Guns a unit possesses that stay where they are: all but a dm one.

    ``into``: the Setup Area into which 9.6053 Retains the unit. Rule: 9.6055, 9.606.
    """
    return [
        gun
        for gun in guns_of(state, unit)
        if not gun.has(EquipmentStatus.DM) and not (into and _goes_along(state, gun, into))
    ]


def _goes_along(state: Campaign, gun: Piece, into: str) -> bool:
    """Say whether a Gun goes to a Setup Area with who possesses it.

    CG11 must leave it a hex of that area. Rule: 9.6053, CG11; house rule P-38.
    """
    is_bound = state.frame.guns.is_bound(gun.type, gun.location.hex)
    if state.plays("P-38", "stays") or is_bound:
        return False
    return not _setup_reach(state, gun).isdisjoint(state.areas[gun.side, into].hexes)


def can_meet(state: Campaign, gun: Piece, other: Piece) -> bool:
    """Return whether CG11 leaves two Guns on the map a hex in common to set up in."""
    return not _setup_reach(state, gun).isdisjoint(_setup_reach(state, other))


def _setup_reach(state: Campaign, gun: Piece) -> HexSet:
    """Return the hexes within three of where a Gun is; of one that never moves its own."""
    guns, here = state.frame.guns, gun.location.hex
    alone = state.board.grid.set([here])
    return alone if guns.is_bound(gun.type, here) else alone.spread(guns.setup_range)


def leader_on_foot(state: Campaign, crew: Piece) -> Piece | None:
    """Return the Armor Leader who left a vehicle with ``crew`` and stands where it does, or None.

    Rule: D3.4; ruling P-27.
    """
    if crew.kind != "crew" or not crew.on_map:
        return None
    found = (
        each
        for each in state.of(crew.side)
        if each.is_armor_leader and not each.aboard and (each.at, each.area) == (crew.at, crew.area)
    )
    return next(found, None)


def guns_of(state: Campaign, unit: Piece) -> list[Piece]:
    """Return the Guns a unit possesses."""
    held = (state.piece(item) for item in unit.possesses)
    return [piece for piece in held if piece.kind == "gun"]


def still_there(state: Campaign, piece: Piece) -> bool:
    """Return whether a piece is where ``at`` says, and has not been Retained elsewhere since.

    A prisoner is where his Guard is. Rule: 9.6053, 9.6061.
    """
    if piece.guarded_by:
        return still_there(state, state.piece(piece.guarded_by))
    here = setup_area(state, piece)
    return piece.on_map and piece.area in ("", here.id if here else "")
