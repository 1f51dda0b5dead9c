"""The teacher: the best things to do now, with the VP and the chance of victory they lead to.

It plays imagined games (``playout.py``) after each thing that may be done, all with the same
imagined Germans and dice, and gets surer the longer one looks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Final

from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.many.automatic_game import packed_map
from asl_pbcg.st.many.workers import Crew, cores
from asl_pbcg.st.rules.decision import Decision
from asl_pbcg.st.rules.game_state import State
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.thinking.choices import Choice, choices
from asl_pbcg.st.thinking.playout import (
    Answers,
    ImaginedGames,
    Outlook,
    PhasePosition,
    Played,
    add_games,
    compare,
    outlook_of,
    play_task,
    position_of,
    prepare,
)

BEST: Final = 3
"""So many are told."""
UNPLANNED: Final = "no plan asks for it; the imagined games alone speak for it"
"""Why something is told that no plan has a reason for."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A choice and what it comes to."""

    choice: Choice
    outlook: Outlook


def new_crew() -> Crew:
    """Return processes that play imagined games for the teacher, one on each core."""
    return Crew(cores(), prepare)


def position_in(session: Session[State]) -> PhasePosition | None:
    """Return the position of a game in progress; None if nothing is asked of the player."""
    decision = session.pending
    if not isinstance(decision, Decision) or session.step is None:
        return None
    sent: list[tuple[str, Any]] = []
    for entry in session.journal.standing():
        if entry.step != session.step.id:
            sent.clear()
        elif entry.kind == "roll":
            sent.append(("roll", tuple(entry.body)))
        else:
            sent.append((entry.point, entry.body))
    return position_of(session.state, sent, decision)


def advise(
    game: AreaGame,
    position: PhasePosition,
    decision: Decision,
    seconds: float,
    first: int = 0,
    listed: Mapping[str, Choice] | None = None,
    crew: Crew | None = None,
) -> Iterator[list[Advice]]:
    """Yield the best things to do, best first: at once, and better ones until time is up.

    ``listed`` are the choices of the decision, where the game may go on meanwhile. A ``crew``
    plays the imagined games as soon as it is there; which games these are is the same without.
    """
    listed = choices(decision) if listed is None else listed
    if not listed:
        return
    begun = monotonic()
    end = begun + seconds
    played: Played = {}
    answers: Answers = {name: choice.answers for name, choice in listed.items()}
    work = partial(play_task, packed_map(game.map))
    number, size = first, 1
    while True:
        if crew is not None and crew.ready and number > first:
            # No more games than there is time for by what they took so far.
            pace = (monotonic() - begun) / (number - first)
            each = max(1, min(size, int((end - monotonic()) / pace)))
            parts = [range(number + n * each, number + (n + 1) * each) for n in range(crew.size)]
            number += each * crew.size
            for more in crew.do(
                work, [ImaginedGames(0, position, answers, part) for part in parts]
            ):
                add_games(played, more)
        else:
            for _ in range(size):
                add_games(played, compare(game, position, answers, [number]))
                number += 1
                if monotonic() >= end and played[next(iter(answers))]:
                    break
        ranked = ranked_advice(position.state, listed, {name: played[name] for name in answers})
        yield [advice for _, advice in ranked[:BEST]]
        if monotonic() >= end or len(listed) == 1:
            return
        if number - first >= 4 and len(answers) > BEST:
            names = [name for name, _ in ranked[: max(BEST, len(ranked) * 2 // 3)]]
            answers = {name: answers[name] for name in names}
        size = min(8, size * 2)


def ranked_advice(
    state: State, listed: Mapping[str, Choice], played: Played
) -> list[tuple[str, Advice]]:
    """Return the choices by their names with what they come to, best first."""
    advice = [(name, Advice(listed[name], outlook_of(state, vp))) for name, vp in played.items()]
    return sorted(advice, key=lambda pair: -pair[1].outlook.vp)


# -- telling ------------------------------------------------------------------------------


def advice_words(state: State, found: Sequence[Advice]) -> list[str]:
    """Return the advice in lines: what, the expected VP and the chance of victory, and why."""
    if not found:
        return ["There is nothing to weigh here."]
    chart = victory_chart()
    level = chart.names["marginal"].removeprefix("British ")
    lines = []
    wide = max(len(each.choice.order) for each in found)
    for place, each in enumerate(found):
        outlook = each.outlook
        lines.append(
            f"{each.choice.order:{wide}}  {each.choice.words}: {outlook.vp:.1f} VP (give or take "
            f"{2 * outlook.error:.1f}), {outlook.win:.0%} for a {level} or better"
        )
        gap = outlook.vp - found[-1].outlook.vp
        reason = each.choice.why or UNPLANNED
        ahead = f"; {gap:.1f} VP ahead of {found[-1].choice.order}" if not place and gap > 0 else ""
        lines.append(f"{'':{wide}}  {reason}{ahead}")
    games = found[0].outlook.games
    played = number_words(games, "imagined game")
    lines.append(f"{'':{wide}}  {played} each, the same dice for all.")
    return lines
