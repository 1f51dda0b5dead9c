"""Hex sets against Python sets, floods and paths against naive code."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sentences import Tells

from asl_pbcg.hexes.hexset import Grid, HexSet
from asl_pbcg.hexes.lattice import DIRECTIONS
from asl_pbcg.hexes.passage import Passage

GRIDS = [Grid(1, 1), Grid(2, 1), Grid(1, 6), Grid(5, 4), Grid(6, 7), Grid(28, 5), Grid(46, 29)]


@st.composite
def grid_and_sets(draw: st.DrawFn, count: int = 2) -> tuple[Grid, list[set[str]]]:
    grid = draw(st.sampled_from(GRIDS))
    sets = []
    for _ in range(count):
        bits = draw(st.integers(0, (1 << len(grid)) - 1))
        sets.append({name for number, name in enumerate(grid.names) if bits >> number & 1})
    return grid, sets


@st.composite
def walks(draw: st.DrawFn) -> tuple[Grid, set[str], set[str], Passage]:
    """A grid, starts, a set to stay within, and a passage with some barred hexsides."""
    grid, (within, other) = draw(grid_and_sets(2))
    within |= other if draw(st.booleans()) else set()
    starts = set(draw(st.lists(st.sampled_from(grid.names), min_size=1, max_size=4)))
    barred = draw(
        st.lists(st.tuples(st.sampled_from(grid.names), st.sampled_from(DIRECTIONS)), max_size=30)
    )
    return grid, starts, within, Passage(grid, barred)


def naive_flood(grid: Grid, starts: set[str], within: set[str], passage: Passage) -> set[str]:
    seen = starts & within
    queue = list(seen)
    for name in queue:
        for other in grid.neighbours(name):
            if other in within and other not in seen and passage.crossable(name, other):
                seen.add(other)
                queue.append(other)
    return seen


@settings(deadline=None)
@given(grid_and_sets())
def test_set_algebra_is_that_of_python_sets(case: tuple[Grid, list[set[str]]]) -> None:
    grid, (a, b) = case
    one, two = grid.set(a), grid.set(b)
    assert set(one | two) == a | b
    assert set(one & two) == a & b
    assert set(one - two) == a - b
    assert set(one ^ two) == a ^ b
    assert set(~one) == set(grid.names) - a
    assert (one <= two, one < two) == (a <= b, a < b)
    assert (one >= two, one > two) == (a >= b, a > b)
    assert (one == two) == (a == b)
    assert one.isdisjoint(two) == a.isdisjoint(b)
    assert len(one) == len(a)
    assert bool(one) == bool(a)
    assert list(one) == one.names == [name for name in grid.names if name in a]
    assert all((name in one) == (name in a) for name in grid.names)
    if a:
        assert one.first == one.names[0]


@settings(max_examples=60, deadline=None)
@given(grid_and_sets(1), st.integers(0, 4))
def test_spread_and_neighbours_measure_distance(
    case: tuple[Grid, list[set[str]]], distance: int
) -> None:
    grid, (hexes,) = case
    few = set(sorted(hexes)[:5])
    near = {n for n in grid.names if any(grid.distance(n, h) <= distance for h in few)}
    if grid.rows > 1 and grid.columns > 1:
        assert set(grid.set(few).spread(distance)) == near
    touching = {other for name in few for other in grid.neighbours(name)} - few
    assert set(grid.set(few).neighbours()) == touching


@settings(max_examples=200, deadline=None)
@given(walks())
def test_flood_reaches_what_a_walk_reaches(
    case: tuple[Grid, set[str], set[str], Passage],
) -> None:
    grid, starts, within, passage = case
    bits = passage.flood(grid.bits(starts), grid.bits(within))
    assert set(grid.wrap(bits)) == naive_flood(grid, starts, within, passage)
    assert bits == grid.flood(grid.bits(starts), grid.bits(within), passage)
    free = grid.flood(grid.bits(starts), grid.bits(within))
    assert set(grid.wrap(free)) == naive_flood(grid, starts, within, Passage(grid))


@settings(max_examples=60, deadline=None)
@given(walks())
def test_pieces_part_a_set_into_what_hangs_together(
    case: tuple[Grid, set[str], set[str], Passage],
) -> None:
    grid, _, within, passage = case
    pieces = grid.set(within).pieces(passage)
    assert set().union(*map(set, pieces)) == within
    assert sum(map(len, pieces)) == len(within)
    assert [grid.index(piece.first) for piece in pieces] == sorted(
        grid.index(piece.first) for piece in pieces
    )
    for piece in pieces:
        assert set(piece) == naive_flood(grid, {piece.first}, within, passage)


@settings(max_examples=150, deadline=None)
@given(walks(), st.data())
def test_a_path_is_walkable_and_none_is_shorter(
    case: tuple[Grid, set[str], set[str], Passage], data: st.DataObject
) -> None:
    grid, starts, within, passage = case
    goals = set(data.draw(st.lists(st.sampled_from(grid.names), min_size=1, max_size=3)))
    path = passage.path(grid.bits(starts), grid.bits(goals), grid.bits(within))
    steps = dict.fromkeys(starts, 0)
    queue = list(starts)
    for name in queue:
        for other in grid.neighbours(name):
            if other in within and other not in steps and passage.crossable(name, other):
                steps[other] = steps[name] + 1
                queue.append(other)
    reached = [steps[goal] for goal in goals if goal in steps]
    if path is None:
        assert not reached
        return
    assert path[0] in starts
    assert path[-1] in goals
    assert set(path[1:]) <= within
    assert all(passage.crossable(a, b) for a, b in pairwise(path))
    assert len(path) - 1 == min(reached)


def test_a_hex_set_is_a_value(tells: Tells) -> None:
    grid = Grid(46, 29)
    hexes = grid.set(["Y20", "A1"])
    assert repr(hexes) == "HexSet(A1 Y20)"
    assert repr(grid.none) == "HexSet()"
    assert hexes == HexSet(Grid(46, 29), hexes.bits)
    assert hash(hexes) == hash(grid.set(["A1", "Y20"]))
    assert pickle.loads(pickle.dumps(hexes)) == hexes
    assert copy.copy(hexes) == hexes
    assert hexes != {"A1", "Y20"}
    assert 5 not in hexes
    with pytest.raises(AttributeError):
        hexes.bits = 3
    with pytest.raises(AttributeError):
        del hexes.bits
    with pytest.raises(ValueError) as refused:
        _ = grid.none.first
    tells(refused)


def test_sets_of_two_maps_do_not_mix(tells: Tells) -> None:
    with pytest.raises(ValueError) as refused:
        _ = Grid(5, 4).all | Grid(6, 7).all
    tells(refused, "different")


def test_a_bar_holds_in_both_directions() -> None:
    grid = Grid(5, 4)
    passage = Passage(grid, [("C2", "N"), ("A1", "N")])
    assert not passage.crossable("C2", "C1")
    assert not passage.crossable("C1", "C2")
    assert passage.crossable("C2", "C3")
    assert not passage.crossable("C2", "E2")
    assert ("C1", "S") in passage.barred
