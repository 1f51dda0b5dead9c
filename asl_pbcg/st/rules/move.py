"""Units go from place to place in a Movement Phase, and the enemy reacts. Rule: ST-OPF-01."""

from __future__ import annotations

from collections.abc import Sequence

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.area_terms import BRITISH, GERMAN
from asl_pbcg.st.rules.garrisons import activate_near, capture_schmidt, release
from asl_pbcg.st.rules.legal import STEPS, Action, moves, mp_left
from asl_pbcg.st.rules.opportunity_fire import british_opportunity_fire, german_opportunity_fire
from asl_pbcg.st.rules.phase_situation import Situation


def spend(sit: Situation, unit: str, mp: int) -> None:
    """Take ``mp`` from what ``unit`` has left in this phase. Rule: ST-MOV-27."""
    sit.spent[unit] = sit.spent.get(unit, 0) + mp


def pay_for_move(sit: Situation, units: Sequence[str], action: Action) -> None:
    """Let British units pay for a move, each what it costs it alone. Rule: ST-MOV-27.

    An MG and POWs that go along slow their unit down. Rule: ST-MOV-06, ST-POW-04, ST-POW-06.
    """
    mps = [action.mp]
    if len(units) > 1:
        stack = [sit.units[unit] for unit in units]
        mps = [moves(sit, unit, mp_left(sit, unit))[action.id].mp for unit in stack]
    for unit, mp in zip(units, mps, strict=True):
        spend(sit, unit, mp)
        if action.kind not in STEPS:
            continue
        if unit in sit.weapons.mg_bearers:
            sit.carried_mg.add(unit)
        for pow in sit.pows_of(unit):
            sit.pow_moved[pow.id] = sit.pow_moved.get(pow.id, 0) + mp
            sit.slowed.add(unit)


def move(
    sit: Situation,
    units: Sequence[str],
    area: str,
    *,
    inside: bool = False,
    mg: str = "",
    fire: bool = True,
) -> Script[None]:
    """Bring ``units`` of one side to a place together; the enemy near it reacts.

    A German takes ``mg`` along. Without ``fire`` they draw no Opportunity Fire.
    """
    for unit in units:
        sit.put(unit, area, inside)
        if mg:
            carry_mg(sit, unit, mg)
    british = sit.units[units[0]].side == BRITISH
    enemies = sit.german if british else sit.british
    if enemies.keys().isdisjoint(sit.rules.near_places[area]):
        return
    if british:
        yield from _germans_react(sit, units, area, fire)
        return
    if sit.is_occupied(BRITISH, area):
        for unit in units:
            yield from release(sit, unit, "enters an area with British")
    if fire:
        yield from british_opportunity_fire(sit, units)


def _germans_react(sit: Situation, units: Sequence[str], area: str, fire: bool) -> Script[None]:
    """Turn up the counters near British who have moved, give up Schmidt alone, fire on them.

    Rule: ST-GAR-02, ST-MER-10, ST-OPF-01, ST-OPF-06.
    """
    yield from activate_near(sit, area)
    if sit.is_occupied(GERMAN, area):
        yield from capture_schmidt(sit, area, units[0])
    if fire:
        yield from german_opportunity_fire(sit, units)


def carry_mg(sit: Situation, unit: str, mg: str) -> None:
    """Bring an MG to where its German bearer stands."""
    bearer = sit.units[unit]
    held = sit.held_by(GERMAN, bearer.place)
    sit.change_weapon(mg, area=bearer.area, inside=bearer.inside, held=held)
