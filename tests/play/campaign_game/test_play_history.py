"""Looking back: exact chances of the dice, what each CG Date brought, service records."""

from __future__ import annotations

import csv
import itertools
import json
import re
from fractions import Fraction
from pathlib import Path

import openpyxl
import pytest
from pypdf import PdfReader
from typer.testing import CliRunner

from asl_pbcg.cli.main import app
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.play.campaign_game.history import ENOUGH, dice_falls, tails


def thrown(side: str, *dice: int) -> LogLine:
    rolled = Rolled(
        table="", rule="", dice=dice, original=sum(dice), final=sum(dice), result=str(sum(dice))
    )
    return LogLine(kind="roll", step="dawn/9.606", text="", side=side, roll=rolled)


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_the_chance_of_a_series_is_that_of_counting_all(count: int) -> None:
    totals = [sum(faces) for faces in itertools.product(range(1, 7), repeat=count)]
    for total in range(count, 6 * count + 1):
        below = Fraction(sum(each <= total for each in totals), len(totals))
        above = Fraction(sum(each >= total for each in totals), len(totals))
        assert tails(count, total) == pytest.approx((float(below), float(above)), abs=1e-11)


def test_a_long_series_is_exact_and_quick() -> None:
    below, above = tails(1000, 3500)
    assert below + above > 1 and below == pytest.approx(0.5037, abs=2e-3)
    assert tails(1000, 3300)[0] < 1e-3


def test_falls_are_counted_by_side_and_number_of_dice() -> None:
    lines = [thrown("german", 6, 6)] * ENOUGH + [thrown("british", 1, 2), thrown("british", 3)]
    lines.append(LogLine(kind="note", step="dawn/9.606", text="nothing"))
    british, single, german = dice_falls(lines)
    assert (british.side, british.dice, british.count, british.lower) == ("british", 2, 1, None)
    assert (single.dice, single.total) == (1, 3)
    assert german.mean == 12 and german.lower == 1
    assert german.higher == pytest.approx(6.0 ** (-2 * ENOUGH), abs=1e-12)
    assert german.faces == (0,) * 10 + (ENOUGH,)


def test_history_and_dice_at_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner()
    made = run.invoke(app, ["new", "a.pbcg", "--campaign", "CG2", "--auto", "--seed", "4"])
    assert made.exit_code == 0, made.output
    rows = json.loads(run.invoke(app, ["history", "a.pbcg", "--json"]).stdout)
    assert [row["date"] for row in rows] == ["dawn"]
    assert rows[0]["cpp_available"] == 25 and rows[0]["british_san"]
    own = json.loads(run.invoke(app, ["history", "a.pbcg", "--json", "--as", "british"]).stdout)
    assert not own[0].get("cpp_available") and not own[0].get("rg_purchased")
    falls = json.loads(run.invoke(app, ["dice", "a.pbcg", "--json"]).stdout)
    assert sum(each["count"] for each in falls) > 5
    assert run.invoke(app, ["dice", "a.pbcg"]).exit_code == 0
    assert run.invoke(app, ["history", "a.pbcg"]).exit_code == 0
    shown = run.invoke(app, ["history", "a.pbcg", "--piece", "g-fpp-99"])
    assert shown.exit_code != 0


