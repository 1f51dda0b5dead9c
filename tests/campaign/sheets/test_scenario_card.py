"""What is in force in a CG scenario: 9.31, the CG SSR of 9.4, the SSR of the Initial Scenarios."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refit_helpers import BRITISH, GERMAN, campaign_at, piece
from sentences import Tells, says

from asl_pbcg.campaign.areas.area_map import AreaMap
from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.position import Fortification
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.scenario.scenario_facts import (
    ammunition_shortage,
    eligible_arrows,
    freedom_of_movement,
    is_held_by_no_move,
    may_tow,
    panzerfaust_after,
    panzerfaust_halves,
    panzerfaust_usable,
    south_of_cc,
)
from asl_pbcg.campaign.scenario.snipers import acting_sniper, san_in_force, snipers_apart
from asl_pbcg.campaign.sheets.scenario_card import card_for, scenario_card
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side

BOARD = load_board()
NIGHT_1, NIGHT_2, NIGHT_3 = CGDate.NIGHT_1, CGDate.NIGHT_2, CGDate.NIGHT_3


def coming(date: CGDate, *pieces: Piece, **fields: Any) -> Campaign:
    """A campaign whose next scenario is that of ``date``."""
    return campaign_at("scenario", *pieces, date=date, **fields)


def card(state: Campaign, rule: str = "", viewer: str = "umpire") -> str:
    """The card as one text, or only what stands under ``rule``."""
    found = card_for(scenario_card(state, BOARD), viewer)
    return "\n".join(each.text for each in found if rule in ("", each.rule))


def dates_with(rule: str, *facts: object, campaign: str = "CG1") -> list[CGDate]:
    """The CG Dates whose card says something of ``facts`` under ``rule``."""
    dates = PEGASUS_BRIDGE.frame.campaigns[campaign].dates
    cards = {date: card(coming(date, campaign=campaign), rule) for date in dates}
    return [date for date in dates if says(cards[date], *facts)]


# -- 9.31, CG1-CG3 -----------------------------------------------------------------------


@pytest.mark.rule("9.4-CG2-a")
@pytest.mark.finding("G-01")
@pytest.mark.parametrize("campaign", ["CG1", "CG2"])
@pytest.mark.parametrize(
    ("rule", "facts"),
    [
        ("SSR PB1-PB5", ("Wet", "Mild Breeze", "northwest")),
        ("SSR PB1-PB5", ("levels", "-1", "2", "Water Obstacle")),
        ("SSR PB1-PB5", ("Canal", "deep", "heavy current", "north", "shallow")),
        ("SSR PB1-PB5", ("Roads", "hexrow")),
        ("SSR PB1-PB5", ("bridge", "never", "destroyed")),
        ("SSR PB1-PB5", ("Bog", "+1", "Soft Ground", "paved", "building hexside")),
        ("SSR PB4", ("X18", "X18/1", "X20", "Y18", "Y21", "Z18", "Z20", "Z20/1")),
    ],
)
def test_the_ssr_of_pegasus_bridge_hold_in_every_scenario(
    campaign: str, rule: str, facts: tuple[str, ...]
) -> None:
    dates = PEGASUS_BRIDGE.frame.campaigns[campaign].dates
    assert dates_with(rule, *facts, campaign=campaign) == list(dates)
    for viewer in ("british", "german"):
        assert says(card(coming(dates[0], campaign=campaign), rule, viewer), *facts)


@pytest.mark.rule("9.4-CG1-a", "9.4-CG2-a", "9.52-l")
@pytest.mark.parametrize("campaign", ["CG1", "CG2"])
def test_the_entire_map_and_the_pb_ssr_are_used_in_every_scenario(campaign: str) -> None:
    every = list(PEGASUS_BRIDGE.frame.campaigns[campaign].dates)
    assert dates_with("CG1", "entire map", campaign=campaign) == every
    assert dates_with("CG2", "PB SSR", "in effect", campaign=campaign) == every


@pytest.mark.rule("9.31-a", "9.31-c")
@pytest.mark.parametrize("date", [NIGHT_1, CGDate.DUSK])
def test_one_side_takes_its_balance_for_the_whole_cg(tells: Tells, date: CGDate) -> None:
    assert card(coming(date), "9.31") == ""
    british = card(coming(date, balance="british"), "9.31")
    tells(british, "MMC", "Fanatic")
    assert "stone building" in british
    tells(card(coming(date, balance="german"), "9.31"), "above 0", "2 less", "Costs")


@pytest.mark.rule("9.4-CG3-a")
def test_elr_is_that_of_ssr_pb12_in_every_scenario() -> None:
    assert dates_with("CG3", "ELR", "PB12") == list(CGDate)
    jumper = piece("g1", GERMAN, "2-3-8", formation="Fallschirmjaeger Regiment 6")
    assert "Fallschirmjaeger Regiment 6: ELR 4" in card(coming(NIGHT_2, jumper))
    assert "ELR 4" not in card(coming(NIGHT_2), viewer="german")
    assert "ELR 4" not in card(coming(CGDate.DAWN, jumper, campaign="CG2"), viewer="british")


@pytest.mark.rule("9.4-CG3-b")
def test_a_massacre_stays_on_the_card(tells: Tells) -> None:
    for date in (NIGHT_2, CGDate.DUSK):
        state = coming(date, massacre=(GERMAN,))
        tells(card(state, "CG3"), "Germans", "Massacre", "A20.3-.4")
    assert "Massacre" not in card(coming(NIGHT_2))


# -- CG4: night --------------------------------------------------------------------------


@pytest.mark.rule("9.4-CG4-a", "9.52-n")
def test_the_base_nvr_is_two_hexes_in_each_night_scenario() -> None:
    nights = [NIGHT_1, NIGHT_2, NIGHT_3]
    assert dates_with("CG4", "Base NVR", "2 hexes") == nights
    assert dates_with("CG4", "Base NVR", campaign="CG2") == []


@pytest.mark.rule("9.4-CG4a-a", "9.4-CG4b-a", "9.4-CG4c-a")
@pytest.mark.parametrize(
    ("date", "attacker", "rule"),
    [(NIGHT_1, "British", "CG4a"), (NIGHT_2, "German", "CG4b"), (NIGHT_3, "British", "CG4c")],
)
def test_the_scenario_attacker_of_each_night(date: CGDate, attacker: str, rule: str) -> None:
    defender = "German" if attacker == "British" else "British"
    words = f"Scenario Attacker: {attacker}; Scenario Defender: {defender}."
    assert words in card(coming(date), rule)
    assert dates_with(rule, words) == [date]


@pytest.mark.rule("9.4-CG4-b", "9.4-CG4-c", "9.4-CG4-d")
def test_the_german_is_told_how_freedom_of_movement_is_gained(tells: Tells) -> None:
    tank = piece("g-t", GERMAN, "38H 735(f)", area="C", rg="V2-1")
    truck = piece("g-k", GERMAN, "Kfz 1", area="C")
    for date in (NIGHT_1, NIGHT_2):
        told = card(coming(date, tank, truck), "CG4")
        tells(told, "Sniper", "Known")
        assert "within 3 hexes" in told
        tells(told, "6 hexes")
        tells(told, "Mobile", "AFV")
        assert "AFV with a radio: 38H 735(f) g-t." in told
        assert "g-t" not in card(coming(date, tank, truck), "CG4", "british")
    assert dates_with("CG4", "gains", "Movement") == [NIGHT_1, NIGHT_2]


@pytest.mark.rule("9.4-CG4a-b")
def test_the_three_german_setup_areas_of_night_i_are_separate() -> None:
    assert dates_with("CG4a", "three German", "E1.2", "A2.9") == [NIGHT_1]


@pytest.mark.rule("9.4-CG4b-b")
def test_germans_on_map_may_be_cloaked_in_night_ii() -> None:
    assert dates_with("CG4b", "Cloaked") == [NIGHT_2]


@pytest.mark.rule("9.4-CG4b-c", "9.4-CG4b-d", "9.4-CG4b-e", "9.4-CG4c-a")
def test_who_has_freedom_of_movement_by_night(tells: Tells) -> None:
    south = piece("g1", GERMAN, "4-4-7", "BB12")
    gained = piece("g2", GERMAN, "4-4-7", "M12", status="freedom-of-movement")
    north = piece("g3", GERMAN, "4-4-7", "CC12")
    entering = piece("g4", GERMAN, "4-4-7", "off-map A7", area="A7")
    british = piece("b1", BRITISH, "6-4-8", "Y21")
    pieces = (south, gained, north, entering, british)
    expected = {
        NIGHT_1: {"g4", "b1"},
        NIGHT_2: {"g2", "g3", "g4", "b1"},
        NIGHT_3: {"g1", "g2", "g3", "g4", "b1"},
        CGDate.DAWN: {"g1", "g2", "g3", "g4", "b1"},
    }
    for date, free in expected.items():
        state = coming(date, *pieces)
        assert {each.id for each in pieces if freedom_of_movement(state, each, BOARD)} == free
    state = coming(NIGHT_2, *pieces)
    tells(card(state, "CG4b", "german"), "Freedom", "Movement", "4-4-7", "g1")
    assert "g1" not in card(state, "CG4b", "british")
    tells(card(state, "CG4b"), "British", "Freedom", "Movement")
    tells(card(coming(NIGHT_3), "CG4c"), "German", "Freedom", "Movement")


@pytest.mark.rule("9.4-CG4b-d")
def test_in_a_scenario_only_where_a_unit_stands_counts() -> None:
    # What it was Retained in before says nothing once the scenario has begun.
    north = piece("g3", GERMAN, "4-4-7", "CC12", area="B")
    state = change(coming(NIGHT_2, north), determined=None)
    assert freedom_of_movement(state, north, BOARD)


@pytest.mark.rule("9.4-CG4b-f")
def test_a_unit_on_a_no_move_counter_south_of_cc_stays_where_it_is() -> None:
    assert all(south_of_cc(f"{row}5", BOARD, "CC") for row in ("A", "M", "Z", "AA", "BB"))
    assert not any(south_of_cc(f"{row}5", BOARD, "CC") for row in ("CC", "DD", "TT"))
    assert south_of_cc("BB1", BOARD, "CC") and not south_of_cc("CC1", BOARD, "CC")
    held = piece("g1", GERMAN, "4-4-7", "M12", status="no-move")
    north = piece("g2", GERMAN, "4-4-7", "CC12", status="no-move")
    free = piece("g3", GERMAN, "4-4-7", "M12")
    state = coming(NIGHT_1, held, north, free)
    assert [is_held_by_no_move(state, each, BOARD) for each in state.pieces] == [True, False, False]


# -- CG5, CG6: entry ---------------------------------------------------------------------


@pytest.mark.rule("9.4-CG5-b")
def test_a_british_entry_area_is_for_the_dates_in_its_arrow(tells: Tells) -> None:
    for date in CGDate:
        arrows = set(eligible_arrows(coming(date), BRITISH, BOARD))
        assert arrows == {"Z28"} | ({"TT14"} if date in (CGDate.DAY_2, CGDate.DUSK) else set())
    tells(card(coming(CGDate.DUSK), "CG5"), "British", "Entry", "Areas", "Z28", "TT14")


@pytest.mark.finding("F-05")
@pytest.mark.rule("9.4-CG5-b", "9.6151-d")
def test_who_was_listed_for_tt14_may_enter_there_when_its_arrow_is_shut(tells: Tells) -> None:
    """P-59: the sheet says so for Day III, and only for who waits there."""
    waits = piece("b1", BRITISH, "6-4-8", "off-map TT14", area="TT14", listed_at="TT14")
    for date, words in (
        (CGDate.DAY_3, "Off map at TT14, where only they may enter (9.6151): 6-4-8 b1."),
        (CGDate.DAY_2, "Off map at TT14: 6-4-8 b1."),
        (CGDate.DUSK, "Off map at TT14: 6-4-8 b1."),
    ):
        state = coming(date, waits)
        assert words in card(state, "CG6", "british")
        assert "b1" not in card(state, "", "german")
    tells(card(coming(CGDate.DAY_3, waits), "CG5"), "British", "Entry", "Areas", "Z28")
    later = coming(CGDate.DAY_3, waits, house_rules={"P-59": "arrow-dates"})
    tells(card(later, "CG6", "british"), "later")


@pytest.mark.rule("9.4-CG5-c")
def test_all_german_entry_areas_are_open_at_their_cost() -> None:
    costs = {"A7": 0, "J0": 2, "U1": 4, "KK1": 6}
    assert eligible_arrows(coming(CGDate.DAY_1), GERMAN, BOARD) == costs
    less = {"A7": 0, "J0": 0, "U1": 2, "KK1": 4}
    assert eligible_arrows(coming(CGDate.DAY_1, balance="german"), GERMAN, BOARD) == less


@pytest.mark.rule("9.4-CG6-c", "9.4-CG6-d")
def test_the_card_lists_what_enters_and_what_a_missed_entry_means(tells: Tells) -> None:
    state = coming(
        CGDate.DAY_1,
        piece("g1", GERMAN, "4-6-7", area="J0", rg="I4-1"),
        piece("g2", GERMAN, "4-6-7", area="A"),
        piece("b1", BRITISH, "6-4-8", "off-map Z28", area="Z28"),
    )
    tells(card(state, "CG6", "german"), "J0", "4-6-7", "g1")
    tells(card(state, "CG6", "british"), "Z28", "6-4-8", "b1")
    assert "g1" not in card(state, "", "british")
    told = card(state, "CG6")
    tells(told, "Turn 1")
    tells(told, "Player", "Turn", "Retained")


@pytest.mark.rule("9.6151-a", "9.6152-h", "9.6152-i")
@pytest.mark.parametrize("listed", ["note 1", "note 3"])
def test_the_card_tells_who_is_held_off_map_from_who_may_enter_at_z28(listed: str) -> None:
    """Z28 is open to a reinforcement of notes 1 and 3 only while no Setup Area can take it."""
    type = "57L AT" if listed == "note 3" else "6-4-8"
    held = piece("b1", BRITISH, type, "off-map Z28", area="Z28", listed_at=listed)
    other = piece("b2", BRITISH, "6-4-8", "off-map Z28", area="Z28")
    shut = coming(CGDate.DAWN, held, other, british=["X22"], gliders={"X22": "landed"})
    assert says(card(shut, "9.6151", "british"), type, "b1")
    assert "b1" not in card(shut, "CG6", "british")
    assert says(card(shut, "CG6", "british"), "Z28", "b2")
    assert "b1" not in card(shut, viewer="german")
    opened = coming(CGDate.DAWN, held, other)
    assert says(card(opened, "CG6", "british"), "Z28", "b1", "b2")
    assert not card(opened, "9.6151", "british")


# -- CG7, CG11 ---------------------------------------------------------------------------


@pytest.mark.rule("9.4-CG7-a")
def test_every_pzkpfw_ivh_has_schuerzen(tells: Tells) -> None:
    state = coming(
        CGDate.DAY_1,
        piece("g1", GERMAN, "PzKpfw IVH", area="A7", aamg=True),
        piece("g2", GERMAN, "PzKpfw IVH", area="A7", aamg=False),
        piece("g3", GERMAN, "Marder", area="A7"),
    )
    tells(card(state, "CG7", "german"), "Schuerzen", "IVH", "g1", "g2", "Optional", "AAMG")
    assert card(state, "CG7", "british") == ""


@pytest.mark.rule("9.4-CG11-c", "9.4-CG11-d")
def test_guns_are_towed_at_dusk_only() -> None:
    assert [date for date in CGDate if may_tow(date, PEGASUS_BRIDGE.frame)] == [CGDate.DUSK]
    assert dates_with("CG11", "No Gun", "towed") == list(CGDate)[:-1]
    assert dates_with("CG11", "Guns", "towed") == [CGDate.DUSK]


def test_the_card_says_where_each_gun_may_set_up(tells: Tells) -> None:
    state = coming(
        CGDate.DAY_1,
        piece("g-at", GERMAN, "50L AT", "X20"),
        piece("b-at", BRITISH, "57L AT", "Y24"),
    )
    tells(card(state, "CG11", "german"), "50L", "AT", "X20")
    tells(card(state, "CG11", "british"), "most 3", "57L", "AT", "Y24")
    assert "b-at" not in card(state, "CG11", "german")


@pytest.mark.rule("9.4-CG9-b")
def test_when_a_secretly_recorded_marker_is_placed() -> None:
    told = card(coming(CGDate.DAY_1), "CG9")
    for words in (
        "BU, CE, TCA, bogged, Immobilized, abandoned, malfunctioned and disabled",
        "once the piece is not concealed",
        "enemy ground unit within 16 hexes has LOS",
    ):
        assert words in told  # fmt: skip
    assert dates_with("CG9", "secret", "setup") == list(CGDate)


@pytest.mark.rule("9.4-CG10-a", "9.4-CG10-b", "9.4-CG10-c", "9.4-CG10-d", "9.4-CG10-e")
def test_who_may_begin_concealed() -> None:
    told = card(coming(CGDate.DAY_1), "CG10")
    for words in (
        "Infantry that sets up in concealment terrain may be concealed, whatever the enemy sees",
        "a vehicle only out of enemy LOS",
        "Locations out of LOS of all enemy Setup Areas count as concealment terrain",
        "Conceal before the enemy looks",
        '"?" bought or received at night are Dummies',
    ):
        assert words in told
    assert dates_with("CG10", "may", "concealed") == list(CGDate)


# -- CG12: Panzerfaust -------------------------------------------------------------------


@pytest.mark.rule("9.4-CG12-a")
def test_half_a_panzerfaust_per_german_squad_set_up_on_map(tells: Tells) -> None:
    squads = [piece(f"g{n}", GERMAN, "4-6-7", "M12", area="A") for n in range(5)]
    others = [
        piece("h", GERMAN, "2-4-7", "M12", area="A"),
        piece("l", GERMAN, "9-1", "M12", area="A"),
        piece("e", GERMAN, "4-6-7", "off-map A7", area="A7"),
        piece("f", GERMAN, "4-6-7", area="KK1"),
        piece("p", GERMAN, "4-6-7", "M12", status="prisoner"),
        piece("b", BRITISH, "6-4-8", "Y21", area="A"),
    ]
    state = coming(CGDate.DAY_1, *squads, *others)
    assert panzerfaust_halves(state) == 5
    assert panzerfaust_usable(5) == 2
    tells(card(state, "CG12", "german"), "2 can", "2½", "Panzerfaust")
    assert "2½" not in card(state, "CG12", "british")
    tells(card(coming(CGDate.DAY_1, squads[0]), "CG12"), "Panzerfaust", "0")
    assert card(coming(CGDate.DAY_1), "CG12").startswith("0 Panzerfaust")


@pytest.mark.rule("9.4-CG12-b")
@settings(max_examples=50, deadline=None)
@given(st.integers(0, 60), st.integers(0, 30))
def test_each_squad_that_enters_adds_half_and_a_half_alone_is_none(start: int, more: int) -> None:
    halves = panzerfaust_after(start, more, PEGASUS_BRIDGE.frame)
    assert halves == start + more
    assert 2 * panzerfaust_usable(halves) in (halves, halves - 1)
    assert panzerfaust_usable(1) == 0


# -- CG13: Snipers -----------------------------------------------------------------------

BUILDING = {"german": {"german": ("II13",)}, "british": {"british": ("II13",)}, "": {}}


@pytest.mark.rule("9.4-CG13-a", "9.4-CG13-b")
@pytest.mark.parametrize("date", list(CGDate))
@pytest.mark.parametrize(("holder", "german"), [("german", 6), ("british", 2), ("", 4)])
def test_ii13_moves_the_german_san_by_day(date: CGDate, holder: str, german: int) -> None:
    state = coming(date, san={GERMAN: 4, BRITISH: 3}, **BUILDING[holder])
    assert san_in_force(state, GERMAN) == (4 if date.is_night else german)
    assert san_in_force(state, BRITISH) == 3
    assert state.san[GERMAN] == 4  # the SAN without II13 stays apart


@pytest.mark.rule("9.4-CG13-a")
@pytest.mark.parametrize(("base", "expected"), [(2, 4), (5, 7), (6, 7), (7, 7)])
def test_ii13_lifts_the_san_to_7_at_most(base: int, expected: int) -> None:
    state = coming(CGDate.DAY_1, san={GERMAN: base, BRITISH: 2}, **BUILDING["german"])
    assert san_in_force(state, GERMAN) == expected


@pytest.mark.rule("9.4-CG13-b")
@pytest.mark.parametrize(
    ("rule", "base", "expected"), [("floor-0", 2, 0), ("floor-0", 1, 0), ("floor-2", 3, 2)]
)
def test_the_floor_of_the_german_san_by_house_rule(rule: str, base: int, expected: int) -> None:
    state = coming(
        CGDate.DAY_1, san={GERMAN: base, BRITISH: 2}, house_rules={"C-25": rule},
        **BUILDING["british"],
    )  # fmt: skip
    assert san_in_force(state, GERMAN) == expected


def test_ii13_by_house_rule_and_with_both_sides_in_the_building(tells: Tells) -> None:
    fields = {"san": {GERMAN: 4, BRITISH: 3}, **BUILDING["german"]}
    assert san_in_force(coming(CGDate.DAY_1, house_rules={"C-24": "once"}, **fields), GERMAN) == 4
    first = coming(CGDate.DAWN, campaign="CG2", **fields)
    assert san_in_force(first, GERMAN) == 6
    later = change(first, house_rules={"C-75": "from-second"})
    assert san_in_force(later, GERMAN) == 4
    assert san_in_force(change(later, date=CGDate.DAY_1), GERMAN) == 6
    shared = coming(
        CGDate.DAY_1, san={GERMAN: 4, BRITISH: 3}, german=("II13",), british=("II13/1",)
    )
    assert san_in_force(shared, GERMAN) == 4
    tells(card(first, "CG13"), "SAN 6", "4 without", "German", "II13", "Germans", "Control")


@pytest.mark.rule("9.4-CG13-c")
def test_two_snipers_ten_hexes_apart_or_as_far_as_can_be(tells: Tells) -> None:
    wide = ["A1", "A11", "A20"]
    assert snipers_apart("A1", "A11", wide, BOARD, PEGASUS_BRIDGE.frame)
    assert not snipers_apart("A1", "A10", [*wide, "A10"], BOARD, PEGASUS_BRIDGE.frame)
    narrow = ["A1", "A3", "A7"]
    assert snipers_apart("A1", "A7", narrow, BOARD, PEGASUS_BRIDGE.frame)
    assert not snipers_apart("A3", "A7", narrow, BOARD, PEGASUS_BRIDGE.frame)
    tells(card(coming(NIGHT_1)), "2 Sniper", "10 hexes")


@pytest.mark.rule("9.4-CG13-d", "9.4-CG13-e")
def test_a_dr_with_equal_chances_says_which_sniper_attacks(tells: Tells) -> None:
    drawn = [acting_sniper(dr, PEGASUS_BRIDGE.frame) for dr in range(1, 7)]
    assert drawn == [1, 1, 1, 2, 2, 2]
    told = card(coming(CGDate.DAWN), "CG13")
    tells(told, "1-3", "4-6")
    tells(told, "SAN")


# -- CG17-CG19 ---------------------------------------------------------------------------


@pytest.mark.rule("9.4-CG17-e", "9.4-CG17-f", "9.4-CG17-g")
def test_the_limits_of_walking_wounded_mmc_are_told_with_their_names(tells: Tells) -> None:
    state = coming(
        CGDate.DAY_1,
        piece("b1", BRITISH, "6-4-8", "Y21", status="walking-wounded", airborne=True),
        piece("b2", BRITISH, "6-4-8", "Y21", airborne=True),
    )
    told = card(state, "CG17")
    tells(told, "3 MF", "Wounded", "6-4-8", "b1")
    tells(told, "IPC 2", "+1", "CC", "-1")
    assert "b2" not in told
    assert "Walking Wounded: " not in card(coming(CGDate.DAY_1), "CG17")
    tells(card(state, "CG17", viewer="german"), "3 MF", "IPC 2", "+1", "CC", "-1")
    assert "3 MF" not in card(coming(NIGHT_1), "CG17")


@pytest.mark.rule("9.2-an", "9.4-CG17-e", "9.4-CG3-a")
@pytest.mark.parametrize(
    ("side", "lost"),
    [
        (BRITISH, piece("w", BRITISH, "6-4-8", status="walking-wounded", airborne=True)),
        (GERMAN, piece("j", GERMAN, "2-3-8", formation="Fallschirmjaeger Regiment 6")),
    ],
)
def test_what_a_shift_in_secret_has_cost_the_other_sides_card_does_not_tell(
    side: Side, lost: Piece
) -> None:
    """The DR of 9.613 are Secret: Eliminated by one or not, the enemy's card is the same."""
    before, after = coming(CGDate.DAY_1, lost), coming(CGDate.DAY_1)
    assert card(before, viewer=side) != card(after, viewer=side)
    assert card(before, viewer=side.other) == card(after, viewer=side.other)


