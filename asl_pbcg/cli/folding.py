"""How long lines are broken: between words, what follows under where the line's words begin.

The one place for it: ``FoldingStream`` does it with all that is printed to a terminal, and
``cli/sentences.py`` with what is printed by rich.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import IO, Any

_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_WORDS = re.compile(r'[(\[]?"[^"\n]*\bpbcg [^"\n]*"\S*|\S+')
"""A word; a command in quotes is one, so that it can be copied whole."""
_COMMAND = re.compile(r" +\S*pbcg ")
"""The beginning of a line that is a command."""
_ITEM = re.compile(r"\s*(?:[-*+•>]|\d+[.)]?)\s+")
_COLUMN = re.compile(r"\S( {2,})(?=\S)")
MOST = 32
"""The most that a broken-off part is moved in, and by no more than two fifths of the width."""


def hanging(line: str, width: int) -> int:
    """How far what is broken off ``line`` is moved in: to its column, its item, or by two."""
    most = min(MOST, 2 * width // 5)
    columns = [found.end(1) for found in _COLUMN.finditer(line)]
    if columns := [column for column in columns if column <= most]:
        return columns[-1]
    if found := _ITEM.match(line):
        return min(found.end(), most)
    return min(len(line) - len(line.lstrip(" ")) + 2, most)


def parts_of(line: str, width: int) -> list[tuple[int, int]]:
    """Where each part of ``line`` begins and ends, so that none is wider than ``width``.

    All but the first are moved in by ``hanging``. A word that is too wide by itself stays whole.
    """
    words = [found.span() for found in _WORDS.finditer(line)]
    if not words or len(line.rstrip()) <= width:
        return [(0, len(line))]
    parts: list[tuple[int, int]] = []
    start, end, room = 0, words[0][1], width
    for at, to in words[1:]:
        if to - start > room:
            parts.append((start, end))
            start, room = at, width - hanging(line, width)
        end = to
    return [*parts, (start, end)]


def fold(text: str, width: int) -> str:
    """``text``, with any styles, in lines of at most ``width``; commands stay whole."""
    return "\n".join(part for line in text.split("\n") for part in _fold(line, width))


def _fold(line: str, width: int) -> Iterator[str]:
    plain = _STYLE.sub("", line)
    if _COMMAND.match(plain) or "\x1b" in plain or "\r" in plain:
        yield line
        return
    parts = parts_of(plain, width)
    if len(parts) == 1:
        yield line
        return
    places = list(_places(line))
    indent, done = "", 0
    for start, end in parts:
        begin = places[start]
        styles = "".join(_STYLE.findall(line, done, begin))
        done = places[end - 1] + 1 if end < parts[-1][1] else len(line)
        yield f"{indent}{styles}{line[begin:done]}"
        indent = " " * hanging(plain, width)


def _places(line: str) -> Iterator[int]:
    """Where each letter that is seen stands in a line with styles."""
    at = 0
    for found in _STYLE.finditer(line):
        yield from range(at, found.start())
        at = found.end()
    yield from range(at, len(line))


class FoldingStream:
    """A terminal's stream; it breaks lines that are wider than the terminal."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self.folds = True
        """Whether it does; not while a document is printed."""

    def write(self, text: str) -> int:
        """Write ``text``; what does not end its line is a question and stays as it is."""
        return self._stream.write(self.fold(text))

    def fold(self, text: str) -> str:
        """Return ``text`` in lines that the terminal is wide enough for."""
        if not self.folds or "\n" not in text:
            return text
        *lines, rest = text.split("\n")
        return "\n".join([*(fold(line, self.width) for line in lines), rest])

    @property
    def wrapped(self) -> Any:
        """The stream beneath."""
        return self._stream

    @property
    def width(self) -> int:
        """Columns of the terminal."""
        columns = os.environ.get("COLUMNS", "")
        if columns.isdecimal() and int(columns):
            return int(columns)
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or 80
        except (OSError, ValueError):
            return 80

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
