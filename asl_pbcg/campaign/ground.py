"""The ground that decides Setup Areas, from board and position, as sets of hexes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, cached_property
from typing import TYPE_CHECKING

import msgspec

from asl_pbcg.campaign.location import Location, parse_location
from asl_pbcg.campaign.position_words import GliderState, TerrainKind, UnitStatus, VehicleStatus
from asl_pbcg.campaign.strategic import StrategicLocations
from asl_pbcg.campaign.terms import Side

if TYPE_CHECKING:
    from asl_pbcg.campaign.board import Board
    from asl_pbcg.campaign.catalogue import Catalogue
    from asl_pbcg.campaign.position import Position
    from asl_pbcg.hexes.grid import Grid

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
        """Hexes in which a side Controls the ground level, or the pillbox on it."""
        first, second = (
            _bits(number for number, found in control.items() if not found[0].level)
            for control in self.control
        )
        return first, second

    @cached_property
    def _present(self) -> tuple[set[str], set[str]]:
        """Where, as written, a side has a unit; prisoners and Abandoned vehicles are none."""
        found: tuple[set[str], set[str]] = (set(), set())
        second = self.sides[1]
        for unit in self.position.units:
            if not (unit.status and unit.has(UnitStatus.PRISONER)):
                found[unit.side is second].add(unit.at)
        for vehicle in self.position.vehicles:
            if not vehicle.bypass and not vehicle.has(VehicleStatus.ABANDONED):
                found[vehicle.side is second].add(vehicle.at)
        return found

    def occupies(self, n: int, location: Location) -> bool:
        """Say whether a unit of side ``n`` is in a Location."""
        return str(location) in self._present[n]

    @cached_property
    def occupied(self) -> tuple[int, int]:
        """The hexes in which a side has a unit."""
        bit_of = self.board.grid.position
        british, german = (
            _bits({bit_of[name] for at in found if (name := parse_location(at).hex) in bit_of})
            for found in self._present
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
    known = _bits_of_places(board.grid)
    able = strategic.hexes.bits
    found: ByHex = {}
    bits = 0
    for text in texts:
        number, bit, location = known.get(text) or _learn(board.grid, text)
        if not bit & able and text in strategic.objectives:
            continue
        if number in found:
            found[number] = sorted([*found[number], location], key=height)
        else:
            found[number] = [location]
            bits |= bit
    return found, bits


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
