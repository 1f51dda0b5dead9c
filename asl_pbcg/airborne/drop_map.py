"""The map of a drop: a plain hex grid or the Pegasus Bridge board, with terrain and compass.

Hexes are named as everywhere in the program, with the columns of the sheet upright. ``sheet_top``
says which way on the compass the top of that sheet faces: on the Pegasus Bridge board the top is
west, rising letters run north and rising numbers east.

A map file (or the key ``map`` of an orders file)::

    format: pbcg-drop-map/1
    columns: 30                 # or board: pegasus-bridge
    rows: 20
    default: clear
    terrain: {forest: [C4, C5], swamp: [D7]}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta

from asl_pbcg.airborne.drop_settings import COMPASS, TERRAIN, DropSettings, Orientation, Terrain
from asl_pbcg.airborne.drop_tables import table
from asl_pbcg.airborne.wind import Wind
from asl_pbcg.hexes.hex_view import HexView
from asl_pbcg.hexes.hexset import Grid
from asl_pbcg.hexes.lattice import COLUMN_PITCH, DIRECTIONS, OPPOSITE
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import near
from asl_pbcg.kernel.struct_reader import Path as FilePlace
from asl_pbcg.kernel.struct_reader import StructReader
from asl_pbcg.kernel.textfiles import read_yaml_or_json

FORMAT: Final = "pbcg-drop-map/1"
BOARD: Final = "pegasus-bridge"
MAX_SIZE: Final = 104  # columns or rows; A to ZZZZ

SheetTop = Literal["", "N", "E", "S", "W"]

_TURNED: Final[dict[Orientation, dict[SheetTop, int]]] = {
    "pointy_top": {"W": 2, "E": 5},
    "flat_top": {"N": 0, "S": 3},
}
"""By how many hexsides the first of the compass lies clockwise of the sheet's top, by sheet_top."""
_STEPS: Final = dict(
    zip(DIRECTIONS, ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)), strict=True)
)


class DropPlace(NamedTuple):
    """A hex of the endless plane that the map is a part of, as its column and its doubled row.

    N and S change the doubled row by two, the other directions column and doubled row by one.
    """

    column: int
    double: int

    def step(self, direction: str, hexes: int = 1) -> DropPlace:
        """Return the place ``hexes`` further in a direction of the sheet."""
        across, down = _STEPS[direction]
        return DropPlace(self.column + across * hexes, self.double + down * hexes)

    @property
    def centre(self) -> tuple[float, float]:
        """Return where its centre lies, in hex heights as ``Grid.centre`` counts them."""
        return self.column * COLUMN_PITCH, self.double / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class DropBoard:
    """A printed board to drop on: its hexes, their terrain by hex, and how a part of it is drawn.

    Terrain is in words of the Jump Survival Chart or of its aliases.
    """

    grid: Grid
    terrain: Mapping[str, tuple[str, ...]]
    out_of_play: frozenset[str]
    draw: Callable[[HexView], None]


_OFFERED: Final[dict[str, Callable[[], DropBoard]]] = {}
"""The printed boards at hand, by name; each is loaded when a drop is first made on it."""


def offer_board(name: str, load: Callable[[], DropBoard]) -> None:
    """Offer the printed board ``name`` to drop on; ``load`` reads it when it is first used."""
    _OFFERED[name] = load


def load_drop_board(name: str) -> DropBoard:
    """Return the printed board ``name``. Raises PBCGError."""
    if name not in _OFFERED:
        boards = ", ".join(_OFFERED) or "none"
        raise PBCGError(f'There is no board "{name}" here. Boards at hand: {boards}.')
    return _OFFERED[name]()


class MapSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A map as it is stored. ``terrain`` names hexes and goes before what the board says of them.

    Without a board ``columns`` and ``rows`` are the size; ``sheet_top`` is empty for the usual one.
    """

    board: Literal["", "pegasus-bridge"] = ""
    columns: Annotated[int, Meta(ge=0, le=MAX_SIZE)] = 0
    rows: Annotated[int, Meta(ge=0, le=MAX_SIZE)] = 0
    sheet_top: SheetTop = ""
    default: str = "clear"
    terrain: dict[str, tuple[str, ...]] = {}


@dataclass(frozen=True, kw_only=True)
class DropMap:
    """A map that sticks and gliders come down on."""

    grid: Grid
    terrain: Mapping[str, tuple[str, ...]]
    out_of_play: frozenset[str]
    spec: MapSpec
    sides: tuple[str, ...]
    """The six hexsides by compass, clockwise."""
    sheet_top: str
    directions: Mapping[str, str]
    """For each hexside by compass its direction on the sheet (N, NE ... NW)."""

    def place(self, name: str) -> DropPlace:
        """Return where a hex lies. Raises UnknownHex."""
        column, number = self.grid.column_row(name)
        return DropPlace(column, 2 * number - (1 - column % 2))

    def hex_at(self, place: DropPlace) -> str | None:
        """Return the hex at a place, or None off the map; out of play is off the map."""
        name = self.grid.at(place.column, (place.double + 1 - place.column % 2) // 2)
        return None if name in self.out_of_play else name

    def check(self, name: str) -> str:
        """Return ``name`` if a landing can be aimed at it. Raises PBCGError."""
        self.grid.check(name)
        if name in self.out_of_play:
            raise PBCGError(f"{name} is out of play on this map.")
        return name

    def downwind_line(self, at: str, wind: Wind, hexes: int) -> list[tuple[DropPlace, str | None]]:
        """Return the target hex and the ``hexes`` hexes straight downwind, with their places.

        The name is None off the map. Rule: II.C.
        """
        start, direction = self.place(at), self.directions[wind.blows_to]
        places = [start.step(direction, distance) for distance in range(hexes + 1)]
        return [(place, self.hex_at(place)) for place in places]

    def entry_hex(self, target: str, flight: str) -> str:
        """Return the map-edge hex where a flight towards the hexside ``flight`` enters the map.

        Where the sheet's edge is out of play it is the outermost hex in play. Rule: III.A.
        """
        place, back = self.place(target), OPPOSITE[self.directions[flight]]
        entry = target
        for _ in range(self.grid.columns + self.grid.rows):
            place = place.step(back)
            entry = self.hex_at(place) or entry
        return entry

    def words(self, name: str) -> tuple[str, ...]:
        """Return the terrain of a hex in the map's own words. Raises UnknownHex."""
        self.grid.check(name)
        return self.terrain.get(name, (self.spec.default,))

    def survival_rows(self, name: str, settings: DropSettings) -> tuple[Terrain, ...]:
        """Return the rows of the Jump Survival Chart a hex comes under, worst first. Rule: II.D.

        The worst row eliminates most, then disperses most. Raises PBCGError for terrain that no
        row and no alias covers.
        """
        rows = {terrain_row(word, settings) for word in self.words(name)}
        if len(rows) == 1:
            return tuple(rows)
        chart = table("jump_survival", settings)

        def badness(row: Terrain) -> tuple[float, ...]:
            odds = chart.odds({"terrain": row})
            places = (odds.get("eliminated", 0), odds.get("dispersed", 0))
            return (*map(float, places), -TERRAIN.index(row))

        return tuple(sorted(rows, key=badness, reverse=True))

    def uses_alias(self, name: str) -> bool:
        """Return whether a hex holds terrain that is not a row of the chart itself."""
        return any(word not in TERRAIN for word in self.words(name))


def terrain_row(word: str, settings: DropSettings) -> Terrain:
    """Return the row of the Jump Survival Chart that terrain comes under. Rule: II.D.

    Raises PBCGError that lists the eight rows and every alias.
    """
    if word in settings.terrain_alias:
        return settings.terrain_alias[word]
    if word in TERRAIN:
        return word
    aliases = ", ".join(f"{alias} ({row})" for alias, row in settings.terrain_alias.items())
    close = near(word, (*TERRAIN, *settings.terrain_alias), 1)
    meant = f" Perhaps {close[0]}?" if close else ""
    raise PBCGError(
        f'"{word[:40]}" is not terrain of the Jump Survival Chart.{meant} '
        f"Its rows are {', '.join(TERRAIN)}; other terrain it knows: {aliases}."
    )


# Making one


