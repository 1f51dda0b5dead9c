"""A parachute or glider drop as front ends see it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from asl_pbcg.airborne.drop_game import Airborne, DropSession, begin_drop
from asl_pbcg.airborne.drop_state import DropState
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.kernel.views import UMPIRE, LogLine
from asl_pbcg.play.drop_board import offer_campaign_board
from asl_pbcg.play.plug import Plug, StepState


class DropPlug(Plug):
    """The plug of a drop: whoever has the file plays it, the orders stay sealed."""

    kind = "drop"
    called = "Drop"
    game = Airborne.name

    def __init__(self) -> None:
        offer_campaign_board()

    def session(self, journal: Journal) -> DropSession:
        """Return the drop on ``journal``, its seal checked."""
        return begin_drop(journal)

    def title(self, session: Session[DropState]) -> str:
        """Return the side whose drop it is."""
        return f"{session.state.side} drop".strip().capitalize()

    def date(self, session: Session[DropState]) -> str:
        """Return the turn."""
        return "finished" if session.state.finished else f"Turn {session.state.turn}"

    def next_thing(self, session: Session[DropState]) -> str:
        """Return that the drop is finished, once it is."""
        return "the drop is finished" if session.state.finished else ""

    def corrects_alone(self, session: Session[DropState], path: str, side: str) -> bool:
        """Return True: what is sealed is refused later."""
        return True

    def steps(self, session: Session[DropState], lines: Sequence[LogLine]) -> list[StepState]:
        """Return the step in progress."""
        step = session.step
        return (
            [StepState(id=step.id, title=step.title, rule=step.rule, state="now")] if step else []
        )

    def facts(self, session: Session[DropState], sees: str) -> dict[str, Any]:
        """Return the turn and what waits; a secret question only for the umpire."""
        state, asked = session.state, session.pending
        shown = asked is not None and (not asked.secret or sees == UMPIRE)
        return {
            "title": self.title(session),
            "date": self.date(session),
            "turn": state.turn,
            "over": state.finished,
            "waiting_for": asked.side or state.side if asked else "",
            "asked": {"id": asked.id, "text": asked.text} if asked and shown else None,
        }

    def read_document(
        self, session: Session[DropState], prompt: Prompt, path: str, sees: str
    ) -> Any:
        """Read the order sheet in a file."""
        raw = read_yaml_or_json(Path(path))
        if not isinstance(raw, dict):
            raise PBCGError(f"{path} is not an order sheet.")
        return raw
