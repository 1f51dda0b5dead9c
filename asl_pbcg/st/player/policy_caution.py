"""Where the automatic British player keeps out of the way of the Germans.

What is held stays held when nobody stands there (ST-VIC-02), so a unit without a task lives
longest where no German can fire on it. A column that marches by is let through (ST-TNK-05).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache

from asl_pbcg.st.player.policy_ways import SCALE, Outward, Ranked
from asl_pbcg.st.player.policy_worth import HIDDEN_SP
from asl_pbcg.st.rules.german_column import marching
from asl_pbcg.st.rules.german_guns import holds_fire
from asl_pbcg.st.rules.german_ways import next_by_road
from asl_pbcg.st.rules.results import GERMAN_ENTRY
from asl_pbcg.st.rules.rules import german_order
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.state import Unit
from asl_pbcg.st.rules.tables import table
from asl_pbcg.st.terms import GERMAN

COVER = 0.6
"""What fire into an obstructed area counts for."""
BUNKER = 0.4
"""What fire into a bunker counts for."""
UNSEEN = 0.7
"""What the fire of a column that has noticed nothing counts for: it has to spot first."""
FAR_FROM_HOME = 0.35
"""SP of threat that an MP of the way back to the bridges weighs."""
WALK = 0.1
"""SP of threat that an MP of walking weighs."""


class Threat:
    """The German SP that could fire into each area, added up for the areas asked for."""

    __slots__ = ("_known", "fires")

    def __init__(self, fires: Sequence[tuple[float, Collection[str]]]) -> None:
        self.fires = fires
        """Each German's SP, and the areas where it may fire."""
        self._known: dict[str, float] = {}

    def to(self, area: str) -> float:
        """The SP that could fire into ``area``."""
        found = self._known.get(area)
        if found is None:
            found = self._known[area] = sum([sp for sp, near in self.fires if area in near], 0.0)
        return found

    def everywhere(self) -> set[str]:
        """The areas where anybody may fire."""
        return set().union(*[near for sp, near in self.fires if sp])


def threats(sit: Situation) -> tuple[Threat, Threat]:
    """The German SP that could fire into each area in the coming German Fire Phase.

    Each German in sight is reckoned wherever it can get: on the road ahead if it marches, else
    as far as its MP reach. The second counts reinforcements alone.
    """
    found = list(_fires(sit))
    return (
        Threat([(sp, near) for sp, near, _ in found]),
        Threat([(sp, near) for sp, near, force in found if force]),
    )


def _fires(sit: Situation) -> Iterator[tuple[float, Collection[str], bool]]:
    """Each German: its SP, where it may fire, and whether it is a reinforcement."""
    n = sit.n
    for unit in sit.on_map(GERMAN):
        if unit.suppressed or not (unit.combat or unit.kind == "tank"):
            continue
        if unit.face_down:
            yield HIDDEN_SP, sit.geo.near[unit.area], unit.force
        elif marching(sit, unit):
            sp = _sp(sit, unit) * (UNSEEN if holds_fire(sit, unit) else 1.0)
            yield sp, _fire_places(sit, unit.area, "march"), unit.force
        else:
            how = "road" if unit.kind == "tank" else "foot"
            yield _sp(sit, unit), _fire_places(sit, unit.area, how), unit.force
    for entry in _entries(sit):
        yield 2.0 * n.tank_mg_sp, _fire_places(sit, entry, "march"), True


def _fire_places(sit: Situation, start: str, how: str) -> frozenset[str]:
    """Where a German from ``start`` may fire after its move; the same in every game on a map."""
    key = (start, how)
    found: frozenset[str] | None = sit.rules.reached.get(key)
    if found is None:
        if how == "march":
            ends = set(_road_ahead(sit, start))
        else:
            away = sit.geo.away(start, road=how == "road")
            ends = {area for area, mp in away.items() if mp <= sit.n.mp_german}
        near = sit.geo.near
        found = frozenset(area for end in ends for area in near[end])
        sit.rules.reached[key] = found
    return found


def _sp(sit: Situation, unit: Unit) -> float:
    if unit.kind == "tank":
        return float(sit.n.tank_mg_sp + sit.n.gun_sp)
    guns = sit.weapons_at(GERMAN, unit.place, "mg")
    return float(unit.strength + (sit.n.mg_sp if guns else 0))


def beside_column(sit: Situation) -> set[str]:
    """The areas where a column that marches could spot somebody. Rule: ST-GRN-07."""
    there = {unit.area for unit in sit.on_map(GERMAN) if marching(sit, unit)}
    return {near for area in there for near in sit.geo.near[area]}


def _road_ahead(sit: Situation, area: str) -> Iterator[str]:
    """The road that a column in ``area`` may cover in its next move, ``area`` first."""
    exit_area = sit.geo.entry(german_order().march_exit)
    mp = 0
    while area and mp <= sit.n.mp_german:
        yield area
        there = next_by_road(sit, area, exit_area)
        mp += dict(sit.geo.road_steps[area])[there] if there else 0
        area = there


def _entries(sit: Situation) -> Iterator[str]:
    """Where a column is about to enter: either entry while nobody knows which."""
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
    """The entries that the table knows."""
    return sorted({GERMAN_ENTRY.facts(row).entry for row in table("german_entry").rows})


def threat_to(sit: Situation, threat: Threat, area: str, inside: bool) -> float:
    """The threat to a unit in ``area``, with what its cover takes off."""
    sp = threat.to(area)
    if inside:
        return sp * BUNKER
    return sp * COVER if sit.is_obstructed(area) else sp


def rank_ways(sit: Situation, start: str, ways: Mapping[str, tuple[int, int]]) -> Ranked:
    """Where one from ``start`` may wait, by what the walk and the way back to the bridges weigh.

    The lightest come first.
    """
    home, land = sit.geo.away(sit.geo.pegasus), sit.geo.land_set
    found: list[tuple[float, str, int, float, float, int]] = []
    for area, (way, entered) in ways.items():
        if area in land or area == start:
            back = FAR_FROM_HOME * home.get(area, 30)
            walk = WALK * (way / SCALE)
            found.append((walk + back, area, way, walk, back, entered))
    return sorted(found)


def shelter(
    sit: Situation,
    known: dict[str, float],
    threat: Threat,
    unit: Unit,
    ways: Outward,
    mp: int,
) -> str:
    """The area within ``mp`` by safe ``ways`` where ``unit`` is safest, near the bridges.

    ``known`` keeps the threat to each area, the same for all units of a plan.
    """
    german, start, dangerous = sit.german, unit.area, ways.dangerous
    inside = start if unit.inside else ""
    most = mp * SCALE
    best, least = start, float("inf")
    for weight, area, way, walk, back, entered in ways.ranked:
        if weight > least:
            break  # no threat is less than none
        if way > most or area in german:
            continue
        if area == inside:
            bad = threat_to(sit, threat, area, inside=True)
        elif area in known:
            bad = known[area]
        else:
            bad = known[area] = threat_to(sit, threat, area, inside=False)
        against = bad + walk + back
        if against > least:
            continue  # nor is it safer with the dangers on the way
        if entered & dangerous:
            way = ways.least(area, way)
            if way > most or bad + WALK * (way / SCALE) + back > least:
                continue
            way = ways.past_danger(area, way, entered)
            if way > most:
                continue
            against = bad + WALK * (way / SCALE) + back
        if against < least or (against == least and area < best):
            best, least = area, against
    return best
