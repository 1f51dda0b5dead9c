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
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.board import DEFAULT_BARRIERS, Barriers, Board, load_board
from asl_pbcg.campaign.hexinfo import (
    BOTH_HEXES,
    FLAG_FIELDS,
    LIST_FIELDS,
    TEXT_FIELDS,
    WORD_FIELDS,
)
from asl_pbcg.campaign.terms import SHIPPED
from asl_pbcg.hexes.grid import Grid
from asl_pbcg.hexes.lattice import DIRECTIONS, OPPOSITE, either
from asl_pbcg.kernel.errors import Fault, FaultsError
from asl_pbcg.kernel.reader import nearest_or_all, value_words
from asl_pbcg.kernel.textfiles import read_yaml_or_json

FORMAT: Final = "pbcg-board/1"
LEVELS: Final = range(-1, 5)

FIELDS: Final = ("level", *FLAG_FIELDS, *WORD_FIELDS, *TEXT_FIELDS, *LIST_FIELDS)
"""The fields of a hex that a correction may change."""


class Corrections(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The players' changes of the board, checked. ``hexes`` and ``hexsides`` as in the file."""

    format: str = FORMAT
    note: str = ""
    hexes: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict)
    hexsides: dict[str, dict[str, bool]] = msgspec.field(default_factory=dict)

    @classmethod
    def of(cls, data: Any, board: Board, source: str = "The correction file") -> Corrections:
        """Check ``data`` as read from a file or a campaign.

        Raises FaultsError with every fault, each with its hex and field.
        """
        faults = list(_faults(data, board.grid))
        if not faults:
            faults = list(_contradictions(data, board.grid))
        if faults:
            raise FaultsError(source, faults)
        return cls(
            note=data.get("note") or "",
            hexes={name: dict(fields) for name, fields in (data.get("hexes") or {}).items()},
            hexsides={pair: dict(said) for pair, said in (data.get("hexsides") or {}).items()},
        )

    def to_data(self) -> dict[str, Any]:
        """Give plain data that ``of`` reads back, for a campaign to keep."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    def lay_over(self, board: Board) -> Board:
        """Give the board as corrected."""
        grid = board.grid
        fields: dict[str, dict[str, Any]] = {}
        for name, changes in self.hexes.items():
            for key, value in changes.items():
                if key not in BOTH_HEXES:
                    fields.setdefault(name, {})[key] = _clean(key, value)
        for (name, side, key), there in _hexsides(self.hexes, self.hexsides, grid).items():
            mine = fields.setdefault(name, {})
            sides = set(mine.get(key, getattr(board[name], key)))
            sides = sides | {side} if there else sides - {side}
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
        order = LIST_FIELDS[key]
        return tuple(sorted(value or (), key=order.index))
    if key in WORD_FIELDS or key in TEXT_FIELDS:
        return "" if value in (None, "none") else str(value)
    return value


def _hexsides(
    hexes: Mapping[str, Mapping[str, Any]], hexsides: Mapping[str, Mapping[str, bool]], grid: Grid
) -> dict[tuple[str, str, str], bool]:
    """Say of every (hex, direction, field) that is spoken of whether it is there, from both hexes.

    Where a contradiction stands the later word holds; ``_contradictions`` finds those first.
    """
    return {place: there for place, there, _ in _statements(hexes, hexsides, grid)}


def _statements(
    hexes: Mapping[str, Mapping[str, Any]], hexsides: Mapping[str, Mapping[str, bool]], grid: Grid
) -> Iterator[tuple[tuple[str, str, str], bool, str]]:
    for name, changes in hexes.items():
        for key, value in changes.items():
            if key in BOTH_HEXES:
                for side in DIRECTIONS:
                    there = side in (value or ())
                    yield from _both(name, side, key, there, f"hexes, {name}, {key}", grid)
    for pair, said in hexsides.items():
        start, end = pair.split("/")
        direction = grid.direction(start, end)
        assert direction is not None
        for key, there in said.items():
            yield from _both(start, direction, key, there, f"hexsides, {pair}, {key}", grid)


def _both(
    name: str, side: str, key: str, there: bool, where: str, grid: Grid
) -> Iterator[tuple[tuple[str, str, str], bool, str]]:
    yield (name, side, key), there, where
    other = grid.neighbour(name, side)
    if other is not None:
        yield (other, OPPOSITE[side], key), there, where


# Faults


def _faults(data: Any, grid: Grid) -> Iterator[Fault]:
    if not isinstance(data, dict):
        yield Fault("", "", f"a correction file has the keys format, hexes and hexsides ({FORMAT})")
        return
    if data.get("format") != FORMAT:
        yield Fault("format", value_words(data.get("format", "")), f"should be {FORMAT}")
    for key in data:
        if key not in ("format", "note", "hexes", "hexsides"):
            known = ("format", "note", "hexes", "hexsides")
            yield Fault(
                "", value_words(key), f"is no part of a correction file{nearest_or_all(key, known)}"
            )
    if not isinstance(data.get("note") or "", str):
        yield Fault("note", value_words(data["note"]), "should be text")
    for part in ("hexes", "hexsides"):
        lines = data.get(part) or {}
        if not isinstance(lines, dict):
            yield Fault(part, value_words(lines), "should be a list of names, each with its fields")
            continue
        for name, fields in lines.items():
            where = f"{part}, {name}"
            if part == "hexes":
                yield from _wrong_hex(str(name), where, grid)
            else:
                yield from _wrong_pair(str(name), where, grid)
            if not isinstance(fields, dict) or not fields:
                yield Fault(where, value_words(fields or ""), "should name fields, as {wall: ...}")
                continue
            for key, value in fields.items():
                if part == "hexes":
                    yield from _wrong_field(where, str(key), value)
                else:
                    yield from _wrong_hexside_field(where, str(key), value)


def _wrong_hex(name: str, where: str, grid: Grid) -> Iterator[Fault]:
    if name not in grid:
        near = grid.nearest_names(name)
        meant = f"; perhaps {either(near)}" if near else ""
        yield Fault(where, name, f"is no hex of the map{meant}")


def _wrong_pair(pair: str, where: str, grid: Grid) -> Iterator[Fault]:
    ends = pair.split("/")
    if len(ends) != 2:
        yield Fault(where, value_words(pair), "should be two hexes that touch, as LL10/MM10")
        return
    unknown = [end for end in ends if end not in grid]
    for end in unknown:
        yield from _wrong_hex(end, where, grid)
    if not unknown and grid.direction(*ends) is None:
        yield Fault(
            where, pair, f"do not touch; {ends[0]} touches {', '.join(grid.neighbours(ends[0]))}"
        )


def _wrong_field(where: str, key: str, value: Any) -> Iterator[Fault]:
    place = f"{where}, {key}"
    if key not in FIELDS:
        yield Fault(where, value_words(key), f"is no field of a hex{nearest_or_all(key, FIELDS)}")
    elif key == "level":
        if isinstance(value, bool) or not isinstance(value, int) or value not in LEVELS:
            right = f"a whole number from {LEVELS[0]} to {LEVELS[-1]}"
            yield Fault(place, value_words(value), f"should be {right}")
    elif key in FLAG_FIELDS:
        if not isinstance(value, bool):
            yield Fault(place, value_words(value), "should be true or false")
    elif key in WORD_FIELDS:
        if value not in (*WORD_FIELDS[key], "none", "", None):
            right = ", ".join((*WORD_FIELDS[key], "none"))
            yield Fault(place, value_words(value), f"should be one of {right}")
    elif key in TEXT_FIELDS:
        if value is not None and (not isinstance(value, str) or len(value) > 60):
            yield Fault(place, value_words(value), "should be text of at most 60 letters")
    elif not isinstance(value, list) and value is not None:
        yield Fault(place, value_words(value), f"should be a list, as [{LIST_FIELDS[key][0]}]")
    else:
        what = "kind of terrain" if key == "terrain" else "hexside"
        what = "side of the map" if key == "road_exit" else what
        for item in value or ():
            if item not in LIST_FIELDS[key]:
                known = nearest_or_all(str(item), LIST_FIELDS[key])
                yield Fault(place, value_words(item), f"is no {what}{known}")
        if value and len(set(map(str, value))) < len(value):
            yield Fault(place, "", "names something twice")


def _wrong_hexside_field(where: str, key: str, value: Any) -> Iterator[Fault]:
    if key not in BOTH_HEXES:
        yield Fault(
            where, value_words(key), f"is nothing a hexside has{nearest_or_all(key, BOTH_HEXES)}"
        )
    elif not isinstance(value, bool):
        yield Fault(f"{where}, {key}", value_words(value), "should be true or false")


def _contradictions(data: Any, grid: Grid) -> Iterator[Fault]:
    said: dict[tuple[str, str, str], tuple[bool, str]] = {}
    told: set[tuple[str, str]] = set()
    for place, there, where in _statements(
        data.get("hexes") or {}, data.get("hexsides") or {}, grid
    ):
        before = said.setdefault(place, (there, where))
        if before[0] != there and (before[1], where) not in told:
            told.add((before[1], where))
            name, side, key = place
            other = grid.neighbour(name, side)
            yield Fault(where, "", f"contradicts {before[1]} about the {key} of {name}/{other}")


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
