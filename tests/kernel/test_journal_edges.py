"""The edges of what comes from others: seal, numbers, texts, streams, scripts (F-78 to F-80)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest
import yaml
from drop_evening import Pbcg, sealed
from sentences import Tells

from asl_pbcg.cli.terminal.streams import guard_text
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import make_new

ROOT = Path(__file__).parent.parent.parent


def run(
    *args: str | Path, encoding: str = "utf-8", shell: str = "", folder: Path | None = None
) -> tuple[int, str]:
    """The program as a process: its exit code and what it printed."""
    command = [sys.executable, "-m", "asl_pbcg", *map(str, args)]
    result = subprocess.run(
        ["sh", "-c", f'"$@" {shell}', "sh", *command],
        capture_output=True, cwd=folder, check=False, stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    told = (result.stdout + result.stderr).decode(encoding, "replace")
    assert "Traceback" not in told, told[-2000:]
    return result.returncode, " ".join(told.split())


# -- F-78 --------------------------------------------------------------------------------


def test_the_seal_covers_settings_and_map(tells: Tells, pbcg: Pbcg, tmp_path: Path) -> None:
    mark = sealed(pbcg)
    pbcg("drop", "orders", "drop.pbcg", "--open", "opened.yaml")
    opened = tmp_path / "opened.yaml"
    content = yaml.safe_load(opened.read_text(encoding="utf-8"))
    tells(pbcg("drop", "orders", "opened.yaml", "--check", mark), "sealed")
    content["sealed"]["settings"]["stacking_limit"] = 5
    opened.write_text(yaml.safe_dump(content), encoding="utf-8")
    told = pbcg("drop", "orders", "opened.yaml", "--check", mark, code=2)
    tells(told, "setting")


# -- F-79 --------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["²", "9" * 5000, "-" + "9" * 5000, "1e400"])
@pytest.mark.parametrize(
    "words",
    [
        ["table", "escape.infantry", "--given", "hs_equivalents={}"],
        ["table", "escape.infantry", "--roll", "{}"],
        ["drop", "run", "--at", "X24", "--wind", "{}", "--speed", "low"],
        ["mega", "fire", "12", "rifles", "at", "9", "--result", "{}"],
    ],
)
def test_a_senseless_number_gets_a_sentence(pbcg: Pbcg, words: list[str], number: str) -> None:
    told = pbcg(*(word.replace("{}", number) for word in words), code=2)
    assert len(told) < 12_000


def test_a_lone_surrogate_in_json_gets_a_sentence(pbcg: Pbcg, tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(
        '{"format": "pbcg-position/1", "date": "night-1", "units": '
        '[{"id": "\\ud800", "side": "british", "type": "6-4-8", "at": "Z15"}]}'
    )
    for command in (["position", "check", "p.json"], ["areas", "p.json", "--json"]):
        pbcg(*command, code=2)


def test_a_date_on_the_control_sheet_gets_a_sentence(pbcg: Pbcg, tmp_path: Path) -> None:
    from datetime import date

    pbcg("position", "template", "p.xlsx")
    book = openpyxl.load_workbook(tmp_path / "p.xlsx")
    sheet = next(each for each in book if "control" in each.title.lower())
    for row in range(2, 6):
        for column in range(1, 4):
            sheet.cell(row, column).value = date(1944, 6, 6)
    book.save(tmp_path / "p.xlsx")
    assert "1944" in pbcg("position", "check", "p.xlsx", code=2)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_output_in_any_encoding(encoding: str) -> None:
    code, told = run("table", "--list", encoding=encoding)
    assert (code, "escape.infantry" in told) == (0, True)


def test_no_input_and_no_room_for_output(tells: Tells, tmp_path: Path) -> None:
    code, _ = run("new", "a.pbcg", "--campaign", "CG1", shell="<&-", folder=tmp_path)
    assert code in (0, 2)
    if Path("/dev/full").exists():
        code, told = run("rulings", shell=">/dev/full")
        assert code == 2
        tells(told, "written")


def test_what_a_file_holds_commands_no_terminal() -> None:
    assert guard_text("a\x1b[2Jb\x9bc\nd‮e") == "a<U+001B>[2Jb<U+009B>c\nd<U+202E>e"


# -- F-80 --------------------------------------------------------------------------------


def test_a_script_writes_only_below_its_folder(tells: Tells, pbcg: Pbcg, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside.pdf"
    for line in (f"log -o {outside}", "log -o ../other.pdf", f"settings --example {outside}"):
        (tmp_path / "evening.txt").write_text(f"unit Krafft german green 6\n{line}\n")
        (tmp_path / "t.mega").unlink(missing_ok=True)
        told = pbcg("mega", "run", "t.mega", "--script", "evening.txt", code=2)
        tells(told, "nowhere")
        assert not outside.exists()
    (tmp_path / "evening.txt").write_text("unit Krafft german green 6\nlog -o here.pdf\n")
    (tmp_path / "t.mega").unlink()
    pbcg("mega", "run", "t.mega", "--script", "evening.txt")
    assert (tmp_path / "here.pdf").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_in_place_of_a_file_gets_a_sentence(pbcg: Pbcg, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "f.pbcg")
    os.mkfifo(tmp_path / "f.yaml")
    for command in (
        ["status", "f.pbcg"], ["refit", "f.pbcg"], ["verify", "f.pbcg"],
        ["rescue", "f.pbcg", "-o", "n.pbcg"], ["areas", "f.yaml"], ["position", "check", "f.yaml"],
    ):  # fmt: skip
        assert "a pipe or a device" in pbcg(*command, code=2), command


def test_making_a_file_leaves_nothing_beside_it_whatever_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "link", killed)
    with pytest.raises(KeyboardInterrupt):
        make_new(tmp_path / "a.pbcg", b"content")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    make_new(tmp_path / "a.pbcg", b"content")
    assert (tmp_path / "a.pbcg").read_bytes() == b"content"
    with pytest.raises(PBCGError, match="exists already"):
        make_new(tmp_path / "a.pbcg", b"other")


def test_the_example_evening_goes_through_under_its_own_command(pbcg: Pbcg, tmp_path: Path) -> None:
    example = ROOT / "docs" / "examples" / "megagame_evening.txt"
    command = example.read_text(encoding="utf-8").splitlines()[1].removeprefix("# pbcg ")
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    import shlex

    told = pbcg(*shlex.split(command))
    assert "Turn 6" in told
