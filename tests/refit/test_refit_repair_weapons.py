"""9.6142 to 9.61422, 9.61424, 9.61425: Weapons. Rule: 9.6142-9.61425."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from odds_help import odds_words
from refit_helpers import BRITISH, GERMAN, piece, refusal, run_step, told
from repair_help import (
    campaign,
    captured_equipment,
    drm,
    isolated_british,
    isolated_germans,
    low_ammo,
    mg_exchange,
    special_ammo,
    weapon_repair,
)
from sentences import Tells

from asl_pbcg.campaign.state.campaign_state import Campaign, Gone, change
from asl_pbcg.campaign.state.ob_merge import take_position, to_position
from asl_pbcg.campaign.state.piece_changes import capture, remove, transfer, update
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.refit.helpers.vehicle_actions import weapons_left

TANK = "PzKpfw IVH"
BROKEN = "malfunctioned"


def repair_drm(state: Campaign, *answers: str) -> dict[str, int]:
    _, log = run_step(state, weapon_repair, answers, [6] * 1)
    return drm(log.rolls()[0])


def german(*pieces: Piece, **fields: Any) -> Campaign:
    return campaign(piece("s1", GERMAN, "4-6-7", "A7", area="A"), *pieces, **fields)


# -- 9.6142 -----------------------------------------------------------------------------------


@pytest.mark.rule("9.6142-a", "9.6142-f")
def test_a_disabled_weapon_makes_no_repair_dr_even_if_it_is_called_malfunctioned_too() -> None:
    tank = piece("v1", GERMAN, TANK, "A7", area="A", status="ma-malfunctioned ma-disabled")
    after, log = run_step(german(tank), weapon_repair, [], [])
    assert log.asked == []
    assert after.piece("v1").status == ("ma-disabled",)


@pytest.mark.rule("9.6142-a", "9.6142-d", "9.6142-e")
@pytest.mark.parametrize(("dr", "repaired"), [(1, True), (2, True), (3, True), (4, True),
                                              (5, False), (6, False)])  # fmt: skip
def test_the_worked_example_a_german_hmg_is_repaired_on_four_or_less(
    dr: int, repaired: bool
) -> None:
    """WE-12: not Isolated, possessed by a 4-6-8, Repair Number 3."""
    state = campaign(
        piece("s1", GERMAN, "4-6-8", "A7", area="A", possesses="h1"),
        piece("h1", GERMAN, "HMG", "A7", area="A", status=BROKEN),
    )
    after, lines = run_step(state, weapon_repair, dice=[dr])
    assert drm(lines.rolls()[0]) == {"repair_number": -3}
    assert not lines.prompts()  # the example gives the Repair Number
    if repaired:
        assert after.piece("h1").status == ()
    else:
        assert [each.id for each in after.pieces] == ["s1"]
        assert after.gone[0].how == "eliminated"
        assert "HMG h1 is Eliminated" in told(lines)


@pytest.mark.rule("9.6142-a")
def test_repair_drm_of_a_sw() -> None:
    weapon = piece("m1", GERMAN, "MMG", "A7", area="A", status=BROKEN)
    assert repair_drm(german(weapon)) == {"repair_number": -2}
    alone = isolated_germans(
        piece("s1", GERMAN, "4-6-7", "I10", area="A"),
        piece("m1", GERMAN, "MMG", "I10", area="A", status=BROKEN),
    )
    assert repair_drm(alone) == {"repair_number": -2, "isolated": 1}
    carried = msgspec.structs.replace(weapon, at="A7")
    holder = piece("s1", GERMAN, "4-6-7", "A7", area="A", possesses="m1")
    cut_off = change(campaign(holder, carried), cut_off=("s1",))
    assert repair_drm(cut_off) == {"repair_number": -2, "isolated": 1}  # it is where he is
    leader = campaign(piece("c1", GERMAN, "8-1", "A7", area="A"), weapon)
    assert repair_drm(leader) == {"repair_number": -2}  # no SW here needs a crew


@pytest.mark.rule("9.6142-a")
def test_repair_drm_of_a_gun_goes_by_who_can_crew_it() -> None:
    gun = piece("g1", GERMAN, "50L AT", "A7", area="A", status=BROKEN)
    assert repair_drm(german(gun)) == {"repair_number": -1, "non_qualified": 1}
    for type in ("2-2-8", "1-2-7"):
        crew = piece("c1", GERMAN, type, "A7", area="A")
        assert repair_drm(german(gun, crew)) == {"repair_number": -1}
    elsewhere = piece("c1", GERMAN, "2-2-8", "JJ12", area="B")
    assert repair_drm(german(gun, elsewhere)) == {"repair_number": -1, "non_qualified": 1}


@pytest.mark.rule("9.6142-a", "9.6142-c")
def test_repair_drm_of_a_vehicular_weapon() -> None:
    tank = piece("v1", GERMAN, TANK, "A7", area="A", status="cmg-malfunctioned")
    assert repair_drm(campaign(tank)) == {"vehicular": -1, "repair_number": -1}
    manned = piece("h1", GERMAN, "2-4-7", "A7", area="A", aboard="v1")
    assert repair_drm(campaign(tank, manned)) == {
        "vehicular": -1, "repair_number": -1, "non_qualified": 1,
    }  # fmt: skip


@pytest.mark.rule("9.6142-a")
def test_which_weapons_make_no_dr(tells: Tells) -> None:
    state = campaign(
        piece("m1", GERMAN, "MMG", "A7", area="A", status=BROKEN),  # nobody is there
        piece("s1", GERMAN, "4-6-7", "JJ12", area="B"),
        piece("m2", GERMAN, "MMG", "S10", status=BROKEN),  # not Retained
        piece("m3", GERMAN, "MMG", "JJ12", area="B"),  # functions
        piece("l1", GERMAN, "LMG", "JJ12", area="B", status=f"{BROKEN} captured"),
    )
    after, lines = run_step(state, weapon_repair)
    assert after == state
    tells(told(lines), "Setup Area A", "MMG", "m1", "Personnel")


@pytest.mark.rule("9.6142-c")
def test_an_abandoned_vehicle_has_no_crew_to_repair_its_weapons() -> None:
    state = german(piece("v1", GERMAN, TANK, "A7", area="A", status="abandoned ma-malfunctioned"))
    assert run_step(state, weapon_repair) == (state, [])


@pytest.mark.rule("9.6142-a")
def test_an_unsure_repair_number_is_asked_once_in_a_campaign() -> None:
    state = german(
        piece("l1", GERMAN, "LMG", "A7", area="A", status=BROKEN),
        piece("l2", GERMAN, "LMG", "A7", area="A", status=BROKEN),
        catalogue_corrections={},
    )
    after, log = run_step(state, weapon_repair, [2], [3, 4])
    assert [each.id for each in log.asked] == ["catalogue.repair", "9.6142", "9.6142"]
    assert [drm(roll) for roll in log.rolls()] == [{"repair_number": -2}] * 2
    assert after.catalogue.weapon("LMG", GERMAN).repair == 2
    assert after.catalogue.weapon("LMG", GERMAN).sure("repair")
    assert [each.id for each in after.pieces] == ["s1", "l1"]


@pytest.mark.rule("9.6142-e")
def test_what_cannot_be_repaired_is_eliminated(tells: Tells) -> None:
    state = campaign(
        piece("b1", BRITISH, "6-4-8", "M12", area="A"),
        piece("f1", BRITISH, "FT", "M12", area="A", status=BROKEN),
    )
    after, lines = run_step(state, weapon_repair, [0])
    assert [each.id for each in after.pieces] == ["b1"]
    tells(told(lines), "FT", "f1", "repaired")


@pytest.mark.rule("9.6142-b")
def test_ox_and_bucks_may_repair_captured_sw() -> None:
    captured = piece("m1", BRITISH, "MMG", "M12", area="A", status=f"{BROKEN} captured")
    ox = piece("b1", BRITISH, "6-4-8", "M12", area="A", ox_and_bucks=True)
    state = campaign(ox, captured)
    after, log = run_step(state, weapon_repair, dice=[3])
    assert drm(log.rolls()[0]) == {"repair_number": -2}
    assert after.piece("m1").status == ("captured",)
    after, _ = run_step(state, weapon_repair, dice=[4])
    assert [each.id for each in after.pieces] == ["b1"]
    seventh = piece("b1", BRITISH, "6-4-8", "M12", area="A")
    assert run_step(campaign(seventh, captured), weapon_repair)[1] == []
    gun = piece("g1", BRITISH, "50L AT", "M12", area="A", status=f"{BROKEN} captured")
    assert run_step(campaign(ox, gun), weapon_repair)[1] == []


@pytest.mark.rule("9.6142-f")
def test_a_vehicular_weapon_that_fails_is_disabled_and_ma_brings_recall(tells: Tells) -> None:
    tank = "ma-malfunctioned cmg-malfunctioned"
    state = campaign(piece("v1", GERMAN, TANK, "A7", area="A", status=tank))
    # the MA is repaired on 3, the CMG fails on 4
    after, _ = run_step(state, weapon_repair, dice=[3, 4])
    assert after.piece("v1").status == ("cmg-disabled",)
    # the MA fails: Recalled at once, Mobile and not Isolated, so Eliminated; no dr for the CMG
    after, lines = run_step(state, weapon_repair, dice=[4])
    assert not after.pieces
    tells(told(lines), "Recalled")
    assert "9.6141c" in told(lines)


@pytest.mark.rule("9.6142-f")
def test_recall_of_the_isolated_the_immobile_and_what_is_no_afv() -> None:
    alone = piece("v1", GERMAN, TANK, "I10", area="A", status="ma-malfunctioned")
    after, lines = run_step(isolated_germans(alone), weapon_repair, dice=[6])
    assert after.piece("v1").status == ("ma-disabled", "recall")
    assert "Ammunition Shortage" in told(lines)
    stuck = piece("v1", GERMAN, TANK, "A7", area="A", status="immobilized ma-malfunctioned")
    after, _ = run_step(campaign(stuck), weapon_repair, dice=[6])
    assert after.piece("v1").status == ("immobilized", "ma-disabled", "recall")
    truck = piece("v1", GERMAN, "2cm FlaK LKW", "A7", area="A", status="ma-malfunctioned")
    after, _ = run_step(campaign(truck), weapon_repair, dice=[6])
    assert after.piece("v1").status == ("ma-disabled",)


@pytest.mark.rule("9.6142-c")
def test_an_optional_aamg_is_kept_from_cg_date_to_cg_date() -> None:
    """CG7: whether a PzKpfw IVH has one is rolled for when it is received."""
    state = campaign(piece("v1", GERMAN, TANK, "A7", area="A", aamg=True))
    position = to_position(state)
    silent = msgspec.structs.replace(
        position, vehicles=tuple(msgspec.structs.replace(v, aamg=None) for v in position.vehicles)
    )
    after = take_position(state, silent)
    assert weapons_left(after, after.piece("v1")) == ["MA", "BMG", "CMG", "AAMG"]


# -- 9.61421 ----------------------------------------------------------------------------------


@pytest.mark.rule("9.61421-a")
def test_a_disabled_vehicular_mg_is_exchanged_for_a_sw_lmg_of_the_same_area() -> None:
    state = campaign(
        piece("v1", GERMAN, TANK, "A7", area="A", status="cmg-disabled ma-disabled"),
        piece("s1", GERMAN, "4-6-7", "A7", area="A", possesses="l1"),
        piece("l1", GERMAN, "LMG", "A7", area="A"),
        piece("l2", GERMAN, "LMG", "A7", area="A", status=BROKEN),
        piece("l3", GERMAN, "LMG", "A7", area="A", status="captured"),
        piece("l4", GERMAN, "LMG", "JJ12", area="B"),
        piece("m1", GERMAN, "MMG", "A7", area="A"),
    )
    after, log = run_step(state, mg_exchange, ["l1"])
    (prompt,) = log.prompts()
    assert [option.id for option in prompt.options] == ["no", "l1", "l2", "l3"]
    assert "malfunctioned" in refusal(prompt, "l2")
    assert "captured" in refusal(prompt, "l3")
    assert after.piece("v1").status == ("ma-disabled",)
    assert after.piece("s1").possesses == ()
    assert "l1" not in [each.id for each in after.pieces]
    assert run_step(state, mg_exchange, ["no"])[0] == state


@pytest.mark.rule("9.61421-a")
def test_no_exchange_for_captured_vehicles_nor_for_a_gun_as_ma() -> None:
    lmg = piece("l1", GERMAN, "LMG", "A7", area="A")
    captured = piece("v1", GERMAN, "Churchill VII", "A7", area="A", status="captured cmg-disabled")
    assert run_step(campaign(captured, lmg), mg_exchange)[1] == []
    gun = piece("v1", GERMAN, TANK, "A7", area="A", status="ma-disabled")
    assert run_step(campaign(gun, lmg), mg_exchange)[1] == []
    mg = piece("v1", GERMAN, "FT-17 730m(f)", "A7", area="A", status="ma-disabled")
    after, _ = run_step(campaign(mg, lmg), mg_exchange, ["l1"])
    assert after.piece("v1").status == ()


# -- 9.61422 ----------------------------------------------------------------------------------

SEVENTH = piece("b1", BRITISH, "6-4-8", "M12", area="A")
OX = piece("b1", BRITISH, "6-4-8", "M12", area="A", ox_and_bucks=True, possesses="m1")


def mmg(*status: str) -> Piece:
    return piece("m1", BRITISH, "MMG", "M12", area="A", status=" ".join(("captured", *status)))


@pytest.mark.rule("9.61422-a")
@pytest.mark.parametrize(("dr", "kept"), [(1, True), (3, True), (4, False), (6, False)])
def test_a_functioning_captured_weapon_is_eliminated_on_four_or_more(dr: int, kept: bool) -> None:
    after, _ = run_step(campaign(SEVENTH, mmg()), captured_equipment, dice=[dr])
    assert [each.id for each in after.pieces] == (["b1", "m1"] if kept else ["b1"])


@pytest.mark.rule("9.61422-a")
def test_no_dr_without_personnel_nor_for_what_is_not_captured() -> None:
    assert run_step(campaign(mmg()), captured_equipment)[1] == []
    own = piece("l1", BRITISH, "LMG", "M12", area="A")
    assert run_step(campaign(SEVENTH, own), captured_equipment)[1] == []


@pytest.mark.rule("9.61422-b")
def test_no_dr_if_ox_and_bucks_possessed_it_at_the_end_of_the_scenario() -> None:
    state = campaign(OX, mmg())
    after, lines = run_step(state, captured_equipment)
    assert after == state
    assert "no dr" in told(lines)
    # who has it now does not matter, even if the squad is gone
    handed_on = transfer(state, "m1")
    assert run_step(handed_on, captured_equipment)[0] == handed_on
    taken_later = transfer(campaign(piece("b1", BRITISH, "6-4-8", "M12", area="A",
                                          ox_and_bucks=True), mmg()), "m1", "b1")  # fmt: skip
    after, _ = run_step(taken_later, captured_equipment, dice=[5])
    assert [each.id for each in after.pieces] == ["b1"]


@pytest.mark.rule("9.61422-a", "9.61422-b")
@pytest.mark.parametrize("lost", [False, True])
def test_what_is_taken_from_ox_and_bucks_wears_out_in_german_hands(lost: bool) -> None:
    """P-83: a PIAT of theirs falls to the Germans in 9.6071; it was never captured by them."""
    ox = msgspec.structs.replace(OX, possesses=("p1",))
    piat = piece("p1", BRITISH, "PIAT", "M12", area="A")
    state = campaign(ox, piat, piece("g1", GERMAN, "4-6-7", "A7", area="A"))
    if lost:
        played = next(date for date in CGDate if date.next is state.date)
        state = remove(state, "b1", "eliminated", "", "9.6041")
        state = change(state, gone=(msgspec.structs.replace(state.gone[0], date=played),))
    state = update(capture(state, "p1", GERMAN), "p1", area="A", at="A7")
    after, _ = run_step(state, captured_equipment, dice=[4])
    assert "p1" not in [each.id for each in after.pieces]


@pytest.mark.rule("9.61422-b")
def test_who_was_lost_in_9_604_possessed_it_when_the_scenario_ended() -> None:
    state = campaign(SEVENTH, mmg())
    played = next(date for date in CGDate if date.next is state.date)
    lost = Gone(piece=OX, date=played, step="9.6041", how="eliminated")
    state = change(state, gone=(lost,), received_count={BRITISH: 3})
    after, lines = run_step(state, captured_equipment)
    assert after == state
    assert "no dr" in told(lines)
    earlier = msgspec.structs.replace(lost, step="scenario")
    run_step(change(state, gone=(earlier,)), captured_equipment, dice=[2])


@pytest.mark.rule("9.61422-b", "9.6142-b")
def test_what_ox_and_bucks_repair_needs_no_second_dr() -> None:
    state, _ = run_step(campaign(OX, mmg(BROKEN)), weapon_repair, dice=[1])
    after, lines = run_step(state, captured_equipment)
    assert after.piece("m1").status == ("captured",)
    assert "no dr" in told(lines)


@pytest.mark.rule("9.61422-c")
def test_a_malfunctioned_captured_weapon_is_eliminated() -> None:
    after, _ = run_step(campaign(SEVENTH, mmg(BROKEN)), captured_equipment)
    assert [each.id for each in after.pieces] == ["b1"]
    after, _ = run_step(campaign(mmg(BROKEN)), captured_equipment)
    assert not after.pieces


def captured_tank(status: str = "", type: str = TANK) -> Piece:
    return piece("v1", BRITISH, type, "M12", area="A", status=f"captured {status}".strip())


@pytest.mark.rule("9.61422-a", "9.61422-c", "9.61422-d")
def test_weapons_of_a_captured_vehicle_are_disabled_and_bring_no_recall() -> None:
    state = campaign(SEVENTH, captured_tank("bmg-malfunctioned"))
    # MA 4: disabled; the BMG goes without a dr; CMG 3: kept, so the vehicle may stay
    after, log = run_step(state, captured_equipment, ["keep"], [4, 3])
    assert [roll.text for roll in log.rolls()] == [
        "Captured Equipment: MA of PzKpfw IVH v1", "Captured Equipment: CMG of PzKpfw IVH v1",
    ]  # fmt: skip
    assert set(after.piece("v1").status) == {"captured", "ma-disabled", "bmg-disabled"}


@pytest.mark.rule("9.61422-a")
def test_the_crew_of_a_captured_vehicle_will_do_for_its_own_weapons_only() -> None:
    """P-84: for the MMG in the same area no dr is made."""
    state = campaign(captured_tank(), mmg())
    after, _ = run_step(state, captured_equipment, ["keep"], [4, 3, 3])
    assert set(after.piece("v1").status) == {"captured", "ma-disabled"}
    assert after.piece("m1") == state.piece("m1")
    _, log = run_step(campaign(captured_tank("abandoned")), captured_equipment, ["keep"])
    assert not log.rolls()


@pytest.mark.rule("9.61422-e")
def test_a_captured_vehicle_stays_only_with_a_functioning_weapon(tells: Tells) -> None:
    state = campaign(SEVENTH, captured_tank())
    after, log = run_step(state, captured_equipment, ["burnt-out", "yes"], [6, 6, 6])
    keep = log.prompts()[0]
    tells(refusal(keep, "keep"), "Weapon")
    assert [each.type for each in after.pieces[1:]] == ["1-2-7"]  # its crew gets out
    assert after.terrain[0].kind.value == "burnt-out-wreck"
    assert (after.terrain[0].at, after.terrain[0].type, after.terrain[0].side) == (
        "M12", TANK, GERMAN,
    )  # fmt: skip


@pytest.mark.rule("9.61422-e")
def test_its_captor_may_wreck_a_captured_vehicle_that_works() -> None:
    state = campaign(SEVENTH, captured_tank("abandoned"))
    after, _ = run_step(state, captured_equipment, ["wreck", "yes"], [1, 1, 1])
    assert after.terrain[0].kind.value == "wreck"
    assert [each.id for each in after.pieces] == ["b1"]


@pytest.mark.rule("9.61422-e")
def test_a_captured_truck_has_no_weapon_and_is_wrecked(tells: Tells) -> None:
    state = campaign(SEVENTH, captured_tank("abandoned", "Kfz 1"))
    after, _ = run_step(state, captured_equipment, ["wreck", "yes"])
    assert after.terrain[0].type == "Kfz 1"
    # without a wreck depiction it can be no Wreck (CG14), and it may not stay
    after, lines = run_step(state, captured_equipment, ["wreck", "no"])
    assert not after.terrain
    assert [each.id for each in after.pieces] == ["b1"]
    tells(told(lines), "depiction")
    assert not after.catalogue.vehicle("Kfz 1", GERMAN).wreck


@pytest.mark.rule("9.61422-e")
def test_off_map_a_captured_vehicle_without_a_functioning_weapon_is_eliminated() -> None:
    truck = piece("v1", BRITISH, "Kfz 1", "off-map Z28", area="Z28", status="captured")
    after, _ = run_step(campaign(truck), captured_equipment)
    assert not after.pieces
    assert not after.terrain


# -- 9.61424 ----------------------------------------------------------------------------------


def depleted(*pieces: Piece, **fields: Any) -> Campaign:
    return campaign(piece("v1", GERMAN, TANK, "A7", area="A", depleted="A s"), *pieces, **fields)


@pytest.mark.rule("9.61424-a", "9.61424-b", "9.61424-c")
def test_each_depleted_type_may_roll() -> None:
    state = depleted(piece("m1", GERMAN, "50* MTR", "A7", area="A", depleted="s"))
    after, log = run_step(state, special_ammo, ["1, 2, 3"], [3, 4, 3])
    assert [roll.text for roll in log.rolls()] == [
        "Special ammunition s of 50* MTR m1",
        "Special ammunition A of PzKpfw IVH v1",
        "Special ammunition s of PzKpfw IVH v1",
    ]
    assert after.piece("m1").depleted == ()
    assert after.piece("v1").depleted == ("A",)
    assert odds_words(log.prompts()[0].options[0].odds) == {"restored": "50%"}
    assert run_step(state, special_ammo, ["none"])[0] == state


@pytest.mark.rule("9.61424-a")
@pytest.mark.parametrize(
    ("played", "value"), [(CGDate.NIGHT_1, -1), (CGDate.NIGHT_2, -1), (CGDate.NIGHT_3, 0)]
)
def test_the_british_drm_before_a_night_scenario(played: CGDate, value: int) -> None:
    mortar = piece("m1", BRITISH, "51 MTR", "M12", area="A", depleted="IR")
    _, log = run_step(campaign(mortar, played=played), special_ammo, ["1"], [6])
    assert drm(log.rolls()[0]) == ({"british_before_night": value} if value else {})
    _, log = run_step(depleted(played=played), special_ammo, ["1"], [6])
    assert drm(log.rolls()[0]) == {}


@pytest.mark.rule("9.61424-b", "9.61424-c")
@pytest.mark.parametrize(("dr", "restored"), [(3, True), (4, True), (5, False)])
def test_the_british_table_before_night(dr: int, restored: bool) -> None:
    mortar = piece("m1", BRITISH, "51 MTR", "M12", area="A", depleted="IR")
    state = campaign(mortar, played=CGDate.NIGHT_1)
    after, _ = run_step(state, special_ammo, ["1"], [dr])
    assert (after.piece("m1").depleted == ()) is restored


@pytest.mark.rule("9.61424-a")
def test_no_special_ammo_for_the_captured_and_the_isolated() -> None:
    captured = piece("v1", GERMAN, "Churchill VII", "A7", area="A", status="captured", depleted="s")
    assert run_step(campaign(captured), special_ammo)[1] == []
    alone = piece("m1", BRITISH, "51 MTR", "I10", area="A", depleted="s")
    assert run_step(isolated_british(alone), special_ammo)[1] == []


# -- 9.61425 ----------------------------------------------------------------------------------


@pytest.mark.rule("9.61425-a")
def test_low_ammo_markers_of_german_vehicles_are_removed() -> None:
    state = campaign(
        piece("v1", GERMAN, TANK, "A7", area="A", status="low-ammo"),
        piece("v2", GERMAN, TANK, "off-map J0", area="J0", status="low-ammo"),
        piece("v3", GERMAN, "Churchill VII", "B7", area="A", status="low-ammo captured"),
        piece("v4", BRITISH, "Churchill VII", "M12", area="A", status="low-ammo"),
        piece("v5", GERMAN, TANK, "S10", status="low-ammo"),
    )
    after, _ = run_step(state, low_ammo)
    assert [each.id for each in after.pieces if each.has("low-ammo")] == ["v3", "v4", "v5"]
    alone = isolated_germans(piece("v1", GERMAN, TANK, "I10", area="A", status="low-ammo"))
    assert run_step(alone, low_ammo) == (alone, [])


@pytest.mark.finding("G-15")
@pytest.mark.rule("9.61422-a", "9.6142-a")
@pytest.mark.parametrize(("type", "weapons"), [("FT-17 730m(f)", 1), ("38H 735(f)", 2)])
def test_a_machine_gun_tank_has_one_weapon(type: str, weapons: int) -> None:
    """One dr for each functioning Weapon of a captured vehicle: the FT-17 730m(f) has a MG only."""
    tank = piece("v1", BRITISH, type, "X26", area="C", status="captured abandoned")
    state = campaign(piece("s1", BRITISH, "6-4-8", "X26", area="C"), tank)
    assert len(weapons_left(state, state.piece("v1"))) == weapons
    _, log = run_step(state, captured_equipment, ["keep"], dice=[1] * weapons)
    assert len(log.rolls()) == weapons
