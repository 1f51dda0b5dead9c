"""Suppression Removal Phase, leaders who help, and turn 5."""

from __future__ import annotations

import pytest
from sentences import Tells
from st_accounts import faults
from st_help import british, garrison, german, run, situation

from asl_pbcg.st.germans.german_advance import may_move
from asl_pbcg.st.procedures.fire import Target, apply_hit
from asl_pbcg.st.procedures.german_guns import british_firers, german_firers
from asl_pbcg.st.procedures.gun_fire import attacks
from asl_pbcg.st.procedures.losses import commands, is_led
from asl_pbcg.st.procedures.movement import legal_actions
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.p2_suppression_removal import suppression_removal
from asl_pbcg.st.state.area_tables import read_hit
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.state.phase_situation import Situation


def phase(sit: Situation, dice: list[int]) -> tuple[Situation, list[str]]:
    closed: State = sit.close()
    played = run(suppression_removal(sit.rules, closed), dice)
    return Situation(sit.rules, played.result), [roll.text for roll, _ in played.rolls]


@pytest.mark.rule("ST-SUP-05", "ST-SUP-06", "ST-SUP-07", "ST-SUP-08", "ST-SUP-11", "ST-SUP-12")
@pytest.mark.parametrize(("face", "free"), [(2, "bgi"), (3, "bi"), (4, "b"), (5, "")])
def test_who_recovers_on_what(face: int, free: str) -> None:
    sit = situation(3, "suppression_removal")
    british(sit, "N1", "wood-platoon", suppressed=True)
    german(sit, "XR", "infantry-01", suppressed=True)
    post = garrison(sit, "B4", suppressed=True)
    after, rolls = phase(sit, [face] * 3)
    assert len(rolls) == 3
    assert after.units["wood-platoon"].suppressed == ("b" not in free)
    assert after.units["infantry-01"].suppressed == ("i" not in free)
    assert after.units[post].suppressed == ("g" not in free)
    # Who failed may try again next turn, at no other cost.
    again, _ = phase(after, [1] * (3 - len(free)))
    assert not any(unit.suppressed for unit in again.units.values())


@pytest.mark.rule("ST-GEN-06", "ST-SUP-11")
def test_units_and_leaders_are_active_or_suppressed() -> None:
    sit = situation(3, "suppression_removal")
    british(sit, "N1", "howard", suppressed=True)
    german(sit, "XR", "schmidt", suppressed=True)
    after, rolls = phase(sit, [4, 4])
    assert rolls == ["Suppression removal, Mjr Howard", "Suppression removal, Mjr Schmidt"]
    assert not after.units["howard"].suppressed
    assert after.units["schmidt"].suppressed


@pytest.mark.rule("ST-GEN-07", "ST-SUP-01")
def test_vehicles_and_weapons_are_never_suppressed(tells: Tells) -> None:
    sit = situation(5, "british_fire")
    german(sit, "XR", "mercedes")
    run(apply_hit(sit, Target("XR", ("mercedes",)), read_hit("S")))
    assert not sit.units["mercedes"].suppressed
    assert not hasattr(sit.weapons["mg-1"], "suppressed")
    sit.change("mercedes", suppressed=True)
    tells(faults(sit.rules, sit.close()), "suppressed")


@pytest.mark.rule("ST-SUP-02", "ST-SUP-03")
def test_suppressed_units_neither_move_nor_fire() -> None:
    sit = situation(3, "british_movement")
    british(sit, "EF", "wood-platoon", suppressed=True)
    german(sit, "RD1", "infantry-01", suppressed=True)
    assert legal_actions(sit, sit.units["wood-platoon"]) == []
    assert british_firers(sit, "RD1") == []
    assert attacks(sit, set()) == []
    assert not may_move(sit, sit.units["infantry-01"])
    assert run(german_firers(sit, "EF")).result == []
    sit.change("wood-platoon", suppressed=False)
    sit.change("infantry-01", suppressed=False)
    assert legal_actions(sit, sit.units["wood-platoon"])
    assert len(british_firers(sit, "RD1")) == len(attacks(sit, set())) == 1
    assert may_move(sit, sit.units["infantry-01"])
    assert len(run(german_firers(sit, "EF")).result) == 1


