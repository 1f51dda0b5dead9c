"""Luck: what each roll of a game came to beyond its exact odds, in SP for the British."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.st.captions import CAR, GUNS, SMALL_ARMS, breakable, effect_words
from asl_pbcg.st.hand_to_hand import gather, strength
from asl_pbcg.st.results import Loss, read_fight, read_hit
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.state import State
from asl_pbcg.st.tables import odds
from asl_pbcg.st.terms import BRITISH

SUPPRESSED: Final = 0.9
BREAKABLE: Final = 5.0
"""What a vehicle or weapon is worth, in SP; a PIAT's hit that need not wreck it, half of that."""


@dataclass(frozen=True, slots=True)
class Luck:
    """One roll: what it came to against what it comes to on average, in SP for the British."""

    turn: int
    words: str
    gain: float
    point: int = 0
    """The point of the curve it comes after."""


def value_of(
    point: str, result: str, text: str = "", sp: tuple[int, int] | None = None
) -> float | None:
    """What a result is worth to whoever rolls, in SP; None where luck means nothing here.

    ``text`` says what is aimed at: on units on foot (H) alone does nothing. A fight is told for
    the British, with the ``sp`` of both sides. Rule: ST-TAT-16, ST-FIR-21, ST-H2H-14.
    """
    if point in SMALL_ARMS and CAR in text:
        return BREAKABLE if read_hit(result).loss else 0.0
    if point in SMALL_ARMS or point == "grenade":
        hit = read_hit(result)
        return SUPPRESSED if hit.suppressed else float(hit.loss)
    if point in GUNS:
        hit = read_hit(result)
        broken = BREAKABLE if (breaks := breakable(text)) else 0.0
        if point == "piat_fire":
            return broken if hit.hard and hit.loss else broken / 2 if hit.hard else 0.0
        lost = hit.loss if point == "tank_at_fire" else 0
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
    fight = gather(sit, asked.where) if sit and asked.id == "hand_to_hand_combat" else None
    sp = (strength(sit, fight.british), strength(sit, fight.german)) if sit and fight else None
    value = value_of(asked.id, rolled.result, asked.text, sp)
    if value is None:
        return []
    mean = sum(
        float(chance) * (value_of(asked.id, result, asked.text, sp) or 0.0)
        for result, chance in odds(asked.table, asked.given).items()
    )
    ours = asked.side == BRITISH or asked.id == "hand_to_hand_combat"
    faces = " ".join(map(str, rolled.dice))
    effect = effect_words(asked.id, asked.text, rolled.result, rolled.says)
    words = f"{asked.text}: rolled {faces}, {effect}"
    return [Luck(state.turn, words, (value - mean) * (1 if ours else -1), point)]
