"""Saving sheets: the suffix says how, and nothing is half written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from records_samples import many, sample

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.records import save, to_excel, to_pdf


def test_the_suffix_says_how_a_sheet_is_written(tmp_path: Path) -> None:
    sheets = [sample(many(3)), sample()]
    save(sheets, tmp_path / "a.pdf", "Letter")
    save(sheets, tmp_path / "a.XLSX")
    assert (tmp_path / "a.pdf").read_bytes() == to_pdf(sheets, "Letter")
    assert (tmp_path / "a.XLSX").read_bytes() == to_excel(sheets)


@pytest.mark.parametrize("name", ["record.docx", "record", "record.xls"])
def test_other_suffixes_get_a_sentence_and_leave_no_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(PBCGError, match=r"a sheet is written as \.pdf or \.xlsx"):
        save(sample(), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_failure_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"old")
    with pytest.raises(PBCGError, match="no paper size"):
        save(sample(), path, "foolscap")
    with pytest.raises(PBCGError, match="There is no sheet to print"):
        save([], path)
    assert path.read_bytes() == b"old"
    with pytest.raises(PBCGError, match="could not be written: there is no such file or folder"):
        save(sample(), tmp_path / "nowhere" / "a.pdf")


def test_nothing_heavy_is_loaded_before_something_is_printed() -> None:
    program = (
        "import sys, asl_pbcg.records, asl_pbcg.campaign.sheets;"
        "asl_pbcg.records.load_layout('cg_roster');"
        "print([m for m in ('pandas', 'reportlab', 'openpyxl', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parent.parent,
        env={**os.environ},
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "[]"
