"""The results of a roll table, as an enum or a typed value, and the facts of its rows.

The code that rolls on a table declares what it understands; the table is held against that when it
is loaded. A result that no code knows, one that the table never comes to, and facts that say
something else than the result are errors of the data file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Any, Generic, TypeVar

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest, nearest_or_all
from asl_pbcg.kernel.tables import ResultRow, Rolled, RollTable
from asl_pbcg.kernel.typed_data import read_typed

F = TypeVar("F", bound=msgspec.Struct)


class Results(Generic[F]):
    """The results of a table.

    ``kind`` is their enum, or all of them, or reads the text of a result and raises ValueError for
    what is none.
    ``facts`` is what stands beside each row; ``meant`` says to which result the facts belong.
    """

    def __init__(
        self,
        kind: type[StrEnum] | tuple[str, ...] | Callable[[str], object],
        facts: type[F] | None = None,
        meant: Callable[[F], str] | None = None,
    ) -> None:
        self.kind = kind
        self.facts_kind = facts
        self._meant = meant

    def facts(self, of: Rolled | ResultRow) -> F:
        """Return the facts of a resolved roll, or of a row."""
        assert self.facts_kind
        return msgspec.convert(of.facts, self.facts_kind)

    @property
    def words(self) -> tuple[str, ...]:
        """Every result, where they are words of an enum."""
        kind = self.kind
        if isinstance(kind, tuple):
            return kind
        return tuple(kind) if isinstance(kind, type) and issubclass(kind, StrEnum) else ()

    def faults(self, table: RollTable, whole: bool, source: str) -> Iterator[tuple[str, str]]:
        """Return what of a table is wrong: where, and what would be right.

        ``whole``: every result has to come up somewhere.
        """
        found = set()
        for row in table.rows:
            for result in row.results or (row.result,):
                found.add(result)
                yield from self._wrong_result(f"row {row.span}", result)
            yield from self._wrong_facts(table, row, source)
        for word in self.words if whole else ():
            if word not in found:
                yield "", f'no row comes to "{word}"'

    def _wrong_result(self, where: str, result: str) -> Iterator[tuple[str, str]]:
        try:
            if isinstance(self.kind, tuple):
                self.kind.index(result)
            else:
                self.kind(result)
        except ValueError:
            known = ""
            if self.words:
                known = nearest_or_all(result, self.words)
            yield where, f'"{result}" is not a result of this table{known}'

    def _wrong_facts(
        self, table: RollTable, row: ResultRow, source: str
    ) -> Iterator[tuple[str, str]]:
        where = f"row {row.span}"
        if self.facts_kind is None:
            if row.facts:
                yield where, f'"{next(iter(row.facts))}" is not a key of facts here: there are none'
            return
        facts = read_typed(row.facts, self.facts_kind, source, part=f"{where}.facts")
        if self._meant and (meant := self._meant(facts)) != row.result:
            yield where, f'the facts are those of "{meant}", the result is "{row.result}"'


def whole_number(least: int, most: int, *words: str) -> Callable[[str], int | str]:
    """Results that are whole numbers from ``least`` to ``most``, or one of ``words``."""

    def read(result: str) -> int | str:
        if result in words:
            return result
        if not least <= int(result) <= most:
            raise ValueError(result)
        return int(result)

    return read


def check_results(
    tables: Mapping[str, RollTable],
    known: Mapping[str, Results[Any]],
    prefix: str,
    source: str,
    whole: bool,
) -> None:
    """Hold tables against what the code understands; raises PBCGError for the first fault."""
    for name in known:
        if prefix + name not in tables:
            raise PBCGError(f"{source}: table {name} is missing.")
    for full_name, table in tables.items():
        name = full_name.removeprefix(prefix)
        results = known.get(name)
        if results is None:
            hint = nearest(name, known)
            raise PBCGError(f"{source}: nothing is rolled on a table {name}{hint}.")
        for where, wrong in results.faults(table, whole, f"{source}, {name}"):
            place = f"{source}, {name}, {where}" if where else f"{source}, {name}"
            raise PBCGError(f"{place}: {wrong}.")
