"""Vehicles on a path: what may stop one off the roads is asked. Ruling P-10."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final, Literal

import msgspec

from asl_pbcg.campaign.area_paths import Closed
from asl_pbcg.campaign.board import Board
from asl_pbcg.kernel.typed_data import data_file


class Doubtful(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What may stop a vehicle off the roads. Rule: 9.2 Enterable; ruling P-10."""

    rule: str
    building: bool
    terrain: tuple[str, ...]
    hexsides: tuple[Literal["hedge", "wall", "fence", "cliff", "slope", "rowhouse"], ...]
    levels: int


class PathNumbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/pb/paths.yaml``."""

    doubtful_for_vehicles: Doubtful


PATHS: Final = data_file("pb/paths.yaml", PathNumbers)


@dataclass(frozen=True, slots=True)
class Doubt:
    """What may stop a vehicle on its path: the ground of a hex, or a hexside. Ruling P-10."""

    id: str
    """The hex, or the hexside by the hexes beside it, the same from either side."""
    what: str
    """In words, as ``wall`` or ``stone building``."""
    closed: Closed
    """Where the vehicle cannot go if this stops it."""


def doubtful(board: Board, start: str, end: str) -> bool:
    """Say whether terrain may stop a vehicle that goes from hex to hex.

    Rule: 9.2 Enterable; ruling P-10.
    """
    return bool(step_doubts(board, start, end))


def step_doubts(board: Board, start: str, end: str) -> tuple[Doubt, ...]:
    """Return what may stop a vehicle that goes from hex to hex; along a road nothing does.

    Rule: 9.2 Enterable; ruling P-10.
    """
    known = _known_doubts(board)
    found = known.get((start, end))
    if found is None:
        found = known[start, end] = tuple(_find_doubts(board, start, end))
    return found


@cache
def _known_doubts(board: Board) -> dict[tuple[str, str], tuple[Doubt, ...]]:
    """The doubts about steps on this board; a search asks for the same ones again."""
    return {}


def _find_doubts(board: Board, start: str, end: str) -> Iterator[Doubt]:
    side = board.grid.direction(start, end)
    if side is None:
        yield _ground_doubt(end, "not next to the hex before")
        return
    here, there = board[start], board[end]
    if side in here.road_sides:
        return
    rules = PATHS.content.doubtful_for_vehicles
    ground = [f"{there.building} building"] if rules.building and there.building else []
    ground += [each.replace("_", " ") for each in there.terrain if each in rules.terrain]
    if ground:
        yield _ground_doubt(end, ", ".join(ground))
    between = [_HEXSIDES.get(each, each) for each in rules.hexsides if side in getattr(here, each)]
    if abs(here.level - there.level) >= rules.levels:
        between.append(f"level {here.level} to {there.level}")
    if between:
        name = "/".join(sorted((start, end), key=board.grid.index))
        yield Doubt(name, ", ".join(between), Closed(hexsides=frozenset({(start, end)})))


def _ground_doubt(hex: str, what: str) -> Doubt:
    return Doubt(hex, what, Closed(hexes=frozenset({hex})))


_HEXSIDES: Final = {"rowhouse": "row-house bar", "cliff": "Cliff"}
"""What players call a hexside where the board's table has another word."""


def path_doubts(board: Board, path: Sequence[str]) -> dict[str, Doubt]:
    """Return what on a path may stop a vehicle, by id, in the order of the path. Ruling P-10."""
    hexes = [name for name in path if name in board]
    doubts = [each for pair in pairwise(hexes) for each in step_doubts(board, *pair)]
    return {each.id: each for each in doubts}