@pytest.mark.rule("9.4-CG18-a", "9.4-CG18-b")
@pytest.mark.parametrize("campaign", ["CG1", "CG2"])
def test_light_at_dawn_and_dusk(tells: Tells, campaign: str) -> None:
    words = "LV Hindrance"
    assert dates_with("CG18", words, campaign=campaign) == [CGDate.DAWN, CGDate.DUSK]
    tells(card(coming(CGDate.DAWN), "CG18"), "+1", "LV", "Hindrance", "CC")
    tells(card(coming(CGDate.DUSK), "CG18"), "Wind", "Change", "DR", "Turn")


@pytest.mark.rule("9.4-CG19-a")
def test_the_game_end_dr_stands_on_every_card() -> None:
    assert dates_with("CG19", "Player Turn", "Turn 5") == list(CGDate)


# -- Units with something of their own ---------------------------------------------------


def test_fanatic_recalled_and_hidden_units_are_told_to_their_owner(tells: Tells) -> None:
    state = coming(
        CGDate.DAY_1,
        piece("b1", BRITISH, "6-4-8", "Y21", status="fanatic"),
        piece("g1", GERMAN, "PzKpfw IVH", "M14", status="recall"),
        piece("g2", GERMAN, "4-6-7", "M12", hip=True),
    )
    tells(card(state, "9.6112", "british"), "6-4-8", "b1")
    tells(card(state, "9.6141c", "german"), "Recall")
    assert "HIP: 4-6-7 g2." in card(state, "9.619", "german")
    other = {Side.BRITISH: ("g1", "g2"), Side.GERMAN: ("b1",)}
    for side, secrets in other.items():
        seen = card(state, "", side)
        assert not any(f" {id}" in seen for id in secrets)


