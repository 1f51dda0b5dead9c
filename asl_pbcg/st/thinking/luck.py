"""Luck: what each roll of a game came to beyond its exact odds, in SP for the British.

Nobody loses more than is there: of 5 SP lost by a leader alone one counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import fsum
from typing import Final

from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.st.area_terms import BRITISH, GERMAN_INFANTRY, other
from asl_pbcg.st.picture.captions import GUNS, SMALL_ARMS, effect_words
from asl_pbcg.st.rules.area_results import (
    ALL_KILLED,
    NOTHING,
    Crash,
    GliderLost,
    Loss,
    WhichLost,
    read_fight,
    read_hit,
)
from asl_pbcg.st.rules.area_tables import odds, table
from asl_pbcg.st.rules.decision import TableRoll
from asl_pbcg.st.rules.game_state import State, Unit
from asl_pbcg.st.rules.p7_hand_to_hand import gather, strength
from asl_pbcg.st.rules.phase_situation import Situation

SUPPRESSED: Final = 0.9
BREAKABLE: Final = 5.0
"""The worth of a vehicle or weapon, in SP; of a PIAT's hit that need not wreck it, half."""
ATTACKS: Final = (*SMALL_ARMS, *GUNS, "grenade")
BREAKS: Final = ("tank", "mercedes", "mg", "at")
LANDING: Final = ("glider.lost", "glider.which_lost", "glider.crash", "glider.crash_losses")


@dataclass(frozen=True, slots=True)
class Luck:
    """One roll: what it came to against what it comes to on average, in SP for the British."""

    turn: int
    words: str
    gain: float
    point: int = 0
    """The point of the curve it comes after; -1 for what comes before the first."""


def worth_of(point: str, result: str, on: str = "", standing: bool = True) -> tuple[float, int]:
    """Return the worth of an attack's result: for what it breaks or suppresses, and the SP lost.

    ``on`` is the kind of what it falls on: on units on foot (H) alone does nothing. Who is not
    ``standing`` is suppressed already. Rule: ST-TAT-16, ST-FIR-21.
    """
    hit = read_hit(result)
    if point in SMALL_ARMS and on == "mercedes":
        return BREAKABLE if hit.loss else 0.0, 0
    if point in SMALL_ARMS or point == "grenade":
        return SUPPRESSED if hit.suppressed and standing else 0.0, hit.loss
    broken = BREAKABLE if on in BREAKS else 0.0
    if point == "gammon" and on == "mercedes" and hit.suppressed:
        return broken, 0
    if not hit.hard:
        return 0.0, 0
    if point == "tank_at_fire":
        return broken, hit.loss
    return broken / 2 if point == "piat_fire" and not hit.loss else broken, 0


def luck_of(
    state: State, asked: Roll, rolled: Rolled, point: int, sit: Situation | None
) -> list[Luck]:
    """Return the result of a roll beyond its average, for the British."""
    if not isinstance(asked, TableRoll) or asked.secret or sit is None:
        return []
    worth = _worth(asked, sit)
    if worth is None:
        return []
    faces = range(1, asked.spec.sides + 1)
    throws = list(product(faces, repeat=asked.spec.count))
    gain = worth(rolled.dice) - fsum(map(worth, throws)) / len(throws)
    ours = asked.side == BRITISH or asked.id == "hand_to_hand_combat" or asked.id in LANDING
    words = f"{asked.text}: rolled {' '.join(map(str, rolled.dice))}, {_effect(sit, asked, rolled)}"
    return [Luck(state.turn, words, gain if ours else -gain, point)]


Worth = Callable[[tuple[int, ...]], float]
"""The worth of a throw to its roller; of a fight and a landing, to the British."""


def _worth(asked: TableRoll, sit: Situation) -> Worth | None:
    """Return the worth of each throw in SP; None where luck means nothing."""
    if asked.id in LANDING:
        return lambda faces: _landing(sit, asked, asked.resolve(faces).result)
    if asked.id == "hand_to_hand_combat":
        return partial(_fight, sit, asked)
    return partial(_attack, sit, asked, _most(sit, asked)) if asked.id in ATTACKS else None


def _fight(sit: Situation, asked: TableRoll, faces: tuple[int, ...]) -> float:
    """Return the SP that the Germans lose in a fight beyond the British. Rule: ST-H2H-14."""
    fight = gather(sit, asked.where)
    assert fight
    british, german = read_fight(asked.resolve(faces).result) or (Loss.NONE, Loss.NONE)
    lost = _loss_of(strength(sit, fight.german), german)
    return float(lost - _loss_of(strength(sit, fight.british), british))


