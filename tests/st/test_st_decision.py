"""A decision of the area game is an ordinary prompt whose options are made on demand."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from sentences import Tells
from st_help import british, situation

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import OnDemand, Option, Prompt, Script, secretly
from asl_pbcg.st.area_terms import BRITISH, GERMAN
from asl_pbcg.st.state.decision import Decision, decide


def counted(made: list[int]) -> Decision:
    sit = situation()
    british(sit, "CAF", "wood")

    def build() -> Sequence[Option]:
        made.append(1)
        return [Option("a", "first"), Option("b", "second"), Option("c", "no", refused="Not now.")]

    return decide("point", "Which?", situation=sit, ids=("a", "b"), build=build)


def test_options_are_made_when_they_are_read_and_once() -> None:
    made: list[int] = []
    asked = counted(made)
    assert asked.check("a") == "a"
    assert asked.random_answer(random.Random(1)) in ("a", "b")
    assert asked.choices == asked.ids  # what is not given otherwise
    assert not made
    assert [option.id for option in asked.legal] == ["a", "b"]
    assert asked.words("b") == "second"
    assert asked.options[0].id == "a"
    assert len(asked.options) == 3
    assert asked.options[1:] == (asked.options[1], asked.options[2])
    with pytest.raises(IllegalAnswer, match="Not now"):
        asked.check("c")
    assert made == [1]


def test_it_can_be_asked_in_secret_like_any_prompt(tells: Tells) -> None:
    asked = counted([])
    assert asked.side == BRITISH
    tells(asked.where, "Turn 2", "British", "Movement", "Phase")

    def script() -> Script[str]:
        answer: str = yield asked
        return answer

    hidden = next(secretly(script(), GERMAN))
    assert isinstance(hidden, Decision)
    assert isinstance(hidden, Prompt)
    assert (hidden.side, hidden.secret, hidden.id) == (GERMAN, True, "point")
    assert hidden.situation is asked.situation
    assert isinstance(replace(hidden, text="Again?").options, OnDemand)
