"""The end position that somebody gave before it was asked for: kept until it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic

if TYPE_CHECKING:
    from asl_pbcg.campaign.state import Campaign
    from asl_pbcg.kernel.session import Session


def kept_file(game: Path) -> Path:
    """Where it is kept which position waits for a campaign: beside its file."""
    return game.with_name(f".{game.name}.position.json")


def is_given(session: Session[Campaign]) -> bool:
    """Whether the end position of the scenario just played was given already."""
    from asl_pbcg.play.campaign_facts import END_POSITION

    step = session.step
    return any(
        entry.point == END_POSITION and step and entry.step == step.id
        for entry in session.journal.standing()
    )


def keep_position(game: Path, session: Session[Campaign], position: Path) -> None:
    """Keep that ``position`` waits for the end of this CG scenario, at the next sitting too.

    Raises PBCGError if it cannot be written.
    """
    body = {"date": session.state.date.value, "position": str(position.resolve())}
    write_atomic(kept_file(game), json.dumps(body, ensure_ascii=False))


def kept_position(game: Path, session: Session[Campaign]) -> Path | None:
    """The position that waits, if it is of this CG date, still to be given and still there."""
    try:
        body = json.loads(kept_file(game).read_text(encoding="utf-8"))
        path = Path(body["position"])
        waits = body["date"] == session.state.date.value and path.is_file()
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return path if waits and session.state.at == "scenario" and not is_given(session) else None


def forget_position(game: Path) -> None:
    """Nothing waits any more."""
    try:
        kept_file(game).unlink(missing_ok=True)
    except OSError as error:
        raise PBCGError(f"{kept_file(game)} cannot be removed: {error.strerror}.") from error
