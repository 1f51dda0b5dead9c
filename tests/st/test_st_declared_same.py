"""What is remembered while actions are declared and carried out is what a new look finds."""

from __future__ import annotations

import pytest
from st_help import GAME

from asl_pbcg.st.many.run import RandomDice, play
from asl_pbcg.st.player.policy import RandomPlayer
from asl_pbcg.st.rules.actions import choices, choices_after_step
from asl_pbcg.st.rules.decision import Decision
from asl_pbcg.st.rules.declared import possible, shadow_of
from asl_pbcg.st.rules.situation import Situation

OWN = {"state", "stirred", "fires", "calm", "tank_areas", "order", "ended", "british", "german"}
"""What a copy may keep in another way than a situation opened anew, or is compared by itself."""


def same(one: Situation, other: Situation) -> None:
    """Both situations know the same."""
    assert GAME.encode(one.close()) == GAME.encode(other.close())
    for kind in (Situation, *Situation.__mro__[1:-1]):
        for name in set(kind.__slots__) - OWN:  # type: ignore[attr-defined]
            assert getattr(one, name) == getattr(other, name), name
    assert one.british == other.british
    assert one.german == other.german
    assert one.pows.escorts == other.pows.escorts
    assert one.positions.builders == other.positions.builders
    assert one.calm in (None, one.find_calm())


@pytest.mark.parametrize("seed", [1, 12, 13])
def test_declared_actions_are_possible_as_long_as_they_are_offered(seed: int) -> None:
    """Each action offered against a look at it anew, the copy that is planned on against the
    situation opened anew, the choices after a step against those at any time.
    """
    seen = 0
    who = RandomPlayer(seed)

    class Looking:
        def answer(self, prompt: Decision) -> object:
            nonlocal seen
            sit = prompt.situation
            if prompt.id == "carry_out":
                for item in prompt.choices:
                    assert possible(sit, item)
                    seen += 1
                assert prompt.default == prompt.ids[0]
            elif prompt.id == "act":
                shadow = shadow_of(sit)
                anew = Situation(sit.rules, sit.close())
                for name in ("spent", "hampered", "slowed", "carried_mg", "pow_moved", "handled"):
                    setattr(anew, name, getattr(sit, name))
                same(shadow, anew)
                for name in (
                    "units",
                    "spent",
                    "hampered",
                    "british",
                    "pows",
                    "positions",
                    "handled",
                ):
                    assert getattr(shadow, name) is not getattr(sit, name)
            elif prompt.id == "action":
                unit = sit.units[prompt.pieces[0]]
                if sit.spent.get(unit.id) and not unit.inside and unit.engaged < sit.turn:
                    near = sit.rules.matter[unit.area].intersection(sit.german)
                    if not near:
                        assert choices_after_step(sit, unit) == choices(sit, unit)
            return who.answer(prompt)

    state = GAME.begin({"mode": "historical"})
    for _ in play(GAME, state, Looking(), RandomDice(seed)):  # type: ignore[arg-type]
        pass
    assert seen > 50
