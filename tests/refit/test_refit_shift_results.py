"""9.613 Shift Table and 9.6131: the DR, its DRM and results, and Control of what is vacated."""

from __future__ import annotations

from fractions import Fraction

import pytest
from refit_helpers import BRITISH, GERMAN, told
from sentences import Tells, says
from shift_help import campaign, example, german, places, prompts, rolls, shifted, unit

from asl_pbcg.campaign.module.campaign_tables import table
from asl_pbcg.kernel.prompts import Note, Prompt, Roll, Script, secretly

GO_B = [("C", ["b1"], "B")]  # 3 Uncontrolled-Territory hexes, no road: no DRM


# -- The table ----------------------------------------------------------------------------------


@pytest.mark.rule("9.613-i", "9.613-n", "9.613-o", "9.613-q")
@pytest.mark.parametrize(
    ("dice", "area"),
    [((1, 1), "B"), ((2, 6), "B"), ((3, 6), "C"), ((4, 6), "C"), ((6, 6), "")],
)
def test_the_results_of_a_secret_dr_without_drm(
    tells: Tells, dice: tuple[int, int], area: str
) -> None:
    state = campaign(unit("b1", "C", possesses="w"), unit("w", "C", "LMG"))
    after, lines = shifted(state, GO_B, [dice])
    (roll,) = lines.rolls()
    assert roll.table == table("shift")
    assert (roll.side, roll.secret, roll.given) == ("british", True, {"distance": 3})
    assert all(line.secret for line in lines)
    if area:
        assert {each.id: each.area for each in after.pieces} == {"b1": area, "w": area}
        assert after.piece("b1").shift_tried is after.date
    else:
        assert not after.pieces
        assert [(each.piece.id, each.how) for each in after.gone] == [
            ("b1", "eliminated"),
            ("w", "eliminated"),
        ]
    if area == "C":
        tells(told(lines), "Setup Area C", "CG Date", "Shift")


@pytest.mark.rule("9.613-u", "9.613-v")
@pytest.mark.parametrize(
    ("hexes", "road", "drm"),
    [(0, False, 0), (4, False, 0), (5, False, 1), (9, False, 1), (10, False, 2), (4, True, -1),
     (5, True, 0), (31, False, 6)],
)  # fmt: skip
def test_one_for_each_full_five_hexes_and_minus_one_for_a_road(
    hexes: int, road: bool, drm: int
) -> None:
    given = {"distance": hexes, "road": road}
    assert sum(each.value for each in table("shift").modifiers(given)) == drm
    safe = table("shift").odds(given)["shifted_safely"] if drm < 7 else Fraction(0)
    ways = sum(one + two + drm <= 8 for one in range(1, 7) for two in range(1, 7))
    assert safe == Fraction(ways, 36)


@pytest.mark.rule("9.613-u", "9.613-v", "9.613-n")
def test_the_drm_of_the_path_decide_the_dr(tells: Tells) -> None:
    road = example(unit("x1", "Z28"))
    after, lines = shifted(road, [("Z28", ["x1"], "C")], [(4, 5)])
    assert after.piece("x1").area == "C"  # 9 - 1 for the road
    tells(told(lines), "-1", "whole")
    far = campaign(unit("b1", "C"))
    after, lines = shifted(far, [("C", ["b1"], "A")], [(4, 4)])
    assert after.piece("b1").area == "C"  # 8 + 1 for six Uncontrolled-Territory hexes
    tells(told(lines), "+1", "Uncontrolled-Territory", "6")


@pytest.mark.rule("9.613-w")
def test_no_drm_from_one_entry_area_to_another(tells: Tells) -> None:
    state = campaign(german("g1", "A7"))
    after, log = shifted(state, [("A7", ["g1"], "J0")], [(2, 6)])
    (roll,) = log.rolls()
    assert roll.table
    assert roll.table.modifiers(roll.given) == ()
    assert places(after)["g1"] == ("J0", "off-map J0")
    beside = log.prompts("9.613.1c")[0].option("J0").consequence
    tells(beside, "DRM")


@pytest.mark.rule("9.613-j")
def test_no_dr_to_an_entry_area_beside_the_setup_area(tells: Tells) -> None:
    state = campaign(unit("b1", "C"), unit("b2", "Z28"))
    after, lines = shifted(state, [("C", ["b1"], "Z28")])
    assert lines.rolls() == []
    assert places(after)["b1"] == ("Z28", "off-map Z28")
    tells(told(lines), "Setup Area C", "Entry Area Z28", "DR")
    beside = lines.prompts("9.613.1c")[0].option("Z28")
    assert "no DR" in beside.consequence
    assert not beside.odds
    # Back from the Entry Area, and to one farther away, there is a DR.
    _, lines = shifted(state, [("Z28", ["b2"], "C")], [(1, 1)])
    assert len(lines.rolls()) == 1
    _, lines = shifted(campaign(german("g1", "A")), [("A", ["g1"], "J0")], [(1, 1)])
    assert len(lines.rolls()) == 1


