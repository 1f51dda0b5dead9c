"""A campaign begun on paper: brought in after Day I it goes on as if it had been here before."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import openpyxl
import pytest
from golden_campaign import folder_of, play
from in_process import pbcg
from paper_campaign import PIECES, SAMPLE, fill, needed_only, ninety_pieces, typed_lines
from sentences import Tells
from web_help import app_client

from asl_pbcg.campaign.paper.paper_workbook import PAPER_LISTS
from asl_pbcg.campaign.position import LISTS
from asl_pbcg.campaign.sheets.ledger import purchase_lines, roster_lines
from asl_pbcg.campaign.state.campaign_state import Campaign, accounts_balance
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.cli.campaign_file import kept_book, open_campaign
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.refit.helpers.withdrawal import withdrawn

pytestmark = pytest.mark.finding("G-34")


def state_of(file: Path) -> Campaign:
    session = open_campaign(file)
    state: Campaign = session.state
    session.journal.close()
    return state


def written(folder: Path, name: str, data: dict[str, Any]) -> Path:
    path = folder / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Golden CG I with Day I played, up to its Refit Phase; the answers to that in rest.json."""
    folder = tmp_path_factory.mktemp("evening")
    play("cg1", folder, "dawn", records=False)
    answers: Any = read_yaml_or_json(folder_of("cg1") / "day-1.answers.yaml")
    shutil.copy(folder_of("cg1") / "day-1.position.yaml", folder)
    listed = answers["answers"]
    end = [each for each in listed if str(next(iter(each))).startswith("0.")]
    rest = [each for each in listed if each not in end]
    # What the original knows since an earlier CG Date is asked of a campaign from paper.
    known = {"catalogue.underscored": "4-5-7", "9.6102.4": "airborne"}
    first = written(folder, "end.json", {**answers, "answers": end})
    written(
        folder,
        "rest.json",
        {**answers, "answers": rest, "otherwise": {**answers["otherwise"], **known}},
    )
    position = folder / "day-1.position.yaml"
    pbcg(
        "refit",
        folder / "evening.pbcg",
        "--as",
        "umpire",
        "--position",
        position,
        "--answers",
        first,
        typed="q\n",
    )
    return folder


@pytest.mark.rule("9.6176-a", "9.6153-a", "9.6178-a")
def test_goes_on_as_the_original(evening: Path, tmp_path: Path) -> None:
    original, book, paper = evening / "evening.pbcg", tmp_path / "b.xlsx", tmp_path / "paper.pbcg"
    pbcg("position", "template", book, "--records", "--campaign", original)
    pbcg("new", paper, "--from", book, "--seed", "1944", "--dice", "manual")
    assert state_of(paper).at == state_of(original).at == "9.601"
    for file in (original, paper):
        pbcg("refit", file, "--answers", evening / "rest.json")
    assert "whole" in pbcg("verify", paper)
    now, here = state_of(original), state_of(paper)
    assert (here.date, here.at) == (now.date, now.at) == ("day-2", "scenario")
    assert purchase_lines(here) == purchase_lines(now)  # limits: #P and #R
    for field in ("san", "ii13", "cpp", "fpp", "groups", "control", "ww_box", "house_rules"):
        assert getattr(here, field) == getattr(now, field), field
    assert accounts_balance(here)
    for ours, theirs in zip(roster_lines(here), roster_lines(now), strict=True):
        for name in ours.__struct_fields__:
            if name != "fortifications":  # the same ones, each side's together
                assert getattr(ours, name) == getattr(theirs, name), (ours.date, name)
    there = {piece.id: piece for piece in now.pieces}
    old = [piece for piece in here.pieces if piece.id in there]
    assert len(old) > 130
    for piece in old:
        for field in ("type", "at", "area", "status", "airborne", "ox_and_bucks"):
            assert getattr(piece, field) == getattr(there[piece.id], field), (piece.id, field)
    leaving = [{piece.id for piece in withdrawn(each)} for each in (now, here)]
    assert leaving[0] == leaving[1]


def test_filled_example_is_taken_whole(tmp_path: Path) -> None:
    book, file = tmp_path / "start.xlsx", tmp_path / "evening.pbcg"
    pbcg("position", "template", book, "--records", "--example")
    assert "Refit Phase" in pbcg("new", file, "--from", book)
    state = state_of(file)
    assert (state.campaign, state.date, state.at) == ("CG1", "day-1", "9.601")
    assert state.players == {"british": "Anne", "german": "Karl"}
    assert (state.san, state.cpp) == ({"british": 2, "german": 2}, 0)  # 4 with II13
    assert len(state.pieces) == 127
    assert state.count_purchased("I5") == 2


