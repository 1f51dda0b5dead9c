"""Which entries stand, what can be redone, and in which situation dice are thrown.

Each answer, roll and correction stands on the one that was uppermost when it was made. So the
entries are a tree: an undo goes back to one of them, and what stands is the way to ``top``. In a
section both sides act at once: each has a branch of its own, until an entry stands on both.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import msgspec

from asl_pbcg.kernel.canonical import sha256
from asl_pbcg.kernel.entries import GAME_KINDS, NOTHING, Entry, JournalFault, situation_after


class Undone(msgspec.Struct, frozen=True):
    """The number of an undo, and what it took and no player has given again since."""

    undo: int
    entries: list[Entry]


class Branches(msgspec.Struct, frozen=True):
    """The branches of a section: the entry before it, and by side the uppermost one."""

    base: int
    tops: dict[str, int]

    def above(self, side: str) -> int:
        """Return the entry that the next one of a side stands on."""
        return self.tops.get(side, self.base)

    @property
    def joined(self) -> tuple[int, ...]:
        """The entries that the first one after the section names; none where one side acted."""
        return tuple(sorted(self.tops.values())) if len(self.tops) > 1 else ()


class Standing(msgspec.Struct, dict=True):
    """The entries of a file, and what follows from them when they are read in their order.

    An answer ends a redo unless it is what was undone: then the rest waits on. An undo that only
    made room, for a correction or for another version of the program, takes nothing from a player.
    """

    entries: list[Entry] = []
    """Every entry added."""
    below: list[int] = msgspec.field(default_factory=lambda: [0])
    """By the number of an entry: which one was uppermost, on its branch, when it was made."""
    top: int = 0
    """The number of the uppermost entry that stands; 0 if nothing does."""
    branches: Branches | None = None
    """The branches of the section that both sides are at."""
    beside: dict[int, Branches] = {}
    """By the number of an entry that is on no branch: the branches that were open before it."""
    void: set[int] = set()
    """The numbers of the game entries that an undo has taken."""
    pile: list[Undone] = []
    """The undos that can be redone, the newest last."""
    piles: dict[str, list[Undone]] = {}
    """By side the undos on its branch that can be redone, the newest last."""

    @classmethod
    def of(cls, entries: list[Entry]) -> Standing:
        """Return what follows from ``entries``. Raises JournalFault if one cannot stand."""
        standing = cls()
        for entry in entries:
            standing.add(entry)
        return standing

    def add(self, entry: Entry) -> None:
        """Go on with the next entry. Raises JournalFault if it cannot stand here."""
        below, branches = self.top, self.branches
        if entry.on and entry.kind not in GAME_KINDS:
            raise JournalFault("J12", f"entry {entry.seq} stands on others and is no game entry")
        if entry.kind in GAME_KINDS:
            below = self._stand(entry)
        elif entry.kind == "undo":
            self._undo(entry)
        elif entry.kind == "redo":
            if not self.undone_by(entry.body["undo"]):
                raise JournalFault("J13", f"entry {entry.seq} names what was not undone")
        elif entry.kind == "checkpoint" and not self.stands(entry.body["after"]):
            raise JournalFault("J14", f"entry {entry.seq} is a checkpoint of no place in this file")
        if branches and len(entry.on) != 1:
            self.beside[entry.seq] = branches
        self.entries.append(entry)
        self.below.append(below)

    def standing(self, after: int = 0) -> list[Entry]:
        """Return what stands behind the entry ``after``, in the order of the file."""
        return self._chain(self.top, self.branches, after)

    def stood_before(self, seq: int, after: int = 0) -> list[Entry]:
        """Return what stood behind ``after`` when the entry ``seq`` was made."""
        return self._chain(self.below[seq], self.beside.get(seq), after)

    def _chain(self, top: int, branches: Branches | None, after: int) -> list[Entry]:
        chain: list[Entry] = []
        while top > after:
            if branches:
                chain += reversed(self._on_branches(branches, after))
                top, branches = branches.base, None
                continue
            chain.append(self.entries[top - 1])
            top, branches = self.below[top], self.beside.get(top)
        chain.reverse()
        return chain

    def _on_branches(self, branches: Branches, after: int) -> list[Entry]:
        """Return what stands on the branches of a section, in the order of the file."""
        found = []
        for top in branches.tops.values():
            while top > max(branches.base, after):
                found.append(self.entries[top - 1])
                top = self.below[top]
        return sorted(found, key=lambda entry: entry.seq)

    def taken_by(self, undo: Entry) -> list[Entry]:
        """Return the entries that an undo took, in order."""
        of, stood = undo.body.get("of", ""), self.stood_before(undo.seq, undo.body["back_to"])
        return [entry for entry in stood if of in ("", entry.side)]

    def undone_by(self, undo: int) -> Undone | None:
        """Return what the undo of that number took, if it can be redone next."""
        piles = (self.pile, *self.piles.values())
        return next((pile[-1] for pile in piles if pile and pile[-1].undo == undo), None)

    def stands(self, seq: int) -> bool:
        """Return whether the game entry ``seq`` stands; 0, the beginning, always does."""
        return not seq or (
            0 < seq <= len(self.entries)
            and self.entries[seq - 1].kind in GAME_KINDS
            and seq not in self.void
        )

    def parents(self, side: str = "") -> tuple[int, ...]:
        """Return what the next entry says it stands on: of a side by itself, else of both."""
        if side:
            return (self.branches.above(side) if self.branches else self.top,)
        return self.branches.joined if self.branches else ()

    def situation(self, side: str = "") -> bytes:
        """Return the hash of what stands now, however it came to that; of a side on its branch."""
        if side:
            return self._situation_of(self.parents(side)[0])
        return self._situation_at(self.top, self.branches)

    def situation_before(self, seq: int) -> bytes:
        """Return the hash of what stood when the entry ``seq`` was made."""
        return self._situation_at(self.below[seq], self.beside.get(seq))

    def _situation_at(self, top: int, branches: Branches | None) -> bytes:
        """Return the hash of what both sides did on their branches, in whatever order."""
        if not branches or len(branches.tops) < 2:
            return self._situation_of(top)
        return sha256(b"".join(sorted(map(self._situation_of, branches.tops.values())))).digest()

    def _situation_of(self, top: int) -> bytes:
        situations = self._situations
        missing = []
        while top not in situations and top not in self.beside:
            missing.append(top)
            top = self.below[top]
        if top not in situations:  # the first entry after a section
            before = self.situation_before(top)
            situations[top] = situation_after(before, self.entries[top - 1])
        for seq in reversed(missing):
            situations[seq] = situation_after(situations[self.below[seq]], self.entries[seq - 1])
            top = seq
        return situations[top]

    @cached_property
    def _situations(self) -> dict[int, bytes]:
        return {0: NOTHING}

    # -- what an entry changes ---------------------------------------------------------------

    def _stand(self, entry: Entry) -> int:
        """Put a game entry where it stands; return what is below it. Raises JournalFault."""
        side = entry.side if len(entry.on) == 1 else ""
        if len(entry.on) == 1 and (not entry.secret or not side):
            raise JournalFault("J12", f"entry {entry.seq} stands on a branch and is no side's")
        if entry.on != (self.parents(side) if entry.on else self.parents()):
            raise JournalFault("J12", f"entry {entry.seq} does not say what it stands on")
        for pile in [self.piles.get(side, []), self.pile] if side else [self.pile]:
            _match(pile, entry)
        below, self.top = self.top, entry.seq
        if not side:
            self.branches = None
            self.piles.clear()
            return below
        branches = self.branches or Branches(below, {})
        below = branches.above(side)
        self.branches = Branches(branches.base, {**branches.tops, side: entry.seq})
        return below

    def _undo(self, undo: Entry) -> None:
        back_to, of = undo.body["back_to"], undo.body.get("of", "")
        if back_to >= undo.seq:
            raise JournalFault("J12", f"entry {undo.seq} goes back to one that is not before it")
        branches = self.branches
        if of and not (branches and of in branches.tops and branches.base <= back_to):
            raise JournalFault("J12", f"entry {undo.seq} is of a side that has no branch there")
        taken = [each for each in self.standing(back_to) if of in ("", each.side)]
        if taken:
            self._go_back(taken)
        self.void.update(entry.seq for entry in taken)
        left = undo.body.get("left")
        for seq in left or ():
            before = 0 < seq < undo.seq and self.entries[seq - 1].kind in ("answer", "roll")
            if not before or seq not in self.void:
                raise JournalFault("J12", f"entry {undo.seq} leaves what it did not take")
        pile = self.piles.setdefault(of, []) if of else self.pile
        if not of:
            self.piles.clear()
        if left:
            pile.clear()
        elif taken:
            pile.append(Undone(undo.seq, taken))

    def _go_back(self, taken: list[Entry]) -> None:
        """Go back to what stands without ``taken``, the last entries or the last of a side."""
        first = taken[0]
        if len(first.on) != 1:
            self.top, self.branches = self.below[first.seq], self.beside.get(first.seq)
            return
        join = next((entry for entry in taken if len(entry.on) != 1), None)
        branches = self.beside[join.seq] if join else self.branches
        assert branches
        gone, tops = {entry.seq for entry in taken}, {}
        for side, top in branches.tops.items():
            while top in gone:
                top = self.below[top]
            if top > branches.base:
                tops[side] = top
        self.branches = Branches(branches.base, tops) if tops else None
        self.top = max(tops.values(), default=branches.base)


def _match(pile: list[Undone], entry: Entry) -> None:
    """Take an entry that gives again what was undone off a pile; any other empties it."""
    if not pile:
        return
    undo, entries = pile[-1].undo, pile[-1].entries
    if content(entries[0]) != content(entry):
        pile.clear()
    elif len(entries) > 1:
        pile[-1] = Undone(undo, entries[1:])
    else:
        pile.pop()


def content(entry: Entry) -> tuple[Any, ...]:
    """Return what two entries have in common that say the same."""
    return (entry.kind, entry.step, entry.point, entry.about, entry.side, entry.body)
