"""The same seeds give the same games as before: nothing that was made faster changed a game."""

from __future__ import annotations

import json
import random

import pytest
from st_fingerprint import FILE, NAMES, fingerprint
from st_help import GAME

from asl_pbcg.st.many.run import RandomDice, play
from asl_pbcg.st.player.policy import GoodPlayer, RandomPlayer
from asl_pbcg.st.player.policy_order import foremost
from asl_pbcg.st.player.policy_plan import Goal, Plan, make_plan, next_of, open_goals
from asl_pbcg.st.player.policy_style import STEADY, STYLES, Style
from asl_pbcg.st.player.policy_styled import StyledPlayer
from asl_pbcg.st.player.policy_ways import SCALE
from asl_pbcg.st.rules.able import Able
from asl_pbcg.st.rules.actions import choices, every_action, every_move, moves, mp_left
from asl_pbcg.st.rules.decision import Decision
from asl_pbcg.st.rules.declared import shadow_of
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.state import Unit
from asl_pbcg.st.terms import BRITISH, GERMAN

KNOWN = json.loads(FILE.read_text(encoding="ascii"))


@pytest.mark.parametrize("name", NAMES[::3])
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    """All questions, answers, dice and states; written before the engine was made faster."""
    assert fingerprint(GAME, name) == KNOWN[name]


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("policy", [GoodPlayer, RandomPlayer])
def test_who_can_act_is_the_same_when_only_changed_units_are_looked_at(
    seed: int, policy: type[GoodPlayer | RandomPlayer]
) -> None:
    """What a question lists against a look at every unit, before each action of a game."""
    seen = 0
    who = policy(seed)

    class Looking:
        def answer(self, prompt: Decision) -> object:
            nonlocal seen
            if prompt.id == "act":
                units = {id for id in prompt.ids if id in prompt.situation.units}
                every = set(Able(prompt.situation).units)
                assert units <= every
                for id in every - units:  # those found to have nothing to do
                    assert not prompt.situation.units[id].inside
                seen += 1
            return who.answer(prompt)

    for _ in play(GAME, GAME.begin({"mode": "historical"}), Looking(), RandomDice(seed)):  # type: ignore[arg-type]
        pass
    assert seen > 100


@pytest.mark.parametrize("seed", [3, 4])
@pytest.mark.parametrize("policy", [GoodPlayer, RandomPlayer])
def test_what_a_table_says_of_a_unit_is_what_is_worked_out(
    seed: int, policy: type[GoodPlayer | RandomPlayer]
) -> None:
    """Moves, actions and a step on the map, for a unit of every fifth question of a game."""
    seen = 0
    who = policy(seed)
    source = random.Random(seed)

    class Looking:
        def answer(self, prompt: Decision) -> object:
            nonlocal seen
            if prompt.id == "action" and source.random() < 0.2:
                sit = prompt.situation
                unit = source.choice(sit.on_map(BRITISH))
                left = mp_left(sit, unit)
                for mp in range(5):
                    assert list(moves(sit, unit, mp)) == every_move(sit, unit, mp)
                if not unit.suppressed:
                    assert list(choices(sit, unit)[0]) == every_action(sit, unit, left)
                for each in (unit, *sit.on_map(GERMAN)[:2]):
                    steps = sit.geo.steps[each.area]
                    if steps and not each.inside:
                        walked_as_put(sit, each.id, source.choice(steps)[0])
                        seen += 1
            return who.answer(prompt)

    for _ in play(GAME, GAME.begin({"mode": "historical"}), Looking(), RandomDice(seed)):  # type: ignore[arg-type]
        pass
    assert seen > 20


def walked_as_put(sit: Situation, unit: str, area: str) -> None:
    """A step of a unit is the same as if its counter were put there from wherever it may be."""
    one, other = shadow_of(sit), shadow_of(sit)
    one.walk(unit, area)
    other.put_down(unit, area)
    assert GAME.encode(one.close()) == GAME.encode(other.close())
    for name in ("british", "german", "vehicles", "armed", "bearers", "joined"):
        assert getattr(one, name) == getattr(other, name)
    assert one.calm in (None, one.find_calm())


@pytest.mark.parametrize("seed", [5, 6, 7, 8])
@pytest.mark.parametrize("style", [STEADY, STYLES[1]])
def test_what_the_good_player_reads_from_tables_is_what_it_would_work_out(
    seed: int, style: Style
) -> None:
    """Who goes first, what he does and where each is worth most, against a look at everything."""
    seen = 0
    who = StyledPlayer(style)
    mode = ("historical", "variable")[seed % 2]

    class Looking:
        def answer(self, prompt: Decision) -> object:
            nonlocal seen
            if prompt.id in ("act", "action"):
                sit, plan = prompt.situation, who._plan_for(prompt.situation)
                if prompt.id == "act":
                    if not seen:
                        check_plan(sit, style)
                    rank = next_of(sit, plan, prompt.ids)
                    assert (rank[2] if rank else "") == foremost(sit, prompt.ids, plan.done)
                elif len(prompt.pieces) == 1:
                    ranked = who.rank(sit, sit.units[prompt.pieces[0]], prompt.choices)
                    answer = who.answer(prompt)
                    assert answer == (ranked[0][1].id if ranked else "stop")
                    return answer
                seen += 1
            elif seen:
                seen = 0
            return who.answer(prompt)

    settings = {"mode": mode} | ({"difficulty": "hard"} if mode == "variable" else {})
    for _ in play(GAME, GAME.begin(settings), Looking(), RandomDice(seed)):  # type: ignore[arg-type]
        pass


def check_plan(sit: Situation, style: Style) -> None:
    """Units are sent where they are worth most, all looked at anew after each that is sent."""
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
    sit: Situation, plan: Plan, goals: list[Goal], unit: Unit
) -> tuple[float, Goal | None]:
    """Where ``unit`` is worth most, all goals looked at one after the other, and how much."""
    last = 4 * (sit.n.turns - sit.turn + 1)
    bold = sit.triggered or sit.turn == sit.n.turns
    best: tuple[float, Goal | None] = 0.0, None
    for goal in goals:
        way = plan.reach[goal.area].of(unit.area) / SCALE
        if goal.sent >= goal.need or (goal.need > 1.0 and unit.strength < 3) or way > last:
            continue
        if not bold and plan.column.to(goal.area) > plan.style.bold * unit.strength:
            continue
        worth = goal.worth * min(1.0, unit.strength / goal.need + 0.4) / (2.0 + way)
        if worth > best[0]:
            best = worth, goal
    return best
