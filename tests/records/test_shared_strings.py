"""Every workbook keeps its texts where previews, phones and Numbers look for them."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import openpyxl
import pytest
from in_process import run_pbcg

from asl_pbcg.records.data_tables import tables_as

pytestmark = pytest.mark.finding("J-68")
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
SAMPLE = Path(__file__).parent.parent / "golden_cg2" / "night-1.position.yaml"
CELL = r'<c [^>]*t="([a-zA-Z]+)"'

COMMANDS = {
    "a template": ("position", "template", "BOOK"),
    "a template of a paper campaign": ("position", "template", "BOOK", "--records"),
    "records": ("records", "FILE", "-o", "BOOK", "--as", "umpire"),
    "blank forms": ("records", "--blank", "-o", "BOOK"),
    "history": ("history", "FILE", "-o", "BOOK", "--as", "umpire"),
    "dice": ("dice", "FILE", "-o", "BOOK"),
    "rosters of the area game": ("st", "records", "--blank", "-o", "BOOK"),
    "a simulation": ("st", "sim", "--games", "2", "--jobs", "1", "-o", "BOOK"),
}


def texts_of(content: bytes) -> Iterator[str]:
    """Read the texts of the cells from the XML itself, sheet by sheet."""
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        shared = [
            "".join(part.text or "" for part in item.iter(f"{MAIN}t"))
            for item in ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
        ]
        assert len(set(shared)) == len(shared)
        sheets = [name for name in book.namelist() if name.startswith("xl/worksheets/sheet")]
        for name in sorted(sheets, key=lambda each: int(re.findall(r"\d+", each)[0])):
            for cell in ElementTree.fromstring(book.read(name)).iter(f"{MAIN}c"):
                assert cell.get("t") in (None, "n", "s", "b", "d"), cell.attrib
                if cell.get("t") == "s":
                    yield shared[int(cell.findtext(f"{MAIN}v") or "")]


def check_book(content: bytes) -> None:
    """Hold the texts of the XML against those that openpyxl reads."""
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        assert not [name for name in book.namelist() if b"inlineStr" in book.read(name)]
        assert b"/xl/sharedStrings.xml" in book.read("[Content_Types].xml")
        assert b'"sharedStrings.xml"' in book.read("xl/_rels/workbook.xml.rels")
    read = [
        cell.value
        for sheet in openpyxl.load_workbook(io.BytesIO(content)).worksheets
        for row in sheet.iter_rows()
        for cell in row
        if isinstance(cell.value, str)
    ]
    assert read and list(texts_of(content)) == read


@pytest.mark.parametrize("kind", COMMANDS)
def test_a_workbook_holds_shared_strings_only(kind: str, night_1: Path, tmp_path: Path) -> None:
    book = tmp_path / "book.xlsx"
    given = {"FILE": str(night_1), "BOOK": str(book)}
    told = run_pbcg(*(given.get(word, word) for word in COMMANDS[kind]))
    assert told.code == 0, told.err
    check_book(book.read_bytes())


def test_odd_texts_come_back_as_they_are() -> None:
    odd = [" blank ", "a\nb", "<&>\"'", "=1+1", "żółć 山田", "_x000D_", "1", "", "a", "a"]
    content = tables_as({"notes": [{"text": each} for each in odd]}, "xlsx")
    check_book(content)
    assert content == tables_as({"notes": [{"text": each} for each in odd]}, "xlsx")
    assert list(texts_of(content))[1:4] == odd[:3]
