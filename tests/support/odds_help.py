"""Odds of options as players read them."""

from __future__ import annotations

from collections.abc import Mapping

from asl_pbcg.kernel.tables import Likelihood


def odds_words(odds: Mapping[str, Likelihood]) -> dict[str, str]:
    """Return each result with its chance in words."""
    return {result: chance.words for result, chance in odds.items()}
