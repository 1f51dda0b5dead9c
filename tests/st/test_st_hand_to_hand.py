"""Hand-to-hand combat: who fights, odds, modifiers, results, retreats."""

from __future__ import annotations

from typing import Any

import pytest
from st_help import british, garrison, german, give, run, situation

from asl_pbcg.st.germans.german_advance import may_move
from asl_pbcg.st.procedures.movement import legal_actions, retreat_areas
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.p7_hand_to_hand import (
    combat,
    fight_given,
    fight_option,
    fights,
    gather,
    hand_to_hand,
    odds_column,
    strength,
)
from asl_pbcg.st.state.game_state import Pow, PreparedPosition
from asl_pbcg.st.state.phase_situation import Situation


def fight(area: str = "PB", turn: int = 6, **settings: Any) -> Situation:
    """Wood's platoon and one infantry unit in an open area, the British entered last."""
    sit = situation(turn, "hand_to_hand", **settings)
    german(sit, area, "infantry-01")
    british(sit, area, "wood-platoon")
    return sit


def given(sit: Situation, area: str = "PB") -> set[str]:
    found = gather(sit, area)
    assert found
    return {name for name, holds in fight_given(sit, found).items() if holds is True}


# -- who fights, at what odds -------------------------------------------------------------


@pytest.mark.rule("ST-SEQ-14", "ST-H2H-01")
def test_all_units_and_leaders_of_both_sides_in_an_area_fight() -> None:
    sit = fight()
    british(sit, "PB", "wood", "sapper-1")
    german(sit, "PB", "schmidt", "mercedes")
    british(sit, "EF", "fox-platoon")
    assert fights(sit) == ["PB"]
    found = gather(sit, "PB")
    assert found
    assert found.british == ("sapper-1", "wood", "wood-platoon")
    assert found.german == ("infantry-01", "schmidt")
    # A tank or the Mercedes alone does not fight hand-to-hand.
    sit = situation(6, "hand_to_hand")
    british(sit, "PB", "wood-platoon")
    german(sit, "PB", "tank-1", "mercedes")
    assert fights(sit) == []


@pytest.mark.rule("ST-H2H-01")
def test_the_wall_of_a_bunker_keeps_them_apart_unless_set() -> None:
    for setting, found in ((False, []), (True, ["B4"])):
        sit = situation(6, "hand_to_hand", bunker_hand_to_hand=setting)
        garrison(sit, "B4")
        british(sit, "B4", "wood-platoon")
        assert fights(sit) == found


@pytest.mark.rule("ST-SEQ-14")
def test_the_player_picks_the_order_of_the_fights() -> None:
    sit = fight()
    german(sit, "RD1", "infantry-02")
    british(sit, "RD1", "fox-platoon")
    played = run(hand_to_hand(sit.rules, sit.close()), [1, 1], ["RD1"])
    assert played.points == ["hand_to_hand"]
    assert ["RD1" in played.rolls[0][0].text, "PB" in played.rolls[1][0].text] == [True, True]


@pytest.mark.rule("ST-H2H-02", "ST-LDR-01")
def test_leaders_count_one_sp_and_alone_one_together() -> None:
    sit = fight()
    british(sit, "PB", "wood", "howard")
    assert strength(sit, ["wood-platoon", "wood", "howard"]) == 10
    assert strength(sit, ["wood", "howard"]) == 1


@pytest.mark.rule("ST-H2H-03")
@pytest.mark.parametrize(
    ("british_sp", "german_sp", "column"),
    [
        (8, 8, "1:1"), (11, 8, "1:1"), (12, 8, "3:2"), (15, 8, "3:2"), (16, 8, "2:1"),
        (23, 8, "2:1"), (24, 8, "3:1"), (31, 8, "3:1"), (32, 8, ">=4:1"), (40, 1, ">=4:1"),
        (7, 8, "<=1:2"), (4, 8, "<=1:2"), (1, 40, "<=1:2"),
    ],
)  # fmt: skip
def test_odds_are_rounded_in_the_german_favour(
    british_sp: int, german_sp: int, column: str
) -> None:
    assert odds_column(british_sp, german_sp) == column


# -- modifiers ----------------------------------------------------------------------------


@pytest.mark.rule("ST-H2H-11", "ST-H2H-05", "ST-H2H-06", "ST-SUP-04")
def test_suppression_and_sappers() -> None:
    sit = fight()
    assert given(sit) == {"no_sapper_or_hq"}
    british(sit, "PB", "sapper-1", suppressed=True)
    assert given(sit) == {"british_suppressed"}
    sit.take_off("sapper-1", "pool")
    british(sit, "PB", "hq-1")
    sit.change("infantry-01", suppressed=True)
    assert given(sit) == {"german_suppressed"}


