"""Caution of the automatic British player: danger on its ways, German threats, safe shelter.

A place stays held when no unit stands there (ST-VIC-02), so a unit without a task lives longest
where no German can fire on it. A column that marches by is let through (ST-TNK-05).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from heapq import heappop, heappush

from asl_pbcg.st.area_terms import GERMAN, numbers
from asl_pbcg.st.board.geometry import FAR, NO_ARROWS, Geometry, Reach
from asl_pbcg.st.germans.german_column import marching
from asl_pbcg.st.player.policy_worth import HIDDEN_SP
from asl_pbcg.st.procedures.german_guns import holds_fire
from asl_pbcg.st.state.area_tables import GERMAN_ENTRY, table
from asl_pbcg.st.state.game_rules import german_order
from asl_pbcg.st.state.game_state import Unit
from asl_pbcg.st.state.phase_situation import Situation

SCALE = 8
"""Fractions of an MP in the ways."""
Dangers = frozenset[tuple[str, int]]
"""Areas with what entering each costs besides its MP, in fractions of an MP."""


class PlayerWays:
    """The shortest ways over a map with some dangers, in fractions of an MP; each searched once."""

    def __init__(self, geo: Geometry, arrows: bool, whole: bool, dangers: Dangers) -> None:
        self._geo, self._extra = geo, dict(dangers)
        self._back = geo.steps if whole else {**geo.steps, geo.pegasus: ()}
        self._into = geo.arrows_into if arrows else NO_ARROWS
        self._to: dict[str, Reach] = {}
        self._within: dict[tuple[str, int], Mapping[str, int]] = {}

    def to(self, goal: str) -> Reach:
        """Return the way to ``goal`` from every area that can reach it."""
        if goal not in self._to:
            self._to[goal] = Reach(self._back, [goal], self._extra, SCALE, self._into)
        return self._to[goal]

    def within(self, start: str, mp: int) -> Mapping[str, int]:
        """Return the way to every area to which a unit can walk from ``start`` with ``mp``."""
        key = start, mp
        if key not in self._within:
            self._within[key] = _walk(self._geo, self._extra, start, mp)
        return self._within[key]


@lru_cache(maxsize=300)
def ways_over(geo: Geometry, arrows: bool, whole: bool, dangers: Dangers) -> PlayerWays:
    """Return the ways; the same dangers come again in other turns and imagined games."""
    return PlayerWays(geo, arrows, whole, dangers)


def _walk(geo: Geometry, extra: Mapping[str, int], start: str, mp: int) -> dict[str, int]:
    """Return the cheapest way from ``start`` to each area that is no further than ``mp``."""
    way = {start: 0}
    queue = [(0, start)]
    while queue:
        so_far, area = heappop(queue)
        if so_far > way[area]:
            continue
        for there, line in geo.steps[area]:
            longer = so_far + line * SCALE + extra.get(there, 0)
            if longer <= mp * SCALE and longer < way.get(there, FAR):
                way[there] = longer
                heappush(queue, (longer, there))
    return way


COVER = 0.6
"""The weight of fire into an obstructed area."""
BUNKER = 0.4
"""The weight of fire into a bunker."""
UNSEEN = 0.7
"""The weight of the fire of a column that has noticed nothing: it has to spot first."""
FAR_FROM_HOME = 0.35
"""SP of threat that an MP of the way back to the bridges weighs."""
WALK = 0.1
"""SP of threat that an MP of walking weighs."""
LONG_WAY = 30
"""MP to the bridges from where no way leads to them."""

Threat = Mapping[str, float]
"""The German SP that could fire into each area."""


def threats(sit: Situation) -> tuple[Threat, Threat]:
    """Return the German SP that could fire into each area in the coming German Fire Phase.

    Each visible German counts wherever it can get: on the road ahead if it marches, else as far
    as its MP reach. The second mapping counts reinforcements alone.
    """
    all_germans: defaultdict[str, float] = defaultdict(float)
    reinforcements: defaultdict[str, float] = defaultdict(float)
    for sp, areas, is_force in _fires(sit):
        for area in areas:
            all_germans[area] += sp
            if is_force:
                reinforcements[area] += sp
    return all_germans, reinforcements


def _fires(sit: Situation) -> Iterator[tuple[float, Collection[str], bool]]:
    """Yield for each German its SP, where it may fire, and whether it is a reinforcement."""
    geo = sit.geo
    for unit in sit.on_map(GERMAN):
        if unit.suppressed or not (unit.combat or unit.kind == "tank"):
            continue
        if unit.face_down:
            yield HIDDEN_SP, geo.near[unit.area], unit.force
        elif marching(sit, unit):
            sp = _sp(sit, unit) * (UNSEEN if holds_fire(sit, unit) else 1.0)
            yield sp, _fire_areas(geo, unit.area, "march"), unit.force
        else:
            how = "road" if unit.kind == "tank" else "foot"
            yield _sp(sit, unit), _fire_areas(geo, unit.area, how), unit.force
    for entry in _entries(sit):
        yield 2.0 * sit.n.tank_mg_sp, _fire_areas(geo, entry, "march"), True


@lru_cache(maxsize=1000)
def _fire_areas(geo: Geometry, start: str, how: str) -> frozenset[str]:
    """Return where a German from ``start`` may fire after its move."""
    if how == "march":
        ends = set(_road_ahead(geo, start))
    else:
        away = geo.away(start, road=how == "road")
        ends = {area for area, mp in away.items() if mp <= numbers().mp_german}
    return frozenset(area for end in ends for area in geo.near[end])


def _road_ahead(geo: Geometry, area: str) -> Iterator[str]:
    """Yield the road that a column in ``area`` may cover in its next move, ``area`` first."""
    onward = geo.on_road_to(geo.entry(german_order().march_exit))
    left = numbers().mp_german
    while area and left >= 0:
        yield area
        area, mp = onward.get(area, ("", 0))
        left -= mp


def _sp(sit: Situation, unit: Unit) -> float:
    if unit.kind == "tank":
        return float(sit.n.tank_mg_sp + sit.n.gun_sp)
    guns = sit.weapons_at(GERMAN, unit.place, "mg")
    return float(unit.strength + (sit.n.mg_sp if guns else 0))


def beside_column(sit: Situation) -> set[str]:
    """Return the areas where a column that marches could spot a unit. Rule: ST-GRN-07."""
    marched = {unit.area for unit in sit.on_map(GERMAN) if marching(sit, unit)}
    return {near for area in marched for near in sit.geo.near[area]}


def _entries(sit: Situation) -> Iterator[str]:
    """Yield where a column is about to enter: either entry until the die has named it."""
    if not sit.german_turn or sit.turn < sit.german_turn:
        return
    if sit.turn == sit.german_turn:
        due = _all_entries()
    else:
        units = sit.units.values()
        due = sorted({unit.enters for unit in units if unit.enters and unit.side == GERMAN})
    yield from map(sit.geo.entry, due)


@cache
def _all_entries() -> Sequence[str]:
    """Return the entries that the table knows."""
    return sorted({GERMAN_ENTRY.facts(row).entry for row in table("german_entry").rows})


def threat_to(sit: Situation, threat: Threat, area: str, inside: bool) -> float:
    """Return the threat to a unit in ``area``, less what its cover takes off."""
    sp = threat.get(area, 0.0)
    if inside:
        return sp * BUNKER
    return sp * COVER if sit.is_obstructed(area) else sp


def shelter(sit: Situation, threat: Threat, unit: Unit, ways: PlayerWays, mp: int) -> str:
    """Return the area within ``mp`` where ``unit`` is safest, near the bridges."""
    home, german, land = sit.geo.away(sit.geo.pegasus), sit.german, sit.geo.land_set
    start, inside = unit.area, unit.inside
    best, least = start, float("inf")
    for area, way in ways.within(start, mp).items():
        if area in german or not (area in land or area == start):
            continue
        feared = threat_to(sit, threat, area, inside and area == start)
        exposure = feared + WALK * (way / SCALE) + FAR_FROM_HOME * home.get(area, LONG_WAY)
        if exposure < least or (exposure == least and area < best):
            best, least = area, exposure
    return best
