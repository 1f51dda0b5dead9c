"""Words of front ends about an area game: phases, VP, reinforcements to come, and score cards.

Score cards are collected from game files, from texts that hold pasted cards, and from all games in
a folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.textfiles import read_text
from asl_pbcg.play.area_play.area_game import seen_state, situation
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.st.area_terms import BRITISH, numbers
from asl_pbcg.st.many.score_card import ScoreCard, game_card, read_cards, title_of
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.scoring import score_now, victory_chart
from asl_pbcg.st.state.game_rules import british_order, german_order
from asl_pbcg.st.state.game_state import Result, State
from asl_pbcg.st.state.phase_situation import Situation


def score_of(sit: Situation) -> Result:
    """Return the VP and the level if the game ended now."""
    return sit.state.result or score_now(sit.rules, sit.close())


def score_words(state: State, result: Result) -> str:
    """Return the VP in a line, with what the next level needs."""
    words = f"{result.vp} VP: {victory_chart().names[result.level]}"
    higher = _next_level(state, result)
    return f"{words} ({higher})" if higher else words


def short_score(state: State, result: Result) -> str:
    """Return the VP and what the next level needs, for the head of a question."""
    higher = _next_level(state, result)
    return f"{result.vp} VP ({higher})" if higher else score_words(state, result)


def _next_level(state: State, result: Result) -> str:
    """The next level and the VP it needs; empty if there is none, or before the difficulty."""
    chart = victory_chart()
    higher = chart.levels[chart.levels.index(result.level) + 1 :]
    if not higher or not state.difficulty:
        return ""
    return f"{chart.names[higher[0]]} at {chart.least[state.difficulty][higher[0]]}"


def coming(state: State) -> list[str]:
    """Return what both sides know is to come: reinforcements, the Demo Bridge box."""
    sentences = []
    n = numbers()
    if state.demo_marker != "none":
        sentences.append("A marker lies face down in the Demo Bridge box.")
    if state.german_force:
        turns = german_order().entry_turns[state.settings.german_entry_turns]
        turn = state.german_turn or turns[state.german_force]
        sentences.append(f"German reinforcements: force {state.german_force}, from turn {turn}.")
    elif state.turn <= n.german_roll_turn:
        sentences.append(f"German reinforcements are rolled for on turn {n.german_roll_turn}.")
    entry = british_order().reinforcements.entry
    if state.british_force:
        if any(unit.status == "waiting" for unit in state.units if unit.side == BRITISH):
            sentences.append(
                f"British reinforcements: force {state.british_force}, "
                f"at {entry} on turn {state.british_turn}."
            )
    elif state.turn <= n.british_roll_turn:
        sentences.append(f"British reinforcements are rolled for on turn {n.british_roll_turn}.")
    return sentences


def out_of_play(state: State) -> list[str]:
    """Return the British that are dead or whose glider was lost."""
    words = {"dead": "killed", "absent": "not here"}
    return [
        f"{unit.name} ({words[unit.status]})"
        for unit in state.units
        if unit.side == BRITISH and unit.status in words and (unit.status == "dead" or unit.sp)
    ]


def standing_in_short(session: Session[State]) -> dict[str, Any]:
    """Return the VP now, and in words what they earn and what the next level needs."""
    if not session.state.ready:
        return {"vp": None, "stands": ""}
    result = score_of(situation(session))
    return {"vp": result.vp, "stands": score_words(session.state, result)}


def standing_of(session: Session[State]) -> dict[str, Any]:
    """How a game stands, as plain data: VP line by line, what the levels need, what is to come.

    ``card`` is the score card, once the game is over. Nothing hidden is in it.
    """
    state = session.state
    visible_state = seen_state(session)
    standing: dict[str, Any] = {
        "title": title_of(session),
        "challenge": session.journal.meta("challenge") or "",
        "over": state.over,
        "turn": min(state.turn, numbers().turns),
        "scores": [],
        "coming": [],
        "away": [],
        "card": "",
    }
    if not state.ready:
        return standing
    chart, sit = victory_chart(), situation(session)
    result = score_of(sit)
    least = chart.least[state.difficulty or "easy"]
    standing |= {
        "vp": result.vp,
        "level": chart.names[result.level],
        "needed": [{"level": chart.names[name], "vp": vp} for name, vp in least.items()],
        "scores": [
            {
                "text": score.text,
                "count": score.count,
                "each": score.vp // score.count if score.count else chart.points[score.item].value,
                "vp": score.vp,
                "rule": score.rule,
            }
            for score in result.scores
        ],
        "away": out_of_play(visible_state),
    }
    if state.over:
        standing["card"] = game_card(session, result)
    else:
        standing["coming"] = coming(visible_state)
    return standing


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
