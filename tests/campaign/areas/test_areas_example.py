"""The example of 9.6054 and 9.6061 on the real board: every statement it makes."""

from __future__ import annotations

import msgspec
import pytest
from area_help import BOARD, BRITISH, GERMAN, at

from asl_pbcg.campaign.areas.area_map import AreaMap, Territory
from asl_pbcg.campaign.areas.area_paths import escape_to, nearest_retention
from asl_pbcg.campaign.areas.setup_areas import determine_areas
from asl_pbcg.campaign.entry.position_files import read_position
from asl_pbcg.campaign.position import Control, Fortification, Position, UnitEntry
from asl_pbcg.campaign.position_words import FortificationKind, GliderState
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.data import data_path

EXAMPLE = read_position(data_path("pb/samples/worked-example.yaml"))
FOUND = determine_areas(BOARD, EXAMPLE)
B = {each.id: each for each in FOUND.areas[BRITISH]}
G = {each.id: each for each in FOUND.areas[GERMAN]}
UNITS = {each.id: each for each in (*EXAMPLE.units, *EXAMPLE.vehicles)}


def control(position: Position, british: str = "", german: str = "", **changes: object) -> Position:
    """The position with more, or with a minus less, in each side's hands."""

    def hands(held: tuple[str, ...], words: str) -> tuple[str, ...]:
        names = words.split()
        gone = {name[1:] for name in names if name.startswith("-")}
        more = tuple(name for name in names if not name.startswith("-"))
        return tuple(name for name in held if name not in gone) + more

    now = Control(
        british=hands(position.control.british, british),
        german=hands(position.control.german, german),
    )
    return msgspec.structs.replace(position, control=now, **changes)


def wrecked() -> AreaMap:
    """The variant in which the glider in X22 is wrecked."""
    gliders = tuple(
        msgspec.structs.replace(each, state=GliderState.WRECKED) for each in EXAMPLE.gliders
    )
    return determine_areas(BOARD, control(EXAMPLE, british="-X22", gliders=gliders))


def entrenched() -> AreaMap:
    """The variant in which a German squad is entrenched in AA27."""
    hole = Fortification(kind=FortificationKind.FOXHOLE, at="AA27", owner=GERMAN, size=2)
    squad = UnitEntry(id="g12", side=GERMAN, type="4-6-7", at="AA27")
    return determine_areas(
        BOARD,
        control(
            EXAMPLE,
            german="AA27",
            fortifications=(*EXAMPLE.fortifications, hole),
            units=(*EXAMPLE.units, squad),
        ),
    )


def ways(id: str) -> list[str]:
    """Where a unit of the example may Escape to."""
    unit = UNITS[id]
    return [str(each) for each in escape_to(FOUND, unit.side, unit.location)]


def test_the_areas_are_those_of_the_example() -> None:
    assert list(B) == ["A", "B", "C", "D"]
    assert list(G) == ["A", "B"]


@pytest.mark.rule("9.605-a", "9.2-ai")
def test_both_sides_control_a_location_in_z15() -> None:
    assert at("Z15") in G["A"].strategic_locations
    assert at("Z15/1") in B["D"].strategic_locations


@pytest.mark.rule("9.605-a")
def test_z15_lies_in_german_setup_area_a() -> None:
    assert "Z15" in G["A"].hexes
    assert all("Z15" not in each.hexes for each in B.values())
    assert FOUND.area_of(GERMAN, at("Z15")) is G["A"]


@pytest.mark.rule("9.605-a")
def test_the_british_first_level_of_z15_is_setup_area_d_on_its_own() -> None:
    assert B["D"].strategic_locations == (at("Z15/1"),)
    assert not B["D"].hexes
    assert not B["D"].front_line
    assert FOUND.area_of(BRITISH, at("Z15/1")) is B["D"]
    assert FOUND.area_of(GERMAN, at("Z15/1")) is None


@pytest.mark.rule("9.6051-a", "9.2-y")
def test_y21_is_no_mans_land() -> None:
    assert "Y21" in FOUND.no_mans_land
    assert FOUND.territory(BRITISH, at("Y21")) is Territory.NO_MANS_LAND
    assert FOUND.territory(GERMAN, at("Y21")) is Territory.NO_MANS_LAND


