"""9.613 Shift: who may try, where to, Deploying and Equipment. Rule: 9.613, 9.605, 9.6058."""

from __future__ import annotations

import msgspec
import pytest
from odds_help import odds_words
from refit_helpers import BRITISH, GERMAN, piece, refusal, run_step, told
from sentences import Tells, raised
from shift_help import (
    campaign,
    example,
    german,
    places,
    shifted,
    unit,
    where_to,
)

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.module.campaign_tables import table
from asl_pbcg.campaign.state.campaign_state import Campaign, ReceivedGroup, change
from asl_pbcg.campaign.state.piece_changes import add_pieces
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.tables import Modifier
from asl_pbcg.refit import s613_shift
from asl_pbcg.refit.helpers.unit_paths import ShiftWay, shift_ways
from asl_pbcg.refit.s613_shift import shift
from asl_pbcg.refit.setup.setup_rules import setups
from asl_pbcg.refit.setup.stacking import area_excess, locations_of

SAFE = (1, 2)


def legal(state: Campaign, area: str, *units: str) -> list[str]:
    options = where_to(state, area, units)
    return [id for id, option in options.items() if not option.refused]


# -- Who --------------------------------------------------------------------------------------


@pytest.mark.rule("9.613-a")
def test_each_owner_is_asked_in_secret_for_each_of_his_areas(tells: Tells) -> None:
    state = campaign(unit("b1", "A"), unit("b2", "Z28"), german("g1", "B"))
    _, lines = shifted(state, [])
    assert [(each.id, each.side) for each in lines.asked] == [
        ("9.613.1", "british"),
        ("9.613.1", "german"),
    ]
    for each in lines.asked:
        assert isinstance(each, Prompt)
        assert each.secret
    first = lines.asked[0]
    assert isinstance(first, Prompt)
    assert [(option.id, option.consequence) for option in first.options] == [
        ("A", "1 unit"),
        ("Z28", "1 unit"),
        ("done", ""),
    ]
    assert all(line.secret for line in lines)
    tells(told(lines), "British", "Shifts")
    tells(told(lines), "German", "Shifts")


def test_nobody_is_asked_if_no_unit_can_shift() -> None:
    _, lines = shifted(campaign(), [])
    assert lines.asked == []
    assert [line.side for line in lines] == ["british", "german"]


@pytest.mark.rule("9.613-g", "9.613-k", "9.613-y", "9.613-x")
def test_units_that_may_not_try(tells: Tells) -> None:
    state = campaign(
        unit("b1", "C"),
        unit("b2", "C", "57L AT"),
        unit("b3", "C", "Sherman V (DD)", status="immobilized"),
        unit("b4", "C", shift_tried=CGDate.DAY_1),
        unit("b5", "C", shift_tried=CGDate.DAWN),
        unit("b6", "C", "LMG"),
        unit("b7", "C", status="prisoner"),
    )
    _, log = shifted(state, [("C", ["b1"], "none")])
    (british,) = log.prompts("9.613.1a")
    assert [option.id for option in british.options] == ["b1", "b2", "b3", "b4", "b5"]
    tells(refusal(british, ["b2"]), "Gun", "Shift", "9.613")
    tells(refusal(british, ["b1", "b3"]), "Mobile", "9.613")
    tells(refusal(british, ["b4"]), "CG Date", "Shift", "9.613")
    assert british.check(["b5"]) == ["b5"]  # its last try was on another CG Date
    assert british.check("none") == []  # back to the areas
    for played in (CGDate.NIGHT_1, CGDate.NIGHT_2):
        held = german("g1", "B", "4-6-7", at="B12", status="no-move")
        state = campaign(german("g0", "B", "8-0"), held, played=played)
        _, log = shifted(state, [("B", ["g0"], "none")])
        (their,) = log.prompts("9.613.1a")
        assert their.check(["g0"]) == ["g0"]
        if played is CGDate.NIGHT_1:
            tells(refusal(their, ["g1"]), "Move", "Location", "9.6058")
        else:
            assert their.check(["g1"]) == ["g1"]  # a counter holds nobody before Night III


