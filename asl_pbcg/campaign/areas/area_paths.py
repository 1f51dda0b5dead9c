"""Ways to a friendly Setup Area or Eligible Entry Area. Rule: 9.6053, 9.6061, 9.608."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from asl_pbcg.campaign.areas.area_map import AreaMap
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.terms import Side
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.hexes.lattice import DIRECTIONS
from asl_pbcg.hexes.passage import Passage

if TYPE_CHECKING:
    from asl_pbcg.campaign.board.board import Board

AreaKind = Literal["Setup Area", "Entry Area"]
Goals = dict[str, list[tuple[AreaKind, str]]]
"""The areas that begin in each place a path may end in."""


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a unit may go, by a path as good as any."""

    kind: AreaKind
    id: str
    """The Setup Area's ID or the Entry Area's arrow hex."""
    enemy_hexes: int
    """How many hexes of enemy Setup Areas the path enters."""
    length: int
    """How many hexes the path enters."""
    path: tuple[str, ...]
    """The hexes from start to end; last may stand an upper level or pillbox, as ``Z15/1``."""
    to_isolated: bool = False
    """Whether whoever goes this way counts as Isolated by where it leads. House rule B-08."""

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


@dataclass(frozen=True, slots=True)
class Closed:
    """Hexes that a unit cannot enter and hexsides that it cannot cross. Ruling P-10."""

    hexes: frozenset[str] = frozenset()
    hexsides: frozenset[tuple[str, str]] = frozenset()
    """The two hexes beside each, in either order."""

    def __or__(self, other: Closed) -> Closed:
        return Closed(self.hexes | other.hexes, self.hexsides | other.hexsides)

    def bars(self, start: str, end: str) -> bool:
        """Say whether the hexside between two hexes cannot be crossed."""
        sides = self.hexsides
        return bool(sides) and ((start, end) in sides or (end, start) in sides)

    def passage(self, board: Board) -> Passage:
        """Return what Infantry can cross, without these hexsides."""
        if not self.hexsides:
            return board.passage
        direction = board.grid.direction
        more = [(start, side) for start, end in self.hexsides if (side := direction(start, end))]
        return Passage(board.grid, [*board.passage.barred, *more])


