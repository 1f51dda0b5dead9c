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

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from asl_pbcg.airborne.boards import board_named
from asl_pbcg.airborne.places import Place, hex_at, place_of
from asl_pbcg.airborne.settings import COMPASS, TERRAIN, Settings
from asl_pbcg.airborne.tables import table
from asl_pbcg.hexes.grid import Grid
from asl_pbcg.hexes.lattice import OPPOSITE
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.kernel.reader import near, nearest_or_all
from asl_pbcg.kernel.textfiles import read_yaml_or_json

FORMAT: Final = "pbcg-drop-map/1"
BOARD: Final = "pegasus-bridge"
LARGEST: Final = 104  # columns or rows; A to ZZZZ

SheetTop = Literal["", "N", "E", "S", "W"]

_ANGLES: Final[dict[str, int]] = {
    "N": 0,
    "NE": 60,
    "SE": 120,
    "S": 180,
    "SW": 240,
    "NW": 300,
}
_POINTY_ANGLES: Final[dict[str, int]] = {
    "NE": 30,
    "E": 90,
    "SE": 150,
    "SW": 210,
    "W": 270,
    "NW": 330,
}
_TOP_ANGLES: Final = {"N": 0, "E": 90, "S": 180, "W": 270}
_TOPS: Final = {"pointy_top": ("W", "E"), "flat_top": ("N", "S")}


class MapSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which map a drop is on, as it is stored.

    ``terrain`` names hexes by what they hold and stands in place of what the board says of them.
    """

    board: Literal["", "pegasus-bridge"] = ""
    columns: int = 0
    rows: int = 0
    sheet_top: SheetTop = ""
    default: str = "clear"
    terrain: dict[str, tuple[str, ...]] = {}


class DropMap:
    """A map that sticks and gliders come down on."""

    def __init__(
        self,
        grid: Grid,
        terrain: Mapping[str, tuple[str, ...]],
        orientation: str,
        *,
        default: str = "clear",
        sheet_top: SheetTop = "",
        out_of_play: frozenset[str] = frozenset(),
        spec: MapSpec | None = None,
    ) -> None:
        self.grid = grid
        self.default = default
        self.orientation = orientation
        self.sheet_top = sheet_top or _TOPS[orientation][0]
        self.out_of_play = out_of_play
        self.spec = spec or MapSpec(columns=grid.columns, rows=grid.rows)
        self._terrain = terrain

    @property
    def is_board(self) -> bool:
        """Whether it is the Pegasus Bridge board."""
        return self.spec.board == BOARD

    def hex_at(self, place: Place) -> str | None:
        """The hex at a place, or None off the map; a hex out of play is off the map."""
        found = hex_at(self.grid, place)
        return None if found in self.out_of_play else found

    def check(self, name: str) -> str:
        """Give ``name`` back if a landing can be aimed at it. Raises PBCGError."""
        self.grid.check(name)
        if name in self.out_of_play:
            raise PBCGError(f"{name} is out of play on this map.")
        return name

    # Compass

    @cached_property
    def _sheet_of(self) -> dict[str, str]:
        angles = _POINTY_ANGLES if self.orientation == "pointy_top" else _ANGLES
        by_angle = {angle: side for side, angle in _ANGLES.items()}
        top = _TOP_ANGLES[self.sheet_top]
        return {name: by_angle[(angle - top) % 360] for name, angle in angles.items()}

    def sheet_direction(self, compass: str) -> str:
        """The direction on the sheet (N, NE ... NW) of a hexside named by the compass."""
        return self._sheet_of[compass]

    def compass_name(self, direction: str) -> str:
        """The compass name of a direction on the sheet."""
        return next(name for name, side in self._sheet_of.items() if side == direction)

    def enters_at(self, target: str, direction: str) -> str:
        """The map-edge hex where a flight to ``target`` comes over the map.

        ``direction`` is of the sheet. Where the sheet's edge is out of play it is the outermost hex
        in play of the hex row. Rule: III.A.
        """
        place, back = place_of(self.grid, target), OPPOSITE[direction]
        entry = target
        while (found := hex_at(self.grid, place)) is not None:
            entry = entry if found in self.out_of_play else found
            place = place.step(back)
        return entry

    @property
    def sides(self) -> tuple[str, ...]:
        """The six hexsides by compass, clockwise."""
        return COMPASS[self.orientation]

    # Terrain

    def words(self, name: str) -> tuple[str, ...]:
        """What the hex holds, in the map's own words. Raises UnknownHex."""
        self.grid.check(name)
        return self._terrain.get(name, (self.default,))

    def survival_rows(self, name: str, settings: Settings) -> tuple[str, ...]:
        """The rows of the Jump Survival Chart the hex comes under, worst first. Rule: II.D.

        Raises PBCGError for terrain that no row and no alias covers.
        """
        rows = {terrain_row(word, settings) for word in self.words(name)}
        return tuple(sorted(rows, key=lambda row: badness(row, settings), reverse=True))

    def uses_alias(self, name: str) -> bool:
        """Whether the hex holds terrain that is no row of the chart itself."""
        return any(word not in TERRAIN for word in self.words(name))


def terrain_row(word: str, settings: Settings) -> str:
    """The row of the Jump Survival Chart that terrain comes under. Rule: II.D.

    Raises PBCGError that lists the eight rows and every alias.
    """
    if word in TERRAIN:
        return word
    if word in settings.terrain_alias:
        return settings.terrain_alias[word]
    aliases = ", ".join(f"{alias} ({row})" for alias, row in settings.terrain_alias.items())
    close = near(word, (*TERRAIN, *settings.terrain_alias), 1)
    meant = f" Perhaps {close[0]}?" if close else ""
    raise PBCGError(
        f'"{word[:40]}" is no terrain of the Jump Survival Chart.{meant} '
        f"Its rows are {', '.join(TERRAIN)}; other terrain it knows: {aliases}."
    )


