"""The result of Setup Area determination, and its report as plain data for ``pbcg areas --json``.

The Refit Phase asks an ``AreaMap`` for the Setup Area of a Location and for the friendly,
enemy or Uncontrolled Territory it lies in. Rule: 9.2, 9.605, 9.6056.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec

from asl_pbcg.campaign.areas.area_ground import Ground, ground_reached
from asl_pbcg.campaign.areas.eligible_entry_areas import EntryState, goal_bits
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.house_rules import AreaRulings
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.hexes.hexset import HexSet

if TYPE_CHECKING:
    from asl_pbcg.campaign.board.board import Board
    from asl_pbcg.hexes.hexset import Grid


class Territory(StrEnum):
    """A Location as one side sees it: friendly, enemy, or neither. Rule: 9.6056."""

    FRIENDLY = "friendly Setup Area"
    ENEMY = "enemy Setup Area"
    NO_MANS_LAND = "No Man's Land"
    UNCONTROLLED = "Uncontrolled Territory"
    OUT_OF_PLAY = "out of play"


class SetupArea(msgspec.Struct, frozen=True, kw_only=True):
    """One Setup Area. Rule: 9.2, 9.605."""

    side: Side
    id: str
    """A, B, C ... in board order of the areas' first Strategic Locations."""
    strategic_locations: tuple[Location, ...]
    """Those in it that a side Controls, in board order; with house rule C-05 as ``joins-only``
    the other side's empty ones that joined it too (9.6054)."""
    isolated: bool
    """Whether all its Locations are Isolated. Rule: 9.6052."""
    alone: bool = False
    """Whether it is Locations in hexes that belong to the other side; mostly just one."""
    grid: Grid
    bits: int
    """Its hexes, as bits."""
    front_bits: int
    """Its Front-Line hexes, as bits."""

    @property
    def hexes(self) -> HexSet:
        """Its hexes; none if its Locations are in hexes of the other side."""
        return HexSet(self.grid, self.bits)

    @property
    def front_line(self) -> HexSet:
        """Its Front-Line hexes: those that touch an enemy Setup Area, No Man's Land or
        Uncontrolled Territory. Rule: 9.2.
        """
        return HexSet(self.grid, self.front_bits)


