"""What is printed after an evening: Setup Sheet, summary, service record, and how it breaks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from golden_campaign import Golden
from pypdf import PdfReader
from refit_helpers import BRITISH, GERMAN, campaign_at, piece
from reportlab.lib.units import mm
from sentences import Tells
from typer.testing import CliRunner

from asl_pbcg.campaign.position_words import (
    EquipmentStatus,
    UnitStatus,
    VehicleStatus,
    status_words,
)
from asl_pbcg.campaign.sheets.ledger import force_lines, place_of
from asl_pbcg.campaign.state.campaign_events import PieceChange, PieceEvent
from asl_pbcg.campaign.state.campaign_state import Bought, Campaign, Piece, change
from asl_pbcg.campaign.state.piece_changes import remove, update
from asl_pbcg.campaign.state.piece_events import (
    Abandoned,
    CameInPlay,
    Eliminated,
    LeaderCreated,
    Received,
    Scrounged,
)
from asl_pbcg.campaign.state.piece_names import name_list
from asl_pbcg.campaign.state.seen import frozen
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.chronicle.reph_sheets import setup_sheet
from asl_pbcg.chronicle.reph_summary import CAME, reph_summary
from asl_pbcg.chronicle.service import Chronicle, recent_events
from asl_pbcg.cli.main import app
from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.moments import EntryMoment
from asl_pbcg.play.campaign_game.campaign_sheets import campaign_sheets
from asl_pbcg.records import blocks, to_excel, to_pdf
from asl_pbcg.records.layout import Column, Layout, Only, TableLayout
from asl_pbcg.records.sheet import Sheet, Sign
from asl_pbcg.records.sheet_grid import Newspaper, SheetGrid
from asl_pbcg.refit.s600_scenario_end import table_events

AID = "Refit Phase in Short"


def rows(sheet: Sheet, table: str) -> list[dict[str, Any]]:
    return [dict(row) for row in sheet.tables[table]]


def battle(*more: Piece, **fields: Any) -> Campaign:
    """The British in X18 and Z15, the Germans in Z15's neighbourhood, before a scenario."""
    return campaign_at(
        "scenario",
        piece("b-648-1", BRITISH, "6-4-8", "X18", area="A", possesses="b-lmg-1"),
        piece("b-lmg-1", BRITISH, "LMG", "X18", area="A"),
        piece("g-447-1", GERMAN, "4-4-7", "T5", area="A"),
        *more,
        british=["X18", "Y19"],
        german=["T5"],
        **fields,
    )


# F-24: the Setup Sheet has all it must have


@pytest.mark.finding("F-24")
def test_the_setup_sheet_lists_bought_mines_and_dummies(tells: Tells) -> None:
    bought = (
        Bought(key="b-fpp-1", side=BRITISH, kind="ap-mines", date=CGDate.DAWN, cost=9, factors=6),
        Bought(key="b-fpp-2", side=BRITISH, kind="dummy", date=CGDate.DAWN, cost=1),
        Bought(
            key="b-fpp-0", side=BRITISH, kind="at-mines", date=CGDate.NIGHT_3, cost=3, factors=1
        ),
    )
    state = battle(bought=bought, dummies={BRITISH: 4})
    found = rows(setup_sheet(state, BRITISH, "british"), "pieces")
    by_type = {row["type"]: row for row in found}
    assert by_type["A-P Mine Factor ×6"]["rule"] == "9.619"
    tells(by_type['"?"']["remark"], "4")
    assert "A-T Mine Factor ×1" not in by_type  # that of an earlier CG Date
    assert sum(row["type"] == '"?"' for row in found) == 1
    theirs = rows(setup_sheet(state, GERMAN, "german"), "pieces")
    assert not [row for row in theirs if "Mine" in row["type"] or row["type"] == '"?"']


def test_the_dummies_of_an_initial_scenario_stand_by_area(tmp_path: Path) -> None:
    from asl_pbcg.cli.campaign_file import open_campaign

    file = tmp_path / "c.pbcg"
    run = CliRunner().invoke(app, ["new", str(file), "--campaign", "CG2", "--auto", "--seed", "1"])
    assert run.exit_code == 0, run.output
    session = open_campaign(file, look=True)
    found = rows(setup_sheet(session.state, BRITISH), "pieces")
    session.journal.close()
    there = {row["section"]: row["remark"] for row in found if row["type"] == '"?"'}
    assert sorted(int(words.split()[0]) for words in there.values())[-3:] == [6, 8, 10]


