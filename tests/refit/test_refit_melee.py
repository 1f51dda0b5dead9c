"""9.601 Conclusion of Melee."""

from __future__ import annotations

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
from sentences import Tells, says

from asl_pbcg.campaign.position import Terrain
from asl_pbcg.campaign.position_words import TerrainKind
from asl_pbcg.campaign.state.campaign_state import Campaign, accounts_balance, with_account
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.refit.helpers.situation import accessible
from asl_pbcg.refit.s601_melee import conclusion_of_melee, melee_order
from asl_pbcg.refit.s601_results import can_attack


def fought(state: Campaign, rounds: int = 1, **answers: Any) -> tuple[Campaign, Log]:
    """Conclude the Melees; answers by point (``p9_601_3``); each ends after so many rounds."""
    given = {point[1:].replace("_", "."): answer for point, answer in answers.items()}
    others, left = by_point(given), rounds

    def answer(prompt: Prompt) -> Any:
        nonlocal left
        if prompt.id == "9.601.2":
            left -= 1
            return "round" if left > 0 else "over"
        return others(prompt)

    return run_step(state, conclusion_of_melee, answer)


def melee(*pieces: Piece, **fields: Any) -> Campaign:
    """A campaign before 9.601 with these pieces; the British moved first."""
    return campaign_at("9.601", *pieces, **{"moved_first": BRITISH, **fields})


def british(id: str = "b1", type: str = "6-4-8", at: str = "Z15", **fields: Any) -> Piece:
    return piece(id, BRITISH, type, at, **fields)


def german(id: str = "g1", type: str = "4-6-7", at: str = "Z15", **fields: Any) -> Piece:
    return piece(id, GERMAN, type, at, **fields)


# -- Climbers ----------------------------------------------------------------------------


@pytest.mark.rule("9.601-a")
@pytest.mark.parametrize("place", ["Z15/1", "Z15"])
def test_a_climber_is_placed_where_its_owner_says(tells: Tells, place: str) -> None:
    climber = german(climbing_to="Z15/1", possesses="g-lmg")
    state = melee(climber, piece("g-lmg", GERMAN, "LMG", "Z15"))
    after, log = fought(state, p9_601_1=place)
    assert (after.piece("g1").at, after.piece("g1").climbing_to) == (place, "")
    assert after.piece("g-lmg").at == place
    (prompt,) = log.prompts("9.601.1")
    assert (prompt.side, [option.id for option in prompt.options]) == ("german", ["Z15/1", "Z15"])
    tells(refusal(prompt, "Z16"), "choice")


@pytest.mark.rule("9.601-a")
@pytest.mark.finding("G-02")
@pytest.mark.parametrize("place", ["O15", "O16"])
def test_who_climbs_a_cliff_is_placed_above_or_below_it(place: str) -> None:
    climber = german(at="O16", climbing_to="O15")
    after, _ = fought(melee(climber, british(at="O15")), p9_601_1=place)
    assert after.piece("g1").at == place
    assert (melee_order(after) == ["O15"]) is (place == "O15")


@pytest.mark.rule("9.601-b")
def test_a_climber_that_meets_an_enemy_is_in_melee(tells: Tells) -> None:
    state = melee(german(climbing_to="Z15/1"), british(at="Z15/1"))
    after, log = fought(state, p9_601_1="Z15/1")
    tells(told(log), "4-6-7", "g1", "Z15/1", "6-4-8", "b1")
    tells(told(log), "Z15/1")
    after, log = fought(state, p9_601_1="Z15")
    tells(told(log), "Melee")
    assert melee_order(after) == []


# -- Which, and in which order -----------------------------------------------------------


@pytest.mark.rule("9.6011-a")
def test_melees_go_in_alphanumeric_order() -> None:
    places = ["C19", "B17", "A1", "B16", "AA13", "Z15/1", "Z15", "Z8"]
    pieces = [british(f"b{n}", at=at) for n, at in enumerate(places)]
    pieces += [german(f"g{n}", at=at) for n, at in enumerate(places)]
    random.Random(1).shuffle(pieces)
    state = melee(*pieces)
    assert melee_order(state) == ["A1", "B16", "B17", "C19", "Z8", "Z15", "Z15/1", "AA13"]
    _, log = fought(state)
    resolved = list(dict.fromkeys(each.where for each in log.prompts("9.601.3")))
    assert resolved == melee_order(state)


