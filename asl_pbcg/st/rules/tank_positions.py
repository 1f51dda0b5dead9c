"""A tank that begins its turn in a British prepared position on the road. ST-TNK-08 to 10."""

from __future__ import annotations

from asl_pbcg.kernel.prompts import Option, Script
from asl_pbcg.st.area_terms import BRITISH, GERMAN, GERMAN_INFANTRY
from asl_pbcg.st.rules.area_results import TankInPosition
from asl_pbcg.st.rules.decision import decide, note, throw
from asl_pbcg.st.rules.demolition import tank_on_bridge
from asl_pbcg.st.rules.move import move
from asl_pbcg.st.rules.phase_situation import Situation
from asl_pbcg.st.rules.rules import german_order
from asl_pbcg.st.rules.tank_panic import exit_of
from asl_pbcg.st.rules.vehicles import road_step, vehicle_mp


def break_position(sit: Situation, tank: str) -> Script[bool]:
    """Settle the roll if there is one; whether the tank's move is over with it. ST-TNK-08."""
    found = sit.units[tank]
    area = found.area
    if not (sit.at(BRITISH, area) and sit.position_of(BRITISH, area) and area in sit.geo.roads):
        return False
    sit.spent[tank] = sit.n.mp_german
    stacked = any(unit.kind in GERMAN_INFANTRY for unit in sit.at(GERMAN, area))
    rolled = yield throw(
        sit,
        "prepared_position_tank",
        f"{found.name} in the prepared position of {sit.geo.text(area)}",
        {"german_infantry": True} if stacked else {},
        side=GERMAN,
        where=area,
    )
    if rolled.result == TankInPosition.STAYS:
        return True
    goal = sit.geo.entry(german_order().march_exit)
    if found.retreat:
        goal = exit_of(sit, area, road=True)
    there, cost = road_step(sit, area, goal)
    if not there:
        return True
    pay = vehicle_mp(sit, there, cost, tank=True)
    if pay is None or pay > sit.n.mp_german:
        yield note(sit, f"{found.name} cannot go on: the road ahead is blocked.", "ST-TNK-10")
        return True
    del sit.positions[area]
    sit.book(positions_removed=1)
    yield note(sit, f"{found.name} breaks through the prepared position.", "ST-TNK-10")
    yield from displace(sit, area)
    yield from move(sit, (tank,), there)
    yield from tank_on_bridge(sit, tank)
    return True


def displace(sit: Situation, area: str) -> Script[None]:
    """The British leave the road; the player picks where to. No fire. Rule: ST-TNK-10."""
    open_to = sorted(
        there
        for there in sit.geo.solid[area]
        if there not in sit.geo.roads and there not in sit.geo.flight
    )
    if not open_to:
        yield note(sit, "The British have nowhere to go and stay.", "ST-TNK-10")
        return
    there = open_to[0]
    if len(open_to) > 1:
        there = yield decide(
            "displaced_to",
            f"The British in {sit.geo.text(area)} are pushed off the road. Where to?",
            rule="ST-TNK-10",
            situation=sit,
            ids=tuple(open_to),
            build=lambda: [Option(id, sit.geo.text(id)) for id in open_to],
            pieces=tuple(sorted(unit.id for unit in sit.at(BRITISH, area))),
        )
    for unit in sorted(sit.at(BRITISH, area), key=lambda unit: unit.id):
        sit.put(unit.id, there)
    yield note(sit, f"The British fall back to {sit.geo.text(there)}.", "ST-TNK-10")
