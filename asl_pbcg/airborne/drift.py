"""The drift diagrams: how far downwind the sticks of a drop come down. Rule: II.C."""

from __future__ import annotations

from collections.abc import Iterator

from asl_pbcg.airborne.dropmap import DropMap
from asl_pbcg.airborne.places import Place, place_of
from asl_pbcg.airborne.settings import DRIFT, LETTERS, DriftRow, Settings
from asl_pbcg.airborne.wind import Wind
from asl_pbcg.kernel.errors import PBCGError


def drift_row(letter: str, settings: Settings) -> DriftRow:
    """The drift diagram ``letter`` (A to R) in force. Rule: II.C.

    Raises PBCGError for any other letter.
    """
    wanted = letter.strip().upper()
    if len(wanted) != 1 or wanted not in LETTERS:
        raise PBCGError(f'There is no drift diagram "{letter[:20]}": they are A to R.')
    if wanted in settings.drift_rows_override:
        sticks = settings.drift_rows_override[wanted]
        return DriftRow(letter=wanted, sticks=sticks, certainty="set by the players")
    return DRIFT.content[wanted]


def drift_rows(settings: Settings) -> Iterator[DriftRow]:
    """The eighteen drift diagrams in force, A to R. Rule: II.C."""
    return (drift_row(letter, settings) for letter in LETTERS)


def downwind_line(
    dropmap: DropMap, target: str, wind: Wind, hexes: int
) -> tuple[tuple[Place, str | None], ...]:
    """The target hex and the ``hexes`` hexes straight downwind of it. Rule: II.C.

    Each with its place and its name, None where it is off the map.
    """
    start = place_of(dropmap.grid, target)
    direction = dropmap.sheet_direction(wind.blows_to)
    places = [start.step(direction, distance) for distance in range(hexes + 1)]
    return tuple((place, dropmap.hex_at(place)) for place in places)