@pytest.mark.finding("F-24")
@pytest.mark.parametrize("isolated", [False, True])
def test_prisoners_stand_with_their_guards(isolated: bool) -> None:
    prisoner = piece("g-447-2", GERMAN, "4-4-7", "X18", status="prisoner", guarded_by="b-648-1")
    state = battle(prisoner)
    found = rows(setup_sheet(state, BRITISH), "pieces")
    guard = next(row for row in found if row["id"] == "b-648-1")
    ward = next(row for row in found if row["id"] == "g-447-2")
    assert ward["section"] == guard["section"]
    assert "A-1" in ward["remark"] and ward["rule"] == "9.608"
    assert "g-447-2" not in {row["id"] for row in rows(setup_sheet(state, GERMAN), "pieces")}


@pytest.mark.finding("F-24")
def test_the_setup_sheet_shows_type_and_a_name_that_stays() -> None:
    state = battle(piece("b-338-1", BRITISH, "6-4-8", "Y19", area="A"))
    found = {row["id"]: row for row in rows(setup_sheet(state, BRITISH), "pieces")}
    assert found["b-338-1"]["type"] == "6-4-8"
    assert found["b-338-1"]["name"] not in ("b-338-1", found["b-648-1"]["name"])
    printed = "\n".join(page.extract_text() for page in pages(setup_sheet(state, BRITISH)))
    assert found["b-338-1"]["name"] in printed


def pages(*sheets: Sheet) -> Any:
    import io

    return PdfReader(io.BytesIO(to_pdf(sheets))).pages


# F-20: a place that is no longer one


@pytest.mark.finding("F-20")
def test_who_was_retained_elsewhere_has_no_place_on_the_roster() -> None:
    state = battle(piece("b-648-2", BRITISH, "6-4-8", "X18", area="A"))
    state = update(state, "b-648-2", area="Z28")
    assert place_of(state, state.piece("b-648-1")) == "X18"
    assert place_of(state, state.piece("b-648-2")) == ""
    by_id = {line.id: line for line in force_lines(state, BRITISH)}
    assert by_id["b-648-2"].location == "" and by_id["b-648-2"].area == "Z28"
    assert by_id["b-648-1"].location == "X18"


@pytest.mark.rule("9.6061-a")
def test_the_other_side_does_not_see_it_where_it_stood_either() -> None:
    state = battle(piece("b-648-2", BRITISH, "6-4-8", "X18", area="A"))
    state = update(state, "b-648-2", area="Z28")
    by_id = {line.id: line for line in force_lines(state, BRITISH, "german")}
    assert by_id["b-648-1"].location == "X18"
    assert by_id["b-648-2"].location == "" and by_id["b-648-2"].area == ""
    # What is Retained elsewhere in secret, in 9.613, stands where it was last seen.
    state = update(frozen(state), "b-648-1", area="Z28")
    by_id = {line.id: line for line in force_lines(state, BRITISH, "german")}
    assert by_id["b-648-1"].location == "X18"


def test_a_prisoner_is_where_his_guard_is() -> None:
    ward = piece("g-447-2", GERMAN, "4-4-7", "X18", status="prisoner", guarded_by="b-648-1")
    state = update(battle(ward), "b-648-1", area="Z28")
    assert place_of(state, state.piece("g-447-2")) == ""


# F-26: the page that tells it in short


def changes(
    before: Campaign, after: Campaign, viewer: str, events: Sequence[PieceEvent] | None = None
) -> dict[tuple[str, str], str]:
    told = tuple(table_events(before, after)) if events is None else events
    found = rows(reph_summary(before, after, viewer, events=told), "events")
    return {(row["section"], row["what"]): row["pieces"] for row in found}


