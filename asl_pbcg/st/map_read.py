"""Map files to maps and back: every key, value and name that cannot be read is a sentence.

What a readable map must obey by the rules of the game stands in ``map_check.py``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Final, get_args

from asl_pbcg.kernel.errors import Fault, FaultsError
from asl_pbcg.st.map import (
    FORMAT,
    Area,
    AreaMap,
    Arrow,
    Bank,
    Colour,
    Feature,
    Line,
    Look,
    Shape,
    Water,
    map_rules,
)

_MISSING: Final = object()
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,5}")
_FARTHEST: Final = 1_000_000  # file units from the origin; beyond it a number is a slip
_MOST: Final = 2_000  # items of one list; the game has some two hundred


@dataclass(slots=True)
class Reading:
    """What could be read, and everything that could not."""

    area_map: AreaMap
    faults: list[Fault] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    """Sections ("areas", "lines" ...) of which something is missing: their counts mean little."""


class _Unreadable(Exception):
    """A value that is no such thing; its text says what would be right."""


def read_map(data: Any, source: str) -> AreaMap:
    """Make a map of the plain ``data`` of a map file.

    Raises FaultsError with everything that could not be read.
    """
    reading = try_map(data)
    if reading.faults:
        raise FaultsError(source, reading.faults)
    return reading.area_map


def try_map(data: Any) -> Reading:
    """Read as much of ``data`` as can be read and note the rest as faults."""
    reader = _Reader()
    return reader.read(data)


# Single values


def _choice(*allowed: str) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if value in allowed:
            return value
        near = get_close_matches(str(value), allowed, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise _Unreadable(f"must be {_either(allowed)}{hint}")

    return read


def _either(words: Collection[str]) -> str:
    *first, last = (word or "empty" for word in words)
    return f"{', '.join(first)} or {last}" if first else last


def _text(value: Any) -> str:
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise _Unreadable("must be text")
    said = str(value).strip()
    if len(said) > 60 or not said.isprintable():
        raise _Unreadable("must be one line of at most 60 characters")
    return said


def _name(value: Any) -> str:
    said = _text(value)
    if not _ID.fullmatch(said):
        raise _Unreadable("must be 1 to 6 letters, digits, dots or dashes")
    return said


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _Unreadable("must be a number")
    if abs(value) > _FARTHEST:
        raise _Unreadable(f"must lie between -{_FARTHEST} and {_FARTHEST}")
    return float(value)


def _above_zero(value: Any) -> float:
    number = _number(value)
    if number <= 0:
        raise _Unreadable("must be above 0")
    return number


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Unreadable("must be true or false")
    return value


def _pair(value: Any) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2:
        raise _Unreadable("must be two numbers, for example [120, -35]")
    return _number(value[0]), _number(value[1])


def _course(value: Any) -> tuple[tuple[float, float], ...]:
    if not isinstance(value, list) or not 2 <= len(value) <= _MOST:
        raise _Unreadable(
            "must be a list of at least two places, for example [[0, -900], [40, 900]]"
        )
    return tuple(_pair(place) for place in value)


def _features(value: Any) -> frozenset[Feature]:
    if not isinstance(value, list):
        raise _Unreadable("must be a list, for example [bunker, setup]")
    known = _choice(*get_args(Feature))
    found = [known(one) if isinstance(one, str) else known(repr(one)) for one in value]
    if len(set(found)) != len(found):
        raise _Unreadable("names a feature twice")
    return frozenset(found)


def _shown(value: Any) -> str:
    if value is True or value is False:
        return str(value).lower()
    if value is None:
        return "nothing"
    said = str(value)
    return said if len(said) <= 60 else f"{said[:57]}..."


_Fields = Mapping[str, tuple[Callable[[Any], Any], bool]]  # key -> (how to read it, required)

_HEAD: Final[_Fields] = {
    "format": (_choice(FORMAT), True),
    "title": (_text, True),
    "origin": (_choice("reconstruction", "printed"), True),
    "compass": (_pair, False),
    "sight_radius": (_above_zero, False),
}
_COORDINATES: Final[_Fields] = {
    "metres_per_unit": (_above_zero, True),
    "y": (_choice("north", "south"), True),
}
_WATER: Final[_Fields] = {"width": (_above_zero, True), "course": (_course, True)}
_AREA: Final[_Fields] = {
    "id": (_name, True),
    "name": (_text, True),
    "shape": (_choice(*get_args(Shape)), True),
    "at": (_pair, True),
    "bank": (_choice(*get_args(Bank)), False),
    "road": (_flag, False),
    "features": (_features, False),
    "label": (_text, False),
    "entry": (_text, False),
    "edge": (_choice("north", "south"), False),
    "look": (_choice(*get_args(Look)), False),
}
_LINE: Final[_Fields] = {
    "a": (_name, True),
    "b": (_name, True),
    "kind": (_choice("single", "double", "dashed"), True),
    "road": (_flag, False),
    "hexagon_link": (_flag, False),
}
_ARROW: Final[_Fields] = {
    "from": (_name, True),
    "to": (_name, True),
    "colour": (_choice(*get_args(Colour)), True),
}
_SECTIONS: Final = ("coordinates", "water", "areas", "lines", "arrows")


class _Reader:
    """Reads one file; ``faults`` grows on the way."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.broken: set[str] = set()

    def read(self, data: Any) -> Reading:
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

        water = self.water(data.get("water"), place)
        areas = self.areas(data.get("areas"), place)
        lines = self.lines(data.get("lines"), areas)
        arrows = self.arrows(data.get("arrows"), areas)
        compass = head.get("compass")
        area_map = AreaMap(
            areas=areas.values(),
            lines=lines,
            arrows=arrows,
            water=water,
            title=head.get("title", ""),
            origin=head.get("origin", "printed"),
            compass=place(compass) if compass else None,
            sight_radius=head.get("sight_radius", float(map_rules()["sight_radius"]["value"])),
        )
        return Reading(area_map, self.faults, self.broken)

    def fault(self, where: str, value: str, wrong: str) -> None:
        self.faults.append(Fault(where, value, wrong))

    def fields(self, section: str, where: str, given: Any, known: _Fields) -> dict[str, Any]:
        """Read the keys of one item; what is unknown, missing or unreadable becomes a fault."""
        if not isinstance(given, dict):
            needed = ", ".join(key for key, (_, required) in known.items() if required)
            self.fault(where, _shown(given), f"must have the keys {needed}.")
            self.broken.add(section)
            return {}
        found: dict[str, Any] = {}
        for key in given:
            if key not in known:
                near = get_close_matches(str(key), known, 1)
                hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}."
                self.fault(where, _shown(key), f"is no key here; {hint}")
        for key, (read, required) in known.items():
            value = given.get(key, _MISSING)
            if value is _MISSING:
                if required:
                    self.fault(where, "", f"has no {key}.")
                    self.broken.add(section)
                continue
            try:
                found[key] = read(value)
            except _Unreadable as error:
                self.fault(
                    f"{where}, {key}", _shown(value), f"{error}".rstrip(".?") + self.stop(error)
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
        if not isinstance(given, dict):
            self.fault(
                "water",
                "" if given is None else _shown(given),
                "must have the keys canal and orne.",
            )
            self.broken.add("water")
            return courses
        for name in given:
            if name not in ("canal", "orne"):
                self.fault("water", _shown(name), "is no key here; known are canal and orne.")
        for name in ("canal", "orne"):
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
        if not isinstance(given, list):
            wrong = "is missing." if given is None else "must be a list."
            self.fault(section, "" if given is None else _shown(given), wrong)
            self.broken.add(section)
            return []
        if len(given) > _MOST:
            self.fault(section, "", f"has {len(given)} items; {_MOST} is the most.")
            self.broken.add(section)
        return given[:_MOST]

    def areas(
        self, given: Any, place: Callable[[tuple[float, float]], tuple[float, float]]
    ) -> dict[str, Area]:
        areas: dict[str, Area] = {}
        signs = map_rules()["shapes"]
        for number, item in enumerate(self.items("areas", given), 1):
            called = item.get("id") if isinstance(item, dict) else None
            where = f"areas, item {number}" + (f" ({_shown(called)})" if called is not None else "")
            found = self.fields("areas", where, item, _AREA)
            if not {"id", "name", "shape", "at"} <= found.keys():
                continue
            if found["id"] in areas:
                self.fault(where, found["id"], f"is the id of {areas[found['id']].name} already.")
                self.broken.add("areas")
                continue
            sign = signs[found["shape"]]
            x, y = place(found.pop("at"))
            areas[found["id"]] = Area(**found, kind=sign["kind"], terrain=sign["terrain"], x=x, y=y)
            if sign["kind"] == "land" and "bank" not in item:
                self.fault(where, "", "has no bank: a land area lies west, between or east.")
            if sign["kind"] == "flight" and "edge" not in item:
                self.fault(
                    where, "", "has no edge: gliders reach a flight area from north or south."
                )
        return areas

    def end(self, section: str, where: str, key: str, name: str, areas: Collection[str]) -> bool:
        if name in areas:
            return True
        if section not in self.broken or "areas" not in self.broken:
            near = get_close_matches(name, areas, 1)
            hint = f"; did you mean {near[0]}?" if near else "."
            self.fault(f"{where}, {key}", name, f"is no area of this map{hint}")
        self.broken.add(section)
        return False

    def lines(self, given: Any, areas: Collection[str]) -> list[Line]:
        lines: dict[frozenset[str], tuple[int, Line]] = {}
        costs = map_rules()["lines"]
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
                line = Line(**found, mp=costs[found["kind"]]["mp"])
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


def _between(section: str, number: int, item: Any, start: str, end: str) -> str:
    where = f"{section}, item {number}"
    if isinstance(item, dict) and start in item and end in item:
        where += f" ({_shown(item[start])} to {_shown(item[end])})"
    return where


# Back to data


def _plain(number: float) -> int | float:
    return int(number) if number == int(number) else number


def to_data(area_map: AreaMap) -> dict[str, Any]:
    """Give the map as plain lists and keys in the file's format; ``read_map`` reads them back."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "title": area_map.title,
        "origin": area_map.origin,
        "sight_radius": _plain(area_map.sight_radius),
        "water": {
            name: {
                "width": _plain(water.width),
                "course": [[_plain(x), _plain(y)] for x, y in water.course],
            }
            for name, water in area_map.water.items()
        },
        "areas": [_area_data(area) for area in area_map.areas.values()],
        "lines": [
            {"a": line.a, "b": line.b, "kind": line.kind}
            | ({"road": True} if line.road else {})
            | ({"hexagon_link": True} if line.hexagon_link else {})
            for line in area_map.all_lines
        ],
        "arrows": [
            {"from": arrow.start, "to": arrow.end, "colour": arrow.colour}
            for arrow in area_map.arrows
        ],
    }
    if area_map.compass:
        data["compass"] = [_plain(one) for one in area_map.compass]
    return data


def _area_data(area: Area) -> dict[str, Any]:
    data: dict[str, Any] = {
        "id": area.id,
        "name": area.name,
        "shape": area.shape,
        "at": [_plain(area.x), _plain(area.y)],
    }
    if area.kind == "land":
        data["bank"] = area.bank
    for key in ("road", "label", "entry", "edge", "look"):
        if value := getattr(area, key):
            data[key] = value
    if area.features:
        data["features"] = sorted(area.features)
    return data
