"""The data files of the rules: every one is typed, and a slip in any is told in a sentence."""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.module.campaign_tables import RESULTS as CAMPAIGN_RESULTS
from asl_pbcg.cli import main as command_line
from asl_pbcg.kernel import data
from asl_pbcg.kernel.data import data_path, load_data
from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.kernel.typed_data import DataFile, TableFile
from asl_pbcg.play.module_files import data_files
from asl_pbcg.st.state.area_tables import RESULTS as ST_RESULTS

ROOT = data_path("pb").parent
ALL = data_files()
FILES = {file.name: file for file in ALL if isinstance(file, DataFile)}
COMMA = {file.name: file for file in ALL if isinstance(file, TableFile)}
CATALOGUE = {
    f"pb/catalogue/{name}.csv" for name in ("infantry", "weapons", "vehicles", "formations")
}
PLAYERS_FORM = {
    "airborne/orders_template.yaml",
    "pb/samples/night-1-end.yaml",
    "pb/samples/paper-day-1.yaml",
    "pb/samples/worked-example.yaml",
    "st/map.yaml",
    "st/map_skeleton.yaml",
}
"""Files in the form of players' own, read by the reader of those."""
TABLES = ("pb/tables.yaml", "st/tables.yaml", "airborne/tables.yaml", "megagame/tables.yaml")
WRONG = {"no such": ["x"]}
"""What fits nowhere: neither text nor number, list nor any record."""


def refusal(name: str, raw: Any) -> str:
    """The sentence that a changed file is refused with; nothing if it is taken."""
    try:
        FILES[name].read(raw)
    except PBCGError as error:
        return str(error)
    return ""


Step = str | int


