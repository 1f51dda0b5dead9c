"""Lines of sight: golden cases, exact brute force, symmetry, and the table shipped with the map."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sentences import Tells
from st_map_help import brute_passed, shipped

from asl_pbcg.kernel.data import data_path
from asl_pbcg.st.board.map import (
    GameMap,
    MapArea,
    areas_passed,
    distant_pairs,
    known_lines,
    sight_mark,
    sight_table,
)
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.board.map_read import read_map

MAP = load_map()
PAIRS = distant_pairs(MAP)


# Worked by hand on the coordinates: how far the centre of an area lies from the line.
GOLDEN = [
    ("N6", "N9", ("N8",), ("N8",)),  # 19.9 m: the Reed pond stands in the way
    ("N7", "N9", (), ()),  # Reed pond 36.4 m off, past the line
    ("XR", "PB", ("CAF",), ("CAF",)),  # 11.5 m: the café hides the bridge from the crossroads
    ("EF", "RB", ("RD1", "RD2"), ()),  # along the causeway, all open
    ("B4", "PX", ("EF",), ()),  # 23.0 m: an open area blocks nothing
]


@pytest.mark.rule("ST-TAT-13")
@pytest.mark.parametrize(("a", "b", "through", "blocked"), GOLDEN)
def test_golden_lines(a: str, b: str, through: tuple[str, ...], blocked: tuple[str, ...]) -> None:
    sight = MAP.line_of_sight(a, b)
    assert sight.through == through
    assert sight.blocked_by == blocked
    assert sight.clear == (not blocked)
    if blocked:
        assert f"{blocked[0]} ({MAP.areas[blocked[0]].name}), obstructed" in sight.why


@pytest.mark.rule("ST-TAT-13", "ST-GLI-25", "ST-TNK-11", "ST-MER-12")
def test_a_vehicle_in_an_open_area_blocks_the_line(tells: Tells) -> None:
    sight = MAP.line_of_sight("EF", "RB", vehicles={"RD2"})
    assert not sight.clear
    assert sight.blocked_by == ("RD2",)
    tells(sight.why, "RD2", "Causeway")
    assert MAP.line_of_sight("EF", "RB", vehicles={"RD1", "RD2"}).blocked_by == ("RD1", "RD2")
    assert MAP.line_of_sight("EF", "RB", vehicles={"EF", "RB", "N6"}).clear, "ends never block"


@pytest.mark.rule("ST-TAT-10")
def test_the_same_area_and_adjacent_areas_are_always_seen() -> None:
    everywhere = set(MAP.areas)
    assert MAP.line_of_sight("XR", "XR", everywhere).clear
    for line in MAP.lines:
        assert MAP.line_of_sight(line.a, line.b, everywhere).clear
        assert MAP.line_of_sight(line.b, line.a, everywhere).clear


@pytest.mark.rule("ST-TAT-13")
def test_every_line_against_exact_fractions() -> None:
    assert len(PAIRS) > 1500
    for a, b in PAIRS:
        assert set(MAP.passes(a, b)) == brute_passed(MAP, a, b), (a, b)


def test_sight_is_the_same_both_ways() -> None:
    for a, b in PAIRS:
        one, two = MAP.line_of_sight(a, b), MAP.line_of_sight(b, a)
        assert one.clear == two.clear
        assert set(one.through) == set(two.through)


def test_the_shipped_table_is_what_shapely_finds_now() -> None:
    assert data_path("st/sight.csv").read_text(encoding="utf-8") == sight_table(MAP)
    table = known_lines(MAP)
    assert set(table) == set(PAIRS)
    assert all(table[a, b] == areas_passed(MAP, a, b) for a, b in PAIRS[::17])


def test_another_map_or_radius_does_not_use_the_shipped_table() -> None:
    data = shipped()
    data["areas"][0]["at"][0] += 1
    assert known_lines(read_map(data, "moved")) == {}
    wide = MAP.with_rulings(sight_radius=60)
    assert sight_mark(wide) != sight_mark(MAP)
    assert known_lines(wide) == {}
    assert MAP.line_of_sight("N7", "N9").clear
    assert not wide.line_of_sight("N7", "N9").clear, "36.4 m is within 60 m"
    narrow = MAP.with_rulings(sight_radius=15)
    assert narrow.line_of_sight("N6", "N9").clear, "19.9 m is not within 15 m"


def test_play_on_the_shipped_map_does_not_wait_for_shapely() -> None:
    code = (
        "import sys\n"
        "from asl_pbcg.st.board.map_load import load_map\n"
        "found = load_map()\n"
        "assert not found.line_of_sight('N6', 'N9').clear\n"
        "assert 'shapely' not in sys.modules and 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=data_path("st").parent.parent)


def _area(number: int, x: int, y: int, obstructed: bool) -> MapArea:
    shape, terrain = ("square", "obstructed") if obstructed else ("circle", "open")
    return MapArea(
        id=f"A{number}", name=f"A{number}", shape=shape, kind="land", terrain=terrain, x=x, y=y
    )


PLACES = st.lists(
    st.tuples(st.integers(-40, 40), st.integers(-40, 40)), min_size=3, max_size=9, unique=True
)


@pytest.mark.rule("ST-TAT-13")
@settings(max_examples=120, deadline=None)
@given(places=PLACES, walls=st.sets(st.integers(0, 8)), radius=st.sampled_from([1, 3, 5, 8]))
def test_any_map_against_exact_fractions(
    places: list[tuple[int, int]], walls: set[int], radius: int
) -> None:
    # Small whole numbers, so that a line often just touches a circle.
    areas = [_area(i, x, y, i in walls) for i, (x, y) in enumerate(places)]
    area_map = GameMap(areas=areas, lines=(), arrows=(), water={}, sight_radius=radius)
    brute = brute_passed(area_map, "A0", "A1")
    sight = area_map.line_of_sight("A0", "A1")
    assert set(sight.through) == brute
    assert set(sight.blocked_by) == {name for name in brute if area_map.areas[name].obstructed}
    assert sight.clear == area_map.line_of_sight("A1", "A0").clear
    assert area_map.line_of_sight("A0", "A1", {"A2"}).clear == (sight.clear and "A2" not in brute)


@settings(max_examples=40, deadline=None)
@given(
    pair=st.sampled_from(PAIRS),
    vehicles=st.sets(st.sampled_from(sorted(MAP.areas)), max_size=12),
)
def test_more_vehicles_never_clear_a_line(pair: tuple[str, str], vehicles: set[str]) -> None:
    a, b = pair
    with_them = MAP.line_of_sight(a, b, vehicles)
    assert not (with_them.clear and not MAP.line_of_sight(a, b).clear)
    assert with_them.clear == (
        not any(name in vehicles or MAP.areas[name].obstructed for name in brute_passed(MAP, a, b))
    )
