"""A hex map as coordinates: which hexes there are, who touches whom, how far it is.

Hexes are flat-topped and lettered as in Advanced Squad Leader: columns A..Z, then AA, BB and so
on, from left to right; in the 1st, 3rd, 5th ... column the hexes are numbered from 1, in the 2nd,
4th, 6th ... from 0, where hex 0 is the half hex at the top edge. Directions N, NE, SE, S, SW, NW
are those of the sheet with its columns upright; they say nothing about north on the ground.

Sets of hexes are Python integers with one bit per hex (``HexSet`` wraps them, ``Grid`` makes
them). The bits lie so that

* the six directions are the same six shifts for every hex: S is ``<< 1``, NE is ``<< step``, SE is
  ``<< (step + 1)``, and N, SW, NW are those backwards;
* rising bits are board order (column first, then number);
* a shift off the map ends on a bit that is not a hex, and one ``& valid`` takes it away.

So two hexes further is two shifts further for a whole set at once. Functions that take or give
``bits`` work on those integers and are what the fast parts of the program use.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol

from asl_pbcg.kernel.errors import PBCGError

DIRECTIONS: Final = ("N", "NE", "SE", "S", "SW", "NW")
"""The six hexsides, clockwise from the top one."""

OPPOSITE: Final = {"N": "S", "NE": "SW", "SE": "NW", "S": "N", "SW": "NE", "NW": "SE"}
"""The name of a hexside in the hex on its other side."""

COLUMN_PITCH: Final = math.sqrt(3) / 2
"""How far columns are apart, in hex heights (a hex is 1 high from its N to its S side)."""

SIDE_LENGTH: Final = 1 / math.sqrt(3)
"""How long a hexside is, in hex heights; also how far a corner is from the centre."""


class UnknownHex(PBCGError):
    """A name that is not a hex of the map; ``nearest`` are hexes that may be meant."""

    def __init__(self, name: str, nearest: tuple[str, ...] = ()) -> None:
        meant = f": perhaps {either(nearest)}?" if nearest else "."
        super().__init__(f'There is no hex "{name}" on the map{meant}')
        self.name = name
        self.nearest = nearest


def either(words: Sequence[str]) -> str:
    """Join words for a sentence: A, B or C."""
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def column_letters(column: int) -> str:
    """Give the letters of a column counted from 0: 0 is A, 25 is Z, 26 is AA, 45 is TT."""
    return chr(ord("A") + column % 26) * (column // 26 + 1)


class Floods(Protocol):
    """Knows which hexsides can be crossed."""

    def flood(self, start: int, within: int) -> int:
        """Give every hex of ``within`` that ``start`` reaches inside it; bits to bits."""


class Lattice:
    """The hexes of a map of ``columns`` columns with ``rows`` hexes each, as names and bits.

    Two grids of the same size are the same grid. Raises ValueError for a size below 1.
    """

    def __init__(self, columns: int, rows: int) -> None:
        if columns < 1 or rows < 1:
            raise ValueError("a grid has at least one column and one row")
        self.columns = columns
        self.rows = rows
        self.step = rows + 1
        """The shift of direction NE."""
        names: list[str] = []
        bit_of: dict[str, int] = {}
        valid = 0
        base = 0
        for column in range(columns):
            letters = column_letters(column)
            first = 1 - column % 2
            for number in range(first, first + rows):
                name = f"{letters}{number}"
                names.append(name)
                bit_of[name] = base + number
            valid |= ((1 << rows) - 1) << (base + first)
            base += self.step + first
        self.names: tuple[str, ...] = tuple(names)
        """All hex names in board order: column first, then number."""
        self.position = bit_of
        """Which bit a hex has in ``bits``."""
        self.valid = valid
        """All hexes, as bits."""
        self._name_at = {bit: name for name, bit in bit_of.items()}
        step = self.step
        self._shifts = {"N": -1, "NE": step, "SE": step + 1, "S": 1, "SW": -step, "NW": -step - 1}
        self._direction_of = {shift: direction for direction, shift in self._shifts.items()}
        self._index = {name: number for number, name in enumerate(names)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Lattice):
            return NotImplemented
        return self is other or (self.columns, self.rows) == (other.columns, other.rows)

    def __hash__(self) -> int:
        return hash((self.columns, self.rows))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.columns}, {self.rows})"

    def __contains__(self, name: object) -> bool:
        return name in self.position

    def __len__(self) -> int:
        return len(self.names)

    def __reduce__(self) -> tuple[type[Lattice], tuple[int, int]]:
        return (type(self), (self.columns, self.rows))

    # Names

    def check(self, name: str) -> str:
        """Give ``name`` back if it is a hex of the map, else raise UnknownHex."""
        if name not in self.position:
            raise UnknownHex(name, self.nearest_names(name))
        return name

    def nearest_names(self, name: str) -> tuple[str, ...]:
        """Say which hexes a wrong name may mean, likeliest first, at most three."""
        import difflib

        clean = "".join(str(name).split()).upper()
        if clean in self.position:
            return (clean,)
        return tuple(difflib.get_close_matches(clean[:8], self.names, n=3, cutoff=0.5))

    def index(self, name: str) -> int:
        """Say where in board order (from 0) a hex stands. Raises UnknownHex."""
        self.check(name)
        return self._index[name]

    def column_row(self, name: str) -> tuple[int, int]:
        """Give the column, from 0, and the number of a hex. Raises UnknownHex."""
        index = self.index(name)
        column, row = divmod(index, self.rows)
        return column, row + 1 - column % 2

    def at(self, column: int, number: int) -> str | None:
        """Name the hex of a column (from 0) and number, or None off the map."""
        first = 1 - column % 2
        if 0 <= column < self.columns and first <= number < first + self.rows:
            return self.names[column * self.rows + number - first]
        return None

    # Neighbours and distance

    def neighbour(self, name: str, direction: str) -> str | None:
        """Name the hex across a hexside ("N", "NE", "SE", "S", "SW", "NW"), or None off the map.

        Raises UnknownHex for the hex and ValueError for the direction.
        """
        if direction not in OPPOSITE:
            raise ValueError(
                f"{direction!r} is not a hexside; hexsides are {', '.join(DIRECTIONS)}"
            )
        self.check(name)
        return self._name_at.get(self.position[name] + self._shifts[direction])

    def neighbours(self, name: str) -> tuple[str, ...]:
        """Name the hexes that touch ``name``, clockwise from the top. Raises UnknownHex."""
        hexes = (self.neighbour(name, direction) for direction in DIRECTIONS)
        return tuple(hex_ for hex_ in hexes if hex_ is not None)

    def direction(self, start: str, end: str) -> str | None:
        """Say which hexside of ``start`` leads to ``end``, or None if they do not touch."""
        # What lies a direction's shift away and is a hex is the neighbour.
        self.check(start)
        self.check(end)
        return self._direction_of.get(self.position[end] - self.position[start])

    def shift(self, direction: str) -> int:
        """Say by how many bits a direction shifts; negative is to the right."""
        return self._shifts[direction]

    def distance(self, start: str, end: str) -> int:
        """Count the hexes from ``start`` to ``end``, whatever the terrain. Raises UnknownHex."""
        column_a, double_a = self._double(start)
        column_b, double_b = self._double(end)
        across = abs(column_a - column_b)
        return across + max(0, (abs(double_a - double_b) - across) // 2)

    def _double(self, name: str) -> tuple[int, int]:
        column, number = self.column_row(name)
        return column, 2 * number - (1 - column % 2)

    # Bits

    def bits(self, names: Iterable[str]) -> int:
        """Gather hexes into bits. Raises UnknownHex."""
        position = self.position
        bits = 0
        for name in names:
            try:
                bits |= 1 << position[name]
            except KeyError:
                raise UnknownHex(name, self.nearest_names(name)) from None
        return bits

    def bit(self, name: str) -> int:
        """Give the bits of one hex. Raises UnknownHex."""
        return 1 << self.position[self.check(name)]

    def each(self, bits: int) -> Iterator[str]:
        """Go through the hexes of bits in board order."""
        name_at = self._name_at
        while bits:
            low = bits & -bits
            yield name_at[low.bit_length() - 1]
            bits ^= low

    def lowest(self, bits: int) -> str:
        """Name the first hex of bits in board order. Raises ValueError for no bits."""
        if not bits:
            raise ValueError("an empty set has no first hex")
        return self._name_at[(bits & -bits).bit_length() - 1]

    # The fast functions on bits

    def spread(self, bits: int, distance: int = 1) -> int:
        """Give all hexes at most ``distance`` hexes away, whatever the terrain; bits to bits."""
        step = self.step
        valid = self.valid
        for _ in range(distance):
            both = bits | bits << 1
            bits = (both | bits >> 1 | both << step | both >> step + 1) & valid
        return bits

    def around(self, bits: int) -> int:
        """Give the hexes that touch ``bits`` but are not in it; bits to bits."""
        return self.spread(bits) & ~bits

    def flood(self, start: int, within: int, passage: Floods | None = None) -> int:
        """Give every hex of ``within`` that ``start`` reaches hex by hex inside it; bits to bits.

        Hexes of ``start`` outside ``within`` do not count. ``passage`` says which hexsides can be
        crossed; without it all can.
        """
        if passage is not None:
            return passage.flood(start, within)
        step = self.step
        new = start & within
        unreached = within ^ new
        while new:
            both = new | new << 1
            new = (both | new >> 1 | both << step | both >> step + 1) & unreached
            unreached ^= new
        return within ^ unreached

    def pieces(self, bits: int, passage: Floods | None = None) -> list[int]:
        """Part ``bits`` into its connected pieces, in board order of their first hex."""
        parts = []
        while bits:
            piece = self.flood(bits & -bits, bits, passage)
            parts.append(piece)
            bits ^= piece
        return parts

    # Where hexes lie on paper; the unit is the height of a hex, origin at the map's corner

    @property
    def width(self) -> float:
        """Return the map's width in hex heights, cut through the centres of the outer columns."""
        return (self.columns - 1) * COLUMN_PITCH

    @property
    def height(self) -> float:
        """Return the map's height in hex heights, cut through the half hexes at top and bottom."""
        return self.rows - 0.5

    def centre(self, name: str) -> tuple[float, float]:
        """Say where a hex's centre lies, in hex heights right of and below the map's corner."""
        column, number = self.column_row(name)
        return column * COLUMN_PITCH, number - 0.5 * (1 - column % 2)

    def corners(self, name: str) -> tuple[tuple[float, float], ...]:
        """Give the six corners in hex heights, clockwise; side n of DIRECTIONS runs from n to n+1.

        They are not cut at the map's edge.
        """
        x, y = self.centre(name)
        half = SIDE_LENGTH / 2
        return (
            (x - half, y - 0.5),
            (x + half, y - 0.5),
            (x + SIDE_LENGTH, y),
            (x + half, y + 0.5),
            (x - half, y + 0.5),
            (x - SIDE_LENGTH, y),
        )