def build_map(spec: MapSpec, settings: DropSettings) -> DropMap:
    """Return the map that ``spec`` describes."""
    return _build(msgspec.json.encode(spec), settings.orientation)


@lru_cache(maxsize=16)
def _build(stored: bytes, orientation: Orientation) -> DropMap:
    spec = msgspec.json.decode(stored, type=MapSpec)
    terrain: dict[str, tuple[str, ...]] = {}
    for word, names in spec.terrain.items():
        for name in names:
            terrain[name] = (*terrain.get(name, ()), word)
    board = load_drop_board(spec.board) if spec.board else None
    turned = _TURNED[orientation]
    top = spec.sheet_top or next(iter(turned))
    sides = COMPASS[orientation]
    return DropMap(
        grid=board.grid if board else Grid(spec.columns, spec.rows),
        terrain={**board.terrain, **terrain} if board else terrain,
        out_of_play=board.out_of_play if board else frozenset(),
        spec=spec,
        sides=sides,
        sheet_top=top,
        directions={side: DIRECTIONS[(n + turned[top]) % 6] for n, side in enumerate(sides)},
    )


def plain_map(terrain: str, settings: DropSettings, size: int = 61) -> DropMap:
    """Return a map of one kind of terrain that nothing aimed at its middle leaves."""
    terrain_row(terrain, settings)
    return build_map(MapSpec(columns=size, rows=size, default=terrain), settings)


# Reading one


def read_map(named: str, settings: DropSettings) -> MapSpec:
    """Return the map a player names: ``pegasus-bridge`` or a map file.

    Raises PBCGError if it cannot be read and FaultsError with every fault in it.
    """
    path = Path(named)
    if named != BOARD and not path.suffix and not path.exists():
        raise PBCGError(f'There is no map "{named}": name {BOARD} or a map file.')
    return read_spec(BOARD if named == BOARD else read_yaml_or_json(path), settings, named, FORMAT)


def read_spec(raw: Any, settings: DropSettings, source: str, file_format: str = "") -> MapSpec:
    """Read a map as a file describes it. Raises FaultsError with every fault.

    ``raw`` may also be ``pegasus-bridge``; ``file_format`` is what its key ``format`` must be.
    """
    if raw == BOARD:
        return MapSpec(board=BOARD)

    def check(spec: MapSpec, path: FilePlace) -> Iterator[tuple[str, object, str]]:
        yield from _misfits(spec, settings)

    reader = StructReader(source, checks={MapSpec: check}, numbers_as_text=True)
    if not isinstance(raw, dict):
        reader.fault("map", raw, f"must be {BOARD}, or columns, rows and terrain")
        reader.raise_faults()
    if file_format and raw.get("format") != file_format:
        reader.fault("format", raw.get("format"), f"must be {file_format}")
    spec = reader.read({key: raw[key] for key in raw if key != "format"}, MapSpec, ("map",))
    reader.raise_faults()
    assert spec
    return spec


def _misfits(spec: MapSpec, settings: DropSettings) -> Iterator[tuple[str, object, str]]:
    """Yield what of a map does not fit together: key, value and what would be right."""
    if spec.board and (spec.columns or spec.rows):
        yield "", "", "has a board, whose size is known: leave columns and rows out"
    tops = tuple(_TURNED[settings.orientation])
    if spec.sheet_top and spec.sheet_top not in tops:
        wrong = f"must be {' or '.join(tops)} when the orientation is {settings.orientation}"
        yield "sheet_top", spec.sheet_top, wrong
    for word in (spec.default, *spec.terrain):
        try:
            terrain_row(word, settings)
        except PBCGError as error:
            yield "terrain", "", str(error).rstrip(".")
    if not spec.board and not (spec.columns and spec.rows):
        yield "", "", f"needs columns and rows from 1 to {MAX_SIZE}, or board: {BOARD}"
        return
    grid = load_drop_board(spec.board).grid if spec.board else Grid(spec.columns, spec.rows)
    for word, names in spec.terrain.items():
        for name in names:
            if name not in grid:
                close = " or ".join(grid.nearest_names(name))
                hint = f": perhaps {close}" if close else ""
                yield f"terrain, {word}", name, f"is not a hex of the map{hint}"
