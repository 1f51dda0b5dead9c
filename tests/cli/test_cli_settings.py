"""What a player sets once: whose eyes he has, his paper."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pypdf import PdfReader
from typer.testing import CliRunner

from asl_pbcg.cli.main import app
from asl_pbcg.cli.own_settings import setting
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.errors import PBCGError


def pbcg(*args: object) -> str:
    result = CliRunner().invoke(app, [str(arg) for arg in args])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


@pytest.mark.finding("F-35", "F-60")
def test_a_side_is_set_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBCG_SETTINGS", str(tmp_path / "own" / "settings.json"))
    file = tmp_path / "evening.pbcg"
    pbcg("new", file, "--campaign", "cg2", "--auto")
    everything = json.loads(pbcg("status", file, "--json"))
    assert set(everything["ob"]) == {"british", "german"}
    pbcg("settings", "as=british", "paper=letter")
    assert (setting("as"), setting("paper")) == ("british", "letter")
    mine = json.loads(pbcg("status", file, "--json"))
    assert set(mine["ob"]) == {"british"} and mine["cpp"] is None
    assert len(pbcg("log", file)) < len(pbcg("log", file, "--as", "umpire"))
    for command in ("history", "dice", "compare"):  # everywhere, as with --as
        args = [file] * (1 + (command == "compare"))
        assert pbcg(command, *args) == pbcg(command, *args, "--as", "british")
        assert (command == "compare") or pbcg(command, *args) != pbcg(
            command, *args, "--as", "umpire"
        )
    pbcg("records", file, "-o", tmp_path / "a.xlsx")
    pbcg("records", file, "-o", tmp_path / "a.pdf", "--sheet", "purchases", "--as", "german")
    with (tmp_path / "a.pdf").open("rb") as stream:
        page = PdfReader(stream).pages[0].mediabox
        assert {round(float(page.width)), round(float(page.height))} == {612, 792}
    pbcg("settings", "as=")
    assert json.loads(pbcg("settings", "--json")) == {"as": "umpire", "paper": "letter"}


def test_the_paper_is_set_once_for_all_that_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBCG_SETTINGS", str(tmp_path / "settings.json"))
    monkeypatch.chdir(tmp_path)
    pbcg("settings", "paper=letter")
    pbcg("new", "a.pbcg", "--campaign", "cg1", "--auto", "1")
    pbcg("drop", "run", "--at", "X24", "--seed", "1", "--draw", "drop.pdf")
    pbcg("areas", data_path("pb/samples/night-1-end.yaml"), "-o", "areas.pdf")
    for printed in ("board draw", "st map draw", "st records --blank", "history a.pbcg"):
        pbcg(*printed.split(), "-o", f"{printed.replace(' ', '-')}.pdf")
    Path("lines.txt").write_text("note hello\n")
    pbcg("mega", "run", "t.mega", "--script", "lines.txt", "-o", "mega.pdf")
    made = sorted(tmp_path.glob("*.pdf"))
    assert len(made) == 7
    for each in made:
        page = PdfReader(each).pages[0].mediabox
        assert {round(float(page.width)), round(float(page.height))} == {612, 792}, each.name


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("status", ("--as", "German")),
        ("log", ("--side", "BRITISH")),
        ("records", ("--as", "Umpire", "--paper", "A4", "-o", "a.pdf")),
    ],
)
def test_words_to_choose_from_may_be_written_in_any_case(
    command: str, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pbcg("new", "a.pbcg", "--campaign", "CG1", "--balance", "None", "--dice", "Seeded", "--auto")
    typed = pbcg(command, "a.pbcg", *words)
    assert typed == pbcg(command, "a.pbcg", *[each.lower() for each in words])


@pytest.mark.parametrize("change", ["as=french", "colour=red", "as"])
def test_settings_that_are_none(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBCG_SETTINGS", str(tmp_path / "settings.json"))
    with pytest.raises(PBCGError):
        pbcg("settings", change)
    assert not (tmp_path / "settings.json").exists()


def test_a_damaged_file_of_settings_counts_as_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"\xff{")
    monkeypatch.setenv("PBCG_SETTINGS", str(path))
    assert setting("as") == "umpire"


@pytest.mark.parametrize(
    ("typed", "meant"), [(["refti"], "refit"), (["megagame"], "mega"), (["st", "playy"], "play")]
)
def test_a_mistyped_command_names_its_like(
    capsys: pytest.CaptureFixture[str], typed: list[str], meant: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        app(typed)
    assert ended.value.code == 2
    assert f"'{meant}'" in capsys.readouterr().err
