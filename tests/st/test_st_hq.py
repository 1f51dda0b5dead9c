"""Coordination loss: with both HQ killed, everything is declared first."""

from __future__ import annotations

import pytest
from sentences import Tells
from st_help import british, german, give, legal, run, situation

from asl_pbcg.st.british.declared import coordination_lost
from asl_pbcg.st.rules.p3_british_movement import british_movement
from asl_pbcg.st.rules.p5_british_fire import british_fire
from asl_pbcg.st.state.phase_situation import Situation


def lost(turn: int = 3, phase: str = "british_movement") -> Situation:
    sit = situation(turn, phase)
    for hq in ("hq-1", "hq-2"):
        sit.change(hq, status="dead", lost=1)
    return sit


@pytest.mark.rule("ST-HQU-02")
def test_coordination_is_lost_when_both_hq_are_killed() -> None:
    sit = situation()
    assert not coordination_lost(sit)
    sit.change("hq-1", status="dead", lost=1)
    assert not coordination_lost(sit)
    sit.change("hq-2", status="absent")
    assert not coordination_lost(sit)
    sit.change("hq-2", status="dead", lost=1)
    assert coordination_lost(sit)
    none_left = situation(hq_loss="none_left")
    none_left.change("hq-1", status="absent")
    none_left.change("hq-2", status="dead", lost=1)
    assert coordination_lost(none_left)


@pytest.mark.rule("ST-HQU-02", "ST-HQU-03", "ST-HQU-04")
def test_declared_movement_is_carried_out_and_nothing_else() -> None:
    sit = lost()
    british(sit, "N1", "wood-platoon", "fox-platoon")
    played = run(
        british_movement(sit.rules, sit.close()),
        answers=[
            "go-on",
            "wood-platoon", "move N4", "move N7",
            "fox-platoon", "move N5", "stop",
            "end-declaration",
            "declared-3", "declared-1", "declared-1",
        ],
    )  # fmt: skip
    units = {unit.id: unit for unit in played.result.units}
    assert (units["wood-platoon"].area, units["fox-platoon"].area) == ("N7", "N5")
    carried = [prompt for prompt, _ in played.asked if prompt.id == "carry_out"]
    # Wood's second step waits for his first; there is no way to stop early.
    assert [legal(prompt) for prompt in carried] == [
        {"declared-1", "declared-3"},
        {"declared-1"},
        {"declared-1"},
    ]


@pytest.mark.rule("ST-HQU-02")
def test_a_unit_may_declare_more_later_as_long_as_it_has_something_to_do() -> None:
    sit = lost()
    british(sit, "N1", "wood-platoon", "fox-platoon")
    played = run(
        british_movement(sit.rules, sit.close()),
        answers=[
            "go-on",
            "wood-platoon", "move N4", "stop",
            "fox-platoon", "stop",
            "wood-platoon", "move N7",
            "end-declaration",
            "declared-1", "declared-1",
        ],
    )  # fmt: skip
    assert {unit.id: unit.area for unit in played.result.units}["wood-platoon"] == "N7"
    open_to = [legal(prompt) for prompt, _ in played.asked if prompt.id == "declare"]
    assert all({"wood-platoon", "fox-platoon"} <= each for each in open_to[:3])


@pytest.mark.rule("ST-HQU-03")
def test_the_example_of_the_rules_a_wasted_grenade(tells: Tells) -> None:
    # One unit's grenade is wasted because another has already eliminated the target.
    sit = lost()
    british(sit, "EF", "wood-platoon", "fox-platoon")
    german(sit, "PX", "infantry-01", lost=7)
    sit.book(german_sp=7)
    sit.change_weapon("mg-1", status="destroyed")
    played = run(
        british_movement(sit.rules, sit.close()),
        [6],
        [
            "go-on",
            "wood-platoon", "grenade PX", "stop",
            "fox-platoon", "grenade PX", "stop",
            "end-declaration",
            "declared-1", "declared-1",
        ],
    )  # fmt: skip
    units = {unit.id: unit for unit in played.result.units}
    assert units["infantry-01"].status == "dead"
    assert (units["wood-platoon"].grenades, units["fox-platoon"].grenades) == (3, 3)
    tells(played.notes)


@pytest.mark.rule("ST-HQU-03")
def test_what_cannot_be_done_any_more_is_void(tells: Tells) -> None:
    sit = lost()
    british(sit, "PX", "wood-platoon")
    german(sit, "RD1", "infantry-01")
    played = run(
        british_movement(sit.rules, sit.close()),
        [5],
        ["go-on", "wood-platoon", "move EF", "move RD1", "stop", "end-declaration", "declared-1"],
    )
    units = {unit.id: unit for unit in played.result.units}
    assert units["wood-platoon"].area == "EF" and units["wood-platoon"].suppressed
    tells(played.notes, "RD1")


@pytest.mark.rule("ST-HQU-02", "ST-OPF-04")
def test_stacks_are_declared_too() -> None:
    sit = lost()
    british(sit, "N1", "wood-platoon", "wood")
    give(sit, "piat-1", "wood-platoon")
    played = run(
        british_movement(sit.rules, sit.close()),
        answers=[
            "go-on", "stack N1", ["wood", "wood-platoon"], "move N4", "stop",
            "wood-platoon", "leave piat-1", "stop", "end-declaration", "declared-1", "declared-1",
        ],
    )  # fmt: skip
    units = {unit.id: unit for unit in played.result.units}
    assert units["wood"].area == units["wood-platoon"].area == "N4"
    weapon = next(w for w in played.result.weapons if w.id == "piat-1")
    assert (weapon.area, weapon.carrier) == ("N4", "")


@pytest.mark.rule("ST-HQU-02", "ST-HQU-03", "ST-SEQ-11")
def test_declared_fire_goes_at_targets_that_are_gone(tells: Tells) -> None:
    sit = lost(6, "british_fire")
    british(sit, "EF", "wood-platoon", "fox-platoon")
    give(sit, "mg-1", "wood-platoon")
    german(sit, "RD1", "infantry-01")
    german(sit, "RD1", "infantry-02", lost=7)
    sit.book(german_sp=7)
    # Wood's MG kills the second infantry unit; Fox has declared fire at it and wastes it.
    played = run(
        british_fire(sit.rules, sit.close()),
        [6],
        [
            "small-arms infantry-01", ["mg-1+wood-platoon", "wood-platoon"],
            "small-arms infantry-02", "attack-1",
        ],
    )  # fmt: skip
    assert played.points == ["declare_fire", "firers", "declare_fire", "carry_out_fire"]
    tells(played.notes[-1], "target")
    # The MG has fired: Fox was not offered it.
    assert played.result.ledger.german_sp == 7 + 1 + 3


@pytest.mark.rule("ST-HQU-01")
def test_hq_throw_no_grenades() -> None:
    sit = situation()
    british(sit, "EF", "hq-1")
    assert sit.units["hq-1"].grenades == 0
    assert sit.units["hq-1"].combat