def badness(row: str, settings: Settings) -> tuple[int, int, int]:
    """How bad a row is: how many dice eliminate, then how many disperse, then its place."""
    chart = table("jump_survival", settings)
    results = [chart.resolve_total(die, {"terrain": row}).result for die in range(1, 7)]
    place = len(TERRAIN) - TERRAIN.index(row)
    return results.count("eliminated"), results.count("dispersed"), place


# Making one


def build_map(spec: MapSpec, settings: Settings) -> DropMap:
    """The map that ``spec`` describes, in which ``spec_faults`` has found no fault."""
    return _build(msgspec.json.encode(spec), settings.orientation)


@lru_cache(maxsize=16)
def _build(stored: bytes, orientation: str) -> DropMap:
    spec = msgspec.json.decode(stored, type=MapSpec)
    overlay = _by_hex(spec.terrain)
    if spec.board:
        board = board_named(spec.board)
        terrain, grid, out = board.terrain, board.grid, board.out_of_play
    else:
        terrain, grid, out = {}, Grid(spec.columns, spec.rows), frozenset()
    return DropMap(
        grid,
        {**terrain, **overlay},
        orientation,
        default=spec.default,
        sheet_top=spec.sheet_top,
        out_of_play=out,
        spec=spec,
    )


def plain_map(terrain: str, settings: Settings, size: int = 61) -> DropMap:
    """A map of one kind of terrain, so large that nothing aimed at its middle leaves it."""
    terrain_row(terrain, settings)
    spec = MapSpec(columns=size, rows=size, default=terrain)
    return build_map(spec, settings)


def _by_hex(terrain: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for word, names in terrain.items():
        for name in names:
            found.setdefault(name, []).append(word)
    return {name: tuple(words) for name, words in found.items()}


def read_map(named: str, settings: Settings) -> MapSpec:
    """The map a player names: ``pegasus-bridge`` or a map file.

    Raises PBCGError if it cannot be read and FaultsError with every fault in it.
    """
    if named == BOARD:
        return MapSpec(board=BOARD)
    path = Path(named)
    if not path.suffix and not path.exists():
        raise PBCGError(f'There is no map "{named}": name {BOARD} or a map file.')
    raw = read_yaml_or_json(path)
    faults = list(spec_faults(raw, settings, needs_format=True))
    if faults:
        raise FaultsError(str(path), faults)
    return spec_of(raw)


def spec_of(raw: Any) -> MapSpec:
    """What ``spec_faults`` found no fault in, as a MapSpec."""
    if raw == BOARD:
        return MapSpec(board=BOARD)
    return msgspec.convert({key: raw[key] for key in raw if key != "format"}, MapSpec)


def spec_faults(raw: Any, settings: Settings, needs_format: bool = False) -> Iterator[Fault]:
    """Every fault of a map as a file describes it; ``raw`` may also be ``pegasus-bridge``."""
    if raw == BOARD:
        return
    if not isinstance(raw, dict):
        yield Fault("map", str(raw)[:40], f"should be {BOARD}, or columns, rows and terrain")
        return
    if needs_format and raw.get("format") != FORMAT:
        yield Fault("format", str(raw.get("format", ""))[:40], f"should be {FORMAT}")
    known = MapSpec.__struct_fields__
    for key in raw:
        if key not in known and key != "format":
            yield Fault(f"map, {key}", "", f"is no key of a map{nearest_or_all(key, known, 0.4)}")
    grid = None
    board = raw.get("board", "")
    if board == BOARD:
        if "columns" in raw or "rows" in raw:
            yield Fault("map", "", "has a board, whose size is known: leave columns and rows out")
        grid = board_named(board).grid
    elif board:
        yield Fault("map, board", str(board)[:40], f"is no board: {BOARD} is the only one")
    else:
        sizes = [raw.get("columns", 0), raw.get("rows", 0)]
        if all(type(size) is int and 1 <= size <= LARGEST for size in sizes):
            grid = Grid(*sizes)
        else:
            yield Fault("map", "", f"needs columns and rows from 1 to {LARGEST}, or board: {BOARD}")
    yield from _top_faults(raw.get("sheet_top", ""), settings)
    yield from _word_faults(raw.get("default", "clear"), "map, default", settings)
    terrain = raw.get("terrain", {})
    if not isinstance(terrain, dict) or not all(isinstance(v, list) for v in terrain.values()):
        yield Fault("map, terrain", "", "should be kinds of terrain, each with a list of hexes")
        return
    for word, names in terrain.items():
        yield from _word_faults(word, "map, terrain", settings)
        for name in names:
            if grid is not None and (not isinstance(name, str) or name not in grid):
                near = " or ".join(grid.nearest_names(str(name)))
                meant = f": perhaps {near}" if near else ""
                yield Fault(f"map, terrain, {word}", str(name)[:40], f"is no hex{meant}")


def _top_faults(top: Any, settings: Settings) -> Iterator[Fault]:
    fitting = _TOPS[settings.orientation]
    if top and top not in fitting:
        yield Fault(
            "map, sheet_top",
            str(top)[:40],
            f"should be {' or '.join(fitting)} when the orientation is {settings.orientation}",
        )


def _word_faults(word: Any, where: str, settings: Settings) -> Iterator[Fault]:
    try:
        terrain_row(str(word), settings)
    except PBCGError as error:
        yield Fault(where, "", str(error).rstrip("."))
