"""The short ways of walking are the same as putting counters down one by one."""

from __future__ import annotations

import random

import pytest
from st_help import GAME

from asl_pbcg.st.many.run import RandomDice, play
from asl_pbcg.st.player.policy import GoodPlayer, RandomPlayer
from asl_pbcg.st.rules.actions import action, mp_left
from asl_pbcg.st.rules.decision import Decision
from asl_pbcg.st.rules.declared import shadow_of
from asl_pbcg.st.rules.moving import go, go_together
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.terms import BRITISH

KEPT = ("british", "german", "vehicles", "armed", "bearers", "joined")


def same(one: Situation, other: Situation) -> None:
    """Both know the same of who stands where."""
    assert GAME.encode(one.close()) == GAME.encode(other.close())
    for name in KEPT:
        assert getattr(one, name) == getattr(other, name), name


@pytest.mark.parametrize("seed", [5, 6])
@pytest.mark.parametrize("policy", [GoodPlayer, RandomPlayer])
def test_stacks_and_those_who_use_bunkers_go_as_if_put_down_one_by_one(
    seed: int, policy: type[GoodPlayer | RandomPlayer]
) -> None:
    """Stacks of any units of a place to a place beside it; any unit to the other floor."""
    stacks = floors = 0
    who = policy(seed)
    source = random.Random(seed)

    class Looking:
        def answer(self, prompt: Decision) -> object:
            nonlocal stacks, floors
            sit = prompt.situation
            if prompt.id == "act" and source.random() < 0.3:
                for unit in sit.on_map(BRITISH):
                    hampers = unit.inside or unit.wounded or unit.suppressed
                    if hampers or unit.engaged >= sit.turn:
                        assert unit.id in sit.hampered
                    if unit.id not in sit.hampered:
                        spent = sit.spent.get(unit.id, 0)
                        assert mp_left(sit, unit) == sit.n.mp_british - spent
                unit = source.choice(sit.on_map(BRITISH))
                if unit.area in sit.geo.has_bunker:
                    one, other = shadow_of(sit), shadow_of(sit)
                    kind = "leave-bunker" if unit.inside else "enter-bunker"
                    go(one, unit.id, action(kind, "", 1), 1)
                    other.put_down(unit.id, unit.area, not unit.inside)
                    same(one, other)
                    floors += 1
                there = sit.british[unit.place]
                steps = sit.geo.steps[unit.area]
                if len(there) > 1 and steps and not unit.inside:
                    stack = source.sample(there, source.randint(2, len(there)))
                    area = source.choice(steps)[0]
                    one, other = shadow_of(sit), shadow_of(sit)
                    go_together(one, tuple(stack), action("move", area, 1), alike=True)
                    for id in stack:
                        other.put_down(id, area)
                    same(one, other)
                    stacks += 1
            return who.answer(prompt)

    state = GAME.begin({"mode": "historical"})
    for _ in play(GAME, state, Looking(), RandomDice(seed)):  # type: ignore[arg-type]
        pass
    assert stacks > 5
    assert floors > 3
