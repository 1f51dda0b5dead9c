"""The map for a page that draws the counters itself: ground as SVG, places and counters as data.

A page asks for ground and places once. All use the same unit, the user unit of the SVG.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import msgspec

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import Lettering
from asl_pbcg.st.area_terms import BRITISH, BRITISH_INFANTRY, PHASES
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.numbers import numbers
from asl_pbcg.st.picture.map_counters import Counter
from asl_pbcg.st.picture.map_draw import draw_places, draw_signs, draw_words
from asl_pbcg.st.picture.map_frame import AROUND, MapFrame, frame_for, sign_radius
from asl_pbcg.st.picture.map_words import SheetRoom, draw_water_names
from asl_pbcg.st.picture.state_counters import counters
from asl_pbcg.st.rules.game_state import State, Unit, state_words

WIDTH: Final = 560.0
"""Of the map on the page, in user units."""
_CORNERS: Final = 12


def live_frame(area_map: GameMap) -> MapFrame:
    """Return an empty sheet for the map of the page, and where places fall on it."""
    xs = [area.x for area in area_map.areas.values()]
    ys = [area.y for area in area_map.areas.values()]
    wide, high = max(xs) - min(xs) + 2 * AROUND, max(ys) - min(ys) + 2 * AROUND
    height = WIDTH * high / wide
    drawing = Drawing(WIDTH, height, f"Pegasus Bridge: {area_map.title}")
    return frame_for(area_map, drawing, 0, 0, WIDTH, height)


@lru_cache(maxsize=4)
def live_ground(area_map: GameMap) -> str:
    """Return the map without counters, panels and the words beside areas, as SVG."""
    return _ground(area_map)[0].to_svg(sized=False)


@lru_cache(maxsize=4)
def _ground(area_map: GameMap) -> tuple[Drawing, list[dict[str, Any]]]:
    """Return the ground, and the words that the page writes beside areas: they step aside."""
    frame, room = live_frame(area_map), SheetRoom()
    draw_signs(area_map, frame, room)
    draw_water_names(area_map, frame, room)
    words = replace(frame, drawing=Drawing(WIDTH, frame.drawing.height, ""))
    draw_words(area_map, words, room)
    written = [
        {
            "text": item.text,
            "x": round(item.x, 2),
            "y": round(item.y, 2),
            "size": round(item.size, 2),
            "colour": item.colour,
        }
        for item in words.drawing.items
        if isinstance(item, Lettering)
    ]
    return frame.drawing, written


def live_drawing(area_map: GameMap) -> Drawing:
    """Return the map without counters and panels."""
    frame = live_frame(area_map)
    draw_places(area_map, frame, SheetRoom())
    return frame.drawing


@lru_cache(maxsize=4)
def live_places(area_map: GameMap) -> dict[str, Any]:
    """Where each area lies on the page that ``live_ground`` draws, in the form of a board's hexes.

    ``corners`` go round the area's sign; ``words`` say what it is.
    """
    frame = live_frame(area_map)
    radius = sign_radius(frame)
    by_area = {}
    for area in area_map.areas.values():
        x, y = frame.at(area.x, area.y)
        turns = [2 * math.pi * n / _CORNERS for n in range(_CORNERS)]
        by_area[area.id] = {
            "centre": [round(x, 2), round(y, 2)],
            "corners": [
                [round(x + radius * math.cos(t), 2), round(y + radius * math.sin(t), 2)]
                for t in turns
            ],
            "words": _area_words(area_map, area.id),
            "flight": area.kind == "flight",
        }
    return {
        "width": WIDTH,
        "height": round(frame.drawing.height, 2),
        "hex_height": round(3 * radius, 2),
        "radius": round(radius, 2),
        "hexes": by_area,
        "words": _ground(area_map)[1],
    }


def _area_words(area_map: GameMap, id: str) -> str:
    area = area_map.areas[id]
    marks = [area.name, "flight area" if area.kind == "flight" else area.terrain]
    marks += sorted(feature.replace("_", " ") for feature in area.features)
    return ", ".join(mark for mark in marks if mark)


def live_counters(state: State, area_map: GameMap) -> dict[str, list[dict[str, Any]]]:
    """Return the counters of each area and box for the page; ``state`` holds only what may be seen.

    Each is a Counter with ``words`` for who rests on it. Rule: ST-GAR-03, ST-SET-26.
    """
    units = {unit.id: unit for unit in state.units}
    weapons = {weapon.id: weapon for weapon in state.weapons}
    carried = {weapon.id: weapon.carrier for weapon in state.weapons if weapon.carrier}
    by_area = {}
    for area, lying in counters(state, area_map).items():
        there = []
        for counter in lying:
            unit, weapon = units.get(counter.key), weapons.get(counter.key)
            if unit is not None:
                words = _unit_words(unit, state.turn)
            else:
                words = weapon.name if weapon else _marker_words(counter)
            plain = {
                name: value
                for name, value in msgspec.to_builtins(counter).items()
                if value not in ("", None, False)
            }
            if counter.key in carried:
                plain["carrier"] = carried[counter.key]
            there.append({**plain, "words": words})
        by_area[area] = there
    return by_area


def _unit_words(unit: Unit, turn: int) -> str:
    parts = [f"{unit.roster} {unit.name}" if unit.roster else unit.name]
    if unit.combat:
        parts.append(f"{unit.strength} of {unit.sp} SP" if unit.lost else f"{unit.strength} SP")
    if unit.kind in BRITISH_INFANTRY and unit.side == BRITISH:
        parts.append(f"{unit.grenades} grenade{'s' * (unit.grenades != 1)}")
    parts += state_words(unit, turn)
    if unit.status == "wreck":
        parts.append("wrecked")
    return ", ".join(parts)


_MARKERS: Final = {
    "hidden": "face-down counter",
    "pow": "POW",
    "prepared": "prepared position",
    "bunker": "cleared bunker",
    "bridge": "the bridge is hit",
    "glider": "glider",
}


def _marker_words(counter: Counter) -> str:
    words = _MARKERS.get(counter.symbol, counter.symbol)
    if counter.symbol == "glider":
        words = f"glider {counter.id}"
    if counter.state == "building":
        words += ", being built"
    if counter.state == "wrecked":
        words += ", crashed" if counter.symbol == "glider" else ", wrecked"
    return words


def live_map(state: State, area_map: GameMap) -> dict[str, Any]:
    """Return all that changes on the map: counters, who controls what, turn and phase."""
    last = numbers().turns
    return {
        "counters": live_counters(state, area_map),
        "control": dict(sorted(state.control.items())),
        "turn": min(state.turn, last),
        "turns": last,
        "phase": PHASES[state.phase].title if state.ready and not state.over else "",
        "ready": state.ready,
        "over": state.over,
    }
