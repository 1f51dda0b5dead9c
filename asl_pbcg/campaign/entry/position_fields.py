"""Fields of a position's parts, and Locations, counts and statuses as people type them.

Fields and their kinds follow the types of the parts. Short orders may abbreviate: a word counts if
it begins exactly one name, and 648 is a 6-4-8.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from typing import Any, Literal

import msgspec

from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.board.entry_areas import entry_areas
from asl_pbcg.campaign.module.catalogue import AnyType
from asl_pbcg.campaign.position import LISTS
from asl_pbcg.campaign.position_words import ELIMINATED
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import Wrong, plain_dashes
from asl_pbcg.kernel.struct_reader import type_of

PLACE = re.compile(r"([a-z]{1,2})(\d{1,2})(?:/(\w+))?", re.IGNORECASE)
OFF_MAP = re.compile(r"off-?map[ :]?([a-z]{1,2}\d{1,2})", re.IGNORECASE)
MAX_PIECES = 20


def place_of(token: str) -> str:
    """Return a typed place, as z15/1 or z21/p, in the notation; other words unchanged."""
    if away := OFF_MAP.fullmatch(token):
        return f"off-map {away[1].upper()}"
    if not (match := PLACE.fullmatch(token)):
        return token
    row, number, suffix = match.groups()
    level = "" if not suffix else f"/{'pillbox' if suffix.lower() in ('p', 'pillbox') else suffix}"
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


def only(typed: str, choices: Iterable[str]) -> str:
    """Return the choice that ``typed`` is, or the only one it begins; empty if none or several."""
    words = [str(word) for word in choices]
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
    """Return the status in a list that a word is or begins; empty if none or several."""
    part: Any = LISTS[section]
    statuses = part.statuses
    if word in _SHORT and _SHORT[word] in [str(status) for status in statuses]:
        return _SHORT[word]
    return only(word, statuses)


I = msgspec.inspect  # noqa: E741

Form = Literal["text", "choice", "number", "flag", "part"]


class Field(msgspec.Struct, frozen=True):
    """One key of a part of a position: a column of a workbook, a line of a template."""

    name: str
    form: Form
    required: bool
    many: bool = False
    choices: type[StrEnum] | None = None
    least: int = 0
    most: int = 9999
    whole: bool = True
    description: str = ""


NEITHER = "neither"
"""The key under which a file may list what nobody Controls: it is read and left alone."""


@cache
def fields_of(part: type[msgspec.Struct]) -> dict[str, Field]:
    """Return the fields of ``part`` by name, in order, as their types say."""
    return {field.name: _field(field) for field in type_of(part).fields}


def _field(field: Any) -> Field:
    type, description = _plain_type(field.type)
    many = isinstance(type, I.VarTupleType)
    if many:
        type, _ = _plain_type(type.item_type)
    facts: dict[str, Any] = {"form": "text"}
    if isinstance(type, I.IntType | I.FloatType):
        facts = {"form": "number", "least": type.ge, "most": type.le}
        facts["whole"] = isinstance(type, I.IntType)
    elif isinstance(type, I.BoolType):
        facts = {"form": "flag"}
    elif isinstance(type, I.EnumType):
        facts = {"form": "choice", "choices": type.cls}
    elif isinstance(type, I.StructType):
        facts = {"form": "part"}
    return Field(
        name=field.name, required=field.required, many=many, description=description, **facts
    )


def _plain_type(type: Any) -> tuple[Any, str]:
    """Return a type without None and metadata, and its description."""
    description = ""
    while isinstance(type, I.Metadata | I.UnionType):
        if isinstance(type, I.UnionType):
            type = next(member for member in type.types if not isinstance(member, I.NoneType))
        else:
            description = description or (type.extra_json_schema or {}).get("description", "")
            type = type.type
    return type, description


def with_article(word: str) -> str:
    """``a trench``; mines take no article."""
    return word if word.endswith("mines") else f"a {word}"


def read_listed(text: str) -> str:
    """Return a text that may stand in a list, so without a comma; raises Wrong."""
    if "," in text or ";" in text:
        raise Wrong("must not hold a comma or semicolon")
    return text


def read_place(text: str, board: Board, off_map: bool = True) -> str:
    """Return a place as positions write it, typed in capitals or not; raises Wrong.

    It must be on the map and in play, or with ``off_map`` an Entry Area. Whether a building stands
    there for its level is not asked here.
    """
    text = place_of(text)
    if text.startswith("off-map"):
        return _read_off_map(text, board, off_map)
    name, slash, suffix = text.partition("/")
    if name not in board:
        raise Wrong(_no_hex(name, board))
    if not board[name].in_play:
        raise Wrong("is out of play: it lies under a box in a corner of the map")
    if not slash or suffix in ("pillbox", "1", "2", "3", "4"):
        return text
    raise Wrong(
        f"is not a Location: write {name} for ground level, {name}/1 for first level, "
        f"{name}/pillbox inside a pillbox"
    )


def read_hexside(text: str, board: Board) -> str:
    """Return a hexside or hexspine by the hexes beside it, in capitals; raises Wrong."""
    hexes = text.upper().split("/")
    for name in hexes:
        if name not in board:
            raise Wrong(f"names the hex {name}, which {_no_hex(name, board)}")
    if len(hexes) > 2 or (len(hexes) == 2 and board.distance(*hexes) != 1):
        raise Wrong("is not a hexside or hexspine: write the two hexes beside it, as Y22/Z22")
    return "/".join(hexes)


def _no_hex(name: str, board: Board) -> str:
    near = board.grid.nearest_names(name)
    if near:
        return f"is not a hex of the map; nearest: {', '.join(near)}"
    return "is not a hex of the map: hexes are A1 to TT28"


def _read_off_map(text: str, board: Board, off_map: bool) -> str:
    if not off_map:
        raise Wrong("must be on the map")
    areas = entry_areas(board)
    entry = text.removeprefix("off-map").removeprefix(" ")
    if entry not in areas or text != f"off-map {entry}":
        listed = ", ".join(f"off-map {arrow}" for arrow in areas)
        raise Wrong(f"is not an Entry Area; it must be one of: {listed}")
    return text
