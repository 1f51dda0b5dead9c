"""The situation while a phase runs: the state opened up for a script to work on.

A script makes one from the state, changes it through the methods here, and closes it into the
next state. Who stands where is kept by place: an area, or an area with a star for its bunker.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

from msgspec.structs import replace

from asl_pbcg.st.markers import Positions, Pows
from asl_pbcg.st.rules import Rules
from asl_pbcg.st.state import (
    BridgeState,
    DemoMarker,
    DemoState,
    Glider,
    Ledger,
    Pow,
    State,
    Unit,
    UnitStatus,
    Weapon,
)
from asl_pbcg.st.terms import BRITISH, GERMAN, PHASES, VEHICLES, SideName, other

NOBODY: tuple[str, ...] = ()


class Situation:
    """The state of a game, opened up; ``state`` is the one it was made from."""

    __slots__ = (
        "armed", "at_crews", "attacked", "bearers", "bridge", "british", "british_force",
        "british_turn", "calm", "carried_mg", "cleared", "control", "demo", "demo_marker", "ended",
        "entered", "fires", "geo", "german", "german_force", "german_turn", "gliders",
        "gun_fire_begun", "handled", "joined", "laden", "ledger", "mercedes_mp", "mg_bearers", "n",
        "order", "positions", "pow_moved", "pows", "rules", "schmidt_captured", "settings", "shots",
        "slowed", "spent", "state", "stirred", "tank_areas", "tanks", "triggered", "turn", "units",
        "vehicles", "weapons", "where",
    )  # fmt: skip

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        self.settings = state.settings
        self.geo = rules.geo
        self.n = rules.n
        self.state = state
        self.turn = state.turn
        self.where = f"Turn {state.turn}, {PHASES[state.phase].title}"
        """The turn and phase as players read it."""
        self.order: dict[str, int] = {}
        """The number of each unit in the state, once it is asked for; no unit comes in later."""
        self.laden: set[str]
        """The British who carry an MG or guard a POW, or did so in this phase: their allowance
        may be a smaller one."""
        self.pows: Pows
        self.positions: Positions
        self.cleared: set[str] = set(state.cleared)
        self.control: dict[str, SideName] = dict(state.control)
        self.entered: dict[str, SideName] = dict(state.entered)
        self.bridge: BridgeState = state.bridge
        self.demo_marker: DemoMarker = state.demo_marker
        self.demo: DemoState = state.demo
        self.attacked = state.attacked
        self.triggered = state.triggered
        self.mercedes_mp = state.mercedes_mp
        self.gun_fire_begun = state.gun_fire_begun
        self.schmidt_captured = state.schmidt_captured
        self.german_force = state.german_force
        self.german_turn = state.german_turn
        self.british_force = state.british_force
        self.british_turn = state.british_turn
        self.ledger: Ledger = state.ledger
        self.stirred: set[str] | None = None
        """The British that changed since somebody last looked; None for any of them."""
        self.calm: frozenset[str] | None = None
        """The areas that :meth:`find_calm` found; None when a German has come or gone."""
        self.fires: dict[Any, Any] | None = None
        """What is reckoned from where the Germans are and how they are; None when that changes."""
        self.units: dict[str, Unit]
        self.weapons: dict[str, Weapon]
        self.gliders: dict[int, Glider]
        self.british: dict[str, list[str]]
        """British units and leaders by place."""
        self.german: dict[str, list[str]]
        """German units, leaders and active vehicles by place."""
        self.vehicles: dict[str, int]
        """How many vehicles (gliders, tanks, Mercedes, wrecks) an area holds. ST-GMV-06."""
        self.tanks: tuple[str, ...]
        """All tanks of the game, wherever they are."""
        self.tank_areas: dict[str, bool] | None = None
        """Where tanks and their wrecks are (``vehicles.py``); None when a vehicle moves."""
        self.bearers: dict[str, list[str]]
        """British units that carry weapons, each with what it carries."""
        self.mg_bearers: set[str]
        """Those among them that carry an MG. Rule: ST-MOV-06."""
        self.armed: dict[str, list[str]]
        """The weapons on the map by place."""
        self.ended: State | None = None
        """The state that the phase ended in."""
        last = rules.last_phase
        if last is not None and _goes_on(last, state):
            rules.last_phase = None
            self._go_on(last)
        else:
            self._look_at(state)
        self.joined: set[str] = set()
        """The places where somebody came to others since the phase began."""
        self.laden |= self.mg_bearers
        # What lasts one phase only.
        self.spent: dict[str, int] = {}
        """MP spent in this Movement Phase."""
        self.slowed: dict[str, int] = {}
        """Who moved with a POW: the allowance of the rest of the turn. Rule: ST-POW-04."""
        self.carried_mg: set[str] = set()
        """Who moved with an MG this turn. Rule: ST-MOV-06."""
        self.pow_moved: dict[str, int] = {}
        """MP each POW has moved this turn. Rule: ST-POW-06."""
        self.handled: set[tuple[str, str, str]] = set()
        """Which unit has taken or left which weapon or POW in this phase."""
        self.shots: set[str] = set()
        """Units and weapons that have fired in this Fire Phase."""
        self.at_crews: set[str] = set()
        """British units that fire the AT gun in this phase. Rule: ST-TAT-08."""

    def _look_at(self, state: State) -> None:
        """Find out who stands where."""
        self.laden = set()
        self.pows = Pows(state.pows, self.laden)
        self.positions = Positions(state.positions)
        self.units = {unit.id: unit for unit in state.units}
        self.weapons = {weapon.id: weapon for weapon in state.weapons}
        self.gliders = {glider.number: glider for glider in state.gliders}
        self._index_units(unit for unit in state.units if unit.status == "map")
        self.tanks = tuple([unit.id for unit in state.units if unit.kind == "tank"])
        self.vehicles = {}
        for unit in state.units:
            if unit.status == "wreck" or (unit.status == "map" and unit.kind in VEHICLES):
                self._count_vehicle(unit.area, 1)
        for glider in state.gliders:
            if glider.area:
                self._count_vehicle(glider.area, 1)
        self.bearers, self.mg_bearers, self.armed = {}, set(), {}
        self.note_weapons()

    def _go_on(self, last: Situation) -> None:
        """The same, known from the phase before; nobody asks that one any more."""
        self.units, self.weapons, self.gliders = last.units, last.weapons, last.gliders
        self.laden, self.pows, self.positions = last.laden, last.pows, last.positions
        self.british, self.german, self.calm = last.british, last.german, last.calm
        self.order = last.order
        if last.joined:
            # Units that came one after the other stand in the order of the state again.
            if not self.order:
                self.order = dict(zip(self.units, range(len(self.units)), strict=True))
            number = self.order.__getitem__
            for place in last.joined:
                self.british.get(place, []).sort(key=number)
                self.german.get(place, []).sort(key=number)
        self.tanks = last.tanks
        self.vehicles = last.vehicles
        self.bearers, self.mg_bearers, self.armed = last.bearers, last.mg_bearers, last.armed

    def _index_units(self, on_map: Iterable[Unit]) -> None:
        """List the units on the map, in the order of the state, by place."""
        british: dict[str, list[str]] = {}
        german: dict[str, list[str]] = {}
        for unit in on_map:
            there = british if unit.side == BRITISH else german
            place = unit.area + "*" if unit.inside else unit.area
            if place in there:
                there[place].append(unit.id)
            else:
                there[place] = [unit.id]
        self.british, self.german = british, german

    # -- reading ------------------------------------------------------------------------

    def at(self, side: SideName, place: str) -> list[Unit] | tuple[Unit, ...]:
        """The units of ``side`` at one place, in the order they came."""
        found = (self.british if side == BRITISH else self.german).get(place)
        return list(map(self.units.__getitem__, found)) if found else ()

    def in_area(self, side: SideName, area: str) -> list[Unit]:
        """The units of ``side`` in an area, its bunker too."""
        there = self.british if side == BRITISH else self.german
        unit = self.units.__getitem__
        found = list(map(unit, there.get(area, NOBODY)))
        inside = there.get(self.rules.star[area])
        if inside:
            found += map(unit, inside)
        return found

    def is_occupied(self, side: SideName, area: str) -> bool:
        """Whether ``side`` has a unit, leader or active vehicle in the area or its bunker."""
        there = self.british if side == BRITISH else self.german
        return area in there or self.rules.star[area] in there

    def is_obstructed(self, area: str) -> bool:
        """Whether the area is obstructed, by its terrain or by a vehicle. Rule: ST-FIR-08."""
        return area in self.geo.obstructed or area in self.vehicles

    def find_calm(self) -> frozenset[str]:
        """The areas where no German is, nor next to them, nor where an arrow from them leads."""
        near = map(self.rules.areas_near.__getitem__, self.german)
        found = self.calm = self.rules.areas.difference(*near)
        return found

    def on_map(self, side: SideName) -> list[Unit]:
        """The units, leaders and active vehicles of ``side`` on the map, in id order."""
        there = self.british if side == BRITISH else self.german
        return list(map(self.units.__getitem__, sorted(chain.from_iterable(there.values()))))

    def areas_of(self, side: SideName) -> set[str]:
        """The areas that hold a unit of ``side``."""
        there = self.british if side == BRITISH else self.german
        return {place.rstrip("*") for place in there}

    def owner(self, weapon: Weapon) -> SideName:
        """Whose a weapon is: its carrier's, else the side that last held its place alone."""
        return BRITISH if weapon.carrier else self.control.get(weapon.place, GERMAN)

    def weapons_at(self, side: SideName, place: str, kind: str) -> list[Weapon]:
        """The usable weapons of ``kind`` that ``side`` has at one place, in id order."""
        there = self.armed.get(place)
        if there is None:
            return []
        weapons = self.weapons
        return [
            weapon
            for weapon in map(weapons.__getitem__, there)
            if weapon.kind == kind and self.owner(weapon) == side
        ]

    def loads(self, unit: str) -> list[Weapon]:
        """The weapons that ``unit`` carries."""
        carried = map(self.weapons.__getitem__, self.bearers.get(unit, NOBODY))
        return [weapon for weapon in carried if weapon.status == "map"]

    def pows_of(self, unit: str) -> list[Pow]:
        """The POWs that ``unit`` escorts."""
        if unit not in self.pows.escorts:
            return []
        return [pow for pow in self.pows.values() if pow.escort == unit]

    def position_of(self, side: SideName, place: str) -> bool:
        """Whether units of ``side`` at ``place`` have a finished prepared position. ST-PRE-06."""
        position = self.positions.get(place)
        return (
            position is not None and not position.builder and self.control.get(place, side) == side
        )

    # -- changing -----------------------------------------------------------------------

    def change(self, unit: str, **fields: Any) -> Unit:
        """Change what does not concern where ``unit`` stands."""
        found = self.units[unit] = replace(self.units[unit], **fields)
        if found.side == GERMAN:
            self.fires = None
        elif self.stirred is not None:
            self.stirred.add(unit)
        return found

    def stir(self, unit: str) -> None:
        """What ``unit`` can still do has changed, though it has not."""
        if self.stirred is not None:
            self.stirred.add(unit)

    def change_weapon(self, weapon: str, **fields: Any) -> Weapon:
        """Change a weapon: how it is, where it lies, who carries it."""
        old = self.weapons[weapon]
        found = self.weapons[weapon] = replace(old, **fields)
        self.stirred = self.fires = None
        if found.carrier != old.carrier:
            self._give(old, found)
        self._lay(old, found)
        return found

    def name_of(self, id: str) -> str:
        """A unit or weapon as players read it; a face-down counter has no name."""
        if id in self.weapons:
            return self.weapons[id].name
        return "face-down counter" if self.units[id].face_down else self.units[id].name

    def note_weapons(self) -> None:
        """Look anew who carries weapons and where weapons are."""
        self.stirred = self.fires = None
        self.bearers.clear()
        self.mg_bearers.clear()
        self.armed.clear()
        for weapon in self.weapons.values():
            if weapon.carrier:
                self.bearers.setdefault(weapon.carrier, []).append(weapon.id)
                if weapon.kind == "mg":
                    self.mg_bearers.add(weapon.carrier)
                    self.laden.add(weapon.carrier)
            if weapon.status == "map":
                self.armed.setdefault(weapon.place, []).append(weapon.id)

    def _give(self, old: Weapon, new: Weapon) -> None:
        """A weapon has gone from one unit to another, or to nobody."""
        if old.carrier:
            self._take_from(self.bearers, old.carrier, old.id)
            if old.kind == "mg":
                self.mg_bearers.discard(old.carrier)
        if new.carrier:
            self._add_to(self.bearers, new.carrier, new.id)
            if new.kind == "mg":
                self.mg_bearers.add(new.carrier)
                self.laden.add(new.carrier)

    def _lay(self, old: Weapon, new: Weapon) -> None:
        """A weapon has come from one place of the map to another."""
        if old.status == "map":
            self._take_from(self.armed, old.place, old.id)
        if new.status == "map":
            self._add_to(self.armed, new.place, new.id)

    def _take_from(self, listed: dict[str, list[str]], key: str, weapon: str) -> None:
        ids = listed[key]
        if len(ids) > 1:
            ids.remove(weapon)
        else:
            del listed[key]

    def _add_to(self, listed: dict[str, list[str]], key: str, weapon: str) -> None:
        ids = listed.get(key)
        if ids is None:
            listed[key] = [weapon]
        else:
            both = {weapon, *ids}
            ids[:] = [id for id in self.weapons if id in both]

    def put(self, unit: str, area: str, inside: bool = False) -> Unit:
        """Bring ``unit`` to a place; it is the last to enter. Carried weapons go with it."""
        old = self.units[unit]
        if old.status == "map" and not inside and not old.inside and old.area != area:
            return self.walk(unit, area)
        return self.put_down(unit, area, inside)

    def put_down(self, unit: str, area: str, inside: bool = False) -> Unit:
        """The same, from and to wherever it may be."""
        old = self.units[unit]
        left = old.area
        on_map = old.status == "map"
        if on_map:
            self._unindex(old)
        came, bank = old.came, old.bank
        if area == self.geo.pegasus:
            if left != area:
                came, bank = self.turn, self.bank_of(left)
        elif left != area:
            came, bank = 0, ""
        else:
            bank = ""
        new = self.units[unit] = replace(
            old, status="map", area=area, inside=inside, glider=0, came=came, bank=bank
        )
        self._index(new)
        if left != area:
            self.entered[area] = new.side
            if on_map:
                self._settle(left)
        self._settle(area)
        if unit in self.bearers:
            self._carry(unit, area, inside)
        return new

    def _carry(self, unit: str, area: str, inside: bool) -> None:
        """The weapons of ``unit`` come along."""
        for id in self.bearers[unit]:
            weapon = self.weapons[id]
            moved = self.weapons[id] = replace(
                weapon, status="map", area=area, inside=inside, glider=0
            )
            self._lay(weapon, moved)

    def walk(self, unit: str, area: str) -> Unit:
        """Bring ``unit`` from the open of one area into that of another: the step made most."""
        old = self.units[unit]
        left = old.area
        if self.geo.pegasus in (left, area):
            return self.put_down(unit, area)
        new = self.units[unit] = replace(old, area=area)
        side = old.side
        if side == BRITISH:
            friends, enemies = self.british, self.german
            if self.stirred is not None:
                self.stirred.add(unit)
        else:
            friends, enemies = self.german, self.british
            self.fires = self.calm = None
            if old.kind in VEHICLES:
                self._count_vehicle(left, -1)
                self._count_vehicle(area, 1)
        ids = friends[left]
        if len(ids) > 1:
            ids.remove(unit)
        else:
            # Who stays behind alone, or comes first, controls the area; bunkers stay as they are.
            del friends[left]
            if left in enemies:
                self._to(left, other(side))
        self.entered[area] = side
        if area in friends:
            friends[area].append(unit)
            self.joined.add(area)
        else:
            friends[area] = [unit]
            if area not in enemies:
                self._to(area, side)
        if unit in self.bearers:
            self._carry(unit, area, inside=False)
        return new

    def bank_of(self, area: str) -> str:
        """The bank of Pegasus Bridge that ``area`` is on: the canal's west side or the rest."""
        if not area:
            return ""
        return "west" if self.geo.map.areas[area].bank == "west" else "east"

    def take_off(self, unit: str, status: UnitStatus) -> None:
        """Take ``unit`` off the map; what it carried stays where it stood."""
        old = self.units[unit]
        on_map = old.status == "map"
        if on_map:
            self._unindex(old)
        wreck = status == "wreck"
        self.units[unit] = replace(
            old,
            status=status,
            suppressed=False,
            engaged=0,
            area=old.area if wreck or status == "dead" else "",
            came=0,
            bank="",
        )
        if wreck:
            self._count_vehicle(old.area, 1)
        if on_map:
            self._settle(old.area)
        for weapon in tuple(self.bearers.get(unit, NOBODY)):
            self.change_weapon(weapon, carrier="")

    def book(self, **amounts: Any) -> None:
        """Enter amounts into the ledger; a number is added, a tuple appended."""
        self.ledger = replace(
            self.ledger,
            **{name: getattr(self.ledger, name) + amount for name, amount in amounts.items()},
        )

    def place_vehicle(self, area: str) -> None:
        """Count a glider that has come down in ``area``."""
        self._count_vehicle(area, 1)

    def _index(self, unit: Unit) -> None:
        """``unit`` stands on the map now."""
        place = unit.area + "*" if unit.inside else unit.area
        if unit.side == BRITISH:
            there = self.british
            if self.stirred is not None:
                self.stirred.add(unit.id)
        else:
            there = self.german
            self.fires = self.calm = None
            if unit.kind in VEHICLES:
                self._count_vehicle(unit.area, 1)
        if place in there:
            there[place].append(unit.id)
            self.joined.add(place)
        else:
            there[place] = [unit.id]

    def _unindex(self, unit: Unit) -> None:
        """``unit`` is about to leave its place on the map."""
        place = unit.area + "*" if unit.inside else unit.area
        if unit.side == BRITISH:
            there = self.british
            if self.stirred is not None:
                self.stirred.add(unit.id)
        else:
            there = self.german
            self.fires = self.calm = None
            if unit.kind in VEHICLES:
                self._count_vehicle(unit.area, -1)
        ids = there[place]
        if len(ids) > 1:
            ids.remove(unit.id)
        else:
            del there[place]

    def _count_vehicle(self, area: str, number: int) -> None:
        self.fires = self.tank_areas = None
        count = self.vehicles.get(area, 0) + number
        if count:
            self.vehicles[area] = count
        else:
            del self.vehicles[area]

    def _settle(self, area: str) -> None:
        """Who occupies the area alone controls it; its bunker too. Rule: ST-VIC-02."""
        british, german = self.british, self.german
        ours = area in british
        if ours != (area in german):
            self._to(area, BRITISH if ours else GERMAN)
        if area in self.geo.has_bunker:
            star = self.rules.star[area]
            ours = star in british
            if ours != (star in german):
                self._to(star, BRITISH if ours else GERMAN)

    def _to(self, place: str, side: SideName) -> None:
        """Control of ``place`` is with ``side`` now; the weapons there are too."""
        if self.control.get(place) != side:
            self.control[place] = side
            if place in self.armed:
                self.fires = None

    # -- closing ------------------------------------------------------------------------

    def end(self) -> State:
        """The phase is over: the state, from which the next phase goes on."""
        return self._hand_on(self.close())

    def end_unchanged(self) -> State:
        """The phase is over and nothing has happened in it: the state it began with."""
        return self._hand_on(self.state)

    def _hand_on(self, state: State) -> State:
        self.ended = state
        self.rules.last_phase = self
        return state

    def close(self, **fields: Any) -> State:
        """The situation as a state, with ``fields`` changed."""
        return replace(
            self.state,
            units=tuple(self.units.values()),
            weapons=tuple(self.weapons.values()),
            gliders=tuple(self.gliders.values()),
            pows=tuple(self.pows.values()),
            positions=tuple(self.positions.values()),
            cleared=tuple(sorted(self.cleared)),
            control=self.control,
            entered=self.entered,
            bridge=self.bridge,
            demo_marker=self.demo_marker,
            demo=self.demo,
            attacked=self.attacked,
            triggered=self.triggered,
            mercedes_mp=self.mercedes_mp,
            gun_fire_begun=self.gun_fire_begun,
            schmidt_captured=self.schmidt_captured,
            german_force=self.german_force,
            german_turn=self.german_turn,
            british_force=self.british_force,
            british_turn=self.british_turn,
            ledger=self.ledger,
            **fields,
        )


def _goes_on(last: Situation, state: State) -> bool:
    """Whether ``state`` has the units, weapons and markers with which a phase ended."""
    ended = last.ended
    return (
        ended is not None
        and ended.units is state.units
        and ended.weapons is state.weapons
        and ended.gliders is state.gliders
        and ended.pows is state.pows
        and ended.positions is state.positions
    )
