"""A map as play asks for it, worked out once for a map and its rulings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, lru_cache
from heapq import heappop, heappush
from typing import Final

from asl_pbcg.st.area_terms import BUNKER, area_of, is_bunker, numbers
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.settings import Settings

FAR = 1 << 30
"""A distance that no path has."""
MAX_KNOWN: Final = 5000
"""Answers to one kind of question that are kept at most, so that memory stays flat."""
Steps = Mapping[str, tuple[tuple[str, int], ...]]
"""For each area others next to it, with the MP between them."""
NO_ARROWS: Final[Mapping[str, Iterable[str]]] = {}


class Geometry:
    """One map under the settings of one game; areas are ids, costs are movement points."""

    def __init__(self, area_map: GameMap, settings: Settings) -> None:
        self.map = area_map.with_rulings(
            hexagon_link=settings.hexagon_link, sight_radius=float(settings.sight_radius)
        )
        found = self.map
        self.names: Mapping[str, str] = {area.id: area.name for area in found.areas.values()}
        self._texts = {area: f"{area} {name}" for area, name in self.names.items()}
        self.steps: dict[str, tuple[tuple[str, int], ...]] = {
            area: tuple((there, self._mp(area, there)) for there in found.steps(area))
            for area in found.areas
        }
        """For each area the areas along a solid line, with the MP. Rule: ST-MOV-08."""
        self.next_to: dict[str, tuple[str, ...]] = {
            area: found.neighbours(area) if settings.dashed_lines_adjacent else found.steps(area)
            for area in found.areas
        }
        """For each area the adjacent ones, for fire and Opportunity Fire. Rule: AMB-27."""
        self.aware: dict[str, tuple[str, ...]] = {
            area: self.next_to[area]
            if settings.dashed_lines_adjacent is True
            else found.steps(area)
            for area in found.areas
        }
        """For each area the adjacent ones, for spotting, activation and demolition. AMB-27."""
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
        self.arrows_into: dict[str, list[str]] = {}
        """The areas that an arrow leaves for an area."""
        for start, ends in self.arrows.items():
            for end in ends:
                self.arrows_into.setdefault(end, []).append(start)
        self._note_places(found)
        self.demolition_near = frozenset(
            (self.pegasus, *self.aware[self.pegasus], *self.aware[self.pillbox])
        )
        """Where a British unit can bring the demolition on. Rule: ST-DEM-05."""
        self._make_memos()

    def _note_places(self, found: GameMap) -> None:
        """Note what kind of ground each area is, and where features are."""
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
                if there in self.roads and self._is_road(area, there)
            )
            for area in self.roads
        }
        """For each road area the road areas next along the road. Rule: ST-TNK-02."""

    def _make_memos(self) -> None:
        """Prepare the answers that are worked out when they are first asked for."""
        self.entry: Callable[[str], str] = cache(self.map.entry)
        """The area of the entry Le Port, Benouville or Ranville."""
        self.steps_back: Callable[[bool | None], Steps] = cache(self._steps_back)
        """For each area where one may come from, with the MP (ferry). Rule: ST-DEM-09."""
        self.ways_when: Callable[[str, bool | None], Reach] = cache(self._ways_when)
        """The ways to a goal on an empty map (goal, ferry)."""
        self._by_road: Callable[[str], Mapping[str, int]] = cache(self._away_by_road)
        self.on_road_to: Callable[[str], Mapping[str, tuple[str, int]]] = cache(self._on_road_to)
        """For each road area the next one on the shortest way to a goal by road, and its MP."""
        self.sight: Callable[[str, str], frozenset[str] | None] = lru_cache(MAX_KNOWN)(self._sight)
        """Between two areas, those where a vehicle blocks the sight; None if terrain does."""
        self.area_at: dict[str, str] = {
            place: area for area in self.names for place in (area, area + BUNKER)
        }
        """The area that each place is in."""

    def _mp(self, a: str, b: str) -> int:
        line = self.map.crossing(a, b)
        assert line and line.mp is not None
        return line.mp

    def _is_road(self, a: str, b: str) -> bool:
        line = self.map.crossing(a, b)
        return bool(line and line.road)

    def away(self, goal: str, road: bool = False) -> Mapping[str, int]:
        """Return the MP from every area to ``goal`` on an empty map, by road alone if ``road``.

        A line costs the same both ways: it is as far back. Rule: ST-MOV-12, ST-MOV-13.
        """
        return self._by_road(goal) if road else self.ways_when(goal, None).all()

    def _ways_when(self, goal: str, ferry: bool | None) -> Reach:
        return Reach(self.steps_back(ferry), [goal], {})

    def _steps_back(self, ferry: bool | None) -> Steps:
        """Return where one may come from; ``ferry`` is None while the bridge stands.

        Else it tells whether the ferry works: it is entered from next to the bridge and left again.
        """
        bridge, steps = self.pegasus, self.steps
        if ferry is None:
            return steps
        back = dict(steps)
        if ferry:
            back[bridge] = tuple((area, numbers().cost_ferry) for area, _ in steps[bridge])
            return back
        back[bridge] = ()
        for area, _ in steps[bridge]:
            back[area] = tuple(step for step in steps[area] if step[0] != bridge)
        return back

    def _away_by_road(self, goal: str) -> dict[str, int]:
        return Reach(self.road_steps, [goal], {}).all()

    def _on_road_to(self, goal: str) -> dict[str, tuple[str, int]]:
        away = self._by_road(goal)
        found: dict[str, tuple[str, int]] = {}
        for area, steps in self.road_steps.items():
            nearer = [
                (away[there] + mp, there, mp)
                for there, mp in steps
                if there in away and away[there] < away.get(area, FAR)
            ]
            if nearer:
                _, there, mp = min(nearer)
                found[area] = there, mp
        return found

    def sees(self, a: str, b: str, vehicles: Collection[str]) -> bool:
        """Tell whether a gun in ``a`` has a line of sight to ``b``. Rule: ST-TAT-13."""
        sight = self.sight(a, b)
        return sight is not None and sight.isdisjoint(vehicles)

    def _sight(self, a: str, b: str) -> frozenset[str] | None:
        if self.map.blocking(a, b):
            return None
        return frozenset(self.map.blocking(a, b, vehicles=self.names))

    def text(self, area: str) -> str:
        """Return an area as players read it: ``B4 AT gun``."""
        return self._texts[area]

    def place_text(self, place: str) -> str:
        """Return an area, or the bunker in it (``B4*``), as players read it."""
        inside = "the bunker of " if is_bunker(place) else ""
        return inside + self.text(area_of(place))


def geometry_of(area_map: GameMap, settings: Settings) -> Geometry:
    """The geometry of a map under ``settings``, one for all games that read the map alike."""
    reading = (settings.hexagon_link, settings.sight_radius, settings.dashed_lines_adjacent)
    found: Geometry | None = area_map.read_as.get(reading)
    if found is None:
        found = area_map.read_as[reading] = Geometry(area_map, settings)
    return found


class Reach:
    """The shortest ways from areas to some goals, searched outward from them as far as is asked.

    ``steps`` gives for each area where one may come from, and the MP. Entering an area costs what
    ``extra`` names besides, but along one of ``arrows`` 1 MP alone. An MP counts ``scale``.
    Rule: ST-MOV-12, ST-MOV-13, ST-MOV-14.
    """

    __slots__ = ("_arrows", "_extra", "_open", "_queue", "_scale", "_steps", "settled")

    def __init__(
        self,
        steps: Mapping[str, Iterable[tuple[str, int]]],
        goals: Iterable[str],
        extra: Mapping[str, int],
        scale: int = 1,
        arrows: Mapping[str, Iterable[str]] = NO_ARROWS,
    ) -> None:
        self._steps = steps
        self._extra = extra
        self._scale = scale
        self._arrows = arrows
        self._open = dict.fromkeys(goals, 0)
        self._queue = [(0, area) for area in sorted(self._open)]
        self.settled: dict[str, int] = {}
        """The areas worked out so far; no other is nearer than any of them."""

    def of(self, area: str) -> int:
        """Return the length of the way from ``area``; FAR if it cannot reach a goal."""
        settled = self.settled
        if area not in settled:
            self._on(area)
        return settled.get(area, FAR)

    def all(self) -> dict[str, int]:
        """Return the length of the way from every area that can reach a goal."""
        self._on("")
        return self.settled

    def _on(self, wanted: str) -> None:
        queue, best, settled = self._queue, self._open, self.settled
        steps, scale, extra, arrows = self._steps, self._scale, self._extra, self._arrows
        while queue:
            way, area = heappop(queue)
            if area in settled:
                continue
            settled[area] = way
            entered = way + extra[area] if area in extra else way
            for there, mp in steps.get(area, ()):
                longer = entered + mp * scale
                if there not in best or longer < best[there]:
                    best[there] = longer
                    heappush(queue, (longer, there))
            for there in arrows.get(area, ()):
                if there not in best or way + scale < best[there]:
                    best[there] = way + scale
                    heappush(queue, (way + scale, there))
            if area == wanted:
                return
