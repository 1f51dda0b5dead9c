"""How the workbook of a position is printed: paper, direction, headings on every page."""

from __future__ import annotations

from typing import Any, Final

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from asl_pbcg.records.excel import EXCEL_PAPER
from asl_pbcg.records.layout import Paper

MARGIN: Final = 0.45
"""Inches at the left and right; a little more is above and below."""
UNIT: Final = 5.25
"""Points in a character of column width."""
WORDS_SCALE: Final = 0.55
"""How small the word lists are printed: as many of them beside each other as can be read."""


def set_up_print(
    sheet: Worksheet,
    paper: Paper,
    *,
    lying: bool = True,
    heads: bool = True,
    one_page: bool = False,
) -> None:
    """Print ``sheet`` on the width of ``paper``, with grid lines and its headings on each page.

    ``lying`` turns the paper; without ``heads`` it is text, no list; ``one_page`` makes it as
    small as one page needs. There is no print area: what players add is printed too.
    """
    sheet.page_setup.paperSize = EXCEL_PAPER[paper]
    sheet.page_setup.orientation = "landscape" if lying else "portrait"
    sheet.page_setup.fitToWidth = 1
    sheet.page_setup.fitToHeight = 1 if one_page else 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True  # type: ignore[union-attr]
    _frame(sheet, heads)


def set_up_words(sheet: Worksheet, paper: Paper, groups: list[tuple[int, int]]) -> None:
    """Print word lists lying, side by side; no page cuts a list from what its words mean.

    ``groups`` are the first and last column of each list.
    """

    sheet.page_setup.paperSize = EXCEL_PAPER[paper]
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.scale = round(WORDS_SCALE * 100)
    room = (paper.size[1] - 2 * MARGIN * 72) / WORDS_SCALE * 0.97
    used = 0.0
    for first, last in groups:
        wide = sum(
            sheet.column_dimensions[get_column_letter(column)].width * UNIT + 4
            for column in range(first, last + 1)
        )
        if used and used + wide > room:
            sheet.col_breaks.append(Break(id=first - 1))
            used = 0.0
        used += wide
    _frame(sheet, heads=True)


def _frame(sheet: Worksheet, heads: bool) -> None:
    if heads:
        sheet.print_title_rows = "1:1"
        sheet.print_options.gridLines = True
    margins = sheet.page_margins
    margins.left = margins.right = MARGIN
    margins.top, margins.bottom, margins.header, margins.footer = 0.6, 0.6, 0.3, 0.3
    foot: Any = sheet.oddFooter
    foot.left.text = "Pegasus Bridge, position"
    foot.center.text = "&A"
    foot.right.text = "page &P of &N"
    foot.left.size = foot.center.size = foot.right.size = 8
