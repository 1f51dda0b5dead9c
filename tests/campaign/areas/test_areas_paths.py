"""Ways to friendly Setup Areas and Entry Areas from outside."""

from __future__ import annotations

import pytest
from area_help import BRITISH, GERMAN, areas, at, foxholes, unit

from asl_pbcg.campaign.areas.area_paths import Destination, escape_to, nearest_retention


def told(found: list[Destination]) -> list[str]:
    return [str(each) for each in found]


@pytest.mark.rule("9.6053-b")
def test_the_nearest_area_or_entry_area_is_taken() -> None:
    found = areas(british="X18", german="U5", fortifications=foxholes("U5"))
    assert told(nearest_retention(found, GERMAN, at("U8"))) == ["Setup Area A"]
    assert told(nearest_retention(found, GERMAN, at("N1"))) == ["Entry Area J0"]
    (here,) = nearest_retention(found, GERMAN, at("J0"))
    assert (here.id, here.length, here.path) == ("J0", 0, ("J0",))


@pytest.mark.rule("9.6053-b", "9.6061-a")
def test_who_stands_in_an_entry_area_is_there_although_his_hex_burns() -> None:
    """A Blaze bars who would enter; he enters no hex."""
    fire = [{"kind": "blaze", "at": "J0"}]
    found = areas(british="X18", german="U5", fortifications=foxholes("U5"), terrain=fire)
    for ways in (nearest_retention, escape_to):
        (here,) = ways(found, GERMAN, at("J0"))
        assert (here.id, here.length, here.path) == ("J0", 0, ("J0",))


@pytest.mark.rule("9.6061-a")
def test_who_stands_in_an_entry_area_crosses_no_mans_land_nowhere() -> None:
    found = areas(british="K2", german="I2", fortifications=foxholes("I2 K2"))
    assert "J0" in found.no_mans_land
    for across in (True, False):
        ways = escape_to(found, GERMAN, at("J0"), through_no_mans_land=across)
        assert [(way.id, way.length) for way in ways] == [("J0", 0)]


@pytest.mark.rule("9.6053-b")
def test_even_an_isolated_area_takes_units_in() -> None:
    found = areas(british="X18", german="Y20")
    assert found.areas[BRITISH][0].isolated
    assert told(nearest_retention(found, BRITISH, at("V15"))) == ["Setup Area A"]


@pytest.mark.rule("9.6053-c", "9.6061-b")
def test_of_two_at_the_same_distance_the_owner_may_choose() -> None:
    holes = {"british": "", "german": "U5 U13", "fortifications": foxholes("U5 U13")}
    found = areas(**holes)
    assert told(nearest_retention(found, GERMAN, at("U9"))) == ["Setup Area A", "Setup Area B"]
    assert [way.length for way in nearest_retention(found, GERMAN, at("U9"))] == [2, 2]


@pytest.mark.rule("9.6053-c", "9.6061-b")
def test_a_setup_area_at_the_map_edge_and_its_entry_area_are_equally_near() -> None:
    found = areas(british="X18", german="M2", fortifications=foxholes("M2"))
    assert "K1" in found.friendly(GERMAN)
    both = nearest_retention(found, GERMAN, at("K2"))
    assert told(both) == ["Setup Area A", "Entry Area J0"]
    assert {way.path for way in both} == {("K2", "K1")}
    assert told(nearest_retention(found, GERMAN, at("H1"))) == ["Entry Area J0"]


@pytest.mark.rule("9.6053-d")
def test_without_a_path_there_is_no_destination() -> None:
    # An island of Uncontrolled Territory amid the enemy: a German in the pocket must Escape.
    ring = "S3 U2 W3 W7 U8 S7 S5 W5 T2 V2 T7 V7"
    found = areas(
        british=ring, german="C12", fortifications=foxholes(ring), units=[unit(GERMAN, "U5")]
    )
    assert "U5" in found.friendly(BRITISH)
    assert nearest_retention(found, GERMAN, at("U5")) == []


