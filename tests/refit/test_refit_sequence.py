"""9.6 the sequence: what does not apply is skipped; what a Shift changes."""

from __future__ import annotations

from typing import Any

import pytest
from refit_helpers import GERMAN, campaign_at, piece, run_step
from shift_help import campaign, shifted, unit

from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.prompts import Roll


@pytest.mark.rule("9.6-b")
@pytest.mark.parametrize(
    "step", ["9.601", "9.604", "9.606", "9.607", "9.608", "9.609", "9.610", "9.611", "9.614"]
)
def test_a_step_with_nothing_to_apply_asks_nothing_and_says_so(step: str) -> None:
    state = campaign_at(
        step, piece("g1", GERMAN, "4-6-7", "M12", area="A"), german=["M12"], date=CGDate.DAWN
    )
    _, lines = run_step(state, PEGASUS_BRIDGE.procedure(step))
    assert lines.asked == []
    assert lines


@pytest.mark.rule("9.2-ae", "9.2-an")
def test_a_successful_shift_changes_the_area_a_unit_is_retained_in() -> None:
    state = campaign(unit("b1", "A"), unit("b2", "A"))
    asked: list[Any] = []
    after, _ = shifted(state, [("A", ["b1"], "B")], dice=[(1, 2)], asked=asked)
    assert after.piece("b1").area == "B"
    assert after.piece("b2").area == "A"
    assert any(isinstance(each, Roll) and each.secret for each in asked)
