"""Where a glider lands: short, on target or long, then shifted by the wind. Rule: III.F."""

from __future__ import annotations

from typing import Literal, NamedTuple

from asl_pbcg.airborne.drop_map import DropMap, DropPlace
from asl_pbcg.airborne.drop_settings import DropSettings
from asl_pbcg.airborne.drop_tables import NUMBERS
from asl_pbcg.airborne.wind import Wind
from asl_pbcg.hexes.lattice import OPPOSITE
from asl_pbcg.kernel.wording import number_words

GliderResult = Literal["short", "on_target", "long"]


class GliderLanding(NamedTuple):
    """A glider's landing. ``at`` is None if it came down off the map and is lost.

    ``before_shift`` and ``place`` are where it would be without the wind and with it; ``clamped``
    says that it came down off the map and was put at its edge.
    """

    result: GliderResult
    before_shift: DropPlace
    place: DropPlace
    at: str | None
    clamped: bool = False

    @property
    def used(self) -> tuple[str, ...]:
        """Return the settings that the landing rests on."""
        off_map = self.at is None or self.clamped
        return ("glider_shift_direction", "glider_offboard")[: 1 + off_map]


def glider_landing(
    target: str,
    flight: str,
    result: GliderResult,
    wind: Wind,
    dropmap: DropMap,
    settings: DropSettings,
) -> GliderLanding:
    """Work out where a glider lands. ``flight`` is the compass hexside it flies towards.

    The wind of the turn shifts every glider by itself: one hex when low, two when gusty, three
    when high. Rule: III.F.1, III.F.2.
    """
    numbers = NUMBERS.content
    along = dropmap.directions[flight]
    start = dropmap.place(target)
    miss = {"short": -1, "on_target": 0, "long": 1}[result] * numbers.glider_miss
    before = start.step(along, miss)
    way = dropmap.directions[wind.blows_to]
    if settings.glider_shift_direction == "upwind":
        way = OPPOSITE[way]
    shifts = range(1, numbers.glider_shift[wind.speed] + 1)
    path = [start, before, *(before.step(way, hexes) for hexes in shifts)]
    at = dropmap.hex_at(path[-1])
    if at is None and settings.glider_offboard == "clamp_to_edge":
        last = next(name for place in reversed(path) if (name := dropmap.hex_at(place)))
        return GliderLanding(result, before, path[-1], last, True)
    return GliderLanding(result, before, path[-1], at)


def shift_words(landing: GliderLanding, wind: Wind, settings: DropSettings) -> str:
    """Say how far the wind shifts a glider, which way, and where it lands."""
    shift = number_words(NUMBERS.content.glider_shift[wind.speed], "hex", "hexes")
    downwind = settings.glider_shift_direction == "downwind"
    place = landing.at or "off the map, lost"
    if landing.clamped:
        place = f"off the map, put at its edge in {landing.at}"
    return f"{shift} towards {wind.blows_to if downwind else wind.comes_from}: {place}"
