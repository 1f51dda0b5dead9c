"""Opening a file of the area game for a command."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from asl_pbcg.kernel.session import Session
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.state.game_state import State


@contextlib.contextmanager
def opened_game(path: Path, look: bool = False) -> Iterator[Session[State]]:
    """Open the game at ``path``, with ``look`` beside its player; let it go at the end.

    Raises PBCGError if it is not a file of the area game.
    """
    with OpenGame.open(path, look, AreaGame.name) as game:
        yield game.session
