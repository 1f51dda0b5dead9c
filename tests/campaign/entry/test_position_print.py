"""How the workbook of a position is printed, read back from the file."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import openpyxl
import pytest
from openpyxl.utils import get_column_letter
from positions import position

from asl_pbcg.campaign.entry.position_excel_write import to_workbook
from asl_pbcg.records.layout import Paper

NUMBERS = {Paper.A4: 9, Paper.LETTER: 1, Paper.A3: 8, Paper.TABLOID: 3}


def _opened(paper: Paper, filled: bool = True) -> Any:
    held = position(control={"british": ["Y20"], "german": ["Z15"]}) if filled else None
    return openpyxl.load_workbook(BytesIO(to_workbook(held, (), paper)))


@pytest.mark.parametrize("paper", list(Paper))
def test_every_sheet_is_as_wide_as_the_paper_and_repeats_its_headings(paper: Paper) -> None:
    book = _opened(paper)
    assert len(book.worksheets) > 8
    for page in book:
        setup = page.page_setup
        assert int(setup.paperSize) == NUMBERS[paper], page.title
        assert setup.orientation == ("portrait" if page.title == "control" else "landscape")
        assert page.oddFooter.center.text == "&A" and "&P" in page.oddFooter.right.text
        assert not page.print_area  # rows that players add are printed too
        if page.title == "how to fill":
            continue
        assert page.print_title_rows == "$1:$1"
        assert page.print_options.gridLines
        if page.title != "words":
            assert page.sheet_properties.pageSetUpPr.fitToPage
            assert (setup.fitToWidth, setup.fitToHeight) == (1, 0), page.title


def test_headings_fit_their_columns() -> None:
    for page in _opened(Paper.A4, filled=False):
        if page.title == "how to fill":
            continue
        for cell in page[1]:
            wide = page.column_dimensions[cell.column_letter].width
            assert len(cell.value) + 2 <= wide, (page.title, cell.value)


def test_no_page_cuts_a_word_list_from_what_its_words_mean() -> None:
    page = _opened(Paper.A4)["words"]
    cuts = [each.id for each in page.col_breaks.brk]
    assert len(cuts) >= 2
    heads = [cell.value for cell in page[1]]
    assert all(heads[cut] != "means" for cut in cuts)  # columns after the cut begin a list
    room = (Paper.A4.size[1] - 0.9 * 72) / (page.page_setup.scale / 100)
    for first, last in zip([0, *cuts], [*cuts, len(heads)], strict=True):
        letters = [get_column_letter(column + 1) for column in range(first, last)]
        assert sum(page.column_dimensions[each].width * 5.25 for each in letters) < room
