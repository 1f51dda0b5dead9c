"""The board of a module: the printed contents of each hex, and what Infantry can cross.

The shipped table is ``data/pb/board.csv``, one line per hex. Where it differs from the printed map
the map is right: players lay a correction file over it (``board_corrections.py``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache, cached_property
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta

from asl_pbcg.campaign.terms import SHIPPED
from asl_pbcg.hexes.hexset import Grid, HexSet
from asl_pbcg.hexes.lattice import DIRECTIONS
from asl_pbcg.hexes.passage import Passage
from asl_pbcg.kernel.typed_data import Lines, TableFile, load_lines

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
        by_building: dict[str, list[str]] = {}
        for info in self:
            if info.building:
                by_building.setdefault(info.building_id or info.name, []).append(info.name)
        return {name: self._where(names) for name, names in by_building.items()}

    def building(self, name: str) -> HexSet:
        """Give all hexes of the building in a hex; no hex if there is none. Raises UnknownHex."""
        info = self[name]
        return self.footprints[info.building_id or name] if info.building else self.grid.none

    @cached_property
    def upper(self) -> HexSet:
        """Hexes of buildings that show a stairway symbol in one of their hexes."""
        hexes = self.grid.none
        for footprint in self.footprints.values():
            if any(self[name].stairs in ("square", "circle") for name in footprint):
                hexes |= footprint
        return hexes

    @cached_property
    def named(self) -> dict[str, HexSet]:
        """The hexes of each named building."""
        by_building: dict[str, list[str]] = {}
        for info in self:
            if info.building_name:
                by_building.setdefault(info.building_name, []).append(info.name)
        return {name: self._where(names) for name, names in by_building.items()}

    def terrain(self, *kinds: str) -> HexSet:
        """Give the hexes that hold one of these kinds of terrain (see TERRAIN)."""
        hexes = self.grid.none
        for kind in kinds:
            hexes |= self._by_terrain.get(kind, self.grid.none)
        return hexes

    @cached_property
    def _by_terrain(self) -> dict[str, HexSet]:
        by_terrain: dict[str, list[str]] = {}
        for info in self:
            for kind in info.terrain:
                by_terrain.setdefault(kind, []).append(info.name)
        return {kind: self._where(names) for kind, names in by_terrain.items()}

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


ONCE: Final = Meta(extra={"once": True})

Sides = Annotated[tuple[Literal["N", "NE", "SE", "S", "SW", "NW"], ...], ONCE]
"""Hexsides of one hex, in the order of DIRECTIONS."""

SheetSides = Annotated[tuple[Literal["N", "E", "S", "W"], ...], ONCE]
"""Sides of the sheet, as it lies with its columns upright."""

TerrainWord = Literal[
    "woods",
    "orchard",
    "partial_orchard",
    "grain",
    "marsh",
    "swamp",
    "canal",
    "canal_bank",
    "pond",
    "pond_bank",
    "stream",
    "irrigation_ditch",
    "gully",
    "path",
    "cliff_band",
    "graveyard",
]
TERRAIN: Final = get_args(TerrainWord)
"""Everything ``HexInfo.terrain`` may hold; none of it means open ground."""

TerrainWords = Annotated[tuple[TerrainWord, ...], ONCE]
Level = Annotated[int, Meta(ge=-1, le=4)]
BuildingName = Annotated[str, Meta(max_length=60)]


class HexInfo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The printed contents of one hex. Hexsides are named N, NE, SE, S, SW, NW as on the sheet."""

    name: str
    in_play: bool = True
    level: Level = 0
    """Base level, -1 to 2; of a canal hex the level of its water."""
    terrain: TerrainWords = ()
    water_obstacle: bool = False
    building: Literal["", "stone", "wood"] = ""
    building_name: BuildingName = ""
    building_id: BuildingName = ""
    """The first hex of a building of several hexes; empty for a building of one hex."""
    stairs: Literal["", "square", "circle", "cross"] = ""
    """The white symbol in a building hex."""
    bridge: bool = False
    paved: Sides = ()
    """Hexsides crossed by a paved road."""
    unpaved: Sides = ()
    road_along: Sides = ()
    """Hexsides along which a road runs; both hexes are road hexes."""
    road_exit: SheetSides = ()
    """Sides of the sheet (N, E, S, W) where a road leaves the map in this hex."""
    hedge: Sides = ()
    wall: Sides = ()
    fence: Sides = ()
    cliff: Sides = ()
    slope: Sides = ()
    """Hexsides with slope hatching inside this hex; this hex is the lower one."""
    rowhouse: Sides = ()
    """Hexsides with the black bar of a row house."""

    @property
    def road_sides(self) -> Sides:
        """Hexsides a road crosses, paved or not."""
        return tuple(side for side in DIRECTIONS if side in self.paved or side in self.unpaved)

    @property
    def road(self) -> Literal["", "paved", "unpaved"]:
        """The kind of road in the hex; a hex with both kinds is paved."""
        if self.paved:
            return "paved"
        return "unpaved" if self.unpaved else ""


BOTH_HEXES: Final = (
    "paved",
    "unpaved",
    "road_along",
    "hedge",
    "wall",
    "fence",
    "cliff",
    "rowhouse",
)
"""The hexside fields that say the same in both hexes of a hexside."""

SIDE_FIELDS: Final = (*BOTH_HEXES, "slope")
"""The fields that list hexsides."""

FLAG_FIELDS: Final = ("in_play", "water_obstacle", "bridge")

LIST_FIELDS: Final = {
    "terrain": TERRAIN,
    "road_exit": ("N", "E", "S", "W"),
    **dict.fromkeys(SIDE_FIELDS, DIRECTIONS),
}
"""The fields that hold a list, with the words of it in their order."""
