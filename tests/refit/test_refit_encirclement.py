"""9.604 Encirclement, Minefields, Bog, and Shock."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import pytest
from refit_helpers import (
    BRITISH,
    GERMAN,
    Log,
    by_point,
    campaign_at,
    piece,
    refusal,
    run_step,
    told,
)
from sentences import Tells

from asl_pbcg.campaign.position import Fortification
from asl_pbcg.campaign.position_words import FortificationKind, TerrainKind
from asl_pbcg.campaign.state.campaign_state import Campaign, possessor
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.views import for_side
from asl_pbcg.refit.s604_encirclement import encirclement_minefields_bog_shock, minefields, ways_out

AP, AT = FortificationKind.AP_MINES, FortificationKind.AT_MINES
FAILS = {"9.6041.1a": "fails"}
PASSES = {"9.6041.1a": "passes"}


def mines(kind: FortificationKind, at: str, owner: Side | None = GERMAN, **fields: Any) -> Any:
    return Fortification(kind=kind, at=at, owner=owner, **fields)


def before(*pieces: Piece, **fields: Any) -> Campaign:
    return campaign_at("9.604", *pieces, determined=False, **fields)


def run(state: Campaign, answers: dict[str, Any]) -> tuple[Campaign, Log]:
    return run_step(state, encirclement_minefields_bog_shock, by_point(answers))


@pytest.mark.rule("9.604-a")
def test_the_parts_come_in_their_order() -> None:
    _, lines = run(before(piece("b1", BRITISH, "6-4-8", "M12")), {})
    assert [line.rule for line in lines] == ["9.6041", "9.6042", "9.6043", "9.6044"]
    tank = piece("v1", GERMAN, "PzKpfw IVH", "M10", status="shocked")
    stuck = piece("v2", GERMAN, "PzKpfw IVH", "M9", status="bogged")
    squad = piece("b1", BRITISH, "6-4-8", "M12", status="encircled")
    mined = piece("b2", BRITISH, "6-4-8", "K10")
    answers = {
        "9.6041.1a": "passes", "9.6042.3a": "passes", "9.6043.2": "free", "9.6044.1": "removed",
    }  # fmt: skip
    _, log = run(before(tank, stuck, mined, squad, fortifications=[mines(AP, "K10")]), answers)
    ids = [each.id for each in log.asked if each.id in answers]
    assert ids == list(answers)


# -- 9.6041 --------------------------------------------------------------------------------------


@pytest.mark.rule("9.6041-a")
def test_each_encircled_unit_takes_its_own_1tc() -> None:
    state = before(
        piece("g1", GERMAN, "4-6-7", "M12", status="encircled"),
        piece("b1", BRITISH, "6-4-8", "C9", status="encircled"),
        piece("g2", GERMAN, "4-6-7", "M12", status="encircled"),
        piece("g3", GERMAN, "4-6-7", "M12"),
    )
    after, log = run(state, {"9.6041.1a": ["passes", "fails", "passes"]})
    tests = log.prompts("9.6041.1a")
    assert [(each.side, each.text.split()[3]) for each in tests] == [
        ("british", "b1"),
        ("german", "g1"),
        ("german", "g2"),
    ]
    assert {each.id for each in after.pieces} == {"b1", "g2", "g3"}


@pytest.mark.rule("9.6041-a")
def test_the_owner_may_use_a_leader_who_is_present() -> None:
    state = before(
        piece("g1", GERMAN, "4-6-7", "M12", status="encircled"),
        piece("l1", GERMAN, "9-2", "M12", status="encircled"),
        piece("l2", GERMAN, "8-1", "M13"),
        piece("bl", BRITISH, "9-1", "M12"),
    )
    answers = {"9.6041.1": ["l1"], "9.6041.1a": "passes"}
    _, lines = run(state, answers)
    (choice,) = lines.prompts("9.6041.1")
    assert [option.id for option in choice.options] == ["none", "l1"]  # not himself, nor others
    assert choice.option("l1").consequence == "-2 DRM"
    assert "with -2 leadership DRM" in lines.prompts("9.6041.1a")[0].text
    assert "9-2 l1 helps 4-6-7 g1" in told(lines)


@pytest.mark.rule("9.6041-a")
def test_a_wounded_leader_helps_by_one_less() -> None:
    state = before(
        piece("b1", BRITISH, "6-4-8", "M12", status="encircled"),
        piece("b2", BRITISH, "9-2", "M12", status="wounded"),
        piece("b3", BRITISH, "8-0", "M12", status="wounded"),
    )
    _, log = run(state, {"9.6041.1": "b2", **PASSES})
    (choice,) = log.prompts("9.6041.1")
    assert [option.consequence for option in choice.options[1:]] == ["-1 DRM", "+1 DRM"]
    assert "with -1 leadership DRM" in log.prompts("9.6041.1a")[0].text


@pytest.mark.rule("9.6041-b")
def test_a_prisoner_takes_none(tells: Tells) -> None:
    guard = piece("g1", GERMAN, "4-6-7", "M12")
    prisoner = piece("b1", BRITISH, "6-4-8", "M12", status="encircled prisoner", guarded_by="g1")
    after, lines = run(before(guard, prisoner), {})
    assert not lines.asked
    tells(told(lines), "Encircled")
    assert after.piece("b1") == prisoner


@pytest.mark.rule("9.6041-c")
def test_who_passes_stays_and_keeps_the_marker(tells: Tells) -> None:
    squad = piece("b1", BRITISH, "6-4-8", "M12", status="encircled", possesses="m1")
    after, lines = run(before(squad, piece("m1", BRITISH, "LMG", "M12")), PASSES)
    assert after.piece("b1") == squad
    tells(told(lines), "M12", "Encircled")


@pytest.mark.rule("9.6041-d", "9.6041-i", "9.12-b")
def test_who_fails_is_eliminated_and_leaves_his_equipment(tells: Tells) -> None:
    squad = piece("b1", BRITISH, "6-4-8", "M12", status="encircled", possesses="m1")
    after, lines = run(before(squad, piece("m1", BRITISH, "LMG", "M12")), FAILS)
    assert [each.id for each in after.pieces] == ["m1"]
    (gone,) = after.gone
    assert (gone.piece.id, gone.how, gone.step) == ("b1", "eliminated", "9.6041")
    assert possessor(after, "m1") is None
    assert after.piece("m1").at == "M12"
    tells(told(lines), "LMG", "m1", "M12")
    assert after.account.cvp_lost == {}  # CG-Scenario End has passed: no CVP


@pytest.mark.rule("9.6041-e")
def test_prc_of_an_immobile_vehicle_are_lost_and_it_is_abandoned() -> None:
    tank = piece("v1", GERMAN, "Marder", "M12", status="encircled immobilized")
    leader = piece("al", GERMAN, "9-1 Armor Leader", "M12", aboard="v1")
    after, lines = run(before(tank, leader), {**FAILS, "9.6041.1": "none"})
    assert after.piece("v1").status == ("immobilized", "abandoned")
    assert [each.piece.id for each in after.gone] == ["al"]
    assert "left abandoned" in told(lines)
    assert all(each.kind != "crew" for each in after.pieces)


@pytest.mark.rule("9.6041-e")
def test_an_encircled_mmc_that_mans_an_immobile_vehicle() -> None:
    tank = piece("v1", BRITISH, "Marder", "M12", status="captured immobilized")
    crew = piece("b1", BRITISH, "3-3-8", "M12", status="encircled", aboard="v1")
    after, _ = run(before(tank, crew, fortifications=[mines(AP, "M12", size=6)]), FAILS)
    assert [each.piece.id for each in after.gone] == ["b1"]
    assert after.piece("v1").status == ("captured", "immobilized", "abandoned")


def test_a_mobile_vehicle_goes_with_its_prc() -> None:
    truck = piece("v1", GERMAN, "2cm FlaK LKW", "M12", status="encircled")
    after, _ = run(before(truck), FAILS)
    assert not after.pieces
    assert not after.terrain


@pytest.mark.rule("9.6041-e", "9.4-CG14-e")
def test_an_abandoned_vehicle_without_weapons_is_a_burnt_out_wreck() -> None:
    status = "encircled immobilized ma-disabled cmg-disabled"
    tank = piece("v1", GERMAN, "FT-17 730(f)", "M12", status=status)
    after, _ = run(before(tank), FAILS)
    assert [(each.kind, each.at) for each in after.terrain] == [
        (TerrainKind.BURNT_OUT_WRECK, "M12")
    ]
    assert not after.pieces


@pytest.mark.rule("9.6041-f")
def test_airborne_lost_so_are_not_in_the_ww_box(tells: Tells) -> None:
    squad = piece("b1", BRITISH, "6-4-8", "M12", status="encircled", airborne=True)
    after, lines = run(before(squad, ww_box={"6-4-8": 1}), FAILS)
    assert after.ww_box == {"6-4-8": 1}
    tells(told(lines), "Walking", "Wounded")


@pytest.mark.rule("9.6041-g")
def test_a_prisoner_must_be_claimed_by_another_unit() -> None:
    state = before(
        piece("g1", GERMAN, "4-6-7", "M12", status="encircled"),
        piece("p1", BRITISH, "6-4-8", "M12", status="prisoner", guarded_by="g1"),
        piece("g2", GERMAN, "2-4-7", "M12"),
        piece("g3", GERMAN, "8-0", "M12"),
        piece("g4", GERMAN, "4-6-7", "M13"),
        piece("g5", GERMAN, "4-6-7", "M12", status="unarmed"),
    )
    after, lines = run(state, {**FAILS, "9.6041.1": "none", "9.6041.2": "g3"})
    (claim,) = lines.prompts("9.6041.2")
    assert claim.side == "german"
    assert [option.id for option in claim.options] == ["g2", "g3"]  # armed, and in the Location
    assert after.piece("p1").guarded_by == "g3"
    assert after.piece("p1").is_prisoner
    assert "8-0 g3 claims 6-4-8 p1" in told(lines)


@pytest.mark.rule("9.6041-g")
def test_the_only_unit_that_can_claims_without_being_asked() -> None:
    state = before(
        piece("g1", GERMAN, "4-6-7", "M12", status="encircled"),
        piece("p1", BRITISH, "6-4-8", "M12", status="prisoner", guarded_by="g1"),
        piece("g2", GERMAN, "2-4-7", "M12"),
    )
    after, _ = run(state, FAILS)
    assert after.piece("p1").guarded_by == "g2"


@pytest.mark.rule("9.6041-h")
def test_an_unclaimed_prisoner_is_rearmed_and_may_take_what_was_dropped() -> None:
    state = before(
        piece("g1", GERMAN, "4-6-7", "M12", status="encircled", possesses="m1 m2"),
        piece("m1", GERMAN, "LMG", "M12"),
        piece("m2", GERMAN, "MMG", "M12"),
        piece("m3", GERMAN, "LMG", "M12"),
        piece("p1", BRITISH, "6-4-8", "M12", status="prisoner", guarded_by="g1"),
        piece("p2", BRITISH, "9-1", "M12", status="prisoner wounded", guarded_by="g1"),
    )
    after, lines = run(state, {**FAILS, "9.6041.2a": [("m1",), ("m2",)]})
    offers = lines.prompts("9.6041.2a")
    assert [each.side for each in offers] == ["british", "british"]
    assert [[option.id for option in each.options] for each in offers] == [["m1", "m2"], ["m2"]]
    squad, leader = after.piece("p1"), after.piece("p2")
    assert (squad.type, squad.status, squad.possesses) == ("4-3-6", (), ("m1",))
    assert (leader.type, leader.status, leader.possesses) == ("9-1", ("wounded",), ("m2",))
    assert (after.piece("m1").side, after.piece("m1").status) == (BRITISH, ("captured",))
    assert possessor(after, "m3") is None
    assert "Rearmed" in told(lines)


@pytest.mark.rule("9.6041-g", "9.6041-h", "9.6041-e")
def test_the_prisoners_of_who_mans_a_vehicle_from_aboard(tells: Tells) -> None:
    tank = piece("v1", GERMAN, "Churchill VII", "M12", status="captured immobilized encircled")
    crew = piece("g1", GERMAN, "2-2-8", "M12", aboard="v1")
    ward = piece("b1", BRITISH, "9-1", "M12", status="prisoner", guarded_by="g1")
    after, lines = run(before(tank, crew, ward), FAILS)
    assert not after.piece("b1").is_prisoner
    tells(told(lines), "9-1", "b1")
    other = piece("g2", GERMAN, "4-6-7", "M12")
    after, _ = run(before(tank, crew, ward, other), FAILS)
    assert after.piece("b1").guarded_by == "g2"


# -- 9.6042 --------------------------------------------------------------------------------------


@pytest.mark.rule("9.6042-a")
@pytest.mark.parametrize("kind", [AP, AT])
def test_each_mobile_vehicle_is_attacked_in_any_minefield(kind: FortificationKind) -> None:
    state = before(
        piece("v1", GERMAN, "PzKpfw IVH", "K10"),
        piece("v2", GERMAN, "PzKpfw IVH", "K10", status="immobilized"),
        piece("v3", GERMAN, "PzKpfw IVH", "K11"),
        fortifications=[mines(kind, "K10", BRITISH, size=3)],
    )
    after, log = run(state, {"9.6042.2": "immobilized"})
    (attack,) = log.prompts("9.6042.2")
    assert "v1" in attack.text
    assert after.piece("v1").status == ("immobilized",)
    assert after.piece("v3").status == ()


def test_the_strength_of_a_minefield_is_its_owners_secret() -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "K10")
    state = before(
        tank, fortifications=[mines(AT, "K10", BRITISH), mines(AP, "K10", BRITISH, size=6)]
    )
    after, lines = run(state, {"9.6042.6": 4, "9.6042.2": "none"})
    (strength,) = lines.prompts("9.6042.6")
    assert strength.side == "british"
    assert strength.secret
    assert {each.kind: each.size for each in after.fortifications} == {AT: 4, AP: 6}
    german = told(for_side(lines, "german"))
    assert "factors" not in german
    assert "6 factors" in told(for_side(lines, "british"))


@pytest.mark.rule("9.6042-b", "9.6042-c")
def test_a_crew_that_breaks_is_unloaded_in_good_order_and_takes_a_ntc() -> None:
    tank = piece("v1", GERMAN, "Marder", "K10")
    state = before(tank, fortifications=[mines(AP, "K10", BRITISH, size=6)])
    answers = {"9.6042.2": "crew-breaks", "9.6042.3a": "passes"}
    after, log = run(state, answers)
    assert after.piece("v1").status == ("abandoned",)
    (crew,) = [each for each in after.pieces if each.kind == "crew"]
    assert (crew.type, crew.at, crew.side, crew.status) == ("1-2-7", "K10", GERMAN, ())
    assert name_piece(crew) in log.prompts("9.6042.3a")[0].text


def test_a_vehicle_destroyed_by_mines() -> None:
    state = before(
        piece("v1", GERMAN, "Marder", "K10"), fortifications=[mines(AT, "K10", BRITISH, size=2)]
    )
    after, _ = run(state, {"9.6042.2": "burning", "9.6042.2a": "yes"})
    assert [(each.kind, each.at) for each in after.terrain] == [(TerrainKind.BURNING_WRECK, "K10")]
    assert [each.kind for each in after.pieces] == ["crew"]
    after, _ = run(state, {"9.6042.2": "crew-lost"})
    assert after.piece("v1").status == ("abandoned",)
    assert len(after.pieces) == 1
    _, log = run(state, {"9.6042.2": "none"})
    (attack,) = log.prompts("9.6042.2")
    assert "CG14" in refusal(attack, "removed")  # it has a wreck depiction


@pytest.mark.rule("9.6042-c")
def test_infantry_that_fails_its_ntc_is_casualty_reduced() -> None:
    state = before(
        piece("g1", GERMAN, "4-6-7", "K10"),
        piece("g2", GERMAN, "2-4-7", "K10", possesses="m1"),
        piece("g3", GERMAN, "8-1", "K10"),
        piece("m1", GERMAN, "LMG", "K10"),
        fortifications=[mines(AP, "K10", BRITISH, size=6), mines(AT, "K11", BRITISH, size=1)],
    )
    answers = {
        "9.6042.3": ["g3", "none"],
        "9.6042.3a": ["fails", "fails", "fails"],
        "9.6042.4": "wounded",
    }
    after, log = run(state, answers)
    assert after.piece("g1").type == "2-4-7"
    assert [each.piece.id for each in after.gone] == ["g2"]
    assert after.piece("m1").at == "K10"
    assert after.piece("g3").status == ("wounded",)
    assert [option.id for option in log.prompts("9.6042.3")[0].options] == ["none", "g3"]


def test_a_t_mines_do_not_concern_infantry(tells: Tells) -> None:
    state = before(piece("g1", GERMAN, "4-6-7", "K10"), fortifications=[mines(AT, "K10", BRITISH)])
    _, lines = run(state, {})
    assert not lines.asked
    tells(told(lines), "minefield")


@pytest.mark.rule("9.6042-d")
def test_the_exemption_is_proposed_by_the_owner_and_confirmed_by_the_other_side(
    tells: Tells,
) -> None:
    state = before(
        piece("g1", GERMAN, "4-6-7", "K10"), fortifications=[mines(AP, "K10", BRITISH, size=6)]
    )
    after, lines = run(state, {"9.6042.1": "yes", "9.6042.1a": "yes"})
    assert [(each.id, each.side) for each in lines.asked] == [
        ("9.6042.1", "german"),
        ("9.6042.1a", "british"),
    ]
    assert after.pieces == state.pieces
    tells(told(lines), "NTC")
    answers = {"9.6042.1": "yes", "9.6042.1a": "no", "9.6042.3a": "fails"}
    after, lines = run(state, answers)
    tells(told(lines), "agreed")
    assert after.piece("g1").type == "2-4-7"


@pytest.mark.rule("9.6042-d")
def test_no_exemption_if_every_way_out_is_mined_or_enemy_controlled(tells: Tells) -> None:
    squad = piece("g1", GERMAN, "4-6-7", "K10")
    field = mines(AP, "K10", BRITISH, size=6)
    open_to = ways_out(before(squad, fortifications=[field]), squad)
    assert set(open_to) == {"K9", "K11", "J9", "J10", "L9", "L10"}
    shut = [mines(AT, at, BRITISH, size=1) for at in ("K9", "K11", "J9")]
    state = before(squad, british=["J10", "L9", "L10"], fortifications=[field, *shut])
    assert ways_out(state, squad) == []
    _, lines = run(state, {"9.6042.3a": "passes"})
    assert not lines.prompts("9.6042.1")
    tells(told(lines), "Location")
    unknown = [mines(AT, "K9", BRITISH, size=1, hidden=True), *shut[1:]]
    hidden = before(squad, british=["J10", "L9", "L10"], fortifications=[field, *unknown])
    assert ways_out(hidden, squad) == ["K9"]  # his side does not know of those mines


@pytest.mark.rule("9.6042-e")
def test_survivors_stay_where_they_are() -> None:
    squad = piece("g1", GERMAN, "4-6-7", "K10")
    tank = piece("v1", GERMAN, "Marder", "K10")
    state = before(squad, tank, fortifications=[mines(AP, "K10", BRITISH, size=6)])
    after, lines = run(state, {"9.6042.2": "none", "9.6042.3a": "passes"})
    assert after.pieces == state.pieces
    assert "stays in K10" in told(lines)


@pytest.mark.parametrize("result", ["passes", "fails"])
def test_a_units_own_hidden_minefield_stays_hidden(result: str) -> None:
    squad = piece("b1", BRITISH, "6-4-8", "K10")
    state = before(squad, fortifications=[mines(AP, "K10", BRITISH, size=6, hidden=True)])
    after, lines = run(state, {"9.6042.1": "no", "9.6042.3a": result})
    assert all(each.secret and each.side == "british" for each in lines.asked)
    assert "K10" not in told(for_side(lines, "german"))
    assert after.fortifications[0].hidden
    assert (after.piece("b1").type == "3-3-8") is (result == "fails")
    _, lines = run(state, {"9.6042.1": "yes"})
    assert [each.id for each in lines.asked] == ["9.6042.1"]  # the enemy is not lines.asked


@pytest.mark.finding("F-31")
@pytest.mark.parametrize("hidden", [True, False])
def test_waiting_tells_nothing_of_hidden_mines(hidden: bool) -> None:
    """F-31: the side that can buy mines is asked something whether it stands in its own or not."""
    mine = mines(AP, "K10", BRITISH, size=6, hidden=True)
    state = before(piece("b1", BRITISH, "6-4-8", "K10"), fortifications=[mine] * hidden)
    asked: list[Prompt] = []
    script: Any = minefields(state)
    sent: Any = None
    with contextlib.suppress(StopIteration):
        while True:
            item = script.send(sent)
            sent = item.check("yes" if hidden else "on") if isinstance(item, Prompt) else None
            asked += [item] if isinstance(item, Prompt) else []
    assert [(each.side, each.secret) for each in asked] == [("british", True)]


@pytest.mark.rule("9.6042-c")
@pytest.mark.parametrize("order", [("b1", "g1"), ("g1", "b1")])
def test_a_hidden_minefield_with_both_sides_in_it_concerns_both(order: tuple[str, str]) -> None:
    """The enemy in it reveals it; its own side's units in the hex are not passed over."""
    units = {
        "b1": piece("b1", BRITISH, "6-4-8", "K10"),
        "g1": piece("g1", GERMAN, "4-6-7", "K10"),
    }
    field = mines(AP, "K10", BRITISH, size=6, hidden=True)
    state = before(*(units[id] for id in order), fortifications=[field])
    after, log = run(state, {"9.6042.1": "no", "9.6042.3a": "fails"})
    assert not after.fortifications[0].hidden
    checks = log.prompts("9.6042.3a")
    assert sorted(each.about for each in checks) == ["b1", "g1"]
    assert not any(each.secret for each in checks)
    assert {each.id: each.type for each in after.pieces} == {"b1": "3-3-8", "g1": "2-4-7"}


