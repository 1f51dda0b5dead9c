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


@pytest.mark.finding("J-51")
@pytest.mark.parametrize("filled", [False, True])
def test_an_empty_list_prints_rows_to_write_on(filled: bool) -> None:
    """A program prints what holds something: an empty list needs lines about its cells."""
    for page in _opened(Paper.A4, filled):
        if page.title in ("how to fill", "about", "words"):
            continue
        empty = not any(cell.value for row in page.iter_rows(min_row=2) for cell in row)
        ruled = [
            row for row in page.iter_rows(min_row=2) if all(cell.border.top.style for cell in row)
        ]
        assert len(ruled) == (30 if empty else 0), page.title
        assert empty or filled


@pytest.mark.finding("J-51")
def test_rows_of_the_guide_are_as_high_as_their_words() -> None:
    page = _opened(Paper.A4, filled=False)["how to fill"]
    wide = {str(each).split(":")[0]: each for each in page.merged_cells.ranges}
    for row in page.iter_rows():
        for cell in row:
            if not cell.value or cell.coordinate not in wide:
                continue
            span = wide[cell.coordinate]
            letters = range(span.min_col, span.max_col + 1)
            room = sum(page.column_dimensions[get_column_letter(each)].width for each in letters)
            lines = -(-len(cell.value) // room)
            size = cell.font.size
            assert page.row_dimensions[cell.row].height >= lines * size * 1.25, cell.value
