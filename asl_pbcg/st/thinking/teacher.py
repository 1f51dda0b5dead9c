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
from asl_pbcg.st.many.packed import packed_map
from asl_pbcg.st.many.workers import Crew, cores
from asl_pbcg.st.player.policy_style import STEADY, Style
from asl_pbcg.st.rules.decision import Decision
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.rules.state import State
from asl_pbcg.st.thinking.choices import Choice, choices
from asl_pbcg.st.thinking.imagined import Task, play_task, prepare
from asl_pbcg.st.thinking.playout import Outlook, Position, Tally, compare, position_of

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
    """Who plays imagined games for the teacher: a process on each core."""
    return Crew(cores(), prepare)


def position_in(session: Session[State]) -> Position | None:
    """The position of a game in progress; None if nothing is asked of the player."""
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
    position: Position,
    decision: Decision,
    seconds: float,
    first: int = 0,
    found: Mapping[str, Choice] | None = None,
    crew: Crew | None = None,
) -> Iterator[list[Advice]]:
    """The best things to do, best first; a first answer at once, better ones until time is up.

    ``found`` are the choices of the decision, for who thinks while the game may go on. A ``crew``
    plays the imagined games as soon as it is there; which games these are is the same without.
    """
    found = choices(decision) if found is None else found
    if not found:
        return
    begun = monotonic()
    end = begun + seconds
    tallies = {name: Tally(position.state) for name in found}
    left: dict[str, tuple[Sequence[Any], Style]] = {
        name: (choice.answers, STEADY) for name, choice in found.items()
    }
    work = partial(play_task, packed_map(game.map))
    number, size = first, 1
    while True:
        if crew is not None and crew.ready and number > first:
            # Nobody is to be late: no more games than there is time for by what they took so far.
            pace = (monotonic() - begun) / (number - first)
            each = max(1, min(size, int((end - monotonic()) / pace)))
            answers = {name: given for name, (given, _) in left.items()}
            parts = [range(number + n * each, number + (n + 1) * each) for n in range(crew.size)]
            number += each * crew.size
            for played in crew.do(work, [Task(0, position, answers, part) for part in parts]):
                for name, vp in played.items():
                    tallies[name].vp.update(vp)
        else:
            for _ in range(size):
                compare(game, position, left, tallies, [number])
                number += 1
                if monotonic() >= end and tallies[next(iter(left))].vp:
                    break
        ranked = sorted(left, key=lambda name: -tallies[name].outlook().vp)
        yield [Advice(found[name], tallies[name].outlook()) for name in ranked[:BEST]]
        if monotonic() >= end or len(found) == 1:
            return
        if number - first >= 4 and len(left) > BEST:
            left = {name: left[name] for name in ranked[: max(BEST, len(ranked) * 2 // 3)]}
        size = min(8, size * 2)


def weigh(
    game: AreaGame, position: Position, decision: Decision, first: int, more: int, number: int = 0
) -> list[Advice]:
    """As :func:`advise`, by numbers of imagined games and not by time: the same on any machine.

    Everything gets ``first`` games from ``number`` on, the best three ``more``.
    """
    found = choices(decision)
    tallies = {name: Tally(position.state) for name in found}
    left: dict[str, tuple[Sequence[Any], Style]] = {
        name: (choice.answers, STEADY) for name, choice in found.items()
    }
    compare(game, position, left, tallies, range(number, number + first))
    ranked = sorted(left, key=lambda name: -tallies[name].outlook().vp)
    left = {name: left[name] for name in ranked[:BEST]}
    compare(game, position, left, tallies, range(number + first, number + first + more))
    ranked = sorted(left, key=lambda name: -tallies[name].outlook().vp)
    return [Advice(found[name], tallies[name].outlook()) for name in ranked]


# -- telling ------------------------------------------------------------------------------


def advice_words(state: State, found: Sequence[Advice]) -> list[str]:
    """The advice in lines: what, the expected VP and the chance of victory, and why."""
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