# -- Casualties ---------------------------------------------------------------------------------

CASUALTIES = (5, 6)


@pytest.mark.rule("9.613-p", "9.613-r")
def test_each_personnel_unit_rolls_for_itself(tells: Tells) -> None:
    state = campaign(
        unit("b1", "C", possesses="w"),
        unit("b2", "C"),
        unit("b3", "C", "3-3-8", possesses="v"),
        unit("b4", "C", "9-1"),
        unit("b5", "C", "8-0"),
        unit("w", "C", "LMG"),
        unit("v", "C", "PIAT"),
    )
    orders = [("C", ["b1", "b2", "b3", "b4", "b5"], "B")]
    dice: list[tuple[int, ...] | int] = [CASUALTIES, 4, 3, 6, 4, 1]
    after, lines = shifted(state, orders, dice)
    thrown = [each.where for each in lines.rolls()[1:]]
    assert thrown == ["6-4-8 b1", "6-4-8 b2", "3-3-8 b3", "9-1 b4", "8-0 b5"]
    assert after.piece("b1").type == "3-3-8"
    assert after.piece("b2").type == "6-4-8"
    assert [each.piece.id for each in after.gone] == ["b3"]
    assert after.piece("b4").has("wounded")
    assert not after.piece("b5").has("wounded")
    assert all(each.area == "B" for each in after.pieces)
    assert after.piece("w").area == after.piece("v").area == "B"
    tells(told(lines), "Setup Area B", "PIAT")
    assert lines.prompts("9.613.4b")[0].secret


def test_an_smc_may_be_eliminated_by_his_wound() -> None:
    state = campaign(unit("b1", "C", "8-0"))
    after, _ = shifted(state, GO_B, [CASUALTIES, 6], wound="eliminated")
    assert [each.piece.id for each in after.gone] == ["b1"]


@pytest.mark.rule("9.613-s", "9.613-t")
@pytest.mark.parametrize(
    ("dice", "vehicle", "crew"),
    [([3], True, False), ([4, (2, 4)], False, True), ([6, (2, 5)], False, False)],
)
def test_each_vehicle_rolls_and_its_crew_makes_a_cs_dr(
    tells: Tells, dice: list[tuple[int, ...] | int], vehicle: bool, crew: bool
) -> None:
    tank = german("g1", "A", "PzKpfw IVH")
    state = campaign(tank, german("g2", "A", "9-1 Armor Leader", aboard="g1"), german("g3", "A"))
    # 2 Uncontrolled-Territory hexes to J0: no DRM
    after, lines = shifted(state, [("A", ["g1"], "J0")], [CASUALTIES, *dice])
    ids = {each.id for each in after.pieces}
    assert ("g1" in ids) == vehicle
    assert ("g2" in ids) == (vehicle or crew)
    crews = [each for each in after.pieces if each.type == "1-2-7"]
    assert len(crews) == crew
    if len(dice) > 1:
        (number,) = lines.prompts("9.613.4c")
        assert (number.default, number.secret) == (6, True)  # to be checked against the counter
        assert lines.rolls()[-1].given == {"number": 6}
    if crew:
        assert (crews[0].area, crews[0].at) == ("J0", "off-map J0")
        assert crews[0].shift_tried is after.date
        assert (after.piece("g2").area, after.piece("g2").aboard) == ("J0", "")
        tells(told(lines), "survives")


@pytest.mark.rule("9.613-t")
def test_a_sure_cs_number_is_not_asked_and_no_crew_makes_no_dr() -> None:
    corrections = {"german": {"PzKpfw IVH": {"crew_survival": 7}}}
    state = campaign(german("g1", "A", "PzKpfw IVH"), catalogue_corrections=corrections)
    asked: list[Prompt | Roll] = []
    after, _ = shifted(state, [("A", ["g1"], "J0")], [CASUALTIES, 4, (3, 4)], asked=asked)
    assert prompts(asked, "9.613.4c") == []
    assert [each.type for each in after.pieces] == ["1-2-7"]
    asked.clear()
    after, _ = shifted(
        campaign(german("g1", "A", "Kfz 1")), [("A", ["g1"], "J0")], [CASUALTIES, 4], asked=asked
    )
    assert not after.pieces
    assert len(rolls(asked)) == 2


