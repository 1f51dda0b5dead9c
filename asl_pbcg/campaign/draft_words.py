"""The words of a short order: Locations, counts, types and statuses as people type them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from asl_pbcg.campaign.catalogue import AnyType
from asl_pbcg.campaign.position import LISTS
from asl_pbcg.campaign.position_words import ELIMINATED
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import plain_dashes

PLACE = re.compile(r"([a-z]{1,2})(\d{1,2})(?:/(p(?:illbox)?|[1-4]))?", re.IGNORECASE)
OFF_MAP = re.compile(r"off-?map[ :]?([a-z]{1,2}\d{1,2})", re.IGNORECASE)
MAX_PIECES = 20


def place_of(token: str) -> str:
    """A Location as typed, in the notation: z15/1, z21/p. Raises PBCGError."""
    if away := OFF_MAP.fullmatch(token):
        return f"off-map {away[1].upper()}"
    found = PLACE.fullmatch(token)
    if not found:
        raise PBCGError(f"{token} is not a Location: write Z15, Z15/1, Z21/pillbox or off-map A7.")
    row, number, rest = found.groups()
    level = "" if not rest else "/pillbox" if rest[0].lower() == "p" else f"/{rest}"
    return f"{row.upper()}{int(number)}{level}"


def tokens_of(order: str) -> list[str]:
    """The words of an order; ``off-map A7`` is one of them."""
    words = plain_dashes(order).replace(",", " ")
    return re.sub(r"\b(off-?map) +(?=[a-z]{1,2}\d)", r"\1:", words, flags=re.IGNORECASE).split()


def is_place(token: str) -> bool:
    """Whether a word of an order is a Location or an Entry Area off map."""
    return bool(PLACE.fullmatch(token) or OFF_MAP.fullmatch(token))


def is_count(word: str) -> bool:
    """Whether a word says how many pieces."""
    return word.isdecimal() and len(word) < 3 and int(word) > 0


def count_of(word: str) -> int:
    """How many pieces a word means. Raises PBCGError if they are more than an order places."""
    if int(word) > MAX_PIECES:
        raise PBCGError(f"{word} pieces are too many for one order: up to {MAX_PIECES}.")
    return int(word)


def short_names(type: AnyType) -> set[str]:
    """Return the names by which a type may be typed: 648 of a 6-4-8, 6+1 or 61 of a 6+1."""
    names = {plain_name(name) for name in (type.name, *type.also)}
    return names | {name.replace("+", "") for name in names}


def plain_name(word: str) -> str:
    """A name without what nobody types: 6-4-8 is 648, 50L AT is 50lat; of 6+1 the plus stays."""
    return "".join(letter for letter in word.lower() if letter.isalnum() or letter == "+")


def only(typed: str, known: Iterable[str]) -> str:
    """The word ``typed`` is, or the only one it begins; empty if none or several."""
    words = [str(word) for word in known]
    if typed in words:
        return typed
    begun = [word for word in words if word.startswith(typed)]
    return begun[0] if len(begun) == 1 and typed else ""


_SHORT: dict[str, str] = {"ww": "walking-wounded", "fom": "freedom-of-movement", "br": "broken"}


def is_status(word: str, section: str) -> bool:
    """Whether a word is a status as written in full: dm is one before it is the dm HMG."""
    return status_of(word, section) in (word, _SHORT.get(word, "-"))


def is_eliminated(word: str) -> bool:
    """Whether a word says that a piece was Eliminated, or with a minus before it was not."""
    plain = word.removeprefix("-").removeprefix("+").lower()
    return len(plain) > 1 and ELIMINATED.startswith(plain)


def status_of(word: str, section: str) -> str:
    """The status of a list's pieces that a word is or begins; empty if none or several."""
    part: Any = LISTS[section]
    known = part.statuses
    if word in _SHORT and _SHORT[word] in [str(each) for each in known]:
        return _SHORT[word]
    return only(word, known)