@pytest.mark.rule("9.601-c")
@pytest.mark.parametrize(
    ("other", "melees"),
    [
        (german(), 1),
        (german(status="broken"), 1),
        (german(status="hidden"), 1),
        (piece("g1", GERMAN, "PzKpfw IVH", "Z15"), 1),
        (piece("g1", GERMAN, "PzKpfw IVH", "Z15", status="abandoned immobilized"), 0),
        (german(status="prisoner", guarded_by="b1"), 0),
        (german(at="Z15/1"), 0),
        (german(at="off-map A7"), 0),
    ],
)
def test_opposing_units_in_one_location_are_in_melee(other: Piece, melees: int) -> None:
    assert len(melee_order(melee(british(), other))) == melees


def test_vehicles_alone_are_in_no_melee() -> None:
    state = melee(
        piece("g1", GERMAN, "PzKpfw IVH", "Y17"), piece("b1", BRITISH, "Sherman V (DD)", "Y17")
    )
    assert melee_order(state) == []


@pytest.mark.rule("9.601-c")
def test_rounds_go_on_until_no_cc_attack_can_be_made(tells: Tells) -> None:
    state = melee(british(), german())
    after, log = fought(
        state,
        rounds=9,
        p9_601_3=["done"] * 5 + ["g1", "done"],
        p9_601_3a="eliminated",
    )
    # Before each further round both sides say whether it is fought.
    assert [each.id for each in log.asked if each.id in ("9.601.2", "9.601.3")] == [
        *["9.601.3"] * 2, "9.601.2", *["9.601.3"] * 2, "9.601.2", *["9.601.3"] * 2
    ]  # fmt: skip
    tells(told(log), "Melee", "Z15")
    assert [each.id for each in after.pieces] == ["b1"]
    broken = melee(british(status="broken"), german(status="broken"))
    _, log = fought(broken)
    assert log.asked == []
    tells(told(log), "CC", "Z15")


@pytest.mark.finding("J-30")
@pytest.mark.rule("9.601-c")
def test_enter_fights_the_melee_on() -> None:
    """9.601 and P-120: it ends before its time only if both sides say so."""
    _, log = fought(melee(british(), german()), rounds=3)
    assert [each.default for each in log.prompts("9.601.2")] == ["round"] * 3


@pytest.mark.rule("9.601-e")
@pytest.mark.parametrize("first", [BRITISH, GERMAN])
def test_the_side_that_moved_first_is_the_attacker(first: Any) -> None:
    _, log = fought(melee(british(), german(), moved_first=first))
    prompts = log.prompts("9.601.3")
    assert [each.side for each in prompts] == [first, first.other]
    assert [each.side for each in log.prompts("9.601.2")] == [""]  # was there a second?
    assert f"ATTACKER {first.title}" in prompts[0].text
    assert f"DEFENDER {first.other.title}" in prompts[1].text


# -- What may happen ---------------------------------------------------------------------


@pytest.mark.rule("9.601-d", "9.12-a")
def test_an_attack_eliminates_or_reduces_and_costs_cvp(tells: Tells) -> None:
    state = melee(british(), british("b2", "9-1"), german(possesses="g-lmg"),
                  piece("g-lmg", GERMAN, "LMG", "Z15"))  # fmt: skip
    after, log = fought(
        state, p9_601_3=["b1", "b2", "done", "g1", "done"],
        p9_601_3a=["reduced", "wounded", "eliminated"],
    )  # fmt: skip
    assert after.piece("b1").type == "3-3-8"
    assert after.piece("b2").has("wounded")
    assert [each.piece.id for each in after.gone] == ["g1"]
    assert after.piece("g-lmg").at == "Z15"  # it stays behind, unpossessed
    assert after.account.cvp_lost == {BRITISH: 1, GERMAN: 2}
    tells(told(log), "German", "Casualty", "VP", "+2", "2", "9.12")


