"""Fire combat: targets, combined fire, modifiers, MGs, results; Opportunity Fire."""

from __future__ import annotations

from typing import Any

import pytest
from sentences import Tells
from st_help import british, come_in, garrison, german, give, legal, run, situation

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.st.british.british_options import attack_options
from asl_pbcg.st.british.orders import all_firers
from asl_pbcg.st.procedures.fire import (
    Target,
    Volley,
    apply_hit,
    fire_given,
    on_line,
    shoot,
    small_arms_sp,
    target_sp,
    targets_at,
)
from asl_pbcg.st.procedures.german_guns import (
    british_opportunity_fire,
    british_volley,
    firing_choices,
    german_opportunity_fire,
    volley_of,
)
from asl_pbcg.st.procedures.gun_fire import attacks
from asl_pbcg.st.procedures.losses import wreck_tank
from asl_pbcg.st.procedures.movement import legal_actions, move
from asl_pbcg.st.procedures.odds import fire_chances, fire_odds
from asl_pbcg.st.rules.p3_british_movement import carry_out
from asl_pbcg.st.rules.p5_british_fire import british_fire
from asl_pbcg.st.rules.p6_german_fire import best_targets, german_fire, targets_near
from asl_pbcg.st.state.area_tables import read_hit
from asl_pbcg.st.state.game_state import PreparedPosition
from asl_pbcg.st.state.phase_situation import Situation


def fire(sit: Situation, dice: list[int], answers: list[Any]) -> Any:
    return run(british_fire(sit.rules, sit.close()), dice, answers)


def given(sit: Situation, firers: list[str], target: str, opportunity: bool = False) -> set[str]:
    unit = sit.units[target]
    found = fire_given(
        sit, [sit.units[f] for f in firers], Target(unit.place, (target,)), opportunity
    )
    return {name for name, holds in found.items() if holds}


# -- who fires at what --------------------------------------------------------------------


@pytest.mark.rule("ST-FIR-01", "ST-SEQ-11")
def test_fire_reaches_the_same_and_adjacent_areas() -> None:
    sit = situation(2, "british_fire")
    british(sit, "CAF", "wood-platoon", "sapper-1", "hq-1")
    german(sit, "CAF", "infantry-01")
    german(sit, "XR", "infantry-02")
    german(sit, "EF", "infantry-03")  # by the dashed line
    german(sit, "RD1", "infantry-04")
    found = attacks(sit, set())
    assert {a.target.id for a in found} == {"infantry-01", "infantry-02", "infantry-03"}
    assert all(a.firers == ("hq-1", "sapper-1", "wood-platoon") for a in found)
    closed = situation(2, "british_fire", dashed_lines_adjacent=False)
    british(closed, "CAF", "wood-platoon")
    german(closed, "EF", "infantry-03")
    assert attacks(closed, set()) == []


@pytest.mark.rule("ST-FIR-02", "ST-FIR-03", "ST-FIR-05")
def test_each_unit_fires_once_and_one_target_draws_one_attack() -> None:
    sit = situation(2, "british_fire")
    british(sit, "EF", "wood-platoon", "fox-platoon", "smith-platoon")
    german(sit, "RD1", "infantry-01", "infantry-02")
    played = fire(
        sit,
        [1, 1],
        ["small-arms infantry-02", ["wood-platoon", "fox-platoon"], "small-arms infantry-01"],
    )
    # 16 SP together; then only one unit is left, for the other target.
    assert [roll.given["sp"] for roll, _ in played.rolls] == ["15-20", "5-8"]
    assert "fire" in played.points


@pytest.mark.rule("ST-FIR-05", "ST-FIR-06")
def test_combined_sp_set_the_column() -> None:
    sit = situation(2, "british_fire")
    british(sit, "EF", "wood-platoon", "sapper-1")
    british(sit, "N10", "fox-platoon", lost=5)
    german(sit, "RD1", "infantry-01")
    played = fire(sit, [6], ["small-arms infantry-01", ["wood-platoon", "sapper-1", "fox-platoon"]])
    assert played.rolls[0][0].given["sp"] == "11-14"


