"""Which entries stand, what can be redone, and in which situation dice are thrown.

All of it follows from the entries, read in their order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from asl_pbcg.kernel.entries import (
    GAME_KINDS,
    NOTHING,
    Entry,
    after,
    exception_of,
    faces_of,
    is_base64,
)
from asl_pbcg.kernel.journal_faults import JournalFault

MAX_STATE = 32_000_000
"""The most bytes of a state with its log in a checkpoint, inflated."""


class Undone(NamedTuple):
    """What one undo took and nobody has given since: the number of the undo, and the entries."""

    undo: int
    entries: list[Entry]


class Taken(NamedTuple):
    """What one undo took: the undo, what stood before it, and what it took of that."""

    undo: Entry
    before: list[Entry]
    entries: list[Entry]


class Standing:
    """The game entries that stand, and the undos that can be redone, the newest last.

    An answer ends a redo unless it is what was undone: then the rest waits on. An undo that only
    made room, for a correction or for another version of the program, takes nothing from anybody.
    """

    def __init__(self, entries: list[Entry]) -> None:
        self.entries: list[Entry] = []
        """Every entry added."""
        self.stack: list[Entry] = []
        self.void: set[int] = set()
        """The numbers of the game entries that an undo has taken back."""
        self.pile: list[Undone] = []
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Go on with the next entry. Raises JournalFault if it cannot stand here."""
        kind = entry.kind
        if kind in GAME_KINDS:
            if self.pile:
                self._match(entry)
            self.stack.append(entry)
        elif kind == "undo":
            self._undo(entry)
        elif kind == "redo":
            body = entry.body if isinstance(entry.body, dict) else {}
            undo = body.get("undo")
            named = body.keys() == {"undo"} and type(undo) is int
            if not named or not self.pile or undo != self.pile[-1].undo:
                raise JournalFault("J13", f"entry {entry.seq} gives back what was not undone")
        elif kind == "checkpoint":
            self._check_checkpoint(entry)
        self.entries.append(entry)

    def stands(self, seq: int) -> bool:
        """Return whether the game entry ``seq`` stands; 0, the beginning, always does."""
        return not seq or (
            0 < seq <= len(self.entries)
            and self.entries[seq - 1].kind in GAME_KINDS
            and seq not in self.void
        )

    def _undo(self, undo: Entry) -> None:
        back_to = undo.body["back_to"]
        if back_to >= undo.seq:
            raise JournalFault("J12", f"entry {undo.seq} goes back to one that is not before it")
        first = len(self.stack)
        while first and self.stack[first - 1].seq > back_to:
            first -= 1
        taken = self.stack[first:]
        del self.stack[first:]
        self.void.update(entry.seq for entry in taken)
        left = undo.body.get("left")
        for seq in left or ():
            there = 0 < seq < undo.seq and self.entries[seq - 1].kind in ("answer", "roll")
            if not there or seq not in self.void:
                raise JournalFault("J12", f"entry {undo.seq} leaves what it did not take back")
        if left:
            self.pile = []
        elif taken:
            self.pile.append(Undone(undo.seq, taken))

    def _match(self, entry: Entry) -> None:
        top = self.pile[-1]
        if _content(top.entries[0]) != _content(entry):
            self.pile = []
        elif len(top.entries) > 1:
            self.pile[-1] = Undone(top.undo, top.entries[1:])
        else:
            self.pile.pop()

    def _check_checkpoint(self, entry: Entry) -> None:
        body = entry.body
        shape = (
            isinstance(body, dict)
            and {"after", "data"} <= body.keys() <= {"after", "data", "gap"}
            and is_base64(body["data"])
            and body.get("gap", True) is True
        )
        if not shape or type(body["after"]) is not int or not self.stands(body["after"]):
            raise JournalFault("J14", f"entry {entry.seq} is a checkpoint of no place in this file")


def _content(entry: Entry) -> tuple[Any, ...]:
    return (entry.kind, entry.step, entry.point, entry.about, entry.side, entry.body)


def undos_of(entries: list[Entry]) -> list[Taken]:
    """Return what each undo took, in order."""
    stack: list[Entry] = []
    undos = []
    for entry in entries:
        if entry.kind == "undo":
            first = len(stack)
            while first and stack[first - 1].seq > entry.body["back_to"]:
                first -= 1
            undos.append(Taken(entry, stack[:first], stack[first:]))
            del stack[first:]
        elif entry.kind in GAME_KINDS:
            stack.append(entry)
    return undos


class Situations:
    """The situation after each entry that stands, and the dice thrown in every one so far."""

    def __init__(self) -> None:
        self.read_up_to = 0
        self._stack: list[tuple[int, bytes]] = [(0, NOTHING)]
        self._thrown: dict[tuple[bytes, str, str], tuple[int, ...]] = {}
        self.made_in: list[tuple[bytes, Entry]] = []
        """Every game entry, undone ones too, with the situation in which it was made."""

    def read(self, entries: list[Entry]) -> None:
        """Go on with the entries after ``read_up_to``."""
        stack = self._stack
        for entry in entries:
            self.read_up_to = entry.seq
            if entry.kind == "undo":
                while stack[-1][0] > entry.body["back_to"]:
                    stack.pop()
            elif entry.kind in GAME_KINDS:
                now = stack[-1][1]
                self.made_in.append((now, entry))
                if entry.kind == "roll" and not exception_of(entry.body):
                    key = (now, entry.point, entry.about)
                    self._thrown.setdefault(key, faces_of(entry.body))
                stack.append((entry.seq, after(now, entry)))

    @property
    def now(self) -> bytes:
        """The hash of the standing entries: the same after the same, however it came to it."""
        return self._stack[-1][1]

    def own_dice(self, situation: bytes, point: str, about: str) -> tuple[int, ...] | None:
        """Return the campaign's own dice that a roll first brought in a situation, if it was."""
        return self._thrown.get((situation, point, about))
