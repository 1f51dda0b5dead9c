"""Losses that the other side may not know of: one rule for end positions and corrections."""

from __future__ import annotations

from pathlib import Path

import pytest
from refit_helpers import campaign_at, piece

import asl_pbcg
from asl_pbcg.campaign.state.campaign_state import change
from asl_pbcg.campaign.state.piece_changes import remove
from asl_pbcg.campaign.state.seen import is_lost_in_secret, known_by
from asl_pbcg.campaign.terms import Side


@pytest.mark.finding("J-08")
@pytest.mark.parametrize(
    ("step", "hip", "enemy"),
    [
        ("scenario", False, True),
        ("scenario", True, True),
        ("9.606", False, True),
        ("9.606", True, False),
        ("9.612", False, True),
        ("9.613", False, False),
        ("9.6141d", False, False),
        ("9.617", False, False),
    ],
)
def test_a_loss_is_known_to_the_enemy_unless_secret(step: str, hip: bool, enemy: bool) -> None:
    squad = piece("A1", Side.GERMAN, "4-4-7", hip=hip)
    state = remove(campaign_at("9.620", squad), "A1", "eliminated", "", step)
    gone = state.gone[-1]
    assert is_lost_in_secret(state, gone) is not enemy
    both = known_by(change(state, seen=()), tuple(Side))
    assert (gone in both.gone) is enemy


@pytest.mark.finding("J-08")
def test_the_secrecy_of_losses_stands_in_one_place() -> None:
    house = Path(asl_pbcg.__file__).parent
    rule = "step.startswith(chart.step)"
    holders = [path.name for path in house.rglob("*.py") if rule in path.read_text("utf-8")]
    assert holders == ["seen.py"]
