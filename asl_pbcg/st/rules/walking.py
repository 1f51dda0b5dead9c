"""Units go from place to place, and what they carry with them. Rule: ST-MOV-08, ST-VIC-02."""

from __future__ import annotations

from msgspec.structs import replace

from asl_pbcg.st.rules.state import Unit
from asl_pbcg.st.rules.whereabouts import Whereabouts
from asl_pbcg.st.terms import BRITISH, GERMAN, VEHICLES, SideName, other


class Walking(Whereabouts):
    """Units, weapons and markers that can be moved about."""

    __slots__ = ("entered",)

    entered: dict[str, SideName]
    """Who was the last to enter an area. Rule: ST-H2H-09."""

    def stir(self, unit: str) -> None:
        """What ``unit`` can still do has changed, though it has not."""
        if self.stirred is not None:
            self.stirred.add(unit)

    def put(self, unit: str, area: str, inside: bool = False) -> Unit:
        """Bring ``unit`` to a place; it is the last to enter. Carried weapons go with it."""
        old = self.units[unit]
        if old.status == "map" and not inside and not old.inside and old.area != area:
            return self.walk(unit, area)
        return self.put_down(unit, area, inside)

    def put_down(self, unit: str, area: str, inside: bool = False) -> Unit:
        """The same, from and to wherever it may be."""
        old = self.units[unit]
        left = old.area
        on_map = old.status == "map"
        if on_map:
            self._unindex(old)
        came, bank = old.came, old.bank
        if area == self.geo.pegasus:
            if left != area:
                came, bank = self.turn, self.bank_of(left)
        elif left != area:
            came, bank = 0, ""
        else:
            bank = ""
        new = self.units[unit] = replace(
            old, status="map", area=area, inside=inside, glider=0, came=came, bank=bank
        )
        self._index(new)
        if left != area:
            self.entered[area] = new.side
            if on_map:
                self._settle(left)
        self._settle(area)
        self.pows.places = None
        if unit in self.bearers:
            self._carry(unit, area, inside)
        return new

    def _carry(self, unit: str, area: str, inside: bool) -> None:
        """The weapons of ``unit`` come along."""
        for id in self.bearers[unit]:
            weapon = self.weapons[id]
            moved = self.weapons[id] = replace(
                weapon, status="map", area=area, inside=inside, glider=0
            )
            self._lay(weapon, moved)

    def _change_area(self, unit: str, side: SideName, left: str, area: str) -> None:
        """``unit`` stands in the open of ``area`` and no longer in that of ``left``.

        Who stays behind alone, or comes first, controls the area; bunkers stay as they are.
        Rule: ST-VIC-02.
        """
        friends, enemies = self.british, self.german
        if side == GERMAN:
            friends, enemies = enemies, friends
        ids = friends[left]
        if len(ids) > 1:
            ids.remove(unit)
        else:
            del friends[left]
            if left in enemies:
                self._to(left, other(side))
        self.entered[area] = side
        if area in friends:
            friends[area].append(unit)
            self.joined.add(area)
        else:
            friends[area] = [unit]
            if area not in enemies and (self.control.get(area) != side or area in self.armed):
                self._to(area, side)

    def walk(self, unit: str, area: str) -> Unit:
        """Bring ``unit`` from the open of one area into that of another."""
        units = self.units
        old = units[unit]
        if old.side == BRITISH:
            self.stir(unit)
            return self.march(unit, area)
        left, pegasus = old.area, self.geo.pegasus
        if area == pegasus or left == pegasus:
            return self.put_down(unit, area)
        new = units[unit] = replace(old, area=area)
        self.fires = self.calm = None
        if old.kind in VEHICLES:
            self._count_vehicle(left, -1)
            self._count_vehicle(area, 1)
        self._change_area(unit, GERMAN, left, area)
        return new

    def march(self, unit: str, area: str) -> Unit:
        """The same for a British ``unit``, the step made most: whoever calls this stirs it."""
        units = self.units
        old = units[unit]
        left, pegasus = old.area, self.geo.pegasus
        if area == pegasus:
            new = replace(old, area=area, came=self.turn, bank=self.bank_of(left))
        elif left == pegasus:
            new = replace(old, area=area, came=0, bank="")
        else:
            new = replace(old, area=area)
        units[unit] = new
        self._change_area(unit, BRITISH, left, area)
        if self.pows:
            self.pows.places = None
        if unit in self.bearers:
            self._carry(unit, area, inside=False)
        return new

    def bank_of(self, area: str) -> str:
        """The bank of Pegasus Bridge that ``area`` is on: the canal's west side or the rest."""
        if not area:
            return ""
        return "west" if self.geo.map.areas[area].bank == "west" else "east"
