"""The resolute German, a variant of ours: retakes what was lost, masses before it attacks.

Its rules RES-1 to RES-8 and their numbers stand in ``data/st/resolute.yaml``; it is played by the
same scripts as the rules' own Germans.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.kernel.typed_data import DataFile, read_typed, unless_known
from asl_pbcg.st.area_terms import BRITISH, GERMAN, is_bunker
from asl_pbcg.st.board.geometry import FAR
from asl_pbcg.st.germans.german_advance import Approach, Route, may_move
from asl_pbcg.st.state.decision import note
from asl_pbcg.st.state.game_state import Unit
from asl_pbcg.st.state.phase_situation import Situation


class ResoluteNumbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of ``data/st/resolute.yaml``."""

    mass_ratio: float
    suppressed_share: float
    holders: int
    late_turn: int
    late_holders: int
    grenades: int
    grenade_least: int
    storm_share: float
    assault_ratio: float
    obstruction_sp: int


class _Number(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    value: int | float
    rule: str
    text: str


class _Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rules: dict[str, str]
    numbers: dict[str, _Number]


class ResoluteFile(msgspec.Struct, frozen=True):
    """``data/st/resolute.yaml``: the rules in our own words, by number, and their numbers."""

    rules: Mapping[str, str]
    numbers: ResoluteNumbers


def _read_variant(raw: Any, source: str) -> ResoluteFile:
    found = read_typed(raw, _Variant, source)
    values = {name: each.value for name, each in found.numbers.items()}
    numbers = read_typed(values, ResoluteNumbers, source, part="numbers")
    for name, each in found.numbers.items():
        for key, wrong in unless_known(f"numbers.{name}.rule", each.rule, found.rules, "rule here"):
            raise PBCGError(f"{source}, {key}: {wrong}.")
    return ResoluteFile(found.rules, numbers)


RESOLUTE: Final = DataFile("st/resolute.yaml", _read_variant)


def resolute_numbers() -> ResoluteNumbers:
    """Return the numbers of the variant."""
    return RESOLUTE.content.numbers


def resolute_rules() -> Mapping[str, str]:
    """Return the rules of the variant in our own words, by number."""
    return RESOLUTE.content.rules


def prized_places(sit: Situation) -> list[str]:
    """Return the bridges that can be entered and the pillbox, most wanted first. Rule: RES-1."""
    geo = sit.geo
    wanted = (geo.pegasus, geo.ranville_bridge, geo.pillbox)
    return [area for area in wanted if area != geo.pegasus or sit.bridge != "destroyed"]


def lost_places(sit: Situation) -> list[str]:
    """Return those of them that the British control. Rule: RES-1."""
    return [area for area in prized_places(sit) if sit.control.get(area) == BRITISH]


def approach_of(sit: Situation) -> Approach:
    """Return how the Germans of this game choose their ways."""
    return Resolute(sit) if sit.settings.german == "resolute" else Approach(sit)


def wake_column(sit: Situation) -> Script[None]:
    """From their entry the reinforcements march on the bridges as if attacked. Rule: RES-1."""
    if sit.settings.german != "resolute" or sit.triggered:
        return
    if any(unit.force and unit.status in ("map", "waiting") for unit in sit.units.values()):
        sit.triggered = True
        goal = "what the British have taken" if lost_places(sit) else "the bridges and the pillbox"
        yield note(sit, f"The German reinforcements march on {goal}.", "RES-1")


class Resolute(Approach):
    """The approach of the resolute German. Rule: RES-1, RES-2, RES-3, RES-6 to RES-9."""

    enters_alone = True

    def __init__(self, sit: Situation) -> None:
        self.sit = sit
        self._numbers = resolute_numbers()
        self._stormed = {area for area in sit.areas_of(BRITISH) if self._can_storm(area)}
        """Areas whose bunker the Germans attack with grenades. Rule: RES-7."""
        super().__init__(sit)
        self._lost = lost_places(sit)
        self._kept_free = {area for lost in self._lost for area in (lost, *sit.geo.solid[lost])}
        """The areas that tanks leave to the infantry. Rule: RES-6."""
        self._holding: set[str] = set()
        """The infantry that stays where it stands. Rule: RES-3."""
        late = sit.turn >= self._numbers.late_turn or not self._lost
        most = self._numbers.late_holders if late else self._numbers.holders
        self._wanted = list(self._lost)
        """Where the reinforcements go."""
        for area in prized_places(sit):
            there = sorted(u.id for u in sit.at(GERMAN, area) if u.combat and not u.face_down)
            self._holding.update(there[:most])
            if late and area not in self._wanted and len(there) < most:
                self._wanted.append(area)

    def meets(self, area: str) -> bool:
        """Tell whether British stop Germans there. Rule: RES-7, RES-9.

        Those in the open do, unless they are a mere obstruction; of those in a bunker alone who is
        stormed.
        """
        in_open = area in self.sit.british and not self._is_obstruction(area)
        return in_open or area in self._stormed

    def _is_obstruction(self, area: str) -> bool:
        """Tell whether the British in an area are too few to be worth an attack. Rule: RES-9."""
        sp = sum(unit.strength for unit in self.sit.in_area(BRITISH, area) if unit.combat)
        return sp < self._numbers.obstruction_sp

    def watches(self, area: str) -> bool:
        """Tell whether British there, more than an obstruction, could fire next door. RES-9."""
        return super().watches(area) and not self._is_obstruction(area)

    def must_stay(self, unit: Unit) -> bool:
        """Tell whether ``unit`` has British to fight where it stands. Rule: RES-7, RES-9."""
        bunker = self.sit.rules.bunker_in[unit.area]
        storms = unit.grenades > 0 and self.grenade_worth(bunker) > 0
        return storms or (unit.area in self.sit.british and self.meets(unit.area))

    def _can_storm(self, area: str) -> bool:
        """Tell whether the Germans who can be there have grenades enough for a bunker. RES-7."""
        sit = self.sit
        away = sit.geo.away(area)
        grenades = sum(
            unit.grenades
            for unit in sit.on_map(GERMAN)
            if may_move(sit, unit) and away.get(unit.area, FAR) < sit.n.mp_german
        )
        sp = self.grenade_worth(sit.rules.bunker_in[area])
        return sp > 0 and grenades >= self._numbers.storm_share * sp

    def halt(self, unit: Unit, end: str, ways: Mapping[str, Route], mp: int) -> str:
        """Stop next to British in cover if a grenade can be thrown at them from there. RES-8."""
        left = mp - self.sit.n.cost_grenade
        if not (unit.grenades and end in self.british and self.grenade_worth(end)):
            return end
        stops = [
            (not self.sit.is_obstructed(area), way[0], area)
            for area, way in ways.items()
            if end in self.sit.geo.solid[area] and way[0] <= left and not self.meets(area)
        ]
        return min(stops)[2] if stops else end

    def grenade_at(self, unit: Unit) -> str:
        """Return the place of most British SP in its area or next door that is worth one. RES-8."""
        if not unit.grenades or unit.suppressed or unit.status != "map":
            return ""
        places = [unit.area, self.sit.rules.bunker_in[unit.area], *self.sit.geo.solid[unit.area]]
        worth, place = max((self.grenade_worth(place), place) for place in places)
        return place if worth else ""

    def grenade_worth(self, place: str) -> int:
        """Return the British SP at ``place`` that a grenade may hit; 0 if it is kept. RES-8.

        In the open it is thrown at British who can fire, in a bunker at all of them.
        """
        inside = is_bunker(place)
        units = self.sit.at(BRITISH, place)
        sp = sum(unit.strength for unit in units if unit.combat and (inside or not unit.suppressed))
        return sp if sp >= self._numbers.grenade_least else 0

    def goal(self, unit: Unit) -> str:
        """Return where ``unit`` heads for. Rule: RES-1, RES-3, RES-7.

        A bunker that it can storm this turn, else the lost place it reaches with least MP, else
        the nearest British.
        """
        if unit.id in self._holding:
            return ""
        if unit.grenades:
            bunkers = [(self.mp_to(unit.area, area), area) for area in self._stormed]
            mp, bunker = min(bunkers, default=(FAR, ""))
            if mp <= self.sit.n.mp_german and self.may_attack(unit, bunker):
                return bunker
        if unit.force or unit.kind == "infantry":
            ways = [(self.mp_to(unit.area, area), at, area) for at, area in enumerate(self._wanted)]
            if ways and min(ways)[0] < FAR:
                return min(ways)[2]
        return self.target(unit.area)

    def why(self, goal: str) -> str:
        """Return why a unit heads for ``goal``."""
        if goal in self._stormed:
            return "it storms the bunker of"
        if goal in self._wanted and goal not in self.british:
            return "it goes to retake or hold"
        return super().why(goal)

    def nearest(self, area: str) -> int:
        """MP to the nearest lost place, for tanks; to the nearest British if nothing is lost."""
        ways = [self.mp_to(area, lost) for lost in self._lost]
        return min(ways, default=FAR) if ways and min(ways) < FAR else super().nearest(area)

    def may_attack(self, unit: Unit, area: str) -> bool:
        """Tell whether the Germans mass against the British in ``area``. Rule: RES-2."""
        bunker_alone = area not in self.sit.british
        return bunker_alone or self._masses(area, self._numbers.mass_ratio)

    def may_wait(self, unit: Unit, area: str) -> bool:
        """Tell whether reinforcements gather in ``area``. Rule: RES-2.

        They do where no British could fire, and next to British whom they assault.
        """
        if not unit.force or not self.watched(area):
            return True
        near = [there for there in self.sit.geo.solid[area] if there in self.sit.british]
        return any(self._masses(there, self._numbers.assault_ratio) for there in near)

    def may_stop(self, tank: Unit, area: str) -> bool:
        """Tell whether a tank there leaves the infantry its way, or takes an empty place. RES-6."""
        return area not in self._kept_free or (area in self._lost and not self.meets(area))

    def _masses(self, area: str, ratio: float) -> bool:
        """Tell whether the Germans who can be there have ``ratio`` times the British SP."""
        sit = self.sit
        ours = 0.0
        for unit in sit.on_map(GERMAN):
            near = self.mp_to(unit.area, area) <= sit.n.mp_german + sit.n.cost_enemy_occupied
            if unit.kind == "tank" and area in sit.geo.near[unit.area]:
                ours += sit.n.tank_mg_sp
            elif unit.combat and (unit.area == area or (near and may_move(sit, unit))):
                ours += unit.strength
        theirs = 0.0
        for unit in sit.in_area(BRITISH, area):
            share = self._numbers.suppressed_share if unit.suppressed else 1.0
            theirs += share * (unit.strength if unit.combat else 0)
        return ours >= ratio * theirs
