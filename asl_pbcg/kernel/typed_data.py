"""Data files of the rules with their types: YAML files of structs, and comma tables line by line.

A file is decoded once into frozen structs. A wrong key, a value of the wrong kind or an unknown
word raises PBCGError with the file, the place and what would be right; a comma table reports all
its faults at once. The exact place of a fault is searched only after decoding failed, so a sound
file costs no more.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, cached_property, partial
from inspect import get_annotations
from typing import Annotated, Any, Generic, TypeVar, get_origin

import msgspec

from asl_pbcg.kernel import struct_reader
from asl_pbcg.kernel.data import load_data, load_parsed
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.kernel.reader import nearest_or_all, value_words

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
        where, value, wrong, _ = faults[0]
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


Lines = tuple[list[str], list[tuple[int, dict[str, str] | int]], str]
"""The heading of a comma table, its lines, and why it is none. A line is its number and by column
the cells that are not empty, or how many cells it has if the heading has not as many."""


class TableFile(Generic[T]):
    """A comma table below ``data/`` whose lines are of one ``kind``.

    ``names`` are columns that have another name than their field; ``otherwise`` are values of
    empty cells that are not the defaults; ``above`` lines come before the heading; ``check`` says
    of all lines what does not fit together: where, and what is wrong.
    """

    def __init__(
        self,
        name: str,
        kind: type[T],
        check: Callable[[tuple[T, ...]], Iterable[tuple[str, str]]] | None = None,
        names: Mapping[str, str] | None = None,
        otherwise: Mapping[str, Any] | None = None,
        above: int = 0,
    ) -> None:
        self.name = name
        self._kind = kind
        self._check = check
        self._names = names or {}
        self._otherwise = otherwise
        self._above = above

    def read(self, text: str) -> tuple[T, ...]:
        """Return the lines of ``text``. Raises FaultsError with every fault."""
        return self._type_rows(parse_lines(text, self._above))

    def _type_rows(self, lines: Lines) -> tuple[T, ...]:
        faults: list[Fault] = []
        found = tuple(
            typed_lines(lines, self._kind, faults, names=self._names, otherwise=self._otherwise)
        )
        if self._check and not faults:
            faults += [Fault(where, "", wrong) for where, wrong in self._check(found)]
        if faults:
            raise FaultsError(f"data/{self.name}", faults)
        return found

    @cached_property
    def content(self) -> tuple[T, ...]:
        """The lines of the file, read when first asked for. Raises FaultsError."""
        return self.read_now()

    def read_now(self) -> tuple[T, ...]:
        """Return the lines of the file as it is now. Raises FaultsError."""
        return self._type_rows(load_lines(self.name, self._above))


def load_lines(name: str, above: int = 0) -> Lines:
    """The lines of the comma table ``name`` below ``data/``, kept parsed (``kernel/data.py``).

    ``above`` lines come before the heading.
    """
    return load_parsed(name, partial(parse_lines, above=above))  # type: ignore[no-any-return]


def parse_lines(content: str | bytes, above: int = 0) -> Lines:
    """The lines of a comma table; ``above`` come before the heading."""
    text = content if isinstance(content, str) else content.decode()
    rows = csv.reader(text.splitlines()[above:], strict=True)
    head: list[str] = []
    lines: list[tuple[int, dict[str, str] | int]] = []
    try:
        head = next(rows, [])
        for row in rows:
            cells = {key: cell for key, cell in zip(head, row, strict=False) if cell}
            fits = len(row) == len(head)
            lines.append((rows.line_num + above, cells if fits else len(row)))
    except csv.Error as error:
        return head, lines, str(error)
    return head, lines, ""


def typed_lines(
    table: Lines,
    kind: type[T],
    faults: list[Fault],
    *,
    place: str = "",
    otherwise: Mapping[str, Any] | None = None,
    whole: Collection[str] = (),
    names: Mapping[str, str] | None = None,
) -> list[T]:
    """Return the lines of a comma table as structs; what is wrong goes to ``faults``.

    An empty cell leaves the field as it is by default. Truth is yes or no; of a list the parts
    have blanks or semicolons between them, but for the fields ``whole``. ``otherwise`` are values
    of empty cells that are not the defaults; ``place`` stands before each fault.
    """
    sorts: dict[str, str] = _sorts(kind)  # type: ignore[arg-type]
    columns, lines, broken = table
    before = f"{place}, " if place else ""
    field_of = {key: (names or {}).get(key, key) for key in columns}
    called = {field: key for key, field in (names or {}).items()}
    unknown = [key for key in field_of.values() if key not in sorts]
    for key in unknown:
        known = nearest_or_all(key, [called.get(field, field) for field in sorts])
        faults.append(Fault(f"{before}heading", key, f"is not a field of it{known}"))
    rows: list[T] = []
    for number, cells in [] if unknown else lines:
        where = f"{before}line {number}"
        if isinstance(cells, int):
            faults.append(Fault(where, "", f"must have {len(columns)} cells, not {cells}"))
            continue
        fields = {field_of[column]: cell for column, cell in cells.items()}
        raw = {**(otherwise or {})} | {
            key: [cell] if key in whole else _value(sorts[key], cell)
            for key, cell in fields.items()
        }
        try:
            rows.append(msgspec.convert(raw, kind))
        except msgspec.ValidationError as error:
            wrong = struct_reader.find_faults(raw, kind, yes_no=True)
            for key, value, words, _ in wrong or [Fault("", "", str(error))]:
                faults.append(Fault(f"{where}, {key}" if key else where, value, words))
    if broken:
        faults.append(Fault(place, "", f"is not a comma table: {broken}"))
    return rows


@cache
def _sorts(kind: Any) -> dict[str, str]:
    """Return how each field of a line is read: as a flag, a number, a list or a word.

    From the annotations as they are written: to look into the types themselves takes longer than
    to read a whole table.
    """
    written: dict[str, Any] = {}
    for each in reversed(kind.__mro__):
        written |= get_annotations(each)
    named = vars(sys.modules[kind.__module__])
    found = {}
    for field, name in zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True):
        type = written[field]
        type = named.get(type, type) if isinstance(type, str) else type
        type = type.__origin__ if get_origin(type) is Annotated else type
        word = getattr(type, "__name__", str(type)).partition(" ")[0].partition("[")[0]
        found[name] = _SORTS.get(word, "word")
    return found


_SORTS = {"bool": "flag", "int": "number", "tuple": "list", "list": "list"}


def _value(sort: str, cell: str) -> Any:
    """Return a cell as its field takes it; one that cannot be is left for the faults."""
    if sort == "list":
        return cell.replace(";", " ").split()
    if sort == "flag":
        return {"yes": True, "no": False}.get(cell, cell)
    return int(cell) if sort == "number" and cell.lstrip("-").isdecimal() else cell
