"""Who of the British can act now. Rule: ST-SEQ-04."""

from __future__ import annotations

from bisect import insort

from asl_pbcg.st.rules.actions import may_act
from asl_pbcg.st.rules.situation import Situation


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
                if unit.status != "map" or id in idle or not may_act(sit, unit):
                    if id in places:
                        self._drop(id)
                    continue
                place = sit.rules.bunker_in[unit.area] if unit.inside else unit.area
                if id not in places:
                    self._add(id, place)
                elif place != places[id]:
                    self._drop(id)
                    self._add(id, place)
        else:
            return
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
        out = {id for id in sit.hampered if units[id].suppressed}
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

    def _drop(self, unit: str) -> None:
        """``unit`` cannot act any more where it could."""
        self.units.remove(unit)
        was = self._places.pop(unit)
        counts = self._counts
        count = counts[was] = counts[was] - 1
        if count == 1:
            self.stacks.remove(self._sit.rules.stack[was])

    def _add(self, unit: str, place: str) -> None:
        """``unit`` can act at ``place``."""
        insort(self.units, unit)
        self._places[unit] = place
        counts = self._counts
        if place not in counts:
            counts[place] = 1
            return
        count = counts[place] = counts[place] + 1
        if count == 2:
            insort(self.stacks, self._sit.rules.stack[place])
