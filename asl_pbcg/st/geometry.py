"""What play asks of a map again and again, worked out once for a map and its rulings."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final, NamedTuple, TypeVar

from asl_pbcg.st.map import AreaMap
from asl_pbcg.st.numbers import numbers
from asl_pbcg.st.places import BUNKER, area_of, is_bunker
from asl_pbcg.st.settings import Settings

FAR = 1 << 30
"""A distance that no path has."""
MOST_KNOWN: Final = 5000
MOST_NEARER: Final = 600
"""Answers to one kind of question that are kept at most, so that memory stays flat."""
Steps = Mapping[str, tuple[tuple[str, int], ...]]
"""For each area others next to it, with the MP between them."""
K = TypeVar("K")
V = TypeVar("V")


class Known(dict[K, V]):
    """Answers that are worked out when they are first asked for."""

    __slots__ = ("_make", "_most")

    def __init__(self, make: Callable[[K], V], most: int = MOST_KNOWN) -> None:
        super().__init__()
        self._make = make
        self._most = most

    def __missing__(self, key: K) -> V:
        if len(self) >= self._most:
            self.clear()
        found = self[key] = self._make(key)
        return found


class Shortest(NamedTuple):
    """All shortest ways from one area to another on foot on an empty map, in id order."""

    ways: tuple[tuple[str, ...], ...]
    """The areas entered, the last one too."""
    through: frozenset[str]
    """The areas that any of them leads through."""


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
    left: Mapping[str, int]
    """How far all areas are from the goal."""
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
                if there in self.roads and self._is_road(area, there)
            )
            for area in self.roads
        }
        """For each road area the road areas next along the road. Rule: ST-TNK-02."""
        self.demolition_near = frozenset(self.near[self.pegasus]) | self.beside[self.pillbox]
        """Where a British unit can bring the demolition on. Rule: ST-DEM-05."""
        self._entries: dict[str, str] = {}
        self.on_foot: Known[str, dict[str, int]] = Known(self._on_foot)
        """MP from every area to a goal on an empty map (:meth:`away`)."""
        self.rings: Known[str, dict[int, frozenset[str]]] = Known(self._rings)
        """The areas round one by the MP from there on an empty map, the nearest first."""
        self.back_when_broken: Known[bool, Steps] = Known(self._back_when_broken)
        """For each area where one may come from, with the MP, when the bridge is destroyed and
        the ferry works or does not."""
        self.when_broken: Known[tuple[str, bool], dict[str, int]] = Known(self._when_broken)
        """MP from every area to a goal on a map that is empty then."""
        self._by_road: Known[str, dict[str, int]] = Known(self._away_by_road)
        self._within: Known[tuple[str, int], tuple[tuple[str, int], ...]]
        self._within = Known(self._look_within)
        self.around: Known[tuple[str, int], frozenset[str]] = Known(self._around)
        """The areas within so many MP of an area on foot on an empty map, itself left out."""
        self.nearer: Known[tuple[str, int, str, int], Nearer] = Known(self._nearer, MOST_NEARER)
        """The areas within so many MP of one that are nearer to a goal than a number of MP."""
        self.shortest: Known[tuple[str, str], Shortest] = Known(self._shortest)
        """The shortest ways on foot from one area to another on an empty map."""
        self.drives: Known[tuple[str, int], dict[str, Drive]] = Known(self._drives)
        """The areas within so many MP of one by road on an empty map, itself left out."""
        self.on_road_to: Known[str, dict[str, tuple[str, int]]] = Known(self._on_road_to)
        """For each road area the next one on the shortest way to a goal by road, and its MP."""
        self.sight: Known[tuple[str, str], frozenset[str] | None] = Known(self._sight)
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
        return self._by_road[goal] if road else self.on_foot[goal]

    def _on_foot(self, goal: str) -> dict[str, int]:
        return Reach(self.steps, {goal: 0}, ()).all()

    def _rings(self, start: str) -> dict[int, frozenset[str]]:
        found: dict[int, list[str]] = {}
        for area, mp in self.on_foot[start].items():
            found.setdefault(mp, []).append(area)
        return {mp: frozenset(found[mp]) for mp in sorted(found)}

    def _when_broken(self, key: tuple[str, bool]) -> dict[str, int]:
        goal, ferry = key
        return Reach(self.back_when_broken[ferry], {goal: 0}, ()).all()

    def _back_when_broken(self, ferry: bool) -> Steps:
        """The ferry is entered from next to the bridge, and left again. Rule: ST-DEM-09."""
        bridge, steps = self.pegasus, self.steps
        back = dict(steps)
        if ferry:
            back[bridge] = tuple((area, numbers().cost_ferry) for area, _ in steps[bridge])
            return back
        back[bridge] = ()
        for area, _ in steps[bridge]:
            back[area] = tuple(step for step in steps[area] if step[0] != bridge)
        return back

    def _away_by_road(self, goal: str) -> dict[str, int]:
        return Reach(self.road_steps, {goal: 0}, ()).all()

    def within(self, start: str, mp: int) -> tuple[tuple[str, int], ...]:
        """The areas that ``mp`` suffice for on foot on an empty map, with what each costs."""
        return self._within[start, mp]

    def _look_within(self, key: tuple[str, int]) -> tuple[tuple[str, int], ...]:
        start, mp = key
        return tuple([each for each in self.on_foot[start].items() if each[1] <= mp])

    def _around(self, key: tuple[str, int]) -> frozenset[str]:
        return frozenset([area for area, _ in self._within[key] if area != key[0]])

    def _nearer(self, key: tuple[str, int, str, int]) -> Nearer:
        start, mp, goal, than = key
        return self.rank(self.within(start, mp), self.on_foot[goal], than)

    def rank(self, ends: Iterable[tuple[str, int]], left: Mapping[str, int], than: int) -> Nearer:
        """Those of ``ends`` (each with its cost) that are ``left`` nearer than ``than``."""
        mp = {area: spent for area, spent in ends if left.get(area, FAR) < than}
        is_open = frozenset(mp) - self.obstructed
        ranked = [(int(area in is_open), left[area], mp[area], 0, area) for area in mp]
        return Nearer(mp, left, sorted(ranked), is_open)

    def _shortest(self, key: tuple[str, str]) -> Shortest:
        start, area = key
        mp = self.on_foot[start]
        before = [here for here, cost in self.steps[area] if mp[here] + cost == mp[area]]
        found = [(*way, area) for here in before for way in self.shortest[start, here].ways]
        ways = tuple(sorted(found)) if area != start else ((),)
        return Shortest(ways, frozenset([each for way in ways for each in way[:-1]]))

    def _drives(self, key: tuple[str, int]) -> dict[str, Drive]:
        start, mp = key
        away = self._by_road[start]
        elsewhere = {
            area: [step for step in steps if step[0] != start]
            for area, steps in self.road_steps.items()
        }
        beyond = [
            (gate, cost, Reach(elsewhere, {gate: 0}, ()))
            for gate, cost in self.road_steps.get(start, ())
        ]
        first: dict[str, tuple[str, ...]] = {start: ()}
        found: dict[str, Drive] = {}
        for area in sorted(away, key=away.__getitem__):
            if area == start or away[area] > mp:
                continue
            first[area] = min(
                (*first[here], area)
                for here, cost in self.road_steps[area]
                if away[here] + cost == away[area]
            )
            gates = [gate for gate, cost, reach in beyond if cost + reach.of(area) <= mp]
            found[area] = Drive(area, away[area], first[area], frozenset(gates))
        return found

    def _on_road_to(self, goal: str) -> dict[str, tuple[str, int]]:
        away = self._by_road[goal]
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
        """Whether a gun in ``a`` has a line of sight to ``b``. Rule: ST-TAT-13."""
        sight = self.sight[a, b]
        return sight is not None and sight.isdisjoint(vehicles)

    def _sight(self, key: tuple[str, str]) -> frozenset[str] | None:
        if self.map.blocking(*key):
            return None
        return frozenset(self.map.blocking(*key, vehicles=self.names))

    def text(self, area: str) -> str:
        """An area as players read it: ``B4 AT gun``."""
        return self._texts[area]

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
