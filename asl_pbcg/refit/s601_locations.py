"""9.601 What Melee asks of a Location: who fights there, and where a unit may Withdraw to."""

from __future__ import annotations

from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_words import UnitStatus, VehicleStatus
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.refit.situation import PLUS_1, at_location


def fighters(state: Campaign, place: str) -> list[Piece]:
    """The units that take part in Melee in a Location: Personnel and manned vehicles.

    Prisoners do not, nor does what is abandoned. Rule: 9.601.
    """
    return [
        piece
        for piece in at_location(state, place)
        if (piece.is_personnel and not piece.is_prisoner)
        or (piece.is_vehicle and not piece.has(VehicleStatus.ABANDONED))
    ]


def in_melee(state: Campaign, place: str) -> bool:
    """Whether opposing units share the Location, at least one of them Personnel. Rule: 9.601."""
    units = fighters(state, place)
    return len({unit.side for unit in units}) == 2 and any(unit.is_personnel for unit in units)


def can_attack(state: Campaign, place: str) -> bool:
    """Whether anybody in the Location can still make a CC attack. Rule: 9.601, A11.1."""
    return in_melee(state, place) and any(
        not unit.has(UnitStatus.BROKEN, UnitStatus.UNARMED, VehicleStatus.SHOCKED, VehicleStatus.UK)
        and not (unit.has(VehicleStatus.STUNNED) and not unit.has(PLUS_1))
        for unit in fighters(state, place)
    )