def test_a_hidden_minefield_under_an_enemy_unit_is_placed_on_map(tells: Tells) -> None:
    squad = piece("g1", GERMAN, "4-6-7", "K10")
    state = before(squad, fortifications=[mines(AP, "K10", BRITISH, size=6, hidden=True)])
    after, lines = run(state, {"9.6042.3a": "passes"})
    assert not after.fortifications[0].hidden
    tells(told(for_side(lines, "german")), "placed")


# -- 9.6043 --------------------------------------------------------------------------------------


@pytest.mark.rule("9.6043-a")
@pytest.mark.parametrize(
    ("results", "status"),
    [
        (["free"], ()),
        (["no", "no", "free"], ()),
        (["mired", "no", "free"], ()),
        (["no", "immobilized"], ("immobilized",)),
    ],
)
def test_bog_removal_until_free_or_immobilized(results: list[str], status: tuple[str]) -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "K10", status="bogged")
    after, log = run(before(tank), {"9.6043.2": results})
    assert len(log.prompts("9.6043.2")) == len(results)
    assert after.piece("v1").status == status
    if "mired" in results:
        assert "Mired already" in refusal(log.prompts("9.6043.2")[1], "mired")


@pytest.mark.rule("9.6043-a")
def test_an_abandoned_vehicle_makes_no_bog_removal(tells: Tells) -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "K10", status="mired abandoned")
    after, lines = run(before(tank), {})
    assert after.piece("v1").status == ("mired", "abandoned")
    tells(told(lines), "Mired")


