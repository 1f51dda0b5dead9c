"""Answers that need no question: they follow from standing orders or from the rules.

All of it is an aid of front ends: the scripts ask every question, the journal keeps every answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from asl_pbcg.st.area_terms import BRITISH, GERMAN
from asl_pbcg.st.orders import FIRE_POINTS, all_firers
from asl_pbcg.st.rules.area_results import read_hit
from asl_pbcg.st.rules.attacks import Attack
from asl_pbcg.st.rules.decision import Decision
from asl_pbcg.st.rules.fire import Target
from asl_pbcg.st.rules.gun_fire import Gun, suitable
from asl_pbcg.st.rules.legal import Action, mp_left
from asl_pbcg.st.rules.odds import fire_chances
from asl_pbcg.st.rules.opportunity_fire import british_volley, firing_choices
from asl_pbcg.st.rules.phase_situation import Situation

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
            attacks = [each for each in decision.choices if isinstance(each, Attack)]
            return None if any(can_matter(sit, each) for each in attacks) else decision.ids[-1]
        return None

    def _is_done(self, decision: Decision) -> bool:
        """Whether nothing is left but to take and leave things, and nobody has asked for that."""
        sit = decision.situation
        if len(decision.pieces) > 1 or decision.pieces[0] == self.chosen:
            return False
        unit = sit.units[decision.pieces[0]]
        legal = [each for each in decision.choices if isinstance(each, Action)]
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
