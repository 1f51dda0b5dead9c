"""Paths of the Refit Phase: to what a unit may be Retained, Escape, be freed or Shift.

All are traced over the Setup Areas that 9.605 determined, for Infantry; ``asked_for_vehicles``
asks where the terrain on a path may stop a vehicle (P-10). Rule: 9.6053, 9.6061, 9.608, 9.613.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from math import atan2
from typing import Final, Literal, Protocol, TypeVar

import msgspec

from asl_pbcg.campaign.area_map import AreaMap, SetupArea, Territory
from asl_pbcg.campaign.area_paths import (
    AreaKind,
    Bounds,
    Destination,
    escape_hexes,
    escape_to,
    freed_to,
    reaches_non_isolated,
    retained_to,
    steps_of,
)
from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.eligible import EntryState
from asl_pbcg.campaign.entry_areas import entry_areas
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.tables import table
from asl_pbcg.campaign.terms import Side
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask
from asl_pbcg.kernel.typed_data import data_file
from asl_pbcg.refit.situation import territory

NOWHERE: frozenset[str] = frozenset()


# -- Which areas are open -----------------------------------------------------------------


def eligible_entries(state: Campaign, units: Iterable[Piece]) -> list[EntryState]:
    """The Entry Areas that are Eligible for all of ``units``, pieces of one side.

    Rule: 9.2 Entry Area, CG5; house rule B-05.
    """
    units = list(units)
    entries = [each for each in state.areas.entry_areas[units[0].side] if each.eligible]
    if state.plays("B-05", "paid-only") and units[0].side is Side.GERMAN:
        paid = {group.key: group.area for group in state.groups}
        entries = [each for each in entries if all(paid.get(u.rg) == each.id for u in units)]
    return entries


def _closed_entries(state: Campaign, units: Sequence[Piece]) -> list[tuple[AreaKind, str]]:
    open_ids = {each.id for each in eligible_entries(state, units)}
    side = units[0].side
    return [
        ("Entry Area", each.id) for each in state.areas.entry_areas[side] if each.id not in open_ids
    ]


def leads_to_isolated(state: Campaign, side: Side, way: Destination) -> bool:
    """Whether a way leads to an Isolated Setup Area."""
    return way.kind == "Setup Area" and state.areas[side, way.id].isolated


def destination_words(way: Destination | ShiftWay) -> str:
    """A destination as prompts name it: ``Setup Area B`` or ``off map at Entry Area A7``."""
    return f"Setup Area {way.id}" if way.kind == "Setup Area" else f"off map at Entry Area {way.id}"


# -- 9.6053, 9.6061, 9.608: the nearest area ------------------------------------------------


def retained_ways(
    state: Campaign, units: Sequence[Piece], closed: frozenset[str] = NOWHERE
) -> list[Destination]:
    """What units in one Uncontrolled-Territory hex are Retained into without a roll.

    One nearest friendly Setup Area (even if Isolated) or Eligible Entry Area, or several of which
    their owner chooses; none: they must attempt Escape. Rule: 9.6053.
    """
    bounds = _bounds(state, units, closed)
    return retained_to(state.areas, units[0].side, units[0].location, bounds)


def escape_ways(
    state: Campaign, units: Sequence[Piece], closed: frozenset[str] = NOWHERE
) -> list[Destination]:
    """Where an Escape of units in one Location may lead; none if there is no path.

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
    if territory(state, units[0]) is not Territory.NO_MANS_LAND:
        return ways
    if state.plays("B-08", "example"):
        cut_off = all(leads_to_isolated(state, side, way) for way in ways)
    else:
        over = escape_hexes(areas, side, across)
        cut_off = not reaches_non_isolated(areas, side, units[0].location, over, bounds)
    return [replace(way, to_isolated=cut_off) for way in ways]


def freed_ways(state: Campaign, prisoner: Piece) -> list[Destination]:
    """Where a freed prisoner is Retained: the nearest area of his side, or several.

    Rule: 9.608; house rule C-66.
    """
    return freed_to(
        state.areas,
        prisoner.side,
        prisoner.location,
        _bounds(state, [prisoner], NOWHERE),
        through_enemy=state.plays("C-66", "any-path"),
    )


def _bounds(state: Campaign, units: Sequence[Piece], closed: frozenset[str]) -> Bounds:
    refused = _closed_entries(state, units)
    if not any(unit.is_vehicle for unit in units):
        return Bounds(refused, closed)
    side = units[0].side
    refused += [("Setup Area", area.id) for area in state.areas.areas[side] if area.alone]
    board = state.board
    return Bounds(refused, closed, lambda start, end: doubtful(board, start, end))


