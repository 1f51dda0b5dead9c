"""The drift diagrams: how far downwind the sticks of a drop come down. Rule: II.C."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from asl_pbcg.airborne.dropmap import DropMap
from asl_pbcg.airborne.places import Place, place_of
from asl_pbcg.airborne.settings import LETTERS, Settings
from asl_pbcg.airborne.wind import Wind
from asl_pbcg.kernel.data import load_data
from asl_pbcg.kernel.errors import PBCGError


class DriftRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One drift diagram, with how sure it is.

    ``sticks[n]`` is the most that may land ``n`` hexes downwind of the target hex. ``filled`` says
    which numbers (the target hex is number 1) are lost in the copy at hand and were put there.
    """

    letter: str
    sticks: tuple[int, ...]
    certainty: Literal["certain", "high", "medium", "set by the players"]
    reading: str = ""
    filled: dict[int, int] = {}
    sureness: float | None = None
    note: str = ""

    @property
    def total(self) -> int:
        """How many sticks have a place in the row."""
        return sum(self.sticks)

    @property
    def places(self) -> tuple[int, ...]:
        """How far downwind each place of the row is, nearest first: one entry for each stick."""
        return tuple(distance for distance, most in enumerate(self.sticks) for _ in range(most))


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
    return msgspec.convert(
        {"letter": wanted, **load_data("airborne/drift.yaml")[wanted]}, DriftRow, strict=False
    )


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
