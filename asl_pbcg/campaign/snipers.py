"""CG13 Snipers: the SAN in force while somebody Controls II13, and two Snipers a side."""

from __future__ import annotations

from collections.abc import Iterable

from asl_pbcg.campaign.charts import frame
from asl_pbcg.campaign.rulings import choice
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.hexes.board import Board


def ii13_controller(state: Campaign) -> Side | None:
    """The side that Controls the building in II13: every Location of it that is Controlled.

    Rule: CG13, 9.61222.
    """
    building = frame().san["building"]
    holders = {
        side
        for side in Side
        if any(place.hex == building for place in state.control.locations(side))
    }
    return holders.pop() if len(holders) == 1 else None


def ii13_change(state: Campaign) -> int:
    """What II13 does to the German SAN on the current CG Date: +2, -2 or 0.

    Rule: CG13; house rules C-24, C-75.
    """
    chart = frame().san
    dates = frame().campaigns[state.campaign].dates
    if state.date not in chart["ii13_dates"] or choice(state.house_rules, "C-24") == "once":
        return 0
    if state.date is dates[0] and choice(state.house_rules, "C-75") == "from-second":
        return 0
    change: int = chart["ii13_change"]
    return {Side.GERMAN: change, Side.BRITISH: -change, None: 0}[ii13_controller(state)]


def san_in_force(state: Campaign, side: Side) -> int:
    """The SAN of ``side`` in the scenario of the current CG Date, II13 counted.

    ``state.san`` is the SAN without II13. Rule: CG13; house rules C-24, C-25, C-75.
    """
    base = state.san.get(side, 0)
    if side is Side.BRITISH:
        return base
    chart = frame().san
    change = ii13_change(state)
    most: int = chart["ii13_most"]
    if change > 0:
        return max(base, min(base + change, most))
    least: int = chart["least"] if choice(state.house_rules, "C-25") == "floor-2" else 0
    return min(base, max(base + change, least))


def snipers_apart(first: str, second: str, allowed: Iterable[str], board: Board) -> bool:
    """Whether two Sniper counters of a side stand far enough apart.

    They must be ten hexes apart, or as far as the hexes ``allowed`` to them can be. Rule: CG13.
    """
    apart: int = frame().snipers["apart"]
    distance = board.distance(first, second)
    if distance >= apart:
        return True
    places = list(allowed)
    widest = max(
        (board.distance(one, other) for one in places for other in places), default=distance
    )
    return distance >= min(widest, apart)


def acting_sniper(dr: int) -> int:
    """Which of a side's two Snipers attacks, by a dr with equal chances: 1 or 2. Rule: CG13."""
    counters: int = frame().snipers["counters"]
    return 1 + (dr - 1) * counters // 6
