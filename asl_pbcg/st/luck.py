"""Luck: what each roll of a game came to beyond its exact odds, in SP for the British.

Nobody loses more than is there: of 5 SP lost by a leader alone one counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import fsum
from typing import Final

from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.st.captions import CAR, GUNS, SMALL_ARMS, breakable, effect_words
from asl_pbcg.st.hand_to_hand import gather, strength
from asl_pbcg.st.results import ALL_KILLED, Crash, GliderLost, Loss, WhichLost, read_fight, read_hit
from asl_pbcg.st.rules import british_order
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.state import State, Unit
from asl_pbcg.st.tables import odds, table
from asl_pbcg.st.terms import BRITISH, GERMAN_INFANTRY, Kind, other

SUPPRESSED: Final = 0.9
BREAKABLE: Final = 5.0
"""What a vehicle or weapon is worth, in SP; a PIAT's hit that need not wreck it, half of that."""
LANDING: Final = ("glider.lost", "glider.which_lost", "glider.crash", "glider.crash_losses")
_NO_LIMIT: Final = 99


@dataclass(frozen=True, slots=True)
class Luck:
    """One roll: what it came to against what it comes to on average, in SP for the British."""

    turn: int
    words: str
    gain: float
    point: int = 0
    """The point of the curve it comes after; -1 for what comes before the first."""


def value_of(
    point: str,
    result: str,
    text: str = "",
    sp: tuple[int, int] | None = None,
    most: int = _NO_LIMIT,
    suppressed: float = SUPPRESSED,
) -> float | None:
    """What a result is worth to whoever rolls, in SP; None where luck means nothing here.

    ``text`` says what is aimed at: on units on foot (H) alone does nothing. A fight is told for
    the British, with the ``sp`` of both sides. No more than ``most`` SP can be lost; suppression is
    worth ``suppressed``. Rule: ST-TAT-16, ST-FIR-21, ST-H2H-14.
    """
    if point in SMALL_ARMS and CAR in text:
        return BREAKABLE if read_hit(result).loss else 0.0
    if point in SMALL_ARMS or point == "grenade":
        hit = read_hit(result)
        return suppressed if hit.suppressed else float(min(hit.loss, most))
    if point in GUNS:
        hit = read_hit(result)
        broken = BREAKABLE if (breaks := breakable(text)) else 0.0
        if point == "piat_fire":
            return broken if hit.hard and hit.loss else broken / 2 if hit.hard else 0.0
        lost = min(hit.loss, most) if point == "tank_at_fire" else 0
        works = hit.hard or (point == "gammon" and breaks == "car" and hit.suppressed)
        return broken + lost if works else 0.0
    if point == "hand_to_hand_combat" and sp:
        lost_by = read_fight(result) or (Loss.NONE, Loss.NONE)
        british, german = map(_loss_of, sp, lost_by)
        return float(german - british)
    return None


