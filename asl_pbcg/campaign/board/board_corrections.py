"""Players' corrections laid over the board: where the shipped table differs from the printed map,
the printed map is right.

A correction file is small YAML (or JSON)::

    format: pbcg-board/1
    note: second printing of the map          # optional, free text
    hexes:                                    # fields of a hex; what is not named stays
      A23: {terrain: [irrigation_ditch], water_obstacle: false}
      D14: {building: none}
      LL10: {hedge: [NE, SE, NW]}             # all hexsides of LL10 that are a hedge
    hexsides:                                 # one hexside at a time
      LL10/MM10: {hedge: true, wall: false}

A hexside is changed for both hexes that share it, whichever way it is written. ``none`` empties a
field that holds one word, ``[]`` one that holds a list. The fields are those of ``HexInfo``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from asl_pbcg.campaign.board.board import (
    BOTH_HEXES,
    DEFAULT_BARRIERS,
    LIST_FIELDS,
    Barriers,
    Board,
    HexInfo,
    load_board,
)
from asl_pbcg.campaign.terms import SHIPPED
from asl_pbcg.hexes.hexset import Grid
from asl_pbcg.hexes.lattice import DIRECTIONS, OPPOSITE, either
from asl_pbcg.kernel.errors import Fault, FaultsError
from asl_pbcg.kernel.reader import Wrong
from asl_pbcg.kernel.struct_reader import Path as Place
from asl_pbcg.kernel.struct_reader import StructReader
from asl_pbcg.kernel.textfiles import read_yaml_or_json

FORMAT: Final = "pbcg-board/1"

WORDS: Final = ("building", "stairs")
HexChange = msgspec.defstruct(
    "HexChange",
    [
        (field.name, field.type | (Literal["none"] if field.name in WORDS else None) | None, None)
        for field in msgspec.structs.fields(HexInfo)
        if field.name != "name"
    ],
    forbid_unknown_fields=True,
)
"""New values for fields of a hex; ``none`` empties a word."""

HexsideChange = msgspec.defstruct(
    "HexsideChange",
    [(field, bool | None, None) for field in BOTH_HEXES],
    forbid_unknown_fields=True,
)
"""Whether a hexside has something."""


HexName = Annotated[str, Meta(extra={"reads": "hex"})]
HexPair = Annotated[str, Meta(extra={"reads": "hexside"})]


class CorrectionFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A correction file, or what a campaign keeps of one."""

    format: Literal["pbcg-board/1"]
    note: str = ""
    hexes: dict[HexName, HexChange] = {}  # type: ignore[valid-type]
    hexsides: dict[HexPair, HexsideChange] = {}  # type: ignore[valid-type]


