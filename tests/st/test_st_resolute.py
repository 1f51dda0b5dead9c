"""The resolute German: what it wants back, when it attacks, what it holds, who fires first."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from st_help import GAME, british, garrison, german, rules, run, situation
from st_tricks import (
    SETTINGS,
    TRICKS,
    Trick,
    TrickPlayer,
    outcome,
    random_trick,
    search,
    states,
    table,
    variant,
)

from asl_pbcg.st.area_terms import BRITISH, GERMAN
from asl_pbcg.st.germans.german_advance import Approach, choose_end, keeps_to_gun, walk
from asl_pbcg.st.germans.german_column import choose_tank_end, column_forms, enter_columns
from asl_pbcg.st.germans.german_resolute import (
    Resolute,
    approach_of,
    lost_places,
    resolute_numbers,
    resolute_rules,
    wake_column,
)
from asl_pbcg.st.player.policy_plan import make_plan, stays_back, waiting_place
from asl_pbcg.st.rules.p6_german_fire import german_fire
from asl_pbcg.st.state.phase_situation import Situation


def resolute(turn: int = 8, phase: str = "german_movement") -> Situation:
    return situation(turn, phase, german="resolute")


def test_its_rules_are_written_and_its_numbers_named() -> None:
    assert list(resolute_rules()) == [f"RES-{n}" for n in range(1, 10)]
    assert resolute_numbers().mass_ratio > 0
    assert isinstance(approach_of(resolute()), Resolute)
    assert type(approach_of(situation(8))) is Approach
    assert rules().settings.german == "rules"


@pytest.mark.rule("RES-1")
def test_it_goes_for_a_lost_bridge_and_not_for_the_nearest_british() -> None:
    """RES-1: from the entry area past British who are nearer."""
    sit = resolute()
    british(sit, "W2", "fox-platoon")
    british(sit, "PB", "wood-platoon")
    german(sit, "LP2", "infantry-01", force=True, order=1)
    assert lost_places(sit) == ["PB"]
    found = approach_of(sit)
    assert found.goal(sit.units["infantry-01"]) == "PB"
    assert Approach(sit).goal(sit.units["infantry-01"]) == "W2"
    run(wake_column(sit))
    assert sit.triggered
    # Before the column comes nothing is woken.
    calm = resolute(5)
    british(calm, "PB", "wood-platoon")
    calm.control = {**calm.control, "PB": BRITISH}
    run(wake_column(calm))
    assert not calm.triggered


@pytest.mark.rule("RES-2")
def test_it_masses_before_it_attacks() -> None:
    """RES-2: 16 SP do not attack 16, 24 do; suppressed British count less, at once."""
    sit = resolute()
    british(sit, "PB", "wood-platoon", "fox-platoon")
    german(sit, "CAF", "infantry-01", "infantry-02", force=True, order=1)
    unit = sit.units["infantry-01"]
    assert not approach_of(sit).may_attack(unit, "PB")
    german(sit, "XR", "infantry-03", force=True, order=2)
    found = approach_of(sit)
    assert found.may_attack(unit, "PB")
    british(sit, "PB", "smith-platoon")
    german(sit, "XR", "infantry-04", force=True, order=3)
    assert not found.may_attack(unit, "PB")
    for id in ("wood-platoon", "fox-platoon", "smith-platoon"):
        sit.change(id, suppressed=True)
    assert found.may_attack(unit, "PB")


@pytest.mark.rule("RES-2")
def test_it_gathers_where_no_british_can_fire() -> None:
    """RES-2: short of mass the cafe beside the bridge is left empty, till those there cannot fire.

    The rules' own Germans walk into the cafe's fire one by one.
    """
    sit = resolute()
    british(sit, "PB", "wood-platoon", "fox-platoon")
    german(sit, "W9", "infantry-01", force=True, order=1)
    unit = sit.units["infantry-01"]
    waits = choose_end(sit, approach_of(sit), unit, 2)
    assert waits is not None and waits[3][-1] == "XR"
    own = choose_end(sit, Approach(sit), unit, 2)
    assert own is not None and own[3][-1] == "CAF"
    for british_unit in ("wood-platoon", "fox-platoon"):
        sit.change(british_unit, suppressed=True)
    goes = choose_end(sit, approach_of(sit), unit, 2)
    assert goes is not None and goes[3][-1] == "CAF"


@pytest.mark.finding("G-70")
@pytest.mark.rule("RES-2")
def test_it_gathers_next_to_british_whom_it_assaults() -> None:
    """RES-2: three quarters of their SP will do to go next door and throw grenades."""
    sit = resolute()
    british(sit, "PB", "wood-platoon", "fox-platoon")
    german(sit, "XR", "infantry-01", "infantry-02", force=True, order=1, grenades=4)
    goes = choose_end(sit, approach_of(sit), sit.units["infantry-01"], 3)
    assert goes is not None and goes[3] == ("CAF",)
    british(sit, "PB", "smith-platoon")
    waits = approach_of(sit)
    assert not waits.may_wait(sit.units["infantry-01"], "CAF")
    assert choose_end(sit, waits, sit.units["infantry-01"], 3) is None


@pytest.mark.rule("RES-3")
def test_one_unit_holds_what_was_retaken_and_the_others_go_on() -> None:
    """RES-3."""
    sit = resolute()
    sit.control = {**sit.control, "PX": BRITISH}
    german(sit, "PB", "infantry-01", "infantry-02", force=True, order=1)
    british(sit, "PX", "wood-platoon")
    found = approach_of(sit)
    assert found.goal(sit.units["infantry-01"]) == ""
    assert found.goal(sit.units["infantry-02"]) == "PX"
    late = resolute(resolute_numbers().late_turn)
    german(late, "PB", "infantry-01", "infantry-02", force=True, order=1)
    british(late, "EF", "wood-platoon")
    assert approach_of(late).goal(late.units["infantry-02"]) == ""


@pytest.mark.rule("RES-4")
def test_garrisons_stay_with_their_guns() -> None:
    """RES-4: where the rules' own Germans walk out of the bunker."""
    for sit, stays in ((resolute(3), True), (situation(3, "german_movement"), False)):
        crew = garrison(sit, "B4")
        british(sit, "EF", "wood-platoon")
        assert keeps_to_gun(sit, sit.units[crew], "") is stays


