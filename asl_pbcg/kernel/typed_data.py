"""The data files of the rules with their types: what is wrong in one is told in a sentence.

A file is decoded once into frozen structs. A wrong key, a value of the wrong kind or a word that is
none of the known ones raises PBCGError with the file, the key and what would be right. Only then is
it found out where exactly the fault lies, so that reading a sound file costs nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, Generic, TypeVar

import msgspec

from asl_pbcg.kernel.data import load_data
from asl_pbcg.kernel.errors import PBCGError

T = TypeVar("T")

Check = Callable[[T], Iterable[tuple[str, str]]]
"""Says of what a file holds which parts do not fit together: key, and what would be right."""


class DataFile(Generic[T]):
    """A data file of a game: its name below ``data/`` and what stands in it."""

    def __init__(self, name: str, read: Callable[[Any, str], T]) -> None:
        self.name = name
        self._read = read

    def read(self, raw: Any) -> T:
        """What ``raw`` holds; raises PBCGError with file, key and what would be right."""
        return self._read(raw, f"data/{self.name}")

    @cached_property
    def content(self) -> T:
        """What the file holds, read when it is first asked for. Raises PBCGError."""
        return self.read_now()

    def read_now(self) -> T:
        """What the file holds as it is now. Raises PBCGError."""
        return self.read(load_data(self.name))


def data_file(name: str, kind: type[T], check: Check[T] | None = None) -> DataFile[T]:
    """The data file ``name``, which holds a ``kind``; ``check`` sees whether its parts fit."""

    def read(raw: Any, source: str) -> T:
        return read_typed(raw, kind, source, check)

    return DataFile(name, read)


def read_typed(
    raw: Any, kind: type[T], source: str, check: Check[T] | None = None, part: str = ""
) -> T:
    """Decode ``raw`` as a ``kind``; ``part`` is where in the file ``source`` it stands.

    Raises PBCGError with the file, the key and what would be right.
    """
    try:
        found: T = msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        key, wrong = explain(str(error), raw, kind)
        raise _fault(source, _join(part, key), wrong) from error
    for key, wrong in check(found) if check else ():
        raise _fault(source, _join(part, key), wrong)
    return found


def read_keyed(raw: Any, kind: type[T], source: str, name: str = "key") -> dict[str, T]:
    """Decode a file of records by key; each record has its key in the field ``name``."""
    if not isinstance(raw, dict):
        raise _fault(source, "", f"{_quote(raw)} is wrong: it must be keys and values")
    found = {}
    for key, body in raw.items():
        if not isinstance(body, dict):
            raise _fault(source, str(key), f"{_quote(body)} is wrong: it must be keys and values")
        found[str(key)] = read_typed({name: str(key), **body}, kind, source, part=str(key))
    return found


def unless_known(key: str, word: object, known: Iterable[object], what: str) -> Iterator[Any]:
    """A fault of a check if ``word`` is none of the known ones."""
    names = list(known)
    if word not in names:
        yield key, f"{_quote(word)} is no {what}{_nearest(word, names)}"


def _fault(source: str, key: str, wrong: str) -> PBCGError:
    return PBCGError(f"{source}, {key}: {wrong}." if key else f"{source}: {wrong}.")


def _join(*keys: str) -> str:
    return ".".join(key for key in keys if key)


def _quote(value: object) -> str:
    from asl_pbcg.kernel.reader import value_words

    words = value_words(value)
    return f'"{words}"' if isinstance(value, str) else words


def _nearest(word: object, known: Iterable[object]) -> str:
    from asl_pbcg.kernel.reader import nearest_or_all

    return nearest_or_all(word, known)


# -- where a fault lies, in words -------------------------------------------------------------


_MESSAGE = r"(?s)(?P<what>.*?)(?: - at `(?P<key>key` in `)?(?P<path>\$.*)`)?"
_STEP = r"\.(?P<name>[^.\[]+)|\[(?P<index>\d+|\.\.\.)\]"


def explain(message: str, raw: Any, kind: Any) -> tuple[str, str]:
    """The key that a message of msgspec is about, and in words what would be right there."""
    match = re.fullmatch(_MESSAGE, message)
    assert match
    keys = _follow(match["path"] or "$", raw, kind, message)
    value, type = _at(raw, msgspec.inspect.type_info(kind), keys)
    place = "".join(f", {key}" if isinstance(key, int) else f".{key}" for key in keys)
    place = re.sub(r", (\d+)", lambda found: f", item {int(found[1]) + 1}", place).lstrip(". ,")
    return place, _wrong(match["what"], bool(match["key"]), value, type)


def _follow(path: str, raw: Any, kind: Any, message: str) -> list[str | int]:
    """The keys of a path of msgspec, which does not say which key of free ones it means."""
    keys: list[str | int] = []
    here = raw
    for step in re.finditer(_STEP, path[1:]):
        if step["name"] is not None:
            key: Any = step["name"]
        elif step["index"] == "...":
            key = next((each for each in here if _still(raw, keys, each, kind, message)), None)
        else:
            key = int(step["index"])
        if key is None:
            break
        keys.append(key)
        here = here.get(key) if isinstance(here, dict) else here[key]
    return keys


def _still(raw: Any, keys: list[str | int], key: Any, kind: Any, message: str) -> bool:
    """Whether the fault is still there if of the free keys only ``key`` is left."""

    def only(value: Any, rest: list[str | int]) -> Any:
        if not rest:
            return {key: value[key]}
        if isinstance(value, dict):
            return {**value, rest[0]: only(value[rest[0]], rest[1:])}
        return [
            only(each, rest[1:]) if number == rest[0] else each for number, each in enumerate(value)
        ]

    try:
        msgspec.convert(only(raw, keys), kind)
    except msgspec.ValidationError as error:
        return str(error) == message
    return False


def _at(value: Any, type: Any, keys: list[str | int]) -> tuple[Any, Any]:
    """The value and the type that stand under some keys; the type None if it is not known."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else value[key]
        type = _under(type, key)
    return value, type


