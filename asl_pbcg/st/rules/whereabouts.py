"""Who and what stands where in the area game, known at once.

Everything is kept by place (``places.py``). A phase goes on with
what the phase before knew, where nothing has come between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Literal

from msgspec.structs import replace

from asl_pbcg.st.board.places import BUNKER, area_of
from asl_pbcg.st.rules.markers import Positions, Pows
from asl_pbcg.st.rules.rules import Rules
from asl_pbcg.st.rules.state import Glider, Pow, State, Unit, Weapon
from asl_pbcg.st.terms import BRITISH, GERMAN, VEHICLES, SideName

NOBODY: tuple[str, ...] = ()


class Whereabouts:
    """Units, weapons and markers of a state, and where they are."""

    __slots__ = (
        "armed", "bearers", "british", "calm", "control", "ended", "fires", "geo", "german",
        "gliders", "hampered", "joined", "mg_bearers", "order", "positions", "pows", "rules",
        "stirred", "tank_areas", "tanks", "turn", "units", "vehicles", "weapons",
    )  # fmt: skip

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        self.turn = state.turn
        self.geo = rules.geo
        self.order: dict[str, int] = {}
        """The number of each unit in the state, once it is asked for; no unit comes in later."""
        self.hampered: set[str]
        """The British who may not go as others do: wounded, engaged, suppressed, in a bunker, with
        an MG or a POW, or were so in this phase. Where others may go area and MP say alone."""
        self.pows: Pows
        self.positions: Positions
        self.control: dict[str, SideName] = dict(state.control)
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
        self._look_at(state)
        self.joined: set[str] = set()
        """The places where somebody came to others since the phase began."""

    def _look_at(self, state: State) -> None:
        """Find out who stands where."""
        self.hampered = set()
        self.pows = Pows(state.pows, self.hampered)
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

    def put_in_order(self) -> None:
        """Units that came one after the other stand in the order of the state again."""
        if not self.order:
            self.order = dict(zip(self.units, range(len(self.units)), strict=True))
        number = self.order.__getitem__
        british, german = self.british, self.german
        for place in self.joined:
            if place in british:
                british[place].sort(key=number)
            if place in german:
                german[place].sort(key=number)
        self.joined.clear()

    def _index_units(self, on_map: Iterable[Unit]) -> None:
        """List the units on the map, in the order of the state, by place."""
        british: dict[str, list[str]] = {}
        german: dict[str, list[str]] = {}
        for unit in on_map:
            if unit.side == BRITISH:
                there = british
                self._look_if_hampered(unit)
            else:
                there = german
            place = unit.area + BUNKER if unit.inside else unit.area
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
        inside = there.get(self.rules.bunker_in[area])
        if inside:
            found += map(unit, inside)
        return found

    def is_occupied(self, side: SideName, area: str) -> bool:
        """Whether ``side`` has a unit, leader or active vehicle in the area or its bunker."""
        there = self.british if side == BRITISH else self.german
        return area in there or self.rules.bunker_in[area] in there

    def is_obstructed(self, area: str) -> bool:
        """Whether the area is obstructed, by its terrain or by a vehicle. Rule: ST-FIR-08."""
        return area in self.geo.obstructed or area in self.vehicles

    def is_cover(self, area: str) -> bool:
        """Tell whether an area is obstructed for grenades and hand-to-hand combat. AMB-129."""
        if self.rules.settings.vehicle_cover == "all":
            return self.is_obstructed(area)
        return area in self.geo.obstructed

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
        return {area_of(place) for place in there}

    def owner(self, weapon: Weapon) -> SideName:
        """Whose a weapon is: his who has brought it, else whose place it is. Rule: AMB-124."""
        if weapon.carrier:
            return BRITISH
        return weapon.held or self.control.get(weapon.place, GERMAN)

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

    def pows_in(self, area: str) -> Sequence[Pow]:
        """The POWs in an area, in the open or in its bunker."""
        places = self.pows.places
        if places is None:
            places = self.pows.places = {}
            for pow in self.pows.values():
                places.setdefault(self.units[pow.escort].area, []).append(pow)
        return places.get(area, ())

    def position_of(self, side: SideName, place: str) -> bool:
        """Whether units of ``side`` at ``place`` have a finished prepared position. ST-PRE-06."""
        position = self.positions.get(place)
        return (
            position is not None and not position.builder and self.control.get(place, side) == side
        )

    # -- what moves -----------------------------------------------------------------------

    def _look_if_hampered(self, unit: Unit) -> None:
        if unit.inside or unit.wounded or unit.engaged or unit.suppressed:
            self.hampered.add(unit.id)

    def forget_hampered(self) -> None:
        """A Movement Phase begins: only who is hampered now is so."""
        units, turn = self.units, self.turn
        self.hampered.intersection_update(
            [
                id
                for id in self.hampered
                if id in self.mg_bearers
                or id in self.pows.escorts
                or (unit := units[id]).inside
                or unit.wounded
                or unit.suppressed
                or unit.engaged >= turn
            ]
        )

    def _index(self, unit: Unit) -> None:
        """``unit`` stands on the map now."""
        place = unit.area + BUNKER if unit.inside else unit.area
        if unit.side == BRITISH:
            there = self.british
            self._look_if_hampered(unit)
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
        place = unit.area + BUNKER if unit.inside else unit.area
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
            bunker = self.rules.bunker_in[area]
            ours = bunker in british
            if ours != (bunker in german):
                self._to(bunker, BRITISH if ours else GERMAN)

    def _to(self, place: str, side: SideName) -> None:
        """``side`` is alone in ``place`` now: it controls it and the weapons there. AMB-124."""
        if self.control.get(place) != side:
            self.control[place] = side
            if place in self.armed:
                self.fires = None
        for weapon in self.armed.get(place, NOBODY):
            if self.weapons[weapon].held:
                self.weapons[weapon] = replace(self.weapons[weapon], held="")
                self.stirred = self.fires = None

    def held_by(self, side: SideName, place: str) -> SideName | Literal[""]:
        """What is to be noted if ``side`` has a weapon at ``place``. Rule: AMB-124."""
        return side if self.control.get(place, GERMAN) != side else ""

    # -- weapons --------------------------------------------------------------------------

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
                    self.hampered.add(weapon.carrier)
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
                self.hampered.add(new.carrier)

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
