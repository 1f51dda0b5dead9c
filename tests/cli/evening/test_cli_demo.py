"""``pbcg demo`` and the wheel: what a new user meets first."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import openpyxl
import PIL.Image
import pypdf
import pytest
from in_process import pbcg
from sentences import Tells

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("demo") / "pbcg-demo"
    return folder, pbcg("demo", folder)


def test_the_story(tells: Tells, demo: tuple[Path, str]) -> None:
    _, told = demo
    assert "26 squads" in told
    tells(told, "V2-1", "Lt", "Tank", "Pltn", "II")
    tells(told, "Setup Area A", "British")
    tells(told, "No Man's Land")


def test_every_file_opens(demo: tuple[Path, str]) -> None:
    folder, _ = demo
    pages = {
        path.name: len(pypdf.PdfReader(path).pages) for path in folder.iterdir()
        if path.suffix == ".pdf"
    }  # fmt: skip
    assert pages.keys() == {"records.pdf", "blank-forms.pdf", "night-1-map.pdf"}
    assert pages["night-1-map.pdf"] == 1
    for name in ("records.xlsx", "night-1-to-fill-in.xlsx"):
        assert openpyxl.load_workbook(folder / name).sheetnames
    with PIL.Image.open(folder / "night-1-map.png") as picture:
        assert picture.width > 2000
    assert "X18" in pypdf.PdfReader(folder / "night-1-map.pdf").pages[0].extract_text()
    assert "<svg" in (folder / "bridge.svg").read_text(encoding="utf-8")
    assert "Grenadier Regiment 736" in "\n".join(
        page.extract_text() for page in pypdf.PdfReader(folder / "records.pdf").pages
    )
    assert "Next:" in pbcg("status", folder / "coup-de-main.pbcg")
    pbcg("position", "check", folder / "night-1-end.yaml")


def test_the_workbook_lists_every_piece_and_says_what_is_missing(
    tells: Tells, demo: tuple[Path, str]
) -> None:
    folder, _ = demo
    told = pbcg("position", "check", folder / "night-1-to-fill-in.xlsx", code=2)
    tells(told, "sheet")
    assert "E-3" in "\n".join(
        str(row[0].value)
        for row in openpyxl.load_workbook(folder / "night-1-to-fill-in.xlsx")["units"].iter_rows()
    )


def test_a_folder_that_exists_is_left_alone(demo: tuple[Path, str]) -> None:
    folder, _ = demo
    before = sorted(path.stat().st_mtime for path in folder.iterdir())
    assert "exists already" in pbcg("demo", folder, code=2)
    assert sorted(path.stat().st_mtime for path in folder.iterdir()) == before


def test_the_built_wheel_carries_its_data_and_runs_elsewhere(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
         "--wheel-dir", str(tmp_path), str(ROOT)],
        check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(installed)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(installed)}

    def run(*args: str) -> str:
        return subprocess.run(
            [sys.executable, *args], cwd=elsewhere, env=environment, check=True,
            capture_output=True, text=True, encoding="utf-8",
        ).stdout  # fmt: skip

    where = run("-c", "import asl_pbcg; print(asl_pbcg.__file__)").strip()
    assert Path(where).is_relative_to(installed)
    assert "shift" in run("-m", "asl_pbcg", "table", "--list", "--json")
    run("-m", "asl_pbcg", "records", "--blank", "-o", "blank.pdf", "--as", "umpire")
    assert (elsewhere / "blank.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.finding("F-23")
def test_the_demo_goes_through_a_whole_refit_phase_with_its_own_files(
    tells: Tells, demo: tuple[Path, str], tmp_path: Path
) -> None:
    folder, _ = demo
    file = tmp_path / "coup-de-main.pbcg"
    file.write_bytes((folder / "coup-de-main.pbcg").read_bytes())
    told = pbcg("refit", file, "--position", folder / "night-1-end.yaml", "--auto", "5")
    tells(told, "Night II")
    lost = [line for line in pbcg("log", file).splitlines() if "Eliminated in play" in line]
    assert len(lost) == 1 and " b-" not in lost[0]  # a few Germans, of the British nobody
    assert lost[0].count(" g-") <= 6
    records = tmp_path / "records.xlsx"
    pbcg("records", file, "--as", "umpire", "-o", records)
    sheets = openpyxl.load_workbook(records)
    summary = sheets.worksheets[0].title  # one page of the RePh stands before the Roster
    roster = [
        str(cell.value)
        for sheet in sheets.worksheets
        if sheet.title != summary
        for row in sheet.iter_rows()
        for cell in row
    ]
    assert "Night I" in roster and "13" in roster  # what the Germans lost


def test_what_the_demo_prints_can_be_typed(
    demo: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, told = demo
    copy = shutil.copytree(folder, tmp_path / folder.name)
    monkeypatch.chdir(tmp_path)
    words = " ".join(told.split()).replace(str(folder), str(copy))
    printed = re.findall(r"pbcg ((?:refit|records|serve|new) \S+(?: -\S+ \S+)*)", words)
    commands = [shlex.split(each) for each in printed]
    assert [each[0] for each in commands] == ["refit", "records", "records", "serve", "new"]
    for each in commands:
        if each[0] != "serve":  # which runs until it is stopped: test_web_guard.py
            pbcg(*each, *(["--auto", "5"] if each[0] == "refit" else []), typed="q\n")
    written = {path.name for path in tmp_path.iterdir()}
    assert written >= {"german.pdf", "british.pdf", "evening.pbcg"}


@pytest.mark.finding("F-31")
def test_a_position_given_too_early_is_kept_until_it_is_asked_for(
    tells: Tells, demo: tuple[Path, str], tmp_path: Path
) -> None:
    """F-31: also where the other side is due first, or does not agree yet.

    The first Enter is the German's to the difference that the position makes.
    """
    file, end = tmp_path / "evening.pbcg", tmp_path / "night-1-end.yaml"
    shutil.copyfile(demo[0] / "coup-de-main.pbcg", file)
    shutil.copyfile(demo[0] / end.name, end)
    told = pbcg("refit", file, "--as", "german", "--position", end, typed="\ndr\n")
    assert f"{end} is kept" in told
    told = pbcg("refit", file, "--as", "british", typed="accept\n\n")
    assert "given before" not in told  # what one side gave is not the other's word
    told = pbcg("refit", file, "--as", "german", typed="\naccept\n")
    assert f"{end}, given before, will be taken." in told
    assert "Proposed" in told and f"{end} is kept" not in told
    assert "given before" not in pbcg("refit", file, "--as", "german", typed="q\n")
    told = pbcg("refit", file, "--as", "british", typed="look\naccept\nq\n")
    assert "proposes: a position with" in " ".join(told.split())
    tells(" ".join(pbcg("log", file).split()), "Night I")
    assert not list(tmp_path.glob(".*position*"))
    # It was given: it is not spoken of any more.
    assert "given before" not in pbcg("refit", file, "--as", "german", typed="q\n")
