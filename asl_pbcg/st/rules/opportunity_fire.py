"""Opportunity Fire in both Movement Phases. Rule: ST-OPF-01 to ST-OPF-10."""

from __future__ import annotations

import random
from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Final

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Option, Script
from asl_pbcg.st.area_terms import BRITISH, GERMAN, SideName
from asl_pbcg.st.rules.decision import Decision, decide, note
from asl_pbcg.st.rules.fire import (
    Target,
    Volley,
    left_of,
    shoot,
    small_arms_sp,
    target_name,
    targets_at,
)
from asl_pbcg.st.rules.game_state import Unit
from asl_pbcg.st.rules.garrisons import attack_unit, british_fires
from asl_pbcg.st.rules.german_guns import (
    gunners_among,
    holds_fire,
    look_out,
    mark_fired,
    may_react,
    volley_of,
)
from asl_pbcg.st.rules.losses import disturb
from asl_pbcg.st.rules.odds import fire_odds
from asl_pbcg.st.rules.phase_situation import Situation

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
        answers = yield _who_fires(sit, target, choices)
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
    )