def test_the_needed_columns_are_enough(tmp_path: Path) -> None:
    whole, short = tmp_path / "whole.pbcg", tmp_path / "short.pbcg"
    pbcg("new", whole, "--from", SAMPLE, "--house-rule", "C-05=control-passes")
    pbcg("new", short, "--from", written(tmp_path, "start.json", needed_only()))
    now, here = state_of(whole), state_of(short)
    for field in ("san", "ii13", "cpp", "control", "ww_box", "at", "moved_first"):
        assert getattr(here, field) == getattr(now, field), field
    limits = [[(line.rg, line.number_remaining) for line in purchase_lines(s)] for s in (now, here)]
    assert limits[0] == limits[1]
    leaving = [sorted(piece.type for piece in withdrawn(each)) for each in (now, here)]
    assert leaving[0] == leaving[1]


def cells(book: Path) -> int:
    """How many cells of a workbook its players fill in."""
    found = 0
    for sheet in openpyxl.load_workbook(book):
        if sheet.title in ("about", "control", *LISTS, *PAPER_LISTS):
            column = {"about": 2}.get(sheet.title, 0)
            for row in sheet.iter_rows(min_row=2, values_only=True):
                values = row[column - 1 : column] if column else row
                found += sum(value not in (None, "") for value in values)
    return found


def test_what_the_page_says_of_its_cells(tmp_path: Path) -> None:
    book = tmp_path / "start.xlsx"
    pbcg("position", "template", book, "--records", "--example")
    data = needed_only()
    needed = sum(len(places) for places in data["control"].values())
    needed += sum(len(row) for name in (*LISTS, *PAPER_LISTS) for row in data.get(name, ()))
    needed += sum(bool(data[name]) for name in ("campaign", "date", "scenario_end", "ii13"))
    needed += len(data["casualty_vp"]) + bool(data["moved_first"])
    page = (Path(__file__).parents[3] / "docs/players/from-paper.md").read_text(encoding="utf-8")
    assert f"{cells(book):,} cells" in page
    assert f"{needed} of them" in page


SECONDS = 2
"""How long a cell takes: typed, chosen from its list or copied from the row above."""


def test_ninety_pieces_take_twenty_minutes_in_the_workbook(tmp_path: Path) -> None:
    book, file = tmp_path / "start.xlsx", tmp_path / "evening.pbcg"
    pbcg("position", "template", book, "--records")
    filled = fill(book, ninety_pieces())
    pbcg("new", file, "--from", book)
    state = state_of(file)
    assert (state.date, len(state.pieces)) == ("day-1", sum(PIECES.values()))
    assert state.at.startswith("9.60")
    minutes = filled * SECONDS / 60
    assert minutes <= 20
    page = (Path(__file__).parents[3] / "docs/players/from-paper.md").read_text(encoding="utf-8")
    assert f"90 pieces {filled} cells: {minutes:.0f} minutes" in " ".join(page.split())


def test_losses_of_the_paper_roster_are_among_a_sides_losses(tmp_path: Path) -> None:
    file = tmp_path / "evening.pbcg"
    pbcg("new", file, "--from", SAMPLE)
    told = pbcg("history", file, "--honours", "--as", "british")
    assert "Night II\n  in play: 5 Casualty VP on paper" in told
    assert "German losses" not in told
    rows = [row for row in read_yaml_or_json(SAMPLE)["roster"] if row.get("british_cvp_lost")]
    assert told.count("on paper") == len(rows) + 1  # and the scenario just played


# -- What is missing, and what is wrong ------------------------------------------------------------