@pytest.mark.rule("9.6052-a", "9.2-v")
@pytest.mark.parametrize("name", ["A", "B"])
def test_all_british_units_in_a_and_b_are_isolated(name: str) -> None:
    assert B[name].isolated
    units = [
        each
        for each in EXAMPLE.units
        if each.side is BRITISH and FOUND.area_of(BRITISH, each.location) is B[name]
    ]
    assert len(units) >= 3
    assert all(FOUND.is_isolated(BRITISH, each.location) for each in units)


@pytest.mark.rule("9.6052-a", "9.6051-b")
def test_a_and_b_are_isolated_because_y21_is_no_mans_land() -> None:
    # With the garrison's last posts in British hands Y21 is British, and the way over it is open.
    freed = control(EXAMPLE, british="Z20 Z21/pillbox", german="-Z20 -Z21/pillbox")
    found = determine_areas(BOARD, freed)
    assert "Y21" not in found.no_mans_land
    for name in ("P12", "R13", "W18", "X18", "Y19"):
        assert FOUND.is_isolated(BRITISH, at(name))
        assert not found.is_isolated(BRITISH, at(name))


@pytest.mark.rule("9.6052-a", "9.2-w")
def test_the_german_units_in_b_are_all_isolated() -> None:
    assert G["B"].isolated
    units = [
        each
        for each in EXAMPLE.units
        if each.side is GERMAN and FOUND.area_of(GERMAN, each.location) is G["B"]
    ]
    assert len(units) >= 3
    assert all(FOUND.is_isolated(GERMAN, each.location) for each in units)


@pytest.mark.rule("9.2-w")
def test_german_setup_area_a_is_not_isolated() -> None:
    assert not G["A"].isolated


@pytest.mark.rule("9.6052-a", "9.6057-c")
def test_the_british_squad_in_the_first_level_of_z15_is_isolated() -> None:
    assert UNITS["b12"].at == "Z15/1"
    assert B["D"].isolated
    assert FOUND.is_isolated(BRITISH, at("Z15/1"))


@pytest.mark.rule("9.6052-a")
def test_it_would_be_isolated_even_at_ground_level() -> None:
    found = determine_areas(BOARD, control(EXAMPLE, british="Z15", german="-Z15"))
    assert found.territory(BRITISH, at("Z15")) is Territory.FRIENDLY
    assert found.is_isolated(BRITISH, at("Z15"))
    assert found.is_isolated(BRITISH, at("Z15/1"))


@pytest.mark.rule("9.6052-b", "9.2-x")
def test_the_british_units_in_c_are_not_isolated() -> None:
    assert not B["C"].isolated
    for name in ("W21", "X20", "X22"):
        assert FOUND.area_of(BRITISH, at(name)) is B["C"]
        assert not FOUND.is_isolated(BRITISH, at(name))


def reaches(found: AreaMap, side: Side, start: str, goal: str) -> bool:
    """Whether there is a path of Enterable Uncontrolled-Territory and friendly hexes."""
    over = (found.uncontrolled | found.friendly(side)) & BOARD.enterable
    grid = BOARD.grid
    return BOARD.path(grid.set([start]), grid.set([goal]), over) is not None


@pytest.mark.rule("9.6052-b", "9.2-x")
@pytest.mark.parametrize("name", ["W21", "X20", "X22"])
def test_they_can_all_trace_a_path_to_the_glider_in_x22_and_to_z28(name: str) -> None:
    assert reaches(FOUND, BRITISH, name, "X22")
    assert reaches(FOUND, BRITISH, name, "Z28")


@pytest.mark.rule("9.6052-a", "9.2-x", "9.2-ar")
def test_were_the_glider_wrecked_they_would_still_not_be_isolated() -> None:
    found = wrecked()
    assert found.areas[BRITISH][2].strategic_locations == (at("W21"), at("X20"))
    assert not found.areas[BRITISH][2].isolated
    assert reaches(found, BRITISH, "W21", "Z28")
    # It is now Z28 alone that keeps them so.
    assert found.areas[BRITISH][0].isolated
    assert found.areas[BRITISH][1].isolated