@pytest.mark.rule("RES-5")
def test_guns_fire_before_small_arms() -> None:
    """RES-5."""
    for settings, first in (({"german": "resolute"}, "tank_at_fire"), ({}, "fire_combat")):
        sit = situation(12, "german_fire", **settings)
        british(sit, "EF", "wood-platoon")
        german(sit, "PB", "tank-1", "infantry-01", force=True, released=True, order=1)
        played = run(german_fire(sit.rules, sit.close()), [1, 1])
        assert played.tables[0] == first


@pytest.mark.rule("RES-6")
def test_tanks_leave_the_way_to_the_infantry() -> None:
    """RES-6: no tank stops on a lost bridge or in the cafe beside it till it is theirs."""
    sit = resolute()
    british(sit, "PB", "wood-platoon")
    german(sit, "LP4", "tank-1", force=True, order=1)
    tank = sit.units["tank-1"]
    stops = choose_tank_end(sit, approach_of(sit), tank, 3)
    assert stops is not None and stops[3][-1] == "XR"
    own = choose_tank_end(sit, Approach(sit), tank, 3)
    assert own is not None and own[3][-1] == "CAF"
    sit.put("wood-platoon", "RD1")
    german(sit, "PB", "infantry-01", force=True, order=2)
    assert not lost_places(sit)
    goes = choose_tank_end(sit, approach_of(sit), tank, 3)
    assert goes is not None and goes[3][-1] == "PB"