def test_missing_numbers_are_asked_once(tells: Tells, tmp_path: Path) -> None:
    end = {"format": "pbcg-position/1", "date": "day-1", "units": [
        {"count": 3, "type": "6-4-8", "at": "X18"}, {"count": 2, "type": "9-1", "at": "X18",
         "side": "british"}, {"count": 2, "type": "4-6-7", "at": "off-map A7"},
    ]}  # fmt: skip
    book, file = written(tmp_path, "end.json", end), tmp_path / "evening.pbcg"
    typed = "3\n5\ngerman\n" + "I5 V5\nM1\n7\n" + "agreement\n" + "airborne\nunknown\n11\n18\n"
    told = pbcg("new", file, "--from", book, "--campaign", "CG1", typed=typed)
    state = state_of(file)
    assert state.at.startswith("9.60"), told
    assert (state.san["british"], state.san["german"], state.cpp) == (3, 3, 7)
    bought = [(group.id, group.date.value) for group in state.groups if not group.given]
    assert bought == [("I5", "dawn"), ("V5", "dawn"), ("M1", "day-1")]
    assert {piece.airborne for piece in state.pieces if piece.type == "6-4-8"} == {True}
    assert {piece.formation for piece in state.pieces if piece.type == "9-1"} == {""}
    assert state.account.cvp_lost == {"british": 11, "german": 18}
    tells(told, "CPP left after")
    tells(told, "I5 V3 V3")


@pytest.mark.finding("J-48")
def test_who_leaves_at_a_question_goes_on_with_the_same_file(tmp_path: Path) -> None:
    book = written(tmp_path, "start.json", {**needed_only(), "ii13": ""})
    file = tmp_path / "evening.pbcg"
    pbcg("new", file, "--from", book, typed="q\n")
    state = state_of(file)
    assert state.at == state.module.from_paper
    told = pbcg("refit", file, "--as", "british", typed="q\n")
    assert str(book) not in told
    told = pbcg("refit", file, "--as", "umpire", typed="q\n")
    assert f"{file.name} --as umpire" in told
    told = pbcg("refit", file, typed="3\nq\n")
    assert str(book) in told and "--as" not in told
    state = state_of(file)
    assert state.pieces and state.at.startswith("9.60"), told
    told = pbcg("refit", file, typed="q\n")
    assert str(book) not in told


@pytest.mark.finding("J-48")
def test_the_book_of_a_campaign_is_never_taken_for_another_one(tmp_path: Path) -> None:
    book = written(tmp_path, "start.json", {**needed_only(), "ii13": "", "date": "night-1",
                                           "roster": [], "rg": []})  # fmt: skip
    file = tmp_path / "evening.pbcg"
    pbcg("new", file, "--from", book, typed="q\n")
    file.unlink()
    pbcg("new", file, "--campaign", "CG1", "--auto", "3")
    told = pbcg("refit", file, typed="q\n")
    state = state_of(file)
    assert str(book) not in told
    assert state.at == state.module.scenario
    session = open_campaign(file)
    kept_book(file).keep(session, book)
    assert kept_book(file).find(session) == book
    later = SimpleNamespace(state=msgspec.structs.replace(state, date=CGDate.DAWN))
    assert kept_book(file).find(later) is None  # type: ignore[arg-type]
    session.journal.close()


@pytest.mark.finding("J-48")
def test_no_scenario_is_ready_before_the_end_position_is_given(
    tells: Tells, tmp_path: Path
) -> None:
    records = {key: value for key, value in needed_only().items() if key not in {*LISTS, "control"}}
    book = written(tmp_path, "start.json", {**records, "ii13": ""})
    file = tmp_path / "evening.pbcg"
    pbcg("new", file, "--from", book, typed="q\n")
    book.unlink()
    told = pbcg("refit", file, typed="3\nnone\nnone\nI5\n\n7\nq\n")
    tells(told, "The end position of Day I comes next")
    assert "is ready" not in told and "(secret)   Dawn" in told


def test_wrong_numbers_are_told_together(tells: Tells, tmp_path: Path) -> None:
    data: Any = read_yaml_or_json(SAMPLE)
    data["roster"][3] |= {"cpp_left": 6, "british_fpp_received": 20}
    data["roster"][4] |= {"british_san": 9, "cpp_available": 35, "german_cvp_lost": 3}
    data["rg"][5] |= {"area": "Q", "leaders": ["11-5"]}
    data["rg"] += [{"date": "day-1", "rg": "I5"}, {"date": "night-2", "rg": "V3"}, {"rg": "I9"}]
    data["bought"] = [{"date": "dawn", "side": "german", "kind": "ap-mines", "factors": 6}]
    data["house_rules"] = [{"rule": "C-05", "choice": "perhaps"}]
    data["units"][0] |= {"at": "ZZ99"}
    book, file = written(tmp_path, "start.json", data), tmp_path / "evening.pbcg"
    told = pbcg("new", file, "--from", book, code=2)
    assert not file.exists()
    assert "15 faults" in told
    tells(told, "roster, entry 4, cpp_left", "6", "9.617")
    tells(told, "rg, entry 6, leaders", "11-5")
    tells(told, "units, entry 1, at", "ZZ99")


