"""The teacher: the best things to do now, with the VP and the chance of victory they lead to.

It plays imagined games (``playout.py``) after each thing that may be done, all with the same
imagined Germans and dice, and gets surer the longer one looks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from time import monotonic
from typing import Any, Final

from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.st.many.sim_report import Share, share
from asl_pbcg.st.player.automatic_game import packed_map
from asl_pbcg.st.player.playout import (
    FEW,
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
from asl_pbcg.st.player.workers import Crew, cores
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.thinking.choices import Choice, choices

BEST: Final = 3
"""So many are told."""
MEANT: Final = 8
"""With fewer imagined games of a choice no number is told of it."""
OVERTIME: Final = 4.0
"""On a busy machine the best few are played up to so many times as long, until each is MEANT."""
TOO_FEW: Final = "too few games so far for a number"
UNPLANNED: Final = "no plan asks for it; the imagined games alone speak for it"
"""Why something is told that no plan has a reason for."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A choice and what it comes to."""

    choice: Choice
    outlook: Outlook

    @property
    def is_meant(self) -> bool:
        """Tell whether enough games were played for a number to mean something."""
        return self.outlook.games >= MEANT

    @property
    def told_vp(self) -> float:
        """Return the expected VP as a player is told them."""
        return round(self.outlook.vp, 1)

    @property
    def win(self) -> Share:
        """Return the chance of victory with its 95% interval."""
        counted = self.outlook.games + FEW
        return share(round(self.outlook.win * counted), counted)


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
    return position_of(session.state, sent, decision.situation)


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
    answers: Answers = {name: choice.answers for name, choice in listed.items()}
    games = _GamesInTime(game, position, seconds, first, crew)
    few = dict(islice(answers.items(), BEST))
    games.play(few, 1)
    size = 1
    if games.is_slow(answers):
        # A busy machine: the first of the plan come to a number, and nothing else is started.
        answers, games.crew, size = few, None, 0
    else:
        games.begin_again()
    while True:
        games.play(answers, size)
        played = {name: games.played[name] for name in answers}
        ranked = ranked_advice(position.state, listed, played)
        yield [advice for _, advice in ranked[:BEST]]
        if len(listed) == 1 or games.is_enough(answers):
            return
        if games.count >= 4 and len(answers) > BEST:
            names = [name for name, _ in ranked[: max(BEST, len(ranked) * 2 // 3)]]
            answers = {name: answers[name] for name in names}
        size = min(8, max(1, size * 2))


class _GamesInTime:
    """Imagined games of a position, as many as there is time for."""

    def __init__(
        self,
        game: AreaGame,
        position: PhasePosition,
        seconds: float,
        first: int,
        crew: Crew | None,
    ) -> None:
        self._game, self._position, self.crew = game, position, crew
        self._begun = monotonic()
        self._end = self._begun + seconds
        self._last_end = self._begun + OVERTIME * seconds
        self._first = self._number = first
        self.played: Played = {}

    @property
    def is_over(self) -> bool:
        """Tell whether time is up."""
        return monotonic() >= self._end

    def is_enough(self, answers: Answers) -> bool:
        """Return whether time is up, and the choices that are still compared have a number."""
        meant = all(len(self.played[name]) >= MEANT for name in answers)
        return self.is_over and (meant or monotonic() >= self._last_end)

    def is_slow(self, answers: Answers) -> bool:
        """Return whether MEANT games of each choice would take longer than there is time."""
        now = monotonic()
        pace = (now - self._begun) / max(1, sum(map(len, self.played.values())))
        return pace * MEANT * len(answers) > self._last_end - now

    def begin_again(self) -> None:
        """Play from the first number on again, with other choices."""
        self._number = self._first

    @property
    def count(self) -> int:
        """Return how many games each choice has had."""
        return self._number - self._first

    def play(self, answers: Answers, size: int) -> None:
        """Play ``size`` games of each choice, or as many on each processor of the crew."""
        if self.crew is not None and self.count and self.crew.ready:
            self._share_out(answers, size, self.crew)
            return
        for _ in range(size):
            played = compare(self._game, self._position, answers, [self._number])
            add_games(self.played, played)
            self._number += 1
            if self.is_enough(answers):
                return

    def _share_out(self, answers: Answers, size: int, crew: Crew) -> None:
        # No more games than there is time for by what they took so far.
        pace = (monotonic() - self._begun) / self.count
        each = max(1, min(size, int((self._end - monotonic()) / pace)))
        parts = [
            range(self._number + n * each, self._number + (n + 1) * each) for n in range(crew.size)
        ]
        self._number += each * crew.size
        tasks = [ImaginedGames(0, self._position, answers, part) for part in parts]
        for played in crew.do(partial(play_task, packed_map(self._game.map)), tasks):
            add_games(self.played, played)


def ranked_advice(
    state: State, listed: Mapping[str, Choice], played: Played
) -> list[tuple[str, Advice]]:
    """Return the choices by their names with what they come to, best first."""
    advice = [(name, Advice(listed[name], outlook_of(state, vp))) for name, vp in played.items()]
    return sorted(advice, key=lambda pair: -pair[1].outlook.vp)


# -- telling ------------------------------------------------------------------------------


def places_of(advice: Sequence[Advice]) -> list[int]:
    """Return the place of each advice: equal VP as they are told share one, so do none at all."""
    told = [each.told_vp if each.is_meant else None for each in advice]
    return [told.index(value) + 1 for value in told]


def equal_words(advice: Sequence[Advice]) -> str:
    """Return which of the advice is equal by the numbers told, as a sentence; nothing if none."""
    places = places_of(advice)
    equal = [
        each.choice.order
        for each, place in zip(advice, places, strict=True)
        if each.is_meant and places.count(place) > 1
    ]
    if not equal:
        return ""
    return f"{', '.join(equal[:-1])} and {equal[-1]} are equal."


def plan_words(listed: Mapping[str, Choice]) -> list[str]:
    """Return, before any game is imagined, what is weighed, and the first of the plan if it is one.

    The choices stand in the order of the good player's plan where they have a reason.
    """
    first = next(iter(listed.values()))
    lines = [f"The plan says {first.order} ({first.words}): {first.why}."] if first.why else []
    others = ", ".join(choice.order for choice in listed.values())
    return [*lines, f"Imagined games are played of {others} ... Ctrl-C ends it."]


def so_far(advice: Sequence[Advice]) -> str:
    """Return which choice is best after the first imagined games, in few words."""
    best = advice[0]
    games = number_words(best.outlook.games, "game")
    value = f", {best.told_vp:.1f} VP" if best.is_meant else ""
    return f"{best.choice.order} is best ({games} each{value})"


def advice_words(state: State, advice: Sequence[Advice]) -> list[str]:
    """Return the advice in lines: what, the expected VP and the chance of victory, and why."""
    if not advice:
        return ["There is nothing to weigh here."]
    chart = victory_chart()
    level = chart.names["marginal"].removeprefix("British ")
    lines = []
    wide = max(len(each.choice.order) for each in advice)
    for place, each in enumerate(advice):
        outlook = each.outlook
        chance = each.win
        told = (
            f"{outlook.vp:.1f} VP (give or take {2 * outlook.error:.1f}), {chance.share:.0%} "
            f"({chance.low:.0%} to {chance.high:.0%}) for a {level} or better"
        )
        lines.append(
            f"{each.choice.order:{wide}}  {each.choice.words}: {told if each.is_meant else TOO_FEW}"
        )
        gap = each.told_vp - advice[-1].told_vp if each.is_meant else 0.0
        reason = each.choice.why or UNPLANNED
        ahead = (
            f"; {gap:.1f} VP ahead of {advice[-1].choice.order}" if not place and gap > 0 else ""
        )
        lines.append(f"{'':{wide}}  {reason}{ahead}")
    games = advice[0].outlook.games
    played = number_words(games, "imagined game")
    lines.append(
        f"{'':{wide}}  {played} each, the same dice for all. {equal_words(advice)}".rstrip()
    )
    return lines
