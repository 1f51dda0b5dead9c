"""An area game played by an automatic player, as its journal would have it."""

from __future__ import annotations

from typing import Any

from asl_pbcg.kernel.dice import Dice, DiceSpec
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.st.player.automatic_game import Player, RandomDice, play
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.game_record import Entry, Record
from asl_pbcg.st.state.game_state import State

GAME = AreaGame()


class RecordedPlayer:
    """A player and the dice of a game; ``entries`` are what was answered and thrown."""

    def __init__(self, player: Player, dice: Dice) -> None:
        self._player, self._dice = player, dice
        self.followed = getattr(player, "followed", None)
        self.entries: list[Entry] = []

    def answer(self, prompt: Prompt) -> Any:
        """The answer of the player."""
        answer = self._player.answer(prompt)
        self.entries.append(("answer", prompt.id, answer))
        return answer

    def throw(self, spec: DiceSpec, number: int, reason: str) -> tuple[int, ...]:
        """The dice; ``reason`` is the decision point."""
        faces = self._dice.throw(spec, number, reason)
        self.entries.append(("roll", reason, list(faces)))
        return faces


def recorded(
    player: Player, turns: int = 99, begun: State | None = None, dice: int | str = "blunder"
) -> Record:
    """Play on from ``begun``, else a historical game, up to a turn."""
    begun = begun or GAME.begin({"mode": "historical"})
    kept = RecordedPlayer(player, RandomDice(dice))
    states = play(GAME, begun, kept, kept) if begun.turn <= turns else ()
    next((state for state in states if state.turn > turns), None)
    return Record(begun, kept.entries)
