"""Standing orders, orders typed ahead, and answers that follow from them or from the rules.

All of it is an aid of front ends: the scripts ask every question, the journal keeps every answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import takewhile
from typing import Any, Literal

from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.st.area_terms import BRITISH, GERMAN
from asl_pbcg.st.british.orders import (
    ACTION_POINTS,
    FIRE_POINTS,
    UNIT_POINTS,
    all_firers,
    names_firer,
    read_order,
    unit_numbered,
)
from asl_pbcg.st.procedures.fire import Target
from asl_pbcg.st.procedures.german_guns import british_volley, firing_choices
from asl_pbcg.st.procedures.gun_fire import Attack, Gun, suitable
from asl_pbcg.st.procedures.movement import Action, mp_left
from asl_pbcg.st.procedures.odds import fire_chances
from asl_pbcg.st.state.area_tables import read_hit
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.phase_situation import Situation

FireMode = Literal["auto", "ask"]
GO_ON = "go-on"
_CARRYING = frozenset({"take", "leave"})


@dataclass(slots=True)
class StandingOrders:
    """The player's orders that hold until changed."""

    fire: FireMode = "auto"
    """auto: Opportunity Fire with all if it can matter and costs nothing else; ask: always ask."""
    wishes: list[str] = field(default_factory=list)
    """Splits and joins for the beginning of the next British Movement Phase, as answers."""
    chosen: str = ""
    """The unit that the player has just named: it is asked about whatever it has left."""

    def answer(self, decision: Decision) -> Any:
        """Return the answer that needs no question, or None."""
        if decision.id == "break_down":
            wish = next((wish for wish in self.wishes if wish in decision.ids), "")
            if wish:
                self.wishes.remove(wish)
            return wish or GO_ON
        if decision.id == "action":
            return "stop" if self._is_done(decision) else None
        if decision.id == "opportunity_fire" and self.fire == "auto":
            return self._opportunity_fire(decision)
        if decision.id in FIRE_POINTS:
            sit = decision.situation
            attacks = [choice for choice in decision.choices if isinstance(choice, Attack)]
            return None if any(can_matter(sit, attack) for attack in attacks) else decision.ids[-1]
        return None

    def _is_done(self, decision: Decision) -> bool:
        """Whether nothing is left but to take and leave things, and nobody has asked for that."""
        sit = decision.situation
        if len(decision.pieces) > 1 or decision.pieces[0] == self.chosen:
            return False
        unit = sit.units[decision.pieces[0]]
        legal = [choice for choice in decision.choices if isinstance(choice, Action)]
        return mp_left(sit, unit) <= 0 and all(each.kind in _CARRYING for each in legal)

    def _opportunity_fire(self, decision: Decision) -> list[str] | None:
        """All who can fire; nobody if it cannot matter; None if there is something to weigh."""
        sit = decision.situation
        target, choices = decision.choices
        unit = sit.units[target.id]
        answers = best_firers(sit, target, choices, opportunity=True)
        if not answers:
            return []
        if prices(sit, answers, target, opportunity=True):
            return None
        unaware = unit.force and not sit.triggered and not sit.is_occupied(BRITISH, unit.area)
        return None if unaware else answers


# -- what fire can do ---------------------------------------------------------------------


def small_arms_chance(
    sit: Situation, answers: Sequence[str], choices: Any, target: Target, opportunity: bool = False
) -> Fraction:
    """Return the chance that small arms do anything at all to the target."""
    volley = british_volley(sit, answers, choices)
    if volley.sp <= 0:
        return Fraction(0)
    car = sit.units[target.id].kind == "mercedes"
    total = Fraction(0)
    for result, chance in fire_chances(sit, volley, target, opportunity).items():
        hit = read_hit(result)
        if hit.loss or (hit.suppressed and not car):
            total += chance
    return total


def best_firers(
    sit: Situation, target: Target, choices: Any, opportunity: bool = False
) -> list[str]:
    """All who can fire, or only those in the target's area if that is better; nobody if nil."""
    everybody = all_firers(choices)
    near = {a: c for a, c in choices.items() if sit.units[c[0]].area == target.area}
    ways = [everybody, all_firers(near)]
    chances = [
        small_arms_chance(sit, answers, choices, target, opportunity) if answers else Fraction(0)
        for answers in ways
    ]
    best = max(range(2), key=lambda at: (chances[at], -at))
    return ways[best] if chances[best] else []


