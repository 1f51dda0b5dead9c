"""Opportunity Fire in both Movement Phases, and which Germans may fire and how they serve guns.

Rule: ST-OPF-01 to ST-OPF-10, ST-GRN-06, ST-MGF-01, ST-GAR-01.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Sequence
from operator import attrgetter
from typing import Any, Final

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Option, Script, ask_some
from asl_pbcg.kernel.topic import Topic
from asl_pbcg.st.area_terms import BRITISH, GERMAN, SideName
from asl_pbcg.st.procedures.fire import (
    Target,
    Volley,
    crews,
    left_of,
    shoot,
    small_arms_sp,
    target_name,
    targets_at,
)
from asl_pbcg.st.procedures.garrisons import attack_unit, british_fires, release
from asl_pbcg.st.procedures.losses import disturb
from asl_pbcg.st.procedures.odds import fire_odds
from asl_pbcg.st.state.area_tables import Spotting
from asl_pbcg.st.state.decision import Decision, decide, note, throw_on
from asl_pbcg.st.state.game_state import Unit
from asl_pbcg.st.state.phase_situation import Situation


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
            rolled = yield from throw_on(
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


ID: Final = attrgetter("id")


def moving_targets(sit: Situation, movers: Sequence[str]) -> list[Target]:
    """Return the targets in a moving stack: each combat unit or car, or its leaders if alone.

    With the setting stack_opportunity_fire "one", the strongest alone. Rule: ST-OPF-04, AMB-110.
    """
    if len(movers) == 1:
        alone = sit.units[movers[0]]
        aimed = alone.status == "map" and alone.kind != "tank"
        return [Target(alone.place, (alone.id,))] if aimed else []
    units = [unit for unit in map(sit.units.__getitem__, movers) if unit.status == "map"]
    bodies = [unit for unit in units if unit.combat or unit.kind == "mercedes"]
    if not bodies:
        leaders = tuple([unit.id for unit in units if unit.kind == "leader"])
        return [Target(units[0].place, leaders)] if leaders else []
    if len(bodies) > 1 and sit.settings.stack_opportunity_fire == "one":
        bodies = [max(bodies, key=lambda unit: (unit.strength, unit.id))]
    return [Target(unit.place, (unit.id,)) for unit in bodies]


def german_firers(sit: Situation, area: str) -> Script[list[Unit]]:
    """Return the Germans that fire on what has moved into ``area``; held ones look first.

    Rule: ST-OPF-01, ST-OPF-09, ST-OPF-10, ST-GRN-07.
    """
    reacting = [unit for unit in _units_near(sit, GERMAN, area) if may_react(sit, unit)]
    held = [unit for unit in reacting if unit.force and holds_fire(sit, unit)]
    if not held:
        return reacting
    yield from look_out(sit, held, adjacent=sit.settings.spotting == "both")
    found = [sit.units[unit.id] for unit in reacting]
    return [unit for unit in found if not holds_fire(sit, unit)]


def _units_near(sit: Situation, side: SideName, area: str) -> list[Unit]:
    """Return the units of ``side`` in ``area`` or next to it, in id order."""
    places = sit.places_of(side)
    near = places.keys() & sit.rules.near_places[area]
    return sorted([sit.units[id] for place in near for id in places[place]], key=ID)


def german_opportunity_fire(sit: Situation, movers: Sequence[str]) -> Script[None]:
    """The Germans fire on British ``movers`` that have just entered their place. ST-OPF-01."""
    firers = yield from german_firers(sit, sit.units[movers[0]].area)
    if not firers:
        return
    for target in moving_targets(sit, movers):
        target = left_of(sit, target)
        if not target.units:
            continue
        yield from disturb(sit, *target.units)
        volley = volley_of(sit, firers)
        if volley.sp > 0:
            beside = _standing_there(sit, BRITISH, target, movers) if volley.mg else []
            yield from disturb(sit, *(unit for each in beside for unit in each.units))
            gunners = gunners_among(sit, firers) if beside else ()
            yield from shoot(sit, volley, target, opportunity=True, spread=beside, gunners=gunners)
            for firer in volley.units:
                mark_fired(sit, firer)


def _standing_there(
    sit: Situation, side: SideName, target: Target, movers: Sequence[str]
) -> list[Target]:
    """Return whom an MG's Opportunity Fire affects besides those who moved in. AMB-128."""
    if sit.settings.mg_opportunity_fire == "movers":
        return []
    there = targets_at(sit, side, target.place)
    return [each for each in there if not {*movers, *target.units}.intersection(each.units)]


def british_firers(sit: Situation, area: str) -> list[Unit]:
    """The unsuppressed British combat units in ``area`` or next to it, in id order. ST-OPF-01."""
    near = _units_near(sit, BRITISH, area)
    return [unit for unit in near if unit.combat and not unit.suppressed]


