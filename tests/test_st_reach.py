"""Where a stack can go: MP as the rules count them, and the odds of the Opportunity Fire known."""

from __future__ import annotations

from fractions import Fraction

import pytest
from st_help import british, garrison, german, give, situation

from asl_pbcg.st.actions import actions, allowance, moves
from asl_pbcg.st.fire import Target
from asl_pbcg.st.odds import fire_chances
from asl_pbcg.st.reach import watch_on, ways
from asl_pbcg.st.situation import Situation


def walked(sit: Situation, unit: str) -> dict[str, int]:
    """The least MP to each area, by walking every way there is."""
    found: dict[str, int] = {}
    start, most = sit.units[unit].area, allowance(sit, sit.units[unit])

    def walk(spent: int) -> None:
        here = sit.units[unit].area
        for move in moves(sit, sit.units[unit], most - spent):
            if move.kind not in ("move", "arrow"):
                continue
            paid = spent + move.mp
            if move.target != start and paid < found.get(move.target, 99):
                found[move.target] = paid
            sit.put(unit, move.target)
            walk(paid)
            sit.put(unit, here)

    walk(0)
    return found


@pytest.mark.rule("ST-MOV-08", "ST-MOV-12", "ST-MOV-13", "ST-MOV-14")
@pytest.mark.parametrize("start", ["N7", "RD1", "S9", "NH1", "LP2"])
def test_the_least_mp_to_every_area(start: str) -> None:
    sit = situation()
    british(sit, start, "sweeney-platoon")
    german(sit, "N10", "infantry-01", suppressed=True)
    german(sit, "RD2", "infantry-02", suppressed=True)
    give(sit, "mg-1", "sweeney-platoon")
    sit.change_weapon("mg-1", area=start, inside=False)
    expected = walked(sit, "sweeney-platoon")
    found = ways(sit, [sit.units["sweeney-platoon"]])
    assert {area: both.quickest.mp for area, both in found.items()} == expected
    assert all(both.safest.mp >= both.quickest.mp for both in found.values())


@pytest.mark.rule("ST-MOV-27", "ST-OPF-04")
def test_a_stack_goes_as_far_as_its_slowest() -> None:
    sit = situation()
    british(sit, "N7", "sweeney-platoon", "sweeney")
    sit.change("sweeney", wounded=True)
    units = [sit.units["sweeney-platoon"], sit.units["sweeney"]]
    assert set(ways(sit, units)) == set(ways(sit, units[1:])) < set(ways(sit, units[:1]))


@pytest.mark.rule("ST-OPF-01", "ST-OPF-10", "ST-GAR-02")
def test_the_risk_is_that_of_the_fire_on_each_step() -> None:
    sit = situation()
    british(sit, "N7", "sweeney-platoon")
    german(sit, "N10", "infantry-01")
    garrison(sit, "PX", face_down=True)
    unit = sit.units["sweeney-platoon"]
    found = ways(sit, [unit])
    harm = {}
    for area in ("N6", "N11", "EF"):
        watch = watch_on(sit, area)
        chances = fire_chances(sit, watch.volley, Target(area, (unit.id,)), opportunity=True)
        harm[area] = sum(chance for result, chance in chances.items() if result != "-")
    n6 = found["N6"].quickest
    assert (n6.path, n6.risk, n6.hidden) == (("N6",), harm["N6"], 1)
    assert found["B3"].quickest.risk == 0
    assert found["N4"].quickest.risk == 0
    two = ways(sit, [unit, sit.units["sweeney-platoon"]])["N6"].quickest
    assert two.risk == 1 - (1 - harm["N6"]) ** 2 and isinstance(two.risk, Fraction)


@pytest.mark.rule("ST-MOV-20")
def test_nobody_walks_out_of_a_bunker() -> None:
    sit = situation()
    british(sit, "B4", "sweeney-platoon", inside=True)
    assert ways(sit, [sit.units["sweeney-platoon"]]) == {}
    assert "leave-bunker" in [each.id for each in actions(sit, sit.units["sweeney-platoon"])]
