"""The parts of a sheet in the PDF: the band at its head, boxes with facts, tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec
from reportlab.lib.units import mm

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.records import values
from asl_pbcg.records.layout import Align, Column, Fill, Format, Only, TableLayout
from asl_pbcg.records.paragraphs import (
    BOLD,
    GREY,
    GROUP,
    HEAD,
    INK,
    ITALIC,
    LEADING,
    RULE,
    SANS,
    SECTION,
    SMALLEST,
    WHITE,
    ZEBRA,
    paragraph,
    width,
)
from asl_pbcg.records.sheet import Sign, Strip
from asl_pbcg.records.sheet_grid import (
    GAP,
    GUTTER,
    PAD,
    Command,
    GridRow,
    Newspaper,
    SheetGrid,
    SignCell,
    cell_height,
    rows_of,
    settle,
    share,
    squeeze,
)

_LONG_WORD = 30 * mm  # a longer word may break, a number never
_LONG_LINE = 70 * mm  # a longer text wraps, and is given no more width than this
_BY_HAND = 5.4  # mm; rows to write in are not lower
_TIGHT = 0.8  # points above and below a text at least
_SECTION_PART = 60.0  # points; a longer section heading runs over several rows
_Rows = Sequence[Mapping[str, object]]


def band(title: str, subtitle: str, space: float, height: float) -> SheetGrid:
    """Return the dark band at the head of a sheet: title on the left, subtitle on the right."""
    cells = [paragraph(title, BOLD, 15, colour=WHITE)]
    widths = [space]
    if subtitle:
        cells.append(paragraph(subtitle, SANS, 9, Align.RIGHT, WHITE))
        widths = [space * 0.55, space * 0.45]
    rows = rows_of(cells, widths, 10 * mm, height / 2, INK)
    return SheetGrid(widths, (), rows)


def strip(stations: Strip, space: float, height: float) -> SheetGrid:
    """The stations of a game in a row, the present one dark; without one they wait for a mark."""
    names, present = stations.names, stations.present
    widths = [space / len(names)] * len(names)
    colours = [WHITE if name == present else INK for name in names]
    cells = [
        paragraph(name, BOLD, 8, Align.CENTER, colour)
        for name, colour in zip(names, colours, strict=True)
    ]
    rows = rows_of(cells, widths, 5.5 * mm, height / 2, HEAD)
    rules: list[Command] = [
        ("BACKGROUND", (place, 0), (place, -1), INK)
        for place, name in enumerate(names)
        if name == present
    ]
    rules += [("INNERGRID", (0, 0), (-1, -1), 0.4, RULE), ("BOX", (0, 0), (-1, -1), 1.0, INK)]
    return SheetGrid(widths, (), rows, (), lambda _: rules)


def boxes(facts: Sequence[tuple[str, str]], most: int, space: float, height: float) -> SheetGrid:
    """Boxes like those of a form: a small label, under it the value or room to write it."""
    lines = math.ceil(len(facts) / most)
    across = math.ceil(len(facts) / lines)
    widths = [space / across] * across
    rows: list[GridRow] = []
    rules: list[Command] = []
    for start in range(0, len(facts), across):
        part = facts[start : start + across]
        more = [""] * (across - len(part))
        labels = [paragraph(label, SANS, 6, colour=GREY) for label, _ in part]
        words = [paragraph(value, BOLD, 9) if value else "" for _, value in part]
        if start:
            rules.append(("LINEABOVE", (0, len(rows)), (-1, len(rows)), 0.4, RULE))
        rows += rows_of([*labels, *more], widths, 0, height / 2)
        rows += rows_of([*words, *more], widths, 5.5 * mm, height / 2)
    rules += [("LINEAFTER", (place, 0), (place, -1), 0.4, RULE) for place in range(across - 1)]
    rules.append(("BOX", (0, 0), (-1, -1), 1.0, INK))
    return SheetGrid(
        widths, (), rows, (), lambda count: rules if count == len(rows) else rules[-1:]
    )


def table(
    layout: TableLayout, rows: _Rows, space: float, height: float, blank: bool, room: float
) -> SheetGrid | Newspaper:
    """Return a table with its headings, on pages ``space`` wide and ``height`` high.

    ``room`` is the height it may fill if its layout says so; 0 where something follows it.
    """
    if layout.across > 1 and not blank:
        return _newspaper(layout, rows, space, height, room)
    if layout.spare_rows and room and not blank:
        return _with_spare(layout, rows, space, height, room)
    if layout.fill is Fill.HEIGHT and room and not blank:
        return _on_a_page(layout, rows, space, height, room)
    return _table(layout, rows, space, height, blank, room)


def _with_spare(
    layout: TableLayout, rows: _Rows, space: float, height: float, room: float
) -> SheetGrid:
    """Return a table that ends in empty rows: these never take a page of their own."""
    for spare in range(layout.spare_rows + 1):
        made = _table(layout, rows[: len(rows) - spare], space, height, False, room)
        if _fits(made, space, height, room):
            return made
    for reduced in smaller(layout):
        made = _table(reduced, rows[: -layout.spare_rows], space, height, False, room)
        if _fits(made, space, height, room):
            return made
    return _table(layout, rows, space, height, False, room)


def _on_a_page(
    layout: TableLayout, rows: _Rows, space: float, height: float, room: float
) -> SheetGrid:
    """A table that fills its page; a little smaller where that spares what follows another page."""
    made = first = _table(layout, rows, space, height, False, room)
    if made.wrap(space, height)[1] > room * 1.25:
        return made
    for reduced in smaller(layout):
        if _fits(made, space, height, room):
            return made
        made = _table(reduced, rows, space, height, False, room)
    return made if _fits(made, space, height, room) else first


def _fits(made: SheetGrid, space: float, height: float, room: float) -> bool:
    """Whether a table is no higher than ``room``, which rows may fill to a hair more or less."""
    return made.wrap(space, height)[1] < room + 0.01


def smaller(layout: TableLayout) -> Iterator[TableLayout]:
    """Yield the layout a little smaller, and smaller still: it may spare a page of a few rows."""
    for step in range(1, 4):
        yield msgspec.structs.replace(
            layout,
            font_size=max(SMALLEST + 1, layout.font_size - 0.5 * step),
            row_height=layout.row_height * (1 - 0.07 * step),
        )


def _newspaper(
    layout: TableLayout, rows: _Rows, space: float, height: float, room: float
) -> Newspaper:
    """Return a table side by side; a little smaller where that spares a page of a few rows."""
    narrow = (space - GUTTER * (layout.across - 1)) / layout.across
    made = first = Newspaper(_table(layout, rows, narrow, height, False, 0), layout.across)
    for reduced in smaller(layout):
        if not room < made.wrap(space, height)[1] < room * 1.25:
            return made
        made = Newspaper(_table(reduced, rows, narrow, height, False, 0), layout.across)
    return made if made.wrap(space, height)[1] <= room else first


def _table(
    layout: TableLayout, rows: _Rows, space: float, height: float, blank: bool, room: float
) -> SheetGrid:
    if blank:
        layout = msgspec.structs.replace(layout, row_height=max(layout.row_height, _BY_HAND))
    section = "" if blank else layout.section
    columns = tuple(
        field
        for field in layout.columns_on(Only.PAPER)
        if (not field.key or field.key != section) and not (blank and field.format is Format.SIGN)
    )
    size, widths = _fit(layout, columns, rows, space)
    heads, commands = _headings(layout, columns, widths, size)
    above = sum(row.height for row in heads)
    if above > height / 2:
        raise PBCGError(
            f"The headings of {layout.title or layout.key} take more than half a page: "
            "the template needs fewer columns or shorter headings."
        )
    if blank and layout.fill is Fill.ROWS and room > above + 5 * layout.row_height * mm:
        rows = [{}]  # as many as there is room for
    tallest = height - above - 2 * _SECTION_PART
    body = _body(layout, columns, rows, widths, size, section, tallest)
    if blank or layout.spare_rows or layout.fill is Fill.HEIGHT:
        body = _fill(body, layout, room - above)

    def rules(count: int) -> list[Command]:
        last, below = count - 1, max(len(heads) - 1, 0)
        return [
            ("INNERGRID", (0, len(heads)), (-1, last), 0.4, RULE),
            *[("LINEBELOW", (0, below), (-1, below), 1.0, INK)] * bool(heads),
            *(
                ("LINEAFTER", (end, 0), (end, last), 0.9, INK)
                for group, _, end in layout.spans(columns)
                if end < len(columns) - 1 and (group or columns[end + 1].group)
            ),
            ("BOX", (0, 0), (-1, -1), 1.0, INK),
        ]

    return SheetGrid(widths, heads, body, commands, rules, _gap(layout, size))


def _gap(layout: TableLayout, size: float) -> float:
    """Points above and below a text, so that a row of one line is as high as the layout says."""
    spare = float(layout.row_height * mm) - size * LEADING
    return min(GAP, max(_TIGHT, spare / 2))


def _fit(
    layout: TableLayout, columns: Sequence[Column], rows: _Rows, space: float
) -> tuple[float, list[float]]:
    """Return the size of the letters and the widths of the columns, so that no word is broken."""
    size = layout.font_size
    wanted = [column.width for column in columns]
    while True:
        needed, natural, often = _widths(layout, columns, rows, size)
        widths = share(wanted, needed, space)
        if widths:
            return size, settle(widths, needed, natural, often) if any(rows) else widths
        if size <= SMALLEST:
            return size, squeeze(wanted, needed, space)
        size = max(SMALLEST, size - 0.5)


def _widths(
    layout: TableLayout, columns: Sequence[Column], rows: _Rows, size: float
) -> tuple[list[float], list[float], list[int]]:
    """Return the widths in which no word and no number breaks, those in which no text wraps.

    The third list says how many rows are about as wide as that.
    """
    small = layout.heading_size or max(size - 1, SMALLEST)
    margin = 2 * PAD + 0.5
    needed, natural, often = [], [], []
    for column in columns:
        font = BOLD if column.bold else SANS
        widest = _widest(column.heading.split(), BOLD, small)
        lines: list[float] = []
        line_widths: dict[str, float] = {}
        for row in rows:
            value = row.get(column.key) if column.key else None
            if isinstance(value, Sign):
                widest = max(widest, value.picture.width)
            words = _words(value, column)
            if words in line_widths:
                lines.append(line_widths[words])
            if not words or words in line_widths:
                continue
            line = min(_widest(words[:400].split("\n"), font, size), _LONG_LINE)
            line_widths[words] = line
            lines.append(line)
            if values.number(value) is None:
                longest_words = [word[:200] for word in re.split(r"[ \n]+", words[:4000])]
                line = min(_widest(longest_words, font, size), _LONG_WORD)
            widest = max(widest, line)
        needed.append(widest + margin)
        longest = max(lines, default=0.0)
        natural.append(max(longest, widest) + margin)
        often.append(sum(line >= longest * 0.7 for line in lines))
    for group, start, end in layout.spans(tuple(columns)):
        missing = _widest(group.split(), BOLD, small) + margin - sum(needed[start : end + 1])
        if missing > 0:
            for place in range(start, end + 1):
                needed[place] += missing / (end - start + 1)
    return needed, natural, often


def _words(value: object, column: Column) -> str:
    """Return a value as a cell on paper has it."""
    words = values.text(value, column.format)
    if not column.whole:
        return words
    return ", ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in words.split(", "))


def _widest(words: Sequence[str], font: str, size: float) -> float:
    return max((width(word, font, size) for word in words), default=0.0)


def _headings(
    layout: TableLayout, columns: tuple[Column, ...], widths: Sequence[float], size: float
) -> tuple[list[GridRow], list[Command]]:
    """Return the rows of title, group and column headings, and how they are drawn."""
    small = layout.heading_size or max(size - 1, SMALLEST)
    rows: list[GridRow] = []
    if layout.title:
        title = [paragraph(layout.title, BOLD, size + 1.5)]
        gap = _gap(layout, size)
        least = 6 * mm - 4 * (GAP - gap)
        rows += rows_of(title, widths, least, 1e6, GROUP, span=True, gap=gap)
    if not layout.headings:
        return rows, []
    heads = [paragraph(column.heading, BOLD, small, Align.CENTER) for column in columns]
    spans = layout.spans(columns)
    if not any(group for group, _, _ in spans):
        place = len(rows)
        least = 7 * mm - 6 * (GAP - _gap(layout, size))
        rows += rows_of(heads, widths, least, 1e6, HEAD)
        return rows, [("INNERGRID", (0, place), (-1, place), 0.4, RULE)]
    upper: list[Any] = [""] * len(columns)
    lower: list[Any] = list(heads)
    above, under, alone = 4.5 * mm, 5.5 * mm, 0.0
    first = len(rows)
    commands: list[Command] = []
    for group, start, end in spans:
        tall = max(cell_height(heads[n], widths[n]) for n in range(start, end + 1)) + 2 * GAP
        if group:
            upper[start] = paragraph(group, BOLD, small, Align.CENTER)
            wide = sum(widths[start : end + 1])
            above = max(above, cell_height(upper[start], wide) + 2 * GAP)
            under = max(under, tall)
            commands.append(("SPAN", (start, first), (end, first)))
            commands.append(("BACKGROUND", (start, first), (end, first), GROUP))
            commands.append(("LINEBELOW", (start, first), (end, first), 0.4, RULE))
            continue
        alone = max(alone, tall)
        for place in range(start, end + 1):
            upper[place], lower[place] = heads[place], ""
            commands.append(("SPAN", (place, first), (place, first + 1)))
    under = max(under, alone - above)
    commands = [("BACKGROUND", (0, first), (-1, first + 1), HEAD), *commands]
    for place, column in enumerate(columns[:-1]):
        start = first + 1 if column.group else first
        commands.append(("LINEAFTER", (place, start), (place, first + 1), 0.4, RULE))
    return [*rows, GridRow(tuple(upper), above), GridRow(tuple(lower), under)], commands


def _body(
    layout: TableLayout,
    columns: Sequence[Column],
    rows: _Rows,
    widths: Sequence[float],
    size: float,
    section: str,
    tallest: float,
) -> list[GridRow]:
    least = layout.row_height * mm
    if not rows:
        none = [paragraph("None", ITALIC, size, Align.CENTER, GREY)]
        return rows_of(none, widths, least, tallest, span=True)
    gap = _gap(layout, size)
    made: list[GridRow] = []
    current: str | None = None
    again: GridRow | None = None
    shade = False
    for row in rows:
        heading = values.text(row.get(section)) if section and row else current or ""
        if section and heading != current:
            current, shade = heading, False
            made += _section(heading, widths, size, gap)
            again = _section(f"{heading[:200]}, continued", widths, size, gap)[0]
        cells = [_cell(row, column, size, least) for column in columns]
        made += rows_of(cells, widths, least, tallest, ZEBRA if shade else None, False, again, gap)
        shade = not shade
    return made


def _section(words: str, widths: Sequence[float], size: float, gap: float) -> list[GridRow]:
    heading = [paragraph(words, BOLD, size + 0.5)]
    least = 5.5 * mm - 4 * (GAP - gap)
    return rows_of(heading, widths, least, _SECTION_PART, SECTION, span=True, gap=gap)


def _cell(row: Mapping[str, object], column: Column, size: float, row_height: float) -> Any:
    value = row.get(column.key) if column.key else None
    if isinstance(value, Sign):
        return SignCell(value.picture, row_height)
    words = _words(value, column)
    if not words:
        return ""
    return paragraph(words, BOLD if column.bold else SANS, size, column.alignment)


def _fill(body: list[GridRow], layout: TableLayout, room: float) -> list[GridRow]:
    """Return the rows that fill the page down to its foot: more of them, or higher ones."""
    spare = room - sum(row.height for row in body)
    least = layout.row_height * mm
    if layout.fill is Fill.NONE or spare <= 0:
        return body
    if layout.fill is Fill.ROWS:
        empty = ("",) * len(body[0].cells)
        while spare > least:
            body = [*body, GridRow(empty, least, ZEBRA if len(body) % 2 else None)]
            spare -= least
    return [replace(row, height=row.height + spare / len(body)) for row in body]
