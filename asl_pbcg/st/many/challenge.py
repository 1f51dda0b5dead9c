"""The challenge of a date: everyone gets the same set-up and dice."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.foreign_text import read_line
from asl_pbcg.kernel.session import Session
from asl_pbcg.st.rules.game_state import State

WEEK: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("the historical game", {"mode": "historical"}),
    ("a variable game, easy", {"mode": "variable", "difficulty": "easy"}),
    ("the historical game, resolute Germans", {"mode": "historical", "german": "resolute"}),
    ("a variable game, medium", {"mode": "variable", "difficulty": "medium"}),
    ("full history, resolute Germans", {"mode": "full_history", "german": "resolute"}),
    ("a variable game, hard", {"mode": "variable", "difficulty": "hard"}),
    (
        "a variable game, hard, resolute Germans",
        {"mode": "variable", "difficulty": "hard", "german": "resolute"},
    ),
)
"""The game of each day of the week, Monday first."""


MAX_NAME: Final = 40
"""Letters of a player's name."""


class Challenge(NamedTuple):
    """The game of a date."""

    title: str
    settings: dict[str, Any]
    seed: int


def read_date(word: str) -> date:
    """Return the date in ``word``, or today. Raises PBCGError for anything else."""
    if word.lower() == "today":
        return datetime.now().astimezone().date()
    try:
        return date.fromisoformat(word)
    except ValueError:
        raise PBCGError(f'"{word}" is not a date: write it as 2026-11-22, or today.') from None


def challenge_of(day: date) -> Challenge:
    """Return the game of ``day``: its set-up by the day of the week, its dice by the date."""
    title, settings = WEEK[day.weekday()]
    mark = hashlib.sha256(f"pbcg st challenge {day.isoformat()}".encode()).digest()
    return Challenge(title, dict(settings), int.from_bytes(mark[:4], "big") % 10**9)


def challenge_meta(day: date) -> dict[str, Any]:
    """Return the data that the file of the game of ``day`` begins with."""
    game = challenge_of(day)
    return {
        "settings": game.settings, "dice": "seeded", "seed": game.seed,
        "challenge": day.isoformat(),
    }  # fmt: skip


def player_name(name: str) -> str:
    """Return a player's name as a file keeps it. Raises PBCGError for more than a line of words."""
    return read_line(" ".join(name.split()), "A name", MAX_NAME)


def game_title(settings: Mapping[str, Any]) -> str:
    """Return the kind of game these settings make, in the words of the challenges."""
    mode = settings.get("mode") or "variable"
    words = _MODES[mode]
    if mode == "variable" and settings.get("difficulty"):
        words += f", {settings['difficulty']}"
    return words + (", resolute Germans" if settings.get("german") == "resolute" else "")


_MODES: Final = {
    "historical": "the historical game",
    "full_history": "full history",
    "variable": "a variable game",
}


def title_of(session: Session[State]) -> str:
    """Return the kind of game that is played, as far as that is settled."""
    state = session.state
    settled = {"mode": state.settings.mode, "difficulty": state.difficulty}
    chosen = {name: value for name, value in settled.items() if value}
    return game_title({**session.journal.meta("settings"), **chosen})