@pytest.mark.rule("ST-SEQ-13", "ST-SUP-03")
def test_only_unsuppressed_germans_fire() -> None:
    sit = situation(6, "german_fire")
    british(sit, "EF", "wood-platoon")
    german(sit, "RD1", "infantry-01", suppressed=True)
    run(german_fire(sit.rules, sit.close()))
    sit.change("infantry-01", suppressed=False)
    assert run(german_fire(sit.rules, sit.close()), [1]).tables == ["fire_combat"]


# -- German targets -----------------------------------------------------------------------


@pytest.mark.rule("ST-FIR-04", "ST-GMV-07")
def test_german_target_order() -> None:
    sit = situation(6, "german_fire")
    german(sit, "CAF", "infantry-01")
    british(sit, "CAF", "sapper-1")
    british(sit, "PB", "wood-platoon")
    british(sit, "XR", "fox-platoon")
    near = targets_near(sit, "CAF")
    assert [t.id for t in best_targets(sit, "CAF", near)] == ["sapper-1"]
    sit.take_off("sapper-1", "pool")
    # Open Pegasus Bridge before the obstructed crossroads, whatever the SP.
    sit.change("wood-platoon", lost=7)
    near = targets_near(sit, "CAF")
    assert [t.id for t in best_targets(sit, "CAF", near)] == ["wood-platoon"]
    british(sit, "PB", "smith-platoon")
    assert [t.id for t in best_targets(sit, "CAF", targets_near(sit, "CAF"))] == ["smith-platoon"]
    british(sit, "PB", "hooper-platoon")
    tied = [t.id for t in best_targets(sit, "CAF", targets_near(sit, "CAF"))]
    assert tied == ["hooper-platoon", "smith-platoon"]


@pytest.mark.rule("ST-FIR-04")
def test_a_bunker_is_no_open_target_for_the_germans() -> None:
    sit = situation(6, "german_fire")
    german(sit, "B2", "infantry-01")
    british(sit, "B1", "wood-platoon", inside=True)
    british(sit, "B3", "sapper-1")
    assert [t.id for t in best_targets(sit, "B2", targets_near(sit, "B2"))] == ["sapper-1"]


@pytest.mark.rule("ST-FIR-04", "ST-FIR-05")
def test_ties_are_rolled_and_equal_choices_fire_together() -> None:
    sit = situation(6, "german_fire")
    german(sit, "RD1", "infantry-01", "infantry-02")
    british(sit, "EF", "wood-platoon", "fox-platoon")
    # Each German rolls for its target; both take the second (Wood).
    played = run(german_fire(sit.rules, sit.close()), [4, 6, 1])
    assert played.tables == ["random_selection", "random_selection", "fire_combat"]
    assert played.rolls[2][0].given["sp"] == "15-20"
    played = run(german_fire(sit.rules, sit.close()), [1, 6, 1, 1])
    assert [roll.given["sp"] for roll, _ in played.rolls[2:]] == ["5-8", "5-8"]


# -- modifiers ----------------------------------------------------------------------------


@pytest.mark.rule("ST-FIR-07", "ST-FIR-08", "ST-FIR-14", "ST-FIR-15")
def test_range_and_terrain() -> None:
    sit = situation()
    british(sit, "CAF", "wood-platoon", "sapper-1", "hq-1")
    german(sit, "XR", "infantry-01")
    german(sit, "PB", "infantry-02")
    german(sit, "CAF", "infantry-03")
    assert given(sit, ["wood-platoon"], "infantry-01") == {
        "adjacent",
        "obstructed",
        "british_infantry",
    }
    assert given(sit, ["sapper-1", "hq-1"], "infantry-02") == {"adjacent", "open"}
    assert given(sit, ["sapper-1", "wood-platoon"], "infantry-03") == {
        "obstructed",
        "british_infantry",
    }
    sit.place_vehicle("PB")
    assert given(sit, ["sapper-1"], "infantry-02") == {"adjacent", "obstructed"}


