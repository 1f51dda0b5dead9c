"""A correction must leave a campaign that can go on; what was wrong before is not its fault."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from refit_helpers import BRITISH, campaign_at, piece
from sentences import Tells, raised

from asl_pbcg.campaign.state.campaign_state import Bought, Campaign, accounts_balance
from asl_pbcg.campaign.state.piece_changes import remove
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.refit.s617_purchase import setup_places
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


# -- values out of bounds --------------------------------------------------------------------


def corrected(state: Campaign, path: str, value: Any) -> Campaign:
    """The state after a correction that is checked like one of players."""
    game = CampaignGame()
    after, _ = game.correct(state, path, value)
    game.check_correction(state, after)
    return after


def some_pieces() -> Campaign:
    return campaign_at(
        "9.606",
        piece("b1", BRITISH, "6-4-8", "X18"),
        piece("lmg", BRITISH, "LMG", "X18"),
        piece("g1", Side.GERMAN, "4-4-7", "Y20"),
        piece("tank", Side.GERMAN, "Marder", "Y20"),
    )


@pytest.mark.finding("G-31")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("ii13", "Y20"), ("balance", "zzz"), ("campaign", "CG2"), ("campaign", "zzz"),
        ("at", "9.7"), ("date", "friday"), ("san/german", 99), ("san/german", -1),
        ("san/german", 1e300), ("cpp", 10**12), ("fpp/british", 0.3), ("dummies/german", 10**9),
        ("players/british", "x" * 200), ("players/british", "a\u202eb"),
        ("pieces/b1/name", "x" * 100_000),
        ("pieces/b1/name", "\x1b[2J"),
        ("pieces/b1/at", "QQ99"), ("pieces/b1/at", "nowhere"),
        ("pieces/b1/status", ["immobilized"]),
        ("pieces/b1/type", "9-9-9"), ("pieces/b1/rg", "I5-9"), ("pieces/b1/formation", "SAS"),
        ("pieces/b1/received", "friday"), ("pieces/b1/climbing_to", "nowhere"),
        ("pieces/tank/vca", "Y20/QQ99"), ("pieces/tank/vca", "north"),
        ("pieces/tank/bypass", "x"), ("pieces/tank/manned_by", "g1"),
        ("pieces/tank/status", ["broken"]), ("cut_off", ["b1"]), ("ww_box/6-4-8", 10**6),
        ("ww_box/nobody", 1), ("house_rules/P-26", "zzz"), ("won_by", "us"),
        ("control/british", ["Z99"]), ("gliders/+", {"at": "X22", "state": "flying"}),
        ("terrain/+", {"kind": "swamp", "at": "Y20"}),
        ("terrain/+", {"kind": "blaze", "at": "ZZ99"}),
        ("terrain/+", {"kind": "wreck", "at": "Y20", "type": "x"}),
        ("fortifications/+", {"kind": "foxhole", "at": "Y20", "size": 99}), ("salt", "x"),
        ("determined", None), ("readings", 0), ("received_count/british", 99),
        ("ended", "x" * 5000), ("pieces/nobody/at", "Y20"),
        ("pieces/b1/nonsense", 1), ("san/nobody", 1),
    ],
)  # fmt: skip
def test_a_value_that_is_none_of_its_field_s_is_refused(
    path: str, value: Any, tells: Tells
) -> None:
    with pytest.raises(PBCGError) as refused:
        corrected(some_pieces(), path, value)
    assert len(str(refused.value)) < 1200
    tells(refused)


@pytest.mark.finding("G-31")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("ii13", "german"), ("balance", "british"), ("san/german", 4), ("cpp", 12),
        ("date", "day-1"), ("pieces/b1/name", "Brotheridge"),
        ("pieces/b1/notes", "at the bridge, since Night I"),
        ("pieces/b1/status", ["broken", "dm"]), ("pieces/tank/vca", "Y21/Z21"),
        ("cut_off", ["tank"]), ("terrain/+", {"kind": "blaze", "at": "Y20"}), ("ww_box/6-4-8", 2),
        ("terrain/+", {"kind": "wreck", "at": "Y20", "type": "Marder", "side": "german"}),
        ("players/german", "Jürgen"),
    ],
)  # fmt: skip
def test_a_value_of_its_field_is_taken(path: str, value: Any) -> None:
    assert corrected(some_pieces(), path, value) != some_pieces()


@pytest.mark.finding("G-33")
def test_no_correction_skips_a_cg_date(tells: Tells) -> None:
    tells(raised(FaultsError, lambda: corrected(some_pieces(), "date", "dusk")), "skips", "day-1")


@pytest.mark.finding("G-33")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("cpp", 3), ("fpp/british", 2.5), ("san/german", 3), ("dummies/german", 2),
        ("ww_box/6-4-8", 1),
    ],
)  # fmt: skip
def test_a_number_that_was_none_was_0(path: str, value: Any, tells: Tells) -> None:
    empty = replace(some_pieces(), cpp=0, fpp={}, san={}, dummies={}, ww_box={})
    _, line = CampaignGame().correct(empty, path, value)
    tells(line, path, "was 0")


@pytest.mark.finding("G-33")
def test_a_new_entry_is_told_in_words(tells: Tells) -> None:
    new = {"kind": "blaze", "at": "Y20"}
    _, line = CampaignGame().correct(some_pieces(), "terrain/+", new)
    tells(line, "kind blaze", "at Y20")


# -- a piece that was forgotten or is wrongly gone ------------------------------------------------


@pytest.mark.finding("G-33")
def test_a_piece_that_was_eliminated_is_restored(tells: Tells) -> None:
    before = some_pieces()
    gone = remove(before, "b1", "eliminated", "by mistake", "9.606")
    game = CampaignGame()
    for value in ("b1", {"id": "b1"}, {"id": "b1", "at": "Y20", "status": ["broken"]}):
        after, line = game.correct(gone, "pieces/+", value)
        game.check_correction(gone, after)
        assert accounts_balance(after) and not after.gone
        assert after.received_count == before.received_count
        tells(line, "b1", "eliminated", "British")
    assert (after.piece("b1").at, after.piece("b1").status) == ("Y20", ("broken",))
    with pytest.raises(PBCGError, match="has left"):
        game.correct(after, "pieces/+", "b1")


@pytest.mark.finding("G-33")
def test_a_forgotten_piece_is_added(tells: Tells) -> None:
    before, game = some_pieces(), CampaignGame()
    facts = {"side": "british", "type": "6-4-8", "at": "Y20", "status": ["pinned"]}
    after, line = game.correct(before, "pieces/+", facts)
    game.check_correction(before, after)
    made = after.pieces[-1]
    assert (made.side, made.type, made.at, made.status) == (BRITISH, "6-4-8", "Y20", ("pinned",))
    assert accounts_balance(after)
    assert after.received_count[BRITISH] == before.received_count[BRITISH] + 1
    tells(line, short_name(made.id), "6-4-8", "added")


@pytest.mark.finding("G-33")
@pytest.mark.parametrize(
    "value",
    [
        None, 3, [], "nobody", {}, {"type": "6-4-8"}, {"side": "us", "type": "6-4-8"},
        {"side": "british", "type": "4-4-7x"}, {"side": "british", "type": "6-4-8", "at": "QQ99"},
        {"side": "british", "type": "6-4-8", "wings": 2}, {"id": "nobody"},
        {"side": "british", "type": "6-4-8", "status": ["immobilized"]},
    ],
)  # fmt: skip
def test_a_piece_that_cannot_be_is_not_added(value: Any, tells: Tells) -> None:
    tells(raised(PBCGError, lambda: corrected(some_pieces(), "pieces/+", value)))
