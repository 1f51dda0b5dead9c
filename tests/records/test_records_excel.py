"""Sheets as workbooks: numbers stay numbers, text never becomes a formula, ready to print."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl.utils.escape import unescape
from records_samples import LAYOUT, many, sample

from asl_pbcg.records import Orientation, Paper, to_excel
from asl_pbcg.records.data_tables import write_tables
from asl_pbcg.records.shared_strings import tab_name
from asl_pbcg.records.values import clean


def opened(content: bytes) -> Any:
    return openpyxl.load_workbook(BytesIO(content))


def cells(page: Any) -> list[list[Any]]:
    return [[cell.value for cell in row] for row in page.iter_rows()]


def test_numbers_are_numbers_with_their_formats() -> None:
    page = opened(to_excel(sample([{"name": "6-4-8", "count": 25, "fpp": 9.5, "drm": 2}]))).active
    row = next(row for row in page.iter_rows() if row[0].value == "6-4-8")
    assert [(cell.value, cell.data_type, cell.number_format) for cell in row[:4]] == [
        ("6-4-8", "s", "General"),
        (25, "n", "0"),
        (9.5, "n", "General"),
        (2, "n", "+0;-0;0"),
    ]
    assert isinstance(row[1].value, int)


def test_headings_stay_in_view_and_are_repeated_in_print() -> None:
    page = opened(to_excel(sample(many(5), facts=(("Player", "A"),), subtitle="CG I"))).active
    heads = next(number for number, row in enumerate(cells(page), 1) if row[0] == "Name")
    assert page.freeze_panes == f"C{heads + 1}"
    assert page.print_title_rows == f"${heads - 1}:${heads}"
    assert page.cell(heads - 1, 2).value == "Numbers"
    assert f"B{heads - 1}:D{heads - 1}" in {str(each) for each in page.merged_cells.ranges}
    assert page.print_area == f"'Sample Record'!$A$1:$F${page.max_row}"


@pytest.mark.parametrize(("paper", "code"), [(Paper.A4, 9), (Paper.LETTER, 1)])
@pytest.mark.parametrize("orientation", list(Orientation))
def test_it_prints_on_one_page_across(paper: Paper, code: int, orientation: Orientation) -> None:
    layout = msgspec.structs.replace(LAYOUT, orientation=orientation)
    page = opened(to_excel(sample(many(3), layout=layout, footer="A & B"), paper)).active
    setup = page.page_setup
    assert (setup.paperSize, setup.orientation) == (code, orientation.value)
    assert (setup.fitToWidth, setup.fitToHeight) == (1, 0)
    assert page.sheet_properties.pageSetUpPr.fitToPage
    assert page.oddFooter.left.text == "A && B"
    assert page.oddFooter.right.text == "Sample Record, page &P of &N"


@pytest.mark.parametrize(
    "words", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\n=1", '=HYPERLINK("x")', "6+1", "#REF!"]
)
def test_text_never_becomes_a_formula(words: str) -> None:
    sheet = sample(
        [{"name": words, "count": words}],
        title=words,
        subtitle=words,
        facts=((words, words),),
        notes=(words,),
    )
    content = to_excel(sheet)
    with zipfile.ZipFile(BytesIO(content)) as book:
        xml = book.read("xl/worksheets/sheet1.xml")
    assert b"<f>" not in xml
    page = opened(content).active
    row = next(row for row in page.iter_rows() if row[1].value == clean(words) and row[0].row > 3)
    for cell in row[:2]:
        assert (cell.value, cell.data_type) == (clean(words), "s")
        assert bool(cell.quotePrefix) is (words[0] in "=+-@\t\n")
    assert {cell.data_type for each in page.iter_rows() for cell in each} <= {"s", "n"}


def test_a_number_and_a_text_that_looks_like_one_stay_apart() -> None:
    page = opened(to_excel(sample([{"name": "8", "count": 8, "notes": "-8"}]))).active
    row = next(row for row in page.iter_rows() if row[0].value == "8")
    assert [row[0].data_type, row[1].data_type, row[5].data_type] == ["s", "n", "s"]


def test_a_blank_form_has_empty_ruled_rows() -> None:
    page = opened(to_excel(sample())).active
    heads = next(number for number, row in enumerate(cells(page), 1) if row[0] == "Name")
    rows = list(page.iter_rows(min_row=heads + 1, max_row=heads + LAYOUT.tables[0].blank_rows))
    assert all(cell.value is None and cell.border.left.style for row in rows for cell in row)
    assert page.cell(heads + len(rows) + 1, 1).value is None
    assert page.cell(heads + len(rows) + 2, 1).value == "• The first note."


def test_hidden_columns_are_not_in_the_file_at_all() -> None:
    content = to_excel(sample([{"name": "a", "secret": "hush-hush"}]))
    with zipfile.ZipFile(BytesIO(content)) as book:
        assert not any(b"hush-hush" in book.read(name) for name in book.namelist())


def test_several_sheets_and_tables_have_worksheets_with_legal_names() -> None:
    second = msgspec.structs.replace(LAYOUT.tables[0], key="more", title="More: of it/all?")
    layout = msgspec.structs.replace(
        LAYOUT, title="'A very long title [of a record], longer*'", tables=(*LAYOUT.tables, second)
    )
    book = opened(to_excel([sample(layout=layout), sample(layout=layout), sample(title="History")]))
    assert book.sheetnames == [
        "A very long title of a record",
        "A very long More of it all",
        "A very long title of a 2",
        "A very long More of it all 2",
        "History sheet",
    ]
    assert all(len(name) <= 31 for name in book.sheetnames)


def test_rows_are_high_enough_for_their_text() -> None:
    page = opened(to_excel(sample([{"name": "a", "notes": "many words " * 60}]))).active
    row = next(row for row in page.iter_rows() if row[0].value == "a")
    height = page.row_dimensions[row[0].row].height
    letters_across = page.column_dimensions["F"].width
    lines = len("many words " * 60) / letters_across
    assert height >= lines * 9 * 1.2
    assert row[5].alignment.wrap_text


def test_the_same_sheets_give_the_same_bytes() -> None:
    assert to_excel(sample(many(5))) == to_excel(sample(many(5)))
    book = opened(to_excel(sample()))
    assert book.properties.created == book.properties.modified


LETTERS = st.text(st.characters(codec=None), max_size=80)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(LETTERS, LETTERS, LETTERS)
def test_whatever_is_written_comes_back_as_text(name: str, note: str, title: str) -> None:
    sheet = sample(
        [{"name": "mark", "count": name, "notes": note}],
        title=title,
        subtitle=name,
        facts=((name, note),),
        footer=note,
        notes=(title,),
    )
    page = opened(to_excel(sheet)).active
    row = next(row for row in page.iter_rows() if row[0].value == "mark")
    for cell, written in ((row[1], name), (row[5], note)):
        assert unescape(cell.value or "") == clean(written)
        assert cell.value is None or cell.data_type == "s"


def test_a_text_too_long_for_a_cell_ends_in_dots() -> None:
    page = opened(to_excel(sample([{"name": "mark", "notes": "x" * 40000}]))).active
    row = next(row for row in page.iter_rows() if row[0].value == "mark")
    assert len(row[5].value) == 32767
    assert row[5].value.endswith("x ...")


@pytest.mark.finding("F-26")
def test_a_long_worksheet_breaks_where_rows_stay_together() -> None:
    book = openpyxl.load_workbook(BytesIO(to_excel(sample(many(230)))))
    page = book.worksheets[0]
    assert (page.page_setup.fitToWidth, page.page_setup.fitToHeight) == (1, 0)
    breaks = [each.id for each in page.row_breaks.brk]
    assert breaks == sorted(set(breaks)) and len(breaks) > 2
    last = max(row for row in range(1, page.max_row + 1) if page.cell(row, 1).value is not None)
    assert last - breaks[-1] >= 3
    # No page is higher than the paper once its width fits.
    wide = sum(each.width for each in page.column_dimensions.values()) * 5.25
    scale = min(1.0, (595 - 62) / wide)
    for start, end in zip([0, *breaks], breaks, strict=False):
        high = sum(page.row_dimensions[row].height or 15 for row in range(start + 1, end + 1))
        assert high * scale < 842 - 70


def test_what_hardly_needs_another_page_is_printed_smaller() -> None:
    """No lone rows: a last page with little on it is spared."""
    found = []
    for count in range(30, 90, 4):
        page = openpyxl.load_workbook(BytesIO(to_excel(sample(many(count))))).worksheets[0]
        found.append((page.page_setup.fitToHeight, len(page.row_breaks.brk)))
    kinds = [(0, 0), (1, 0), (0, 1), (2, 0)]  # pages to fit into, breaks: as it grows
    assert set(found) == set(kinds)
    assert found == sorted(found, key=kinds.index)


def test_a_short_worksheet_has_no_break() -> None:
    book = openpyxl.load_workbook(BytesIO(to_excel(sample(many(3)))))
    assert not book.worksheets[0].row_breaks.brk


@pytest.mark.finding("J-52")
def test_a_tab_is_named_in_whole_words() -> None:
    taken: list[str] = []
    for words, title in (
        ("British Setup Sheet", "For the evening"),
        ("British Setup Sheet", "In force in this scenario"),
        ("British Setup Sheet", "In force in this scenario"),
        ("Victory Points", "Victory levels"),
        ("History", ""),
        ("a" * 40, ""),
        ("[]:*?/", ""),
    ):
        name = tab_name(words, taken, title)
        taken.append(name)
        assert 0 < len(name) <= 31 and len(set(map(str.lower, taken))) == len(taken)
        if "a" * 9 not in name:
            whole = [*words.split(), *title.split(), "2", "sheet", "Sheet"]
            assert all(word in whole for word in name.split()), name
    assert taken[0].split()[0] == "British" and taken[0].split()[-1] == "evening"


def test_the_tabs_of_data_are_named_so_too(tmp_path: Path) -> None:
    rows = [{"a": 1}]
    names = (
        "Campaign and Ledger of Luck of the whole one",
        "Campaign and Ledger of Luck of the end",
    )
    write_tables(dict.fromkeys(names, rows), tmp_path / "x.xlsx")
    book = openpyxl.load_workbook(tmp_path / "x.xlsx")
    first, second = book.sheetnames
    assert len(first) <= 31 and second.split()[-1] == "2"