@pytest.mark.rule("9.4-CG17-i")
def test_a_wounded_squads_hs_is_walking_wounded_and_its_leader_is_not_wounded() -> None:
    state = melee(british(status="walking-wounded", airborne=True, formation="7th"), german())
    after, _ = fought(
        state, p9_601_3=["leader", "b1", "done", "done"],
        p9_601_3f="8-0", p9_601_3a="reduced",
    )  # fmt: skip
    assert after.piece("b1").type == "3-3-8"
    assert after.piece("b1").has("walking-wounded")
    leader = after.pieces[-1]
    assert (leader.type, leader.at, leader.status) == ("8-0", "Z15", ())
    assert (leader.airborne, leader.formation) == (True, "7th")


@pytest.mark.rule("9.601-d", "9.12-a")
def test_a_capture_makes_a_prisoner() -> None:
    state = melee(british(), british("b2", "8-0"), german(possesses="g-lmg", status="broken"),
                  piece("g-lmg", GERMAN, "LMG", "Z15"))  # fmt: skip
    after, log = fought(
        state, p9_601_3=["done", "g1", "done"], p9_601_3a="captured", p9_601_3c="b1"
    )
    prisoner = after.piece("g1")
    assert (prisoner.status, prisoner.guarded_by, prisoner.side) == (("prisoner",), "b1", GERMAN)
    assert prisoner.possesses == ()
    assert after.account.cvp_lost == {GERMAN: 4}  # a prisoner counts double (A26.222)
    assert [each.side for each in log.prompts("9.601.3c")] == ["british"]
    left_out = campaign_at(
        "9.601", british(), german(), moved_first=BRITISH, house_rules={"C-30": "no-prisoners"}
    )
    after, _ = fought(left_out, p9_601_3=["done", "g1", "done"], p9_601_3a="captured")
    assert after.account.cvp_lost == {}


def test_nobody_is_captured_without_a_guard(tells: Tells) -> None:
    state = melee(british(status="broken"), german())
    _, log = fought(state, p9_601_3=["done", "g1", "done"], p9_601_3a="nothing")
    (prompt,) = log.prompts("9.601.3a")
    tells(refusal(prompt, "captured"), "Personnel")


@pytest.mark.rule("9.601-d")
def test_a_withdrawal_goes_to_an_accessible_location_without_the_enemy(tells: Tells) -> None:
    state = melee(
        british(possesses="b-lmg"),
        piece("b-lmg", BRITISH, "LMG", "Z15"),
        german(),
        german("g2", at="Z16"),
    )
    after, log = fought(state, p9_601_3=["b1", "done"], p9_601_3a="withdrew", p9_601_3b="Z14")
    assert (after.piece("b1").at, after.piece("b-lmg").at) == ("Z14", "Z14")
    tells(told(log), "Melee", "Z15")
    (prompt,) = log.prompts("9.601.3b")
    assert "4-6-7 g2 is there. (A11.2)" in refusal(prompt, "Z16")
    tells(refusal(prompt, "Z20"), "choice")
    broken = melee(british(status="broken"), german())
    _, log = fought(broken, p9_601_3=["b1", "done", "done"], p9_601_3a="nothing")
    (prompt,) = log.prompts("9.601.3a")
    tells(refusal(prompt, "withdrew"), "Withdraw")
    assert not says(prompt.option("reduced").refused, "Casualty Reduction")


