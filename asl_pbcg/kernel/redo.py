"""What the last undo took, as far as it can be given back: derived from the entries alone."""

from __future__ import annotations

from typing import Any, NamedTuple

from asl_pbcg.kernel.entries import GAME_KINDS, Entry


class Undone(NamedTuple):
    """What one undo took and nobody has given since: the number of the undo, and the entries."""

    undo: int
    entries: list[Entry]


class UndoHistory:
    """The undos of a journal that can still be redone, the newest last.

    An answer ends them unless it is what was taken: then the rest waits on. An undo that only made
    room, for a correction or for another version of the program, takes nothing from anybody.
    """

    def __init__(self) -> None:
        self.read_up_to = 0
        """The last entry read so far."""
        self._standing: list[Entry] = []
        self._undone: list[Undone] = []

    def read(self, entries: list[Entry]) -> None:
        """Go on with the entries after ``read_up_to``."""
        for entry in entries:
            self.read_up_to = entry.seq
            if entry.kind == "undo":
                self._take(entry)
            elif entry.kind in GAME_KINDS:
                self._give(entry)
                self._standing.append(entry)

    @property
    def last(self) -> Undone | None:
        """What a redo gives back; None when nothing was taken since the last answer."""
        return self._undone[-1] if self._undone else None

    def _take(self, undo: Entry) -> None:
        back_to = undo.body["back_to"]
        first = len(self._standing)
        while first and self._standing[first - 1].seq > back_to:
            first -= 1
        taken = self._standing[first:]
        del self._standing[first:]
        if undo.body.get("left"):
            self._undone = []
        elif taken:
            self._undone.append(Undone(undo.seq, taken))

    def _give(self, entry: Entry) -> None:
        if self._undone and _content(self._undone[-1].entries[0]) == _content(entry):
            self._undone[-1].entries.pop(0)
            if not self._undone[-1].entries:
                self._undone.pop()
        else:
            self._undone = []


def _content(entry: Entry) -> tuple[Any, ...]:
    return (entry.kind, entry.step, entry.point, entry.about, entry.side, entry.body)