@pytest.mark.finding("F-26")
def test_the_summary_tells_losses_changes_and_arrivals() -> None:
    before = battle(
        piece("b-648-2", BRITISH, "6-4-8", "X18", area="A"),
        piece("b-648-3", BRITISH, "6-4-8", "X18", area="A"),
    )
    after = remove(before, "b-648-2", "eliminated", step="scenario")
    after = remove(after, "g-447-1", "eliminated", step="9.606")
    after = update(after, "b-648-3", type="3-3-8", status=("walking-wounded",))
    events = [*table_events(before, after)]
    arrived = piece("b-458-1", BRITISH, "4-5-8", area="Z28", listed_at="note 1")
    crew = piece("b-127-1", BRITISH, "1-2-7", "X18", area="A")
    weapon = piece("b-lmg-9", BRITISH, "LMG", "X18", area="A")
    new = piece("b-338-9", BRITISH, "3-3-8", "X18", area="A")
    leader = piece("b-8-0-9", BRITISH, "8-0", "X18", area="A")
    wounded = piece("b-648-9", BRITISH, "6-4-8", area="A", status=("walking-wounded",))
    maker = after.piece("b-648-1")
    for event in (
        Received(piece=arrived, changes=(PieceChange(None, arrived),)),
        Abandoned(piece=maker, crew=crew, changes=(PieceChange(None, crew),)),
        Scrounged(piece=maker, weapons=(weapon,), changes=(PieceChange(None, weapon),)),
        CameInPlay(piece=new, changes=(PieceChange(None, new),), in_play=True),
        LeaderCreated(piece=maker, leader=leader, changes=(PieceChange(None, leader),)),
        Received(piece=wounded, changes=(PieceChange(None, wounded),)),
    ):
        events.append(event)
        after = change(after, pieces=(*after.pieces, *(each.after for each in event.changes)))
    for viewer in ("umpire", "british"):
        told = changes(before, after, viewer, events)
        assert told["British", "Eliminated in play"] == "6-4-8 A-2"
        assert told["German", "Eliminated in the Refit Phase"] == "4-4-7 E-1"
        reduced = told["British", "Reduced in play"]
        assert reduced == "6-4-8 A-3 to 3-3-8"
        assert told["British", "Walking Wounded"] == "3-3-8 A-3"
        assert told["British", "Received"] == "4-5-8 B-1"
        came = [words for (_, what), words in told.items() if what in CAME]
        assert [words.split()[0] for words in came] == [
            "4-5-8", "6-4-8", "1-2-7", "LMG", "8-0", "3-3-8"
        ]  # fmt: skip
    assert ("British", "Received") not in changes(before, after, "german", events)


def lost_in(step: str, secret: bool) -> tuple[Campaign, Campaign, PieceEvent]:
    """A battle before and after a German squad is Eliminated in a step, and the event of it."""
    before = battle()
    squad = before.piece("g-447-1")
    after = remove(before, squad.id, "eliminated", step=step)
    event = Eliminated(
        piece=squad,
        changes=(PieceChange(squad, None),),
        gone=after.gone,
        side="german" if secret else "",
        secret=secret,
    )
    return before, after, event


@pytest.mark.parametrize("step", ["scenario", "9.601", "9.6041", "9.6111", "9.613", "9.6141d"])
def test_the_summary_tells_the_other_side_of_losses_that_it_saw(step: str) -> None:
    secret = step in ("9.613", "9.6141d")
    before, after, event = lost_in(step, secret)
    moment = EntryMoment(step=f"dawn/{step[:5]}", before=before, after=after, events=(event,))
    for viewer, tells in (("german", True), ("umpire", True), ("british", not secret)):
        told = recent_events(Chronicle(after, [moment], viewer))
        assert ("4-4-7 E-1" in str(changes(before, after, viewer, told))) is tells, viewer


def test_the_summary_of_a_side_has_no_points_of_the_other() -> None:
    words = str(rows(reph_summary(battle(), battle(), "british"), "points"))
    assert "CPP" not in words


def test_what_was_captured_and_won_back_is_not_received() -> None:
    taken = piece("b-piat-1", GERMAN, "PIAT", "T5", area="A", status="captured")
    before = battle(taken)
    after = update(before, "b-piat-1", side=BRITISH, status=(), at="X18")
    told = changes(before, after, "umpire")
    assert told["British", "Won back"] == "PIAT 1" and ("British", "Received") not in told
    told = changes(after, before, "british")
    won, first = "Taken from the enemy", "Came into sight"
    assert told["German", won] == "PIAT 1"
    assert ("German", first) not in told


