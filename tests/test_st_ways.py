"""The ways of the automatic player are the shortest, its shelters the safest."""

from __future__ import annotations

import random

import pytest
from st_help import british, situation

from asl_pbcg.st.board.geometry import FAR
from asl_pbcg.st.player.policy_caution import Threat, rank_ways, shelter, threat_to
from asl_pbcg.st.player.policy_plan import grid_of
from asl_pbcg.st.player.policy_ways import SCALE, Dangers, Grid, Outward, ways_out
from asl_pbcg.st.rules.situation import Situation


def drawn(grid: Grid, source: random.Random, share: float) -> Dangers:
    """Dangers in some of the areas."""
    cost = tuple(
        source.randint(1, 40) if source.random() < share else 0 for _ in range(len(grid.names))
    )
    return Dangers(cost, sum(1 << at for at, extra in enumerate(cost) if extra))


def by_relaxing(grid: Grid, goal: str, dangers: Dangers) -> dict[str, int]:
    """The ways to ``goal``, made shorter until nothing is shorter."""
    way = dict.fromkeys(range(len(grid.names)), FAR)
    way[grid.number[goal]] = 0
    changed = True
    while changed:
        changed = False
        for at, far in list(way.items()):
            if far == FAR:
                continue
            ends = [(before, far + dangers.cost[at] + mp) for before, mp in grid.back[at]]
            ends += [(before, far + SCALE) for before in grid.gliding[at]]
            for before, there in ends:
                if there < way[before]:
                    way[before], changed = there, True
    return {grid.names[at]: far for at, far in way.items()}


@pytest.mark.parametrize("seed", range(24))
def test_a_way_is_the_shortest(seed: int) -> None:
    source = random.Random(seed)
    grid = Grid(situation().geo, arrows=seed % 4 < 2, whole=seed % 5 > 1)
    goal = source.choice(grid.names)
    dangers = drawn(grid, source, (0.0, 0.05, 0.3)[seed % 3])
    if seed % 2:  # the goal is in danger, as where Germans are
        cost = [
            9 if area == goal else extra
            for area, extra in zip(grid.names, dangers.cost, strict=True)
        ]
        dangers = Dangers(tuple(cost), dangers.areas | 1 << grid.number[goal])
    exact = by_relaxing(grid, goal, dangers)
    ways = grid.reaches(dangers)[goal]
    for area in source.sample(grid.names, len(grid.names)):
        assert ways.of(area) == exact[area]
        assert ways.nearer(area) == {
            end: (exact[area] - exact[end]) / SCALE
            for end, _ in grid.ends[grid.number[area]]
            if exact[end] < exact[area] < FAR
        }


def exposure(sit: Situation, threat: Threat, area: str, way: int, inside: bool) -> float:
    """What is against waiting in ``area``."""
    home = sit.geo.away(sit.geo.pegasus).get(area, 30)
    return threat_to(sit, threat, area, inside) + 0.1 * (way / SCALE) + 0.35 * home


@pytest.mark.parametrize("seed", range(20))
def test_the_shelter_is_the_best_of_all(seed: int) -> None:
    source = random.Random(seed)
    sit = situation()
    grid = grid_of(sit)
    start = source.choice(sorted(sit.geo.land_set))
    british(sit, start, "wood-platoon")
    unit = sit.units["wood-platoon"]
    threat = Threat([(float(source.randint(0, 9)), source.sample(grid.names, 50)) for _ in "abcd"])
    mp = source.randint(0, 3)
    dangers = drawn(grid, source, (0.0, 0.02, 0.3)[seed % 3])
    most = 3 * SCALE
    ranked = rank_ways(sit, start, grid.around(start, most))
    outward = Outward(grid, start, dangers, most, ranked)
    ways = ways_out(grid, start, dangers.cost, most)
    assert outward.all() == ways
    open_to_it = [
        (exposure(sit, threat, area, way, inside=False), area)
        for area, way in ways.items()
        if way <= mp * SCALE and area in sit.geo.land_set and area not in sit.german
    ]
    assert shelter(sit, {}, threat, unit, outward, mp) == min(open_to_it)[1]
