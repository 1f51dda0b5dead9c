"""Checks of a map: where gliders enter, and that their arrows bring them all down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from asl_pbcg.kernel.errors import Fault
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.board.map_geometry import count_words, reach, where
from asl_pbcg.st.board.map_rules import map_rules

_STAGES: Final = ("triangle", "double_circle", "hexagon")


def glider_entries(area_map: GameMap) -> Iterator[Fault]:
    """Return two glider entry areas on each of the north and south edges. Rule: ST-GLI-05."""
    each = map_rules().glider_entries.per_edge
    for edge, outward in (("north", 1), ("south", -1)):
        flight = [area for area in area_map.areas.values() if area.edge == edge]
        entries = [area for area in flight if "glider_entry" in area.features]
        if len(entries) != each:
            yield Fault(
                "areas",
                "glider_entry",
                f"must mark {each} flight areas on the {edge} edge, not "
                f"{count_words([area.id for area in entries])}.",
            )
        elif entries[0].x == entries[1].x:
            yield Fault("areas", "glider_entry", f"in the {edge}: one must lie west of the other.")
        for entry in entries:
            if any(area.y * outward > entry.y * outward for area in flight if area not in entries):
                yield Fault(
                    where(entry), "glider_entry", f"must lie at the {edge} edge of the map."
                )


def arrows(area_map: GameMap) -> Iterator[Fault]:
    """Arrows leave flight areas and lead nearer to the ground. Rule: ST-GLI-11, ST-GLI-16."""
    areas = area_map.areas
    for arrow in area_map.arrows:
        where = f"arrows, {arrow.start} to {arrow.end}"
        start, end = areas[arrow.start], areas[arrow.end]
        if start.kind == "land":
            yield Fault(where, arrow.start, "is a land area; arrows leave flight areas only.")
        elif end.kind == "flight":
            if start.edge != end.edge:
                yield Fault(where, arrow.end, f"belongs to the gliders of the {end.edge} edge.")
            if _STAGES.index(end.shape) < _STAGES.index(start.shape):
                yield Fault(
                    where,
                    arrow.end,
                    "leads back: arrows pass triangles, then double circles, then hexagons.",
                )
            if "glider_entry" in end.features:
                yield Fault(where, arrow.end, "is a glider entry area: no arrow leads there.")


def flights_end(area_map: GameMap) -> Iterator[Fault]:
    """Return every flight comes down: arrows leave each flight area and never circle. ST-GLI-09."""
    areas = area_map.areas
    flight = {area.id for area in areas.values() if area.kind == "flight"}

    def onward(area: str) -> Iterable[str]:
        return area_map.arrows_from(area).values()

    for name in sorted(flight):
        if not area_map.arrows_from(name):
            yield Fault(where(areas[name]), "", "has no arrow: a glider could not leave it.")
        if any(name in reach(there, onward) for there in onward(name)):
            yield Fault(where(areas[name]), "", "lies on arrows that go round in a circle.")
    reached: set[str] = set()
    for name in flight:
        if "glider_entry" in areas[name].features:
            reached |= reach(name, onward)
    for name in sorted(flight - reached):
        yield Fault(where(areas[name]), "", "is reached by no arrows from a glider entry area.")


def errata_arrow(area_map: GameMap) -> Iterator[Fault]:
    """Return a fault unless a blue arrow joins the triangle and double circle of the errata.

    They lie at the north edge: of the triangles that other triangles lead to the second from the
    west, of such double circles the first. Rule: ST-MAP-01.
    """
    areas = area_map.areas

    def reach_shape(shape: str) -> list[str]:
        ends = {each.end for each in area_map.arrows if areas[each.start].shape == "triangle"}
        north = (name for name in ends if areas[name].edge == "north")
        return sorted(
            (name for name in north if areas[name].shape == shape), key=lambda name: areas[name].x
        )

    triangles, circles = reach_shape("triangle")[:2], reach_shape("double_circle")[:1]
    if not (triangles and circles):
        names = ""
    elif area_map.arrows_from(triangles[-1]).get("blue") == circles[0]:
        return
    else:
        names = f" ({triangles[-1]} to {circles[0]})"
    yield Fault(
        "arrows",
        "blue",
        f"must join the second triangle to the first double circle{names}, by the errata to "
        "the print.",
    )
