"""Grenades, gammon bombs, clearing bunkers, prepared positions, garrison activation."""

from __future__ import annotations

from typing import Any

import pytest
from odds_help import odds_words
from sentences import Tells
from st_help import british, come_in, garrison, german, give, run, situation

from asl_pbcg.st.british.british_options import action_options
from asl_pbcg.st.procedures.assaults import gammon_wrecks, grenade_chances, grenade_given
from asl_pbcg.st.procedures.losses import disturb, lose_at, lose_in_turn
from asl_pbcg.st.procedures.movement import legal_actions, mp_left
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.p3_british_movement import carry_out
from asl_pbcg.st.rules.p5_british_fire import british_fire
from asl_pbcg.st.rules.p6_german_fire import choose_target, german_fire, targets_near
from asl_pbcg.st.rules.p8_prepared_positions import prepared_positions
from asl_pbcg.st.state.game_state import PreparedPosition
from asl_pbcg.st.state.phase_situation import Situation


def do(sit: Situation, unit: str, id: str, dice: list[int] = [], answers: list[Any] = []) -> Any:  # noqa: B006
    action = next(action for action in legal_actions(sit, sit.units[unit]) if action.id == id)
    return run(carry_out(sit, (unit,), action), dice, answers)


def ids(sit: Situation, unit: str, kind: str) -> set[str]:
    return {a.id for a in legal_actions(sit, sit.units[unit]) if a.kind.startswith(kind)}


# -- grenades -----------------------------------------------------------------------------


@pytest.mark.rule("ST-GRE-01", "ST-GRE-04", "ST-GRE-12")
def test_a_grenade_costs_one_mp_and_one_grenade_even_without_effect() -> None:
    sit = situation()
    british(sit, "EF", "wood-platoon")
    german(sit, "RD1", "infantry-01")
    for left in (3, 2, 1, 0):
        do(sit, "wood-platoon", "grenade RD1", [1])
        assert sit.units["wood-platoon"].grenades == left
    assert mp_left(sit, sit.units["wood-platoon"]) == 0
    sit.spent.clear()
    assert ids(sit, "wood-platoon", "grenade") == set()
    assert sit.ledger.grenades == 4
    assert sit.units["infantry-01"].lost == 0


@pytest.mark.rule("ST-GRE-02", "ST-SAP-01", "ST-HQU-01")
def test_only_british_infantry_throws() -> None:
    sit = situation()
    british(sit, "EF", "wood-a", "sapper-1", "hq-1", "wood")
    german(sit, "RD1", "infantry-01")
    throwers = {u for u in ("wood-a", "sapper-1", "hq-1", "wood") if ids(sit, u, "grenade")}
    assert throwers == {"wood-a"}


@pytest.mark.rule("ST-GRE-03")
def test_where_a_grenade_may_be_thrown() -> None:
    sit = situation()
    british(sit, "B4", "wood-platoon")
    garrison(sit, "B4")
    garrison(sit, "B5")
    german(sit, "B4", "infantry-01")
    german(sit, "EF", "infantry-02")
    german(sit, "B8", "infantry-03")
    german(sit, "N4", "infantry-04")
    # Same area, its bunker, next along a solid line; no bunker next door, no dashed line.
    assert ids(sit, "wood-platoon", "grenade") == {"grenade B4", "grenade-bunker B4", "grenade EF"}
    sit.put("wood-platoon", "B5", inside=False)
    assert ids(sit, "wood-platoon", "grenade") == {"grenade-bunker B5", "grenade B4"}


@pytest.mark.rule("ST-GRE-06")
@pytest.mark.parametrize(
    ("area", "target", "bunker", "column"),
    [
        ("EF", "RD1", False, "adjacent_open"), ("EF", "PX", False, "adjacent_obstructed"),
        ("RD1", "RD1", False, "same_open"), ("PX", "PX", False, "same_obstructed"),
        ("B4", "B4", True, "bunker"),
    ],
)  # fmt: skip
def test_the_column_of_a_grenade(area: str, target: str, bunker: bool, column: str) -> None:
    sit = situation()
    british(sit, area, "wood-platoon")
    assert grenade_given(sit, sit.units["wood-platoon"], target, bunker) == {"at": column}
    british(sit, area, "wood")
    assert grenade_given(sit, sit.units["wood-platoon"], target, bunker) == {
        "at": column,
        "leader": True,
    }
    sit.take_off("wood", "dead")
    british(sit, area, "fox")
    assert "leader" not in grenade_given(sit, sit.units["wood-platoon"], target, bunker)


