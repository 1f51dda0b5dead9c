"""Entry Areas: where forces come onto the map, from the red arrows printed on it."""

from __future__ import annotations

from functools import cache

import msgspec

from asl_pbcg.campaign.board import Board, load_board
from asl_pbcg.campaign.terms import Side
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.kernel.data import load_data


class EntryArea(msgspec.Struct, frozen=True, kw_only=True):
    """One Entry Area, called by its arrow hex. Rule: 9.2, CG5, 9.61741."""

    arrow: str
    side: Side
    """Whose nationality symbol the arrow shows."""
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


def entry_areas(board: Board | None = None) -> dict[str, EntryArea]:
    """Give the Entry Areas by arrow hex: the German ones first, each side in order of the map.

    Rule: 9.2, CG5, 9.61741.
    """
    return dict(_entry_areas(board or load_board()))


@cache
def _entry_areas(board: Board) -> dict[str, EntryArea]:
    data = load_data(f"{board.folder}/entry_areas.yaml")
    reach: int = data["reach"]["value"]
    areas = {}
    for arrow, said in data["arrows"].items():
        dates = said.get("dates", "all")
        near = board.grid.set([arrow]).spread(reach) & board.edge & board.in_play
        areas[arrow] = EntryArea(
            arrow=arrow,
            side=Side(said["side"]),
            hexes=near,
            cost=said.get("cost"),
            dates=None if dates == "all" else tuple(dates),
            map_edge=said["map_edge"],
            rule=said["rule"],
        )
    return areas
