"""Sheets as a workbook: numbers stay numbers, text stays text, ready to print."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from datetime import datetime
from io import BytesIO
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from asl_pbcg.records import values
from asl_pbcg.records.layout import Column, Only, Orientation, Paper, TableLayout
from asl_pbcg.records.shared_strings import finish_workbook, tab_name
from asl_pbcg.records.sheet import Picture, Sheet

EXCEL_PAPER = {Paper.A4: 9, Paper.LETTER: 1, Paper.A3: 8, Paper.TABLOID: 3}
"""The numbers that Excel has for papers."""
_MADE = datetime(2000, 1, 1)  # a fixed date, so that the same sheets give the same file
_MAX_TEXT = 32767  # characters a cell can hold
_FORMULA = ("=", "+", "-", "@", "\t", "\n", "|", "%")
_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_FONT = "Arial"
_INK = "1D2A36"
_THIN = Side(style="thin", color="87929B")
_THICK = Side(style="medium", color=_INK)
_BOX = Border(left=_THIN, right=_THIN, top=_THIN, bottom=_THIN)
_SECTION_BOX = Border(left=_THIN, right=_THIN, top=_THICK, bottom=_THIN)
_HEAD_BOX = Border(left=_THIN, right=_THIN, top=_THIN, bottom=_THICK)
_BAND = PatternFill("solid", fgColor=_INK)
_GROUP = PatternFill("solid", fgColor="CCD4DA")
_HEAD = PatternFill("solid", fgColor="E4E8EB")
_ZEBRA = PatternFill("solid", fgColor="F4F6F7")
_DPI = 150  # of a picture
_MM = 0.55  # characters of column width in a mm
_LETTER = 0.53  # mean width of a letter, in sizes of the font
_UNIT = 5.25  # points in a character of column width
_WIDE = 330.0  # mm of columns from which a worksheet is printed lying
_REST = 0.25
"""A last page filled no further than this is saved by printing smaller."""
_SAFE = 0.96  # of a page's height, as programs differ by a hair in how high a row is


def workbook(sheets: Sequence[Sheet], paper: Paper) -> bytes:
    """Return the workbook of ``sheets``, one worksheet for each table of each sheet."""
    book = Workbook()
    book.remove(book.worksheets[0])
    # The width of columns is counted in digits of this font; every system has one like it.
    book._named_styles["Normal"].font = Font(name=_FONT, size=10)  # type: ignore[attr-defined]
    for sheet in sheets:
        for table in sheet.layout.tables:
            page = book.create_sheet(_name(sheet, table, book.sheetnames))
            _Page(page, sheet, table, paper).fill()
        if sheet.picture:
            name = tab_name(sheet.heading, book.sheetnames, "picture")
            _picture(book.create_sheet(name), sheet.picture, paper)
    book.properties.creator = "pbcg"
    book.properties.title = values.clean(sheets[0].heading)
    book.properties.created = _MADE
    stream = BytesIO()
    book.save(stream)
    return finish_workbook(stream.getvalue())


def _name(sheet: Sheet, table: TableLayout, taken: Sequence[str]) -> str:
    """Return a worksheet name that Excel allows and no other worksheet has."""
    titled = len(sheet.layout.tables) > 1 and table is not sheet.layout.tables[0]
    return tab_name(sheet.heading, taken, table.title if titled else "")


def _picture(page: Worksheet, picture: Picture, paper: Paper) -> None:
    """A worksheet with a picture on one printed page."""
    from openpyxl.drawing.image import Image

    image = Image(BytesIO(picture.to_png(_DPI)))
    image.width, image.height = round(picture.width / 0.75), round(picture.height / 0.75)
    page.add_image(image, "A1")
    page.sheet_view.showGridLines = False
    page.page_setup.paperSize = EXCEL_PAPER[paper]
    page.page_setup.orientation = "landscape" if picture.width > picture.height else "portrait"
    page.page_setup.fitToWidth = page.page_setup.fitToHeight = 1
    page.sheet_properties.pageSetUpPr.fitToPage = True  # type: ignore[union-attr]
    margins = page.page_margins
    margins.left = margins.right = margins.top = margins.bottom = 0.2


class _Page:
    """One worksheet, filled from the top."""

    def __init__(self, page: Worksheet, sheet: Sheet, table: TableLayout, paper: Paper) -> None:
        self.page = page
        self.sheet = sheet
        self.table = table
        self.paper = paper
        self.columns = table.columns_on(Only.WORKBOOK)
        self.last = max(len(self.columns), 1)
        self.row = 1
        self.styles: dict[tuple[int, str, bool, bool], Any] = {}
        self.starts: set[int] = set()
        """The rows that begin a section."""

    def fill(self) -> None:
        """Write everything: title, facts, headings, rows, notes, and how it is printed."""
        for place, column in enumerate(self.columns, 1):
            letter = get_column_letter(place)
            self.page.column_dimensions[letter].width = round(max(column.width * _MM, 4), 2)
        self._heading()
        first_head = self.row
        self._column_heads()
        first_row = self.row
        self._rows()
        last_row = self.row - 1
        self._notes()
        self._print(first_head, first_row, last_row)

    def _heading(self) -> None:
        title = self.sheet.heading
        if self.table.title and self.table.title not in title:
            title = f"{title}: {self.table.title}"
        self._line(title, 15, bold=True, band=True)
        if self.sheet.subtitle:
            self._line(self.sheet.subtitle, 10, band=True)
        if self.sheet.all_facts:
            words = "     ".join(
                f"{label}: {value or '________________'}" for label, value in self.sheet.all_facts
            )
            self._line(words, 9, bold=True)

    def _line(self, words: str, size: float, bold: bool = False, band: bool = False) -> None:
        """A line of text over the whole width."""
        cell = self.page.cell(self.row, 1)
        _put(cell, words)
        cell.font = Font(name=_FONT, size=size, bold=bold, color="FFFFFF" if band else _INK)
        cell.alignment = Alignment(vertical="center", wrap_text=True)
        if band:
            for place in range(1, self.last + 1):
                self.page.cell(self.row, place).fill = _BAND
        if self.last > 1:
            self.page.merge_cells(
                start_row=self.row, start_column=1, end_row=self.row, end_column=self.last
            )
        wide = sum(self._width(place) for place in range(1, self.last + 1))
        self._height(_lines(words, wide, size), size, least=size * 1.6)
        self.row += 1

    def _width(self, place: int) -> float:
        return float(self.page.column_dimensions[get_column_letter(place)].width)

    def _height(self, lines: int, size: float, least: float) -> None:
        tall = max(lines * size * 1.3 + 4, least)
        self.page.row_dimensions[self.row].height = round(min(tall, 409), 1)

    def _column_heads(self) -> None:
        font = Font(name=_FONT, size=9, bold=True, color=_INK)
        middle = Alignment(horizontal="center", vertical="center", wrap_text=True)
        spans = self.table.spans(self.columns)
        grouped = any(group for group, _, _ in spans)
        upper, lower = self.row, self.row + grouped
        lines = 1
        for place, column in enumerate(self.columns, 1):
            for row in range(upper, lower + 1):
                cell = self.page.cell(row, place)
                cell.font, cell.alignment, cell.fill = font, middle, _HEAD
                cell.border = _HEAD_BOX if row == lower else _BOX
            _put(self.page.cell(lower, place), column.heading)
            lines = max(lines, _lines(column.heading, self._width(place), 9.5))
        for group, start, end in spans:
            if not group:
                continue
            for place in range(start, end + 1):
                self.page.cell(upper, place + 1).fill = _GROUP
            _put(self.page.cell(upper, start + 1), group)
            if end > start:
                self.page.merge_cells(
                    start_row=upper, start_column=start + 1, end_row=upper, end_column=end + 1
                )
        if grouped:
            wide = [
                (group, sum(self._width(n + 1) for n in range(start, end + 1)))
                for group, start, end in spans
            ]
            self._height(max(_lines(group, room, 9.5) for group, room in wide), 9, 15)
            self.row += 1
        self._height(lines, 9, 15)
        self.row += 1

    def _rows(self) -> None:
        blank = self.table.key not in self.sheet.tables
        rows = self.sheet.rows(self.table)
        before: object = None
        for number, row in enumerate(rows):
            section = row.get(self.table.section) if self.table.section else None
            if number and section != before:
                self.starts.add(self.row)
            before = section
            self._one_row(row, shade=bool(number % 2))
        if not rows and not blank:
            self._one_row({}, shade=False)
            _put(self.page.cell(self.row - 1, 1), "None")

    def _one_row(self, row: Mapping[str, object], shade: bool) -> None:
        lines = 1
        for place, column in enumerate(self.columns, 1):
            value = row.get(column.key) if column.key else None
            self._value(place, column, value, shade)
            lines = max(lines, _lines(values.text(value, column.format), self._width(place), 9))
        self._height(lines, 9, self.table.row_height * 2.835)
        self.row += 1

    def _value(self, place: int, column: Column, value: object, shade: bool) -> None:
        cell: Any = self.page.cell(self.row, place)
        figure = values.number(value)
        form = "General" if figure is None else values.excel_format(value, column.format)
        # Cells that look alike share one style; making it again for each takes most of the time.
        fresh = self.row in self.starts
        alike = (place, form, shade, fresh)
        if alike in self.styles:
            cell._style = copy(self.styles[alike])
        else:
            cell.font = Font(name=_FONT, size=9, bold=column.bold)
            cell.border = _SECTION_BOX if fresh else _BOX
            cell.number_format = form
            cell.alignment = Alignment(
                horizontal=column.alignment.value, vertical="center", wrap_text=True
            )
            if shade:
                cell.fill = _ZEBRA
            self.styles[alike] = copy(cell._style)
        if figure is None:
            _put(cell, values.text(value, column.format))
        else:
            cell.value = figure

    def _notes(self) -> None:
        if self.table is not self.sheet.layout.tables[-1] or not self.sheet.all_notes:
            return
        self.row += 1
        for note in self.sheet.all_notes:
            self._line(f"• {note}", 8)

    def _print(self, first_head: int, first_row: int, last_row: int) -> None:
        page = self.page
        last = get_column_letter(self.last)
        page.freeze_panes = f"{get_column_letter(self._frozen() + 1)}{first_row}"
        page.print_area = f"A1:{last}{max(self.row - 1, last_row)}"
        page.print_title_rows = f"{first_head}:{first_row - 1}"
        if self.table.section and self.table.key in self.sheet.tables and last_row > first_row:
            page.auto_filter.ref = f"A{first_row - 1}:{last}{last_row}"
        page.sheet_view.showGridLines = False
        page.page_setup.paperSize = EXCEL_PAPER[self.paper]
        turned = self._is_landscape()
        page.page_setup.orientation = "landscape" if turned else "portrait"
        page.page_setup.fitToWidth = 1
        page.page_setup.fitToHeight = 0
        page.sheet_properties.pageSetUpPr.fitToPage = True  # type: ignore[union-attr]
        page.print_options.horizontalCentered = True
        margins = page.page_margins
        margins.left = margins.right = 0.43
        margins.top, margins.bottom, margins.header, margins.footer = 0.45, 0.6, 0.2, 0.25
        pages = self._pages(first_head, first_row)
        if int(pages) and 0 < pages - int(pages) <= _REST:
            page.page_setup.fitToHeight = int(pages)
        elif self.table.key in self.sheet.tables:
            self._breaks(first_head, first_row, last_row)
        foot: Any = page.oddFooter
        foot.left.text = _foot(self.sheet.footer)
        foot.right.text = f"{_foot(self.sheet.heading)}, page &P of &N"
        foot.left.size = foot.right.size = 8

    def _is_landscape(self) -> bool:
        """Return whether it is printed lying: as its layout says, or where it has many columns."""
        wide = sum(column.width for column in self.columns)
        return self.sheet.layout.orientation is Orientation.LANDSCAPE or wide > _WIDE

    def _room(self) -> float:
        """Points of row height on a page, as its columns make it small enough to be as wide."""
        wide, high = self.paper.size[::-1] if self._is_landscape() else self.paper.size
        across = sum(self._width(place) * _UNIT + 4 for place in range(1, self.last + 1))
        scale = min(1.0, (wide - 0.86 * 72) / across)
        return (high - 1.05 * 72) / scale * _SAFE

    def _heights(self) -> dict[int, float]:
        dimensions = self.page.row_dimensions
        return {row: float(dimensions[row].height or 15) for row in range(1, self.row)}

    def _pages(self, first_head: int, first_row: int) -> float:
        """Return the number of pages it fills, with its heads on each of them."""
        heights, room = self._heights(), self._room()
        head = sum(heights[row] for row in range(first_head, first_row))
        beside = max(room - head, 1.0)
        return max((sum(heights.values()) - head) / beside, 0.0)

    def _breaks(self, first_head: int, first_row: int, last_row: int) -> None:
        """Break pages where no heading is left alone and at least three rows follow."""
        room, heights = self._room(), self._heights()
        head = sum(heights[row] for row in range(first_head, first_row))
        used, start = sum(heights[row] for row in range(1, first_row)), first_row
        for row in range(first_row, last_row + 1):
            if used + heights[row] > room and row > start:
                cut = self._good_break(start, row, last_row)
                self.page.row_breaks.append(Break(id=cut - 1))
                used, start = head + sum(heights[n] for n in range(cut, row)), cut
            used += heights[row]

    def _good_break(self, start: int, row: int, last: int) -> int:
        """Return the row to begin a page with, at most four before ``row``."""
        for cut in range(row, max(start + 1, row - 5), -1):
            enough = last - cut + 1 >= 3
            fresh = cut in self.starts
            if enough and (fresh or (cut - 1 not in self.starts and cut + 1 not in self.starts)):
                return cut
        return row

    def _frozen(self) -> int:
        """Columns that stay in view; a frozen merged heading would be cut, so never all."""
        return min(self.table.freeze, self.last - 1)


def _put(cell: Any, words: str) -> None:
    """Text into a cell, as text whatever it begins with."""
    words = values.clean(words)
    if len(words) > _MAX_TEXT:
        words = words[: _MAX_TEXT - 4] + " ..."
    if not words:
        return
    # Excel reads _x0041_ as a letter; written so, it stays what somebody typed.
    cell.value = _ESCAPED.sub("_x005F_", words)
    cell.data_type = "s"
    if words.startswith(_FORMULA):
        cell.quotePrefix = True


def _foot(words: str) -> str:
    """Words for a page foot, where "&" begins a command."""
    return " ".join(values.clean(words).split())[:90].replace("&", "&&")


def _lines(words: str, wide: float, size: float) -> int:
    """How many lines ``words`` take in a cell ``wide`` characters wide; rather one too many."""
    room = max(wide * _UNIT - 6, size)
    across = max(int(room / (size * _LETTER)), 1)
    count = 0
    for line in words.split("\n"):
        used = 0
        count += 1
        for word in line.split(" "):
            if used and used + 1 + len(word) > across:
                count, used = count + 1, 0
            elif used:
                used += 1
            used += len(word)
            if used > across:
                count, used = count + (used - 1) // across, (used - 1) % across + 1
    return count
