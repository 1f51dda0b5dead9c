"""9.605 Setup Area Determination, step by step; the areas themselves are in test_areas_*.py."""

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

from asl_pbcg.campaign.areas.area_map import Territory, areas_report
from asl_pbcg.campaign.entry.position_files import read_position
from asl_pbcg.campaign.position import Fortification
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.state.campaign_state import Campaign, change, possessor
from asl_pbcg.campaign.state.ob_merge import take_position
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.chronicle.reph_sheets import AreaLine, area_table, area_title
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.views import for_side
from asl_pbcg.refit.helpers.situation import is_isolated, territory
from asl_pbcg.refit.s603_rally import rally_and_unloading
from asl_pbcg.refit.s604_encirclement import encirclement_minefields_bog_shock
from asl_pbcg.refit.s605_areas import setup_area_determination, with_name
from asl_pbcg.refit.sequence import CampaignGame

EXAMPLE = read_position(data_path("pb/samples/worked-example.yaml"))


def before(*pieces: Piece, **fields: Any) -> Campaign:
    return campaign_at("9.605", *pieces, determined=False, **fields)


def example() -> Campaign:
    """The worked example of 9.6054 at the end of its scenario."""
    return take_position(before(date=EXAMPLE.date), EXAMPLE)


def run(state: Campaign, answers: dict[str, Any] | None = None) -> tuple[Campaign, Log]:
    return run_step(state, setup_area_determination, by_point(answers or {}))


def areas(state: Campaign, *ids: str) -> list[str]:
    return [state.piece(id).area for id in ids]


# -- Control -------------------------------------------------------------------------------------


@pytest.mark.rule("9.605-b")
def test_a_side_may_place_a_control_marker_it_has_forgotten(tells: Tells) -> None:
    state = before(british=["K12"], german=["M12"])
    answers = {"9.605.1": ["C9 german, M12 nobody", "confirmed"]}
    after, lines = run(state, answers)
    assert after.control.german == ("C9",)
    assert after.control.british == ("K12",)
    tells(told(lines), "C9", "German-Controlled")
    assert all(not each.side for each in lines.prompts("9.605.1"))  # both sides agree
    assert [each.strategic_locations for each in after.areas.areas[GERMAN]]


@pytest.mark.rule("9.605-c")
def test_a_marker_goes_with_control() -> None:
    state = before(british=["K12"], german=["M12"])
    after, _ = run(state, {"9.605.1": ["K12 german", "confirmed"]})
    assert after.control.british == ()
    assert after.control.german == ("K12", "M12")


@pytest.mark.rule("9.605-c", "9.605-d")
def test_a_marker_comes_off_what_is_no_strategic_location_any_more(tells: Tells) -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "H10")  # got free of bog in 9.6043
    after, lines = run(before(tank, german=["H10", "M12"]))
    assert after.control.german == ("M12",)
    tells(told(lines), "Strategic Location", "H10")
    assert all(
        "H10" not in map(str, each.strategic_locations) for each in after.areas.areas[GERMAN]
    )


@pytest.mark.rule("9.605-d")
def test_other_locations_get_no_control_marker(tells: Tells) -> None:
    _, log = run(before(german=["M12"]), {})
    (confirm,) = log.prompts("9.605.1")
    tells(refusal(confirm, "H10 german"), "Strategic Location")
    assert confirm.check("Y18 german") == "Y18 german"  # a Location of Pegasus Bridge (SSR PB4)
    assert "9.605" in refusal(confirm, "H10 german")
    assert "not a change" in refusal(confirm, "what?")
    assert "ZZ99" in refusal(confirm, "ZZ99 british")
    assert confirm.check("m12=British; c9 nobody") == "M12 british, C9 nobody"


