"""Pegasus Bridge: demolition, damage, sappers, ferry."""

from __future__ import annotations

from typing import Any

import pytest
from st_help import british, garrison, german, run, situation

from asl_pbcg.kernel.prompts import Note
from asl_pbcg.st.germans.german_advance import Approach, step_mp
from asl_pbcg.st.procedures.demolition import conditions_hold, demolition_check
from asl_pbcg.st.procedures.german_guns import german_opportunity_fire
from asl_pbcg.st.procedures.movement import legal_actions, mp_left
from asl_pbcg.st.rules.p3_british_movement import carry_out
from asl_pbcg.st.rules.p4_german_movement import german_movement
from asl_pbcg.st.rules.p7_hand_to_hand import combat
from asl_pbcg.st.rules.p9_bridge import bridge
from asl_pbcg.st.state.phase_situation import Situation
from asl_pbcg.st.state.player_view import view_in


def wired(marker: str = "wired", **settings: Any) -> Situation:
    """Chit E, a garrison in the pillbox, British next to it, an attack made."""
    sit = situation(3, "german_movement", chit="E", **settings)
    garrison(sit, "PX", inside=False)
    british(sit, "N10", "wood-platoon")
    sit.demo, sit.demo_marker = "open", marker  # type: ignore[assignment]
    sit.attacked = True
    return sit


# -- the attempt --------------------------------------------------------------------------


@pytest.mark.rule(
    "ST-DEM-02", "ST-DEM-03", "ST-DEM-06", "ST-DEM-07", "ST-DEM-08", "ST-DEM-10", "ST-DEM-13"
)
@pytest.mark.parametrize(
    ("face", "schmidt", "state"),
    [
        (3, False, "destroyed"),
        (4, False, "damaged"),
        (5, False, "intact"),
        (4, True, "destroyed"),
        (5, True, "damaged"),
        (1, True, "destroyed"),
    ],
)
def test_the_one_attempt(face: int, schmidt: bool, state: str) -> None:
    sit = wired()
    if schmidt:
        german(sit, "PX", "schmidt")
    played = run(demolition_check(sit), [face])
    assert played.drm() == ({"schmidt_in_pillbox": -1} if schmidt else {})
    assert sit.bridge == state
    assert sit.demo == ("malfunction" if state == "intact" else "blown")
    assert sit.demo_marker == ("wired" if state == "intact" else "none")
    # There is no second attempt.
    assert run(demolition_check(sit)).rolls == []


@pytest.mark.rule("ST-DEM-06", "ST-DEM-01")
def test_a_blank_marker_is_removed() -> None:
    sit = wired("blank")
    assert run(demolition_check(sit)).rolls == []
    assert (sit.demo, sit.demo_marker, sit.bridge) == ("over", "none", "intact")
    plain = wired("none")
    plain.demo = "over"
    assert run(demolition_check(plain)).notes == []


@pytest.mark.finding("G-73")
@pytest.mark.rule("ST-DEM-03")
def test_the_log_tells_that_the_chance_has_passed() -> None:
    """Openly, unless the player may not know whether he attacked a dummy (AMB-24)."""
    for settings, secret in (({}, False), ({"attack_activates": False}, True)):
        sit = wired(**settings)
        british(sit, "PX", "fox-platoon")
        (note,) = list(demolition_check(sit))
        assert isinstance(note, Note) and note.secret is secret
        assert sit.demo == "over"


@pytest.mark.rule("ST-DEM-03")
def test_without_an_attack_nothing_happens() -> None:
    sit = wired()
    sit.attacked = False
    assert run(demolition_check(sit)).rolls == []
    assert sit.demo == "open"
    # German fire on the British is not a British attack.
    german(sit, "EF", "infantry-01")
    british(sit, "RD1", "fox-platoon")
    run(german_opportunity_fire(sit, ("fox-platoon",)), [1])
    assert not sit.attacked
    run(combat(wired(), "N10"))
    fought = wired()
    german(fought, "N10", "infantry-01")
    fought.attacked = False
    run(combat(fought, "N10"), [2])
    assert fought.attacked


@pytest.mark.rule("ST-DEM-04", "ST-DEM-05")
def test_the_conditions() -> None:
    sit = wired()
    assert conditions_hold(sit)
    sit.put("wood-platoon", "N1")
    assert not conditions_hold(sit)
    for area in ("PB", "EF", "CAF", "N6", "B7", "N10"):
        sit.put("wood-platoon", area)
        assert conditions_hold(sit), area
    british(sit, "PX", "fox-platoon")
    assert not conditions_hold(sit)
    sit.take_off("fox-platoon", "pool")
    sit.take_off("garrison-px", "dead")
    assert not conditions_hold(sit)
    garrison(sit, "PX", face_down=True, dummy=True)
    assert not conditions_hold(sit)
    german(sit, "PX", "schmidt")
    assert conditions_hold(sit)
    sit.put("wood-platoon", "N1")
    british(sit, "PB", "wood")
    assert conditions_hold(sit)


