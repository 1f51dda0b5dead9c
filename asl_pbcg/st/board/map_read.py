"""Map files to maps and back: each key, value or name that cannot be read gets a sentence.

The rules that a readable map must obey are in ``map_check.py``. ``map_digest`` marks what play
depends on: equal marks, equal games.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from asl_pbcg.kernel.errors import Fault, FaultsError
from asl_pbcg.kernel.reader import nearest, value_words
from asl_pbcg.kernel.struct_reader import ListItem, Path, StructReader
from asl_pbcg.st.board.map import (
    FORMAT,
    Arrow,
    Bank,
    Colour,
    Feature,
    GameMap,
    LineKind,
    Look,
    MapArea,
    MapLine,
    MapZone,
    Shape,
    Water,
)
from asl_pbcg.st.board.map_geometry import bank_of
from asl_pbcg.st.board.map_rules import map_rules


def map_digest(area_map: GameMap) -> str:
    """Give a short mark of everything play depends on: equal marks, equal games."""
    plain = {key: value for key, value in to_data(area_map).items() if key not in {"title"}}
    return hashlib.sha256(msgspec.json.encode(plain, order="sorted")).hexdigest()[:16]


class MapCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The areas and lines of a map that breaks no rule."""

    title: str
    origin: str
    land: dict[str, int]
    flight: int
    arrows: int
    lines: dict[str, int]


def count_map(area_map: GameMap) -> MapCounts:
    """Count the areas, lines and arrows of a map."""
    land = [area for area in area_map.areas.values() if area.kind == "land"]
    shapes = {
        name: sum(area.shape == shape for area in land)
        for shape, name in (("circle", "circles"), ("square", "squares"), ("oval", "ovals"))
    }
    kinds = {
        kind: sum(line.kind == kind for line in area_map.all_lines)
        for kind in ("single", "double", "dashed")
    }
    return MapCounts(
        title=area_map.title,
        origin=area_map.origin,
        land=shapes,
        flight=len(area_map.areas) - len(land),
        arrows=len(area_map.arrows),
        lines=kinds,
    )


def _plain(number: float) -> int | float:
    return int(number) if number == int(number) else number


def to_data(area_map: GameMap) -> dict[str, Any]:
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
    if area_map.zones:
        data["zones"] = [{"name": zone.name, "areas": list(zone.areas)} for zone in area_map.zones]
    if area_map.compass:
        data["compass"] = [_plain(one) for one in area_map.compass]
    return data


def _area_data(area: MapArea) -> dict[str, Any]:
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


MAX_ITEMS: Final = 2_000
"""Items of one list; the game has some two hundred."""
FARTHEST: Final = 1_000_000
"""File units from the origin; beyond it a number is a slip."""

Words60 = Annotated[str, Meta(min_length=1, max_length=60)]
AreaId = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,5}$",
        extra={"expects": "1 to 6 letters, digits, dots or dashes"},
    ),
]
Coordinate = Annotated[float, Meta(ge=-FARTHEST, le=FARTHEST)]
Pair = Annotated[
    tuple[Coordinate, Coordinate], Meta(extra={"expects": "two numbers, as [120, -35]"})
]
Length = Annotated[float, Meta(gt=0)]
Point = tuple[float, float]


