"""Lines of sight by geometry: which areas the straight line between two centres passes through.

An area is passed when its centre lies no farther from the line than the map's sight radius
(AMB-55). Shapely does the geometry; it is imported only when a line is not in the table shipped
with the map (``data/st/sight.csv``), so that play does not wait for it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from asl_pbcg.kernel.comma_table import TableFile
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.lazy_import import lazy_import
from asl_pbcg.st.board.map_parts import MapArea
from asl_pbcg.st.numbers import numbers

if TYPE_CHECKING:
    import shapely
else:
    shapely = lazy_import("shapely")

# A line that just touches the circle passes through; rounding must not decide it.
_TOUCH: Final = 1e-6

Pair = tuple[str, str]


class SightGround(Protocol):
    """The parts of a map on which sight depends: where its areas are and how wide a line is."""

    @property
    def areas(self) -> Mapping[str, MapArea]:
        """The areas by id."""
        ...

    @property
    def sight_radius(self) -> float:
        """Metres from the line within which a centre is passed."""
        ...

    def range(self, a: str, b: str) -> int | None:
        """Tell how many areas apart two areas are."""
        ...


def areas_passed(area_map: SightGround, a: str, b: str) -> tuple[str, ...]:
    """Name the areas the line from ``a`` to ``b`` passes through, from ``a`` on, ends excluded.

    Rule: ST-TAT-13, AMB-55.
    """
    return areas_passed_by_many(area_map, [(a, b)])[a, b]


def areas_passed_by_many(
    area_map: SightGround, pairs: Iterable[Pair]
) -> dict[Pair, tuple[str, ...]]:
    """Do the same for many pairs at once, which is much faster than one by one."""
    wanted = list(pairs)
    if not wanted:
        return {}
    names = list(area_map.areas)
    number = {name: i for i, name in enumerate(names)}
    centres = shapely.points([(area.x, area.y) for area in area_map.areas.values()])
    lines = shapely.linestrings([[_at(area_map, a), _at(area_map, b)] for a, b in wanted])
    tree = shapely.STRtree(centres)
    near = tree.query(lines, predicate="dwithin", distance=area_map.sight_radius + _TOUCH)
    found: dict[Pair, list[tuple[float, str]]] = {pair: [] for pair in wanted}
    along = shapely.line_locate_point(lines[near[0]], centres[near[1]])
    for line, centre, distance in zip(near[0], near[1], along, strict=True):
        pair = wanted[line]
        if centre not in (number[pair[0]], number[pair[1]]):
            found[pair].append((float(distance), names[centre]))
    return {pair: tuple(name for _, name in sorted(through)) for pair, through in found.items()}


def _at(area_map: SightGround, name: str) -> tuple[float, float]:
    area = area_map.areas[name]
    return area.x, area.y


# The table of the shipped map


def distant_pairs(area_map: SightGround) -> list[Pair]:
    """Name the pairs of areas between which guns need sight: 2 areas apart to as far as they fire.

    Rule: ST-TAT-09, ST-TAT-13.
    """
    most = numbers().gun_range
    return [
        (a, b)
        for a, b in combinations(sorted(area_map.areas), 2)
        if (away := area_map.range(a, b)) is not None and 2 <= away <= most
    ]


def sight_mark(area_map: SightGround) -> str:
    """Give a short mark of everything that sight lines depend on: places and the radius."""
    places = [f"{area.id} {area.x} {area.y}" for area in area_map.areas.values()]
    text = "\n".join([str(area_map.sight_radius), *sorted(places)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def sight_table(area_map: SightGround) -> str:
    """Write the table of ``area_map``: its mark, then per pair the areas passed through."""
    through = areas_passed_by_many(area_map, distant_pairs(area_map))
    rows = [f"{a},{b},{' '.join(names)}" for (a, b), names in through.items()]
    return "\n".join([f"mark,{sight_mark(area_map)},", "a,b,through", *rows]) + "\n"


class Lines(msgspec.Struct, frozen=True):
    """A line of the shipped table: two areas, and those passed through between them."""

    a: str
    b: str
    through: tuple[str, ...] = ()


SIGHT: Final = TableFile("st/sight.csv", Lines, above=1)


def known_lines(area_map: SightGround) -> Mapping[Pair, tuple[str, ...]]:
    """Read the shipped table if it was made for this map's places, else nothing."""
    mark, _, *rows = data_path("st/sight.csv").read_text(encoding="utf-8").splitlines()
    if mark.split(",")[1] != sight_mark(area_map):
        return {}
    table = {}
    for row in rows:
        a, b, through = row.split(",")
        table[a, b] = tuple(through.split())
    return table