def test_isolated_pieces_suffer_ammunition_shortage(tells: Tells) -> None:
    state = campaign_at(
        "9.620",
        piece("b1", BRITISH, "6-4-8", "Z15/1", possesses="b-lmg"),  # above the enemy's ground level
        piece("b-lmg", BRITISH, "LMG", "Z15/1"),
        piece("b2", BRITISH, "6-4-8", "Y24"),
        piece("g1", GERMAN, "4-6-7", "Z15"),
        piece("g2", GERMAN, "4-6-7", "Z15/1", status="prisoner", guarded_by="b1"),
        british=("Z15/1", "Y20"),
        german=("Z15",),
    )
    areas = state.areas
    assert [each.id for each in ammunition_shortage(state, areas)] == ["b1", "b-lmg"]
    assert ammunition_shortage(state, None) == []
    marked = change(
        state,
        at="scenario",
        pieces=tuple(
            msgspec.structs.replace(each, ammo_shortage=True) for each in state.pieces[2:3]
        ),
    )
    assert [each.id for each in ammunition_shortage(marked, areas)] == ["b2"]
    found = card_for(scenario_card(state, BOARD, areas), "british")
    texts = [each.text for each in found if each.rule == "9.62021"]
    tells(texts, "Isolated", "Ammunition Shortage", "6-4-8 b1", "LMG b-lmg")
    off_map = change(state, pieces=tuple(_retained(each, areas) for each in state.pieces))
    assert [each.id for each in ammunition_shortage(off_map, areas)] == ["b1", "b-lmg"]


