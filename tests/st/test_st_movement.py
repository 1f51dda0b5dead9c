"""British Movement Phase: MP, lines, bunkers, loads, POWs, stacks, squads, arrivals."""

from __future__ import annotations

from typing import Any

import pytest
from sentences import Tells
from st_help import GAME, british, garrison, german, give, legal, run, situation

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.st.british.british_start import (
    arrivals,
    break_down,
    reinforcement_roll,
    set_british_force,
)
from asl_pbcg.st.procedures.movement import (
    able_units,
    acting_ids,
    action,
    allowance,
    legal_actions,
    moves,
    moves_together,
    mp_left,
)
from asl_pbcg.st.rules.p3_british_movement import action_decision, british_movement, carry_out
from asl_pbcg.st.state.game_state import Pow
from asl_pbcg.st.state.phase_situation import Situation


def costs(sit: Situation, unit: str, kind: str = "move") -> dict[str, int]:
    return {a.target: a.mp for a in legal_actions(sit, sit.units[unit]) if a.kind == kind}


def kinds(sit: Situation, unit: str) -> set[str]:
    return {action.kind for action in legal_actions(sit, sit.units[unit])}


def do(sit: Situation, unit: str, id: str, dice: list[int] = [], answers: list[Any] = []) -> Any:  # noqa: B006
    """Carry out the legal action ``id``."""
    action = next(action for action in legal_actions(sit, sit.units[unit]) if action.id == id)
    return run(carry_out(sit, (unit,), action), dice, answers)


def prisoner(sit: Situation, escort: str, name: str = "pow-x") -> None:
    sit.pows = sit.pows.having(Pow(id=name, name=name, escort=escort))


# -- allowances ---------------------------------------------------------------------------


@pytest.mark.rule("ST-MOV-01", "ST-MOV-04", "ST-LDR-08")
def test_british_have_four_mp_wounded_leaders_two() -> None:
    sit = situation()
    british(sit, "N1", "wood-platoon", "sapper-1", "hq-1", "wood")
    british(sit, "N1", "fox", wounded=True)
    found = {
        id: allowance(sit, sit.units[id])
        for id in ("wood-platoon", "sapper-1", "hq-1", "wood", "fox")
    }
    assert found == {"wood-platoon": 4, "sapper-1": 4, "hq-1": 4, "wood": 4, "fox": 2}


@pytest.mark.rule("ST-MOV-02", "ST-POW-04", "ST-POW-05")
def test_an_escort_has_two_mp_however_many_pows_it_guards() -> None:
    sit = situation()
    british(sit, "N1", "wood-platoon")
    prisoner(sit, "wood-platoon", "pow-a")
    prisoner(sit, "wood-platoon", "pow-b")
    assert allowance(sit, sit.units["wood-platoon"]) == 2
    do(sit, "wood-platoon", "move N4")
    assert mp_left(sit, sit.units["wood-platoon"]) == 0
    assert all(sit.units[pow.escort].area == "N4" for pow in sit.pows.values())


@pytest.mark.rule("ST-MOV-05", "ST-MOV-06")
def test_carrying_an_mg_costs_one_mp_of_the_turn() -> None:
    sit = situation()
    british(sit, "B3", "wood-platoon", inside=True)
    assert allowance(sit, sit.units["wood-platoon"]) == 4
    do(sit, "wood-platoon", "take mg-2")
    assert allowance(sit, sit.units["wood-platoon"]) == 3
    do(sit, "wood-platoon", "leave-bunker")
    do(sit, "wood-platoon", "move N6")
    assert sit.weapons["mg-2"].area == "N6"
    do(sit, "wood-platoon", "leave mg-2")
    # It has moved with the MG: the smaller allowance holds for the turn.
    assert mp_left(sit, sit.units["wood-platoon"]) == 2
    assert sit.weapons["mg-2"].area == "N6" and not sit.weapons["mg-2"].carrier


@pytest.mark.rule("ST-MOV-05", "ST-MOV-06")
def test_an_mg_is_taken_before_the_mp_are_gone_and_only_one() -> None:
    sit = situation()
    british(sit, "B3", "wood-platoon", "sapper-1", "hq-1", "howard", inside=True)
    sit.spent["wood-platoon"] = 4
    assert "take mg-2" not in {a.id for a in legal_actions(sit, sit.units["wood-platoon"])}
    sit.change_weapon("mg-3", area="B3", inside=True)
    do(sit, "sapper-1", "take mg-2")
    assert "take mg-3" not in {a.id for a in legal_actions(sit, sit.units["sapper-1"])}
    assert "take mg-3" in {a.id for a in legal_actions(sit, sit.units["hq-1"])}
    assert kinds(sit, "howard") <= {"leave-bunker"}


