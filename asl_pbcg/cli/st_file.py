"""Opening a file of the area game: its journal, its map, its dice."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from asl_pbcg import __version__
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.session import Session
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.map_data import to_data
from asl_pbcg.st.state import State

if TYPE_CHECKING:
    from asl_pbcg.st.map import AreaMap
    from asl_pbcg.st.situation import Situation


def create_game(path: Path, meta: dict[str, Any], area_map: AreaMap) -> Session[State]:
    """Make a new file of the area game at ``path`` and begin it; the caller closes its journal.

    The map goes into the file, so that the game stays playable whatever becomes of the map.
    """
    game = AreaGame(area_map)
    game.begin(meta["settings"])  # what is wrong with the settings is told before a file is made
    journal = Journal.create(
        path, {"game": AreaGame.name, "map": to_data(area_map), **meta}, __version__
    )
    return _session(game, journal)


@contextlib.contextmanager
def opened_game(path: Path) -> Iterator[Session[State]]:
    """Open the game at ``path`` and let its file go at the end, whatever happened.

    Raises PBCGError if it is no file of the area game.
    """
    journal = Journal.open(path, __version__)
    try:
        if journal.meta("game") != AreaGame.name:
            raise PBCGError(f"{path} holds another game ({journal.meta('game')}), no area game.")
        from asl_pbcg.st.map_read import read_map

        game = AreaGame(read_map(journal.meta("map"), f"the map in {path}"))
        yield _session(game, journal)
    finally:
        journal.close()


def _session(game: AreaGame, journal: Journal) -> Session[State]:
    try:
        return Session(game, journal)
    except BaseException:
        journal.close()
        raise


def area_game(session: Session[State]) -> AreaGame:
    """The game that ``session`` plays, with its map and rules."""
    assert isinstance(session.game, AreaGame)
    return session.game


def situation(session: Session[State]) -> Situation:
    """The situation now: in the middle of a phase that of the prompt that waits."""
    from asl_pbcg.st.decision import Decision
    from asl_pbcg.st.situation import Situation

    if isinstance(session.pending, Decision):
        return session.pending.situation
    return Situation(area_game(session).rules(session.state.settings), session.state)


def seen_state(session: Session[State]) -> State:
    """The state now as the British player may see it, mid-phase too."""
    from asl_pbcg.st.terms import BRITISH
    from asl_pbcg.st.view import seen_in

    return seen_in(situation(session), BRITISH)


def take_back(session: Session[State], reason: str = "") -> str:
    """Take back the player's last decision or typed dice; says what.

    What the program rolled since then is taken back with it, for a ``reason`` that stays in
    the log. Raises PBCGError if there is nothing, or a reason is needed.
    """
    from asl_pbcg.kernel.prompts import Prompt

    typed = session.journal.meta("dice") == "manual"
    standing = session.journal.standing()
    count = 0
    for entry in reversed(standing):
        count += 1
        if entry.kind == "answer" or (typed and entry.kind == "roll" and not entry.secret):
            break
    else:
        raise PBCGError("There is nothing to take back.")
    rolls = sum(entry.kind == "roll" for entry in standing[-count:])
    if rolls and not reason:
        dice = "dice were" if rolls > 1 else "a die was"
        raise PBCGError(
            f"Since then {dice} thrown: that can be taken back only with a reason, "
            "which stays in the log."
        )
    for _ in range(count):
        entry = session.undo(reason)
    asked = session.pending
    if isinstance(asked, Prompt) and entry.kind == "answer":
        return f"{asked.text} {asked.words(entry.body)}"
    return f"the dice for {asked.text}" if asked else entry.point
