"""Choices at a question that are worth weighing, each as it is worded and typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, Final

from asl_pbcg.st.british.british_options import action_text, attack_text
from asl_pbcg.st.british.orders import (
    ENDS,
    action_words,
    asks_for_counters,
    attack_words,
    counter_word,
    firer_word,
    number_of,
)
from asl_pbcg.st.british.standing_orders import best_firers
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.procedures.gun_fire import Attack
from asl_pbcg.st.procedures.losses import names
from asl_pbcg.st.procedures.movement import Action, legal_actions
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.phase_situation import Situation

MAX_CHOICES: Final = 8
"""So many things are weighed at one question."""
END: Final = "e"
"""How the end of what is asked about is typed."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that may be done: the answers that do it, what it is called, why it may be good."""

    answers: tuple[Any, ...]
    words: str
    why: str
    order: str = ""
    """How it is typed, by the numbers on the counters."""


def choices(decision: Decision) -> dict[str, Choice]:
    """Return the choices that are worth weighing now, by a name."""
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
    if decision.kind == "number":
        return _numbers(decision)
    if decision.kind == "choose-some":
        return _some(decision)
    sit, counters = decision.situation, asks_for_counters(decision)
    listed: dict[str, Choice] = {}
    for number, option in enumerate(decision.options, 1):
        if not option.refused and len(listed) < MAX_CHOICES:
            order = counter_word(sit, option.id) if counters else option.id
            if option.id in ENDS:
                order = END
            elif " " in order:
                order = str(number)
            listed[option.id] = Choice((option.id,), option.text, option.consequence, order)
    return listed


def _numbers(decision: Decision) -> dict[str, Choice]:
    """Return each number, or so many evenly spread."""
    least, most = decision.least, decision.most
    steps = min(MAX_CHOICES, most - least + 1) - 1
    numbers = {least + round((most - least) * n / max(1, steps)) for n in range(steps + 1)}
    return {str(n): Choice((n,), decision.words(n), "", str(n)) for n in sorted(numbers)}


def _some(decision: Decision) -> dict[str, Choice]:
    """Return each selection of counters; where there are many, those of most counters."""
    sizes = range(decision.most or len(decision.ids), decision.least - 1, -1)
    selections = (some for size in sizes for some in combinations(decision.ids, size))
    listed = {}
    for some in islice(selections, MAX_CHOICES):
        sit = decision.situation
        order = " ".join(counter_word(sit, id) for id in some) or "none"
        words = names(sit.units[id] for id in some) if some else "nobody"
        listed[order] = Choice((list(some),), words, "", order)
    return listed


def _orders(decision: Decision) -> dict[str, Choice]:
    """Return the best action of each unit that has one, as the good player sees it, and the end."""
    sit, player = decision.situation, GoodPlayer()
    ranked: list[tuple[float, str, Choice]] = []
    for id in decision.ids:
        unit = sit.units.get(id)
        if unit is None:
            continue
        legal = legal_actions(sit, unit)
        for worth, action in player.rank(sit, unit, legal)[:1]:
            words = f"{unit.name}: {_words(sit, id, action)}"
            order = f"{number_of(sit, id)} {action_words(sit, id, legal)[action.id]}"
            choice = Choice((id, action.id), words, player.reason(sit, unit, action), order)
            ranked.append((worth, f"{id} {action.id}", choice))
    ranked.sort(key=lambda each: -each[0])
    listed = {name: choice for _, name, choice in ranked[: MAX_CHOICES - 1]}
    listed["end"] = Choice((decision.ids[-1],), "end the phase", "nothing else gains more", END)
    return listed


def _actions(decision: Decision) -> dict[str, Choice]:
    sit, player = decision.situation, GoodPlayer()
    unit = max((sit.units[id] for id in decision.pieces), key=lambda u: (u.combat, u.strength))
    legal: Sequence[Action] = decision.choices
    ranked = [action for _, action in player.rank(sit, unit, legal)]
    others = [action for action in legal if action not in ranked and action.kind != "leave"]
    typed = action_words(sit, unit.id, legal)
    listed = {
        action.id: Choice(
            (action.id,),
            _words(sit, unit.id, action),
            player.reason(sit, unit, action) if action in ranked else "",
            typed[action.id],
        )
        for action in [*ranked, *others][: MAX_CHOICES - 1]
    }
    why = "every other step costs more than it gains"
    listed["stop"] = Choice(("stop",), "stay here", why, END)
    return listed


def _words(sit: Situation, unit: str, action: Action) -> str:
    return action_text(sit, sit.units[unit], action)


def _attacks(decision: Decision) -> dict[str, Choice]:
    sit, player = decision.situation, GoodPlayer()
    legal = [choice for choice in decision.choices if isinstance(choice, Attack)]
    typed = attack_words(sit, legal)
    legal.sort(key=lambda attack: -player.attack_worth(sit, attack))
    listed = {
        attack.id: Choice(
            (attack.id,),
            attack_text(sit, attack),
            f"it costs the target {player.attack_worth(sit, attack):.1f} SP on average",
            typed[attack.id],
        )
        for attack in legal[: MAX_CHOICES - 1]
    }
    listed["end"] = Choice(
        (decision.ids[-1],), "end the phase", "firing would tell more than it hurts", END
    )
    return listed


def _firers(decision: Decision) -> dict[str, Choice]:
    target, options = decision.choices
    opportunity = decision.id == "opportunity_fire"
    best = best_firers(decision.situation, target, options, opportunity)
    listed = {}
    if best:
        names = ", ".join(decision.option(id).text for id in best)
        order = " ".join(firer_word(decision.situation, id) for id in best)
        listed["fire"] = Choice((best,), names, "these together have the best odds", order)
    if opportunity:
        listed["hold"] = Choice(([],), "hold fire", "whoever fires is seen by guns far off", "none")
    return listed
