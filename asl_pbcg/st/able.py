"""Who of the British can act now. Rule: ST-SEQ-04."""

from __future__ import annotations

from bisect import insort

from asl_pbcg.st.actions import may_act
from asl_pbcg.st.places import BUNKER
from asl_pbcg.st.situation import Situation


class Able:
    """The units that can act and the stacks of them, in the order in which a question lists them.

    It is asked before every action of every unit and looks again at those alone that have
    changed.
    """

    __slots__ = ("_counts", "_idle", "_places", "_sit", "stacks", "units")

    def __init__(self, sit: Situation) -> None:
        self._sit = sit
        self._idle: set[str] = set()
        self._places: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self.units: list[str] = []
        self.stacks: list[str] = []
        """The places with two of them or more, as answers name them."""
        self._look_at_all()

    def look(self) -> None:
        """Find out who can act now; ``stirred`` begins anew."""
        sit = self._sit
        stirred = sit.stirred
        if stirred is None:
            self._look_at_all()
        elif stirred:
            units, idle, places = sit.units, self._idle, self._places
            for id in stirred:
                unit = units[id]
                if id in idle or unit.status != "map" or not may_act(sit, unit):
                    place = ""
                else:
                    place = unit.area + BUNKER if unit.inside else unit.area
                was = places.get(id, "")
                if place != was:
                    self._note(id, was, place)
        sit.stirred = set()

    def rest(self, unit: str) -> None:
        """``unit`` has nothing to do any more."""
        self._idle.add(unit)
        self._sit.stir(unit)

    def at(self, place: str) -> list[str]:
        """Those at one place, in order."""
        places = self._places
        return sorted([unit for unit in self._sit.british[place] if unit in places])

    def _look_at_all(self) -> None:
        sit = self._sit
        units, there = sit.units, sit.british.items()
        places = self._places = {id: place for place, ids in there for id in ids}
        counts = self._counts = {place: len(ids) for place, ids in there}
        out = {id for id in places if units[id].suppressed}
        if self._idle:
            out |= self._idle
        if sit.spent:
            out.update([id for id in sit.spent if id in places and not may_act(sit, units[id])])
        for id in out:
            if id in places:
                counts[places.pop(id)] -= 1
        self.units = sorted(places)
        stack = sit.rules.stack
        self.stacks = sorted([stack[place] for place, count in counts.items() if count > 1])

    def _note(self, unit: str, was: str, place: str) -> None:
        """``unit`` could act at one place and can act at another one now; empty if not at all."""
        counts = self._counts
        if was:
            count = counts[was] = counts[was] - 1
            if count == 1:
                self.stacks.remove(self._sit.rules.stack[was])
        else:
            insort(self.units, unit)
        if place:
            self._places[unit] = place
            count = counts[place] = counts.get(place, 0) + 1
            if count == 2:
                insort(self.stacks, self._sit.rules.stack[place])
        else:
            del self._places[unit]
            self.units.remove(unit)