def test_an_order_may_be_given_up_at_each_prompt() -> None:
    state = campaign(unit("b1", "C"))
    answers = iter(["C", "none", "C", "b1", "none", "done"])
    after, log = run_step(state, shift, lambda prompt: next(answers))
    assert [each.id.removeprefix("9.613.") for each in log.asked] == [
        "1",
        "1a",
        "1",
        "1a",
        "1c",
        "1",
    ]
    assert change(after, seen=None) == state


@pytest.mark.rule("9.613-a")
def test_units_that_leave_the_map_later_or_have_not_entered_yet_do_not_shift(tells: Tells) -> None:
    commando = unit("b1", "C", formation="Reinforcements of Day II")
    airborne = unit("b2", "C", airborne=True)
    state = campaign(commando, airborne, unit("b3", "Z28", listed_at="Z28"), played=CGDate.DAY_2)
    _, log = shifted(state, [("C", ["b2"], "none")])
    areas = log.prompts("9.613.1")[0]
    tells(refusal(areas, "Z28"), "9.6152", "9.6151")
    units = log.prompts("9.613.1a")[0]
    tells(refusal(units, ["b1"]), "9.6153")


@pytest.mark.rule("9.613-a")
def test_what_is_isolated_stays_unless_house_rule_c16_lets_it(tells: Tells) -> None:
    pieces = [unit("x1", "C", at=""), unit("x2", "B", at=""), german("x3", "B", at="")]
    _, log = shifted(example(*pieces), [])
    british, german_areas = log.prompts("9.613.1")[0], log.prompts("9.613.1")[1:]
    tells(refusal(british, "B"), "Isolated", "9.613", "9.605")
    assert [option.id for option in british.legal] == ["C", "done"]
    assert german_areas == []
    _, log = shifted(example(*pieces, C_16="isolated-allowed"), [("C", ["x1"], "none")])
    to = log.prompts("9.613.1c")[0]
    tells(refusal(to, "B"), "9.613")


def test_an_area_without_a_way_out_is_refused() -> None:
    state = example(unit("x1", "C", at=""), german("x3", "B", at=""), C_16="isolated-allowed")
    _, log = shifted(state, [])
    areas = log.prompts("9.613.1")
    assert [each.side for each in areas] == ["british"]  # no way leads out of German Setup Area B


def test_an_armor_leader_goes_with_a_vehicle_only(tells: Tells) -> None:
    tank = german("g1", "A", "PzKpfw IVH")
    state = campaign(tank, german("g2", "A", "9-1 Armor Leader"), german("g3", "A"))
    after, log = shifted(state, [("A", ["g1", "g2"], "A7")])
    units = log.prompts("9.613.1a")[0]
    tells(raised(IllegalAnswer, lambda: units.check(["g2", "g3"])), "Armor", "Leader", "Shifts")
    assert places(after)["g2"] == ("A7", "off-map A7")
    # Without a vehicle that may go he is not offered at all.
    alone = campaign(german("g2", "A", "9-1 Armor Leader"), german("g3", "A"))
    _, log = shifted(alone, [("A", ["g3"], "none")])
    tells(refusal(log.prompts("9.613.1a")[0], ["g2"]), "D3.4")
    # Who is aboard goes along without being named.
    aboard = german("g2", "A", "9-1 Armor Leader", aboard="g1")
    after, _ = shifted(campaign(tank, aboard), [("A", ["g1"], "A7")])
    assert places(after)["g2"] == ("A7", "off-map A7")


# -- Where to -----------------------------------------------------------------------------------


@pytest.mark.rule("9.613-a")
def test_the_other_areas_with_path_drm_and_odds(tells: Tells) -> None:
    options = where_to(campaign(unit("b1", "C")), "C", ["b1"])
    assert list(options) == ["A", "B", "Z28", "TT14"]
    tells(options["A"].consequence, "Uncontrolled Territory", "11 hexes", "6", "+1")
    assert odds_words(options["A"].odds) == {
        "Shifts": "21/36 = 58%",
        "No Shift": "9/36 = 25%",
        "with Casualties": "3/36 = 8%",
        "all Eliminated": "3/36 = 8%",
    }
    tells(options["B"].consequence, "Uncontrolled Territory", "3", "DRM")
    assert options["B"].odds["Shifts"].words == "26/36 = 72%"
    tells(options["TT14"].refused, "Day I", "Eligible")
    assert options["TT14"].rule == "CG5"