@pytest.mark.finding("F-04")
def test_who_has_left_an_isolated_area_suffers_no_shortage_and_who_has_come_there_does() -> None:
    """F-04: it is where a piece is Retained that counts, not the hex it Escaped from."""
    state = campaign_at(
        "9.620",
        piece("b1", BRITISH, "6-4-8", "P12", area="C"),
        piece("b2", BRITISH, "6-4-8", "W21", area="A"),
        piece("b3", BRITISH, "6-4-8", "P12", area="A"),
        piece("b4", BRITISH, "6-4-8", "W21", area="C"),
        british=("P12", "W21", "X22", "T20"),
        german=("U12", "Y19", "T19", "P14"),
        fortifications=[Fortification(kind=FortificationKind.TRENCH, at="W21")],
    )
    areas = state.areas
    away, home = (
        areas.area_of(BRITISH, Location.parse("P12")),
        areas.area_of(BRITISH, Location.parse("W21")),
    )
    assert away is not None
    assert home is not None
    assert (away.isolated, home.isolated) == (True, False)
    named = {"C": home.id, "A": away.id}
    pieces = tuple(msgspec.structs.replace(each, area=named[each.area]) for each in state.pieces)
    state = change(state, pieces=pieces)
    assert [each.id for each in ammunition_shortage(state, areas)] == ["b2", "b3"]