@pytest.mark.rule("9.2-aq", "9.605-a")
def test_were_a_german_squad_entrenched_in_aa27_z28_would_be_in_german_setup_area_b() -> None:
    found = entrenched()
    assert BOARD.distance("AA27", "Z28") == 2
    assert found[GERMAN, "B"] is found.area_of(GERMAN, at("Z28"))
    assert found.area_of(GERMAN, at("AA27")) is found[GERMAN, "B"]
    assert found.area_of(GERMAN, at("Z20")) is found[GERMAN, "B"]
    assert not reaches(found, BRITISH, "X22", "Z28")


@pytest.mark.rule("9.6052-a", "9.2-n")
def test_but_c_could_still_trace_a_path_to_v28_to_y29() -> None:
    found = entrenched()
    (entry,) = [each for each in found.entry_areas[BRITISH] if each.id == "Z28"]
    for goal in ("V28", "W29", "X28", "Y29"):
        assert goal in entry.hexes
        assert reaches(found, BRITISH, "W21", goal)
    assert not found[BRITISH, "C"].isolated


@pytest.mark.rule("9.6053-a", "9.2-at")
def test_w25_is_uncontrolled_territory() -> None:
    assert UNITS["b13"].at == "W25"
    assert FOUND.territory(BRITISH, at("W25")) is Territory.UNCONTROLLED


@pytest.mark.rule("9.6053-b")
def test_the_british_squad_in_w25_is_freely_relocated_to_c() -> None:
    assert [str(each) for each in nearest_retention(FOUND, BRITISH, at("W25"))] == ["Setup Area C"]


@pytest.mark.rule("9.606-a", "9.6056-c")
@pytest.mark.parametrize("id", ["g7", "v2"])
def test_the_german_squad_and_the_kuebelwagen_in_british_a_must_escape(id: str) -> None:
    unit = UNITS[id]
    assert FOUND.area_of(BRITISH, unit.location) is B["A"]
    assert FOUND.territory(GERMAN, unit.location) is Territory.ENEMY


@pytest.mark.rule("9.606-ae")
@pytest.mark.parametrize("id", ["g7", "v2", "b12"])
def test_no_friendly_setup_area_is_near_those_whose_drm_the_example_counts(id: str) -> None:
    unit = UNITS[id]
    own = FOUND.area_of(unit.side, unit.location)
    others = [each for each in FOUND.areas[unit.side] if each is not own]
    near = BOARD.grid.set([unit.location.hex]).spread(2)
    assert all(near.isdisjoint(each.hexes) for each in others)


@pytest.mark.rule("9.6061-a")
@pytest.mark.parametrize("id", ["g7", "v2"])
def test_they_are_relocated_into_german_a(id: str) -> None:
    assert ways(id) == ["Setup Area A"]


@pytest.mark.rule("9.606-a", "9.6056-c")
@pytest.mark.parametrize(("id", "where"), [("v1", "Y17"), ("g11", "Z23")])
def test_the_tank_in_y17_and_the_squad_in_z23_stand_in_no_mans_land(id: str, where: str) -> None:
    assert UNITS[id].at == where
    assert FOUND.territory(GERMAN, at(where)) is Territory.NO_MANS_LAND


@pytest.mark.rule("9.6061-a")
def test_the_tank_in_y17_is_retained_into_german_a() -> None:
    assert ways("v1") == ["Setup Area A"]


@pytest.mark.rule("9.6061-a")
def test_the_squad_in_z23_can_only_go_to_isolated_b() -> None:
    assert ways("g11") == ["Setup Area B"]
    assert G["B"].isolated


@pytest.mark.rule("9.606-b")
def test_the_isolated_squad_in_z15_has_areas_to_escape_to() -> None:
    (way,) = escape_to(FOUND, BRITISH, at("Z15/1"))
    assert (way.kind, way.id) == ("Setup Area", "B")