@pytest.mark.rule("9.6043-b")
@pytest.mark.finding("G-19")
@pytest.mark.parametrize(
    ("house", "near"),
    [({}, {"s1", "h1", "c1", "s2"}), ({"C-62": "adjacent"}, {"s1", "h1", "c1"})],
)
def test_one_squad_equivalent_helps_if_note_l_applies(
    tells: Tells, house: dict[str, str], near: set[str]
) -> None:
    pieces = [
        piece("v1", GERMAN, "Kfz 1", "K10", status="bogged"),
        piece("s1", GERMAN, "4-6-7", "K11"),
        piece("h1", GERMAN, "2-4-7", "K10"),
        piece("c1", GERMAN, "2-2-8", "J10"),
        piece("s2", GERMAN, "4-6-7", "K12"),  # of the Setup Area of K10, two hexes away
        piece("s3", GERMAN, "4-6-7", "N14"),  # of no Setup Area
        piece("l1", GERMAN, "8-0", "K10"),
        piece("b1", BRITISH, "6-4-8", "K9"),
    ]
    answers = {"9.6043.1": ("h1", "c1"), "9.6043.2": "free"}
    state = before(*pieces, german=["K10", "K12"], house_rules=house)
    _, lines = run(state, answers)
    (help_,) = lines.prompts("9.6043.1")
    assert {option.id: option.consequence for option in help_.options} == {
        id: "-2 drm" if id.startswith("s") else "-1 drm" for id in near
    }
    assert "9.6043" in refusal(help_, ["s1", "h1"])
    tells(told(lines), "-2", "colored")
    tells(lines.prompts("9.6043.2")[0].text, "-2", "colored")
    other = [piece("v1", GERMAN, "Marder", "K10", status="bogged"), *pieces[1:]]
    _, lines = run(before(*other), {"9.6043.2": "free"})
    assert not lines.prompts("9.6043.1")  # Note L does not apply to it


