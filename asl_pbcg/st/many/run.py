"""Playing a game to its end without a journal, for simulation: the same scripts, fast."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.rules.state import State


class Player(Protocol):
    """Whoever answers the British player's prompts."""

    def answer(self, prompt: Prompt) -> Any:
        """A legal answer to ``prompt``, in its stored form."""
        ...


class Follower(Protocol):
    """Whoever follows a game step by step, to think ahead from where it stands."""

    sent: list[tuple[str, Any]]

    def begin(self, state: State) -> None:
        """A step begins at ``state``."""
        ...


class RandomDice:
    """Dice thrown one after the other from one seed; faster than dice that can be replayed."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(f"dice/{seed}").random

    def throw(self, spec: DiceSpec, number: int, reason: str) -> tuple[int, ...]:
        """Throw ``spec``; ``number`` and ``reason`` play no part."""
        sides = spec.sides
        if spec.count == 1:
            return (int(self._random() * sides) + 1,)
        return tuple(int(self._random() * sides) + 1 for _ in range(spec.count))


Answering = Callable[[Prompt], Any]
Throwing = Callable[[DiceSpec, int, str], tuple[int, ...]]


def _overheard(
    answer: Answering,
    throw: Throwing,
    seen: Callable[[Prompt], None] | None,
    followed: Follower | None,
) -> tuple[Answering, Throwing]:
    """The same answers and dice; ``seen`` and ``followed`` are told of them."""

    def told_answer(asked: Prompt) -> Any:
        if seen:
            seen(asked)
        sent = answer(asked)
        if followed:
            followed.sent.append((asked.id, sent))
        return sent

    def told_throw(spec: DiceSpec, number: int, reason: str) -> tuple[int, ...]:
        faces = throw(spec, number, reason)
        if followed:
            followed.sent.append(("roll", faces))
        return faces

    return told_answer, told_throw


def play(
    game: AreaGame,
    state: State,
    player: Player,
    dice: RandomDice,
    seen: Callable[[Prompt], None] | None = None,
) -> Iterator[State]:
    """Play on from ``state``: yields the state after each step until the game is over.

    ``seen`` hears every prompt (to count decisions). A player that has a ``followed`` is told
    through it where the game stands.
    """
    followed: Follower | None = getattr(player, "followed", None)
    answer: Answering = player.answer
    throw: Throwing = dice.throw
    if seen or followed:
        answer, throw = _overheard(answer, throw, seen, followed)
    while (step := game.next_step(state)) is not None:
        send = step.script(state).send
        if followed:
            followed.begin(state)
        sent: Any = None
        try:
            while True:
                asked = send(sent)
                if isinstance(asked, Prompt):
                    sent = answer(asked)
                elif isinstance(asked, Roll):
                    sent = asked.resolve(throw(asked.spec, 0, ""))
                else:
                    sent = None
        except StopIteration as finished:
            state = finished.value
        yield state
