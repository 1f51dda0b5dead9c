"""The map of the area game: areas, lines, arrows of flight areas, water, zones, sight lines.

The shipped map (``data/st/map.yaml``) is a reconstruction and says so; an owner of the printed
game enters that map with ``pbcg st map new``. All places are in metres, x east and y north.

A sight line passes an area whose centre lies no farther from it than the map's sight radius
(AMB-55). Shapely is imported only for a line that is not in the table shipped with the map
(``data/st/sight.csv``), so that play does not wait for it.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Any, Final, Literal, Protocol

import msgspec

from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.slow_libraries import shapely
from asl_pbcg.kernel.typed_data import TableFile
from asl_pbcg.st.area_terms import numbers

FORMAT: Final = "pbcg-st-map/1"

Shape = Literal["circle", "square", "oval", "triangle", "double_circle", "hexagon"]
AreaKind = Literal["land", "flight"]
Terrain = Literal["open", "obstructed"]
LineKind = Literal["single", "double", "dashed"]
Bank = Literal["west", "between", "east"]
"""West of the Caen Canal, between it and the Orne (with the bridges), or east of the Orne."""
Feature = Literal[
    "pegasus_bridge",
    "ranville_bridge",
    "pillbox",
    "bunker",
    "setup",
    "mg",
    "at_gun",
    "glider_entry",
]
Colour = Literal["blue", "red"]
HexagonLink = Literal["a", "b"]
"""a: the line from the N-most bunker to the NW-most hexagon is ignored; b: it is open and that
hexagon, joined to the circle south-east of it, may be walked on."""
Look = Literal[
    "",
    "field",
    "wheat",
    "stubble",
    "meadow",
    "marsh",
    "garden",
    "houses",
    "church",
    "chateau",
    "farm",
    "orchard",
    "park",
    "copse",
    "scrub",
    "hedge",
    "pond",
    "quarry",
]
"""A zone that is drawn around areas; it has no meaning in the rules."""


class MapArea(msgspec.Struct, frozen=True, kw_only=True):
    """One area of the map. Rule: Terrain Effects Chart, ST-GEN-02."""

    id: str
    name: str
    shape: Shape
    kind: AreaKind
    """"flight": triangle, double circle or hexagon, for gliders only."""
    terrain: Terrain
    """As printed; a vehicle in the area makes it obstructed too, which is not known here."""
    x: float
    y: float
    bank: Bank = "between"
    road: bool = False
    features: frozenset[Feature] = frozenset()
    label: str = ""
    entry: str = ""
    """For an oval, which reinforcement entry area it is: Le Port, Benouville or Ranville."""
    edge: Literal["", "north", "south"] = ""
    """For a flight area, the map edge its gliders come from."""
    look: Look = ""

    @property
    def obstructed(self) -> bool:
        """Say whether the printed terrain obstructs fire and sight."""
        return self.terrain == "obstructed"


class MapLine(msgspec.Struct, frozen=True, kw_only=True):
    """One communication line. Rule: ST-MOV-08, ST-MOV-09, ST-MOV-12, ST-MOV-13."""

    a: str
    b: str
    kind: LineKind
    mp: int | None
    """Movement points a unit pays to follow it; None for a dashed line, which carries fire only."""
    road: bool = False
    hexagon_link: bool = False

    @property
    def ends(self) -> frozenset[str]:
        """Name the two areas it joins."""
        return frozenset((self.a, self.b))

    def other(self, area: str) -> str:
        """Name the area at the other end from ``area``."""
        return self.b if area == self.a else self.a


class Arrow(msgspec.Struct, frozen=True, kw_only=True, rename={"start": "from", "end": "to"}):
    """One coloured arrow that gliders follow. Rule: ST-GLI-11."""

    start: str
    end: str
    colour: Colour


class Water(msgspec.Struct, frozen=True, kw_only=True):
    """The course of the canal or the river, from south to north, and its width in metres."""

    width: float
    course: tuple[tuple[float, float], ...]


class MapZone(msgspec.Struct, frozen=True, kw_only=True):
    """A landing zone, drawn around its areas; the rules give it no meaning."""

    name: str
    areas: tuple[str, ...]


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a gun in one area sees another area, and why. Rule: ST-TAT-13."""

    clear: bool
    why: str
    through: tuple[str, ...] = ()
    """Areas the line passes, by id."""
    blocked_by: tuple[str, ...] = ()
    """Those among them that are obstructed."""


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


