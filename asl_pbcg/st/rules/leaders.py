"""Leaders: for whom each is appropriate, and the Leader Casualty Table. Rule: ST-SUP-09."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.area_terms import BRITISH, SideName
from asl_pbcg.st.board.places import BUNKER
from asl_pbcg.st.rules.area_results import LeaderCasualty
from asl_pbcg.st.rules.decision import note, throw
from asl_pbcg.st.rules.game_state import Unit
from asl_pbcg.st.rules.phase_situation import Situation
from asl_pbcg.st.rules.rules import british_order
from asl_pbcg.st.settings import Settings

HICKMAN = "hickman"
SCHMIDT = "schmidt"
PRIDAY = "priday"


def commands(settings: Settings, leader: Unit, unit: Unit) -> bool:
    """Tell whether ``leader`` is an appropriate leader for ``unit``, never for himself.

    Rule: ST-SUP-09, ST-SUP-10.
    """
    if leader.kind != "leader" or leader.id == unit.id or leader.side != unit.side:
        return False
    if leader.side == BRITISH:
        if leader.id == unit.under or leader.id == british_order().commander_of_all:
            return True
        return leader.id == PRIDAY and settings.priday_commands == "all"
    if not (unit.combat or unit.kind == "leader"):
        return False
    return leader.id == SCHMIDT or (leader.id == HICKMAN and unit.kind == "garrison")


def is_led(sit: Situation, unit: Unit, active: bool = False) -> bool:
    """Tell whether an appropriate leader (an ``active`` one: not suppressed) stands with ``unit``.

    Rule: ST-LDR-02, ST-LDR-05, AMB-107.
    """
    return any_led(sit, (unit,), active)


def any_led(
    sit: Situation, units: Sequence[Unit], active: bool = False, unhurt: bool = False
) -> bool:
    """Tell whether an appropriate leader stands with one of ``units``, who are of one side.

    It counts once; ``active`` leaves out the suppressed, ``unhurt`` the wounded. Rule: ST-LDR-04.
    """
    if not units:
        return False
    leaders = all_leaders()
    there = sit.british if units[0].side == BRITISH else sit.german
    for unit in units:
        ids = there.get(unit.area + BUNKER if unit.inside else unit.area, ())
        if leaders.isdisjoint(ids):
            continue
        for id in leaders.intersection(ids):
            leader = sit.units[id]
            if (active and leader.suppressed) or (unhurt and leader.wounded):
                continue
            if commands(sit.settings, leader, unit):
                return True
    return False


@cache
def all_leaders() -> frozenset[str]:
    """Return the leaders of both sides, wherever they are."""
    ours = [unit.id for unit in british_order().units if unit.kind == "leader"]
    return frozenset([*ours, SCHMIDT, HICKMAN])


def leaders_at(sit: Situation, side: SideName, place: str) -> list[Unit]:
    """Return the leaders of ``side`` at one place, in id order."""
    ids = (sit.british if side == BRITISH else sit.german).get(place, ())
    return [sit.units[id] for id in sorted(all_leaders().intersection(ids))]


def kill_leader(sit: Situation, leader: str) -> None:
    """Take a killed leader off the map and book it. Rule: ST-LDR-10."""
    unit = sit.units[leader]
    sit.take_off(leader, "dead")
    sit.change(leader, lost=unit.sp)
    if unit.side == BRITISH:
        sit.book(leaders=1)
    else:
        sit.book(german_leaders=1)


def casualty_roll(sit: Situation, leader: str) -> Script[None]:
    """Roll ``leader`` on the Leader Casualty Table. Rule: ST-LDR-07, ST-LDR-09."""
    unit = sit.units[leader]
    rolled = yield throw(sit, "leader_casualty", f"Leader casualty, {unit.name}", side=unit.side)
    result = LeaderCasualty(rolled.result)
    if result is LeaderCasualty.KILLED or (result is LeaderCasualty.WOUNDED and unit.wounded):
        kill_leader(sit, leader)
        yield note(sit, f"{unit.name} is killed.", "ST-LDR-10")
    elif result is LeaderCasualty.WOUNDED:
        sit.change(leader, wounded=True)
        yield note(sit, f"{unit.name} is wounded.", "ST-LDR-08")


def casualty_check(sit: Situation, side: SideName, place: str) -> Script[None]:
    """Roll for each leader of ``side`` at ``place`` after an SP loss there. Rule: ST-LDR-06."""
    for leader in leaders_at(sit, side, place):
        yield from casualty_roll(sit, leader.id)