def can_matter(sit: Situation, attack: Attack) -> bool:
    """Tell whether an attack of the British Fire Phase can have any effect."""
    if attack.kind != "small-arms":
        return True
    choices = firing_choices(sit, [sit.units[unit] for unit in attack.firers])
    return bool(best_firers(sit, attack.target, choices))


# -- hidden prices ------------------------------------------------------------------------


def prices(
    sit: Situation, answers: Sequence[str], target: Target, opportunity: bool = False
) -> list[str]:
    """Return what else it costs that these fire, in sentences; empty if nothing."""
    units = list(dict.fromkeys(answer.rpartition("+")[2] for answer in answers))
    sentences = []
    for position in sit.positions.values():
        if position.builder in units:
            name = sit.units[position.builder].name
            sentences.append(f"{name} gives up the prepared position it is building (ST-PRE-04).")
    if not opportunity:
        sentences += [words for words, _ in gun_prices(sit, units)]
    if sit.units[target.id].force and not sit.triggered:
        sentences.append("The column has noticed nothing yet: this wakes all of it (ST-TNK-07).")
    return sentences


def gun_prices(sit: Situation, units: Sequence[str]) -> list[tuple[str, str]]:
    """Guns nobody could fire any more after ``units`` have fired rifles, with whom to spare."""
    gun_words = []
    for weapon in sit.weapons.values():
        if weapon.kind not in ("at", "piat") or weapon.status != "map" or weapon.id in sit.shots:
            continue
        if sit.owner(weapon) != BRITISH or not _has_target(sit, weapon.id):
            continue
        crew = [
            unit.id
            for unit in sit.at(BRITISH, weapon.place)
            if unit.combat and not unit.suppressed and unit.id not in sit.shots
        ]
        if crew and all(unit in units for unit in crew):
            spare = min(crew, key=lambda id: (sit.units[id].strength, id))
            rifles = " (its crew may fire rifles after it, at -3 SP)" if weapon.kind == "at" else ""
            gun_words.append(
                (f"Nobody is left to fire {weapon.name}: fire it first{rifles}.", spare)
            )
    return gun_words


def _has_target(sit: Situation, weapon: str) -> bool:
    gun_weapon = sit.weapons[weapon]
    if gun_weapon.kind == "piat":
        return any(
            unit.kind == "tank"
            for near in sit.geo.near[gun_weapon.area]
            for unit in sit.at(GERMAN, near)
        )
    gun = Gun(gun_weapon.id, gun_weapon.area, "")
    return any(suitable(sit, gun, unit) for unit in sit.on_map(GERMAN))


def spared_firers(sit: Situation, target: Target, choices: Any) -> tuple[list[str], list[str]]:
    """Return the firers of the Fire Phase where none is named, and why some are spared.

    The best firers, without a unit that a gun with a target still needs.
    """
    answers = best_firers(sit, target, choices) or all_firers(choices)
    said = []
    for words, spare in gun_prices(sit, [answer.rpartition("+")[2] for answer in answers]):
        rest = [answer for answer in answers if answer.rpartition("+")[2] != spare]
        if rest:
            answers = rest
            said.append(f"{sit.units[spare].name} is spared. {words}")
    return answers, said


_GOING = ("move ", "arrow ", "enter-bunker", "leave-bunker")
_OWN_DOING = frozenset({"ST-GEN-08", "ST-POW-06", "ST-PRE-03", "ST-BRN-05", "ST-BRK-01"})
"""The rules of notes that say no more than the player ordered.

Things are taken, left or handed over, a position is begun, units enter, a platoon splits.
"""


