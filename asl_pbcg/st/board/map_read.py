"""Map files to maps and back: every key, value and name that cannot be read is a sentence.

What a readable map must obey by the rules of the game stands in ``map_check.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_args

import msgspec

from asl_pbcg.kernel.errors import Fault, FaultsError
from asl_pbcg.kernel.reader import near
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.board.map_geometry import bank_of
from asl_pbcg.st.board.map_parts import (
    FORMAT,
    Arrow,
    Bank,
    Colour,
    Look,
    MapArea,
    MapLine,
    MapZone,
    Shape,
    Water,
)
from asl_pbcg.st.board.map_rules import map_rules
from asl_pbcg.st.board.map_values import (
    MOST,
    UnreadableMap,
    a_course,
    a_flag,
    a_name,
    a_names,
    a_pair,
    a_text,
    above_zero,
    features,
    one_of,
    value_words,
)

_MISSING: Final = object()


@dataclass(slots=True)
class MapReading:
    """The part of a map that could be read, and the faults of the rest."""

    area_map: GameMap
    faults: list[Fault] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    """Sections ("areas", "lines" ...) of which something is missing: their counts mean little."""


def read_map(data: Any, source: str) -> GameMap:
    """Make a map of the plain ``data`` of a map file.

    Raises FaultsError with everything that could not be read.
    """
    reading = try_map(data)
    if reading.faults:
        raise FaultsError(source, reading.faults)
    return reading.area_map


def try_map(data: Any) -> MapReading:
    """Read as much of ``data`` as can be read and note the rest as faults."""
    reader = _Reader()
    return reader.read(data)


_Fields = Mapping[str, tuple[Callable[[Any], Any], bool]]  # key -> (how to read it, required)

_HEAD: Final[_Fields] = {
    "format": (one_of(FORMAT), True),
    "title": (a_text, True),
    "origin": (one_of("reconstruction", "printed"), True),
    "compass": (a_pair, False),
    "sight_radius": (above_zero, False),
}
_COORDINATES: Final[_Fields] = {
    "metres_per_unit": (above_zero, True),
    "y": (one_of("north", "south"), True),
}
_WATER: Final[_Fields] = {"width": (above_zero, True), "course": (a_course, True)}
_AREA: Final[_Fields] = {
    "id": (a_name, True),
    "name": (a_text, True),
    "shape": (one_of(*get_args(Shape)), True),
    "at": (a_pair, True),
    "bank": (one_of(*get_args(Bank)), False),
    "road": (a_flag, False),
    "features": (features, False),
    "label": (a_text, False),
    "entry": (a_text, False),
    "edge": (one_of("north", "south"), False),
    "look": (one_of(*filter(None, get_args(Look))), False),
}
_LINE: Final[_Fields] = {
    "a": (a_name, True),
    "b": (a_name, True),
    "kind": (one_of("single", "double", "dashed"), True),
    "road": (a_flag, False),
    "hexagon_link": (a_flag, False),
}
_ARROW: Final[_Fields] = {
    "from": (a_name, True),
    "to": (a_name, True),
    "colour": (one_of(*get_args(Colour)), True),
}
_ZONE: Final[_Fields] = {"name": (a_text, True), "areas": (a_names, True)}
_WATERS: Final = ("canal", "orne")
_SECTIONS: Final = ("coordinates", "water", "areas", "lines", "arrows", "zones")


class _Reader:
    """Reads one file; ``faults`` grows on the way."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.broken: set[str] = set()
        self.lost: set[str] = set()

    def read(self, data: Any) -> MapReading:
        if not isinstance(data, dict):
            self.fault("the file", "", "must hold keys such as format, areas and lines.")
            self.broken.update(_SECTIONS)
            data = {}
        head = self.fields(
            "", "the file", {k: v for k, v in data.items() if k not in _SECTIONS}, _HEAD
        )
        scale, north = self.coordinates(data.get("coordinates"))

        def place(at: tuple[float, float]) -> tuple[float, float]:
            return round(at[0] * scale, 2), round(at[1] * scale * north, 2)

        water = self.water(data.get("water", _MISSING), place)
        areas = self.areas(data.get("areas", _MISSING), place, water)
        lines = self.lines(data.get("lines", _MISSING), areas)
        arrows = self.arrows(data.get("arrows", _MISSING), areas)
        zones = self.zones(data.get("zones", []), areas)
        compass = head.get("compass")
        area_map = GameMap(
            areas=areas.values(),
            lines=lines,
            arrows=arrows,
            water=water,
            title=head.get("title", ""),
            origin=head.get("origin", "printed"),
            zones=zones,
            compass=place(compass) if compass else None,
            sight_radius=head.get("sight_radius", float(map_rules().sight_radius.value)),
        )
        return MapReading(area_map, self.faults, self.broken)

    def fault(self, where: str, value: str, wrong: str) -> None:
        self.faults.append(Fault(where, value, wrong))

    def fields(self, section: str, where: str, given: Any, known: _Fields) -> dict[str, Any]:
        """Read the keys of one item; what is unknown, missing or unreadable becomes a fault."""
        if not isinstance(given, dict):
            needed = ", ".join(key for key, (_, required) in known.items() if required)
            self.fault(where, value_words(given), f"must have the keys {needed}.")
            self.broken.add(section)
            return {}
        found: dict[str, Any] = {}
        for key in given:
            if key not in known:
                close = near(key, known, 1)
                hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(known)}."
                self.fault(where, value_words(key), f"is no key here; {hint}")
        for key, (read, required) in known.items():
            value = given.get(key, _MISSING)
            if value is _MISSING:
                if required:
                    self.fault(where, "", f"has no {key}.")
                    self.broken.add(section)
                continue
            try:
                found[key] = read(value)
            except UnreadableMap as error:
                self.fault(
                    f"{where}, {key}",
                    value_words(value),
                    f"{error}".rstrip(".?") + self.stop(error),
                )
                self.broken.add(section)
        return found

    @staticmethod
    def stop(error: Exception) -> str:
        return "?" if str(error).endswith("?") else "."

    def coordinates(self, given: Any) -> tuple[float, int]:
        if given is None:
            return 1.0, 1
        found = self.fields("coordinates", "coordinates", given, _COORDINATES)
        return found.get("metres_per_unit", 1.0), -1 if found.get("y") == "south" else 1

    def water(
        self, given: Any, place: Callable[[tuple[float, float]], tuple[float, float]]
    ) -> dict[str, Water]:
        courses: dict[str, Water] = {}
        if given is None:
            given = {}
        if not isinstance(given, dict):
            said = "" if given is _MISSING else value_words(given)
            self.fault("water", said, "must have the keys canal and orne.")
            self.broken.add("water")
            return courses
        for name in given:
            if name not in _WATERS:
                self.fault("water", value_words(name), "is no key here; known are canal and orne.")
        for name in _WATERS:
            if name not in given:
                self.fault("water", "", f"has no {name}.")
                self.broken.add("water")
                continue
            found = self.fields("water", f"water, {name}", given[name], _WATER)
            if len(found) == len(_WATER):
                course = [place(at) for at in found["course"]]
                if course[0][1] > course[-1][1]:
                    course.reverse()
                courses[name] = Water(width=found["width"], course=tuple(course))
        return courses

    def items(self, section: str, given: Any) -> list[Any]:
        if given is None:
            return []  # a key with nothing below it: a list not begun yet
        if not isinstance(given, list):
            missing = given is _MISSING
            self.fault(section, "" if missing else value_words(given), "must be a list.")
            self.broken.add(section)
            return []
        if len(given) > MOST:
            self.fault(section, "", f"has {len(given)} items; {MOST} is the most.")
            self.broken.add(section)
        return given[:MOST]

    def areas(
        self,
        given: Any,
        place: Callable[[tuple[float, float]], tuple[float, float]],
        water: Mapping[str, Water],
    ) -> dict[str, MapArea]:
        areas: dict[str, MapArea] = {}
        signs = map_rules().shapes
        flights = {shape for shape, sign in signs.items() if sign.kind == "flight"}
        for number, item in enumerate(self.items("areas", given), 1):
            called = item.get("id") if isinstance(item, dict) else None
            where = f"areas, item {number}" + (
                f" ({value_words(called)})" if called is not None else ""
            )
            found = self.fields("areas", where, item, _AREA)
            if found.get("shape") in flights and "edge" not in found:
                if "edge" not in item:
                    self.fault(where, "", "has no edge: gliders come from the north or the south.")
                self.broken.add("areas")
                found.clear()
            if not {"id", "name", "shape", "at"} <= found.keys():
                self.lost.add(value_words(called))
                continue
            if found["id"] in areas:
                self.fault(where, found["id"], f"is the id of {areas[found['id']].name} already.")
                self.broken.add("areas")
                continue
            sign = signs[found["shape"]]
            x, y = place(found.pop("at"))
            areas[found["id"]] = MapArea(**found, kind=sign.kind, terrain=sign.terrain, x=x, y=y)
            if "bank" not in found and len(water) == len(_WATERS):
                area = areas[found["id"]]
                areas[area.id] = msgspec.structs.replace(area, bank=bank_of(area, water))
        return areas

    def end(self, section: str, where: str, key: str, name: str, areas: Collection[str]) -> bool:
        if name in areas:
            return True
        if name not in self.lost:  # an area that could not be read has its fault already
            close = near(name, areas, 1)
            hint = f"; did you mean {close[0]}?" if close else "."
            self.fault(f"{where}, {key}", name, f"is no area of this map{hint}")
        self.broken.add(section)
        return False

    def lines(self, given: Any, areas: Collection[str]) -> list[MapLine]:
        lines: dict[frozenset[str], tuple[int, MapLine]] = {}
        costs = map_rules().lines
        for number, item in enumerate(self.items("lines", given), 1):
            where = _between("lines", number, item, "a", "b")
            found = self.fields("lines", where, item, _LINE)
            if not {"a", "b", "kind"} <= found.keys():
                continue
            good = [self.end("lines", where, key, found[key], areas) for key in ("a", "b")]
            if not all(good):
                continue
            ends = frozenset((found["a"], found["b"]))
            if len(ends) == 1:
                self.fault(where, found["a"], "is joined to itself.")
            elif ends in lines:
                self.fault(where, "", f"joins the same areas as item {lines[ends][0]}.")
            else:
                line = MapLine(**found, mp=costs[found["kind"]].mp)
                lines[ends] = (number, line)
        return [line for _, line in lines.values()]

    def arrows(self, given: Any, areas: Collection[str]) -> list[Arrow]:
        arrows: dict[tuple[str, str], tuple[int, Arrow]] = {}
        for number, item in enumerate(self.items("arrows", given), 1):
            where = _between("arrows", number, item, "from", "to")
            found = self.fields("arrows", where, item, _ARROW)
            if len(found) < len(_ARROW):
                continue
            good = [self.end("arrows", where, key, found[key], areas) for key in ("from", "to")]
            if not all(good):
                continue
            key = (found["from"], found["colour"])
            if found["from"] == found["to"]:
                self.fault(where, found["from"], "points at itself.")
            elif key in arrows:
                self.fault(
                    where,
                    found["colour"],
                    f"is the colour of item {arrows[key][0]} too: at most one {found['colour']} "
                    "arrow leaves an area.",
                )
            else:
                arrow = Arrow(start=found["from"], end=found["to"], colour=found["colour"])
                arrows[key] = (number, arrow)
        return [arrow for _, arrow in arrows.values()]

    def zones(self, given: Any, areas: Collection[str]) -> list[MapZone]:
        zones = []
        for number, item in enumerate(self.items("zones", given), 1):
            where = f"zones, item {number}"
            found = self.fields("zones", where, item, _ZONE)
            good = [
                self.end("zones", where, "areas", name, areas) for name in found.get("areas", ())
            ]
            if len(found) == len(_ZONE) and all(good):
                zones.append(MapZone(**found))
        return zones


def _between(section: str, number: int, item: Any, start: str, end: str) -> str:
    where = f"{section}, item {number}"
    if isinstance(item, dict) and start in item and end in item:
        where += f" ({value_words(item[start])} to {value_words(item[end])})"
    return where


# Back to data
