"""Open or create a campaign file for a command, and keep files that are given before they are due.

Such files are an end position and the book of a paper campaign. The position of a side is kept as
its own: it is never given as the word of the other.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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


def kept_file(game: Path, viewer: str) -> Path:
    """Where it is kept which position of a viewer waits for a campaign: beside its file."""
    whose = "" if viewer in (BOTH, UMPIRE) else f".{viewer}"
    return game.with_name(f".{game.name}{whose}.position.json")


def _book_file(game: Path) -> Path:
    return game.with_name(f".{game.name}.book.json")


def is_given(session: Session[Campaign]) -> bool:
    """Whether the end position of the scenario just played was given already."""
    from asl_pbcg.play.campaign_game.campaign_facts import END_POSITION

    step = session.step
    return any(
        entry.point == END_POSITION and step and entry.step == step.id
        for entry in session.journal.standing()
    )


def keep_position(game: Path, session: Session[Campaign], position: Path, viewer: str) -> None:
    """Keep that ``position`` waits for the end of this CG scenario, at the next sitting too.

    Raises PBCGError if it cannot be written.
    """
    _keep(kept_file(game, viewer), session, "position", position)


def kept_position(game: Path, session: Session[Campaign], viewer: str) -> Path | None:
    """The position of a viewer that waits, if it is of this CG date, not given and still there."""
    path = _find_kept(kept_file(game, viewer), session, "position")
    return path if session.state.at == "scenario" and not is_given(session) else None


def keep_book(game: Path, session: Session[Campaign], book: Path) -> None:
    """Keep that a campaign from paper is brought in from ``book``; PBCGError if it cannot be."""
    _keep(_book_file(game), session, "book", book)


def kept_book(game: Path, session: Session[Campaign]) -> Path | None:
    """The book that this campaign is still brought in from, if it is still there."""
    module = session.state.module
    comes_in = session.state.at in (module.from_paper, module.scenario)
    return _find_kept(_book_file(game), session, "book") if comes_in else None


def forget_book(game: Path) -> None:
    """The campaign is brought in."""
    _remove(_book_file(game))


def _keep(file: Path, session: Session[Campaign], kind: str, given: Path) -> None:
    state = session.state
    body = {"campaign": state.salt, "date": state.date.value, kind: str(given.resolve())}
    write_atomic(file, json.dumps(body, ensure_ascii=False))


def _find_kept(file: Path, session: Session[Campaign], kind: str) -> Path | None:
    """Return the file kept of a kind, if of this campaign and CG date and still there."""
    state = session.state
    try:
        body = json.loads(file.read_text(encoding="utf-8"))
        path = Path(body[kind])
        waits = body["date"] == state.date.value and path.is_file()
        waits = waits and body.get("campaign", state.salt) == state.salt
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return path if waits else None


def forget_position(game: Path, *viewers: str) -> None:
    """Nothing of these viewers waits any more."""
    for file in {kept_file(game, viewer) for viewer in viewers}:
        _remove(file)


def _remove(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise PBCGError(f"{file} cannot be removed: {error.strerror}.") from error
