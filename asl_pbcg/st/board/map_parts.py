"""The parts of the area game's map: areas, lines, arrows, water, zones, and what a sight line is.

All places are in metres, x east and y north.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

FORMAT: Final = "pbcg-st-map/1"

Shape = Literal["circle", "square", "oval", "triangle", "double_circle", "hexagon"]
AreaKind = Literal["land", "flight"]
Terrain = Literal["open", "obstructed"]
LineKind = Literal["single", "double", "dashed"]
Bank = Literal["west", "between", "east"]
"""West of the Caen Canal, between it and the Orne (with the bridges), or east of the Orne."""
Feature = Literal[
    "pegasus_bridge",
    "ranville_bridge",
    "pillbox",
    "bunker",
    "setup",
    "mg",
    "at_gun",
    "glider_entry",
]
Colour = Literal["blue", "red"]
HexagonLink = Literal["a", "b"]
"""a: the line from the N-most bunker to the NW-most hexagon is ignored; b: it is open and that
hexagon, joined to the circle south-east of it, may be walked on."""
Look = Literal[
    "",
    "field",
    "wheat",
    "stubble",
    "meadow",
    "marsh",
    "garden",
    "houses",
    "church",
    "chateau",
    "farm",
    "orchard",
    "park",
    "copse",
    "scrub",
    "hedge",
    "pond",
    "quarry",
]
"""A zone that is drawn around areas; it has no meaning in the rules."""


class MapArea(msgspec.Struct, frozen=True, kw_only=True):
    """One area of the map. Rule: Terrain Effects Chart, ST-GEN-02."""

    id: str
    name: str
    shape: Shape
    kind: AreaKind
    """"flight": triangle, double circle or hexagon, for gliders only."""
    terrain: Terrain
    """As printed; a vehicle in the area makes it obstructed too, which is not known here."""
    x: float
    y: float
    bank: Bank = "between"
    road: bool = False
    features: frozenset[Feature] = frozenset()
    label: str = ""
    entry: str = ""
    """For an oval, which reinforcement entry area it is: Le Port, Benouville or Ranville."""
    edge: Literal["", "north", "south"] = ""
    """For a flight area, the map edge its gliders come from."""
    look: Look = ""

    @property
    def obstructed(self) -> bool:
        """Say whether the printed terrain obstructs fire and sight."""
        return self.terrain == "obstructed"


class MapLine(msgspec.Struct, frozen=True, kw_only=True):
    """One communication line. Rule: ST-MOV-08, ST-MOV-09, ST-MOV-12, ST-MOV-13."""

    a: str
    b: str
    kind: LineKind
    mp: int | None
    """Movement points a unit pays to follow it; None for a dashed line, which carries fire only."""
    road: bool = False
    hexagon_link: bool = False

    @property
    def ends(self) -> frozenset[str]:
        """Name the two areas it joins."""
        return frozenset((self.a, self.b))

    def other(self, area: str) -> str:
        """Name the area at the other end from ``area``."""
        return self.b if area == self.a else self.a


class Arrow(msgspec.Struct, frozen=True, kw_only=True, rename={"start": "from", "end": "to"}):
    """One coloured arrow that gliders follow. Rule: ST-GLI-11."""

    start: str
    end: str
    colour: Colour


class Water(msgspec.Struct, frozen=True, kw_only=True):
    """The course of the canal or the river, from south to north, and its width in metres."""

    width: float
    course: tuple[tuple[float, float], ...]


class MapZone(msgspec.Struct, frozen=True, kw_only=True):
    """A landing zone, drawn around its areas; the rules give it no meaning."""

    name: str
    areas: tuple[str, ...]


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a gun in one area sees another area, and why. Rule: ST-TAT-13."""

    clear: bool
    why: str
    through: tuple[str, ...] = ()
    """Areas the line passes, by id."""
    blocked_by: tuple[str, ...] = ()
    """Those among them that are obstructed."""
