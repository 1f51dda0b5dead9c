"""The one way players' files are read: every fault at once, each with its place and what is right.

A file is walked through once. What is unknown, missing or cannot be taken becomes a Fault; the rest
is read on. A wrong word names the nearest known ones, a wrong value what would be right.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, Final

from asl_pbcg.kernel.errors import Fault, FaultsError

LONGEST = 60
"""So many letters of a wrong value are shown."""
ALIKE = 0.6
"""How alike a word must be to be named as the one that may be meant."""


class Wrong(Exception):
    """A value that cannot be taken; the text says what would be right."""

    def __init__(self, wrong: str, value: object = None) -> None:
        super().__init__(wrong)
        self.wrong = wrong
        self.value = value


# -- words ---------------------------------------------------------------------------------------

_DASHES: Final = dict.fromkeys((*range(0x2010, 0x2016), 0x2212), "-")
"""Hyphens, dashes and minus signs that phones and Word write."""


def plain_dashes(text: str) -> str:
    """Return ``text`` with a hyphen for every dash, so that it can be read."""
    return text if text.isascii() else text.translate(_DASHES)


def with_plain_dashes(value: Any) -> Any:
    """Return ``value`` with plain dashes in every text inside it, keys too."""
    if isinstance(value, str):
        return plain_dashes(value)
    if isinstance(value, list):
        return [with_plain_dashes(item) for item in value]
    if isinstance(value, dict):
        return {with_plain_dashes(key): with_plain_dashes(item) for key, item in value.items()}
    return value


def value_words(value: object) -> str:
    """A wrong value as a fault names it: short, on one line."""
    if isinstance(value, dict):
        return "keys and values"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, bool):
        return str(value).lower()
    text = " ".join(str(value).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def near(word: object, known: Iterable[object], most: int = 3, alike: float = ALIKE) -> list[str]:
    """The known words that a wrong one may mean, likeliest first."""
    import difflib

    by_plain = {str(each).lower(): str(each) for each in known}
    close = difflib.get_close_matches(str(word).lower()[:LONGEST], by_plain, most, alike)
    return [by_plain[each] for each in close]


def nearest(word: object, known: Iterable[object], alike: float = ALIKE) -> str:
    """The words ``; nearest: a, b`` for a wrong name, or nothing if none is alike enough."""
    close = near(word, known, alike=alike)
    return f"; nearest: {', '.join(close)}" if close else ""


def nearest_or_all(word: object, known: Iterable[object], alike: float = ALIKE) -> str:
    """As ``nearest``; where no word is alike enough, all that are known."""
    words = [str(each) for each in known]
    return nearest(word, words, alike) or f"; known are: {', '.join(words)}"


# -- values --------------------------------------------------------------------------------------


def read_text(value: object, longest: int, line_breaks: bool = False) -> str:
    """A text without space at its ends; raises Wrong for what no sheet can hold."""
    if not isinstance(value, str):
        if isinstance(value, list | tuple | dict) or value is None:
            raise Wrong("must be text")
        raise Wrong(f'must be text: write "{value_words(value)}" in quotes')
    text = value.replace("\r\n", "\n").strip()
    if not (text.isascii() and text.isprintable() and "_x" not in text):
        text = "".join(" " if unicodedata.category(each) == "Zs" else each for each in text).strip()
        for each in text:
            if not (each.isprintable() or (each == "\n" and line_breaks)):
                raise Wrong(f"holds a character that cannot be printed (U+{ord(each):04X})")
        if re.search("_x[0-9A-Fa-f]{4}_", text):
            raise Wrong("holds _x and four digits, which Excel reads as another character")
    if len(text) > longest:
        raise Wrong(f"is too long: {longest} characters are the most")
    return text


def read_flag(value: object) -> bool:
    """True or false; raises Wrong."""
    if not isinstance(value, bool):
        raise Wrong("must be true or false")
    return value


# -- a file --------------------------------------------------------------------------------------


class Reader:
    """Walks through the plain data of a file and gathers what is wrong with it."""

    def __init__(self, source: str = "") -> None:
        self.source = source
        self.faults: list[Fault] = []

    def fault(self, where: str, value: object, wrong: str) -> None:
        """Note what is wrong somewhere; a value of None or an empty one is not shown."""
        self.faults.append(Fault(where, "" if value in (None, "") else value_words(value), wrong))

    def raise_faults(self) -> None:
        """Raise FaultsError if anything was wrong."""
        if self.faults:
            raise FaultsError(self.source, self.faults)

    def unknown(
        self,
        where: str,
        raw: Mapping[Any, Any],
        known: Iterable[str],
        what: str = "is not a key here",
    ) -> None:
        """Note every key that is none of the known ones, with the nearest."""
        names = list(known)
        for key in raw:
            if key not in names:
                self.fault(where, key, f"{what}{nearest_or_all(key, names)}")
