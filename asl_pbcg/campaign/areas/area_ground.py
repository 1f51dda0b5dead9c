"""The ground that decides Setup Areas, as sets of hexes, and the owners of upper levels.

``Ground`` is made from board and position. Upper building levels and pillboxes are shared out
between the sides by the ground they hang on. Rule: 9.605, 9.6054 EX, 9.6057.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING

import msgspec

from asl_pbcg.campaign.areas.strategic_locations import StrategicLocations
from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.location import Location, parse_location
from asl_pbcg.campaign.position_words import GliderState, TerrainKind, UnitStatus, VehicleStatus
from asl_pbcg.campaign.terms import Side

if TYPE_CHECKING:
    from asl_pbcg.campaign.module.catalogue import Catalogue
    from asl_pbcg.campaign.position import Position
    from asl_pbcg.hexes.hexset import Grid


ByHex = dict[int, list[Location]]
"""Locations by the number of their hex's bit; those of one hex from the ground up."""


def height(location: Location) -> tuple[int, bool]:
    """The order of the Locations of one hex: ground level, pillbox, first level and so on up."""
    return location.level, location.pillbox


class Ground(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The hexes and Locations that count for Setup Areas; pairs are in the order of ``sides``."""

    board: Board
    position: Position
    control: tuple[ByHex, ByHex]
    """The Strategic Locations each side Controls."""
    held: tuple[int, int]
    """The hexes of those."""
    strategic: int
    """Hexes with any Strategic Location, Controlled or not."""
    enterable: int
    """Hexes that Infantry could enter, units and Fortifications disregarded. 9.2 Enterable."""

    @classmethod
    def of(cls, board: Board, position: Position, catalogue: Catalogue | None = None) -> Ground:
        """Gather it from a board and the position on it. Raises UnknownHex."""
        strategic = StrategicLocations(position, board, catalogue)
        (first, first_hexes), (second, second_hexes) = (
            _by_hex(board, position.control.of(side), strategic) for side in position.control.sides
        )
        enterable = board.enterable.bits
        if position.terrain:
            fires = (where.hex for where in _blazes(position) if not where.level)
            enterable &= ~board.grid.bits(fires)
        return cls(
            board=board,
            position=position,
            control=(first, second),
            held=(first_hexes, second_hexes),
            strategic=strategic.hexes.bits,
            enterable=enterable,
        )

    def with_control(self, control: tuple[ByHex, ByHex]) -> Ground:
        """Give the same ground with Control in other hands."""
        held = (_bits(control[0]), _bits(control[1]))
        return msgspec.structs.replace(self, control=control, held=held)

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        """The two sides in the order of every pair of values."""
        return self.position.control.sides

    @property
    def held_at_ground(self) -> tuple[int, int]:
        """The hexes in which a side Controls the ground level, or a pillbox in the hex."""
        first, second = (
            _bits(number for number, locations in control.items() if not locations[0].level)
            for control in self.control
        )
        return first, second

    @cached_property
    def _present(self) -> tuple[set[str], set[str]]:
        """The places, as written, of a side's units; no prisoners, no Abandoned vehicles."""
        places: tuple[set[str], set[str]] = (set(), set())
        second = self.sides[1]
        for unit in self.position.units:
            if not (unit.status and unit.has(UnitStatus.PRISONER)):
                places[unit.side is second].add(unit.at)
        for vehicle in self.position.vehicles:
            if not vehicle.bypass and not vehicle.has(VehicleStatus.ABANDONED):
                places[vehicle.side is second].add(vehicle.at)
        return places

    def occupies(self, n: int, location: Location) -> bool:
        """Say whether a unit of side ``n`` is in a Location."""
        return str(location) in self._present[n]

    @cached_property
    def occupied(self) -> tuple[int, int]:
        """The hexes in which a side has a unit."""
        bit_of = self.board.grid.position
        british, german = (
            _bits({bit_of[name] for at in places if (name := parse_location(at).hex) in bit_of})
            for places in self._present
        )
        return british, german

    @cached_property
    def gliders(self) -> int:
        """Hexes with a landed glider that is not wrecked."""
        return self.board.grid.bits(
            glider.location.hex
            for glider in self.position.gliders
            if glider.state is GliderState.LANDED
        )

    @cached_property
    def blazes(self) -> frozenset[Location]:
        """Locations with a terrain Blaze."""
        return _blazes(self.position)


def _by_hex(board: Board, texts: Iterable[str], strategic: StrategicLocations) -> tuple[ByHex, int]:
    """Return the Locations as written by their hex, and the hexes as bits.

    Control of what a victory condition names counts for Setup Areas only where it is Strategic.
    """
    places = _bits_of_places(board.grid)
    able = strategic.hexes.bits
    by_hex: ByHex = {}
    bits = 0
    for text in texts:
        number, bit, location = places.get(text) or _learn(board.grid, text)
        if not bit & able and text in strategic.objectives:
            continue
        if number in by_hex:
            by_hex[number] = sorted([*by_hex[number], location], key=height)
        else:
            by_hex[number] = [location]
            bits |= bit
    return by_hex, bits


@cache
def _bits_of_places(grid: Grid) -> dict[str, tuple[int, int, Location]]:
    """By a Location as written: its hex's number, that hex as bits, the Location."""
    return {}


def _learn(grid: Grid, text: str) -> tuple[int, int, Location]:
    location = Location.parse(text)
    number = grid.position[grid.check(location.hex)]
    return _bits_of_places(grid).setdefault(text, (number, 1 << number, location))


def _bits(numbers: Iterable[int]) -> int:
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


def _blazes(position: Position) -> frozenset[Location]:
    return frozenset(item.location for item in position.terrain if item.kind is TerrainKind.BLAZE)


class Levels:
    """The hexes in which both sides Control a Location, shared out by level. Rule: 9.605.

    Such a hex belongs to the side that Controls the lowest Location in it. A Location of the other
    side is a Setup Area of its own while a unit of that side is in it (with those that touch it:
    P-40), and else joins the area around it. Pairs are (British, German).
    """

    __slots__ = ("alone", "joined", "listed", "to_british", "to_german")

    to_british: int
    """Hexes, as bits, that belong to the British."""
    to_german: int
    """Hexes, as bits, that belong to the Germans."""
    listed: tuple[ByHex, ByHex]
    """The Locations that the Setup Areas of each side hold in their hexes."""
    alone: tuple[list[Location], list[Location]]
    """The Locations that make Setup Areas of their own."""
    joined: tuple[list[Location], list[Location]]
    """The Locations of each side that join an area of the other, as nobody is in them."""

    def __init__(self, ground: Ground, contested: int) -> None:
        self.to_british = self.to_german = 0
        self.listed = ground.control
        self.alone = ([], [])
        self.joined = ([], [])
        if contested:
            self._share(ground, contested)

    def _share(self, ground: Ground, contested: int) -> None:
        self.listed = (dict(ground.control[0]), dict(ground.control[1]))
        while contested:
            bit = contested & -contested
            contested ^= bit
            number = bit.bit_length() - 1
            british, german = (control[number] for control in ground.control)
            owner = int(height(german[0]) < height(british[0]))
            if owner:
                self.to_german |= bit
            else:
                self.to_british |= bit
            joins = []
            for location in self.listed[1 - owner].pop(number):
                if ground.occupies(1 - owner, location):
                    self.alone[1 - owner].append(location)
                else:
                    joins.append(location)
            self.joined[1 - owner].extend(joins)
            self.listed[owner][number] = sorted(self.listed[owner][number] + joins, key=height)


def ground_reached(ground: Ground, side: int, start: Location, supplied: int) -> Location | None:
    """Find the ground level that keeps an upper-level Location from being Isolated.

    The path runs over Enterable building Locations that the side (0 British, 1 German) Controls,
    to a ground level it Controls that does not blaze and is not Isolated; ``supplied`` are the
    hexes, as bits, whose ground level is not Isolated. Levels change where the building shows a
    stairway, or anywhere in a building that shows none.

    Rule: 9.6057.
    """
    bit_of = ground.board.grid.position
    control = ground.control[side]
    visited = {start}
    waiting = deque([start])
    while waiting:
        for step in _next_to(ground, waiting.popleft()):
            number = bit_of[step.hex]
            if step in visited or step in ground.blazes or step not in control.get(number, ()):
                continue
            if step.ground and supplied >> number & 1:
                return step
            visited.add(step)
            waiting.append(step)
    return None


def touching(ground: Ground, locations: Sequence[Location]) -> list[list[Location]]:
    """Group the Locations above or within the enemy's ground that touch each other.

    Two touch if Infantry can go from one to the other inside the building, at least one way:
    Infantry can leave a burning Location but not enter it. Rule: 9.2 Setup Area; house rule P-40.
    """
    groups: list[list[Location]] = []
    remaining = list(locations)
    while remaining:
        group = [remaining.pop(0)]
        for location in group:
            beside = () if location.pillbox else tuple(_next_to(ground, location))
            for neighbour in [candidate for candidate in remaining if candidate in beside]:
                if not {location, neighbour} <= ground.blazes:
                    remaining.remove(neighbour)
                    group.append(neighbour)
        groups.append(sorted(group, key=lambda member: _order(ground, member)))
    return groups


def stairways(board: Board, name: str) -> list[str]:
    """List the hexes with a stairway symbol in the building of a hex. Rule: B23.2; ruling P-21."""
    return [part for part in board.building(name) if board[part].stairs in ("square", "circle")]


def highest_level(board: Board, name: str) -> int:
    """Return the highest level of the building in a hex, by its stairway symbols.

    A circle, and any symbol of a one-hex house, means a first level; a square in a larger
    building means a second level too. 0 when the building has no symbol. Rule: B23.2.
    """
    marks = {board[part].stairs for part in stairways(board, name)}
    if not marks:
        return 0
    return 2 if "square" in marks and len(board.building(name)) > 1 else 1


def _order(ground: Ground, location: Location) -> tuple[int, tuple[int, bool]]:
    return ground.board.grid.position[location.hex], height(location)


def _next_to(ground: Ground, location: Location) -> Iterator[Location]:
    """Yield the building Locations next to one: by a stairway, or across a hexside."""
    board = ground.board
    footprint = board.building(location.hex)
    marked = stairways(board, location.hex)
    if location.hex in marked or not marked:
        yield Location(location.hex, location.level + 1)
        if location.level:
            yield Location(location.hex, location.level - 1)
    for name in board.grid.neighbours(location.hex):
        if name in footprint and board.crossable(location.hex, name):
            yield Location(name, location.level)
