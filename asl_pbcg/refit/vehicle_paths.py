"""Vehicles on a path: what may stop one off the roads is asked. Ruling P-10."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final, Literal

import msgspec

from asl_pbcg.campaign.board import Board
from asl_pbcg.kernel.typed_data import data_file

NOWHERE: frozenset[str] = frozenset()


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


def doubtful(board: Board, start: str, end: str) -> bool:
    """Whether terrain may stop a vehicle that goes from hex to hex; along a road it never does.

    Rule: 9.2 Enterable; ruling P-10.
    """
    known = _known_doubts(board)
    found = known.get((start, end))
    if found is None:
        found = known[start, end] = _may_stop(board, start, end)
    return found


@cache
def _known_doubts(board: Board) -> dict[tuple[str, str], bool]:
    """What was found out about steps on this board; a search asks for the same ones again."""
    return {}


def _may_stop(board: Board, start: str, end: str) -> bool:
    side = board.grid.direction(start, end)
    if side is None:
        return True
    here, there = board[start], board[end]
    if side in here.road_sides:
        return False
    rules = PATHS.content.doubtful_for_vehicles
    return (
        (rules.building and bool(there.building))
        or not set(rules.terrain).isdisjoint(there.terrain)
        or any(side in getattr(here, hexside) for hexside in rules.hexsides)
        or abs(here.level - there.level) >= rules.levels
    )


def vehicle_doubts(board: Board, path: Sequence[str]) -> list[str]:
    """The hexes of a path that a vehicle perhaps could not enter. Ruling P-10."""
    hexes = [name for name in path if name in board]
    return [end for start, end in pairwise(hexes) if doubtful(board, start, end)]
