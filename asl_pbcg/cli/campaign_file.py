"""Open or create a campaign file for a command, and keep files that are given before they are due.

Such files are an end position and the book of a paper campaign. The position of a side is kept as
its own: it is never given as the word of the other.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal, NamedTuple

from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.cli.main import complain
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import UMPIRE
from asl_pbcg.play import waiting
from asl_pbcg.play.campaign_game import campaign_plug
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.plug import BOTH


def create_campaign(path: Path, meta: dict[str, Any]) -> Session[Campaign]:
    """Make a new campaign file at ``path`` and begin it; the caller closes its journal."""
    return campaign_plug.create_campaign(path, meta).session


def open_game(path: Path, look: bool = False) -> OpenGame:
    """Open the campaign at ``path``, with ``look`` beside somebody who plays it.

    The caller closes it. Raises PBCGError if it is not a file of a campaign.
    """
    game = OpenGame.open(path, look, PEGASUS_BRIDGE.name)
    warn_of(game)
    return game


def look_at(path: Path, viewer: str) -> OpenGame:
    """Open the campaign at ``path`` as ``viewer`` may look at it; the caller closes it.

    A side that waits while the other acts in secret sees it as it stood. Raises PBCGError.
    """
    return waiting.as_seen(open_game(path, look=True), viewer)


def warn_of(game: OpenGame) -> None:
    """Print what players should hear of an open file, and which answers no longer fit."""
    for remark in game.remarks:
        complain(remark)
    if game.session.unfit:
        complain(game.session.why_unfit)


def open_campaign(path: Path, look: bool = False) -> Session[Campaign]:
    """Return the session of the campaign at ``path``; the caller closes its journal."""
    return open_game(path, look).session


def state_of(path: Path, look: bool = False, viewer: str = "") -> Campaign:
    """Return the state of the campaign at ``path``; its file is let go at once.

    A ``viewer`` only looks at it.
    """
    with look_at(path, viewer) if viewer else open_game(path, look) as game:
        state: Campaign = game.session.state
        return state


def is_given(session: Session[Campaign]) -> bool:
    """Return whether the end position of the scenario just played was given already."""
    from asl_pbcg.play.campaign_game.campaign_facts import END_POSITION

    step = session.step
    return any(
        entry.point == END_POSITION and step and entry.step == step.id
        for entry in session.journal.standing()
    )


class KeptFile(NamedTuple):
    """The file beside a campaign that names a position or book until it is due."""

    path: Path
    kind: Literal["position", "book"]

    def keep(self, session: Session[Campaign], path: Path) -> None:
        """Keep the path of a file that waits for the next sitting. Raises PBCGError."""
        state = session.state
        body = {"campaign": state.salt, "date": state.date.value, self.kind: str(path.resolve())}
        write_atomic(self.path, json.dumps(body, ensure_ascii=False))

    def find(self, session: Session[Campaign]) -> Path | None:
        """Return the file that waits; None if it is gone, not due, or of another campaign."""
        state = session.state
        try:
            body = json.loads(self.path.read_text(encoding="utf-8"))
            path = Path(body[self.kind])
            waits = body["date"] == state.date.value and path.is_file()
            waits = waits and body.get("campaign", state.salt) == state.salt
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        return path if waits and self._is_due(session) else None

    def _is_due(self, session: Session[Campaign]) -> bool:
        state = session.state
        if self.kind == "book":
            return state.at in (state.module.from_paper, state.module.scenario)
        return state.in_scenario and not is_given(session)

    def forget(self) -> None:
        """Remove the note that a file waits. Raises PBCGError if the file cannot be removed."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise PBCGError(f"{self.path} cannot be removed: {error.strerror}.") from error


def kept_position(game: Path, viewer: str) -> KeptFile:
    """Return the place that keeps which end position waits for a viewer."""
    whose = "" if viewer in (BOTH, UMPIRE) else f".{viewer}"
    return KeptFile(game.with_name(f".{game.name}{whose}.position.json"), "position")


def kept_book(game: Path) -> KeptFile:
    """Return the place that keeps which book a paper campaign is brought in from."""
    return KeptFile(game.with_name(f".{game.name}.book.json"), "book")
