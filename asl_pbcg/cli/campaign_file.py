"""Opening a campaign file: the journal, the game, the dice and the corrected board."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from asl_pbcg import __version__
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.session import Session
from asl_pbcg.refit.sequence import PegasusBridge


def create_campaign(path: Path, meta: dict[str, Any]) -> Session[Campaign]:
    """Make a new campaign file at ``path`` and begin it; the caller closes its journal."""
    from hashlib import sha256

    salt = sha256(f"ids/{meta.get('seed')}".encode()).hexdigest()[:16]
    settings = {"salt": salt, **meta["settings"]}
    meta = {"game": PegasusBridge.name, **meta, "settings": settings}
    journal = Journal.create(path, meta, __version__)
    return _session(journal)


def open_campaign(path: Path) -> Session[Campaign]:
    """Open the campaign at ``path``; the caller closes its journal.

    Raises PBCGError if it is no file of a Pegasus Bridge campaign.
    """
    journal = Journal.open(path, __version__)
    if journal.meta("game") != PegasusBridge.name:
        game = journal.meta("game")
        journal.close()
        raise PBCGError(f"{path} holds another game ({game}), no Pegasus Bridge campaign.")
    return _session(journal)


def _session(journal: Journal) -> Session[Campaign]:
    try:
        session = Session(PegasusBridge(), journal)
    except BaseException:
        journal.close()
        raise
    if session.unfit:
        from asl_pbcg.cli.main import complain

        complain(session.why_unfit)
    return session
