"""Where a group may Shift, by which path. Rule: 9.613."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import atan2

from asl_pbcg.campaign.area_map import SetupArea
from asl_pbcg.campaign.area_paths import (
    NOTHING_CLOSED,
    AreaKind,
    Closed,
)
from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.campaign_tables import table
from asl_pbcg.campaign.eligible import EntryState
from asl_pbcg.campaign.entry_areas import entry_areas
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.kernel.tables import Given, circumstances
from asl_pbcg.refit.paths import eligible_entries, fewest


@dataclass(frozen=True, slots=True)
class ShiftWay:
    """Where a group may Shift, by the path with the best total DRM."""

    kind: AreaKind
    id: str
    automatic: bool
    """Whether the Entry Area is part of or adjacent to the Setup Area: no DR."""
    road: bool
    """Whether that path runs on road hexes only."""
    uncontrolled: int
    """How many Uncontrolled-Territory hexes lie on it between the two areas."""
    path: tuple[str, ...]
    """The path; empty from one Entry Area to another."""

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"

    @property
    def given(self) -> Given:
        """The circumstances for the Shift table."""
        return circumstances(road=self.road, distance=self.uncontrolled or False)

    @property
    def drm(self) -> int:
        """The total DRM to the Shift DR."""
        return sum(each.value for each in table("shift").modifiers(self.given))


def shift_ways(
    state: Campaign, units: Sequence[Piece], closed: Closed = NOTHING_CLOSED
) -> list[ShiftWay]:
    """Return where ``units``, all Retained in one Setup/Entry Area, may Shift to.

    From a Setup Area: every other friendly Setup Area that is not Isolated and every Eligible
    Entry Area, if there is a path of Enterable Uncontrolled-Territory, friendly Setup-Area and
    Eligible Entry-Area hexes. From an Entry Area: the next one, or a Setup Area by such a path.

    Rule: 9.613, 9.605; house rules B-05, C-14, C-16, C-17; rulings P-10, P-11, P-94.
    """
    return list(each_shift_way(state, units, closed))


def each_shift_way(
    state: Campaign, units: Sequence[Piece], closed: Closed = NOTHING_CLOSED
) -> Iterator[ShiftWay]:
    """Go through what ``shift_ways`` gives, each looked for when it is wanted. Rule: 9.613."""
    areas = state.areas
    side, start = units[0].side, units[0].area
    own = next((area for area in areas.areas[side] if area.id == start), None)
    entries = eligible_entries(state, units)
    goals: list[SetupArea | EntryState] = [
        area
        for area in areas.areas[side]
        if area.id != start and not area.alone and _may_shift_to(state, own, area)
    ]
    if own and _may_shift_to(state, own, None):
        goals += entries
    for goal in goals:
        way = _shift_way(state, units, own, goal, closed, entries)
        if way:
            yield way
    if own is None:
        near = next_entry_areas(state, side, start)
        for entry in entries:
            if entry.id != start and entry.id in near:
                yield ShiftWay("Entry Area", entry.id, False, False, 0, ())


def _may_shift_to(state: Campaign, own: SetupArea | None, to: SetupArea | None) -> bool:
    """Return whether Isolation allows it. Rule: 9.605, 9.613; house rule C-16."""
    if state.plays("C-16", "isolated-allowed"):
        return True
    return not (own and own.isolated) and not (to and to.isolated)


def next_entry_areas(state: Campaign, side: Side, arrow: str) -> list[str]:
    """Return the Entry Areas of ``side`` next to ``arrow`` along the map edge, either way.

    With an enemy Entry Area in between it is not the next. Rule: 9.613; house rule C-14.
    """
    areas = state.areas
    owners = {entry.id: entry.side for each in state.sides for entry in areas.entry_areas[each]}
    if state.plays("C-14", "any"):
        return [id for id, owner in owners.items() if owner is side and id != arrow]
    grid = areas.board.grid
    middle = grid.width / 2, grid.height / 2

    def along_edge(id: str) -> float:
        x, y = grid.centre(id)
        return atan2((y - middle[1]) / grid.height, (x - middle[0]) / grid.width)

    round_map = sorted(owners, key=along_edge)
    here = round_map.index(arrow)
    beside = {round_map[here - 1], round_map[(here + 1) % len(round_map)]} - {arrow}
    return [id for id in round_map if id in beside and owners[id] is side]


def _shift_way(
    state: Campaign,
    units: Sequence[Piece],
    own: SetupArea | None,
    to: SetupArea | EntryState,
    closed: Closed,
    entries: Sequence[EntryState],
) -> ShiftWay | None:
    """Return the way with the lowest DRM, then the shortest: any path, or one on roads only."""
    board = state.areas.board
    kind: AreaKind = "Setup Area" if isinstance(to, SetupArea) else "Entry Area"
    automatic = bool(
        own
        and kind == "Entry Area"
        and not (own.hexes | own.hexes.neighbours()).isdisjoint(to.hexes)
    )
    over = _open_hexes(state, units[0].side, closed, entries)
    starts, between = _start(state, units[0], own, over)
    if kind == "Entry Area":
        between -= to.hexes
    vehicle = any(unit.is_vehicle for unit in units)
    ways = []
    for road, hexes in ((False, over), (True, over & _road_hexes(board))):
        begin = starts & _road_hexes(board) if road else starts
        path = fewest(board, begin, to.hexes & hexes, hexes, between, vehicle, closed)
        if path is not None:
            count = sum(name in between for name in path)
            ways.append(ShiftWay(kind, to.id, automatic, road, count, path))
    if not ways and own is None and kind == "Setup Area" and state.plays("C-17", "no-path"):
        return ShiftWay(kind, to.id, False, False, 0, ())
    return min(ways, key=lambda way: (way.drm, len(way.path)), default=None)


def _open_hexes(
    state: Campaign, side: Side, closed: Closed, entries: Sequence[EntryState]
) -> HexSet:
    """Return the Enterable hexes over which a path of ``side`` may run. Rule: 9.613, P-94."""
    areas = state.areas
    grid = areas.board.grid
    over = areas.uncontrolled | areas.friendly(side)
    for each in entries:  # even in No Man's Land or an enemy Setup Area: P-94
        over |= each.hexes
    return over & (HexSet(grid, areas.ground.enterable) - grid.set(closed.hexes))


def _start(
    state: Campaign, unit: Piece, own: SetupArea | None, over: HexSet
) -> tuple[HexSet, HexSet]:
    """Return the hexes a path begins in, and the Uncontrolled Territory that counts on it."""
    areas = state.areas
    if own:
        return own.hexes, areas.uncontrolled  # all of it is friendly-Controlled: P-11
    entry = entry_areas(areas.board).get(unit.area)
    starts = (entry.hexes if entry else areas.board.grid.set([unit.area])) & over
    return starts, areas.uncontrolled - starts


@cache
def _road_hexes(board: Board) -> HexSet:
    return board.grid.set(info.name for info in board if info.road_sides or info.road_along)