@pytest.mark.rule("ST-FIR-07")
def test_fire_from_two_ranges() -> None:
    for setting, adjacent in (("any", True), ("all", False)):
        sit = situation(mixed_range_fire=setting)
        british(sit, "RD1", "wood-platoon")
        british(sit, "EF", "fox-platoon")
        german(sit, "RD1", "infantry-01")
        assert (
            "adjacent" in given(sit, ["wood-platoon", "fox-platoon"], "infantry-01")
        ) == adjacent
        assert "adjacent" in given(sit, ["fox-platoon"], "infantry-01")
        assert "adjacent" not in given(sit, ["wood-platoon"], "infantry-01")


@pytest.mark.rule("ST-FIR-09", "ST-FIR-14")
def test_a_bunker_protects_and_is_no_open_ground() -> None:
    sit = situation()
    british(sit, "B4", "sapper-1")
    post = garrison(sit, "B4")
    assert given(sit, ["sapper-1"], post) == {"bunker"}
    sit.place_vehicle("B4")
    assert given(sit, ["sapper-1"], post) == {"bunker", "obstructed"}
    open_too = situation(open_drm_in_bunker=True)
    british(open_too, "B4", "sapper-1")
    assert given(open_too, ["sapper-1"], garrison(open_too, "B4")) == {"bunker", "open"}
    pill = situation(pillbox_is_bunker=True)
    british(pill, "PX", "sapper-1")
    assert given(pill, ["sapper-1"], garrison(pill, "PX")) == {"bunker", "obstructed"}


@pytest.mark.rule("ST-FIR-10", "ST-FIR-11")
def test_prepared_positions_and_opportunity_fire() -> None:
    sit = situation()
    german(sit, "RD1", "infantry-01")
    british(sit, "EF", "wood-platoon")
    sit.positions["EF"] = PreparedPosition(area="EF")
    assert given(sit, ["infantry-01"], "wood-platoon") == {"adjacent", "open", "prepared_position"}
    assert given(sit, ["infantry-01"], "wood-platoon", opportunity=True) == {
        "adjacent", "open", "prepared_position", "opportunity_fire",
    }  # fmt: skip


@pytest.mark.rule("ST-FIR-12", "ST-FIR-13", "ST-LDR-02", "ST-LDR-04")
def test_leaders_in_the_firing_stack() -> None:
    sit = situation()
    british(sit, "EF", "wood-platoon", "wood", "howard", "fox")
    post = garrison(sit, "B4")
    german(sit, "RD1", "infantry-01")
    german(sit, "RD1", "hickman") if "hickman" in sit.units else None
    assert "british_leader" in given(sit, ["wood-platoon"], "infantry-01")
    sit.take_off("howard", "pool")
    assert "british_leader" in given(sit, ["wood-platoon"], "infantry-01")
    sit.take_off("wood", "pool")
    assert "british_leader" not in given(sit, ["wood-platoon"], "infantry-01")
    assert "german_leader" not in given(sit, ["infantry-01"], "wood-platoon")
    german(sit, "B4", "schmidt", inside=True)
    assert "german_leader" in given(sit, [post], "wood-platoon")
    sit.change("schmidt", suppressed=True)
    assert "german_leader" not in given(sit, [post], "wood-platoon")


@pytest.mark.rule("ST-FIR-12")
def test_the_sign_of_german_leaders_may_be_set() -> None:
    for sign, name, final in ((-1, "german_leader", 2), (1, "german_leader_helps", 4)):
        sit = situation(6, german_leader_fire_drm=sign)
        german(sit, "XR", "infantry-01", "schmidt")
        british(sit, "XR", "wood-platoon")
        sit.place_vehicle("XR")
        assert given(sit, ["infantry-01"], "wood-platoon") == {name, "obstructed"}
        line = sit.rules.fire.smallarms
        rolled = line.table.resolve((4,), on_line(line, 8, {name: True, "obstructed": True}))
        assert rolled.final == final