@pytest.mark.rule("9.605-b", "9.605-c")
def test_control_in_doubt_is_asked_of_both_sides() -> None:
    state = before(
        piece("b1", BRITISH, "6-4-8", "M12"),
        piece("b2", BRITISH, "2-4-8", "C9"),
        piece("b3", BRITISH, "9-1", "K3"),  # an SMC gains no Control
        piece("b4", BRITISH, "6-4-8", "D14", status="unarmed"),
        piece("g1", GERMAN, "4-6-7", "K12"),
        piece("b5", BRITISH, "6-4-8", "K12"),
        piece("g2", GERMAN, "4-6-7", "H10"),
        german=["M12", "D14"],
    )
    after, log = run(state, {"9.605.1a": ["british", "nobody", "nobody"]})
    doubts = log.prompts("9.605.1a")
    assert [(each.where, each.side, each.default) for each in doubts] == [
        ("C9", "", "british"),
        ("K12", "", "nobody"),  # both sides are there and nobody Controls it
        ("M12", "", "british"),
    ]
    assert after.control.british == ("C9",)
    assert after.control.german == ("D14",)


@pytest.mark.finding("G-15")
@pytest.mark.parametrize("held", ["", "british", "german"])
def test_an_uncontrolled_gun_with_its_crew_and_an_enemy_puts_control_in_doubt(held: str) -> None:
    gun = piece("gun", GERMAN, "50L AT", "H10")
    crew = piece("c1", GERMAN, "2-2-8", "H10", possesses="gun")
    squad = piece("b1", BRITISH, "6-4-8", "H10")
    control = {held: ["H10"]} if held else {}
    after, log = run(before(gun, crew, squad, **control), {"9.605.1a": "german"})
    assert [(each.where, each.default) for each in log.prompts("9.605.1a")] == (
        [] if held else [("H10", "nobody")]
    )
    assert ("H10" in after.control.german) is (held != "british")


@pytest.mark.finding("G-09")
@pytest.mark.parametrize("held", ["", "british"])
def test_what_happens_after_cg_scenario_end_gains_no_control(held: str) -> None:
    """9.3: a prisoner Rearmed in 9.6041, or who is alone since the enemy is Eliminated there."""
    guard = piece("g1", GERMAN, "4-6-7", "M12", status="encircled")
    ward = piece("b1", BRITISH, "6-4-8", "M12", status="prisoner", guarded_by="g1")
    ended = campaign_at("9.603", guard, ward, determined=False, british=["M12"] if held else [])
    ended, _ = run_step(ended, rally_and_unloading, by_point({}))
    assert ended.occupants == {"M12": GERMAN}
    rearmed, _ = run_step(
        change(ended, at="9.604"),
        encirclement_minefields_bog_shock,
        by_point({"9.6041.1a": "fails", "9.6041.1": "fails"}),
    )
    assert not rearmed.piece("b1").is_prisoner
    after, log = run(change(rearmed, at="9.605"), {})
    # The German squad held the Location at CG-Scenario End.
    assert [each.default for each in log.prompts("9.605.1a")] == ["german"]
    assert after.control.german == ("M12",) and not after.control.british


def test_a_vehicle_immobilized_just_now_makes_its_location_strategic() -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "H10", status="immobilized")
    after, log = run(before(tank, german=["M12"]), {})
    assert [each.where for each in log.prompts("9.605.1a")] == ["H10"]
    assert after.control.german == ("H10", "M12")
    assert after.piece("v1").area == "A"


def test_a_vehicle_in_bypass_does_not_put_control_in_doubt() -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "M12", status="immobilized", bypass="M12/M13")
    after, log = run(before(tank, british=["M12"]), {})
    assert not log.prompts("9.605.1a")
    assert after.control.british == ("M12",)
    assert after.piece("v1").area == ""  # the British may Capture or Eliminate it in 9.6071


def test_an_enemy_leader_keeps_a_side_from_gaining_control() -> None:
    squad = piece("b1", BRITISH, "6-4-8", "M12")
    leader = piece("g1", GERMAN, "8-0", "M12")
    after, log = run(before(squad, leader, german=["M12"]), {})
    assert not log.prompts("9.605.1a")
    assert after.control.german == ("M12",)


def test_a_pillbox_listed_by_its_hex_is_not_in_doubt() -> None:
    box = Fortification(kind=FortificationKind.PILLBOX, at="H10", owner=GERMAN)
    squad = piece("g1", GERMAN, "4-6-7", "H10/pillbox")
    _, log = run(before(squad, german=["H10"], fortifications=[box]), {})
    assert not log.prompts("9.605.1a")
    _, log = run(before(squad, fortifications=[box]), {})
    assert [each.where for each in log.prompts("9.605.1a")] == ["H10/pillbox"]