@pytest.mark.finding("F-15")
@pytest.mark.rule("9.601-d")
@pytest.mark.parametrize(
    ("at", "fires", "ways"),
    [
        # The bridge is left by its road alone, though X18, Z19 and others touch Y19.
        ("Y19", (), ["Y18", "Y20"]),
        # The canal cannot be entered, nor the bridge from its side.
        ("X18", (), ["W18", "X17", "Y18"]),
        ("X18", ("X17",), ["W18", "Y18"]),
        ("Z13", (), ["Z13/1", "Y13", "Y14", "Z12", "Z14", "AA13", "AA14"]),
        # An upper level is left by the stairs, and along its level only inside its building.
        ("Z13/1", (), ["Z13"]),
        ("Z13/1", ("Z13",), []),
        # Two hexes of the building in C14 have no stairway symbol; the hexes with one go up to 2.
        ("C15", (), ["B14", "B15", "C14", "C16", "D14", "D15"]),
        ("C16/1", (), ["C15/1", "C16", "C16/2", "D15/1"]),
        ("C16/2", (), ["C15/2", "C16/1", "D15/2"]),
        # A one-hex house with a stairway symbol has a first level only.
        ("C9/1", (), ["C9"]),
        # A Cliff is crossed by Climbing only, a row-house bar not at all.
        ("O16", (), ["N15", "N16", "O17", "P15", "P16"]),
    ],
)
def test_what_a_withdrawal_cannot_cross_or_enter(
    at: str, fires: tuple[str, ...], ways: list[str]
) -> None:
    blazes = [Terrain(kind=TerrainKind.BLAZE, at=place) for place in fires]
    state = melee(british(at=at), german(at=at), terrain=blazes)
    assert sorted(accessible(state, state.piece("b1"))) == sorted(ways)


@pytest.mark.finding("F-06")
@pytest.mark.parametrize(
    ("status", "goes_on"), [("stunned", False), ("stunned stun-plus-1", True), ("shocked", False)]
)
def test_a_vehicle_attacks_again_once_its_stun_counter_is_turned(
    status: str, goes_on: bool
) -> None:
    tank = piece("g-t", GERMAN, "PzKpfw IVH", "Z15", status=status)
    state = melee(british(status="broken"), tank)
    assert can_attack(state, "Z15") is goes_on


@pytest.mark.finding("G-08")
def test_a_level_that_the_board_does_not_tell_of_is_known_by_what_is_there() -> None:
    unit = british(at="X18")
    assert "X18/1" not in accessible(melee(unit), unit)
    assert "X18/1" in accessible(melee(unit, british("b2", at="X18/1")), unit)
    assert "X18/1" in accessible(melee(unit, german=["X18/1"]), unit)
    rubble = [Terrain(kind=TerrainKind.RUBBLE_STONE, at="Z13")]
    below = british(at="Z13")
    assert "Z13/1" not in accessible(melee(below, terrain=rubble), below)


@pytest.mark.finding("G-08")
def test_a_row_house_bar_stops_a_withdrawal_unless_it_is_breached() -> None:
    unit = british(at="HH4")
    assert "HH5" not in accessible(melee(unit), unit)
    for hexside, leads in (("", True), ("HH4/HH5", True), ("HH5/HH6", False)):
        breach = [Terrain(kind=TerrainKind.BREACH, at="HH5", hexside=hexside)]
        assert ("HH5" in accessible(melee(unit, terrain=breach), unit)) is leads


@pytest.mark.finding("G-08")
@pytest.mark.parametrize(
    ("status", "rule"), [("pinned", "A7.8"), ("berserk", "A15.4"), ("broken", "A11.2")]
)
def test_who_cannot_withdraw(status: str, rule: str) -> None:
    state = melee(british(status=status), german())
    _, log = fought(state, p9_601_3=["b1", "done", "done"], p9_601_3a="nothing")
    (prompt,) = log.prompts("9.601.3a")
    assert f"({rule})" in refusal(prompt, "withdrew")


@pytest.mark.finding("G-08")
def test_who_is_aboard_a_vehicle_cannot_withdraw() -> None:
    car = german("g-c", "Kfz 1", "Y17")
    _, log = fought(
        melee(british(at="Y17"), car, german("g1", "2-3-8", "Y17", aboard="g-c")),
        p9_601_3=["done", "g1", "done"], p9_601_3a="nothing",
    )  # fmt: skip
    (prompt,) = log.prompts("9.601.3a")
    assert "(D6.5)" in refusal(prompt, "withdrew")


@pytest.mark.finding("G-08")
def test_who_is_pinned_in_round_one_may_withdraw_in_the_next() -> None:
    state = melee(british(status="pinned"), german())
    after, _ = fought(
        state, rounds=9, p9_601_3=["done", "done", "b1", "done"], p9_601_3a="withdrew",
        p9_601_3b="Z14",
    )  # fmt: skip
    assert after.piece("b1").at == "Z14"


