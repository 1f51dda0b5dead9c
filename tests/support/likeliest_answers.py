"""Whoever takes the likeliest answer to every question about a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from asl_pbcg.kernel.answers import likeliest
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt, Roll


class LikeliestAnswers:
    """Takes the likeliest answer to every question but those given, and keeps what was asked."""

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        self.given = given or {}
        self.taken: list[str] = []

    def answer(self, prompt: Prompt) -> Any:
        """Return the likeliest answer."""
        answer = self.given.get(prompt.id, likeliest(prompt))
        self.taken.append(f"{prompt.text} Taken: {prompt.words(answer)}.")
        return answer

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """Throw no dice."""
        return None

    def hear_refusal(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """Fail: the likeliest answer is legal."""
        raise AssertionError(f"default of {prompt.id} refused: {error}") from error
