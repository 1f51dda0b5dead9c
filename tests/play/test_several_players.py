"""Several players a side: what is asked is handed to one of them, and records name who decided."""

from __future__ import annotations

from pathlib import Path

import pytest
from in_process import pbcg
from sentences import Tells
from twin_campaigns import Twin, _answer
from web_help import app_client

from asl_pbcg.campaign.paper.paper_workbook import EXAMPLE
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.campaign_file import create_campaign, open_campaign
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.deciders import hand_over


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


@pytest.mark.parametrize(
    "side, name, told",
    [
        ("british", "Zoe", "is not one of Anne, Ben"),
        ("german", "Anne", "is not one of Karl, Otto"),
        ("umpire", "Anne", "does not list several players"),
    ],
)
def test_a_hand_over_that_no_prompt_takes_is_told(
    file: Path, side: str, name: str, told: str
) -> None:
    pbcg("hand", file, "Ben", "--as", "british")
    assert "whole" in pbcg("verify", file)
    campaign = open_campaign(file)
    hand_over(campaign.journal, side, name, "players")
    campaign.journal.close()
    found = " ".join(pbcg("verify", file, code=1).split())
    assert told in found
    assert "(J20)" in found


def test_a_hand_over_is_held_against_the_players_of_its_time(file: Path) -> None:
    reason = ("--reason", "Ben went home")
    pbcg("correct", file, "players/british=Anne, Cleo", *reason)
    pbcg("hand", file, "Cleo", "--as", "british")
    pbcg("hand", file, "Anne", "--as", "british")
    pbcg("correct", file, "players/british=Anne, Dora", *reason)
    pbcg("undo", file)
    assert "whole" in pbcg("verify", file)


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


def test_a_hand_over_in_secret_tells_the_other_side_nothing(tmp_path: Path) -> None:
    """Neither that there was one, nor, of one's own, which step the other side has come to."""
    told = []
    for answers in (0, 3):
        path = tmp_path / str(answers) / "evening.pbcg"
        path.parent.mkdir()
        names = {"british": "Anne, Ben", "german": "Karl, Otto"}
        meta = {"settings": {"campaign": "CG2", "players": names}, "seed": 0, "dice": "seeded"}
        session = create_campaign(path, meta)
        playing = Twin(5, Side.GERMAN, 1)
        playing.state = lambda session=session: session.state  # type: ignore[misc]
        while not playing.is_own(session.pending):
            _answer(session, playing)
        for _ in range(answers):
            _answer(session, playing)
        assert playing.is_own(session.pending)
        session.journal.close()
        before = pbcg("log", path, "--as", "british")
        pbcg("hand", path, "Otto", "--as", "german")
        assert pbcg("log", path, "--as", "british") == before
        assert "Otto decides" not in pbcg("hand", path, "--as", "british")
        assert "Otto decides" in pbcg("log", path, "--as", "german")
        assert "Ben decides" in pbcg("hand", path, "Ben", "--as", "british")
        session = open_campaign(path)
        while playing.is_own(session.pending):
            _answer(session, playing)
        session.journal.close()
        log = pbcg("log", path, "--as", "british")
        assert "Ben decides" in log and "Otto" not in log
        told.append(log)
    assert told[0] == told[1]