class AreaMap(msgspec.Struct, frozen=True, kw_only=True):
    """Setup Areas, No Man's Land and Uncontrolled Territory at the end of a CG scenario.

    It stays as it is until the next CG scenario starts, whatever becomes of the Strategic
    Locations in between. Rule: 9.6054.
    """

    board: Board
    date: CGDate
    """The CG Date just played."""
    coming: CGDate | None
    """The CG Date to be played next."""
    rulings: AreaRulings
    areas: dict[Side, tuple[SetupArea, ...]]
    """Each side's Setup Areas, in order of their IDs."""
    no_mans_land: HexSet
    uncontrolled: HexSet
    entry_areas: dict[Side, tuple[EntryState, ...]]
    supplied: dict[Side, HexSet]
    """Hexes of a side's Setup Areas whose ground level is not Isolated."""
    ground: Ground

    @property
    def sides(self) -> tuple[Side, Side]:
        """The two sides in the order of every pair of values."""
        return self.ground.sides

    def __getitem__(self, name: tuple[Side, str]) -> SetupArea:
        """Give the Setup Area of a side by its ID. Raises KeyError."""
        side, id = name
        for area in self.areas[side]:
            if area.id == id:
                return area
        raise KeyError(name)

    def goals(self, side: Side) -> int:
        """Return, as bits, the hexes that a path must reach not to be Isolated. Rule: 9.6052."""
        n = self.sides.index(side)
        goals = goal_bits(self.board, self.coming, self.rulings, self.sides)[n]
        return goals if n else goals | self.ground.gliders

    def friendly(self, side: Side) -> HexSet:
        """Give all hexes of a side's Setup Areas."""
        bits = 0
        for area in self.areas[side]:
            bits |= area.bits
        return HexSet(self.board.grid, bits)

    def area_of(self, side: Side, location: Location) -> SetupArea | None:
        """Say which Setup Area of ``side`` a Location belongs to; None if to none of its own.

        Where both sides Control levels of one hex each level may belong to another side's area.
        """
        number = self.board.grid.position.get(location.hex, -1)
        if number < 0:
            return None
        british, german = self.ground.held
        if british >> number & 1 and german >> number & 1:
            apart = self._apart(location)
            if apart is not None:
                owner, area = apart
                return area if owner is side else None
        for area in self.areas[side]:
            if area.bits >> number & 1:
                return area
        return None

    def _apart(self, location: Location) -> tuple[Side, SetupArea] | None:
        """The area that holds a Location in whose hex both sides Control something, if listed."""
        number = self.board.grid.position.get(location.hex, -1)
        british, german = self.ground.held
        if number < 0 or not british & german & 1 << number:
            return None
        for side, areas in self.areas.items():
            for area in areas:
                if location in area.strategic_locations:
                    return side, area
        return None

    def territory(self, side: Side, location: Location) -> Territory:
        """Say what a Location is to ``side``. Rule: 9.6056."""
        if self.area_of(side, location):
            return Territory.FRIENDLY
        if self.area_of(side.other, location):
            return Territory.ENEMY
        if location.hex in self.no_mans_land:
            return Territory.NO_MANS_LAND
        if location.hex in self.uncontrolled:
            return Territory.UNCONTROLLED
        return Territory.OUT_OF_PLAY

    def isolated_in(self, area: SetupArea) -> list[Location]:
        """Return the Isolated Strategic Locations of a Setup Area, in board order.

        If the area is Isolated, all of them; else the upper levels without a way down and the
        Locations that a fire cuts off. Rule: 9.6052, 9.6057.
        """
        listed = area.strategic_locations
        return [place for place in listed if area.isolated or self.is_isolated(area.side, place)]

    def is_isolated(self, side: Side, location: Location) -> bool:
        """Say whether Infantry of ``side`` in a Location of its Setup Areas would be Isolated.

        Elsewhere than in a friendly Setup Area nothing is Isolated, and the answer is False.

        Rule: 9.6052, 9.6057.
        """
        area = self.area_of(side, location)
        if area is None:
            return False
        if area.alone:
            return True
        supplied = self.supplied[side]
        if not location.level:
            return location.hex not in supplied
        return ground_reached(self.ground, self.sides.index(side), location, supplied.bits) is None


def areas_report(areas: AreaMap) -> dict[str, Any]:
    """Put an AreaMap into lists and words; lists of hexes are in board order.

    Rule: 9.605, 9.6054 Marking the Map.
    """
    return {
        "date": areas.date.value,
        "no_mans_land": areas.no_mans_land.names,
        "uncontrolled": areas.uncontrolled.names,
        "sides": {
            side.value: {
                "setup_areas": [
                    {
                        "id": area.id,
                        "hexes": area.hexes.names,
                        "strategic_locations": [
                            str(location) for location in area.strategic_locations
                        ],
                        "isolated": area.isolated,
                        "front_line": area.front_line.names,
                        "isolated_locations": [str(place) for place in areas.isolated_in(area)],
                    }
                    for area in areas.areas[side]
                ],
                "entry_areas": [
                    {"id": entry.id, "hexes": entry.hexes.names, "eligible": entry.eligible}
                    for entry in areas.entry_areas[side]
                ],
            }
            for side in areas.sides
        },
    }


def short(names: list[str]) -> str:
    """Write hexes in board order with the runs of a hexrow drawn together: ``X5 X7-9 AA2``."""
    runs: list[tuple[str, int, int]] = []
    for name in names:
        letters = name.rstrip("0123456789")
        number = int(name[len(letters) :])
        if runs and runs[-1][0] == letters and runs[-1][2] == number - 1:
            runs[-1] = (letters, runs[-1][1], number)
        else:
            runs.append((letters, number, number))
    return " ".join(
        f"{letters}{first}" if first == last else f"{letters}{first}-{last}"
        for letters, first, last in runs
    )
