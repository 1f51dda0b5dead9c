"""Where a piece is Retained: the Setup Area it stands in or has gone to, and if that is Isolated.

Rule: 9.2 Retained, 9.6052, 9.6055.
"""

from __future__ import annotations

from asl_pbcg.campaign.area_map import SetupArea
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.state import Campaign


def setup_area(state: Campaign, piece: Piece) -> SetupArea | None:
    """The friendly Setup Area ``piece`` stands in on the map, or None."""
    return state.areas.area_of(piece.side, piece.location) if piece.on_map else None


def retained_area(state: Campaign, piece: Piece) -> SetupArea | None:
    """The friendly Setup Area ``piece`` is Retained in, or None if off map or nowhere yet."""
    for area in state.areas.areas[piece.side]:
        if area.id == piece.area:
            return area
    return None


def has_left(state: Campaign, piece: Piece) -> bool:
    """Whether ``piece`` was Retained elsewhere than where it stood when the scenario ended.

    It Escaped, Shifted or was freed; its Location is not known until it sets up. Rule: 9.6061,
    9.613.
    """
    here = setup_area(state, piece)
    return piece.on_map and piece.area not in ("", here.id if here else "")


def is_isolated(state: Campaign, piece: Piece) -> bool:
    """Whether ``piece`` is Isolated: by its Location, or by the area it was Retained into since.

    A vehicle may be where Infantry is not: house rule P-26. Rule: 9.6052, 9.6057.
    """
    if piece.on_map and not has_left(state, piece):
        if piece.id in state.cut_off and setup_area(state, piece):
            return True
        return state.areas.is_isolated(piece.side, piece.location)
    area = retained_area(state, piece)
    return bool(area and area.isolated)
