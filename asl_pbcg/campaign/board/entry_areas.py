"""Entry Areas: where forces come onto the map, from the red arrows printed on it."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from asl_pbcg.campaign.board.board import Board, load_board
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.kernel.typed_data import DataFile, data_file


class EntryArea(msgspec.Struct, frozen=True, kw_only=True):
    """One Entry Area, called by its arrow hex. Rule: 9.2, CG5, 9.61741."""

    arrow: str
    side: Side
    """The side whose nationality symbol the arrow shows."""
    hexes: HexSet
    """The arrow hex and every map-edge hex at most four hexes from it: nine hexes."""
    cost: int | None = None
    """The CPP Entry Cost printed in a German arrow."""
    dates: tuple[str, ...] | None = None
    """The CG Dates printed in a British arrow ("day-2"); None is every CG Date."""
    map_edge: str = ""
    """The edge it lies on, by the map's compass: north, east, south, west."""
    rule: str = ""

    def available(self, date: str) -> bool:
        """Say whether its arrow allows the CG Date ("day-2"); German arrows allow all."""
        return self.dates is None or date in self.dates


class _Reach(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    value: int
    rule: str


class _Arrow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    side: Side
    map_edge: Literal["north", "east", "south", "west"]
    rule: str
    cost: int | None = None
    dates: tuple[CGDate, ...] | Literal["all"] = "all"


class EntryChart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``entry_areas.yaml``: the arrows, and how far an Entry Area reaches from one."""

    reach: _Reach
    arrows: dict[str, _Arrow]


@cache
def entry_file(folder: str) -> DataFile[EntryChart]:
    """The file of a module's Entry Areas."""
    return data_file(f"{folder}/entry_areas.yaml", EntryChart)


def reach_of(board: Board) -> int:
    """How many hexes an Entry Area reaches from its arrow along the map edge. Rule: 9.2."""
    return entry_file(board.folder).content.reach.value


def entry_areas(board: Board | None = None) -> dict[str, EntryArea]:
    """Give the Entry Areas by arrow hex: the German ones first, each side in order of the map.

    Rule: 9.2, CG5, 9.61741.
    """
    return dict(_entry_areas(board or load_board()))


@cache
def _entry_areas(board: Board) -> dict[str, EntryArea]:
    chart = entry_file(board.folder).content
    reach = chart.reach.value
    areas = {}
    for arrow, facts in chart.arrows.items():
        near = board.grid.set([arrow]).spread(reach) & board.edge & board.in_play
        areas[arrow] = EntryArea(
            arrow=arrow,
            side=facts.side,
            hexes=near,
            cost=facts.cost,
            dates=None if facts.dates == "all" else facts.dates,
            map_edge=facts.map_edge,
            rule=facts.rule,
        )
    return areas
