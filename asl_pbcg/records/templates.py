"""Reading sheet templates: the shipped ones, and a club's own, with all faults at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from asl_pbcg.kernel.data import template_path
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.kernel.reader import Reader, nearest_or_all
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.records.layout import (
    Align,
    Column,
    Fill,
    Format,
    Layout,
    Only,
    Orientation,
    TableLayout,
)

_Word = TypeVar("_Word", bound=StrEnum)
_MOST_TABLES = 8
_MOST_COLUMNS = 40
_MOST_NOTES = 40


def load_layout(name: str, folder: Path | None = None) -> Layout:
    """The layout ``name`` (for example "cg_roster"): from ``folder`` if it has one, else shipped.

    A template in ``folder`` may leave out, reorder, rename and resize what the shipped one has
    and add columns for writing by hand; a key the shipped one does not know is a fault.
    Raises FaultsError with every fault of the file, PBCGError if it cannot be read.
    """
    shipped = _shipped_layout(name)
    if folder is None:
        return shipped
    if not folder.is_dir():
        raise PBCGError(f"There is no folder {folder} with templates.")
    own = folder / f"{name}.yaml"
    return read_layout(own, shipped) if own.exists() else shipped


def check_folder(folder: Path) -> tuple[str, ...]:
    """Check every template in ``folder``; gives the names of the sheets it restyles.

    Raises FaultsError with the faults of all files together, a misspelled file name among them.
    """
    if not folder.is_dir():
        raise PBCGError(f"There is no folder {folder} with templates.")
    known = shipped_names()
    names: list[str] = []
    faults: list[Fault] = []
    for path in sorted([*folder.glob("*.yaml"), *folder.glob("*.yml")]):
        if path.suffix != ".yaml" or path.stem not in known:
            wrong = (
                f"is no sheet{nearest_or_all(path.stem, known)}"
                if path.stem not in known
                else "must end in .yaml"
            )
            faults.append(Fault(path.name, "", wrong))
            continue
        try:
            read_layout(path, _shipped_layout(path.stem))
        except FaultsError as error:
            faults.extend(
                Fault(f"{path.name}, {fault.where}", fault.value, fault.wrong)
                for fault in error.faults
            )
        except PBCGError as error:
            faults.append(Fault("", "", str(error)))
        names.append(path.stem)
    if faults:
        raise FaultsError(str(folder), faults)
    return tuple(names)


def shipped_names() -> tuple[str, ...]:
    """The names of all sheets that have a template."""
    return tuple(sorted(path.stem for path in template_path(".").glob("*.yaml")))


@cache
def _shipped_layout(name: str) -> Layout:
    return read_layout(template_path(f"{name}.yaml"))


def read_layout(path: Path, shipped: Layout | None = None) -> Layout:
    """Read one template file; with ``shipped`` its keys must be among that layout's."""
    source = _Reader(read_yaml_or_json(path), path.stem, shipped)
    layout = source.layout()
    if source.faults or layout is None:
        raise FaultsError(str(path), source.faults)
    return layout