@pytest.mark.rule("9.6043-b")
@pytest.mark.finding("G-19")
def test_nobody_helps_a_vehicle_in_no_setup_area(tells: Tells) -> None:
    """C-62: between the lines there is no Setup Area; with "adjacent" a neighbour helps."""
    pieces = [
        piece("v1", GERMAN, "Kfz 1", "H12", status="bogged"),
        piece("s1", GERMAN, "4-6-7", "H12"),
    ]
    for house, helped in (({}, False), ({"C-62": "adjacent"}, True)):
        state = before(*pieces, house_rules=house)
        _, lines = run(state, {"9.6043.1": "none", "9.6043.2": "free"})
        assert bool(lines.prompts("9.6043.1")) is helped
        if not helped:
            tells(told(lines), "Kfz 1", "Setup Area", "Note L")


# -- 9.6044 --------------------------------------------------------------------------------------


@pytest.mark.rule("9.6044-a")
def test_recuperation_until_clear_or_eliminated() -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "K10", status="shocked")
    leader = piece("al", GERMAN, "9-1 Armor Leader", "K10", aboard="v1")
    after, log = run(before(tank, leader), {"9.6044.1": ["no", "uk", "removed"]})
    assert after.piece("v1").status == ()
    assert "UK already" in refusal(log.prompts("9.6044.1")[2], "uk")
    after, _ = run(before(tank, leader), {"9.6044.1": ["uk", "eliminated"]})
    assert not after.pieces
    assert [each.kind for each in after.terrain] == [TerrainKind.WRECK]


