"""The program's input and output: encodings, guarded text, closed or full outputs, line breaks.

Lines break between words; what follows stands under the beginning of the line's words.
``FoldingStream`` breaks what is printed to a terminal, ``cli/terminal/sentences.py`` what rich
prints. Nothing else breaks lines.
"""

from __future__ import annotations

import codecs
import json
import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any

import typer

from asl_pbcg.kernel.files import UNSEEN, with_signs

if TYPE_CHECKING:
    from rich.console import Console


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
    """Return the indent of what is broken off ``line``: its column, its item, or two."""
    most = min(MOST, 2 * width // 5)
    columns = [column_match.end(1) for column_match in _COLUMN.finditer(line)]
    if columns := [column for column in columns if column <= most]:
        return columns[-1]
    if match := _ITEM.match(line):
        return min(match.end(), most)
    return min(len(line) - len(line.lstrip(" ")) + 2, most)


def parts_of(line: str, width: int) -> list[tuple[int, int]]:
    """Return the start and end of each part of ``line``, none wider than ``width``.

    All but the first are moved in by ``hanging``. A word that is too wide by itself stays whole.
    """
    words = [match.span() for match in _WORDS.finditer(line)]
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
    """Yield the place of each visible letter in a line with styles."""
    at = 0
    for match in _STYLE.finditer(line):
        yield from range(at, match.start())
        at = match.end()
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
        *lines, last = text.split("\n")
        return "\n".join([*(fold(line, self.width) for line in lines), last])

    @property
    def wrapped(self) -> Any:
        """Return the stream beneath."""
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


_IS_DATA = {"--json", "--show-completion"}
"""With these words what is printed is for programs."""
_PLAIN = {
    "·": ".", "…": "...", "–": "-", "—": "-", "−": "-", "×": "x", "½": "1/2", "¼": "1/4",
    "¾": "3/4", "→": "->", "←": "<-", "≥": ">=", "≤": "<=", "’": "'", "‘": "'", "“": '"',
    "”": '"', "„": '"', "•": "*", "ß": "ss", "°": "deg", "²": "2",
}  # fmt: skip
_COLOURS = r"(?:0|1|2|3|4|7|2[2-47]|3[1-69]|9[1-6])"
"""The styles that commands print with; none of them hides a word."""
_GUARDED = re.compile(rf"(\x1b\[{_COLOURS}(?:;{_COLOURS})*m)|[{UNSEEN}]")
_BARS = {"─": "-", "━": "-", "│": "|", "┃": "|", "═": "=", "║": "|"}


def prepare_streams() -> None:
    """Let every character be printed somehow, and reading from nothing be an end of the input."""
    codecs.register_error("pbcg", _in_plain_letters)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="pbcg")
        if stream is None:
            continue
        is_data = name == "stdout" and bool(_IS_DATA & set(sys.argv))
        guarded: Any = GuardedStream(stream, is_data)
        if stream.isatty() and not is_data:
            guarded = FoldingStream(guarded)
        setattr(sys, name, guarded)


class GuardedStream:
    """A stream on which text of a foreign file cannot command the terminal: its edge.

    All that any command prints passes here. The colours that commands print with go through; any
    other character that cannot be seen becomes a sign, in data for programs an escape of JSON.
    """

    def __init__(self, stream: IO[str], is_data: bool = False) -> None:
        self._stream = stream
        self._is_data = is_data

    @property
    def wrapped(self) -> Any:
        """Return the stream beneath."""
        return self._stream

    def write(self, text: str) -> int:
        """Write ``text`` with signs for what cannot be seen."""
        self._stream.write(guard_text(text, self._is_data))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write lines one after the other."""
        for line in lines:
            self.write(line)

    def command(self, text: str) -> int:
        """Write what is to command the terminal: none of it comes from a file."""
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def guard_text(text: str, is_data: bool = False) -> str:
    """Return ``text`` as a terminal may have it."""
    if text.isascii() and text.isprintable():
        return text
    return _GUARDED.sub(lambda match: match[1] or _sign(match[0], is_data), text)


def _sign(letter: str, is_data: bool) -> str:
    return json.dumps(letter)[1:-1] if is_data else with_signs(letter)


def unguarded_console() -> Console:
    """Return a console on stderr for a progress bar, which moves the cursor."""

    from rich import console as rich_console

    stream = sys.stderr
    while isinstance(stream, GuardedStream | FoldingStream):
        stream = stream.wrapped
    return rich_console.Console(file=stream)


def print_document(text: str) -> None:
    """Print a document as it is, whatever the terminal's width."""
    if hasattr(sys.stdout, "folds"):
        sys.stdout.folds = False
    typer.echo(text, nl=not text.endswith("\n"))


def _in_plain_letters(error: UnicodeError) -> tuple[str, int]:
    """Return signs for characters that the output's encoding does not have."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = "".join(_plain(letter) for letter in error.object[error.start : error.end])
    return signs, error.end


def _plain(letter: str) -> str:
    if letter in _PLAIN:
        return _PLAIN[letter]
    if "─" <= letter <= "╿":
        return _BARS.get(letter, "+")
    bare = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return bare or "?"


def give_up_output() -> None:
    """Print nothing more: what is left must not fail once again at the very end."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
