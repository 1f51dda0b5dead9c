"""Enter obeys where a rule says must, and changes nothing where it says may."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from campaign_generator import CampaignAnswers
from campaign_points import BEYOND, PROMPTS
from campaign_soak import Watched, begin

from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.refit.helpers.prompt_defaults import PROMPT_DEFAULTS, PromptDefault

pytestmark = pytest.mark.finding("J-30")
REGISTER = PROMPT_DEFAULTS.content
ON_PAPER = {"9.13.2", "9.13.4"}
"""Asked by a function that takes the point, so that the source has no prompt with it."""
FOLLOWED = {
    "9.601.5": "round one is over: CX and concealment go",
    "9.606.11": "the vehicle is Eliminated or left abandoned",
    "9.6053.wreck": "the crew leaves it",
    "9.6141a": "9.6141b to 9.6141d follow",
    "9.61423": "9.61424 and 9.61425 follow",
    "9.61423.result": "the vehicle becomes a Wreck",
    "9.6152.3": "the next note's reinforcements come",
    "9.6152.4": "the crews are placed by note 1",
    "9.62022": "the hexes named before are recorded",
    "pass": "the other side has had its turn",
    **dict.fromkeys(
        (f"{step}.removal" for step in ("9.6051", "9.6053", "9.6056", "9.61422", "9.61423")),
        "the vehicle goes as was chosen before",
    ),
}
"""Where the next act, before anybody is asked, is about the same pieces."""


OF_A_SIDE = ("catalogue_corrections", "answered_in_secret")
"""What a side has said of counters in secret: it is known in that side's turns alone."""


class EnterMostly:
    """Presses Enter at most questions that may be left alone, and notes what that changed."""

    def __init__(self, session: Watched, seed: int) -> None:
        self.session = session
        self.others = CampaignAnswers(seed, session)
        self.source = random.Random(f"enter/{seed}")
        self.entered: tuple[Prompt, str, Campaign, int] | None = None
        self.faults: list[str] = []
        self.tried: set[str] = set()

    def answer(self, prompt: Prompt) -> Any:
        """Enter, or a random answer."""
        row = REGISTER[prompt.id]
        if not row.allows(prompt):
            self.faults.append(f"{prompt.id}: Enter answers {prompt.default!r}: {prompt.text}")
        if prompt.default is not None:
            prompt.check(prompt.default)
        left_alone = row.says == "may" and prompt.default == row.default
        if left_alone and self.source.random() < 0.7:
            assert self.session.step
            told = len(self.session.lines())
            self.entered = prompt, self.session.step.id, self.session.now, told
            return prompt.default
        return self.others.answer(prompt)

    def look(self) -> bool:
        """Compare the campaign with what it was before Enter."""
        entered, self.entered = self.entered, None
        if entered and self.session.pending and self.session.step:
            prompt, step, before, told = entered
            if self.session.step.id == step:
                self.tried.add(prompt.id)
                more = len(self.session.lines()) > told + 1
                self.faults += changes(prompt, before, self.session.now, more)
        return False

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """Throw none of its own."""
        return self.others.dice(roll)

    def hear_refusal(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """Fail."""
        raise error


def changes(prompt: Prompt, before: Campaign, after: Campaign, more: bool) -> list[str]:
    """Say what Enter changed; with ``more`` told since, what it changed in the pieces concerned."""
    if before == after or prompt.id in FOLLOWED:
        return []
    names = [
        name
        for name in before.__struct_fields__
        if name not in OF_A_SIDE and getattr(before, name) != getattr(after, name)
    ]
    if more:
        words = " ".join([prompt.about, *(option.id for option in prompt.options)])
        named = set(re.split(r"[ /:]", words))
        old = [each for each in before.pieces if each.id in named]
        new = [each for each in after.pieces if each.id in named]
        names = [] if old == new else ["a piece it is about"]
    return [f"{prompt.id} changed {', '.join(names)}: {prompt.text}"] if names else []


@pytest.mark.parametrize("seed", [0, 6, 8])
def test_enter_is_what_the_register_says_and_a_may_changes_nothing(seed: int) -> None:
    session = begin(seed)
    answers = EnterMostly(session, seed)
    drive(session, answers, SeededDice(seed), until=answers.look)
    assert not answers.faults
    assert len(answers.tried) > 2


def test_every_question_there_is_stands_in_the_register() -> None:
    assert set(REGISTER) == PROMPTS | set(BEYOND) | ON_PAPER


def test_the_register_is_in_the_order_of_the_rules() -> None:
    numbers = [point.partition(".")[2].partition(".")[0] for point in REGISTER if point[:2] == "9."]
    steps = [number[:3] for number in numbers if number.startswith("6")]
    assert steps == sorted(steps)


TABLE_DICE = "dice at the table are never presumed"


@pytest.mark.parametrize("row", [each for each in REGISTER.values() if each.says == "fact"])
def test_dice_at_the_table_are_never_presumed(row: PromptDefault) -> None:
    assert (row.why == TABLE_DICE) <= (row.default == "")
    dice = ("result of", " dr", "NTC of", "Survival")
    assert any(word in row.asks for word in dice) <= (row.default in ("", "not kept"))
