"""9.602 Marker Removal, 9.603 Rally and Unloading, CG-Scenario End; 9.51, 9.52 victory."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from refit_helpers import (
    BRITISH,
    GERMAN,
    by_point,
    campaign_at,
    piece,
    run_step,
    told,
)
from sentences import Tells, says

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.module.house_rules import campaign_rulings
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.position import Fortification, Terrain
from asl_pbcg.campaign.position_words import FortificationKind, TerrainKind
from asl_pbcg.campaign.scenario.victory import commando_loss, victory_road
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.piece_changes import remove
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import FaultsError
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.refit.corrections.soundness import check_correction
from asl_pbcg.refit.s601_results import lose_vp
from asl_pbcg.refit.s602_markers import marker_removal
from asl_pbcg.refit.s603_rally import rally_and_unloading
from asl_pbcg.refit.s950_initial import begin, orders_of_battle
from asl_pbcg.refit.sequence import CampaignGame


def cleared(*pieces: Piece, **fields: Any) -> tuple[Campaign, str]:
    state, lines = run_step(campaign_at("9.602", *pieces, **fields), marker_removal)
    return state, told(lines)


def rallied(*pieces: Piece, **fields: Any) -> tuple[Campaign, str]:
    state, lines = run_step(
        campaign_at("9.603", *pieces, **fields), rally_and_unloading, by_point({})
    )
    return state, told(lines)


# -- 9.602 -------------------------------------------------------------------------------


@pytest.mark.rule("9.602-a", "9.602-b", "9.602-c", "9.602-h")
def test_the_players_are_told_which_counters_come_off_the_map() -> None:
    _, log = cleared()
    for words in ("SR and FFE counters (1)", "SMOKE (2)", "Acquired counters (3)", "Sniper"):
        assert words in log


@pytest.mark.rule("9.602-d")
def test_morale_and_concealment_markers_come_off(tells: Tells) -> None:
    state, log = cleared(
        piece("b1", BRITISH, "6-4-8", "Y21", status="broken dm disrupted"),
        piece("b2", BRITISH, "6-4-8", "Y21", status="fanatic berserk concealed"),
        piece("b3", BRITISH, "6-4-8", "Y21", status="encircled wounded walking-wounded"),
        piece("g-h", GERMAN, "HMG", "M12", status="dm"),
        piece("g-t", GERMAN, "PzKpfw IVH", "M14", status="concealed"),
        dummies={BRITISH: 8, GERMAN: 2},
    )
    assert state.piece("b1").status == ("broken",)
    assert state.piece("b2").status == ()
    # Encircled markers stay until 9.6062 (9.6041); wounds are no markers of 9.602.
    assert state.piece("b3").status == ("encircled", "wounded", "walking-wounded")
    assert state.piece("g-h").status == ("dm",)  # a dismantled SW stays dismantled
    assert state.piece("g-t").status == ()
    assert state.dummies == {}
    tells(log, "Advantage", "HD", "Dummy", "Cloaking", "4")
    tells(log, "6-4-8", "b2", "IVH", "9.602(4")


@pytest.mark.rule("9.602-e")
def test_cx_motion_ce_bu_and_labor_come_off(tells: Tells) -> None:
    state, log = cleared(
        piece("b1", BRITISH, "6-4-8", "Y21", status="cx pinned"),
        piece("g-t", GERMAN, "PzKpfw IVH", "M14", status="motion ce immobilized"),
    )
    assert state.piece("b1").status == ()
    assert state.piece("g-t").status == ("immobilized",)
    tells(log, "BU", "Labor", "5")


@pytest.mark.rule("9.602-f", "9.602-g", "9.602-j")
def test_hidden_pieces_and_entrenchments_come_on_map_other_fortifications_do_not(
    tells: Tells,
) -> None:
    kinds = (
        FortificationKind.TRENCH, FortificationKind.FOXHOLE, FortificationKind.AP_MINES,
        FortificationKind.WIRE, FortificationKind.PILLBOX,
    )  # fmt: skip
    state, log = cleared(
        piece("g1", GERMAN, "4-6-7", "M12", status="hidden", hip=True),
        piece("g2", GERMAN, "4-6-7", "A3", status="cloaked"),
        piece("g-at", GERMAN, "50L AT", "X20", status="hidden emplaced"),
        fortifications=[
            Fortification(kind=kind, at="M12", owner=GERMAN, hidden=True) for kind in kinds
        ],
    )
    assert [state.piece(id).status for id in ("g1", "g2", "g-at")] == [(), (), ("emplaced",)]
    assert not state.piece("g1").hip
    assert [each.hidden for each in state.fortifications] == [False, False, True, True, True]
    assert log.index("g2 is placed") < log.index("g1 is placed")
    tells(log, "Inspection")
    assert "wire" not in log


@pytest.mark.rule("9.602-i", "9.4-CG4b-f")
@pytest.mark.parametrize(
    ("date", "stays"), [(CGDate.NIGHT_1, True), (CGDate.NIGHT_2, False), (CGDate.NIGHT_3, True)]
)
def test_no_move_counters_come_off_before_night_iii_only(date: CGDate, stays: bool) -> None:
    state, log = cleared(piece("g1", GERMAN, "4-4-7", "M12", status="no-move"), date=date)
    assert state.piece("g1").has("no-move") is stays
    assert says(log, "No Move", "stay") is stays


# -- 9.603 -------------------------------------------------------------------------------


@pytest.mark.rule("9.603-a")
def test_every_broken_unit_rallies_without_a_roll(tells: Tells) -> None:
    state, log = rallied(
        piece("b1", BRITISH, "6-4-8", "Y21", status="broken disrupted dm"),
        piece("g1", GERMAN, "4-6-7", "M12", status="broken encircled"),
        piece("g2", GERMAN, "4-6-7", "Y21", status="broken prisoner", guarded_by="b1"),
    )
    assert state.piece("b1").status == ()
    assert state.piece("g1").status == ("encircled",)
    assert state.piece("g2").status == ("broken", "prisoner")  # no broken unit: a prisoner
    tells(log, "British", "6-4-8", "b1", "9.603")
    tells(log, "Germans", "4-6-7", "g1", "9.603")


@pytest.mark.rule("9.603-b", "9.603-c")
def test_passengers_unload_and_mines_wait_for_9_6042(tells: Tells) -> None:
    mines = Fortification(kind=FortificationKind.AP_MINES, at="M14", owner=BRITISH, size=6)
    state, log = rallied(
        piece("g-t", GERMAN, "PzKpfw IVH", "M14"),
        piece("g1", GERMAN, "4-6-7", "M14", aboard="g-t", possesses="g-lmg"),
        piece("g-lmg", GERMAN, "LMG", "M14"),
        fortifications=[mines],
    )
    assert [state.piece(id).at for id in ("g1", "g-lmg")] == ["M14", "M14"]
    assert state.piece("g1").aboard == ""
    tells(log, "4-6-7", "g1", "M14", "9.6042")
    assert state.gone == ()


@pytest.mark.rule("9.603-c")
@pytest.mark.parametrize(
    ("kind", "hidden"), [("AP_MINES", True), ("AT_MINES", False), ("WIRE", False)]
)
def test_of_hidden_mines_nobody_is_told(kind: str, hidden: bool) -> None:
    there = Fortification(kind=FortificationKind[kind], at="M14", owner=BRITISH, size=6)
    _, log = rallied(
        piece("g-t", GERMAN, "PzKpfw IVH", "M14"),
        piece("g1", GERMAN, "4-6-7", "M14", aboard="g-t"),
        fortifications=[msgspec.structs.replace(there, hidden=hidden)],
    )
    assert "M14" in log
    assert "9.6042" not in log


@pytest.mark.rule("9.603-b")
def test_an_armor_leader_and_the_crew_of_a_captured_vehicle_stay_aboard() -> None:
    state, _ = rallied(
        piece("g-t", GERMAN, "PzKpfw IVH", "M14"),
        piece("g-al", GERMAN, "9-1 Armor Leader", "M14", aboard="g-t"),
        piece("g1", GERMAN, "2-4-7", "M14", aboard="g-t"),
        piece("b-t", BRITISH, "PzKpfw IVH", "Y22", status="captured"),
        piece("b1", BRITISH, "3-3-8", "Y22", aboard="b-t"),
        piece("b2", BRITISH, "3-3-8", "Y22", aboard="b-t"),
        piece("b3", BRITISH, "8-0", "Y22", aboard="b-t"),
    )
    aboard = {each.id: each.aboard for each in state.pieces if each.aboard}
    assert aboard == {"g-al": "g-t", "b1": "b-t"}


@pytest.mark.rule("9.603-b", "9.6053-a")
def test_who_is_aboard_an_abandoned_vehicle_is_no_crew_and_unloads() -> None:
    state, log = rallied(
        piece("b-t", BRITISH, "PzKpfw IVH", "Y22", status="captured immobilized abandoned"),
        piece("b-648-1", BRITISH, "6-4-8", "Y22", aboard="b-t"),
    )
    assert not state.piece("b-648-1").aboard
    assert "6-4-8 A-1 unloads into Y22" in log


@pytest.mark.rule("9.603-d", "9.2-d")
def test_cg_scenario_end_comes_with_the_end_of_9_603_and_not_earlier() -> None:
    state = campaign_at("9.602", piece("b1", BRITISH, "6-4-8", "Y21"))
    state, _ = run_step(state, marker_removal)
    assert not state.account.scenario_ended
    state, lines = run_step(state, rally_and_unloading, by_point({}))
    assert state.account.scenario_ended
    log = told(lines)
    for words in ("Dawn CG-Scenario End", "Pegasus Bridge: not met", "The road", "commandos"):
        assert words in log


@pytest.mark.rule("9.12-b")
def test_losses_after_9_603_do_not_count(tells: Tells) -> None:
    state, log = rallied(piece("g1", GERMAN, "4-6-7", "M12"), piece("b1", BRITISH, "6-4-8", "Y21"))
    tells(log, "British 0", "German 0", "VP")
    state = remove(state, "g1", "eliminated", "Encircled", "9.604")
    state, _ = run_step(state, lambda each: lose_vp(each, GERMAN, 2))
    assert state.account.cvp_lost.get(GERMAN, 0) == 0


# -- The bridge --------------------------------------------------------------------------


EIGHT = PEGASUS_BRIDGE.frame.victory.bridge["locations"]
"""SSR PB4: the eight non-Canal Locations adjacent to Y19 or Y20."""
BRIDGE = {"german": EIGHT}
DAYLIGHT = (CGDate.DAWN, CGDate.DAY_1, CGDate.DAY_2, CGDate.DAY_3, CGDate.DUSK)


@pytest.mark.finding("G-01")
def test_pegasus_bridge_is_its_eight_neighbours_that_are_not_canal() -> None:
    board = load_board()
    hexes = {place.partition("/")[0] for place in EIGHT}
    beside = board.grid.set(["Y19", "Y20"]).spread(1) - board.bridges
    assert hexes == set(beside - board.terrain("canal"))
    upper = {place.partition("/")[0] for place in EIGHT if "/" in place}
    assert upper == {name for name in hexes if name in board.buildings}
    assert len(EIGHT) == 8
    readings = PEGASUS_BRIDGE.rulings["P-09"].choices
    assert set(readings) == set(PEGASUS_BRIDGE.frame.victory.bridge)


@pytest.mark.rule("9.51-b", "9.2-b")
@pytest.mark.finding("G-01")
@pytest.mark.parametrize("date", DAYLIGHT)
def test_cg1_the_germans_win_by_control_of_the_bridge(date: CGDate) -> None:
    state, log = rallied(date=date, **BRIDGE)
    assert state.won_by is GERMAN
    assert says(log, date.title, "Germans", "8 of 8", *EIGHT, "9.51")
    assert CampaignGame().next_step(state) is None


@pytest.mark.rule("9.51-c")
@pytest.mark.parametrize("date", [CGDate.NIGHT_1, CGDate.NIGHT_2, CGDate.NIGHT_3])
def test_cg1_the_bridge_is_not_looked_at_at_night(tells: Tells, date: CGDate) -> None:
    state, lines = run_step(campaign_at("9.603", date=date, **BRIDGE), rally_and_unloading)
    assert not state.ended
    assert not lines.asked
    tells(told(lines), "Bridge")
    nothing_known = campaign_at("9.603", date=date)
    run_step(nothing_known, rally_and_unloading)  # no test at night: nothing is asked


@pytest.mark.rule("9.52-b")
@pytest.mark.finding("G-01")
@pytest.mark.parametrize("date", PEGASUS_BRIDGE.frame.campaigns["CG2"].dates)
def test_cg2_the_germans_win_by_control_of_the_bridge_at_any_date(date: CGDate) -> None:
    state, _ = rallied(date=date, campaign="CG2", **BRIDGE)
    assert state.won_by is GERMAN
    assert "(9.52)" in state.ended
    state, _ = rallied(date=date, campaign="CG2", british=EIGHT)
    assert (state.won_by is GERMAN) == (date is CGDate.DAY_2)  # no commandos east of the Canal


@pytest.mark.rule("9.51-b")
@pytest.mark.finding("G-01")
@pytest.mark.parametrize("british", EIGHT)
def test_seven_locations_and_both_decks_are_not_the_bridge(british: str) -> None:
    decks = [piece("g1", GERMAN, "4-6-7", "Y19"), piece("g2", GERMAN, "4-6-7", "Y20")]
    held = [place for place in EIGHT if place != british]
    state, log = rallied(*decks, german=[*held, "Y19", "Y20"], british=[british])
    assert not state.ended
    assert says(log, "Pegasus Bridge", "7 of 8", f"British {british}")


@pytest.mark.finding("G-01")
@pytest.mark.parametrize(
    ("german", "wins"),
    [
        ("X18 X20 Y18 Y21 Z18 Z20 Y19 Y20", True),
        ("X18 X20 Y18 Y21 Z18 Z20 Y19", False),
        ("Y19 Y20", False),
        (" ".join(EIGHT), False),
    ],
)
@pytest.mark.parametrize("stored", ["decks", "all", "any"])
def test_the_bridge_with_its_decks_by_house_rule(german: str, wins: bool, stored: str) -> None:
    """An earlier version offered P-09=all and P-09=any; both become the nearest choice."""
    state, _ = rallied(german=german.split(), house_rules={"P-09": stored})
    assert (state.won_by is GERMAN) is wins


@pytest.mark.finding("G-01")
@pytest.mark.parametrize("stored", ["all", "any"])
def test_a_campaign_with_a_choice_no_longer_offered_opens_with_a_remark(
    tells: Tells, stored: str
) -> None:
    begun = begin({"campaign": "CG1", "house_rules": {"P-09": stored}})
    state, lines = run_step(begun, orders_of_battle, balance=False)
    tells([line.text for line in lines], "P-09", stored, "decks")
    assert state.ruling("P-09") == "decks"
    other = change(state, house_rules={})
    check_correction(other, state, tuple(state.module.procedures))  # the old choice is not a fault
    with pytest.raises(FaultsError):
        campaign_rulings().read_typed(
            [f"P-09={stored}"], "--house-rule"
        )  # but no campaign begins with it


@pytest.mark.rule("9.51-b", "9.52-b")
@pytest.mark.finding("G-01")
@pytest.mark.parametrize(
    ("there", "gained"),
    [
        ([piece("g1", GERMAN, "4-6-7", "Y18", status="broken")], True),  # it rallies before
        ([piece("g1", GERMAN, "4-6-7", "Y18", aboard="h1"),
          piece("h1", GERMAN, "SPW 251/1", "Y18")], True),  # it unloads before
        ([piece("g1", GERMAN, "9-2", "Y18")], False),
        ([piece("g1", GERMAN, "PzKpfw IVH", "Y18")], False),
        ([piece("g1", GERMAN, "4-6-7", "Y18", status="unarmed")], False),
        ([piece("g1", GERMAN, "4-6-7", "Y18"), piece("b1", BRITISH, "3-3-8", "Y18")], False),
        ([piece("g1", GERMAN, "4-6-7", "Y18"),
          piece("b1", BRITISH, "3-3-8", "Y18", status="prisoner", guarded_by="g1")], True),
        ([piece("b1", BRITISH, "3-3-8", "Y18")], False),
    ],
)  # fmt: skip
def test_who_is_alone_in_a_location_of_the_bridge_controls_it(
    there: list[Piece], gained: bool
) -> None:
    seven = [place for place in EIGHT if place != "Y18"]
    state, log = run_step(
        campaign_at("9.603", *there, british=["Y18"], german=seven),
        rally_and_unloading,
    )
    assert not log.asked
    assert (state.won_by is GERMAN) is gained
    assert ("Y18" in state.control.british) is not gained
    state, log = run_step(
        campaign_at("9.603", *there, british=["Y18"], german=seven, date=CGDate.NIGHT_1),
        rally_and_unloading,
    )
    assert not log.asked
    assert ("Y18" in state.control.german) is gained  # on record for the next CG-Scenario End


@pytest.mark.finding("G-01")
@pytest.mark.parametrize(("answer", "wins"), [("german", True), ("british", False)])
def test_control_that_cannot_be_derived_is_asked_once(answer: str, wins: bool) -> None:
    five = [place for place in EIGHT if place not in ("Y18", "Y21", "Z18")]
    state, log = run_step(
        campaign_at("9.603", german=five),
        rally_and_unloading,
        by_point({"9.603.2": [answer, "german", "german"]}),
    )
    assert [each.id for each in log.asked] == ["9.603.2"] * 3
    assert (state.won_by is GERMAN) is wins
    assert ("Y18" in state.control.of(Side(answer))) is True
    again: list[Prompt | Roll] = []
    later = change(state, at="9.603", date=CGDate.DAY_1, ended="", won_by=None)
    state, _ = run_step(later, rally_and_unloading, asked=again)
    assert not again
    assert (state.won_by is GERMAN) is wins


@pytest.mark.finding("G-01")
@pytest.mark.parametrize("kind", [TerrainKind.RUBBLE_WOOD, TerrainKind.SHELLHOLE])
def test_the_upper_level_of_a_fallen_house_need_not_be_controlled(kind: TerrainKind) -> None:
    seven = [place for place in EIGHT if place != "Z20/1"]
    state, lines = run_step(
        campaign_at("9.603", german=seven, terrain=[Terrain(kind=kind, at="Z20")]),
        rally_and_unloading,
    )
    assert not lines.asked
    assert state.won_by is GERMAN
    assert says(told(lines), "7 of 7")


@pytest.mark.finding("G-01")
def test_nobody_controls_a_location_that_the_players_say_is_nobodys() -> None:
    seven = [place for place in EIGHT if place != "Y21"]
    state, log = rallied(german=seven)
    assert not state.ended
    assert says(log, "7 of 8", "uncontrolled Y21")


# -- The road ----------------------------------------------------------------------------


def test_the_road_runs_hex_by_hex_from_the_north_edge_over_the_bridge() -> None:
    board = load_board()
    road = victory_road(board, PEGASUS_BRIDGE.frame)
    for name in ("TT12", "NN12", "LL11", "JJ12", "II12", "EE12", "Y13", "Y19", "Y28", "Z28"):
        assert name in road
    assert len(road.pieces()) == 1
    assert all(board[name].road for name in road)


@pytest.mark.rule("9.51-d", "9.52-c")
@pytest.mark.parametrize("campaign", ["CG1", "CG2"])
@pytest.mark.parametrize(
    ("unit", "wins"),
    [
        (piece("g1", GERMAN, "4-6-7", "Y16"), True),
        (piece("g1", GERMAN, "2-2-8", "V17"), True),  # three hexes away, a crew is a MMC
        (piece("g1", GERMAN, "4-6-7", "U17"), False),  # four hexes away
        (piece("g1", GERMAN, "9-2", "Y16"), False),  # no MMC
        (piece("g1", GERMAN, "4-6-7", "Y16", status="prisoner", guarded_by="b1"), False),
        (piece("g1", GERMAN, "4-6-7", "Y16", status="unarmed"), False),
        (piece("g1", GERMAN, "4-6-7", "off-map A7"), False),
        (piece("g1", GERMAN, "4-6-7", "Y16", status="broken"), True),  # it rallies before
        (piece("g1", GERMAN, "PzKpfw IVH", "Y16"), False),
    ],
)
def test_the_germans_win_by_a_good_order_mmc_near_the_road_at_cg_end(
    tells: Tells, campaign: str, unit: Piece, wins: bool
) -> None:
    board = load_board()
    road = victory_road(board, PEGASUS_BRIDGE.frame)
    assert min(board.distance("V17", name) for name in road) == 3
    assert min(board.distance("U17", name) for name in road) == 4
    guard = piece("b1", BRITISH, "6-4-8", "Y16")
    state, _ = rallied(unit, guard, date=CGDate.DUSK, campaign=campaign)
    assert state.won_by is (GERMAN if wins else BRITISH)
    state, log = rallied(unit, guard, date=CGDate.DAY_3, campaign=campaign)
    assert not state.ended
    tells(log, "CG", "End")


@pytest.mark.rule("9.2-b", "9.3-a")
def test_the_british_win_at_dusk_if_the_germans_have_met_nothing(tells: Tells) -> None:
    state, _ = rallied(date=CGDate.DUSK)
    tells(state.ended, "British", "Dusk", "End")
    state, _ = rallied(date=CGDate.DAY_3)
    assert not state.ended
    assert CampaignGame().next_step(state)


# -- The commandos -----------------------------------------------------------------------


def commandos(east: int, west: int = 0, type: str = "6-4-8") -> list[Piece]:
    return [
        piece(f"b{number}", BRITISH, type, "Y24" if number < east else "M12")
        for number in range(east + west)
    ]


def day_2(*pieces: Piece, lost: int, **fields: Any) -> Campaign:
    """CG-Scenario End of Day II; ``lost``: CVP of commandos lost as the players say."""
    state, log = run_step(
        campaign_at("9.603", *pieces, date=CGDate.DAY_2, **fields),
        rally_and_unloading,
        by_point({"9.603.1": lost}),
    )
    assert [each.id for each in log.asked if each.id != "9.603.2"] == ["9.603.1"]
    return state


@pytest.mark.rule("9.51-e", "9.52-c")
@pytest.mark.parametrize("campaign", ["CG1", "CG2"])
@pytest.mark.parametrize(
    ("east", "lost", "both", "either"),
    [
        (4, 20, False, False),
        (4, 21, True, False),
        (3, 20, True, True),
        (3, 21, True, False),
        (15, 0, False, False),
    ],
)
def test_the_commandos_of_day_ii(
    campaign: str, east: int, lost: int, both: bool, either: bool
) -> None:
    for rule, wins in (("both", both), ("either", either)):
        state = day_2(*commandos(east, 5), lost=lost, campaign=campaign, house_rules={"C-01": rule})
        assert (state.won_by is GERMAN) is wins, rule
        assert bool(state.ended) is wins


@pytest.mark.rule("9.51-e")
def test_only_non_airborne_648s_and_338s_east_of_the_canal_count() -> None:
    four = commandos(3)
    for extra, wins in (
        (piece("x", BRITISH, "6-4-8", "Y24"), False),
        (piece("x", BRITISH, "6-4-8", "Y24", airborne=True), True),
        (piece("x", BRITISH, "4-5-8", "Y24"), True),
        (piece("x", BRITISH, "3-3-8", "Y24"), True),  # 7 VP
        (piece("x", BRITISH, "6-4-8", "Y17"), True),  # west
        (piece("x", BRITISH, "6-4-8", "Y24", status="prisoner", guarded_by="g1"), True),
        (piece("x", BRITISH, "6-4-8", "off-map TT14"), True),
    ):
        guard = piece("g1", GERMAN, "4-6-7", "Y24")
        state = day_2(*four, extra, guard, lost=0)
        assert (state.won_by is GERMAN) is wins, extra
    halves = [piece(f"h{n}", BRITISH, "3-3-8", "Y24") for n in range(8)]
    assert not day_2(*halves, lost=0).ended


@pytest.mark.rule("9.51-e")
def test_vp_worth_is_the_cvp_of_the_counter() -> None:
    assert day_2(*commandos(3), lost=0).won_by is GERMAN
    dear = {"british": {"6-4-8": {"cvp": 3}}}
    assert not day_2(*commandos(3), lost=0, catalogue_corrections=dear).ended


@pytest.mark.rule("9.51-e")
def test_the_loss_of_the_commandos_is_reckoned_from_what_day_ii_received() -> None:
    thirteen = commandos(10, 3)
    state = campaign_at("9.603", *thirteen, date=CGDate.DAY_2)
    assert commando_loss(state, state.catalogue) == 4
    reduced = [*thirteen[1:], piece("x", BRITISH, "3-3-8", "Y24"),
               piece("y", BRITISH, "4-5-7", "off-map TT14"),
               piece("a", BRITISH, "6-4-8", "Y24", airborne=True),
               piece("z", BRITISH, "6-4-8", "Y24", status="prisoner")]  # fmt: skip
    state = campaign_at("9.603", *reduced, date=CGDate.DAY_2)
    # The prisoner of 2 CVP counts double (A26.222).
    assert commando_loss(state, state.catalogue) == 30 - 24 - 1 - 2 + 2
    _, log = run_step(state, rally_and_unloading, by_point({}))
    (lost,) = (each for each in log.asked if each.id == "9.603.1")
    assert isinstance(lost, Prompt)
    assert lost.default == 5
    state = campaign_at("9.603", *reduced, date=CGDate.DAY_2, house_rules={"C-30": "no-prisoners"})
    assert commando_loss(state, state.catalogue) == 30 - 24 - 1 - 2 - 2
