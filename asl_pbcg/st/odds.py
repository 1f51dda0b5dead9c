"""Exact odds of what a player considers, in words. Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from asl_pbcg.kernel.tables import percent
from asl_pbcg.st.fire import Target, Volley, fire_given, on_line
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.tables import odds

WORDS = {
    "-": "no effect",
    "S": "suppressed",
    "ENG": "engaged",
}


def in_words(chances: Mapping[str, Fraction]) -> dict[str, str]:
    """Chances as people read them, results in words."""
    return {_word(result): percent(chance) for result, chance in chances.items()}


def _word(result: str) -> str:
    if result in WORDS:
        return WORDS[result]
    return f"{result} SP" if result.isdigit() else result


def fire_chances(
    sit: Situation, volley: Volley, target: Target, opportunity: bool = False
) -> dict[str, Fraction]:
    """The exact chance of each result of ``volley`` on ``target``. Rule: ST-FIR-06."""
    firers = [sit.units[unit] for unit in volley.units]
    line = sit.rules.fire.smallarms
    given = fire_given(sit, firers, target, opportunity)
    return odds(line.table, on_line(line, volley.sp, given))


def fire_odds(
    sit: Situation, volley: Volley, target: Target, opportunity: bool = False
) -> dict[str, str]:
    """As :func:`fire_chances`, in words."""
    return in_words(fire_chances(sit, volley, target, opportunity))
