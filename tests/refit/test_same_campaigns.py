"""Automatic campaigns ask, tell, settle, print and refuse what they did when this was written.

``python tests/refit/test_same_campaigns.py --write`` writes what is compared with again: only
after a rule or a sentence was changed on purpose, with the rulebook open.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random

import pytest

if __name__ == "__main__":
    ROOT = Path(__file__).resolve().parent.parent.parent
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from campaign_crowds import Crowd
from campaign_faults_told import told as faults_told
from campaign_generator import random_settings
from campaign_told import told
from fingerprints import check, difference, write, written
from workbooks_told import told as workbooks_told

from asl_pbcg.campaign.module.house_rules import campaign_rulings

CAMPAIGNS = (499, 355, 341, 168, 29, 178)
"""Campaigns that together ask nearly everything, see test_campaign_soak.py."""
CROWDS = range(9)
"""Campaigns whose battles all come together about one place, most house rules not the default."""
FAULTS = (1, 2, 5, 8)
CHOICES = {id: list(each.choices) for id, each in campaign_rulings().items() if each.is_settable}


def house_rules(seed: int) -> dict[str, str]:
    """A choice for each house rule: all of them in turn, in another order for each."""
    return {
        id: choices[(seed + Random(id).randrange(len(choices))) % len(choices)]
        for id, choices in CHOICES.items()
    }


@pytest.mark.parametrize("seed", CAMPAIGNS)
def test_the_campaign_of_a_seed_goes_as_it_went(seed: int) -> None:
    """Every question with its options, roll with its DRM, line, changed fact and printed sheet."""
    check(f"campaign-{seed}", told(seed))


@pytest.mark.parametrize("seed", CROWDS)
def test_a_campaign_of_crowds_goes_as_it_went(seed: int) -> None:
    check(f"crowds-{seed}", told(seed, Crowd, house_rules=house_rules(seed)))


def test_every_choice_of_a_house_rule_is_among_them() -> None:
    chosen = {choice for seed in CROWDS for choice in house_rules(seed).items()}
    known = {(id, choice) for id, choices in CHOICES.items() for choice in choices}
    assert chosen == known


@pytest.mark.parametrize("seed", FAULTS)
def test_what_is_wrong_is_told_as_it_was(seed: int) -> None:
    """Damaged positions, changes, setups, corrections and boards, and orders for a draft."""
    check(f"faults-{seed}", faults_told(seed))


def test_what_is_wrong_in_a_workbook_is_told_as_it_was(tmp_path: Path) -> None:
    check("workbooks", workbooks_told(tmp_path))


@pytest.mark.finding("J-91")
def test_a_new_house_rule_leaves_the_others_as_they_were_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seeds = range(200)
    before = [random_settings(seed) for seed in seeds]
    register = dict(campaign_rulings().items())
    more = {"A-1": register["C-16"], **register, "Z-1": register["C-16"]}
    monkeypatch.setattr("campaign_generator.campaign_rulings", lambda: more)
    after = [random_settings(seed) for seed in seeds]
    new = [
        {id: drawn["house_rules"].pop(id) for id in ("A-1", "Z-1") if id in drawn["house_rules"]}
        for drawn in after
    ]
    assert after == before
    assert 40 < sum("A-1" in each for each in new) < 80
    assert 40 < sum("Z-1" in each for each in new) < 80


def test_the_first_thing_that_is_told_otherwise_is_named() -> None:
    items = [("dawn/9.606", "b-1 stays"), ("dawn/9.606", "b-2 goes"), ("dawn/9.607", "the end")]
    kept = written(items)
    assert not difference(items, kept)
    other = [items[0], ("dawn/9.606", "b-2 stays"), items[2]]
    assert difference(other, kept) == (
        "dawn/9.606, thing 2, is another:\nb-2 stays\nIt comes after:\nb-1 stays"
    )
    assert "dawn/9.608, thing 1, is another" in difference([*items, ("dawn/9.608", "more")], kept)
    assert "dawn/9.607 tells 0 things and told 1" in difference(items[:2], kept)


if __name__ == "__main__" and "--write" in sys.argv:
    for each in CAMPAIGNS:
        write(f"campaign-{each}", told(each))
    with tempfile.TemporaryDirectory() as folder:
        write("workbooks", workbooks_told(Path(folder)))
    for each in CROWDS:
        write(f"crowds-{each}", told(each, Crowd, house_rules=house_rules(each)))
    for each in FAULTS:
        write(f"faults-{each}", faults_told(each))
