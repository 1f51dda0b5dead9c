"""Whose a weapon is where both sides stand. Rule: ST-GEN-08, ST-MOV-05, ST-VIC-07, AMB-124."""

from __future__ import annotations

import pytest
from st_help import british, garrison, german, give, run, situation

from asl_pbcg.st.british.british_start import break_down
from asl_pbcg.st.germans.german_advance import Approach, walk
from asl_pbcg.st.procedures.german_guns import firing_choices
from asl_pbcg.st.procedures.movement import legal_actions
from asl_pbcg.st.rules.p6_german_fire import mg_crews
from asl_pbcg.st.rules.scoring import weapon_taken
from asl_pbcg.st.state.phase_situation import Situation


def offered(sit: Situation, unit: str) -> set[str]:
    return {action.id for action in legal_actions(sit, sit.units[unit])}


def guarded_pillbox(bearer: str = "infantry-01") -> Situation:
    """A pillbox that the British hold, and Germans beside it with an MG."""
    sit = situation(turn=8, phase="german_movement")
    british(sit, "PX", "wood-platoon")
    near = sorted(sit.geo.solid["PX"])[0]
    german(sit, near, bearer)
    sit.change_weapon("mg-2", area=near, inside=False)
    run(walk(sit, Approach(sit), bearer, "mg-2"), answers=[[]])
    assert sit.weapons["mg-2"].area == sit.units[bearer].area == "PX"
    return sit


@pytest.mark.rule("ST-MOV-05", "ST-MGF-01", "ST-GEN-08", "ST-VIC-07")
def test_who_walks_in_with_an_mg_keeps_it_beside_the_enemy() -> None:
    """AMB-124: the British held the area, and the MG is that of the Germans who brought it."""
    sit = guarded_pillbox()
    assert sit.control["PX"] == "british"
    assert [mg.id for mg in sit.weapons_at("german", "PX", "mg")] == ["mg-2"]
    assert mg_crews(sit, [sit.units["infantry-01"]]) == {"infantry-01"}
    assert not weapon_taken(sit, "mg-2")
    after = Situation(sit.rules, sit.close(phase=4))
    assert "take mg-2" not in offered(after, "wood-platoon")
    served = set(firing_choices(after, [after.units["wood-platoon"]]))
    assert served == {"wood-platoon", "mg-1+wood-platoon"}  # their own MG, not his


@pytest.mark.rule("ST-GEN-08", "ST-VIC-02", "ST-VIC-07")
@pytest.mark.parametrize("gone", ["german", "british"])
def test_a_weapon_beside_both_falls_to_who_stays_alone(gone: str) -> None:
    """AMB-124: and whoever comes back later comes to the enemy's MG."""
    sit = guarded_pillbox()
    sit.take_off("infantry-01" if gone == "german" else "wood-platoon", "dead")
    assert weapon_taken(sit, "mg-2") == (gone == "german")
    assert not sit.weapons["mg-2"].held
    if gone == "german":
        german(sit, "PX", "infantry-02")
    else:
        british(sit, "PX", "fox-platoon")
    assert weapon_taken(sit, "mg-2") == (gone == "german")


@pytest.mark.rule("ST-GEN-08", "ST-PIA-02")
def test_what_a_lost_carrier_had_stays_with_its_side() -> None:
    """AMB-124: a platoon falls among Germans; another one there picks its PIAT up."""
    sit = situation()
    garrison(sit, "PX")
    british(sit, "PX", "wood-platoon", "fox-platoon")
    give(sit, "piat-1", "wood-platoon")
    sit.take_off("wood-platoon", "dead")
    assert sit.control["PX"] == "german"
    assert "take piat-1" in offered(sit, "fox-platoon")
    sit.take_off("fox-platoon", "dead")
    british(sit, "PX", "brotheridge-platoon")
    assert "take piat-1" not in offered(sit, "brotheridge-platoon")


@pytest.mark.rule("ST-BRK-03", "ST-GEN-08")
def test_the_second_piat_of_squads_that_join_stays_british() -> None:
    sit = situation()
    garrison(sit, "PX")
    british(sit, "PX", "wood-a", "wood-b")
    give(sit, "piat-1", "wood-a")
    give(sit, "piat-2", "wood-b")
    run(break_down(sit), answers=["join wood-platoon", "go-on"])
    assert sorted(w.id for w in sit.weapons_at("british", "PX", "piat")) == ["piat-1", "piat-2"]
    assert not sit.weapons["piat-2"].carrier


@pytest.mark.rule("ST-BRK-01", "ST-GEN-08")
def test_exchanging_counters_hands_no_mg_over() -> None:
    """A platoon that splits beside Germans with an MG leaves it to them. AMB-124."""
    sit = guarded_pillbox()
    run(break_down(sit), answers=["split wood-platoon", "go-on"])
    assert [mg.id for mg in sit.weapons_at("german", "PX", "mg")] == ["mg-2"]
