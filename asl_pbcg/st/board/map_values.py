"""Single values of a map file: each reader gives the value or says what would be right."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection
from typing import Any, Final, get_args

from asl_pbcg.kernel.reader import near
from asl_pbcg.st.board.map_parts import Feature

MOST: Final = 2_000  # items of one list; the game has some two hundred
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,5}")
_FARTHEST: Final = 1_000_000  # file units from the origin; beyond it a number is a slip


class UnreadableMap(Exception):
    """A value that is no such thing; its text says what would be right."""


def one_of(*allowed: str) -> Callable[[Any], Any]:
    """Make a reader that takes only the words ``allowed``."""

    def read(value: Any) -> Any:
        if value in allowed:
            return value
        close = near(value, allowed, 1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise UnreadableMap(f"must be {_either(allowed)}{hint}")

    return read


def _either(words: Collection[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def a_text(value: Any) -> str:
    """Read one short line of text; a whole number is taken as it is written."""
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise UnreadableMap("must be text")
    said = str(value).strip()
    if not said:
        raise UnreadableMap("must not be empty")
    if len(said) > 60 or not said.isprintable():
        raise UnreadableMap("must be one line of at most 60 characters")
    return said


def a_name(value: Any) -> str:
    """Read the id of an area."""
    said = a_text(value)
    if not _ID.fullmatch(said):
        raise UnreadableMap("must be 1 to 6 letters, digits, dots or dashes")
    return said


def a_names(value: Any) -> tuple[str, ...]:
    """Read the ids of areas."""
    if not isinstance(value, list) or not 1 <= len(value) <= MOST:
        raise UnreadableMap("must be a list of area ids, for example [S4, S8]")
    return tuple(a_name(one) for one in value)


def a_number(value: Any) -> float:
    """Read a number, whole or not."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise UnreadableMap("must be a number")
    if abs(value) > _FARTHEST:
        raise UnreadableMap(f"must lie between -{_FARTHEST} and {_FARTHEST}")
    return float(value)


def above_zero(value: Any) -> float:
    """Read a length."""
    number = a_number(value)
    if number <= 0:
        raise UnreadableMap("must be above 0")
    return number


def a_flag(value: Any) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise UnreadableMap("must be true or false")
    return value


def a_pair(value: Any) -> tuple[float, float]:
    """Read a place."""
    if not isinstance(value, list) or len(value) != 2:
        raise UnreadableMap("must be two numbers, for example [120, -35]")
    return a_number(value[0]), a_number(value[1])


def a_course(value: Any) -> tuple[tuple[float, float], ...]:
    """Read the places a water runs through."""
    if not isinstance(value, list) or not 2 <= len(value) <= MOST:
        raise UnreadableMap(
            "must be a list of at least two places, for example [[0, -900], [40, 900]]"
        )
    return tuple(a_pair(place) for place in value)


def features(value: Any) -> frozenset[Feature]:
    """Read what stands in an area."""
    if not isinstance(value, list):
        raise UnreadableMap("must be a list, for example [bunker, setup]")
    known = one_of(*get_args(Feature))
    found = [known(one) if isinstance(one, str) else known(repr(one)) for one in value]
    if len(set(found)) != len(found):
        raise UnreadableMap("names a feature twice")
    return frozenset(found)


def value_words(value: Any) -> str:
    """Show a value as its writer would know it again."""
    if value is True or value is False:
        return str(value).lower()
    if value is None:
        return "nothing"
    said = str(value)
    return said if len(said) <= 60 else f"{said[:57]}..."
