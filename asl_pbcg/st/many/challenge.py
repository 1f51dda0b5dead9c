"""The challenge of a date: everyone gets the same set-up and dice; a score card to paste."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import UMPIRE, visible
from asl_pbcg.st.area_terms import BRITISH
from asl_pbcg.st.numbers import numbers
from asl_pbcg.st.rules.game_state import Result, State
from asl_pbcg.st.rules.scoring import victory_chart

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


def score_card(session: Session[State], day: date, result: Result | None) -> str:
    """Return the score card of a challenge: what was played, what earned VP, how it ended.

    ``result`` is what the map earns now, None before anybody has landed. Raises PBCGError if
    ``session`` is not the game of that day.
    """
    game = challenge_of(day)
    settings = dict(session.journal.meta("settings"))
    if (session.journal.meta("seed"), settings) != (game.seed, game.settings):
        raise PBCGError(f"This file does not hold the game of {day.isoformat()}.")
    return _card(session, f"{day.isoformat()}  {game.title}", result)


def game_card(session: Session[State], result: Result | None) -> str:
    """Return the score card of any game; that of a challenge says its date."""
    if day := session.journal.meta("challenge"):
        return score_card(session, read_date(day), result)
    return _card(session, title_of(session), result)


def title_of(session: Session[State]) -> str:
    """Return the kind of game that is played, as far as that is settled."""
    state = session.state
    settled = {"mode": state.settings.mode, "difficulty": state.difficulty}
    chosen = {name: value for name, value in settled.items() if value}
    return game_title({**session.journal.meta("settings"), **chosen})


def _card(session: Session[State], head: str, result: Result | None) -> str:
    state = session.state
    chart = victory_chart()
    # How often the Germans have rolled in secret would tell their chit.
    viewer = UMPIRE if state.over else BRITISH
    seen = [entry for entry in session.journal.entries() if visible(entry, viewer)]
    made = {entry.seq for entry in seen if entry.kind in ("answer", "roll")}
    undone = len(made & session.journal.void())
    lines = [
        f"PEGASUS BRIDGE {head}",
        f"{result.vp if result else 0} VP  "
        + (chart.names[result.level] if state.over and result else f"turn {state.turn}, not over"),
    ]
    if result:
        gained = [f"{score.vp:+d} {score.text}" for score in result.scores if score.vp]
        lines += [f"  {words}" for words in gained]
    lines.append(
        f"{len(made) - undone} decisions and rolls, {undone} undone, "
        f"{min(state.turn, numbers().turns)} turns"
    )
    mark = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]
    return "\n".join([*lines, f"card {mark}"])
