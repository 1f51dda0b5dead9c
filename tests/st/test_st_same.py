"""Lists by place and plans of the automatic player against a plain look at everything."""

from __future__ import annotations

from dataclasses import replace

import pytest
from st_help import GAME

from asl_pbcg.st.area_terms import BRITISH, GERMAN
from asl_pbcg.st.player.automatic_game import RandomDice, play
from asl_pbcg.st.player.policy import GoodPlayer, RandomPlayer
from asl_pbcg.st.player.policy_plan import (
    STEADY,
    STYLES,
    Objective,
    Style,
    TurnPlan,
    make_plan,
    open_goals,
)
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.game_state import Unit
from asl_pbcg.st.state.phase_situation import Situation


@pytest.mark.parametrize("policy", [GoodPlayer, RandomPlayer])
def test_the_lists_by_place_are_what_a_new_situation_finds(
    policy: type[GoodPlayer | RandomPlayer],
) -> None:
    """Units and vehicles as moves and losses have left them, before each decision of a game."""
    seen = 0
    who = policy(1)

    class Looking:
        def answer(self, prompt: Decision) -> object:
            nonlocal seen
            sit = prompt.situation
            new = Situation(sit.rules, sit.close())
            for side in (BRITISH, GERMAN):
                found = [
                    {p: sorted(ids) for p, ids in s.places_of(side).items()} for s in (sit, new)
                ]
                assert found[0] == found[1]
            assert sit.vehicles == new.vehicles
            seen += 1
            return who.answer(prompt)

    for _ in play(GAME, GAME.begin({"mode": "historical"}), Looking(), RandomDice(1)):  # type: ignore[arg-type]
        pass
    assert seen > 100


@pytest.mark.parametrize("seed", [5, 6, 7, 8])
@pytest.mark.parametrize("style", [STEADY, STYLES[1]])
def test_units_are_sent_where_they_are_worth_most(seed: int, style: Style) -> None:
    """The plan of every Movement Phase against one unit sent after the other."""
    planned: list[object] = []
    who = GoodPlayer(style=replace(style, spare=0, free=-1.0))
    mode = ("historical", "variable")[seed % 2]

    class Looking:
        def answer(self, prompt: Decision) -> object:
            sit = prompt.situation
            if prompt.id == "act" and sit.state not in planned:
                planned.append(sit.state)
                check_plan(sit, who.style)
            return who.answer(prompt)

    settings = {"mode": mode} | ({"difficulty": "hard"} if mode == "variable" else {})
    for _ in play(GAME, GAME.begin(settings), Looking(), RandomDice(seed)):  # type: ignore[arg-type]
        pass
    assert len(planned) > 10


def check_plan(sit: Situation, style: Style) -> None:
    """Units are sent where they are worth most, all looked at again after each that is sent."""
    plan = make_plan(sit, style)
    goals = open_goals(sit)
    left = {unit.id: unit for unit in sit.on_map(BRITISH) if unit.combat and unit.kind != "hq"}
    for id in list(left):
        if plan.goals[id].worth and not plan.goals[id].sent:
            del left[id]  # the sapper who is to disarm the bridge is sent before all others
    while left:
        best = {id: best_goal(sit, plan, goals, unit) for id, unit in left.items()}
        id = max(left, key=lambda id: (best[id][0], id))
        goal = best[id][1]
        if goal is None:
            break
        there = plan.goals[id]
        assert (there.area, there.inside, there.worth) == (goal.area, goal.inside, goal.worth)
        goal.sent += left.pop(id).strength
    assert not any(plan.goals[id].worth for id in left)


def best_goal(
    sit: Situation, plan: TurnPlan, goals: list[Objective], unit: Unit
) -> tuple[float, Objective | None]:
    """Where ``unit`` is worth most, all goals looked at one after the other, and how much."""
    last = 4 * (sit.n.turns - sit.turn + 1)
    bold = sit.triggered or sit.turn == sit.n.turns
    best: tuple[float, Objective | None] = 0.0, None
    for goal in goals:
        way = plan.way(unit, goal.area)
        if goal.sent >= goal.need or (goal.need > 1.0 and unit.strength < 3) or way > last:
            continue
        if not bold and plan.column.get(goal.area, 0.0) > plan.style.bold * unit.strength:
            continue
        worth = goal.worth * min(1.0, unit.strength / goal.need + 0.4) / (2.0 + way)
        if worth > best[0]:
            best = worth, goal
    return best
