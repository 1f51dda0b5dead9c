"""Vehicles on a path: what may stop one off the roads is asked. Ruling P-10."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, Literal, Protocol, TypeVar

import msgspec

from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask
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


class Way(Protocol):
    """What leads somewhere by a path."""

    @property
    def path(self) -> tuple[str, ...]:
        """The hexes from start to end."""
        ...


W = TypeVar("W", bound=Way)


def ask_for_vehicles(
    state: Campaign,
    units: Sequence[Piece],
    find: Callable[[frozenset[str]], list[W]],
    point: str,
    rule: str,
    secret: bool = False,
) -> Script[list[W]]:
    """Settle the ways that ``find`` gives for units with a vehicle among them.

    ``find`` takes the hexes that are closed to it. The owner is asked about doubtful hexes on the
    ways, and the ways are found again around those that he says cannot be entered. Without a
    vehicle nothing is asked. Rule: 9.2 Enterable; ruling P-10.
    """
    vehicles = [unit for unit in units if unit.is_vehicle]
    closed: frozenset[str] = NOWHERE
    settled: set[str] = set()
    board = state.board
    while True:
        ways = find(closed)
        if not vehicles:
            return ways
        doubts = {name for way in ways for name in vehicle_doubts(board, way.path)} - settled
        if not doubts:
            return ways
        settled |= doubts
        names = ", ".join(f"{unit.type} {unit.id}" for unit in vehicles)
        stopped = yield from ask(
            Prompt(
                id=point,
                about=" ".join(unit.id for unit in units),
                rule=rule,
                side=units[0].side,
                secret=secret,
                kind="choose-some",
                options=tuple(
                    Option(name, name, _ground(board, name)) for name in board.grid.set(doubts)
                ),
                default="none",
                draw=_seldom(sorted(doubts)),
                text=f"Which of these hexes on its path could {names} not enter?",
                where=units[0].at,
                help="A path runs over hexes that the vehicle could enter in a MPh (9.2 "
                "Enterable). The board data cannot say so for these; see B and D of the rules.",
            )
        )
        if not stopped:
            return ways
        closed |= frozenset(stopped)


def _seldom(names: list[str]) -> Callable[[random.Random], list[str]]:
    """What automatic play says: nearly always that the vehicle can enter them all."""
    return lambda source: [source.choice(names)] if source.random() < 0.1 else []


def _ground(board: Board, name: str) -> str:
    info = board[name]
    words = [f"{info.building} building"] if info.building else []
    return ", ".join([*words, *(each.replace("_", " ") for each in info.terrain)])
