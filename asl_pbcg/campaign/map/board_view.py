"""A window on a campaign's board, and where roads, houses, names and trees stand inside a hex.

Nothing in a hex covers anything else: roads come first, then houses beside them, the hex's name,
and the trees of orchards. Places are in hex heights, as ``Grid.centre`` gives them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, Literal

from asl_pbcg.campaign.board.board import Board, HexInfo
from asl_pbcg.hexes.drawing import Drawing, text_width
from asl_pbcg.hexes.hex_view import HexView, Window, chance
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.hexes.items import Point
from asl_pbcg.hexes.lattice import DIRECTIONS


@dataclass(frozen=True)
class BoardView(HexView):
    """A window on a board, drawn on a sheet."""

    board: Board

    @cached_property
    def infos(self) -> list[HexInfo]:
        """Draw the contents of the visible hexes."""
        return [self.board[name] for name in self.hexes]

    def holding(self, *kinds: str) -> HexSet:
        """Give the hexes in or next to the picture that hold one of these kinds of terrain."""
        return self.board.terrain(*kinds) & self.near


def board_view(
    board: Board, drawing: Drawing, window: Window, scale: float, left: float, top: float
) -> BoardView:
    """Lay a window of the board on a sheet; arguments as of ``View``."""
    return BoardView(drawing, window, scale, left, top, board.grid, board)


RoadKind = Literal["paved", "unpaved"]
ROAD_KINDS: Final[tuple[RoadKind, ...]] = ("unpaved", "paved")


def name_size(view: BoardView, name: str) -> float:
    """Say how large a hex's name can be, in points: the longest must fit into the top of a hex.

    Half hexes in the outer columns have less room.
    """
    outer = view.board.grid.centre(name)[0] in (0.0, view.board.grid.width)
    return min((0.21 if outer else 0.265) * view.scale, 11.0)


def road_lines(view: BoardView, info: HexInfo, kind: RoadKind) -> list[list[Point]]:
    """Say how the roads of one kind run through a hex, as lines of places on the map."""
    grid = view.board.grid
    corners = grid.corners(info.name)
    sides: tuple[str, ...] = getattr(info, kind)
    lines: list[list[Point]] = []
    ends: list[Point] = []
    taken: set[str] = set()
    if info.road == kind:
        for along in info.road_along:
            number = DIRECTIONS.index(along)
            lines.append([corners[number], corners[(number + 1) % 6]])
            # The hexsides next to such a hexside are crossed at its corners.
            taken |= {DIRECTIONS[number - 1], DIRECTIONS[(number + 1) % 6], along}
    for number, side in enumerate(DIRECTIONS):
        after = DIRECTIONS[(number + 1) % 6]
        if {side, after} <= set(sides) - taken and _road_joins(view, info, side, after):
            ends.append(corners[(number + 1) % 6])
            taken |= {side, after}
    for number, side in enumerate(DIRECTIONS):
        if side in sides and side not in taken:
            (ax, ay), (bx, by) = corners[number], corners[(number + 1) % 6]
            ends.append(((ax + bx) / 2, (ay + by) / 2))
    if (info.road == kind and len(ends) == len(sides) - len(taken & set(sides))) or (
        info.road_exit and info.road == kind
    ):
        ends += [_way_out(view, info, exit_) for exit_ in info.road_exit]
    return lines + _join(grid.centre(info.name), ends)


def _road_joins(view: BoardView, info: HexInfo, side: str, after: str) -> bool:
    """Whether a road runs along the hexside between the hexes across two neighbouring sides."""
    first = view.board.grid.neighbour(info.name, side)
    second = view.board.grid.neighbour(info.name, after)
    if first is None or second is None:
        return False
    common = view.board.grid.direction(first, second)
    return common is not None and common in view.board[first].road_along


def _way_out(view: BoardView, info: HexInfo, exit_: str) -> Point:
    x, y = view.board.grid.centre(info.name)
    return {
        "N": (x, min(y, 0.0)),
        "S": (x, max(y, view.board.grid.height)),
        "W": (min(x, 0.0), y),
        "E": (max(x, view.board.grid.width), y),
    }[exit_]


def _join(centre: Point, ends: list[Point]) -> list[list[Point]]:
    """Join ends inside a hex: the two that are furthest apart as a through road, others to it."""
    if not ends:
        return []
    if len(ends) == 1:
        return [[ends[0], centre]] if math.dist(ends[0], centre) > 0.01 else []
    pairs = [(a, b) for i, a in enumerate(ends) for b in ends[i + 1 :]]
    start, end = max(pairs, key=lambda pair: math.dist(*pair))
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    # A gentle bend: the road need not touch the centre. A road that runs across the columns goes
    # straight on through their zigzag of hexsides.
    level = abs(start[1] - end[1]) < 0.01
    bend = tuple(m + (0.1 if level else 0.6) * (c - m) for m, c in zip(middle, centre, strict=True))
    curve = [
        (
            (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * bend[0] + t * t * end[0],
            (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * bend[1] + t * t * end[1],
        )
        for t in (step / 8 for step in range(9))
    ]
    return [curve, *([point, curve[4]] for point in ends if point not in (start, end))]


def road_places(view: BoardView, name: str) -> list[Point]:
    """Give places along the roads in a hex."""
    info = view.board[name]
    return [
        (ax + (bx - ax) * step / 4, ay + (by - ay) * step / 4)
        for kind in ROAD_KINDS
        for line in road_lines(view, info, kind)
        for (ax, ay), (bx, by) in pairwise(line)
        for step in range(5)
    ]


def house_place(view: BoardView, name: str) -> tuple[float, float, float]:
    """Say where in its hex a single house stands and how it is turned: beside the road."""
    x, y = view.board.grid.centre(name)
    # A house on the bank of the canal keeps clear of the water.
    for side, shift in (("S", -0.1), ("N", 0.12)):
        neighbour = view.board.grid.neighbour(name, side)
        if "canal_bank" in view.board[name].terrain and neighbour in view.board.water:
            y += shift
    roads = road_places(view, name)
    if not roads:
        angle = chance("house", name).choice((0, 0, 30, -30, 0, 30))
        flat = "canal_bank" in view.board[name].terrain
        return x, y + 0.1, 0 if flat else math.radians(angle)
    spots = [
        (x + dx / 20, y + dy / 20)
        for dx in range(-5, 6)
        for dy in range(5)
        if abs(dx) + abs(dy) < 8
    ]

    def gap(spot: Point) -> float:
        near = min(math.dist(spot, place) for place in roads)
        return min(near, 0.34) - 0.4 * math.dist(spot, (x, y + 0.05))

    best = max(spots, key=gap)
    (ax, ay), (bx, by) = sorted(roads, key=lambda place: math.dist(place, best))[:2]
    return best[0], best[1], math.atan2(by - ay, bx - ax)


def wings(view: BoardView, footprint: HexSet) -> list[list[Point]]:
    """Say where the wings of a building of several hexes run: from centre to centre.

    Where three of its hexes touch each other two wings are enough. A black bar parts a wing.
    """
    grid = view.board.grid
    pairs = [
        (a, b)
        for side in ("S", "SW", "SE")
        for a in footprint
        if (b := grid.neighbour(a, side)) is not None and b in footprint
    ]
    # Wings along a column first, then those furthest down.
    pairs.sort(
        key=lambda pair: (
            grid.direction(*pair) != "S",
            -grid.centre(pair[0])[1] - grid.centre(pair[1])[1],
        )
    )
    kept: list[tuple[str, str]] = []
    for a, b in pairs:
        ends = [{*pair} - {a} for pair in kept if a in pair]
        if not any({*end, b} in [{*pair} for pair in kept] for end in ends):
            kept.append((a, b))
    runs: list[list[Point]] = []
    for a, b in kept:
        (ax, ay), (bx, by) = grid.centre(a), grid.centre(b)
        middle = ((ax + bx) / 2, (ay + by) / 2)
        if grid.direction(a, b) in view.board[a].rowhouse:
            runs += [[(ax, ay), middle], [middle, (bx, by)]]
        else:
            runs.append([(ax, ay), (bx, by)])
    return runs


def house_marks(view: BoardView, name: str) -> list[Point]:
    """Give places on the building in a hex, close enough together to see what it covers."""
    info = view.board[name]
    if not info.building:
        return []
    if not info.building_id:
        x, y, _ = house_place(view, name)
        return [(x + dx, y + dy) for dx in (-0.2, 0.0, 0.2) for dy in (-0.12, 0.12)]
    near = view.board.grid.set([name]).spread(1)
    return [
        (ax + (bx - ax) * step / 10, ay + (by - ay) * step / 10)
        for (ax, ay), (bx, by) in wings(view, view.board.building(name) & near)
        for step in range(11)
    ]


def name_place(view: BoardView, name: str) -> tuple[float, float, float, float]:
    """Say where a hex's name is written: left, top, right and bottom of its capitals.

    Always at the head of the hex, where players look for it. The map's edge cuts some hexes: the
    names of those in the outer columns stand in the middle, those of the top row a little lower.
    """
    grid = view.board.grid
    x, y = grid.centre(name)
    size = name_size(view, name)
    wide = text_width(name, size) / view.scale
    high = 0.72 * size / view.scale
    # The half hexes at the edges of the map show only half their width or height.
    left = min(max(x - wide / 2, 0.035), grid.width - 0.035 - wide)
    if x in (0.0, grid.width) and 0 < y < grid.height:
        top = y - high / 2
    else:
        top = y + HEAD if y + HEAD > 0 else 0.06
    return left, top, left + wide, top + high


HEAD: Final = -0.42
"""Where the capitals of a hex's name begin, from its centre, in hex heights."""


_TREES: Final = [(dx, dy) for dy in (-0.1, 0.27, 0.09) for dx in (-0.24, 0.24, 0.0, -0.36, 0.36)]


def tree_places(view: BoardView, name: str) -> list[Point]:
    """Say where the trees of an orchard stand: four, or two of a partial one."""
    info = view.board[name]
    count = 4 if "orchard" in info.terrain else 2
    x, y = view.board.grid.centre(name)
    taken = road_places(view, name)
    if info.building:
        hx, hy, _ = house_place(view, name)
        taken += [(hx + dx, hy) for dx in (-0.2, 0.0, 0.2)]
    left, top, right, bottom = name_place(view, name)
    middle = (top + bottom) / 2
    taken += [(left + (right - left) * step / 4, middle) for step in range(5)]
    spots = [(x + dx, y + dy) for dx, dy in _TREES]
    if count == 2:
        spots = spots[5:] + spots[:5]
    trees: list[Point] = []
    for _ in range(count):
        best = max(spots, key=lambda spot: min([0.26, *(math.dist(spot, t) for t in taken)]))
        taken.append(best)
        trees.append(best)
    return trees
