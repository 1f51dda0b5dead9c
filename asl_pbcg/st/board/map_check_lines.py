"""Checks of a map: its lines, the waters they cross, the roads and the hexagon link."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from asl_pbcg.kernel.errors import Fault
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.board.map_geometry import (
    bank_of,
    crosses,
    line_words,
    list_words,
    off_course,
    reach,
    where,
)
from asl_pbcg.st.board.map_parts import Bank, MapArea
from asl_pbcg.st.board.map_rules import map_rules

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