@pytest.mark.rule("9.6044-a", "9.2-j")
def test_house_rule_p_39_no_wreck_is_left() -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "K10", status="uk")
    state = before(tank, house_rules={"P-39": "removed"})
    after, _ = run(state, {"9.6044.1": "eliminated"})
    assert not after.pieces
    assert after.terrain == ()


# -- Random play ---------------------------------------------------------------------------------


def crowd(source: random.Random) -> Campaign:
    """Units of all kinds in a few hexes, with everything that 9.604 settles."""
    places = ["K10", "K11", "M12", "Y21", "C9"]
    types = {
        BRITISH: ["6-4-8", "2-4-8", "9-1", "1-4-9", "2-2-8"],
        GERMAN: ["4-6-7", "2-4-7", "8-0", "10-2", "1-2-7"],
    }
    pieces = []
    for number in range(source.randint(2, 14)):
        side = source.choice([BRITISH, GERMAN])
        status = source.sample(["encircled", "wounded"], source.randint(0, 1))
        pieces.append(
            piece(
                f"u{number}",
                side,
                source.choice(types[side]),
                source.choice(places),
                status=tuple(status),
            )
        )
    for number, guard in enumerate(list(pieces)):
        if source.random() < 0.3:
            side = guard.side.other
            captive = ("prisoner", *source.sample(["encircled"], source.randint(0, 1)))
            kind = source.choice(types[side])
            pieces.append(
                piece(f"p{number}", side, kind, guard.at, status=captive, guarded_by=guard.id)
            )
    vehicles = ["PzKpfw IVH", "Marder", "Kfz 1", "2cm FlaK LKW", "FT-17 730(f)"]
    states = ["bogged", "mired", "shocked", "uk", "encircled", "immobilized", "abandoned"]
    for number in range(source.randint(0, 5)):
        pieces.append(
            piece(
                f"v{number}",
                GERMAN,
                source.choice(vehicles),
                source.choice(places),
                status=tuple(source.sample(states, source.randint(0, 3))),
            )
        )
    fields = [
        mines(
            source.choice([AP, AT]),
            place,
            source.choice([BRITISH, GERMAN, None]),
            size=source.choice([None, 6]),
            hidden=source.random() < 0.4,
        )
        for place in places
        if source.random() < 0.5
    ]
    return before(*pieces, fortifications=fields, british=["Y20"], german=["K12"])


