"""What a side may undo alone: nothing behind a secret turn of the other, asked anything or not."""

from __future__ import annotations

import pytest
from refit_helpers import campaign_at
from sentences import Tells

from asl_pbcg.campaign.state.campaign_state import change
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.session import Session
from asl_pbcg.refit.sequence import CampaignGame, side_with_turn_since

GERMAN, BRITISH = Side.GERMAN, Side.BRITISH


@pytest.mark.finding("J-03")
@pytest.mark.parametrize(
    ("now", "since", "side", "has_acted"),
    [
        ("9.614", "dawn/9.614", BRITISH, False),  # its own part: the other's is over
        ("9.614", "dawn/9.613", BRITISH, True),
        ("9.615", "dawn/9.614", BRITISH, False),  # the German went first, and 9.615 is British
        ("9.614", "dawn/9.613", GERMAN, False),  # the British went first in 9.613
        ("9.615", "dawn/9.613", GERMAN, True),
        ("9.619", "dawn/9.617", GERMAN, False),  # the German goes on into 9.619
        ("9.618", "dawn/9.616", GERMAN, False),
        ("9.616", "dawn/9.614", GERMAN, True),
        ("9.619", "dawn/9.615", BRITISH, True),
        ("scenario", "dawn/9.619", BRITISH, True),
        ("9.606", "dawn/9.604", BRITISH, False),
        ("9.606", "dawn/9.619", GERMAN, True),
        ("9.606", "night-3/9.606", GERMAN, True),
        ("9.613", "night-3/9.611", GERMAN, True),
        ("9.613", "night-3/9.611", BRITISH, False),
        ("9.606", "nowhere/9.606", GERMAN, True),
    ],
)
def test_a_secret_turn_lies_between_two_steps(
    now: str, since: str, side: Side, has_acted: bool
) -> None:
    state = change(campaign_at(now), date=CGDate.DAWN)
    if since.startswith("night"):
        state = change(state, campaign="CG1")
    assert side_with_turn_since(state, since, side) == (side.other if has_acted else "")


@pytest.mark.finding("J-03")
def test_an_undo_that_waits_says_the_same_before_and_after(tells: Tells) -> None:
    session = Session(CampaignGame(), Journal.in_memory({"settings": {"campaign": "CG2"}}))
    told = set()
    for step in ("", "dawn/9.617", "dawn/9.619", 1):
        with pytest.raises(PBCGError) as before:
            session.check_undo("british", step)
        session.answer("done")
        with pytest.raises(PBCGError) as after:
            session.check_undo("british", step)
        assert str(before.value) == str(after.value)
        told.add(str(after.value))
        session.undo()
    for words in ("nothing to undo", "asked nothing", "no longer stands"):
        tells(sorted(told), words)
