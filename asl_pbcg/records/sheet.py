"""A sheet: what is printed, before anybody knows on what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from asl_pbcg.records.layout import Layout, TableLayout


class Picture(Protocol):
    """A drawing of one page; ``width`` and ``height`` are in points."""

    width: float
    height: float

    def paint(self, canvas: Any) -> None:
        """Draw on a page of a PDF canvas that has the picture's size."""
        ...

    def to_png(self, dpi: float) -> bytes:
        """Return the picture as PNG with ``dpi`` pixels to the inch."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Sign:
    """A small drawing in a cell on paper, as a counter; in a workbook the cell stays empty."""

    picture: Picture


@dataclass(frozen=True, slots=True)
class Strip:
    """The stations of a game in a row, of which the present one is marked, if there is one."""

    label: str
    names: tuple[str, ...]
    present: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class DataTable:
    """Rows for programs, one fact a column, and the columns that they have whatever they hold."""

    columns: Sequence[str]
    rows: Sequence[Mapping[str, object]]


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """One sheet: a layout, and for each of its tables rows, each from the table's keys to values.

    A table without rows of its own is printed blank, with empty ruled rows. ``title`` replaces the
    layout's; ``facts`` are the boxes under the heading, label and value; ``notes`` follow the
    layout's; ``footer`` stands at the foot of every page. A ``picture`` follows on a page, or a
    worksheet, of its own; on paper it goes before with ``picture_first``. ``data`` are its rows
    for programs, where the printed ones hold several facts in a cell.
    """

    layout: Layout
    tables: Mapping[str, Sequence[Mapping[str, object]]] = field(default_factory=dict)
    title: str = ""
    subtitle: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    footer: str = ""
    picture: Picture | None = None
    strip: Strip | None = None
    picture_first: bool = False
    data: Mapping[str, DataTable] = field(default_factory=dict)

    @property
    def heading(self) -> str:
        """Return the title that is printed."""
        return self.title or self.layout.title

    @property
    def all_facts(self) -> tuple[tuple[str, str], ...]:
        """Return the facts, with the present station of the strip, where no strip is drawn."""
        strip = self.strip
        return (*self.facts, (strip.label, strip.present)) if strip else self.facts

    @property
    def all_notes(self) -> tuple[str, ...]:
        """Return the layout's notes, then the sheet's own."""
        return self.layout.notes + self.notes

    def rows(self, table: TableLayout) -> list[dict[str, object]]:
        """Return the rows of ``table`` to print: key to value; empty ones for writing by hand."""
        filled = self.tables.get(table.key)
        if filled is None:
            return [{} for _ in range(table.blank_rows)]
        return [dict(row) for row in filled] + [{} for _ in range(table.spare_rows)]