@pytest.mark.rule("RES-6")
def test_a_tank_that_stands_in_the_way_drives_back() -> None:
    """RES-6: a tank already in the cafe clears it."""
    sit = resolute()
    british(sit, "PB", "wood-platoon")
    german(sit, "CAF", "tank-1", force=True, order=1)
    stops = choose_tank_end(sit, approach_of(sit), sit.units["tank-1"], 3)
    assert stops is not None and stops[3] == ("XR",)


@pytest.mark.rule("RES-6")
def test_infantry_without_tanks_heads_the_column() -> None:
    """RES-6; with the rules' own Germans it is last."""
    for settings, first in (({"german": "resolute"}, True), ({}, False)):
        sit = situation(8, "german_movement", **settings)
        sit.german_force, sit.german_turn = "3", 8
        run(column_forms(sit), [1])
        stacks: dict[int, set[str]] = {}
        for unit in sit.units.values():
            if unit.force:
                stacks.setdefault(unit.stack, set()).add(unit.kind)
        alone = [number for number, kinds in stacks.items() if kinds == {"infantry"}]
        assert alone == [min(stacks) if first else max(stacks)]


@pytest.mark.finding("J-33")
@pytest.mark.rule("RES-6", "ST-STK-03")
def test_infantry_enters_where_its_tank_finds_no_room() -> None:
    """RES-6; with the rules' own Germans a stack enters whole or waits."""
    for settings, enters in (({"german": "resolute"}, True), ({}, False)):
        sit = situation(8, "german_movement", **settings)
        german(sit, "LP", "tank-6", immobile=True, force=True)
        for unit in ("tank-1", "infantry-01"):
            sit.change(unit, status="waiting", enters="Le Port", enters_turn=8, stack=1, force=True)
        sit.triggered = True
        assert run(enter_columns(sit, approach_of(sit), Counter())).result is enters
        assert sit.units["tank-1"].status == "waiting"
        assert (sit.units["infantry-01"].status == "map") is enters


# -- no bunker trick (G-70) ---------------------------------------------------------------------


@pytest.mark.finding("G-70")
@pytest.mark.rule("RES-7")
def test_a_bunker_full_of_british_stops_nobody_without_grenades() -> None:
    """RES-7: they pass it on their way to the bridge; the rules' own Germans stay beside it."""
    sit = resolute()
    british(sit, "B8", "wood-platoon", "fox-platoon", inside=True)
    sit.control = {**sit.control, "PB": BRITISH}
    german(sit, "B8", "infantry-01", force=True, order=1)
    unit = sit.units["infantry-01"]
    own = Approach(sit)
    assert own.british == {"B8"} and choose_end(sit, own, unit, 3) is None
    found = approach_of(sit)
    assert not found.british
    goes = choose_end(sit, found, unit, 3)
    assert goes is not None and goes[3] == ("CAF", "PB")


@pytest.mark.finding("G-70")
@pytest.mark.rule("RES-7", "RES-8")
def test_a_bunker_is_stormed_with_grenades() -> None:
    """RES-7, RES-8: who has them goes there first, massed or not, and throws while it has MP."""
    sit = resolute()
    british(sit, "B8", "wood-platoon", "fox-platoon", inside=True)
    for unit in ("wood-platoon", "fox-platoon"):
        sit.change(unit, suppressed=True)
    sit.control = {**sit.control, "PB": BRITISH}
    german(sit, "BR1", "infantry-01", force=True, order=1, grenades=4)
    found = approach_of(sit)
    assert found.goal(sit.units["infantry-01"]) == "B8"
    # 2 MP to get there, one grenade: a 5 in the column of bunkers takes 2 SP of a random platoon.
    played = run(walk(sit, found, "infantry-01"), [5, 1])
    assert sit.units["infantry-01"].area == "B8"
    assert sit.units["infantry-01"].grenades == 3
    assert played.notes[0].endswith("it storms the bunker of B8 MG west.")
    assert played.rolls[0][0].side == GERMAN
    assert sorted(sit.units[id].lost for id in ("wood-platoon", "fox-platoon")) == [0, 2]
    # With the whole turn before it, three grenades; it stays as long as it has any.
    sit.spent = {}
    run(walk(sit, approach_of(sit), "infantry-01"), [1, 1, 1])
    assert sit.units["infantry-01"].grenades == 0
    assert approach_of(sit).goal(sit.units["infantry-01"]) == "PB"


