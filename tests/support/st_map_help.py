"""Maps for the tests of the area game: the shipped one to change, and brute force for sight."""

from __future__ import annotations

import copy
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.board.map_check import check_data

_SHIPPED = read_yaml_or_json(data_path("st/map.yaml"))


def shipped() -> dict[str, Any]:
    """The shipped map file as plain data, to be changed at will."""
    data: dict[str, Any] = copy.deepcopy(_SHIPPED)
    return data


def faults_after(change: Callable[[dict[str, Any]], object]) -> list[str]:
    """What the check says of the shipped map after a change, as sentences."""
    data = shipped()
    change(data)
    return [str(fault) for fault in check_data(data)[1]]


def area(data: dict[str, Any], name: str) -> dict[str, Any]:
    """The item of an area."""
    return next(item for item in data["areas"] if item["id"] == name)


def line(data: dict[str, Any], a: str, b: str) -> dict[str, Any]:
    """The item of a line."""
    return next(item for item in data["lines"] if {item["a"], item["b"]} == {a, b})


def brute_passed(area_map: GameMap, a: str, b: str) -> set[str]:
    """Areas whose centre lies within the sight radius of the line, in exact fractions."""
    ax, ay = Fraction(area_map.areas[a].x), Fraction(area_map.areas[a].y)
    bx, by = Fraction(area_map.areas[b].x), Fraction(area_map.areas[b].y)
    run, rise = bx - ax, by - ay
    reach = Fraction(area_map.sight_radius) ** 2
    found = set()
    for other in area_map.areas.values():
        if other.id in (a, b):
            continue
        x, y = Fraction(other.x) - ax, Fraction(other.y) - ay
        along = min(Fraction(1), max(Fraction(0), (x * run + y * rise) / (run**2 + rise**2)))
        if (x - along * run) ** 2 + (y - along * rise) ** 2 <= reach:
            found.add(other.id)
    return found
