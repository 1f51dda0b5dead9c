"""The frames of a film: a recorded game played again, phase by phase, as the player may see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from asl_pbcg.kernel.prompts import Note, Roll
from asl_pbcg.st.captions import effect_words
from asl_pbcg.st.film import Frame
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.state import State
from asl_pbcg.st.terms import BRITISH
from asl_pbcg.st.view import seen_by


def frames_of(game: AreaGame, begun: State, entries: Sequence[tuple[str, str, Any]]) -> list[Frame]:
    """A frame after each phase of the game that ``entries`` make in which something was told."""
    left, state, frames = list(entries), begun, list[Frame]()
    while (step := game.next_step(state)) is not None:
        script, told = step.script(state), list[str]()
        sent: Any = None
        try:
            while True:
                asked = script.send(sent)
                sent = None
                if isinstance(asked, Note):
                    if not asked.secret:
                        told.append(asked.text)
                    continue
                if not left:
                    return frames
                _, _, body = left.pop(0)
                if isinstance(asked, Roll):
                    sent = asked.resolve(tuple(body))
                    if not asked.secret:
                        effect = effect_words(asked.id, asked.text, sent.result, sent.says)
                        told.append(f"{asked.text}: {effect}")
                else:
                    sent = body
        except StopIteration as finished:
            state = finished.value
        if told and state.ready:
            shown = state if state.over else seen_by(state, BRITISH)
            frames.append(Frame(step.title, shown, tuple(told)))
    return frames
