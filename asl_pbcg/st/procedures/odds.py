"""Exact odds of what a player considers, in words. Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from asl_pbcg.kernel.tables import Likelihood, likelihood
from asl_pbcg.st.area_terms import VEHICLES, Kind
from asl_pbcg.st.procedures.fire import Target, Volley, fire_given, on_line
from asl_pbcg.st.state.area_tables import ENGAGED, NOTHING, Hit, Loss, odds, read_fight, read_hit
from asl_pbcg.st.state.phase_situation import Situation

WORDS = {
    NOTHING: "no effect",
    "S": "suppressed",
    ENGAGED: "engaged",
}


def in_words(chances: Mapping[str, Fraction]) -> dict[str, Likelihood]:
    """Return the chances as people read them, results in words."""
    return {_word(result): likelihood(chance) for result, chance in chances.items()}


def _word(result: str) -> str:
    if result in WORDS:
        return WORDS[result]
    if ":" in result:
        return fight_words(result)
    return f"{result} SP" if result.isdigit() else result


def fight_words(result: str) -> str:
    """Return a result of hand-to-hand combat in words: what either side loses. Rule: ST-H2H-14."""
    lost = {Loss.NONE: "none", Loss.HALF: "half", Loss.ALL: "all"}
    parts = read_fight(result)
    assert parts
    british, german = (lost[part] for part in parts)
    return f"British lose {british}, Germans {german}"


def fire_chances(
    sit: Situation, volley: Volley, target: Target, opportunity: bool = False
) -> dict[str, Fraction]:
    """Return the exact chance of each result of ``volley`` on ``target``. Rule: ST-FIR-06."""
    firers = [sit.units[unit] for unit in volley.units]
    line = sit.rules.fire.smallarms
    given = fire_given(sit, firers, target, opportunity)
    return odds(line.table, on_line(line, volley.sp, given))


def fire_odds(
    sit: Situation, volley: Volley, target: Target, opportunity: bool = False
) -> dict[str, Likelihood]:
    """As :func:`fire_chances`, in words; small arms ignore (H). Rule: ST-FIR-21, ST-MER-07."""
    chances = fire_chances(sit, volley, target, opportunity)
    if sit.units[target.units[0]].kind == "mercedes":
        return _merge(chances, lambda hit: "wrecked" if hit.loss else "no effect")
    return _merge(chances, partial(_effect, sit.units[target.id].kind))


def gun_odds(
    sit: Situation, target: Target, weapon: str, chances: Mapping[str, Fraction]
) -> dict[str, Likelihood]:
    """Return the chances of Tank/AT fire in words: S does nothing, (H) breaks things. ST-TAT-16."""
    kind = sit.units[target.id].kind
    hard = weapon or kind in VEHICLES

    def effect(hit: Hit) -> str:
        if hit.hard and hard:
            return "destroyed" if weapon else "wrecked"
        return _loss_words(kind, hit)

    return _merge(chances, effect)


def piat_odds(chances: Mapping[str, Fraction]) -> dict[str, Likelihood]:
    """Return the chances of a PIAT shot in words. Rule: ST-PIA-09, ST-PIA-10, ST-PIA-11."""
    return _merge(
        chances,
        lambda hit: "wrecked" if hit.hard and hit.loss else "hit" if hit.hard else "no effect",
    )


def gammon_odds(
    sit: Situation, target: str, chances: Mapping[str, Fraction]
) -> dict[str, Likelihood]:
    """Return the chances of a gammon bomb in words. Rule: ST-GAM-08, ST-GAM-09."""
    mercedes = sit.units[target].kind == "mercedes"
    return _merge(
        chances,
        lambda hit: "wrecked" if hit.hard or (mercedes and hit.suppressed) else "no effect",
    )


class GrenadeTargets(NamedTuple):
    """The sorts of Germans that a grenade falls on."""

    fighters: bool
    """Combat units, face-down counters too."""
    leaders: bool
    guns: bool
    car: bool
    tank: bool
    any_loss_wrecks_car: bool
    """As the players read the rule. AMB-102."""


def grenade_effect(hit: Hit, there: GrenadeTargets, loss: str = "{} SP") -> str:
    """Say what a grenade result does to those it falls on. Rule: ST-GRE-07 to ST-GRE-11."""
    if hit.suppressed:
        return "suppressed" if there.fighters or there.leaders else "no effect"
    parts = []
    if hit.loss and (there.fighters or there.guns):
        parts.append(loss.format(hit.loss))
    elif hit.loss and there.leaders:
        parts.append("Casualty rolls")
    if there.car and (hit.hard or (hit.loss and there.any_loss_wrecks_car)):
        parts.append("wrecks the car")
    elif hit.hard and there.tank and not (there.car or there.fighters):
        parts.append("wrecks the tank")
    return " and ".join(parts) or "no effect"


def grenade_odds(there: GrenadeTargets, chances: Mapping[str, Fraction]) -> dict[str, Likelihood]:
    """Return the chances of a grenade by what it does to those it falls on. Rule: ST-GRE-06."""
    return _merge(chances, lambda hit: grenade_effect(hit, there))


def _effect(kind: Kind, hit: Hit) -> str:
    return "suppressed" if hit.suppressed else _loss_words(kind, hit)


def _loss_words(kind: Kind, hit: Hit) -> str:
    """Return a loss in words; leaders alone roll. Rule: ST-LDR-01, ST-TAT-18."""
    if not hit.loss:
        return "no effect"
    return "Casualty rolls" if kind == "leader" else f"{hit.loss} SP"


def _merge(chances: Mapping[str, Fraction], effect: Callable[[Hit], str]) -> dict[str, Likelihood]:
    """Return the chances by what results come to; results of the same effect are one."""
    found: dict[str, Fraction] = {}
    for result, chance in chances.items():
        words = effect(read_hit(result))
        found[words] = found.get(words, Fraction(0)) + chance
    return {words: likelihood(chance) for words, chance in found.items()}
