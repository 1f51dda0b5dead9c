"""The film of an area game, for front ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asl_pbcg.kernel.entries import faces_of
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.area_game import rules_of

if TYPE_CHECKING:
    from asl_pbcg.kernel.session import Session
    from asl_pbcg.st.film import Frame
    from asl_pbcg.st.state import State


def frames(session: Session[State]) -> list[Frame]:
    """The frames of the game so far, as the player saw it. Raises PBCGError if there are none."""
    from asl_pbcg.st.film import frames_of
    from asl_pbcg.st.follow import follow

    game = rules_of(session)
    given = [
        faces_of(each.body) if each.kind == "roll" else each.body
        for each in session.journal.standing()
    ]
    begun = game.begin(session.journal.meta("settings"))
    found = frames_of(game.map, follow(game, begun, given))
    if not found:
        raise PBCGError(f"Nothing is on the map in {session.journal.path} yet.")
    return found


def film_of(session: Session[State]) -> str:
    """The film as a page that stands alone. Raises PBCGError if nothing is on the map yet."""
    from asl_pbcg.st.film import html

    return html(rules_of(session).map, frames(session))
