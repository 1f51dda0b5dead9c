"""An area game played by an automatic player, as its journal would have it."""

from __future__ import annotations

from typing import Any

from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.many.automatic_game import Player, RandomDice
from asl_pbcg.st.record import Entry, Record
from asl_pbcg.st.rules.game_state import State

GAME = AreaGame()


def recorded(
    player: Player, turns: int = 99, begun: State | None = None, dice: int | str = "blunder"
) -> Record:
    """Play on from ``begun``, else a historical game, up to a turn."""
    state = begun = begun or GAME.begin({"mode": "historical"})
    thrown, entries = RandomDice(dice), list[Entry]()
    while state.turn <= turns and (step := GAME.next_step(state)) is not None:
        script: Any = step.script(state)
        sent: Any = None
        try:
            while True:
                asked = script.send(sent)
                sent = None
                if isinstance(asked, Roll):
                    faces = thrown.throw(asked.spec, 0, "")
                    entries.append(("roll", asked.id, list(faces)))
                    sent = asked.resolve(faces)
                elif isinstance(asked, Prompt):
                    sent = player.answer(asked)
                    entries.append(("answer", asked.id, sent))
        except StopIteration as finished:
            state = finished.value
    return Record(begun, entries)
