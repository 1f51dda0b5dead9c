"""Coordinates: names, neighbours, distance, edge, and where hexes lie on paper."""

from __future__ import annotations

import math
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sentences import Tells, raised

from asl_pbcg.hexes.hexset import Grid
from asl_pbcg.hexes.lattice import DIRECTIONS, OPPOSITE, SIDE_LENGTH, UnknownHex
from asl_pbcg.kernel.errors import PBCGError

PB = Grid(46, 29)
SIZES = st.tuples(st.integers(1, 30), st.integers(1, 12))


def test_names_stand_in_board_order() -> None:
    assert len(PB.names) == 46 * 29
    assert PB.names[:2] == ("A1", "A2")
    assert PB.names[28:31] == ("A29", "B0", "B1")
    assert PB.names[-1] == "TT28"
    assert [PB.index(name) for name in ("A1", "B0", "TT28")] == [0, 29, 1333]
    assert PB.column_row("AA20") == (26, 20)
    assert PB.at(26, 20) == "AA20"
    assert PB.at(26, 0) is None
    assert PB.at(46, 3) is None


def test_even_and_odd_columns_stand_half_a_hex_apart() -> None:
    assert set(PB.neighbours("E5")) == {"E4", "E6", "D4", "D5", "F4", "F5"}
    assert set(PB.neighbours("F5")) == {"F4", "F6", "E5", "E6", "G5", "G6"}
    assert PB.neighbour("E5", "N") == "E4"
    assert PB.neighbour("E5", "NE") == "F4"
    assert PB.neighbour("F5", "SW") == "E6"
    assert PB.neighbour("A1", "NW") is None
    assert PB.direction("E5", "F4") == "NE"
    assert PB.direction("E5", "G5") is None


@settings(max_examples=40, deadline=None)
@given(SIZES)
def test_neighbours_are_those_whose_centres_are_one_hex_apart(size: tuple[int, int]) -> None:
    grid = Grid(*size)
    for name in grid.names[:: max(1, len(grid) // 25)]:
        x, y = grid.centre(name)
        near = {
            other
            for other in grid.names
            if math.isclose(math.dist((x, y), grid.centre(other)), 1, abs_tol=1e-9)
        }
        assert set(grid.neighbours(name)) == near
        for side in DIRECTIONS:
            other = grid.neighbour(name, side)
            if other is not None:
                assert grid.neighbour(other, OPPOSITE[side]) == name


@settings(max_examples=40, deadline=None)
@given(SIZES, st.data())
def test_distance_is_the_number_of_steps(size: tuple[int, int], data: st.DataObject) -> None:
    grid = Grid(*size)
    start = data.draw(st.sampled_from(grid.names))
    steps = {start: 0}
    queue = [start]
    for name in queue:
        for other in grid.neighbours(name):
            if other not in steps:
                steps[other] = steps[name] + 1
                queue.append(other)
    for end in grid.names:
        # On a map one hex high the straight line runs off the map; elsewhere it need not.
        if grid.rows > 1 and grid.columns > 1:
            assert grid.distance(start, end) == steps[end]


def test_map_edge_hexes_lack_a_neighbour() -> None:
    expected = {name for name in PB.names if len(PB.neighbours(name)) < 6}
    assert set(PB.edge) == expected
    assert {"A15", "TT3", "C1", "B0", "C29", "B28"} <= expected
    assert expected.isdisjoint({"B1", "C2", "B27", "C28", "Y20"})
    assert set(Grid(1, 1).edge) == {"A1"}


def test_corners_lie_a_side_from_the_centre_and_are_shared_with_neighbours() -> None:
    corners = PB.corners("Y20")
    assert all(math.isclose(math.dist(PB.centre("Y20"), c), SIDE_LENGTH) for c in corners)
    for number, side in enumerate(DIRECTIONS):
        other = PB.neighbour("Y20", side)
        assert other is not None
        theirs = PB.corners(other)
        for corner in (corners[number], corners[(number + 1) % 6]):
            assert min(math.dist(corner, c) for c in theirs) < 1e-9


def test_an_unknown_hex_is_named_with_the_nearest_legal_ones(tells: Tells) -> None:
    with pytest.raises(UnknownHex) as caught:
        PB.index("Z29")
    assert isinstance(caught.value, PBCGError)
    assert caught.value.name == "Z29"
    assert "Z28" in PB.nearest_names("Z 28")
    tells(str(UnknownHex("z15", PB.nearest_names("z15"))), "z15", "Z15")
    tells(str(UnknownHex("?!", PB.nearest_names("?!"))), "?!")
    for call in (PB.neighbours, PB.centre, PB.bit, lambda n: PB.set([n]), PB.check):
        with pytest.raises(UnknownHex):
            call("UU5")


def test_a_direction_that_is_none_is_refused(tells: Tells) -> None:
    with pytest.raises(ValueError, match="not a hexside"):
        PB.neighbour("Y20", "E")
    tells(raised(ValueError, lambda: Grid(0, 5)), "least")


def test_grids_of_one_size_are_equal_and_travel() -> None:
    assert Grid(46, 29) == PB
    assert Grid(46, 28) != PB
    assert pickle.loads(pickle.dumps(PB)) == PB
    assert hash(Grid(46, 29)) == hash(PB)
    assert "Y20" in PB
    assert repr(PB) == "Grid(46, 29)"
