"""``pbcg refit --position``, ``pbcg areas`` and the report of a campaign in progress."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from in_process import pbcg
from sentences import Tells

from asl_pbcg.kernel.data import data_path

END = data_path("pb/samples/night-1-end.yaml")


def begun(tmp_path: Path) -> Path:
    file = tmp_path / "evening.pbcg"
    pbcg("new", file, "--campaign", "CG1", "--auto", "--seed", "5")
    return file


def test_the_position_waits_until_it_is_asked_for(tells: Tells, tmp_path: Path) -> None:
    file = begun(tmp_path)
    told = pbcg("refit", file, "--position", END, "--auto", "3")
    tells(told, "Night II")
    told = pbcg("areas", file, "-o", tmp_path / "map.pdf")
    tells(told, "Night I", "Night II", "Areas")
    assert (tmp_path / "map.pdf").read_bytes().startswith(b"%PDF")
    told = pbcg("areas", file, "--next-date", "dusk", code=2)
    assert "leave out" in told


def test_the_faults_of_a_position_are_told_before_anything_is_asked(
    tells: Tells, tmp_path: Path
) -> None:
    file = begun(tmp_path)
    position = tmp_path / "end.yaml"
    position.write_text(
        "format: pbcg-position/1\ndate: night-2\nunits:\n"
        "- {id: g1, side: german, type: 4-3-6, at: Z17}\n",
        encoding="utf-8",
    )
    told = pbcg("refit", file, "--position", position, code=2)
    tells(told, "CG Date", "night-1")
    assert "How did" not in told
    answers = tmp_path / "answers.yaml"
    answers.write_text("format: pbcg-answers/1\nanswers:\n- 0.1: agreement\n", encoding="utf-8")
    told = pbcg("refit", file, "--position", END, "--answers", answers, typed="q\n")
    tells(told, "answers")


def test_the_umpire_is_who_says_so(tmp_path: Path) -> None:
    """Of a number that one side gives both at one screen cannot say whether it has it."""
    file, position = begun(tmp_path), tmp_path / "end.yaml"
    never_bought = "units: [{id: g-467-999, at: M12}]"
    position.write_text(
        f"format: pbcg-changes/1\ndate: night-1\n{never_bought}\n", encoding="utf-8"
    )
    both = pbcg("refit", file, "--position", position, typed="1\n1\n1\nq\n")
    assert "How did" in both
    umpire = pbcg("refit", file, "--position", position, "--as", "umpire", code=2)
    assert "D-999" in umpire and "How did" not in umpire


def test_before_a_scenario_there_are_no_setup_areas(tells: Tells, tmp_path: Path) -> None:
    file = begun(tmp_path)
    tells(pbcg("areas", file, code=2), "Areas")
    output = tmp_path / "map.pdf"
    told = pbcg("records", file, "--as", "german", "--sheet", "map", "-o", output, code=2)
    tells(told, "Areas")
    assert not output.exists()


def test_the_report_is_of_the_last_refit_phase(tells: Tells, tmp_path: Path) -> None:
    from test_cli_records import cells_of

    file = begun(tmp_path)
    pbcg("refit", file, "--position", END, "--auto", "3")
    pbcg("records", file, "--as", "umpire", "--sheet", "report", "-o", tmp_path / "last.xlsx")
    pbcg("records", file, "--as", "umpire", "--sheet", "report", "--whole-report",
         "-o", tmp_path / "all.xlsx")  # fmt: skip
    last, whole = cells_of(tmp_path / "last.xlsx"), cells_of(tmp_path / "all.xlsx")
    map_sheet = tmp_path / "map.xlsx"
    pbcg("records", file, "--as", "german", "--sheet", "map", "-o", map_sheet)
    cells = cells_of(map_sheet)
    tells(cells, "Night I", "Areas")
    assert "Entry Area Z28" in cells
    tells(cells, "No Man's Land")
    begins = "Campaign Game I: Coup de Main begins with Night I."
    ends = "The end position of Night I? taken"
    assert begins in whole
    assert begins not in last
    assert ends in whole
    assert ends in last


def test_landed_gliders_are_listed_where_they_lie() -> None:
    from refit_helpers import BRITISH, campaign_at, piece

    from asl_pbcg.campaign.sheets.ledger import force_lines

    carried = piece("b-glider-1", BRITISH, "Glider", area="Glider")
    state = campaign_at("9.606", carried, gliders={"X24": "landed", "V22": "wrecked"})
    lines = [(each.id, each.location, each.status) for each in force_lines(state, BRITISH)]
    assert lines == [("glider 1", "X24", ("landed",)), ("glider 2", "V22", ("wrecked",))]
    before = campaign_at("9.620", carried, determined=False)
    assert [each.id for each in force_lines(before, BRITISH)] == ["b-glider-1"]


@pytest.mark.finding("F-34")
def test_a_log_of_nothing_is_a_mistake(tmp_path: Path) -> None:
    file = begun(tmp_path)
    assert "zzz" in pbcg("log", file, "--piece", "zzz", code=2)
    assert "9.999" in pbcg("log", file, "--step", "9.999", code=2)


def test_the_log_is_asked_for_a_rule_below_a_step(tmp_path: Path) -> None:
    file = begun(tmp_path)
    told = pbcg("log", file, "--step", "9.6182").splitlines()
    lines = [line.split()[0] for line in told if line.startswith("  ")]
    assert lines and set(lines) == {"9.6182"}


@pytest.mark.finding("F-34")
def test_a_wrong_correction_is_refused_in_words(tmp_path: Path) -> None:
    file = begun(tmp_path)
    for change in ("pieces/b-648-1/status=broken", "san/german=many", "date=tomorrow"):
        told = pbcg("correct", file, change, "--reason", "a slip", code=2)
        assert "$" not in told and "Expected" not in told


@pytest.mark.parametrize("viewer", ["british", "german"])
def test_the_command_to_go_on_keeps_the_eyes_of_the_side(tmp_path: Path, viewer: str) -> None:
    file = begun(tmp_path)
    told = pbcg("refit", file, "--position", END, "--as", viewer, "--auto", "3")
    assert f"refit {file} --as {viewer}" in told


@pytest.mark.parametrize(
    ("change", "wrong", "right"),
    [
        ("san/deutsch=4", "deutsch", "british, german"),
        ("sann/german=4", "sann", "san"),
        ("pieces/b-648-1/att=Y20", "att", "at"),
        ("pieces/b-648-1/state=", "state", "status"),
        ("pieces/b-648-1/status=", "empty", "[]"),
        ("control/french=[Y20]", "french", "british, german"),
    ],
)
def test_a_correction_of_what_is_not_there_names_what_is(
    tmp_path: Path, change: str, wrong: str, right: str
) -> None:
    told = pbcg("correct", begun(tmp_path), change, "--reason", "a slip", code=2)
    assert wrong in told and right in told
    assert "None" not in told and "already" not in told


def test_points_are_told_without_a_point_of_nothing(tmp_path: Path) -> None:
    file = begun(tmp_path)
    pbcg("correct", file, "fpp/british=2", "--reason", "miscounted")
    told = pbcg("correct", file, "fpp/british=2.5", "--reason", "again")
    assert "2.5" in told and "2.0" not in told


def test_a_step_is_found_across_the_new_date_within_its_refit_phase(tmp_path: Path) -> None:
    file = begun(tmp_path)
    pbcg("refit", file, "--position", END, "--auto", "3")
    # 9.606 came before the CG Date changed in 9.612, 9.613 after it.
    assert "night-2/9.613" in pbcg("undo", file, "--to", "9.613", "--reason", "again", "--yes")
    assert "night-1/9.606" in pbcg("undo", file, "--to", "9.606", "--reason", "again", "--yes")
    assert "night-1/9.618" in pbcg("undo", file, "--to", "9.619", "--reason", "again", code=2)


@pytest.mark.finding("G-32")
def test_redo_gives_back_an_evening_with_its_dice(tmp_path: Path, tells: Tells) -> None:
    file = begun(tmp_path)
    pbcg("refit", file, "--position", END, "--auto", "3")
    before = pbcg("log", file)
    back = ("undo", file, "--to", "9.606", "--reason", "by mistake")
    tells(pbcg(*back, code=2, typed="n\n"), "28", "night-1", "night-2")
    assert pbcg("log", file) == before
    tells(pbcg(*back, typed="y\n"), "night-1/9.606")
    tells(pbcg("redo", file, "--as", "british", code=2), "own")
    tells(pbcg("redo", file), "Redone")
    after = [line for line in pbcg("log", file).splitlines() if "Redone" not in line]
    assert [line for line in after if "Undone" not in line and line] == [
        line for line in before.splitlines() if line
    ]
    assert "whole" in pbcg("verify", file)
    tells(pbcg("redo", file, code=2), "nothing")


@pytest.mark.finding("G-30")
def test_one_side_proposes_a_correction_and_the_other_agrees(tmp_path: Path, tells: Tells) -> None:
    file = begun(tmp_path)
    told = pbcg("correct", file, "san/german=5", "--reason", "misread", "--as", "british")
    tells(told, "British", "proposes", "san/german", "5", "misread")
    shown = pbcg("correct", file, "--as", "german")
    assert shown.startswith(told.splitlines()[0])
    digest = re.findall("--agree ([0-9a-f]{32})", shown)[0]
    asked = pbcg("refit", file, "--as", "german", typed="q\n")
    assert "san/german" in asked and f"--agree {digest}" in " ".join(asked.split())
    tells(pbcg("correct", file, "--agree", digest, "--as", "british", code=2), "must agree")
    tells(pbcg("correct", file, "--agree", digest, "--as", "german"), "san/german", "5")
    tells(pbcg("correct", file, "--as", "german"), "No correction")
    tells(pbcg("status", file), "SAN", "German 5")
    pbcg("correct", file, "san/german=6", "--reason", "again", "--as", "british")
    tells(pbcg("correct", file, "--agree", digest, "--as", "german", code=2), "changed")
    tells(pbcg("correct", file, "--decline", digest, "--as", "german", code=2), "changed")
    digest = re.findall("--decline ([0-9a-f]{32})", pbcg("correct", file, "--as", "german"))[0]
    tells(pbcg("correct", file, "--decline", digest, "--as", "german"), "No correction")
    tells(pbcg("correct", file, "cpp=3", "--reason", "a", "--as", "british", code=2), "cpp")