@pytest.mark.finding("F-04")
def test_who_has_shifted_has_freedom_of_movement_by_where_he_is_now() -> None:
    """F-04: south of hexrow CC is where the unit is Retained, for Night II."""
    moved = piece("g1", GERMAN, "4-4-7", "M12", area="B")
    back = piece("g2", GERMAN, "4-4-7", "HH11", area="A")
    state = campaign_at("9.620", moved, back, german=("M12", "HH11"), date=NIGHT_1)
    assert [area.id for area in state.areas.areas[GERMAN]] == ["A", "B"]
    state = change(state, date=NIGHT_2)
    assert freedom_of_movement(state, state.piece("g1"), BOARD)
    assert not freedom_of_movement(state, state.piece("g2"), BOARD)


def _retained(each: Piece, areas: AreaMap) -> Piece:
    """The piece as 9.606 and later steps keep it: by its Setup Area alone."""
    area = areas.area_of(each.side, each.location)
    return msgspec.structs.replace(each, at="", area=area.id if area else "")


# -- The SSR of the Initial Scenarios ----------------------------------------------------


@pytest.mark.rule("9.2-u", "9.51-l", "9.51-r", "9.51-s", "9.51-t")
def test_the_ssr_of_the_initial_scenario_are_told_for_it_alone() -> None:
    first = card(coming(NIGHT_1))
    for words in (
        "SSR I-1: no Wind Change DR in the first RPh; Night rules are in effect",
        "in British Player Turn 1 the Germans make only TPBF attacks",
        "only their leaders fire starshells, from a hex kept secret unless it works",
        "a Kfz 1 without Passengers is Abandoned and may neither move nor change CA",
    ):
        assert words in first
    assert not any("SSR I-" in card(coming(date)) for date in list(CGDate)[1:])
    assert "SSR II-1" in card(coming(CGDate.DAWN, campaign="CG2"))
    assert "SSR II-1" not in card(coming(CGDate.DAWN))
