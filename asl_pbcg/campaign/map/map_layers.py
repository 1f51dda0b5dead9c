"""The layers of a map sheet: Control, Setup Areas, No Man's Land, fires, Entry Areas.

Rule: 9.6054 Marking the Map.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from asl_pbcg.campaign.areas.area_map import AreaMap
from asl_pbcg.campaign.areas.strategic_locations import StrategicLocations
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.map.board_overlay import AreaMark, Overlay, StrategicMark, name_of
from asl_pbcg.campaign.position import Terrain
from asl_pbcg.campaign.position_words import GliderState, TerrainKind
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.records.layout import Paper

if TYPE_CHECKING:
    from asl_pbcg.hexes.drawing import Drawing

_GLIDER: Final = ("GL", "Glider, landed")
_RUBBLE: Final = ("R", "Rubble")
_BLAZE: Final = ("BZ", "Terrain Blaze")
_LEVELS: Final = {
    "1": "First level",
    "2": "Second level",
    "3": "Third level",
    "4": "Fourth level",
}


def area_overlay(areas: AreaMap, terrain: Sequence[Terrain] | None = None) -> Overlay:
    """Put Setup Areas, with all that makes them, into marks on the map.

    ``terrain`` are the fires and Rubble there are now, which 9.609 may have changed since 9.605;
    None for those of the position.

    Strategic Locations are outlined in their side's colour, whether anybody Controls them or not
    the letters of 9.6054 say what they are.

    Rule: 9.605, 9.6051, 9.6052, 9.6054.
    """
    letters = _letters(areas, areas.ground.position.terrain if terrain is None else terrain)
    marks = []
    for side in areas.sides:
        for location in areas.ground.position.control.locations(side):
            signs = letters.pop(location.hex, ()) if not location.level else ()
            level = (str(location.level),) if location.level else ()
            marks.append(StrategicMark(at=location.hex, side=name_of(side), letters=signs + level))
    marks += [StrategicMark(at=at, side=None, letters=signs) for at, signs in letters.items()]
    used = {letter for mark in marks for letter in mark.letters}
    extra = dict((_GLIDER, _RUBBLE, _BLAZE)) | _LEVELS
    return Overlay(
        strategic=tuple(marks),
        areas=tuple(
            AreaMark(
                hexes=area.hexes,
                side=name_of(side),
                label=area.id,
                isolated=area.isolated,
                at=area.strategic_locations[0].hex if area.alone else "",
            )
            for side in areas.sides
            for area in areas.areas[side]
        ),
        no_mans_land=areas.no_mans_land,
        eligible=frozenset(
            entry.id for side in areas.sides for entry in areas.entry_areas[side] if entry.eligible
        ),
        legend=tuple((letter, words) for letter, words in extra.items() if letter in used),
    )


def position_sheet(
    areas: AreaMap,
    *,
    paper: Paper | str | tuple[float, float] = Paper.A4,
    around: str | None = None,
    radius: int = 8,
    campaign: str = "",
    terrain: Sequence[Terrain] | None = None,
) -> Drawing:
    """Draw the map sheet of a CG Date: the reduced map on which both sides record their areas.

    ``campaign`` names the campaign in the heading; ``around`` and ``radius`` cut out a part;
    ``terrain`` as for ``area_overlay``. Raises UnknownHex.

    Rule: 9.6054.
    """

    from asl_pbcg.campaign.map import board_sheet

    name = campaign or areas.ground.position.title
    part = f", {number_words(radius, 'hex', 'hexes')} round {around}" if around else ""
    heading = board_sheet.MapHeading(
        subtitle=f"Setup Areas after {areas.date.title}{part}",
        lines=(*([name] if name else []), ". ".join(_summary(areas, side) for side in areas.sides)),
    )
    return board_sheet.map_sheet(
        areas.board,
        area_overlay(areas, terrain),
        heading=heading,
        paper=paper,
        around=around,
        radius=radius,
    )


def _summary(areas: AreaMap, side: Side) -> str:
    own = areas.areas[side]
    cut_off = " ".join(
        area.id if area.isolated else str(location)
        for area in own
        for location in (areas.isolated_in(area)[:1] if area.isolated else areas.isolated_in(area))
    )
    return f"{side.title} {len(own)}{f' (Isolated {cut_off})' if cut_off else ''}"


def _letters(areas: AreaMap, terrain: Sequence[Terrain]) -> dict[str, tuple[str, ...]]:
    """By hex, the letters of what stands there and is not printed on the map."""
    position = areas.ground.position
    strategic = StrategicLocations(position, areas.board)
    by_hex: dict[str, list[str]] = {}

    def add(location: Location, letter: str) -> None:
        listed = by_hex.setdefault(location.hex, [])
        if location.on_map and letter not in listed:
            listed.append(letter)

    for name in strategic.hexes:
        for letter in strategic.letters(name):
            add(Location(name), letter)
    for glider in position.gliders:
        if glider.state is GliderState.LANDED:
            add(glider.location, _GLIDER[0])
    for change in terrain:
        if change.kind in (TerrainKind.RUBBLE_STONE, TerrainKind.RUBBLE_WOOD):
            add(change.location, _RUBBLE[0])
        elif change.kind is TerrainKind.BLAZE:
            add(change.location, _BLAZE[0])
    return {name: tuple(listed) for name, listed in by_hex.items()}
