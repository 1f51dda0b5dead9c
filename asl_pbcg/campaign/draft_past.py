"""What a draft was before each change: any of them can be taken back, and made again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from asl_pbcg.campaign.position import Position
from asl_pbcg.kernel.errors import PBCGError

MOST_STEPS = 300
"""So many changes can be taken back."""


class Past:
    """The position ``now``, those before it, and those that were taken back."""

    def __init__(self, now: Position) -> None:
        self.now = now
        self._before: list[Position] = []
        self._undone: list[Position] = []

    def change(self, to: Position) -> None:
        """Go on with another position."""
        self._before = [*self._before[1 - MOST_STEPS :], self.now]
        self._undone.clear()
        self.now = to

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        """Whether a change was taken back that can be made again."""
        return bool(self._undone)

    def undo(self) -> None:
        """Take the last change back. Raises PBCGError if there is none."""
        if not self._before:
            raise PBCGError("There is nothing to take back.")
        self._undone.append(self.now)
        self.now = self._before.pop()

    def redo(self) -> None:
        """Make the change again that was taken back last. Raises PBCGError if there is none."""
        if not self._undone:
            raise PBCGError("Nothing has been taken back.")
        self._before.append(self.now)
        self.now = self._undone.pop()

    @contextmanager
    def one_change(self) -> Iterator[None]:
        """Let all changes within be one, to be taken back at once; none of them if one fails."""
        now, before, undone = self.now, list(self._before), list(self._undone)
        try:
            yield
        except PBCGError:
            self.now, self._before, self._undone = now, before, undone
            raise
        self._before = [*before, now] if self.now is not now else before