@pytest.mark.finding("F-09")
@pytest.mark.rule("9.613-a")
def test_no_shift_to_an_area_without_room(tells: Tells) -> None:
    """F-09: T20 and its ring hold many, but a one-hex area three squads."""
    here = [unit(f"b{n}", "A") for n in range(2)]
    state = campaign(*here, unit("c1", "C"), unit("c2", "C"))
    area = state.areas[BRITISH, "A"]
    assert not area_excess(state, area)
    room = len(locations_of(state, area))
    many = [piece(f"m{n}", BRITISH, "6-4-8", area="A") for n in range(3 * room - 2)]
    full = campaign(*state.pieces, *many)
    assert not area_excess(full, area)
    coming = [full.piece("c1")]
    assert "squad-equivalents" in area_excess(full, area, coming)["squad"]
    assert not area_excess(full, area, coming, going=["b0"])
    option = where_to(full, "C", ["c1"])["A"]
    tells(option.refused, "room")
    assert option.rule == "A5.1"


@pytest.mark.rule("9.613-u", "9.613-v")
def test_a_road_and_the_distance_in_the_prompt(tells: Tells) -> None:
    state = example(unit("x1", "Z28"))
    option = where_to(state, "Z28", ["x1"])["C"]
    tells(option.consequence, "Uncontrolled Territory", "4", "-1")
    assert option.odds["Shifts"].words == "30/36 = 83%"


@pytest.mark.rule("9.613-a")
def test_isolated_setup_areas_are_refused_as_destinations(tells: Tells) -> None:
    options = where_to(example(unit("x1", "C", at="")), "C", ["x1"])
    tells(options["A"].refused, "Isolated")
    assert options["A"].rule == "9.605"
    tells(options["D"].refused, "Location")
    assert not options["Z28"].refused


@pytest.mark.rule("9.613-b")
def test_from_an_entry_area_to_the_next_one_or_a_setup_area(tells: Tells) -> None:
    state = campaign(german("g1", "A7"))
    options = where_to(state, "A7", ["g1"])
    assert [id for id, option in options.items() if not option.refused] == ["A", "B", "C", "J0"]
    for far in ("U1", "KK1"):
        tells(options[far].refused, "Entry", "A7")
    assert legal(campaign(german("g1", "U1")), "U1", "g1") == ["A", "B", "C", "J0", "KK1"]
    every = campaign(german("g1", "A7"), house_rules={"C-14": "any"})
    assert legal(every, "A7", "g1")[-3:] == ["J0", "U1", "KK1"]


@pytest.mark.rule("9.613-b")
def test_tt14_is_eligible_for_day_ii_and_dusk_only() -> None:
    for played, there in ((CGDate.DAWN, False), (CGDate.DAY_1, True), (CGDate.DAY_3, True)):
        state = campaign(unit("b1", "Z28"), played=played)
        assert ("TT14" in legal(state, "Z28", "b1")) == there


@pytest.mark.rule("9.613-c")
def test_a_path_must_be_enterable_by_all_units_of_the_group(tells: Tells) -> None:
    state = campaign(german("g1", "A"), german("g2", "A", "PzKpfw IVH"))
    assert not where_to(state, "A", ["g1"])["B"].refused
    assert not where_to(state, "A", ["g1", "g2"])["B"].refused
    closed = where_to(state, "A", ["g1", "g2"], to="B")
    tells(closed["B"].refused, "hexes")
    assert not closed["A7"].refused


