"""The roll tables of a game, read from its ``tables.yaml`` and settled to fit together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest
from asl_pbcg.kernel.results import Results, check_results
from asl_pbcg.kernel.tables import BOUND, RollTable
from asl_pbcg.kernel.typed_data import read_typed


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