def _under(type: Any, key: Any) -> Any:
    if isinstance(type, msgspec.inspect.UnionType):
        inner = (_under(each, key) for each in type.types)
        return next((each for each in inner if each is not None), None)
    if isinstance(type, msgspec.inspect.StructType):
        return next((field.type for field in type.fields if field.encode_name == key), None)
    if isinstance(type, msgspec.inspect.DictType):
        return type.value_type
    if isinstance(type, msgspec.inspect.TupleType):
        return type.item_types[key] if key < len(type.item_types) else None
    return getattr(type, "item_type", None)


def _wrong(what: str, of_key: bool, value: Any, type: Any) -> str:
    """A message of msgspec in words: what is wrong, and what would be right."""
    name = next(iter(re.findall(r"`([^`]+)`", what)), "")
    struct = _struct(type)
    if "unknown field" in what:
        known = [field.encode_name for field in struct.fields] if struct else []
        return f'"{name}" is no key here{_nearest(name, known)}'
    if "missing required field" in what:
        return f"{name} is missing"
    if of_key and isinstance(type, msgspec.inspect.DictType) and isinstance(value, dict):
        wrong = next((key for key in value if not _fits(key, type.key_type)), "")
        return f"{_quote(wrong)} is no key here: it {_right(type.key_type, wrong)}"
    if type is None:
        return f"{what[:1].lower()}{what[1:]}"
    return f"{_quote(value)} is wrong: it {_right(type, value)}"


def _struct(type: Any) -> Any:
    if isinstance(type, msgspec.inspect.UnionType):
        return next(filter(None, map(_struct, type.types)), None)
    return type if isinstance(type, msgspec.inspect.StructType) else None


def _fits(value: Any, type: Any) -> bool:
    words = _words(type)
    if words:
        return str(value) in words
    return {"IntType": int, "StrType": str}.get(type.__class__.__name__, object) in (
        object,
        value.__class__,
    )


def _words(type: Any) -> list[str]:
    """The words a value may be, if they are known."""
    if isinstance(type, msgspec.inspect.EnumType):
        return [str(each.value) for each in type.cls]
    if isinstance(type, msgspec.inspect.LiteralType):
        return [str(each) for each in type.values]
    if isinstance(type, msgspec.inspect.UnionType) and all(map(_words, type.types)):
        return [word for each in type.types for word in _words(each)]
    return []


def _right(type: Any, value: Any) -> str:
    """What would be right in place of a value."""
    if words := [word for word in _words(type) if word]:
        if len(words) > 10:
            return f"must be one of the known words{_nearest(value, words)}"
        return f"must be one of: {', '.join(words)}"
    return f"must be {_kind(type)}"


def _kind(type: Any) -> str:
    info = msgspec.inspect
    if isinstance(type, info.UnionType):
        kinds = [_kind(each) for each in type.types if not isinstance(each, info.NoneType)]
        empty = [] if len(kinds) == len(type.types) else ["empty"]
        return " or ".join(dict.fromkeys(kinds + empty))
    if isinstance(type, info.IntType | info.FloatType):
        bounds = [
            f"{word} {bound}"
            for word, bound in (("from", type.ge), ("to", type.le))
            if bound is not None
        ]
        whole = "a whole number" if isinstance(type, info.IntType) else "a number"
        return " ".join([whole, *bounds])
    if isinstance(type, info.TupleType):
        return f"a list of {len(type.item_types)}"
    if words := _words(type):
        return f"one of {', '.join(words)}"
    return {
        "StrType": "text",
        "BoolType": "true or false",
        "ListType": "a list",
        "VarTupleType": "a list",
        "SetType": "a list",
        "FrozenSetType": "a list",
        "DictType": "keys and values",
        "StructType": "keys and values",
    }.get(type.__class__.__name__, "something else")