@pytest.mark.rule("ST-FIR-16", "ST-FIR-06")
def test_a_worked_attack_explains_itself() -> None:
    sit = situation(2, "british_fire")
    british(sit, "EF", "wood-platoon", "wood")
    german(sit, "RD1", "infantry-01")
    played = fire(sit, [4], ["small-arms infantry-01"])
    rolled = played.rolls[0][1]
    assert {d.name: d.value for d in rolled.drm} == {
        "adjacent": -1, "open": 1, "british_leader": 1, "british_infantry": 1,
    }  # fmt: skip
    assert (rolled.original, rolled.final, rolled.result) == (4, 6, "1(H)")
    chances = fire_chances(sit, Volley(("wood-platoon",), 8, 0), Target("RD1", ("infantry-01",)))
    assert sum(chances.values()) == 1


# -- results ------------------------------------------------------------------------------


@pytest.mark.rule("ST-FIR-17", "ST-FIR-21")
@pytest.mark.parametrize("result", ["S", "S(H)"])
def test_s_suppresses_the_target_alone(result: str) -> None:
    sit = situation()
    british(sit, "EF", "wood-platoon", "wood", "fox-platoon")
    run(apply_hit(sit, Target("EF", ("wood-platoon",)), read_hit(result)))
    suppressed = {id for id in ("wood-platoon", "wood", "fox-platoon") if sit.units[id].suppressed}
    assert suppressed == {"wood-platoon"}
    assert not sit.units["wood-platoon"].lost


@pytest.mark.rule("ST-FIR-18", "ST-FIR-20", "ST-FIR-21", "ST-FIR-22", "ST-LDR-06")
def test_a_number_costs_sp_and_every_leader_there_rolls_once() -> None:
    sit = situation()
    british(sit, "EF", "wood-platoon", "wood", "howard")
    british(sit, "PX", "fox")
    played = run(apply_hit(sit, Target("EF", ("wood-platoon",)), read_hit("2(H)")), [6, 4])
    assert played.tables == ["leader_casualty", "leader_casualty"]
    assert sit.units["wood-platoon"].strength == 6
    assert not sit.units["wood-platoon"].suppressed
    assert sit.units["howard"].status == "dead" and sit.units["wood"].wounded
    assert sit.ledger.british_sp == 2


@pytest.mark.rule("ST-FIR-19", "ST-LDR-06")
def test_excess_falls_on_others_one_by_one() -> None:
    sit = situation()
    british(sit, "EF", "sapper-1", "sapper-2", "fox-platoon", "fox")
    # 3 SP on a sapper: 1 kills it, one falls on Fox himself (a roll), one on his platoon.
    played = run(apply_hit(sit, Target("EF", ("sapper-1",)), read_hit("3")), [1, 1, 4, 1])
    assert played.tables == [
        "random_selection",
        "leader_casualty",
        "random_selection",
        "leader_casualty",
    ]
    assert sit.units["sapper-1"].status == "dead"
    assert sit.units["fox-platoon"].lost == 1
    assert sit.units["sapper-2"].status == "map"


@pytest.mark.rule("ST-FIR-19")
def test_excess_with_nobody_left_is_nothing() -> None:
    sit = situation()
    british(sit, "EF", "sapper-1")
    run(apply_hit(sit, Target("EF", ("sapper-1",)), read_hit("4")))
    assert sit.ledger.british_sp == 1


@pytest.mark.rule("ST-LDR-01")
def test_leaders_alone_are_one_target_of_one_sp() -> None:
    sit = situation()
    british(sit, "EF", "wood", "fox")
    (target,) = targets_at(sit, "british", "EF")
    assert target.units == ("fox", "wood")
    assert target_sp(sit, target) == 1
    run(apply_hit(sit, target, read_hit("S")))
    assert sit.units["fox"].suppressed and sit.units["wood"].suppressed
    run(apply_hit(sit, target, read_hit("1")), [6, 1])
    assert sit.units["fox"].status == "dead" and sit.units["wood"].status == "map"
    british(sit, "EF", "sapper-1")
    assert [t.id for t in targets_at(sit, "british", "EF")] == ["sapper-1"]
    one = situation(leaders_alone_loss="one")
    british(one, "EF", "wood", "fox")
    run(apply_hit(one, targets_at(one, "british", "EF")[0], read_hit("1")), [6, 6])
    assert one.units["wood"].status == "dead" and one.units["fox"].status == "map"


