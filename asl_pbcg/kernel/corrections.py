"""Changing one fact of a state by its path, as players correct what the file has wrong."""

from __future__ import annotations

import math
import re
from typing import Any, Final, TypeVar

import msgspec
from msgspec import inspect

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest, nearest_or_all

T = TypeVar("T")
NEW: Final = "+"
"""In a path: a new entry of a list."""
_MAX_SHOWN = 80
_MAX_NAMED = 20


def correct_state(state: Any, path: str, value: Any) -> tuple[Any, Any]:
    """Return the frozen Struct ``state`` with the value at ``path`` changed, and what stood there.

    A path names fields, keys and list entries (by their ``id`` or ``key``, by number from 0, or
    ``+`` for a new one), parted by ``/``: ``san/german`` or ``pieces/b-648-1/status``. What stood
    there is None where nothing did. Raises PBCGError with the names there are.
    """
    if _is_endless(value):
        raise PBCGError(f"{path} cannot be {value}: that is not a number.")
    data = _plain(state)
    found: Any = data
    parts = [part for part in path.strip().split("/") if part]
    if not parts:
        raise PBCGError("Say what to correct: a field, then keys or ids, parted by /.")
    for depth, part in enumerate(parts):
        where = "/".join(parts[:depth]) or "the campaign"
        key = _key(found, part, where)
        if depth == len(parts) - 1:
            found[key] = value
            break
        if isinstance(found, dict) and key not in found:  # as by default, or not there
            default = _value_at(state, parts[: depth + 1])
            found[key] = {} if default is None else _plain(default)
        found = found[key]
    try:
        new = as_state(data, type(state), path, f" {_value_words(value)}")
    except PBCGError as error:
        raise PBCGError(_unknown_name(type(state), parts) or str(error)) from error
    old = _plain(_value_at(state, parts))
    if new == state:
        idle = f"That changes nothing: {path} is {_value_words(value)} already."
        raise PBCGError(_unknown_name(type(state), parts) or idle)
    return new, old


def as_state(data: Any, kind: type[T], path: str, words: str = " that") -> T:
    """``data`` as a ``kind`` of state. Raises PBCGError with what would be right at ``path``."""
    try:
        return msgspec.convert(data, kind, strict=False)
    except msgspec.ValidationError as error:
        raise PBCGError(f"{path} cannot be{words}: {_what_fits(str(error), kind)}.") from error


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def _value_at(state: Any, parts: list[str]) -> Any:
    """Return the value at a path as the state has it, defaults too; None where nothing stands."""
    found = state
    for part in parts:
        if isinstance(found, msgspec.Struct):
            found = getattr(found, part) if part in found.__struct_fields__ else None
        elif isinstance(found, dict):
            found = next((value for key, value in found.items() if str(key) == part), None)
        elif isinstance(found, list | tuple):
            named = (each for each in found if part in (_name(each, "id"), _name(each, "key")))
            numbered = found[int(part) :][:1] if part.isdecimal() and len(part) < 10 else ()
            found = next(named, next(iter(numbered), None))
        else:
            return None
    return found


def _name(entry: Any, field: str) -> Any:
    return entry.get(field) if isinstance(entry, dict) else getattr(entry, field, None)


def _value_words(value: Any) -> str:
    words = "empty" if value is None else repr(value)
    return words if len(words) <= _MAX_SHOWN else f"{words[:_MAX_SHOWN]}..."


def _unknown_name(kind: type, parts: list[str]) -> str:
    """The sentence about the first part of a path that no ``kind`` of state has; else nothing."""
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
    "array": "a list is wanted there, as [Y19, Y20] or [broken, dm], or [] for none",
    "object": "several values are wanted there: name one of them in the path",
    "int": "a whole number is wanted there",
    "float": "a number is wanted there",
    "bool": "true or false is wanted there",
    "str": "a word is wanted there",
    "null": "nothing (null) is wanted there",
}


