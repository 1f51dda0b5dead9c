"""Ways from outside to a friendly Setup Area or Eligible Entry Area. Rule: 9.6053, 9.6061."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Literal

from asl_pbcg.campaign.area_map import AreaMap
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.terms import Side
from asl_pbcg.hexes.hexset import HexSet


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a unit may go, by a path as good as any."""

    kind: Literal["Setup Area", "Entry Area"]
    id: str
    """The Setup Area's ID or the Entry Area's arrow hex."""
    enemy_hexes: int
    """How many hexes of enemy Setup Areas the path enters."""
    length: int
    """How many hexes the path enters."""
    path: tuple[str, ...]
    """The hexes from start to end."""

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


def retained_to(areas: AreaMap, side: Side, start: Location) -> list[Destination]:
    """Find what a unit in Uncontrolled Territory is Retained into: one nearest area, or several.

    The path runs over Enterable Uncontrolled-Territory hexes only, for Infantry. No result means
    that the unit must attempt Escape; of several its owner chooses.

    Rule: 9.6053.
    """
    return _nearest(areas, side, start.hex, areas.uncontrolled, areas.board.grid.none)


def escape_to(
    areas: AreaMap,
    side: Side,
    start: Location,
    *,
    through_no_mans_land: bool = True,
    nearest_first: bool = False,
) -> list[Destination]:
    """Find where an Escape may lead: the nearest area, or several of which the owner chooses.

    The path runs over Enterable Uncontrolled-Territory and enemy Setup-Area hexes, for Infantry,
    with as few enemy hexes as possible, then as short as possible. House rule C-79 lets it cross
    No Man's Land, C-58 may put the length first. From a friendly Setup Area the path must lead
    to another.

    Rule: 9.6061.
    """
    enemy = areas.friendly(side.other)
    over = areas.uncontrolled | enemy
    if through_no_mans_land:
        over |= areas.no_mans_land
    own = areas.area_of(side, start)
    return _nearest(areas, side, start.hex, over, enemy, own.id if own else "", nearest_first)


def _nearest(
    areas: AreaMap,
    side: Side,
    start: str,
    over: HexSet,
    enemy: HexSet,
    leaving: str = "",
    nearest_first: bool = False,
) -> list[Destination]:
    board = areas.board
    enterable = HexSet(board.grid, areas.ground.enterable)
    goals: dict[str, list[tuple[Literal["Setup Area", "Entry Area"], str]]] = {}
    for area in areas.areas[side]:
        if area.id != leaving:
            for name in area.hexes & enterable:
                goals.setdefault(name, []).append(("Setup Area", area.id))
    for entry in areas.entry_areas[side]:
        if entry.eligible:
            for name in entry.hexes & enterable & over:
                goals.setdefault(name, []).append(("Entry Area", entry.id))
    allowed = over & enterable
    if leaving:
        for area in areas.areas[side]:
            if area.id == leaving:
                allowed |= area.hexes & enterable
    found: dict[tuple[str, str], Destination] = {}
    best: tuple[int, int] | None = None
    queue: list[tuple[tuple[int, int], int, tuple[str, ...]]] = [((0, 0), 0, (start,))]
    seen: set[str] = set()
    while queue:
        cost, _, path = heapq.heappop(queue)
        here = path[-1]
        if best is not None and cost > best:
            break
        if here in seen:
            continue
        seen.add(here)
        enemies, length = cost if not nearest_first else cost[::-1]
        for kind, id in goals.get(here, ()):
            best = cost
            found.setdefault((kind, id), Destination(kind, id, enemies, length, path))
        for name in board.grid.neighbours(here):
            if name in seen or not board.crossable(here, name):
                continue
            if name in allowed or name in goals:
                entered = enemies + (name in enemy)
                rank = (length + 1, entered) if nearest_first else (entered, length + 1)
                heapq.heappush(queue, (rank, board.grid.index(name), (*path, name)))
    return sorted(found.values(), key=lambda each: (each.kind != "Setup Area", each.id))
