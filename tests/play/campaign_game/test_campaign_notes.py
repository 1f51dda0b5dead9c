"""Notes of the players: in the log, on pieces and dates; private ones for their writer alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import openpyxl
import pytest
from in_process import pbcg
from sentences import Tells
from web_help import app_client

from asl_pbcg.campaign.paper.paper_workbook import EXAMPLE
from asl_pbcg.cli.campaign_file import open_campaign
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.player_notes import notes_of

pytestmark = pytest.mark.finding("G-35")
SECRET = "They will come from the chateau"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("notes") / "begun.pbcg"
    pbcg("new", file, "--from", data_path(EXAMPLE))
    return file


@pytest.fixture
def file(begun: Path, tmp_path: Path) -> Path:
    return shutil.copy(begun, tmp_path / "evening.pbcg")


def noted(file: Path) -> None:
    pbcg("note", file, "Held by a hair.", "--as", "british")
    pbcg("note", file, SECRET, "--private", "--date", "dawn", "--as", "german")
    pbcg("note", file, "Never again.", "--about", "b-648-6", "--as", "british")
    pbcg("note", file, "Too many.", "--line", "casualty german", "--as", "umpire")


def test_a_note_stands_wherever_its_subject_does(tells: Tells, file: Path, tmp_path: Path) -> None:
    noted(file)
    log = pbcg("log", file, "--as", "british")
    tells(log, "Held by a hair")
    tells(log, "Too many")
    assert "Never again." in pbcg("history", file, "--piece", "b-648-6", "--as", "british")
    assert "Dawn: German, private" in pbcg("history", file, "--as", "german")
    assert "by a hair" in pbcg("history", file, "--as", "german")
    sheets = ("--sheet", "roster", "--sheet", "british-forces")
    pbcg("records", file, "-o", tmp_path / "r.xlsx", "--as", "british", *sheets)
    cells = {
        sheet.title: str([*sheet.iter_rows(values_only=True)])
        for sheet in openpyxl.load_workbook(tmp_path / "r.xlsx")
    }
    assert "by a hair" in cells["CG Roster"]
    assert "Never again" in cells["British Force Roster"]
    found = json.loads(pbcg("note", file, "--about", "b-648-6", "--json"))
    assert [(each["text"], each["by"]) for each in found] == [("Never again.", "british")]


def test_a_note_is_corrected_or_withdrawn_and_the_log_keeps_both(file: Path) -> None:
    noted(file)
    assert "1  Day I" in pbcg("note", file, "--as", "british")
    pbcg("note", file, "Held easily.", "--correct", "1", "--as", "british")
    pbcg("note", file, "Held at all.", "--correct", "1", "--as", "british")
    pbcg("note", file, "--withdraw", "2", "--as", "british")
    listed = pbcg("note", file, "--as", "british")
    assert "Held at all." in listed and "easily" not in listed and "Never again" not in listed
    log = pbcg("log", file, "--as", "german")
    for words in ("Note. British: Held by a hair.", "Note corrected. British: Held at all."):
        assert words in log
    assert "Note withdrawn. British, A-6: Never again." in log
    assert "Never again." not in pbcg("history", file, "--piece", "b-648-6", "--as", "british")
    assert "Held by a hair" not in pbcg("history", file, "--as", "german")
    assert "whole" in pbcg("verify", file)


def test_a_private_note_is_withdrawn_without_a_trace(file: Path) -> None:
    def seen() -> list[str]:
        return [pbcg(each, file, "--as", "british") for each in ("log", "note", "history")]

    noted(file)
    before = seen()
    pbcg("note", file, "From the chateau, surely", "--correct", "2", "--as", "german")
    pbcg("note", file, "--withdraw", "2", "--as", "german")
    assert seen() == before
    assert SECRET not in pbcg("note", file, "--as", "german")
    assert SECRET not in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        (["x", "--correct", "9"], "9"),
        (["x", "--correct", "1"], "British"),
        (["--withdraw", "1"], "British"),
        (["--correct", "2"], "words"),
        (["x", "--withdraw", "2"], "no words"),
        (["x", "--correct", "2", "--withdraw", "2"], "or"),
        (["x", "--correct", "2", "--private"], "alone"),
        ([SECRET, "--correct", "2"], "already"),
    ],
)
def test_what_cannot_be_changed_of_a_note(file: Path, words: list[str], fact: str) -> None:
    noted(file)
    assert fact in pbcg("note", file, *words, "--as", "german", code=2)


def test_notes_change_nothing_of_the_game(file: Path) -> None:
    before = open_campaign(file)
    asked, state = before.pending, before.state
    before.journal.close()
    noted(file)
    after = open_campaign(file)
    assert asked is not None
    assert after.pending is not None
    assert (after.pending.id, after.pending.text, after.state) == (asked.id, asked.text, state)
    after.journal.close()
    assert "whole" in pbcg("verify", file)
    assert "Undone" in pbcg("undo", file)
    assert "by a hair" in pbcg("log", file)


def test_private_notes_leave_no_trace_for_the_other(file: Path, tmp_path: Path) -> None:
    def seen() -> list[str]:
        commands = [["log", file], ["note", file], ["history", file], ["status", file],
                    ["history", file, "--piece", "b-648-6"], ["dice", file]]  # fmt: skip
        return [pbcg(*map(str, each), "--as", "british") for each in commands]

    before = seen()
    pbcg("note", file, SECRET, "--private", "--as", "german")
    pbcg("note", file, SECRET, "--private", "--about", "b-648-6", "--as", "german")
    assert seen() == before
    assert SECRET not in file.read_text(encoding="utf-8")  # veiled
    session = open_campaign(file)
    seqs = [each.seq for each in session.journal.entries_of("note")]
    session.journal.close()
    assert len(seqs) == 2
    with app_client(tmp_path) as client:
        id = client.get("/api/games").json()["games"][0]["id"]
        both = client.get(f"/api/games/{id}/log").text
        assert SECRET not in both


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        (["x", "--about", "b-648-6", "--line", "Melee"], "one"),
        (["x", "--about", "zebra"], "zebra"),
        (["x", "--date", "dusk"], "dusk"),
        (["x", "--line", "no such line"], "no such line"),
        (["x" * 1001], "1000"),
        (["a\u202eb"], "U+202E"),
    ],
)
def test_what_cannot_be_noted(tells: Tells, file: Path, words: list[str], fact: str) -> None:
    tells(pbcg("note", file, *words, "--as", "british", code=2), fact)


def test_an_open_note_gives_nothing_away(file: Path) -> None:
    session = open_campaign(file)
    hidden = next(piece.id for piece in session.state.pieces if piece.off_map)
    session.journal.close()
    told = pbcg("note", file, "Wait.", "--about", hidden, "--as", "german", code=2)
    assert "private" in told
    pbcg("note", file, "Wait.", "--about", hidden, "--private", "--as", "german")
    told = pbcg("note", file, "Poor.", "--line", "CPP left", "--as", "german", code=2)
    assert "private" in told
    told = pbcg("note", file, "So.", "--about", hidden, "--as", "british", code=2)
    assert "that you know of" in told


def test_page_keeps_notes(file: Path, tmp_path: Path) -> None:
    with app_client(tmp_path) as client:
        id = client.get("/api/games").json()["games"][0]["id"]
        base, eyes = f"/api/games/{id}", {"eyes": "german"}
        note = {"text": SECRET, "about": "g-467-859", "private": True}
        assert client.post(f"{base}/notes", json=note, params=eyes).status_code == 200
        assert SECRET in client.get(f"{base}/pieces/g-467-859", params=eyes).text
        assert SECRET not in client.get(f"{base}/pieces/g-467-859", params={"eyes": ""}).text
        alone = client.post(f"{base}/notes", json={"text": "x", "private": True})
        assert alone.status_code == 422
        assert "Whose" in alone.json()["sentence"]
        client.post(f"{base}/notes", json={"text": "Held."})
        assert "Held." in client.get(f"{base}/history").text
        own = client.get(f"{base}/notes", params=eyes).json()["notes"]
        assert [each["text"] for each in own] == [SECRET]
        assert (
            client.get(f"{base}/notes", params={"eyes": ""}).json()["notes"][0]["text"] == "Held."
        )
        changed = client.post(f"{base}/notes/{own[0]['number']}", json={"text": ""}, params=eyes)
        assert changed.status_code == 200
        assert not client.get(f"{base}/notes", params=eyes).json()["notes"]
        assert client.post(f"{base}/notes/1", json={"text": ""}, params=eyes).status_code == 422
        client.post(f"{base}/notes", json=note, params=eyes)
    session = open_campaign(file)
    assert [note.by for note in notes_of(session.journal, "umpire")] == ["", "german"]
    session.journal.close()
