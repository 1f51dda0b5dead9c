"""Opportunity Fire in both Movement Phases. Rule: ST-OPF-01 to ST-OPF-10."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Option, Script
from asl_pbcg.st.decision import Decision, decide, note
from asl_pbcg.st.fire import Target, Volley, shoot, small_arms_sp, target_name
from asl_pbcg.st.garrisons import attack_unit, british_fires
from asl_pbcg.st.german_guns import holds_fire, look_out, may_react, volley_of
from asl_pbcg.st.losses import disturb
from asl_pbcg.st.odds import fire_odds
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.state import Unit
from asl_pbcg.st.terms import BRITISH


def moving_targets(sit: Situation, movers: Sequence[str]) -> list[Target]:
    """What of a moving stack is fired on: each combat unit or car, or its leaders if alone.

    With the setting stack_opportunity_fire "one", the strongest alone. Rule: ST-OPF-04, AMB-110.
    """
    units = [sit.units[mover] for mover in movers if sit.units[mover].status == "map"]
    bodies = [unit for unit in units if unit.combat or unit.kind == "mercedes"]
    if not bodies:
        leaders = tuple(unit.id for unit in units if unit.kind == "leader")
        return [Target(units[0].place, leaders)] if leaders else []
    if sit.settings.stack_opportunity_fire == "one":
        bodies = [max(bodies, key=lambda unit: (unit.strength, unit.id))]
    return [Target(unit.place, (unit.id,)) for unit in bodies]


def german_firers(sit: Situation, area: str) -> Script[list[Unit]]:
    """The Germans that fire on what has moved into ``area``; held ones look first.

    Rule: ST-OPF-01, ST-OPF-09, ST-OPF-10, ST-GRN-07.
    """
    german = sit.german
    units = sit.units
    found = [
        units[id]
        for place in sit.rules.near_places[area].intersection(german)
        for id in german[place]
        if may_react(sit, units[id])
    ]
    if not found:
        return found
    found.sort(key=lambda unit: unit.id)
    held = [unit for unit in found if holds_fire(sit, unit)]
    if not held:
        return found
    yield from look_out(sit, held, adjacent=sit.settings.spotting == "both")
    return [units[unit.id] for unit in found if not holds_fire(sit, units[unit.id])]


def german_opportunity_fire(sit: Situation, movers: Sequence[str]) -> Script[None]:
    """The Germans fire on British ``movers`` that have just entered their place. ST-OPF-01."""
    area = sit.units[movers[0]].area
    firers = yield from german_firers(sit, area)
    if not firers:
        return
    for target in moving_targets(sit, movers):
        alive = tuple(unit for unit in target.units if sit.units[unit].status == "map")
        if not alive:
            continue
        for unit in alive:
            yield from disturb(sit, unit)
        volley = volley_of(sit, firers)
        if volley.sp > 0:
            yield from shoot(sit, volley, Target(target.place, alive), opportunity=True)
            for firer in volley.units:
                sit.change(firer, fired=sit.turn)


def british_firers(sit: Situation, area: str) -> list[Unit]:
    """The unsuppressed British combat units in ``area`` or next to it, in id order. ST-OPF-01."""
    british = sit.british
    units = sit.units
    found: list[Unit] = []
    for place in sit.rules.near_places[area].intersection(british):
        for id in british[place]:
            unit = units[id]
            if unit.combat and not unit.suppressed:
                found.append(unit)
    found.sort(key=lambda unit: unit.id)
    return found


def firing_choices(sit: Situation, firers: Sequence[Unit]) -> dict[str, tuple[str, str]]:
    """The answers for who fires: a unit's small arms, or an MG with its crew.

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
    """The volley of the chosen units and MGs. Rule: ST-MGF-02, ST-MGF-03."""
    crew = {unit for unit, mg in (choices[answer] for answer in answers) if mg}
    small = mg_sp = 0
    units: dict[str, None] = {}
    for answer in answers:
        unit, mg = choices[answer]
        units[unit] = None
        if mg:
            mg_sp += sit.n.mg_sp
        elif sit.units[unit].kind == "leader":
            small += sit.n.leaders_alone_sp
        else:
            small += small_arms_sp(sit, sit.units[unit], unit in crew, unit in sit.at_crews)
    return Volley(tuple(units), small, mg_sp)


def one_gun_each(choices: dict[str, tuple[str, str]]) -> Any:
    """A check that no MG is fired twice and nobody fires two. Rule: ST-MGF-01."""

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
    if first.status != "map" or sit.british.keys().isdisjoint(sit.rules.near_places[first.area]):
        return
    for target in moving_targets(sit, movers):
        alive = tuple(unit for unit in target.units if sit.units[unit].status == "map")
        firers = british_firers(sit, first.area) if alive else []
        if not firers:
            continue
        shown = Target(target.place, alive)
        choices = firing_choices(sit, firers)
        answers = yield _opportunity_decision(sit, shown, choices)
        if not answers:
            continue
        volley = british_volley(sit, answers, choices)
        if volley.sp <= 0:
            yield note("Nobody has SP to fire with.", "ST-FIR-06")
            continue
        for unit in volley.units:
            yield from british_fires(sit, unit)
        hit = True
        for unit in alive:
            hit = (yield from attack_unit(sit, unit)) and hit
        if hit:
            yield from shoot(sit, volley, shown, opportunity=True)


def _opportunity_decision(
    sit: Situation, target: Target, choices: dict[str, tuple[str, str]]
) -> Decision:
    verify = one_gun_each(choices)
    plain = [answer for answer, (_, mg) in choices.items() if not mg]

    def draw(source: Any) -> list[str]:
        return plain if source.random() < 0.8 else []

    def build() -> list[Option]:
        return [firer_option(sit, answer, choices, target, opportunity=True) for answer in choices]

    return decide(
        "opportunity_fire",
        f"{target_name(sit, target)} has moved in. Who fires on it? All who fire combine.",
        rule="ST-OPF-04",
        situation=sit,
        ids=tuple(choices),
        choices=(target, choices),
        subject=target.units,
        build=build,
        kind="choose-some",
        verify=verify,
        draw=draw,
        help="Name the units, or none to hold fire.",
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
