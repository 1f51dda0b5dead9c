"""How much of a side a Location holds. Rule: A5.1, 9.606; ruling P-16."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from asl_pbcg.campaign.areas.area_map import SetupArea
from asl_pbcg.campaign.module.catalogue import SMC
from asl_pbcg.campaign.module.frame import UNITS
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_changes import update
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.refit.helpers.situation import pieces_retained_in
from asl_pbcg.refit.setup.setup_rules import enterable_now

_HALVES = {"squad": 2, "half_squad": 1, "crew": 1}


def stacking_kind(piece: Piece) -> str:
    """Return which stacking limit a piece counts against: squad, smc, vehicle or none.

    Equipment counts against none, as does a vehicle in Bypass. Rule: A5.1; ruling P-16.
    """
    if piece.is_vehicle:
        return "" if piece.in_bypass else "vehicle"
    if not piece.is_personnel:
        return ""
    return "smc" if piece.kind in SMC else "squad" if piece.kind in _HALVES else ""


def excess_of(pieces: Iterable[Piece], locations: int = 1) -> dict[str, str]:
    """Return the excess of free units of a side in so many Locations, by squad, smc and vehicle.

    Rule: 9.606, A5.1; ruling P-16.
    """
    units = list(pieces)
    most = UNITS.content.stacking
    halves = sum(_HALVES[piece.kind] for piece in units if stacking_kind(piece) == "squad")
    smc = sum(stacking_kind(piece) == "smc" for piece in units)
    vehicles = sum(stacking_kind(piece) == "vehicle" for piece in units)
    found = {}
    if halves > 2 * most.squads * locations:
        whole, half = divmod(halves, 2)
        number = f"{whole}½" if half else str(whole)
        found["squad"] = f"{number} squad-equivalents of {most.squads * locations}"
    if smc > most.smc * locations:
        found["smc"] = f"{smc} SMC of {most.smc * locations}"
    if vehicles > most.vehicles * locations:
        found["vehicle"] = f"{vehicles} vehicles of {most.vehicles * locations}"
    return found


# -- Setup Areas -----------------------------------------------------------------------------------


def locations_of(state: Campaign, area: SetupArea) -> list[str]:
    """Return the Locations of a Setup Area that units can stand in, in board order."""
    ground = [name for name in area.hexes if name in enterable_now(state)]
    above = [str(location) for location in area.strategic_locations if not location.ground]
    return [*ground, *above]


def area_excess(
    state: Campaign, area: SetupArea, coming: Iterable[Piece] = (), going: Iterable[str] = ()
) -> dict[str, str]:
    """Return the excess of a Setup Area by squad, smc and vehicle; empty if all have room.

    ``coming`` are units that would come, ``going`` the ids of those that would not be there.

    Rule: 9.606, A5.1; ruling P-16.
    """
    left_out = set(going)
    inside = {piece.id: piece for piece in pieces_retained_in(state, area.side, area.id)}
    inside |= {piece.id: piece for piece in coming}
    units = [
        piece
        for id, piece in inside.items()
        if id not in left_out and not piece.is_prisoner and not piece.aboard
    ]
    return excess_of(units, max(1, len(locations_of(state, area))))


def no_room(
    state: Campaign, area: SetupArea, coming: Sequence[Piece], going: Iterable[str] = ()
) -> str:
    """Say by how much a Setup Area would be overstacked if units came; empty if they have room.

    An area with too many MMC still takes leaders, and so on for each kind. ``going`` are the ids of
    units that leave it. Rule: A5.1; ruling P-16.
    """
    kinds = {stacking_kind(piece) for piece in coming}
    excess = area_excess(state, area, coming, going)
    return " and ".join(words for kind, words in excess.items() if kind in kinds)


def arrive(state: Campaign, id: str, place: str) -> Campaign:
    """Return the state with a unit, what it has and whom it guards in a Location of its area."""
    piece = state.piece(id)
    along = [piece.id for piece in state.pieces if id in (piece.guarded_by, piece.aboard)]
    for each in (id, *piece.possesses, *along):
        state = update(state, each, at=place, area="")
    return state