@pytest.mark.rule("ST-DEM-03")
def test_a_missed_chance_is_gone_or_not_as_set() -> None:
    for setting, state in (("strict", "over"), ("rolling", "open")):
        sit = wired(demolition_window=setting)
        sit.put("wood-platoon", "N1")
        played = run(demolition_check(sit))
        assert sit.demo == state and sit.demo_marker == "wired"
        assert played.rolls == []
        # The player does not learn of it.
        assert view_in(sit, "british").demo == "open"
        assert view_in(sit, "british").demo_marker == "hidden"


@pytest.mark.rule("ST-SEQ-09")
def test_it_is_checked_before_any_german_moves() -> None:
    sit = wired()
    played = run(german_movement(sit.rules, sit.close()), [6], [[]])
    texts = played.notes
    blown = next(n for n, text in enumerate(texts) if "blow Pegasus Bridge" in text)
    moved = next(n for n, text in enumerate(texts) if "moves from" in text)
    assert blown < moved


@pytest.mark.rule("ST-DEM-08", "ST-VIC-12", "ST-VIC-13")
def test_who_stands_on_the_bridge_dies_with_it() -> None:
    sit = wired()
    british(sit, "PB", "fox-platoon", "fox")
    run(demolition_check(sit), [1])
    assert sit.units["fox-platoon"].status == sit.units["fox"].status == "dead"
    assert sit.ledger.platoons == ("fox-platoon",) and sit.ledger.leaders == 1


# -- damaged and destroyed ----------------------------------------------------------------


def costs(sit: Situation, unit: str) -> dict[str, int]:
    return {a.target: a.mp for a in legal_actions(sit, sit.units[unit]) if a.kind == "move"}


def broken(state: str, turn: int = 6) -> Situation:
    sit = situation(turn)
    sit.bridge = state  # type: ignore[assignment]
    return sit


@pytest.mark.rule("ST-DEM-09", "ST-SAP-06", "ST-DEM-12")
def test_only_sappers_enter_a_destroyed_bridge_with_all_their_mp() -> None:
    sit = broken("destroyed")
    british(sit, "CAF", "wood-platoon", "hq-1", "wood", "sapper-1")
    sit.spent["sapper-1"] = 1
    assert costs(sit, "sapper-1")["PB"] == 3
    for unit in ("wood-platoon", "hq-1", "wood"):
        assert "PB" not in costs(sit, unit)
    action = next(a for a in legal_actions(sit, sit.units["sapper-1"]) if a.id == "move PB")
    run(carry_out(sit, ("sapper-1",), action))
    assert mp_left(sit, sit.units["sapper-1"]) == 0
    assert sit.units["sapper-1"].bank == "west"
    # It leaves only to the bank it came from.
    sit.turn, sit.spent = 7, {}
    assert set(costs(sit, "sapper-1")) == {"CAF"}


@pytest.mark.rule("ST-SAP-06", "ST-DEM-10")
def test_a_damaged_bridge_carries_everybody_but_stops_sappers() -> None:
    sit = broken("damaged")
    british(sit, "CAF", "wood-platoon", "sapper-1")
    assert costs(sit, "wood-platoon")["PB"] == 1
    assert costs(sit, "sapper-1")["PB"] == 4
    sit.put("wood-platoon", "PB")
    assert set(costs(sit, "wood-platoon")) == {"CAF", "EF"}


@pytest.mark.rule("ST-SAP-07")
def test_from_the_next_turn_a_sapper_ferries_both_sides_for_two_mp() -> None:
    sit = broken("destroyed")
    british(sit, "CAF", "wood-platoon", "sapper-1")
    german(sit, "EF", "infantry-01")
    sit.put("sapper-1", "PB")
    assert "PB" not in costs(sit, "wood-platoon")
    assert step_mp(sit, sit.units["infantry-01"], "EF", "PB", 1) is None
    sit.turn = 7
    assert costs(sit, "wood-platoon")["PB"] == 2
    assert step_mp(sit, sit.units["infantry-01"], "EF", "PB", 1) == 3
    sit.put("wood-platoon", "PB")
    # Who came over the ferry may leave on the far bank while it works.
    assert set(costs(sit, "wood-platoon")) == {"CAF", "EF"}
    sit.take_off("sapper-1", "dead")
    assert set(costs(sit, "wood-platoon")) == {"CAF"}


