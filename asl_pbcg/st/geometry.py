"""What play asks of a map again and again, worked out once for a map and its rulings."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from asl_pbcg.st.map import AreaMap
from asl_pbcg.st.places import BUNKER, area_of, is_bunker
from asl_pbcg.st.settings import Settings

FAR = 1 << 30
"""A distance that no path has."""
MOST_KNOWN: Final = 2000
"""Places and goals whose nearer areas are remembered at most, so that memory stays flat."""


class Way(NamedTuple):
    """A shortest way on an empty map: the areas entered, and those before the last of them."""

    areas: tuple[str, ...]
    through: frozenset[str]


class Drive(NamedTuple):
    """An area that can be reached by road on an empty map."""

    area: str
    mp: int
    areas: tuple[str, ...]
    """The areas entered; of ways that cost the same the first in id order counts."""
    gates: frozenset[str]
    """The areas through which one can set out to it, by whatever way."""


class Nearer(NamedTuple):
    """Areas within reach that are nearer to a goal than a given MP."""

    mp: dict[str, int]
    """What each costs."""
    ranked: list[tuple[int, int, int, int, str]]
    """Obstructed (0) before open (1) ones, then by MP left to the goal, by cost, by id."""
    open: frozenset[str]
    """Those whose terrain does not obstruct."""


class Geometry:
    """One map under the settings of one game; areas are ids, costs are movement points."""

    def __init__(self, area_map: AreaMap, settings: Settings) -> None:
        self.map = area_map.with_rulings(
            hexagon_link=settings.hexagon_link, sight_radius=float(settings.sight_radius)
        )
        found = self.map
        self.names: Mapping[str, str] = {area.id: area.name for area in found.areas.values()}
        self.steps: dict[str, tuple[tuple[str, int], ...]] = {
            area: tuple((there, self._mp(area, there)) for there in found.steps(area))
            for area in found.areas
        }
        """For each area the areas along a solid line, with the MP. Rule: ST-MOV-08."""
        self.next_to: dict[str, tuple[str, ...]] = {
            area: found.neighbours(area) if settings.dashed_lines_adjacent else found.steps(area)
            for area in found.areas
        }
        """For each area the adjacent ones, for fire, spotting and activation. Rule: AMB-27."""
        self.near: dict[str, tuple[str, ...]] = {
            area: (area, *there) for area, there in self.next_to.items()
        }
        """For each area itself and the adjacent ones."""
        self.beside: dict[str, frozenset[str]] = {
            area: frozenset(there) for area, there in self.next_to.items()
        }
        self.solid: dict[str, frozenset[str]] = {
            area: frozenset(there for there, _ in steps) for area, steps in self.steps.items()
        }
        """Adjacent along a solid line, for grenades and retreats. Rule: AMB-27."""
        self.arrows: dict[str, tuple[str, ...]] = {
            area.id: tuple(sorted(set(found.arrows_from(area.id).values())))
            for area in found.areas.values()
        }
        self.flight = frozenset(a.id for a in found.areas.values() if a.kind == "flight")
        self.obstructed = frozenset(a.id for a in found.areas.values() if a.obstructed)
        self.land = found.land
        self.land_set = frozenset(found.land)
        self.bunkers = found.with_feature("bunker")
        self.has_bunker = frozenset(self.bunkers)
        self.setup_areas = found.with_feature("setup")
        self.mg_areas = found.with_feature("mg")
        self.at_area = found.place("at_gun")
        self.pillbox = found.place("pillbox")
        self.pegasus = found.place("pegasus_bridge")
        self.ranville_bridge = found.place("ranville_bridge")
        self.roads = frozenset(found.roads)
        self.road_steps: dict[str, tuple[tuple[str, int], ...]] = {
            area: tuple(
                (there, mp)
                for there, mp in self.steps[area]
                if there in self.roads and self._by_road(area, there)
            )
            for area in self.roads
        }
        """For each road area the road areas next along the road. Rule: ST-TNK-02."""
        self.demolition_near = frozenset(self.near[self.pegasus]) | self.beside[self.pillbox]
        """Where a British unit can bring the demolition on. Rule: ST-DEM-05."""
        self._entries: dict[str, str] = {}
        self._away: dict[tuple[str, bool], dict[str, int]] = {}
        self._within: dict[tuple[str, int], tuple[tuple[str, int], ...]] = {}
        self._around: dict[tuple[str, int], frozenset[str]] = {}
        self._nearer: dict[tuple[str, int, str, int], Nearer] = {}
        self._ways: dict[tuple[str, str], tuple[Way, ...]] = {}
        self._drives: dict[tuple[str, int], tuple[Drive, ...]] = {}
        self._on: dict[str, dict[str, tuple[str, int]]] = {}
        self.area_at: dict[str, str] = {
            place: area for area in self.names for place in (area, area + BUNKER)
        }
        """The area that each place is in."""

    def _mp(self, a: str, b: str) -> int:
        line = self.map.crossing(a, b)
        assert line and line.mp is not None
        return line.mp

    def _by_road(self, a: str, b: str) -> bool:
        line = self.map.crossing(a, b)
        return bool(line and line.road)

    def entry(self, name: str) -> str:
        """Name the area of the entry Le Port, Benouville or Ranville."""
        found = self._entries.get(name)
        if found is None:
            found = self._entries[name] = self.map.entry(name)
        return found

    def away(self, goal: str, road: bool = False) -> dict[str, int]:
        """MP from every area to ``goal`` on an empty map, by road alone if ``road``.

        A line costs the same both ways: it is as far back. Rule: ST-MOV-12, ST-MOV-13.
        """
        key = (goal, road)
        if key not in self._away:
            self._away[key] = Reach(self.road_steps if road else self.steps, {goal: 0}, ()).all()
        return self._away[key]

    def within(self, start: str, mp: int) -> tuple[tuple[str, int], ...]:
        """The areas that ``mp`` suffice for on foot on an empty map, with what each costs."""
        key = (start, mp)
        found = self._within.get(key)
        if found is None:
            known = self.away(start).items()
            found = self._within[key] = tuple([each for each in known if each[1] <= mp])
        return found

    def around(self, start: str, mp: int) -> frozenset[str]:
        """The same areas, ``start`` left out."""
        key = (start, mp)
        found = self._around.get(key)
        if found is None:
            areas = [area for area, _ in self.within(start, mp) if area != start]
            found = self._around[key] = frozenset(areas)
        return found

    def nearer(self, start: str, mp: int, goal: str, than: int) -> Nearer:
        """Those that are nearer to ``goal`` than ``than`` on an empty map."""
        key = (start, mp, goal, than)
        found = self._nearer.get(key)
        if found is None:
            if len(self._nearer) >= MOST_KNOWN:
                self._nearer.clear()
            found = self.rank(self.within(start, mp), self.away(goal), than)
            self._nearer[key] = found
        return found

    def rank(
        self, ends: Iterable[tuple[str, int]], away: Mapping[str, int], than: int
    ) -> Nearer:
        """Those of ``ends`` (each with its cost) that are nearer than ``than``."""
        mp = {area: spent for area, spent in ends if away.get(area, FAR) < than}
        is_open = frozenset(mp) - self.obstructed
        ranked = [(int(area in is_open), away[area], mp[area], 0, area) for area in mp]
        return Nearer(mp, sorted(ranked), is_open)

    def ways(self, start: str, area: str) -> tuple[Way, ...]:
        """All shortest ways on foot on an empty map, in id order."""
        key = (start, area)
        found = self._ways.get(key)
        if found is None:
            mp = self.away(start)
            areas = [
                (*way.areas, area)
                for here, cost in self.steps[area]
                if mp[here] + cost == mp[area]
                for way in self.ways(start, here)
            ]
            ways = sorted(areas) if area != start else [()]
            found = tuple([Way(each, frozenset(each[:-1])) for each in ways])
            self._ways[key] = found
        return found

    def drives(self, start: str, mp: int) -> tuple[Drive, ...]:
        """The areas that ``mp`` suffice for by road on an empty map, ``start`` left out."""
        key = (start, mp)
        found = self._drives.get(key)
        if found is None:
            found = self._drives[key] = tuple(self._drive(start, mp))
        return found

    def _drive(self, start: str, mp: int) -> Iterator[Drive]:
        away = self.away(start, road=True)
        ways: dict[str, tuple[str, ...]] = {start: ()}
        elsewhere = {
            area: [step for step in steps if step[0] != start]
            for area, steps in self.road_steps.items()
        }
        beyond = {
            gate: (cost, Reach(elsewhere, {gate: 0}, ()))
            for gate, cost in self.road_steps.get(start, ())
        }
        for area in sorted(away, key=away.__getitem__):
            if area == start or away[area] > mp:
                continue
            ways[area] = min(
                (*ways[here], area)
                for here, cost in self.road_steps[area]
                if away[here] + cost == away[area]
            )
            gates = [gate for gate, (cost, reach) in beyond.items() if cost + reach.of(area) <= mp]
            yield Drive(area, away[area], ways[area], frozenset(gates))

    def on_road_to(self, goal: str) -> dict[str, tuple[str, int]]:
        """For each road area the next one on the shortest way to ``goal`` by road, and its MP."""
        found = self._on.get(goal)
        if found is None:
            away = self.away(goal, road=True)
            found = self._on[goal] = {}
            for area, steps in self.road_steps.items():
                nearer = [
                    (away[there] + mp, there, mp)
                    for there, mp in steps
                    if there in away and away[there] < away.get(area, FAR)
                ]
                if nearer:
                    found[area] = min(nearer)[1:]
        return found

    def sees(self, a: str, b: str, vehicles: Collection[str]) -> bool:
        """Whether a gun in ``a`` has a line of sight to ``b``. Rule: ST-TAT-13."""
        return self.map.line_of_sight(a, b, vehicles).clear

    def text(self, area: str) -> str:
        """An area as players read it: ``B4 AT gun``."""
        return f"{area} {self.names[area]}"

    def place_text(self, place: str) -> str:
        """An area, or the bunker in it (``B4*``), as players read it."""
        inside = "the bunker of " if is_bunker(place) else ""
        return inside + self.text(area_of(place))


def geometry_of(area_map: AreaMap, settings: Settings) -> Geometry:
    """The geometry of a map under ``settings``, one for all games that read the map alike."""
    reading = (settings.hexagon_link, settings.sight_radius, settings.dashed_lines_adjacent)
    found: Geometry | None = area_map.read_as.get(reading)
    if found is None:
        found = area_map.read_as[reading] = Geometry(area_map, settings)
    return found


class Reach:
    """MP from areas to some goals, worked out outward from the goals as far as is asked.

    Each goal begins with its own number; entering an area of ``surcharged`` costs 1 MP more; an
    MP counts ``scale``. ``steps`` gives for each area where one may come from.
    Rule: ST-MOV-12, ST-MOV-13, ST-MOV-14.
    """

    __slots__ = ("_open", "_queue", "_scale", "_steps", "_surcharged", "settled")

    def __init__(
        self,
        steps: Mapping[str, Iterable[tuple[str, int]]],
        goals: Mapping[str, int],
        surcharged: Collection[str],
        scale: int = 1,
    ) -> None:
        self._steps = steps
        self._surcharged = surcharged
        self._scale = scale
        self._open = dict(goals)
        self._queue = [(number, area) for area, number in goals.items()]
        heapq.heapify(self._queue)
        self.settled: dict[str, int] = {}
        """The areas worked out so far; no other is nearer than any of them."""

    def of(self, area: str) -> int:
        """The number of ``area``; FAR if it cannot reach a goal."""
        settled = self.settled
        if area not in settled:
            self._on(area)
        return settled.get(area, FAR)

    def all(self) -> dict[str, int]:
        """The numbers of all areas that can reach a goal."""
        self._on("")
        return self.settled

    def _on(self, wanted: str) -> None:
        queue, best, settled = self._queue, self._open, self.settled
        steps, scale, surcharged = self._steps, self._scale, self._surcharged
        while queue:
            number, area = heapq.heappop(queue)
            if area in settled:
                continue
            settled[area] = number
            if area in surcharged:
                number += scale
            for before, mp in steps.get(area, ()):
                if before in settled:
                    continue
                there = number + mp * scale
                if there < best.get(before, FAR):
                    best[before] = there
                    heapq.heappush(queue, (there, before))
            if area == wanted:
                return
