"""A map as plain lists and keys in the format of its file, and a short mark of it."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.board.map_parts import FORMAT, MapArea


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
