"""Which Entry Areas are Eligible for the coming CG Date. Rule: 9.2 Entry Area, 9.6052, CG5."""

from __future__ import annotations

from functools import cache, reduce
from operator import or_

import msgspec

from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.board.entry_areas import entry_areas, reach_of
from asl_pbcg.campaign.module.house_rules import AreaRulings
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.hexes.hexset import HexSet

Sides = tuple[Side, Side]


class EntryState(msgspec.Struct, frozen=True, kw_only=True):
    """An Entry Area as it stands for the coming CG Date."""

    id: str
    """Its arrow hex."""
    side: Side
    hexes: HexSet
    eligible: bool
    goal: bool
    """Whether a path to it keeps a Location from being Isolated."""


@cache
def entry_states(
    board: Board, coming: CGDate | None, rulings: AreaRulings, sides: Sides
) -> dict[Side, tuple[EntryState, ...]]:
    """Return each side's Entry Areas, and whether each is Eligible on the CG Date ``coming``.

    German Entry Areas and Z28 always are; TT14 is on the CG Dates printed in its arrow.

    Rule: 9.2, 9.6052, CG5.
    """
    by_side: dict[Side, list[EntryState]] = {side: [] for side in sides}
    for arrow, area in entry_areas(board).items():
        eligible = area.available(coming or "")
        side, dated = Side(area.side), area.dates is not None
        if dated and coming is CGDate.DAY_2 and rulings.day_2_entry == "TT4":
            eligible = False
        if not dated and side is Side.BRITISH and rulings.z28 == "when-in-use":
            eligible = coming is not None and _in_use(board, coming)
        by_side[side].append(_state(arrow, area.hexes, side, eligible, dated, rulings))
    if rulings.day_2_entry == "TT4":
        hexes = _around(board, "TT4")
        eligible = coming is CGDate.DAY_2
        by_side[Side.BRITISH].append(_state("TT4", hexes, Side.BRITISH, eligible, True, rulings))
    return {side: tuple(states) for side, states in by_side.items()}


def _state(
    arrow: str, hexes: HexSet, side: Side, eligible: bool, dated: bool, rulings: AreaRulings
) -> EntryState:
    """``dated``: a British arrow that names its CG Dates is not a goal if the players chose so."""
    goal = eligible and not (dated and rulings.british_goals == "glider-z28")
    return EntryState(id=arrow, side=side, hexes=hexes, eligible=eligible, goal=goal)


@cache
def goal_bits(
    board: Board, coming: CGDate | None, rulings: AreaRulings, sides: Sides
) -> tuple[int, int]:
    """Give the hexes of each side's Entry Areas that count against Isolation, as bits."""
    states = entry_states(board, coming, rulings, sides)
    first, second = (
        reduce(or_, (state.hexes.bits for state in states[side] if state.goal), 0) for side in sides
    )
    return first, second


def _around(board: Board, arrow: str) -> HexSet:
    return board.grid.set([arrow]).spread(reach_of(board)) & board.edge & board.in_play


def _in_use(board: Board, coming: CGDate) -> bool:
    """Return whether reinforcements of a CG Date may enter by Z28: notes 1 and 3 of 9.6152."""
    from asl_pbcg.campaign.module.charts import Charts

    reinforcements = Charts(board.folder).reinforcements.dates.get(coming)
    return reinforcements is not None and not {1, 3}.isdisjoint(reinforcements.notes)
