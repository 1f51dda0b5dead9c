"""Changing one fact of a state by its path, as players correct what the file has wrong."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest, nearest_or_all


def correct_state(state: Any, path: str, value: Any) -> tuple[Any, Any]:
    """The frozen Struct ``state`` with the value at ``path`` changed, and what stood there.

    A path names fields, keys and list entries (by their ``id`` or ``key``, or by number from 0),
    parted by ``/``: ``san/german`` or ``pieces/b-648-1/status``. Raises PBCGError with the names
    there are.
    """
    if _is_endless(value):
        raise PBCGError(f"{path} cannot be {value}: that is no number.")
    data = msgspec.json.decode(msgspec.json.encode(state))
    found: Any = data
    parts = [part for part in path.strip().split("/") if part]
    if not parts:
        raise PBCGError("Say what to correct: a field, then keys or ids, parted by /.")
    for depth, part in enumerate(parts):
        where = "/".join(parts[:depth]) or "the campaign"
        key = _key(found, part, where)
        if depth == len(parts) - 1:
            old = found[key] if isinstance(found, list) else found.get(key)
            found[key] = value
            break
        if isinstance(found, dict) and key not in found:
            found[key] = {}
        found = found[key]
    try:
        new = msgspec.convert(data, type(state), strict=False)
    except msgspec.ValidationError as error:
        wrong = f"{path} cannot be {_value_words(value)}: {_what_fits(str(error), type(state))}."
        raise PBCGError(_unknown_name(type(state), parts) or wrong) from error
    if new == state:
        idle = f"That changes nothing: {path} is {_value_words(value)} already."
        raise PBCGError(_unknown_name(type(state), parts) or idle)
    return new, old


def _value_words(value: Any) -> str:
    return "empty" if value is None else repr(value)


def _unknown_name(kind: type, parts: list[str]) -> str:
    """The sentence about the first part of a path that no ``kind`` of state has; else nothing."""
    from msgspec import inspect

    found: list[Any] = [inspect.type_info(kind)]
    for depth, part in enumerate(parts):
        names: list[str] = []
        for each in _variants(found):
            if isinstance(each, inspect.StructType):
                names += [field.name for field in each.fields]
            elif isinstance(each, inspect.DictType) and isinstance(each.key_type, inspect.EnumType):
                names += [str(member.value) for member in each.key_type.cls]
        if names and part not in names:
            where = "/".join(parts[:depth])
            wrong = f'{where} has no "{part}"' if where else f'There is no "{part}" to correct'
            return f"{wrong}{nearest_or_all(part, dict.fromkeys(names))}."
        found = [inner for each in found for inner in _inside(each, part) or _inside(each, "[")]
    return ""


_WANTED = {
    "array": "a list is wanted there, as [broken, wounded], or [] for none",
    "object": "several values are wanted there: name one of them in the path",
    "int": "a whole number is wanted there",
    "float": "a number is wanted there",
    "bool": "true or false is wanted there",
    "str": "a word is wanted there",
    "null": "nothing (null) is wanted there",
}


def _what_fits(fault: str, kind: type) -> str:
    """What would be right in a ``kind`` of state, from a fault that msgspec found."""
    import re

    if found := re.match(r"Expected `([^`]+)`", fault):
        kinds = [_WANTED[kind] for kind in found[1].split(" | ") if kind in _WANTED]
        return kinds[0] if kinds else f"{found[1]} is wanted there"
    if found := re.match(r"Invalid enum value ('[^']*'|\S+)", fault):
        return f"{found[1]} must be one of: {', '.join(_words_at(kind, fault))}"
    if fault.startswith("Object contains unknown field"):
        return "there is nothing of that name"
    return fault.partition(" - at ")[0]


def _words_at(kind: type, fault: str) -> list[str]:
    """The words that may stand where a fault is (``... - at `$.pieces[...].status[...]```)."""
    import re

    from msgspec import inspect

    found: list[Any] = [inspect.type_info(kind)]
    for name in re.findall(r"\.\w+|\[", fault.rpartition("$")[2]):
        found = [inner for each in found for inner in _inside(each, name.removeprefix("."))]
    words = [
        str(member.value)
        for each in _variants(found)
        if isinstance(each, inspect.EnumType)
        for member in each.cls
    ]
    return list(dict.fromkeys(words))


def _inside(kind: Any, name: str) -> list[Any]:
    """The types of a field, or of what a list or mapping holds (``[``)."""
    from msgspec import inspect

    found = []
    for each in _variants([kind]):
        if isinstance(each, inspect.StructType):
            found += [field.type for field in each.fields if field.name == name]
        elif name == "[" and isinstance(each, inspect.CollectionType):
            found.append(each.item_type)
        elif name == "[" and isinstance(each, inspect.DictType):
            found.append(each.value_type)
    return found


def _variants(kinds: list[Any]) -> list[Any]:
    """Types, each of a union on its own."""
    from msgspec import inspect

    return [
        each
        for kind in kinds
        for each in (_variants(list(kind.types)) if isinstance(kind, inspect.UnionType) else [kind])
    ]


def _is_endless(value: Any) -> bool:
    """Whether ``value`` is or reads as a number without end, as 1e999, or as none at all."""
    try:
        return isinstance(value, str | float) and not math.isfinite(float(value))
    except ValueError:
        return False


def _key(found: Any, part: str, where: str) -> Any:
    if isinstance(found, list):
        for number, each in enumerate(found):
            if isinstance(each, dict) and part in (each.get("id"), each.get("key")):
                return number
        if part.isdecimal() and len(part) < 10 and int(part) < len(found):
            return int(part)
        names = [each.get("id") or each.get("key") for each in found if isinstance(each, dict)]
        raise PBCGError(f'{where} has no "{part}"{_nearest(part, names)}')
    if not isinstance(found, dict):
        raise PBCGError(f"{where} is a single value; there is nothing in it called {part}.")
    return part


def _nearest(part: str, names: list[Any]) -> str:
    return f"{nearest(part, [name for name in names if name], 0.4)}."
