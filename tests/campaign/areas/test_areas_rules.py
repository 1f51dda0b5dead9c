"""Setup Areas rule by rule, on small positions."""

from __future__ import annotations

import pytest
from area_help import BOARD, BRITISH, GERMAN, area, areas, at, foxholes, unit, words
from sentences import Tells

from asl_pbcg.campaign.areas.area_map import AreaMap, Territory
from asl_pbcg.campaign.areas.setup_areas import determine_areas
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.hexes.lattice import UnknownHex

FIELD = "U5"  # grain as far as two hexes and more around it


def around(name: str, distance: int = 2) -> HexSet:
    return BOARD.grid.set([name]).spread(distance)


def holes(british: str = "", german: str = "", **rest: object) -> AreaMap:
    """Foxholes in open ground, Controlled by who dug them."""
    extra = rest.pop("fortifications", [])
    return areas(
        british,
        german,
        fortifications=[*foxholes(f"{british} {german}"), *extra],  # type: ignore[misc]
        **rest,  # type: ignore[arg-type]
    )


# 9.2 Setup Area


@pytest.mark.rule("9.2-ai", "9.2-aj")
def test_a_setup_area_is_the_strategic_location_and_two_hexes_round_it() -> None:
    found = holes(british=FIELD)
    (only,) = found.areas[BRITISH]
    assert only.hexes == around(FIELD)
    assert only.strategic_locations == (at(FIELD),)
    assert found.areas[GERMAN] == ()
    assert found.uncontrolled == BOARD.in_play - around(FIELD)


@pytest.mark.rule("9.2-aj", "9.6051-a", "9.2-y")
def test_hexes_near_the_enemy_too_are_no_mans_land() -> None:
    found = holes(british="U5", german="U8")
    assert found.no_mans_land == around("U5") & around("U8")
    assert area(found, BRITISH, "U5").hexes == around("U5") - around("U8")
    assert area(found, GERMAN, "U8").hexes == around("U8") - around("U5")


@pytest.mark.rule("9.6051-b")
def test_no_mans_land_is_in_no_setup_area() -> None:
    found = holes(british="U5 W5", german="U8 X9")
    assert found.no_mans_land
    for side in Side:
        assert found.friendly(side).isdisjoint(found.no_mans_land)


@pytest.mark.rule("9.6051-c", "9.2-y")
def test_a_strategic_location_is_never_no_mans_land() -> None:
    # U6 lies between; nobody Controls its trench.
    between = [{"kind": "trench", "at": "U6"}]
    assert "U6" in holes(british="U5", german="U7").no_mans_land
    found = holes(british="U5", german="U7", fortifications=between)
    assert "U6" not in found.no_mans_land
    assert "U6" in found.uncontrolled
    # Controlled ones amid the enemy stay Setup Areas, if Isolated.
    found = holes(british="U5", german="T4 T5 U4 U6 V4 V5", units=[unit(BRITISH, "U5")])
    assert words(area(found, BRITISH, "U5").hexes) == "U5"
    assert area(found, BRITISH, "U5").isolated


@pytest.mark.rule("9.2-al")
@pytest.mark.parametrize(("other", "apart", "count"), [("U10", 5, 1), ("U11", 6, 2)])
def test_setup_areas_that_touch_are_one(other: str, apart: int, count: int) -> None:
    assert BOARD.distance("U5", other) == apart
    assert len(holes(british=f"U5 {other}").areas[BRITISH]) == count


@pytest.mark.rule("9.2-al")
def test_a_hexside_that_infantry_cannot_cross_does_not_join_areas() -> None:
    # X20 touches the bridge hex Y20, but the only way on and off the bridge there is Y21.
    assert "Y20" in BOARD.grid.neighbours("X20")
    open_way = holes(british="X20 Y20")
    assert len(open_way.areas[BRITISH]) == 1
    shut = holes(british="X20 Y20", terrain=[{"kind": "blaze", "at": "Y21"}])
    assert len(shut.areas[BRITISH]) == 2