NOTHING_CLOSED: Final = Closed()


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of a search besides the rule itself."""

    refused: Collection[tuple[AreaKind, str]] = ()
    """Areas that are no destination, by kind and ID."""
    closed: Closed = NOTHING_CLOSED
    """Where this unit cannot go."""
    doubtful: Callable[[str, str], bool] | None = None
    """Steps, from hex to hex, to avoid where another path is as good."""


ANYWHERE = Bounds()


def nearest_retention(
    areas: AreaMap, side: Side, start: Location, bounds: Bounds = ANYWHERE
) -> list[Destination]:
    """Find what a unit in Uncontrolled Territory is Retained into: one nearest area, or several.

    The path runs over Enterable Uncontrolled-Territory hexes only, for Infantry. No result means
    that the unit must attempt Escape; of several its owner chooses.

    Rule: 9.6053.
    """
    return _nearest(areas, side, start, areas.uncontrolled, areas.board.grid.none, bounds)


def escape_to(
    areas: AreaMap,
    side: Side,
    start: Location,
    bounds: Bounds = ANYWHERE,
    *,
    through_no_mans_land: bool = True,
    nearest_first: bool = False,
    own_hex_counts: bool = False,
) -> list[Destination]:
    """Find where an Escape may lead: the nearest area, or several of which the owner chooses.

    The path runs over Enterable Uncontrolled-Territory and enemy Setup-Area hexes, for Infantry,
    with as few enemy hexes as possible, then as short as possible. House rule C-79 lets it cross
    No Man's Land, C-58 may put the length first, B-09 may count the enemy's Location below the
    unit's. From a friendly Setup Area the path must lead to another.

    Rule: 9.6061.
    """
    enemy = areas.friendly(side.other)
    over = escape_hexes(areas, side, through_no_mans_land)
    own = areas.area_of(side, start)
    below = own_hex_counts and not start.ground and start.hex in enemy
    return _nearest(
        areas,
        side,
        start,
        over,
        enemy,
        bounds,
        leaving=own.id if own else "",
        passed=int(below),
        nearest_first=nearest_first,
    )


def escape_hexes(areas: AreaMap, side: Side, through_no_mans_land: bool = True) -> HexSet:
    """Give the hexes that the path of an Escape may run over. Rule: 9.6061; house rule C-79."""
    over = areas.uncontrolled | areas.friendly(side.other)
    return over | areas.no_mans_land if through_no_mans_land else over


def home_of_freed(
    areas: AreaMap,
    side: Side,
    start: Location,
    bounds: Bounds = ANYWHERE,
    *,
    through_enemy: bool = True,
) -> list[Destination]:
    """Find what a freed prisoner of ``side`` is Retained into: the nearest area, or several.

    The path runs over all Enterable hexes; without ``through_enemy`` (house rule C-66) over no
    enemy Setup Area but the Guard's.

    Rule: 9.608.
    """
    over = areas.board.in_play
    if not through_enemy:
        guards = areas.area_of(side.other, start)
        over -= areas.friendly(side.other)
        if guards:
            over |= guards.hexes
    return _nearest(areas, side, start, over, areas.board.grid.none, bounds)


@cache
def steps_of(board: Board) -> dict[str, tuple[str, ...]]:
    """Return for each hex its neighbours that Infantry can enter from it. Rule: 9.2."""
    grid = board.grid
    barred = board.passage.barred
    steps = {}
    for name in grid.position:
        sides = ((side, grid.neighbour(name, side)) for side in DIRECTIONS)
        steps[name] = tuple(
            beyond for side, beyond in sides if beyond is not None and (name, side) not in barred
        )
    return steps


def reaches_non_isolated(
    areas: AreaMap, side: Side, start: Location, over: HexSet, bounds: Bounds = ANYWHERE
) -> bool:
    """Return whether a path leads to a Setup Area that is not Isolated, or to an Entry Area.

    The path has any length, runs over Enterable hexes of ``over`` and ends at the first hex of
    the area. Rule: 9.606, 9.6061; house rule B-08.
    """
    grid = areas.board.grid
    enterable = HexSet(grid, areas.ground.enterable)
    closed = grid.set(bounds.closed.hexes)
    allowed = (over & enterable) - closed
    ends = grid.none
    for area in areas.areas[side]:
        if not area.isolated and ("Setup Area", area.id) not in bounds.refused:
            ends |= area.hexes & enterable
    start_hex = grid.set([start.hex])
    goals: Goals = {}
    _add_entry_areas(areas, side, allowed | start_hex, bounds, goals)
    ends |= grid.set(goals)
    passage = bounds.closed.passage(areas.board)
    reached = start_hex.bits | passage.flood(start_hex.bits, (allowed | start_hex).bits)
    return not (ends - closed).isdisjoint(HexSet(grid, reached | passage.step(reached)))


def _add_entry_areas(
    areas: AreaMap, side: Side, allowed: HexSet, bounds: Bounds, goals: Goals
) -> None:
    """Add the hexes of the Eligible Entry Areas that a path over ``allowed`` may end in."""
    enterable = HexSet(areas.board.grid, areas.ground.enterable)
    for entry in areas.entry_areas[side]:
        if entry.eligible and ("Entry Area", entry.id) not in bounds.refused:
            # An Entry hex of a friendly Setup Area is as near as that area is.
            for name in entry.hexes & (allowed | areas.friendly(side) & enterable):
                goals.setdefault(name, []).append(("Entry Area", entry.id))


class _PathEnds(NamedTuple):
    """The hexes a path may run over, and the areas in which it may end."""

    open: int
    enemy: int
    ends: int
    """The hexes in which a path may end."""
    areas: list[tuple[int, str]]
    """The hexes of each friendly Setup Area as bits, and its ID."""
    goals: Goals
    above: dict[str, list[Location]]
    """The Locations of areas that stand alone above the enemy, by hex."""

    def areas_at(self, name: str, place: Mapping[str, int]) -> Iterator[tuple[AreaKind, str]]:
        """Yield kind and ID of the areas that a path enters at the hex or Location ``name``."""
        yield from self.goals.get(name, ())
        if name in place and self.ends >> place[name] & 1:
            for bits, id in self.areas:
                if bits >> place[name] & 1:
                    yield "Setup Area", id


def _path_ends(
    areas: AreaMap,
    side: Side,
    start: Location,
    over: HexSet,
    enemy: HexSet,
    bounds: Bounds,
    leaving: str,
) -> _PathEnds:
    grid = areas.board.grid
    place = grid.position
    enterable = HexSet(grid, areas.ground.enterable)
    allowed = over & enterable
    goals: Goals = {}
    above: dict[str, list[Location]] = {}
    hexes: list[tuple[int, str]] = []
    for area in areas.areas[side]:
        if area.id == leaving:
            allowed |= area.hexes & enterable
            if area.alone:  # from one to the other within the building, above the enemy
                inside = set(area.strategic_locations) - areas.ground.blazes
                upstairs = grid.set(upper_level.hex for upper_level in inside)
                allowed |= upstairs
                enemy -= upstairs
        elif ("Setup Area", area.id) not in bounds.refused:
            if area.alone:
                for location in area.strategic_locations:
                    above.setdefault(location.hex, []).append(location)
                    goals.setdefault(str(location), []).append(("Setup Area", area.id))
            hexes.append(((area.hexes & enterable).bits, area.id))
    # The hex a unit stands in is entered no more: it may burn, or lie where no path may run.
    _add_entry_areas(areas, side, allowed | grid.set([start.hex]), bounds, goals)

    ends = reduce(or_, (bits for bits, _ in hexes), _bits_of(place, goals))
    open_bits = (allowed.bits | ends) & ~_bits_of(place, bounds.closed.hexes)
    return _PathEnds(open_bits, enemy.bits, ends, hexes, goals, above)


def _nearest(
    areas: AreaMap,
    side: Side,
    start: Location,
    over: HexSet,
    enemy: HexSet,
    bounds: Bounds,
    leaving: str = "",
    passed: int = 0,
    nearest_first: bool = False,
) -> list[Destination]:
    """``leaving``: the ID of the Setup Area to be left; ``passed``: enemy hexes at the start."""
    place = areas.board.grid.position
    steps = steps_of(areas.board)
    ends = _path_ends(areas, side, start, over, enemy, bounds, leaving)
    destinations: dict[tuple[AreaKind, str], Destination] = {}
    best: tuple[int, int] | None = None
    # Rank, then how many doubtful hexes, then board order, so that paths are the same each time.
    queue: list[tuple[tuple[int, int], int, int, tuple[str, ...]]] = []
    rank = (0, passed) if nearest_first else (passed, 0)
    heapq.heappush(queue, (rank, 0, 0, (start.hex,)))
    visited: set[str] = set()
    ways: dict[str, tuple[tuple[int, int], int, tuple[str, ...]]] = {}
    while queue:
        rank, doubts, _, path = heapq.heappop(queue)
        stop = path[-1]
        if best is not None and rank > best:
            break
        if stop in visited:
            continue
        visited.add(stop)
        enemies, length = rank[::-1] if nearest_first else rank
        for kind, id in ends.areas_at(stop, place):
            best = rank
            destinations.setdefault((kind, id), Destination(kind, id, enemies, length, path))
        for location in ends.above.get(stop, ()):
            climbed = length + max(location.level, 1)
            if stop == start.hex and start.level:  # nobody need go down to the ground first
                climbed = max(0, abs(location.level - start.level) - start.level)
            rank = (climbed, enemies) if nearest_first else (enemies, climbed)
            heapq.heappush(queue, (rank, doubts, place[stop], (*path, str(location))))
        for name in steps.get(stop, ()):
            bit = place[name]
            if name not in visited and ends.open >> bit & 1 and not bounds.closed.bars(stop, name):
                entered = enemies + (ends.enemy >> bit & 1)
                rank = (length + 1, entered) if nearest_first else (entered, length + 1)
                more = doubts + bool(bounds.doubtful and bounds.doubtful(stop, name))
                way = (rank, more, (*path, name))
                best_way = ways.get(name)
                if best_way is None or way < best_way:  # a worse one would never be looked at
                    ways[name] = way
                    heapq.heappush(queue, (rank, more, bit, way[2]))
    return sorted(destinations.values(), key=lambda end: (end.kind != "Setup Area", end.id))


def _bits_of(place: Mapping[str, int], names: Iterable[str]) -> int:
    """The bits of those of ``names`` that are hexes."""
    return reduce(or_, (1 << place[name] for name in names if name in place), 0)
