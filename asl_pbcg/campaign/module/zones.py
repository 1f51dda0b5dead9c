"""The hexes in which a group of an Initial Scenario may set up. Rule: 9.51, 9.52."""

from __future__ import annotations

from functools import lru_cache

from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.module.charts import Zone
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.kernel.slow_libraries import shapely


@lru_cache(maxsize=64)
def zone_hexes(zone: Zone, board: Board, adjacent: str = "inside") -> HexSet:
    """The hexes of ``zone`` that Infantry can stand in; empty for a group that enters.

    ``adjacent`` is the house rule P-03: whether a hex Adjacent to a building Location must
    itself lie "inside" the zone or may lie "outside" it. Rule: 9.51, 9.52.
    """
    grid = board.grid
    if zone.entry:
        return grid.set([])
    hexes = board.enterable
    if zone.hexes:
        hexes &= grid.set(zone.hexes)
    if zone.within is not None:
        hexes &= grid.set([zone.of]).spread(zone.within)
    if zone.hexrows:
        first, last = (_column(row) for row in zone.hexrows)
        hexes &= grid.set(name for name in grid.names if first <= _column(_row(name)) <= last)
    if zone.numbers:
        low, high = zone.numbers
        hexes &= grid.set(name for name in grid.names if low <= _number(name) <= high)
    if zone.north_of:
        hexes &= _north_of(zone.north_of, board)
    if zone.east_of_canal:
        hexes &= east_of_canal(board)
    if zone.buildings:
        zone_itself, hexes = hexes, hexes & board.buildings
        if zone.adjacent:
            within = zone_itself if adjacent == "inside" else board.enterable
            hexes = hexes.spread(1) & within
    return hexes


def east_of_canal(board: Board) -> HexSet:
    """The in-play hexes on the bank of the canal where the hex numbers rise. Rule: 9.51, I-3."""
    canal = board.terrain("canal")
    land = board.in_play - canal
    # The canal cuts the land in two once its bridge is left out; the corner boxes off the map
    # cut off a few more eastern hexes.
    west = next(piece for piece in land.pieces() if "Y18" in piece)
    return land - west


def _north_of(line: tuple[str, ...], board: Board) -> HexSet:
    """The hexes on or north of a hex grain: north is the way the hexrow letters rise."""
    grid = board.grid
    points = [grid.centre(name) for name in line]
    grain = shapely.LineString(points)
    names = []
    for name in board.in_play:
        x, y = grid.centre(name)
        on_line = grain.distance(shapely.Point(x, y)) < 0.05
        # A line to the north edge of the map (to the right) that does not cross the grain.
        right = shapely.LineString([(x, y), (x + 1000, y)])
        if on_line or (not right.intersects(grain) and _beside(y, points)):
            names.append(name)
    return grid.set(names)


def _beside(y: float, points: list[tuple[float, float]]) -> bool:
    return points[0][1] <= y <= points[-1][1]


def _row(name: str) -> str:
    return name.rstrip("0123456789")


def _number(name: str) -> int:
    return int(name[len(_row(name)) :])


def _column(hexrow: str) -> int:
    """The place of a hexrow on the map: A is 0, Z 25, AA 26, TT 45."""
    return ord(hexrow[0]) - ord("A") + 26 * (len(hexrow) - 1)
