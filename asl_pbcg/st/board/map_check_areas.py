"""Checks of a map: its areas, what stands in them and how far apart they lie."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from asl_pbcg.kernel.errors import Fault
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.board.map_geometry import count_words, distance, line_words, list_words, where
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
