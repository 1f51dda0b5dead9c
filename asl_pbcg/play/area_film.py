"""The film of an area game, for front ends."""

from __future__ import annotations

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.area_game import rules_of
from asl_pbcg.st.follow import follow
from asl_pbcg.st.picture.film import Frame, frames_of, html
from asl_pbcg.st.record import record_of
from asl_pbcg.st.rules.state import State


def frames(session: Session[State]) -> list[Frame]:
    """The frames of the game so far, as the player saw it. Raises PBCGError if there are none."""
    game = rules_of(session)
    found = frames_of(game.map, follow(game, record_of(session)))
    if not found:
        raise PBCGError(f"Nothing is on the map in {session.journal.path} yet.")
    return found


def film_of(session: Session[State]) -> str:
    """The film as a page that stands alone. Raises PBCGError if nothing is on the map yet."""
    return html(rules_of(session).map, frames(session))