@pytest.mark.rule("ST-DEM-09")
def test_german_distances_go_round_a_destroyed_bridge() -> None:
    sit = broken("destroyed")
    british(sit, "CAF", "wood-platoon")
    german(sit, "EF", "infantry-01")
    assert Approach(sit).target("EF") == ""
    sit = broken("destroyed", 7)
    british(sit, "CAF", "wood-platoon")
    british(sit, "PB", "sapper-1", came=6)
    assert Approach(sit).nearest("EF") == 3


# -- sappers at work ----------------------------------------------------------------------


@pytest.mark.rule("ST-SEQ-16", "ST-SAP-02")
@pytest.mark.parametrize("marker", ["blank", "wired"])
def test_a_sapper_removes_the_marker_unseen(marker: str) -> None:
    sit = wired(marker)
    british(sit, "PB", "sapper-1")
    played = run(bridge(sit.rules, sit.close(phase=8)), answers=["yes"])
    assert played.points == ["remove_charge"]
    assert (played.result.demo_marker, played.result.demo) == ("none", "over")
    assert not any(marker in text for text in played.notes)
    kept = run(bridge(sit.rules, sit.close(phase=8)), answers=["no"]).result
    assert kept.demo_marker == marker


@pytest.mark.rule("ST-SAP-02", "ST-DEM-13")
def test_only_a_sapper_on_the_bridge_with_a_marker_is_asked() -> None:
    sit = wired()
    british(sit, "PB", "fox-platoon", "hq-1")
    british(sit, "EF", "sapper-1")
    assert run(bridge(sit.rules, sit.close(phase=8))).points == []
    # After a malfunction the charge is still there to be removed.
    sit.put("sapper-1", "PB")
    sit.demo = "malfunction"
    assert run(bridge(sit.rules, sit.close(phase=8)), answers=["yes"]).result.demo == "over"
    sit.demo_marker, sit.demo = "none", "over"
    assert run(bridge(sit.rules, sit.close(phase=8))).points == []


@pytest.mark.rule("ST-SAP-03", "ST-SAP-04", "ST-SAP-05", "ST-SEQ-16")
def test_repairs_get_easier_with_the_turns_stayed() -> None:
    sit = broken("damaged", 6)
    british(sit, "PB", "sapper-1", "sapper-2")
    sit.change("sapper-2", came=3)
    # The first came this turn and may not try; the second has stayed three full turns.
    played = run(bridge(sit.rules, sit.close(phase=8)), [4], ["yes"])
    assert played.asked[0][0].pieces == ("sapper-2",)  # type: ignore[attr-defined]
    assert played.result.bridge == "damaged"
    assert run(bridge(sit.rules, sit.close(phase=8)), [3], ["yes"]).result.bridge == "intact"
    sit.turn = 7
    later = sit.close(phase=8, turn=7)
    played = run(bridge(sit.rules, later), [2, 4], ["yes", "yes"])
    assert played.result.bridge == "intact"
    assert [roll.given["turns"] for roll, _ in played.rolls] == [1, 4]
    assert run(bridge(sit.rules, later), [], ["no", "no"]).result.bridge == "damaged"


@pytest.mark.rule("ST-SAP-03", "ST-SAP-05")
@pytest.mark.parametrize("state", ["intact", "damaged", "destroyed"])
def test_only_a_damaged_bridge_is_repaired_and_once_is_enough(state: str) -> None:
    sit = broken(state)
    british(sit, "PB", "sapper-1", "sapper-2", came=3)
    damaged = state == "damaged"
    once = int(damaged)
    played = run(bridge(sit.rules, sit.close(phase=8)), [1] * once, ["yes"] * once)
    # After the first has repaired it nothing is left to the second.
    assert [point for point in played.points if point == "repair"] == ["repair"] * once
    assert played.result.bridge == ("intact" if damaged else state)


@pytest.mark.rule("ST-SAP-04")
def test_who_leaves_counts_from_the_beginning() -> None:
    sit = broken("damaged", 6)
    british(sit, "PB", "sapper-1")
    sit.turn = 8
    sit.put("sapper-1", "EF")
    assert sit.units["sapper-1"].came == 0
    sit.put("sapper-1", "PB")
    assert sit.units["sapper-1"].came == 8


@pytest.mark.rule("ST-SAP-03", "ST-DEM-10")
def test_a_sapper_there_when_the_bridge_is_damaged_counts_from_then() -> None:
    sit = wired()
    british(sit, "PB", "sapper-1", came=1)
    run(demolition_check(sit), [4])
    assert sit.units["sapper-1"].came == 3
