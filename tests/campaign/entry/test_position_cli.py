"""``pbcg position`` as players type it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from positions import GERMAN, GUN, LMG, TANK, UNIT, position, saved
from sentences import Tells
from typer.testing import CliRunner

from asl_pbcg.campaign.entry.position_files import read_position
from asl_pbcg.cli.main import app, main
from asl_pbcg.kernel.errors import PBCGError

RUN = CliRunner()


def run(*words: str | Path) -> str:
    result = RUN.invoke(app, ["position", *map(str, words)])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return saved(
        tmp_path / "end.json",
        title="the bridge",
        control={"british": ["X18", "Y19"], "german": ["X20"]},
        units=[UNIT | {"possesses": ["lmg-1"]}, UNIT | {"id": "b2", "type": "9-2"}, GERMAN],
        equipment=[LMG, GUN],
        vehicles=[TANK],
        gliders=[{"at": "X22", "state": "landed"}],
        fortifications=[{"kind": "trench", "at": "W21", "owner": "german"}],
        terrain=[{"kind": "blaze", "at": "V13"}],
        casualty_vp={"german": 5},
    )


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    return saved(tmp_path / "bad.json", units=[UNIT | {"at": "Z99"}], date="noon")


def test_check_says_what_is_in_it(good: Path) -> None:
    assert run("check", good) == (
        f"{good}: a position after Night I (the bridge), without faults.\n"
        "  British  2 Strategic Locations, 1 squad, 1 leader, 1 SW\n"
        "  German   1 Strategic Location, 1 squad, 1 Gun, 1 vehicle, 1 Fortification, 5 Casualty VP"
        " lost\n"
        "  On the map: 1 glider, 1 Fortification, 1 terrain change\n"
        "  Look again: Nobody Controls L9, where 4-6-7 g1 is alone (A26.11).\n"
    )


def test_check_as_json(good: Path) -> None:
    said = json.loads(run("check", good, "--json"))
    assert said["faults"] == []
    assert (said["date"], said["gliders"], said["terrain"]) == ("night-1", 1, 1)
    assert said["sides"]["german"] == {
        "controls": 1,
        "squad": 1,
        "gun": 1,
        "vehicle": 1,
        "fortifications": 1,
        "casualty_vp": 5,
    }
    assert said["remarks"] == ["Nobody Controls L9, where 4-6-7 g1 is alone (A26.11)."]


@pytest.mark.rule("9.6073-c")
def test_check_counts_a_fortification_for_who_controls_its_location(tmp_path: Path) -> None:
    path = saved(
        tmp_path / "end.json",
        control={"british": ["X18", "Y19"]},
        units=[UNIT, GERMAN],
        fortifications=[
            {"kind": "trench", "at": "X18", "owner": "german"},  # taken with its Location
            {"kind": "wire", "at": "Y18", "owner": "german"},  # in the British Setup Area
            {"kind": "wire", "at": "L9"},  # in no Setup Area, and nobody is said to have placed it
            {"kind": "wire", "at": "X18", "owner": "german", "hidden": True},  # not on-map
            {
                "kind": "trench",
                "at": "C3",
                "owner": "german",
            },  # Controlled by nobody: who placed it
        ],
    )
    sides = json.loads(run("check", path, "--json"))["sides"]
    assert [sides[side]["fortifications"] for side in ("british", "german")] == [2, 2]


def test_check_raises_all_faults(bad: Path) -> None:
    result = RUN.invoke(app, ["position", "check", str(bad)])
    assert isinstance(result.exception, PBCGError)
    assert str(result.exception).splitlines()[0] == f"{bad} has 2 faults:"


def test_faults_end_as_sentences_and_exit_code_2(
    tells: Tells, bad: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["pbcg", "position", "check", str(bad)])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    tells(said.err, "b1", "Z99", "entry 1")
    assert "Traceback" not in said.err


def test_faults_as_json(tells: Tells, bad: Path) -> None:
    result = RUN.invoke(app, ["position", "check", str(bad), "--json"])
    assert result.exit_code == 2
    fault = json.loads(result.output)["faults"][1]
    assert (fault["where"], fault["value"]) == ("units, entry 1 (b1), at", "Z99")
    tells(fault["wrong"], "Z9", "Z19")


def test_check_lays_corrections_over_the_board(tells: Tells, tmp_path: Path) -> None:
    path = saved(tmp_path / "end.json", units=[UNIT | {"at": "W21/1"}])
    fixed = tmp_path / "fix.yaml"
    fixed.write_text("format: pbcg-board/1\nhexes:\n  W21: {building: stone}\n", encoding="utf-8")
    refused = RUN.invoke(app, ["position", "check", str(path)])
    tells(str(refused.exception), "W21")
    assert "1 squad" in run("check", path, "--corrections", fixed)


@pytest.mark.parametrize("suffix", ["xlsx", "yaml", "json"])
def test_template(tells: Tells, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"new.{suffix}"
    check_it = f"pbcg position check {path}"
    assert run("template", path) == f"Written: {path}. Fill it in, then: {check_it}\n"
    with pytest.raises(PBCGError) as refused:
        read_position(path)
    tells(refused, "date", "night-1", "dusk")


def test_a_template_has_the_last_places_of_a_campaign_alone(tmp_path: Path) -> None:
    result = RUN.invoke(app, ["position", "template", str(tmp_path / "a.yaml"), "--from-last"])
    assert "--campaign" in str(result.exception)
    assert not (tmp_path / "a.yaml").exists()


def test_a_file_that_is_there_is_not_written_over(tells: Tells, good: Path) -> None:
    for words in (["template", str(good)], ["convert", str(good), str(good)]):
        result = RUN.invoke(app, ["position", *words])
        tells(str(result.exception), good.name, "--force")
    run("template", good, "--force")
    assert json.loads(good.read_text(encoding="utf-8"))["units"] == []


def test_convert(tmp_path: Path, good: Path) -> None:
    for name in ("end.xlsx", "end.yaml"):
        assert run("convert", good, tmp_path / name) == f"Written: {tmp_path / name}\n"
        assert read_position(tmp_path / name) == read_position(good)


def test_convert_to_something_else(tells: Tells, tmp_path: Path, good: Path) -> None:
    result = RUN.invoke(app, ["position", "convert", str(good), str(tmp_path / "end.pdf")])
    tells(str(result.exception), "end.pdf", ".xlsx")
    assert not (tmp_path / "end.pdf").exists()


def test_schema(good: Path) -> None:
    jsonschema.validate(json.loads(good.read_text(encoding="utf-8")), json.loads(run("schema")))


def test_an_empty_position(tmp_path: Path) -> None:
    path = saved(tmp_path / "end.json")
    assert run("check", path) == (
        f"{path}: a position after Night I, without faults.\n"
        "  British  nothing\n"
        "  German   nothing\n"
    )
    assert read_position(path) == position()