@pytest.mark.finding("G-70")
@pytest.mark.rule("RES-7")
def test_few_grenades_do_not_storm_a_full_bunker() -> None:
    """RES-7: one for each four SP in it are wanted."""
    sit = resolute()
    british(sit, "B8", "wood-platoon", "fox-platoon", "smith-platoon", inside=True)
    sit.control = {**sit.control, "PB": BRITISH}
    german(sit, "BR1", "infantry-01", force=True, order=1, grenades=4)
    assert approach_of(sit).goal(sit.units["infantry-01"]) == "PB"
    german(sit, "BR1", "infantry-02", force=True, order=2, grenades=4)
    assert approach_of(sit).goal(sit.units["infantry-01"]) == "B8"


@pytest.mark.finding("G-70")
@pytest.mark.rule("RES-8")
def test_british_in_a_crowd_get_grenades_from_next_door() -> None:
    """RES-8: in a house or in the open, till nobody there can fire."""
    sit = resolute()
    british(sit, "CAF", "wood-platoon")
    sit.change("wood-platoon", suppressed=True)
    german(sit, "XR", "infantry-01", force=True, order=1, grenades=4)
    assert approach_of(sit).grenade_at(sit.units["infantry-01"]) == ""
    sit.change("wood-platoon", suppressed=False)
    assert approach_of(sit).grenade_at(sit.units["infantry-01"]) == "CAF"
    sit.put("wood-platoon", "PB")
    german(sit, "CAF", "infantry-01")
    assert approach_of(sit).grenade_at(sit.units["infantry-01"]) == "PB"


@pytest.mark.finding("G-70")
@pytest.mark.rule("RES-8")
def test_it_stops_before_a_house_to_throw() -> None:
    """RES-8: 3 MP from W9 would do for the cafe; it stops at the crossroads with 2 left."""
    sit = resolute()
    british(sit, "CAF", "wood-platoon")
    german(sit, "W9", "infantry-01", "infantry-02", force=True, order=1, grenades=4)
    unit = sit.units["infantry-01"]
    stops = choose_end(sit, approach_of(sit), unit, 3)
    assert stops is not None and stops[3] == ("XR",)
    sit.change("wood-platoon", suppressed=True)
    goes = choose_end(sit, approach_of(sit), unit, 3)
    assert goes is not None and goes[3] == ("XR", "CAF")


@pytest.mark.finding("G-70")
@pytest.mark.rule("RES-6")
def test_a_tank_takes_a_lost_bridge_that_stands_empty() -> None:
    """RES-6: nobody hides and finds the bridge as he left it."""
    sit = resolute()
    sit.control = {**sit.control, "PB": BRITISH}
    british(sit, "S10", "wood-platoon")
    german(sit, "XR", "tank-1", force=True, order=1)
    goes = choose_tank_end(sit, approach_of(sit), sit.units["tank-1"], 3)
    assert goes is not None and goes[3] == ("CAF", "PB")


@pytest.mark.rule("RES-8")
def test_the_reinforcements_get_their_grenades_as_they_form() -> None:
    """RES-8; the rules' own Germans have none (ST-GRE-02)."""
    for settings, each in (({"german": "resolute"}, 4), ({}, 0)):
        sit = situation(8, "german_movement", **settings)
        sit.german_force, sit.german_turn = "1", 8
        run(column_forms(sit), [1])
        infantry = [unit for unit in sit.units.values() if unit.force and unit.combat]
        assert {unit.grenades for unit in infantry} == {each}
        assert sit.ledger.grenades_issued == each * len(infantry) == 4 * each


