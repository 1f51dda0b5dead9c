"""The counters that a state puts on the map, as the British player may see them.

A German counter that lies face down shows neither its id nor whether it is a dummy, and the
marker in the Demo Bridge box does not show its face. Rule: ST-GAR-03, ST-SET-26.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.records.layout import Paper
from asl_pbcg.st.area_terms import PHASES
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.numbers import numbers
from asl_pbcg.st.picture.map_counters import Counter, CounterState, Symbol
from asl_pbcg.st.picture.map_draw import draw_map
from asl_pbcg.st.rules.game_state import AreaGlider, AreaWeapon, State, Unit

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
