"""The resolute German: what it wants back, when it attacks, what it holds, who fires first."""

from __future__ import annotations

from st_help import british, garrison, german, rules, run, situation
from st_tricks import TRICKS

from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.german_behaviour import Approach
from asl_pbcg.st.german_fire import german_fire
from asl_pbcg.st.german_infantry import stays_with_gun
from asl_pbcg.st.policy import GoodPlayer
from asl_pbcg.st.resolute import (
    Resolute,
    approach_of,
    lost_places,
    resolute_numbers,
    resolute_rules,
    wake_column,
)
from asl_pbcg.st.run import RandomDice, play
from asl_pbcg.st.situation import Situation


def resolute(turn: int = 8, phase: str = "german_movement") -> Situation:
    return situation(turn, phase, german="resolute")


def test_its_rules_are_written_and_its_numbers_named() -> None:
    assert list(resolute_rules()) == [f"RES-{n}" for n in range(1, 6)]
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
    """RES-2: eight SP alone do not attack sixteen; with three more units near they do."""
    sit = resolute()
    british(sit, "PB", "wood-platoon", "fox-platoon")
    german(sit, "CAF", "infantry-01", force=True, order=1)
    assert not approach_of(sit).may_attack(sit.units["infantry-01"], "PB")
    sit.change("wood-platoon", suppressed=True)
    sit.change("fox-platoon", suppressed=True)
    assert approach_of(sit).may_attack(sit.units["infantry-01"], "PB")
    sit.change("fox-platoon", suppressed=False)
    german(sit, "XR", "infantry-02", force=True, order=2)
    assert approach_of(sit).may_attack(sit.units["infantry-01"], "PB")


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
        assert stays_with_gun(sit, sit.units[crew], "") is stays


def test_guns_fire_before_small_arms() -> None:
    """RES-5."""
    for settings, first in (({"german": "resolute"}, "tank_at_fire"), ({}, "fire_combat")):
        sit = situation(12, "german_fire", **settings)
        british(sit, "EF", "wood-platoon")
        german(sit, "PB", "tank-1", "infantry-01", force=True, released=True, order=1)
        played = run(german_fire(sit.rules, sit.close()), [1, 1])
        assert played.tables[0] == first


def test_it_is_a_match_for_the_good_player_and_for_simple_tricks() -> None:
    """A few games only: docs/engineers/st-soak.md tells of a thousand."""
    game = AreaGame()
    vp: dict[str, float] = {}
    for name, side in {"good": GoodPlayer, **TRICKS}.items():
        total = 0
        for number in range(12):
            state = game.begin({"mode": "historical", "german": "resolute"})
            for after in play(game, state, side(), RandomDice(f"few/{number}")):
                state = after
            assert state.result
            total += state.result.vp
        vp[name] = total / 12
    assert 40 < vp["good"] < 62
    assert max(vp.values()) < vp["good"] + 8
