"""Several players a side: what is asked is handed to one of them, and records name who decided."""

from __future__ import annotations

from pathlib import Path

import pytest
from in_process import pbcg
from sentences import Tells
from web_help import app_client

from asl_pbcg.campaign.paper_workbook import EXAMPLE
from asl_pbcg.cli.campaign_file import open_campaign
from asl_pbcg.kernel.data import data_path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "evening.pbcg"
    names = ("--british", "Anne, Ben", "--german", "Karl, Otto")
    pbcg("new", path, "--from", data_path(EXAMPLE), *names)
    return path


def test_log_and_prompt_name_who_decides(file: Path, tmp_path: Path) -> None:
    pbcg("hand", file, "otto", "--as", "german")
    asked = pbcg("refit", file, typed="done\nq\n")
    assert "German: Otto" in asked
    pbcg("hand", file, "Ben", "--as", "british")
    pbcg("refit", file, typed="done\nq\n")
    log = pbcg("log", file)
    assert "[german, Otto]" in log
    assert "[british, Ben]" in log
    assert "Ben decides" in pbcg("hand", file)
    pbcg("records", file, "-o", tmp_path / "r.xlsx", "--sheet", "report")
    assert "whole" in pbcg("verify", file)


def test_handing_changes_nothing_else(file: Path) -> None:
    before = open_campaign(file)
    before.journal.close()
    pbcg("hand", file, "Otto", "--as", "german")
    after = open_campaign(file)
    assert after.state == before.state
    after.journal.close()


def test_only_a_listed_player_takes_over(tells: Tells, file: Path) -> None:
    tells(pbcg("hand", file, "Zoe", "--as", "british", code=2), "Zoe")
    reason = ("--reason", "Ben went home")
    pbcg("correct", file, "players/british=Anne", *reason)
    tells(pbcg("hand", file, "Anne", "--as", "british", code=2), "players/british")
    pbcg("correct", file, "players/british=Anne, Cleo", *reason)
    assert "Cleo decides" in pbcg("hand", file, "cleo", "--as", "british")
    assert "Cleo decides" in pbcg("hand", file, "cleo", "--as", "british")
    assert pbcg("log", file).count("Cleo decides") == 1, "handed once"
    tells(pbcg("correct", file, "players/british=Anne, Ben", *reason, code=2), "Cleo", "first")
    pbcg("hand", file, "Anne", "--as", "british")
    pbcg("correct", file, "players/british=Anne, Ben", *reason)


def test_page_hands_what_is_asked(file: Path, tmp_path: Path) -> None:
    with app_client(tmp_path) as client:
        id = client.get("/api/games").json()["games"][0]["id"]
        now = client.get(f"/api/games/{id}").json()
        assert now["players"]["german"] == ["Karl", "Otto"]
        assert now["asked"]["decider"] == ""
        handed = client.post(f"/api/games/{id}/hand", json={"name": "Otto", "side": "german"})
        assert handed.json()["asked"]["decider"] == "Otto"
        wrong = client.post(f"/api/games/{id}/hand", json={"name": "Zoe", "side": "german"})
        assert wrong.status_code == 422
