"""Plain data of a file read as the struct it should be: every fault at once, each with its place.

The types of the struct say everything: keys, which of them are needed, bounds, lengths, words. What
types cannot say stands beside them in ``msgspec.Meta(extra=...)``: ``reads`` names one of the
``words`` that the file's reader brings (a hex of this board, a Location), ``expects`` says what
would be right where the type says it badly, ``unit`` what a number counts, ``once`` says that no
item of a list may stand twice, ``lines`` lets a text have several lines::

    Hex = Annotated[str, Meta(extra={"reads": "hex"})]

    class Drop(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
        at: Hex
        turn: Annotated[int, Meta(ge=1, le=60)]
        kind: Literal["platoon", "battery"] = "platoon"

    reader = StructReader("orders.yaml", words={"hex": read_hex})
    orders = reader.read(raw, Orders)      # as far as it can be read; None if it cannot
    reader.raise_faults()                  # FaultsError with all of them

What only the whole of a struct shows, a check says of each one whose keys could be read:
``checks={Drop: check_drop}``; ``check_drop(drop, path)`` yields key, value and what is wrong.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from asl_pbcg.kernel.errors import Fault
from asl_pbcg.kernel.reader import (
    LONGEST,
    Reader,
    Wrong,
    nearest,
    nearest_or_all,
    read_flag,
    read_text,
    value_words,
)

T = TypeVar("T")
I = msgspec.inspect  # noqa: E741

FEW_WORDS: Final = 10
"""So many words are all named in a fault; of more only the nearest."""
MAX_LINES: Final = 100_000


class ListItem(NamedTuple):
    """A step of a path: an item of a list, counted from 1, and what it is called."""

    number: int
    name: str = ""


Path = tuple[str | ListItem, ...]
"""Where in a file something stands: keys and items of lists from the outside in."""

Check = Callable[[Any, Path], Iterable[tuple[str, object, str]]]
"""Says of a struct that was read, and where it stands, what is wrong: key, value and words."""


def place_words(path: Path) -> str:
    """Return a place in words: ``units, line 3 (b1), at``."""
    parts = []
    for step in path:
        if isinstance(step, str):
            parts.append(step)
        else:
            parts.append(f"line {step.number}{f' ({step.name})' if step.name else ''}")
    return ", ".join(parts)


def type_of(kind: Any) -> Any:
    """Return what msgspec knows of a type."""
    return _type_info(kind)


@cache
def _type_info(kind: Any) -> Any:
    return I.type_info(kind)


@cache
def _fields_by_key(kind: Any) -> dict[str, Any]:
    return {field.encode_name: field for field in type_of(kind).fields}


def _unwrap(type: Any) -> tuple[Any, dict[str, Any]]:
    """Return a type without its Metadata, None and what stands beside it."""
    extra: dict[str, Any] = {}
    while True:
        if isinstance(type, I.Metadata):
            extra = (type.extra or {}) | extra
            type = type.type
        elif isinstance(type, I.UnionType) and len(rest := _without_none(type)) == 1:
            type = rest[0]
        else:
            return type, extra


def _allows_none(type: Any) -> bool:
    while isinstance(type, I.Metadata):
        type = type.type
    kinds = type.types if isinstance(type, I.UnionType) else (type,)
    return any(isinstance(each, I.NoneType | I.AnyType) for each in kinds)


def _without_none(type: Any) -> list[Any]:
    return [each for each in type.types if not isinstance(each, I.NoneType)]


class _Unread:
    """Stands for a value that could not be read."""


UNREAD: Final = _Unread()


class StructReader(Reader):
    """Reads plain data as its type says, and gathers what is wrong.

    ``words`` are readers of single texts by name, each raising Wrong; ``place`` gives the place of
    a fault; ``named_by`` is the key by which a fault names an item of a list. The file may have yes
    and no for true and false (``yes_no``) and numbers for texts (``numbers_as_text``). In a
    ``strict`` file a key without a value is a fault; in a player's it counts as left out.
    """

    def __init__(
        self,
        source: str = "",
        *,
        words: Mapping[str, Callable[[str], Any]] | None = None,
        checks: Mapping[Any, Check] | None = None,
        place: Callable[[Path], str] = place_words,
        named_by: str = "id",
        yes_no: bool = False,
        numbers_as_text: bool = False,
        strict: bool = False,
    ) -> None:
        super().__init__(source)
        self.named_by = named_by
        self.numbers_as_text = numbers_as_text
        self.strict = strict
        self.words = words or {}
        self.checks = checks or {}
        self.place = place
        self.yes_no = yes_no

    # -- what callers ask for ---------------------------------------------------------------------

    def read(self, raw: Any, kind: type[T], path: Path = ()) -> T | None:
        """Return ``raw`` as a ``kind`` as far as it can be read; None if a needed part cannot."""
        found = self.value(raw, type_of(kind), path)
        return None if found is UNREAD else found

    def entries(
        self, raw: Any, kind: type[T], path: Path, most: int = MAX_LINES
    ) -> Iterator[tuple[int, T]]:
        """Yield the items of a list that can be read, with their numbers."""
        for number, item in self.list_items(raw, path, most):
            found = self.read(item, kind, (*path, self.entry(number, item)))
            if found is not None:
                yield number, found

    def read_fields(self, raw: Any, kind: Any, path: Path = ()) -> dict[str, Any]:
        """Return the fields of a struct that can be read, by name; the others are faults."""
        fields = _fields_by_key(kind)
        if not isinstance(raw, dict):
            needed = [key for key, each in fields.items() if each.required]
            example = ", ".join(f"{key}: ..." for key in (needed if len(needed) > 1 else fields))
            self.wrong(path, raw, f"must have keys and values, as {{{example}}}")
            return {}
        values: dict[str, Any] = {}
        for key, value in raw.items():
            if key not in fields:
                hint = nearest_or_all(key, fields)
                self.wrong(path, key, f"is not a key here{hint}")
            elif not self.is_blank(value, fields[key]):
                found = self.value(value, fields[key].type, (*path, key))
                if found is not UNREAD:
                    values[fields[key].name] = found
        for key, field in fields.items():
            if field.required and (key not in raw or self.is_blank(raw[key], field)):
                self.miss((*path, key))
        return values

    def miss(self, path: Path) -> None:
        """Note that a needed key has no value."""
        self.wrong(path, "", "is missing")

    def entry(self, number: int, item: Any) -> ListItem:
        """Return an item of a list as a step of a path."""
        name = item.get(self.named_by) if isinstance(item, dict) else None
        return ListItem(number, value_words(name) if isinstance(name, str | int) else "")

    def is_blank(self, value: Any, field: Any) -> bool:
        """Return whether a value counts as not given."""
        return value is None and not self.strict

    def wrong(self, path: Path, value: Any, wrong: str) -> None:
        """Note what is wrong at a place."""
        self.fault(self.place(path), value, wrong)

    # -- values by their types --------------------------------------------------------------------

    def value(self, raw: Any, type: Any, path: Path) -> Any:
        """Return ``raw`` as its type says, or UNREAD after noting what is wrong with it."""
        if raw is None and _allows_none(type):
            return None
        type, extra = _unwrap(type)
        try:
            return self._value(raw, type, path, extra)
        except Wrong as error:
            wrong = f"must be {extra['expects']}" if "expects" in extra else error.wrong
            self.wrong(path, raw if error.value is None else error.value, wrong)
            return UNREAD

    def _value(self, raw: Any, type: Any, path: Path, extra: dict[str, Any]) -> Any:
        if isinstance(type, I.StrType):
            return self._text(raw, type, extra)
        if isinstance(type, I.StructType):
            return self._struct(raw, type, path)
        if isinstance(type, I.DictType):
            return self._mapping(raw, type, path)
        if isinstance(type, I.TupleType):
            return self._tuple(raw, type, path)
        if isinstance(type, I.VarTupleType | I.ListType | I.SetType | I.FrozenSetType):
            return self._items(raw, type, path, extra)
        if isinstance(type, I.UnionType):
            return self._one_of_types(raw, type, path, extra)
        if words := _words(type):
            return self._word(raw, words)
        if isinstance(type, I.BoolType):
            if self.yes_no and not isinstance(raw, bool):
                raise Wrong("must be yes or no")
            return read_flag(raw)
        if isinstance(type, I.IntType | I.FloatType):
            return _number(raw, type, extra)
        return raw

    def _struct(self, raw: Any, type: Any, path: Path) -> Any:
        before = len(self.faults)
        values = self.read_fields(raw, type.cls, path)
        is_short = any(field.required and field.name not in values for field in type.fields)
        if is_short or not isinstance(raw, dict):
            return UNREAD
        try:
            found = type.cls(**values)
        except (TypeError, ValueError) as error:
            if len(self.faults) == before:
                self.wrong(path, "", str(error))
            return UNREAD
        given = (each for each in type.fields if raw.get(each.encode_name) is not None)
        if type.cls in self.checks and all(field.name in values for field in given):
            for key, value, wrong in self.checks[type.cls](found, path):
                self.wrong((*path, key) if key else path, value, wrong)
        return found

    def _mapping(self, raw: Any, type: Any, path: Path) -> Any:
        if not isinstance(raw, dict):
            raise Wrong("must have keys and values")
        found = {}
        for key, value in raw.items():
            is_number = isinstance(_bare_type(type.key_type), I.IntType)
            if is_number and isinstance(key, str) and key.isdecimal():
                key = int(key)  # keys are text in JSON
            name = self.value(key, type.key_type, path)
            item = self.value(value, type.value_type, (*path, str(key)))
            if name is not UNREAD and item is not UNREAD:
                found[name] = item
        return found

    def _tuple(self, raw: Any, type: Any, path: Path) -> Any:
        if not isinstance(raw, list | tuple) or len(raw) != len(type.item_types):
            raise Wrong(f"must be a list of {len(type.item_types)}")
        pairs = zip(raw, type.item_types, strict=True)
        items = [self.value(item, each, path) for item, each in pairs]
        return UNREAD if UNREAD in items else tuple(items)

    def _items(self, raw: Any, type: Any, path: Path, extra: dict[str, Any]) -> Any:
        """Return a list read item by item."""
        is_set = extra.get("once") or isinstance(type, I.SetType | I.FrozenSetType)
        inner, _ = _unwrap(type.item_type)
        single = not isinstance(inner, I.StructType | I.DictType | I.TupleType | I.VarTupleType)
        found: list[Any] = []
        for number, item in self.list_items(raw, path, type.max_length or MAX_LINES):
            place = path if single else (*path, self.entry(number, item))
            clean = self.value(item, type.item_type, place)
            if clean is UNREAD:
                continue
            if single and clean == "":
                self.wrong(place, "", "must not be empty")
            elif is_set and clean in found:
                self.wrong(place, item, "is listed twice")
            else:
                found.append(clean)
        if type.min_length and isinstance(raw, list | tuple) and len(raw) < type.min_length:
            few = f"must have at least {type.min_length} lines"
            raise Wrong(few if type.min_length > 1 else "must not be empty", "")
        makers = {I.ListType: list, I.SetType: set, I.FrozenSetType: frozenset}
        return makers.get(type.__class__, tuple)(found)

    def list_items(self, raw: Any, path: Path, most: int = MAX_LINES) -> Iterator[tuple[int, Any]]:
        """Yield the items of a list with their numbers; nothing if it is not one."""
        if raw is None and not self.strict:
            return
        if not isinstance(raw, list | tuple):
            is_single = isinstance(raw, str | int) and raw != ""
            example = f", as [{value_words(raw)}]" if is_single else ""
            self.wrong(path, raw, f"must be a list{example}")
        elif len(raw) > most:
            self.wrong(path, "", f"has {len(raw)} lines; at most {most} are possible")
        else:
            yield from enumerate(raw, 1)

    def _one_of_types(self, raw: Any, type: Any, path: Path, extra: dict[str, Any]) -> Any:
        if words := _words(type):
            return self._word(raw, words)
        for each, own in map(_unwrap, type.types):
            if _takes(each, raw):
                return self._value(raw, each, path, extra | own)
        raise Wrong(f"must be {kind_words(type)}")

    def _word(self, raw: Any, words: dict[Any, Any]) -> Any:
        word = read_text(raw, LONGEST * 4) if isinstance(raw, str) else raw
        for each, value in words.items():
            if each == word and each.__class__ is word.__class__:
                return value
        listed = [value_words(each) for each in words if each != ""]
        if len(listed) > FEW_WORDS and (close := nearest(word, listed)):
            raise Wrong(f"is not one of the choices{close}")
        raise Wrong(f"must be one of: {', '.join(listed)}")

    def _text(self, raw: Any, type: Any, extra: dict[str, Any]) -> Any:
        if self.numbers_as_text and isinstance(raw, int | float) and not isinstance(raw, bool):
            raw = str(raw)
        text = read_text(raw, type.max_length or MAX_LINES, line_breaks="lines" in extra)
        if read := self.words.get(extra.get("reads", "")):
            return text and read(text)
        if type.min_length and len(text) < type.min_length:
            raise Wrong("must not be empty")
        if type.pattern and not re.search(type.pattern, text):
            raise Wrong("cannot be read")
        return text


def _number(raw: Any, type: Any, extra: dict[str, Any]) -> Any:
    whole = isinstance(type, I.IntType)
    expected = kind_words(type, extra.get("unit", ""))
    if isinstance(raw, bool) or not isinstance(raw, int if whole else int | float):
        raise Wrong(f"must be {expected}")
    bounds = ((type.ge, "__lt__"), (type.le, "__gt__"), (type.gt, "__le__"), (type.lt, "__ge__"))
    if not math.isfinite(raw):
        raise Wrong(f"must be {expected}")
    if any(bound is not None and getattr(float(raw), beyond)(bound) for bound, beyond in bounds):
        raise Wrong(f"must be {expected}")
    return raw if whole else float(raw)


def _bare_type(type: Any) -> Any:
    return _unwrap(type)[0]


def _words(type: Any) -> dict[Any, Any]:
    """Return the words a value may be, each with its value; nothing where any text may stand."""
    if isinstance(type, I.EnumType):
        return _enum_words(type.cls)
    if isinstance(type, I.LiteralType):
        return {each: each for each in type.values}
    if isinstance(type, I.UnionType):
        parts = [_words(each) for each in map(_bare_type, _without_none(type))]
        flags = [{True: True, False: False} for each in type.types if isinstance(each, I.BoolType)]
        if sum(map(bool, parts)) + len(flags) == len(parts):
            return {word: value for part in (*parts, *flags) for word, value in part.items()}
    return {}


@cache
def _enum_words(enum: type[Enum]) -> dict[Any, Any]:
    return {each.value: each for each in enum}


def _takes(type: Any, raw: Any) -> bool:
    """Return whether a value is of the sort that a type takes, whatever it holds."""
    if isinstance(type, I.StructType) and type.tag_field:
        return isinstance(raw, dict) and raw.get(type.tag_field) == type.tag
    if isinstance(type, I.StructType | I.DictType):
        return isinstance(raw, dict)
    if isinstance(type, I.VarTupleType | I.ListType | I.TupleType | I.SetType | I.FrozenSetType):
        return isinstance(raw, list | tuple)
    if isinstance(type, I.BoolType):
        return isinstance(raw, bool)
    if isinstance(type, I.IntType | I.FloatType):
        whole = isinstance(type, I.IntType)
        return isinstance(raw, int if whole else int | float) and not isinstance(raw, bool)
    if words := _words(type):
        return any(each == raw and each.__class__ is raw.__class__ for each in words)
    return isinstance(raw, str) or isinstance(type, I.AnyType)


def kind_words(type: Any, unit: str = "") -> str:
    """Return in words what a type takes: a whole number of mm from 1 to 6."""
    type = _bare_type(type)
    if isinstance(type, I.UnionType):
        return " or ".join(dict.fromkeys(kind_words(each) for each in _without_none(type)))
    if isinstance(type, I.IntType | I.FloatType):
        bounds = [(type.ge, "from"), (type.gt, "above"), (type.le, "to"), (type.lt, "below")]
        limits = [f"{word} {bound}" for bound, word in bounds if bound is not None]
        number = "a whole number" if isinstance(type, I.IntType) else "a number"
        return " ".join([f"{number} of {unit}" if unit else number, *limits])
    if words := _words(type):
        return f"one of: {', '.join(value_words(word) for word in words if word != '')}"
    if isinstance(type, I.TupleType):
        return f"a list of {len(type.item_types)}"
    return {
        "StrType": "text",
        "BoolType": "true or false",
        "ListType": "a list",
        "VarTupleType": "a list",
        "SetType": "a list",
        "FrozenSetType": "a list",
        "DictType": "keys and values",
        "StructType": "keys and values",
    }.get(type.__class__.__name__, "another value")


def find_faults(raw: Any, kind: Any, yes_no: bool = False) -> list[Fault]:
    """Return every fault of data that is not a ``kind``, each with its place."""
    reader = StructReader(strict=True, yes_no=yes_no)
    reader.read(raw, kind)
    return reader.faults