@pytest.mark.rule("9.6061-c")
def test_an_escape_crosses_as_few_enemy_hexes_as_possible() -> None:
    # Five hexes through British houses, or ten round them.
    found = areas(british="P11 P12 P13 Q12", german="L12")
    (way,) = escape_to(found, GERMAN, at("R12"))
    (short,) = escape_to(found, GERMAN, at("R12"), nearest_first=True)
    assert way.id == short.id == "A"
    assert (way.enemy_hexes, way.length) == (0, 10)
    assert (short.enemy_hexes, short.length) == (2, 5)


@pytest.mark.rule("9.6061-a")
def test_a_location_above_the_unit_is_one_step_away_and_not_two() -> None:
    """From the first level of Z15 the second is nearer than Z13, two hexes off on the ground."""
    house = areas(british="Z15 Z15/1", german="Z15/2 Z13", units=[unit(GERMAN, "Z15/2")])
    (above,) = escape_to(house, GERMAN, at("Z15/1"))
    assert (above.path, above.length) == (("Z15", "Z15/2"), 0)
    assert len(escape_to(house, GERMAN, at("Z15"))) == 2


@pytest.mark.rule("9.6061-a")
def test_no_mans_land_may_be_closed_to_an_escape() -> None:
    found = areas(british="GG23", german="GG26", fortifications=foxholes("GG23 GG26"))
    (way,) = escape_to(found, GERMAN, at("GG23"))
    (strict,) = escape_to(found, GERMAN, at("GG23"), through_no_mans_land=False)
    assert way.id == strict.id == "A"
    assert not found.no_mans_land.isdisjoint(found.board.grid.set(way.path))
    assert found.no_mans_land.isdisjoint(found.board.grid.set(strict.path))
    assert (way.enemy_hexes, strict.enemy_hexes) == (0, 2)


@pytest.mark.rule("9.606-b")
def test_an_isolated_unit_must_reach_another_area() -> None:
    found = areas(british="X18 P12", german="Y20")
    here = found.area_of(BRITISH, at("X18"))
    assert here is not None
    assert here.isolated
    assert told(escape_to(found, BRITISH, at("X18"))) == ["Setup Area A"]
    assert here.id == "B"


@pytest.mark.rule("9.606-b")
def test_above_the_enemy_nobody_escapes_to_the_next_level_of_his_own_area() -> None:
    """Z15/1 and Z15/2 are one Setup Area (9.2, P-40); each by itself was the other's goal."""
    both = [unit(BRITISH, "Z15/1"), unit(BRITISH, "Z15/2")]
    house = {"german": "Z15", "british": "Z15/1 Z15/2 X18", "units": both}
    (found,) = escape_to(areas(**house), BRITISH, at("Z15/1"))
    assert found.path[-1] != "Z15/2"
    assert found.enemy_hexes > 0 or found.length > 1
    (each,) = escape_to(areas(**house, rulings={"P-40": "each"}), BRITISH, at("Z15/1"))
    assert (each.path, each.length) == (("Z15", "Z15/2"), 0)


@pytest.mark.rule("9.6061-a")
def test_above_the_enemy_an_escape_goes_through_its_own_upper_locations() -> None:
    """From D15/1 to E15/1 and out: the enemy on the ground of E15 is not passed. Rule: B-09."""
    held = [unit(BRITISH, "D15/1"), unit(BRITISH, "E15/1")]
    house = {"german": "D15 E15 E16", "british": "D15/1 E15/1", "units": held}
    (way,) = escape_to(areas(**house), BRITISH, at("D15/1"))
    assert (way.path[:2], way.enemy_hexes) == (("D15", "E15"), 0)
    burning = [{"kind": "blaze", "at": "E15/1"}]
    (around,) = escape_to(areas(**house, terrain=burning), BRITISH, at("D15/1"))
    assert around.path[1] != "E15"
    assert (around.length, around.enemy_hexes) == (way.length + 1, 0)
