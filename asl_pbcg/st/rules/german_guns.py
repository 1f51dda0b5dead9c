"""Which Germans may fire and how they serve their guns. Rule: ST-GRN-06, ST-MGF-01, ST-GAR-01."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.area_terms import BRITISH, GERMAN
from asl_pbcg.st.rules.area_results import Spotting
from asl_pbcg.st.rules.decision import throw
from asl_pbcg.st.rules.fire import Volley, crews, small_arms_sp
from asl_pbcg.st.rules.game_state import Unit
from asl_pbcg.st.rules.garrisons import release
from asl_pbcg.st.rules.phase_situation import Situation


def holds_fire(sit: Situation, unit: Unit) -> bool:
    """Tell whether a reinforcement still has to hold its fire. Rule: ST-GRN-06."""
    return unit.force and not unit.released and sit.turn < sit.rules.fire_free_turn


def awake(unit: Unit) -> bool:
    """Tell whether a German unit may act at all: turned up and not suppressed. Rule: ST-GAR-01."""
    return not unit.face_down and not unit.suppressed


def mark_fired(sit: Situation, unit: str) -> None:
    """``unit`` has fired this turn, perhaps not for the first time. Rule: ST-TAT-12."""
    if sit.units[unit].fired != sit.turn:
        sit.change(unit, fired=sit.turn)


def may_react(sit: Situation, unit: Unit) -> bool:
    """Tell whether a German unit can give Opportunity Fire at all, if it does not hold its fire.

    Rule: ST-OPF-01, ST-OPF-10, ST-GAR-04.
    """
    if not awake(unit) or unit.no_opportunity_fire == sit.turn:
        return False
    return unit.combat or (sit.settings.tanks_opportunity_fire and unit.kind == "tank")


def spot(sit: Situation, unit: Unit) -> Script[bool]:
    """A reinforcement that holds its fire looks for the British next to it.

    One die for each adjacent British unit or leader, until one is spotted. British in its own
    area release it without a roll. Rule: ST-GRN-06, ST-GRN-07.
    """
    if sit.is_occupied(BRITISH, unit.area):
        yield from release(sit, unit.id, "meets the British")
        return True
    if sit.british.keys().isdisjoint(sit.rules.near_places[unit.area]):
        return False
    table = "spotting.tank" if unit.kind == "tank" else "spotting.infantry"
    for near in sit.geo.aware[unit.area]:
        if not sit.is_occupied(BRITISH, near):
            continue
        for seen in sorted([each.id for each in sit.in_area(BRITISH, near)]):
            rolled = yield throw(
                sit,
                table,
                f"{unit.name} in {sit.geo.text(unit.area)} looks for {sit.units[seen].name}",
                side=GERMAN,
                where=unit.area,
            )
            if rolled.result == Spotting.SPOTS:
                yield from release(sit, unit.id, "spots the British", alone=True)
                return True
    return False


def look_out(sit: Situation, units: Iterable[Unit], adjacent: bool = True) -> Script[None]:
    """Those of ``units`` that hold their fire look for the British, who meets them first.

    That frees the whole force: who is free then looks for nobody. Without ``adjacent`` nobody
    looks next to him. Rule: ST-GRN-06, ST-GRN-07, AMB-47.
    """
    for unit in sorted(units, key=lambda unit: not sit.is_occupied(BRITISH, unit.area)):
        found = sit.units[unit.id]
        if holds_fire(sit, found) and (adjacent or sit.is_occupied(BRITISH, found.area)):
            yield from spot(sit, found)


def volley_of(sit: Situation, units: Iterable[Unit]) -> Volley:
    """Return the small arms and MGs of German ``units``, wherever they stand. Rule: ST-MGF-01."""
    by_place: dict[str, list[Unit]] = {}
    for unit in units:
        place = unit.place
        if place in by_place:
            by_place[place].append(unit)
        else:
            by_place[place] = [unit]
    small = mg = 0
    firers: list[str] = []
    for place, stack in by_place.items():
        serving = _serving(sit, place, stack)
        for unit in stack:
            firers.append(unit.id)
            if unit.kind == "tank":
                mg += sit.n.tank_mg_sp
            elif unit.id in serving:
                mg += sit.n.mg_sp
                small += small_arms_sp(sit, unit, mg=True)
            else:
                small += unit.strength
    return Volley(tuple(firers), small, mg)


def _serving(sit: Situation, place: str, stack: Iterable[Unit]) -> Collection[str]:
    """Return who of a German stack serves an MG. Rule: ST-MGF-01."""
    guns = len(sit.weapons_at(GERMAN, place, "mg"))
    return {unit.id for unit in crews([unit for unit in stack if unit.combat], guns)}


def gunners_among(sit: Situation, units: Sequence[Unit]) -> set[str]:
    """Return who of German ``units`` fires an MG: its crews and tanks. Rule: ST-MGF-01."""
    found = {unit.id for unit in units if unit.kind == "tank"}
    for place in {unit.place for unit in units}:
        found.update(_serving(sit, place, [unit for unit in units if unit.place == place]))
    return found