@pytest.mark.parametrize(
    ("rule", "kept"), [("last-controller", ("H10", "M12")), ("neutral", ("M12",))]
)
def test_house_rule_c08_an_unpossessed_gun(rule: str, kept: tuple[str, ...]) -> None:
    gun = piece("g1", GERMAN, "50L AT", "H10")
    state = before(gun, german=["H10", "M12"], house_rules={"C-08": rule})
    after, _ = run(state)
    assert after.control.german == kept
    crew = piece("c1", GERMAN, "2-2-8", "H10", possesses="g1")
    state = before(gun, crew, german=["H10", "M12"], house_rules={"C-08": rule})
    assert run(state)[0].control.german == ("H10", "M12")


# -- The map ---------------------------------------------------------------------------------------


@pytest.mark.rule("9.605-a", "9.6054-d", "9.6054-f")
def test_the_map_of_a_date_is_kept_and_the_same_for_both(tells: Tells) -> None:
    state = example()
    after, lines = run(state)
    assert state.determined is None
    found = after.areas
    again = CampaignGame().decode(CampaignGame().encode(after))
    assert areas_report(again.areas) == areas_report(found)
    for side in Side:
        seen = told(for_side(lines, side.value))
        tells(seen, "Setup Area D", "British", "Location", "Z15/1", "Isolated")
        tells(seen, "Setup Area A", "German")
        tells(seen, "No Man's Land")
        assert "Y21" in seen
    # It stays whatever becomes of the Locations in later steps.
    later = change(again, control=after.control.__class__(), gliders=(), terrain=())
    assert areas_report(later.areas) == areas_report(found)


@pytest.mark.rule("9.6054-b")
@pytest.mark.parametrize(("choice", "passes"), [("joins-only", False), ("control-passes", True)])
def test_house_rule_c_05_control_of_an_enclosed_empty_area(choice: str, passes: bool) -> None:
    ring = ["T4", "T5", "U4", "U6", "V4", "V5"]
    holes = [Fortification(kind=FortificationKind.FOXHOLE, at=at, size=1) for at in [*ring, "U5"]]
    gun = piece("m1", GERMAN, "LMG", "U5")
    state = before(
        gun, british=ring, german=["U5"], fortifications=holes, house_rules={"C-05": choice}
    )
    after, lines = run(state)
    assert ("U5" in after.control.british, after.control.german) == (
        (True, ()) if passes else (False, ("U5",))
    )
    assert says(told(lines), "U5", "British", "Setup Area") is passes
    where = Territory.ENEMY if passes else Territory.FRIENDLY
    assert territory(after, after.piece("m1")) is where


@pytest.mark.rule("9.2-l")
@pytest.mark.finding("G-19")
@pytest.mark.parametrize(
    ("house", "cliff", "bar"),
    [
        ({}, False, False),
        ({"P-01": "stop"}, False, False),
        ({"P-01": "bars"}, True, False),
        ({"P-01": "cross"}, True, True),
    ],
)
def test_house_rule_p_01_cliffs_and_black_bars(
    house: dict[str, str], cliff: bool, bar: bool
) -> None:
    # A Cliff hexside parts O15 from O16, the black bar of a row house HH4 from HH5.
    state = before(british=["O15", "HH4", "HH5"], house_rules=house)
    board = state.board
    assert board.crossable("O15", "O16") is cliff
    assert board.crossable("HH4", "HH5") is bar
    after, _ = run(state)
    assert after.areas.board is board