def firing_choices(sit: Situation, firers: Sequence[Unit]) -> dict[str, tuple[str, str]]:
    """Return the answers for who fires: a unit's small arms, or an MG with its crew.

    Maps each answer to the unit and the MG (empty for small arms). An MG that has fired in this
    Fire Phase is left out. Rule: ST-MGF-01, ST-MGF-03.
    """
    found: dict[str, tuple[str, str]] = {unit.id: (unit.id, "") for unit in firers}
    for unit in firers:
        if unit.combat:
            for mg in sit.weapons_at(BRITISH, unit.place, "mg"):
                if mg.id not in sit.shots:
                    found[f"{mg.id}+{unit.id}"] = (unit.id, mg.id)
    return found


def british_volley(
    sit: Situation, answers: Sequence[str], choices: dict[str, tuple[str, str]]
) -> Volley:
    """Return the volley of the chosen units and MGs. Rule: ST-MGF-02, ST-MGF-03."""
    pairs = [choices[answer] for answer in answers]
    crew = [unit for unit, mg in pairs if mg]
    small = mg_sp = 0
    units, at_crews = sit.units, sit.at_crews
    for id, mg in pairs:
        unit = units[id]
        if mg:
            mg_sp += sit.n.mg_sp
        elif unit.kind == "leader":
            small += sit.n.leaders_alone_sp
        elif crew or at_crews:
            small += small_arms_sp(sit, unit, id in crew, id in at_crews)
        else:
            small += unit.strength
    return Volley(tuple(dict(pairs)), small, mg_sp)


def one_gun_each(choices: dict[str, tuple[str, str]]) -> Any:
    """Return a check that no MG is fired twice and nobody fires two. Rule: ST-MGF-01."""

    def verify(answers: list[str]) -> list[str]:
        guns = [choices[answer] for answer in answers if choices[answer][1]]
        if len({mg for _, mg in guns}) < len(guns):
            raise IllegalAnswer("One unit fires an MG, not two.", "ST-MGF-01")
        if len({unit for unit, _ in guns}) < len(guns):
            raise IllegalAnswer("A unit fires one MG, not two.", "ST-MGF-01")
        return answers

    return verify


def british_opportunity_fire(sit: Situation, movers: Sequence[str]) -> Script[None]:
    """The player may fire on German ``movers`` that have just entered their area. ST-OPF-09.

    Small arms do nothing to a tank, so nobody is asked for one.
    """
    first = sit.units[movers[0]]
    if first.status != "map":
        return
    area = first.area
    for target in moving_targets(sit, movers):
        target = left_of(sit, target)
        firers = british_firers(sit, area) if target.units else []
        if not firers:
            continue
        choices = firing_choices(sit, firers)
        answers = yield from ask_some(_who_fires(sit, target, choices))
        if not answers:
            continue
        volley = british_volley(sit, answers, choices)
        if volley.sp <= 0:
            yield note(sit, "Nobody has SP to fire with.", "ST-FIR-06")
            continue
        for unit in volley.units:
            yield from british_fires(sit, unit)
        hit = True
        for unit in target.units:
            hit = (yield from attack_unit(sit, unit)) and hit
        if not hit:
            continue
        beside = []
        for each in _standing_there(sit, GERMAN, target, movers) if volley.mg else ():
            if (yield from attack_unit(sit, each.units[0])):
                beside.append(each)
        gunners = {choices[answer][0] for answer in answers if choices[answer][1]}
        yield from shoot(sit, volley, target, opportunity=True, spread=beside, gunners=gunners)


def _who_fires(sit: Situation, target: Target, choices: dict[str, tuple[str, str]]) -> Decision:
    """Return the question who gives Opportunity Fire on ``target``."""

    def draw(source: random.Random) -> list[str]:
        """All with their small arms, or nobody."""
        if source.random() < 0.8:
            return [answer for answer, (_, mg) in choices.items() if not mg]
        return []

    return decide(
        "opportunity_fire",
        f"{target_name(sit, target)} has moved in. Who fires on it? All who fire combine.",
        rule="ST-OPF-04",
        situation=sit,
        ids=tuple(choices),
        choices=(target, choices),
        pieces=target.units,
        build=lambda: [
            firer_option(sit, answer, choices, target, opportunity=True) for answer in choices
        ],
        kind="choose-some",
        help="Name the units, or none to hold fire.",
        verify=one_gun_each(choices),
        draw=draw,
    )


def firer_option(
    sit: Situation,
    answer: str,
    choices: dict[str, tuple[str, str]],
    target: Target,
    opportunity: bool = False,
) -> Option:
    """One firer as people read it, with the odds of its fire alone."""
    unit, mg = choices[answer]
    volley = british_volley(sit, [answer], choices)
    found = sit.units[unit]
    text = f"{sit.weapons[mg].name}, fired by {found.name}" if mg else found.name
    return Option(
        answer,
        f"{text} ({volley.sp} SP)",
        consequence=f"from {sit.geo.text(found.area)}",
        odds=fire_odds(sit, volley, target, opportunity) if volley.sp > 0 else {},
        topic=Topic(places=(found.area,), pieces=(unit,)),
    )
