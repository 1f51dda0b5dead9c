"""The data files of the rules with their types: what is wrong in one is told in a sentence.

A file is decoded once into frozen structs. A wrong key, a value of the wrong kind or a word that is
none of the known ones raises PBCGError with the file, the key and what would be right. Only then is
it found out where exactly the fault lies, so that reading a sound file costs nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from asl_pbcg.kernel.data import load_data
from asl_pbcg.kernel.errors import Fault, PBCGError
from asl_pbcg.kernel.lazy_import import lazy_import
from asl_pbcg.kernel.reader import nearest_or_all, value_words

if TYPE_CHECKING:
    from asl_pbcg.kernel import struct_reader
else:
    struct_reader = lazy_import("asl_pbcg.kernel.struct_reader")

T = TypeVar("T")

Check = Callable[[T], Iterable[tuple[str, str]]]
"""Says of what a file holds which parts do not fit together: key, and what would be right."""


class DataFile(Generic[T]):
    """A data file of a game: its name below ``data/`` and what stands in it."""

    def __init__(self, name: str, read: Callable[[Any, str], T]) -> None:
        self.name = name
        self._read = read

    def read(self, raw: Any) -> T:
        """Return ``raw`` typed; raises PBCGError with file, key and what would be right."""
        return self._read(raw, f"data/{self.name}")

    @cached_property
    def content(self) -> T:
        """The content of the file, read when first asked for. Raises PBCGError."""
        return self.read_now()

    def read_now(self) -> T:
        """Return the content of the file as it is now. Raises PBCGError."""
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
        faults = struct_reader.find_faults(raw, kind) or [Fault("", "", str(error))]
        where, value, wrong = faults[0]
        raise _fault(
            source, _join(part, where), f'"{value}" {wrong}' if value else wrong
        ) from error
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
        yield key, f"{_quote(word)} is not a known {what}{nearest_or_all(word, names)}"


def _fault(source: str, key: str, wrong: str) -> PBCGError:
    return PBCGError(f"{source}, {key}: {wrong}." if key else f"{source}: {wrong}.")


def _join(*keys: str) -> str:
    return ", ".join(key for key in keys if key)


def _quote(value: object) -> str:
    words = value_words(value)
    return f'"{words}"' if isinstance(value, str) else words
