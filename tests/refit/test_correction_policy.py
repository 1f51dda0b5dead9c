"""Refusals of corrections at a shared screen are made from what those who look may know."""

from __future__ import annotations

from typing import Any

import pytest
from refit_helpers import campaign_at, piece

from asl_pbcg.campaign.position import Fortification
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.state.campaign_state import Bought, Campaign, ReceivedGroup, change
from asl_pbcg.campaign.state.seen import frozen
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.refit.correction_policy import correction_as_known
from asl_pbcg.refit.sequence import CampaignGame

G, B = Side.GERMAN, Side.BRITISH
BOTH = ""


def twins() -> tuple[Campaign, Campaign]:
    """Two campaigns in 9.617 that differ in what each side keeps secret."""
    there = (piece("g1", G, "4-6-7", "M12"), piece("b1", B, "6-4-8", "Z15"))
    first = change(frozen(campaign_at("9.606", *there)), at="9.617")
    bought = Bought(key="g-fpp-1", side=G, kind="wire", cost=1, date=CGDate.DAWN)
    mine = Fortification(kind=FortificationKind.AP_MINES, at="M12", hidden=True, owner=G)
    second = change(
        first,
        cpp=7,
        fpp={G: 3.0},
        bought=(bought,),
        groups=(ReceivedGroup(key="I5-1", id="I5", date=CGDate.DAWN, cost=13),),
        pieces=(piece("g1", G, "4-6-7", "M13"), *first.pieces[1:], piece("g9", G, "4-6-7", "M12")),
        fortifications=(mine,),
    )
    return first, second


def reply(state: Campaign, sees: str, path: str, value: Any) -> str:
    try:
        return correction_as_known(state, sees, path, value, alone=False)[0].text
    except PBCGError as error:
        return str(error)


@pytest.mark.finding("J-02")
@pytest.mark.parametrize("path, value", [("type", ""), ("type", "2-4-7"), ("at", "M13")])
def test_a_piece_by_its_number_is_corrected_as_by_its_id(path: str, value: str) -> None:
    state, _ = twins()
    game = CampaignGame()

    def corrected(name: str) -> Any:
        try:
            return game.correct(state, f"pieces/{name}/{path}", value)
        except PBCGError as error:
            return str(error)

    assert corrected("0") == corrected("g1")


PATHS = (
    "groups/x", "groups/I5-1/cost", "bought/x", "bought/g-fpp-1/at", "pieces/nobody/at", "cpp",
    "fpp/german", "fpp/british", "pieces/g9/at", "pieces/g1/at", "pieces/0/at", "pieces/2/at",
    "pieces/g1", "pieces", "fortifications/0/at", "fortifications/x/at", "gone/0/how", "seen/g1/at",
    "received_count/german", "answered_in_secret/x", "salt", "determined/units/0", "san/german",
    "units/german/50L AT/repair", "", "/", "nonsense", "terrain/0/at", "accounts/0/cpp_left",
)  # fmt: skip


@pytest.mark.finding("J-02")
@pytest.mark.parametrize("sees", [BOTH, B])
@pytest.mark.parametrize("value", [7, 0, 3.0, "M12", "M13", "Z99", None, []])
def test_no_refusal_at_a_shared_screen_tells_a_secret(sees: str, value: Any) -> None:
    first, second = twins()
    for path in PATHS:
        assert reply(first, sees, path, value) == reply(second, sees, path, value), path


@pytest.mark.finding("J-42")
@pytest.mark.parametrize("sees", [BOTH, B, G])
def test_a_refusal_about_a_piece_both_see_has_its_reason(sees: str) -> None:
    state = campaign_at("9.606", piece("g1", G, "4-6-7", "M12"), piece("b1", B, "6-4-8", "Z15"))
    assert "Z99" in reply(state, sees, "pieces/b1/at", "Z99")


@pytest.mark.finding("J-02")
def test_one_lifted_curtain_corrects_that_side_s_secrets() -> None:
    _, second = twins()
    assert "7, is now 9" in reply(second, G, "cpp", 9)
    assert "umpire" in reply(second, B, "cpp", 9)
    assert "umpire" in reply(second, G, "pieces/b1/at", "Z16")
    assert "is now M14" in reply(second, G, "pieces/g1/at", "M14")


@pytest.mark.finding("J-02")
def test_a_number_in_a_list_is_that_of_what_is_shown() -> None:
    shown = Fortification(kind=FortificationKind.WIRE, at="M14")
    state = campaign_at("9.606", fortifications=(*twins()[1].fortifications, shown))
    line, full = correction_as_known(state, BOTH, "fortifications/0/at", "M15", alone=False)
    assert ("M14" in line.text, full) == (True, "fortifications/1/at")
