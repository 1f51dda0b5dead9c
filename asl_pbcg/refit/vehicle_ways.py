"""Hexes that a vehicle perhaps could not enter: its owner is asked of those on its way."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask
from asl_pbcg.refit.subjects import stack_of
from asl_pbcg.refit.vehicle_paths import vehicle_doubts

NOWHERE: frozenset[str] = frozenset()


class Way(Protocol):
    """What leads somewhere by a path."""

    @property
    def path(self) -> tuple[str, ...]:
        """The hexes from start to end."""
        ...


W = TypeVar("W", bound=Way)


def settle_way(
    state: Campaign,
    choose: Callable[[frozenset[str]], Script[W | None]],
    who: Callable[[W], Sequence[Piece]],
    point: str,
    rule: str,
) -> Script[W | None]:
    """Settle which way a group takes that may have a vehicle; None if it takes none.

    ``choose`` lets the owner choose among the ways round the hexes that it is given, and ``who``
    goes that way. He is asked about doubtful hexes on the way chosen alone; what he says cannot be
    entered is closed, and he chooses again. Rule: 9.2 Enterable; ruling P-10.
    """
    closed: frozenset[str] = NOWHERE
    settled: set[str] = set()
    while True:
        way = yield from choose(closed)
        if way is None or not any(unit.is_vehicle for unit in who(way)):
            return way
        doubts = set(vehicle_doubts(state.board, way.path)) - settled
        if not doubts:
            return way
        settled |= doubts
        stopped = yield from ask(_which_not(state, who(way), doubts, point, rule))
        if not stopped:
            return way
        closed |= frozenset(stopped)


def any_way(
    state: Campaign,
    vehicle: Piece,
    find: Callable[[frozenset[str]], list[W]],
    point: str,
    rule: str,
) -> Script[bool]:
    """Settle whether a vehicle has one of the ways that ``find`` gives round the closed hexes.

    Rule: 9.2 Enterable; ruling P-10.
    """

    def choose(closed: frozenset[str]) -> Script[W | None]:
        yield from ()
        return next(iter(find(closed)), None)

    way = yield from settle_way(state, choose, lambda _: [vehicle], point, rule)
    return way is not None


def _which_not(
    state: Campaign, units: Sequence[Piece], doubts: set[str], point: str, rule: str
) -> Prompt:
    """The question which doubtful hexes of a path the vehicles of a group could not enter."""
    board = state.board
    names = ", ".join(f"{unit.type} {unit.id}" for unit in units if unit.is_vehicle)
    return Prompt(
        id=point,
        subject=stack_of(units),
        rule=rule,
        kind="choose-some",
        options=tuple(Option(name, name, _ground(board, name)) for name in board.grid.set(doubts)),
        default="none",
        draw=_seldom(sorted(doubts)),
        text=f"Which of these hexes on its path could {names} not enter?",
        help="A path runs over hexes that the vehicle could enter in a MPh (9.2 "
        "Enterable). The board data cannot say so for these; see B and D of the rules.",
    )


def _seldom(names: list[str]) -> Callable[[random.Random], list[str]]:
    """What automatic play says: nearly always that the vehicle can enter them all."""
    return lambda source: [source.choice(names)] if source.random() < 0.1 else []


def _ground(board: Board, name: str) -> str:
    info = board[name]
    words = [f"{info.building} building"] if info.building else []
    return ", ".join([*words, *(each.replace("_", " ") for each in info.terrain)])