def test_without_a_beginning_the_summary_still_tells_losses_of_its_date() -> None:
    _, after, event = lost_in("scenario", secret=False)
    told = rows(reph_summary(None, after, events=(event,)), "events")
    german = [row["pieces"] for row in told if row["section"] == "German"]
    assert german == ["4-4-7 E-1", "not kept"]


def test_many_of_a_type_are_counted() -> None:
    assert (
        name_list(piece(f"b-648-{n}", BRITISH, "6-4-8") for n in range(1, 4))
        == "6-4-8 A-1, A-2, A-3"
    )
    assert name_list(piece(f"b-648-{n}", BRITISH, "6-4-8") for n in range(1, 9)) == "8 × 6-4-8"


def test_an_evening_has_no_report_and_no_service_record() -> None:
    titles = {sheet.title or sheet.layout.title for sheet in campaign_sheets(battle(), "british")}
    short, setup = "Refit Phase in Short", "{} Setup Sheet"
    assert {short, setup.format("British")} <= titles
    assert not [title for title in titles if "Report" in title or "Service" in title]
    assert setup.format("German") not in titles
    with pytest.raises(PBCGError):
        campaign_sheets(battle(), "british", ["german-service"])


@pytest.mark.finding("F-26")
@pytest.mark.parametrize("side", list(Side))
def test_the_golden_dawn_takes_at_most_ten_pages_a_side(side: Side) -> None:
    text = Golden("cg1").text(f"dawn/pages.{side.value}.txt")
    counted = dict(re.findall(r"^(.+), page \d+ of (\d+)", text.replace("\r", ""), re.MULTILINE))
    counted.pop("Refit Phase Report", None)
    assert {AID, "CG Roster", f"{side.title} Setup Sheet"} <= set(counted)
    # The map sheet is a table of one page and the map.
    assert sum(int(count) for count in counted.values()) + 2 <= 10
    assert int(counted[AID]) == 1