@pytest.mark.rule("ST-H2H-04")
def test_an_active_tank_counts_a_wreck_does_not() -> None:
    sit = fight()
    german(sit, "PB", "tank-1")
    assert "tank" in given(sit)
    sit.take_off("tank-1", "wreck")
    assert "tank" not in given(sit)


@pytest.mark.rule("ST-H2H-07", "ST-H2H-08", "ST-LDR-02", "ST-LDR-04")
def test_appropriate_leaders() -> None:
    sit = fight()
    british(sit, "PB", "fox")
    assert "british_leader" not in given(sit)
    british(sit, "PB", "howard", "wood")
    german(sit, "PB", "schmidt")
    assert {"british_leader", "german_leader"} <= given(sit)


@pytest.mark.rule("ST-H2H-09", "ST-H2H-10")
def test_who_entered_cover_last() -> None:
    sit = fight("CAF")
    assert "british_entered_cover" in given(sit, "CAF")
    german(sit, "CAF", "infantry-02")
    assert "german_entered_cover" in given(sit, "CAF")
    sit = fight("PB")
    sit.positions["PB"] = PreparedPosition(area="PB")
    assert "british_entered_cover" in given(sit)
    sit.positions["PB"] = PreparedPosition(area="PB", builder="wood-platoon")
    assert not given(sit) & {"british_entered_cover", "german_entered_cover"}


@pytest.mark.rule("ST-H2H-12")
def test_all_garrisons() -> None:
    sit = situation(6, "hand_to_hand")
    british(sit, "PX", "wood-platoon")
    garrison(sit, "PX")
    assert "all_garrison" in given(sit, "PX")
    german(sit, "PX", "schmidt")
    assert "all_garrison" in given(sit, "PX")
    german(sit, "PX", "infantry-01")
    assert "all_garrison" not in given(sit, "PX")
    sit.take_off("infantry-01", "pool")
    sit.take_off("garrison-px", "pool")
    assert "all_garrison" not in given(sit, "PX")


@pytest.mark.rule("ST-H2H-13")
def test_wounded_leaders() -> None:
    sit = fight()
    british(sit, "PB", "fox", wounded=True)
    german(sit, "PB", "schmidt", wounded=True)
    assert {"british_wounded", "german_wounded"} <= given(sit)
    only = fight(wounded_leader_h2h="british")
    german(only, "PB", "schmidt", wounded=True)
    assert "german_wounded" not in given(only)


# -- results ------------------------------------------------------------------------------


@pytest.mark.rule("ST-H2H-15", "ST-GMV-08", "ST-MOV-16")
def test_engaged_units_stay_through_the_next_turn() -> None:
    sit = fight()
    british(sit, "PB", "sapper-1")
    run(combat(sit, "PB"), [2])
    units = [sit.units[id] for id in ("wood-platoon", "sapper-1", "infantry-01")]
    assert [unit.engaged for unit in units] == [7, 7, 7]
    sit.turn = 7
    assert not [a for a in legal_actions(sit, units[0]) if a.kind == "move"]
    assert "grenade PB" in {a.id for a in legal_actions(sit, units[0])}
    assert not may_move(sit, units[2])
    # Others may come in; in the turn after that they may go again.
    british(sit, "EF", "fox-platoon")
    assert "move PB" in {a.id for a in legal_actions(sit, sit.units["fox-platoon"])}
    sit.turn = 8
    assert [a for a in legal_actions(sit, units[0]) if a.kind == "move"]
    assert may_move(sit, units[2])


@pytest.mark.rule("ST-H2H-14", "ST-H2H-16")
def test_e_removes_a_whole_side_and_a_dash_nobody() -> None:
    sit = fight()
    british(sit, "PB", "fox-platoon", "smith-platoon", "hooper-platoon", "hq-1")
    german(sit, "PB", "schmidt")
    sit.take_off("infantry-01", "pool")
    garrison(sit, "PB", inside=False)
    # 33 to 5 SP: at least 4:1.
    run(combat(sit, "PB"), [2])
    assert not sit.is_occupied("german", "PB")
    assert sit.units["schmidt"].status == "dead"
    assert sit.ledger.british_sp == 0 and sit.ledger.german_sp == 4
    assert sit.ledger.german_leaders == 1


