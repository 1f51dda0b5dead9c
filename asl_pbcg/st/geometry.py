"""What play asks of a map again and again, worked out once for a map and its rulings."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping

from asl_pbcg.st.map import AreaMap
from asl_pbcg.st.places import area_of, is_bunker
from asl_pbcg.st.settings import Settings

FAR = 1 << 30
"""A distance that no path has."""


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

    def sees(self, a: str, b: str, vehicles: Collection[str]) -> bool:
        """Whether a gun in ``a`` has a line of sight to ``b``. Rule: ST-TAT-13."""
        return not self.map.blocking(a, b, vehicles)

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