@pytest.mark.finding("F-13")
@pytest.mark.rule("9.6052-a")
@pytest.mark.parametrize(
    ("closed", "house", "isolated"),
    [
        ("all", {}, True),
        ("none", {}, False),
        ("all", {"P-26": "infantry-path"}, False),
    ],
)
def test_a_vehicle_needs_a_path_that_a_vehicle_can_take(
    closed: str, house: dict[str, str], isolated: bool
) -> None:
    """P-26: out of the trench in B8 Infantry walks off the map, a tank only through the stream."""
    tank = piece("v1", GERMAN, "PzKpfw IVH", "B8")
    foot = piece("g1", GERMAN, "4-6-7", "B8")
    stuck = piece("v2", GERMAN, "PzKpfw IVH", "B8", status="immobilized")
    trench = [Fortification(kind=FortificationKind.TRENCH, at="B8")]
    state = before(tank, foot, stuck, german=["B8"], fortifications=trench, house_rules=house)

    def answer(prompt: Prompt) -> Any:
        if prompt.id == "9.6052.1":
            return [option.id for option in prompt.options] if closed == "all" else "none"
        return prompt.default if prompt.default is not None else prompt.legal[0].id

    after, lines = run_step(state, setup_area_determination, answer)
    assert bool(lines.prompts("9.6052.1")) is not bool(house)
    assert {prompt.about for prompt in lines.prompts("9.6052.1")} <= {"v1"}
    assert after.cut_off == (("v1",) if isolated else ())
    found = {each.id: is_isolated(after, each) for each in after.pieces}
    assert found == {"v1": isolated, "g1": False, "v2": False}
    assert says(told(lines), "path", "vehicle") is isolated


def test_a_vehicle_with_sure_ground_to_an_entry_area_is_not_asked_about() -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "A14")
    trench = [Fortification(kind=FortificationKind.TRENCH, at="A14")]
    after, log = run(before(tank, german=["A14"], fortifications=trench))
    assert not log.prompts("9.6052.1")
    assert not after.cut_off


@pytest.mark.finding("F-30")
@pytest.mark.rule("9.6054-d")
def test_setup_areas_are_named_by_a_correction_and_nobody_is_asked(tells: Tells) -> None:
    after, log = run(example(), {})
    assert not log.prompts("9.605.4")
    game = CampaignGame()
    for path, name in (("area_names/british/A", "Chateau"), ("area_names/british/c", "Mill")):
        after, line = game.correct(after, path, name)
        assert name in line.text and not line.secret
    assert after.area_names == {"british/A": "Chateau", "british/C": "Mill"}
    tells(area_title(after, BRITISH, "C"), "Setup Area C")
    assert area_title(after, GERMAN, "A") == "Setup Area A"
    for path, name in (("area_names/british/E", "x"), ("area_names/british/A", " ")):
        with pytest.raises(PBCGError):
            game.correct(after, path, name)


# -- 9.6051 ----------------------------------------------------------------------------------------


def trenches(*places: str) -> list[Fortification]:
    """German trenches, so that their hexes are Strategic Locations."""
    return [Fortification(kind=FortificationKind.TRENCH, at=at, owner=GERMAN) for at in places]


BETWEEN = {"british": ["M12"], "german": ["Q12"]}
"""Controlled buildings with No Man's Land in O11 between them."""


@pytest.mark.rule("9.6051-d", "9.6056-f", "9.6056-i")
@pytest.mark.parametrize(
    ("type", "status"),
    [("Marder", "immobilized ma-malfunctioned"), ("PzKpfw IVH", "bogged ma-disabled")],
)
def test_an_immobile_vehicle_without_ma_in_no_mans_land(
    tells: Tells, type: str, status: str
) -> None:
    at = "O11"
    tank = piece("v1", GERMAN, type, at, status=status)
    leader = piece("al", GERMAN, "9-1 Armor Leader", at, aboard="v1")
    after, lines = run(before(tank, leader, **BETWEEN), {"9.6051.wreck": "no"})
    assert after.piece("v1").status == (*status.split(), "abandoned")
    assert after.piece("v1").area == ""
    (crew,) = [each for each in after.pieces if each.kind == "crew"]
    assert (crew.at, crew.area, crew.side) == (at, "", GERMAN)
    assert territory(after, crew) is Territory.NO_MANS_LAND  # 9.606 finds it there
    assert after.piece("al").aboard == ""
    tells(told(lines), "Immobile", "MA", "Abandoned")
    assert lines.prompts("9.6051.wreck")[0].side == "german"