def places(raw: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """Every place of a file."""
    if path:
        yield path
    inner = (
        raw.items() if isinstance(raw, dict) else enumerate(raw) if isinstance(raw, list) else ()
    )
    for key, value in inner:
        yield from places(value, (*path, key))


def some_places(name: str, most: int = 30) -> list[tuple[Step, ...]]:
    """Some places of a file, the same ones at every run."""
    found = list(places(load_data(name)))
    return random.Random(name).sample(found, min(most, len(found)))


def plain(raw: Any) -> Any:
    """A copy in which no two parts are one."""
    if isinstance(raw, dict):
        return {key: plain(value) for key, value in raw.items()}
    return [plain(value) for value in raw] if isinstance(raw, list) else raw


def changed(name: str, path: tuple[Step, ...], value: Any) -> Any:
    """A file with another value in one place."""
    raw = plain(load_data(name))
    inner = raw
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return raw


def test_every_data_file_has_a_type() -> None:
    shipped = {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.yaml")}
    assert set(FILES) == shipped - PLAYERS_FORM


@pytest.mark.parametrize("name", FILES)
def test_a_data_file_as_it_is_shipped_is_taken(name: str) -> None:
    assert refusal(name, plain(load_data(name))) == ""


@pytest.mark.parametrize("name", FILES)
def test_a_value_of_the_wrong_type_is_told_with_file_and_key(name: str) -> None:
    for path in some_places(name):
        told = refusal(name, changed(name, path, WRONG))
        assert told.startswith(f"data/{name}"), (path, told)
        key = next((key for key in path if isinstance(key, str)), "item")
        assert key in told or "no such" in told, (path, told)
        assert told.endswith("."), told
        assert "`" not in told, told


@pytest.mark.parametrize("name", FILES)
def test_a_key_that_is_none_is_told(name: str) -> None:
    raw = load_data(name)
    inside = [path for path in some_places(name, 60) if isinstance(_at(raw, path), dict)]
    for path in [(), *inside] if isinstance(raw, dict) else inside:
        told = refusal(name, changed(name, (*path, "no such key"), WRONG))
        assert told.startswith(f"data/{name}"), (path, told)
        assert "no such" in told, (path, told)


@pytest.mark.parametrize("name", FILES)
def test_a_key_that_is_left_out_is_told_or_can_be_left_out(name: str) -> None:
    seen = 0
    for path in some_places(name, 60):
        if isinstance(path[-1], str):
            raw = plain(load_data(name))
            del _at(raw, path[:-1])[path[-1]]
            told = refusal(name, raw)
            assert not told or told.startswith(f"data/{name}"), (path, told)
            seen += bool(told)
    if name not in ("pb/help.yaml", "pb/rulings.yaml", "airborne/rulings.yaml"):
        assert seen, "nothing of it is needed"


def _at(raw: Any, path: tuple[Step, ...]) -> Any:
    for key in path:
        raw = raw[key]
    return raw


def rows_of(name: str) -> Iterator[tuple[str, int, Any]]:
    for table, body in load_data(name).items():
        for number, row in enumerate(body["rows"]):
            yield table, number, row


@pytest.mark.parametrize("name", TABLES)
def test_a_result_that_no_code_knows_is_told(name: str) -> None:
    for table, number, row in rows_of(name):
        path: tuple[Step, ...] = (table, "rows", number)
        if "results" in row:
            raw = changed(name, (*path, "results", 0), "nonsense")
        else:
            raw = changed(name, (*path, "result"), "nonsense")
        told = refusal(name, raw)
        assert told.startswith(f"data/{name}, {table}, row "), told
        assert '"nonsense"' in told, told


@pytest.mark.parametrize("name", TABLES)
def test_rows_that_overlap_or_leave_a_gap_are_told(name: str) -> None:
    for table, number, row in rows_of(name):
        if number and isinstance(row.get("at"), int):
            told = refusal(name, changed(name, (table, "rows", number, "at"), 60))
            assert told.startswith(f"data/{name}, {table}"), told


@pytest.mark.parametrize("name", TABLES)
def test_a_table_that_is_missing_or_that_nobody_rolls_on_is_told(name: str) -> None:
    raw = dict(load_data(name))
    first = next(iter(raw))
    assert first in refusal(name, {key: value for key, value in raw.items() if key != first})
    assert "another" in refusal(name, {**raw, "another": raw[first]})


def test_facts_that_say_something_else_than_the_result_are_told() -> None:
    name = "pb/tables.yaml"
    vehicle: tuple[Step, ...] = ("escape.vehicle", "rows", 1, "facts", "vehicle")
    assert "row 9" in refusal(name, changed(name, vehicle, "eliminated"))
    assert "row 9" in refusal(name, changed(name, vehicle, "flies"))
    leaders: tuple[Step, ...] = ("leader.armor", "rows", 1, "facts", "leaders")
    assert "row 2" in refusal(name, changed(name, leaders, ["9-1"]))


def test_every_result_of_a_table_is_an_enum_of_the_code() -> None:
    for results, most_without in ((CAMPAIGN_RESULTS, 3), (ST_RESULTS, 7)):
        without = [name for name, each in results.items() if not each.words]
        assert len(without) <= most_without, without


def test_parts_that_do_not_fit_together_are_told() -> None:
    def told(name: str, *path: Step, value: Any) -> str:
        return refusal(name, changed(name, path, value))

    assert "dawn" in told("pb/campaign.yaml", "san", "ii13_dates", 0, value="dwan")
    assert "setup_order" in refusal(
        "pb/campaign.yaml",
        {**load_data("pb/campaign.yaml"), "setup_order": {}},
    )
    assert "I1" in told("pb/reinforcement_groups.yaml", "strength_dr_exempt", 0, value="I11")
    assert '"z"' in told("pb/reinforcements.yaml", "dates", "night-2", "notes", value=["z"])
    assert "howard" in told("st/british.yaml", "commander_of_all", value="howrad")
    assert '"I"' in told("st/german.yaml", "historical", "chit", value="I")
    assert "trailing_lost" in told(
        "st/fire_readings.yaml", "trailing_lost", "piat", value=[[1, "1", "q"]]
    )
    rulings = "megagame/rulings.yaml"
    assert "certainty" in told(rulings, "morale", "certainty", "green", value="sure")
    assert "morale" in told(rulings, "morale", "default", "green", value=99)


# -- At start ------------------------------------------------------------------------------------


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder of one's own, in which it can be kept what was done."""
    folder = tmp_path / "data"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns("__pycache__", "samples"))
    old = data._folder
    monkeypatch.setattr(data, "_folder", lambda name: folder if name == "data" else old(name))
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    monkeypatch.setattr("sys.pycache_prefix", None)
    load_data.cache_clear()
    yield folder
    load_data.cache_clear()


def run(monkeypatch: pytest.MonkeyPatch, *args: str) -> int:
    monkeypatch.setattr(sys, "argv", ["pbcg", *args])
    with pytest.raises(SystemExit) as ended:
        command_line.main()
    return int(ended.value.code or 0)


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("pb/refit.yaml", "hs_equivalents:", "hs_equivalent:", "nearest: hs_equivalents"),
        ("st/german.yaml", "mgs: [", "mgs: [[", "line "),
        ("megagame/tables.yaml", "result: hit", "result: hits", '"hits" is not a result'),
    ],
)
def test_any_command_tells_a_fault_of_any_data_file_before_anything_else(
    own_data: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    old: str,
    new: str,
    told: str,
) -> None:
    file = own_data / name
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert run(monkeypatch, "rulings", "C-01") == 2
    said = capsys.readouterr().err
    assert said.startswith(f"data/{name}"), said
    assert told in said
    load_data.cache_clear()
    file.write_text(text, encoding="utf-8")
    assert run(monkeypatch, "rulings", "C-01") == 0


