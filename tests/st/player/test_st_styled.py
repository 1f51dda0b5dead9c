"""The styled player and the expert that chooses its style: what they save, when they change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as with_fields
from st_help import british, german, plays, situation
from st_terminal import memory_game
from test_st_policy import all_taken, areas, column

from asl_pbcg.cli.area_commands.st_play import Expert
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.st.player import expert as expert_module
from asl_pbcg.st.player.automatic_game import RandomDice, play
from asl_pbcg.st.player.expert import ExpertPlayer
from asl_pbcg.st.player.playout import PhasePosition, Played
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.player.policy_plan import PRUDENT, STEADY, STYLES, Objective, Style
from asl_pbcg.st.procedures.movement import legal_actions
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.p3_british_movement import british_movement
from asl_pbcg.st.rules.p5_british_fire import british_fire
from asl_pbcg.st.state.phase_situation import Situation

GAME = AreaGame()
HARD = {"mode": "variable", "difficulty": "hard"}


def moves(sit: Situation, style: Style, attacked_on: int | None = None) -> dict[str, str]:
    """Where the British stand after a Movement Phase."""
    return areas(
        plays(sit, GoodPlayer(style=style, attacked_on=attacked_on), british_movement, 2)[0]
    )


def at_the_bridge(demo_marker: str = "wired", **settings: Any) -> Situation:
    """A platoon one step from the free bridge, the charge in its box."""
    sit = situation(3, chit="D", **settings)
    sit.demo, sit.demo_marker = "open", demo_marker  # type: ignore[assignment]
    all_taken(sit)
    del sit.control[sit.geo.pegasus]
    british(sit, "B8", "wood-platoon")
    return sit


@pytest.mark.rule("ST-DEM-03", "ST-DEM-05")
def test_nobody_goes_near_the_bridge_until_the_one_chance_to_blow_it_has_passed() -> None:
    near = at_the_bridge().geo.demolition_near
    assert moves(at_the_bridge(), STEADY)["wood-platoon"] in near
    assert moves(at_the_bridge(), PRUDENT)["wood-platoon"] not in near
    # Attacked this turn: the attempt may come in the German phase. On an earlier turn: it is past.
    assert moves(at_the_bridge(), PRUDENT, attacked_on=3)["wood-platoon"] not in near
    assert moves(at_the_bridge(), PRUDENT, attacked_on=2)["wood-platoon"] in near
    nothing_there = at_the_bridge("none")
    assert moves(nothing_there, PRUDENT)["wood-platoon"] in near


@pytest.mark.rule("ST-DEM-04", "ST-DEM-05")
def test_where_the_chance_does_not_pass_nobody_goes_near_but_to_storm_the_pillbox() -> None:
    """Who stands in the pillbox keeps the bridge from being blown; who may end before it waits."""

    def rolling(marker: str = "wired", *there: str) -> Situation:
        sit = at_the_bridge(marker, demolition_window="rolling")
        german(sit, "PX", *there)
        return sit

    near = rolling().geo.demolition_near
    # Nobody is in the pillbox, or nothing is left to be blown: the bridge is free.
    for free in (rolling(), rolling("none", "infantry-01")):
        assert moves(free, PRUDENT, attacked_on=1)["wood-platoon"] in near
    # A German is there: an attack on any turn before does not help.
    for attacked_on in (None, 1):
        held = rolling("wired", "infantry-01")
        assert moves(held, PRUDENT, attacked_on)["wood-platoon"] not in near
    held = rolling("wired", "infantry-01")
    british(held, "PX", "fox-platoon")
    assert not GoodPlayer(style=PRUDENT).bridge_may_blow(held)
    # To the pillbox itself a step near it is right if the MP last to its end.
    sit = rolling("wired", "infantry-01")
    british(sit, "N7", "fox-platoon")
    player, platoon = GoodPlayer(style=PRUDENT), sit.units["fox-platoon"]
    first = next(each for each in legal_actions(sit, platoon) if each.id == "move N10")
    assert player._storms(sit, platoon, Objective("PX", 5.0, 5.0), first)
    assert not player._storms(sit, platoon, Objective("PB", 10.0, 10.0), first)
    sit.spent[platoon.id] = 2
    assert not player._storms(sit, platoon, Objective("PX", 5.0, 5.0), first)


@pytest.mark.rule("ST-SET-26")
def test_a_blank_marker_and_a_wired_one_are_the_same_to_it() -> None:
    wired, blank = (moves(at_the_bridge(each), PRUDENT) for each in ("wired", "blank"))
    assert wired == blank


def test_it_knows_when_it_has_attacked_by_what_it_saw() -> None:
    """An attack seen in a Movement Phase is tested that turn; one of a Fire Phase on the next."""
    player = GoodPlayer(style=PRUDENT)
    sit = at_the_bridge()
    assert player.bridge_may_blow(sit)
    sit.attacked = True
    plays(sit, player, british_movement, 2)
    assert player.attacked_on == 3 and player.bridge_may_blow(sit)
    sit.turn = 4
    assert not player.bridge_may_blow(sit)


def under_fire(**fields: Any) -> Situation:
    """Germans hold the bridge and fire into the cafe; a platoon and its leader stand before it."""
    sit = situation(5)
    all_taken(sit)
    del sit.control[sit.geo.pegasus]
    german(sit, "PB", "infantry-01")
    british(sit, "XR", "wood-platoon", **fields)
    british(sit, "XR", "wood")
    return sit


@pytest.mark.rule("ST-VIC-13")
def test_what_is_left_of_a_platoon_is_not_risked() -> None:
    """A platoon lost costs 5 VP."""
    for lost, style, goes in ((0, PRUDENT, True), (4, PRUDENT, False), (4, STEADY, True)):
        sit = under_fire(lost=lost)
        unit = sit.units["wood-platoon"]
        assert bool(GoodPlayer(style=style).plan_for(sit).goals[unit.id].worth) is goes
        sit = under_fire(lost=lost)
        assert (moves(sit, style)["wood-platoon"] in sit.geo.near["PB"]) is goes


@pytest.mark.rule("ST-VIC-12")
def test_leaders_do_not_run_into_fire() -> None:
    """The bridge foot is under fire from the bridge: a leader alone stays out of it."""
    for style, goes in ((PRUDENT, False), (replace(PRUDENT, shy=99.0), True)):
        sit = under_fire()
        german(sit, "PB", "infantry-02", "infantry-03")
        british(sit, "B4", "fox")
        player, leader = GoodPlayer(style=style), sit.units["fox"]
        step = next(each for each in legal_actions(sit, leader) if each.target == "EF")
        assert bool(player._step(sit, leader, Objective("PX", 0.0, 0.0), step)) is goes


def test_idle_units_take_what_nobody_defends() -> None:
    """Two bunkers are open and one unit is sent to each, though one unit alone would be enough."""
    sit = situation(6)
    all_taken(sit)
    for area in ("B5", "B6"):
        sit.cleared.discard(area)
    british(sit, "B4", "wood-platoon", "fox-platoon", "smith-platoon")
    plan = GoodPlayer(style=PRUDENT).plan_for(sit)
    sent = sorted(goal.area for goal in plan.goals.values() if goal.worth)
    assert sent == ["B5", "B6"]


def test_guns_fire_at_a_marching_column_only_if_the_style_says_so() -> None:
    for style, fires in ((PRUDENT, False), (replace(PRUDENT, guns=True), True)):
        sit = column()
        all_taken(sit)
        british(sit, "B8", "wood-platoon")
        piat = with_fields(
            sit.weapons["mg-1"],
            id="piat-1",
            name="PIAT 1",
            kind="piat",
            area="B8",
            inside=False,
            charges=2,
            carrier="wood-platoon",
        )
        sit.weapons = sit.weapons.having(piat)
        _, answered = plays(sit, GoodPlayer(style=style), british_fire, 4)
        fired = any(id == "fire" and str(answer).startswith("piat") for id, answer in answered)
        assert fired is fires


def chooses(monkeypatch: pytest.MonkeyPatch, gains: Mapping[str, list[int]]) -> str:
    """The style taken when imagined games of the styles gain so many VP over the prudent one."""

    def compare(
        game: AreaGame,
        position: object,
        answers: Collection[str],
        numbers: Iterable[int],
        _: object,
    ) -> Played:
        def vp(name: str, number: int) -> int:
            more = gains.get(name, [0])
            return 50 + number % 7 + more[number % len(more)]

        return {name: {number: vp(name, number) for number in numbers} for name in answers}

    monkeypatch.setattr(expert_module, "compare", compare)
    player = ExpertPlayer(0, GAME)
    sit = column(expert_module.WEIGHED[1])
    british(sit, "B8", "wood-platoon")
    player.followed.begin(sit.close(phase=2))
    plays(sit, player, british_movement, 2)
    return player.chosen[-1]


def test_another_style_must_be_ahead_by_more_than_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chooses(monkeypatch, {}) == "prudent"
    assert chooses(monkeypatch, {"bold": [9, 8, 7]}) == "bold"
    assert chooses(monkeypatch, {"bold": [30, -25]}) == "prudent"
    assert chooses(monkeypatch, {"bold": [4, 5], "guns": [9, 10]}) == "guns"
    # What is known of a style beforehand counts as some games: here a point is not enough.
    assert chooses(monkeypatch, {"bold": [1, 1, 0]}) == "prudent"


def test_without_effort_nothing_is_imagined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(expert_module, "compare")
    player = ExpertPlayer(0, GAME, effort=0.0)
    for _ in play(GAME, GAME.begin(HARD), player, RandomDice(2)):
        pass
    assert set(player.chosen) == {STYLES[0].name}


def test_at_a_session_the_expert_thinks_from_where_the_game_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """``pbcg st play --auto expert``: the phase he is asked in, and what was answered in it."""
    seen: list[PhasePosition] = []
    monkeypatch.setattr(expert_module, "WEIGHED", (1,))

    def compare(
        game: object, position: PhasePosition, answers: Collection[str], *_: object
    ) -> Played:
        seen.append(position)
        return {name: {} for name in answers}

    monkeypatch.setattr(expert_module, "compare", compare)
    session = memory_game(mode="historical")
    player = Expert(session, 7)
    drive(session, player, SeededDice(7), until=lambda: session.state.turn == 2)
    assert session.state.turn == 2
    (position,) = seen
    assert (position.state.turn, position.state.phase) == (1, 2)
    assert [kind for kind, _ in position.sent] == ["break_down"]