@pytest.mark.rule("9.6051-d")
@pytest.mark.parametrize("status", ["", "ma-disabled"])
def test_a_mobile_vehicle_in_no_mans_land_stays_manned(status: str) -> None:
    tank = piece("v1", GERMAN, "Marder", "O11", status=status)
    after, _ = run(before(tank, **BETWEEN))
    assert after.piece("v1") == tank


def test_a_truck_without_crew_is_abandoned_alone() -> None:
    truck = piece("v1", GERMAN, "Kfz 1", "O11", status="bogged")
    after, _ = run(before(truck, **BETWEEN))
    assert after.piece("v1").has("abandoned")
    assert len(after.pieces) == 1


@pytest.mark.rule("9.6056-i")
def test_the_abandoning_crew_removes_weapons_and_wrecks_the_vehicle() -> None:
    at = "O11"
    tank = piece("v1", GERMAN, "PzKpfw IVH", at, status="immobilized ma-malfunctioned")
    answers = {
        "9.6051.removal": ("BMG",),
        "catalogue.scrounges": "LMG",
        "catalogue.wreck": "yes",
        "9.6051.wreck": "wreck",
    }
    after, _ = run(before(tank, **BETWEEN), answers)
    (crew,) = [each for each in after.pieces if each.kind == "crew"]
    (gun,) = [each for each in after.pieces if each.is_weapon]
    assert (gun.type, crew.possesses) == ("LMG", (gun.id,))
    assert [(each.kind.value, each.at) for each in after.terrain] == [("wreck", at)]
    assert all(not each.is_vehicle for each in after.pieces)


# -- 9.6053 ----------------------------------------------------------------------------------------


@pytest.mark.rule("9.6053-b")
def test_the_squad_of_the_example_goes_to_setup_area_c(tells: Tells) -> None:
    after, lines = run(example())
    assert after.piece("b13").area == "C"
    tells(told(lines), "Setup Area C", "1 hex", "b13", "W25", "Retained")


@pytest.mark.rule("9.6053-b", "9.6053-f")
def test_equipment_goes_along_out_of_uncontrolled_territory(tells: Tells) -> None:
    state = before(
        piece("b1", BRITISH, "6-4-8", "W25", possesses="m1 gun"),
        piece("m1", BRITISH, "LMG", "W25"),
        piece("gun", BRITISH, "57L AT", "W25", status="malfunctioned"),
        piece("m2", BRITISH, "LMG", "W25"),
        piece("p1", GERMAN, "4-6-7", "W25", status="prisoner", guarded_by="b1"),
        piece("v1", BRITISH, "Loyd Carrier", "W25", tows="gun2"),
        piece("gun2", BRITISH, "57L AT", "W25", status="hooked"),
        piece("b2", BRITISH, "3-3-8", "W25", aboard="v1"),
        british=["X22"],
        gliders={"X22": "landed"},
    )
    after, lines = run(state)
    assert areas(after, "b1", "m1", "v1", "gun2", "b2") == ["A"] * 5
    assert after.piece("b2").aboard == "v1"
    tells(told(lines), "v1", "W25", "57L", "AT", "gun2", "3-3-8", "b2")
    assert areas(after, "gun", "m2", "p1") == ["A", "", ""]
    assert possessor(after, "gun") == after.piece("b1")
    assert after.piece("p1").guarded_by == "b1"
    tells(told(lines), "57L", "AT", "W25")
    assert "LMG m2 in W25" in told(lines)


@pytest.mark.finding("G-19")
@pytest.mark.rule("9.6053-b")
@pytest.mark.parametrize(
    ("house", "place", "goes"),
    [({}, "W25", True), ({"P-38": "stays"}, "W25", False), ({}, "W29", False)],
)
def test_house_rule_p38_a_gun_goes_along_where_cg11_lets_it_set_up(
    house: dict[str, str], place: str, goes: bool
) -> None:
    state = before(
        piece("b1", BRITISH, "2-2-8", place, possesses="gun"),
        piece("gun", BRITISH, "57L AT", place, status="malfunctioned"),
        british=["X22"],
        gliders={"X22": "landed"},
        house_rules=house,
    )
    after, _ = run(state)
    assert after.piece("b1").area
    assert (after.piece("gun").area, after.piece("gun").at) == ("A" if goes else "", place)
    assert (possessor(after, "gun") is not None) is goes