@pytest.mark.rule("ST-LDR-01")
def test_leaders_alone_fire_with_one_sp() -> None:
    sit = situation(2, "british_fire")
    british(sit, "EF", "wood", "fox")
    german(sit, "RD1", "infantry-01")
    played = fire(sit, [6], ["small-arms infantry-01"])
    assert played.rolls[0][0].given["sp"] == "1-4"
    assert "1 SP" in played.rolls[0][0].text
    german(sit, "RD2", "schmidt")
    british(sit, "RB", "smith-platoon")
    shot = run(german_fire(sit.rules, sit.close(phase=5)), [1, 1])
    assert any("1 SP (Mjr Schmidt)" in roll.text for roll, _ in shot.rolls)


@pytest.mark.rule("ST-LDR-09", "ST-LDR-10", "ST-LDR-07")
def test_a_second_wound_kills() -> None:
    from asl_pbcg.st.procedures.losses import casualty_roll

    sit = situation()
    british(sit, "EF", "wood")
    run(casualty_roll(sit, "wood"), [3])
    assert not sit.units["wood"].wounded
    run(casualty_roll(sit, "wood"), [5])
    assert sit.units["wood"].wounded and sit.units["wood"].status == "map"
    run(casualty_roll(sit, "wood"), [4])
    assert sit.units["wood"].status == "dead"
    assert sit.ledger.leaders == 1
    assert not sit.is_occupied("british", "EF")


# -- MGs ----------------------------------------------------------------------------------


@pytest.mark.rule("ST-MGF-01", "ST-MGF-02", "ST-MGF-03")
def test_mg_and_crew() -> None:
    sit = situation()
    british(sit, "EF", "wood-platoon", "sapper-1", "wood")
    give(sit, "mg-1", "wood-platoon")
    choices = firing_choices(sit, [sit.units["wood-platoon"], sit.units["sapper-1"]])
    assert set(choices) == {"wood-platoon", "sapper-1", "mg-1+wood-platoon", "mg-1+sapper-1"}

    def volley(*answers: str) -> tuple[int, int]:
        found = british_volley(sit, list(answers), choices)
        return found.small_arms, found.mg

    assert volley("mg-1+wood-platoon") == (0, 4)
    assert volley("mg-1+wood-platoon", "wood-platoon") == (7, 4)
    assert volley("mg-1+sapper-1", "sapper-1") == (0, 4)
    assert volley("mg-1+sapper-1", "sapper-1", "wood-platoon") == (8, 4)
    assert small_arms_sp(sit, sit.units["sapper-1"], mg=True) == 0


@pytest.mark.rule("ST-MGF-01")
def test_one_mg_a_unit_and_one_unit_an_mg(tells: Tells) -> None:
    sit = situation(2, "british_fire")
    british(sit, "EF", "wood-platoon", "fox-platoon")
    give(sit, "mg-1", "wood-platoon")
    give(sit, "mg-2", "fox-platoon")
    german(sit, "RD1", "infantry-01")
    script = british_fire(sit.rules, sit.close())
    script.send(None)
    asked: Any = script.send("small-arms infantry-01")
    with pytest.raises(IllegalAnswer) as refused:
        asked.check(["mg-1+wood-platoon", "mg-1+fox-platoon"])
    tells(refused, "MG", "fires")
    with pytest.raises(IllegalAnswer) as refused:
        asked.check(["mg-1+wood-platoon", "mg-2+wood-platoon"])
    tells(refused, "MG", "fires")
    assert asked.check(["mg-1+wood-platoon", "mg-2+fox-platoon", "fox-platoon"])


@pytest.mark.rule("ST-MGF-01", "ST-MGF-03", "ST-GEN-08")
def test_german_mgs_are_served_by_the_strongest() -> None:
    sit = situation()
    post = garrison(sit, "B3")
    assert volley_of(sit, [sit.units[post]]) == Volley((post,), 3, 4)
    german(sit, "B3", "infantry-01", inside=True)
    found = volley_of(sit, [sit.units[post], sit.units["infantry-01"]])
    assert (found.small_arms, found.mg) == (7 + 4, 4)
    sit.take_off("infantry-01", "dead")
    sit.take_off(post, "dead")
    assert sit.weapons["mg-2"].status == "map"


