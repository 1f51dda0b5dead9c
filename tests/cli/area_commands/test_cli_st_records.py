"""``pbcg st records``: rosters and VP sheet, filled and blank, read back cell by cell."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
import pypdf
import pytest
from sentences import Tells
from st_help import GAME
from st_soak import Automatic
from typer.testing import CliRunner

from asl_pbcg.cli.area_commands.st_file import opened_game
from asl_pbcg.cli.area_commands.st_prints import records_app as app
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.play.area_play.area_game import create_game, seen_state
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.state.game_rules import british_order, german_order
from asl_pbcg.st.state.game_state import State

RUN = CliRunner()
HARD = {"mode": "variable", "difficulty": "hard"}
Cells = list[tuple[Any, ...]]


def run(*arguments: str | Path) -> str:
    """What a command says; its error is raised as in the program."""
    result = RUN.invoke(app, [str(argument) for argument in arguments])
    if isinstance(result.exception, PBCGError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def make(path: Path, settings: dict[str, Any], step: str) -> State:
    """A game file played by itself up to the step that begins so; what the British see."""
    meta = {"settings": settings, "dice": "seeded", "seed": 1}
    session = create_game(path, meta, load_map()).session
    try:
        drive(
            session,
            Automatic("good", 1),
            SeededDice(9),
            until=lambda: session.step is not None and session.step.id == step,
        )
        return seen_state(session)
    finally:
        session.journal.close()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records")
    make(folder / "early.pbcg", HARD, "1.3")
    make(folder / "late.pbcg", HARD, "9.5")
    make(folder / "over.pbcg", HARD, "never")
    return folder


def tables(path: Path) -> dict[str, Cells]:
    """The rows of each table below its headings, by the first heading."""
    found: dict[str, Cells] = {}
    for sheet in openpyxl.load_workbook(path).worksheets:
        rows = list(sheet.iter_rows(values_only=True))
        heading = next(
            i for i, row in enumerate(rows) if row[0] in ("ID", "Unit", "Weapon", "Item", "Level")
        )
        key = f"{sheet.title}: {rows[heading][0]}"
        listed = [row for row in rows[heading + 1 :] if row[0] is not None]
        # Notes stand below the last table.
        found[key] = [row for row in listed if not str(row[0]).startswith("\N{BULLET}")]
    return found


def written(file: Path, tmp_path: Path, *options: str | Path) -> dict[str, Cells]:
    out = tmp_path / f"{file.stem}.xlsx"
    run(file, "-o", out, *options)
    return tables(out)


def named(found: dict[str, Cells], *words: str) -> Cells:
    (key,) = (key for key in found if all(word in key for word in words))
    return found[key]


def state_of(file: Path) -> tuple[State, State]:
    with opened_game(file) as session:
        return session.state, seen_state(session)


@pytest.mark.rule("ST-GEN-04", "ST-GRE-03")
@pytest.mark.parametrize("name", ["early", "late", "over"])
def test_the_british_roster_has_every_unit_as_it_is(name: str, files: Path, tmp_path: Path) -> None:
    state, seen = state_of(files / f"{name}.pbcg")
    rows = named(written(files / f"{name}.pbcg", tmp_path), "British", ": ID")
    units = {unit.id: unit for unit in (state if state.over else seen).units}
    assert len(rows) == len(british_order().units) == 40
    for line, row in zip(british_order().units, rows, strict=True):
        unit = units[line.id]
        number, text, initial, current, grenades, area, notes = row
        assert (number, text, initial) == (line.roster, line.name, line.sp)
        if unit.status in ("map", "dead", "aboard", "waiting"):
            assert current == unit.sp - unit.lost
        else:
            assert current is None
        if line.kind not in ("platoon", "squad"):
            assert grenades == "\N{EN DASH}"
        elif unit.status == "map":
            assert grenades == f"{unit.grenades} of {line.grenades}"
        assert (area or "") == (
            GAME.rules(state.settings).geo.text(unit.area) + (", bunker" if unit.inside else "")
            if unit.status == "map"
            else ""
        )
        for word, holds in (
            ("suppressed", unit.suppressed),
            ("wounded", unit.wounded and unit.status == "map"),
            ("eliminated", unit.status == "dead"),
        ):
            assert (word in (notes or "")) == holds, line.id


@pytest.mark.rule("ST-BRK-01")
def test_a_platoon_whose_squads_are_in_play_is_told_as_such() -> None:
    from st_help import british, situation

    from asl_pbcg.st.many.area_sheets import british_roster

    sit = situation()
    british(sit, "N7", "wood-a", "fox-platoon")
    rows = british_roster(sit.rules, sit.close()).tables["units"]
    notes = {row["unit"]: row["notes"] for row in rows}
    assert "squads" in notes["Wood platoon"]
    assert notes["Fox platoon"] == notes["Hooper platoon"] == ""
    assert "platoon" in notes["Fox squad A"]


@pytest.mark.rule("ST-PIA-05", "ST-GAM-02")
@pytest.mark.parametrize("name", ["early", "over"])
def test_the_weapons_have_their_charges(name: str, files: Path, tmp_path: Path) -> None:
    state, _ = state_of(files / f"{name}.pbcg")
    rows = named(written(files / f"{name}.pbcg", tmp_path), "British", ": Weapon")
    weapons = {weapon.id: weapon for weapon in state.weapons}
    units = {unit.id: unit for unit in state.units}
    assert [row[0] for row in rows] == [weapon.name for weapon in british_order().weapons]
    for printed, row in zip(british_order().weapons, rows, strict=True):
        weapon = weapons[printed.id]
        most = printed.charges or state.settings.gammon_uses
        assert row[1] == f"{weapon.charges} of {most}"
        assert (row[2] or "") == (units[weapon.carrier].name if weapon.carrier else "")


def test_the_german_roster_when_the_game_is_over_has_everything(
    files: Path, tmp_path: Path
) -> None:
    state, _ = state_of(files / "over.pbcg")
    assert state.over
    found = written(files / "over.pbcg", tmp_path)
    rows = named(found, "German", ": Unit")
    came = [u for u in state.units if u.side == "german" and u.status != "pool"]
    german = [unit for unit in came if not unit.dummy]
    assert len(rows) == len(german) < len(came)
    assert any(unit.status == "left" for unit in german)
    for unit, row in zip(german, rows, strict=True):
        assert row[0].lower() == unit.name.lower()
        assert ("left" in (row[4] or "")) == (unit.status == "left")
        assert row[1:3] == ((unit.sp, unit.strength) if unit.combat else (None, None))
    guns = named(found, "German", ": Weapon")
    assert len(guns) == len(german_order().mgs) + 1
    taken = {row[0] for row in guns if row[1] == "British" or row[3] == "destroyed"}
    counted = {score.item: score.count for score in state.result.scores} if state.result else {}
    assert len(taken) == counted["mg"] + counted["at_gun"]


@pytest.mark.rule("ST-SET-23", "ST-SET-26", "ST-GAR-03")
def test_before_the_end_nothing_hidden_is_printed(files: Path, tmp_path: Path) -> None:
    state, seen = state_of(files / "early.pbcg")
    down = [unit for unit in state.units if unit.face_down]
    assert any(unit.dummy for unit in down) and any(not unit.dummy for unit in down)
    hidden = [u for u in state.units if u.side == "german" and u.status in ("pool", "waiting")]
    assert hidden and state.chit
    rows = named(written(files / "early.pbcg", tmp_path), "German", ": Unit")
    covered = [row for row in rows if row[0] == "Face-down counter"]
    assert len(covered) == len([unit for unit in seen.units if unit.face_down])
    assert {row[1:3] + row[4:] for row in covered} == {(None, None, None)}
    assert len(rows) == len([u for u in seen.units if u.side == "german" and not u.dummy])
    # Not a word of it in any format.
    run(files / "early.pbcg", "-o", tmp_path / "a.pdf")
    text = "".join(page.extract_text() for page in pypdf.PdfReader(tmp_path / "a.pdf").pages)
    for unit in (*down, *hidden):
        assert unit.name.lower() not in text.lower(), unit.name
    for word in ("ummy", "wired", "blank", "chit"):
        assert word not in text.replace("Campaign", ""), word


def test_a_change_of_what_is_hidden_changes_no_sheet(files: Path) -> None:
    """The sheets of two games that differ only in hidden things are the same to the last byte."""
    from msgspec.structs import replace

    from asl_pbcg.records import to_excel, to_pdf
    from asl_pbcg.st.many.area_sheets import game_sheets
    from asl_pbcg.st.state.player_view import view_for

    state, _ = state_of(files / "early.pbcg")
    rules = GAME.rules(state.settings)
    swapped = replace(
        state,
        chit="H" if state.chit != "H" else "D",
        demo_marker="wired" if state.demo_marker == "blank" else "blank",
        units=tuple(
            replace(unit, dummy=not unit.dummy, name="another", sp=4 - unit.sp)
            if unit.face_down
            else unit
            for unit in state.units
        ),
    )
    assert swapped != state
    pages = []
    for each in (state, swapped):
        sheets = game_sheets(rules, each, view_for(each, "british"))
        pages.append((to_pdf(sheets, "a4"), cells_of(to_excel(sheets, "a4"))))
    assert pages[0] == pages[1]


def cells_of(content: bytes) -> list[Any]:
    book = openpyxl.load_workbook(BytesIO(content))
    return [list(sheet.iter_rows(values_only=True)) for sheet in book.worksheets]


@pytest.mark.rule("ST-VIC-01", "ST-VIC-14")
@pytest.mark.parametrize("name", ["late", "over"])
def test_the_vp_sheet_adds_up(name: str, files: Path, tmp_path: Path) -> None:
    state, _ = state_of(files / f"{name}.pbcg")
    found = written(files / f"{name}.pbcg", tmp_path)
    rows = named(found, "Victory Points", ": Item")
    chart = victory_chart()
    for line, row in zip(chart.points.values(), rows, strict=False):
        assert row[:2] == (line.text, line.value)
        assert row[3] == row[1] * row[2]
        assert row[4] == line.rule
    total = rows[-1]
    assert total[0] == "Total" and total[3] == sum(row[3] for row in rows[:-1])
    levels = named(found, ": Level")
    assert [row[0] for row in levels] == [chart.names[level] for level in chart.levels]
    assert [row[1:4] for row in levels] == [
        ("up to 56", "up to 46", "up to 41"),
        ("57 to 59", "47 to 58", "42 to 53"),
        ("60 to 65", "59 to 65", "54 to 65"),
        ("66 and more", "66 and more", "66 and more"),
    ]
    if state.result:
        assert total[3] == state.result.vp
        (reached,) = (row[0] for row in levels if row[4] == "X")
        assert reached == chart.names[state.result.level]


def test_blank_forms_have_what_is_preprinted(tells: Tells, tmp_path: Path) -> None:
    out = tmp_path / "blank.xlsx"
    tells(run("--blank", "-o", out), "British", "Unit", "Roster", "German", "Victory", "Points")
    found = tables(out)
    rows = named(found, "British", ": ID")
    for line, row in zip(british_order().units, rows, strict=True):
        boxes = "  ".join(str(n) for n in range(1, line.grenades + 1)) or "\N{EN DASH}"
        assert row[:6] == (line.roster, line.name, line.sp, None, boxes, None)
    weapons = named(found, "British", ": Weapon")
    assert [(row[0], row[1]) for row in weapons] == [
        ("Gammon #1", "1  2  3"), ("Gammon #2", "1  2  3"), ("PIAT #1", "1  2"),
        ("PIAT #2", "1  2  3"), ("PIAT #3", "1  2  3"),
    ]  # fmt: skip
    german = named(found, "German", ": Unit")
    kinds = [str(row[0]).split()[0] for row in german]
    assert (kinds.count("Garrison"), kinds.count("Infantry"), kinds.count("Tank")) == (5, 12, 6)
    points = named(found, "Victory Points", ": Item")
    assert all(row[2] is None and row[3] is None for row in points)


def test_pdf_papers_and_single_sheets(files: Path, tmp_path: Path) -> None:
    run(files / "late.pbcg", "-o", tmp_path / "all.pdf", "--paper", "letter")
    pages = pypdf.PdfReader(tmp_path / "all.pdf").pages
    assert len(pages) == 3
    assert {(round(float(p.mediabox.width)), round(float(p.mediabox.height))) for p in pages} == {
        (612, 792)
    }
    text = [page.extract_text() for page in pages]
    for words, page in zip(
        ("British Unit Roster", "German Roster", "Victory Points"), text, strict=True
    ):
        assert words in page
    said = run(files / "late.pbcg", "-o", tmp_path / "vp.pdf", "--sheet", "vp")
    assert "Victory Points" in said and "Roster" not in said
    assert len(pypdf.PdfReader(tmp_path / "vp.pdf").pages) == 1


def test_wrong_use_is_told(files: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.pbcg"
    create_game(new, {"settings": {}, "dice": "seeded", "seed": 1}, load_map()).close()
    other = tmp_path / "other.pbcg"
    write_atomic(other, b"not a game")
    for arguments, sentence in (
        (["-o", tmp_path / "x.pdf"], "Give a game file, or --blank"),
        ([files / "late.pbcg", "--blank", "-o", tmp_path / "x.pdf"], "Give a game file, or"),
        ([new, "-o", tmp_path / "x.pdf"], "Nothing is set up yet"),
        ([other, "-o", tmp_path / "x.pdf"], "other.pbcg"),
        ([tmp_path / "none.pbcg", "-o", tmp_path / "x.pdf"], "none.pbcg"),
        ([files / "late.pbcg", "-o", tmp_path / "x.txt"], "a sheet is written as .pdf, .xlsx"),
        ([files / "late.pbcg", "-o", tmp_path / "no" / "x.pdf"], "x.pdf"),
    ):
        with pytest.raises(PBCGError) as told:
            run(*arguments)
        assert sentence in str(told.value)
    assert not (tmp_path / "x.pdf").exists()
