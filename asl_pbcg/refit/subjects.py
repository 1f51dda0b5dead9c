"""What a prompt is about where that is no single piece: a side, several units, a place, a try."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.terms import Side


class About(NamedTuple):
    """What is asked about, whose it is and where: a ``Subject`` of the kernel's prompts."""

    id: str
    side: str
    at: str = ""


def whole_side(side: Side) -> About:
    """All of a side."""
    return About(side.value, side)


def stack_of(units: Sequence[Piece]) -> About:
    """Units of one side that act together, in the place of the first."""
    return About(" ".join(unit.id for unit in units), units[0].side, units[0].at)


def side_at(side: Side, place: str) -> About:
    """What a side has in a Location."""
    return About(f"{place} {side.value}", side, place)


def side_in(side: Side, area: str) -> About:
    """What a side has in one of its areas, or in several that are named together."""
    return About(f"{side.value} {area}", side, area)


def attempt_of(piece: Piece, number: int) -> About:
    """One of several attempts that a piece makes in a step, from 1 on."""
    return About(f"{piece.id} attempt {number}", piece.side, piece.at)