@pytest.mark.rule("ST-MGF-04", "ST-MGF-05", "ST-MGF-06")
def test_an_mg_hits_everybody_in_the_target_area_with_one_die() -> None:
    sit = situation(6, "german_fire")
    german(sit, "B3", "infantry-01", inside=True)
    british(sit, "B2", "wood-platoon", "wood")
    british(sit, "B2", "sapper-1", "fox-platoon", lost=0)
    british(sit, "B2", "hq-1", inside=True)
    sit.change("fox-platoon", lost=1)
    # 7 small arms and 4 MG on Wood (11 SP), the MG alone (4 SP) on the others outside.
    # Adjacent -1, open +1: die 6: 2 SP on 11-14, 1(H) on 1-4 for the Fox platoon and the sapper.
    played = run(german_fire(sit.rules, sit.close()), [6, 1, 1, 1])
    fired = [roll for roll, _ in played.rolls if roll.id == "fire_combat"]
    assert len(fired) == 1 and fired[0].given["sp"] == "11-14"
    after = {unit.id: unit for unit in played.result.units}
    assert after["wood-platoon"].lost == 2
    assert after["fox-platoon"].lost == 2
    assert after["sapper-1"].status == "dead"
    assert after["hq-1"].lost == 0
    # Each of the three losses makes Lt Wood roll.
    assert played.tables.count("leader_casualty") == 3


@pytest.mark.rule("ST-MGF-06", "ST-FIR-10")
def test_the_one_die_is_modified_for_each_target() -> None:
    sit = situation(6, "british_fire")
    british(sit, "EF", "wood-platoon")
    give(sit, "mg-1", "wood-platoon")
    german(sit, "RD1", "infantry-01", "infantry-02")
    played = run(
        shoot(
            sit, Volley(("wood-platoon",), 7, 4), Target("RD1", ("infantry-01",)),
            spread=[Target("RD1", ("infantry-02",))], gunners={"wood-platoon"},
        ),
        [4],
    )  # fmt: skip
    # Final 5 by -1 adjacent, +1 open, +1 infantry: 2 SP on 11-14, S(H) on 1-4.
    assert played.rolls[0][1].final == 5
    assert sit.units["infantry-01"].lost == 2
    assert sit.units["infantry-02"].suppressed and not sit.units["infantry-02"].lost


@pytest.mark.rule("ST-MGF-05", "ST-MGF-06", "ST-FIR-15")
@pytest.mark.parametrize(("face", "suppressed"), [(2, False), (3, True)])
def test_an_mg_alone_has_the_modifiers_of_its_crew(face: int, suppressed: bool) -> None:
    """AMB-126: a sapper serves the MG, and a platoon fires with it at the target alone."""
    sit = situation(6, "british_fire")
    british(sit, "RD1", "sapper-1", "wood-platoon")
    give(sit, "mg-1", "sapper-1")
    german(sit, "RD1", "infantry-01", "infantry-02")
    firers = ["mg-1+sapper-1", "wood-platoon"]
    answers = ["small-arms infantry-01", firers]
    played = run(british_fire(sit.rules, sit.close()), [face], answers)
    assert played.drm() == {"open": 1, "british_infantry": 1}
    after = {unit.id: unit for unit in played.result.units}
    assert after["infantry-01"].lost == face - 1  # 4 or 5 on 11-14: 1 or 2 SP
    # On the other the MG alone, 4 SP on open ground: 3 does nothing, 4 suppresses.
    assert after["infantry-02"].suppressed == suppressed