def test_who_mans_a_vehicle_shares_its_lot() -> None:
    state = campaign(german("g1", "A", "PzKpfw IVH"), german("g2", "A", "2-4-7", aboard="g1"))
    for cs, left in (((1, 1), ["g2"]), ((6, 6), [])):
        after, _ = shifted(state, [("A", ["g1"], "J0")], [CASUALTIES, 4, cs])
        assert [each.id for each in after.pieces] == left
        assert all(each.area == "J0" and not each.aboard for each in after.pieces)


@pytest.mark.rule("9.613-q")
def test_twelve_or_more_eliminates_crews_and_equipment_too() -> None:
    state = campaign(
        german("g1", "A", "PzKpfw IVH"),
        german("g2", "A", "9-1 Armor Leader", aboard="g1"),
        german("g3", "A", possesses="w"),
        german("w", "A", "MMG"),
        german("g4", "A"),
    )
    after, _ = shifted(state, [("A", ["g1", "g3"], "J0")], [(6, 6)])
    assert [each.id for each in after.pieces] == ["g4"]
    assert {each.piece.id for each in after.gone} == {"g1", "g2", "g3", "w"}


@pytest.mark.rule("9.613-q")
def test_prisoners_share_the_lot_of_their_guard() -> None:
    pieces = [
        unit("b1", "A", at="L24"),
        german("g1", "", at="L24", status="prisoner", guarded_by="b1"),
    ]
    state = campaign(*pieces)
    after, _ = shifted(state, [("A", ["b1"], "Z28")], [(6, 6)])
    assert not after.pieces
    after, _ = shifted(state, [("A", ["b1"], "Z28")], [(1, 1)])
    assert places(after)["g1"] == ("", "off-map Z28")


def test_another_unit_takes_over_the_prisoner_of_a_guard_that_is_lost() -> None:
    pieces = [
        unit("b1", "A", "3-3-8"),
        unit("b2", "A"),
        german("g1", "", at="L24", status="prisoner", guarded_by="b1"),
    ]
    orders = [("A", ["b1", "b2"], "B")]
    after, _ = shifted(campaign(*pieces), orders, [CASUALTIES, 4, 1])
    assert [each.id for each in after.pieces] == ["b2", "g1"]
    assert after.piece("g1").guarded_by == "b2"


# -- 9.6131 -------------------------------------------------------------------------------------


@pytest.mark.rule("9.6131-a")
@pytest.mark.parametrize("dice", [(1, 1), (6, 6)])
def test_a_vacated_setup_area_stays_controlled_by_the_side_that_left_it(
    tells: Tells,
    dice: tuple[int, int],
) -> None:
    state = campaign(unit("b1", "C", possesses="w"), unit("w", "C", "LMG"))
    after, lines = shifted(state, GO_B, [dice])
    assert after.control == state.control
    assert [each.hexes for each in after.areas.areas[BRITISH]] == [
        each.hexes for each in state.areas.areas[BRITISH]
    ]
    tells(told(lines), "Setup Area C", "Locations", "9.6131")


@pytest.mark.rule("9.6131-a")
def test_an_area_that_others_hold_or_shift_into_is_not_vacated() -> None:
    state = campaign(unit("b1", "C"), unit("b2", "B"), unit("b3", "A"), unit("b4", "A"))
    orders = [("C", ["b1"], "B"), ("B", ["b2"], "C"), ("A", ["b3"], "B")]
    _, lines = shifted(state, orders, [(1, 1)] * 3)
    assert not says(told(lines), "9.6131")
    # An Entry Area is not a Setup Area.
    _, lines = shifted(campaign(unit("b1", "Z28")), [("Z28", ["b1"], "C")], [(1, 1)])
    assert not says(told(lines), "9.6131")


# -- Secrets --------------------------------------------------------------------------------------


@pytest.mark.rule("9.613-i")
def test_nothing_of_a_shift_is_seen_by_the_other_side() -> None:
    state = campaign(unit("b1", "C"), german("g1", "A"))
    orders = [("C", ["b1"], "B"), ("A", ["g1"], "J0")]
    _, lines = shifted(state, orders, [CASUALTIES, 4, CASUALTIES, 4])
    for line in lines:
        assert line.secret
        assert ("g1" if line.side == BRITISH else "b1") not in line.text
    assert {line.side for line in lines} == {BRITISH, GERMAN}


def test_a_script_run_secretly_shows_itself_to_one_side_only() -> None:
    def tell() -> Script[None]:
        yield Note("Something.", "9.613")

    assert next(secretly(tell(), "german")) == Note(
        text="Something.", rule="9.613", side="german", secret=True
    )