@pytest.mark.rule("ST-GRE-06")
def test_a_glider_or_the_pillbox_setting_changes_the_column() -> None:
    sit = situation(pillbox_is_bunker=True, vehicle_cover="all")
    british(sit, "PX", "wood-platoon")
    assert grenade_given(sit, sit.units["wood-platoon"], "PX", False)["at"] == "bunker"
    sit.place_vehicle("EF")
    assert grenade_given(sit, sit.units["wood-platoon"], "EF", False)["at"] == "adjacent_obstructed"
    assert sum(grenade_chances(sit, sit.units["wood-platoon"], "EF", False).values()) == 1


@pytest.mark.rule("ST-GRE-07")
def test_grenade_s_suppresses_every_german_unit_there() -> None:
    sit = situation()
    british(sit, "B4", "wood-platoon")
    post = garrison(sit, "B4")
    german(sit, "B4", "schmidt", inside=True)
    german(sit, "B4", "infantry-01")
    do(sit, "wood-platoon", "grenade-bunker B4", [2])
    assert sit.units[post].suppressed and sit.units["schmidt"].suppressed
    assert not sit.units["infantry-01"].suppressed


@pytest.mark.rule("ST-GRE-08", "ST-GRE-09")
def test_grenade_losses_fall_on_one_unit_until_it_is_gone() -> None:
    sit = situation()
    british(sit, "PX", "wood-platoon", "wood")
    german(sit, "PX", "infantry-01", "infantry-02", lost=7)
    german(sit, "PX", "schmidt")
    sit.book(german_sp=14)
    sit.change_weapon("mg-1", status="destroyed")
    # 2(H) on 7: the second infantry goes first, then the first one; Schmidt rolls once.
    played = do(sit, "wood-platoon", "grenade PX", [6, 2, 4])
    assert [roll.id for roll, _ in played.rolls] == [
        "grenade",
        "random_selection",
        "leader_casualty",
    ]
    assert sit.units["infantry-02"].status == sit.units["infantry-01"].status == "dead"
    assert sit.units["schmidt"].wounded
    assert sit.ledger.german_sp == 16


@pytest.mark.rule("ST-GRE-08")
def test_guns_count_one_sp_for_a_grenade() -> None:
    sit = situation()
    british(sit, "B4", "wood-platoon")
    post = garrison(sit, "B4")
    # 2 on a 4: the AT gun is picked first, then the garrison takes the rest.
    do(sit, "wood-platoon", "grenade-bunker B4", [4, 1])
    assert sit.weapons["at-gun"].status == "destroyed"
    assert sit.units[post].lost == 1


@pytest.mark.rule("ST-GRE-10", "ST-MER-07", "ST-MER-08")
def test_a_grenade_wrecks_the_mercedes() -> None:
    for face, wrecked in ((4, False), (5, False), (6, True)):
        sit = situation()
        british(sit, "CAF", "wood-platoon")
        german(sit, "CAF", "mercedes")
        sit.put("schmidt", "LP")
        sit.take_off("schmidt", "aboard")
        sit.change_weapon("mg-1", status="destroyed")
        with_leader = "howard" if wrecked else ""
        if with_leader:
            british(sit, "CAF", "howard")
        sit.settings = type(sit.settings)(mode="historical", grenade_wrecks_mercedes="hard")
        do(sit, "wood-platoon", "grenade CAF", [face, 1] if wrecked else [face])
        assert (sit.units["mercedes"].status == "wreck") == wrecked
    sit = situation(grenade_wrecks_mercedes="loss")
    british(sit, "CAF", "wood-platoon")
    german(sit, "CAF", "mercedes")
    sit.take_off("schmidt", "aboard")
    do(sit, "wood-platoon", "grenade CAF", [4, 6])
    assert sit.units["mercedes"].status == "wreck"
    assert sit.units["schmidt"].status == "dead"


