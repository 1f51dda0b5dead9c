"""The program's input and output: in any encoding, also where there is none or it is full."""

from __future__ import annotations

import codecs
import os
import sys

from asl_pbcg.cli.folding import FoldingStream

_IS_DATA = {"--json", "--show-completion"}
"""With these words what is printed is for programs."""
_PLAIN = {
    "·": ".", "…": "...", "–": "-", "—": "-", "−": "-", "×": "x", "½": "1/2", "¼": "1/4",
    "¾": "3/4", "→": "->", "←": "<-", "≥": ">=", "≤": "<=", "’": "'", "‘": "'", "“": '"',
    "”": '"', "„": '"', "•": "*", "ß": "ss", "°": "deg", "²": "2",
}  # fmt: skip
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
        if stream is not None and stream.isatty() and not _IS_DATA & set(sys.argv):
            setattr(sys, name, FoldingStream(stream))


def print_document(text: str) -> None:
    """Print a document as it is, whatever the terminal's width."""
    import typer

    if isinstance(sys.stdout, FoldingStream):
        sys.stdout.folds = False
    typer.echo(text, nl=not text.endswith("\n"))


def _in_plain_letters(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that the output's encoding does not have."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = "".join(_plain(letter) for letter in error.object[error.start : error.end])
    return found, error.end


def _plain(letter: str) -> str:
    if letter in _PLAIN:
        return _PLAIN[letter]
    if "─" <= letter <= "╿":
        return _BARS.get(letter, "+")
    import unicodedata

    bare = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return bare or "?"


def harmless(text: str) -> str:
    """``text`` without what would command a terminal: a file may hold anything."""
    import unicodedata

    return "".join(
        letter if letter == "\n" or not unicodedata.category(letter).startswith("C") else "?"
        for letter in text
    )


def give_up_output() -> None:
    """Print nothing more: what is left must not fail once again at the very end."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
