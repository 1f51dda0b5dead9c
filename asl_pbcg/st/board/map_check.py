"""Check a map against the rules of the game; report everything that breaks one, all at once.

Each check is for one sentence of the rules; ``docs/players/st-map.md`` lists them beside what it
asks for. They concern areas and their features and distances, lines, waters, roads, the hexagon
link, and the arrows by which gliders enter and come down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any, Final

from asl_pbcg.kernel.errors import Fault, FaultsError
from asl_pbcg.st.board.map import Bank, GameMap, MapArea
from asl_pbcg.st.board.map_geometry import (
    bank_of,
    count_words,
    crosses,
    distance,
    line_words,
    list_words,
    off_course,
    reach,
    where,
)
from asl_pbcg.st.board.map_read import try_map
from asl_pbcg.st.board.map_rules import map_rules

_FLIGHT: Final = "a triangle, a double circle or a hexagon"


def area_keys(area_map: GameMap) -> Iterator[Fault]:
    """A flight area has no road, features of the ground or reinforcement entry. Rule: ST-MOV-10."""
    for area in area_map.areas.values():
        at = where(area)
        if area.kind == "land":
            if area.edge:
                yield Fault(f"{at}, edge", area.edge, f"belongs to flight areas only ({_FLIGHT}).")
            if "glider_entry" in area.features:
                yield Fault(at, "glider_entry", f"must be a flight area: {_FLIGHT}.")
            continue
        for key, value in (("road", "true" if area.road else ""), ("entry", area.entry)):
            if value:
                yield Fault(f"{at}, {key}", value, "does not belong to a flight area.")
        for feature in sorted(area.features - {"glider_entry"}):
            yield Fault(at, feature, "must be a land area: a circle or a square.")


def entries(area_map: GameMap) -> Iterator[Fault]:
    """Three ovals: Le Port, Benouville, Ranville, each on a road. Rule: ST-GRN-05, ST-BRN-05."""
    names = map_rules().entries.names
    for area in area_map.areas.values():
        if area.shape == "oval" and area.entry not in names:
            yield Fault(
                f"{where(area)}, entry", area.entry, f"an oval must say {list_words(names, 'or')}."
            )
        elif area.shape != "oval" and area.kind == "land" and area.entry:
            yield Fault(f"{where(area)}, entry", area.entry, "belongs to an oval only.")
        elif area.shape == "oval" and not area.road:
            yield Fault(where(area), "", "is an entry area and must be a road area (road: true).")
    for name in names:
        found = [area.id for area in area_map.areas.values() if area.entry == name]
        if len(found) != 1:
            yield Fault(
                "areas", name, f"must be the entry of one oval, not of {count_words(found)}."
            )


def setup(area_map: GameMap) -> Iterator[Fault]:
    """Bunkers, pillbox, AT gun, MGs and bridges: their number. Rule: ST-SET-14, 15, 23."""
    rules = map_rules()
    for feature, key, what in (
        ("bunker", "bunkers", "bunker areas"),
        ("setup", "setup_areas", "German set-up areas"),
        ("mg", "mg_areas", "set-up areas labelled MG"),
        ("at_gun", "at_gun_areas", "set-up area labelled AT gun"),
        ("pillbox", "pillbox_areas", "pillbox area"),
    ):
        found = area_map.with_feature(feature)  # type: ignore[arg-type]
        least, most = getattr(rules, key).bounds
        if not least <= len(found) <= most:
            count = str(least) if least == most else f"{least} or {most}"
            yield Fault("areas", feature, f"must mark {count} {what}, not {count_words(found)}.")
    for feature in ("pegasus_bridge", "ranville_bridge"):
        found = area_map.with_feature(feature)  # type: ignore[arg-type]
        if len(found) != 1:
            yield Fault("areas", feature, f"must mark one area, not {count_words(found)}.")


def setup_places(area_map: GameMap) -> Iterator[Fault]:
    """Bunkers lie in circles, the pillbox obstructs. Rule: ST-SET-14, ST-MOV-18."""
    for area in area_map.areas.values():
        at = where(area)
        if "bunker" in area.features and area.shape != "circle":
            yield Fault(f"{at}, shape", area.shape, "must be circle: bunkers lie in circles.")
        if "pillbox" in area.features:
            if area.shape != "square":
                yield Fault(f"{at}, shape", area.shape, "must be square: the pillbox obstructs.")
            if "bunker" in area.features:
                yield Fault(at, "bunker", "cannot stand with pillbox: that is an area of its own.")
        for feature in ("mg", "at_gun", "pillbox"):
            if feature in area.features and "setup" not in area.features:
                yield Fault(at, feature, "needs setup too: it is a labelled set-up area.")
        if len({"mg", "at_gun", "pillbox"} & area.features) > 1:
            yield Fault(at, "", "has more than one of mg, at_gun and pillbox; one is the most.")
        for feature in ("pegasus_bridge", "ranville_bridge"):
            if feature in area.features and not area.road:
                yield Fault(at, "", "is a bridge and must be a road area (road: true).")


def pillbox_near(area_map: GameMap) -> Iterator[Fault]:
    """Return the pillbox is near Pegasus Bridge. Rule: ST-DEM-04, ST-DEM-05."""
    most = map_rules().pillbox_to_bridge.most
    for pillbox in area_map.with_feature("pillbox"):
        for bridge in area_map.with_feature("pegasus_bridge"):
            away = area_map.range(pillbox, bridge)
            if away is None or away > most:
                said = "cannot be reached" if away is None else f"is {away} areas"
                yield Fault(
                    where(area_map.areas[pillbox]),
                    "",
                    f"{said} from Pegasus Bridge; the pillbox must lie within {most} areas.",
                )


def spacing(area_map: GameMap) -> Iterator[Fault]:
    """Joined areas stand 50 to 200 m apart, and no two nearer than that. Rule: ST-GEN-02."""
    least, most = map_rules().spacing.bounds
    for line in area_map.all_lines:
        if (metres := distance(area_map, line.a, line.b)) > most:
            yield Fault(
                line_words(line),
                "",
                f"is {metres:.1f} m long; joined areas are {least} to {most} m apart.",
            )
    for arrow in area_map.arrows:
        if (metres := distance(area_map, arrow.start, arrow.end)) > most:
            yield Fault(
                f"arrows, {arrow.start} to {arrow.end}",
                "",
                f"is {metres:.1f} m long; areas are {least} to {most} m apart.",
            )
    for a, b in combinations(area_map.areas, 2):
        if (metres := distance(area_map, a, b)) < least:
            yield Fault(
                f"areas, {a} and {b}", "", f"are {metres:.1f} m apart; {least} m is the least."
            )


WATERS: Final = {"canal": "canal", "orne": "Orne"}


def connection(area_map: GameMap) -> Iterator[Fault]:
    """Solid lines join all land areas. Rule: ST-MOV-08."""
    left = {area.id for area in area_map.areas.values() if area.kind == "land"}
    parts = []
    while left:
        parts.append(reach(min(left), area_map.steps) & left)
        left -= parts[-1]
    for part in sorted(parts, key=lambda part: (-len(part), min(part)))[1:]:
        yield Fault(
            "lines", "", f"join no solid way from {list_words(sorted(part))} to the other areas."
        )


def flight_lines(area_map: GameMap) -> Iterator[Fault]:
    """Lines reach no flight area but by the hexagon link. Rule: ST-MOV-10."""
    for line in area_map.all_lines:
        flights = [end for end in (line.a, line.b) if area_map.areas[end].kind == "flight"]
        if flights and not line.hexagon_link:
            yield Fault(
                line_words(line),
                flights[0],
                "is a flight area; lines join land areas (arrows do not).",
            )


def hexagon_link(area_map: GameMap) -> Iterator[Fault]:
    """N-most bunker, then the NW-most hexagon, then the circle SE of it. Rule: ST-MOV-11."""
    wanted = map_rules().hexagon_link.lines
    links = [line for line in area_map.all_lines if line.hexagon_link]
    if len(links) != wanted:
        yield Fault(
            "lines",
            "hexagon_link",
            f"must mark {wanted} lines, not {len(links)}: from the N-most bunker to the hexagon, "
            "and from there to the circle south-east of it.",
        )
        return
    areas = area_map.areas
    for line in links:
        if line.mp is None:
            yield Fault(
                line_words(line), line.kind, "must be single or double: the hexagon link is walked."
            )
    middle = set(links[0].ends & links[1].ends)
    ends = links[0].ends ^ links[1].ends
    bunkers = [areas[end] for end in ends if "bunker" in areas[end].features]
    circles = [
        areas[end]
        for end in ends
        if areas[end].shape == "circle" and "bunker" not in areas[end].features
    ]
    if not middle or areas[min(middle)].shape != "hexagon" or not bunkers or not circles:
        yield Fault(
            f"{line_words(links[0])} and {links[1].a} to {links[1].b}",
            "hexagon_link",
            "must lead from a bunker to a hexagon and on to a circle.",
        )
        return
    yield from _link_lies_right(area_map, bunkers[0], areas[min(middle)], circles[0])


def _link_lies_right(
    area_map: GameMap, bunker: MapArea, hexagon: MapArea, circle: MapArea
) -> Iterator[Fault]:
    """Check that the hexagon link joins the N-most bunker, the NW-most hexagon and its circle."""
    areas = area_map.areas
    northern = [a.id for a in areas.values() if "bunker" in a.features and a.y > bunker.y]
    if northern:
        yield Fault(
            where(bunker),
            "hexagon_link",
            f"must start at the N-most bunker; {list_words(northern)} lies farther north.",
        )
    nearer = [
        a.id for a in areas.values() if a.shape == "hexagon" and a.x < hexagon.x and a.y > hexagon.y
    ]
    if nearer:
        yield Fault(
            where(hexagon),
            "hexagon_link",
            f"must lead to the NW-most hexagon; {list_words(nearer)} lies farther north-west.",
        )
    for start, end in ((bunker, hexagon), (hexagon, circle)):
        if not (end.x > start.x and end.y < start.y):
            yield Fault(where(end), "hexagon_link", f"must lie south-east of {start.id}.")


# Water and roads


def water(area_map: GameMap) -> Iterator[Fault]:
    """The canal and the Orne run past all areas, and every area stands on the bank it names."""
    rows = [area.y for area in area_map.areas.values()]
    for name, water in area_map.water.items():
        if rows and (water.course[0][1] > min(rows) or water.course[-1][1] < max(rows)):
            yield Fault(
                f"water, {name}",
                "",
                f"must run from south of all areas (y {min(rows):g}) to north of them "
                f"(y {max(rows):g}).",
            )
    for area in area_map.areas.values():
        yield from _on_its_bank(area_map, area)


BRIDGED = {"pegasus_bridge": "canal", "ranville_bridge": "orne"}
BANKS = {
    "west": "west of the canal (west).",
    "between": "between canal and Orne (between).",
    "east": "east of the Orne (east).",
}


def _on_its_bank(area_map: GameMap, area: MapArea) -> Iterator[Fault]:
    """Check that a bridge stands over its water, and every other area on the bank it names."""
    over = [BRIDGED[one] for one in sorted(area.features & BRIDGED.keys())]
    for name in over:
        metres = off_course(area, area_map.water[name])
        if metres > area_map.water[name].width:
            yield Fault(
                where(area),
                "",
                f"is a bridge but stands {metres:.0f} m from the {WATERS[name]}.",
            )
    if over:
        if area.kind == "land" and area.bank != "between":
            yield Fault(f"{where(area)}, bank", area.bank, "must be between: it is a bridge.")
        return
    for name, water in area_map.water.items():
        if area.kind == "land" and off_course(area, water) < water.width / 2:
            yield Fault(where(area), "", f"stands in the {WATERS[name]}.")
    bank = bank_of(area, area_map.water)
    if area.bank != bank:
        lies = f"is wrong: by its place the area lies {BANKS[bank]}"
        yield Fault(f"{where(area)}, bank", area.bank, lies)


def crossings(area_map: GameMap) -> Iterator[Fault]:
    """Dashed lines cross the canal, solid ones water at bridges. Rule: ST-MOV-08, ST-MOV-09."""
    bridges = {
        "canal": ("pegasus_bridge", "Pegasus Bridge"),
        "orne": ("ranville_bridge", "Ranville Bridge"),
    }
    for line in area_map.all_lines:
        crossed = [
            name
            for name, water in area_map.water.items()
            if crosses(area_map.areas[line.a], area_map.areas[line.b], water)
        ]
        if line.kind == "dashed":
            if crossed != ["canal"]:
                said = (
                    list_words([f"the {WATERS[name]}" for name in crossed])
                    if crossed
                    else "no water"
                )
                yield Fault(
                    line_words(line), "dashed", f"must cross the canal only; it crosses {said}."
                )
            continue
        for name in crossed:
            feature, called = bridges[name]
            if not any(feature in area_map.areas[end].features for end in line.ends):
                yield Fault(
                    line_words(line),
                    line.kind,
                    f"crosses the {WATERS[name]}; only {called} leads over it.",
                )


def bridges(area_map: GameMap) -> Iterator[Fault]:
    """Return each bridge joins both banks of its water. Rule: ST-VIC-03, ST-VIC-04."""
    banks: tuple[tuple[Any, Bank], ...] = (("pegasus_bridge", "west"), ("ranville_bridge", "east"))
    for feature, far in banks:
        for bridge in area_map.with_feature(feature):
            reached = {area_map.areas[end].bank for end in area_map.steps(bridge)}
            for bank in sorted({far, "between"} - reached):
                side = (
                    "the ground between canal and Orne" if bank == "between" else f"the {bank} bank"
                )
                yield Fault(
                    where(area_map.areas[bridge]), "", f"has no solid line to an area on {side}."
                )


def roads(area_map: GameMap) -> Iterator[Fault]:
    """Road areas join each entry to Ranville, and meet west of the bridge. Rule: ST-TNK-02, 05."""
    areas = area_map.areas
    for line in area_map.all_lines:
        if line.road and line.mp is None:
            yield Fault(line_words(line), "dashed", "cannot be a road.")
        for end in (line.a, line.b) if line.road else ():
            if not areas[end].road:
                yield Fault(line_words(line), "road", f"joins {end}, which is not a road area.")
    yield from _unbroken(area_map)
    roads = area_map.roads
    if roads and not any(not areas[there].road for road in roads for there in area_map.steps(road)):
        yield Fault("areas", "road", "areas must have other land areas next to them.")


def _unbroken(area_map: GameMap) -> Iterator[Fault]:
    """Check the roads from each entry to Ranville, and between the western ones."""
    areas = area_map.areas
    ovals = {area.entry: area.id for area in areas.values() if area.shape == "oval" and area.entry}
    ranville = ovals.pop("Ranville", "")

    def by_road(area: str) -> Iterator[str]:
        for there in area_map.steps(area):
            line = area_map.crossing(area, there)
            if line and line.road and areas[there].road:
                yield there

    def by_western_road(area: str) -> Iterator[str]:
        return (there for there in by_road(area) if areas[there].bank == "west")

    if ranville:
        reached = reach(ranville, by_road)
        for oval in ovals.values():
            if oval not in reached:
                yield Fault(
                    where(areas[oval]),
                    "",
                    f"has no unbroken road to Ranville ({ranville}): road areas, joined by lines "
                    "with road: true.",
                )
    if {"Le Port", "Benouville"} <= ovals.keys() and ovals["Benouville"] not in reach(
        ovals["Le Port"], by_western_road
    ):
        yield Fault(
            "areas", "road", "areas of Le Port and Benouville must meet west of Pegasus Bridge."
        )


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


# Each check with the sections of the file it needs to be complete.
_CHECKS: Final[tuple[tuple[Callable[[GameMap], Iterator[Fault]], frozenset[str]], ...]] = (
    (area_keys, frozenset()),
    (entries, frozenset({"areas"})),
    (setup, frozenset({"areas"})),
    (setup_places, frozenset()),
    (pillbox_near, frozenset({"areas", "lines"})),
    (spacing, frozenset()),
    (connection, frozenset({"areas", "lines"})),
    (flight_lines, frozenset()),
    (hexagon_link, frozenset({"areas", "lines"})),
    (water, frozenset({"water"})),
    (crossings, frozenset({"water"})),
    (bridges, frozenset({"areas", "lines"})),
    (roads, frozenset({"areas", "lines"})),
    (glider_entries, frozenset({"areas"})),
    (arrows, frozenset()),
    (flights_end, frozenset({"areas", "arrows"})),
    (errata_arrow, frozenset({"areas", "arrows"})),
)


def checked_map(data: Any, source: str) -> GameMap:
    """Make a map of the plain ``data`` of a map file; raises FaultsError with all its faults."""
    area_map, faults = check_data(data)
    if faults:
        raise FaultsError(source, faults)
    return area_map


def check_data(data: Any) -> tuple[GameMap, list[Fault]]:
    """Read ``data`` as far as it can be read and name every fault: of form, then of the rules."""
    reading = try_map(data)
    faults = list(reading.faults)
    for check, needs in _CHECKS:
        # A count means nothing while items are unreadable; what is there can still be looked at.
        if reading.broken.isdisjoint(needs):
            faults.extend(check(reading.area_map))
    return reading.area_map, faults


def check_map(area_map: GameMap) -> list[Fault]:
    """Name everything in ``area_map`` that breaks a rule of the game; nothing if it is sound."""
    return [fault for check, _ in _CHECKS for fault in check(area_map)]
