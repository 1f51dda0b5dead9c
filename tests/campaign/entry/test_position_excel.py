"""Positions as Excel workbooks: how they are laid out, read and faulted."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from openpyxl import Workbook, load_workbook
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from positions import GERMAN, GUN, LMG, TANK, UNIT, data, fault, file_faults, position, sentence
from sentences import Tells

from asl_pbcg.campaign.entry.position_fields import fields_of
from asl_pbcg.campaign.entry.position_files import read_position, write_position, write_template
from asl_pbcg.campaign.entry.position_raw import COUNT
from asl_pbcg.campaign.entry.position_workbook import GUIDE, WORDS
from asl_pbcg.campaign.position import LISTS, PIECES, CGDate
from asl_pbcg.campaign.position_words import ELIMINATED, UnitStatus, VehicleStatus
from asl_pbcg.kernel.errors import FaultsError, group_faults

Rows = list[list[Any]]
ABOUT: Rows = [["what", "value"], ["format", "pbcg-position/1"], ["date", "night-1"]]
UNITS: Rows = [["id", "side", "type", "at"], ["b1", "british", "6-4-8", "X18"]]


def workbook(path: Path, **sheets: Rows) -> Path:
    """A workbook as a player might type it; without sheets an empty position."""
    book = Workbook()
    assert book.active is not None
    book.remove(book.active)
    for name, rows in ({"about": ABOUT} | sheets).items():
        sheet = book.create_sheet(name)
        for number, row in enumerate(rows, 1):
            for column, value in enumerate(row, 1):
                cell: Any = sheet.cell(number, column)
                cell.value = value
    book.save(path)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "end.xlsx"


def test_a_workbook_as_players_type_it(path: Path) -> None:
    units = [
        ["ID", " Side ", "type", "At", "status", "possesses", "Guarded by", "notes"],
        [],
        [1, "british", " 6-4-8 ", "X18", "broken, encircled", "lmg; piat", None, "  "],
        [None, None, None, None, "", None],
        ["g1", "german", "4-6-7", "L9"],
    ]
    weapons = [
        ["id", "side", "type", "at", "status"],
        ["lmg", "british", "LMG", "X18"],
        ["piat", "british", "PIAT", "X18", "malfunctioned"],
    ]
    works = [["kind", "at", "size", "hidden"], ["foxhole", "W21", 2.0, "Yes"], ["wire", "W22"]]
    found = read_position(
        workbook(
            path,
            about=[*ABOUT, ["Casualty VP german", 7], ["turn", "6"], ["massacre", "german"]],
            # A sheet that was written with what nobody Controls may still have that column.
            control=[
                ["british", "german", "neither"],
                ["X18", "L9", "M12"],
                ["Y19, Y20"],
                [None, "L12"],
            ],
            Units=units,
            equipment=weapons,
            fortifications=works,
        )
    )
    assert found == position(
        control={"british": ["X18", "Y19", "Y20"], "german": ["L9", "L12"]},
        casualty_vp={"german": 7},
        turn=6,
        massacre=["german"],
        units=[
            UNIT | {"id": "1", "status": ["broken", "encircled"], "possesses": ["lmg", "piat"]},
            GERMAN,
        ],
        equipment=[
            LMG | {"id": "lmg"},
            LMG | {"id": "piat", "type": "PIAT", "status": ["malfunctioned"]},
        ],
        fortifications=[
            {"kind": "foxhole", "at": "W21", "size": 2, "hidden": True},
            {"kind": "wire", "at": "W22"},
        ],
    )


FAULTS: dict[str, dict[str, Rows]] = {
    "unknown hex": {"units": [*UNITS, [], ["b2", "british", "6-4-8", "Z99"]]},
    "unknown word": {"units": [[*UNITS[0], "status"], [*UNITS[1], "broken, sadly"]]},
    "missing value": {"units": [UNITS[0], ["b1", "british", "", "X18"]]},
    "missing column": {
        "units": [["id", "side", "type"], ["b1", "british", "6-4-8"], ["b2", "german", "4-6-7"]]
    },
    "unknown heading": {"units": [[*UNITS[0], "statsu"], [*UNITS[1], "broken"]]},
    "heading twice": {"units": [[*UNITS[0], "At"], [*UNITS[1], "X18"]]},
    "no heading": {"units": [UNITS[0], [*UNITS[1], "broken"], ["b2", *UNITS[1][1:], "pinned"]]},
    "unknown sheet": {"unit": UNITS},
    "a date for a type": {"units": [UNITS[0], ["b1", "british", datetime.date(2008, 5, 4), "X18"]]},
    "a word for a number": {"fortifications": [["kind", "at", "size"], ["foxhole", "W21", "two"]]},
    "half a number": {"fortifications": [["kind", "at", "size"], ["foxhole", "W21", 1.5]]},
    "maybe": {"fortifications": [["kind", "at", "hidden"], ["wire", "W21", "maybe"]]},
    "control": {"control": [["british", "german"], ["X18", None], [None, "X18"]]},
    "duplicate id": {"units": [*UNITS, [], UNITS[1]]},
    "possessor elsewhere": {
        "units": [[*UNITS[0], "possesses"], [*UNITS[1], "lmg"]],
        "equipment": [UNITS[0], ["lmg", "british", "LMG", "X19"]],
    },
    "unknown fact": {"about": [*ABOUT, ["Date of play", "x"]]},
    "fact twice": {"about": [*ABOUT, ["date", "dawn"]]},
    "fact without a word": {"about": [*ABOUT, [None, "dawn"]]},
    "unknown date": {"about": [*ABOUT[:2], ["date", "Night IV"]]},
    "casualty vp": {"about": [*ABOUT, ["casualty_vp_german", "many"]]},
    "no format": {"about": [ABOUT[0], ABOUT[2]]},
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_names_sheet_row_and_column(tells: Tells, path: Path, name: str) -> None:
    (said,) = file_faults(workbook(path, **FAULTS[name]))
    tells(said, "sheet")


def test_an_about_sheet_without_its_columns(tells: Tells, path: Path) -> None:
    faults = file_faults(workbook(path, about=[["key", "value"], ["date", "dawn"]]))
    assert len(faults) == 4
    tells(faults, "sheet about")


def test_formulas_are_refused_by_cell(tells: Tells, path: Path) -> None:
    sheets = {"units": [UNITS[0], ["=A1", *UNITS[1][1:]]], "control": [["british"], ['="X"&18']]}
    tells(sentence(workbook(path, **sheets)), "A2", "formulas")


def test_many_formulas_are_counted(tells: Tells, path: Path) -> None:
    sheets = {"control": [["british"], *[["=1"]] * 14]}
    said = sentence(workbook(path, **sheets))
    tells(said, "4 more", "A11")


def test_a_workbook_without_any_of_the_sheets(tells: Tells, path: Path) -> None:
    book = Workbook()
    assert book.active is not None
    book.active["A1"] = "hello"
    book.save(path)
    tells(sentence(path), "ww_box")


def test_a_list_that_goes_on_for_ever(tells: Tells, path: Path) -> None:
    book = load_workbook(workbook(path, units=UNITS))
    book["units"].cell(20_000, 1, "x")
    book.save(path)
    tells(sentence(path), "20000", "10000", "latest")


def test_empty_sheets_of_the_players_own_do_no_harm(path: Path) -> None:
    assert read_position(workbook(path, Sheet1=[])) == position()


# What we write


FULL = position(
    title="=1+1",
    notes="-2\n@home",
    control={"british": ["X18"], "german": ["L9"]},
    casualty_vp={"british": 3},
    units=[UNIT | {"possesses": ["lmg-1"], "status": ["broken", "dm"], "name": "+Smith"}],
    equipment=[LMG, GUN],
    vehicles=[TANK | {"status": ["immobilized"], "aamg": False, "vca": "Y18/X17"}],
    fortifications=[{"kind": "foxhole", "at": "W21", "size": 2, "hidden": True}],
    ww_box=[{"type": "6-4-8", "count": 2}],
)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("excel") / "full.xlsx"
    write_position(FULL, path)
    return load_workbook(path)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("excel") / "empty.xlsx"
    write_template(path)
    return load_workbook(path)


def cells(book: Any) -> Iterator[Any]:
    for sheet in book.worksheets:
        for row in sheet.iter_rows():
            yield from row


def test_it_reads_back_the_same(path: Path) -> None:
    write_position(FULL, path)
    assert read_position(path) == FULL


def test_no_text_is_ever_a_formula(written: Any) -> None:
    assert not [cell.coordinate for cell in cells(written) if cell.data_type == "f"]
    risky = [cell for cell in cells(written) if str(cell.value or " ")[0] in "=+-@"]
    assert {cell.value for cell in risky} == {"=1+1", "-2\n@home", "+Smith"}
    assert all(cell.quotePrefix and cell.data_type == "s" for cell in risky)


def test_numbers_are_numbers(written: Any) -> None:
    about = {row[0].value: row[1].value for row in written["about"].iter_rows()}
    assert about["casualty_vp_british"] == 3
    assert written["ww_box"]["B2"].value == 2


def test_one_sheet_per_list_with_frozen_headings(template: Any) -> None:
    assert template.sheetnames == [GUIDE, "about", "control", *LISTS, WORDS]
    for name, part in LISTS.items():
        sheet = template[name]
        counted = [COUNT] if name in PIECES else []
        forms = ["number"] * len(counted) + [each.form for each in fields_of(part).values()]
        assert [cell.value for cell in sheet[1]] == counted + list(fields_of(part))
        assert sheet.freeze_panes == "A2"
        assert sheet.max_row > 100, "rows are made ready for typing"
        assert all(cell.value is None for row in sheet.iter_rows(min_row=2) for cell in row)
        for cell, form in zip(sheet[2], forms, strict=True):
            # Else Excel makes dates of 9-1 and 4-5-8.
            assert cell.number_format == ("General" if form == "number" else "@")


def lists_of(sheet: Any, column: str) -> list[DataValidation]:
    rules = sheet.data_validations.dataValidation
    return [rule for rule in rules if f"{column}2" in rule.sqref and rule.type == "list"]


def allowed(book: Any, span: str) -> list[str]:
    sheet, cells = span.split("!")
    return [row[0].value for row in book[sheet][cells.replace("$", "")]]


def test_the_drop_down_lists_hold_the_words_of_the_checks(template: Any) -> None:
    units, vehicles = template["units"], template["vehicles"]
    assert allowed(template, lists_of(units, "C")[0].formula1) == ["british", "german"]
    assert allowed(template, lists_of(units, "F")[0].formula1) == [*UnitStatus, ELIMINATED]
    assert allowed(template, lists_of(vehicles, "F")[0].formula1) == [*VehicleStatus, ELIMINATED]
    date = template["about"].data_validations.dataValidation[0]
    assert (str(date.sqref), allowed(template, date.formula1)) == ("B3", list(CGDate))


def test_the_types_offered_follow_the_side(template: Any) -> None:
    rule = lists_of(template["units"], "D")[0].formula1
    german, british = rule.removeprefix('IF($C2="german",').removesuffix(")").split(",")
    assert "4-6-7" in allowed(template, german)
    assert "4-6-7" not in allowed(template, british)
    assert "6-4-8" in allowed(template, british)


def test_every_flag_offers_yes_and_no_and_free_text_nothing(template: Any) -> None:
    seen: set[str] = set()
    for name, part in LISTS.items():
        first = 2 if name in PIECES else 1
        for column, field in enumerate(fields_of(part).values(), first):
            rules = lists_of(template[name], get_column_letter(column))
            if field.form == "flag":
                assert allowed(template, rules[0].formula1) == ["yes", "no"]
            if field.form == "text" and field.name == "notes":
                assert not rules
            seen.add(field.form)
    assert {"flag", "text", "choice"} <= seen


def test_several_words_in_a_cell_are_not_refused_by_excel(template: Any) -> None:
    assert not lists_of(template["units"], "F")[0].showErrorMessage
    assert lists_of(template["units"], "C")[0].showErrorMessage


@pytest.mark.finding("F-22")
def test_every_word_is_explained(template: Any) -> None:
    sheet = template[WORDS]
    heads = [cell.value for cell in sheet[1]]
    told = 0
    for column, head in enumerate(heads, 1):
        if head == "means":
            for row in range(2, sheet.max_row + 1):
                word, means = sheet.cell(row, column - 1).value, sheet.cell(row, column).value
                assert bool(word) == bool(means), word
                told += bool(word)
    assert told > 80


def test_the_guide_says_how_to_fill_it_in_with_an_example(template: Any) -> None:
    said = " ".join(
        str(cell.value) for row in template[GUIDE].iter_rows() for cell in row if cell.value
    )
    for word in ("Z15/1", "off-map A7", "pbcg position check", "6-4-8", "LMG 1b", *LISTS):
        assert word in said


def test_the_untouched_template_lacks_only_its_date(path: Path) -> None:
    write_template(path)
    assert file_faults(path) == [
        "sheet about, row 3 (date): is missing: choose the CG Date just played: "
        + ", ".join(CGDate)
    ]
    book = load_workbook(path)
    book["about"]["B3"] = "night-1"
    book.save(path)
    assert read_position(path) == position()


# -- Eliminated, capitals (G-22) ---------------------------------------------------------------

MANY: Rows = [["id", "side", "type", "at", "status"]]


@pytest.mark.finding("G-22")
@pytest.mark.parametrize(
    ("at", "status"),
    [("X18", "eliminated"), ("", "Eliminated"), ("ELIMINATED", ""), ("", "broken, eliminated")],
)
@pytest.mark.parametrize("suffix", [".xlsx", ".yaml"])
def test_an_eliminated_piece_is_named_and_not_placed(
    suffix: str, at: str, status: str, tmp_path: Path
) -> None:
    path = tmp_path / f"end{suffix}"
    if suffix == ".xlsx":
        rows = [*MANY, ["b1", "british", "6-4-8", at, status], ["b2", "british", "6-4-8", "X18"]]
        workbook(path, units=rows)
    else:
        words = [each.strip() for each in status.split(",") if each]
        gone = {"id": "b1", "at": at, "status": words}
        path.write_text(yaml.safe_dump(data(units=[gone, UNIT | {"id": "b2"}])), encoding="utf-8")
    found = read_position(path)
    assert ([unit.id for unit in found.units], found.eliminated) == (["b2"], ("b1",))
    again = tmp_path / f"again{suffix}"
    write_position(found, again)
    assert read_position(again) == found


@pytest.mark.finding("G-22")
def test_what_is_wrong_with_an_eliminated_piece(tells: Tells) -> None:
    dead = UNIT | {"status": ["eliminated"]}
    tells(fault(units=[dead, UNIT]), "entry 2", "b1", "Eliminated")
    tells(fault(units=[{"side": "british", "status": ["eliminated"]}]), "entry 1", "id")
    tells(fault(units=[UNIT | {"status": ["eliminted"]}]), "eliminted", "eliminated")
    tells(fault(units=[UNIT | {"at": ""}]), "at", "Location", "eliminated")


@pytest.mark.finding("G-22")
@pytest.mark.parametrize("suffix", [".xlsx", ".yaml"])
def test_capitals_do_not_matter(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"end{suffix}"
    unit = ["b1", "British", "6-4-8", "z20", "Broken, Walking Wounded", "lmg-1"]
    if suffix == ".xlsx":
        workbook(
            path,
            about=[["what", "value"], ["format", "pbcg-position/1"], ["date", "Night 1"]],
            units=[[*MANY[0], "possesses"], unit],
            equipment=[MANY[0], ["lmg-1", "BRITISH", "lmg", "Z20", "Malfunctioned"]],
            control=[["british"], ["z20"], ["z15/1"]],
            fortifications=[["kind", "at", "owner"], ["Trench", "w21", "German"]],
        )
    else:
        keys = data(
            date="Night 1",
            units=[dict(zip([*MANY[0], "possesses"], [*unit[:4], unit[4].split(", "), ["lmg-1"]],
                            strict=True))],
            equipment=[{"id": "lmg-1", "side": "BRITISH", "type": "lmg", "at": "z20",
                        "status": ["Malfunctioned"]}],
            control={"british": ["z20", "z15/1"]},
            fortifications=[{"kind": "Trench", "at": "w21", "owner": "German"}],
        )  # fmt: skip
        path.write_text(yaml.safe_dump(keys), encoding="utf-8")
    found = read_position(path)
    squad, weapon = found.units[0], found.equipment[0]
    assert (squad.at, [*map(str, squad.status)]) == ("Z20", ["broken", "walking-wounded"])
    assert (weapon.type, weapon.at, str(weapon.status[0])) == ("LMG", "Z20", "malfunctioned")
    assert found.control.british == ("Z20", "Z15/1")
    assert (found.date, found.fortifications[0].at) == (CGDate.NIGHT_1, "W21")


@pytest.mark.finding("G-22")
def test_rows_by_count_take_any_capitals_too(tmp_path: Path) -> None:
    rows: Rows = [[COUNT, "side", "type", "at", "status"], [3, "German", "4-4-7", "i10", "Broken"]]
    path = workbook(tmp_path / "end.xlsx", units=rows)
    assert [(u.type, u.at, *map(str, u.status)) for u in read_position(path).units] == [
        ("4-4-7", "I10", "broken")
    ] * 3


@pytest.mark.finding("G-22")
def test_the_first_sheet_says_how_to_enter_what_was_eliminated(template: Any, tells: Tells) -> None:
    words = [str(row[0].value) for row in template[GUIDE]]
    tells(words, "eliminated", "status")
    tells(words, "Broken", "z15")
    assert "eliminated" in [row[0].value for row in template["about"]]


@pytest.mark.finding("G-22")
def test_like_faults_with_values_are_told_as_one(tells: Tells, tmp_path: Path) -> None:
    rows = [["b1", "british", "6-4-8", f"X{n}", "brocken"] for n in range(81, 86)]
    with pytest.raises(FaultsError) as caught:
        read_position(workbook(tmp_path / "end.xlsx", units=[*MANY, *rows]))
    assert len(caught.value.faults) == 10
    assert [len(group.faults) for group in group_faults(caught.value.faults)] == [5, 5]
    tells(str(caught.value), "status", "brocken")
    tells(str(caught.value), "X81", "X83", "at")