@pytest.mark.finding("G-08")
@pytest.mark.parametrize(
    ("units", "offered"),
    [
        ((british(),), True),
        ((british("b1", "2-2-8"),), True),
        ((british("b1", "9-1"),), False),
        ((british(status="broken"), british("b2", "8-0")), False),
        ((british(status="unarmed"), british("b2", "8-0")), False),
    ],
)
def test_only_a_side_with_an_mmc_that_attacks_creates_a_leader(
    units: tuple[Piece, ...], offered: bool
) -> None:
    _, log = fought(melee(*units, german()))
    first = log.prompts("9.601.3")[0]
    assert ("leader" in [option.id for option in first.options]) is offered


@pytest.mark.finding("G-08")
def test_a_leader_may_be_named_after_the_mmc_that_created_him_is_lost() -> None:
    state = melee(british(formation="7th"), british("b2", "8-0"), german())
    after, _ = fought(
        state, p9_601_3=["b1", "leader", "done", "done"], p9_601_3a="eliminated", p9_601_3f="7-0"
    )
    assert [(each.type, each.formation) for each in after.of(BRITISH)] == [
        ("8-0", ""), ("7-0", "7th")
    ]  # fmt: skip


@pytest.mark.rule("9.601-d")
def test_the_only_way_to_withdraw_is_not_asked_for() -> None:
    state = melee(british(at="Y19"), german(at="Y19"), german("g2", at="Y18"))
    after, log = fought(state, p9_601_3=["b1", "done"], p9_601_3a="withdrew")
    assert after.piece("b1").at == "Y20"
    assert not log.prompts("9.601.3b")


def test_what_is_no_squad_cannot_be_reduced_nor_a_wounded_leader_wounded(tells: Tells) -> None:
    state = melee(british("b1", "2-2-8"), british("b2", "9-1", status="wounded"), german())
    _, log = fought(state, p9_601_3=["b1", "b2", "done", "done"], p9_601_3a=["nothing", "nothing"])
    crew, leader = log.prompts("9.601.3a")
    tells(refusal(crew, "reduced"), "squad")
    tells(refusal(leader, "wounded"), "wounded")


def test_the_prisoners_of_a_lost_guard_go_to_another_or_are_rearmed() -> None:
    ward = german("g9", status="prisoner", guarded_by="b1")
    state = melee(british(), british("b2"), ward, german())
    after, _ = fought(state, p9_601_3=["b1", "done", "done"], p9_601_3a="eliminated")
    assert after.piece("g9").guarded_by == "b2"
    state = melee(british(), ward, german())
    after, log = fought(state, p9_601_3=["b1", "done"], p9_601_3a="eliminated", p9_601_4b="yes")
    assert (after.piece("g9").status, after.piece("g9").guarded_by) == ((), "")
    assert after.piece("g9").type == "4-3-6"  # a Rearmed MMC is Conscript
    assert "Rearmed" in told(log)


@pytest.mark.rule("9.12-a")
@pytest.mark.parametrize(("house", "answer", "lost"), [("held-at-end", "yes", 5),
                         ("held-at-end", "no", 9), ("no-prisoners", "", 9)])  # fmt: skip
def test_who_is_rearmed_in_melee_is_lost_no_more(house: str, answer: str, lost: int) -> None:
    ward = german("g9", status="prisoner", guarded_by="b1")
    state = campaign_at(
        "9.601", british(), ward, german(), moved_first=BRITISH, house_rules={"C-30": house}
    )
    state = with_account(state, cvp_lost={GERMAN: 9})
    given = {"p9_601_4b": answer} if answer else {}
    after, log = fought(state, p9_601_3=["b1", "done"], p9_601_3a="eliminated", **given)
    assert not after.piece("g9").is_prisoner
    assert after.account.cvp_lost == {GERMAN: lost, BRITISH: 2}
    assert bool(log.prompts("9.601.4b")) == bool(answer)


# -- Vehicles ----------------------------------------------------------------------------


def car_with(*aboard: Piece) -> Campaign:
    """A Melee in Y17 between two British squads and a Kfz 1 with these units aboard."""
    car = german("g-c", "Kfz 1", "Y17")
    return melee(british(at="Y17"), british("b2", at="Y17"), car, *aboard)


