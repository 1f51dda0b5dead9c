"""The board of a module: what is in each hex and what Infantry can cross.

The shipped table is ``data/pb/board.csv``, one line per hex. Where it and the printed map differ
the printed map is right: players lay a correction file over it (``corrections.py``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache, cached_property
from typing import Any, Final, Literal

from asl_pbcg.campaign.hexinfo import FLAG_FIELDS, LIST_FIELDS, HexInfo
from asl_pbcg.campaign.terms import SHIPPED
from asl_pbcg.hexes.grid import Grid
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.hexes.lattice import DIRECTIONS
from asl_pbcg.hexes.passage import Passage
from asl_pbcg.kernel.comma_table import Lines, TableFile, load_lines

Barriers = Literal["bridges", "black-bars", "cliffs-and-black-bars"]
"""Which hexsides stop Infantry. "bridges": only the sides of a bridge that its road does not cross.
"black-bars": the black bars of row houses too; "cliffs-and-black-bars": Cliff hexsides as well."""

DEFAULT_BARRIERS: Final[Barriers] = "cliffs-and-black-bars"
BARRIERS: Final[dict[str, Barriers]] = {
    "stop": "cliffs-and-black-bars",
    "bars": "black-bars",
    "cross": "bridges",
}
"""The barriers by the choices of house rule P-01. Rule: 9.2 Enterable."""


def board_file(folder: str = SHIPPED) -> TableFile[HexInfo]:
    """The board's comma table with its types, as it is read after a change of the data."""
    names, otherwise = {"hex": "name"}, {"in_play": False}
    return TableFile(f"{folder}/board.csv", HexInfo, names=names, otherwise=otherwise)


def _hexes(table: Lines) -> Iterator[HexInfo]:
    # The file's types were seen to when it was new (``play/data_files.py``).
    for _, cells in table[1]:
        assert isinstance(cells, dict)
        fields: dict[str, Any] = {"in_play": False}
        for key, cell in cells.items():
            if key in LIST_FIELDS:
                fields[key] = tuple(cell.split(";"))
            elif key == "level":
                fields[key] = int(cell)
            elif key in FLAG_FIELDS:
                fields[key] = True
            else:
                fields["name" if key == "hex" else key] = cell
        yield HexInfo(**fields)


