"""Dice of a drop as players list them, at the command line or at the terminal."""

from __future__ import annotations

import re
from typing import Any

from asl_pbcg.kernel.dice import ListedDice
from asl_pbcg.kernel.errors import PBCGError


def read_dice(text: str, source: str = "--dice") -> list[int]:
    """Dice as players list them: ``3,4,6`` or ``3 4 6``. Raises PBCGError."""
    parts = [part for part in re.split(r"[\s,;+]+", text.strip()) if part]
    if not parts or not all(re.fullmatch(r"\d{1,4}", part) for part in parts):
        raise PBCGError(f'{source} "{text[:60]}": write dice in the order they are thrown, 3,4,6.')
    return [int(part) for part in parts]


class Listed:
    """Dice given on the command line, one for each roll, in order."""

    def __init__(self, faces: list[int], source: str = "--dice") -> None:
        self._dice = ListedDice([[face] for face in faces], source)
        self._left = len(faces)
        self._used = 0
        self._source = source

    def throw(self, spec: Any, number: int, reason: str) -> tuple[int, ...]:
        """The next of the dice; raises PBCGError if there is none or it cannot lie so."""
        faces = self._dice.throw(spec, number, reason)
        self._left -= 1
        self._used += 1
        return faces

    def finish(self) -> None:
        """Settle that no die is left over. Raises PBCGError."""
        if self._left:
            dice = "one die is" if self._left == 1 else f"{self._left} dice are"
            rolls = f"{self._used} roll{'s' * (self._used != 1)}"
            raise PBCGError(f"{self._source}: {dice} left over, there were {rolls}.")
