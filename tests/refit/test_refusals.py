"""No refusal tells a secret: the same requests, put to twins that differ in what one side hides.

``PBCG_REFUSALS=all`` asks at every moment, of two CG Dates and more seeds, all requests (a soak of
hours); else a sample is asked before the first scenario, where the step or the side asked changes.
"""

from __future__ import annotations

import os

import pytest
from refusal_walk import RefusalTwins, walk

from asl_pbcg.campaign.terms import Side

ALL = os.environ.get("PBCG_REFUSALS") == "all"
SEEDS = {Side.GERMAN: (6, 4) if ALL else (6,), Side.BRITISH: (2, 8) if ALL else (2,)}
EVERY, MANY = (1, 10**6) if ALL else (1000, 12)
CORRECTIONS, DATES = (200, 2) if ALL else (12, 1)


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> list[RefusalTwins]:
    folder = tmp_path_factory.mktemp("twins")
    return [
        walk(folder / f"{side}-{seed}", seed, side, EVERY, MANY, CORRECTIONS, DATES)
        for side, seeds in SEEDS.items()
        for seed in seeds
    ]


@pytest.mark.finding("J-02")
@pytest.mark.finding("J-03")
def test_no_refusal_differs_between_twins(walked: list[RefusalTwins]) -> None:
    told = [difference for twins in walked for difference in twins.differences]
    pairs = sum(twins.pairs["refused"] for twins in walked)
    print(f"{pairs} pairs of refusals compared, {len(told)} differ")
    assert not told, "\n".join(told[:20])
    assert pairs > 2000
    steps = {step for twins in walked for step in twins.steps}
    assert steps >= {"9.617", "9.618", "9.619", "9.620"}