@pytest.mark.rule("9.2-ak", "9.2-l")
def test_a_hex_that_infantry_cannot_reach_inside_the_area_is_left_out() -> None:
    found = areas(british="X18")
    mine = area(found, BRITISH, "X18").hexes
    # The canal is not Enterable; the east bank is, but not by way of this Setup Area.
    assert mine.isdisjoint(BOARD.water)
    assert "X20" in around("X18")
    assert "X20" in BOARD.enterable
    assert "X20" not in mine
    assert "X20" in found.uncontrolled
    # With the bridge in British hands there is a way.
    assert "Y21" in area(areas(british="X18 Y19 Y20"), BRITISH, "X18").hexes


@pytest.mark.rule("9.2-m", "9.2-k")
def test_a_terrain_blaze_is_not_enterable() -> None:
    # S4 is two hexes from U5, but T3, T4 and S5 burn and there is no other way inside the area.
    burning = ("T3", "T4", "S5")
    found = holes(british=FIELD, terrain=[{"kind": "blaze", "at": name} for name in burning])
    mine = area(found, BRITISH, FIELD).hexes
    assert "S4" in around(FIELD)
    assert mine == around(FIELD) - BOARD.grid.set([*burning, "S4"])
    for kind in ("flame", "burning-wreck", "burnt-out-wreck"):
        other = holes(british=FIELD, terrain=[{"kind": kind, "at": name} for name in burning])
        assert area(other, BRITISH, FIELD).hexes == around(FIELD)


@pytest.mark.rule("9.2-m")
def test_a_blaze_on_an_upper_level_does_not_bar_the_hex() -> None:
    found = areas(british="Z13", terrain=[{"kind": "blaze", "at": "Z14/1"}])
    assert area(found, BRITISH, "Z13").hexes == area(areas(british="Z13"), BRITISH, "Z13").hexes


@pytest.mark.rule("9.2-k")
def test_enterable_disregards_fortifications_and_units() -> None:
    wire = [{"kind": "wire", "at": "T4"}, {"kind": "ap-mines", "at": "V5", "size": 6}]
    found = holes(british=FIELD, fortifications=wire, units=[unit(GERMAN, "T5")])
    assert area(found, BRITISH, FIELD).hexes == around(FIELD)


@pytest.mark.rule("9.2-al", "9.2-m")
def test_a_burning_strategic_location_joins_what_can_be_entered_from_it() -> None:
    # P12 burns between P11 and P13; it can be left, so all three are one Setup Area.
    found = areas(british="P12", terrain=[{"kind": "blaze", "at": "P12"}])
    assert "P12" in area(found, BRITISH, "P12").hexes
    assert "O12" not in area(found, BRITISH, "P12").hexes
    assert len(area(found, BRITISH, "P12").hexes) > 5
    # Two burning ones that touch: neither can be entered from the other.
    ring = [
        {"kind": "blaze", "at": name}
        for name in BOARD.grid.set(["P12", "P13"]).spread(1)
        if name not in BOARD.water
    ]
    assert len(areas(british="P12 P13", terrain=ring).areas[BRITISH]) == 2


# 9.2 Strategic Location


@pytest.mark.rule("9.2-ao", "9.2-ar")
@pytest.mark.parametrize(
    ("lists", "strategic"),
    [
        ({"fortifications": [{"kind": "trench", "at": "U6"}]}, True),
        ({"fortifications": [{"kind": "pillbox", "at": "U6"}]}, True),
        ({"fortifications": [{"kind": "wire", "at": "U6"}]}, False),
        ({"gliders": [{"at": "U6", "state": "landed"}]}, True),
        ({"gliders": [{"at": "U6", "state": "wrecked"}]}, False),
        ({"terrain": [{"kind": "rubble-stone", "at": "U6"}]}, True),
        ({"terrain": [{"kind": "shellhole", "at": "U6"}]}, False),
    ],
)
def test_what_makes_a_hex_strategic_keeps_it_out_of_no_mans_land(
    lists: dict[str, list[dict[str, str]]], strategic: bool
) -> None:
    found = holes(british="U5", german="U7", **lists)
    assert ("U6" not in found.no_mans_land) is strategic


