"""House rules that change Setup Areas: each choice does what the register says."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest
from area_help import BRITISH, GERMAN, area, areas, at, foxholes, unit

from asl_pbcg.campaign.module.house_rules import (
    DEFAULT_RULINGS,
    RULING_FIELDS,
    AreaRulings,
    campaign_rulings,
)
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.errors import FaultsError


@pytest.mark.parametrize("id", RULING_FIELDS)
def test_choices_and_default_are_those_of_the_register(id: str) -> None:
    field = RULING_FIELDS[id]
    listed = campaign_rulings()[id]
    assert set(get_args(get_type_hints(AreaRulings)[field])) == set(listed.choices)
    assert getattr(DEFAULT_RULINGS, field) == listed.default


def test_a_campaign_s_choices_are_taken_and_others_let_pass() -> None:
    taken = AreaRulings.of({"C-07": "ground-only", "C-14": "whatever"})
    assert taken == AreaRulings(reach="ground-only")


def test_a_choice_there_is_none_of_is_told() -> None:
    with pytest.raises(FaultsError) as caught:
        AreaRulings.of({"C-07": "roof", "A-05": "TT5"})
    assert [str(fault) for fault in caught.value.faults] == [
        'A-05: "TT5" must be one of: TT14, TT4',
        'C-07: "roof" must be one of: any-level, ground-only',
    ]


def test_a_05_moves_the_entry_area_of_day_2() -> None:
    for coming, eligible in (("day-2", ["Z28", "TT4"]), ("dusk", ["Z28", "TT14"])):
        found = areas(coming=coming, rulings={"A-05": "TT4"})
        entries = found.entry_areas[BRITISH]
        assert [each.id for each in entries] == ["Z28", "TT14", "TT4"]
        assert [each.id for each in entries if each.eligible] == eligible
    (tt4,) = [each for each in entries if each.id == "TT4"]
    assert " ".join(tt4.hexes) == "SS1 TT0 TT1 TT2 TT3 TT4 TT5 TT6 TT7 TT8"


def test_b_03_leaves_only_gliders_and_z28_as_goals() -> None:
    north = {"british": "X18", "german": "Y20", "coming": "day-2"}
    assert not areas(**north).is_isolated(BRITISH, at("X18"))
    assert areas(**north, rulings={"B-03": "glider-z28"}).is_isolated(BRITISH, at("X18"))


@pytest.mark.parametrize(
    ("coming", "isolated"),
    [("night-2", False), ("night-3", False), ("dawn", False), ("day-1", True), (None, True)],
)
def test_b_04_z28_counts_only_when_in_use(coming: str | None, isolated: bool) -> None:
    found = areas(british="X18", coming=coming, rulings={"B-04": "when-in-use"})
    assert found.is_isolated(BRITISH, at("X18")) is isolated
    assert found.entry_areas[BRITISH][0].eligible is not isolated
    assert not areas(british="X18", coming=coming).is_isolated(BRITISH, at("X18"))


def test_b_06_by_distance_what_is_near_and_left_out_is_nothing() -> None:
    assert "X19" in areas(british="X18").uncontrolled
    found = areas(british="X18", rulings={"B-06": "distance"})
    assert "X19" not in found.uncontrolled
    assert "X19" not in found.no_mans_land
    assert "A2" in found.uncontrolled


def surrounded(choice: str, *units: dict[str, object]) -> object:
    """A German foxhole with British foxholes on all its hexsides."""
    ring = "T4 T5 U4 U6 V4 V5"
    return areas(
        british=ring,
        german="U5",
        fortifications=foxholes(f"{ring} U5"),
        units=list(units),
        rulings={"C-05": choice},
    )


def test_c_05_control_of_an_enclosed_empty_area_passes() -> None:
    joins = surrounded("joins-only")
    assert area(joins, GERMAN, "U5").hexes.names == ["U5"]
    assert joins.no_mans_land
    passes = surrounded("control-passes")
    assert passes.areas[GERMAN] == ()
    assert at("U5") in area(passes, BRITISH, "U4").strategic_locations
    assert not passes.no_mans_land
    held = surrounded("control-passes", unit(GERMAN, "U5"))
    assert area(held, GERMAN, "U5").hexes.names == ["U5"]


@pytest.mark.finding("F-03")
@pytest.mark.rule("9.6054-b")
def test_c_05_upper_levels_are_treated_alike() -> None:
    """An empty upper level in an enemy hex passes with its Control; its reach is gone with it."""
    both = {"british": "Z13", "german": "Z13/1"}
    passes = areas(**both)
    assert passes.areas[GERMAN] == ()
    assert [str(each) for each in area(passes, BRITISH, "Z13").strategic_locations] == [
        "Z13",
        "Z13/1",
    ]
    assert not passes.no_mans_land
    assert "Z12" in area(passes, BRITISH, "Z13").hexes
    joins = areas(**both, rulings={"C-05": "joins-only"})
    assert "Z12" in joins.no_mans_land
    held = areas(**both, units=[unit(GERMAN, "Z13/1")])
    assert area(held, GERMAN, "Z13/1").alone
    assert "Z12" in held.no_mans_land


@pytest.mark.finding("F-03")
def test_c_05_the_map_is_determined_once_more_on_the_new_control() -> None:
    # All round the German foxhole is British; S5, two hexes off, is No Man's Land through it alone.
    ring = "T4 T5 U4 U6 V4 V5"
    lists = {"fortifications": foxholes(f"{ring} U5")}
    held = areas(british=ring, german="U5", units=[unit(GERMAN, "U5")], **lists)
    assert "S5" in held.no_mans_land
    found = areas(british=ring, german="U5", **lists)
    assert "S5" in area(found, BRITISH, "U5").hexes
    assert not found.no_mans_land


def test_c_07_only_ground_levels_reach_two_hexes() -> None:
    both = {"british": "Z13", "german": "Z13/1", "units": [unit(GERMAN, "Z13/1")]}
    assert "Z12" in areas(**both).no_mans_land
    found = areas(**both, rulings={"C-07": "ground-only"})
    assert not found.no_mans_land
    assert "Z12" in area(found, BRITISH, "Z13").hexes
    assert area(areas(british="Z13/1", rulings={"C-07": "ground-only"}), BRITISH, "Z13/1").hexes


def test_c_11_hexes_more_than_two_steps_away_are_left_out() -> None:
    # T4 and T5 burn, so that S5 is a walk of four hexes from U5.
    fires = [{"kind": "blaze", "at": name} for name in ("T4", "T5")]
    lists = {"fortifications": foxholes("U5"), "terrain": fires}
    assert "S5" in area(areas(british="U5", **lists), BRITISH, "U5").hexes
    found = areas(british="U5", **lists, rulings={"C-11": "two-hexes"})
    assert "S5" not in area(found, BRITISH, "U5").hexes
    assert "T3" in area(found, BRITISH, "U5").hexes


@pytest.mark.rule("9.6057-a", "9.6057-b")
@pytest.mark.finding("G-06")
def test_p_04_a_location_above_the_enemy_may_hang_on_the_rest_of_the_building() -> None:
    building = {
        "british": "D13 D13/1 C14/1",
        "german": "C14",
        "units": [unit(BRITISH, "C14/1")],
    }
    traced = areas(**building)
    assert area(traced, BRITISH, "C14/1") is area(traced, BRITISH, "D13")
    assert not traced.is_isolated(BRITISH, at("C14/1"))
    assert [str(each) for each in area(traced, BRITISH, "D13").strategic_locations] == [
        "C14/1",
        "D13",
        "D13/1",
    ]
    alone = areas(**building, rulings={"P-04": "alone"})
    assert area(alone, BRITISH, "C14/1").alone
    assert alone.is_isolated(BRITISH, at("C14/1"))


@pytest.mark.rule("9.6057-c")
def test_p_04_above_the_enemy_without_such_a_path_a_location_is_isolated() -> None:
    """Z15 of the example is a house by itself; here the way down the building is not held."""
    building = {"german": "C14", "units": [unit(BRITISH, "C14/1")]}
    for british in ("D13 C14/1", "D13/1 C14/1"):
        found = areas(british=british, **building)
        assert area(found, BRITISH, "C14/1").alone
        assert found.is_isolated(BRITISH, at("C14/1"))
    house = areas(british="Z14 Z15/1", german="Z15", units=[unit(BRITISH, "Z15/1")])
    assert area(house, BRITISH, "Z15/1").alone
    assert house.is_isolated(BRITISH, at("Z15/1"))


@pytest.mark.rule("9.2-al")
def test_p_40_locations_above_the_enemy_that_touch_are_one_setup_area() -> None:
    """Two levels of one house, or one level of two hexes of a building; not what lies apart."""
    two = {"german": "Z15", "british": "Z15/1 Z15/2"}
    held = [unit(BRITISH, "Z15/1"), unit(BRITISH, "Z15/2")]
    found = areas(**two, units=held)
    assert [str(each) for each in area(found, BRITISH, "Z15/1").strategic_locations] == [
        "Z15/1",
        "Z15/2",
    ]
    assert area(found, BRITISH, "Z15/2").alone
    assert len(found.areas[BRITISH]) == 1
    assert len(areas(**two, units=held, rulings={"P-40": "each"}).areas[BRITISH]) == 2
    fire = [{"kind": "blaze", "at": f"Z15/{level}"} for level in (1, 2)]
    assert len(areas(**two, units=held, terrain=fire[:1]).areas[BRITISH]) == 1
    assert len(areas(**two, units=held, terrain=fire).areas[BRITISH]) == 2

    def upper(*places: str) -> int:
        ground = " ".join(dict.fromkeys(place.partition("/")[0] for place in places))
        units = [unit(BRITISH, place) for place in places]
        return len(areas(german=ground, british=" ".join(places), units=units).areas[BRITISH])

    assert upper("C14/1", "C15/1") == 1
    assert upper("C14/1", "C16/1") == 2
    assert upper("C14/1", "C15/2") == 2
    assert upper("Z15/1", "Z14/1") == 2


def test_the_coming_date_may_be_none() -> None:
    found = areas(date="dusk")
    assert found.coming is None
    assert areas(date="day-1").coming is CGDate.DAY_2