@pytest.mark.finding("G-70")
@pytest.mark.rule("RES-8")
def test_the_good_player_keeps_off_the_bridge() -> None:
    """It holds Pegasus Bridge from the cafe, with a reserve and Howard; else it crowds it."""
    for settings, post in (({"german": "resolute"}, "CAF"), ({}, "PB")):
        sit = situation(8, "british_movement", **settings)
        sit.triggered, sit.german_turn = True, 7
        sit.control = {**sit.control, "PB": BRITISH}
        british(sit, "PB", "wood-platoon", "howard", "wood")
        german(sit, "LP1", "infantry-01", force=True, order=1)
        plan = make_plan(sit)
        assert waiting_place(sit, plan, sit.units["wood-platoon"]).area == post
        british(sit, "RD1", "coffin-1")
        assert (waiting_place(sit, plan, sit.units["coffin-1"]).area == "EF") is bool(settings)
        resolute_german = bool(settings)
        assert stays_back(sit, sit.units["wood"]) is resolute_german
        assert not stays_back(sit, sit.units["howard"])


@pytest.mark.finding("J-72")
@pytest.mark.rule("RES-8")
def test_the_good_player_leaves_the_bridge_when_the_cafe_is_lost() -> None:
    """It neither storms a full cafe by ones nor stays on the open bridge; who is in it holds it."""
    sit = situation(13, "british_movement", german="resolute")
    sit.triggered, sit.german_turn = True, 7
    sit.control = {**sit.control, "PB": BRITISH}
    british(sit, "PB", "wood-platoon")
    british(sit, "CAF", "fox-platoon")
    german(sit, "CAF", "infantry-01", "infantry-02", force=True, order=1)
    plan = make_plan(sit)
    assert waiting_place(sit, plan, sit.units["wood-platoon"]).area == "EF"
    assert waiting_place(sit, plan, sit.units["fox-platoon"]).area == "CAF"


@pytest.mark.finding("J-70")
def test_the_good_player_keeps_sappers_out_of_the_fight() -> None:
    """A sapper of one SP in the crowd at the cafe is lost for nothing."""
    sit = situation(9, "british_movement", german="resolute")
    sit.triggered, sit.german_turn = True, 7
    sit.control = {**sit.control, "PB": BRITISH}
    british(sit, "EF", "sapper-1", "wood-platoon")
    german(sit, "XR", "infantry-01", force=True, order=1)
    plan = make_plan(sit)
    assert waiting_place(sit, plan, sit.units["wood-platoon"]).area == "CAF"
    assert waiting_place(sit, plan, sit.units["sapper-1"]).area != "CAF"


@pytest.mark.finding("J-70")
def test_a_trick_puts_single_units_on_the_road_before_the_column() -> None:
    trick = TRICKS["single units on the road"]
    sit = resolute(5, "british_movement")
    sit.german_turn = 7
    british(sit, "XR", "sapper-1", "sapper-2", "hq-1", "wood-platoon")
    player = TrickPlayer(trick)
    small = ("sapper-1", "sapper-2", "hq-1")
    goals = player.plan_for(sit).goals
    assert len({goals[unit].area for unit in small}) == 3
    assert {goals[unit].area for unit in small} <= set(trick.places)
    sit.turn = 4
    assert not trick.holds(sit)
    sit.turn, sit.german_turn = 5, 0
    assert not trick.holds(sit)  # nobody knows yet when the column comes


@pytest.mark.finding("J-70")
def test_a_trick_touches_nothing_until_its_turn() -> None:
    """Nobody takes a bridge or the pillbox, and the column is not woken by a loss (RES-1)."""
    trick = TRICKS["touch nothing"]
    *_, before = (s for s in states(GAME.begin(SETTINGS), TrickPlayer(trick), "a") if s.turn < 15)
    assert not lost_places(Situation(GAME.rules(before.settings), before))


