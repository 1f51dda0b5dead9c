"""Phases that see at once that nothing happens, against the same phases gone through."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from st_help import GAME, german, run, situation

from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.st import german_fire as fire
from asl_pbcg.st.german_guns import awake
from asl_pbcg.st.policy import GoodPlayer, RandomPlayer
from asl_pbcg.st.quiet import NOTHING, last_known, places_in_reach
from asl_pbcg.st.run import RandomDice, play
from asl_pbcg.st.state import State
from asl_pbcg.st.terms import BRITISH, GERMAN, PHASES

KINDS = (
    {"mode": "historical", "bunker_hand_to_hand": True},
    {"mode": "variable", "difficulty": "easy"},
    {"mode": "variable", "difficulty": "hard", "german": "resolute"},
)


def is_quiet(state: State) -> bool:
    """Whether the phase that begins at ``state`` has no step and changes nothing."""
    step = GAME.next_step(state)
    assert step
    script = step.script(state)
    asked: object = None
    try:
        asked = script.send(None)
    except StopIteration as finished:
        return finished.value.units == state.units and finished.value.control == state.control
    assert asked is not None
    return False


@pytest.mark.rule("ST-FIR-01", "ST-H2H-01", "ST-SAP-02")
@pytest.mark.parametrize("policy", [GoodPlayer, RandomPlayer])
def test_a_phase_that_is_not_begun_has_nothing_in_it(
    policy: type[GoodPlayer | RandomPlayer],
) -> None:
    """Each is gone through from a stored state, of which nothing is known."""
    passed = {
        name for seed in range(3) for name in quiet_phases(seed, policy(seed), RandomDice(seed))
    }
    assert {"british_fire", "german_fire", "hand_to_hand", "bridge"} <= passed


def quiet_phases(kind: int, who: GoodPlayer | RandomPlayer, dice: RandomDice) -> Iterator[str]:
    """The phases of a game that were not begun, each looked into."""
    state = GAME.begin(KINDS[kind])
    while (step := GAME.next_step(state)) is not None:
        before, script, sent, quiet = state, step.script(state), None, True
        try:
            while True:
                asked = script.send(sent)
                quiet = False
                if isinstance(asked, Prompt):
                    sent = who.answer(asked)  # type: ignore[arg-type]
                elif isinstance(asked, Roll):
                    sent = asked.resolve(dice.throw(asked.spec, 0, ""))
                else:
                    sent = None
        except StopIteration as finished:
            state = finished.value
        if before.ready and quiet and state.units is before.units:
            rules = GAME.rules(state.settings)
            last = rules.last_phase
            assert is_quiet(GAME.decode(GAME.encode(before)))
            rules.last_phase = last
            yield PHASES[before.phase].name


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_only_germans_in_reach_and_guns_matter_in_their_fire_phase(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def game() -> list[bytes]:
        states = play(GAME, GAME.begin(KINDS[seed % 3]), RandomPlayer(seed), RandomDice(seed))
        return [GAME.encode(state) for state in states]

    expected = game()
    monkeypatch.setattr(
        fire, "awake_ones", lambda sit, _: [u for u in sit.on_map(GERMAN) if awake(u)]
    )
    assert game() == expected


def test_what_is_known_is_known_of_one_state_only() -> None:
    sit = situation(6, "german_fire")
    german(sit, "PB", "infantry-01")
    state = sit.end()
    rules = sit.rules
    assert last_known(rules, state) is sit
    assert last_known(rules, GAME.decode(GAME.encode(state))) is None
    assert places_in_reach(sit, GERMAN) == places_in_reach(sit, BRITISH) == []
    rules.last_phase = None
    assert last_known(rules, state) is None


def test_nothing_happens_as_often_as_one_likes() -> None:
    for _ in range(3):
        assert run(NOTHING).result is None
