"""Sheet templates: the shipped ones, a club's own, and what is said of a broken one."""

from __future__ import annotations

from pathlib import Path

import pytest
from sentences import Tells, raised

from asl_pbcg.kernel.data import template_path
from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.records import check_folder, load_layout
from asl_pbcg.records.layout import Align, Column, Fill, Format, Orientation, TableLayout
from asl_pbcg.records.templates import read_layout, shipped_names

GOOD = """
title: Our Record
orientation: portrait
tables:
  - key: groups
    columns:
      - {key: rg, heading: Group, width: 20}
      - {heading: Initials, width: 15}
      - {key: cpp_cost, group: Points, heading: CPP, width: 12, format: whole}
"""


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_shipped_template_can_be_read() -> None:
    assert {"cg_roster", "rg_purchase_record", "force_roster"} <= set(shipped_names())
    for name in shipped_names():
        assert load_layout(name).name == name


def test_a_template_says_how_a_sheet_looks() -> None:
    layout = load_layout("rg_purchase_record")
    assert layout.title == "RG Purchase Record"
    assert layout.orientation is Orientation.LANDSCAPE
    (table,) = layout.tables
    assert (table.freeze, table.fill) == (3, Fill.ROWS)
    by_key = {column.key: column for column in table.columns}
    assert by_key["entry_cost"].format is Format.SIGNED
    assert by_key["entry_cost"].alignment is Align.CENTER  # numbers, where nothing is said
    assert by_key["group_type"].alignment is Align.LEFT
    groups = [(group, last - first + 1) for group, first, last in table.spans(table.shown)]
    assert [group for group in groups if group[0]] == [
        ("# Units", 2),
        ("SW Received", 4),
        ("CPP", 2),
    ]


def test_a_folder_overrides_one_template_and_leaves_the_others(tmp_path: Path) -> None:
    put(tmp_path, "rg_purchase_record", GOOD)
    own = load_layout("rg_purchase_record", tmp_path)
    assert own.title == "Our Record"
    assert [column.heading for column in own.tables[0].columns] == ["Group", "Initials", "CPP"]
    assert load_layout("cg_roster", tmp_path) == load_layout("cg_roster")
    assert check_folder(tmp_path) == ("rg_purchase_record",)


def test_a_copy_of_a_shipped_template_is_the_same_layout(tmp_path: Path) -> None:
    for name in shipped_names():
        put(tmp_path, name, template_path(f"{name}.yaml").read_text(encoding="utf-8"))
    assert check_folder(tmp_path) == shipped_names()
    assert load_layout("force_roster", tmp_path) == load_layout("force_roster")


def test_all_faults_of_a_template_are_told_at_once(tells: Tells, tmp_path: Path) -> None:
    put(
        tmp_path,
        "rg_purchase_record",
        """
titel: Record
orientation: sideways
notes: none
tables:
  - key: groups
    row_height: high
    blank_rows: 2.5
    new_page: "no"
    section: area_id
    columns:
      - {key: rg, heading: RG ID, width: 900}
      - {key: rgg, heading: RG ID, width: 10}
      - {key: rg, heading: "", width: 10, format: wholes}
      - {key: area, heading: Area, align: middle, bold: 1}
      - just text
  - key: grups
    columns: []
""",
    )
    with pytest.raises(FaultsError) as caught:
        load_layout("rg_purchase_record", tmp_path)
    assert [(fault.where, fault.value) for fault in caught.value.faults] == [
        ("the template", "titel"),
        ("orientation", "sideways"),
        ("notes", "none"),
        ("table 1 (groups), row_height", "high"),
        ("table 1 (groups), blank_rows", "2.5"),
        ("table 1 (groups), new_page", "no"),
        ("table 1 (groups), column 1 (rg), width", "900"),
        ("table 1 (groups), column 2 (rgg), key", "rgg"),
        ("table 1 (groups), column 3 (rg), heading", ""),
        ("table 1 (groups), column 3 (rg), format", "wholes"),
        ("table 1 (groups), column 4 (area), align", "middle"),
        ("table 1 (groups), column 4 (area), bold", "1"),
        ("table 1 (groups), column 4 (area), width", ""),
        ("table 1 (groups), column 5", "just text"),
        ("table 2 (grups), key", "grups"),
        ("table 2 (grups), columns", ""),
        ("title", ""),
    ]
    told = str(caught.value)
    tells(told, "titel", "title")
    tells(told, "900", "mm", "300")
    tells(told, "rgg", "nearest: rg")
    tells(told, "wholes", "percent")


def test_a_misspelled_file_and_faults_of_several_files_are_told_together(
    tells: Tells, tmp_path: Path
) -> None:
    put(tmp_path, "cg_rooster", GOOD)
    put(tmp_path, "rg_purchase_record", GOOD.replace("whole", "round"))
    put(tmp_path, "force_roster", "a: ]")
    with pytest.raises(FaultsError) as caught:
        check_folder(tmp_path)
    told = str(caught.value)
    tells(told, "cg_rooster", "cg_roster")
    tells(told, "round", "rg_purchase_record", "cpp_cost", "groups", "table 1", "column 3")
    assert f"{tmp_path / 'force_roster.yaml'}, line 1: this is not YAML" in told


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        ("- a\n- b\n", "the template"),
        ("title: X\ntables: 5\n", 'tables: "5" must be a list'),
        ("title: X\ntables: []\n", "tables: must not be empty"),
        ("title: &x X\ntables: *x\n", "anchors and aliases"),
        ("title: X\ntitle: Y\n", "title is written twice"),
    ],
)
def test_a_file_that_is_no_template_gets_a_sentence(
    tmp_path: Path, text: str, sentence: str
) -> None:
    path = put(tmp_path, "cg_roster", text)
    with pytest.raises(PBCGError) as caught:
        read_layout(path)
    assert sentence in str(caught.value)


def test_no_folder_and_no_such_sheet(tells: Tells, tmp_path: Path) -> None:
    tells(raised(PBCGError, lambda: load_layout("cg_roster", tmp_path / "nowhere")), "templates")
    tells(raised(PBCGError, lambda: load_layout("no_sheet")), "no_sheet")


def test_the_manual_names_every_key_of_a_template() -> None:
    manual = (Path(__file__).parent.parent.parent / "docs" / "players" / "sheets.md").read_text(
        encoding="utf-8"
    )
    keys = {*TableLayout.__struct_fields__, *Column.__struct_fields__} - {"key"}
    words = {*(str(word) for word in (*Format, *Align, *Fill, *Orientation)), *keys}
    assert not [word for word in sorted(words) if word not in manual]
