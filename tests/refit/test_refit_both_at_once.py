"""9.613 to 9.620 with both sides at work at once; ``two_parts.py`` does it for many campaigns."""

from __future__ import annotations

from pathlib import Path

import pytest
from refit_helpers import BRITISH, GERMAN, campaign_at, piece
from two_parts import compare_campaign

from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.refit.sequence import CampaignGame


@pytest.mark.parametrize("seed", [1, 4])
def test_in_order_and_at_once_come_to_the_same(seed: int, tmp_path: Path) -> None:
    found = compare_campaign(seed, tmp_path, most=2)
    assert found.differences == []
    assert found.counts["sections"] == 2


def with_prisoner(at: str, guard_at: str, date: CGDate = CGDate.DAWN) -> Campaign:
    """A German prisoner of a British Guard; the British west of the canal are Isolated."""
    area = "B" if guard_at == "M12" else "C"
    guard = piece("b1", BRITISH, "6-4-8", guard_at, area=area)
    status = (UnitStatus.PRISONER,)
    held = piece("p1", GERMAN, "4-6-7", guard_at, status=status, guarded_by="b1")
    british, german = ["M12", "C9", "Y24"], ["Q12", "Y19", "Y20"]
    return campaign_at(at, guard, held, british=british, german=german, date=date)


def test_prisoners_whose_guard_may_shift_couple_the_sides() -> None:
    game = CampaignGame()
    free, isolated = (with_prisoner("9.613", at) for at in ("Y24", "M12"))
    assert not game.is_apart(free)
    assert game.is_apart(isolated)
    assert not game.is_apart(change(isolated, house_rules={"C-16": "isolated-allowed"}))
    assert game.is_apart(change(free, pieces=free.pieces[:1]))


def test_prisoners_whose_guard_is_withdrawn_couple_the_sides() -> None:
    assert not CampaignGame().is_apart(with_prisoner("9.613", "M12", CGDate.DAY_2))


def test_a_coupled_part_stays_so_up_to_its_end() -> None:
    state = change(with_prisoner("9.619", "M12"), in_turn=True)
    assert not CampaignGame().is_apart(state)
    assert CampaignGame().is_apart(change(state, in_turn=False))
