"""``pbcg st sim`` as people use it: files read back, Ctrl-C, wrong options."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import openpyxl
import pytest
from PIL import Image
from sentences import Tells
from typer.testing import CliRunner

from asl_pbcg.cli.area_commands.st_many import sim_app as app
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.st.many.sim import columns
from asl_pbcg.st.rules.scoring import victory_chart

RUN = CliRunner()
BASE = ["--games", "5", "--jobs", "1", "--player", "random", "--seed", "3"]


def run(*arguments: str | Path) -> str:
    """What a command says; its error is raised as in the program."""
    result = RUN.invoke(app, [str(argument) for argument in arguments])
    if isinstance(result.exception, PBCGError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All files of one simulation, in a folder."""
    folder = tmp_path_factory.mktemp("sim")
    outputs: list[str | Path] = []
    for ending in ("xlsx", "csv", "json", "png", "svg", "pdf"):
        outputs += ["-o", folder / f"results.{ending}"]
    said = run(*BASE, "--difficulty", "medium", *outputs)
    (folder / "said.txt").write_text(said, encoding="utf-8")
    return folder


def test_what_it_says(tells: Tells, written: Path) -> None:
    said = (written / "said.txt").read_text(encoding="utf-8")
    tells(said, "seed 3", "5 games", "British")
    assert "VP a game (95%:" in said and "median" in said and "half between" in said
    for name in victory_chart().names.values():
        assert name in said
    tells(said, "results")


def test_the_files_say_the_same(written: Path) -> None:
    data = json.loads((written / "results.json").read_bytes())
    assert data["format"] == "pbcg-st-sim/1"
    assert data["done"] == data["asked"] == 5 and data["seed"] == 3
    assert data["settings"] == {"mode": "variable", "difficulty": "medium"}
    games = data["games"]
    assert [game["game"] for game in games] == [1, 2, 3, 4, 5]
    vp = [game["vp"] for game in games]
    assert data["vp"]["mean"] == pytest.approx(sum(vp) / 5)
    assert (data["vp"]["least"], data["vp"]["most"]) == (min(vp), max(vp))
    assert sum(level["count"] for level in data["levels"].values()) == 5
    assert list(games[0]) == ["game", *columns()]
    rows = read_csv(written / "results.csv")
    assert rows == [{key: str(value) for key, value in game.items()} for game in games]


def test_the_workbook_read_back_cell_by_cell(written: Path) -> None:
    book = openpyxl.load_workbook(written / "results.xlsx")
    assert [len(sheet.title) < 31 for sheet in book.worksheets] == [True] * 4
    cells = [list(row) for sheet in book.worksheets for row in sheet.iter_rows(values_only=True)]
    games = json.loads((written / "results.json").read_bytes())
    first = next(i for i, row in enumerate(cells) if row[0] == 1)
    for at, game in enumerate(games["games"]):
        found = cells[first + at][: len(game)]
        expected = [value if value != "" else None for value in game.values()]
        assert found == expected, f"game {at + 1}"
    by_name = {row[0]: row for row in cells if isinstance(row[0], str)}
    assert by_name["Mean"][1] == round(games["vp"]["mean"], 2)
    for name, key in (("Least", "least"), ("Median", "median"), ("Most", "most")):
        assert by_name[name][1] == games["vp"][key]
    for key, level in games["levels"].items():
        row = by_name[victory_chart().names[key]]
        low_high = [round(level[word], 4) for word in ("share", "low", "high")]
        assert row[1:5] == [level["count"], *low_high]
    for line in games["lines"].values():
        row = by_name[line["text"]]
        assert row[1:3] == [round(line["mean"], 2), round(line["vp"], 2)]


def test_the_pictures_can_be_opened(tells: Tells, written: Path) -> None:
    import pypdf

    with Image.open(written / "results.png") as picture:
        assert picture.format == "PNG" and picture.width > 1000
        colours = picture.convert("RGB").getcolors(1 << 24)
        assert colours and len(colours) > 50
    tells((written / "results.svg").read_text(encoding="utf-8"), "British")
    (page,) = pypdf.PdfReader(written / "results.pdf").pages
    assert "PEGASUS" in page.extract_text()


def test_the_same_seed_gives_the_same_file(written: Path, tmp_path: Path) -> None:
    run(*BASE, "--difficulty", "medium", "-o", tmp_path / "a.json", "-o", tmp_path / "a.csv")
    for ending in ("json", "csv"):
        assert (tmp_path / f"a.{ending}").read_bytes() == (
            written / f"results.{ending}"
        ).read_bytes()
    run(*BASE[:-1], "4", "--difficulty", "medium", "-o", tmp_path / "b.json")
    assert (tmp_path / "b.json").read_bytes() != (tmp_path / "a.json").read_bytes()


