"""What may stop a vehicle on its way: its owner is asked about it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from asl_pbcg.campaign.area_paths import NOTHING_CLOSED, Closed
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.kernel.prompts import Option, Prompt, Script
from asl_pbcg.refit.subjects import stack_of
from asl_pbcg.refit.vehicle_paths import Doubt, path_doubts


class Way(Protocol):
    """What leads somewhere by a path."""

    @property
    def path(self) -> tuple[str, ...]:
        """The hexes from start to end."""
        ...


W = TypeVar("W", bound=Way)


def settle_way(
    state: Campaign,
    choose: Callable[[Closed], Script[W | None]],
    who: Callable[[W], Sequence[Piece]],
    point: str,
    rule: str,
) -> Script[W | None]:
    """Settle which way a group takes that may have a vehicle; None if it takes none.

    ``choose`` lets the owner choose among the ways round what it is given, and ``who`` goes that
    way. He is asked about doubtful hexes and hexsides on the way chosen alone; what he says stops
    a vehicle is closed, and he chooses again. Rule: 9.2 Enterable; ruling P-10.
    """
    closed = NOTHING_CLOSED
    settled: set[str] = set()
    while True:
        way = yield from choose(closed)
        if way is None or not any(unit.is_vehicle for unit in who(way)):
            return way
        doubts = path_doubts(state.board, way.path)
        doubts = {id: doubt for id, doubt in doubts.items() if id not in settled}
        if not doubts:
            return way
        settled |= doubts.keys()
        stopped = yield _which_not(state, who(way), way.path, doubts, point, rule)
        if not stopped:
            return way
        for id in stopped:
            closed |= doubts[id].closed


def any_way(
    state: Campaign,
    vehicle: Piece,
    find: Callable[[Closed], list[W]],
    point: str,
    rule: str,
) -> Script[bool]:
    """Settle whether a vehicle has one of the ways that ``find`` gives round the closed hexes.

    Rule: 9.2 Enterable; ruling P-10.
    """

    def choose(closed: Closed) -> Script[W | None]:
        yield from ()
        return next(iter(find(closed)), None)

    way = yield from settle_way(state, choose, lambda _: [vehicle], point, rule)
    return way is not None


def _which_not(
    state: Campaign,
    units: Sequence[Piece],
    path: tuple[str, ...],
    doubts: Mapping[str, Doubt],
    point: str,
    rule: str,
) -> Prompt:
    """Ask what on a path stops the vehicles of a group: hexes and hexsides in doubt."""
    names = ", ".join(f"{unit.type} {unit.id}" for unit in units if unit.is_vehicle)
    return Prompt(
        state=state,
        id=point,
        subject=stack_of(units),
        rule=rule,
        kind="choose-some",
        options=tuple(Option(id, id, each.what, path=path) for id, each in doubts.items()),
        default="none",
        draw=_seldom(sorted(doubts)),
        text=f"The path of {names} is {' '.join(path)}. Which of these could it not enter or "
        "cross?",
        help="A path runs over hexes that the vehicle could enter in a MPh (9.2 Enterable). The "
        "board data cannot say so for these; see B and D of the rules. Y18/Z18 is the hexside "
        "between two hexes: it closes no hex.",
    )


def _seldom(names: list[str]) -> Callable[[random.Random], list[str]]:
    """What automatic play says: nearly always that the vehicle can go on."""
    return lambda source: [source.choice(names)] if source.random() < 0.1 else []
