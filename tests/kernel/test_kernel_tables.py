"""Roll tables: how likely each total is."""

from __future__ import annotations

import icepool
import pytest

from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.tables import throw_counts


@pytest.mark.parametrize("spec", ["1d6", "2d6", "1d10", "2d4", "3d6", "5d8"])
def test_throws_are_counted_as_icepool_counts_them(spec: str) -> None:
    dice = DiceSpec.parse(spec)
    counts, outcomes = throw_counts(dice)
    expected = dice.count @ icepool.d(dice.sides)
    assert list(counts.items()) == list(expected.items())
    assert outcomes == expected.denominator() == sum(counts.values())
