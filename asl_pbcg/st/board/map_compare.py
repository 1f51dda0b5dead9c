"""The differences between two maps: a player's own map held against the reconstruction."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

import msgspec

from asl_pbcg.st.board.map import GameMap, MapArea, MapLine
from asl_pbcg.st.board.map_geometry import line_words

_FACTS: Final = ("name", "shape", "bank", "road", "features", "entry", "edge", "label")
"""The facts by which two areas of one id are compared; the look is drawn only."""
_LINE_FACTS: Final = ("kind", "road", "hexagon_link")
_NEAR: Final = 1.0
"""Areas that stand no more metres apart stand in the same place."""
_WINDS: Final = (
    "east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east",
)  # fmt: skip


class MapDifference(msgspec.Struct, frozen=True, kw_only=True):
    """One thing in which a map differs from another, and the areas it concerns."""

    kind: Literal["area", "fact", "place", "line", "arrow", "water"]
    change: Literal["missing", "extra", "other"]
    areas: tuple[str, ...]
    words: str


def compare_maps(own: GameMap, other: GameMap) -> list[MapDifference]:
    """Return everything in which ``own`` differs from ``other``; areas are matched by their ids.

    Lines and arrows are held against each other between areas that both maps have.
    """
    return [*_areas(own, other), *_lines(own, other), *_arrows(own, other), *_waters(own, other)]


def _area_words(area: MapArea) -> str:
    return f"{area.id} ({area.name})"


def _areas(own: GameMap, other: GameMap) -> Iterator[MapDifference]:
    for id, area in other.areas.items():
        if id not in own.areas:
            words = f"{_area_words(area)} is missing."
            yield MapDifference(kind="area", change="missing", areas=(id,), words=words)
    for id, area in own.areas.items():
        if id not in other.areas:
            words = f"{_area_words(area)} is extra."
            yield MapDifference(kind="area", change="extra", areas=(id,), words=words)
            continue
        there = other.areas[id]
        # Banks follow from the waters: without them nothing is known of a bank.
        named = _FACTS if own.water else [name for name in _FACTS if name != "bank"]
        if facts := _fact_words(area, there, named):
            words = f"{_area_words(area)}: {facts}."
            yield MapDifference(kind="fact", change="other", areas=(id,), words=words)
        east, north = area.x - there.x, area.y - there.y
        if (metres := math.hypot(east, north)) > _NEAR:
            wind = _WINDS[round(math.atan2(north, east) / (math.pi / 4)) % len(_WINDS)]
            words = f"{_area_words(area)} stands {metres:.0f} m to the {wind}."
            yield MapDifference(kind="place", change="other", areas=(id,), words=words)


def _fact_words(own: object, other: object, facts: Sequence[str]) -> str:
    """Say in which ``facts`` two things differ: ``shape is square, not circle``."""
    pairs = ((name, getattr(own, name), getattr(other, name)) for name in facts)
    return "; ".join(
        f"{name.replace('_', ' ')} is {_value_words(mine)}, not {_value_words(theirs)}"
        for name, mine, theirs in pairs
        if mine != theirs
    )


def _value_words(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, frozenset):
        return " and ".join(sorted(value)) or "none"
    return str(value) or "none"


def _lines(own: GameMap, other: GameMap) -> Iterator[MapDifference]:
    mine = {line.ends: line for line in own.all_lines if line.ends <= other.areas.keys()}
    theirs = {line.ends: line for line in other.all_lines if line.ends <= own.areas.keys()}

    def difference(
        line: MapLine, change: Literal["missing", "extra", "other"], said: str
    ) -> MapDifference:
        words = f"{line_words(line)}: {said}."
        return MapDifference(kind="line", change=change, areas=(line.a, line.b), words=words)

    for ends, line in theirs.items():
        if ends not in mine:
            yield difference(line, "missing", f"the {line.kind} line is missing")
    for ends, line in mine.items():
        if ends not in theirs:
            yield difference(line, "extra", f"the {line.kind} line is extra")
        elif facts := _fact_words(line, theirs[ends], _LINE_FACTS):
            yield difference(line, "other", facts)


def _arrows(own: GameMap, other: GameMap) -> Iterator[MapDifference]:
    shared = own.areas.keys() & other.areas.keys()
    mine, theirs = (
        {(e.start, e.colour): e.end for e in arrows if {e.start, e.end} <= shared}
        for arrows in (own.arrows, other.arrows)
    )
    for start, colour in sorted(mine.keys() | theirs.keys()):
        here, there = mine.get((start, colour)), theirs.get((start, colour))
        if here == there:
            continue
        change: Literal["missing", "extra", "other"] = "other"
        said = f"leads to {here}, not {there}"
        if here is None:
            change, said = "missing", f"to {there} is missing"
        elif there is None:
            change, said = "extra", f"to {here} is extra"
        ends = tuple(end for end in (start, here, there) if end)
        words = f"arrows, {start}: the {colour} arrow {said}."
        yield MapDifference(kind="arrow", change=change, areas=ends, words=words)


def _waters(own: GameMap, other: GameMap) -> Iterator[MapDifference]:
    for name, there in other.water.items():
        here = own.water.get(name)
        if here is None:
            words = f"water, {name}: the course is missing."
            yield MapDifference(kind="water", change="missing", areas=(), words=words)
        elif here != there:
            words = f"water, {name}: course or width is another."
            yield MapDifference(kind="water", change="other", areas=(), words=words)