@pytest.mark.rule("ST-MOV-07")
def test_nobody_takes_the_at_gun() -> None:
    sit = situation()
    british(sit, "B4", "wood-platoon", inside=True)
    assert not any(a.target == "at-gun" for a in legal_actions(sit, sit.units["wood-platoon"]))


# -- lines --------------------------------------------------------------------------------


@pytest.mark.rule("ST-MOV-08", "ST-MOV-09", "ST-MOV-12", "ST-MOV-13", "ST-MOV-15")
def test_solid_lines_cost_one_or_two_and_dashed_ones_are_closed() -> None:
    sit = situation()
    british(sit, "CAF", "wood-platoon")
    assert costs(sit, "wood-platoon") == {"XR": 1, "PB": 1, "B7": 1, "B8": 1, "LP4": 2}
    british(sit, "XR", "fox-platoon")
    assert costs(sit, "wood-platoon")["XR"] == 1


@pytest.mark.rule("ST-MOV-14", "ST-MOV-16")
def test_an_enemy_occupied_area_costs_one_more_to_enter_not_to_leave() -> None:
    sit = situation()
    british(sit, "CAF", "wood-platoon")
    german(sit, "XR", "infantry-01")
    garrison(sit, "B8")
    german(sit, "LP4", "mercedes")
    assert costs(sit, "wood-platoon") == {"XR": 2, "PB": 1, "B7": 1, "B8": 2, "LP4": 3}
    sit.put("wood-platoon", "XR")
    assert costs(sit, "wood-platoon")["CAF"] == 1
    sit.take_off("mercedes", "wreck")
    assert costs(sit, "wood-platoon")["LP4"] == 1


@pytest.mark.rule("ST-MOV-27")
def test_nobody_spends_more_mp_than_it_has(tells: Tells) -> None:
    sit = situation()
    british(sit, "CAF", "wood-platoon")
    sit.spent["wood-platoon"] = 3
    assert "LP4" not in costs(sit, "wood-platoon")
    do(sit, "wood-platoon", "move XR")
    assert "wood-platoon" not in acting_ids(able_units(sit))
    asked = action_decision(sit, ("wood-platoon",), [])
    with pytest.raises(IllegalAnswer) as refused:
        asked.check("move CAF")
    tells(refused, "takes 1", "0 left", "MP", "ST-MOV-27")


@pytest.mark.rule("ST-MOV-10", "ST-MOV-11")
def test_flight_areas_are_closed_but_for_the_hexagon() -> None:
    sit = situation()
    british(sit, "B1", "wood-platoon")
    british(sit, "N1", "fox-platoon")
    assert costs(sit, "wood-platoon") == {"B2": 1, "NH1": 1}
    assert "NH1" in costs(sit, "fox-platoon")
    for area in sit.geo.flight - {"NH1"}:
        assert not any(area in dict(steps) for steps in sit.geo.steps.values())
    closed = situation(hexagon_link="a")
    british(closed, "B1", "wood-platoon")
    british(closed, "N1", "fox-platoon")
    assert costs(closed, "wood-platoon") == {"B2": 1}
    assert "NH1" not in costs(closed, "fox-platoon")


@pytest.mark.rule("ST-MOV-10")
def test_who_landed_in_a_flight_area_leaves_along_an_arrow() -> None:
    sit = situation()
    british(sit, "ND3", "wood-platoon")
    assert costs(sit, "wood-platoon", "arrow") == {"NH2": 1, "NH3": 1}
    assert costs(sit, "wood-platoon") == {}
    do(sit, "wood-platoon", "arrow NH2")
    assert costs(sit, "wood-platoon", "arrow") == {"N1": 1, "N2": 1}
    stay = situation(flight_area_exit="stay")
    british(stay, "ND3", "wood-platoon")
    assert kinds(stay, "wood-platoon") == {"prepare-position"}


# -- bunkers ------------------------------------------------------------------------------