@pytest.mark.finding("F-30")
def test_the_terrain_on_a_way_is_asked_of_when_it_is_chosen() -> None:
    """F-30: who Shifts to A7 is not log.asked of the hexes on the way to B."""
    state = campaign(german("g2", "A", "PzKpfw IVH"))
    _, log = shifted(state, [("A", ["g2"], "A7")])
    assert not log.prompts("9.613.1b")
    _, log = shifted(state, [("A", ["g2"], "B")], [SAFE])
    ids = [each.id for each in log.asked if each.id.startswith("9.613.1")]
    assert ids[-2:] == ["9.613.1c", "9.613.1b"]


@pytest.mark.rule("9.613-c", "9.613-l")
def test_a_group_goes_the_way_of_its_vehicles() -> None:
    state = campaign(unit("b1", "C", "Churchill VII"), unit("b2", "C"))
    orders = [("C", ["b1"], "A"), ("C", ["b2"], "A")]
    _, log = shifted(state, orders, [SAFE], closed="all")
    offered = [each.option("A").consequence for each in log.prompts("9.613.1c")]
    tank = next(each for each in offered if each.startswith("14 hexes, "))
    both = offered[-1]
    alone = where_to(state, "C", ["b2"])["A"].consequence
    assert alone.startswith("11 hexes, ")
    assert both == f"{tank}; with the group ordered there"
    (roll,) = log.rolls()
    assert roll.given == {"distance": 7}


@pytest.mark.finding("F-08")
@pytest.mark.rule("9.613-c")
def test_a_path_starts_in_its_setup_area_and_keeps_to_its_territory() -> None:
    state = campaign(unit("b1", "C"), german("g1", "B"))
    board = load_board()
    for who in ("b1", "g1"):
        piece_ = state.piece(who)
        areas = state.areas
        own = areas[piece_.side, piece_.area]
        ways = shift_ways(state, [piece_])
        assert len(ways) > 2
        for way in ways:
            assert way.path[0] in own.hexes
            allowed = areas.uncontrolled | areas.friendly(piece_.side)
            assert all(name in allowed for name in way.path)
            assert all(
                board.crossable(here, there)
                for here, there in zip(way.path, way.path[1:], strict=False)
            )


def test_by_house_rule_b05_a_german_enters_only_where_he_has_paid() -> None:
    group = ReceivedGroup(key="I4-1", id="I4", date=CGDate.DAWN, area="J0")
    state = campaign(german("g1", "A", rg="I4-1"), house_rules={"B-05": "paid-only"})
    state = change(state, groups=(group,))
    options = where_to(state, "A", ["g1"])
    assert not options["J0"].refused
    assert (options["U1"].refused, options["U1"].rule) == (
        "Only an RG that paid for it may enter there.",
        "9.61741",
    )


# -- Groups -------------------------------------------------------------------------------------


@pytest.mark.rule("9.613-l", "9.613-i")
def test_who_goes_one_way_goes_as_one_group_with_one_secret_dr(tells: Tells) -> None:
    state = campaign(unit("b1", "C"), unit("b2", "C"), unit("b3", "C"), unit("b4", "A"))
    orders = [("C", ["b1"], "B"), ("A", ["b4"], "B"), ("C", ["b2"], "B"), ("C", ["b3"], "A")]
    after, log = shifted(state, orders, [SAFE, SAFE, SAFE])
    made = log.rolls()
    assert [each.where for each in made] == [
        "Setup Area A to Setup Area B",
        "Setup Area C to Setup Area B",
        "Setup Area C to Setup Area A",
    ]
    assert "6-4-8 b1, 6-4-8 b2" in made[1].text
    assert all(each.secret and each.side == "british" for each in made)
    assert {id: area for id, (area, _) in places(after).items()} == {
        "b1": "B",
        "b2": "B",
        "b3": "A",
        "b4": "B",
    }
    second = log.prompts("9.613.1c")[2]
    tells(second.option("B").consequence, "ordered")
    areas = log.prompts("9.613.1")[-2]
    assert "Ordered: " in areas.text


