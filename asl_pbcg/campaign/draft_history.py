"""The positions of a draft, one for each edit, to be undone and made again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from asl_pbcg.campaign.position import Position
from asl_pbcg.kernel.errors import PBCGError

MAX_UNDO: Final = 300
"""So many edits can be undone."""


class History:
    """The position ``now``, those before it, and those that were undone."""

    def __init__(self, now: Position) -> None:
        self._positions = [now]
        self._at = 0

    @property
    def now(self) -> Position:
        """The position as it stands."""
        return self._positions[self._at]

    def change(self, to: Position) -> None:
        """Go on with another position."""
        self._positions = [*self._positions[: self._at + 1], to][-MAX_UNDO - 1 :]
        self._at = len(self._positions) - 1

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to undo."""
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        """Whether an edit was undone that can be made again."""
        return self._at + 1 < len(self._positions)

    def undo(self) -> None:
        """Undo the last edit. Raises PBCGError if there is none."""
        if not self.can_undo:
            raise PBCGError("There is nothing to undo.")
        self._at -= 1

    def redo(self) -> None:
        """Make the edit again that was undone last. Raises PBCGError if there is none."""
        if not self.can_redo:
            raise PBCGError("There is nothing to redo.")
        self._at += 1

    @contextmanager
    def one_change(self) -> Iterator[None]:
        """Let all edits within be one, to be undone at once; none of them if one fails."""
        positions, at = self._positions, self._at
        try:
            yield
            now = self.now
        except PBCGError:
            self._positions, self._at = positions, at
            raise
        self._positions, self._at = positions, at
        if now is not self.now:
            self.change(now)
