"""Fire phases that look at few units, against the same phases that look at all."""

from __future__ import annotations

import pytest
from st_help import GAME, german, run, situation

from asl_pbcg.st.many.run import RandomDice, play
from asl_pbcg.st.player.policy import GoodPlayer, RandomPlayer
from asl_pbcg.st.rules import attacks, british_fire, german_fire
from asl_pbcg.st.rules.german_guns import awake
from asl_pbcg.st.rules.quiet import NOTHING, places_in_reach
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.situation import situation as go_on
from asl_pbcg.st.terms import BRITISH, GERMAN, SideName

KINDS = (
    {"mode": "historical", "bunker_hand_to_hand": True},
    {"mode": "variable", "difficulty": "easy"},
    {"mode": "variable", "difficulty": "hard", "german": "resolute"},
)


def everywhere(sit: Situation, side: SideName) -> list[str]:
    """All places of a side, as if enemies were near each of them."""
    return list(sit.british if side == BRITISH else sit.german)


def states_of(number: int, who: GoodPlayer | RandomPlayer) -> list[bytes]:
    states = play(GAME, GAME.begin(KINDS[number]), who, RandomDice(number))
    return [GAME.encode(state) for state in states]


@pytest.mark.rule("ST-FIR-01", "ST-SEQ-11", "ST-SEQ-13")
@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("policy", [GoodPlayer, RandomPlayer])
def test_nobody_fires_who_has_no_enemy_in_reach(
    number: int, policy: type[GoodPlayer | RandomPlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fire phases look at those near enemies alone; looking at all comes to the same."""
    expected = states_of(number, policy(number))
    for module in (british_fire, german_fire, attacks):
        monkeypatch.setattr(module, "places_in_reach", everywhere)
    assert states_of(number, policy(number)) == expected


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_only_germans_in_reach_and_guns_matter_in_their_fire_phase(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = states_of(seed % 3, RandomPlayer(seed))
    monkeypatch.setattr(
        german_fire, "awake_ones", lambda sit, _: [u for u in sit.on_map(GERMAN) if awake(u)]
    )
    assert states_of(seed % 3, RandomPlayer(seed)) == expected


def test_the_situation_goes_on_from_the_very_state_it_ended_in() -> None:
    sit = situation(6, "german_fire")
    german(sit, "PB", "infantry-01")
    state = sit.end()
    rules = sit.rules
    assert go_on(rules, GAME.decode(GAME.encode(state))) is not sit
    assert go_on(rules, state) is sit
    assert go_on(rules, state) is not sit  # another phase works on it already
    assert places_in_reach(sit, GERMAN) == places_in_reach(sit, BRITISH) == []


def test_nothing_happens_as_often_as_one_likes() -> None:
    for _ in range(3):
        assert run(NOTHING).result is None
