"""Places on and off a hex map: a line of hexes goes on past the map's edge.

A place is a column and a doubled row, so that off the map it is still a hex: N and S change the
doubled row by two, the four other directions the column by one and the doubled row by one.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from asl_pbcg.hexes.grid import Grid
from asl_pbcg.hexes.lattice import DIRECTIONS

_STEPS: Final = {
    "N": (0, -2),
    "NE": (1, -1),
    "SE": (1, 1),
    "S": (0, 2),
    "SW": (-1, 1),
    "NW": (-1, -1),
}


class Place(NamedTuple):
    """A hex of the endless plane the map is a part of."""

    column: int
    double: int

    def step(self, direction: str, hexes: int = 1) -> Place:
        """The place ``hexes`` further; ``direction`` is N, NE, SE, S, SW or NW of the sheet."""
        across, down = _STEPS[direction]
        return Place(self.column + across * hexes, self.double + down * hexes)


def place_of(grid: Grid, name: str) -> Place:
    """Where a hex of the map lies. Raises UnknownHex."""
    column, number = grid.column_row(name)
    return Place(column, 2 * number - (1 - column % 2))


def hex_at(grid: Grid, place: Place) -> str | None:
    """The hex of the map at a place, or None off the map."""
    return grid.at(place.column, (place.double + 1 - place.column % 2) // 2)


def centre(place: Place) -> tuple[float, float]:
    """Where the centre of a place lies, in hex heights as ``Grid.centre`` counts them."""
    from asl_pbcg.hexes.lattice import COLUMN_PITCH

    return place.column * COLUMN_PITCH, place.double / 2


def straight(grid: Grid, start: str, end: str) -> str | None:
    """The direction in which a hex row runs straight from one hex to another, or None."""
    here, there = place_of(grid, start), place_of(grid, end)
    hexes = grid.distance(start, end)
    for direction in DIRECTIONS:
        if hexes and here.step(direction, hexes) == there:
            return direction
    return None
