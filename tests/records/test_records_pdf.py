"""Sheets as PDF: what stands on the pages, and that nothing is cut or runs over an edge."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pypdf
import pypdfium2 as pdfium
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from records_samples import LAYOUT, many, sample
from sentences import Tells, raised

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.records import Paper, Sheet, blocks, to_pdf
from asl_pbcg.records.layout import Column, Fill, Layout, Orientation, TableLayout
from asl_pbcg.records.sheet_grid import PAD


def pages(content: bytes) -> list[str]:
    return [page.extract_text() for page in pypdf.PdfReader(BytesIO(content)).pages]


def words(content: bytes) -> str:
    return " ".join(" ".join(pages(content)).split())


def outside(content: bytes, margin: float = 20) -> list[str]:
    """The letters that stand nearer than ``margin`` points to an edge of their page."""
    found = []
    document = pdfium.PdfDocument(content)
    try:
        for page in document:
            wide, high = page.get_size()
            text = page.get_textpage()
            for place in range(text.count_chars()):
                left, bottom, right, top = text.get_charbox(place)
                if right - left <= 0 or top - bottom <= 0:
                    continue
                if left < margin or right > wide - margin or bottom < 12 or top > high - 12:
                    found.append(text.get_text_range(place, 1))
            text.close()
            page.close()
    finally:
        document.close()
    return found


def test_a_sheet_says_what_it_was_given() -> None:
    sheet = sample(
        [
            {
                "name": "Jürgen",
                "count": 25,
                "fpp": 9.5,
                "drm": 2,
                "secret": "hush",
                "notes": "2 < 3 & ≤",
            }
        ],
        subtitle="Campaign I",
        facts=(("British player", "Alice"), ("German player", "")),
        notes=("The second note.",),
        footer="Campaign I, Dawn",
    )
    text = words(to_pdf(sheet))
    for part in (
        "Sample Record", "Campaign I", "British player", "Alice", "German player", "Name",
        "Numbers", "Count", "Initials", "Jürgen", "25", "9½", "+2", "2 < 3 & ≤",
        "The first note.", "The second note.", "Campaign I, Dawn", "Sample Record, page 1 of 1",
    ):  # fmt: skip
        assert part in text
    assert "hush" not in text
    assert "Hidden" not in text


@pytest.mark.parametrize("paper", list(Paper))
@pytest.mark.parametrize("orientation", list(Orientation))
def test_paper_and_orientation(paper: Paper, orientation: Orientation) -> None:
    layout = msgspec.structs.replace(LAYOUT, orientation=orientation)
    content = to_pdf(sample(many(3), layout=layout), paper)
    box = pypdf.PdfReader(BytesIO(content)).pages[0].mediabox
    sizes = {
        Paper.A4: (595, 842),
        Paper.LETTER: (612, 792),
        Paper.A3: (842, 1191),
        Paper.TABLOID: (792, 1224),
    }[paper]
    expected = sizes if orientation is Orientation.PORTRAIT else sizes[::-1]
    assert (round(float(box.width)), round(float(box.height))) == expected
    assert not outside(content)


def test_a_paper_nobody_sells(tells: Tells) -> None:
    tells(raised(PBCGError, lambda: to_pdf(sample(), "A5")), "A5", "A4", "Letter", "A3", "Tabloid")
    assert to_pdf(sample(), "letter") == to_pdf(sample(), Paper.LETTER)


def test_headings_and_page_numbers_stand_on_every_page() -> None:
    found = pages(to_pdf(sample(many(150), footer="The foot")))
    assert len(found) > 2
    for number, page in enumerate(found, 1):
        assert "Count" in page
        assert "The foot" in page
        assert f"Sample Record, page {number} of {len(found)}" in page
        assert ("Sample Record, continued" in page) is (number > 1)
    rows = [word for page in found for word in page.split() if word.startswith("note")]
    assert [word for word in rows if word != "note."] == [f"note{n}" for n in range(150)]


def test_each_sheet_counts_its_own_pages_and_keeps_its_orientation() -> None:
    wide = msgspec.structs.replace(LAYOUT, orientation=Orientation.LANDSCAPE, title="Wide")
    content = to_pdf([sample(many(60)), sample(many(2), layout=wide), sample(many(2))])
    found = pages(content)
    assert [page.split("page ")[-1].strip() for page in found] == [
        "1 of 2",
        "2 of 2",
        "1 of 1",
        "1 of 1",
    ]
    boxes = [page.mediabox for page in pypdf.PdfReader(BytesIO(content)).pages]
    assert [box.width > box.height for box in boxes] == [False, False, True, False]


def test_the_same_sheets_give_the_same_bytes_in_every_run() -> None:
    program = (
        "import sys, hashlib; from asl_pbcg.records import to_excel, to_pdf;"
        "from records_samples import many, sample;"
        "s = [sample(many(9), facts=(('a', 'ł'),)), sample()];"
        "print(hashlib.sha256(to_pdf(s) + to_excel(s)).hexdigest())"
    )
    root = Path(__file__).parent.parent.parent
    seen = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=root,
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": str(root / "tests" / "support"),
            },
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1


def test_a_long_text_wraps_and_a_longer_one_runs_over_pages() -> None:
    long = [f"word{n}" for n in range(3000)]
    content = to_pdf(sample([{"name": "Tall", "notes": " ".join(long)}, {"name": "After"}]))
    found = pages(content)
    assert len(found) > 3
    printed = [word for page in found for word in page.split() if word.startswith("word")]
    assert printed == long
    assert "After" in found[-1]
    assert not outside(content)


def test_a_word_wider_than_its_column_breaks_and_a_number_never() -> None:
    content = to_pdf(sample([{"name": "x" * 400, "count": 123456789012345, "notes": "y" * 2000}]))
    assert not outside(content)
    text = "".join("".join(pages(content)).split())
    assert text.count("x") == 400
    assert text.count("y") == 2000
    assert "123456789012345" in "".join(pages(content)).splitlines()


def test_a_table_wider_than_the_page_is_made_smaller() -> None:
    columns = tuple(Column(key=f"k{n}", heading=f"Heading{n}", width=40) for n in range(24))
    layout = Layout(
        name="wide", title="Wide", tables=(TableLayout(key="rows", columns=columns, font_size=9),)
    )
    row = {f"k{n}": f"6-4-{n}" for n in range(24)}
    content = to_pdf(Sheet(layout=layout, tables={"rows": [row]}))
    assert not outside(content)
    text = words(content)
    assert all(f"6-4-{n}" in text for n in range(24))


def test_headings_that_leave_no_room_for_rows_get_a_sentence(tells: Tells) -> None:
    columns = tuple(
        Column(key=f"k{n}", heading="W" * 80, group=f"{'W' * 77}{n}", width=3) for n in range(40)
    )
    layout = Layout(name="x", title="X", tables=(TableLayout(key="rows", columns=columns),))
    tells(raised(PBCGError, lambda: to_pdf(Sheet(layout=layout))), "take")


def test_a_blank_form_fills_its_page() -> None:
    def ruled(fill: Fill, paper: Paper) -> float:
        table = msgspec.structs.replace(LAYOUT.tables[0], fill=fill, blank_rows=5, row_height=7)
        layout = msgspec.structs.replace(LAYOUT, tables=(table,))
        content = to_pdf(sample(layout=layout, footer="foot"), paper)
        assert len(pages(content)) == 1
        document = pdfium.PdfDocument(content)
        lines = [each.get_bounds()[1] for each in document[0].get_objects() if each.type == 2]
        document.close()
        return min(low for low in lines if low > 45)

    for paper in Paper:
        assert ruled(Fill.NONE, paper) > 400
        assert ruled(Fill.ROWS, paper) < 80
        assert ruled(Fill.HEIGHT, paper) < 80


def test_a_filled_table_without_lines_says_so() -> None:
    assert "None" in words(to_pdf(sample([])))
    assert "None" not in words(to_pdf(sample()))


def test_a_table_that_fills_its_page_leaves_no_page_to_its_notes_alone() -> None:
    table = msgspec.structs.replace(LAYOUT.tables[0], fill=Fill.HEIGHT, row_height=13)
    layout = msgspec.structs.replace(LAYOUT, tables=(table,), notes=("A note.",) * 4)
    counts = [len(pages(to_pdf(sample(many(count), layout=layout)))) for count in range(8, 24)]
    loose = msgspec.structs.replace(table, fill=Fill.NONE)
    layout = msgspec.structs.replace(layout, tables=(loose,))
    as_high = [len(pages(to_pdf(sample(many(count), layout=layout)))) for count in range(8, 24)]
    assert counts == sorted(counts) and set(counts) == {1, 2}
    assert counts.count(1) > as_high.count(1)


def test_empty_lines_alone_take_no_page() -> None:
    """A page is begun for a line that says something, never for lines to write on alone."""
    table = msgspec.structs.replace(LAYOUT.tables[0], spare_rows=6, fill=Fill.ROWS)
    layout = msgspec.structs.replace(LAYOUT, tables=(table,), notes=("A note.",))
    counts = []
    for count in range(20, 60):
        found = pages(to_pdf(sample(many(count), layout=layout)))
        counts.append(len(found))
        assert f"note{count - 1}" in found[-1] and "A note." in found[-1], count
    assert counts == sorted(counts) and set(counts) == {1, 2}


def test_sections_head_their_rows_and_go_on_on_the_next_page() -> None:
    table = msgspec.structs.replace(LAYOUT.tables[0], section="name", freeze=1)
    layout = msgspec.structs.replace(LAYOUT, tables=(table,))
    rows = [{"name": f"Area {'AB'[n // 60]}", "count": n} for n in range(120)]
    found = pages(to_pdf(sample(rows, layout=layout)))
    text = "\n".join(found)
    assert text.count("Area A\n") == text.count("Area B\n") == 1
    assert "Name" not in text
    for page in found[1:]:
        assert page.split("DRM")[1].split()[0] == "Area"
    assert "Name" in words(to_pdf(sample(layout=layout)))  # a blank form keeps the column


@pytest.mark.finding("G-80")
def test_headings_stand_once_on_a_page() -> None:
    """Rows given up for a good break begin the next page, not the rest of this one."""
    table = msgspec.structs.replace(LAYOUT.tables[0], section="name", freeze=1)
    layout = msgspec.structs.replace(LAYOUT, tables=(table,))
    for size in range(3, 12):
        rows = [
            {"name": f"Area {n // size}", "count": n, "notes": "word " * (n * 7 % 40)}
            for n in range(150)
        ]
        for page in pages(to_pdf(sample(rows, layout=layout))):
            assert page.count("Initials") <= 1


def test_letters_no_font_has_leave_no_black_box() -> None:
    content = to_pdf(sample([{"name": "Иван ☠ 中", "notes": "Łukasz ≤ ½ →"}]))
    text = words(content)
    assert "Иван [skull and crossbones]" in text
    assert "Łukasz ≤ ½ →" in text
    assert "■" not in text


def overflowing(cell: Any, wide: float) -> bool:
    """Whether a line of the paragraph is wider than its cell."""
    cell.wrap(wide - 2 * PAD, 1e6)
    for line in cell.blPara.lines:
        spare = line[0] if isinstance(line, tuple) else line.extraSpace
        if spare < -PAD:
            return True
    return False


LETTERS = st.text(st.characters(codec=None), max_size=60)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(LETTERS, LETTERS, LETTERS, st.one_of(st.none(), st.integers(), st.floats(), LETTERS))
@example("", "", "", "000V¼ 00000A¼")  # fits with a space a little narrower
def test_nothing_that_can_be_written_stops_the_press(
    title: str, note: str, name: str, count: object
) -> None:
    row = {"name": name, "count": count, "drm": count, "notes": note}
    made = blocks.table(LAYOUT.tables[0], [row], 300, 700, blank=False, room=0)
    for each in (*made.heads, *made.rows):
        for cell, wide in zip(each.cells, made.widths, strict=True):
            assert not cell or each.span or not overflowing(cell, wide)
    sheet = sample(
        [row],
        title=title,
        subtitle=note,
        facts=((name, title), (note, note)),
        notes=(name,),
        footer=title + note,
    )
    content = to_pdf(sheet)
    assert content.startswith(b"%PDF")
    assert not outside(content)


def two_tables(rows: int) -> Sheet:
    column = Column(key="name", heading="Name", width=40)
    tables = tuple(TableLayout(key=key, columns=(column,)) for key in ("first", "second"))
    filled = {
        "first": [{"name": f"row {number}"} for number in range(rows)],
        "second": [{"name": "the last"}] * 3,
    }
    return Sheet(layout=Layout(name="two", title="Two", tables=tables), tables=filled)


def test_two_tables_are_a_little_smaller_where_that_spares_a_page() -> None:
    counts = {rows: len(pages(to_pdf(two_tables(rows)))) for rows in (20, 30, 36, 42, 50)}
    assert list(counts.values()) == [1, 1, 1, 1, 2]
    for rows in (42, 50):  # no row is lost, be it smaller or not
        printed = words(to_pdf(two_tables(rows)))
        assert all(f"row {number}" in printed for number in range(rows))
        assert printed.count("the last") == 3


def test_a_whole_column_breaks_behind_commas_only() -> None:
    listed = ", ".join(f"M{number} {number}" for number in range(1, 12))
    for whole in (False, True):
        column = Column(key="rg", heading="RG", width=20, whole=whole)
        other = Column(key="notes", heading="Notes", width=160)
        layout = Layout(
            name="whole", title="Whole", tables=(TableLayout(key="t", columns=(column, other)),)
        )
        (page,) = pages(to_pdf(Sheet(layout=layout, tables={"t": [{"rg": listed}]})))
        lines = [line for line in page.splitlines() if re.match(r"\s*(M?\d)", line)]
        broken = any(re.search(r"M\d+\s*$|^\s*\d", line) for line in lines)
        assert broken is not whole