@pytest.mark.rule("9.2-ap", "9.2-ar", "9.6056-g")
@pytest.mark.parametrize(
    ("kind", "status", "strategic"),
    [
        ("PzKpfw IVH", ["immobilized"], True),
        ("PzKpfw IVH", ["bogged"], True),
        ("PzKpfw IVH", [], False),
        ("PzKpfw IVH", ["immobilized", "abandoned"], False),
        ("PzKpfw IVH", ["abandoned"], False),
        ("PzKpfw IVH", ["immobilized", "ma-malfunctioned"], False),
        ("PzKpfw IVH", ["immobilized", "ma-disabled"], False),
        ("PzKpfw IVH", ["immobilized", "cmg-disabled"], True),
        ("Kfz 1", ["immobilized"], False),
    ],
)
def test_a_manned_immobile_vehicle_with_functioning_ma_is_strategic(
    kind: str, status: list[str], strategic: bool
) -> None:
    tank = {"id": "v1", "side": "german", "type": kind, "at": "U6", "status": status}
    found = holes(british="U5", german="U7", vehicles=[tank])
    assert ("U6" not in found.no_mans_land) is strategic


@pytest.mark.rule("9.2-aq", "9.2-ar")
@pytest.mark.parametrize(
    ("kind", "status", "strategic"),
    [
        ("50L AT", [], True),
        ("50L AT", ["malfunctioned"], False),
        ("50L AT", ["hooked"], False),
        ("HMG", [], False),
    ],
)
def test_an_unhooked_functioning_gun_is_strategic(
    kind: str, status: list[str], strategic: bool
) -> None:
    gun = {"id": "e1", "side": "german", "type": kind, "at": "U6", "status": status}
    found = holes(british="U5", german="U7", equipment=[gun])
    assert ("U6" not in found.no_mans_land) is strategic


# Levels


@pytest.mark.rule("9.605-a")
def test_a_hex_belongs_to_the_side_that_controls_its_ground_level() -> None:
    found = areas(british="Z13", german="Z13/1", units=[unit(GERMAN, "Z13/1")])
    assert area(found, BRITISH, "Z13").hexes
    alone = area(found, GERMAN, "Z13/1")
    assert (words(alone.hexes), alone.strategic_locations) == ("", (at("Z13/1"),))
    assert alone.isolated
    assert found.is_isolated(GERMAN, at("Z13/1"))
    assert found.territory(GERMAN, at("Z13")) is Territory.ENEMY
    assert found.territory(BRITISH, at("Z13/1")) is Territory.ENEMY


@pytest.mark.rule("9.6054-b")
def test_an_empty_level_joins_the_area_around_it() -> None:
    for units in ([], [unit(GERMAN, "Z13/1", "prisoner")], [unit(BRITISH, "Z13/1")]):
        found = areas(british="Z13", german="Z13/1", units=units)
        assert found.areas[GERMAN] == ()
        assert at("Z13/1") in area(found, BRITISH, "Z13").strategic_locations
        assert found.territory(GERMAN, at("Z13/1")) is Territory.ENEMY


def test_if_nobody_controls_ground_level_the_lowest_level_decides() -> None:
    found = areas(british="Z13/2", german="Z13/1", units=[unit(BRITISH, "Z13/2")])
    assert "Z13" in area(found, GERMAN, "Z13/1").hexes
    assert area(found, BRITISH, "Z13/2").alone


def test_levels_of_one_side_lie_in_one_area() -> None:
    found = areas(british="Z13 Z13/1")
    (only,) = found.areas[BRITISH]
    assert words(map(str, only.strategic_locations)) == "Z13 Z13/1"


def test_a_pillbox_is_a_location_of_its_own() -> None:
    both = [{"kind": "pillbox", "at": "Z21"}, {"kind": "trench", "at": "Z21"}]
    men = [unit(GERMAN, "Z21/pillbox")]
    found = areas(british="Z21", german="Z21/pillbox", fortifications=both, units=men)
    assert "Z21" in area(found, BRITISH, "Z21").hexes
    assert area(found, GERMAN, "Z21/pillbox").alone


# 9.6054


@pytest.mark.rule("9.6054-a")
def test_uncontrolled_territory_enclosed_by_one_area_joins_it() -> None:
    # A fire inside the ring is not Enterable and lies near nobody else.
    found = holes(british=FIELD, terrain=[{"kind": "blaze", "at": "U6"}])
    assert "U6" in area(found, BRITISH, FIELD).hexes
    assert "U6" not in found.uncontrolled
    # At the rim of the area it has an outside neighbour.
    found = holes(british=FIELD, terrain=[{"kind": "blaze", "at": "U7"}])
    assert "U7" in found.uncontrolled


