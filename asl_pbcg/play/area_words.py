"""Words of front ends about an area game: phases, VP, what is to come."""

from __future__ import annotations

from typing import Any

from asl_pbcg.kernel.session import Session
from asl_pbcg.play.area_game import seen_state, situation
from asl_pbcg.st.area_terms import BRITISH, PHASES
from asl_pbcg.st.many.challenge import title_of
from asl_pbcg.st.many.score_card import game_card
from asl_pbcg.st.numbers import numbers
from asl_pbcg.st.rules.game_state import Result, State
from asl_pbcg.st.rules.phase_situation import Situation
from asl_pbcg.st.rules.rules import british_order, german_order
from asl_pbcg.st.rules.scoring import score_now, victory_chart


def score_of(sit: Situation) -> Result:
    """Return the VP and the level if the game ended now."""
    return sit.state.result or score_now(sit.rules, sit.close())


def step_title(step: str) -> str:
    """Return a step of the game, as ``3.4`` or ``setup``, in words."""
    turn, _, phase = step.partition(".")
    if not phase.isdigit():
        return {"setup": "Set-up", "score": "Victory"}.get(step, step)
    return f"Turn {turn}, {PHASES[int(phase) - 1].title}"


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
    seen = seen_state(session)
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
                "text": each.text,
                "count": each.count,
                "each": each.vp // each.count if each.count else chart.points[each.item].value,
                "vp": each.vp,
                "rule": each.rule,
            }
            for each in result.scores
        ],
        "away": out_of_play(seen),
    }
    if state.over:
        standing["card"] = game_card(session, result)
    else:
        standing["coming"] = coming(seen)
    return standing
