"""Prove and repair the lines of a damaged campaign file by its chain of hashes.

Each line names the hash of the line before, so from the last line back to the first every line but
the last is proven, wherever it stands in the file. A line in which one byte was changed, lost or
inserted has few neighbours, of which only one has the hash named: a line so repaired is proven.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator

import msgspec

from asl_pbcg.kernel.canonical import digest
from asl_pbcg.kernel.entries import JournalFault
from asl_pbcg.kernel.journal_text import JournalText, read_line

MAX_WORK = 30_000_000_000
"""The most bytes that are hashed to find one line: half a minute."""
_PER_TRY = 1_000
"""The work of a try besides its bytes, counted as bytes."""
_VEIL = re.compile(rb'"veil":"([^"]{400,})')
_PREV = re.compile(rb'"n":\d+,"prev":"([0-9a-f]{64})"')
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_PLAIN = bytes(range(0x20, 0x7F))

_Tries = Iterable[tuple[int, Iterable[int]]]
"""Places, each with the bytes to try there."""


def head_before(line: bytes) -> str:
    """Return the hash that a line names as that of the line before; empty if it cannot be read."""
    match = _PREV.search(line)
    return match[1].decode() if match else ""


def repair_line(damaged: bytes, head: str) -> bytes | None:
    """Return the line with the hash ``head`` that differs from ``damaged`` by one byte, or None.

    Both have their LF.
    """
    return _Repair(damaged.removesuffix(b"\n"), head).find()


def split_line(damaged: bytes, head: str) -> tuple[bytes, bytes] | None:
    """Return two lines whose LF between was lost or changed; the second has the hash ``head``."""
    for match in re.finditer(rb'\{"at":', damaged[1:]):
        start = match.start() + 1
        second = damaged[start:]
        if _hash(second) != head:
            continue
        for first in (damaged[:start], damaged[: start - 1]):
            if _hash(first + b"\n") == head_before(second):
                return first + b"\n", second
    return None


def join_lines(first: bytes, second: bytes, head: str) -> bytes | None:
    """Return the line with the hash ``head`` in which a byte became LF, or LF was put in."""
    begun = first.removesuffix(b"\n")
    for between in (b"", *(bytes((byte,)) for byte in range(256))):
        if _hash(begun + between + second) == head:
            return begun + between + second
    return None


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class _Repair:
    """The search for one line, the likeliest changes first."""

    def __init__(self, line: bytes, head: str) -> None:
        self._line = line
        self._wanted = bytes.fromhex(head)
        self._spans = [match.span(1) for match in _VEIL.finditer(line)]
        """Where long veils stand."""
        self._plain = bytes({*_PLAIN, *line})
        self._work = 0

    def find(self) -> bytes | None:
        ways: tuple[tuple[Callable[[], _Tries], int], ...] = (
            (self._at_odd_bytes, 1), (self._flips, 1), (self._other_bytes, 1),
            (self._without, 2), (self._with_one_more, 0),
        )  # fmt: skip
        for tries, width in ways:
            if found := self._search(tries(), width):
                return found
        return None

    def _places(self) -> Iterator[int]:
        """Yield the places of the line, those in long veils last: of these there are most."""
        inside = {place for span in self._spans for place in range(*span)}
        yield from (place for place in range(len(self._line)) if place not in inside)
        yield from sorted(inside)

    def _bytes_at(self, place: int) -> bytes:
        """Return the bytes that may truly stand at a place."""
        veiled = any(start <= place < end for start, end in self._spans)
        return _BASE64 if veiled else self._plain

    def _at_odd_bytes(self) -> _Tries:
        """Try every byte where one stands that no line should have there."""
        odd = (at for at in self._places() if self._line[at] not in self._proper(at))
        return ((place, range(256)) for place in odd)

    def _proper(self, place: int) -> bytes:
        return _BASE64 if self._bytes_at(place) is _BASE64 else _PLAIN

    def _flips(self) -> _Tries:
        """Try each byte with one bit changed."""
        for at in self._places():
            yield at, [self._line[at] ^ 1 << bit for bit in range(8)]

    def _other_bytes(self) -> _Tries:
        return ((at, self._bytes_at(at)) for at in self._places())

    def _without(self) -> _Tries:
        """Try to leave out each byte: the next one stands in place of both."""
        end = self._line + b"\n"
        return ((at, end[at + 1 : at + 2]) for at in self._places())

    def _with_one_more(self) -> _Tries:
        """Try to put a byte in before each."""
        return ((at, self._bytes_at(at)) for at in [*self._places(), len(self._line)])

    def _search(self, tries: _Tries, width: int) -> bytes | None:
        """Return the line where a byte in place of ``width`` others gives it its hash."""
        end = self._line + b"\n"
        for place, candidates in tries:
            begun, rest = hashlib.sha256(end[:place]), end[place + width :]
            for byte in candidates:
                tried = begun.copy()
                tried.update(bytes((byte,)) + rest)
                if tried.digest() == self._wanted:
                    return end[:place] + bytes((byte,)) + rest
                self._work += len(rest) + _PER_TRY
            if self._work > MAX_WORK:
                return None
        return None


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
