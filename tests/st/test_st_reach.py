"""Where a stack can go: MP as the rules count them, and the odds of the Opportunity Fire known."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from st_help import british, come_in, garrison, german, give, run, situation

from asl_pbcg.st.british.british_options import action_options
from asl_pbcg.st.british.reach import watch_on, ways
from asl_pbcg.st.procedures.fire import Target
from asl_pbcg.st.procedures.movement import (
    action,
    allowance,
    legal_actions,
    moves,
    moves_together,
    pay_for_move,
)
from asl_pbcg.st.procedures.odds import fire_chances
from asl_pbcg.st.rules.p3_british_movement import take
from asl_pbcg.st.state.decision import TableRoll
from asl_pbcg.st.state.game_state import Pow
from asl_pbcg.st.state.phase_situation import Situation


def walked(sit: Situation, unit: str) -> dict[str, int]:
    """The least MP to each area, by walking every way there is."""
    found: dict[str, int] = {}
    start, most = sit.units[unit].area, allowance(sit, sit.units[unit])

    def walk(spent: int) -> None:
        here = sit.units[unit].area
        for move in moves(sit, sit.units[unit], most - spent).values():
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


def risk_of(sit: Situation, area: str, *units: str) -> Fraction:
    return ways(sit, [sit.units[unit] for unit in units])[area].quickest.risk


def results_at(sit: Situation, area: str, unit: str) -> Callable[[str], Fraction]:
    """The chance of results of the fire on one who enters, by how they begin."""
    chances = fire_chances(sit, watch_on(sit, area).volley, Target(area, (unit,)), opportunity=True)
    return lambda first: sum(
        (chance for result, chance in chances.items() if result[0] in first), Fraction(0)
    )


@pytest.mark.rule("ST-LDR-01", "ST-LDR-07")
@pytest.mark.parametrize(("setting", "dice"), [("each", 2), ("one", 1)])
def test_leaders_alone_are_hurt_by_the_dice_of_the_casualty_table(setting: str, dice: int) -> None:
    """Half of its rolls hurt nobody; who is suppressed is hurt for sure."""
    sit = situation(leaders_alone_loss=setting)
    british(sit, "N7", "sweeney", "priday")
    german(sit, "N10", "infantry-01", "infantry-02")
    chance = results_at(sit, "N10", "sweeney")
    assert chance("123")
    expected = chance("S") + chance("123") * (1 - Fraction(1, 2) ** dice)
    assert risk_of(sit, "N10", "sweeney", "priday") == expected


@pytest.mark.rule("ST-OPF-04")
def test_the_risk_of_a_stack_is_that_of_whom_the_setting_lets_fire_fall_on() -> None:
    for setting, times in (("each", 2), ("one", 1)):
        sit = situation(stack_opportunity_fire=setting)
        british(sit, "N7", "sweeney-platoon", "fox-platoon")
        german(sit, "N10", "infantry-01")
        chance = results_at(sit, "N10", "fox-platoon")
        well = (1 - chance("S123")) ** times
        assert risk_of(sit, "N10", "sweeney-platoon", "fox-platoon") == 1 - well


@pytest.mark.rule("ST-OPF-01")
def test_tanks_are_watched_where_they_fire_by_the_setting() -> None:
    for setting in (False, True):
        sit = situation(7, tanks_opportunity_fire=setting)
        german(sit, "XR", "tank-1")
        assert (watch_on(sit, "XR").volley.sp > 0) is setting


@pytest.mark.rule("ST-GRN-06")
@pytest.mark.parametrize(("setting", "firing"), [("force", 2), ("unit", 1)])
def test_reinforcements_that_are_met_hold_their_fire_no_more(setting: str, firing: int) -> None:
    sit = situation(8, fire_release=setting)
    german(sit, "RD1", "infantry-01", force=True)
    german(sit, "EF", "infantry-02", force=True)
    beside, among = watch_on(sit, "N10"), watch_on(sit, "RD1")
    assert (len(beside.volley.units), beside.waiting) == (0, 2)
    assert (len(among.volley.units), among.waiting) == (firing, 2 - firing)
    british(sit, "RD1", "wood-platoon")
    played = run(come_in(sit, "wood-platoon"), [1] if setting == "force" else [3, 1])
    fire, _ = played.rolls[-1]
    assert isinstance(fire, TableRoll) and set(fire.by) == set(among.volley.units)


@pytest.mark.rule("ST-POW-06")
def test_a_pow_that_has_walked_goes_no_further_with_another_guard() -> None:
    """It has 1 MP left; its new guard has 2, and no way of two areas."""
    sit = situation()
    british(sit, "N4", "wood-platoon")
    british(sit, "N7", "fox-platoon")
    sit.pows = sit.pows.having(Pow(id="pow-b3", name="POW from B3", escort="wood-platoon"))
    far = set(ways(sit, [sit.units["wood-platoon"]]))
    pay_for_move(sit, ["wood-platoon"], action("move", "N7", 1))
    sit.put("wood-platoon", "N7")
    take(sit, "fox-platoon", "pow-b3")
    fox = sit.units["fox-platoon"]
    assert far and allowance(sit, fox) == 2
    legal = {move.target for move in moves(sit, fox, 2).values() if move.kind == "move"}
    assert set(ways(sit, [fox])) == legal


@pytest.mark.rule("ST-MOV-04", "ST-OPF-04", "ST-LDR-01")
def test_a_step_of_a_stack_tells_the_mp_of_its_slowest_and_the_fire_on_who_fights() -> None:
    """Brotheridge comes first by his id; with his platoon he is not a target by himself."""
    sit = situation()
    british(sit, "N7", "brotheridge", "brotheridge-platoon", "wood")
    sit.change("wood", wounded=True)
    german(sit, "N10", "infantry-01", "infantry-02")
    stack = ("brotheridge", "brotheridge-platoon", "wood")
    alone = ("brotheridge",)
    for units, left, loss in ((stack, 0, "1 SP"), (alone, 2, "Casualty rolls")):
        legal = moves_together(sit, [sit.units[unit] for unit in units])
        option = next(each for each in action_options(sit, units, legal) if each.id == "move N10")
        assert f"2 MP, {left} left" in option.consequence
        assert loss in option.odds


@pytest.mark.rule("ST-MOV-20")
def test_nobody_walks_out_of_a_bunker() -> None:
    sit = situation()
    british(sit, "B4", "sweeney-platoon", inside=True)
    assert ways(sit, [sit.units["sweeney-platoon"]]) == {}
    assert "leave-bunker" in [each.id for each in legal_actions(sit, sit.units["sweeney-platoon"])]
