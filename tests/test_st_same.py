"""The same seeds give the same games as before: nothing that was made faster changed a game."""

from __future__ import annotations

import json

import pytest
from st_fingerprint import FILE, NAMES, fingerprint
from st_help import GAME

from asl_pbcg.st.british_movement import able_by_place
from asl_pbcg.st.decision import Decision
from asl_pbcg.st.policy import GoodPlayer, RandomPlayer
from asl_pbcg.st.run import RandomDice, play

KNOWN = json.loads(FILE.read_text(encoding="ascii"))


@pytest.mark.parametrize("name", NAMES[::3])
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    """All questions, answers, dice and states; written before the engine was made faster."""
    assert fingerprint(GAME, name) == KNOWN[name]


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("policy", [GoodPlayer, RandomPlayer])
def test_who_can_act_is_the_same_when_only_changed_places_are_looked_at(
    seed: int, policy: type[GoodPlayer | RandomPlayer]
) -> None:
    """What a question lists against a look at every place, before each action of a game."""
    seen = 0
    who = policy(seed)

    class Looking:
        def answer(self, prompt: Decision) -> object:
            nonlocal seen
            if prompt.id == "act":
                units = {id for id in prompt.ids if id in prompt.situation.units}
                every = {id for ids in able_by_place(prompt.situation).values() for id in ids}
                assert units <= every
                for id in every - units:  # those found to have nothing to do
                    assert not prompt.situation.units[id].inside
                seen += 1
            return who.answer(prompt)

    for _ in play(GAME, GAME.begin({"mode": "historical"}), Looking(), RandomDice(seed)):  # type: ignore[arg-type]
        pass
    assert seen > 100