def _what_fits(fault: str, kind: type) -> str:
    """Say what would be right in a ``kind`` of state, from a fault that msgspec found."""
    if found := re.match(r"Expected `([^`]+)`(?: ([^,]*))?", fault.partition(" - at ")[0]):
        kinds = [_WANTED[kind] for kind in found[1].split(" | ") if kind in _WANTED]
        wanted = kinds[0] if kinds else f"{found[1]} is wanted there"
        return _within_bounds(wanted, found[2] or "", _description_at(kind, fault))
    if found := re.match(r"Invalid enum value ('[^']*'|\S+)", fault):
        return f"{found[1]} must be one of: {', '.join(_words_at(kind, fault))}"
    if fault.startswith("Object contains unknown field"):
        return "there is nothing of that name"
    return fault.partition(" - at ")[0]


def _within_bounds(wanted: str, bound: str, description: str) -> str:
    """Say what is wanted, with the bound that msgspec names: ``<= 12``, ``of length >= 1``."""
    sign, _, number = bound.removeprefix("of length ").partition(" ")
    limit = {"<=": f"{number} at most", ">=": f"{number} at least"}.get(sign, "")
    if bound.startswith("of length"):
        return f"{wanted}, of {limit.replace(number, f'{number} characters')}"
    if limit:
        return f"{wanted}, {limit}"
    return description.rstrip(".") if bound.startswith("matching") and description else wanted


def _description_at(kind: type, fault: str) -> str:
    """Say how the type describes the field where a fault is; empty if it does not."""
    found: list[Any] = [inspect.type_info(kind)]
    words = ""
    for name in re.findall(r"\.\w+|\[", fault.rpartition("$")[2]):
        found = [inner for each in found for inner in _inside(each, name.removeprefix("."))]
        for each in found:
            if isinstance(each, inspect.Metadata):
                words = (each.extra_json_schema or {}).get("description", words)
    return words


def _words_at(kind: type, fault: str) -> list[str]:
    """The words that may stand where a fault is (``... - at `$.pieces[...].status[...]```)."""
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
    """Return the types of a field, or of what a list or mapping holds (``[``)."""
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
    """Types, each of a union on its own, without what describes them."""
    found = []
    for kind in kinds:
        if isinstance(kind, inspect.UnionType):
            found += _variants(list(kind.types))
        elif isinstance(kind, inspect.Metadata):
            found += _variants([kind.type])
        else:
            found.append(kind)
    return found


def _is_endless(value: Any) -> bool:
    """Return whether ``value`` is or reads as a number without end, as 1e999, or as none at all."""
    try:
        return isinstance(value, str | float) and not math.isfinite(float(value))
    except ValueError:
        return False


def _key(found: Any, part: str, where: str) -> Any:
    if isinstance(found, list):
        if part == NEW:
            found.append({})
            return len(found) - 1
        for number, each in enumerate(found):
            if isinstance(each, dict) and part in (each.get("id"), each.get("key")):
                return number
        if part.isdecimal() and len(part) < 10 and int(part) < len(found):
            return int(part)
        names = [each.get("id") or each.get("key") for each in found if isinstance(each, dict)]
        raise PBCGError(f'{where} has no "{part[:_MAX_SHOWN]}"{_nearest(part, names, len(found))}')
    if not isinstance(found, dict):
        raise PBCGError(f"{where} is a single value; there is nothing in it called {part}.")
    return part


def _nearest(part: str, names: list[Any], count: int) -> str:
    known = [str(name) for name in names if name]
    if words := nearest(part, known, 0.4):
        return f"{words}."
    if known:
        more = f" and {len(known) - _MAX_NAMED} more" if len(known) > _MAX_NAMED else ""
        return f"; there are: {', '.join(known[:_MAX_NAMED])}{more}."
    return f"; its entries are numbered from 0 to {count - 1}." if count else "; it is empty."