@pytest.mark.rule("ST-GRE-11")
@pytest.mark.parametrize(("guarded", "wrecked"), [(False, True), (True, False)])
def test_a_grenade_wrecks_a_tank_that_no_infantry_guards(guarded: bool, wrecked: bool) -> None:
    sit = situation()
    british(sit, "CAF", "wood-platoon", "wood")
    german(sit, "CAF", "tank-1")
    if guarded:
        german(sit, "CAF", "infantry-01")
    do(sit, "wood-platoon", "grenade CAF", [6])
    assert (sit.units["tank-1"].status == "wreck") == wrecked
    assert sit.ledger.tanks == int(wrecked)


@pytest.mark.rule("ST-GRE-10", "ST-GRE-11")
def test_the_mercedes_goes_before_the_tank() -> None:
    sit = situation()
    british(sit, "CAF", "wood-platoon", "wood")
    german(sit, "CAF", "tank-1", "mercedes")
    sit.take_off("schmidt", "aboard")
    do(sit, "wood-platoon", "grenade CAF", [6, 1])
    assert sit.units["mercedes"].status == "wreck"
    assert sit.units["tank-1"].status == "map"


def grenade_words(sit: Situation, area: str) -> dict[str, str]:
    """The odds beside a grenade at ``area``, as the player reads them."""
    legal = legal_actions(sit, sit.units["wood-platoon"])
    options = action_options(sit, ("wood-platoon",), legal)
    return odds_words(next(each.odds for each in options if each.id == f"grenade {area}"))


@pytest.mark.finding("G-73")
@pytest.mark.rule("ST-GRE-06", "ST-GRE-10", "ST-GRE-11")
def test_the_odds_of_a_grenade_are_of_what_it_can_do() -> None:
    sit = situation(grenade_wrecks_mercedes="hard")
    british(sit, "CAF", "wood-platoon", "wood")
    german(sit, "CAF", "tank-1")
    german(sit, "PB", "tank-2")
    # A die of 6 with the leader's +1 is 7, 2(H).
    assert list(grenade_words(sit, "CAF").values()) == ["83%", "17%"]
    assert grenade_words(sit, "PB") == {"no effect": "100%"}
    german(sit, "CAF", "mercedes")
    assert list(grenade_words(sit, "CAF").values()) == ["83%", "17%"]
    german(sit, "CAF", "infantry-01")
    # With infantry there all of the column counts, die 2 to 6 with the leader's +1.
    assert len(grenade_words(sit, "CAF")) == 4
    alone = situation()
    british(alone, "CAF", "wood-platoon")
    german(alone, "EF", "hickman")
    german(alone, "CAF", "schmidt")
    assert set(grenade_words(alone, "CAF")) == {"no effect", "suppressed", "Casualty rolls"}


@pytest.mark.finding("G-73")
@pytest.mark.rule("ST-GRE-11")
def test_the_roll_of_a_grenade_names_those_it_falls_on(tells: Tells) -> None:
    sit = situation()
    british(sit, "B4", "wood-platoon")
    garrison(sit, "B4")
    played = do(sit, "wood-platoon", "grenade-bunker B4", [1])
    tells(played.rolls[0][0].text, "garrison", "AT gun", "bunker")


@pytest.mark.finding("G-73")
@pytest.mark.rule("ST-GRE-08", "ST-FIR-19")
def test_a_random_choice_cites_the_rule_that_wants_it() -> None:
    cited = set()
    for script, dice in (
        (lambda sit: lose_in_turn(sit, "german", "PX", 1), [1]),
        (lambda sit: lose_at(sit, "german", "PX", "infantry-01", 9), [1]),
        (lambda sit: choose_target(sit, "tank 1", targets_near(sit, "B4")), [1]),
    ):
        sit = situation()
        german(sit, "PX", "infantry-01", "infantry-02", "infantry-03")
        british(sit, "B4", "fox-platoon", "wood-platoon")
        cited |= {roll.rule for roll, _ in run(script(sit), dice).rolls}
    assert cited == {"ST-GRE-08", "ST-FIR-19", "ST-FIR-04"}


# -- garrison activation ------------------------------------------------------------------


