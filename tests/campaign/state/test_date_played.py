"""The CG Date just played has a name, before and after 9.612 makes a new one."""

from __future__ import annotations

import pytest
from campaign_soak import begin, play
from refit_helpers import campaign_at, piece

from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.state.campaign_state import change
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.refit.helpers.situation import withdrawn_later


@pytest.mark.finding("J-93")
@pytest.mark.rule("9.6121-a")
@pytest.mark.parametrize("seed", [3, 4])
def test_from_9_612_on_the_date_played_is_the_one_before(seed: int) -> None:
    dates = PEGASUS_BRIDGE.frame.campaigns[begin(seed).state.campaign].dates
    seen = set()
    for kept in play(begin(seed), seed, check=False).kept:
        state, (date, _, step) = kept.state, kept.step.partition("/")
        after_new_date = step >= "9.612" and state.determined is not None
        assert state.date_played.next == (state.date if after_new_date else state.date.next)
        if after_new_date:
            assert dates.index(state.date_played) + 1 == dates.index(state.date)
            seen.add(date)
    assert seen


@pytest.mark.finding("J-93")
def test_a_step_of_the_new_date_knows_the_scenario_before_it() -> None:
    commando = piece("b-648-9", Side.BRITISH, "6-4-8", "Y20", airborne=False)
    played = campaign_at("9.606", commando, date=CGDate.DAY_2)
    assert withdrawn_later(change(played, at="9.613", date=CGDate.DAY_3), commando)
    assert not withdrawn_later(campaign_at("9.606", commando, date=CGDate.DAY_3), commando)
