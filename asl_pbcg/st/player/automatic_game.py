"""Playing a game to its end without a journal, for simulation: the same scripts, fast."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Protocol

import msgspec

from asl_pbcg.kernel.dice import Dice, DiceSpec
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.board.map_read import read_map, to_data
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.state.decision import Decision, TableRoll
from asl_pbcg.st.state.game_state import State


class Player(Protocol):
    """Whoever answers the British player's prompts.

    One that thinks ahead from where the game stands has a ``followed`` (:class:`Followed`).
    """

    def answer(self, prompt: Prompt) -> Any:
        """Return a legal answer to ``prompt``, in its stored form."""
        ...


class Followed:
    """Follows a game that is played: the state of the phase and what was sent to its script."""

    def __init__(self) -> None:
        self.state: State | None = None
        self.sent: list[tuple[str, Any]] = []

    def begin(self, state: State) -> None:
        """Note that a phase begins."""
        self.state, self.sent = state, []


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


def play(
    game: AreaGame,
    state: State,
    player: Player,
    dice: Dice,
    watch: Callable[[Prompt], None] | None = None,
) -> Iterator[State]:
    """Play on from ``state``: yields the state after each step until the game is over.

    ``watch`` hears every prompt (to count decisions).
    """
    followed: Followed | None = getattr(player, "followed", None)
    while (step := game.next_step(state)) is not None:
        send = step.script(state).send
        if followed:
            followed.begin(state)
        sent: Any = None
        try:
            while True:
                asked = send(sent)
                if isinstance(asked, Decision):
                    if watch:
                        watch(asked)
                    sent = player.answer(asked)
                    if followed:
                        followed.sent.append((asked.id, sent))
                elif isinstance(asked, TableRoll):
                    faces = dice.throw(asked.spec, 0, asked.id)
                    sent = asked.resolve(faces)
                    if followed:
                        followed.sent.append(("roll", faces))
                else:
                    sent = None
        except StopIteration as finished:
            state = finished.value
        yield state


# -- a map on its way to another process --------------------------------------------------------


def packed_map(area_map: GameMap) -> bytes:
    """Return the map as JSON, for games played elsewhere; empty for the shipped one."""
    data = to_data(area_map)
    return b"" if data == to_data(load_map()) else msgspec.json.encode(data)


@cache
def game_on(area_map: bytes) -> AreaGame:
    """Return the game on a packed map, made once in each process."""
    if not area_map:
        return AreaGame()
    return AreaGame(read_map(msgspec.json.decode(area_map), "the map"))