@pytest.mark.rule("9.613-k")
def test_who_has_his_order_gets_no_other(tells: Tells) -> None:
    state = campaign(unit("b1", "C"), unit("b2", "C"))
    _, log = shifted(state, [("C", ["b1"], "B"), ("C", ["b2"], "none")], [SAFE])
    second = log.prompts("9.613.1a")[1]
    tells(refusal(second, ["b1"]), "9.613")


@pytest.mark.rule("9.613-k")
def test_one_attempt_per_cg_date_whatever_came_of_it() -> None:
    for dice, area in ((SAFE, "B"), ((4, 5), "C")):
        after, _ = shifted(campaign(unit("b1", "C")), [("C", ["b1"], "B")], [dice])
        assert after.piece("b1").shift_tried is CGDate.DAY_1
        again, log = shifted(after, [])
        assert log.asked == []
        assert again.piece("b1").area == area
    after, _ = shifted(campaign(unit("b1", "C")), [("C", ["b1"], "Z28")])
    assert after.piece("b1").shift_tried is CGDate.DAY_1


@pytest.mark.rule("9.613-x")
def test_on_the_next_cg_date_it_may_try_again() -> None:
    after, _ = shifted(campaign(unit("b1", "C")), [("C", ["b1"], "B")], [(4, 5)])
    later = change(after, date=CGDate.DAY_2)
    later, _ = shifted(later, [("C", ["b1"], "B")], [SAFE])
    assert later.piece("b1").area == "B"


# -- Deploying and Equipment ----------------------------------------------------------------------


@pytest.mark.rule("9.613-h", "9.4-CG17-i")
def test_a_squad_with_a_leader_may_deploy_and_leave_one_hs_behind() -> None:
    hs = "b-338-207"  # received in secret: its number tells nothing
    ww = unit("b1", "C", status="walking-wounded", airborne=True)
    state = campaign(ww, unit("b2", "C", "8-0"), unit("b3", "C", "4-5-8"))
    after, log = shifted(state, [("C", ["b1", "b2"], "B")], [SAFE], deploy="b1", stay=hs)
    (deploying,) = log.prompts("9.613.3")
    assert deploying.secret
    assert [option.id for option in deploying.options] == ["b1"]
    assert after.piece("b1").type == after.piece(hs).type == "3-3-8"
    assert after.piece("b1").status == after.piece(hs).status == ("walking-wounded",)
    assert {id: area for id, (area, _) in places(after).items()} == {
        "b1": "B",
        "b2": "B",
        "b3": "C",
        hs: "C",
    }
    assert after.piece(hs).shift_tried is None
    after, _ = shifted(state, [("C", ["b1", "b2"], "B")], [SAFE], deploy="b1")
    assert after.piece(hs).area == "B"


@pytest.mark.rule("9.613-h")
@pytest.mark.finding("G-09")
@pytest.mark.parametrize(("where", "deploys"), [("C", True), ("B", False)])
def test_a_squad_deploys_with_a_leader_retained_in_its_area(where: str, deploys: bool) -> None:
    """He need not go along."""
    state = campaign(unit("b1", "C"), unit("b2", where, "8-0"), unit("b3", "C", "1-4-9"))
    _, log = shifted(state, [("C", ["b1", "b3"], "B")], [SAFE])
    assert bool(log.prompts("9.613.3")) is deploys


