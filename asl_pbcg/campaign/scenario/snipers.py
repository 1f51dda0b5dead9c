"""CG13 Snipers: the SAN in force while somebody Controls II13, and two Snipers a side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from asl_pbcg.campaign.module.frame import Frame
from asl_pbcg.campaign.position_words import TerrainKind
from asl_pbcg.campaign.state.campaign_state import Campaign, with_account
from asl_pbcg.campaign.terms import Side

if TYPE_CHECKING:
    from asl_pbcg.campaign.board.board import Board

_GONE = frozenset({TerrainKind.RUBBLE_STONE, TerrainKind.RUBBLE_WOOD, TerrainKind.SHELLHOLE})


def ii13_holders(state: Campaign) -> list[Side]:
    """The sides that Control a Location of the building in II13; none once it is rubble.

    Rule: CG13; ruling P-53.
    """
    building = state.frame.san.building
    if any(terrain.kind in _GONE and terrain.location.hex == building for terrain in state.terrain):
        return []
    return [
        side
        for side in state.sides
        if any(place.hex == building for place in state.control.locations(side))
    ]


def ii13_controller(state: Campaign) -> Side | None:
    """The side that Controls the building in II13: every Location of it that is Controlled.

    Otherwise what was settled for the CG Date. Rule: CG13, 9.61222.
    """
    holders = ii13_holders(state)
    if len(holders) == 1:
        return holders[0]
    return Side(state.ii13) if state.ii13 else None


def ii13_change(state: Campaign) -> int:
    """Return the change that II13 makes to the German SAN on the current CG Date: +2, -2 or 0.

    Rule: CG13; house rules C-24, C-75.
    """
    chart = state.frame.san
    dates = state.frame.campaigns[state.campaign].dates
    if state.date not in chart.ii13_dates or state.plays("C-24", "once"):
        return 0
    if state.date is dates[0] and state.plays("C-75", "from-second"):
        return 0
    change: int = chart.ii13_change
    return {Side.GERMAN: change, Side.BRITISH: -change, None: 0}[ii13_controller(state)]


def san_in_force(state: Campaign, side: Side) -> int:
    """Return the SAN of ``side`` in the scenario of the current CG Date, II13 counted.

    ``state.san`` is the SAN without II13. If P-55 raises only the SAN in force, it is 2 at least
    while the British Control II13 since 9.612.

    Rule: CG13, 9.6122; house rules C-24, C-25, C-75, P-55.
    """
    base = state.san.get(side, 0)
    if side is Side.BRITISH:
        return base
    by = ii13_change(state)
    san = san_changed(state, base, by)
    raised = by < 0 and state.ii13 == Side.BRITISH and state.plays("P-55", "in-force")
    return max(san, state.frame.san.least) if raised else san


def san_changed(state: Campaign, san: int, by: int) -> int:
    """A German SAN after a change that II13 makes: 7 at most. Rule: CG13; house rule C-25."""
    chart = state.frame.san
    if by > 0:
        most: int = chart.ii13_most
        return max(san, min(san + by, most))
    least: int = chart.least if state.plays("C-25", "floor-2") else 0
    return min(san, max(san + by, least))


def san_recorded(state: Campaign) -> Campaign:
    """The state with the SAN in force in the account of the CG Date. Rule: 9.2 CG Roster."""
    return with_account(state, san={side: san_in_force(state, side) for side in state.sides})


def snipers_apart(
    first: str, second: str, allowed: Iterable[str], board: Board, frame: Frame
) -> bool:
    """Whether two Sniper counters of a side stand far enough apart.

    They must be ten hexes apart, or as far as the hexes ``allowed`` to them can be. Rule: CG13.
    """
    apart: int = frame.snipers.apart
    distance = board.distance(first, second)
    if distance >= apart:
        return True
    places = list(allowed)
    widest = max(
        (board.distance(one, other) for one in places for other in places), default=distance
    )
    return distance >= min(widest, apart)


def acting_sniper(dr: int, frame: Frame) -> int:
    """Which of a side's two Snipers attacks, by a dr with equal chances: 1 or 2. Rule: CG13."""
    counters: int = frame.snipers.counters
    return 1 + (dr - 1) * counters // 6