@pytest.mark.finding("G-03")
@pytest.mark.rule("9.601-d", "9.12-a")
@pytest.mark.parametrize(
    ("fate", "type", "lost"),
    [("survives", "2-3-8", 1), ("eliminated", None, 2), ("reduced", None, 0)],
)
def test_a_passenger_makes_a_survival_dr_of_his_own(fate: str, type: str | None, lost: int) -> None:
    state = car_with(german("g1", "2-3-8", "Y17", aboard="g-c"))
    answers = {"p9_601_3": ["done", "g-c", "done"], "p9_601_3a": "wreck", "p9_601_3d": 1}
    if fate == "reduced":
        _, log = fought(state, p9_601_3g="eliminated", **answers)
        (prompt,) = log.prompts("9.601.3g")
        assert "choice" in refusal(prompt, "reduced")  # it is an HS
        return
    after, log = fought(state, p9_601_3g=fate, **answers)
    (prompt,) = log.prompts("9.601.3g")
    assert (prompt.side, prompt.where) == ("german", "Y17")
    assert [(each.type, each.at) for each in after.of(GERMAN)] == ([(type, "Y17")] if type else [])
    assert after.account.cvp_lost == {GERMAN: lost}
    # With a survivor the Melee is not over: is there another round?
    assert bool(log.prompts("9.601.2")) is bool(type)
    assert all(not each.aboard for each in after.of(GERMAN) if hasattr(each, "aboard"))


@pytest.mark.finding("G-03")
def test_a_squad_aboard_may_survive_as_its_half() -> None:
    state = car_with(german("g1", "4-6-7", "Y17", aboard="g-c"))
    after, _ = fought(
        state, p9_601_3=["done", "g-c", "done"], p9_601_3a="wreck", p9_601_3d=1,
        p9_601_3g="reduced",
    )  # fmt: skip
    assert [each.type for each in after.of(GERMAN)] == ["2-4-7"]
    assert after.account.cvp_lost == {GERMAN: 2}


@pytest.mark.finding("G-03")
@pytest.mark.parametrize(
    ("fates", "state_of_ward"),
    [
        (["eliminated", "survives"], "free"),
        (["survives", "survives"], "prisoner"),
        (["eliminated", "eliminated"], "gone"),
        (["survives", "eliminated"], "gone"),
    ],
)
def test_a_prisoner_aboard_shares_no_ones_fate(fates: list[str], state_of_ward: str) -> None:
    guard = german("g1", "4-6-7", "Y17", aboard="g-c")
    ward = british("b9", at="Y17", status="prisoner", guarded_by="g1", aboard="g-c")
    state = with_account(car_with(guard, ward), cvp_lost={BRITISH: 4})
    after, log = fought(
        state, p9_601_3=["done", "g-c", "done"], p9_601_3a="wreck", p9_601_3d=1,
        p9_601_3g=fates, p9_601_4b="yes",
    )  # fmt: skip
    assert [each.side for each in log.prompts("9.601.3g")] == ["german", "british"]
    wards = [each for each in after.pieces if each.id == "b9"]
    found = "gone" if not wards else "prisoner" if wards[0].is_prisoner else "free"
    assert found == state_of_ward
    assert ("Rearmed" in told(log)) is (state_of_ward == "free")
    assert after.account.cvp_lost[BRITISH] == (0 if state_of_ward == "free" else 4)


@pytest.mark.finding("G-03")
def test_a_unit_aboard_that_is_lost_claims_no_prisoner() -> None:
    guards = [german(f"g{n}", "4-6-7", "Y17", aboard="g-c") for n in (1, 2)]
    ward = british("b9", at="Y17", status="prisoner", guarded_by="g1")
    after, log = fought(
        car_with(*guards, ward), p9_601_3=["done", "g-c", "done"], p9_601_3a="wreck",
        p9_601_3d=1, p9_601_3g="eliminated", p9_601_4b="yes",
    )  # fmt: skip
    assert not after.piece("b9").is_prisoner
    assert not log.prompts("9.6041.2")


