"""Counters of a state on the map, as the British player may see them, for pictures and the page.

A German counter that lies face down shows neither its id nor whether it is a dummy, and the
marker in the Demo Bridge box does not show its face. Rule: ST-GAR-03, ST-SET-26.

The page asks for ground (SVG) and places once and draws the counters, which come as data, itself.
All use the user unit of the SVG.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import msgspec

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import Lettering
from asl_pbcg.records.layout import Paper
from asl_pbcg.st.area_terms import BRITISH, BRITISH_INFANTRY, PHASES, numbers
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.picture.map_counters import Counter, CounterState, Symbol
from asl_pbcg.st.picture.map_draw import draw_map, draw_places, draw_signs, draw_words
from asl_pbcg.st.picture.map_frame import (
    AROUND,
    MapFrame,
    SheetRoom,
    draw_water_names,
    frame_for,
    sign_radius,
)
from asl_pbcg.st.state.game_state import AreaGlider, AreaWeapon, State, Unit, state_words

DEMO_BRIDGE: Final = "Demo Bridge"

_SYMBOLS: Final[dict[str, Symbol]] = {
    "leader": "leader",
    "platoon": "infantry",
    "squad": "infantry",
    "sapper": "sapper",
    "hq": "hq",
    "garrison": "infantry",
    "infantry": "infantry",
    "tank": "tank",
    "mercedes": "mercedes",
    "mg": "mg",
    "at": "at_gun",
    "piat": "piat",
    "gammon": "gammon",
}
_LETTERS: Final = {"mg": "MG", "at": "AT", "piat": "P", "gammon": "G", "tank": "T"}
# How counters of one area lie, first to last.
_ORDER: Final = (
    "glider", "tank", "mercedes", "leader", "hq", "infantry", "sapper", "hidden",
    "mg", "at_gun", "piat", "gammon", "pow", "prepared", "bunker", "bridge",
)  # fmt: skip


def counters(state: State, area_map: GameMap) -> dict[str, list[Counter]]:
    """Give the counters of each area and box by its name, for :func:`draw_map`.

    In the middle of a phase give the state of the situation: ``counters(sit.close(), area_map)``.
    Rule: ST-GEN-03, ST-GEN-05, ST-GEN-06, ST-GEN-07.
    """
    by_place: defaultdict[str, list[Counter]] = defaultdict(list)
    for place, counter in (*_piece_counters(state), *_marker_counters(state, area_map)):
        by_place[place].append(counter)
    for lying in by_place.values():
        lying.sort(key=_rank)
    return dict(by_place)


def _piece_counters(state: State) -> Iterator[tuple[str, Counter]]:
    """Yield gliders, units and weapons, each with the area or box it lies in."""
    in_air = {
        glider.number: f"Glider {glider.number}"
        for glider in state.gliders
        if glider.status == "ready"
    }
    car = next((unit for unit in state.units if unit.kind == "mercedes"), None)
    for glider in state.gliders:
        if glider.status in ("landed", "crashed"):
            yield glider.area, _glider(glider)
    for unit in state.units:
        if unit.status in ("map", "wreck"):
            yield unit.area, _unit(unit, state.turn)
        elif unit.status == "aboard" and unit.glider in in_air:
            yield in_air[unit.glider], _unit(unit, state.turn)
        elif unit.status == "aboard" and not unit.glider and car and car.status == "map":
            yield car.area, _unit(unit, state.turn)
    for weapon in state.weapons:
        if weapon.status == "map":
            yield weapon.area, _weapon(weapon)
        elif weapon.glider in in_air:
            yield in_air[weapon.glider], _weapon(weapon)


def _marker_counters(state: State, area_map: GameMap) -> Iterator[tuple[str, Counter]]:
    """Yield POWs, prepared positions, cleared bunkers and the markers of the bridge."""
    units = {unit.id: unit for unit in state.units}
    for pow in state.pows:
        if guard := units.get(pow.escort):
            yield guard.area, Counter(symbol="pow", inside=guard.inside)
    for position in state.positions:
        building: CounterState = "building" if position.builder else ""
        yield position.area, Counter(symbol="prepared", state=building)
    for area in state.cleared:
        yield area, Counter(symbol="bunker", state="cleared")
    if state.bridge != "intact":
        worst: CounterState = "wrecked" if state.bridge == "destroyed" else "damaged"
        yield area_map.place("pegasus_bridge"), Counter(symbol="bridge", state=worst)
    if state.demo_marker != "none" and state.demo == "open":
        yield DEMO_BRIDGE, Counter(symbol="hidden")
    elif state.demo == "malfunction":
        yield DEMO_BRIDGE, Counter(symbol="bridge", id="wired")


def draw_game(state: State, area_map: GameMap, paper: Paper = Paper.A4) -> Drawing:
    """Draw the map as it stands: counters, turn marker, and the phase under the title."""
    last = numbers().turns
    if state.result:
        note = f"The game is over: {state.result.vp} VP, {state.result.level}"
    elif state.turn > last:
        note = f"After turn {last}"
    else:
        note = f"Turn {state.turn}, {PHASES[state.phase].title}" if state.ready else "Set-up"
    return draw_map(
        area_map,
        paper=paper,
        counters=counters(state, area_map),
        turn=min(state.turn, last),
        note=note,
    )


def _rank(counter: Counter) -> tuple[int, bool, int]:
    side = {"british": 0, "german": 1, "marker": 2}[counter.side]
    return side, counter.inside, _ORDER.index(counter.symbol)


def _unit(unit: Unit, turn: int) -> Counter:
    if unit.face_down:
        return Counter(symbol="hidden", side=unit.side, inside=unit.inside)
    badges = ("S" if unit.suppressed else "") + ("W" if unit.wounded else "")
    badges += ("I" if unit.immobile else "") + ("E" if unit.engaged >= turn else "")
    return Counter(
        symbol=_SYMBOLS[unit.kind],
        side=unit.side,
        id=_short(unit),
        sp=unit.strength if unit.combat else None,
        state="wrecked" if unit.status == "wreck" else "",
        badges=badges,
        inside=unit.inside,
        key=unit.id,
    )


def _short(unit: Unit) -> str:
    """Give what stands on a counter: the roster number, or the end of a German id."""
    if unit.roster:
        return str(unit.roster)
    if unit.kind == "leader":
        return unit.name.split()[-1]
    tail = unit.id.rsplit("-", 1)[-1].lstrip("0").upper()
    return "" if unit.kind == "mercedes" else _LETTERS.get(unit.kind, "") + tail


def _weapon(weapon: AreaWeapon) -> Counter:
    british = weapon.kind in ("piat", "gammon")
    number = weapon.id.rsplit("-", 1)[-1] if weapon.kind != "at" else ""
    return Counter(
        symbol=_SYMBOLS[weapon.kind],
        side="british" if british else "german",
        id=_LETTERS[weapon.kind] + number,
        sp=weapon.charges if british else None,
        inside=weapon.inside,
        key=weapon.id,
    )


def _glider(glider: AreaGlider) -> Counter:
    return Counter(
        symbol="glider",
        side="british",
        id=str(glider.number),
        state="wrecked" if glider.status == "crashed" else "",
        key=f"glider-{glider.number}",
    )


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
            **_area_words(area_map, area.id),
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


def _area_words(area_map: GameMap, id: str) -> dict[str, str]:
    """Return an area in ``words``: its ``name``, and its ``ground``."""
    area = area_map.areas[id]
    marks: list[str] = ["flight area" if area.kind == "flight" else area.terrain]
    marks += sorted(feature.replace("_", " ") for feature in area.features)
    ground = ", ".join(filter(None, marks))
    words = ", ".join(filter(None, (area.name, ground)))
    return {"words": words, "name": area.name or ground, "ground": ground if area.name else ""}


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