@pytest.mark.rule("ST-MOV-18", "ST-MOV-19", "ST-MOV-20")
def test_into_a_bunker_for_one_mp_and_out_for_nothing() -> None:
    sit = situation()
    british(sit, "B1", "wood-platoon")
    assert {a.id: a.mp for a in legal_actions(sit, sit.units["wood-platoon"])}["enter-bunker"] == 1
    do(sit, "wood-platoon", "enter-bunker")
    assert sit.units["wood-platoon"].place == "B1*"
    assert list(moves(sit, sit.units["wood-platoon"], 3)) == ["leave-bunker"]
    sit.spent["wood-platoon"] = 4
    assert "wood-platoon" in acting_ids(able_units(sit))
    do(sit, "wood-platoon", "leave-bunker")
    assert sit.units["wood-platoon"].place == "B1"
    assert sit.spent["wood-platoon"] == 4


@pytest.mark.rule("ST-MOV-20")
def test_leaving_a_bunker_costs_one_when_the_enemy_is_outside() -> None:
    sit = situation()
    british(sit, "B1", "wood-platoon", inside=True)
    german(sit, "B1", "infantry-01")
    assert {a.kind: a.mp for a in moves(sit, sit.units["wood-platoon"], 4).values()} == {
        "leave-bunker": 1
    }


@pytest.mark.rule("ST-MOV-21", "ST-MOV-22")
def test_an_enemy_held_bunker_cannot_be_entered(tells: Tells) -> None:
    sit = situation()
    british(sit, "B4", "wood-platoon")
    post = garrison(sit, "B4", face_down=True)
    assert "enter-bunker" not in kinds(sit, "wood-platoon")
    asked = action_decision(sit, ("wood-platoon",), legal_actions(sit, sit.units["wood-platoon"]))
    with pytest.raises(IllegalAnswer) as refused:
        asked.check("enter-bunker")
    tells(refused, "grenades")
    sit.take_off(post, "dead")
    assert "enter-bunker" in kinds(sit, "wood-platoon")
    british(sit, "B4", "fox-platoon", inside=True)
    assert "enter-bunker" in kinds(sit, "wood-platoon")


@pytest.mark.rule("ST-MOV-14")
def test_an_enemy_in_the_bunker_makes_its_area_enemy_occupied() -> None:
    sit = situation()
    british(sit, "EF", "wood-platoon")
    garrison(sit, "B4")
    assert costs(sit, "wood-platoon")["B4"] == 2


# -- who may do what ----------------------------------------------------------------------


@pytest.mark.rule("ST-MOV-24", "ST-MOV-25", "ST-SEQ-04", "ST-GRE-02", "ST-PRE-01")
def test_what_each_kind_of_unit_may_do() -> None:
    sit = situation()
    german(sit, "B1", "tank-1")
    british(sit, "B1", "wood-platoon", "sapper-1", "hq-1", "wood")
    give(sit, "gammon-1", "sapper-1")
    assert kinds(sit, "wood-platoon") == {
        "move",
        "enter-bunker",
        "grenade",
        "gammon",
        "prepare-position",
        "take",
    }
    assert kinds(sit, "sapper-1") == {"move", "enter-bunker", "gammon", "prepare-position", "leave"}
    assert kinds(sit, "hq-1") == {"move", "enter-bunker", "gammon", "prepare-position", "take"}
    assert kinds(sit, "wood") == {"move", "enter-bunker"}


@pytest.mark.rule("ST-GEN-08", "ST-PIA-02", "ST-GAM-03")
def test_weapons_go_with_who_carries_them_one_of_a_kind_and_no_leader() -> None:
    sit = situation()
    british(sit, "N1", "wood-platoon", "fox-platoon", "wood")
    give(sit, "piat-2", "wood-platoon")
    give(sit, "piat-3", "fox-platoon")
    give(sit, "gammon-1", "fox-platoon")
    offered = {a.id for a in legal_actions(sit, sit.units["wood-platoon"])}
    assert {"leave piat-2", "take gammon-1"} <= offered
    assert "take piat-3" not in offered
    assert not any(a.kind in ("take", "leave") for a in legal_actions(sit, sit.units["wood"]))
    do(sit, "wood-platoon", "leave piat-2")
    do(sit, "wood-platoon", "move N4")
    assert sit.weapons["piat-2"].area == "N1"
    do(sit, "fox-platoon", "move N4")
    assert (sit.weapons["piat-3"].area, sit.weapons["gammon-1"].area) == ("N4", "N4")


