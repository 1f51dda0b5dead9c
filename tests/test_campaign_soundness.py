"""A correction must leave a campaign that can go on; what was wrong before is not its fault."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from refit_helpers import BRITISH, campaign_at, piece

from asl_pbcg.campaign.recorded import Bought
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import FaultsError
from asl_pbcg.refit.places import setup_places
from asl_pbcg.refit.sequence import CampaignGame


def test_what_was_wrong_before_a_correction_is_left_alone() -> None:
    game = CampaignGame()
    good = campaign_at("9.606")
    wrong = replace(good, cpp=-1)
    with pytest.raises(FaultsError) as refused:
        game.check_correction(good, wrong)
    assert [fault.where for fault in refused.value.faults] == ["cpp"]
    game.check_correction(wrong, wrong)
    worse = replace(wrong, fpp=dict.fromkeys(Side, -2.0))
    with pytest.raises(FaultsError) as refused:
        game.check_correction(wrong, worse)
    assert {fault.where for fault in refused.value.faults} == {f"fpp/{side}" for side in Side}


@pytest.mark.parametrize(
    ("whose", "what", "sound"),
    [("b1", "lmg", True), ("b1", "b2", False), ("b1", "b1", False), ("b1", "nobody", False)],
)
def test_only_weapons_are_possessed(whose: str, what: str, sound: bool) -> None:
    game = CampaignGame()
    good = campaign_at(
        "9.606",
        piece("b1", BRITISH, "6-4-8", "X18"),
        piece("b2", BRITISH, "6-4-8", "X18"),
        piece("lmg", BRITISH, "LMG", "X18"),
    )
    pieces = [
        replace(each, possesses=(what,)) if each.id == whose else each for each in good.pieces
    ]
    after = replace(good, pieces=tuple(pieces))
    if sound:
        game.check_correction(good, after)
        return
    with pytest.raises(FaultsError) as refused:
        game.check_correction(good, after)
    assert [fault.where for fault in refused.value.faults] == [f"pieces/{whose}/possesses"]


@pytest.mark.parametrize(("kind", "sound"), [("Foxhole", True), ("Castle", False)])
def test_only_what_fpp_buy_has_been_bought(kind: str, sound: bool) -> None:
    game = CampaignGame()
    good = campaign_at("9.620")
    known = list(good.charts.fortifications.kinds)
    what = next((each for each in known if kind.lower() in each.lower()), kind)
    bought = Bought(key="1", side=Side.GERMAN, kind=what, date=CGDate.DAWN, cost=1.0)
    after = replace(good, bought=(bought,))
    if sound:
        assert what in known
        game.check_correction(good, after)
        return
    with pytest.raises(FaultsError) as refused:
        game.check_correction(good, after)
    assert [fault.where for fault in refused.value.faults] == ["bought/0/kind"]


@pytest.mark.parametrize(
    ("campaign", "side", "areas"),
    [("CG1", "GERMAN", "ABC"), ("CG1", "BRITISH", ""), ("CG2", "BRITISH", "ABCD")],
)
def test_before_setup_a_side_has_the_areas_of_its_ob(campaign: str, side: str, areas: str) -> None:
    state = campaign_at("9.617", campaign=campaign, determined=False)
    assert "".join(place.id for place in setup_places(state, Side[side])) == areas


@pytest.mark.parametrize(
    ("id", "facts", "field"),
    [
        ("b1", {"aboard": "b2"}, ""),
        ("b1", {"aboard": "b1"}, "aboard"),
        ("b1", {"aboard": "nobody"}, "aboard"),
        ("b1", {"guarded_by": "g1", "status": ("prisoner",)}, ""),
        ("b1", {"guarded_by": "b2", "status": ("prisoner",)}, "guarded_by"),
        ("b1", {"guarded_by": "nobody", "status": ("prisoner",)}, "guarded_by"),
        ("b1", {"guarded_by": "g1"}, "guarded_by"),
        ("b1", {"status": ("prisoner",)}, ""),
        ("b1", {"status": ("immobile",)}, "status"),
        ("b1", {"area": "Z"}, "area"),
        ("b1", {"area": "A"}, ""),
        ("b1", {"at": "QQ99"}, "at"),
        ("b1", {"possesses": ("glmg",)}, "possesses"),
        ("b1", {"possesses": ("lmg",)}, ""),
        ("b1", {"kind": "crew"}, "kind"),
        ("b1", {"type": "6-4-9"}, "type"),
        ("glider", {"area": "Z"}, ""),
    ],
)
def test_what_a_correction_may_make_of_a_piece(id: str, facts: dict[str, Any], field: str) -> None:
    """A glider or Fortification keeps the area of its Initial OB, whatever the Setup Areas are."""
    game = CampaignGame()
    good = campaign_at(
        "9.606",
        piece("b1", BRITISH, "6-4-8", "X18"),
        piece("b2", BRITISH, "6-4-8", "X18"),
        piece("g1", Side.GERMAN, "4-4-7", "X18"),
        piece("lmg", BRITISH, "LMG", "X18"),
        piece("glmg", Side.GERMAN, "LMG", "X18"),
        piece("glider", BRITISH, "Glider", "X19"),
        british=["X18"],
    )
    assert good.areas.areas[BRITISH]
    pieces = [replace(each, **facts) if each.id == id else each for each in good.pieces]
    after = replace(good, pieces=tuple(pieces))
    if not field:
        game.check_correction(good, after)
        return
    with pytest.raises(FaultsError) as refused:
        game.check_correction(good, after)
    assert [fault.where for fault in refused.value.faults] == [f"pieces/{id}/{field}"]