@pytest.mark.rule("9.6054-a", "9.6054-b")
def test_an_enclosed_empty_strategic_location_joins_unless_the_enemy_is_in_it() -> None:
    trench = [{"kind": "trench", "at": "U6"}]
    empty = holes(british=FIELD, fortifications=trench)
    assert "U6" in area(empty, BRITISH, FIELD).hexes
    for status, joins in ((), False), (("broken",), False), (("prisoner",), True):
        found = holes(british=FIELD, fortifications=trench, units=[unit(GERMAN, "U6", *status)])
        assert ("U6" in area(found, BRITISH, FIELD).hexes) is joins
    friends = holes(british=FIELD, fortifications=trench, units=[unit(BRITISH, "U6")])
    assert "U6" in area(friends, BRITISH, FIELD).hexes


@pytest.mark.rule("9.6054-a")
@pytest.mark.parametrize(("hole", "fire"), [("U2", "U1"), ("D24", "D25")])
def test_a_pocket_at_the_edge_of_play_is_not_enclosed(hole: str, fire: str) -> None:
    # U1 is a map-edge hex; D25 touches the box over C25 and C26.
    beside = around(fire, 1) & BOARD.in_play - BOARD.grid.set([fire])
    burning = [{"kind": "blaze", "at": fire}]
    found = holes(british=hole, terrain=burning)
    assert beside <= area(found, BRITISH, hole).hexes
    assert fire in found.uncontrolled
    encloses = holes(british=hole, terrain=burning, rulings={"C-06": "edge-encloses"})
    assert fire in area(encloses, BRITISH, hole).hexes


@pytest.mark.rule("9.6054-e")
def test_later_changes_leave_the_areas_as_they_are() -> None:
    trench = [{"kind": "trench", "at": "U6"}]
    before = holes(british=FIELD, fortifications=trench, units=[unit(GERMAN, "U6")])
    told = [area.hexes for area in before.areas[BRITISH]]
    after = holes(british=FIELD, fortifications=trench)
    assert [area.hexes for area in before.areas[BRITISH]] == told
    assert [area.hexes for area in after.areas[BRITISH]] != told
    with pytest.raises(AttributeError):
        before.areas = {}  # type: ignore[misc]


# 9.6052


@pytest.mark.rule("9.6052-a", "9.2-w")
def test_a_german_is_isolated_without_a_path_to_a_german_entry_area() -> None:
    assert not area(holes(german=FIELD), GERMAN, FIELD).isolated
    # East of the canal only the bridge leads to one.
    assert not area(holes(german="X24"), GERMAN, "X24").isolated
    bridge = areas(british="Y19 Y20", german="X24", fortifications=foxholes("X24"))
    assert area(bridge, GERMAN, "X24").isolated


@pytest.mark.rule("9.6052-b", "9.2-x")
@pytest.mark.parametrize(("state", "isolated"), [("landed", False), ("wrecked", True)])
def test_a_landed_glider_is_a_goal_and_a_wrecked_one_is_none(state: str, isolated: bool) -> None:
    found = holes(british=FIELD, german="Y20", gliders=[{"at": "R5", "state": state}])
    assert area(found, BRITISH, FIELD).isolated is isolated


@pytest.mark.rule("9.2-x")
def test_a_glider_in_enemy_hands_is_no_goal() -> None:
    landed = [{"at": "R5", "state": "landed"}]
    found = areas(british=FIELD, german="Y20 R5", fortifications=foxholes(FIELD), gliders=landed)
    assert area(found, BRITISH, FIELD).isolated


@pytest.mark.rule("9.2-x", "9.2-v")
def test_z28_is_a_goal_of_the_british_and_the_path_may_not_cross_no_mans_land() -> None:
    assert not area(areas(british="X18"), BRITISH, "X18").isolated
    # With the bridge and a German hole beside it the road at Y21 is No Man's Land.
    found = areas(british="X18 Y19 Y20", german="Z21", fortifications=foxholes("Z21"))
    assert "Y21" in found.no_mans_land
    assert area(found, BRITISH, "X18").isolated


