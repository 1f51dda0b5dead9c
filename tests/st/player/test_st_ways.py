"""The ways of the automatic player are the shortest, its shelters the safest."""

from __future__ import annotations

import random

import pytest
from st_help import british, situation

from asl_pbcg.st.board.geometry import FAR, Geometry
from asl_pbcg.st.player.policy_caution import SCALE, Dangers, PlayerWays, Threat, shelter, threat_to
from asl_pbcg.st.state.phase_situation import Situation


def drawn(geo: Geometry, source: random.Random, share: float) -> Dangers:
    """Dangers in some of the areas."""
    areas = [area for area in geo.names if source.random() < share]
    return frozenset((area, source.randint(1, 40)) for area in areas)


def by_relaxing(
    geo: Geometry, goal: str, dangers: Dangers, arrows: bool, whole: bool
) -> dict[str, int]:
    """The ways to ``goal``, made shorter until nothing is shorter."""
    cost = dict(dangers)
    lines = [
        (area, there, mp * SCALE + cost.get(there, 0))
        for area in geo.names
        for there, mp in geo.steps[area]
        if whole or there != geo.pegasus
    ]
    if arrows:
        lines += [(area, end, SCALE) for area, ends in geo.arrows.items() for end in ends]
    way = {goal: 0}
    changed = True
    while changed:
        changed = False
        for area, there, far in lines:
            if there in way and way[there] + far < way.get(area, FAR):
                way[area], changed = way[there] + far, True
    return way


@pytest.mark.parametrize("seed", range(24))
def test_a_way_is_the_shortest(seed: int) -> None:
    source, geo = random.Random(seed), situation().geo
    reading = seed % 4 < 2, seed % 5 > 1
    goal = source.choice(tuple(geo.names))
    dangers = drawn(geo, source, (0.0, 0.05, 0.3)[seed % 3])
    if seed % 2:  # the goal is in danger, as where Germans are
        dangers = frozenset((dict(dangers) | {goal: 9}).items())
    exact = by_relaxing(geo, goal, dangers, *reading)
    assert PlayerWays(geo, *reading, dangers).to(goal).all() == exact


def exposure(sit: Situation, threat: Threat, area: str, way: int) -> float:
    """What is against waiting in ``area``."""
    home = sit.geo.away(sit.geo.pegasus).get(area, 30)
    return threat_to(sit, threat, area, inside=False) + 0.1 * (way / SCALE) + 0.35 * home


@pytest.mark.parametrize("seed", range(20))
def test_the_shelter_is_the_best_of_all(seed: int) -> None:
    source, sit = random.Random(seed), situation()
    geo = sit.geo
    start = source.choice(sorted(geo.land_set))
    british(sit, start, "wood-platoon")
    threat = {area: float(source.randint(0, 30)) for area in geo.names}
    mp, dangers = source.randint(0, 3), drawn(geo, source, (0.0, 0.02, 0.3)[seed % 3])
    best = min(
        (exposure(sit, threat, area, way), area)
        for area in geo.land_set - sit.german.keys()
        if (way := by_relaxing(geo, area, dangers, False, True).get(start, FAR)) <= mp * SCALE
    )
    ways = PlayerWays(geo, False, True, dangers)
    assert shelter(sit, threat, sit.units["wood-platoon"], ways, mp) == best[1]
