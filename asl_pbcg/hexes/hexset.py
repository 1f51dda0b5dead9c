"""Sets of hexes of one grid as immutable values with set algebra, and the grid that makes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from asl_pbcg.hexes.lattice import DIRECTIONS, Floods, Lattice


class HexSet:
    """Hexes of one grid. Iterates in board order: column first, then number.

    ``bits`` is one integer with a bit per hex, as ``grid`` lays them out; bits that are no hex of
    the grid are dropped. Mixing sets of two different grids raises ValueError.
    """

    __slots__ = ("bits", "grid")

    grid: Lattice
    bits: int

    def __init__(self, grid: Lattice, bits: int = 0) -> None:
        object.__setattr__(self, "grid", grid)
        object.__setattr__(self, "bits", bits & grid.valid)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a HexSet cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a HexSet cannot be changed")

    def __reduce__(self) -> tuple[type[HexSet], tuple[Lattice, int]]:
        return (HexSet, (self.grid, self.bits))

    def _same(self, other: HexSet) -> int:
        if self.grid is not other.grid and self.grid != other.grid:
            raise ValueError("hex sets of two different maps cannot be mixed")
        return other.bits

    def __or__(self, other: HexSet) -> HexSet:
        return HexSet(self.grid, self.bits | self._same(other))

    def __and__(self, other: HexSet) -> HexSet:
        return HexSet(self.grid, self.bits & self._same(other))

    def __sub__(self, other: HexSet) -> HexSet:
        return HexSet(self.grid, self.bits & ~self._same(other))

    def __xor__(self, other: HexSet) -> HexSet:
        return HexSet(self.grid, self.bits ^ self._same(other))

    def __invert__(self) -> HexSet:
        return HexSet(self.grid, ~self.bits)

    def __le__(self, other: HexSet) -> bool:
        return self.bits & ~self._same(other) == 0

    def __lt__(self, other: HexSet) -> bool:
        return self.bits != other.bits and self <= other

    def __ge__(self, other: HexSet) -> bool:
        return other <= self

    def __gt__(self, other: HexSet) -> bool:
        return other < self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HexSet):
            return NotImplemented
        return self.bits == other.bits and self.grid == other.grid

    def __hash__(self) -> int:
        return hash((self.bits, self.grid))

    def __contains__(self, name: object) -> bool:
        position = self.grid.position.get(name) if isinstance(name, str) else None
        return position is not None and bool(self.bits >> position & 1)

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __bool__(self) -> bool:
        return bool(self.bits)

    def __iter__(self) -> Iterator[str]:
        return self.grid.each(self.bits)

    def __repr__(self) -> str:
        return f"HexSet({' '.join(self)})"

    @property
    def names(self) -> list[str]:
        """Return the hexes' names in board order."""
        return list(self)

    @property
    def first(self) -> str:
        """Return the first hex in board order. Raises ValueError for an empty set."""
        return self.grid.lowest(self.bits)

    def isdisjoint(self, other: HexSet) -> bool:
        """Say whether no hex is in both sets."""
        return self.bits & self._same(other) == 0

    def spread(self, distance: int = 1) -> HexSet:
        """Give these hexes and all at most ``distance`` hexes away, whatever the terrain."""
        return HexSet(self.grid, self.grid.spread(self.bits, distance))

    def neighbours(self) -> HexSet:
        """Give the hexes outside this set that touch it."""
        return HexSet(self.grid, self.grid.around(self.bits))

    def pieces(self, passage: Floods | None = None) -> list[HexSet]:
        """Part the set into connected pieces, in board order of their first hex.

        ``passage`` says which hexsides connect; without it all do.
        """
        return [HexSet(self.grid, piece) for piece in self.grid.pieces(self.bits, passage)]


class Grid(Lattice):
    """The hexes of a map of ``columns`` columns with ``rows`` hexes each.

    Two grids of the same size are the same grid. Raises ValueError for a size below 1.
    """

    @cached_property
    def all(self) -> HexSet:
        """Return every hex of the map."""
        return self.wrap(self.valid)

    @cached_property
    def none(self) -> HexSet:
        """No hex."""
        return self.wrap(0)

    @cached_property
    def edge(self) -> HexSet:
        """Return the map-edge hexes: those that lack one of six neighbours."""
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
