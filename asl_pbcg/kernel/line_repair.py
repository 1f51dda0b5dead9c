"""Finding the true bytes of a damaged line from its hash, which the line behind it names.

A line in which one byte was changed, lost or put in has few neighbours, of which only one has the
hash that the chain names: what is found is proven.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from asl_pbcg.kernel.lazy_import import lazy_import

if TYPE_CHECKING:
    import hashlib
else:
    hashlib = lazy_import("hashlib")

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
