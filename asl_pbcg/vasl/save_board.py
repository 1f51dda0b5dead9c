"""Where a save's pixels are on board PB: which hex, which hexside, which covered arc.

Its measures stand in ``data/pb/vasl.yaml``, in pixels of an unturned board.
"""

from __future__ import annotations

import math

import msgspec

from asl_pbcg.hexes.hexset import Grid
from asl_pbcg.hexes.lattice import DIRECTIONS, OPPOSITE
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.vasl.names import Measures, facts

_MIDWAY = 6.0  # pixels: so near the middle between two hexes a counter lies on their hexside
_BESIDE = 12.0  # pixels a counter may lie beyond the edge of the board


def measures() -> Measures:
    """Return the measures of board PB."""
    return facts().board


class WrongBoard(PBCGError):
    """A save whose boards cannot be read; the sentence says which are in it."""


class Placed(msgspec.Struct, frozen=True):
    """Board PB as it lies in a save."""

    left: int
    top: int
    reversed: bool = False
    crop: tuple[int, int, int, int] = (0, 0, -1, -1)
    zoom: float = 1.0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in the save's pixels."""
        width = self.crop[2] if self.crop[2] > 0 else measures().width
        height = self.crop[3] if self.crop[3] > 0 else measures().height
        return round(width * self.zoom), round(height * self.zoom)

    def on_board(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of an unturned, whole board that lies at ``x``, ``y`` of the save."""
        x, y = x - self.left, y - self.top
        width, height = self.size
        if self.reversed:
            x, y = width - x, height - y
        return x / self.zoom + self.crop[0], y / self.zoom + self.crop[1]

    def in_save(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of the save where a pixel of the unturned, whole board lies."""
        x, y = (x - self.crop[0]) * self.zoom, (y - self.crop[1]) * self.zoom
        width, height = self.size
        if self.reversed:
            x, y = width - x, height - y
        return x + self.left, y + self.top

    def holds(self, x: float, y: float) -> bool:
        """Return whether a pixel of the save lies on this board."""
        width, height = self.size
        beside = _BESIDE * self.zoom
        return (
            -beside <= x - self.left <= width + beside
            and -beside <= y - self.top <= height + beside
        )


def find_board(command: str) -> Placed:
    """Return the place of board PB, from a save's command of its boards. Raises WrongBoard."""
    listed = [_parse(part.split("\t")) for part in f"\t{command}".split("\tbd\t")[1:]]
    boards = {(col, row): (name, placed) for col, row, name, placed in filter(None, listed)}
    names = [name for name, _ in boards.values()]
    at = [place for place, (name, _) in boards.items() if name.upper() == measures().name]
    if not at:
        shown = ", ".join(sorted({name[:12] for name in names if name.isprintable()})[:6])
        raise WrongBoard(
            f"The save has no board {measures().name}: "
            + (f"its boards are {shown}." if shown else "no board was chosen.")
            + (" Deluxe hexes are not read." if any(_deluxe(name) for name in names) else "")
        )
    if len(at) > 1:
        raise WrongBoard(f"The save has board {measures().name} twice: keep one of them.")
    (col, row), placed = at[0], boards[at[0]][1]
    edge = measures().edge
    left = sum(_size(boards.get((column, row)))[0] for column in range(col))
    top = sum(_size(boards.get((col, line)))[1] for line in range(row))
    return msgspec.structs.replace(placed, left=edge + left, top=edge + top)


def _deluxe(name: str) -> bool:
    """Return whether a board's name is that of a Deluxe one: a letter, or dx and a letter."""
    plain = name.lower().removeprefix("dx").rstrip("0123456789")
    return len(plain) == 1 and plain.isalpha()


def _size(board: tuple[str, Placed] | None) -> tuple[int, int]:
    if board is None:
        return 0, 0
    name, placed = board
    if name.upper() == measures().name:
        return placed.size
    width = placed.crop[2] if placed.crop[2] > 0 else measures().geomorphic[0]
    height = placed.crop[3] if placed.crop[3] > 0 else measures().geomorphic[1]
    return round(width * placed.zoom), round(height * placed.zoom)


def _parse(parts: list[str]) -> tuple[int, int, str, Placed] | None:
    try:
        col, row, name = int(parts[0]), int(parts[1]), parts[2]
    except (IndexError, ValueError):
        return None
    if not (0 <= col < 20 and 0 <= row < 20 and 0 < len(name) < 40):
        return None
    turned = name.startswith("r") and len(name) > 1
    crop = (0, 0, -1, -1)
    try:
        x, y, width, height = (int(part) for part in parts[3:7])
        crop = (x, y, width, height)
    except ValueError:
        pass
    zoom = 1.0
    if "ZOOM" in parts[:-1]:
        try:
            zoom = float(parts[len(parts) - 1 - parts[::-1].index("ZOOM") + 1])
        except ValueError:
            zoom = 1.0
    if not (math.isfinite(zoom) and 0.1 <= zoom <= 10) or max(map(abs, crop)) > 100_000:
        return None
    return (
        col,
        row,
        name[1:] if turned else name,
        Placed(0, 0, reversed=turned, crop=crop, zoom=zoom),
    )


class HexSpot(msgspec.Struct, frozen=True):
    """Where a counter lies: its hex, and the one across the hexside if it lies on a hexside."""

    hex: str
    across: str = ""
    far: float = 0.0
    """Pixels from the centre of the hex, as on an unzoomed board."""


def centre(grid: Grid, name: str) -> tuple[float, float]:
    """Return the centre of a hex in pixels of the unturned, whole board."""
    column, number = grid.column_row(name)
    half = 0.5 if column % 2 else 0.0
    return column * measures().column, measures().top + measures().row * (number - 1 + half)


def find_hex(grid: Grid, x: float, y: float) -> HexSpot:
    """Return the hex whose centre is nearest to a pixel of the unturned, whole board."""
    middle = round(x / measures().column)
    near: list[tuple[float, str]] = []
    for column in range(max(0, middle - 1), min(grid.columns - 1, middle + 1) + 1):
        half = 0.5 if column % 2 else 0.0
        row = round((y - measures().top) / measures().row + 1 - half)
        for number in (row - 1, row, row + 1):
            name = grid.at(column, number)
            if name:
                across, down = centre(grid, name)
                near.append((math.hypot(across - x, down - y), name))
    near.sort()
    if not near:
        return HexSpot("")
    (first, name), others = near[0], near[1:]
    midway = [spot for far, spot in others if far - first < _MIDWAY and first > measures().row / 4]
    return HexSpot(name, midway[0] if midway else "", first)


def find_arc(grid: Grid, name: str, arc: int, turned: bool) -> str:
    """Return the hexes beside hexspine ``arc`` of a hex, as a position writes a covered arc.

    Hexspines count from 1 clockwise, 1 lies between N and NE of the sheet as it lies; ``turned``
    is whether the board is reversed. Empty if both hexes are off the map.
    """
    first = DIRECTIONS[(arc - 1) % 6]
    second = DIRECTIONS[arc % 6]
    if turned:
        first, second = OPPOSITE[first], OPPOSITE[second]
    hexes = [spot for spot in (grid.neighbour(name, first), grid.neighbour(name, second)) if spot]
    return "/".join(sorted(hexes, key=grid.index))