@pytest.mark.rule("9.6053-b")
def test_an_isolated_area_will_do(tells: Tells) -> None:
    # West of the canal, with the bridge in German hands: no way to Z28.
    squad = piece("b1", BRITISH, "6-4-8", "F10")
    after, lines = run(before(squad, british=["C9"], german=["Y19", "Y20"]))
    assert after.areas[BRITISH, "A"].isolated
    assert after.piece("b1").area == "A"
    tells(told(lines), "Setup Area A", "Retained", "Isolated")
    assert is_isolated(after, after.piece("b1"))


@pytest.mark.rule("9.6053-b")
def test_an_eligible_entry_area_may_be_nearest(tells: Tells) -> None:
    squad = piece("g1", GERMAN, "4-6-7", "B8", possesses="m1")
    weapon = piece("m1", GERMAN, "LMG", "B8")
    after, lines = run(before(squad, weapon, german=["O16"]))
    for id in ("g1", "m1"):
        assert (after.piece(id).area, after.piece(id).at) == ("A7", "off-map A7")
    tells(told(lines), "Entry Area A7", "Retained")


@pytest.mark.rule("9.6053-c")
def test_the_owner_chooses_among_areas_that_are_equally_near() -> None:
    lone = piece("g1", GERMAN, "4-6-7", "F8")
    after, log = run(
        before(lone, german=["F4", "F12"], fortifications=trenches("F4", "F12")),
        {"9.6053.1": "B"},
    )
    (tie,) = log.prompts("9.6053.1")
    assert tie.side == "german"
    assert [option.id for option in tie.options] == ["A", "B"]
    assert "not a choice" in refusal(tie, "C")
    assert after.piece("g1").area == "B"


@pytest.mark.rule("9.6053-d")
def test_without_a_path_a_unit_is_left_to_escape(tells: Tells) -> None:
    squad = piece("b1", BRITISH, "6-4-8", "F10")  # nothing British west of the canal
    after, lines = run(
        before(squad, british=["Y24"], german=["Y19", "Y20"], fortifications=trenches("Y24"))
    )
    assert after.piece("b1") == squad
    tells(told(lines), "Eligible", "Entry")


@pytest.mark.parametrize(("shut", "length"), [((), "2 hexes"), (("A11", "A12"), "4 hexes")])
def test_the_owner_says_what_a_vehicle_could_not_enter(
    tells: Tells, shut: tuple[str, ...], length: str
) -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "A13")
    after, lines = run(before(tank, german=["O16"]), {"9.6053.2": [shut, ()]})
    first, *_ = lines.prompts("9.6053.2")
    assert first.side == "german"
    assert [option.id for option in first.options] == ["A12", "A11"]  # as its path runs
    assert after.piece("v1").area == "A7"
    tells(told(lines), "Entry Area A7", length)


@pytest.mark.rule("9.6053-e", "9.6056-f")
def test_an_immobile_vehicle_in_uncontrolled_territory(tells: Tells) -> None:
    tank = piece("v1", GERMAN, "Marder", "F8", status="immobilized ma-malfunctioned")
    after, lines = run(
        before(tank, german=["F4"], fortifications=trenches("F4")), {"9.6053.wreck": "no"}
    )
    (crew,) = [each for each in after.pieces if each.kind == "crew"]
    assert crew.area == "A"
    assert (after.piece("v1").area, after.piece("v1").at) == ("", "F8")
    assert after.piece("v1").has("abandoned")
    tells(told(lines), "Setup Area A", "Retained")


# -- 9.6055, 9.6057 ------------------------------------------------------------------------------


@pytest.mark.rule("9.6053-e")
def test_an_armor_leader_goes_along_with_the_crew_that_abandons_its_vehicle() -> None:
    tank = piece("v1", GERMAN, "PzKpfw IVH", "H10", status="immobilized ma-disabled")
    leader = piece("al", GERMAN, "9-1 Armor Leader", "H10", aboard="v1")
    after, _ = run(before(tank, leader, german=["M12"]))
    (crew,) = [each for each in after.pieces if each.kind == "crew"]
    assert (crew.area, after.piece("al").area, after.piece("al").aboard) == ("A", "A", "")
    assert after.piece("v1").has("abandoned")


