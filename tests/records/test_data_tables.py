"""Tables as data: the same rows as CSV, JSON and a workbook; nothing in them is worked out."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import msgspec
import openpyxl
import pytest

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.records.data_tables import frame_of, write_tables


class Throw(msgspec.Struct):
    side: str
    dice: tuple[int, ...] = ()
    chance: Fraction | None = None
    total: int | None = None
    about: dict[str, str] = {}


ROWS = [
    Throw("british", (3, 4), Fraction(1, 6), 7, {"step": "dawn", "at": "Z15"}),
    Throw("=1+1", (), None, None),
]


def test_values_inside_values_have_both_names_and_whole_numbers_stay_whole() -> None:
    frame = frame_of(ROWS)
    names = "side dice chance chance_decimal total about_step about_at"
    assert list(frame.columns) == names.split()
    assert frame["total"].iloc[0] == 7 and isinstance(frame["total"].iloc[0], int | object)
    assert frame_of([]).empty


@pytest.mark.finding("G-36")
def test_the_three_formats_hold_the_same(tmp_path: Path) -> None:
    for suffix in (".csv", ".json", ".xlsx"):
        assert write_tables({"dice": ROWS}, tmp_path / f"a{suffix}") == [tmp_path / f"a{suffix}"]
    text = (tmp_path / "a.csv").read_text(encoding="utf-8-sig")
    first, second = csv.DictReader(io.StringIO(text))
    assert (first["dice"], first["chance"], first["total"]) == ("3; 4", "1/6", "7")
    assert first["chance_decimal"] == "0.166667", "1/6 alone is a date to a spreadsheet"
    assert second["side"] == "'=1+1" and second["total"] == ""
    plain = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert plain[0]["total"] == 7 and plain[1]["total"] is None and plain[1]["side"] == "=1+1"
    sheet = openpyxl.load_workbook(tmp_path / "a.xlsx")["dice"]
    assert [cell.value for cell in sheet[1]][:2] == ["side", "dice"]
    assert sheet["A3"].value == "=1+1" and sheet["A3"].data_type == "s"
    assert sheet["E2"].value == 7


@pytest.mark.finding("G-36")
@pytest.mark.parametrize(
    ("text", "is_guarded"),
    [
        ("=1+1", True),
        ("@SUM(A1)", True),
        ("+1+cmd|' /C calc'!A0", True),
        ("-2+HYPERLINK(A1)", True),
        ("＝1+1", True),
        ("\t=1+1", True),
        ("\n=1+1", True),
        ("-3", False),
        ("-13/18", False),
        ("+1 Isolated, -2 in a Setup Area", False),
        ("8 + 3", False),
    ],
)
def test_no_text_of_a_comma_table_is_worked_out(
    text: str, is_guarded: bool, tmp_path: Path
) -> None:
    write_tables({"log": [{"text": text}]}, tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(encoding="utf-8-sig", newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert row["text"] == ("'" if is_guarded else "") + text


def test_several_tables_are_several_files_of_csv(tmp_path: Path) -> None:
    tables = {"honours": ROWS[:1], "losses in play": ROWS}
    names = [path.name for path in write_tables(tables, tmp_path / "a.csv")]
    assert names == ["a-honours.csv", "a-losses-in-play.csv"]
    write_tables(tables, tmp_path / "a.json")
    plain = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert {name: len(rows) for name, rows in plain.items()} == {"honours": 1, "losses in play": 2}


def test_another_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PBCGError, match=r"\.csv, \.json or \.xlsx"):
        write_tables({"dice": ROWS}, tmp_path / "a.txt")
    assert not list(tmp_path.iterdir())