def test_settings_and_full_history(tells: Tells, tmp_path: Path) -> None:
    said = run("-n", "1", "-j", "1", "--policy", "random", "--full-history", "--setting",
               "gammon_uses=2", "-o", tmp_path / "x.json")  # fmt: skip
    tells(said, "1 game")
    data = json.loads((tmp_path / "x.json").read_bytes())
    assert data["settings"] == {"gammon_uses": 2, "mode": "full_history"}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--games", "0"], "--games 0 is not possible: 1 to 1000000 is."),
        (["--games", "-3"], "--games -3 is not possible"),
        (["--games", "2000000"], "1 to 1000000 is"),
        (["--games", "2", "--jobs", "-1"], "--jobs -1 is not possible"),
        (["--games", "2", "-o", "results.doc"], "should end in one of .xlsx, .csv"),
        (["--games", "2", "-o", "no/such/folder/a.csv"], "there is no folder no/such/folder"),
        (["--games", "2", "--full-history", "--difficulty", "hard"], "Give --difficulty"),
        (["--games", "1", "--vary", "gammon_uses=2,3"], "--games 1 is not possible"),
        (["--games", "2", "--vary", "gammon_uses=9"], "--vary"),
        (["--games", "2", "--player", "good", "--player", "good"], "must differ"),
        (["--games", "2", "--vary", "gammon_uses=2,3", "-o", "a.csv"], "--keep"),
        (["--games", "2", "--setting", "gammon_uses=9"], "must be one of: 3, 2"),
        (["--games", "2", "--setting", "nonsense=1"], "nonsense"),
        (["--games", "2", "--setting", "gammon_uses"], "gammon_uses"),
        (["--games", "2", "--map", "no-map.yaml"], "no-map.yaml"),
        (["--games", "2", "--dask", "tcp://127.0.0.1:9"], "No Dask scheduler answers"),
    ],
)
def test_wrong_options_are_told_in_a_sentence(options: list[str], sentence: str) -> None:
    with pytest.raises(PBCGError) as told:
        run(*options)
    assert sentence in str(told.value)


@pytest.mark.parametrize(
    "options", [["--games", "0"], ["--games", "2", "--player", "best"]], ids=str
)
def test_a_wrong_option_ends_with_2_and_no_traceback(options: list[str]) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "asl_pbcg", "st", "sim", *options],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 2
    assert result.stderr and "Traceback" not in result.stderr and not result.stdout


def hear_ctrl_c() -> None:
    """A child of nohup, and of some CI, would otherwise ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.finding("F-61")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_writes_what_is_done(jobs: str, tmp_path: Path) -> None:
    path = tmp_path / "part.csv"
    command = [sys.executable, "-m", "asl_pbcg", "st", "sim", "--games", "3000", "--jobs", jobs,
               "--policy", "random", "--seed", "3", "--difficulty", "medium",
               "-o", str(path)]  # fmt: skip
    for seconds in (4, 10, 25, 60):
        # A session of its own: the signal goes to the whole group, as Ctrl-C in a terminal.
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True, preexec_fn=hear_ctrl_c,
        ) as process:  # fmt: skip
            time.sleep(seconds)
            os.killpg(process.pid, signal.SIGINT)
            said, told = process.communicate(timeout=120)
        assert "Traceback" not in told
        if process.returncode == 0:
            break
        # Too early: Python was still starting, or no game was done.
        assert not path.exists()
    else:
        raise AssertionError(f"nothing was done: {told}")
    rows = read_csv(path)
    assert 0 < len(rows) < 3000
    assert f"Stopped: {len(rows)} of 3000 games are done." in told
    assert f"{len(rows)} game" in said
    again = tmp_path / "again.csv"
    run("--games", str(min(3, len(rows))), "--jobs", "1", "--policy", "random", "--seed", "3",
        "--difficulty", "medium", "-o", again)  # fmt: skip
    played = {row["game"]: row for row in rows}
    assert all(played.get(row["game"], row) == row for row in read_csv(again))


@pytest.mark.finding("G-75")
@pytest.mark.parametrize(
    ("command", "written"),
    [
        (["sim", "-n", "2", "--jobs", "1", "-o", "z.json"], "z.json"),
        (["sim", "--keep", "all", "-n", "2", "--jobs", "1"], "all/summary.csv"),
    ],
    ids=str,
)
def test_a_reader_who_goes_loses_no_file(command: list[str], written: str, tmp_path: Path) -> None:
    """As in ``pbcg st sim -n 2 -o z.json | head -1``."""
    reading, writing = os.pipe()
    os.close(reading)
    result = subprocess.run(
        [sys.executable, "-m", "asl_pbcg", "st", *command],
        stdout=writing, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    os.close(writing)
    assert result.returncode == 0
    assert (tmp_path / written).read_text("utf-8")
    assert "Traceback" not in result.stderr and "Broken pipe" not in result.stderr


def test_ctrl_c_in_a_comparison_keeps_what_is_done(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "asl_pbcg", "st", "sim", "--keep", "all", "--games", "5000",
               "--jobs", "2", "--player", "random", "--vary", "gammon_uses=2,3"]  # fmt: skip
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        start_new_session=True, preexec_fn=hear_ctrl_c,
    ) as process:  # fmt: skip
        while not any(each.stat().st_size for each in tmp_path.glob("all/arm-*.csv")):
            time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        said, told = process.communicate(timeout=120)
    assert "Traceback" not in told
    assert "The same command goes on." in told and "random" in said
