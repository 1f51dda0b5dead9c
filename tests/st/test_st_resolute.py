"""The resolute German: what it wants back, when it attacks, what it holds, who fires first."""

from __future__ import annotations

from st_help import british, garrison, german, rules, run, situation
from st_tricks import TRICKS

from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.many.automatic_game import RandomDice, play
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.rules.german_advance import Approach, choose_end, keeps_to_gun
from asl_pbcg.st.rules.german_column import choose_tank_end, column_forms
from asl_pbcg.st.rules.german_resolute import (
    Resolute,
    approach_of,
    lost_places,
    resolute_numbers,
    resolute_rules,
    wake_column,
)
from asl_pbcg.st.rules.p6_german_fire import german_fire
from asl_pbcg.st.rules.phase_situation import Situation


def resolute(turn: int = 8, phase: str = "german_movement") -> Situation:
    return situation(turn, phase, german="resolute")


def test_its_rules_are_written_and_its_numbers_named() -> None:
    assert list(resolute_rules()) == [f"RES-{n}" for n in range(1, 7)]
    assert resolute_numbers().mass_ratio > 0
    assert isinstance(approach_of(resolute()), Resolute)
    assert type(approach_of(situation(8))) is Approach
    assert rules().settings.german == "rules"


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
    # Nothing lost, nothing woken.
    calm = resolute()
    german(calm, "LP2", "infantry-01", force=True, order=1)
    run(wake_column(calm))
    assert not calm.triggered


def test_it_masses_before_it_attacks() -> None:
    """RES-2: 16 SP do not attack 16; if these are suppressed, or with more near, they do."""
    sit = resolute()
    british(sit, "PB", "wood-platoon", "fox-platoon")
    german(sit, "CAF", "infantry-01", "infantry-02", force=True, order=1)
    assert not approach_of(sit).may_attack(sit.units["infantry-01"], "PB")
    sit.change("wood-platoon", suppressed=True)
    sit.change("fox-platoon", suppressed=True)
    assert approach_of(sit).may_attack(sit.units["infantry-01"], "PB")
    sit.change("wood-platoon", suppressed=False)
    sit.change("fox-platoon", suppressed=False)
    german(sit, "XR", "infantry-03", force=True, order=2)
    assert approach_of(sit).may_attack(sit.units["infantry-01"], "PB")


def test_it_gathers_where_no_british_can_fire() -> None:
    """RES-2: short of mass the cafe beside the bridge is left empty, till those there cannot fire.

    The rules' own Germans walk into the cafe's fire one by one.
    """
    sit = resolute()
    british(sit, "PB", "wood-platoon", "fox-platoon")
    german(sit, "W9", "infantry-01", force=True, order=1)
    unit = sit.units["infantry-01"]
    waits = choose_end(sit, approach_of(sit), unit, 2)
    assert waits is not None and waits.areas[-1] == "XR"
    own = choose_end(sit, Approach(sit), unit, 2)
    assert own is not None and own.areas[-1] == "CAF"
    for british_unit in ("wood-platoon", "fox-platoon"):
        sit.change(british_unit, suppressed=True)
    goes = choose_end(sit, approach_of(sit), unit, 2)
    assert goes is not None and goes.areas[-1] == "CAF"


def test_one_unit_holds_what_was_retaken_and_the_others_go_on() -> None:
    """RES-3."""
    sit = resolute()
    german(sit, "PB", "infantry-01", "infantry-02", force=True, order=1)
    british(sit, "EF", "wood-platoon")
    found = approach_of(sit)
    assert found.goal(sit.units["infantry-01"]) == ""
    assert found.goal(sit.units["infantry-02"]) == "EF"
    late = resolute(resolute_numbers().late_turn)
    german(late, "PB", "infantry-01", "infantry-02", force=True, order=1)
    british(late, "EF", "wood-platoon")
    assert approach_of(late).goal(late.units["infantry-02"]) == ""


def test_garrisons_stay_with_their_guns() -> None:
    """RES-4: where the rules' own Germans walk out of the bunker."""
    for sit, stays in ((resolute(3), True), (situation(3, "german_movement"), False)):
        crew = garrison(sit, "B4")
        british(sit, "EF", "wood-platoon")
        assert keeps_to_gun(sit, sit.units[crew], "") is stays


def test_guns_fire_before_small_arms() -> None:
    """RES-5."""
    for settings, first in (({"german": "resolute"}, "tank_at_fire"), ({}, "fire_combat")):
        sit = situation(12, "german_fire", **settings)
        british(sit, "EF", "wood-platoon")
        german(sit, "PB", "tank-1", "infantry-01", force=True, released=True, order=1)
        played = run(german_fire(sit.rules, sit.close()), [1, 1])
        assert played.tables[0] == first


def test_tanks_leave_the_way_to_the_infantry() -> None:
    """RES-6: no tank stops on a lost bridge or in the cafe beside it till it is theirs."""
    sit = resolute()
    british(sit, "PB", "wood-platoon")
    german(sit, "LP4", "tank-1", force=True, order=1)
    tank = sit.units["tank-1"]
    stops = choose_tank_end(sit, approach_of(sit), tank, 3)
    assert stops is not None and stops.areas[-1] == "XR"
    own = choose_tank_end(sit, Approach(sit), tank, 3)
    assert own is not None and own.areas[-1] == "CAF"
    sit.put("wood-platoon", "RD1")
    german(sit, "PB", "infantry-01", force=True, order=2)
    assert not lost_places(sit)
    goes = choose_tank_end(sit, approach_of(sit), tank, 3)
    assert goes is not None and goes.areas[-1] == "PB"


def test_a_tank_that_stands_in_the_way_drives_back() -> None:
    """RES-6: a tank already in the cafe clears it."""
    sit = resolute()
    british(sit, "PB", "wood-platoon")
    german(sit, "CAF", "tank-1", force=True, order=1)
    stops = choose_tank_end(sit, approach_of(sit), sit.units["tank-1"], 3)
    assert stops is not None and stops.areas == ("XR",)


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


GAMES = 4


def test_it_is_a_match_for_the_good_player_and_for_simple_tricks() -> None:
    """A few games only: docs/engineers/st-soak.md tells of a thousand."""
    game = AreaGame()
    vp: dict[str, float] = {}
    for name, side in {"good": GoodPlayer, **TRICKS}.items():
        total = 0
        for number in range(GAMES):
            state = game.begin({"mode": "historical", "german": "resolute"})
            for after in play(game, state, side(), RandomDice(f"few/{number}")):
                state = after
            assert state.result
            total += state.result.vp
        vp[name] = total / GAMES
    assert 40 < vp["good"] < 62
    assert max(vp.values()) < vp["good"] + 8
