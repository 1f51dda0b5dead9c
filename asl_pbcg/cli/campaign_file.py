"""Opening a campaign file for a command; what no longer fits in it is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from asl_pbcg.campaign.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.cli.main import complain
from asl_pbcg.kernel.session import Session
from asl_pbcg.play import campaign, waiting
from asl_pbcg.play.open_game import OpenGame


def create_campaign(path: Path, meta: dict[str, Any]) -> Session[Campaign]:
    """Make a new campaign file at ``path`` and begin it; the caller closes its journal."""
    return campaign.create_campaign(path, meta).session


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
