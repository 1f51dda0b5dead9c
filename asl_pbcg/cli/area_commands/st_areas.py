"""The areas of the map in words at the terminal, as the British player sees them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.st.area_terms import BRITISH, BRITISH_INFANTRY, GERMAN, VEHICLES
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.procedures.movement import allowance, mp_left
from asl_pbcg.st.state.game_state import AreaWeapon, Unit, state_words
from asl_pbcg.st.state.phase_situation import Situation
from asl_pbcg.st.state.player_view import view_in


class Areas:
    """The map of one situation, area by area, with nothing on it that the British cannot see."""

    def __init__(self, sit: Situation) -> None:
        self.sit = sit
        self.state = view_in(sit, BRITISH)
        self.british: dict[str, list[Unit]] = defaultdict(list)
        self.german: dict[str, list[Unit]] = defaultdict(list)
        self.wrecks: dict[str, list[Unit]] = defaultdict(list)
        self.weapons: dict[str, list[AreaWeapon]] = defaultdict(list)
        for unit in self.state.units:
            if unit.status == "map":
                (self.british if unit.side == BRITISH else self.german)[unit.area].append(unit)
            elif unit.status == "wreck":
                self.wrecks[unit.area].append(unit)
        for weapon in self.state.weapons:
            if weapon.status == "map":
                self.weapons[weapon.area].append(weapon)

    # -- one area -------------------------------------------------------------------------

    def ground(self, area: str) -> str:
        """Return the ground of an area: terrain, bunker, bridge, gliders, wrecks, positions."""
        sit = self.sit
        terrain_area = sit.geo.map.areas[area]
        words = ["obstructed" if terrain_area.obstructed else "open"]
        words += self._things(area)
        if not terrain_area.obstructed and sit.is_obstructed(area):
            words[0] = "obstructed by a vehicle"
        if area in sit.geo.has_bunker:
            words.append("cleared bunker" if area in self.state.cleared else "bunker")
        if area == sit.geo.pegasus:
            words.append({"intact": "the bridge is whole"}.get(sit.bridge, f"bridge {sit.bridge}"))
        for position in self.state.positions:
            if position.area == area:
                begun = " (not ready)" if position.builder else ""
                words.append(f"prepared position{begun}")
        return ", ".join(words)

    def _things(self, area: str) -> list[str]:
        words = []
        for glider in self.state.gliders:
            if glider.area == area:
                crashed = " (crashed)" if glider.status == "crashed" else ""
                words.append(f"glider {glider.number}{crashed}")
        words += [f"wrecked {unit.name}" for unit in self.wrecks.get(area, ())]
        return words

    def germans(self, area: str) -> str:
        """Return the Germans in the area and the weapons they hold; empty if there are none."""
        words = [self.german_text(unit) for unit in self.german.get(area, ())]
        words += [
            self._gun(weapon)
            for weapon in self.weapons.get(area, ())
            if self.sit.owner(weapon) == GERMAN
        ]
        return ", ".join(_count_words(words))

    def _gun(self, weapon: AreaWeapon) -> str:
        """Return a weapon of the Germans, and whether anybody is there to fire it."""
        manned = any(
            unit.inside == weapon.inside and unit.kind not in VEHICLES
            for unit in self.german.get(weapon.area, ())
        )
        words = weapon.name if manned else f"unmanned {weapon.name}"
        return words + (" in the bunker" if weapon.inside else "")

    def ours(self, area: str) -> str:
        """Return the British in the area in a few words; empty if there are none."""
        return ", ".join(self._text(unit) for unit in self.british.get(area, ()))

    def lying(self, area: str) -> list[str]:
        """British weapons in the area that nobody carries."""
        return [
            f"{weapon.name} lies here" if weapon.kind != "at" else f"{weapon.name} is ours"
            for weapon in self.weapons.get(area, ())
            if not weapon.carrier and self.sit.owner(weapon) == BRITISH
        ]

    def german_text(self, unit: Unit) -> str:
        """Return a German as the British see him: SP if he is turned up, his state."""
        if unit.face_down:
            return "face-down counter" + (" in the bunker" if unit.inside else "")
        return self._text(unit)

    def _text(self, unit: Unit) -> str:
        """Return a unit with its SP and its state: ``infantry 2 (4 SP, suppressed)``."""
        words = [f"{unit.strength} SP"] if unit.combat else []
        words += state_words(unit, self.sit.turn)
        return f"{unit.name} ({', '.join(words)})" if words else unit.name

    def unit_cells(self, unit: Unit) -> tuple[str, str, str, str, str]:
        """Return a British unit for a list: name, SP, grenades, MP left, what else matters."""
        sit = self.sit
        grenades = str(unit.grenades) if unit.kind in BRITISH_INFANTRY else ""
        mp = f"{max(0, mp_left(sit, unit))} of {allowance(sit, unit)}"
        more = [
            f"{weapon.name} ({weapon.charges} left)" if weapon.charges else weapon.name
            for weapon in sit.loads(unit.id)
        ]
        more += [pow.name for pow in sit.pows_of(unit.id)]
        more += state_words(unit, sit.turn)
        sp = f"{unit.strength} of {unit.sp}" if unit.lost else str(unit.strength)
        return unit.name, sp if unit.combat else "", grenades, mp, ", ".join(more)

    # -- more than one ----------------------------------------------------------------------

    def near_germans(self, area: str, apart_from: str = "") -> list[str]:
        """Return each adjacent area with Germans in it but one, and who they are."""
        geo = self.sit.geo
        return [
            f"{geo.text(near)} ({self.germans(near)})"
            for near in geo.next_to[area]
            if near in self.german and near != apart_from
        ]

    def other_germans(self, areas: Iterable[str]) -> list[str]:
        """The Germans that are in none of ``areas`` and next to none: counters, then the others."""
        geo = self.sit.geo
        nearby = {near for area in areas for near in geo.near[area]}
        hidden, visible = [], []
        for area in sorted(set(self.german) - nearby):
            if all(unit.face_down for unit in self.german[area]):
                guns = [w.name for w in self.weapons.get(area, ()) if self.sit.owner(w) == GERMAN]
                hidden.append(f"{area} with {', '.join(guns)}" if guns else area)
            else:
                visible.append(f"{geo.text(area)} ({self.germans(area)})")
        lines = [f"Face-down counters farther off: {', '.join(hidden)}"] if hidden else []
        return lines + ([f"Germans farther off: {'; '.join(visible)}"] if visible else [])


def _count_words(words: list[str]) -> list[str]:
    """Return equal words once, with their number."""
    return [
        word if words.count(word) == 1 else f"{words.count(word)} x {word}"
        for word in dict.fromkeys(words)
    ]


_BANKS: Final = {
    "west": "west of the canal",
    "between": "between the waters",
    "east": "east of the Orne",
}


def find_area(area_map: GameMap, word: str) -> str:
    """Return the area called ``word``, by its id or name; raises PBCGError with the nearest."""
    if not word:
        raise PBCGError("Name an area, for example: a PB")
    wanted = word.lower()
    by_name = {area.name.lower(): area.id for area in area_map.areas.values()}
    by_id = {area.lower(): area for area in area_map.areas}
    if area_id := by_id.get(wanted) or by_name.get(wanted):
        return area_id
    within = [area for name, area in by_name.items() if wanted in name]
    if len(within) == 1:
        return within[0]
    near = within or [by_name.get(name) or by_id[name] for name in get_close_matches(
        wanted, [*by_id, *by_name], 4, 0.5
    )]  # fmt: skip
    words = ", ".join(f"{area} {area_map.areas[area].name}" for area in dict.fromkeys(near[:6]))
    raise PBCGError(f'There is no area "{word}"{f"; do you mean {words}?" if words else "."}')


def direction(area_map: GameMap, start: str, goal: str) -> str:
    """Return the heading from ``start`` to ``goal``: N, NE, E and so on."""
    a, b = area_map.areas[start], area_map.areas[goal]
    eighth = round(math.atan2(b.x - a.x, b.y - a.y) / (math.pi / 4)) % 8
    return ("N", "NE", "E", "SE", "S", "SW", "W", "NW")[eighth]


def look(console: Console, sit: Situation, word: str) -> None:
    """Print everything the British know of one area and the areas around it."""
    area = find_area(sit.geo.map, word)
    areas = Areas(sit)
    map_area = sit.geo.map.areas[area]
    console.print(Text.assemble((f" {sit.geo.text(area)}", "bold"), f"  {areas.ground(area)}"))
    words = [_BANKS[map_area.bank]]
    if map_area.road:
        words.append("a road area")
    if map_area.entry:
        words.append(f"entry area {map_area.entry}")
    if holder := sit.control.get(area):
        words.append(f"last held by the {'British' if holder == BRITISH else 'Germans'}")
    console.print(Text(f"   {', '.join(words)}", "dim"))
    if ours := areas.ours(area):
        console.print(Text(f"   {ours}", "cyan"))
    for lying in areas.lying(area):
        console.print(Text(f"   {lying}", "cyan"))
    if german := areas.germans(area):
        console.print(Text(f"   {german}", "red"))
    grid = Table(box=None, show_header=False, padding=(0, 2, 0, 3))
    for neighbour in sit.geo.map.neighbours(area):
        line = sit.geo.map.crossing(area, neighbour)
        cost = f"{line.mp} MP" if line and line.mp else "fire only"
        who = Text(areas.ours(neighbour), "cyan")
        if german := areas.germans(neighbour):
            who.append(("  " if who.plain else "") + german, "red")
        grid.add_row(
            cost,
            direction(sit.geo.map, area, neighbour),
            Text(sit.geo.text(neighbour)),
            Text(areas.ground(neighbour), "dim"),
            who,
        )
    console.print(grid)