@pytest.mark.rule("ST-H2H-16", "ST-POW-07", "ST-VIC-13")
def test_e_on_the_british() -> None:
    sit = fight()
    german(sit, "PB", "infantry-02")
    british(sit, "PB", "wood", "hq-1")
    sit.pows = sit.pows.having(Pow(id="pow-x", name="POW", escort="wood-platoon"))
    sit.book(pows_taken=1)
    sit.change("hq-1", suppressed=True)
    run(combat(sit, "PB"), [1])
    assert not sit.is_occupied("british", "PB")
    assert sit.ledger.platoons == ("wood-platoon",)
    assert sit.ledger.leaders == 1
    assert not sit.pows


@pytest.mark.rule("ST-H2H-17", "ST-H2H-21", "ST-H2H-18")
def test_half_losses_rounded_up_the_british_choose_theirs() -> None:
    sit = fight()
    british(sit, "PB", "wood", "hq-1")
    british(sit, "PB", "fox-platoon", lost=1)
    # 8 + 7 + 1 + 1 leader = 17 to 8: 2:1. Leader +1, HQ: a 2 and +1 give HE:HE.
    played = run(
        combat(sit, "PB"),
        [2, 1],
        ["fox-platoon", 4, "wood-platoon", 5, "CAF"],
    )
    assert played.points == [
        "h2h_losses",
        "h2h_losses_sp",
        "h2h_losses",
        "h2h_losses_sp",
        "retreat",
    ]
    assert sit.ledger.british_sp == 9
    assert sit.ledger.german_sp == 4
    assert played.tables == ["hand_to_hand_combat", "leader_casualty"]
    # The British lost more: they retreat together.
    assert {u.id for u in sit.at("british", "CAF")} == {
        "wood-platoon",
        "fox-platoon",
        "wood",
        "hq-1",
    }


@pytest.mark.rule("ST-H2H-17")
def test_leaders_may_be_left_out_of_the_half() -> None:
    sit = fight(half_loss_counts_leaders=False)
    british(sit, "PB", "wood", "hq-1")
    british(sit, "PB", "fox-platoon", lost=1)
    run(combat(sit, "PB"), [2, 1], ["fox-platoon", 4, "wood-platoon", 4, "CAF"])
    assert sit.ledger.british_sp == 8


@pytest.mark.rule("ST-H2H-17")
def test_the_germans_lose_the_weakest_first_leaders_last() -> None:
    sit = situation(6, "hand_to_hand")
    post = garrison(sit, "PB", inside=False)
    german(sit, "PB", "infantry-01", "schmidt")
    british(sit, "PB", "wood-platoon", "fox-platoon", "smith-platoon", "hq-1")
    # 25 to 13 is 3:2; German leader -1: 5 and -1 give -:HE, 7 SP.
    run(combat(sit, "PB"), [5, 1], [])
    assert sit.units[post].status == "dead"
    assert sit.units["infantry-01"].lost == 3
    assert sit.units["schmidt"].status == "map"
    assert sit.ledger.german_sp == 7


@pytest.mark.rule("ST-H2H-18", "ST-H2H-21")
def test_germans_retreat_to_cover_near_their_friends() -> None:
    sit = fight("BR1")
    british(sit, "BR1", "fox-platoon", "hq-1")
    german(sit, "LP3", "infantry-02")
    sit.change_weapon("mg-4", area="BR1", inside=False)
    sit.control["BR1"] = "german"
    # 17 to 8 SP, a 2 on 2:1 is engaged, a 5 kills; use 3:2 with a 4.
    sit.take_off("fox-platoon", "pool")
    british(sit, "BR1", "smith-platoon", lost=5)
    run(combat(sit, "BR1"), [4])
    assert sit.units["infantry-01"].lost == 4
    assert sit.units["infantry-01"].area == "XR"
    assert sit.weapons["mg-4"].area == "XR"
    assert sit.control["BR1"] == "british"


@pytest.mark.rule("ST-H2H-19")
def test_on_equal_losses_the_last_to_enter_retreats() -> None:
    for last, gone in (("british", "british"), ("german", "german")):
        sit = fight("PB")
        british(sit, "PB", "hq-1")
        sit.entered["PB"] = last  # type: ignore[assignment]
        sit.take_off("hq-1", "pool")
        british(sit, "PB", "hq-1", lost=0)
        sit.entered["PB"] = last  # type: ignore[assignment]
        sit.change("wood-platoon", lost=1)
        # 8 to 8: 1:1, a 4 is HE:HE, 4 SP each.
        answers: list[Any] = ["wood-platoon", 4]
        if gone == "british":
            answers.append("CAF")
        run(combat(sit, "PB"), [4], answers)
        assert sit.is_occupied("british", "PB") == (gone == "german")


