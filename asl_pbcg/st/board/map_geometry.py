"""Helpers of the checks of a map: plane geometry in metres, ways, and words for faults."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from asl_pbcg.st.board.map import Bank, GameMap, MapArea, MapLine, Water


def where(area: MapArea) -> str:
    """Say where an area stands in the file."""
    return f"areas, {area.id} ({area.name})"


def line_words(line: MapLine) -> str:
    """Say where a line stands in the file."""
    return f"lines, {line.a} to {line.b}"


def count_words(names: Iterable[str]) -> str:
    """Count areas and name them: ``"2 (B1 and B2)"``."""
    found = list(names)
    return f"{len(found)} ({list_words(found)})" if found else "0"


def list_words(names: Iterable[str], last: str = "and") -> str:
    """Join names as people do; a long list is cut."""
    found = list(names)
    if len(found) > 12:
        return f"{', '.join(found[:12])} and {len(found) - 12} more"
    return f" {last} ".join(filter(None, (", ".join(found[:-1]), found[-1])))


def reach(start: str, onward: Callable[[str], Iterable[str]]) -> set[str]:
    """Name every area that can be got to from ``start``, itself too."""
    reached = {start}
    queue = deque(reached)
    while queue:
        for there in onward(queue.popleft()):
            if there not in reached:
                reached.add(there)
                queue.append(there)
    return reached


def distance(area_map: GameMap, a: str, b: str) -> float:
    """Return the metres between the centres of two areas."""
    return math.hypot(
        area_map.areas[a].x - area_map.areas[b].x, area_map.areas[a].y - area_map.areas[b].y
    )


def _segments(water: Water) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    return pairwise(water.course)


def off_course(area: MapArea, water: Water) -> float:
    """Return the metres from an area's centre to the middle of the water."""
    return min(_to_segment((area.x, area.y), *segment) for segment in _segments(water))


def _to_segment(
    at: tuple[float, float], start: tuple[float, float], end: tuple[float, float]
) -> float:
    run, rise = end[0] - start[0], end[1] - start[1]
    length = run * run + rise * rise
    along = 0.0
    if length:
        along = ((at[0] - start[0]) * run + (at[1] - start[1]) * rise) / length
        along = min(1.0, max(0.0, along))
    return math.hypot(at[0] - start[0] - along * run, at[1] - start[1] - along * rise)


def _east_of(area: MapArea, water: Water) -> bool:
    """Say whether an area lies east of the water, whose ends are drawn out north and south."""
    (first, south), (last, north) = water.course[0], water.course[-1]
    far = 10 * (abs(area.y) + abs(south) + abs(north) + 1)
    course = ((first, -far), *water.course, (last, far))
    crossed = 0
    for (x1, y1), (x2, y2) in pairwise(course):
        if (y1 <= area.y) != (y2 <= area.y) and area.x > x1 + (area.y - y1) * (x2 - x1) / (y2 - y1):
            crossed += 1
    return crossed % 2 == 1


def bank_of(area: MapArea, water: Mapping[str, Water]) -> Bank:
    """Say on which bank an area lies, by its place; the bridges count as between."""
    if area.features & {"pegasus_bridge", "ranville_bridge"}:
        return "between"
    if not _east_of(area, water["canal"]):
        return "west"
    return "east" if _east_of(area, water["orne"]) else "between"


def crosses(a: MapArea, b: MapArea, water: Water) -> bool:
    """Say whether the straight line between two areas meets the middle of the water."""

    def side(p: tuple[float, float], q: tuple[float, float], r: tuple[float, float]) -> int:
        turn = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
        return (turn > 0) - (turn < 0)

    start, end = (a.x, a.y), (b.x, b.y)
    return any(
        side(start, end, one) != side(start, end, two)
        and side(one, two, start) != side(one, two, end)
        for one, two in _segments(water)
    )