def test_history_and_dice_on_paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import openpyxl

    monkeypatch.chdir(tmp_path)
    run = CliRunner()
    made = run.invoke(app, ["new", "a.pbcg", "--campaign", "CG2", "--auto", "--seed", "4"])
    assert made.exit_code == 0, made.output
    falls = json.loads(run.invoke(app, ["dice", "a.pbcg", "--json"]).stdout)
    for command in ("history", "dice"):
        assert run.invoke(app, [command, "a.pbcg", "-o", f"{command}.xlsx"]).exit_code == 0
        book = openpyxl.load_workbook(f"{command}.xlsx")
        cells = [[cell.value for cell in row] for sheet in book for row in sheet.iter_rows()]
        assert any(row[0] == "Dawn" and 25 in row for row in cells)
        (side, count) = (falls[0]["side"].capitalize(), falls[0]["count"])
        assert any(row[0] == side and count in row for row in cells)
    assert isinstance(run.invoke(app, ["dice", "a.pbcg", "-o", "a.txt"]).exception, PBCGError)
    assert run.invoke(app, ["dice", "a.pbcg", "-o", "a.pdf"]).exit_code == 0
    assert Path("a.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.finding("G-36")
@pytest.mark.parametrize(
    ("args", "file", "columns"),
    [
        (["history"], "a-dates", "date,title,first_setup,first_move,british_san,german_san,"),
        (["history"], "a-fortifications", "date,side,kind,factors,unit,location,count"),
        (["history"], "a-rg", "date,rg,cpp"),
        (["history"], "a-reinforcements", "date,type,dismantled,count"),
        (["history"], "a-notes", "date,written,by,private,called,about,line,text"),
        (["dice"], "a", "side,dice,total,came,chance,chance_decimal,expected,expected_decimal"),
        (["log"], "a", "seq,date,step,kind,side,by,secret,point,rule,where,text,die_1,die_2,drm,"),
        (["records", "--sheet", "purchases"], "a-rg", "line,date,rg,group_type,given,"),
        (["records", "--sheet", "purchases"], "a-leaders", "line,rg,leader"),
        (["records", "--sheet", "german-forces"], "a-pieces", "piece,side,area,type,factors,count"),
        (["records", "--sheet", "german-forces"], "a-status", "piece,type,location,status"),
        (["history", "--honours"], "a-losses", "side,date,title,rule,kind,piece,type,squads,cvp,"),
        (
            ["history", "--luck"],
            "a",
            "phase,side,kind,unit,rolls,expected,expected_decimal,brought",
        ),
    ],
)
def test_tables_as_data(
    args: list[str], file: str, columns: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner()
    run.invoke(app, ["new", "a.pbcg", "--campaign", "CG2", "--auto", "--seed", "4"])
    command, *rest = args
    assert run.invoke(app, [command, "a.pbcg", *rest, "-o", "a.csv"]).exit_code == 0
    with Path(f"{file}.csv").open(encoding="utf-8-sig", newline="") as stream:
        table = csv.DictReader(stream)
        assert ",".join(table.fieldnames or ()).startswith(columns)
        for row in table:
            for column, value in row.items():
                if column not in ("text", "notes", "line", "group_type"):  # sentences and titles
                    assert not re.search(r"[;,\n×]| x\d", value), (column, value)
    assert run.invoke(app, [command, "a.pbcg", *rest, "-o", "a.json"]).exit_code == 0
    mine = json.loads(Path("a.json").read_text(encoding="utf-8"))
    own = [command, "a.pbcg", *rest, "--as", "british", "-o", "b.json"]
    assert run.invoke(app, own).exit_code == 0
    theirs = json.loads(Path("b.json").read_text(encoding="utf-8"))
    assert mine and len(theirs) <= len(mine)
    assert isinstance(
        run.invoke(app, [command, "a.pbcg", *rest, "-o", "a.txt"]).exception, PBCGError
    )


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    monkeypatch.chdir(tmp_path)
    run = CliRunner()
    run.invoke(app, ["new", "a.pbcg", "--campaign", "CG2", "--auto", "--seed", "4"])
    return run


@pytest.mark.finding("J-52")
@pytest.mark.parametrize(
    ("option", "words"), [("--luck", "Whole campaign"), ("--honours", "Losses")]
)
def test_luck_and_honours_can_be_printed(begun: CliRunner, option: str, words: str) -> None:
    done = begun.invoke(app, ["history", "a.pbcg", option, "--as", "german", "-o", "x.pdf"])
    assert done.exit_code == 0, done.output
    (page, *_) = PdfReader("x.pdf").pages
    assert words in page.extract_text()


@pytest.mark.finding("J-52")
def test_numbers_of_a_ledger_are_numbers_in_excel_and_json(begun: CliRunner) -> None:
    begun.invoke(app, ["records", "a.pbcg", "--sheet", "campaign", "-o", "x.xlsx"])
    book = openpyxl.load_workbook("x.xlsx")
    rows = list(book["Campaign and Ledger of Luck"].iter_rows(values_only=True))
    head = next(number for number, row in enumerate(rows) if row[0] == "Refit Phase")
    numbers = rows[head].index("Expected")
    assert all(isinstance(row[numbers], int | float) for row in rows[head + 1 :] if row[1])
    luck = json.loads(begun.invoke(app, ["history", "a.pbcg", "--luck", "--json"]).output)
    rows_of = luck if isinstance(luck, list) else luck["result"]
    for row in rows_of:
        assert row["expected"] == pytest.approx(float(Fraction(row["expected_exact"])))
    told = json.loads(begun.invoke(app, ["history", "a.pbcg", "--json"]).output)
    dates_of = told if isinstance(told, list) else told["result"]
    assert len({tuple(row) for row in dates_of}) == 1
    begun.invoke(app, ["records", "a.pbcg", "--sheet", "german-forces", "-o", "y.json"])
    pieces = json.loads(Path("y.json").read_text(encoding="utf-8"))["pieces"]
    assert "Fortification" in {row["kind"] for row in pieces}
    assert "other" not in {row["kind"] for row in pieces}