@pytest.mark.rule("ST-H2H-20")
def test_who_cannot_retreat_is_suppressed() -> None:
    sit = fight("BEN")
    british(sit, "BEN", "hq-1")
    german(sit, "BR4", "infantry-02")
    german(sit, "W13", "infantry-03")
    # 9 to 8: 1:1; a 2 would engage; 1 is HE:- for the British.
    run(combat(sit, "BEN"), [1], ["wood-platoon", 5])
    assert sit.units["wood-platoon"].area == "BEN"
    assert sit.units["wood-platoon"].suppressed and sit.units["hq-1"].suppressed


@pytest.mark.rule("ST-H2H-18", "ST-MOV-09")
def test_where_a_side_may_retreat() -> None:
    sit = fight("CAF")
    german(sit, "XR", "infantry-02")
    garrison(sit, "B8")
    units = [sit.units["wood-platoon"]]
    assert retreat_areas(sit, "CAF", "british", units) == ["B7", "LP4", "PB"]
    sit.bridge = "destroyed"
    assert retreat_areas(sit, "CAF", "british", units) == ["B7", "LP4"]


@pytest.mark.rule("ST-H2H-18", "ST-DEM-09")
@pytest.mark.parametrize(
    ("bank", "areas"),
    [("west", {"west"}), ("east", {"east"}), ("", {"west", "east"})],
)
def test_from_a_destroyed_bridge_one_retreats_to_the_bank_one_came_from(
    bank: str, areas: set[str]
) -> None:
    """Who stood on it when it was blown came from no bank."""
    sit = fight("PB")
    sit.bridge = "destroyed"
    sit.change("wood-platoon", bank=bank)
    found = retreat_areas(sit, "PB", "british", [sit.units["wood-platoon"]])
    assert {sit.bank_of(area) for area in found} == areas


@pytest.mark.rule("ST-H2H-18", "ST-POW-06")
def test_loads_and_pows_retreat_with_their_unit() -> None:
    sit = fight("CAF")
    british(sit, "CAF", "hq-1")
    give(sit, "piat-1", "wood-platoon")
    sit.pows = sit.pows.having(Pow(id="pow-x", name="POW", escort="wood-platoon"))
    # Obstructed and the British entered last: -1; a 2 becomes 1: HE:-.
    run(combat(sit, "CAF"), [2], ["wood-platoon", 5, "B7"])
    assert sit.weapons["piat-1"].area == "B7"
    assert sit.units["wood-platoon"].area == "B7"


@pytest.mark.rule("ST-LDR-01", "ST-H2H-17")
def test_leaders_alone_are_lost_by_half_a_loss() -> None:
    sit = situation(6, "hand_to_hand")
    german(sit, "PB", "infantry-01")
    british(sit, "PB", "wood", "fox")
    # 1 to 8: no sapper +1; a 1 becomes 2: HE:-.
    run(combat(sit, "PB"), [1])
    assert sit.units["wood"].status == sit.units["fox"].status == "dead"


@pytest.mark.rule("ST-GAR-03", "ST-GLI-20")
def test_a_counter_in_the_area_turns_up_for_the_fight() -> None:
    sit = situation(1, "hand_to_hand")
    british(sit, "PX", "wood-platoon", "hq-1")
    dummy = garrison(sit, "PX", face_down=True, dummy=True)
    assert run(combat(sit, "PX")).rolls == []
    assert sit.units[dummy].status == "left"
    sit = situation(1, "hand_to_hand")
    british(sit, "PX", "wood-platoon", "hq-1")
    garrison(sit, "PX", face_down=True)
    played = run(combat(sit, "PX"), [5, 6])
    assert played.tables == ["garrison_activation", "hand_to_hand_combat"]


@pytest.mark.rule("ST-H2H-03")
def test_a_fight_shows_its_odds() -> None:
    option = fight_option(fight(), "PB")
    assert option.consequence == "8 to 8 SP, 1:1"
    assert sum(int(each.words.rstrip("%")) for each in option.odds.values()) in range(98, 103)
    sit = situation(1, "hand_to_hand")
    british(sit, "PX", "wood-platoon")
    garrison(sit, "PX", face_down=True)
    assert fight_option(sit, "PX").odds == {}


def test_a_turn_without_contact_has_no_fight() -> None:
    sit = situation(6, "hand_to_hand")
    british(sit, "PB", "wood-platoon")
    step = AreaGame().next_step(sit.close())
    assert step and run(step.script(sit.close())).rolls == []