@pytest.mark.rule("ST-GAR-02", "ST-GAR-03", "ST-GAR-04", "ST-OPF-10", "ST-SEQ-05")
@pytest.mark.parametrize(("face", "fires"), [(3, False), (4, True)])
def test_moving_next_to_a_counter_turns_it_up(face: int, fires: bool) -> None:
    sit = situation(2)
    british(sit, "RD1", "wood-platoon")
    post = garrison(sit, "B4", face_down=True)
    garrison(sit, "PX", face_down=True, dummy=True)
    far = garrison(sit, "B3", face_down=True)
    # Into the east bridge foot: the AT gun area and the pillbox are next to it, B3 is not.
    played = do(sit, "wood-platoon", "move EF", [face, 1] if fires else [face])
    assert played.tables == ["garrison_activation", "opportunity_fire_combat"][: 1 + fires]
    assert not sit.units[post].face_down
    assert sit.units["garrison-px"].status == "left"
    assert sit.units[far].face_down
    assert sit.units[post].no_opportunity_fire == (0 if fires else 2)


@pytest.mark.rule("ST-GAR-02")
def test_a_dashed_line_is_enough_to_turn_a_counter_up() -> None:
    for dashed, turned in ((True, True), (False, False)):
        sit = situation(2, dashed_lines_adjacent=dashed)
        british(sit, "BR1", "wood")
        post = garrison(sit, "B4", face_down=True)
        sit.put("wood", "B8")
        run(come_in(sit, "wood"), [1] if turned else [])
        assert sit.units[post].face_down != turned


@pytest.mark.rule("ST-GAR-01", "ST-SEQ-12", "ST-SEQ-06")
def test_a_face_down_garrison_neither_fires_nor_moves() -> None:
    from asl_pbcg.st.germans.german_advance import moving_order as walkers

    sit = situation(4, "german_fire")
    british(sit, "EF", "wood-platoon")
    garrison(sit, "B4", face_down=True)
    run(german_fire(sit.rules, sit.close()))
    from asl_pbcg.st.germans.german_advance import Approach

    assert walkers(sit, Approach(sit)) == []


@pytest.mark.rule("ST-GAR-02", "ST-GAR-03", "ST-DEM-03")
def test_an_attack_turns_a_counter_up() -> None:
    sit = situation(2)
    british(sit, "B4", "wood-platoon")
    post = garrison(sit, "B4", face_down=True)
    do(sit, "wood-platoon", "grenade-bunker B4", [1, 1])
    assert not sit.units[post].face_down
    assert sit.attacked
    sit = situation(2)
    british(sit, "B4", "wood-platoon")
    garrison(sit, "B4", face_down=True, dummy=True)
    do(sit, "wood-platoon", "grenade-bunker B4")
    assert not sit.attacked
    assert sit.units["wood-platoon"].grenades == 3
    sit = situation(2, attack_activates=False)
    british(sit, "B4", "wood-platoon")
    post = garrison(sit, "B4", face_down=True)
    do(sit, "wood-platoon", "grenade-bunker B4", [6, 4])
    assert sit.units[post].face_down and sit.units[post].lost == 3
    assert sit.attacked
    sit = situation(2, attack_activates=False)
    british(sit, "B4", "wood-platoon")
    garrison(sit, "B4", face_down=True, dummy=True)
    do(sit, "wood-platoon", "grenade-bunker B4", [6, 4])
    assert not sit.attacked


# -- gammon bombs -------------------------------------------------------------------------


@pytest.mark.rule("ST-GAM-01", "ST-GAM-02", "ST-GAM-03", "ST-GAM-04", "ST-GAM-05", "ST-GAM-06")
def test_who_may_use_a_gammon_bomb_on_what() -> None:
    sit = situation()
    british(sit, "CAF", "wood-platoon", "sapper-1", "wood")
    give(sit, "gammon-1", "wood-platoon")
    german(sit, "CAF", "infantry-01")
    german(sit, "XR", "tank-2")
    assert ids(sit, "wood-platoon", "gammon") == set()
    german(sit, "CAF", "tank-1")
    # Any combat unit of the stack may use it, on a vehicle in its own area.
    assert ids(sit, "wood-platoon", "gammon") == ids(sit, "sapper-1", "gammon") == {"gammon tank-1"}
    assert ids(sit, "wood", "gammon") == set()
    for left in (2, 1, 0):
        do(sit, "sapper-1", "gammon tank-1", [1])
        assert sit.weapons["gammon-1"].charges == left
    assert mp_left(sit, sit.units["sapper-1"]) == 1
    assert sit.weapons["gammon-1"].status == "spent"
    assert ids(sit, "sapper-1", "gammon") == set()


