"""Who of the British can act now. Rule: ST-SEQ-04."""

from __future__ import annotations

from bisect import insort
from collections import Counter

from asl_pbcg.st.actions import may_act
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
        self._counts: Counter[str] = Counter()
        self.units: list[str] = []
        self.stacks: list[str] = []
        """The places with two of them or more, as answers name them."""
        self._look_at_all()

    def look(self) -> None:
        """Find out who can act now; ``stirred`` begins anew."""
        stirred = self._sit.stirred
        if stirred is None:
            self._look_at_all()
        else:
            for unit in stirred:
                self._look_at(unit)
        self._sit.stirred = set()

    def rest(self, unit: str) -> None:
        """``unit`` has nothing to do any more."""
        self._idle.add(unit)
        self._sit.stir(unit)

    def at(self, place: str) -> list[str]:
        """Those at one place, in order."""
        places = self._places
        return sorted([unit for unit in self._sit.british[place] if unit in places])

    def _place(self, unit: str) -> str:
        """Where ``unit`` can act, or nothing."""
        sit = self._sit
        found = sit.units[unit]
        if found.status != "map" or unit in self._idle:
            return ""
        return found.place if may_act(sit, found) else ""

    def _look_at_all(self) -> None:
        sit, idle = self._sit, self._idle
        units, there = sit.units, sit.british.items()
        if sit.spent or idle:
            self._places = {
                id: place
                for place, ids in there
                for id in ids
                if id not in idle and may_act(sit, units[id])
            }
        else:  # at the start of a phase, who is not suppressed
            self._places = {
                id: place for place, ids in there for id in ids if not units[id].suppressed
            }
        self.units = sorted(self._places)
        counts = self._counts = Counter(self._places.values())
        stack = sit.rules.stack
        self.stacks = sorted([stack[place] for place, count in counts.items() if count > 1])

    def _look_at(self, unit: str) -> None:
        place = self._place(unit)
        was = self._places.get(unit, "")
        if place == was:
            return
        counts = self._counts
        if was:
            counts[was] -= 1
            if counts[was] == 1:
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