class Corrections(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Players' changes of the board, checked. ``hexes`` and ``hexsides`` as in the file."""

    format: str = FORMAT
    note: str = ""
    hexes: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict)
    hexsides: dict[str, dict[str, bool | None]] = msgspec.field(default_factory=dict)

    @classmethod
    def of(cls, data: Any, board: Board, source: str = "The correction file") -> Corrections:
        """Check ``data`` as read from a file or a campaign.

        Raises FaultsError with every fault, each with its hex and field.
        """
        read, faults = _read(data, board.grid)
        if read and not faults:
            unnamed = [part for part in ("hexes", "hexsides") if "" in (data.get(part) or {})]
            faults = [Fault(part, "", "has an entry without a name") for part in unnamed]
        if read and not faults:
            faults = list(_contradictions(data, board.grid))
        if faults or not read:
            raise FaultsError(source, faults)
        return cls(
            note=read.note,
            hexes={name: dict(fields) for name, fields in (data.get("hexes") or {}).items()},
            hexsides={pair: dict(facts) for pair, facts in (data.get("hexsides") or {}).items()},
        )

    def to_data(self) -> dict[str, Any]:
        """Return plain data that ``of`` reads back, for a campaign to keep."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    def lay_over(self, board: Board) -> Board:
        """Return the board as corrected."""
        grid = board.grid
        fields: dict[str, dict[str, Any]] = {}
        for name, changes in self.hexes.items():
            for key, value in changes.items():
                if key not in BOTH_HEXES:
                    fields.setdefault(name, {})[key] = _clean(key, value)
        for place, is_there, _ in _statements(self.hexes, self.hexsides, grid):
            name, side, key = place
            mine = fields.setdefault(name, {})
            sides = set(mine.get(key, getattr(board[name], key)))
            sides = sides | {side} if is_there else sides - {side}
            mine[key] = tuple(direction for direction in DIRECTIONS if direction in sides)
        return Board(
            [
                msgspec.structs.replace(info, **fields[info.name]) if info.name in fields else info
                for info in board
            ],
            board.barriers,
        )


def read_corrections(path: Path, board: Board) -> Corrections:
    """Read a correction file for ``board``.

    Raises PBCGError if it cannot be read and FaultsError with every fault in it.
    """
    return Corrections.of(read_yaml_or_json(path), board, str(path))


def _clean(key: str, value: Any) -> Any:
    if key in LIST_FIELDS:
        return tuple(sorted(value or (), key=LIST_FIELDS[key].index))
    return "" if value in (None, "none") else value


def _statements(
    hexes: Mapping[str, Mapping[str, Any]],
    hexsides: Mapping[str, Mapping[str, bool | None]],
    grid: Grid,
) -> Iterator[tuple[tuple[str, str, str], bool, str]]:
    for name, changes in hexes.items():
        for key, value in changes.items():
            if key in BOTH_HEXES:
                for side in DIRECTIONS:
                    present = side in (value or ())
                    yield from _both(name, side, key, present, f"hexes, {name}, {key}", grid)
    for pair, facts in hexsides.items():
        start, end = pair.split("/")
        direction = grid.direction(start, end)
        assert direction is not None
        for key, word in facts.items():
            if word is not None:
                yield from _both(start, direction, key, word, f"hexsides, {pair}, {key}", grid)


def _both(
    name: str, side: str, key: str, present: bool, where: str, grid: Grid
) -> Iterator[tuple[tuple[str, str, str], bool, str]]:
    yield (name, side, key), present, where
    neighbour = grid.neighbour(name, side)
    if neighbour is not None:
        yield (neighbour, OPPOSITE[side], key), present, where


# -- faults -----------------------------------------------------------------------------------


def _read(data: Any, grid: Grid) -> tuple[CorrectionFile | None, list[Fault]]:
    """Return what a file says, and every fault of it that types and names of hexes show."""

    def hex_name(name: str, subject: str = "") -> str:
        if name not in grid:
            near = grid.nearest_names(name)
            meant = f"; perhaps {either(near)}" if near else ""
            raise Wrong(f"{subject}is not a hex of the map{meant}")
        return name

    def hexside(pair: str) -> str:
        ends = pair.split("/")
        if len(ends) != 2:
            raise Wrong("should be two hexes that touch, as LL10/MM10")
        for end in ends:
            hex_name(end, f"names {end}, which ")
        if grid.direction(*ends) is None:
            touched = ", ".join(grid.neighbours(ends[0]))
            raise Wrong(f"do not touch; {ends[0]} touches {touched}")
        return pair

    def check_fields(change: msgspec.Struct, place: Place) -> Iterator[tuple[str, str, str]]:
        if all(value is None for value in msgspec.structs.astuple(change)):
            yield "", "", "should name fields, as {wall: ...}"

    reader = StructReader(
        words={"hex": hex_name, "hexside": hexside},
        checks={HexChange: check_fields, HexsideChange: check_fields},
    )
    return reader.read(data, CorrectionFile), reader.faults


def _contradictions(data: Any, grid: Grid) -> Iterator[Fault]:
    statements: dict[tuple[str, str, str], tuple[bool, str]] = {}
    contradictions: set[tuple[str, str]] = set()
    for place, present, where in _statements(
        data.get("hexes") or {}, data.get("hexsides") or {}, grid
    ):
        before = statements.setdefault(place, (present, where))
        if before[0] != present and (before[1], where) not in contradictions:
            contradictions.add((before[1], where))
            name, side, key = place
            neighbour = grid.neighbour(name, side)
            yield Fault(where, "", f"contradicts {before[1]} about the {key} of {name}/{neighbour}")


def corrected_board(
    corrections: Path | None, barriers: Barriers = DEFAULT_BARRIERS, folder: str = SHIPPED
) -> Board:
    """The board of a module with the players' correction file, if any, laid over it.

    Raises FaultsError with every fault of the file.
    """
    board = load_board(folder=folder)
    if corrections is not None:
        board = read_corrections(corrections, board).lay_over(board)
    return board if barriers == board.barriers else board.with_barriers(barriers)
