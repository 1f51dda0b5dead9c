"""The rules of one game as its scripts use them: settings, map, numbers, orders of battle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from asl_pbcg.kernel.typed_data import data_file, unless_known
from asl_pbcg.st.area_terms import BUNKER, Kind, numbers
from asl_pbcg.st.board.geometry import geometry_of
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.settings import Settings
from asl_pbcg.st.state.area_tables import FireLine, fire_line
from asl_pbcg.st.state.game_state import AreaWeapon


class RosterUnit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the British Unit Roster."""

    id: str
    roster: int
    name: str
    kind: Kind
    sp: int
    grenades: int = 0
    under: str = ""


class BritishForce(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A British reinforcement force. Rule: ST-BRN-02."""

    infantry: int
    weapons: tuple[str, ...]


class BritishArrivals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The British reinforcements and their turns of entry."""

    entry: str
    leader: str
    forces: dict[str, BritishForce]
    entry_turns: dict[str, dict[str, int]]
    historical: str


class BritishOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The British order of battle, ``data/st/british.yaml``."""

    units: tuple[RosterUnit, ...]
    weapons: tuple[AreaWeapon, ...]
    commander_of_all: str
    gliders: dict[int, tuple[str, ...]]
    lines: dict[str, tuple[int, ...]]
    glider_not_used_in_full_history: int
    reinforcements: BritishArrivals


class Chit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A German set-up chit. Rule: ST-SET-22."""

    garrisons: int
    dummies: int
    schmidt: str
    hickman: str = ""
    wiring: dict[str, int] = {}
    infantry: dict[str, int] = {}
    tanks: int = 0


class GermanForce(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A German reinforcement force; None is all that remains. Rule: ST-GRN-02."""

    tanks: int | None
    infantry: int | None


class GermanHistory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The historical German game. Rule: ST-SET-17."""

    chit: str
    force: str
    difficulty: str


class GermanOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The German order of battle, ``data/st/german.yaml``."""

    difficulties: dict[str, tuple[str, ...]]
    historical: GermanHistory
    mgs: tuple[str, ...]
    at_gun: str
    chits: dict[str, Chit]
    schmidt_entry: str
    mercedes_exit: str
    march_exit: str
    retreat_order: tuple[str, ...]
    forces: dict[str, GermanForce]
    entry_turns: dict[str, dict[str, int]]


class FireLines(NamedTuple):
    """The lines of the fire table under the reading of one game."""

    smallarms: FireLine
    tank_at: FireLine
    piat: FireLine
    gammon: FireLine


def _check_british(order: BritishOrder) -> Iterator[tuple[str, str]]:
    units = [unit.id for unit in order.units]
    weapons = [weapon.id for weapon in order.weapons]
    yield from unless_known("commander_of_all", order.commander_of_all, units, "unit")
    for unit in order.units:
        if unit.under:
            yield from unless_known(f"units.{unit.id}.under", unit.under, units, "unit")
    for number, load in order.gliders.items():
        for id in load:
            yield from unless_known(f"gliders.{number}", id, [*units, *weapons], "unit or weapon")
    for edge, line in order.lines.items():
        for number in line:
            yield from unless_known(f"lines.{edge}", number, order.gliders, "glider")
    arrivals = order.reinforcements
    yield from unless_known("reinforcements.leader", arrivals.leader, units, "unit")
    yield from unless_known("reinforcements.historical", arrivals.historical, arrivals.forces,
                            "force")  # fmt: skip
    for name, force in arrivals.forces.items():
        for id in force.weapons:
            yield from unless_known(f"reinforcements.forces.{name}.weapons", id, weapons, "weapon")


def _check_german(order: GermanOrder) -> Iterator[tuple[str, str]]:
    for name, chits in order.difficulties.items():
        for chit in chits:
            yield from unless_known(f"difficulties.{name}", chit, order.chits, "set-up chit")
    past = order.historical
    yield from unless_known("historical.chit", past.chit, order.chits, "set-up chit")
    yield from unless_known("historical.force", past.force, order.forces, "force")
    yield from unless_known("historical.difficulty", past.difficulty, order.difficulties,
                            "difficulty")  # fmt: skip
    for reading, turns in order.entry_turns.items():
        for force in turns:
            yield from unless_known(f"entry_turns.{reading}", force, order.forces, "force")


BRITISH_ORDER: Final = data_file("st/british.yaml", BritishOrder, _check_british)
GERMAN_ORDER: Final = data_file("st/german.yaml", GermanOrder, _check_german)


def british_order() -> BritishOrder:
    """Return the British order of battle."""
    return BRITISH_ORDER.content


def german_order() -> GermanOrder:
    """Return the German order of battle."""
    return GERMAN_ORDER.content


class Rules:
    """Everything that stays the same during one game."""

    def __init__(self, area_map: GameMap, settings: Settings) -> None:
        self.settings = settings
        self.geo = geometry_of(area_map, settings)
        self.n = numbers()
        self.fire = FireLines(*(fire_line(line, settings.fire_table) for line in FireLines._fields))
        self.fire_free_turn = (
            self.n.fire_free_turn_historical if settings.historical else self.n.fire_free_turn
        )
        self.bunker_in: dict[str, str] = {area: area + BUNKER for area in self.geo.names}
        """The place inside the bunker of an area."""
        self.near_places: dict[str, frozenset[str]] = {
            area: frozenset(place for each in near for place in (each, self.bunker_in[each]))
            for area, near in self.geo.near.items()
        }
        """For each area its place, those next to it and the bunkers of all of them."""
        self.step_places: dict[str, frozenset[str]] = {
            area: frozenset(
                place
                for each in (area, *self.geo.solid[area], *self.geo.arrows[area])
                for place in (each, self.bunker_in[each])
            )
            for area in self.geo.names
        }
        """For each area its place, those that a step or arrow leads to, and their bunkers."""
        self.roster: dict[str, RosterUnit] = {unit.id: unit for unit in british_order().units}
        self.at_gun = german_order().at_gun
        self.piats = tuple(w.id for w in british_order().weapons if w.kind == "piat")
        self.headquarters = tuple(u.id for u in british_order().units if u.kind == "hq")
        self.by_number: dict[str, str] = {str(u.roster): u.id for u in british_order().units}
        """The units by the number on their counters."""
        self.squads = dict(_squads_of_platoons(british_order().units))
        """For each platoon that may split, its squads. Rule: ST-BRK-04."""
        self.platoon_of = {squad: unit for unit, pair in self.squads.items() for squad in pair}


def _squads_of_platoons(
    units: Sequence[RosterUnit],
) -> Iterator[tuple[str, tuple[str, str]]]:
    for unit in units:
        squads = [each.id for each in units if each.kind == "squad" and each.under == unit.under]
        if unit.kind == "platoon" and squads:
            yield unit.id, (squads[0], squads[1])
