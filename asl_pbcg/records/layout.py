"""The look of a sheet: titles, columns, widths, formats and notes, read from a template."""

from __future__ import annotations

from enum import StrEnum
from itertools import groupby
from typing import Annotated

import msgspec
from msgspec import Meta

from asl_pbcg.kernel.errors import PBCGError


class Paper(StrEnum):
    """The paper a sheet is printed on."""

    A4 = "A4"
    LETTER = "Letter"
    A3 = "A3"
    TABLOID = "Tabloid"

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in points, upright."""
        return _SIZES[self]

    @classmethod
    def parse(cls, name: str) -> Paper:
        """Return the paper called ``name``, in any case; raises PBCGError for another."""
        for paper in cls:
            if paper.value.lower() == str(name).strip().lower():
                return paper
        *others, last = (paper.value for paper in cls)
        raise PBCGError(f'"{name}" is not a paper size: {", ".join(others)} or {last}.')


_SIZES = {
    Paper.A4: (595.27559, 841.88976),
    Paper.LETTER: (612.0, 792.0),
    Paper.A3: (841.88976, 1190.55118),
    Paper.TABLOID: (792.0, 1224.0),
}


class Orientation(StrEnum):
    """How the paper is turned."""

    PORTRAIT = "portrait"
    LANDSCAPE = "landscape"


class Only(StrEnum):
    """Where a column stands."""

    BOTH = "both"
    PAPER = "paper"
    WORKBOOK = "workbook"


class Align(StrEnum):
    """Where a value stands in its cell."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


class Format(StrEnum):
    """How a number is written; text in a number column stays as it is."""

    TEXT = "text"
    WHOLE = "whole"  # 3
    HALVES = "halves"  # 1½
    SIGNED = "signed"  # +1
    DECIMAL = "decimal"  # 0.25
    PERCENT = "percent"  # 25%
    SIGN = "sign"  # a small drawing; a blank form leaves the column out


class Fill(StrEnum):
    """How a table that fits on its page fills it."""

    NONE = "none"
    ROWS = "rows"  # with more empty rows, for writing by hand
    HEIGHT = "height"  # with higher rows


Words40 = Annotated[str, Meta(max_length=40)]
Words80 = Annotated[str, Meta(max_length=80)]
Words120 = Annotated[str, Meta(max_length=120)]


class Column(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One column. ``width`` is in mm; all widths of a table are scaled to the page together.

    A column without a key is always empty: for writing in by hand.
    """

    key: Words40 = ""
    heading: Annotated[str, Meta(min_length=1, max_length=80)]
    width: Annotated[float, Meta(ge=3, le=300, extra={"unit": "mm"})]
    format: Format = Format.TEXT
    align: Align | None = None
    group: Words80 = ""
    bold: bool = False
    hide: bool = False
    only: Only = Only.BOTH
    """On paper and in the workbook, or on one of them only."""
    whole: bool = False
    """Whether a line on paper breaks behind a comma only, never within what stands between two."""

    @property
    def alignment(self) -> Align:
        """Return the alignment without one in the template: text left, numbers centred."""
        return self.align or (Align.LEFT if self.format is Format.TEXT else Align.CENTER)


class TableLayout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One table of a sheet. ``font_size`` is in points, ``row_height`` (mm) the least of a row.

    ``section`` is the key of a column whose values head the rows on paper, and stay a column in
    a workbook and on a blank form. A filled table stands ``across`` so many times side by side on
    paper, like the columns of a newspaper.
    """

    key: Annotated[str, Meta(min_length=1, max_length=40)]
    columns: Annotated[tuple[Column, ...], Meta(max_length=40)]
    title: Words120 = ""
    new_page: bool = False
    font_size: Annotated[float, Meta(ge=5, le=14, extra={"unit": "points"})] = 8.5
    row_height: Annotated[float, Meta(ge=3.5, le=60, extra={"unit": "mm"})] = 6.0
    blank_rows: Annotated[int, Meta(ge=1, le=200, extra={"unit": "rows"})] = 20
    spare_rows: Annotated[int, Meta(ge=0, le=200, extra={"unit": "rows"})] = 0
    freeze: Annotated[int, Meta(ge=0, le=5, extra={"unit": "columns"})] = 1
    fill: Fill = Fill.NONE
    section: Words40 = ""
    heading_size: Annotated[float, Meta(ge=5, le=14, extra={"unit": "points"})] | None = None
    """Of its column headings; a point less than the table's if left out."""
    headings: bool = True
    """Whether its columns have headings on paper; those of sections may be enough."""
    across: Annotated[int, Meta(ge=1, le=4, extra={"unit": "tables"})] = 1

    @property
    def shown(self) -> tuple[Column, ...]:
        """Return the columns that are not hidden."""
        return tuple(column for column in self.columns if not column.hide)

    def columns_on(self, place: Only) -> tuple[Column, ...]:
        """Return the columns that stand on paper, or in a workbook."""
        return tuple(column for column in self.shown if column.only in (Only.BOTH, place))

    def spans(self, columns: tuple[Column, ...]) -> list[tuple[str, int, int]]:
        """Group headings over ``columns``: heading ("" for none), first and last place."""
        groups, place = [], 0
        for group, members in groupby(columns, key=lambda column: column.group):
            count = len(list(members))
            groups.append((group, place, place + count - 1))
            place += count
        return groups


class Template(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A template file: how a sheet looks."""

    title: Annotated[str, Meta(min_length=1, max_length=120)]
    tables: Annotated[tuple[TableLayout, ...], Meta(min_length=1, max_length=20)]
    across: Annotated[int, Meta(ge=1, le=4, extra={"unit": "columns"})] = 1
    """In how many columns of a page its tables follow each other on paper."""
    orientation: Orientation = Orientation.PORTRAIT
    notes: Annotated[tuple[Annotated[str, Meta(max_length=2000)], ...], Meta(max_length=40)] = ()


class Layout(Template, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole sheet as the template of that name draws it."""

    name: str
