"""How much of a side a Location holds. Rule: A5.1, 9.606; ruling P-16."""

from __future__ import annotations

from collections.abc import Iterable

from asl_pbcg.campaign.catalogue import SMC
from asl_pbcg.campaign.game_system import UNITS
from asl_pbcg.campaign.pieces import Piece

_HALVES = {"squad": 2, "half_squad": 1, "crew": 1}


def stacking_kind(piece: Piece) -> str:
    """Which stacking limit a piece counts against: squad, smc or vehicle; empty if none does.

    Equipment counts against none, as does a vehicle in Bypass. Rule: A5.1; ruling P-16.
    """
    if piece.is_vehicle:
        return "" if piece.in_bypass else "vehicle"
    if not piece.is_personnel:
        return ""
    return "smc" if piece.kind in SMC else "squad" if piece.kind in _HALVES else ""


def excess_of(pieces: Iterable[Piece], locations: int = 1) -> dict[str, str]:
    """What free units of a side are too many for so many Locations: by squad, smc and vehicle.

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
