"""What happens in a campaign, noted; and all that could: questions, rolls, ends, ways to go."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from asl_pbcg.campaign.charts import frame
from asl_pbcg.campaign.rulings import choice, rulings
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.tables import campaign_tables
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.views import Line

_PROMPTS = """
0.1 0.1.agree 0.1.turn 0.1.circled 0.1.dr 0.2 0.2.0 0.2.1 0.2.2 0.2.3 0.2.4 0.2.5 0.2.6 0.2.7
0.2.8 9.601.1 9.601.3 9.601.3a 9.601.3b 9.601.3c 9.601.3d 9.601.3e 9.601.3f 9.601.4 9.601.4a
9.601.4b 9.601.5 9.601.6 9.603.1 9.603.2 9.6041.1 9.6041.1a 9.6041.2 9.6041.2a 9.6042.1
9.6042.1a 9.6042.2 9.6042.2a 9.6042.3 9.6042.3a 9.6042.4 9.6042.5 9.6042.5a 9.6042.6 9.6043.1
9.6043.2 9.6044.1 9.605.1 9.605.1a 9.605.4 9.6051.removal 9.6051.wreck 9.6053.1 9.6053.2
9.6053.removal 9.6053.wreck 9.606.2 9.606.2m 9.606.2o 9.606.3 9.606.3a 9.606.4 9.606.5 9.606.6
9.606.6a 9.606.9 9.606.10 9.606.11 9.606.11a 9.606.13 9.606.13a 9.6071 9.6071.1 9.6071.1a 9.6071.1e
9.6071.3 9.6071.3a 9.608.2 9.608.3 9.6101.1 9.6102.2 9.6102.3 9.6102.4 9.6111.1 9.6111.2
9.6112.1 9.61222.0 9.613.1 9.613.1a 9.613.1b 9.613.1c 9.613.3 9.613.3a 9.613.3b 9.613.4b
9.613.4c 9.613.4d 9.6141a 9.6141b.nq 9.6142.nq 9.61421 9.61422 9.61422.removal 9.61423
9.61423.by 9.61423.hex 9.61423.removal 9.61423.result 9.61423.what 9.61424 9.6152.2 9.6152.3
9.6152.4 9.6153.1 9.6153.2 9.6162.1 9.617.1 9.617.2 9.6183.2 CG7 9.619.1 9.619.2 9.619.3 9.619.4
9.62022 9.620.2 pass catalogue.repair catalogue.scrounges catalogue.wreck
"""
PROMPTS = frozenset(_PROMPTS.split())
"""The decision points at which the players are asked."""
BEYOND = {
    "catalogue.crew": "Only the Loyd Carrier's crew is to be checked; it comes for Dusk, the last "
    "CG Date, and 9.614 is not reached again."
}
"""Questions of the program that no campaign can come to with the catalogue as it is, and why."""
_ROLLS = """
9.606.8 9.606.9r 9.606.12 9.6101 9.61221 9.61222 9.613.4 9.613.4a 9.613.4cs 9.6141b 9.6141d
9.6142 9.61422 9.61424 9.6162 9.6181 9.6182 9.6183
"""
ROLLS = frozenset(_ROLLS.split())
"""The rolls on the tables of the rules."""
BRIDGE_DATES: list[str] = frame().victory["bridge_dates"]
ENDS = frozenset(
    [
        "British victory: the Germans concede",
        "German victory: the British concede",
        *(f"German victory: Pegasus Bridge at {CGDate(each).title}" for each in BRIDGE_DATES),
        "German victory: the commandos at Day II",
        "German victory: the road at Dusk",
        "British victory at Dusk",
    ]
)
"""How a CG may end. Rule: 9.2 CG End, 9.51, 9.52."""


class Seen:
    """Counts of what happened in one campaign, or in many together."""

    def __init__(self) -> None:
        self.prompts: Counter[str] = Counter()
        self.rolls: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.results: Counter[str] = Counter()
        self.gone: Counter[str] = Counter()
        self.house_rules: Counter[str] = Counter()
        self.ends: Counter[str] = Counter()
        self.steps_undone: Counter[str] = Counter()

    def note(self, asked: Prompt | Roll) -> None:
        """Note what is asked."""
        if isinstance(asked, Roll):
            self.rolls[asked.id] += 1
            return
        self.prompts[asked.id] += 1
        for option in asked.options:
            if option.refused:
                self.refusals[f"{asked.id}: {option.rule or asked.rule}"] += 1

    def note_end(self, state: Campaign, lines: Iterable[Line]) -> None:
        """Note how a campaign went and ended."""
        for line in lines:
            if line.roll and line.roll.table:
                self.results[f"{line.roll.table}: {line.roll.result}"] += 1
        for gone in state.gone:
            self.gone[f"{gone.how} {gone.step}: {_plain(gone.why)}"] += 1
        for id, ruling in rulings().items():
            if ruling.is_house_rule:
                self.house_rules[f"{id}: {choice(state.house_rules, id)}"] += 1
        for end in ends_of(state):
            self.ends[f"{state.campaign} {end}"] += 1

    def add(self, other: Seen) -> None:
        """Count what ``other`` counted too."""
        for name, counter in vars(other).items():
            getattr(self, name).update(counter)

    def never(self) -> dict[str, list[str]]:
        """What could have happened and never did, by its sort."""
        results = {
            f"{name}: {result}"
            for name in campaign_tables()
            for row in campaign_tables()[name].rows
            for result in (row.results or (row.result,))
        }
        house_rules = {
            f"{id}: {each}"
            for id, ruling in rulings().items()
            if ruling.is_house_rule
            for each in ruling.choices
        }
        ended = {end.partition(" ")[2] for end in self.ends}
        return {
            "decision points": sorted(PROMPTS - self.prompts.keys()),
            "rolls": sorted(ROLLS - self.rolls.keys()),
            "results of tables": sorted(results - self.results.keys()),
            "house rules": sorted(house_rules - self.house_rules.keys()),
            "ends": sorted(ENDS - ended),
        }

    def unknown(self) -> list[str]:
        """The questions and rolls that no list above has."""
        return sorted({*self.prompts.keys() - PROMPTS - BEYOND.keys(), *self.rolls.keys() - ROLLS})


def ends_of(state: Campaign) -> list[str]:
    """The ends of 9.2 that are true of a campaign; more than one condition can be met at once."""
    words = state.ended
    if "concede" in words:
        loser = "Germans" if words.startswith("British") else "British"
        return [f"{words.partition(' ')[0]} victory: the {loser} concede"]
    if words.startswith("British"):
        return [f"British victory at {state.date.title}"]
    signs = {
        "Pegasus Bridge": "the Germans Control",
        "the commandos": "VP of non-Airborne",
        "the road": "MMC at most",
    }
    return [
        f"German victory: {name} at {state.date.title}"
        for name, sign in signs.items()
        if sign in words
    ]


def _plain(why: str) -> str:
    """A reason without the ids of pieces."""
    return re.sub(r"\b[bg]-[\w+.-]+", "...", why)