@pytest.mark.rule("ST-MER-07", "ST-MER-08", "ST-MER-12", "ST-FIR-08")
def test_small_arms_wreck_the_mercedes_by_any_number() -> None:
    sit = situation()
    german(sit, "CAF", "mercedes")
    sit.take_off("schmidt", "aboard")
    assert sit.is_obstructed("CAF")
    run(apply_hit(sit, Target("CAF", ("mercedes",)), read_hit("S(H)")))
    assert sit.units["mercedes"].status == "map"
    run(apply_hit(sit, Target("CAF", ("mercedes",)), read_hit("1")), [5])
    assert sit.units["mercedes"].status == "wreck"
    assert sit.units["schmidt"].wounded and sit.units["schmidt"].area == "CAF"
    german(sit, "PB", "tank-1")
    assert sit.is_obstructed("PB")
    assert targets_at(sit, "german", "PB") == []


@pytest.mark.rule("ST-TNK-11")
def test_a_tank_makes_its_area_obstructed_as_a_wreck_too() -> None:
    sit = situation()
    assert not sit.is_obstructed("PB")
    german(sit, "PB", "tank-1")
    assert sit.is_obstructed("PB")
    run(wreck_tank(sit, "tank-1"))
    assert sit.units["tank-1"].status == "wreck"
    assert sit.is_obstructed("PB")
    assert Situation(sit.rules, sit.close()).is_obstructed("PB")


# -- Opportunity Fire ---------------------------------------------------------------------


@pytest.mark.rule("ST-OPF-01", "ST-OPF-02", "ST-MOV-17", "ST-OPF-06", "ST-SEQ-05")
def test_entering_draws_fire_from_the_same_and_adjacent_areas() -> None:
    sit = situation()
    british(sit, "PX", "wood-platoon")
    german(sit, "RD1", "infantry-01")
    garrison(sit, "B4")
    german(sit, "RD2", "infantry-02")
    sit.put("wood-platoon", "EF")
    played = run(come_in(sit, "wood-platoon"), [2])
    roll, rolled = played.rolls[0]
    assert roll.id == "opportunity_fire_combat"
    assert roll.given["sp"] == "11-14"
    assert {d.name for d in rolled.drm} == {"adjacent", "opportunity_fire", "open"}


@pytest.mark.rule("ST-OPF-03", "ST-OPF-05", "ST-OPF-08")
def test_a_survivor_goes_on_a_suppressed_unit_stops() -> None:
    sit = situation()
    british(sit, "N10", "wood-platoon")
    german(sit, "RD1", "infantry-01")
    # Each new area next to the Germans draws fire from the same unit again.
    for area, face in (("EF", 1), ("PX", 1)):
        action = next(
            a for a in legal_actions(sit, sit.units["wood-platoon"]) if a.id == f"move {area}"
        )
        run(carry_out(sit, ("wood-platoon",), action), [face] if area == "EF" else [])
    sit.put("wood-platoon", "PX")
    sit.spent["wood-platoon"] = 0
    action = next(a for a in legal_actions(sit, sit.units["wood-platoon"]) if a.id == "move EF")
    run(carry_out(sit, ("wood-platoon",), action), [5])
    assert sit.units["wood-platoon"].suppressed
    assert legal_actions(sit, sit.units["wood-platoon"]) == []


@pytest.mark.rule("ST-OPF-04")
def test_each_unit_of_a_stack_draws_one_combined_fire() -> None:
    sit = situation()
    british(sit, "EF", "wood-platoon", "wood", "sapper-1")
    german(sit, "RD1", "infantry-01")
    garrison(sit, "B4")
    played = run(german_opportunity_fire(sit, ("wood-platoon", "wood", "sapper-1")), [1, 1])
    assert len(played.rolls) == 2
    assert all(roll.given["sp"] == "11-14" for roll, _ in played.rolls)
    # Leaders draw fire only when they move alone.
    played = run(german_opportunity_fire(sit, ("wood",)), [1])
    assert "Lt Wood" in played.rolls[0][0].text
    one = situation(stack_opportunity_fire="one")
    british(one, "EF", "wood-platoon", "sapper-1")
    german(one, "RD1", "infantry-01")
    played = run(german_opportunity_fire(one, ("wood-platoon", "sapper-1")), [1])
    assert "Wood platoon" in played.rolls[0][0].text