@pytest.mark.parametrize(
    ("name", "number", "wrong", "place"),
    [
        ("roster", 3, {"british_fpp_spent": 16}, "roster, entry 4, british_fpp_spent"),
        ("units", 0, {"rg": "I9-1"}, "units, entry 1, rg"),
        ("units", 0, {"rg": "I5"}, "units, entry 1, rg"),
    ],
)
def test_what_the_records_cannot_have_is_a_fault(
    name: str, number: int, wrong: dict[str, Any], place: str, tells: Tells, tmp_path: Path
) -> None:
    data: Any = read_yaml_or_json(SAMPLE)
    data[name][number] |= wrong
    book = written(tmp_path, "start.json", data)
    tells(pbcg("new", tmp_path / "evening.pbcg", "--from", book, code=2), place)


def test_faults_of_a_workbook_name_sheet_and_row(tells: Tells, tmp_path: Path) -> None:
    book = tmp_path / "start.xlsx"
    pbcg("position", "template", book, "--records", "--example")
    workbook = openpyxl.load_workbook(book)
    workbook["rg"]["B8"] = "I9"
    workbook["roster"]["I6"] = "many"
    workbook.save(book)
    told = pbcg("new", tmp_path / "evening.pbcg", "--from", book, code=2)
    tells(told, "sheet rg, row 8, column rg", "I9")
    tells(told, "sheet roster, row 6, column cpp_left", "many")


@pytest.mark.parametrize("content", ["", "[]", "format: pbcg-paper/1", "campaign: CG7", "a: [b"])
def test_what_is_no_campaign_is_a_sentence(content: str, tmp_path: Path) -> None:
    path = tmp_path / "start.yaml"
    path.write_text(content, encoding="utf-8")
    told = pbcg("new", tmp_path / "evening.pbcg", "--from", path, code=2)
    assert "start.yaml" in told
    assert "Traceback" not in told


# -- Secrets ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def brought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("brought") / "evening.pbcg"
    pbcg("new", file, "--from", SAMPLE)
    return file


def test_each_side_keeps_its_own(brought: Path) -> None:
    state = state_of(brought)
    plain = "".join(
        json.dumps([each for each in json.loads(line).get("entries", []) if "veil" not in each])
        for line in brought.read_text(encoding="utf-8").splitlines()
    )
    for secret in ("cpp", "I5", '"rg"', "off-map", "hidden", "fpp_spent"):
        assert secret not in plain, secret
    british = pbcg("log", brought, "--as", "british")
    assert "CPP" not in british
    assert "RG" not in british.replace("CG Roster", "")
    hidden = [piece.id for piece in state.pieces if piece.off_map]
    assert hidden
    assert not any(id in plain or id in british for id in hidden)


def test_numbers_of_the_seen_tell_nothing_of_the_unseen(brought: Path) -> None:
    numbers: dict[str, list[int]] = {}
    for piece in state_of(brought).pieces:
        stem, _, number = piece.id.rpartition("-")
        numbers.setdefault(stem, []).append(int(number))
    for stem, found in numbers.items():
        seen = sorted(number for number in found if number < 100)
        if stem != "b-648":  # one has the id that the file gives it
            assert seen == list(range(1, len(seen) + 1)), stem


# -- The page --------------------------------------------------------------------------------------


def test_page_brings_in_a_file(tmp_path: Path) -> None:
    with app_client(tmp_path) as client:
        forms = {each["kind"]: each for each in client.get("/api/games").json()["forms"]}
        assert "Bring in a campaign" in forms["paper"]["button"]
        about = {"kind": "paper", "name": "old", "file": "start.yaml", "dice": "manual"}
        bad = client.post("/api/games/file", params=about, content=b"format: pbcg-paper/1")
        assert bad.status_code == 422
        assert "start.yaml" in bad.json()["sentence"]
        assert not list(tmp_path.glob("*.pbcg"))
        made = client.post("/api/games/file", params=about, content=SAMPLE.read_bytes())
        assert made.status_code == 200, made.text
        now = client.get(f"/api/games/{made.json()['id']}").json()
        assert [step["state"] for step in now["steps"][:3]] == ["done", "done", "now"]
    assert state_of(tmp_path / "old.pbcg").at == "9.601"