@pytest.mark.rule("ST-GAM-02")
def test_who_has_a_gammon_bomb_uses_his_own() -> None:
    sit = situation()
    british(sit, "CAF", "wood-platoon", "sapper-1")
    give(sit, "gammon-1", "wood-platoon")
    give(sit, "gammon-2", "sapper-1")
    german(sit, "CAF", "tank-1")
    do(sit, "sapper-1", "gammon tank-1", [1])
    assert sit.weapons["gammon-2"].charges < sit.weapons["gammon-1"].charges


@pytest.mark.rule("ST-GAM-07", "ST-GAM-08", "ST-GAM-09")
@pytest.mark.parametrize(
    ("face", "tank", "car"), [(3, False, False), (4, False, True), (5, True, True), (6, True, True)]
)
def test_what_a_gammon_bomb_wrecks(face: int, tank: bool, car: bool) -> None:
    for target, wrecked in (("tank-1", tank), ("mercedes", car)):
        sit = situation()
        british(sit, "CAF", "wood-platoon", "wood", "howard")
        give(sit, "gammon-1", "wood-platoon")
        german(sit, "CAF", target)
        sit.take_off("schmidt", "aboard")
        played = do(
            sit,
            "wood-platoon",
            f"gammon {target}",
            [face, 1] if target == "mercedes" and wrecked else [face],
        )
        assert played.rolls[0][1].drm == ()
        assert (sit.units[target].status == "wreck") == wrecked
    assert gammon_wrecks("1(H)", "tank") and not gammon_wrecks("S", "tank")


# -- clearing bunkers ---------------------------------------------------------------------


@pytest.mark.rule("ST-BUN-01", "ST-BUN-02", "ST-BUN-06")
def test_only_a_combat_unit_in_an_uncleared_bunker_clears_it() -> None:
    sit = situation()
    british(sit, "B1", "sapper-1")
    british(sit, "B1", "wood", inside=True)
    assert not ids(sit, "sapper-1", "clear")
    assert not ids(sit, "wood", "clear")
    do(sit, "sapper-1", "enter-bunker")
    sit.spent["sapper-1"] = 2
    do(sit, "sapper-1", "clear-bunker", [3])
    assert mp_left(sit, sit.units["sapper-1"]) == 0
    assert sit.cleared == {"B1"}
    sit.spent.clear()
    assert not ids(sit, "sapper-1", "clear")
    other = situation()
    british(other, "B2", "hq-1", inside=True)
    other.spent["hq-1"] = 3
    assert not ids(other, "hq-1", "clear")


@pytest.mark.rule("ST-BUN-03", "ST-POW-01", "ST-POW-02")
def test_a_roll_of_one_takes_a_pow() -> None:
    sit = situation()
    british(sit, "B1", "wood-platoon", inside=True)
    do(sit, "wood-platoon", "clear-bunker", [1])
    assert [pow.escort for pow in sit.pows.values()] == ["wood-platoon"]
    # With a POW the unit has 2 MP, and it has spent them.
    assert mp_left(sit, sit.units["wood-platoon"]) == 0


@pytest.mark.rule("ST-BUN-04")
@pytest.mark.parametrize("face", [2, 3, 4, 5])
def test_two_to_five_clears(face: int) -> None:
    sit = situation()
    british(sit, "B1", "wood-platoon", inside=True)
    do(sit, "wood-platoon", "clear-bunker", [face])
    assert sit.cleared == {"B1"} and not sit.pows and not sit.units["wood-platoon"].lost


@pytest.mark.rule("ST-BUN-05")
def test_a_six_costs_one_sp_and_leaders_roll() -> None:
    sit = situation()
    british(sit, "B1", "wood-platoon", "wood", inside=True)
    do(sit, "wood-platoon", "clear-bunker", [6, 4])
    assert sit.cleared == {"B1"}
    assert sit.units["wood-platoon"].lost == 1
    assert sit.units["wood"].wounded


