"""How much of a side a Location holds. Rule: A5.1, 9.606; ruling P-16."""

from __future__ import annotations

from collections.abc import Iterable

from asl_pbcg.campaign.catalogue import SMC
from asl_pbcg.campaign.game_system import UNITS
from asl_pbcg.campaign.pieces import Piece

_HALVES = {"squad": 2, "half_squad": 1, "crew": 1}


def excess_of(pieces: Iterable[Piece], locations: int = 1) -> dict[str, str]:
    """What free units of a side are too many for so many Locations: by squad, smc and vehicle.

    Rule: 9.606, A5.1; ruling P-16.
    """
    units = list(pieces)
    most = UNITS.content.stacking
    halves = sum(_HALVES.get(piece.kind, 0) for piece in units)
    smc = sum(piece.kind in SMC and piece.is_personnel for piece in units)
    vehicles = sum(piece.is_vehicle and not piece.in_bypass for piece in units)
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
