"""The teacher: the best things to do now, with the VP and the chance of victory they lead to.

It plays imagined games (``playout.py``) after each thing that may be done, all with the same
imagined Germans and dice, and gets surer the longer one looks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from asl_pbcg.st.actions import Action, actions
from asl_pbcg.st.attacks import Attack
from asl_pbcg.st.decision import Decision
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.playout import Outlook, Position, Tally, compare, position_of
from asl_pbcg.st.policy import GoodPlayer
from asl_pbcg.st.policy_style import STEADY, Style
from asl_pbcg.st.scoring import victory_chart
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.standing_orders import best_firers

if TYPE_CHECKING:
    from asl_pbcg.kernel.session import Session
    from asl_pbcg.st.state import State

MOST: Final = 8
"""So many things are weighed at one question."""
BEST: Final = 3
"""So many are told."""
UNPLANNED: Final = "no plan asks for it; the imagined games alone speak for it"
"""Why something is told that no plan has a reason for."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that may be done: the answers that do it, what it is called, why it may be good."""

    answers: tuple[Any, ...]
    words: str
    why: str


@dataclass(frozen=True, slots=True)
class Advice:
    """A choice and what it comes to."""

    choice: Choice
    outlook: Outlook


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
) -> Iterator[list[Advice]]:
    """The best things to do, best first; a first answer at once, better ones until time is up.

    ``found`` are the choices of the decision, for who thinks while the game may go on.
    """
    found = choices(decision) if found is None else found
    if not found:
        return
    end = monotonic() + seconds
    tallies = {name: Tally(position.state) for name in found}
    left: dict[str, tuple[Sequence[Any], Style]] = {
        name: (choice.answers, STEADY) for name, choice in found.items()
    }
    number, size = first, 1
    while True:
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


# -- what is weighed ----------------------------------------------------------------------


def choices(decision: Decision) -> dict[str, Choice]:
    """What may be done now and is worth weighing, by a name."""
    if not decision.situation.state.ready:
        return {}
    if decision.id in ("act", "declare"):
        return _orders(decision)
    if decision.id in ("action", "declare_action"):
        return _actions(decision)
    if decision.id in ("fire", "declare_fire"):
        return _attacks(decision)
    if decision.id in ("opportunity_fire", "firers"):
        return _firers(decision)
    return {
        option.id: Choice((option.id,), option.text, option.consequence)
        for option in decision.legal[:MOST]
        if decision.kind == "choose"
    }


def _orders(decision: Decision) -> dict[str, Choice]:
    """The best action of each unit that has one, as the good player sees it, and the end."""
    sit, player = decision.situation, GoodPlayer()
    found: list[tuple[float, str, Choice]] = []
    for id in decision.ids:
        unit = sit.units.get(id)
        if unit is None:
            continue
        for worth, action in player.rank(sit, unit, actions(sit, unit))[:1]:
            words = f"{unit.name}: {_words(sit, id, action)}"
            choice = Choice((id, action.id), words, player.reason(sit, unit, action))
            found.append((worth, f"{id} {action.id}", choice))
    found.sort(key=lambda each: -each[0])
    listed = {name: choice for _, name, choice in found[: MOST - 1]}
    listed["end"] = Choice((decision.ids[-1],), "end the phase", "nothing else gains more")
    return listed


def _actions(decision: Decision) -> dict[str, Choice]:
    sit, player = decision.situation, GoodPlayer()
    unit = max((sit.units[id] for id in decision.subject), key=lambda u: (u.combat, u.strength))
    legal: Sequence[Action] = decision.choices
    ranked = [action for _, action in player.rank(sit, unit, legal)]
    others = [action for action in legal if action not in ranked and action.kind != "leave"]
    listed = {
        action.id: Choice(
            (action.id,),
            _words(sit, unit.id, action),
            player.reason(sit, unit, action) if action in ranked else "",
        )
        for action in [*ranked, *others][: MOST - 1]
    }
    listed["stop"] = Choice(("stop",), "stay here", "every other step costs more than it gains")
    return listed


def _words(sit: Situation, unit: str, action: Action) -> str:
    from asl_pbcg.st.british_options import action_text

    return action_text(sit, sit.units[unit], action)


def _attacks(decision: Decision) -> dict[str, Choice]:
    from asl_pbcg.st.british_fire_options import attack_text

    sit, player = decision.situation, GoodPlayer()
    legal = [each for each in decision.choices if isinstance(each, Attack)]
    legal.sort(key=lambda attack: -player.attack_worth(sit, attack))
    listed = {
        attack.id: Choice(
            (attack.id,),
            attack_text(sit, attack),
            f"it costs the target {player.attack_worth(sit, attack):.1f} SP on average",
        )
        for attack in legal[: MOST - 1]
    }
    listed["end"] = Choice(
        (decision.ids[-1],), "end the phase", "firing would tell more than it hurts"
    )
    return listed


def _firers(decision: Decision) -> dict[str, Choice]:
    target, options = decision.choices
    opportunity = decision.id == "opportunity_fire"
    best = best_firers(decision.situation, target, options, opportunity)
    listed = {}
    if best:
        names = ", ".join(decision.option(id).text for id in best)
        listed["fire"] = Choice((best,), names, "these together have the best odds")
    if opportunity:
        listed["hold"] = Choice(([],), "hold fire", "whoever fires is seen by guns far off")
    return listed


# -- telling ------------------------------------------------------------------------------


def advice_words(state: State, found: Sequence[Advice]) -> list[str]:
    """The advice in lines: what, the expected VP and the chance of victory, and why."""
    if not found:
        return ["There is nothing to weigh here."]
    chart = victory_chart()
    level = chart.names["marginal"].removeprefix("British ")
    lines = []
    for place, each in enumerate(found, 1):
        outlook = each.outlook
        lines.append(
            f"{place}  {each.choice.words}: {outlook.vp:.1f} VP (give or take "
            f"{2 * outlook.error:.1f}), {outlook.win:.0%} for a {level} or better"
        )
        gap = outlook.vp - found[-1].outlook.vp
        reason = each.choice.why or UNPLANNED
        ahead = f"; {gap:.1f} VP ahead of number {len(found)}" if place == 1 and gap > 0 else ""
        lines.append(f"   {reason}{ahead}")
    lines.append(f"   {found[0].outlook.games} imagined games each, the same dice for all.")
    return lines
