"""Where a glider lands: short, on target or long, then shifted by the wind. Rule: III.F."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from asl_pbcg.airborne import limits
from asl_pbcg.airborne.dropmap import DropMap
from asl_pbcg.airborne.places import Place, place_of
from asl_pbcg.airborne.settings import Settings
from asl_pbcg.airborne.wind import Wind
from asl_pbcg.hexes.lattice import OPPOSITE

Result = Literal["short", "on_target", "long"]

WORDS: Mapping[str, str] = {"short": "short", "on_target": "on target", "long": "long"}


class GliderLanding(NamedTuple):
    """A glider's landing. ``at`` is None if it came down off the map and is lost.

    ``before_shift`` and ``place`` are where it would be without the wind and with it; ``clamped``
    says that it came down off the map and was put at its edge.
    """

    result: Result
    before_shift: Place
    place: Place
    at: str | None
    clamped: bool = False


def glider_landing(
    target: str, flight: str, result: Result, wind: Wind, dropmap: DropMap, settings: Settings
) -> GliderLanding:
    """Settle where a glider lands. ``flight`` is the compass hexside it flies towards.

    The wind of the turn shifts every glider by itself: one hex when low, two when gusty, three
    when high. Rule: III.F.1, III.F.2.
    """
    start = place_of(dropmap.grid, target)
    along = dropmap.sheet_direction(flight)
    miss = limits.glider_miss()
    before = start
    if result == "short":
        before = start.step(OPPOSITE[along], miss)
    elif result == "long":
        before = start.step(along, miss)
    way = dropmap.sheet_direction(wind.blows_to)
    if settings.glider_shift_direction == "upwind":
        way = OPPOSITE[way]
    shift = limits.glider_shift(wind.speed)
    path = [start, before, *(before.step(way, hexes) for hexes in range(1, shift + 1))]
    at = dropmap.hex_at(path[-1])
    if at is None and settings.glider_offboard == "clamp_to_edge":
        clamped = next(found for place in reversed(path) if (found := dropmap.hex_at(place)))
        return GliderLanding(result, before, path[-1], clamped, True)
    return GliderLanding(result, before, path[-1], at)
