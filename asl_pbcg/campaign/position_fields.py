"""The fields of a position's parts, and how a value of each is read; nothing here knows a file."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from typing import Any, Literal

import msgspec

from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.catalogue import Catalogue
from asl_pbcg.campaign.draft_words import is_place, place_of
from asl_pbcg.campaign.entry_areas import entry_areas
from asl_pbcg.campaign.location import HEXSIDE_PATTERN, LOCATION_PATTERN, PLACE_PATTERN, Location
from asl_pbcg.campaign.position_words import ELIMINATED
from asl_pbcg.kernel.reader import (
    Wrong,
    read_choice,
    read_flag,
    read_items,
    read_text,
    read_whole,
)
from asl_pbcg.kernel.struct_reader import type_of

I = msgspec.inspect  # noqa: E741

Form = Literal["text", "place", "on_map", "hexside", "choice", "number", "flag", "part"]


class Field(msgspec.Struct, frozen=True):
    """One key of a part of a position, as its type says."""

    name: str
    form: Form
    required: bool
    many: bool = False
    choices: type[StrEnum] | None = None
    least: int = 0
    most: int = 9999
    longest: int = 120
    also: tuple[str, ...] = ()
    """Words beside the choices that are read, and mean something of the whole entry."""
    description: str = ""

    @property
    def listed(self) -> bool:
        """Whether its text may stand in a list, and so may hold no comma."""
        return self.many or self.name == "id"


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
    if isinstance(type, I.IntType):
        facts = {"form": "number", "least": type.ge, "most": type.le}
    elif isinstance(type, I.BoolType):
        facts = {"form": "flag"}
    elif isinstance(type, I.EnumType):
        facts = {"form": "choice", "choices": type.cls}
    elif isinstance(type, I.StructType):
        facts = {"form": "part"}
    elif isinstance(type, I.StrType):
        facts = {"form": _PATTERNS.get(type.pattern or "", "text")}
        facts |= {"longest": type.max_length} if type.max_length else {}
    return Field(
        name=field.name,
        required=field.required,
        many=many,
        also=(ELIMINATED,) if field.name == "status" else (),
        description=description,
        **facts,
    )


def _plain_type(type: Any) -> tuple[Any, str]:
    """Return a type without what stands beside it, and its description."""
    description = ""
    while isinstance(type, I.Metadata | I.UnionType):
        if isinstance(type, I.UnionType):
            type = next(each for each in type.types if not isinstance(each, I.NoneType))
        else:
            description = description or (type.extra_json_schema or {}).get("description", "")
            type = type.type
    return type, description


_PATTERNS: dict[str, Form] = {
    PLACE_PATTERN: "place",
    f"^{LOCATION_PATTERN}$": "on_map",
    HEXSIDE_PATTERN: "hexside",
}


def with_article(word: str) -> str:
    """``a trench``; mines take no article."""
    return word if word.endswith("mines") else f"a {word}"


def spelling(field: Field, value: Any, catalogue: Catalogue) -> Any:
    """Return a value, or the items of a list, with known words as they are kept: ``z20`` is Z20.

    What is not a known word stays as it was written; ``read_value`` says what is wrong with it.
    """
    if isinstance(value, list | tuple):
        return [_spell(field, each, catalogue) for each in value]
    return _spell(field, value, catalogue)


def _spell(field: Field, value: Any, catalogue: Catalogue) -> Any:
    if not isinstance(value, str):
        return value
    text = value.strip()
    if field.name == "type":
        return catalogue.spelling(text)
    if field.form == "choice" and field.choices is not None:
        word = "-".join(text.lower().replace("_", " ").split())
        return word if word in (*field.choices, *field.also) else value
    if field.form in ("place", "on_map"):
        if text.lower() == ELIMINATED:
            return ELIMINATED
        return place_of(text) if is_place(text) else value
    if field.form == "hexside" and _TYPED_HEXSIDE.fullmatch(text):
        return text.upper()
    return value


_TYPED_HEXSIDE = re.compile(r"[a-z]{1,2}\d{1,2}(/[a-z]{1,2}\d{1,2})?", re.IGNORECASE)


def read_value(field: Field, value: object, board: Board) -> Any:
    """The value of ``field``, checked and in its own form; a list becomes a tuple.

    Raises Wrong; for a list WrongItems with what is wrong with each item.
    """
    if not field.many:
        return _read_one(field, value, board)
    return read_items(value, lambda item: _read_one(field, item, board))


def _read_one(field: Field, value: object, board: Board) -> Any:
    if field.form == "number":
        return read_whole(value, field.least, field.most)
    if field.form == "flag":
        return read_flag(value)
    if field.form == "choice":
        assert field.choices is not None
        return read_choice(value, field.choices, field.name, field.also)
    text = read_text(value, field.longest, line_breaks=field.name == "notes")
    if field.form == "text":
        if field.listed and re.search("[,;]", text):
            raise Wrong("must not hold a comma or semicolon")
        return text
    if field.form == "hexside":
        return text and _read_hexside(text, board)
    return text and str(read_place(text, board, off_map=field.form == "place"))


_HEX = re.compile(r"[A-Z]{1,2}[0-9]{1,2}")


def read_place(text: str, board: Board, off_map: bool = True) -> Location:
    """The Location ``text`` names, which must be on the map and in play; raises Wrong.

    Whether a building stands there for its level is not asked here.
    """
    if text.startswith("off-map"):
        return _read_off_map(text, board, off_map)
    name, slash, rest = text.partition("/")
    if name not in board:
        raise Wrong(_no_hex(name, board))
    if not board[name].in_play:
        raise Wrong("is out of play: it lies under a box in a corner of the map")
    if not slash:
        return Location(name)
    if rest == "pillbox":
        return Location(name, pillbox=True)
    if rest in ("1", "2", "3", "4"):
        return Location(name, level=int(rest))
    raise Wrong(
        f"is not a Location: write {name} for ground level, {name}/1 for first level, "
        f"{name}/pillbox inside a pillbox"
    )


def _read_hexside(text: str, board: Board) -> str:
    hexes = text.split("/")
    for name in hexes:
        if name not in board:
            raise Wrong(f"names the hex {name}, which {_no_hex(name, board)}")
    if len(hexes) > 2 or (len(hexes) == 2 and board.distance(*hexes) != 1):
        raise Wrong("is not a hexside or hexspine: write the two hexes beside it, as Y22/Z22")
    return text


def _no_hex(name: str, board: Board) -> str:
    near = board.grid.nearest_names(name)
    if near:
        return f"is not a hex of the map; nearest: {', '.join(near)}"
    return "is not a hex of the map: hexes are A1 to TT28"


def _read_off_map(text: str, board: Board, off_map: bool) -> Location:
    if not off_map:
        raise Wrong("must be on the map")
    areas = entry_areas(board)
    entry = text.removeprefix("off-map").removeprefix(" ")
    if entry not in areas or text != f"off-map {entry}":
        listed = ", ".join(f"off-map {arrow}" for arrow in areas)
        raise Wrong(f"is not an Entry Area; it must be one of: {listed}")
    return Location("", entry=entry)