@pytest.mark.finding("G-03")
def test_nobody_survives_a_burning_wreck() -> None:
    tank = german("g-t", "PzKpfw IVH", "Y17")
    squad = german("g1", "4-6-7", "Y17", aboard="g-t")
    after, log = fought(
        melee(british(at="Y17"), tank, squad), p9_601_3=["done", "g-t", "done"],
        p9_601_3a="burning", p9_601_3d=7,
    )  # fmt: skip
    assert after.of(GERMAN) == []
    assert not log.prompts("9.601.3e") + log.prompts("9.601.3g")


@pytest.mark.finding("G-03")
def test_a_unit_that_mans_a_vehicle_is_its_crew() -> None:
    tank = german("g-t", "PzKpfw IVH", "Y17", manned_by="g1")
    crew = german("g1", "2-4-7", "Y17", aboard="g-t")
    after, log = fought(
        melee(british(at="Y17"), tank, crew), p9_601_3=["done", "g-t", "done"],
        p9_601_3a="wreck", p9_601_3d=5, p9_601_3g="survives",
    )  # fmt: skip
    assert [(each.id, each.type) for each in after.of(GERMAN)] == [("g1", "2-4-7")]
    assert not log.prompts("9.601.3e")


@pytest.mark.rule("9.2-j")
def test_a_vehicle_lost_in_melee_leaves_a_wreck_and_maybe_its_crew(tells: Tells) -> None:
    tank = piece("g-t", GERMAN, "PzKpfw IVH", "Y17", rg="V3-1")
    state = melee(british(at="Y17"), tank)
    answers: dict[str, Any] = {"p9_601_3": ["done", "g-t", "done"], "p9_601_3d": 7}
    after, _ = fought(state, p9_601_3a="burning", p9_601_3e="no", **answers)
    assert after.of(GERMAN) == []
    assert [(each.kind, each.at) for each in after.terrain] == [(TerrainKind.BURNING_WRECK, "Y17")]
    assert after.account.cvp_lost == {GERMAN: 7}
    after, _ = fought(state, p9_601_3a="wreck", p9_601_3e="yes", **answers)
    (crew,) = after.of(GERMAN)
    assert (crew.type, crew.at, crew.rg) == ("1-2-7", "Y17", "V3-1")
    after, log = fought(state, p9_601_3=["done", "g-t", "done"], p9_601_3a="immobilized")
    assert after.piece("g-t").has("immobilized")
    (prompt,) = log.prompts("9.601.3a")
    tells(refusal(prompt, "removed"), "Wreck")


@pytest.mark.parametrize(
    ("survives", "types"), [("yes", {"1-2-7", "9-1 Armor Leader"}), ("no", set())]
)
def test_an_armor_leader_shares_the_fate_of_his_crew(survives: str, types: set[str]) -> None:
    tank = piece("g-t", GERMAN, "PzKpfw IVH", "Y17")
    leader = piece("g-al", GERMAN, "9-1 Armor Leader", "Y17", aboard="g-t")
    state = melee(british(at="Y17"), tank, leader)
    after, log = fought(
        state, p9_601_3=["done", "g-t", "done"], p9_601_3a="wreck", p9_601_3d=7,
        p9_601_3e=survives,
    )  # fmt: skip
    assert {each.type for each in after.of(GERMAN)} == types
    assert after.account.cvp_lost == {GERMAN: 7 if survives == "yes" else 9}
    first = next(each for each in log.prompts("9.601.3") if each.side == "german")
    assert [option.id for option in first.options] == ["g-t", "done"]


@pytest.mark.rule("9.12-a")
def test_who_is_lost_aboard_a_vehicle_in_melee_counts_as_casualties() -> None:
    car = german("g-c", "Kfz 1", "Y17")
    squad = german("g1", "4-6-7", "Y17", aboard="g-c")
    leader = german("g2", "9-1", "Y17", aboard="g-c")
    ward = british("b9", at="Y17", status="prisoner", guarded_by="g1")
    state = melee(british(at="Y17"), car, squad, leader, ward)
    state = with_account(state, cvp_lost={BRITISH: 4})
    after, _ = fought(
        state, p9_601_3=["done", "g-c", "done"], p9_601_3a="wreck", p9_601_3d=1,
        p9_601_3g="eliminated", p9_601_4b="yes",
    )  # fmt: skip
    assert after.of(GERMAN) == []
    assert not after.piece("b9").is_prisoner
    # 1 of the car, 2 of the squad, 2 of the 9-1; the squad that was held prisoner is lost no more.
    assert after.account.cvp_lost == {GERMAN: 5, BRITISH: 0}