@pytest.mark.rule("ST-OPF-04", "ST-MGF-04")
def test_an_mg_in_opportunity_fire_hits_only_who_moved() -> None:
    sit = situation()
    british(sit, "B2", "fox-platoon")
    german(sit, "B3", "infantry-01", inside=True)
    sit.put("wood-platoon", "B2")
    played = run(german_opportunity_fire(sit, ("wood-platoon",)), [6])
    assert sit.units["wood-platoon"].lost == 2
    assert sit.units["fox-platoon"].lost == 0
    assert played.rolls[0][0].given["sp"] == "11-14"


@pytest.mark.rule("ST-OPF-07")
def test_who_does_not_move_draws_no_fire() -> None:
    sit = situation()
    british(sit, "EF", "wood-platoon")
    german(sit, "RD1", "infantry-01")
    action = next(
        a for a in legal_actions(sit, sit.units["wood-platoon"]) if a.id == "prepare-position"
    )
    assert run(carry_out(sit, ("wood-platoon",), action)).rolls == []


@pytest.mark.rule("ST-OPF-01", "ST-MOV-20")
def test_leaving_a_bunker_draws_fire_if_so_set() -> None:
    for setting, fired in ((True, 1), (False, 0)):
        sit = situation(bunker_opportunity_fire=setting)
        british(sit, "B1", "wood-platoon", inside=True)
        german(sit, "B2", "infantry-01")
        (action,) = legal_actions(sit, sit.units["wood-platoon"])[:1]
        assert action.kind == "leave-bunker"
        assert len(run(carry_out(sit, ("wood-platoon",), action), [1] * fired).rolls) == fired


@pytest.mark.rule("ST-OPF-09", "ST-SEQ-10", "ST-OPF-04")
def test_the_british_choose_who_gives_opportunity_fire_or_nobody() -> None:
    sit = situation(4, "german_movement")
    british(sit, "EF", "wood-platoon", "sapper-1", "wood")
    british(sit, "PX", "fox-platoon", suppressed=True)
    german(sit, "RD2", "infantry-01")
    played = run(move(sit, ("infantry-01",), "RD1"), answers=[[]])
    assert played.points == ["opportunity_fire"]
    assert not sit.attacked
    asked = played.asked[0][0]
    assert legal(asked) == {"wood-platoon", "sapper-1"}
    played = run(
        british_opportunity_fire(sit, ("infantry-01",)),
        [
            6,
        ],
        [["wood-platoon"]],
    )
    assert {d.name for d in played.rolls[0][1].drm} == {
        "adjacent", "opportunity_fire", "british_leader", "open", "british_infantry",
    }  # fmt: skip
    assert sit.attacked
    assert sit.units["wood-platoon"].fired == 4


@pytest.mark.rule("ST-OPF-01")
def test_no_opportunity_fire_at_tanks_and_by_tanks_only_if_set() -> None:
    sit = situation(10, "german_movement")
    british(sit, "EF", "wood-platoon")
    german(sit, "RD2", "tank-1")
    assert run(move(sit, ("tank-1",), "RD1")).points == []
    assert run(german_opportunity_fire(sit, ("wood-platoon",))).rolls == []
    tanks = situation(10, tanks_opportunity_fire=True)
    british(tanks, "EF", "wood-platoon")
    german(tanks, "RD1", "tank-1")
    played = run(german_opportunity_fire(tanks, ("wood-platoon",)), [1])
    assert played.rolls[0][0].given["sp"] == "1-4"


@pytest.mark.rule("ST-FIR-05", "ST-MGF-02")
def test_an_attack_is_offered_with_the_odds_of_all_who_can_fire_mgs_among_them() -> None:
    sit = situation()
    british(sit, "EF", "wood-platoon")
    give(sit, "mg-1", "wood-platoon")
    german(sit, "PB", "infantry-01")
    (attack,) = attacks(sit, set())
    option = attack_options(sit, [attack])[0]
    choices = firing_choices(sit, [sit.units["wood-platoon"]])
    volley = british_volley(sit, all_firers(choices), choices)
    assert (volley.small_arms, volley.mg) == (7, 4)
    assert option.odds == fire_odds(sit, volley, attack.target)
    assert {"11", "4"} <= set(option.consequence.replace("(", "").split())