# -- prepared positions -------------------------------------------------------------------


@pytest.mark.rule("ST-PRE-01", "ST-PRE-02", "ST-PRE-03", "ST-PRE-08")
def test_a_position_takes_a_whole_turn_of_a_combat_unit() -> None:
    sit = situation()
    british(sit, "N1", "wood-platoon", "fox-platoon")
    british(sit, "N4", "hq-1")
    do(sit, "wood-platoon", "prepare-position")
    assert mp_left(sit, sit.units["wood-platoon"]) == 0
    assert sit.positions["N1"] == PreparedPosition(area="N1", builder="wood-platoon")
    assert not ids(sit, "fox-platoon", "prepare")
    sit.spent["hq-1"] = 1
    assert not ids(sit, "hq-1", "prepare")
    sit.spent.clear()
    assert ids(sit, "hq-1", "prepare")
    sit.change_weapon("mg-2", area="N4", inside=False, carrier="hq-1")
    assert not ids(sit, "hq-1", "prepare")
    british(sit, "B1", "sapper-1", inside=True)
    assert not ids(sit, "sapper-1", "prepare")


@pytest.mark.rule("ST-PRE-05", "ST-SEQ-15")
def test_undisturbed_work_is_complete_at_the_end_of_the_turn() -> None:
    sit = situation(3, "prepared_positions")
    british(sit, "N1", "wood-platoon")
    sit.positions["N1"] = PreparedPosition(area="N1", builder="wood-platoon")
    sit.positions["N4"] = PreparedPosition(area="N4")
    after = run(prepared_positions(sit.rules, sit.close())).result
    assert after.positions == (PreparedPosition(area="N1"), PreparedPosition(area="N4"))


@pytest.mark.rule("ST-PRE-04")
def test_fire_by_or_at_the_builder_ends_the_work() -> None:
    sit = situation(6, "british_fire")
    british(sit, "N1", "wood-platoon", "fox-platoon")
    german(sit, "N4", "infantry-01")
    sit.positions["N1"] = PreparedPosition(area="N1", builder="wood-platoon")
    sit.book(positions_begun=1)
    fired = run(
        british_fire(sit.rules, sit.close()), [1], ["small-arms infantry-01", ["fox-platoon"]]
    ).result
    assert fired.positions
    fired = run(
        british_fire(sit.rules, sit.close()), [1], ["small-arms infantry-01", ["wood-platoon"]]
    ).result
    assert not fired.positions and fired.ledger.positions_removed == 1
    # German fire picks the strongest: the builder is the target.
    sit.change("fox-platoon", lost=3)
    shot = run(german_fire(sit.rules, sit.close(phase=5)), [1]).result
    assert not shot.positions


@pytest.mark.rule("ST-PRE-04")
def test_hand_to_hand_ends_the_work() -> None:
    sit = situation(6, "hand_to_hand")
    british(sit, "N1", "wood-platoon")
    sit.positions["N1"] = PreparedPosition(area="N1", builder="wood-platoon")
    sit.book(positions_begun=1)
    run(disturb(sit, "wood-platoon"))
    assert not sit.positions


@pytest.mark.rule("ST-PRE-06", "ST-PRE-07", "ST-FIR-10")
def test_a_finished_position_serves_who_holds_the_area() -> None:
    sit = situation()
    sit.positions["N1"] = PreparedPosition(area="N1")
    british(sit, "N1", "wood-platoon")
    assert sit.position_of("british", "N1")
    assert not sit.position_of("german", "N1")
    sit.put("wood-platoon", "N4")
    german(sit, "N1", "infantry-01")
    assert sit.position_of("german", "N1")
    british(sit, "N1", "fox-platoon")
    assert sit.position_of("german", "N1") and not sit.position_of("british", "N1")
    sit.positions["N1"] = PreparedPosition(area="N1", builder="wood-platoon")
    assert not sit.position_of("german", "N1")


@pytest.mark.rule("ST-SEQ-01")
def test_the_glider_phase_is_for_turn_one_only() -> None:
    sit = situation(1, "bridge")
    script = AreaGame().next_step(sit.close())
    assert script
    after = run(script.script(sit.close())).result
    assert (after.turn, after.phase) == (2, 1)