@pytest.mark.rule("9.2-v")
def test_the_path_may_not_cross_an_enemy_setup_area() -> None:
    found = areas(british="X18", german="Y20")
    assert "Y20" in area(found, GERMAN, "Y20").hexes
    assert area(found, BRITISH, "X18").isolated


@pytest.mark.rule("9.2-m", "9.2-v")
def test_a_path_may_leave_a_blaze_but_not_enter_one() -> None:
    fire = [{"kind": "blaze", "at": "X18"}]
    assert not areas(british="X18", terrain=fire).is_isolated(BRITISH, at("X18"))
    road = [{"kind": "blaze", "at": "Y21"}]
    assert areas(british="X18", terrain=road).is_isolated(BRITISH, at("X18"))


@pytest.mark.rule("9.6052-a")
@pytest.mark.parametrize(
    ("date", "isolated"),
    [("night-1", True), ("day-1", False), ("day-2", True), ("day-3", False), ("dusk", True)],
)
def test_tt14_is_a_goal_when_the_coming_date_is_day_2_or_dusk(date: str, isolated: bool) -> None:
    found = areas(british="X18", german="Y20", date=date)
    assert area(found, BRITISH, "X18").isolated is isolated
    assert found.coming is CGDate(date).next


def test_an_isolated_area_has_only_isolated_locations() -> None:
    mine = area(areas(british="X18 W18", german="Y20"), BRITISH, "X18")
    found = areas(british="X18 W18", german="Y20")
    assert mine.isolated
    assert all(found.is_isolated(BRITISH, at(name)) for name in mine.hexes)


def test_an_area_is_not_isolated_while_one_of_its_locations_is_not() -> None:
    # The way down from the first level burns; the ground itself can be left.
    found = areas(british="Z15 Z15/1", terrain=[{"kind": "blaze", "at": "Z15"}])
    assert found.is_isolated(BRITISH, at("Z15/1"))
    assert not found.is_isolated(BRITISH, at("Z15"))
    assert not area(found, BRITISH, "Z15").isolated


@pytest.mark.rule("9.6052-c")
def test_the_test_is_of_a_location_whatever_stands_in_it() -> None:
    weapon = {"id": "e1", "side": "british", "type": "LMG", "at": "X18"}
    for rest in ({"equipment": [weapon]}, {}, {"units": [unit(BRITISH, "X18")]}):
        cut_off = areas(british="X18", german="Y20", **rest)
        assert cut_off.is_isolated(BRITISH, at("X18"))
        # An Infantry MMC could walk over the bridge, so the Weapon is not Isolated.
        free = areas(british="X18 Y19 Y20", **rest)
        assert not free.is_isolated(BRITISH, at("X18"))


def test_outside_friendly_setup_areas_nothing_is_isolated() -> None:
    found = areas(british="X18", german="Y20")
    assert not found.is_isolated(GERMAN, at("X18"))
    assert not found.is_isolated(BRITISH, at("A2"))


@pytest.mark.rule("9.605-e")
def test_a_setup_area_may_hold_no_units() -> None:
    found = holes(british=FIELD)
    assert not found.ground.position.units
    assert len(found.areas[BRITISH]) == 1


# 9.6057


@pytest.mark.rule("9.6057-a", "9.6057-b")
def test_an_upper_level_above_own_ground_is_as_isolated_as_the_ground() -> None:
    found = areas(british="Z15 Z15/1")
    assert not found.is_isolated(BRITISH, at("Z15/1"))
    assert found.area_of(BRITISH, at("Z15/1")) is found.area_of(BRITISH, at("Z15"))
    cut = areas(british="Z15 Z15/1", german="Y20")
    assert cut.is_isolated(BRITISH, at("Z15"))
    assert cut.is_isolated(BRITISH, at("Z15/1"))


@pytest.mark.rule("9.6057-a", "9.6057-c")
def test_a_blaze_on_the_way_down_isolates() -> None:
    ground = [{"kind": "blaze", "at": "Z15"}]
    found = areas(british="Z15 Z15/1", terrain=ground)
    assert not found.is_isolated(BRITISH, at("Z15"))
    assert found.is_isolated(BRITISH, at("Z15/1"))
    middle = [{"kind": "blaze", "at": "Z15/1"}]
    assert areas(british="Z15 Z15/1 Z15/2", terrain=middle).is_isolated(BRITISH, at("Z15/2"))


