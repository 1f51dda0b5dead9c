"""``pbcg areas`` as a player meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import brute_areas
import pytest
from area_help import BOARD
from in_process import run_pbcg
from sentences import Tells
from typer.testing import CliRunner

from asl_pbcg.campaign.areas.area_map import short
from asl_pbcg.campaign.entry.position_files import read_position
from asl_pbcg.cli.evening.areas_command import app
from asl_pbcg.cli.main import app as pbcg
from asl_pbcg.kernel.data import data_path, parse_yaml

EXAMPLE = str(data_path("pb/samples/worked-example.yaml"))
NIGHT = str(data_path("pb/samples/night-1-end.yaml"))
SAMPLES = [
    path for path in sorted(data_path("pb/samples").glob("*.yaml")) if "paper" not in path.name
]


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, result.output
    return result.output


def asked(*words: str) -> Any:
    return json.loads(run(*words, "--json"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_the_json_answer_of_each_sample_is_that_of_the_brute_force(sample: Path) -> None:
    assert asked(str(sample)) == brute_areas.solve(parse_yaml(sample.read_text(encoding="utf-8")))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_each_sample_is_a_position_without_faults(sample: Path) -> None:
    assert read_position(sample).date


def test_the_json_answer_has_the_keys_of_the_format() -> None:
    answer = asked(EXAMPLE)
    assert list(answer) == ["date", "no_mans_land", "uncontrolled", "sides"]
    assert list(answer["sides"]) == ["british", "german"]
    for side in answer["sides"].values():
        assert list(side) == ["setup_areas", "entry_areas"]
        for area in side["setup_areas"]:
            keys = "id hexes strategic_locations isolated front_line isolated_locations"
            assert list(area) == keys.split()
        for entry in side["entry_areas"]:
            assert list(entry) == ["id", "hexes", "eligible"]


def test_hexes_stand_in_board_order() -> None:
    answer = asked(NIGHT)
    lists = [answer["no_mans_land"], answer["uncontrolled"]]
    for side in answer["sides"].values():
        lists += [area[key] for area in side["setup_areas"] for key in ("hexes", "front_line")]
        lists += [entry["hexes"] for entry in side["entry_areas"]]
    for names in lists:
        assert names == sorted(names, key=BOARD.grid.index)


def test_every_hex_in_play_is_in_one_class() -> None:
    answer = asked(NIGHT)
    names = answer["no_mans_land"] + answer["uncontrolled"]
    for side in answer["sides"].values():
        for area in side["setup_areas"]:
            names += area["hexes"]
    assert sorted(names) == sorted(BOARD.in_play)


def test_the_lone_location_has_no_hex_and_no_front_line() -> None:
    (alone,) = [
        each for each in asked(EXAMPLE)["sides"]["british"]["setup_areas"] if each["id"] == "D"
    ]
    assert alone == {
        "id": "D",
        "hexes": [],
        "strategic_locations": ["Z15/1"],
        "isolated": True,
        "front_line": [],
        "isolated_locations": ["Z15/1"],
    }


def test_people_get_a_table(tells: Tells) -> None:
    said = run(EXAMPLE)
    tells(said, "Day I", "Areas", "Dawn")
    for words in (
        "Isolated",
        "Z15/1",
        "W21 X20 X22",
        "No Man's Land: S11-13",
        "TT14 (not Eligible)",
    ):
        assert words in said


def test_a_narrow_table_holds_every_location(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    said = run(NIGHT)
    assert "…" not in said and "lbox" in said  # Z21/pillbox on two lines


@pytest.mark.finding("F-18")
@pytest.mark.rule("9.6057-a", "9.6057-b")
def test_an_isolated_upper_level_in_an_area_that_is_not_isolated_is_shown(tmp_path: Path) -> None:
    # Nobody Controls Z13/1, so that no path leads down from Z13/2.
    file = tmp_path / "upstairs.yaml"
    file.write_text(
        "format: pbcg-position/1\ndate: dawn\n"
        "control: {british: [Z13, Z13/2, X18], german: [L12]}\n",
        encoding="utf-8",
    )
    listed = asked(str(file))["sides"]["british"]["setup_areas"]
    (house,) = [each for each in listed if "Z13" in each["strategic_locations"]]
    assert (house["isolated"], house["isolated_locations"]) == (False, ["Z13/2"])
    assert all(not each["isolated_locations"] for each in listed if each is not house)
    shown = [line for line in run(str(file)).splitlines() if "Isolated" in line]
    assert len(shown) == 1
    assert "Isolated Z13/2" in " ".join(shown[0].split())
    svg = tmp_path / "map.svg"
    run(str(file), "-o", str(svg))
    assert "Isolated Z13/2" in svg.read_text(encoding="utf-8")


@pytest.mark.rule("9.6054-d")
def test_the_ground_below_a_controlled_upper_level_is_among_the_other_hexes(tmp_path: Path) -> None:
    file = tmp_path / "upstairs.yaml"
    file.write_text(
        "format: pbcg-position/1\ndate: dawn\ncontrol: {german: [B12, C14/1, C15, D14]}\n",
        encoding="utf-8",
    )
    (area,) = asked(str(file))["sides"]["german"]["setup_areas"]
    assert "C14" in area["hexes"]
    assert "C14" not in area["strategic_locations"]
    table = run(str(file)).partition("Other hexes")[2].partition("Entry Areas")[0]
    others = " ".join(line[30:53] for line in table.splitlines())
    assert "C11-14" in others


def test_a_position_without_control_has_no_areas(tells: Tells, tmp_path: Path) -> None:
    file = tmp_path / "empty.yaml"
    file.write_text("format: pbcg-position/1\ndate: dawn\n", encoding="utf-8")
    answer = asked(str(file))
    assert answer["sides"]["british"]["setup_areas"] == []
    assert len(answer["uncontrolled"]) == len(BOARD.in_play)
    tells(run(str(file)), "Setup")


@pytest.mark.rule("9.2-n", "9.6052-a")
def test_the_coming_date_decides_on_tt14() -> None:
    def eligible(*words: str) -> dict[str, bool]:
        entries = asked(EXAMPLE, *words)["sides"]["british"]["entry_areas"]
        return {each["id"]: each["eligible"] for each in entries}

    assert eligible() == {"Z28": True, "TT14": False}
    assert eligible("--next-date", "day-2") == {"Z28": True, "TT14": True}
    assert eligible("--next-date", "Dusk") == {"Z28": True, "TT14": True}
    assert eligible("--next-date", "Day III") == {"Z28": True, "TT14": False}


def test_a_wrong_coming_date_is_told(tells: Tells) -> None:
    result = CliRunner().invoke(app, [EXAMPLE, "--next-date", "noon"])
    assert result.exit_code != 0
    tells(
        str(result.exception), "noon", "CG Date", "night-1", "night-2", "night-3", "day-1", "day-2"
    )


def test_house_rules_change_the_answer() -> None:
    assert asked(EXAMPLE, "--house-rule", "C-07=ground-only") != asked(EXAMPLE)
    assert asked(EXAMPLE, "--house-rule", "C-07=any-level") == asked(EXAMPLE)


def test_corrections_of_the_board_count(tmp_path: Path) -> None:
    file = tmp_path / "board.yaml"
    file.write_text("format: pbcg-board/1\nhexes:\n  Y17: {building: wood}\n", encoding="utf-8")
    assert "Y17" in asked(EXAMPLE)["no_mans_land"]
    assert "Y17" not in asked(EXAMPLE, "--corrections", str(file))["no_mans_land"]


@pytest.mark.parametrize("name", ["sheet.pdf", "sheet.svg", "sheet.png"])
def test_a_map_sheet_is_written(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    words = ["--around", "y20", "--radius", "6", "--paper", "letter"]
    said = run(EXAMPLE, "-o", str(file), *words)
    assert f"Written: {file}" in said.replace("\n", "")
    start = {"pdf": b"%PDF", "svg": b"<", "png": b"\x89PNG"}[name[-3:]]
    assert file.read_bytes().startswith(start)


def test_faults_of_the_position_end_with_exit_code_2(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(
        "format: pbcg-position/1\ndate: dawn\ncontrol: {british: [A2, UU9]}\n", encoding="utf-8"
    )
    result = subprocess.run(
        [sys.executable, "-m", "asl_pbcg", "areas", str(file), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert [each["value"] for each in json.loads(result.stdout)["faults"]] == ["A2", "UU9"]
    assert "2 faults" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_json_answer_loads_nothing_heavy() -> None:
    heavy = [
        "pandas",
        "shapely",
        "openpyxl",
        "reportlab",
        "PIL",
        "icepool",
        "pydantic",
        "rich.table",
    ]
    code = (
        "import sys; sys.argv = ['pbcg', 'areas', sys.argv[1], '--json'];"
        "from asl_pbcg.cli.main import app; app(standalone_mode=False);"
        f"found = [name for name in {heavy} if name in sys.modules];"
        "sys.exit(f'loaded: {found}' if found else 0)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, EXAMPLE], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


def test_bad_numbers_are_told() -> None:
    for words in (["--radius", "x"], ["--radius", "0"], ["--radius", "61"]):
        result = CliRunner().invoke(pbcg, ["areas", EXAMPLE, *words])
        assert result.exit_code == 2
        assert "--radius" in result.output


def test_hexes_are_drawn_together() -> None:
    assert short(["X5", "X7", "X8", "X9", "AA2"]) == "X5 X7-9 AA2"
    assert short([]) == ""


@pytest.mark.finding("F-35")
@pytest.mark.parametrize(
    "args", [("areas", "FILE"), ("position", "check", "FILE"), ("status", "FILE")]
)
def test_what_is_wrong_is_told_as_json_alike(tmp_path: Path, args: tuple[str, ...]) -> None:
    """F-35: every answer as JSON that fails has the same keys, and the sentence beside it."""
    file = tmp_path / "bad.yaml"
    file.write_text("format: pbcg-position/1\ndate: noon\n", encoding="utf-8")
    told = run_pbcg(*(str(file) if each == "FILE" else each for each in args), "--json")
    answer = json.loads(told.out)
    assert told.code == 2
    assert answer.keys() == {"file", "faults", "groups"}
    assert answer["faults"][0].keys() == {"where", "value", "wrong"}
    if args[0] != "status":
        assert (answer["file"], answer["faults"][0]["where"]) == (str(file), "date")