def near_friendly(areas: AreaMap, side: Side, start: Location, own_counts: bool = False) -> int:
    """How many hexes a Location is from the closest hex of a friendly Setup Area; 0: none near.

    The hex itself counts as adjacent. The Setup Area it lies in counts only with ``own_counts``.
    What is farther than the Escape table asks for is not near. Rule: 9.606; house rule C-93.
    """
    own = areas.area_of(side, start)
    grid = areas.board.grid
    hexes = grid.none
    for area in areas.areas[side]:
        if area is not own or own_counts:
            hexes |= area.hexes | grid.set(each.hex for each in area.strategic_locations)
    here = grid.set([start.hex])
    for distance in sorted(table("escape.infantry").drm["near_friendly"].by):
        if not here.spread(distance).isdisjoint(hexes):
            return distance
    return 0


# -- Vehicles: P-10 -------------------------------------------------------------------------


class Doubtful(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What may stop a vehicle off the roads. Rule: 9.2 Enterable; ruling P-10."""

    rule: str
    building: bool
    terrain: tuple[str, ...]
    hexsides: tuple[Literal["hedge", "wall", "fence", "cliff", "slope", "rowhouse"], ...]
    levels: int


class PathNumbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/pb/paths.yaml``."""

    doubtful_for_vehicles: Doubtful


PATHS: Final = data_file("pb/paths.yaml", PathNumbers)


def doubtful(board: Board, start: str, end: str) -> bool:
    """Whether terrain may stop a vehicle that goes from hex to hex; along a road it never does.

    Rule: 9.2 Enterable; ruling P-10.
    """
    known = _known_doubts(board)
    found = known.get((start, end))
    if found is None:
        found = known[start, end] = _may_stop(board, start, end)
    return found


@cache
def _known_doubts(board: Board) -> dict[tuple[str, str], bool]:
    """What was found out about steps on this board; a search asks for the same ones again."""
    return {}


def _may_stop(board: Board, start: str, end: str) -> bool:
    side = board.grid.direction(start, end)
    if side is None:
        return True
    here, there = board[start], board[end]
    if side in here.road_sides:
        return False
    rules = PATHS.content.doubtful_for_vehicles
    return (
        (rules.building and bool(there.building))
        or not set(rules.terrain).isdisjoint(there.terrain)
        or any(side in getattr(here, hexside) for hexside in rules.hexsides)
        or abs(here.level - there.level) >= rules.levels
    )


def vehicle_doubts(board: Board, path: Sequence[str]) -> list[str]:
    """The hexes of a path that a vehicle perhaps could not enter. Ruling P-10."""
    hexes = [name for name in path if name in board]
    return [end for start, end in pairwise(hexes) if doubtful(board, start, end)]


class Way(Protocol):
    """What leads somewhere by a path."""

    @property
    def path(self) -> tuple[str, ...]:
        """The hexes from start to end."""
        ...


W = TypeVar("W", bound=Way)


def ask_for_vehicles(
    state: Campaign,
    units: Sequence[Piece],
    find: Callable[[frozenset[str]], list[W]],
    point: str,
    rule: str,
    secret: bool = False,
) -> Script[list[W]]:
    """Settle the ways that ``find`` gives for units with a vehicle among them.

    ``find`` takes the hexes that are closed to it. The owner is asked about doubtful hexes on the
    ways, and the ways are found again around those that he says cannot be entered. Without a
    vehicle nothing is asked. Rule: 9.2 Enterable; ruling P-10.
    """
    vehicles = [unit for unit in units if unit.is_vehicle]
    closed: frozenset[str] = NOWHERE
    settled: set[str] = set()
    board = state.board
    while True:
        ways = find(closed)
        if not vehicles:
            return ways
        doubts = {name for way in ways for name in vehicle_doubts(board, way.path)} - settled
        if not doubts:
            return ways
        settled |= doubts
        names = ", ".join(f"{unit.type} {unit.id}" for unit in vehicles)
        stopped = yield from ask(
            Prompt(
                id=point,
                about=" ".join(unit.id for unit in units),
                rule=rule,
                side=units[0].side,
                secret=secret,
                kind="choose-some",
                options=tuple(
                    Option(name, name, _ground(board, name)) for name in board.grid.set(doubts)
                ),
                default="none",
                draw=_seldom(sorted(doubts)),
                text=f"Which of these hexes on its path could {names} not enter?",
                where=units[0].at,
                help="A path runs over hexes that the vehicle could enter in a MPh (9.2 "
                "Enterable). The board data cannot say so for these; see B and D of the rules.",
            )
        )
        if not stopped:
            return ways
        closed |= frozenset(stopped)


def _seldom(names: list[str]) -> Callable[[random.Random], list[str]]:
    """What automatic play says: nearly always that the vehicle can enter them all."""
    return lambda source: [source.choice(names)] if source.random() < 0.1 else []


def _ground(board: Board, name: str) -> str:
    info = board[name]
    words = [f"{info.building} building"] if info.building else []
    return ", ".join([*words, *(each.replace("_", " ") for each in info.terrain)])


def supply_ways(
    state: Campaign, vehicle: Piece, closed: frozenset[str] = NOWHERE
) -> list[Destination]:
    """The path that keeps a vehicle in its Setup Area from being Isolated; none if there is none.

    It runs over Enterable Uncontrolled-Territory and friendly Setup-Area hexes that are not
    ``closed`` to the vehicle, with as few doubtful ones as can be, to an Entry Area or a landed
    glider. Rule: 9.6052; rulings P-10, P-26.
    """
    areas = state.areas
    grid = areas.board.grid
    over = areas.uncontrolled | areas.friendly(vehicle.side)
    over = (over & HexSet(grid, areas.ground.enterable)) - grid.set(closed)
    goals = HexSet(grid, areas.goals(vehicle.side)) & over
    start = grid.set([vehicle.location.hex])
    path = _fewest(areas.board, start, goals, over | start, grid.none, True)
    return [Destination("Entry Area", "", 0, len(path) - 1, path)] if path else []


# -- 9.613: Shift ---------------------------------------------------------------------------


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
    def given(self) -> dict[str, int | bool | str]:
        """The circumstances for the Shift table."""
        found: dict[str, int | bool | str] = {"road": True} if self.road else {}
        if self.uncontrolled:
            found["distance"] = self.uncontrolled
        return found


def shift_ways(
    state: Campaign, units: Sequence[Piece], closed: frozenset[str] = NOWHERE
) -> list[ShiftWay]:
    """Where ``units``, all Retained in one Setup/Entry Area, may Shift to.

    From a Setup Area: every other friendly Setup Area that is not Isolated and every Eligible
    Entry Area, if there is a path of Enterable Uncontrolled-Territory, friendly Setup-Area and
    Eligible Entry-Area hexes. From an Entry Area: the next one, or a Setup Area by such a path.

    Rule: 9.613, 9.605; house rules B-05, C-14, C-16, C-17; rulings P-10, P-11, P-94.
    """
    return list(each_shift_way(state, units, closed))


def each_shift_way(
    state: Campaign, units: Sequence[Piece], closed: frozenset[str] = NOWHERE
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
    """Whether Isolation allows it. Rule: 9.605, 9.613; house rule C-16."""
    if state.plays("C-16", "isolated-allowed"):
        return True
    return not (own and own.isolated) and not (to and to.isolated)


def next_entry_areas(state: Campaign, side: Side, arrow: str) -> list[str]:
    """The Entry Areas of ``side`` next to ``arrow`` along the map edge, either way.

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
    closed: frozenset[str],
    entries: Sequence[EntryState],
) -> ShiftWay | None:
    areas = state.areas
    board = areas.board
    grid = board.grid
    side = units[0].side
    kind: AreaKind = "Setup Area" if isinstance(to, SetupArea) else "Entry Area"
    automatic = bool(
        own
        and kind == "Entry Area"
        and not (own.hexes | own.hexes.neighbours()).isdisjoint(to.hexes)
    )
    enterable = HexSet(grid, areas.ground.enterable)
    over = areas.uncontrolled | areas.friendly(side)
    for each in entries:  # even in No Man's Land or an enemy Setup Area: P-94
        over |= each.hexes
    over &= enterable - grid.set(closed)
    goals = to.hexes & over
    if own:
        starts = own.hexes  # all of it is friendly-Controlled: P-11
        between = areas.uncontrolled
    else:
        entry = entry_areas(board).get(units[0].area)
        starts = (entry.hexes if entry else grid.set([units[0].area])) & over
        between = areas.uncontrolled - starts
    if kind == "Entry Area":
        between -= to.hexes
    vehicle = any(unit.is_vehicle for unit in units)
    best: tuple[int, int, int, bool, tuple[str, ...]] | None = None
    roads = _road_hexes(board)
    for road in (False, True):
        if road:
            starts, goals, over = starts & roads, goals & roads, over & roads
        path = _fewest(board, starts, goals, over, between, vehicle)
        if path is None:
            continue
        count = sum(name in between for name in path)
        drm = sum(each.value for each in table("shift").modifiers(_circumstances(road, count)))
        if best is None or (drm, len(path)) < best[:2]:
            best = (drm, len(path), count, road, path)
    if best is None:
        if own is None and kind == "Setup Area" and state.plays("C-17", "no-path"):
            return ShiftWay(kind, to.id, False, False, 0, ())
        return None
    return ShiftWay(kind, to.id, automatic, best[3], best[2], best[4])


def _circumstances(road: bool, count: int) -> dict[str, int | bool | str]:
    return {"road": road, "distance": count}


@cache
def _road_hexes(board: Board) -> HexSet:
    return board.grid.set(info.name for info in board if info.road_sides or info.road_along)


def _fewest(
    board: Board, starts: HexSet, goals: HexSet, over: HexSet, between: HexSet, vehicle: bool
) -> tuple[str, ...] | None:
    """The path with the fewest hexes of ``between``, then the shortest; None if there is none."""
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
            if open_bits >> bit & 1 and name not in seen:
                more = doubts + int(vehicle and doubtful(board, here, name))
                far = far_bits >> bit & 1
                entry = (count + far, more, length + 1, bit, (*path, name))
                heapq.heappush(queue, entry)
    return None
