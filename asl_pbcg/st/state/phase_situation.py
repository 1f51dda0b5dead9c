"""The situation while a phase runs: the state opened up for a script to work on.

A script makes one from the state, changes it through the methods here, and closes it into the
next state. Units stand at places (``area_terms.py``): the open of an area, or the bunker in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from asl_pbcg.st.area_terms import BRITISH, BUNKER, GERMAN, PHASES, VEHICLES, SideName
from asl_pbcg.st.state.game_rules import Rules
from asl_pbcg.st.state.game_state import (
    AreaWeapon,
    BridgeState,
    DemoMarker,
    DemoState,
    Ledger,
    Pow,
    State,
    Unit,
    UnitStatus,
)

T = TypeVar("T")


def next_phase(state: State) -> State:
    """Return ``state`` with the next phase to play. Rule: ST-SEQ-01.

    Gliders land on turn 1 only.
    """
    phase = state.phase + 1
    if phase < len(PHASES):
        return replace(state, phase=phase)
    return replace(state, turn=state.turn + 1, phase=1)


def _group(pairs: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    """Return the things of ``pairs`` by what stands before each."""
    found: dict[str, list[T]] = {}
    for key, thing in pairs:
        found.setdefault(key, []).append(thing)
    return found


class Weapons(dict[str, AreaWeapon]):
    """The weapons of a game by id; it is never changed, but replaced by another."""

    @cached_property
    def at(self) -> dict[str, list[AreaWeapon]]:
        """The weapons on the map by place."""
        return _group((weapon.place, weapon) for weapon in self.values() if weapon.status == "map")

    @cached_property
    def carried(self) -> dict[str, list[AreaWeapon]]:
        """The weapons that British units carry, by unit."""
        return _group((weapon.carrier, weapon) for weapon in self.values() if weapon.carrier)

    @cached_property
    def mg_bearers(self) -> frozenset[str]:
        """The British units that carry an MG. Rule: ST-MOV-06."""
        return frozenset([weapon.carrier for weapon in self.values() if weapon.kind == "mg"])

    def having(self, *weapons: AreaWeapon) -> Weapons:
        """Return these weapons with some of them new or changed."""
        return Weapons({**self, **{weapon.id: weapon for weapon in weapons}})


@lru_cache(maxsize=1000)
def _weapons_by_id(weapons: tuple[AreaWeapon, ...]) -> Weapons:
    """Return the weapons of a state by id; few phases change any."""
    return Weapons({weapon.id: weapon for weapon in weapons})


class Pows(dict[str, Pow]):
    """The POWs by id; like the weapons it is never changed, but replaced by another."""

    @cached_property
    def by_escort(self) -> dict[str, list[Pow]]:
        """The POWs that British units escort, by unit."""
        return _group((pow.escort, pow) for pow in self.values())

    def having(self, *pows: Pow) -> Pows:
        """Return these POWs with some of them new or changed."""
        return Pows({**self, **{pow.id: pow for pow in pows}})

    def without(self, pow: Pow) -> Pows:
        """Return the other POWs."""
        return Pows({id: each for id, each in self.items() if id != pow.id})


class Situation:
    """The state of a game, opened up; ``state`` is the one it was made from."""

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        self.geo = rules.geo
        self.n = rules.n
        self.settings = state.settings
        self.state = state
        self.turn = state.turn
        self.where = f"Turn {state.turn}, {PHASES[state.phase].title}"
        """The turn and phase as players read it."""
        self.units = {unit.id: unit for unit in state.units}
        self.weapons = _weapons_by_id(state.weapons)
        self.gliders = {glider.number: glider for glider in state.gliders}
        self.pows = Pows({pow.id: pow for pow in state.pows})
        self.positions = {position.area: position for position in state.positions}
        """The prepared positions by area."""
        self.cleared = set(state.cleared)
        self.control = state.control
        self.entered = state.entered
        """Control of places, and the last side to enter areas; replaced, never changed."""
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
        self._list_places(state)
        # What lasts one phase only:
        self.spent: dict[str, int] = {}
        """MP spent in this Movement Phase."""
        self.slowed: set[str] = set()
        """Units that moved with a POW: it limits them for the rest of the turn. ST-POW-04."""
        self.carried_mg: set[str] = set()
        """Units that moved with an MG this turn. Rule: ST-MOV-06."""
        self.pow_moved: dict[str, int] = {}
        """MP each POW has moved this turn. Rule: ST-POW-06."""
        self.handled: set[tuple[str, str, str]] = set()
        """Which unit has taken or left which weapon or POW in this phase."""
        self.shots: set[str] = set()
        """Units and weapons that have fired in this Fire Phase."""
        self.at_crews: set[str] = set()
        """British units that fire the AT gun in this phase. Rule: ST-TAT-08."""

    def _list_places(self, state: State) -> None:
        """List the units on the map by place, in the order of the state."""
        self.british: dict[str, list[str]] = {}
        """British units and leaders by place."""
        self.german: dict[str, list[str]] = {}
        """German units, leaders and active vehicles by place."""
        self.vehicles: dict[str, int] = {}
        """How many vehicles (gliders, tanks, Mercedes, wrecks) an area holds. ST-GMV-06."""
        for unit in [unit for unit in state.units if unit.status == "map"]:
            places = self.british if unit.side == BRITISH else self.german
            place = unit.area + BUNKER if unit.inside else unit.area
            if place in places:
                places[place].append(unit.id)
            else:
                places[place] = [unit.id]
        vehicles = [unit for unit in state.units if unit.kind in VEHICLES]
        for unit in vehicles:
            self._count_vehicle(unit, 1)
        self.tanks = tuple([unit.id for unit in vehicles if unit.kind == "tank"])
        """All tanks of the game, wherever they are."""
        for glider in state.gliders:
            if glider.area:
                self.place_vehicle(glider.area)

    def copy_to_plan(self) -> Situation:
        """Return a copy to plan on."""
        twin = copy(self)
        for name, value in vars(self).items():
            if type(value) in (dict, set):
                setattr(twin, name, value.copy())
        twin.british = {place: ids.copy() for place, ids in self.british.items()}
        twin.german = {place: ids.copy() for place, ids in self.german.items()}
        return twin

    # -- reading ------------------------------------------------------------------------

    def places_of(self, side: SideName) -> dict[str, list[str]]:
        """Return the units, leaders and active vehicles of ``side`` by place."""
        return self.british if side == BRITISH else self.german

    def at(self, side: SideName, place: str) -> list[Unit]:
        """Return the units of ``side`` at one place, in the order they came."""
        return [self.units[id] for id in self.places_of(side).get(place, ())]

    def in_area(self, side: SideName, area: str) -> list[Unit]:
        """Return the units of ``side`` in an area and its bunker."""
        places = self.places_of(side)
        bunker = self.rules.bunker_in[area]
        units = [self.units[id] for id in places.get(area, ())]
        return units + [self.units[id] for id in places[bunker]] if bunker in places else units

    def is_occupied(self, side: SideName, area: str) -> bool:
        """Tell whether ``side`` has a unit, leader or active vehicle in the area or its bunker."""
        places = self.british if side == BRITISH else self.german
        return area in places or self.rules.bunker_in[area] in places

    def on_map(self, side: SideName) -> list[Unit]:
        """Return the units, leaders and active vehicles of ``side`` on the map, in id order."""
        ids = chain.from_iterable(self.places_of(side).values())
        return [self.units[id] for id in sorted(ids)]

    def areas_of(self, side: SideName) -> set[str]:
        """Return the areas that hold a unit of ``side``."""
        return {self.geo.area_at[place] for place in self.places_of(side)}

    def is_obstructed(self, area: str) -> bool:
        """Tell whether the area is obstructed, by its terrain or by a vehicle. Rule: ST-FIR-08."""
        return area in self.geo.obstructed or area in self.vehicles

    def is_cover(self, area: str) -> bool:
        """Tell whether an area is obstructed for grenades and hand-to-hand combat. AMB-129."""
        if self.settings.vehicle_cover == "all":
            return self.is_obstructed(area)
        return area in self.geo.obstructed

    def owner(self, weapon: AreaWeapon) -> SideName:
        """Return the side that has a weapon: its carrier's, else that of its place. AMB-124."""
        if weapon.carrier:
            return BRITISH
        return weapon.held or self.control.get(weapon.place, GERMAN)

    def held_by(self, side: SideName, place: str) -> SideName | Literal[""]:
        """Return what is to be noted if ``side`` has a weapon at ``place``. Rule: AMB-124."""
        return side if self.control.get(place, GERMAN) != side else ""

    def weapons_at(self, side: SideName, place: str, kind: str) -> list[AreaWeapon]:
        """Return the usable weapons of ``kind`` that ``side`` has at one place, in id order."""
        weapons = self.weapons.at.get(place, ())
        return [weapon for weapon in weapons if weapon.kind == kind and self.owner(weapon) == side]

    def loads(self, unit: str) -> list[AreaWeapon]:
        """Return the weapons that ``unit`` carries."""
        return [each for each in self.weapons.carried.get(unit, ()) if each.status == "map"]

    def pows_of(self, unit: str) -> Sequence[Pow]:
        """Return the POWs that ``unit`` escorts."""
        return self.pows.by_escort.get(unit, ())

    def pows_in(self, area: str) -> list[Pow]:
        """Return the POWs in an area, in the open or in its bunker."""
        return [pow for pow in self.pows.values() if self.units[pow.escort].area == area]

    def position_of(self, side: SideName, place: str) -> bool:
        """Tell whether ``side`` has a finished prepared position at ``place``. Rule: ST-PRE-06."""
        position = self.positions.get(place)
        return (
            position is not None and not position.builder and self.control.get(place, side) == side
        )

    def name_of(self, id: str) -> str:
        """Return a unit or weapon as players read it; a face-down counter has no name."""
        if id in self.weapons:
            return self.weapons[id].name
        return "face-down counter" if self.units[id].face_down else self.units[id].name

    def bank_of(self, area: str) -> str:
        """Return the bank of Pegasus Bridge that ``area`` is on: the west side or the rest."""
        if not area:
            return ""
        return "west" if self.geo.map.areas[area].bank == "west" else "east"

    # -- changing -----------------------------------------------------------------------

    def change(self, unit: str, **fields: Any) -> Unit:
        """Change what does not concern where ``unit`` stands."""
        changed = self.units[unit] = replace(self.units[unit], **fields)
        return changed

    def put(self, unit: str, area: str, inside: bool = False) -> Unit:
        """Bring ``unit`` to a place; it is the last to enter. Carried weapons go with it.

        Nobody reacts: ``movement.py`` has the moves of a Movement Phase.

        Rule: ST-MOV-08, ST-VIC-02.
        """
        old = self.units[unit]
        came, bank = old.came, old.bank
        if area != self.geo.pegasus:
            came, bank = came if old.area == area else 0, ""
        elif old.area != area:
            came, bank = self.turn, self.bank_of(old.area)
        new = replace(old, status="map", area=area, inside=inside, glider=0, came=came, bank=bank)
        self._stand(old, new)
        if old.area != area:
            if self.entered.get(area) != new.side:
                self.entered = {**self.entered, area: new.side}
            if old.status == "map":
                self._settle_control(old.area)
        self._settle_control(area)
        if unit in self.weapons.carried:
            self.weapons = self.weapons.having(
                *[
                    replace(weapon, status="map", area=area, inside=inside, glider=0)
                    for weapon in self.weapons.carried[unit]
                ]
            )
        return new

    def take_off(self, unit: str, status: UnitStatus) -> None:
        """Take ``unit`` off the map; what it carried stays where it stood."""
        old = self.units[unit]
        new = replace(
            old,
            status=status,
            suppressed=False,
            engaged=0,
            area=old.area if status in ("wreck", "dead") else "",
            came=0,
            bank="",
        )
        self._stand(old, new)
        if old.status == "map":
            self._settle_control(old.area)
        for weapon in self.weapons.carried.get(unit, ()):
            self.change_weapon(weapon.id, carrier="")

    def change_weapon(self, weapon: str, **fields: Any) -> AreaWeapon:
        """Change a weapon: how it is, where it lies, who carries it."""
        old = self.weapons[weapon]
        new = replace(old, **fields)
        if new.carrier != old.carrier or new.status != old.status:
            # Laid down among enemies it is still its side's, if any of that side stays there.
            laid_down = new.status == "map" and not new.carrier and new.place in self.british
            new = replace(new, held=self.held_by(BRITISH, new.place) if laid_down else "")
        self.weapons = self.weapons.having(new)
        return new

    def book(self, **amounts: Any) -> None:
        """Enter amounts into the ledger; a number is added, a tuple appended."""
        self.ledger = replace(
            self.ledger,
            **{name: getattr(self.ledger, name) + amount for name, amount in amounts.items()},
        )

    def place_vehicle(self, area: str) -> None:
        """Count a glider that has come down in ``area``."""
        self.vehicles[area] = self.vehicles.get(area, 0) + 1

    def _stand(self, old: Unit, new: Unit) -> None:
        """Keep ``new`` in place of ``old``, and list it where it stands now."""
        self.units[new.id] = new
        places = self.places_of(new.side)
        if old.status == "map":
            ids = places[old.place]
            ids.remove(old.id)
            if not ids:
                del places[old.place]
        if new.status == "map":
            places.setdefault(new.place, []).append(new.id)
        if new.kind in VEHICLES:
            self._count_vehicle(old, -1)
            self._count_vehicle(new, 1)

    def _count_vehicle(self, unit: Unit, number: int) -> None:
        """Add ``number`` to the vehicles of its area if a tank or the Mercedes stands there."""
        if unit.status in ("map", "wreck"):
            count = self.vehicles.get(unit.area, 0) + number
            self.vehicles[unit.area] = count
            if not count:
                del self.vehicles[unit.area]

    def _settle_control(self, area: str) -> None:
        """Give the area to the side that occupies it alone; its bunker too. Rule: ST-VIC-02."""
        places = (area, self.rules.bunker_in[area]) if area in self.geo.has_bunker else (area,)
        for place in places:
            if (place in self.british) != (place in self.german):
                side: SideName = BRITISH if place in self.british else GERMAN
                if self.control.get(place) != side:
                    self.control = {**self.control, place: side}
                # It has the weapons there now. Rule: AMB-124.
                for weapon in self.weapons.at.get(place, ()):
                    if weapon.held:
                        self.weapons = self.weapons.having(replace(weapon, held=""))

    # -- closing ------------------------------------------------------------------------

    def end(self) -> State:
        """Return the state with which the next phase begins."""
        return next_phase(self.close())

    def close(self, **fields: Any) -> State:
        """Return the situation as a state, with ``fields`` changed."""
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
