"""9.51, 9.52 CG Victory Conditions and CG End."""

from __future__ import annotations

from asl_pbcg.campaign.state import Campaign, change
from asl_pbcg.campaign.terms import Side


def conceded(state: Campaign, loser: Side) -> Campaign:
    """The campaign after ``loser`` concedes CG victory: CG End. Rule: 9.2 CG End."""
    name = "British" if loser is Side.BRITISH else "Germans"
    return change(state, ended=f"{loser.other.title} victory: the {name} concede the CG.")


def winner(state: Campaign) -> Side | None:
    """The side that won the CG, or None before CG End. Rule: 9.2 CG End."""
    for side in Side:
        if state.ended.startswith(f"{side.title} victory"):
            return side
    return None