def _loss_of(sp: int, loss: Loss) -> int:
    """Return the SP that ``loss`` takes from a side of ``sp``. Rule: ST-H2H-14."""
    return {Loss.NONE: 0, Loss.HALF: (sp + 1) // 2, Loss.ALL: sp}[loss]


# -- attacks ------------------------------------------------------------------------------


def _attack(sit: Situation, asked: TableRoll, most: int, faces: tuple[int, ...]) -> float:
    """Return the worth of an attack; its targets lose at most ``most`` SP together."""
    broken, lost = 0.0, 0
    for on, result in _results(asked, faces):
        standing = any(not sit.units[id].suppressed for id in on if id in sit.units)
        worth, sp = worth_of(asked.id, result, _kind(sit, on[0]), standing)
        broken += worth
        lost += sp
        if asked.id == "grenade":
            broken += _grenade_breaks(sit, asked, result)
    return broken + min(lost, most)


def _results(asked: TableRoll, faces: tuple[int, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the results of a throw: on its target, then by an MG on the others. ST-MGF-05."""
    assert asked.table
    yield asked.on, asked.resolve(faces).result
    for on, given in asked.beside:
        yield on, asked.table.resolve(faces, given).result


def results_of(asked: TableRoll, faces: tuple[int, ...]) -> list[str]:
    """Return all that a throw comes to, in the table's words."""
    return [result for _, result in _results(asked, faces)]


def _kind(sit: Situation, id: str) -> str:
    """Return the kind of a unit or weapon."""
    return sit.weapons[id].kind if id in sit.weapons else sit.units[id].kind


def _there(sit: Situation, asked: TableRoll) -> list[Unit]:
    """Return the units that may lose SP to an attack: all in the place that it falls on."""
    first = asked.on[0]
    inside = sit.weapons[first].inside if first in sit.weapons else sit.units[first].inside
    near = sit.in_area(other(asked.side), asked.where)
    return [unit for unit in near if unit.inside == inside and not unit.dummy]


def _most(sit: Situation, asked: TableRoll) -> int:
    """Return the SP that an attack can cost at most. Rule: ST-FIR-18, ST-GRE-08, ST-LDR-01."""
    most = sum(unit.strength for unit in _there(sit, asked) if unit.combat)
    if asked.id == "grenade":
        most += sum(id in sit.weapons for id in asked.on) * sit.n.weapon_sp
    aimed_at = [sit.units[id] for id in asked.on if id in sit.units]
    if not any(unit.combat for unit in aimed_at) and any(u.kind == "leader" for u in aimed_at):
        most += sit.n.leaders_alone_sp
    return most


def _grenade_breaks(sit: Situation, asked: TableRoll, result: str) -> float:
    """Return the worth of what a grenade wrecks: the car, or a lone tank. ST-GRE-10, ST-GRE-11."""
    hit = read_hit(result)
    there = {unit.kind for unit in _there(sit, asked)}
    if "mercedes" in there:
        by_loss = hit.loss and sit.settings.grenade_wrecks_mercedes == "loss"
        return BREAKABLE if hit.hard or by_loss else 0.0
    return BREAKABLE if hit.hard and "tank" in there and not there & GERMAN_INFANTRY else 0.0


def _effect(sit: Situation, asked: TableRoll, rolled: Rolled) -> str:
    """Return the effect of a roll in words: on its target, and by an MG on the others."""
    if asked.id not in (*SMALL_ARMS, "tank_at_fire", "grenade"):
        return effect_words(asked.id, asked.text, rolled.result, rolled.says)
    most = _most(sit, asked)
    (on, result), *beside = _results(asked, rolled.dice)
    if asked.id == "grenade":
        car = any(unit.kind == "mercedes" for unit in _there(sit, asked))
        words = effect_words(
            asked.id, asked.text, result if car else _at_most(result, asked.id, most)
        )
    else:
        counted = result if _kind(sit, on[0]) == "mercedes" else _at_most(result, asked.id, most)
        words = effect_words(asked.id, asked.text, counted)
    hit = [
        f"{names} {effect_words(asked.id, names, result)}"
        for names, result in ((", ".join(map(sit.name_of, on)), result) for on, result in beside)
        if result != NOTHING
    ]
    return f"{words}; by the MG {', '.join(hit)}" if hit else words


def _at_most(result: str, point: str, most: int) -> str:
    """Return a result as it falls on so many SP: what cannot be lost is not told as lost."""
    hit = read_hit(result)
    if hit.loss <= most:
        return result
    nothing = "S" if point == "tank_at_fire" else NOTHING
    return f"{most or nothing}{'(H)' * hit.hard}"


# -- landing ------------------------------------------------------------------------------


def _landing(sit: Situation, asked: TableRoll, result: str) -> float:
    """Return the SP that a roll of the landing costs. Rule: ST-GLI-02, ST-GLI-21, ST-GLI-22."""
    if asked.id in ("glider.lost", "glider.which_lost"):
        line = [_aboard(sit, int(number))[0] for number in asked.on]
        if asked.id == "glider.which_lost":
            return -float(line[list(WhichLost).index(WhichLost(result))])
        return -sum(line) / len(line) if result == GliderLost.ONE else 0.0
    aboard, fighting = _aboard(sit, int(asked.on[0]))
    if asked.id == "glider.crash_losses":
        return -float(aboard if result == ALL_KILLED else min(int(result), fighting))
    if result != Crash.CRASHED:
        return 0.0
    losses = odds(table("glider.crash_losses"))
    return -fsum(
        float(chance) * (aboard if sp == ALL_KILLED else min(int(sp), fighting))
        for sp, chance in losses.items()
    )


def _aboard(sit: Situation, number: int) -> tuple[int, int]:
    """Return the SP aboard a glider, and those of combat units among them."""
    load = [
        unit for unit in sit.units.values() if unit.glider == number and unit.status == "aboard"
    ]
    fighting = sum(unit.strength for unit in load if unit.combat)
    return fighting + sum(unit.kind == "leader" for unit in load) * sit.n.leader_sp, fighting