@pytest.mark.rule("9.613-d", "9.613-e", "9.613-f")
@pytest.mark.parametrize(
    ("type", "status", "weapons", "limit"),
    [
        ("6-4-8", "", ["MMG"], None),
        ("6-4-8", "", ["MMG", "LMG"], 5),
        ("3-3-8", "", ["MMG", "LMG"], 5),
        ("2-2-8", "", ["LMG"] * 6, 5),
        ("6-4-8", "walking-wounded", ["LMG"] * 3, None),
        ("6-4-8", "walking-wounded", ["MMG"], 3),
        ("8-0", "", ["51 MTR"], None),
        ("8-0", "", ["51 MTR", "LMG"], 2),
        ("1-4-9", "", ["MMG"], 2),
        ("8-0", "wounded", ["LMG"], 0),
        ("8-0", "wounded", [], None),
    ],
)
def test_what_may_be_portaged(
    type: str, status: str, weapons: list[str], limit: int | None
) -> None:
    held = [unit(f"w{n}", "C", weapon) for n, weapon in enumerate(weapons)]
    carrier = unit("b1", "C", type, status=status, possesses=" ".join(each.id for each in held))
    actions = [] if limit is None else [f"drop:{each.id}" for each in held]
    state = campaign(carrier, *held)
    after, log = shifted(state, [("C", ["b1"], "B")], [SAFE], equipment=actions)
    found = log.prompts("9.613.3b")
    assert all(each.secret for each in found)
    if limit is None:
        assert not found or found[0].check("keep") == "keep"
        assert all(after.piece(each.id).area == "B" for each in held)
    else:
        pp = sum({"LMG": 1, "MMG": 5, "51 MTR": 2}[weapon] for weapon in weapons)
        assert refusal(found[0], "keep") == (
            f"{type} b1 may portage {limit} PP on Shift, not {pp}. (9.613)"
        )


@pytest.mark.rule("9.613-f")
def test_what_may_be_done_with_a_sw_before_the_shift() -> None:
    state = campaign(
        unit("b1", "C", possesses="w1 w2"),
        unit("b2", "C", "4-5-8"),
        unit("b3", "A", "4-5-8"),
        unit("w1", "C", "MMG"),
        unit("w2", "C", "LMG"),
    )

    def do(*actions: str) -> Campaign:
        return shifted(state, [("C", ["b1"], "B")], [SAFE], equipment=actions)[0]

    after = do("drop:w1", "keep")
    assert (after.piece("w1").area, after.piece("w1").at) == ("C", "X26")
    assert after.piece("b1").possesses == ("w2",)
    assert after.piece("w2").area == "B"
    after = do("eliminate:w2", "keep")
    assert [each.piece.id for each in after.gone] == ["w2"]
    after = do("transfer:w1:b2", "keep")
    assert after.piece("b2").possesses == ("w1",)
    after = do("dismantle:w1", "keep")  # 4 PP and 1 PP
    assert after.piece("w1").status == ("dm",)
    with pytest.raises(IllegalAnswer, match="not a choice"):
        do("transfer:w1:b3")  # in another area


@pytest.mark.rule("9.613-f")
def test_what_is_transferred_within_the_orders_is_looked_at_again() -> None:
    state = campaign(
        unit("b1", "C", "8-0"),
        unit("b2", "C", possesses="w1 w2"),
        unit("w1", "C", "MMG"),
        unit("w2", "C", "LMG"),
    )
    orders = [("C", ["b1"], "A"), ("C", ["b2"], "B")]
    _, log = shifted(state, orders, [SAFE, SAFE], equipment=["transfer:w1:b1", "drop:w1", "keep"])
    asked = [each.where for each in log.prompts("9.613.3b")]
    assert asked == ["6-4-8 b2", "8-0 b1", "6-4-8 b2"]


@pytest.mark.rule("9.613-g")
def test_a_gun_stays_behind_its_crew_and_its_prime_mover(tells: Tells) -> None:
    state = campaign(
        unit("b1", "C", "2-2-8", possesses="w1"),
        unit("w1", "C", "57L AT"),
        unit("b2", "C", "Loyd Carrier", tows="w2"),
        unit("w2", "C", "57L AT", status="hooked"),
    )
    after, lines = shifted(state, [("C", ["b1", "b2"], "Z28")])
    assert places(after) == {
        "b1": ("Z28", "off-map Z28"),
        "w1": ("C", "X26"),
        "b2": ("Z28", "off-map Z28"),
        "w2": ("C", "X26"),
    }
    assert after.piece("w2").status == ()
    tells(told(lines), "57L", "AT", "w1", "Shift", "2-2-8", "b1")
    tells(told(lines), "57L", "AT", "w2", "Shift", "Carrier", "b2")


# -- After a Shift ------------------------------------------------------------------------------