APPROPRIATE = {
    "brotheridge": {"brotheridge-platoon", "brotheridge-a", "brotheridge-b"},
    "neilson": {"sapper-1", "sapper-4"},
    "priday": set(),
    "coffin": {"coffin-1", "coffin-6"},
}


@pytest.mark.rule("ST-SUP-09", "ST-SUP-10")
def test_for_whom_each_leader_is_appropriate() -> None:
    sit = situation()
    units = sit.units
    asked = {"brotheridge-platoon", "brotheridge-a", "brotheridge-b", "fox-platoon", "sapper-1",
             "sapper-4", "hq-1", "coffin-1", "coffin-6", "fox", "howard"}  # fmt: skip
    for leader, served in APPROPRIATE.items():
        found = {id for id in asked if commands(sit.settings, units[leader], units[id])}
        assert found == served, leader
    howard = {id for id in asked if commands(sit.settings, units["howard"], units[id])}
    assert howard == asked - {"howard"}
    deputy = situation(priday_commands="all").settings
    assert commands(deputy, units["priday"], units["fox-platoon"])
    assert not commands(deputy, units["priday"], units["priday"])


@pytest.mark.rule("ST-SUP-09", "ST-SUP-10")
def test_german_leaders() -> None:
    sit = situation()
    post = garrison(sit, "B4")
    german(sit, "LP", "hickman", "schmidt", "infantry-01", "tank-1")
    units = sit.units

    def serves(leader: str) -> set[str]:
        asked = (post, "hickman", "schmidt", "infantry-01", "tank-1")
        return {id for id in asked if commands(sit.settings, units[leader], units[id])}

    assert serves("hickman") == {post}
    assert serves("schmidt") == {post, "hickman", "infantry-01"}


@pytest.mark.rule("ST-SUP-05", "ST-SUP-09", "ST-LDR-05")
def test_a_leader_helps_once_however_many_there_are() -> None:
    sit = situation(3, "suppression_removal")
    british(sit, "N1", "howard", "brotheridge")
    british(sit, "N1", "brotheridge-platoon", suppressed=True)
    british(sit, "N2", "fox-platoon", suppressed=True)
    after, _ = phase(sit, [5, 5])
    assert not after.units["brotheridge-platoon"].suppressed
    assert after.units["fox-platoon"].suppressed


@pytest.mark.rule("ST-SUP-10", "ST-SUP-05")
def test_no_leader_helps_himself_but_howard_helps_another() -> None:
    sit = situation(3, "suppression_removal")
    british(sit, "N1", "howard", "fox", suppressed=True)
    played = run(suppression_removal(sit.rules, sit.close()), [5, 5])
    drm = {roll.text: rolled.total_drm for roll, rolled in played.rolls}
    assert drm == {"Suppression removal, Lt Fox": -1, "Suppression removal, Mjr Howard": 0}


@pytest.mark.rule("ST-SUP-09")
def test_a_leader_outside_the_bunker_is_not_stacked_with_who_is_inside() -> None:
    sit = situation()
    british(sit, "B4", "fox-platoon", inside=True)
    british(sit, "B4", "fox")
    assert not is_led(sit, sit.units["fox-platoon"])
    sit.put("fox", "B4", inside=True)
    assert is_led(sit, sit.units["fox-platoon"])


@pytest.mark.rule("ST-GAR-05", "ST-SEQ-06")
def test_on_turn_five_all_counters_turn_up_without_a_roll() -> None:
    sit = situation(5, "suppression_removal")
    real = garrison(sit, "B4", face_down=True)
    dummy = garrison(sit, "B5", face_down=True, dummy=True)
    played = run(suppression_removal(sit.rules, sit.close()))
    after = Situation(sit.rules, played.result)
    assert not after.units[real].face_down
    assert after.units[real].no_opportunity_fire == 0
    assert after.units[dummy].status == "left"
    assert "B5*" not in after.german


@pytest.mark.rule("ST-GAR-05")
def test_before_turn_five_nothing_turns_up() -> None:
    sit = situation(4, "suppression_removal")
    real = garrison(sit, "B4", face_down=True)
    played = run(suppression_removal(sit.rules, sit.close()))
    assert next(u for u in played.result.units if u.id == real).face_down


def test_the_phase_comes_on_every_turn() -> None:
    game = AreaGame()
    sit = situation(1, "glider_landing")
    step = game.next_step(sit.close(turn=7, phase=1))
    assert step and step.id == "7.2" and "Suppression" in step.title
