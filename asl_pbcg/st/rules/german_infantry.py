"""German infantry, garrisons and leaders on foot. Rule: ST-GMV-01 to ST-GMV-08."""

from __future__ import annotations

from asl_pbcg.kernel.prompts import Script
from asl_pbcg.st.rules.decision import note
from asl_pbcg.st.rules.fire import crews
from asl_pbcg.st.rules.german_ways import Approach, choose_end
from asl_pbcg.st.rules.move import move, spend
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.state import Unit
from asl_pbcg.st.terms import BRITISH, GERMAN


def may_move(sit: Situation, unit: Unit) -> bool:
    """Whether a German may move now: active, not suppressed, not engaged. ST-GMV-08, ST-SUP-02."""
    return (
        not unit.face_down
        and not unit.suppressed
        and unit.status == "map"
        and unit.engaged < sit.turn
    )


def allowance(sit: Situation, unit: Unit, mg: str) -> int:
    """The MP of a German on foot. Rule: ST-MOV-03, ST-MOV-04, ST-MOV-06."""
    mp = sit.n.mp_wounded if unit.wounded else sit.n.mp_german
    return mp + (sit.n.mp_carrying_mg if mg else 0)


def mg_bearers(sit: Situation) -> dict[str, str]:
    """Which German unit takes which MG along, the strongest of a stack first. Rule: ST-MOV-05."""
    found: dict[str, str] = {}
    for place in sit.german.keys() & sit.weapons.at.keys():
        stack = [u for u in sit.at(GERMAN, place) if u.combat and may_move(sit, u)]
        if stack:
            mgs = sit.weapons_at(GERMAN, place, "mg")
            for unit, mg in zip(crews(stack, len(mgs)), mgs, strict=False):
                found[unit.id] = mg.id
    return found


def keeps_to_gun(sit: Situation, unit: Unit, mg: str) -> bool:
    """Whether a crew holds its gun since British are near (only as set). Rule: AMB-46."""
    if not sit.settings.garrison_holds_weapon:
        return sit.settings.german == "resolute" and _serves_a_gun(sit, unit, mg)
    if not mg:
        at_gun = sit.weapons_at(GERMAN, unit.place, "at")
        stack = [each for each in sit.at(GERMAN, unit.place) if each.combat]
        crew = min(stack, key=lambda each: (each.strength, each.id), default=None)
        if not at_gun or crew is None or crew.id != unit.id:
            return False
    return any(sit.is_occupied(BRITISH, near) for near in sit.geo.near[unit.area])


def _serves_a_gun(sit: Situation, unit: Unit, mg: str) -> bool:
    """Whether a garrison has a gun to stay with: the resolute German holds it. Rule: RES-4."""
    if unit.kind != "garrison":
        return False
    return bool(mg or sit.weapons_at(GERMAN, unit.place, "at"))


def walk(sit: Situation, approach: Approach, unit: str, mg: str = "") -> Script[None]:
    """Move one German on foot step by step toward the British. Rule: ST-GMV-01 to ST-GMV-05.

    A unit that cannot go its whole way yet keeps the MP for when it can (AMB-122).
    """
    found = sit.units[unit]
    if keeps_to_gun(sit, found, mg):
        return
    mp = allowance(sit, found, mg) - sit.spent.get(unit, 0)
    route = choose_end(sit, approach, found, mp) if mp > 0 else None
    if route is None:
        return
    goal = approach.goal(found)
    if found.inside and not (yield from _leave_bunker(sit, found, mg)):
        return
    end = route.areas[-1]
    yield note(
        f"{found.name} moves from {found.area} to {sit.geo.text(end)}"
        f"{' with the ' + sit.weapons[mg].name if mg else ''}: {approach.why(goal)} "
        f"{sit.geo.text(goal)}.",
        "ST-GMV-01",
    )
    spend(sit, unit, route.mp)
    for area in route.areas:
        yield from move(sit, (unit,), area, mg=mg)
        moved = sit.units[unit]
        if moved.status != "map" or moved.suppressed or sit.is_occupied(BRITISH, area):
            return


def _leave_bunker(sit: Situation, unit: Unit, mg: str) -> Script[bool]:
    """Come out of the bunker, which costs nothing; whether it can go on. Rule: ST-MOV-20."""
    fire = sit.settings.bunker_opportunity_fire
    yield from move(sit, (unit.id,), unit.area, mg=mg, fire=fire)
    moved = sit.units[unit.id]
    return moved.status == "map" and not moved.suppressed
