"""The contents of one hex of the board."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

import msgspec
from msgspec import Meta

from asl_pbcg.hexes.lattice import DIRECTIONS

ONCE: Final = Meta(extra={"once": True})

Sides = Annotated[tuple[Literal["N", "NE", "SE", "S", "SW", "NW"], ...], ONCE]
"""Hexsides of one hex, in the order of DIRECTIONS."""

SheetSides = Annotated[tuple[Literal["N", "E", "S", "W"], ...], ONCE]
"""Sides of the sheet, as it lies with its columns upright."""

TerrainWord = Literal[
    "woods",
    "orchard",
    "partial_orchard",
    "grain",
    "marsh",
    "swamp",
    "canal",
    "canal_bank",
    "pond",
    "pond_bank",
    "stream",
    "irrigation_ditch",
    "gully",
    "path",
    "cliff_band",
    "graveyard",
]
TERRAIN: Final = get_args(TerrainWord)
"""Everything ``HexInfo.terrain`` may hold; none of it means open ground."""

TerrainWords = Annotated[tuple[TerrainWord, ...], ONCE]
Level = Annotated[int, Meta(ge=-1, le=4)]
BuildingName = Annotated[str, Meta(max_length=60)]


class HexInfo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The printed contents of one hex. Hexsides are named N, NE, SE, S, SW, NW as on the sheet."""

    name: str
    in_play: bool = True
    level: Level = 0
    """Base level, -1 to 2; of a canal hex the level of its water."""
    terrain: TerrainWords = ()
    water_obstacle: bool = False
    building: Literal["", "stone", "wood"] = ""
    building_name: BuildingName = ""
    building_id: BuildingName = ""
    """The first hex of a building of several hexes; empty for a building of one hex."""
    stairs: Literal["", "square", "circle", "cross"] = ""
    """The white symbol in a building hex."""
    bridge: bool = False
    paved: Sides = ()
    """Hexsides crossed by a paved road."""
    unpaved: Sides = ()
    road_along: Sides = ()
    """Hexsides along which a road runs; both hexes are road hexes."""
    road_exit: SheetSides = ()
    """Sides of the sheet (N, E, S, W) where a road leaves the map in this hex."""
    hedge: Sides = ()
    wall: Sides = ()
    fence: Sides = ()
    cliff: Sides = ()
    slope: Sides = ()
    """Hexsides with slope hatching inside this hex; this hex is the lower one."""
    rowhouse: Sides = ()
    """Hexsides with the black bar of a row house."""

    @property
    def road_sides(self) -> Sides:
        """Hexsides a road crosses, paved or not."""
        return tuple(side for side in DIRECTIONS if side in self.paved or side in self.unpaved)

    @property
    def road(self) -> Literal["", "paved", "unpaved"]:
        """The kind of road in the hex; a hex with both kinds is paved."""
        if self.paved:
            return "paved"
        return "unpaved" if self.unpaved else ""


BOTH_HEXES: Final = (
    "paved",
    "unpaved",
    "road_along",
    "hedge",
    "wall",
    "fence",
    "cliff",
    "rowhouse",
)
"""The hexside fields that say the same in both hexes of a hexside."""

SIDE_FIELDS: Final = (*BOTH_HEXES, "slope")
"""The fields that list hexsides."""

FLAG_FIELDS: Final = ("in_play", "water_obstacle", "bridge")

LIST_FIELDS: Final = {
    "terrain": TERRAIN,
    "road_exit": ("N", "E", "S", "W"),
    **dict.fromkeys(SIDE_FIELDS, DIRECTIONS),
}
"""The fields that hold a list, with the words of it in their order."""