@pytest.mark.rule("ST-GEN-08")
def test_a_gun_beside_the_enemy_is_the_enemys() -> None:
    sit = situation()
    garrison(sit, "PX")
    british(sit, "PX", "wood-platoon")
    assert "take mg-1" not in {a.id for a in legal_actions(sit, sit.units["wood-platoon"])}
    sit.take_off("garrison-px", "dead")
    assert "take mg-1" in {a.id for a in legal_actions(sit, sit.units["wood-platoon"])}


# -- POWs ---------------------------------------------------------------------------------


@pytest.mark.rule("ST-POW-03", "ST-POW-06")
def test_a_pow_handed_over_moves_two_mp_in_all() -> None:
    sit = situation()
    british(sit, "N1", "wood-platoon", "fox-platoon")
    prisoner(sit, "wood-platoon")
    do(sit, "wood-platoon", "move NH1")
    assert sit.pow_moved == {"pow-x": 1}
    british(sit, "NH1", "smith-platoon")
    do(sit, "smith-platoon", "take pow-x")
    assert sit.pows["pow-x"].escort == "smith-platoon"
    assert costs(sit, "smith-platoon") == {"B1": 1, "N1": 1}
    do(sit, "smith-platoon", "move B1")
    assert "B2" not in costs(sit, "smith-platoon")
    # The first escort has moved with the POW and keeps its allowance of 2.
    assert mp_left(sit, sit.units["wood-platoon"]) == 1


@pytest.mark.rule("ST-POW-03", "ST-POW-07")
def test_leaders_guard_no_pows() -> None:
    sit = situation()
    british(sit, "N1", "wood-platoon", "wood")
    prisoner(sit, "wood-platoon")
    assert "take pow-x" not in {a.id for a in legal_actions(sit, sit.units["wood"])}
    do(sit, "wood-platoon", "leave pow-x")
    assert not sit.pows
    assert sit.ledger.pows_escaped == 1


@pytest.mark.rule("ST-POW-06", "ST-POW-07", "ST-POW-08")
def test_a_left_pow_goes_to_another_unit_or_escapes_at_no_cost() -> None:
    from asl_pbcg.st.procedures.losses import kill_unit
    from asl_pbcg.st.rules.scoring import counts

    sit = situation()
    british(sit, "N1", "wood-platoon", "sapper-1")
    prisoner(sit, "wood-platoon")
    do(sit, "wood-platoon", "leave pow-x")
    assert sit.pows["pow-x"].escort == "sapper-1"
    assert counts(sit)["pow"] == 1
    sit.put("wood-platoon", "N2")
    run(kill_unit(sit, "sapper-1"))
    assert not sit.pows
    assert counts(sit)["pow"] == 0


# -- stacks -------------------------------------------------------------------------------


@pytest.mark.rule("ST-STK-01")
def test_any_number_of_units_may_share_an_area() -> None:
    sit = situation()
    ids = [
        unit.id
        for unit in sit.units.values()
        if unit.kind in ("platoon", "leader", "sapper", "hq") and unit.side == "british"
    ]
    british(sit, "N1", *ids)
    german(sit, "N4", "infantry-01", "infantry-02", "infantry-03", "mercedes", "schmidt")
    assert len(sit.at("british", "N1")) == len(ids) > 20
    british(sit, "N5", "wood-platoon")
    assert "N1" in costs(sit, "wood-platoon")


@pytest.mark.rule("ST-OPF-04")
def test_a_stack_moves_at_the_pace_of_its_slowest() -> None:
    sit = situation()
    british(sit, "CAF", "wood-platoon", "wood")
    sit.change("wood", wounded=True)
    sit.spent["wood-platoon"] = 1
    found = moves_together(sit, [sit.units["wood-platoon"], sit.units["wood"]])
    assert {a.target: a.mp for a in found} == {"XR": 1, "PB": 1, "B7": 1, "B8": 1, "LP4": 2}
    sit.spent["wood"] = 1
    found = moves_together(sit, [sit.units["wood-platoon"], sit.units["wood"]])
    assert {a.target for a in found} == {"XR", "PB", "B7", "B8"}
    run(carry_out(sit, ("wood-platoon", "wood"), action("move", "XR", 1)))
    assert sit.units["wood"].area == sit.units["wood-platoon"].area == "XR"
    assert (sit.spent["wood-platoon"], sit.spent["wood"]) == (2, 2)