def test_where_shifted_units_and_what_they_hold_are_retained_and_set_up() -> None:
    state = campaign(
        unit("b1", "C", possesses="w"),
        unit("w", "C", "LMG"),
        unit("b2", "Z28", possesses="v"),
        unit("v", "Z28", "LMG"),
        unit("b3", "B", listed_at="note 1"),
    )
    orders = [("C", ["b1"], "B"), ("Z28", ["b2"], "A"), ("B", ["b3"], "Z28")]
    after, _ = shifted(state, orders, [SAFE] * 3)
    assert {id: area for id, (area, _) in places(after).items()} == {
        "b1": "B",
        "w": "B",
        "b2": "A",
        "v": "A",
        "b3": "Z28",
    }
    assert places(after)["b2"][1] == places(after)["v"][1] == ""  # no place on the map yet
    assert after.piece("b3").listed_at == ""  # it entered long since
    found = {each.piece.id: each for each in setups(after, BRITISH)}
    assert "T21" in (found["b1"].hexes or ())
    assert "X26" not in (found["b1"].hexes or ())
    assert found["b3"].entry == "Z28"


@pytest.mark.rule("9.613-m")
def test_a_german_group_may_enter_where_it_shifted_to_without_more_cpp(tells: Tells) -> None:
    group = ReceivedGroup(key="I4-1", id="I4", date=CGDate.DAWN, area="A")
    squad = german("g1", "A", rg="I4-1")
    state = change(campaign(squad, cpp=3), groups=(group,))
    after, lines = shifted(state, [("A", ["g1"], "J0")], [SAFE])
    assert (after.cpp, after.account.cpp_spent) == (3, 0)
    tells(told(lines), "J0", "CPP", "9.613")
    (place,) = setups(after, GERMAN)
    assert place.entry == "J0"


def test_equipment_that_lies_in_the_area_stays() -> None:
    loose = piece("w", BRITISH, "LMG", "X26", area="C")
    after, _ = shifted(campaign(unit("b1", "C"), loose), [("C", ["b1"], "B")], [SAFE])
    assert places(after)["w"] == ("C", "X26")


@pytest.mark.rule("9.617-c")
def test_a_number_tells_nothing_of_how_many_pieces_a_side_received_in_secret() -> None:
    start = change(campaign(unit("b-648-1", "C")), salt="evening")
    few = add_pieces(start, GERMAN, [("4-6-7", 1)])
    many = add_pieces(start, GERMAN, [("4-6-7", 12)])
    assert all(int(piece.id.split("-")[-1]) >= 100 for piece in many.of(GERMAN))
    seen = [add_pieces(each, GERMAN, [("4-6-7", 1)], openly=True) for each in (few, many)]
    assert seen[0].pieces[-1].id == seen[1].pieces[-1].id == "g-467-1"
    other = add_pieces(change(start, salt="another"), GERMAN, [("4-6-7", 1)])
    assert other.pieces[-1].id != few.pieces[-1].id


@pytest.mark.rule("9.613-b")
@pytest.mark.parametrize(("choice", "reached"), [("same-path-rule", False), ("no-path", True)])
def test_whether_a_shift_from_an_entry_area_needs_a_path(choice: str, reached: bool) -> None:
    state = example(german("g1", "A7"), C_16="isolated-allowed", C_17=choice)
    assert next(area for area in state.areas.areas[GERMAN] if area.id == "B").isolated
    assert ("B" in legal(state, "A7", "g1")) is reached
    if reached:
        after, _ = shifted(state, [("A7", ["g1"], "B")], [SAFE])
        assert after.piece("g1").area == "B"


def test_a_new_drm_needs_its_line_in_the_table_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = table("shift")
    dark = msgspec.structs.replace(
        plain, drm={**plain.drm, "night": Modifier(value=1, why="Night")}
    )
    monkeypatch.setattr(s613_shift, "table", lambda name: dark)
    monkeypatch.setattr(ShiftWay, "given", {"road": True, "night": True})
    way = ShiftWay("Setup Area", "B", automatic=False, road=True, uncontrolled=0, path=("P14",))
    words, odds = s613_shift.way_words(way)
    assert words.endswith("-1 road, +1 Night = +0") and "Shifts" in odds
