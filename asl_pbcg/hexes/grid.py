"""A hex map that gives its sets of hexes as values."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.hexes.lattice import DIRECTIONS, Lattice


class Grid(Lattice):
    """The hexes of a map of ``columns`` columns with ``rows`` hexes each.

    Two grids of the same size are the same grid. Raises ValueError for a size below 1.
    """

    @cached_property
    def all(self) -> HexSet:
        """Every hex of the map."""
        return self.wrap(self.valid)

    @cached_property
    def none(self) -> HexSet:
        """No hex."""
        return self.wrap(0)

    @cached_property
    def edge(self) -> HexSet:
        """The map-edge hexes: those that lack one of six neighbours."""
        inner = self.valid
        for direction in DIRECTIONS:
            amount = self.shift(direction)
            inner &= self.valid >> amount if amount > 0 else self.valid << -amount
        return self.wrap(self.valid & ~inner)

    def set(self, names: Iterable[str]) -> HexSet:
        """Gather hexes into a set. Raises UnknownHex."""
        return self.wrap(self.bits(names))

    def wrap(self, bits: int) -> HexSet:
        """Make a HexSet of bits."""
        return HexSet(self, bits)