def test_files_that_have_not_changed_are_not_read_again(
    own_data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "rulings", "C-01") == 0
    assert not capsys.readouterr().err
    monkeypatch.setattr("asl_pbcg.play.module_files.data_files", lambda: pytest.fail("read again"))
    assert run(monkeypatch, "rulings", "C-01") == 0


@pytest.mark.finding("G-63")
def test_a_terminal_is_told_that_data_are_read_for_the_first_time(
    own_data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for is_told in (True, False):
        assert run(monkeypatch, "rulings", "C-01") == 0
        assert ("for the first time" in capsys.readouterr().err) is is_told


# -- Comma tables -------------------------------------------------------------------------------


def lines_of(name: str) -> list[str]:
    return data_path(name).read_text(encoding="utf-8").splitlines()


def comma_refusal(name: str, lines: list[str]) -> str:
    with pytest.raises(FaultsError) as caught:
        COMMA[name].read("\n".join(lines))
    told = str(caught.value)
    assert told.startswith(f"data/{name} has ")
    assert "`" not in told
    return told


def test_every_comma_table_has_a_type() -> None:
    shipped = {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.csv")}
    assert set(COMMA) == shipped - CATALOGUE


@pytest.mark.parametrize("name", COMMA)
def test_a_slip_in_a_comma_table_is_told_with_line_and_column(name: str) -> None:
    lines = lines_of(name)
    above = 1 if name == "st/sight.csv" else 0
    head = [*lines[:above], lines[above].replace(",", "x,", 1), *lines[above + 1 :]]
    column = lines[above].split(",")[0]
    told = comma_refusal(name, head)
    assert f'heading: "{column}x" is not a field of it; ' in told
    assert column in told.rpartition("; ")[2]
    more = [*lines, "one cell too few"]
    cells = lines[above].count(",") + 1
    assert f"line {len(more)}: must have {cells} cells, not 1" in comma_refusal(name, more)


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("pb/board.csv", "A1,yes,1,", "A1,yes,one,", 'line 2, level: "one" must be a whole number'),
        ("pb/board.csv", "A1,yes,1,", "A1,si,1,", 'line 2, in_play: "si" must be yes or no'),
        (
            "pb/board.csv",
            "A1,yes,1,",
            "A1,yes,1,wods",
            'terrain: "wods" is not one of the choices; nearest: woods',
        ),
        ("pb/board_notes.csv", "A9,medium", "A9,midium", "line 2, confidence:"),
        ("pb/vasl_names.csv", ",1088,1,", ",1088,x,", 'cvp: "x" must be a whole number'),
        ("pb/vasl_names.csv", "AEhs,half_squad", "AEhs,halfsquad", "3-3-8 AEhs, kind:"),
        ("pb/vasl_names.csv", "3-3-8,british", "3-3-8,brittish", "side:"),
        ("pb/obligations.csv", "Introduction,limit,none,no", "Introduction,limit,no,no", "who_dec"),
        ("pb/obligations.csv", "limit,none,no", "limit,none,never", '"never" must be yes or no'),
    ],
)
def test_a_wrong_cell_is_told(name: str, old: str, new: str, told: str) -> None:
    text = "\n".join(lines_of(name))
    assert old in text
    assert told in comma_refusal(name, text.replace(old, new, 1).splitlines())


def test_the_quick_reader_of_the_board_reads_what_the_typed_one_does() -> None:
    text = data_path("pb/board.csv").read_text(encoding="utf-8")
    assert list(COMMA["pb/board.csv"].read(text)) == list(load_board())


def test_a_table_that_cannot_be_read_is_told_when_data_have_changed() -> None:
    told = comma_refusal("pb/board_notes.csv", ["hex,confidence,note", '"A9,low,'])
    assert "comma table" in told
