"""Whether a board hangs together: what contradicts itself or the rules, and what is in doubt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from asl_pbcg.campaign.board.board import BOTH_HEXES, Board
from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.module.house_rules import default_words
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.hexes.lattice import COLUMN_PITCH, OPPOSITE
from asl_pbcg.kernel.typed_data import TableFile, data_file


class BoardFault(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that cannot be so, with the hexes it concerns and, where a rule says so, its
    number."""

    hexes: tuple[str, ...]
    wrong: str
    rule: str = ""

    def __str__(self) -> str:
        number = f" ({self.rule})" if self.rule else ""
        return f"{', '.join(self.hexes) or 'board'}: {self.wrong}{number}"


class BoardDoubt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One place where the shipped table may differ from the printed map."""

    hexes: tuple[str, ...]
    doubt: str
    house_rule: str = ""
    """The house rule that settles it; its default is said with the doubt."""


class _Doubts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    doubts: tuple[BoardDoubt, ...]


class _Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hexes: tuple[str, ...]
    rule: str
    kind: Literal["bridge", "building", "ground", "in_play"] = msgspec.field(name="is")


class _NamedLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hexes: tuple[str, ...]
    rule: str


class _NamedArea(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hexes: tuple[str, ...]
    size: int
    rule: str


class NamedPlaces(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``named_places.yaml``: the hexes that the rules name, and what the board has in all."""

    places: tuple[_Place, ...]
    roads: tuple[_NamedLine, ...]
    hex_grains: tuple[_NamedLine, ...]
    entry_areas: dict[str, _NamedArea]
    counts: dict[str, int]


DOUBTS: Final = data_file("pb/board_doubts.yaml", _Doubts)
NAMED_PLACES: Final = data_file("pb/named_places.yaml", NamedPlaces)


class HexNote(msgspec.Struct, frozen=True, kw_only=True):
    """How sure the shipped table is of a hex, and why."""

    hex: str = ""
    confidence: Literal["high", "medium", "low"] = "high"
    note: str = ""


NOTES: Final = TableFile("pb/board_notes.csv", HexNote)


@cache
def hex_notes() -> dict[str, HexNote]:
    """Give what the shipped table notes about single hexes; most hexes have no note."""
    return {note.hex: note for note in NOTES.content}


def doubts() -> list[BoardDoubt]:
    """List where the shipped table may differ from the printed map."""
    return [
        replace(entry, doubt=f"{entry.doubt} {default_words(entry.house_rule)}")
        if entry.house_rule
        else entry
        for entry in DOUBTS.content.doubts
    ]


def check_board(board: Board) -> list[BoardFault]:
    """List everything on a board that contradicts itself or what the rules name."""
    return [
        *_hexsides(board),
        *_roads(board),
        *_hexes(board),
        *_buildings(board),
        *_named_places(board),
        *_named_lines(board),
        *_entry_areas(board),
    ]


def _fault(hexes: Iterable[str], wrong: str, rule: str = "") -> BoardFault:
    return BoardFault(hexes=tuple(hexes), wrong=wrong, rule=rule)


def _hexsides(board: Board) -> Iterator[BoardFault]:
    for info in board:
        for field in BOTH_HEXES:
            for side in getattr(info, field):
                neighbour = board.grid.neighbour(info.name, side)
                if neighbour and OPPOSITE[side] not in getattr(board[neighbour], field):
                    yield _fault(
                        (info.name, neighbour),
                        f"{info.name} has {field} on its {side} hexside, {neighbour} does not",
                    )
        for side in info.slope:
            neighbour = board.grid.neighbour(info.name, side)
            if neighbour and OPPOSITE[side] in board[neighbour].slope:
                yield _fault((info.name, neighbour), f"a slope on both sides of {info.name} {side}")


def _roads(board: Board) -> Iterator[BoardFault]:
    for info in board:
        both = [side for side in info.paved if side in info.unpaved]
        if both:
            yield _fault([info.name], f"a road both paved and unpaved across {', '.join(both)}")
        if info.road_exit and info.name not in board.edge:
            yield _fault([info.name], "a road leaves the map here, but this is not a map-edge hex")
        for side in info.road_sides:
            neighbour = board.grid.neighbour(info.name, side)
            if neighbour is None:
                yield _fault([info.name], f"a road across {side}, off the map: use road_exit")


def _hexes(board: Board) -> Iterator[BoardFault]:
    for info in board:
        if info.bridge and len(info.road_sides) < 2:
            yield _fault([info.name], "a bridge that no road crosses")
        if info.bridge and not info.water_obstacle:
            yield _fault([info.name], "a bridge without water")
        wet = {"canal", "pond"} & set(info.terrain)
        if info.water_obstacle and not wet:
            yield _fault([info.name], "a Water Obstacle without canal or pond")
        if wet and not info.water_obstacle and info.in_play:
            yield _fault([info.name], f"{' and '.join(sorted(wet))} but no Water Obstacle")
        if info.building and info.water_obstacle:
            yield _fault([info.name], "a building in a Water Obstacle")


