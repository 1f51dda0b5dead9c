"""Which entries stand, what can be redone, and in which situation dice are thrown.

Each answer, roll and correction stands on the one that was uppermost when it was made. So the
entries are a tree: an undo goes back to one of them, and what stands is the way to ``top``.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import msgspec

from asl_pbcg.kernel.entries import GAME_KINDS, NOTHING, Entry, JournalFault, situation_after


class Undone(msgspec.Struct, frozen=True):
    """The number of an undo, and what it took and no player has given again since."""

    undo: int
    entries: list[Entry]


class Standing(msgspec.Struct, dict=True):
    """The entries of a file, and what follows from them when they are read in their order.

    An answer ends a redo unless it is what was undone: then the rest waits on. An undo that only
    made room, for a correction or for another version of the program, takes nothing from a player.
    """

    entries: list[Entry] = []
    """Every entry added."""
    below: list[int] = msgspec.field(default_factory=lambda: [0])
    """By the number of an entry: which one was uppermost when it was made."""
    top: int = 0
    """The number of the uppermost entry that stands; 0 if nothing does."""
    void: set[int] = set()
    """The numbers of the game entries that an undo has taken."""
    pile: list[Undone] = []
    """The undos that can be redone, the newest last."""

    @classmethod
    def of(cls, entries: list[Entry]) -> Standing:
        """Return what follows from ``entries``. Raises JournalFault if one cannot stand."""
        standing = cls()
        for entry in entries:
            standing.add(entry)
        return standing

    def add(self, entry: Entry) -> None:
        """Go on with the next entry. Raises JournalFault if it cannot stand here."""
        below = self.top
        if entry.kind in GAME_KINDS:
            if self.pile:
                self._match(entry)
            self.top = entry.seq
        elif entry.kind == "undo":
            self._undo(entry)
        elif entry.kind == "redo":
            if not self.pile or entry.body["undo"] != self.pile[-1].undo:
                raise JournalFault("J13", f"entry {entry.seq} names what was not undone")
        elif entry.kind == "checkpoint" and not self.stands(entry.body["after"]):
            raise JournalFault("J14", f"entry {entry.seq} is a checkpoint of no place in this file")
        self.entries.append(entry)
        self.below.append(below)

    def chain(self, top: int, after: int = 0) -> list[Entry]:
        """Return what stands when ``top`` is the uppermost, without the entries up to ``after``."""
        chain = []
        while top > after:
            chain.append(self.entries[top - 1])
            top = self.below[top]
        chain.reverse()
        return chain

    def taken_by(self, undo: Entry) -> list[Entry]:
        """Return the entries that an undo took, in order."""
        return self.chain(self.below[undo.seq], undo.body["back_to"])

    def stands(self, seq: int) -> bool:
        """Return whether the game entry ``seq`` stands; 0, the beginning, always does."""
        return not seq or (
            0 < seq <= len(self.entries)
            and self.entries[seq - 1].kind in GAME_KINDS
            and seq not in self.void
        )

    def situation(self, top: int) -> bytes:
        """Return the hash of what stands when ``top`` is the uppermost, however it came to that."""
        situations = self._situations
        missing = []
        while top not in situations:
            missing.append(top)
            top = self.below[top]
        for seq in reversed(missing):
            situations[seq] = situation_after(situations[self.below[seq]], self.entries[seq - 1])
            top = seq
        return situations[top]

    @cached_property
    def _situations(self) -> dict[int, bytes]:
        return {0: NOTHING}

    def _undo(self, undo: Entry) -> None:
        back_to = undo.body["back_to"]
        if back_to >= undo.seq:
            raise JournalFault("J12", f"entry {undo.seq} goes back to one that is not before it")
        taken = self.chain(self.top, back_to)
        if taken:
            self.top = self.below[taken[0].seq]
        self.void.update(entry.seq for entry in taken)
        left = undo.body.get("left")
        for seq in left or ():
            before = 0 < seq < undo.seq and self.entries[seq - 1].kind in ("answer", "roll")
            if not before or seq not in self.void:
                raise JournalFault("J12", f"entry {undo.seq} leaves what it did not take")
        if left:
            self.pile.clear()
        elif taken:
            self.pile.append(Undone(undo.seq, taken))

    def _match(self, entry: Entry) -> None:
        undo, entries = self.pile[-1].undo, self.pile[-1].entries
        if content(entries[0]) != content(entry):
            self.pile.clear()
        elif len(entries) > 1:
            self.pile[-1] = Undone(undo, entries[1:])
        else:
            self.pile.pop()


def content(entry: Entry) -> tuple[Any, ...]:
    """Return what two entries have in common that say the same."""
    return (entry.kind, entry.step, entry.point, entry.about, entry.side, entry.body)
