"""The score cards of game files, of texts that hold pasted ones, and of all games in a folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.textfiles import read_text
from asl_pbcg.play.area_game import situation
from asl_pbcg.play.area_words import score_of
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.many.score_card import ScoreCard, game_card, read_cards
from asl_pbcg.st.rules.game_state import State

GAME_FILE = ".pbcg"


def card_text(session: Session[State], day: str = "") -> str:
    """Return the score card of a game as it stands; with ``day`` as the challenge of that date."""
    result = score_of(situation(session)) if session.state.ready else None
    return game_card(session, result, day)


def cards_of(path: Path, day: str) -> list[ScoreCard]:
    """Return the cards of a game file, a text with cards, or a folder's games of ``day``.

    Raises PBCGError where there are none.
    """
    if path.is_dir():
        cards = list(cards_in(sorted(path.glob(f"*{GAME_FILE}")), day))
        if not cards:
            raise PBCGError(f"{path} holds no game of the challenge of {day}.")
        return cards
    if path.suffix.lower() != GAME_FILE:
        return read_cards(read_text(path), str(path))
    with OpenGame.open(path, look=True, game=AreaGame.name) as game:
        return read_cards(card_text(game.session), str(path))


def cards_in(files: Iterable[Path], day: str) -> Iterator[ScoreCard]:
    """Yield the cards of those files that hold the challenge of ``day``."""
    for file in files:
        with suppress(PBCGError), OpenGame.open(file, look=True, game=AreaGame.name) as game:
            if game.session.journal.meta("challenge") == day:
                yield from read_cards(card_text(game.session), file.name)
