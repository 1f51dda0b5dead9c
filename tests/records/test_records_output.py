"""Saving sheets: the suffix says how, and nothing is half written."""

from __future__ import annotations

import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest
from PIL import Image
from pypdf import PdfReader
from records_samples import many, sample
from sentences import Tells, raised

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import Pen
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.records import save, to_excel, to_pdf


def test_the_suffix_says_how_a_sheet_is_written(tmp_path: Path) -> None:
    sheets = [sample(many(3)), sample()]
    save(sheets, tmp_path / "a.pdf", "Letter")
    save(sheets, tmp_path / "a.XLSX")
    assert (tmp_path / "a.pdf").read_bytes() == to_pdf(sheets, "Letter")
    assert (tmp_path / "a.XLSX").read_bytes() == to_excel(sheets)


@pytest.mark.parametrize("name", ["record.docx", "record", "record.xls"])
def test_other_suffixes_get_a_sentence_and_leave_no_file(
    tells: Tells, tmp_path: Path, name: str
) -> None:
    tells(raised(PBCGError, lambda: save(sample(), tmp_path / name)), "written")
    assert not list(tmp_path.iterdir())


def test_a_failure_keeps_the_old_file(tells: Tells, tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"old")
    tells(raised(PBCGError, lambda: save(sample(), path, "foolscap")), "paper")
    tells(raised(PBCGError, lambda: save([], path)), "sheet")
    assert path.read_bytes() == b"old"
    tells(raised(PBCGError, lambda: save(sample(), tmp_path / "nowhere" / "a.pdf")), "written")


def test_nothing_heavy_is_loaded_before_something_is_printed() -> None:
    program = (
        "import sys, asl_pbcg.records, asl_pbcg.campaign.sheets.campaign_sheets_content;"
        "asl_pbcg.records.load_layout('cg_roster');"
        "print([m for m in ('pandas', 'reportlab', 'openpyxl', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parent.parent.parent,
        env={**os.environ},
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "[]"


def test_a_picture_stands_on_a_page_of_its_own() -> None:
    drawing = Drawing(300, 200, "Map")
    drawing.text(150, 100, "Pegasus Bridge", 20, "#000000")
    drawing.box(10, 10, 60, 40, Pen(fill="#ff0000"))
    sheets = [sample(many(80), picture=drawing), sample(many(3))]
    content = to_pdf(sheets)
    pages = PdfReader(BytesIO(content)).pages
    texts = [page.extract_text() for page in pages]
    pictured = [number for number, text in enumerate(texts) if "Pegasus Bridge" in text]
    assert len(pictured) == 1
    assert pages[pictured[0]].mediabox[2:] == [300, 200]
    assert texts[pictured[0]].strip() == "Pegasus Bridge"
    assert f"page {pictured[0]} of {pictured[0]}" in texts[pictured[0] - 1]
    assert "page 1 of 1" in texts[-1]
    assert to_pdf(sheets) == content
    book = to_excel(sheets)
    assert to_excel(sheets) == book
    page = openpyxl.load_workbook(BytesIO(book))["Sample Record picture"]
    (image,) = page._images
    picture = Image.open(image.ref).convert("RGB")
    assert picture.size == (625, 417)
    assert picture.getpixel((60, 60)) == (255, 0, 0)
    assert page.page_setup.orientation == "landscape"