@pytest.mark.rule("9.6057-c")
def test_an_upper_level_without_own_locations_below_is_isolated() -> None:
    found = areas(british="Z15/1")
    assert found.is_isolated(BRITISH, at("Z15/1"))
    assert areas(british="Z15 Z15/2").is_isolated(BRITISH, at("Z15/2"))


@pytest.mark.rule("9.6057-a")
def test_the_path_down_may_lead_through_other_hexes_of_the_building() -> None:
    # The Château's stairways are in C16, D13 and E15; C14 has none.
    assert areas(british="C14 C14/1").is_isolated(BRITISH, at("C14/1"))
    found = areas(british="C14 C14/1 C15/1 C16/1 C16")
    assert not found.is_isolated(BRITISH, at("C14/1"))


# 9.2 Front-Line Hex


@pytest.mark.rule("9.2-s")
def test_front_line_hexes_touch_what_is_not_friendly() -> None:
    found = holes(british=FIELD)
    only = area(found, BRITISH, FIELD)
    assert only.front_line == around(FIELD) - around(FIELD, 1)
    enemy = holes(british="U5", german="U8")
    mine = area(enemy, BRITISH, "U5")
    assert mine.front_line == mine.hexes & (BOARD.in_play - mine.hexes).spread(1)
    # Hexes out of play make no front.
    corner = holes(british="D24")
    mine = area(corner, BRITISH, "D24")
    assert mine.front_line == mine.hexes & (BOARD.in_play - mine.hexes).spread(1)


def test_two_setup_areas_of_a_side_that_touch_are_no_front_to_one_another() -> None:
    fire = [{"kind": "blaze", "at": "Y21"}]
    found = holes(british="X20 Y20 W21 X21 Y22 Z20 Z21", terrain=fire)
    east, bridge = area(found, BRITISH, "X20"), area(found, BRITISH, "Y20")
    assert east is not bridge
    assert BOARD.distance("X20", "Y20") == 1
    both = east.hexes | bridge.hexes
    assert east.front_line == east.hexes & (BOARD.in_play - both).spread(1)


# Names and queries


def test_areas_are_named_in_board_order_of_their_first_strategic_location() -> None:
    found = holes(british="AA9 C5 U5")
    assert [(each.id, str(each.strategic_locations[0])) for each in found.areas[BRITISH]] == [
        ("A", "C5"),
        ("B", "U5"),
        ("C", "AA9"),
    ]


def test_after_z_the_names_are_doubled_as_hexrows_are() -> None:
    spots = [
        f"{letters}{row}"
        for letters in ("C", "I", "O", "U", "AA", "GG", "MM", "SS")
        for row in (2, 8, 14, 23)
        if f"{letters}{row}" not in BOARD.buildings
    ]
    found = holes(british=" ".join(spots))
    assert len(found.areas[BRITISH]) > 27
    assert [each.id for each in found.areas[BRITISH]][25:28] == ["Z", "AA", "BB"]


def test_what_a_location_is_to_each_side() -> None:
    found = holes(british="U5", german="U8")
    assert found.territory(BRITISH, at("U5")) is Territory.FRIENDLY
    assert found.territory(GERMAN, at("U5")) is Territory.ENEMY
    assert found.territory(GERMAN, at("U6")) is Territory.NO_MANS_LAND
    assert found.territory(BRITISH, at("A2")) is Territory.UNCONTROLLED
    assert found.territory(BRITISH, at("A26")) is Territory.OUT_OF_PLAY
    assert found[BRITISH, "A"] is area(found, BRITISH, "U5")
    with pytest.raises(KeyError):
        found[BRITISH, "B"]


def test_a_hex_off_the_map_is_told(tells: Tells) -> None:
    with pytest.raises(UnknownHex) as refused:
        areas(british="UU9")
    tells(refused, "UU9")


def test_the_same_position_has_the_same_areas() -> None:
    one, two = holes(british="U5", german="U8"), holes(british="U5", german="U8")
    assert one.areas == two.areas
    assert determine_areas(BOARD, one.ground.position).areas == one.areas