@pytest.mark.finding("J-70")
def test_the_search_can_say_what_people_do() -> None:
    """Random tricks and their variants reach single units on roads, and touching nothing."""
    source = random.Random(1)
    tricks = [random_trick(source) for _ in range(1500)]
    roads = situation().geo.roads
    assert any(t.alone and t.since < 0 and set(t.places) <= roads for t in tricks)
    assert any(
        t.avoid == ("PB", "PX", "RB") and t.since == 1 and t.until in (15, 16) for t in tricks
    )
    assert any(variant(t, source).alone != t.alone for t in tricks)


@pytest.mark.finding("G-70")
def test_the_search_ranks_tricks_and_tries_them_on_fresh_games() -> None:
    """The command of docs/engineers/st-study.md, with two games instead of hundreds."""
    found = search(["a", "b"], random.Random(1), width=3)
    scores = [gain.score for _, gain in found]
    assert scores == sorted(scores, reverse=True)
    assert all(trick.since < trick.until for trick, _ in found)
    assert outcome(Trick("stay", since=17), "a") == outcome(None, "a")
    lines, _ = table({"two bunkers": TRICKS["two bunkers"]}, ["c"])
    assert lines[-1].startswith("| two bunkers: post B7* B8*, all, the column's turn to turn 11 |")


# -- obstructions, and a column that nothing wakes (J-70) -----------------------------------------


@pytest.mark.finding("J-70")
@pytest.mark.rule("RES-9")
def test_a_single_unit_on_the_road_stops_nobody() -> None:
    """RES-9: infantry and tanks go on through it for its MP; a platoon still stops them."""
    for unit, end in (("hq-1", "LP4"), ("wood-platoon", "LP2")):
        sit = resolute()
        british(sit, "LP2", unit)
        sit.control = {**sit.control, "PB": BRITISH}
        german(sit, "LP1", "tank-1", "infantry-01", force=True, order=1)
        approach = approach_of(sit)
        assert approach.meets("LP2") is (unit == "wood-platoon")
        drives = choose_tank_end(sit, approach, sit.units["tank-1"], 4)
        assert drives is not None and drives[3][-1] == end


@pytest.mark.finding("J-70")
@pytest.mark.rule("RES-9", "RES-2")
def test_a_single_unit_lures_nobody_under_fire() -> None:
    """RES-9: the crossroads, under the eyes of the cafe, are no place to attack one HQ section."""
    sit = resolute()
    british(sit, "XR", "hq-1")
    british(sit, "CAF", "wood-platoon", "fox-platoon", "smith-platoon")
    sit.control = {**sit.control, "PB": BRITISH}
    german(sit, "LP3", "infantry-01", force=True, order=1)
    goes = choose_end(sit, approach_of(sit), sit.units["infantry-01"], 3)
    assert goes is None or "XR" not in goes[3]


@pytest.mark.finding("J-70")
@pytest.mark.rule("RES-9", "RES-2")
def test_a_single_unit_keeps_nobody_from_gathering() -> None:
    """RES-9: an area that an HQ section alone could fire at is as good as any other."""
    for unit, watched in (("hq-1", False), ("wood-platoon", True)):
        sit = resolute()
        british(sit, "LP3", unit)
        assert approach_of(sit).watched("LP2") is watched


@pytest.mark.finding("J-70")
@pytest.mark.rule("RES-1", "RES-3")
def test_a_column_that_finds_nothing_lost_holds_the_bridges() -> None:
    """RES-1: it wakes as it enters, and three go to each bridge and the pillbox."""
    sit = resolute()
    german(sit, "LP2", "infantry-01", "tank-1", force=True, order=1)
    assert not lost_places(sit)
    said = run(wake_column(sit)).notes
    assert sit.triggered and said
    assert approach_of(sit).goal(sit.units["infantry-01"]) == "PB"
    german(sit, "PB", "infantry-02", "infantry-03", "infantry-04", force=True, order=1)
    assert approach_of(sit).goal(sit.units["infantry-01"]) in ("PX", "RB")