def _loss_of(sp: int, loss: Loss) -> int:
    """The SP that ``loss`` takes from a side of ``sp``. Rule: ST-H2H-14."""
    return {Loss.NONE: 0, Loss.HALF: (sp + 1) // 2, Loss.ALL: sp}[loss]


def luck_of(
    state: State, asked: Roll, rolled: Rolled, point: int, sit: Situation | None
) -> list[Luck]:
    """What a roll came to beyond its average, for the British."""
    if asked.table is None or asked.secret:
        return []
    worth, most = _worth(asked, sit)
    value = worth(rolled.result)
    if value is None:
        return []
    mean = fsum(
        float(chance) * (worth(result) or 0.0)
        for result, chance in odds(asked.table, asked.given).items()
    )
    ours = asked.side == BRITISH or asked.id == "hand_to_hand_combat" or asked.id in LANDING
    faces = " ".join(map(str, rolled.dice))
    effect = effect_words(asked.id, asked.text, _at_most(rolled.result, asked, most), rolled.says)
    words = f"{asked.text}: rolled {faces}, {effect}"
    return [Luck(state.turn, words, (value - mean) * (1 if ours else -1), point)]


Worth = Callable[[str], float | None]


def _worth(asked: Roll, sit: Situation | None) -> tuple[Worth, int]:
    """What each result of a roll is worth, and the SP that can be lost to it at most."""
    if sit is None:
        return lambda result: value_of(asked.id, result, asked.text), _NO_LIMIT
    if asked.id in LANDING:
        return lambda result: _landing(sit, asked, result), _NO_LIMIT
    if asked.id == "hand_to_hand_combat":
        fight = gather(sit, asked.where)
        sp = (strength(sit, fight.british), strength(sit, fight.german)) if fight else None
        return lambda result: value_of(asked.id, result, asked.text, sp), _NO_LIMIT
    if asked.id not in (*SMALL_ARMS, "tank_at_fire", "grenade"):
        return lambda result: value_of(asked.id, result, asked.text), _NO_LIMIT
    there, aimed_at = _there(sit, asked)
    most = sum(unit.strength for unit in there if unit.combat)
    breaks: Callable[[str], float] | None = None
    if asked.id == "grenade":
        inside = "the bunker of" in asked.text
        guns = [w for w in sit.weapons.values() if w.kind in ("mg", "at") and w.status == "map"]
        guns = [w for w in guns if (w.area, w.inside) == (asked.where, inside)]
        most += len(guns) * sit.n.weapon_sp
        breaks = partial(_grenade_breaks, sit, {unit.kind for unit in there})
    if not any(unit.combat for unit in aimed_at) and any(u.kind == "leader" for u in aimed_at):
        most += sit.n.leaders_alone_sp
    standing = any(not unit.suppressed for unit in aimed_at)

    def worth(result: str) -> float | None:
        found = value_of(
            asked.id, result, asked.text, most=most, suppressed=SUPPRESSED if standing else 0.0
        )
        return found if breaks is None or found is None else found + breaks(result)

    return worth, most


def _grenade_breaks(sit: Situation, there: set[Kind], result: str) -> float:
    """What a grenade wrecks: the Mercedes, or a tank without infantry. ST-GRE-10, ST-GRE-11."""
    hit = read_hit(result)
    if "mercedes" in there:
        by_loss = hit.loss and sit.settings.grenade_wrecks_mercedes == "loss"
        return BREAKABLE if hit.hard or by_loss else 0.0
    return BREAKABLE if hit.hard and "tank" in there and not there & GERMAN_INFANTRY else 0.0


def _there(sit: Situation, asked: Roll) -> tuple[list[Unit], list[Unit]]:
    """Who may lose SP to an attack, and at whom it is aimed: at one of them, or at all."""
    side = other(asked.side)
    near = sit.in_area(side, asked.where)
    aimed_at = [
        u for u in near if re.search(rf"(?: on|,) {re.escape(u.name)}(?:,| in )", asked.text)
    ]
    inside = "the bunker of" in asked.text
    guns = [w for w in sit.weapons.values() if f" on {w.name} in " in asked.text]
    if aimed_at or guns:
        inside = aimed_at[0].inside if aimed_at else guns[0].inside
    there = [unit for unit in near if unit.inside == inside and not unit.dummy]
    return there, aimed_at or there


def _at_most(result: str, asked: Roll, most: int) -> str:
    """A result as it falls on so many SP: what cannot be lost is not told as lost."""
    if asked.id not in (*SMALL_ARMS, "tank_at_fire", "grenade") or CAR in asked.text:
        return result
    hit = read_hit(result)
    hard = "(H)" * hit.hard
    if hit.loss <= most:
        return result
    if most:
        return f"{most}{hard}"
    nothing = "S" if asked.id == "tank_at_fire" else "-"
    return result if asked.id == "grenade" and hard else nothing + hard


# -- landing ------------------------------------------------------------------------------


def _landing(sit: Situation, asked: Roll, result: str) -> float:
    """What a roll of the landing costs, in SP. Rule: ST-GLI-02, ST-GLI-21, ST-GLI-22."""
    if asked.id in ("glider.lost", "glider.which_lost"):
        edge = asked.text.rpartition(" ")[2]
        line = [_aboard(sit, number)[0] for number in british_order().lines[edge]]
        if asked.id == "glider.which_lost":
            return -float(line[list(WhichLost).index(WhichLost(result))])
        return -sum(line) / len(line) if result == GliderLost.ONE else 0.0
    aboard, fighting = _aboard(sit, int(asked.text.rpartition(" ")[2]))
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
    """The SP aboard a glider, and those of combat units among them."""
    load = [
        unit for unit in sit.units.values() if unit.glider == number and unit.status == "aboard"
    ]
    fighting = sum(unit.strength for unit in load if unit.combat)
    return fighting + sum(unit.kind == "leader" for unit in load) * sit.n.leader_sp, fighting