@pytest.mark.rule("ST-SEQ-04", "ST-MOV-01")
def test_the_phase_asks_unit_by_unit_until_it_is_ended() -> None:
    sit = situation(2)
    british(sit, "N1", "wood-platoon", "wood")
    played = run(
        british_movement(sit.rules, sit.close()),
        answers=[
            "go-on",
            "stack N1",
            ["wood", "wood-platoon"],
            "move N4",
            "stop",
            "wood",
            "move N7",
            "end-phase",
        ],
    )
    units = {unit.id: unit for unit in played.result.units}
    assert units["wood-platoon"].area == "N4"
    assert units["wood"].area == "N7"
    asked = {prompt.id for prompt, _ in played.asked}
    assert asked == {"break_down", "act", "stack", "action"}


# -- squads -------------------------------------------------------------------------------


def squads(sit: Situation, answers: list[str]) -> list[str]:
    return run(break_down(sit), answers=answers).points


@pytest.mark.rule("ST-BRK-01", "ST-BRK-02", "ST-GRE-05")
def test_a_platoon_splits_evenly() -> None:
    sit = situation()
    british(sit, "B1", "wood-platoon", inside=True, lost=4, grenades=2, suppressed=True, engaged=3)
    sit.book(british_sp=4)
    give(sit, "piat-1", "wood-platoon")
    prisoner(sit, "wood-platoon")
    assert squads(sit, ["split wood-platoon", "go-on"]) == ["break_down", "break_down"]
    a, b = sit.units["wood-a"], sit.units["wood-b"]
    assert (a.strength, b.strength, a.grenades, b.grenades) == (2, 2, 1, 1)
    assert a.place == b.place == "B1*"
    assert a.suppressed and b.suppressed and a.engaged == b.engaged == 3
    assert sit.units["wood-platoon"].status == "pool"
    assert sit.weapons["piat-1"].carrier == "wood-a"
    assert sit.pows["pow-x"].escort == "wood-a"


@pytest.mark.rule("ST-BRK-02", "ST-GRE-05")
def test_the_player_gives_the_odd_loss_and_grenade() -> None:
    sit = situation()
    british(sit, "N1", "wood-platoon", lost=3, grenades=3)
    points = squads(sit, ["split wood-platoon", "wood-b", "wood-a", "go-on"])
    assert points == ["break_down", "break_down_share", "break_down_share", "break_down"]
    a, b = sit.units["wood-a"], sit.units["wood-b"]
    assert (a.strength, b.strength, a.grenades, b.grenades) == (3, 2, 2, 1)


@pytest.mark.rule("ST-BRK-03")
def test_two_squads_of_one_lieutenant_join_again() -> None:
    sit = situation()
    british(sit, "N1", "wood-a", lost=2, grenades=1, suppressed=True)
    british(sit, "N1", "wood-b", lost=1, grenades=2)
    squads(sit, ["join wood-platoon", "go-on"])
    platoon = sit.units["wood-platoon"]
    assert (platoon.strength, platoon.grenades, platoon.area) == (5, 3, "N1")
    assert platoon.suppressed
    assert sit.units["wood-a"].status == sit.units["wood-b"].status == "pool"


@pytest.mark.rule("ST-BRK-03", "ST-BRK-04")
def test_what_can_neither_split_nor_join() -> None:
    sit = situation()
    british(sit, "N1", "wood-a", "fox-b", "coffin-1")
    british(sit, "N4", "wood-b")
    assert squads(sit, []) == []
    british(sit, "N1", "smith-platoon")
    sit.change("smith-platoon", lost=7)
    assert squads(sit, []) == []


@pytest.mark.rule("ST-BRK-01", "ST-VIC-02")
def test_exchanging_counters_is_no_entry() -> None:
    sit = situation()
    british(sit, "XR", "wood-platoon")
    german(sit, "XR", "infantry-01")
    before = dict(sit.control), dict(sit.entered)
    squads(sit, ["split wood-platoon", "go-on"])
    assert (sit.control, sit.entered) == before


# -- reinforcements -----------------------------------------------------------------------