@pytest.mark.rule("9.6055-a", "9.6055-b")
def test_what_stands_in_a_friendly_setup_area_is_retained_in_it() -> None:
    state = before(
        piece("g1", GERMAN, "4-6-7", "K12", possesses="gun"),
        piece("gun", GERMAN, "50L AT", "K12"),
        piece("m1", GERMAN, "MMG", "K11"),
        piece("v1", GERMAN, "PzKpfw IVH", "K11"),
        piece("b1", BRITISH, "6-4-8", "K12", status="prisoner", guarded_by="g1"),
        piece("g2", GERMAN, "4-6-7", "off-map A7", area="A7"),
        german=["K12"],
        british=["Z20"],
    )
    after, _ = run(state)
    assert areas(after, "g1", "gun", "m1", "v1", "b1", "g2") == ["A", "A", "A", "A", "", "A7"]
    assert [each.at for each in after.pieces] == [each.at for each in state.pieces]
    assert possessor(after, "gun") == after.piece("g1")


@pytest.mark.rule("9.6055-a", "9.6057-b")
def test_the_example_retains_by_location(tells: Tells) -> None:
    state = example()
    after, lines = run(state)
    for piece_ in after.pieces:
        if piece_.is_prisoner or not piece_.on_map:
            continue
        here = after.areas.area_of(piece_.side, piece_.location)
        if here:
            assert piece_.area == here.id
            assert is_isolated(after, piece_) == after.areas.is_isolated(
                piece_.side, piece_.location
            )
    tells(told(lines), "Isolated", "British")


# -- 9.6058 ----------------------------------------------------------------------------------------


def dozing(date: CGDate, **fields: Any) -> Campaign:
    return before(
        piece("south", GERMAN, "4-6-7", "M12", status="no-move"),
        piece("lost", GERMAN, "4-6-7", "H10", status="no-move"),
        piece("north", GERMAN, "4-6-7", "KK14", status="no-move"),
        piece("cc", GERMAN, "4-6-7", "CC12", status="no-move"),
        piece("awake", GERMAN, "4-6-7", "M12", status="freedom-of-movement"),
        date=date,
        german=["M12", "KK14", "DD11"],
        **fields,
    )


@pytest.mark.rule("9.6058-a")
def test_no_move_units_begin_night_2_where_they_are(tells: Tells) -> None:
    after, lines = run(dozing(CGDate.NIGHT_1))
    assert after.piece("south").status == ("no-move",)
    assert (after.piece("south").at, after.piece("south").area) == ("M12", "A")
    # In no German Setup Area: neither 9.6053 nor Escape moves it.
    assert (after.piece("lost").at, after.piece("lost").area) == ("H10", "")
    tells(told(lines), "Night II", "Locations")
    assert after.piece("awake").status == ("freedom-of-movement",)


@pytest.mark.rule("9.6058-b")
def test_on_and_north_of_hexrow_cc_they_are_free() -> None:
    after, lines = run(dozing(CGDate.NIGHT_1))
    for id in ("north", "cc"):
        assert after.piece(id).status == ("freedom-of-movement",)
        assert after.piece(id).area
    assert "4-6-7 north KK14" in told(lines)


@pytest.mark.rule("9.6058-c")
def test_all_germans_have_freedom_of_movement_for_night_3() -> None:
    after, _ = run(dozing(CGDate.NIGHT_2))
    assert all(each.status == ("freedom-of-movement",) for each in after.pieces)
    assert after.piece("lost").area  # nothing holds it any more


def test_no_move_counts_on_no_other_date() -> None:
    after, _ = run(dozing(CGDate.DAWN))
    assert after.piece("lost").area


# -- The page --------------------------------------------------------------------------------------