class TypedOrders:
    """Orders typed ahead of their questions; ``said`` holds messages to the player."""

    def __init__(self) -> None:
        self.standing = StandingOrders()
        self.said: list[str] = []
        self._queue: list[str] = []
        self._group: list[str] = []
        """The units of a stack that were named one by one."""
        self._before: dict[str, object] = {}
        self._ask_once = False

    @property
    def waiting(self) -> bool:
        """Tell whether words wait for their questions."""
        return bool(self._queue)

    def forget(self) -> None:
        """Drop the words that wait."""
        self._queue, self._group, self.standing.chosen = [], [], ""

    def ask_next(self) -> None:
        """The next question is asked whatever the standing orders say: something was undone."""
        self.forget()
        self._ask_once = True

    # -- without a question ---------------------------------------------------------------

    def answer(self, prompt: Prompt, news: bool) -> Any:
        """The answer that need not be typed any more, or None. ``news``: something has happened."""
        if not isinstance(prompt, Decision):
            return None
        if self._ask_once:
            self._ask_once = False
            return None
        if self._queue:
            return self._next_queued(prompt, news)
        if prompt.id == "firers":
            return self._spare(prompt)
        return self.standing.answer(prompt)

    def _spare(self, prompt: Decision) -> list[str]:
        """Return all who are of use fire, but for those whom a gun still needs."""
        target, choices = prompt.choices
        answers, said = spared_firers(prompt.situation, target, choices)
        self.said += said
        return answers

    def _next_queued(self, prompt: Decision, news: bool) -> Any:
        """Return the next of the words that were typed ahead."""
        if prompt.id == "stack":
            group, self._group = self._group, []
            return group or list(prompt.ids)
        if prompt.id in ("firers", "firer"):
            return self._named_firers(prompt)
        if prompt.id not in UNIT_POINTS | ACTION_POINTS | FIRE_POINTS:
            return self.standing.answer(prompt)
        line = " ".join(self._queue)
        try:
            order = read_order(prompt, line)
        except PBCGError as error:
            self.forget()
            self.said.append(str(error))
            return None
        assert order
        answer = str(order.answer)
        if self._hurt(prompt.situation) or (news and answer.startswith(_GOING)):
            self.forget()
            self.said.append(f'Something has happened, so "{line}" waits for you to look first.')
            return None
        self._queue = list(order.rest)
        self._group = list(order.group)
        if prompt.id in UNIT_POINTS:
            self._watch(prompt.situation, order.group or (answer,))
        return order.answer

    def _named_firers(self, prompt: Decision) -> Any:
        """Return who fires by the words after the target, or who is of use if none is named."""
        named = list(takewhile(names_firer, self._queue))
        if not named:
            return self._spare(prompt) if prompt.id == "firers" else None
        self._queue = self._queue[len(named) :]
        try:
            return self.take(prompt, " ".join(named))
        except PBCGError as error:
            self.forget()
            self.said.append(str(error))
            return None

    def _watch(self, sit: Situation, units: Sequence[str]) -> None:
        """Remember how the units are that an order is for."""
        self._before = {unit: _condition(sit, unit) for unit in units if unit in sit.units}

    def _hurt(self, sit: Situation) -> bool:
        """Whether one of the units that the order is for is worse off than when it was given."""
        return any(_condition(sit, unit) != before for unit, before in self._before.items())

    # -- what is typed --------------------------------------------------------------------

    def take(self, prompt: Decision, typed: str) -> Any:
        """Return what was typed as an answer; words for later questions wait.

        A question in the midst of an order leaves the words that wait already.
        Raises IllegalAnswer with a sentence for what is not an order here.
        """
        try:
            order = read_order(prompt, typed)
        except IllegalAnswer:
            raise
        except PBCGError as error:
            raise IllegalAnswer(str(error)) from error
        if order is None:
            return typed
        interjected = prompt.id not in UNIT_POINTS | ACTION_POINTS | FIRE_POINTS
        self._queue = [*order.rest, *self._queue] if interjected else list(order.rest)
        self._group = list(order.group)
        self.standing.chosen = ""
        if prompt.id in UNIT_POINTS:
            self._watch(prompt.situation, order.group or (str(order.answer),))
            if not self._queue:
                self.standing.chosen = str(order.answer)
        elif prompt.id not in FIRE_POINTS:
            self._watch(prompt.situation, prompt.pieces)
        return order.answer

    def wish(self, sit: Situation, kind: str, word: str) -> str:
        """A platoon is to split, or its squads to join: the answer it takes. ST-BRK-01, ST-BRK-03.

        Raises PBCGError for what can neither split nor join.
        """
        unit = unit_numbered(sit, word)
        platoon = sit.rules.platoon_of.get(unit, unit)
        if platoon not in sit.rules.squads:
            raise PBCGError(f"Number {word or '?'} is not a platoon of two squads.")
        wish = f"{kind} {platoon}"
        if wish not in self.standing.wishes:
            self.standing.wishes.append(wish)
        return wish


def worth_a_look(lines: Iterable[LogLine]) -> bool:
    """Tell whether what happened should be seen before a unit walks on.

    Opportunity Fire and looking out that changed nothing is not, nor is a weapon that was taken
    or a remark of a player; a counter turned up is.
    """
    idle = ("opportunity_fire_combat", "spotting.infantry", "spotting.tank")
    return any(
        line.kind in ("roll", "note")
        and line.point not in idle
        and not (line.kind == "note" and line.rule in _OWN_DOING)
        for line in lines
    )


def _condition(sit: Situation, unit: str) -> object:
    ordered = sit.units[unit]
    return (ordered.status, ordered.lost, ordered.suppressed, ordered.wounded)
