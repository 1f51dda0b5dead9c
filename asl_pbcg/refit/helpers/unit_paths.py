"""Paths of the Refit Phase along which units are Retained, Escape, are freed or Shift.

All paths run over the Setup Areas that 9.605 determined and are traced for Infantry;
``vehicle_paths.py`` asks the players where the terrain of a path may stop a vehicle (P-10).
Rule: 9.6053, 9.6061, 9.608, 9.613.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import atan2
from typing import Protocol

from asl_pbcg.campaign.areas.area_map import AreaMap, SetupArea, Territory
from asl_pbcg.campaign.areas.area_paths import (
    NOTHING_CLOSED,
    AreaKind,
    Bounds,
    Closed,
    Destination,
    escape_hexes,
    escape_to,
    home_of_freed,
    nearest_retention,
    reaches_non_isolated,
    steps_of,
)
from asl_pbcg.campaign.areas.eligible_entry_areas import EntryState
from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.campaign_tables import table
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.kernel.tables import Given, circumstances
from asl_pbcg.refit.helpers.situation import territory
from asl_pbcg.refit.helpers.vehicle_paths import doubtful

# -- Which areas are open -----------------------------------------------------------------


def eligible_entries(state: Campaign, units: Iterable[Piece]) -> list[EntryState]:
    """Return the Entry Areas that are Eligible for all of ``units``, pieces of one side.

    Rule: 9.2 Entry Area, CG5; house rule B-05.
    """
    units = list(units)
    entries = [area for area in state.areas.entry_areas[units[0].side] if area.eligible]
    if state.plays("B-05", "paid-only") and units[0].side is Side.GERMAN:
        paid = {group.key: group.area for group in state.groups}
        entries = [entry for entry in entries if all(paid.get(u.rg) == entry.id for u in units)]
    return entries


def _closed_entries(state: Campaign, units: Sequence[Piece]) -> list[tuple[AreaKind, str]]:
    open_ids = {entry.id for entry in eligible_entries(state, units)}
    side = units[0].side
    return [
        ("Entry Area", area.id) for area in state.areas.entry_areas[side] if area.id not in open_ids
    ]


def leads_to_isolated(state: Campaign, side: Side, way: Destination) -> bool:
    """Return whether a way leads to an Isolated Setup Area."""
    return way.kind == "Setup Area" and state.areas[side, way.id].isolated


class AreaReached(Protocol):
    """Where a way leads."""

    @property
    def kind(self) -> AreaKind:
        """Setup Area or Entry Area."""

    @property
    def id(self) -> str:
        """Which one."""


def destination_words(way: AreaReached) -> str:
    """Return a destination as prompts name it: ``Setup Area B`` or ``off map at Entry Area A7``."""
    return f"Setup Area {way.id}" if way.kind == "Setup Area" else f"off map at Entry Area {way.id}"


def retained_words(way: AreaReached) -> str:
    """Return where who goes this way is Retained: ``in Setup Area B``, ``off map at Entry ...``."""
    return f"in {destination_words(way)}" if way.kind == "Setup Area" else destination_words(way)


# -- 9.6053, 9.6061, 9.608: the nearest area ------------------------------------------------


def retained_ways(
    state: Campaign, units: Sequence[Piece], closed: Closed = NOTHING_CLOSED
) -> list[Destination]:
    """Return what units in one Uncontrolled-Territory hex are Retained into without a roll.

    One nearest friendly Setup Area (even if Isolated) or Eligible Entry Area, or several of which
    their owner chooses; none: they must attempt Escape. Rule: 9.6053.
    """
    bounds = _bounds(state, units, closed)
    return nearest_retention(state.areas, units[0].side, units[0].location, bounds)


def escape_ways(
    state: Campaign, units: Sequence[Piece], closed: Closed = NOTHING_CLOSED
) -> list[Destination]:
    """Return where an Escape of units in one Location may lead; none if there is no path.

    Fewest hexes of enemy Setup Areas first, then the shortest; of several the owner chooses.
    An Isolated unit must reach another area than its own.

    Rule: 9.6061; house rules B-08, B-09, C-58, C-79, C-80.
    """
    side = units[0].side
    areas = state.areas
    bounds = _bounds(state, units, closed)
    if state.plays("C-80", "non-isolated"):
        isolated: list[tuple[AreaKind, str]] = [
            ("Setup Area", area.id) for area in areas.areas[side] if area.isolated
        ]
        bounds = Bounds([*bounds.refused, *isolated], bounds.closed, bounds.doubtful)
    across = state.plays("C-79", "nml-allowed")
    ways = escape_to(
        areas,
        side,
        units[0].location,
        bounds,
        through_no_mans_land=across,
        nearest_first=state.plays("C-58", "nearest-first"),
        own_hex_counts=state.plays("B-09", "own-hex-counts"),
    )
    if state.plays("B-08", "non-isolated"):
        return [replace(way, to_isolated=leads_to_isolated(state, side, way)) for way in ways]
    if territory(state, units[0]) is not Territory.NO_MANS_LAND:
        return ways
    if state.plays("B-08", "example"):
        cut_off = all(leads_to_isolated(state, side, way) for way in ways)
    else:
        over = escape_hexes(areas, side, across)
        cut_off = not reaches_non_isolated(areas, side, units[0].location, over, bounds)
    return [replace(way, to_isolated=cut_off) for way in ways]


def freed_ways(state: Campaign, prisoner: Piece) -> list[Destination]:
    """Return where a freed prisoner is Retained: the nearest area of his side, or several.

    Rule: 9.608; house rule C-66.
    """
    return home_of_freed(
        state.areas,
        prisoner.side,
        prisoner.location,
        _bounds(state, [prisoner], NOTHING_CLOSED),
        through_enemy=state.plays("C-66", "any-path"),
    )


def _bounds(state: Campaign, units: Sequence[Piece], closed: Closed) -> Bounds:
    refused = _closed_entries(state, units)
    if not any(unit.is_vehicle for unit in units):
        return Bounds(refused, closed)
    side = units[0].side
    refused += [("Setup Area", area.id) for area in state.areas.areas[side] if area.alone]
    board = state.board
    return Bounds(refused, closed, lambda start, end: doubtful(board, start, end))


def near_friendly(areas: AreaMap, side: Side, start: Location, isolated_too: bool = False) -> int:
    """Return how many hexes a Location is from the closest friendly Setup Area; 0: none near.

    The hex itself counts as adjacent. The Setup Area it lies in never counts, an Isolated one only
    with ``isolated_too``. What is farther than the Escape table asks for is not near.

    Rule: 9.606; house rule B-08, ruling C-93.
    """
    own = areas.area_of(side, start)
    grid = areas.board.grid
    hexes = grid.none
    for area in areas.areas[side]:
        if area is not own and (isolated_too or not area.isolated):
            hexes |= area.hexes | grid.set(location.hex for location in area.strategic_locations)
    here = grid.set([start.hex])
    for distance in sorted(table("escape.infantry").drm["near_friendly"].by):
        if not here.spread(distance).isdisjoint(hexes):
            return distance
    return 0


def supply_ways(
    state: Campaign, vehicle: Piece, closed: Closed = NOTHING_CLOSED
) -> list[Destination]:
    """Return the path that keeps a vehicle in its Setup Area from being Isolated, if there is one.

    It runs over Enterable Uncontrolled-Territory and friendly Setup-Area hexes that are not
    ``closed`` to the vehicle, with as few doubtful ones as can be, to an Entry Area or a landed
    glider. Rule: 9.6052; rulings P-10, P-26.
    """
    areas = state.areas
    grid = areas.board.grid
    over = areas.uncontrolled | areas.friendly(vehicle.side)
    over = (over & HexSet(grid, areas.ground.enterable)) - grid.set(closed.hexes)
    goals = HexSet(grid, areas.goals(vehicle.side)) & over
    start = grid.set([vehicle.location.hex])
    path = fewest(areas.board, start, goals, over | start, grid.none, True, closed)
    return [Destination("Entry Area", "", 0, len(path) - 1, path)] if path else []


def fewest(
    board: Board,
    starts: HexSet,
    goals: HexSet,
    over: HexSet,
    between: HexSet,
    vehicle: bool,
    closed: Closed = NOTHING_CLOSED,
) -> tuple[str, ...] | None:
    """Find the path with the fewest hexes of ``between``, then the shortest; None without a path.

    Of ``closed`` the hexsides are kept to; its hexes are no longer in ``over``.
    """
    if goals.isdisjoint(board.flood(starts, starts | over)):
        return None
    place = board.grid.position
    steps = steps_of(board)
    open_bits, far_bits, ends = over.bits, between.bits, frozenset(goals)
    queue: list[tuple[int, int, int, int, tuple[str, ...]]] = [
        (far_bits >> place[name] & 1, 0, 1, place[name], (name,)) for name in starts
    ]
    heapq.heapify(queue)
    seen: set[str] = set()
    best: dict[str, tuple[tuple[int, int, int], tuple[str, ...]]] = {}
    while queue:
        count, doubts, length, _, path = heapq.heappop(queue)
        here = path[-1]
        if here in seen:
            continue
        seen.add(here)
        if here in ends:
            return path
        for name in steps[here]:
            bit = place[name]
            if open_bits >> bit & 1 and name not in seen and not closed.bars(here, name):
                more = doubts + int(vehicle and doubtful(board, here, name))
                cost = (count + (far_bits >> bit & 1), more, length + 1)
                known = best.get(name)
                # A worse way to the same hex would never be searched.
                if known is None or (cost <= known[0] and (cost, (*path, name)) < known):
                    best[name] = (cost, (*path, name))
                    heapq.heappush(queue, (*cost, bit, (*path, name)))
    return None


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
        return sum(modifier.value for modifier in table("shift").modifiers(self.given))


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
    for entry in entries:  # even in No Man's Land or an enemy Setup Area: P-94
        over |= entry.hexes
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
