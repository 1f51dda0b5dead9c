"""Every question of both sides that random campaigns ask, each as a game file that waits at it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from campaign_generator import CampaignAnswers, random_settings

from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.play.campaign_game.campaign_plug import create_campaign

SIDES = ("british", "german")


class BothQuestion(NamedTuple):
    """A game file in which both are asked something, a legal answer and another, if there is."""

    file: Path
    value: Any
    other: Any


class Collecting(CampaignAnswers):
    """Answers for a whole campaign; keeps a copy of its file at each new question of both."""

    def keep_in(self, folder: Path, file: Path, kept: dict[str, BothQuestion]) -> None:
        self.folder, self.file, self.kept = folder, file, kept

    def answer(self, prompt: Prompt) -> Any:
        value = super().answer(prompt)
        if not prompt.side and prompt.id not in self.kept:
            copy = self.folder / f"{prompt.id}.pbcg"
            shutil.copyfile(self.file, copy)
            self.kept[prompt.id] = BothQuestion(copy, value, another(prompt, value))
        return value


def another(prompt: Prompt, value: Any) -> Any:
    """Return a legal answer that says something else; None where the kind alone finds none."""
    if prompt.id == "0.2":
        return {**value, "units": value["units"][1:]}
    if prompt.kind == "choose":
        return next(each.id for each in prompt.legal if each.id != value)
    if prompt.kind == "number":
        return prompt.least if value != prompt.least else prompt.most
    if prompt.id == "0.1.dr":
        return "7 5 3" if value != "7 5 3" else "7 5 2"
    return None


def both_questions(folder: Path, seeds: Iterable[int]) -> dict[str, BothQuestion]:
    """Play campaigns in ``folder`` and return each question of both that they ask."""
    kept: dict[str, BothQuestion] = {}
    for seed in seeds:
        file = folder / f"campaign-{seed}.pbcg"
        meta = {"settings": random_settings(seed), "dice": "seeded", "seed": seed}
        with create_campaign(file, meta) as game:
            answers = Collecting(seed, game.session)
            answers.keep_in(folder, file, kept)
            drive(game.session, answers, game.dice)
    return kept
