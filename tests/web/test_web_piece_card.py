"""The card of a piece with its service record, notes that are changed, and tables as files."""

from __future__ import annotations

import csv
import io
import shutil
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from golden_campaign import FILE, play
from web_help import app_client
from web_screen import axe_in_both, looker

SQUAD, PLACE = "b-648-2", "Y20"
TOLD = "words => document.querySelector('.logsteps')?.textContent.includes(words)"


@pytest.fixture(scope="module")
def night_1_over(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("piece-card")
    return play("cg1", folder, until="night-1", records=False).file and folder / FILE


@pytest.fixture
def file(night_1_over: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(night_1_over, tmp_path / "evening.pbcg"))


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


@pytest.mark.finding("G-36")
def test_tables_of_the_page_are_files_for_its_viewer(file: Path) -> None:
    with app_client(file.parent) as client:
        id = client.get("/api/games").json()["games"][0]["id"]

        def table(name: str, eyes: str) -> Any:
            return client.get(f"/api/games/{id}/tables/{name}", params={"eyes": eyes})

        dates = rows_of(table("dates.csv", "british").content)
        assert next(row["title"] for row in dates if row["table"] == "dates") == "Night I"
        assert "rg" not in {row["table"] for row in dates}
        losses = rows_of(table("losses.csv", "british").content)
        assert {row["table"] for row in losses} == {"honours", "losses"}
        assert {row["side"] for row in losses} == {"british"}
        assert {row["side"] for row in rows_of(table("losses.csv", "umpire").content)} == {
            "british",
            "german",
        }
        log = rows_of(table("log.csv", "british").content)
        assert log and {row["seq"] for row in log} == {"0"}
        assert not [row for row in log if row["secret"] == "True" and row["side"] == "german"]
        book = openpyxl.load_workbook(io.BytesIO(table("dice.xlsx", "umpire").content))
        assert [cell.value for cell in next(book["dice"].iter_rows())][:3] == [
            "side",
            "dice",
            "total",
        ]
        forces = rows_of(table("british-forces.csv", "british").content)
        assert "6-4-8" in {row["type"] for row in forces}
        for wrong in ("nothing.csv", "german-setup.csv"):
            assert table(wrong, "british").status_code == 422
        assert rows_of(table("luck.csv", "").content)


@pytest.mark.finding("G-61")
@pytest.mark.finding("G-36")
@pytest.mark.finding("G-35")
def test_a_card_tells_the_service_of_a_piece_and_takes_notes(chromium: Any, file: Path) -> None:
    with looker(chromium, file)("british") as (screen,):
        page = screen.page
        page.wait_for_selector(".board.painted")
        page.fill(".finder input", PLACE)
        page.press(".finder input", "Enter")
        page.click(f".facts [data-look='{SQUAD}']")
        page.wait_for_selector("dialog .piececard")
        record = page.inner_text("dialog .stations")
        assert "Night I" in record and "Deployed into" in record
        assert axe_in_both(page) == []
        page.fill("dialog [name=note]", "Held by a hair.")
        page.click("dialog [data-action=note]")
        page.wait_for_selector("dialog", state="detached")
        page.click("[data-view=log]")
        page.click(".ownnotes summary")
        page.fill(".ownnotes [name=note]", "Held by two hairs.")
        page.click("[data-action=correct-note]")
        page.wait_for_function(TOLD, arg="Note corrected. British, A-2: Held by two hairs.")
        page.wait_for_function(TOLD, arg="Note. British, A-2: Held by a hair.")
        page.click(".ownnotes summary")
        page.click("[data-action=withdraw-note]")
        page.wait_for_selector(".ownnotes", state="detached")
        page.wait_for_function(TOLD, arg="Note withdrawn. British, A-2: Held by two hairs.")
        with page.expect_download() as saved:
            page.click("[data-table='log.csv']")
        assert saved.value.suggested_filename == "evening-log.csv"
        page.click("[data-view=back]")
        page.wait_for_selector("[data-table='losses.xlsx']")
        assert axe_in_both(page) == []
