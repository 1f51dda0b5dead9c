"""The lines of a damaged file as its chain proves them.

Each line names the hash of the line before: from the last line back to the first the chain proves
every line but the last one, wherever it stands in the file.
"""

from __future__ import annotations

import msgspec

from asl_pbcg.kernel.canonical import digest
from asl_pbcg.kernel.journal_faults import JournalFault
from asl_pbcg.kernel.journal_text import JournalText, read_line
from asl_pbcg.kernel.line_repair import head_before, join_lines, repair_line, split_line

_HALF = 32


class ChainLine(msgspec.Struct):
    """A line of a damaged file: ``content`` is its true bytes, empty where it is lost.

    ``damaged`` are the bytes that stand in place of a lost one, if any do.
    """

    number: int
    content: bytes
    repaired: bool = False
    damaged: bytes = b""


def prove_lines(content: bytes) -> tuple[list[ChainLine], bytes]:
    """Return the lines of a file in their order, and the bytes of a last one not finished."""
    *ended, torn = content.split(b"\n")
    lines = [line + b"\n" for line in ended if line.strip()]
    if torn and number_of(torn + b"\n"):
        lines, torn = [*lines, torn + b"\n"], b""
    chain = _Chain(lines)
    while lines and not chain.done:
        chain.go_back()
    chain.lines.reverse()
    return chain.lines, torn.strip()


def number_of(line: bytes) -> int:
    """Return the number of a line that can be read; 0 for any other."""
    try:
        return read_line(line).n
    except JournalFault:
        try:
            JournalText.begin(line)
        except JournalFault:
            return 0
        return 1


class _Chain:
    """The way along the chain from the last line to the first."""

    def __init__(self, stored: list[bytes]) -> None:
        self.lines: list[ChainLine] = []
        """The lines so far, the last one first."""
        self.done = False
        self._stored = stored
        self._places = {digest(line): place for place, line in enumerate(stored)}
        self._place = len(stored)
        """Where the line stands that was found last; what is before it is searched next."""
        self._number = 0
        """The number of the line that is wanted; 0 while it is not known."""
        self._head = ""
        """The hash of the line that is wanted; empty where it is not known."""

    def go_back(self) -> None:
        """Find the line that is wanted, or go on before it."""
        if not self._head:
            self._resume()
        elif (place := self._places.get(self._head)) is not None:
            self._accept(self._stored[place], place)
        elif not self._repair():
            self._head = ""
            self._lose(self._number)

    def _accept(self, content: bytes, place: int, repaired: bool = False) -> None:
        number = self._number or number_of(content)
        self.lines.append(ChainLine(number, content, repaired))
        self._place, self._number = place, number - 1
        self._head = head_before(content) if number > 1 else ""
        self.done = number == 1

    def _lose(self, number: int) -> None:
        """Leave out the line that is wanted; what stands in its place may be named."""
        place = self._place - 1
        damaged = self._stored[place] if place >= 0 else b""
        if number_of(damaged) in (0, number):
            self._place = max(place, 0)
        else:
            damaged = b""
        self.lines.append(ChainLine(number, b"", damaged=damaged))
        self._number = number - 1
        self.done = number == 1

    def _repair(self) -> bool:
        """Find the true bytes of the line that is wanted from what stands in its place."""
        place, head = self._place - 1, self._head
        if place < 0:
            return False
        here = self._stored[place]
        if place and (joined := join_lines(self._stored[place - 1], here, head)):
            self._accept(joined, place - 1, repaired=True)
            return True
        if pair := split_line(here, head):
            self._accept(pair[1], place, repaired=True)
            self._accept(pair[0], place, repaired=True)
            return True
        same = number_of(here) in (0, self._number)
        if same and (repaired := repair_line(here, head)):
            self._accept(repaired, place, repaired=True)
            return True
        return False

    def _resume(self) -> None:
        """Go on with the next line that can be read and names one that is there.

        Nothing proves such a line but that it goes on from a true one: it is the last line, or
        one before a lost line.
        """
        for place in range(self._place - 1, -1, -1):
            content = self._with_true_head(place)
            number = number_of(content)
            linked = number == 1 or head_before(content) in self._places
            if not number or not linked or (self._number and number > self._number):
                continue
            passed = self._stored[place + 1 : self._place]
            last = self._number or number + len(passed)
            for lost in range(last, number, -1):
                at = lost - number - 1
                damaged = passed[at] if at < len(passed) else b""
                self.lines.append(ChainLine(lost, b"", damaged=damaged))
            self._number = number
            self._accept(content, place, repaired=content != self._stored[place])
            return
        if not self.lines or self.lines[-1].number != 1:
            self.lines.append(ChainLine(1, b"", damaged=self._stored[0]))
        self.done = True

    def _with_true_head(self, place: int) -> bytes:
        """Return a line with the hash of the line before where but a part of it was damaged."""
        content = self._stored[place]
        head = head_before(content)
        true = digest(self._stored[place - 1]) if place else head
        alike = head[:_HALF] == true[:_HALF] or head[_HALF:] == true[_HALF:]
        return content.replace(head.encode(), true.encode(), 1) if head and alike else content
