"""CG Roster, RG Purchase Record and force rosters: what stands on them, and for whom."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import openpyxl
import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sentences import Tells

from asl_pbcg.campaign.location import Area
from asl_pbcg.campaign.sheets.campaign_sheets_content import (
    SheetHeader,
    cg_roster,
    force_roster,
    rg_purchase_record,
)
from asl_pbcg.campaign.state.record_lines import (
    ForceLine,
    FortificationLine,
    PurchaseLine,
    RGBought,
    RosterLine,
    UnitsReceived,
    for_side,
    lines_for_side,
)
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.records import Paper, Sheet, to_excel, to_pdf

B, G = Side.BRITISH, Side.GERMAN
CG2 = tuple(CGDate)[3:]
HEADER = SheetHeader(
    campaign="Campaign Game I: Coup de Main",
    players=((B, "Alice"), (G, "Jürgen")),
    date=CGDate.DAY_1,
)

DAWN = RosterLine(
    date=CGDate.DAWN,
    first_setup=B,
    first_move=G,
    british_san=3,
    german_san=4,
    british_elr=5,
    german_elr=3,
    british_cvp_lost=12,
    german_cvp_lost=30,
    cpp_base=25,
    cpp_loss_points=6,
    cpp_available=31,
    rg_purchased=(RGBought(rg="I5", cpp=17), RGBought(rg="M1", cpp=14)),
    cpp_spent=31,
    cpp_left=0,
    british_fpp_received=15,
    british_fpp_spent=13.5,
    german_fpp_received=45,
    german_fpp_spent=43,
    reinforcements="6-4-8 (x 4), 57L AT (x 2)",
    fortifications=(
        FortificationLine(side=B, kind="ap-mines", factors=6, at=("W16",)),
        FortificationLine(side=B, kind="at-mines", factors=1, at=("W17",)),
        FortificationLine(side=B, kind="hip-squad", what="6-4-8", at=("AA16",)),
        FortificationLine(side=B, kind="dummy", count=4),
        FortificationLine(side=B, kind="san"),
        FortificationLine(side=B, kind="starshell"),
        FortificationLine(side=G, kind="foxhole-3s", count=2, at=("M12", "M13")),
        FortificationLine(side=G, kind="foxhole-1s", at=("N14",), known=True),
        FortificationLine(side=G, kind="foxhole-1s"),
        FortificationLine(side=G, kind="foxhole-1s"),
        FortificationLine(side=G, kind="dummy", count=2, at=("K12",)),
        FortificationLine(side=G, kind="hip-smc"),
        FortificationLine(side=G, kind="trench", at=("W21",)),
    ),
    notes="Wind rises",
    british_notes="Hold the bridge",
    german_notes="Panzers by night",
)

BOUGHT = PurchaseLine(
    date=CGDate.DAWN,
    rg="I5",
    group_type="PzGrenadier Coy",
    number_purchased=1,
    number_remaining=3,
    strength="F",
    units=(UnitsReceived(number=12, type="4-6-7"),),
    hmg=1,
    mmg=1,
    lmg=2,
    mtr=0,
    leaders=("10-2", "8-1"),
    area="U1",
    cpp_cost=13,
    entry_cost=4,
)
GIVEN = PurchaseLine(
    date=CGDate.NIGHT_1,
    rg="I3",
    group_type="PzPionier Coy",
    number_purchased=0,
    strength="D",
    units=(UnitsReceived(number=9, type="4-4-7"),),
    mmg=1,
    leaders=("9-2",),
    area="M12",
    given=True,
    strength_given=True,
)
ROLLED = PurchaseLine(
    date=CGDate.NIGHT_1,
    rg="V2",
    group_type="Lt Tank Pltn II",
    number_purchased=0,
    number_remaining=1,
    strength="F",
    units=(
        UnitsReceived(number=3, type="38H 735(f)"),
        UnitsReceived(number=1, type="35-S 739(f)"),
    ),
    given=True,
)

FORCE = (
    ForceLine(id="b-648-1", side=B, type="6-4-8", kind="MMC", unit_class="elite", area="B",
              status=("broken", "DM"), possesses=("b-lmg-1",), location="X18", known=True),
    ForceLine(id="b-lmg-1", side=B, type="LMG", kind="SW", area="B"),
    ForceLine(id="b-92-1", side=B, type="9-2", kind="SMC", area="B", location="X18"),
    ForceLine(id="b-churchill-1", side=B, type="Churchill VII", kind="vehicle", location="Z28",
              area="Z28", status=("Immobilized",), known=True, notes="keep back"),
    ForceLine(id="b-648-2", side=B, type="6-4-8", kind="MMC", area="AA", formation="7th Battalion"),
    ForceLine(id="b-648-3", side=B, type="6-4-8", kind="MMC"),
    ForceLine(id="g-467-1", side=G, type="4-6-7", kind="MMC", area="A", rg="I5-1"),
)  # fmt: skip


def rows(sheet: Sheet, table: int = 0) -> list[dict[str, Any]]:
    return sheet.rows(sheet.layout.tables[table])


def pdf_text(sheet: Sheet, paper: Paper = Paper.A4) -> str:
    reader = pypdf.PdfReader(BytesIO(to_pdf(sheet, paper)))
    return " ".join(" ".join(page.extract_text() for page in reader.pages).split())


def excel_values(sheet: Sheet) -> list[Any]:
    book = openpyxl.load_workbook(BytesIO(to_excel(sheet)))
    return [
        c.value for page in book for row in page.iter_rows() for c in row if c.value is not None
    ]


# --- CG Roster ----------------------------------------------------------------------------


@pytest.mark.rule("9.13-a", "9.617-c", "9.619-c", "9.62022-c")
def test_a_roster_line_holds_the_facts_of_its_cg_date() -> None:
    sheet = cg_roster([DAWN], HEADER)
    line = next(row for row in rows(sheet) if row["date"] == "Dawn")
    assert line == {
        "date": "Dawn",
        "first_setup": "British",
        "first_move": "German",
        "british_san": 3,
        "german_san": 4,
        "british_elr": 5,
        "german_elr": 3,
        "british_cvp_lost": 12,
        "german_cvp_lost": 30,
        "cpp_base": 25,
        "cpp_loss_points": 6,
        "cpp_available": 31,
        "rg_purchased": "I5 17, M1 14",
        "cpp_spent": 31,
        "cpp_left": 0,
        "british_fpp_received": 15,
        "british_fpp_spent": 13.5,
        "german_fpp_received": 45,
        "german_fpp_spent": 43,
        "reinforcements": "6-4-8 (x 4), 57L AT (x 2)",
        "notes": "Wind rises\nHold the bridge\nPanzers by night",
    }
    fortifications = next(row for row in rows(sheet, 1) if row["date"] == "Dawn")
    assert {key: value for key, value in fortifications.items() if value} == {
        "date": "Dawn",
        "british_ap_mines": "6 factors W16",
        "british_at_mines": "1 factor W17",
        "british_hip": "6-4-8 AA16",
        "british_dummy": 4,
        "british_san": 1,
        "british_starshell": 1,
        "german_foxhole": "2 × 3S M12, M13\n1S N14\n2 × 1S",
        "german_dummy": "2 × K12",
        "german_hip": "SMC",
        "german_other": "Trench W21",
    }
    printed = pdf_text(sheet)
    for part in ("I5 17, M1 14", "13½", "2 × 3S M12, M13", "6 factors W16", "Seen by", "Jürgen"):
        assert part in printed


@pytest.mark.rule("9.617-c")
def test_cpp_left_is_printed_even_if_zero() -> None:
    table = cg_roster([DAWN], HEADER).layout.tables[0]
    columns = [column.key for column in table.shown]
    book = openpyxl.load_workbook(BytesIO(to_excel(cg_roster([DAWN], HEADER))))
    page = book.worksheets[0]
    line = next(row for row in page.iter_rows() if row[0].value == "Dawn")
    left = line[columns.index("cpp_left")]
    assert (left.value, left.data_type) == (0, "n")
    empty = next(row for row in page.iter_rows() if row[0].value == "Dusk")
    assert empty[columns.index("cpp_left")].value is None


@pytest.mark.parametrize("dates", [tuple(CGDate), CG2])
@pytest.mark.parametrize("lines", [None, (), (DAWN,)])
def test_each_cg_date_has_one_line_filled_or_to_come(
    dates: tuple[CGDate, ...], lines: tuple[RosterLine, ...] | None
) -> None:
    header = msgspec.structs.replace(HEADER, dates=dates)
    for table in (0, 1):
        found = [row["date"] for row in rows(cg_roster(lines, header), table)]
        assert found == [date.title for date in dates]


def test_a_cg_date_with_two_lines_is_refused(tells: Tells) -> None:
    with pytest.raises(ValueError) as refused:
        cg_roster([DAWN, DAWN], HEADER)
    tells(refused, "line")


def test_roster_lines_can_be_preprinted_on_the_blank_form() -> None:
    public = [RosterLine(date=date, first_setup=G, cpp_base=20) for date in CG2]
    found = rows(cg_roster(public, SheetHeader(dates=CG2)))
    assert {(row["first_setup"], row["cpp_base"]) for row in found} == {("German", 20)}


# --- RG Purchase Record -------------------------------------------------------------------


@pytest.mark.rule("9.13-b", "9.2-ah", "9.6178-a")
def test_each_rg_has_a_line_with_every_column() -> None:
    sheet = rg_purchase_record([GIVEN, ROLLED, BOUGHT], HEADER, "german")
    filled = [row for row in rows(sheet) if row]
    assert filled[2] == {
        "date": "Dawn",
        "rg": "I5",
        "group_type": "PzGrenadier Coy",
        "number_purchased": 1,
        "number_remaining": 3,
        "strength": "F",
        "unit_number": 12,
        "unit_type": "4-6-7",
        "hmg": 1,
        "mmg": 1,
        "lmg": 2,
        "mtr": 0,
        "leaders": "10-2, 8-1",
        "area": "U1",
        "cpp_cost": 13,
        "entry_cost": 4,
        "given": "",
    }
    assert [row["given"] for row in filled] == ["OB", "OB", ""]
    assert (filled[1]["unit_number"], filled[1]["unit_type"]) == ("3\n1", "38H 735(f)\n35-S 739(f)")
    headings = [column.heading for column in sheet.layout.tables[0].shown]
    assert headings[:6] == ["CG Date", "RG ID", "Group Type", "#P", "#R", "Str"]
    assert set(filled[2]) == {column.key for column in sheet.layout.tables[0].columns}


def test_the_purchase_record_keeps_its_numbers() -> None:
    page = openpyxl.load_workbook(BytesIO(to_excel(rg_purchase_record([BOUGHT], HEADER)))).active
    line = next(row for row in page.iter_rows() if row[1].value == "I5")
    assert [cell.value for cell in line] == [
        "Dawn", "I5", "PzGrenadier Coy", 1, 3, "F", 12, "4-6-7", 1, 1, 2, 0, "10-2, 8-1", "U1",
        13, 4, None,
    ]  # fmt: skip
    assert page.freeze_panes.startswith("D")


@pytest.mark.parametrize("paper", list(Paper))
def test_a_blank_purchase_record_has_twenty_lines_on_one_page(paper: Paper) -> None:
    sheet = rg_purchase_record(None, SheetHeader())
    assert len(rows(sheet)) >= 20
    assert not any(rows(sheet))
    assert len(pypdf.PdfReader(BytesIO(to_pdf(sheet, paper))).pages) == 1
    row_height = sheet.layout.tables[0].row_height * 72 / 25.4
    assert paper.size[0] - 200 > 20 * row_height  # landscape, less heading, facts and notes


# --- Force roster -------------------------------------------------------------------------


def test_a_force_roster_lists_one_side_by_area() -> None:
    found = rows(force_roster(FORCE, B, HEADER, "british"))
    assert [(row["section"], row["id"]) for row in found] == [
        ("Setup Area B: 3 pieces", "b-648-1"),
        ("Setup Area B: 3 pieces", "b-92-1"),
        ("Setup Area B: 3 pieces", "b-lmg-1"),
        ("Setup Area AA · 7th Battalion: 1 piece", "b-648-2"),
        ("Entry Area Z28: 1 piece", "b-churchill-1"),
        ("No Setup or Entry Area: 1 piece", "b-648-3"),
    ]
    assert (found[0]["possession"], found[2]["possession"]) == ("LMG 1b", "")
    assert [row["name"] for row in found[:3]] == ["A-1", "b-92-1", "1b"]
    assert found[0]["status"] == "broken, DM"
    printed = pdf_text(force_roster(FORCE, B, HEADER))
    assert "British Force Roster" in printed
    assert "Entry Area Z28" in printed
    assert "4-6-7" not in printed


def test_without_setup_areas_the_formation_alone_is_the_heading() -> None:
    """At CG End no Setup Areas are determined any more."""
    ended = [
        msgspec.structs.replace(line, area="" if Area.parse(line.area).is_setup_area else line.area)
        for line in FORCE
        if line.area
    ]
    found = rows(force_roster(ended, B, HEADER))
    heads = {row["id"]: (row["section"], row["where"]) for row in found}
    assert heads["b-648-2"] == ("7th Battalion: 1 piece", "No Setup or Entry Area")
    assert heads["b-648-1"][0].startswith("No Setup or Entry Area: ")
    assert heads["b-churchill-1"][0] == "Entry Area Z28: 1 piece"


def test_areas_can_say_where_they_lie(tells: Tells) -> None:
    found = rows(force_roster(FORCE, B, HEADER, areas={"B": "within 5 hexes of BB16"}))
    tells(found[0]["section"], "Setup Area B", "within 5", "BB16")
    tells(found[3]["section"], "Setup Area AA", "7th", "Battalion")


def test_a_blank_force_roster_keeps_a_column_for_the_area() -> None:
    sheet = force_roster(None, G, SheetHeader())
    assert "Setup/Entry Area" in pdf_text(sheet)
    assert len(rows(sheet)) == 40
    assert sheet.strip and "Dusk" in sheet.strip.names and not sheet.strip.present


# --- Secrets ------------------------------------------------------------------------------


@pytest.mark.rule("9.617-c", "9.6172-a")
def test_the_british_see_no_german_cpp_and_no_purchase() -> None:
    seen = for_side(DAWN, "british")
    assert seen is not None
    assert (seen.cpp_loss_points, seen.cpp_available, seen.cpp_spent, seen.cpp_left) == (None,) * 4
    assert (seen.rg_purchased, seen.german_fpp_received, seen.german_fpp_spent) == ((), None, None)
    assert seen.german_notes == ""
    assert [each.kind for each in seen.fortifications if each.side is G] == ["foxhole-1s"]
    # What is theirs or open stays.
    assert (seen.cpp_base, seen.british_fpp_spent, seen.british_notes) == (
        25,
        13.5,
        "Hold the bridge",
    )
    assert len([each for each in seen.fortifications if each.side is B]) == 6
    assert for_side(BOUGHT, "british") is None


def test_the_germans_do_not_see_what_the_british_buy() -> None:
    seen = for_side(DAWN, "german")
    assert seen is not None
    assert (seen.british_fpp_spent, seen.british_notes) == (None, "")
    assert not [each for each in seen.fortifications if each.side is B]
    assert (seen.cpp_left, seen.british_fpp_received) == (0, 15)
    assert for_side(BOUGHT, "german") == BOUGHT


def test_of_a_given_rg_the_british_see_what_the_ob_prints() -> None:
    assert for_side(GIVEN, "british") == PurchaseLine(
        date=CGDate.NIGHT_1,
        rg="I3",
        group_type="PzPionier Coy",
        strength="D",
        units=GIVEN.units,
        given=True,
        strength_given=True,
    )
    # Its Strength was rolled, so that stays secret.
    assert for_side(ROLLED, "british") == PurchaseLine(
        date=CGDate.NIGHT_1, rg="V2", group_type="Lt Tank Pltn II", given=True
    )


def test_the_other_side_sees_only_what_stands_on_the_map() -> None:
    seen = lines_for_side(FORCE, "german")
    assert [line.id for line in seen] == ["b-648-1", "b-churchill-1", "g-467-1"]
    assert seen[0] == ForceLine(
        id="b-648-1", side=B, type="6-4-8", kind="MMC", unit_class="elite",
        status=("broken", "DM"), location="X18", known=True,
    )  # fmt: skip
    assert seen[1].status == ()  # a vehicle's may be recorded secretly
    printed = pdf_text(force_roster(FORCE, B, HEADER, "german"))
    assert "Known on the map" in printed
    for secret in ("Setup Area B", "LMG", "keep back", "Immobilized", "b-648-2"):
        assert secret not in printed


def test_the_umpire_sees_everything() -> None:
    for line in (DAWN, BOUGHT, GIVEN, *FORCE):
        assert for_side(line, "umpire") == line
        assert for_side(line, "Umpire ") == line


def test_nobody_else_sees_anything(tells: Tells) -> None:
    with pytest.raises(PBCGError) as refused:
        cg_roster([DAWN], HEADER, "french")
    tells(refused, "french")
    with pytest.raises(PBCGError) as refused:
        rg_purchase_record(None, HEADER, "")
    tells(refused, "records")


def test_no_secret_is_in_what_the_other_side_prints() -> None:
    sheets = [cg_roster([DAWN], HEADER, "british"), rg_purchase_record([BOUGHT], HEADER, "british")]
    for sheet in sheets:
        words = pdf_text(sheet)
        for secret in ("I5", "M1 14", "31", "45", "43", "Panzers", "M13", "K12", "10-2", "U1"):
            assert secret not in words
        assert not {31, 45, 43, 13, 17} & set(excel_values(sheet))
    words = pdf_text(cg_roster([DAWN], HEADER, "german"))
    for secret in ("13½", "W16", "AA16", "Hold the bridge"):
        assert secret not in words


TEXT = st.text(st.characters(codec="utf-8", categories=("L", "N", "P")), max_size=12)
FEW = st.one_of(st.none(), st.integers(0, 99))


@st.composite
def german_secrets(draw: st.DrawFn) -> tuple[RosterLine, list[PurchaseLine], list[ForceLine]]:
    """The same campaign with whatever the German keeps to himself."""
    roster = msgspec.structs.replace(
        DAWN,
        cpp_loss_points=draw(FEW),
        cpp_available=draw(FEW),
        cpp_spent=draw(FEW),
        cpp_left=draw(FEW),
        rg_purchased=tuple(
            RGBought(rg=rg) for rg in draw(st.lists(st.sampled_from(["I4", "V3"]), max_size=4))
        ),
        german_fpp_received=draw(FEW),
        german_fpp_spent=draw(FEW),
        german_notes=draw(TEXT),
        fortifications=(
            *(each for each in DAWN.fortifications if each.side is B or each.known),
            *(
                FortificationLine(side=G, kind="hip-hs", what=what)
                for what in draw(st.lists(TEXT, max_size=3))
            ),
        ),
    )
    rolled = msgspec.structs.replace(
        ROLLED, strength=draw(st.sampled_from("FD")), units=(), leaders=(draw(TEXT),), hmg=draw(FEW)
    )
    bought = [
        msgspec.structs.replace(BOUGHT, area=draw(TEXT)) for _ in range(draw(st.integers(0, 9)))
    ]
    force = [
        ForceLine(id=f"g-{n}", side=G, type=draw(TEXT), area=draw(TEXT), known=False)
        for n in range(draw(st.integers(0, 5)))
    ]
    known = ForceLine(id="g-35s", side=G, type="35-S 739(f)", kind="vehicle", location="Y17",
                      known=True, status=(draw(TEXT),), rg=draw(TEXT), notes=draw(TEXT),
                      area=draw(TEXT), formation=draw(TEXT), possesses=(draw(TEXT),))  # fmt: skip
    return roster, [GIVEN, rolled, *bought], [*force, known]


@settings(max_examples=12, deadline=None)
@given(german_secrets(), german_secrets())
def test_campaigns_that_differ_in_german_secrets_print_the_same_for_the_british(
    one: tuple[RosterLine, list[PurchaseLine], list[ForceLine]],
    two: tuple[RosterLine, list[PurchaseLine], list[ForceLine]],
) -> None:
    prints = []
    for roster, purchases, force in (one, two):
        sheets = [
            cg_roster([roster], HEADER, "british"),
            rg_purchase_record(purchases, HEADER, "british"),
            force_roster(force, G, HEADER, "british"),
        ]
        prints.append((to_pdf(sheets), to_excel(sheets)))
    assert prints[0] == prints[1]


def test_every_fact_is_either_open_or_somebodys_secret() -> None:
    """A fact added to a line later must be placed; until then both sides are kept from it."""
    british, german = for_side(DAWN, "british"), for_side(DAWN, "german")
    for name in RosterLine.__struct_fields__:
        if name != "fortifications":
            values = [getattr(british, name), getattr(german, name)]
            assert getattr(DAWN, name) in values, name


# --- Templates and stored lines -----------------------------------------------------------


def test_a_club_may_restyle_a_sheet(tmp_path: Path) -> None:
    (tmp_path / "cg_roster.yaml").write_text(
        "title: Our Roster\n"
        "tables:\n"
        "  - key: dates\n"
        "    columns:\n"
        "      - {key: date, heading: When, width: 20}\n"
        "      - {heading: Signed, width: 20}\n",
        encoding="utf-8",
    )
    printed = pdf_text(cg_roster([DAWN], HEADER, templates=tmp_path))
    assert "Our Roster" in printed
    assert "When" in printed
    assert "Signed" in printed
    assert "I5" not in printed


def test_lines_are_stored_and_read_back() -> None:
    for line in (DAWN, BOUGHT, GIVEN, *FORCE):
        stored = msgspec.json.encode(line)
        assert msgspec.json.decode(stored, type=type(line)) == line
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.json.decode(b'{"date": "dawn", "rg": "I5", "cost": 3}', type=PurchaseLine)