@pytest.mark.parametrize("seed", range(60))
def test_random_answers_always_reach_the_end(seed: int) -> None:
    source = random.Random(seed)
    state = crowd(source)
    after, _ = run_step(
        state, encirclement_minefields_bog_shock, lambda prompt: prompt.random_answer(source)
    )
    assert all(not each.has("shocked", "uk") for each in after.pieces)
    for each in after.pieces:
        assert not each.has("bogged", "mired") or each.has("abandoned")
        if each.is_prisoner:
            assert after.piece(each.guarded_by).at == each.at


# -- Who helps a TC -----------------------------------------------------------------------------


@pytest.mark.finding("G-09")
@pytest.mark.rule("9.6041-a")
def test_only_a_leader_aboard_helps_the_prc_of_a_vehicle() -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "M12", status="encircled")
    on_foot = piece("l1", GERMAN, "9-2", "M12")
    _, log = run(before(tank, on_foot), PASSES)
    assert not log.prompts("9.6041.1")
    leader = piece("al", GERMAN, "9-1 Armor Leader", "M12", aboard="v1")
    _, log = run(before(tank, on_foot, leader), {"9.6041.1": "al", **PASSES})
    (choice,) = log.prompts("9.6041.1")
    assert [option.id for option in choice.options] == ["none", "al"]
    assert "with -1 leadership DRM" in log.prompts("9.6041.1a")[0].text
    # Nor does he help Infantry beside the vehicle.
    squad = piece("g1", GERMAN, "4-6-7", "M12", status="encircled")
    calm = piece("v1", GERMAN, "PzKpfw IVH", "M12")
    _, log = run(before(calm, squad, leader), PASSES)
    assert not log.prompts("9.6041.1")


@pytest.mark.finding("G-15")
@pytest.mark.rule("9.6043-a")
@pytest.mark.parametrize("stuck", ["bogged", "mired"])
def test_an_immobilized_vehicle_makes_no_bog_removal(stuck: str) -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "K10", status=f"{stuck} immobilized")
    after, log = run(before(tank), {})
    assert after.piece("v1").status == ("immobilized",)
    assert not log.prompts("9.6043.2")