class _Reader(Reader):
    """Walks through the raw YAML once and gathers faults instead of stopping at the first."""

    def __init__(self, raw: Any, name: str, shipped: Layout | None) -> None:
        super().__init__()
        self.raw = raw
        self.name = name
        self.shipped = shipped

    def layout(self) -> Layout | None:
        keys = ("title", "orientation", "notes", "tables")
        top = self.mapping(self.raw, "the template", keys)
        if top is None:
            return None
        title = self.text(top, "title", "title", 120, needed=True)
        orientation = self.word(top, "orientation", "orientation", Orientation.PORTRAIT)
        notes = self.notes(top.get("notes"))
        raw_tables = self.items(top.get("tables"), "tables", _MOST_TABLES)
        tables = [self.table(raw, place) for place, raw in enumerate(raw_tables, 1)]
        if not raw_tables and isinstance(top.get("tables", []), list):
            self.fault("tables", None, "a sheet needs at least one table")
        self.unique([table.key for table in tables if table], "tables", "table")
        return Layout(
            name=self.name,
            title=title,
            orientation=orientation,
            notes=notes,
            tables=tuple(table for table in tables if table),
        )

    def table(self, raw: Any, place: int) -> TableLayout | None:
        where = f"table {place}"
        given = self.mapping(raw, where, TableLayout.__struct_fields__)
        if given is None:
            return None
        key = self.text(given, "key", f"{where}, key", 40, needed=True)
        where = f"table {place} ({key})" if key else where
        contract = self.contract_table(key, where)
        raw_columns = self.items(given.get("columns"), f"{where}, columns", _MOST_COLUMNS)
        columns = [self.column(item, where, n, contract) for n, item in enumerate(raw_columns, 1)]
        found = tuple(column for column in columns if column)
        if not any(not column.hide for column in found):
            self.fault(f"{where}, columns", None, "a table needs at least one column that shows")
        self.unique([column.key for column in found if column.key], where, "column")
        section = self.text(given, "section", f"{where}, section", 40)
        if section and section not in {column.key for column in found}:
            self.fault(f"{where}, section", section, "is no key of a column of this table")
        return TableLayout(
            key=key,
            columns=found,
            title=self.text(given, "title", f"{where}, title", 120),
            new_page=self.flag(given, "new_page", where),
            font_size=self.number(given, "font_size", where, 8.5, 5, 14, "points"),
            row_height=self.number(given, "row_height", where, 6.0, 4, 60, "mm"),
            blank_rows=int(self.number(given, "blank_rows", where, 20, 1, 200, "rows", True)),
            spare_rows=int(self.number(given, "spare_rows", where, 0, 0, 200, "rows", True)),
            freeze=int(self.number(given, "freeze", where, 1, 0, 5, "columns", True)),
            fill=self.word(given, "fill", f"{where}, fill", Fill.NONE),
            section=section,
            across=int(self.number(given, "across", where, 1, 1, 4, "tables", True)),
        )

    def column(
        self, raw: Any, table: str, place: int, contract: TableLayout | None
    ) -> Column | None:
        where = f"{table}, column {place}"
        given = self.mapping(raw, where, Column.__struct_fields__)
        if given is None:
            return None
        key = self.text(given, "key", f"{where}, key", 40)
        where = f"{where} ({key})" if key else where
        if contract and key:
            known = [column.key for column in contract.columns if column.key]
            if key not in known:
                self.fault(
                    f"{where}, key", key, f"is no column of this sheet{nearest_or_all(key, known)}"
                )
        if "width" not in given:
            self.fault(f"{where}, width", None, "is missing: a number of mm")
        return Column(
            key=key,
            heading=self.text(given, "heading", f"{where}, heading", 80, needed=True),
            width=self.number(given, "width", where, 20, 3, 300, "mm"),
            format=self.word(given, "format", f"{where}, format", Format.TEXT),
            align=self.word(given, "align", f"{where}, align", Align.LEFT)
            if "align" in given
            else None,
            group=self.text(given, "group", f"{where}, group", 80),
            bold=self.flag(given, "bold", where),
            hide=self.flag(given, "hide", where),
            only=self.word(given, "only", f"{where}, only", Only.BOTH),
        )

    def contract_table(self, key: str, where: str) -> TableLayout | None:
        if self.shipped is None or not key:
            return None
        known = {table.key: table for table in self.shipped.tables}
        if key not in known:
            self.fault(
                f"{where}, key", key, f"is no table of this sheet{nearest_or_all(key, known)}"
            )
        return known.get(key)

    def notes(self, raw: Any) -> tuple[str, ...]:
        notes = self.items(raw, "notes", _MOST_NOTES)
        for place, note in enumerate(notes, 1):
            if not isinstance(note, str) or len(note) > 2000:
                self.fault(f"note {place}", note, "must be text of at most 2000 letters")
        return tuple(str(note) for note in notes)

    def mapping(self, raw: Any, where: str, keys: Iterable[str]) -> Mapping[str, Any] | None:
        if not isinstance(raw, dict):
            self.fault(where, raw, "must be a list of keys with values")
            return None
        known = list(keys)
        self.unknown(where, raw, known)
        return raw

    def items(self, raw: Any, where: str, most: int) -> list[Any]:
        if raw is None:
            return []
        if not isinstance(raw, list):
            self.fault(where, raw, "must be a list")
            return []
        if len(raw) > most:
            self.fault(where, len(raw), f"are too many: {most} is the most")
        return raw[:most]

    def text(
        self, given: Mapping[str, Any], key: str, where: str, most: int, needed: bool = False
    ) -> str:
        value = given.get(key)
        if value is None or value == "":
            if needed:
                self.fault(where, None, "is missing: some text")
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            self.fault(where, value, "must be text")
            return ""
        if len(str(value)) > most:
            self.fault(where, value, f"is too long: {most} letters is the most")
        return str(value)

    def flag(self, given: Mapping[str, Any], key: str, where: str) -> bool:
        value = given.get(key, False)
        if not isinstance(value, bool):
            self.fault(f"{where}, {key}", value, "must be true or false")
            return False
        return value

    def number(
        self,
        given: Mapping[str, Any],
        key: str,
        where: str,
        default: float,
        least: float,
        most: float,
        unit: str,
        whole: bool = False,
    ) -> float:
        value = given.get(key, default)
        fits = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
        if not fits or not least <= value <= most:
            kind = "whole number" if whole else "number"
            self.fault(
                f"{where}, {key}", value, f"must be a {kind} of {unit} from {least:g} to {most:g}"
            )
            return default
        return float(value)

    def word(self, given: Mapping[str, Any], key: str, where: str, default: _Word) -> _Word:
        value = given.get(key, default)
        choices = [str(word) for word in type(default)]
        if value not in choices:
            self.fault(where, value, f"must be one of {', '.join(choices)}")
            return default
        return type(default)(value)

    def unique(self, keys: list[str], where: str, what: str) -> None:
        for key in sorted({key for key in keys if keys.count(key) > 1}):
            self.fault(where, key, f"is the key of more than one {what}")