def test_the_log_is_an_appendix_on_request(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    assert run(app, ["new", "c.pbcg", "--campaign", "CG1", "--auto", "--seed", "1"]).exit_code == 0
    plain = run(app, ["records", "c.pbcg", "--as", "british", "-o", "a.pdf"])
    with_log = run(app, ["records", "c.pbcg", "--as", "british", "-o", "b.pdf", "--log"])
    assert "Report" not in plain.output
    assert "Report" in with_log.output
    assert len(PdfReader("b.pdf").pages) > len(PdfReader("a.pdf").pages)
    told = run(
        app, ["records", "c.pbcg", "--as", "british", "-o", "c.xlsx", "--sheet", "british-service"]
    )
    assert told.exit_code == 0, told.output


@pytest.mark.finding("G-62")
def test_a_counter_is_no_higher_than_its_row() -> None:
    layout = msgspec.structs.replace(
        LAYOUT,
        across=1,
        columns=(*LAYOUT.columns[:2], Column(key="c", heading="C", width=9, format="sign")),
    )
    cell = [{"s": "section", "a": "4-6-7", "c": Sign(Drawing(60, 60))}] * 4
    made = blocks.table(layout, cell, 270, 720, False, 0)
    assert isinstance(made, SheetGrid)
    assert {round(row.height, 1) for row in made.rows if not row.span} == {round(6 * mm, 1)}


# Pages: side by side, no heading at a foot, no row alone

LAYOUT = TableLayout(
    key="t",
    columns=(
        Column(key="s", heading="S", width=20),
        Column(key="a", heading="A", width=20),
        Column(key="b", heading="B", width=20, only=Only.WORKBOOK),
    ),
    section="s",
    row_height=6,
    across=2,
)


def table(counts: list[int], across: int = 2) -> SheetGrid | Newspaper:
    filled = [
        {"s": f"section {place}", "a": f"row {place}-{number}", "b": "x"}
        for place, count in enumerate(counts)
        for number in range(count)
    ]
    layout = msgspec.structs.replace(LAYOUT, across=across)
    return blocks.table(layout, filled, 500.0, 700.0, False, 0)


def texts(grid: SheetGrid) -> list[str]:
    return [row.cells[0].text if hasattr(row.cells[0], "text") else "" for row in grid.rows]


@pytest.mark.parametrize("counts", [[40], [1] * 30, [3, 1, 7, 2, 30], [5, 50, 5]])
@pytest.mark.parametrize("height", [150.0, 233.0, 300.0, 411.0])
def test_breaks_lose_no_row_and_leave_none_alone(counts: list[int], height: float) -> None:
    grid = table(counts, across=1)
    assert isinstance(grid, SheetGrid)
    parts, rest = [], grid
    while rest.wrap(0, 0)[1] > height:
        upper, *_, rest = rest.split(0, height)
        parts.append(upper)
    parts.append(rest)
    plain = [row for row in grid.rows if not row.span]
    assert [row for part in parts for row in part.rows if not row.span] == plain
    for part in parts:
        assert not part.rows[-1].span
        assert part.wrap(0, 0)[1] <= height
    if len(parts) > 1:
        assert sum(not row.span for row in parts[-1].rows) >= min(3, len(plain))


@pytest.mark.finding("G-62")
@pytest.mark.parametrize("across", [1, 2])
def test_notes_never_stand_alone_on_a_page(across: int) -> None:
    layout = msgspec.structs.replace(LAYOUT, across=across)
    counts = []
    for rows_made in range(34 * across, 52 * across):
        filled = [{"s": "one", "a": f"row {n} of it"} for n in range(rows_made)]
        sheet = Sheet(Layout(name="x", title="X", tables=(layout,), notes=("What it means.",)))
        printed = pages(replace(sheet, tables={"t": filled}))
        last = printed[-1].extract_text()
        assert "of it" in last and "What it means." in last
        told = "".join(page.extract_text() for page in printed)
        assert all(f"row {n} of it" in told for n in range(rows_made))
        counts.append(len(printed))
    assert {1, 2} == set(counts)


def test_side_by_side_is_even_and_half_as_high() -> None:
    one, two = table([40], across=1), table([40], across=2)
    assert isinstance(two, Newspaper)
    assert two.wrap(500, 700)[1] < 0.62 * one.wrap(500, 700)[1]
    assert two.wrap(500, 700)[0] == pytest.approx(500, abs=1)


def test_a_table_that_hardly_overflows_is_printed_a_little_smaller() -> None:
    filled = [{"s": "one", "a": f"row {n}"} for n in range(66)]
    layout = msgspec.structs.replace(LAYOUT, row_height=4.0, font_size=8.5)
    free = blocks.table(layout, filled, 500.0, 700.0, False, 0)
    tall = free.wrap(500, 700)[1]
    fitted = blocks.table(layout, filled, 500.0, 700.0, False, tall - 20)
    assert fitted.wrap(500, 700)[1] <= tall - 20
    much = blocks.table(layout, filled, 500.0, 700.0, False, tall / 2)
    assert much.wrap(500, 700)[1] == pytest.approx(tall)


def test_a_column_can_stand_on_paper_or_in_the_workbook_alone() -> None:
    import io

    import openpyxl

    layout = Layout(name="x", title="X", tables=(LAYOUT,))
    sheet = Sheet(layout=layout, tables={"t": [{"s": "one", "a": "seen", "b": "only here"}]})
    assert "only here" not in pages(sheet)[0].extract_text()
    book = openpyxl.load_workbook(io.BytesIO(to_excel(sheet)))
    held = [cell.value for row in book.worksheets[0].iter_rows() for cell in row]
    assert "only here" in held


def test_names_of_an_evening_are_names_of_sheets() -> None:
    from asl_pbcg.cli.evening.records import CampaignSheetName
    from asl_pbcg.play.campaign_game.campaign_sheets import is_of_the_evening, sheet_names

    names = {each.name for each in sheet_names(battle(), "umpire")}
    assert names == {name.value for name in CampaignSheetName}
    assert {"summary", "roster", "british-setup", "map"} <= set(filter(is_of_the_evening, names))
    assert not is_of_the_evening("report") and not is_of_the_evening("german-service")


@pytest.mark.finding("G-62")
def test_players_read_their_own_words() -> None:
    words = ("stun-plus-1", "no-move", "freedom-of-movement", "ma-disabled", "dm", "broken")
    told = "Stun +1, No Move, Freedom of Movement, MA disabled, DM, broken"
    assert status_words(words) == told
    for status in {*UnitStatus, *EquipmentStatus, *VehicleStatus}:
        assert "-" not in status_words([status])