class Board:
    """The map of a campaign: its grid, its hexes, and sets of hexes by what is in them."""

    def __init__(
        self, hexes: Iterable[HexInfo], barriers: Barriers = DEFAULT_BARRIERS, folder: str = SHIPPED
    ) -> None:
        self.folder = folder
        self.barriers: Barriers = barriers
        self.hexes: dict[str, HexInfo] = {info.name: info for info in hexes}
        self.grid = _grid_of(self.hexes)

    def __getitem__(self, name: str) -> HexInfo:
        """Say what is in a hex. Raises UnknownHex."""
        try:
            return self.hexes[name]
        except KeyError:
            self.grid.check(name)
            raise

    def __iter__(self) -> Iterator[HexInfo]:
        return iter(self.hexes.values())

    def __contains__(self, name: object) -> bool:
        return name in self.hexes

    def _where(self, names: Iterable[str]) -> HexSet:
        return self.grid.set(names)

    @cached_property
    def in_play(self) -> HexSet:
        """Hexes that are in play: not under the boxes in the map's corners."""
        return self._where(info.name for info in self if info.in_play)

    @property
    def edge(self) -> HexSet:
        """The map-edge hexes: those that lack one of six neighbours."""
        return self.grid.edge

    @cached_property
    def water(self) -> HexSet:
        """Hexes that are a Water Obstacle, bridged or not."""
        return self._where(info.name for info in self if info.water_obstacle)

    @cached_property
    def bridges(self) -> HexSet:
        """The hexes of Pegasus Bridge."""
        return self._where(info.name for info in self if info.bridge)

    @cached_property
    def enterable(self) -> HexSet:
        """Hexes Infantry could enter as far as printed terrain goes: in play, no open water."""
        return self.in_play - (self.water - self.bridges)

    @cached_property
    def buildings(self) -> HexSet:
        """Every building hex."""
        return self._where(info.name for info in self if info.building)

    @cached_property
    def footprints(self) -> dict[str, HexSet]:
        """The hexes of each building, by its id: the first of its hexes in board order."""
        found: dict[str, list[str]] = {}
        for info in self:
            if info.building:
                found.setdefault(info.building_id or info.name, []).append(info.name)
        return {name: self._where(names) for name, names in found.items()}

    def building(self, name: str) -> HexSet:
        """Give all hexes of the building in a hex; no hex if there is none. Raises UnknownHex."""
        info = self[name]
        return self.footprints[info.building_id or name] if info.building else self.grid.none

    @cached_property
    def upper(self) -> HexSet:
        """Hexes of buildings that show a stairway symbol in one of their hexes."""
        found = self.grid.none
        for footprint in self.footprints.values():
            if any(self[name].stairs in ("square", "circle") for name in footprint):
                found |= footprint
        return found

    @cached_property
    def named(self) -> dict[str, HexSet]:
        """The hexes of each named building."""
        found: dict[str, list[str]] = {}
        for info in self:
            if info.building_name:
                found.setdefault(info.building_name, []).append(info.name)
        return {name: self._where(names) for name, names in found.items()}

    def terrain(self, *kinds: str) -> HexSet:
        """Give the hexes that hold one of these kinds of terrain (see TERRAIN)."""
        found = self.grid.none
        for kind in kinds:
            found |= self._by_terrain.get(kind, self.grid.none)
        return found

    @cached_property
    def _by_terrain(self) -> dict[str, HexSet]:
        found: dict[str, list[str]] = {}
        for info in self:
            for kind in info.terrain:
                found.setdefault(kind, []).append(info.name)
        return {kind: self._where(names) for kind, names in found.items()}

    # What Infantry can cross

    @cached_property
    def passage(self) -> Passage:
        """Which hexsides Infantry can cross."""
        barred = [
            (name, side)
            for name in self.bridges
            for side in DIRECTIONS
            if side not in self[name].road_sides
        ]
        if self.barriers != "bridges":
            barred += [(info.name, side) for info in self for side in info.rowhouse]
        if self.barriers == "cliffs-and-black-bars":
            barred += [(info.name, side) for info in self for side in info.cliff]
        return Passage(self.grid, barred)

    def crossable(self, start: str, end: str) -> bool:
        """Say whether Infantry could cross the common hexside of two hexes that touch.

        It does not ask whether either hex is Enterable. Raises UnknownHex.
        """
        return self.passage.crossable(start, end)

    def has_cliff(self, start: str, end: str) -> bool:
        """Say whether the common hexside of two hexes is a Cliff. Raises UnknownHex. Rule: B11.4"""
        return self.grid.direction(start, end) in self[start].cliff

    def has_rowhouse_bar(self, start: str, end: str) -> bool:
        """Say whether a row-house bar parts two hexes. Raises UnknownHex. Rule: B23.71"""
        return self.grid.direction(start, end) in self[start].rowhouse

    def flood(self, start: HexSet, within: HexSet) -> HexSet:
        """Give every hex of ``within`` that Infantry reach from ``start`` inside it."""
        return self.grid.wrap(self.passage.flood(start.bits, within.bits))

    def pieces(self, hexes: HexSet) -> list[HexSet]:
        """Part a set into pieces inside which Infantry can walk, in board order."""
        return hexes.pieces(self.passage)

    def path(self, starts: HexSet, goals: HexSet, within: HexSet) -> list[str] | None:
        """Find a shortest path for Infantry, or None.

        Every hex after the first, the goal too, lies in ``within``.
        """
        return self.passage.path(starts.bits, goals.bits, within.bits)

    def distance(self, start: str, end: str) -> int:
        """Count hexes between two hexes, whatever the terrain. Raises UnknownHex."""
        return self.grid.distance(start, end)

    def with_barriers(self, barriers: Barriers) -> Board:
        """Give the same board with another reading of which hexsides stop Infantry."""
        return Board(self, barriers, self.folder)


@cache
def _grid(columns: int, rows: int) -> Grid:
    return Grid(columns, rows)


def _grid_of(names: Collection[str]) -> Grid:
    """The grid whose hexes these are: every column has as many rows."""
    columns = len({name.rstrip("0123456789") for name in names})
    return _grid(columns, len(names) // columns)


@cache
def _as_printed(folder: str) -> Board:
    return Board(_hexes(load_lines(f"{folder}/board.csv")), folder=folder)


def load_board(barriers: Barriers = DEFAULT_BARRIERS, folder: str = SHIPPED) -> Board:
    """Read the board of a module, once, as it is printed."""
    board = _as_printed(folder)
    return board if barriers == board.barriers else board.with_barriers(barriers)
