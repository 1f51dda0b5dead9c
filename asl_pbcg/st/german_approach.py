"""How far the Germans are from the British as the German Movement Phase begins. ST-GMV-01, 02.

All distances are MP on the map as it was then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from asl_pbcg.st.actions import ferry_works
from asl_pbcg.st.geometry import FAR, Drive, Geometry, Reach
from asl_pbcg.st.situation import Situation
from asl_pbcg.st.state import Unit

MOST_KNOWN: Final = 100
"""Goals with the British about them that are remembered at most, so that memory stays flat."""


class _Borders(dict[str, int]):
    """MP from areas to the border of the nearest of ``goals``, as they are asked for.

    ``ferry`` says whether the ferry works, if the bridge is destroyed; None if it is not.
    """

    __slots__ = ("_ferry", "_geo", "_goals")

    def __init__(self, geo: Geometry, goals: frozenset[str], ferry: bool | None) -> None:
        self._geo = geo
        self._goals = goals
        self._ferry = ferry

    def __missing__(self, area: str) -> int:
        goals, found = self._goals, FAR
        for mp, ring in self._geo.rings[area].items():  # it is as far from them as to them
            if mp >= found:  # none is nearer than on the map as it was
                break
            if not ring.isdisjoint(goals):
                if self._ferry is None:
                    found = mp
                    break
                found = min(found, *[self.mp(area, goal) for goal in ring & goals])
        self[area] = found
        return found

    def goals_of(self, area: str) -> list[str]:
        """The goals that are as near as the nearest."""
        best = self[area]
        if self._ferry is None:
            return [*self._geo.rings[area][best].intersection(self._goals)]
        return [goal for goal in self._goals if self.mp(area, goal) == best]

    def mp(self, area: str, goal: str) -> int:
        """MP from ``area`` to ``goal``, with no enemies on the map."""
        on_foot = self._geo.on_foot
        mp = on_foot[area].get(goal, FAR)
        if self._ferry is None:
            return mp
        bridge = on_foot[self._geo.pegasus]
        if mp < bridge.get(area, FAR) + bridge.get(goal, FAR):  # no shortest way leads over it
            return mp
        return self.away(goal).get(area, FAR)

    def away(self, goal: str) -> Mapping[str, int]:
        """MP from every area to ``goal``, with no enemies on the map."""
        if self._ferry is None:
            return self._geo.on_foot[goal]
        return self._geo.when_broken[goal, self._ferry]


class Approach:
    """The British-occupied areas at the start of the phase and how far every area is from them."""

    def __init__(self, sit: Situation) -> None:
        self.sit = sit
        self._units = sit.units.copy()
        self._stood = dict(zip(sit.british, map(tuple, sit.british.values()), strict=True))
        """The British by place."""
        self.british = frozenset(map(sit.geo.area_at.__getitem__, sit.british))
        """Areas with a British unit or leader."""
        self._sp: dict[str, int] = {}
        self._vehicles = frozenset(sit.vehicles)
        self.whole = sit.bridge != "destroyed"
        """Whether everybody walks over the bridges, so that ways are as on the empty map."""
        ferry = None if self.whole else ferry_works(sit)
        self.back = sit.geo.steps if ferry is None else sit.geo.back_when_broken[ferry]
        self._to: dict[str, Reach] = {}
        self._enter = sit.n.cost_enemy_occupied
        self._border = _Borders(sit.geo, self.british, ferry)
        """MP from areas to the border of the nearest British one."""
        self._targets: dict[str, str] = {}
        self._road_ends: dict[tuple[str, int], list[tuple[int, int, str, Drive]]] = {}
        self._watched: dict[str, bool] = {}
        self._chosen: dict[tuple[Any, ...], tuple[str, ...] | None] = {}
        self._chosen_with: dict[str, int] = {}

    def sp(self, area: str) -> int:
        """SP of the British in ``area``; leaders alone count as one unit. Rule: ST-GMV-02."""
        found = self._sp.get(area)
        if found is not None:
            return found
        sp = 0
        for place in (area, self.sit.rules.bunker_in[area]):
            units = self._stood.get(place)
            if units:
                there = map(self._units.__getitem__, units)
                combat = [unit.strength for unit in there if unit.combat]
                sp += sum(combat) if combat else self.sit.n.leaders_alone_sp
        self._sp[area] = sp
        return sp

    def is_watched(self, area: str) -> bool:
        """Whether British able to fire could fire on ``area``."""
        found = self._watched.get(area)
        if found is None:
            stood = self._stood
            near = self.sit.rules.near_places[area].intersection(stood)
            there = [self._units[unit] for place in near for unit in stood[place]]
            able = [unit for unit in there if unit.combat and not unit.suppressed]
            found = self._watched[area] = bool(able)
        return found

    def away(self, goal: str) -> Mapping[str, int]:
        """MP from every area to ``goal`` on a map without enemies."""
        return self._border.away(goal)

    def nearest(self, area: str) -> int:
        """MP from ``area`` to the nearest British area; FAR if none can be reached.

        No way to it leads through another British area: that one is nearer. So only the last
        step enters an area with enemies.
        """
        mp = self._border[area]
        return mp + self._enter if 0 < mp < FAR else mp

    def target(self, area: str) -> str:
        """The British area to head for, or nothing. Ties: obstructed, fewer SP, id. ST-GMV-01."""
        found = self._targets.get(area)
        if found is None:
            found = self._targets[area] = self._look_for(area)
        return found

    def _look_for(self, area: str) -> str:
        if self._border[area] == FAR:
            return ""
        nearest = self._border.goals_of(area)
        return nearest[0] if len(nearest) == 1 else min(nearest, key=self._rank)

    def stands(self) -> bool:
        """Whether the British areas are those they were when the phase began."""
        return self.sit.british.keys() == self._stood.keys()

    def chosen(self) -> dict[tuple[Any, ...], tuple[str, ...] | None]:
        """The ways that Germans have chosen, while vehicles and British stay where they are."""
        if self._chosen_with != self.sit.vehicles or not self.stands():
            self._chosen_with = self.sit.vehicles.copy()
            self._chosen.clear()
        return self._chosen

    def open_round(self, area: str) -> int:
        """How far from ``area`` (MP on an empty map) nearer areas hold no British.

        Less than nothing if distances there are not those of the empty map.
        """
        return self._border[area] if self.whole else -1

    def road_ends(self, tank: Unit, mp: int) -> list[tuple[int, int, str, Drive]]:
        """Where a tank may go by road rather than stay, best first. Rule: ST-TNK-07.

        They come with their :meth:`nearness` and the MP spent on an empty road.
        """
        key = (tank.area, mp)
        found = self._road_ends.get(key)
        if found is None:
            drives = self.sit.geo.drives[key]
            here, *nears = self.nearness((tank.area, *drives))
            if not self.may_stop(tank, tank.area):
                here = FAR + 1
            found = self._road_ends[key] = [
                (near, drive.mp, drive.area, drive)
                for near, drive in zip(nears, drives.values(), strict=True)
                if near < here and self.may_stop(tank, drive.area)
            ]
            found.sort()
        return found

    def nearness(self, areas: Iterable[str]) -> Iterable[int]:
        """Numbers that compare as :meth:`nearest` of each of ``areas``."""
        return map(self._border.__getitem__, areas)

    def _rank(self, area: str) -> tuple[bool, int, str]:
        covered = area in self.sit.geo.obstructed or area in self._vehicles
        return not covered, self.sp(area), area

    def goal(self, unit: Unit) -> str:
        """Where ``unit`` heads for, or nothing if it stays. Rule: ST-GMV-01."""
        return self.target(unit.area)

    def why(self, goal: str) -> str:
        """Why a unit heads for ``goal``, in words."""
        return "the nearest British are in"

    def may_attack(self, unit: Unit, area: str) -> bool:
        """Whether ``unit`` may enter the British-occupied ``area``. Rule: ST-GMV-03."""
        return True

    def may_wait(self, unit: Unit, area: str) -> bool:
        """Whether ``unit`` may end its move in ``area``, where no British are. Rule: ST-GMV-04."""
        return True

    def may_stop(self, tank: Unit, area: str) -> bool:
        """Whether a tank may end its move in ``area``. Rule: ST-TNK-07."""
        return True

    def mp_to(self, area: str, goal: str) -> int:
        """MP from ``area`` to ``goal``, through or round the British; FAR if no way leads there."""
        mp = self._border.mp(area, goal)
        if mp == FAR or mp > self._border[area]:  # they may stand in the way
            return self.to(goal).of(area)
        return mp + self._enter if mp and goal in self.british else mp

    def to_border(self, area: str, goal: str) -> int:
        """MP from ``area``, which is no British one, to the border of ``goal``."""
        if self._targets.get(area) == goal:
            return self._border[area]
        return self.mp_to(area, goal) - self.toll(goal)

    def toll(self, goal: str) -> int:
        """The MP more that entering ``goal`` itself takes. Rule: ST-MOV-14."""
        return self._enter if goal in self.british else 0

    def to(self, goal: str) -> Reach:
        """The same by a search from ``goal``."""
        found = self._to.get(goal)
        if found is None:
            found = self._to[goal] = self._reach(goal)
        return found

    def _reach(self, goal: str) -> Reach:
        """The same where the British stand as they stood in an earlier turn comes again."""
        if not self.whole:
            return Reach(self.back, {goal: 0}, self.british)
        known = self.sit.rules.approached
        key = (goal, self.british)
        found: Reach | None = known.get(key)
        if found is None:
            if len(known) >= MOST_KNOWN:
                known.clear()
            found = known[key] = Reach(self.back, {goal: 0}, self.british)
        return found