def test_page_asks_and_takes_typed_pieces(tmp_path: Path) -> None:
    with app_client(tmp_path) as client:
        wanted = {"kind": "paper", "name": "old", "campaign": "CG1", "date": "day-1"}
        id = client.post("/api/games", json=wanted).json()["id"]
        eyes = {"eyes": "umpire"}
        for value in ("none", 3, 4, "german", "none", "none", "I5 V5", "none", 7, "agreement"):
            now = client.get(f"/api/games/{id}", params=eyes).json()
            body = {"seq": now["seq"], "prompt": now["asked"]["id"], "value": value}
            told = client.post(f"/api/games/{id}/answers", json=body, params=eyes)
            assert told.status_code == 200, told.text
        draft = client.get(f"/api/games/{id}/position", params=eyes).json()
        orders = [
            {"do": "type", "name": "3 648 piat 92 x18", "side": "british"},
            {"do": "type", "name": "6 467 k13", "side": "german"},
        ]
        body = {"number": draft["number"], "orders": orders}
        found = client.post(f"/api/games/{id}/position/orders", json=body, params=eyes).json()
        assert len(found["position"]["units"]) == 10
        assert found["faults"] == []


def test_each_side_gives_its_own_part_of_a_file(tmp_path: Path) -> None:
    with app_client(tmp_path) as client:
        wanted = {"kind": "paper", "name": "old", "campaign": "CG1", "date": "day-1"}
        base = f"/api/games/{client.post('/api/games', json=wanted).json()['id']}"
        parts: dict[str, Any] = {}
        for eyes in ("", "british", "german"):
            who, file = {"eyes": eyes}, {"name": "start.yaml", "eyes": eyes}
            given = client.post(
                f"{base}/position/file", params=file, content=SAMPLE.read_bytes()
            ).json()["value"]
            parts[eyes] = json.dumps(given)
            while (now := client.get(base, params=who).json())["asked"]["asked"] == "prompt":
                value = given if now["asked"]["id"] == "9.13.1" else "german"
                body = {"seq": now["seq"], "prompt": now["asked"]["id"], "value": value}
                client.post(f"{base}/answers", json=body, params=who)
                if eyes and now["asked"]["id"] == "9.13.1":
                    break
    assert "cpp" not in parts[""] + parts["british"]
    assert '"rg"' not in parts[""] + parts["british"]
    assert "british_san" in parts[""]
    assert "cpp_left" in parts["german"]
    state = state_of(tmp_path / "old.pbcg")
    assert (state.at, state.san["british"], state.count_purchased("I5")) == ("scenario", 2, 2)


def test_page_takes_the_example_typed(tmp_path: Path) -> None:
    lines = typed_lines(read_yaml_or_json(SAMPLE))
    page = (Path(__file__).parents[3] / "docs/players/from-paper.md").read_text(encoding="utf-8")
    assert f"{len(lines)} lines" in page
    with app_client(tmp_path) as client:
        wanted = {"kind": "paper", "name": "old", "campaign": "CG1", "date": "day-1"}
        id = client.post("/api/games", json=wanted).json()["id"]
        eyes = {"eyes": "umpire"}
        for value in ("none", 3, 4, "german", "none", "none", "I5", "none", 7, "agreement"):
            now = client.get(f"/api/games/{id}", params=eyes).json()
            body = {"seq": now["seq"], "prompt": now["asked"]["id"], "value": value}
            client.post(f"/api/games/{id}/answers", json=body, params=eyes)
        number = client.get(f"/api/games/{id}/position", params=eyes).json()["number"]
        for side, line in lines:
            order = {"do": "type", "name": line, "side": side}
            body = {"number": number, "orders": [order]}
            found = client.post(f"/api/games/{id}/position/orders", json=body, params=eyes)
            assert found.status_code == 200, (line, found.text)
            number = found.json()["number"]
        position = found.json()["position"]
    assert sum(len(position[name]) for name in ("units", "equipment", "vehicles")) > 115


def test_no_campaign_begins_on_a_date_it_has_not(tmp_path: Path) -> None:
    with app_client(tmp_path) as client:
        wanted = {"kind": "paper", "name": "old", "campaign": "CG2", "date": "night-1"}
        told = client.post("/api/games", json=wanted)
    assert told.status_code == 422
    assert "CG2" in told.json()["sentence"]
