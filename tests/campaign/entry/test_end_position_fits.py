"""What an end position may say in a campaign: who holds what, who is in the WW box."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from positions import data
from refit_helpers import BRITISH, GERMAN, campaign_at, piece
from sentences import Tells

from asl_pbcg.campaign.entry.end_position import settle_position
from asl_pbcg.campaign.entry.hidden_list import add_hidden
from asl_pbcg.campaign.entry.position_changes import CHANGES
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.ob_merge import take_position
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.errors import FaultsError


def state(*pieces: Any, **fields: Any) -> Campaign:
    return campaign_at("scenario", *pieces, date=CGDate.NIGHT_1, determined=False, **fields)


def settled(campaign: Campaign, **keys: Any) -> Position:
    return settle_position(campaign, data(**keys))


def unit(id: str, type: str = "6-4-8", at: str = "X18", **keys: Any) -> dict[str, Any]:
    return {"id": id, "side": "british", "type": type, "at": at, **keys}


def test_what_the_map_shows_is_not_with_a_unit_that_never_entered() -> None:
    campaign = state(
        piece("b1", BRITISH, "6-4-8", possesses="lmg"),
        piece("b2", BRITISH, "6-4-8"),
        piece("lmg", BRITISH, "LMG"),
    )
    lmg = {"id": "lmg", "side": "british", "type": "LMG", "at": "X18"}
    position = settled(campaign, units=[unit("b2", possesses=["lmg"])], equipment=[lmg])
    after = take_position(campaign, position, off_map={"b1"})
    assert after.piece("b1").possesses == ()
    assert after.piece("b2").possesses == ("lmg",)
    assert take_position(campaign, settled(campaign), off_map={"b1", "lmg"}).piece(
        "b1"
    ).possesses == ("lmg",)


def test_a_unit_replaced_and_then_lost_lies_in_the_box_as_what_it_was_then(tells: Tells) -> None:
    campaign = state(
        piece("b1", BRITISH, "6-4-8", airborne=True), piece("b2", BRITISH, "6-4-8", airborne=True)
    )
    replaced = campaign.catalogue.infantry("6-4-8", BRITISH).replaced_by
    box = [{"type": replaced, "count": 1}]
    assert settled(campaign, units=[unit("b2", type=replaced)], ww_box=box).ww_box
    with pytest.raises(FaultsError) as refused:
        settled(campaign, units=[unit("b1"), unit("b2", type=replaced)], ww_box=box)
    tells(refused, "0 Airborne")
    with pytest.raises(FaultsError) as refused:
        settled(campaign, units=[unit("b2")], ww_box=[{"type": "6-4-8", "count": 2}])
    tells(refused, "holds 2", "1 Airborne")


def test_secret_pieces_may_be_given_as_the_journal_keeps_them(tells: Tells) -> None:
    campaign = state(
        piece("b1", BRITISH, "6-4-8"), piece("b2", BRITISH, "6-4-8"), piece("g1", GERMAN, "4-6-7")
    )
    common = settled(campaign, units=[unit("b1")])
    extra = {"format": CHANGES, "units": [unit("b2", at="Y21", status=["hidden"])]}
    full = add_hidden(campaign, common, BRITISH, extra)
    kept = msgspec.to_builtins(full)
    assert add_hidden(campaign, common, BRITISH, kept) == full
    with pytest.raises(FaultsError) as refused:
        add_hidden(campaign, common, GERMAN, kept)
    tells(refused, "German")
    with pytest.raises(FaultsError):
        add_hidden(campaign, common, BRITISH, {**kept, "vehicles": 5})
