"""The eighteen drift diagrams: how far downwind the sticks of a drop come down. Rule: II.C."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.typed_data import DataFile, read_keyed, unless_known

LETTERS: Final = "ABCDEFGHIJKLMNOPQR"


class DriftRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One drift diagram, with how sure it is.

    ``sticks[n]`` is the most that may land ``n`` hexes downwind of the target hex. ``filled`` says
    which numbers (the target hex is number 1) are lost in the copy at hand and were put there.
    """

    letter: str
    sticks: tuple[int, ...]
    certainty: str
    reading: str = ""
    filled: dict[int, int] = {}
    sureness: float | None = None
    note: str = ""

    @property
    def total(self) -> int:
        """Return how many sticks have a place in the row."""
        return sum(self.sticks)

    @property
    def places(self) -> tuple[int, ...]:
        """Return how far downwind each place of the row is, nearest first, one for each stick."""
        return tuple(distance for distance, most in enumerate(self.sticks) for _ in range(most))


def _read_diagrams(raw: Any, source: str) -> dict[str, DriftRow]:
    rows = read_keyed(raw, DriftRow, source, "letter")
    for letter in LETTERS:
        if letter not in rows:
            raise PBCGError(f"{source}: row {letter} is missing.")
    for letter in rows:
        for _, wrong in unless_known(letter, letter, LETTERS, "row"):
            raise PBCGError(f"{source}: {wrong}.")
    return rows


DIAGRAMS: Final = DataFile("airborne/drift.yaml", _read_diagrams)
"""The eighteen drift diagrams as shipped. Rule: II.C."""
