"""What happens in a campaign, noted; and all that could: questions, rolls, ends, ways to go."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from asl_pbcg.campaign.module.campaign_tables import campaign_tables
from asl_pbcg.campaign.module.house_rules import campaign_rulings
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.refit import sequence

_FURTHER = """
9.601.4a 9.6041.2a 9.6042.5a 9.606.13a 9.6041.1a 9.6042.3a
9.6056.removal 9.6056.removal.by
9.606.3 9.606.4 9.613.3 9.613.3b 9.6051.removal 9.6051.wreck 9.6053.removal 9.6053.wreck
9.61422.removal 9.61423.removal 9.6071 9.6141a 9.6141b.nq 9.6142.nq
9.61423 9.61423.by 9.61423.hex 9.61423.result 9.61423.what
catalogue.repair catalogue.scrounges catalogue.underscored catalogue.wreck pass
"""
"""Decision points that are put together as the program runs."""
ROLLS_FURTHER = ("9.61221", "9.61222", "9.6141b", "9.6141d")


def _written(room: str) -> tuple[set[str], set[str]]:
    """The decision points and the rolls that stand in the source of a room in so many words."""
    prompts: set[str] = set()
    rolls: set[str] = set()
    for file in sorted(Path(room).rglob("*.py")):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = getattr(call.func, "id", "")
            given = {each.arg: each.value for each in call.keywords} | dict(enumerate(call.args))
            match given.get("id" if name == "Roll" else ASKING.get(name, "")):
                case ast.Constant(value=str(point)) if POINT.fullmatch(point):
                    (rolls if name == "Roll" else prompts).add(point)
    return prompts, rolls


POINT = re.compile(r"(0|9)\.[\d.]+[a-z]*(\.\w+)?|CG7")
ASKING: dict[str, int | str] = {
    "Prompt": "id",
    "without_guard": "point",
    **dict.fromkeys(("yes_no", "choose_way", "choose_unit"), 1),
    **dict.fromkeys(("guard_lost", "inherent_crew_survives"), 2),
    **dict.fromkeys(("any_way", "reduce", "scrounge", "settle_way", "task_check", "wreck"), 3),
}
"""What asks at a decision point, and in which argument it is given."""
_PROMPTS, _ROLLS = _written(str(Path(sequence.__file__).parent))
PROMPTS = frozenset(_PROMPTS) | frozenset(_FURTHER.split())
"""The decision points at which the players are asked."""
BEYOND = {
    "catalogue.crew": "Only the Loyd Carrier's crew is to be checked; it comes for Dusk, the last "
    "CG Date, and 9.614 is not reached again."
}
"""Questions of the program that no campaign can come to with the catalogue as it is, and why."""
ROLLS = frozenset(_ROLLS) | frozenset(ROLLS_FURTHER)
"""The rolls on the tables of the rules."""
BRIDGE_DATES: list[str] = PEGASUS_BRIDGE.frame.victory.bridge_dates
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

    def note_end(self, state: Campaign, lines: Iterable[LogLine]) -> None:
        """Note how a campaign went and ended."""
        for line in lines:
            if line.roll and line.roll.table:
                self.results[f"{line.roll.table}: {line.roll.result}"] += 1
        for gone in state.gone:
            self.gone[f"{gone.how} {gone.step}: {_plain(gone.why)}"] += 1
        for id, ruling in campaign_rulings().items():
            if ruling.is_settable:
                self.house_rules[f"{id}: {campaign_rulings().choice(state.house_rules, id)}"] += 1
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
            for id, ruling in campaign_rulings().items()
            if ruling.is_settable
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
