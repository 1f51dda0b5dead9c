"""Outlines of hex sets as polygons, and hatching inside them, in hex heights.

The unit and origin are those of ``Grid.centre``. shapely is imported only when a function runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from asl_pbcg.kernel.slow_libraries import shapely

if TYPE_CHECKING:
    from asl_pbcg.hexes.hexset import HexSet
    from asl_pbcg.hexes.lattice import Lattice

Point = tuple[float, float]
Ring = list[Point]
Line = list[Point]


def shape(hexes: HexSet) -> Any:
    """Give the shapely geometry of a hex set; the hexes at the map's edge are not cut."""
    return shapely.coverage_union_all([_polygon(hexes.grid, name) for name in hexes])


@cache
def _polygon(grid: Lattice, name: str) -> Any:
    # Corners of neighbours differ in the last digits; on a fine lattice they are the same point.
    return shapely.Polygon([(round(x, 6), round(y, 6)) for x, y in grid.corners(name)])


def frame(hexes: HexSet) -> Any:
    """Give the rectangle of the printed map: through the half hexes of all four edges."""
    return shapely.box(0, 0, hexes.grid.width, hexes.grid.height)


def rings(geometry: Any) -> list[Ring]:
    """Give the rings of a geometry, outer ones and holes, each without its last, equal point."""
    polygon_rings: list[Ring] = []
    for polygon in getattr(geometry, "geoms", [geometry]):
        if polygon.geom_type != "Polygon" or polygon.is_empty:
            continue
        for ring in (polygon.exterior, *polygon.interiors):
            polygon_rings.append([(float(x), float(y)) for x, y in ring.coords[:-1]])
    return polygon_rings


def outline(hexes: HexSet, inset: float = 0.07) -> list[Ring]:
    """Give the boundary of a hex set as rings, drawn in a little so that neighbours stay apart.

    ``inset`` in hex heights; with 0 two sets that touch share their line. Cut at the map's edge.
    """
    if not hexes:
        return []
    whole = shape(hexes).intersection(frame(hexes))
    return rings(whole.buffer(-inset, join_style="mitre") if inset else whole)


def hatching(hexes: HexSet, spacing: float, angle: float, inset: float = 0.07) -> list[Line]:
    """Give parallel lines that fill a hex set, cut at its outline.

    ``spacing`` between lines in hex heights, ``angle`` in degrees clockwise from level. Lines of
    two sets with the same spacing and angle lie on the same lattice.
    """
    if not hexes:
        return []
    return hatch(shape(hexes).intersection(frame(hexes)).buffer(-inset), spacing, angle)


def hatch(geometry: Any, spacing: float, angle: float) -> list[Line]:
    """Give parallel lines that fill a shapely geometry; as ``hatching``."""
    if geometry.is_empty:
        return []
    left, top, right, bottom = geometry.bounds
    along = (math.cos(math.radians(angle)), math.sin(math.radians(angle)))
    across = (-along[1], along[0])
    corners = [(x, y) for x in (left, right) for y in (top, bottom)]
    offsets = [x * across[0] + y * across[1] for x, y in corners]
    reach = [x * along[0] + y * along[1] for x, y in corners]
    first = math.ceil(min(offsets) / spacing)
    last = math.floor(max(offsets) / spacing)
    if last < first:
        return []
    lines = shapely.MultiLineString(
        [
            [
                (
                    number * spacing * across[0] + end * along[0],
                    number * spacing * across[1] + end * along[1],
                )
                for end in (min(reach) - 1, max(reach) + 1)
            ]
            for number in range(first, last + 1)
        ]
    )
    return lines_of(lines.intersection(geometry))


def lines_of(geometry: Any) -> list[Line]:
    """Give the lines of a geometry as lists of points."""
    if geometry.is_empty:
        return []
    return [
        [(float(x), float(y)) for x, y in part.coords]
        for part in getattr(geometry, "geoms", [geometry])
        if part.geom_type in ("LineString", "LinearRing")
    ]


def round_off(hexes: HexSet, inset: float, radius: float) -> Any:
    """Give a hex set as a soft shape: drawn in, its corners and notches rounded."""
    return soften(shape(hexes).buffer(-inset), radius)


def soften(geometry: Any, radius: float) -> Any:
    """Round the corners and notches of a geometry."""
    return geometry.buffer(radius).buffer(-2 * radius).buffer(radius)


def smooth(points: Iterable[Point], closed: bool, rounds: int = 2) -> Line:
    """Cut the corners of a line until it looks drawn by hand; the ends of an open line stay."""
    line = list(points)
    for _ in range(rounds):
        if len(line) < 3:
            break
        pairs = list(zip(line, line[1:] + line[:1], strict=True))
        if not closed:
            pairs = pairs[:-1]
        cut: Line = []
        for (ax, ay), (bx, by) in pairs:
            cut.append((0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by))
            cut.append((0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by))
        line = cut if closed else [line[0], *cut[1:-1], line[-1]]
    return line