def _buildings(board: Board) -> Iterator[BoardFault]:
    for info in board:
        extra = [
            word
            for word, value in (
                ("a stairway symbol", info.stairs),
                ("a building's name", info.building_name),
                ("the id of a building", info.building_id),
                ("a row-house bar", info.rowhouse),
            )
            if value and not info.building
        ]
        if extra:
            yield _fault([info.name], f"{' and '.join(extra)}, but no building")
    for name, footprint in board.footprints.items():
        if name not in board.grid:
            yield _fault(footprint, f'"{name}" is the id of a building but no hex')
        elif footprint.first != name:
            right = f"the id of a building is its first hex, {footprint.first}, not {name}"
            yield _fault(footprint, right)
        elif len(footprint.pieces()) > 1:
            yield _fault(footprint, "a building in pieces that do not touch")
        if len({board[part].building for part in footprint}) > 1:
            yield _fault(footprint, "one building of both stone and wood")


def _named_places(board: Board) -> Iterator[BoardFault]:
    kinds = {
        "bridge": ("a bridge", board.bridges),
        "building": ("a building", board.buildings),
        "ground": ("a hex Infantry can enter", board.enterable),
        "in_play": ("a hex in play", board.in_play),
    }
    for place in NAMED_PLACES.content.places:
        wanted, hexes = kinds[place.kind]
        for name in place.hexes:
            if name not in hexes:
                yield _fault([name], f"the rules name it as {wanted}", place.rule)


def _named_lines(board: Board) -> Iterator[BoardFault]:
    data = NAMED_PLACES.content
    for road in data.roads:
        for start, end in pairwise(road.hexes):
            if end not in _along_roads(board, start):
                yield _fault([start, end], "no road leads from the one to the other", road.rule)
    for line in data.hex_grains:
        for start, end in pairwise(line.hexes):
            if not _in_line(board, start, end):
                yield _fault([start, end], "no hex grain joins them", line.rule)


def _along_roads(board: Board, start: str) -> set[str]:
    names = [start]
    for name in names:
        for side in board[name].road_sides:
            neighbour = board.grid.neighbour(name, side)
            if neighbour and neighbour not in names:
                names.append(neighbour)
    return set(names)


def _in_line(board: Board, start: str, end: str) -> bool:
    """Say whether a hex grain joins two hexes, or an alternate one, along hexsides in turn."""
    x1, y1 = board.grid.centre(start)
    x2, y2 = board.grid.centre(end)
    across, down = abs(x2 - x1), abs(y2 - y1)
    steps = across / COLUMN_PITCH
    along = across < 1e-6 or abs(down - steps / 2) < 1e-6
    # An alternate grain runs along a hexside in every other column: either hex of it is named.
    between = down < 0.5 + 1e-6 or abs(down - steps * 1.5) < 0.5 + 1e-6
    return along or between


def _entry_areas(board: Board) -> Iterator[BoardFault]:
    areas = entry_areas(board)
    for arrow, printed in NAMED_PLACES.content.entry_areas.items():
        if arrow not in areas:
            yield _fault([arrow], "the rules name an Entry Area here", printed.rule)
            continue
        hexes = areas[arrow].hexes
        missing = [name for name in printed.hexes if name not in hexes]
        if missing:
            yield _fault(missing, f"the rules name it in the {arrow} Entry Area", printed.rule)
        if len(hexes) != printed.size:
            wrong = f"the {arrow} Entry Area has {len(hexes)} hexes, not {printed.size}"
            yield _fault([arrow], wrong, printed.rule)
        if not hexes <= board.edge:
            yield _fault(hexes - board.edge, "in an Entry Area but not at the map's edge", "9.2")


def check_counts(board: Board) -> list[BoardFault]:
    """List where the shipped board does not hold what it should; a corrected one may differ."""
    expected = NAMED_PLACES.content.counts
    return [
        _fault((), f"{count} {what.replace('_', ' ')}, not {expected[what]}")
        for what, count in counts(board).items()
        if count != expected[what]
    ]


def counts(board: Board) -> dict[str, int]:
    """Count what a board holds."""
    return {
        "hexes": len(board.hexes),
        "in_play": len(board.in_play),
        "buildings": len(board.buildings),
        "bridges": len(board.bridges),
        "water": len(board.water),
        "enterable": len(board.enterable),
    }


def road_ends(board: Board) -> HexSet:
    """Give the hexes where a road simply ends: one hexside and no way off the map."""
    return board.grid.set(
        info.name
        for info in board
        if len(info.road_sides) == 1 and not info.road_exit and not info.road_along
    )
