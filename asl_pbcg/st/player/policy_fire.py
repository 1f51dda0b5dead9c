"""Who of the British fires together when the automatic player fires."""

from __future__ import annotations

from asl_pbcg.st.player.policy_worth import fire_worth
from asl_pbcg.st.rules.fire import Target
from asl_pbcg.st.rules.opportunity_fire import british_volley
from asl_pbcg.st.rules.situation import Situation


def best_firers(sit: Situation, target: Target, choices: dict[str, tuple[str, str]]) -> list[str]:
    """Everybody, with every MG served; or only those in the target's area if that is better."""
    chosen = _with_mgs(sit, choices)
    here = {
        answer: pair for answer, pair in choices.items() if sit.units[pair[0]].area == target.area
    }
    if not chosen or not here or len(here) == len(choices):
        return chosen
    alone = _with_mgs(sit, here)
    full = fire_worth(sit, british_volley(sit, chosen, choices), target)
    return alone if fire_worth(sit, british_volley(sit, alone, choices), target) > full else chosen


def _with_mgs(sit: Situation, choices: dict[str, tuple[str, str]]) -> list[str]:
    answers = [answer for answer, (_, mg) in choices.items() if not mg]
    served: set[str] = set()
    crews: set[str] = set()
    for answer, (unit, mg) in choices.items():
        if mg and mg not in served and unit not in crews:
            answers.append(answer)
            served.add(mg)
            crews.add(unit)
    return answers