@pytest.mark.rule("ST-SEQ-02", "ST-BRN-01", "ST-SEQ-03")
@pytest.mark.parametrize(
    ("force", "face", "came", "turn"),
    [("1", 4, "A", 7), ("2", 2, "B", 8), ("3", 4, "C", 9), ("3", 1, "A", 7)],
)
def test_the_roll_of_turn_six(force: str, face: int, came: str, turn: int) -> None:
    sit = situation(6, mode="variable", difficulty="easy")
    sit.german_force = force
    run(reinforcement_roll(sit), [face])
    assert (sit.british_force, sit.british_turn) == (came, turn)
    assert sit.units["coffin"].status == "waiting"
    early = situation(5, mode="variable", difficulty="easy")
    run(reinforcement_roll(early))
    assert not early.british_force
    history = situation(6)
    history.british_force = "B"
    run(reinforcement_roll(history))


@pytest.mark.rule("ST-BRN-08")
def test_the_optional_table() -> None:
    for face, came in enumerate("AABBCC", 1):
        sit = situation(6, mode="variable", difficulty="easy", optional_british_table=True)
        sit.german_force = "1"
        run(reinforcement_roll(sit), [face])
        assert sit.british_force == came


@pytest.mark.rule("ST-SEQ-03")
def test_the_entry_turns_of_the_rules_section_may_be_set() -> None:
    turns = {}
    for force in "ABC":
        sit = situation(6, british_entry_turns="text")
        run(set_british_force(sit, force))
        turns[force] = sit.british_turn
    assert turns == {"A": 6, "B": 7, "C": 8}


@pytest.mark.rule("ST-BRN-05", "ST-BRN-06", "ST-BRN-07", "ST-BRN-03", "ST-PIA-02")
def test_reinforcements_enter_in_column_two_a_stack(tells: Tells) -> None:
    sit = situation(8)
    run(set_british_force(sit, "B"))
    played = run(
        arrivals(sit),
        answers=["coffin-3", "coffin-1", "coffin-2", ["coffin-3", "coffin-4"]],
    )
    assert played.points == ["arrival_weapon"] * 3 + ["arrival_order"]
    entry = GAME.map.entry("Ranville")
    assert {u.id for u in sit.at("british", entry)} == {
        "coffin",
        "coffin-1",
        "coffin-2",
        "coffin-3",
        "coffin-4",
    }
    left = {
        id: mp_left(sit, sit.units[id])
        for id in ("coffin", "coffin-3", "coffin-4", "coffin-1", "coffin-2")
    }
    assert left == {"coffin": 4, "coffin-3": 4, "coffin-4": 4, "coffin-1": 3, "coffin-2": 3}
    carried = {w: sit.weapons[w].carrier for w in ("piat-2", "piat-3", "gammon-1")}
    assert carried == {"piat-2": "coffin-3", "piat-3": "coffin-1", "gammon-1": "coffin-2"}
    assert sit.weapons["gammon-2"].status == "pool"
    order = next(prompt for prompt, _ in played.asked if prompt.id == "arrival_order")
    with pytest.raises(IllegalAnswer) as refused:
        order.check(["coffin-1"])
    tells(refused, "Choose 2", "1")


@pytest.mark.rule("ST-BRN-05", "ST-BRN-04")
def test_the_third_stack_pays_two() -> None:
    sit = situation(9)
    run(set_british_force(sit, "C"))
    run(
        arrivals(sit),
        answers=[
            "coffin-1",
            "coffin-2",
            "coffin-3",
            "coffin-4",
            ["coffin-1", "coffin-2"],
            ["coffin-3", "coffin-4"],
        ],
    )
    assert [mp_left(sit, sit.units[f"coffin-{n}"]) for n in range(1, 7)] == [4, 4, 3, 3, 2, 2]


@pytest.mark.rule("ST-BRN-07")
def test_each_weapon_has_a_carrier_of_its_own() -> None:
    sit = situation(7)
    run(set_british_force(sit, "A"))
    script = arrivals(sit)
    asked: Any = script.send(None)
    assert legal(asked) == {"coffin-1", "coffin-2", "coffin-3"}
    asked = script.send("coffin-2")
    assert legal(asked) == {"coffin-1", "coffin-3"}


@pytest.mark.rule("ST-SEQ-03")
def test_nobody_comes_before_the_turn() -> None:
    sit = situation(7)
    run(set_british_force(sit, "B"))
    run(arrivals(sit))
    assert sit.units["coffin"].status == "waiting"
