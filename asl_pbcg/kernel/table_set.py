"""The roll tables of a game, read from its data file and checked against the code.

The code that rolls on a table declares the results (an enum or a typed value) and the facts of
rows that it understands. A result that no code knows, a result that no row gives, and facts that
contradict the result are errors of the data file, found when it is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Any, Generic, TypeVar

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest, nearest_or_all
from asl_pbcg.kernel.tables import BOUND, ResultRow, Rolled, RollTable
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


class TableSet:
    """The roll tables of one game, by name."""

    def __init__(self, tables: Mapping[str, RollTable], prefix: str = "") -> None:
        self._tables = dict(tables)
        self.prefix = prefix

    @classmethod
    def read(
        cls,
        raw: Mapping[str, Any],
        source: str,
        prefix: str = "",
        results: Mapping[str, Results[Any]] | None = None,
        whole: bool = True,
    ) -> TableSet:
        """Read a ``tables.yaml`` and hold it against the ``results`` that the code knows.

        ``whole``: each result has to come up somewhere. Raises PBCGError that names the table that
        is wrong, the place in it and what would be right.
        """
        tables = {}
        for name, body in raw.items():
            if not isinstance(body, Mapping):
                raise PBCGError(f"{source}, {name}: must be keys and values.")
            table = read_typed({"name": prefix + name, **body}, RollTable, source, part=name)
            _check_table(table, f"{source}, {name}")
            tables[prefix + name] = table
        if results is not None:
            check_results(tables, results, prefix, source, whole)
        for table in tables.values():
            _check_counts(table, f"{source}, {table.name}")
        return cls(tables, prefix)

    def __getitem__(self, name: str) -> RollTable:
        if name not in self._tables:
            hint = nearest(name, self._tables, 0.4)
            raise PBCGError(f'There is no table "{name}"{hint}. "pbcg table --list" shows all.')
        return self._tables[name]

    def __iter__(self) -> Any:
        return iter(self._tables)

    def __contains__(self, name: object) -> bool:
        return name in self._tables


def _check_table(table: RollTable, where: str) -> None:
    """Settle that the parts of a table fit together. Raises PBCGError."""
    for wrong in _misfits(table):
        raise PBCGError(f"{where}: {wrong}.")


def _check_counts(table: RollTable, where: str) -> None:
    """Settle that the ledger of luck counts results that a table has. Raises PBCGError."""
    results = {result for row in table.rows for result in (row.result, *row.results)}
    for each in table.counts:
        for name in each.worth.keys() - results:
            raise PBCGError(f'{where}: counts, {each.unit}: "{name}" is no result of the table.')


def _misfits(table: RollTable) -> Iterator[str]:
    """Return what does not fit together; where dice or a bound cannot be read, nothing after it."""
    try:
        spec = table.spec
    except PBCGError as error:
        yield f"dice: {str(error).rstrip('.')}"
        return
    yield from _wrong_columns(table)
    for name, modifier in table.drm.items():
        if isinstance(modifier.value, str) and modifier.value != "given":
            yield f'drm.{name}.value: "{modifier.value}" is wrong: it must be a number or given'
    for row in table.rows:
        for note in row.notes:
            if note not in table.notes:
                yield f'row {row.span}: there is no note "{note}"'
        wrong = next((each for each in (row.start, row.to) if not _is_bound(each, table)), None)
        if wrong is not None:
            yield f'row {wrong}: "{wrong}" is not a number and nothing that is needed'
            return
    originals = [row.original for row in table.rows if row.original is not None]
    if len(set(originals)) < len(originals):
        yield "two rows are for the same Original roll"
    yield from _gaps(table, range(spec.count, spec.count * spec.sides + 1))


def _wrong_columns(table: RollTable) -> Iterator[str]:
    if len(table.columns) > 1:
        yield "columns: a table has at most one set of columns"
    for choices in table.columns.values():
        for row in table.rows:
            if len(row.results) != len(choices):
                yield f"row {row.span}: {len(choices)} results are needed"
    for name in (*table.needs, *table.columns):
        if name in table.drm:
            yield f"{name} is both needed and a modifier"


def _is_bound(bound: object, table: RollTable) -> bool:
    """Return whether an end of a row is a number, open, or something that the table needs."""
    if not isinstance(bound, str):
        return True
    match = BOUND.fullmatch(bound)
    return bool(match and match[1] in table.needs)


_ANY = 99


def _gaps(table: RollTable, thrown: range) -> Iterator[str]:
    """Return the Finals that two rows cover, or none."""
    low, high = (-_ANY, _ANY) if table.drm else (thrown[0], thrown[-1])
    for number in range(1, 7) if table.needs else (0,):
        given = dict.fromkeys(table.needs, number)
        spans = []
        for row in table.rows:
            if row.original is None:
                start, end = row.bounds(given)
                spans.append((-_ANY if start is None else start, _ANY if end is None else end))
        before = None
        for first, last in sorted(spans):
            if before is None:
                if first > low:
                    yield f"no row covers {low if low > -_ANY else first - 1}"
            elif first <= before:
                yield f"two rows cover {first}"
            elif first > before + 1 and low <= before + 1 <= high:
                yield f"no row covers {before + 1}"
            before = last
        if before is None or before < high:
            yield f"no row covers {low if before is None else before + 1}"
