"""Before a print it is said which texts have letters without a font of the program (J-65)."""

from __future__ import annotations

from pathlib import Path

import pytest
from in_process import pbcg
from records_samples import sample
from sentences import Tells

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.kernel.paper_letters import hear_missing_letters, missing_words
from asl_pbcg.records import Sheet, to_excel, to_pdf

pytestmark = pytest.mark.finding("J-65")


def sheet_about(names: str) -> Sheet:
    return sample([{"name": names}])


@pytest.mark.parametrize("name", ["山田太郎", "김철수", "สมชาย", "אבי"])
def test_a_name_without_a_font_is_said_once(name: str) -> None:
    said: list[str] = []
    with hear_missing_letters(said.append):
        to_pdf(sheet_about(f"Anne, {name} (żółć, Ольга)"))
        to_pdf(sheet_about(f"Anne, {name}"))
    assert said == [missing_words([name])]


def test_a_workbook_and_drawn_letters_are_not_spoken_of() -> None:
    said: list[str] = []
    with hear_missing_letters(said.append):
        to_excel(sheet_about("山田太郎"))
        to_pdf(sheet_about("Zoë żółć Ольга Ωμέγα ﬁne – “×”"))
    assert not said


def test_a_map_is_spoken_of_as_a_sheet_is() -> None:
    said: list[str] = []
    with hear_missing_letters(said.append):
        drawing = Drawing(100, 100)
        drawing.text(50, 50, "山田太郎", 9)
        drawing.to_pdf()
    assert said == [missing_words(["山田太郎"])]


def test_it_is_said_before_a_file_is_written(tells: Tells, tmp_path: Path) -> None:
    file, paper = tmp_path / "evening.pbcg", tmp_path / "no folder" / "r.pdf"
    pbcg("new", file, "--campaign", "CG1", "--british", "山田太郎", "--auto", "3")
    book = pbcg("records", file, "--sheet", "roster", "-o", tmp_path / "r.xlsx")
    assert "山田太郎" not in book
    told = pbcg("records", file, "--sheet", "roster", "-o", tmp_path / "r.pdf")
    tells(told, "山田太郎", "Latin letters", "Excel workbook")
    tells(pbcg("records", file, "-o", paper, code=2), "山田太郎")