@pytest.mark.rule("9.6054-f")
def test_the_page_of_what_is_where() -> None:
    after, _ = run(example(), {})
    after = with_name(after, "british/C", "Mill")
    page = area_table(after)
    titles = [line.title for line in page]
    assert titles[:4] == [
        "British Setup Area A",
        "British Setup Area B",
        "British Setup Area C (Mill)",
        "British Setup Area D",
    ]
    assert titles[-3:] == ["No Man's Land", "Uncontrolled Territory", "in enemy Setup Areas"]
    shown = [line.id for area in page for line in area.pieces]
    assert sorted(shown) == sorted(
        each.id for each in after.pieces if each.kind not in ("fortification", "glider")
    )
    mill = next(line for line in page if line.name == "Mill")
    (squad,) = [line for line in mill.pieces if line.id == "b13"]
    assert squad.moved
    assert squad.says == "Retained here"


def test_the_page_hides_what_waits_off_map_from_the_other_side() -> None:
    waiting = piece("g2", GERMAN, "4-6-7", "off-map A7", area="A7")
    after, _ = run(before(waiting, german=["K12"]))

    def pieces(page: list[AreaLine]) -> list[str]:
        return [line.id for area in page for line in area.pieces]

    assert pieces(area_table(after, GERMAN)) == ["g2"]
    assert pieces(area_table(after)) == ["g2"]
    assert pieces(area_table(after, BRITISH)) == []


# -- Random play ---------------------------------------------------------------------------------


def scattered(source: random.Random) -> Campaign:
    """Both sides scattered over the map, with some buildings each."""
    columns = [*"BDFHJKLMNPRTVXZ", "BB", "DD", "FF", "HH", "KK"]
    places = [f"{column}{number}" for column in columns for number in range(3, 26, 3)]
    buildings = ["C9", "K12", "M12", "D14", "K3", "O16", "Z20", "DD11", "KK14", "Y20", "M10"]
    held: dict[str, list[str]] = {"british": [], "german": []}
    for place in buildings:
        side = source.choice(["british", "german", "none"])
        if side in held:
            held[side].append(place)
    types = {
        BRITISH: [
            "6-4-8",
            "2-4-8",
            "9-1",
            "2-2-8",
            "Churchill VII",
            "Loyd Carrier",
            "LMG",
            "57L AT",
        ],
        GERMAN: ["4-6-7", "2-4-7", "8-0", "PzKpfw IVH", "Kfz 1", "Marder", "MMG", "50L AT"],
    }
    pieces: list[Piece] = []
    for number in range(source.randint(5, 40)):
        side = source.choice([BRITISH, GERMAN])
        made = piece(
            f"u{number}", side, source.choice(types[side]), source.choice(places + buildings)
        )
        if made.is_vehicle:
            states = ["immobilized", "ma-disabled", "abandoned", "bogged"]
            made = piece(
                made.id,
                side,
                made.type,
                made.at,
                status=tuple(source.sample(states, source.randint(0, 3))),
            )
        elif made.is_personnel and source.random() < 0.2:
            made = piece(made.id, side, made.type, made.at, status="no-move")
        pieces.append(made)
        if made.is_personnel and source.random() < 0.3:
            weapon = "LMG"
            pieces.append(piece(f"w{number}", side, weapon, made.at))
            pieces[-2] = piece(
                made.id, side, made.type, made.at, status=made.status, possesses=f"w{number}"
            )
        if made.is_personnel and source.random() < 0.1:
            pieces.append(
                piece(
                    f"p{number}", side.other, types[side.other][0], made.at,
                    status="prisoner", guarded_by=made.id,
                )
            )  # fmt: skip
    return before(*pieces, date=source.choice(list(CGDate)[:-1]), **held)


@pytest.mark.parametrize("seed", range(30))
def test_random_answers_always_reach_the_end(seed: int) -> None:
    source = random.Random(seed)
    state = scattered(source)
    after, _ = run_step(
        state, setup_area_determination, lambda prompt: prompt.random_answer(source)
    )
    found = after.areas
    for each in after.pieces:
        if each.is_prisoner:
            assert not each.area
        elif each.on_map and found.area_of(each.side, each.location):
            assert each.area
        for item in each.possesses:
            assert after.piece(item).area == each.area or each.area == ""
    assert area_table(after)
