"""The odds that the automatic British player computes: of what it can see, exactly.

Nothing here looks under a face-down counter; such a counter counts as half a garrison.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import fsum

from asl_pbcg.st.area_terms import GERMAN
from asl_pbcg.st.british.orders import all_firers
from asl_pbcg.st.procedures.assaults import gammon_wrecks, grenade_given
from asl_pbcg.st.procedures.fire import Target, Volley
from asl_pbcg.st.procedures.german_guns import british_volley, holds_fire
from asl_pbcg.st.procedures.movement import Action
from asl_pbcg.st.procedures.odds import fire_chances
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.state.area_tables import FireLine, Loss, odds, read_fight, read_hit, table
from asl_pbcg.st.state.game_state import Unit
from asl_pbcg.st.state.phase_situation import Situation

SUPPRESSED_WORTH = 0.9
"""A suppressed enemy counts as so many SP lost: it is out of the fight for a turn or two."""
FULL_SP = 8.0
"""SP of a whole platoon, by which danger is measured."""
HIDDEN_SP = 2.0
"""SP that a face-down counter counts: half of them are dummies."""


def expected_loss(chances: Mapping[str, Fraction], strength: float) -> float:
    """SP that a result costs on average, suppression among them, at most ``strength``."""
    total = 0.0
    for result, chance in chances.items():
        worth = _result_worth(result)
        if worth:
            total += float(chance) * (worth if worth < strength else strength)
    return total


@cache
def _result_worth(result: str) -> float:
    """SP that a result costs who has many."""
    hit = read_hit(result)
    return SUPPRESSED_WORTH if hit.suppressed else float(hit.loss)


def seen_sp(unit: Unit) -> float:
    """Return the SP of a German as the player may reckon it."""
    if unit.face_down:
        return HIDDEN_SP
    return float(unit.strength) if unit.combat else 1.0


def germans(sit: Situation, area: str) -> float:
    """Return the German SP seen in an area, its bunker too."""
    if not sit.is_occupied(GERMAN, area):
        return 0.0
    return sum(map(seen_sp, sit.in_area(GERMAN, area)))


def dangers(sit: Situation) -> dict[str, float]:
    """Return the danger of all areas that Germans in sight could fire into (:func:`danger`)."""
    fire = {area: _fire_from(sit, area) for area in sit.areas_of(GERMAN)}
    reached = {near for area in fire for near in sit.geo.near[area]}
    return {area: _danger(sit, area, fire) for area in reached}


def danger(sit: Situation, area: str, strength: float = FULL_SP) -> float:
    """Return the SP that Opportunity Fire costs a unit that moves into ``area``, on average."""
    if sit.german.keys().isdisjoint(sit.rules.near_places[area]):
        return 0.0
    near = [there for there in sit.geo.near[area] if sit.is_occupied(GERMAN, there)]
    fire = {there: _fire_from(sit, there) for there in near}
    return min(strength, _danger(sit, area, fire))


def _danger(sit: Situation, area: str, fire: Mapping[str, tuple[float, float]]) -> float:
    """Return the danger of an area to a whole platoon; ``fire`` is that out of each area."""
    sp = 0.0
    for near in sit.geo.near[area]:
        small, mg = fire.get(near, (0.0, 0.0))
        sp += small
        if sp:
            sp += mg
    return _fire_cost(sit.rules.fire.smallarms, round(sp), sit.is_obstructed(area)) if sp else 0.0


def _fire_from(sit: Situation, area: str) -> tuple[float, float]:
    """Return the SP of small arms and of MGs that Germans in sight could fire out of an area."""
    small = mg = 0.0
    for place in (area, sit.rules.bunker_in[area]):
        if place not in sit.german:
            continue
        there = sit.at(GERMAN, place)
        for unit in there:
            if unit.combat and not unit.suppressed and not holds_fire(sit, unit):
                small += HIDDEN_SP * 0.5 if unit.face_down else unit.strength
        mg += 3.0 * min(len(sit.weapons_at(GERMAN, place, "mg")), len(there))
    return small, mg


@cache
def _fire_cost(line: FireLine, sp: int, obstructed: bool) -> float:
    """Return the SP that ``sp`` of Opportunity Fire cost on average."""
    given: dict[str, bool | str] = {"sp": line.column(max(1, sp)), "adjacent": True}
    given["opportunity_fire"] = True
    given["obstructed" if obstructed else "open"] = True
    return expected_loss(odds(line.table, given), FULL_SP)


def fire_worth(sit: Situation, volley: Volley, target: Target) -> float:
    """SP that a volley costs its target on average."""
    unit = sit.units[target.id]
    if volley.sp <= 0:
        return 0.0
    chances = fire_chances(sit, volley, target)
    if unit.kind == "mercedes":
        return fsum(2.0 * float(c) for result, c in chances.items() if read_hit(result).loss)
    return expected_loss(chances, seen_sp(unit))


def best_firers(
    sit: Situation, target: Target, choices: Mapping[str, tuple[str, str]]
) -> list[str]:
    """Return all firers with every MG served, or only those in the target's area if better."""
    near = {key: pair for key, pair in choices.items() if sit.units[pair[0]].area == target.area}

    def worth(answers: Sequence[str]) -> float:
        return fire_worth(sit, british_volley(sit, answers, dict(choices)), target)

    return max((all_firers(choices), all_firers(near)), key=worth)


def grenade_worth(sit: Situation, unit: Unit, action: Action) -> float:
    """SP that a grenade costs the Germans at its target on average."""
    bunker = action.kind == "grenade-bunker"
    place = sit.rules.bunker_in[action.target] if bunker else action.target
    there = sit.at(GERMAN, place)
    strength = sum(seen_sp(each) for each in there if each.kind != "tank")
    given = grenade_given(sit, unit, action.target, bunker)
    chances = odds(table("grenade"), given)
    total = expected_loss(chances, strength)
    if any(each.kind == "tank" for each in there) and not any(each.combat for each in there):
        points = victory_chart().points["tank"].value
        total += points * fsum(float(c) for result, c in chances.items() if read_hit(result).hard)
    return total


def gammon_worth(sit: Situation, kind: str) -> float:
    """VP that a gammon bomb brings on average."""
    chances = odds(sit.rules.fire.gammon.table)
    points = victory_chart().points["tank"].value if kind == "tank" else 1
    return points * fsum(float(c) for result, c in chances.items() if gammon_wrecks(result, kind))


@cache
def melee_worth(column: str, drm: int) -> float:
    """How a hand-to-hand fight goes: share of the Germans lost less share of the British lost."""
    share = {Loss.NONE: 0.0, Loss.HALF: 0.5, Loss.ALL: 1.0}
    grid = table("hand_to_hand")
    total = 0.0
    for face in range(1, 7):
        row = grid.row(face + drm, {})
        result = read_fight(grid.result(row, {"odds": column}))
        if result is not None:
            british, german = result
            total += share[german] - share[british]
    return total / 6
