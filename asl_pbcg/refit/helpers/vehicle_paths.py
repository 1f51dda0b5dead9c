"""Vehicles on a path: what may stop one off the roads is asked. Ruling P-10."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final, Literal, Protocol, TypeVar

import msgspec

from asl_pbcg.campaign.areas.area_paths import NOTHING_CLOSED, Closed
from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask_some
from asl_pbcg.kernel.typed_data import data_file
from asl_pbcg.refit.helpers.subjects import stack_of


class Doubtful(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Terrain that may stop a vehicle off the roads. Rule: 9.2 Enterable; ruling P-10."""

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
class PathDoubt:
    """A hex or hexside that may stop a vehicle on its path. Ruling P-10."""

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


def step_doubts(board: Board, start: str, end: str) -> tuple[PathDoubt, ...]:
    """Return what may stop a vehicle that goes from hex to hex; along a road nothing does.

    Rule: 9.2 Enterable; ruling P-10.
    """
    known = _known_doubts(board)
    found = known.get((start, end))
    if found is None:
        found = known[start, end] = tuple(_find_doubts(board, start, end))
    return found


@cache
def _known_doubts(board: Board) -> dict[tuple[str, str], tuple[PathDoubt, ...]]:
    """Return the doubts about steps on this board; a search asks for the same ones again."""
    return {}


def _find_doubts(board: Board, start: str, end: str) -> Iterator[PathDoubt]:
    side = board.grid.direction(start, end)
    if side is None:
        yield _ground_doubt(end, "not next to the hex before")
        return
    here, ahead = board[start], board[end]
    if side in here.road_sides:
        return
    rules = PATHS.content.doubtful_for_vehicles
    ground = [f"{ahead.building} building"] if rules.building and ahead.building else []
    ground += [terrain.replace("_", " ") for terrain in ahead.terrain if terrain in rules.terrain]
    if ground:
        yield _ground_doubt(end, ", ".join(ground))
    between = [
        _HEXSIDES.get(hexside, hexside)
        for hexside in rules.hexsides
        if side in getattr(here, hexside)
    ]
    if abs(here.level - ahead.level) >= rules.levels:
        between.append(f"level {here.level} to {ahead.level}")
    if between:
        name = "/".join(sorted((start, end), key=board.grid.index))
        yield PathDoubt(name, ", ".join(between), Closed(hexsides=frozenset({(start, end)})))


def _ground_doubt(hex: str, what: str) -> PathDoubt:
    return PathDoubt(hex, what, Closed(hexes=frozenset({hex})))


_HEXSIDES: Final = {"rowhouse": "row-house bar", "cliff": "Cliff"}
"""Hexsides that players call otherwise than the board's table."""


def path_doubts(board: Board, path: Sequence[str]) -> dict[str, PathDoubt]:
    """Return what on a path may stop a vehicle, by id, in the order of the path. Ruling P-10."""
    hexes = [name for name in path if name in board]
    doubts = [doubt for pair in pairwise(hexes) for doubt in step_doubts(board, *pair)]
    return {doubt.id: doubt for doubt in doubts}


# -- What the owner says ---------------------------------------------------------------------------


class HasPath(Protocol):
    """Something that leads somewhere by a path."""

    @property
    def path(self) -> tuple[str, ...]:
        """The hexes from start to end."""
        ...


W = TypeVar("W", bound=HasPath)


def settle_way(
    state: Campaign,
    choose: Callable[[Closed], Script[W | None]],
    who: Callable[[W], Sequence[Piece]],
    point: str,
    rule: str,
) -> Script[W | None]:
    """Decide which way a group takes that may have a vehicle; None if it takes none.

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
        stopped = yield from ask_some(_which_not(state, who(way), way.path, doubts, point, rule))
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
    """Decide whether a vehicle has one of the ways that ``find`` gives round the closed hexes.

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
    doubts: Mapping[str, PathDoubt],
    point: str,
    rule: str,
) -> Prompt:
    """Ask what on a path stops the vehicles of a group: hexes and hexsides in doubt."""
    names = ", ".join(name_piece(unit) for unit in units if unit.is_vehicle)
    return Prompt(
        state=state,
        id=point,
        subject=stack_of(units),
        rule=rule,
        kind="choose-some",
        options=tuple(Option(id, id, each.what, path=path) for id, each in doubts.items()),
        default="none",
        draw=lambda source: [source.choice(sorted(doubts))] if source.random() < 0.1 else [],
        text=f"The path of {names} is {' '.join(path)}. Which of these could it not enter or "
        "cross?",
        help="A path runs over hexes that the vehicle could enter in a MPh (9.2 Enterable). The "
        "board data cannot say so for these; see B and D of the rules. Y18/Z18 is the hexside "
        "between two hexes: it closes no hex.",
    )
