"""Outlines and hatching of hex sets."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Polygon
from shapely.geometry import LineString, Point

from asl_pbcg.hexes.hexset import Grid
from asl_pbcg.hexes.lattice import SIDE_LENGTH
from asl_pbcg.hexes.outline import hatching, outline, rings, round_off, shape, smooth, soften

GRID = Grid(12, 9)
HEX_AREA = 1.5 * SIDE_LENGTH
INNER = [name for name in GRID.names if name not in GRID.edge]


def sets(names: list[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(names), min_size=1, max_size=25, unique=True)


@settings(max_examples=50, deadline=None)
@given(sets(INNER))
def test_an_outline_without_inset_holds_exactly_its_hexes(names: list[str]) -> None:
    hexes = GRID.set(names)
    assert math.isclose(shape(hexes).area, len(hexes) * HEX_AREA, rel_tol=1e-5)
    for piece in hexes.pieces():
        outer = max(outline(piece, 0.0), key=lambda ring: Polygon(ring).area)
        for name in GRID.names:
            centre = Point(GRID.centre(name))
            if name in piece:
                assert Polygon(outer).contains(centre)
            elif name in hexes.neighbours() and len(outline(piece, 0.0)) == 1:
                assert not Polygon(outer).contains(centre)


@settings(max_examples=50, deadline=None)
@given(sets(list(GRID.names)), sets(list(GRID.names)))
def test_outlines_of_two_sets_stay_apart(a: list[str], b: list[str]) -> None:
    one = GRID.set(a)
    two = GRID.set(b) - one
    lines = [LineString([*ring, ring[0]]) for ring in outline(one)]
    others = [LineString([*ring, ring[0]]) for ring in outline(two)]
    for line in lines:
        for other in others:
            assert line.distance(other) > 0.13


def test_a_hole_is_a_ring_of_its_own() -> None:
    ring = GRID.set(["E4"]).spread(1) - GRID.set(["E4"])
    assert len(outline(ring, 0.0)) == 2
    assert len(outline(GRID.set(["E4"]), 0.0)[0]) == 6
    assert outline(GRID.none) == []


def test_outlines_are_cut_at_the_edge_of_the_map() -> None:
    for ring in outline(GRID.all, 0.0):
        for x, y in ring:
            assert -1e-9 <= x <= GRID.width + 1e-9
            assert -1e-9 <= y <= GRID.height + 1e-9


@settings(max_examples=30, deadline=None)
@given(sets(INNER), st.sampled_from([0.0, 45.0, -45.0, 90.0]))
def test_hatching_stays_inside(names: list[str], angle: float) -> None:
    hexes = GRID.set(names)
    inside = shape(hexes).buffer(1e-6)
    lines = hatching(hexes, 0.2, angle)
    assert lines
    for line in lines:
        assert inside.contains(LineString(line))
        (ax, ay), (bx, by) = line[0], line[-1]
        turned = math.degrees(math.atan2(by - ay, bx - ax)) - angle
        assert math.isclose(math.sin(math.radians(turned)), 0, abs_tol=1e-6)
    assert hatching(GRID.none, 0.2, angle) == []


def test_soft_shapes_stay_near_their_hexes() -> None:
    hexes = GRID.set(["E4", "E5", "F4"])
    soft = round_off(hexes, 0.05, 0.1)
    assert shape(hexes).contains(soft)
    assert soft.area > 0.7 * shape(hexes).area
    assert len(rings(soft)) == 1
    assert soften(soft, 0.05).area > 0.9 * soft.area


def test_smooth_lines_keep_their_ends() -> None:
    line = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (2.0, 1.0)]
    soft = smooth(line, closed=False)
    assert (soft[0], soft[-1]) == (line[0], line[-1])
    assert (1.0, 0.0) not in soft
    assert len(smooth(line, closed=True, rounds=1)) == 8
    assert smooth(line[:2], closed=False) == line[:2]
