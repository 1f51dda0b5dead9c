"""Fortifications bought for a CG scenario: which they are on the map, and where they set up.

Rule: 9.619, 9.62022, B28.53.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from asl_pbcg.campaign.fortification_ground import fortification_refusal
from asl_pbcg.campaign.position import Fortification
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.recorded import Bought
from asl_pbcg.campaign.state import Campaign, change
from asl_pbcg.campaign.terms import Side


def sets_up(state: Campaign, bought: Bought) -> bool:
    """Return whether ``bought`` is a Fortification that sets up in the coming CG scenario."""
    chart = state.charts.fortifications.kinds[bought.kind]
    return bought.date is state.date and bool(chart.size or bought.factors)


def purchase_name(state: Campaign, bought: Bought) -> str:
    """Name a purchase by its table and number: ``6 x A-P Mine Factor (purchase 3)``."""
    name = state.charts.fortifications.kinds[bought.kind].name
    factors = f"{bought.factors} x " if bought.factors else ""
    return f"{factors}{name} (purchase {bought.key.rpartition('-')[2]})"


def as_fortification(state: Campaign, bought: Bought) -> Fortification:
    """Return a purchase as it stands on the map, its place empty while no hex is recorded.

    Each sets up hidden, except A-T mines on a paved road or bridge. Rule: 9.62022, B28.53.
    """
    size = state.charts.fortifications.kinds[bought.kind].size
    made = Fortification(
        kind=FortificationKind.FOXHOLE if size else FortificationKind(bought.kind),
        at=bought.at,
        owner=bought.side,
        size=size or bought.factors,
        hidden=True,
    )
    seen = made.kind is FortificationKind.AT_MINES and bought.at
    if seen and fortification_refusal(state.board, state.terrain, made):
        return msgspec.structs.replace(made, hidden=False)
    return made


def newly_bought(state: Campaign, unplaced: bool = False) -> list[Fortification]:
    """Return the Fortifications bought for this CG Date where 9.620 recorded.

    With ``unplaced`` also those whose hex is not recorded yet. Rule: 9.619, 9.62022.
    """
    standing = {(each.kind, each.at) for each in state.fortifications}
    found = [
        as_fortification(state, each)
        for each in state.bought
        if sets_up(state, each) and (each.at or unplaced)
    ]
    return [each for each in found if (each.kind, each.at) not in standing]


def unplaced_purchases(state: Campaign, side: Side) -> list[Bought]:
    """Return what ``side`` bought for this CG Date and no hex is recorded for. Rule: 9.62022."""
    return [
        each for each in state.bought if each.side is side and sets_up(state, each) and not each.at
    ]


def match_purchases(
    state: Campaign, side: Side, listed: Iterable[Fortification]
) -> tuple[dict[str, str], list[Fortification]]:
    """Return the hex of each purchase of ``side`` that ``listed`` shows, and what is none.

    What stands on the map already or belongs to the OB is neither. Rule: 9.619, 9.62022.
    """
    standing = {(each.kind, each.at) for each in state.fortifications}
    own = [each for each in state.bought if each.side is side and sets_up(state, each)]
    places: dict[str, str] = {}
    others = []
    for each in listed:
        if each.owner not in (None, side) or not each.at or (each.kind, each.at) in standing:
            continue
        hex = each.location.hex
        found = [
            bought
            for bought in own
            if bought.key not in places
            and bought.at in ("", hex)
            and _is_of(as_fortification(state, bought), each)
        ]
        if found:
            places[max(found, key=lambda bought: bool(bought.at)).key] = hex
        else:
            others.append(each)
    return places, others


def _is_of(bought: Fortification, listed: Fortification) -> bool:
    return bought.kind == listed.kind and listed.size in (None, bought.size)


def with_purchases_placed(state: Campaign, places: Mapping[str, str]) -> Campaign:
    """Record the hexes of purchases, by key. Rule: 9.62022."""
    if not places:
        return state
    bought = tuple(
        msgspec.structs.replace(each, at=places.get(each.key, each.at)) for each in state.bought
    )
    return change(state, bought=bought)