class GameMap:
    """One map: read it with :func:`load_map`, never change it.

    ``neighbours``, ``adjacent`` and ``range`` go along every line, dashed ones too, for fire,
    opportunity fire, spotting, activation and demolition (AMB-27); ``steps`` goes along solid
    lines only, for movement, retreat and grenades. Lists are in order of the area ids.
    """

    def __init__(
        self,
        *,
        areas: Iterable[MapArea],
        lines: Iterable[MapLine],
        arrows: Iterable[Arrow],
        water: Mapping[str, Water],
        title: str = "",
        origin: Literal["reconstruction", "printed"] = "printed",
        zones: Iterable[MapZone] = (),
        compass: tuple[float, float] | None = None,
        sight_radius: float = 24.0,
        hexagon_link: HexagonLink = "b",
    ) -> None:
        self.areas: Mapping[str, MapArea] = MappingProxyType({area.id: area for area in areas})
        self.all_lines: tuple[MapLine, ...] = tuple(lines)
        """Every line of the file, those of the hexagon link under choice a too."""
        self.arrows: tuple[Arrow, ...] = tuple(arrows)
        self.water: Mapping[str, Water] = MappingProxyType(dict(water))
        self.title = title
        self.origin = origin
        self.zones: tuple[MapZone, ...] = tuple(zones)
        self.compass = compass
        self.sight_radius = sight_radius
        self.hexagon_link: HexagonLink = hexagon_link
        self.lines: tuple[MapLine, ...] = tuple(
            line for line in self.all_lines if hexagon_link == "b" or not line.hexagon_link
        )
        """The lines in force."""
        self._line = {line.ends: line for line in self.lines}
        self._joined = self._neighbours(self.lines)
        self._walked = self._neighbours([line for line in self.lines if line.mp is not None])
        self._ranges: dict[str, dict[str, int]] = {}
        self._glider_entries: dict[str, tuple[str, str]] = {}
        self._arrows: dict[str, dict[Colour, str]] = {}
        for arrow in self.arrows:
            self._arrows.setdefault(arrow.start, {})[arrow.colour] = arrow.end
        self._through: dict[tuple[str, str], tuple[str, ...]] | None = None
        self.read_as: dict[tuple[object, ...], Any] = {}
        """Geometries worked out for the map under one reading or another (``geometry.py``)."""

    def _neighbours(self, lines: Iterable[MapLine]) -> dict[str, tuple[str, ...]]:
        """Return for each area the others along ``lines``, in id order."""
        joined: dict[str, list[str]] = {name: [] for name in self.areas}
        for line in lines:
            joined[line.a].append(line.b)
            joined[line.b].append(line.a)
        return {name: tuple(sorted(others)) for name, others in joined.items()}

    # Lines

    def neighbours(self, area: str) -> tuple[str, ...]:
        """Name the areas joined to ``area`` by any line. Rule: ST-FIR-01, AMB-27."""
        return self._joined[area]

    def steps(self, area: str) -> tuple[str, ...]:
        """Name the areas joined to ``area`` by a solid line. Rule: ST-MOV-08."""
        return self._walked[area]

    def adjacent(self, a: str, b: str) -> bool:
        """Say whether any line joins ``a`` and ``b``. Rule: ST-FIR-01, AMB-27."""
        return b in self._joined[a]

    def crossing(self, a: str, b: str) -> MapLine | None:
        """Give the line between ``a`` and ``b``, or None; its ``mp`` is the cost of following it.

        Rule: ST-MOV-12, ST-MOV-13.
        """
        return self._line.get(frozenset((a, b)))

    def range(self, a: str, b: str) -> int | None:
        """Count how many areas ``b`` is away from ``a``, following lines; None if none lead there.

        0 is the area itself, 1 a neighbour. Rule: ST-TAT-09.
        """
        if a not in self._ranges:
            away = {a: 0}
            queue = deque([a])
            while queue:
                here = queue.popleft()
                for there in self._joined[here]:
                    if there not in away:
                        away[there] = away[here] + 1
                        queue.append(there)
            self._ranges[a] = away
        return self._ranges[a].get(b)

    # Sight

    def line_of_sight(self, a: str, b: str, vehicles: Collection[str] = ()) -> Sight:
        """Say whether the straight line between the centres of ``a`` and ``b`` is free.

        ``vehicles`` are the areas that now hold a vehicle (tank, Mercedes or glider, wrecked or
        not): they obstruct like printed terrain. The two end areas never block. The same area and
        neighbours always see each other. Rule: ST-TAT-10, ST-TAT-13, AMB-55.
        """
        if a == b:
            return Sight(clear=True, why="It is the same area.")
        if b in self._joined[a]:
            return Sight(clear=True, why="Adjacent areas always see each other.")
        through = self.passes(a, b)
        blocked = self.blocking(a, b, vehicles)
        if not blocked:
            return Sight(clear=True, why="No obstructed area stands in the line.", through=through)
        first = self.areas[blocked[0]]
        reason = "obstructed" if first.obstructed else "with a vehicle in it"
        return Sight(
            clear=False,
            why=f"The line passes through {first.id} ({first.name}), {reason}.",
            through=through,
            blocked_by=blocked,
        )

    def blocking(self, a: str, b: str, vehicles: Collection[str] = ()) -> tuple[str, ...]:
        """Name the areas that stand in the straight line between ``a`` and ``b``. ST-TAT-13."""
        if a == b or b in self._joined[a]:
            return ()
        areas = self.areas
        return tuple(
            [
                name
                for name in self.passes(a, b)
                if name in vehicles or areas[name].terrain == "obstructed"
            ]
        )

    def passes(self, a: str, b: str) -> tuple[str, ...]:
        """Name the areas between ``a`` and ``b`` that the straight line passes through."""
        if self._through is None:
            self._through = dict(known_lines(self))
        key = (a, b) if a < b else (b, a)
        found = self._through.get(key)
        if found is None:
            found = self._through[key] = areas_passed(self, *key)
        return found

    # Places

    def arrows_from(self, area: str) -> Mapping[Colour, str]:
        """Give the areas that the coloured arrows lead to from ``area``. Rule: ST-GLI-11."""
        return self._arrows.get(area, {})

    def with_feature(self, feature: Feature) -> tuple[str, ...]:
        """Name the areas with ``feature``, in order of their ids."""
        return tuple(sorted(a.id for a in self.areas.values() if feature in a.features))

    def place(self, feature: Feature) -> str:
        """Name the one area with ``feature`` (a bridge, the pillbox, the AT gun's area)."""
        found = self.with_feature(feature)
        if len(found) != 1:
            raise PBCGError(f"The map has {len(found)} areas with the feature {feature}, not one.")
        return found[0]

    def entry(self, name: str) -> str:
        """Name the oval of the entry area Le Port, Benouville or Ranville. Rule: ST-GRN-05."""
        for area in self.areas.values():
            if area.entry == name:
                return area.id
        raise PBCGError(f"The map has no entry area {name}.")

    def glider_entries(self, edge: Literal["north", "south"]) -> tuple[str, str]:
        """Name the western and the eastern flight area where gliders come in. Rule: ST-GLI-05."""
        if edge in self._glider_entries:
            return self._glider_entries[edge]
        found = [
            area
            for area in self.areas.values()
            if "glider_entry" in area.features and area.edge == edge
        ]
        if len(found) != 2:
            raise PBCGError(f"The map has {len(found)} glider entry areas in the {edge}, not two.")
        west, east = sorted(found, key=lambda area: area.x)
        entries = self._glider_entries[edge] = west.id, east.id
        return entries

    @property
    def land(self) -> tuple[str, ...]:
        """The areas land units may walk on: no flight area but the hexagon that choice b opens."""
        return tuple(
            sorted(a.id for a in self.areas.values() if a.kind == "land" or self._walked[a.id])
        )

    @property
    def roads(self) -> tuple[str, ...]:
        """The road areas, which tanks and the Mercedes keep to. Rule: ST-TNK-02."""
        return tuple(sorted(area.id for area in self.areas.values() if area.road))

    # Other readings

    def with_rulings(
        self, *, hexagon_link: HexagonLink | None = None, sight_radius: float | None = None
    ) -> GameMap:
        """Give the same map under other readings: the hexagon link, the sight radius in metres.

        Rule: ST-MOV-11 (AMB-10), ST-TAT-13 (AMB-55).
        """
        link = hexagon_link or self.hexagon_link
        radius = self.sight_radius if sight_radius is None else sight_radius
        if (link, radius) == (self.hexagon_link, self.sight_radius):
            return self
        return GameMap(
            areas=self.areas.values(),
            lines=self.all_lines,
            arrows=self.arrows,
            water=self.water,
            title=self.title,
            origin=self.origin,
            zones=self.zones,
            compass=self.compass,
            sight_radius=radius,
            hexagon_link=link,
        )

    def __repr__(self) -> str:
        return f"AreaMap({self.title!r}, {len(self.areas)} areas, {len(self.lines)} lines)"