@pytest.mark.rule("9.4-CG14-g", "9.2-j")
def test_a_vehicle_without_wreck_depiction_is_removed(tells: Tells) -> None:
    blank = {"german": {"PzKpfw IVH": {"wreck": False}}}
    state = melee(
        british(at="Y17"), piece("g-t", GERMAN, "PzKpfw IVH", "Y17"), catalogue_corrections=blank
    )
    after, log = fought(
        state, p9_601_3=["done", "g-t"], p9_601_3a="removed", p9_601_3d=6, p9_601_3e="no"
    )
    assert (after.of(GERMAN), after.terrain) == ([], ())
    (prompt,) = log.prompts("9.601.3a")
    tells(refusal(prompt, "wreck"), "depiction")


# -- After round one ---------------------------------------------------------------------


@pytest.mark.rule("9.601-f")
def test_after_round_one_all_are_seen_and_shaken_off(tells: Tells) -> None:
    state = melee(
        british(status="concealed pinned cx"),
        german(status="hidden encircled", hip=True),
        piece("g-t", GERMAN, "PzKpfw IVH", "Z15", status="motion"),
        british("b2", at="Z14", status="concealed cx"),
    )
    after, log = fought(state)
    assert after.piece("b1").status == ()
    assert (after.piece("g1").status, after.piece("g1").hip) == (("encircled",), False)
    assert after.piece("g-t").status == ()
    assert after.piece("b2").status == ("concealed", "cx")  # not in the Melee
    tells(told(log), "6-4-8", "b1", "Z15")


def test_hidden_units_are_not_revealed_before_round_one() -> None:
    state = melee(british(), german(status="hidden"), german("g2", status="concealed"))
    after, _ = fought(state, p9_601_3=["done", "g1", "done"], p9_601_3a="withdrew", p9_601_3b="Z14")
    assert after.piece("g1").has("hidden")
    assert not after.piece("g2").has("concealed")


@pytest.mark.rule("9.601-g", "9.601-h")
@pytest.mark.parametrize("ce", ["yes", "no"])
def test_a_stun_counter_is_turned_over_and_the_vehicle_may_be_ce(tells: Tells, ce: str) -> None:
    tank = piece("g-t", GERMAN, "PzKpfw IVH", "Z15", status="stunned recall")
    other = piece("g-u", GERMAN, "PzKpfw IVH", "Z16", status="stunned")
    after, log = fought(melee(british(), tank, other), p9_601_5=ce)
    expected = {"stunned", "recall", "stun-plus-1", *(["ce"] if ce == "yes" else [])}
    assert set(after.piece("g-t").status) == expected
    assert after.piece("g-u").status == ("stunned",)
    tells(told(log), "Recall")
    assert [each.side for each in log.prompts("9.601.5")] == ["german"]


# -- The whole ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_random_melees_end_and_their_accounts_balance(seed: int) -> None:
    source = random.Random(seed)
    places = ["Z15", "Z15/1", "Z16", "Y17"]
    types = {
        BRITISH: ["6-4-8", "3-3-8", "8-0", "2-2-8", "Sherman V (DD)"],
        GERMAN: ["4-6-7", "2-4-7", "9-1", "PzKpfw IVH", "Kfz 1"],
    }
    pieces = []
    for side, names in types.items():
        for number in range(8):
            type = source.choice(names)
            vehicle = " " in type or "IVH" in type
            status = source.sample(["broken", "pinned"] if not vehicle else ["stunned"], 1)
            at = source.choice(places[2:] if vehicle else places)
            pieces.append(
                piece(f"{side[0]}-x-{number}", side, type, at,
                      status=tuple(status) if source.random() < 0.3 else ())
            )  # fmt: skip
    after, _ = run_step(
        melee(*pieces), conclusion_of_melee, lambda prompt: prompt.random_answer(source)
    )
    assert accounts_balance(after)