class _Item(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Part of a map file; a key it does not know is an error."""


class Coordinates(_Item, frozen=True, kw_only=True):
    """The units in which a file gives places."""

    metres_per_unit: Length
    y: Literal["north", "south"]


class WaterItem(_Item, frozen=True, kw_only=True):
    """A water of a file: its width and its course from either end."""

    width: Length
    course: Annotated[tuple[Pair, ...], Meta(min_length=2, max_length=MAX_ITEMS)]


class WaterItems(_Item, frozen=True, kw_only=True):
    """The two waters of a file."""

    canal: WaterItem
    orne: WaterItem


class AreaItem(_Item, frozen=True, kw_only=True):
    """An area of a file."""

    id: AreaId
    name: Words60
    shape: Shape
    at: Pair
    bank: Bank | None = None
    road: bool = False
    features: frozenset[Feature] = frozenset()
    label: Words60 = ""
    entry: Words60 = ""
    edge: Literal["", "north", "south"] = ""
    look: Look = ""


class LineItem(_Item, frozen=True, kw_only=True):
    """A communication line of a file."""

    a: AreaId
    b: AreaId
    kind: LineKind
    road: bool = False
    hexagon_link: bool = False


class ArrowItem(_Item, frozen=True, kw_only=True, rename={"start": "from", "end": "to"}):
    """An arrow of a file."""

    start: AreaId
    end: AreaId
    colour: Colour


class ZoneItem(_Item, frozen=True, kw_only=True):
    """A landing zone of a file."""

    name: Words60
    areas: Annotated[tuple[AreaId, ...], Meta(min_length=1, max_length=MAX_ITEMS)]


class MapFile(_Item, frozen=True, kw_only=True):
    """A map file; its lists are read item by item."""

    format: Literal["pbcg-st-map/1"]
    title: Words60
    origin: Literal["reconstruction", "printed"]
    compass: Pair | None = None
    sight_radius: Length | None = None
    coordinates: Coordinates | None = None
    water: WaterItems
    areas: list[Any]
    lines: list[Any]
    arrows: list[Any]
    zones: list[Any] = []


_EMPTY: Final[dict[str, Any]] = {"water": {}, "areas": [], "lines": [], "arrows": []}
"""A key with nothing below it is a list not begun yet."""


@dataclass(slots=True)
class MapReading:
    """As much of a map as could be read, and everything that could not."""

    area_map: GameMap
    faults: list[Fault]

    @property
    def broken(self) -> set[str]:
        """The sections ("areas", "lines" ...) with faults: their counts mean little."""
        return {str(fault.where).partition(",")[0] for fault in self.faults}


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
    reader = _MapReader()
    return MapReading(reader.read_map(data), reader.faults)


class _MapReader(StructReader):
    """Reads one file: its parts by their types, then what they say of each other."""

    def __init__(self) -> None:
        super().__init__(numbers_as_text=True)
        self.unread_areas: set[str] = set()
        self.is_without_areas = False

    def entry(self, number: int, item: Any) -> ListItem:
        """Return an item of a list, named by its id or by the areas it joins."""
        ends = [item.get(key) for key in ("a", "b", "from", "to")] if isinstance(item, dict) else []
        joined = [value_words(end) for end in ends if end is not None]
        if len(joined) == 2:
            return ListItem(number, " to ".join(joined))
        return super().entry(number, item)

    def read_map(self, data: Any) -> GameMap:
        """Return the map as far as it can be read."""
        if isinstance(data, dict):
            begun = {key: empty for key, empty in _EMPTY.items() if data.get(key, "") is None}
            data = {**data, **begun}
        head = self.read_fields(data, MapFile)
        units = head.get("coordinates") or Coordinates(metres_per_unit=1.0, y="north")
        north = -1 if units.y == "south" else 1

        def place(at: Point) -> Point:
            return (
                round(at[0] * units.metres_per_unit, 2),
                round(at[1] * units.metres_per_unit * north, 2),
            )

        water = _waters(head.get("water"), place)
        areas = self.read_areas(head.get("areas"), place, water)
        compass = head.get("compass")
        return GameMap(
            areas=areas.values(),
            lines=self.read_lines(head.get("lines"), areas),
            arrows=self.read_arrows(head.get("arrows"), areas),
            water=water,
            title=head.get("title", ""),
            origin=head.get("origin", "printed"),
            zones=self.read_zones(head.get("zones"), areas),
            compass=place(compass) if compass else None,
            sight_radius=head.get("sight_radius", float(map_rules().sight_radius.value)),
        )

    def read_areas(
        self, listed: Any, place: Callable[[Point], Point], water: dict[str, Water]
    ) -> dict[str, MapArea]:
        """Return the areas by id."""
        areas: dict[str, MapArea] = {}
        self.is_without_areas = listed is None
        read = dict(self.entries(listed, AreaItem, ("areas",), MAX_ITEMS))
        for number, raw in enumerate(listed or (), 1):
            if number not in read:
                self.unread_areas.add(self.entry(number, raw).name)
        for number, item in read.items():
            if item.id in areas:
                path = ("areas", ListItem(number, item.id))
                self.wrong(path, item.id, f"is the id of {areas[item.id].name} already")
                continue
            sign = map_rules().shapes[item.shape]
            if sign.kind == "flight" and not item.edge:
                edge = ("areas", ListItem(number, item.id), "edge")
                self.wrong(edge, "", "is missing: gliders come from the north or the south")
                self.unread_areas.add(item.id)
                continue
            x, y = place(item.at)
            given = msgspec.structs.asdict(item)
            del given["at"]
            given["bank"] = item.bank or "between"
            area = MapArea(**given, kind=sign.kind, terrain=sign.terrain, x=x, y=y)
            if item.bank is None and water:
                area = msgspec.structs.replace(area, bank=bank_of(area, water))
            areas[item.id] = area
        return areas

    def read_lines(self, listed: Any, areas: Collection[str]) -> list[MapLine]:
        """Return the lines that join two areas."""
        lines: dict[frozenset[str], tuple[int, MapLine]] = {}
        for number, item in self.entries(listed, LineItem, ("lines",), MAX_ITEMS):
            path = ("lines", ListItem(number, f"{item.a} to {item.b}"))
            ends = [self.is_area(getattr(item, key), areas, path, key) for key in ("a", "b")]
            if not all(ends):
                continue
            line = MapLine(**msgspec.structs.asdict(item), mp=map_rules().lines[item.kind].mp)
            if item.a == item.b:
                self.wrong(path, item.a, "is joined to itself")
            elif line.ends in lines:
                self.wrong(path, "", f"joins the same areas as line {lines[line.ends][0]}")
            else:
                lines[line.ends] = (number, line)
        return [line for _, line in lines.values()]

    def read_arrows(self, listed: Any, areas: Collection[str]) -> list[Arrow]:
        """Return the arrows, at most one of a colour out of an area."""
        arrows: dict[tuple[str, str], tuple[int, Arrow]] = {}
        for number, item in self.entries(listed, ArrowItem, ("arrows",), MAX_ITEMS):
            path = ("arrows", ListItem(number, f"{item.start} to {item.end}"))
            named = (("from", item.start), ("to", item.end))
            ends = [self.is_area(name, areas, path, key) for key, name in named]
            key = (item.start, item.colour)
            if not all(ends):
                continue
            if item.start == item.end:
                self.wrong(path, item.start, "points at itself")
            elif key in arrows:
                first, wrong = arrows[key][0], f"at most one {item.colour} arrow leaves an area"
                self.wrong(path, item.colour, f"is the colour of line {first} too: {wrong}")
            else:
                arrows[key] = (number, Arrow(**msgspec.structs.asdict(item)))
        return [arrow for _, arrow in arrows.values()]

    def read_zones(self, listed: Any, areas: Collection[str]) -> list[MapZone]:
        """Return the zones whose areas are all there."""
        zones = []
        for number, item in self.entries(listed, ZoneItem, ("zones",), MAX_ITEMS):
            path = ("zones", ListItem(number))
            held = [self.is_area(name, areas, path, "areas") for name in item.areas]
            if all(held):
                zones.append(MapZone(**msgspec.structs.asdict(item)))
        return zones

    def is_area(self, name: str, areas: Collection[str], path: Path, key: str) -> bool:
        """Return whether ``name`` is an area; if it is not, that is noted."""
        is_noted = self.is_without_areas or name in self.unread_areas
        if name not in areas and not is_noted:
            self.wrong((*path, key), name, f"is not an area of this map{nearest(name, areas)}")
        return name in areas


def _waters(items: WaterItems | None, place: Callable[[Point], Point]) -> dict[str, Water]:
    """Return the waters by name, each from south to north."""
    waters = {}
    for name in WaterItems.__struct_fields__ if items else ():
        item: WaterItem = getattr(items, name)
        course = [place(at) for at in item.course]
        if len(course) < 2:
            return {}  # its places could not be read
        if course[0][1] > course[-1][1]:
            course.reverse()
        waters[name] = Water(width=item.width, course=tuple(course))
    return waters
