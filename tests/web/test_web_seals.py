"""Seals in the page: eight words to say aloud, read by their side alone until they are opened."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from play_help import play_cg2_to
from web_help import app_client, only_game
from web_screen import axe_in_both, looker

MINES = "A-P Mine"


@pytest.fixture(scope="module")
def bought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("seals") / "bought.pbcg"
    play_cg2_to(file, "9.620.2")
    return file


@pytest.fixture
def file(bought: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(bought, tmp_path / "evening.pbcg"))


class Players:
    """The pages of both sides and of one screen for both, as requests."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.base = f"/api/games/{only_game(client)}/seals"

    def ask(self, viewer: str, path: str = "", body: object = None, **query: str) -> Any:
        headers = {"Authorization": f"Bearer {self.client.keys[viewer]}"}
        kind = "GET" if body is None else "POST"
        url = f"{self.base}{path}"
        return self.client.request(kind, url, headers=headers, params=query, json=body)

    def seals(self, viewer: str, **query: str) -> list[dict[str, Any]]:
        return list(self.ask(viewer, **query).json()["seals"])

    def check(self, viewer: str, words: str) -> Any:
        return self.ask(viewer, "/check", words=words)

    def open(self, viewer: str, words: str) -> Any:
        return self.ask(viewer, "/opened", {"words": words})


@pytest.fixture
def players(file: Path) -> Iterator[Players]:
    with app_client(file.parent) as client:
        yield Players(client)


def test_a_side_seals_and_the_other_reads_only_the_words(players: Players) -> None:
    assert players.ask("british", body={}).status_code == 200
    (own,), (other,) = players.seals("british"), players.seals("german")
    assert MINES in own["text"] and own["own"]
    assert (other["words"], other["text"], other["own"]) == (own["words"], "", False)
    closed = players.check("german", own["words"])
    assert closed.status_code == 200 and closed.json().get("stands") is None
    assert players.check("british", own["words"]).json()["stands"]
    refused = players.open("german", own["words"])
    assert refused.status_code == 422
    for told in (closed, refused, players.ask("german")):
        assert MINES not in told.text and "salt" not in told.text and "648" not in told.text


def test_both_read_what_was_opened(players: Players) -> None:
    players.ask("british", body={})
    words = players.seals("british")[0]["words"]
    assert players.open("british", words).status_code == 200
    assert MINES in players.seals("german")[0]["text"]
    assert players.check("german", words).json()["stands"]


def test_one_screen_seals_for_whoever_sits_there(players: Players) -> None:
    assert players.ask("both", body={}).status_code == 422
    assert players.ask("both", body={}, eyes="german").status_code == 200
    assert "4-4-7" in players.seals("both", eyes="german")[0]["text"]
    assert players.seals("both")[0]["text"] == players.seals("british")[0]["text"] == ""


def test_a_wrong_word_is_a_sentence(players: Players) -> None:
    told = players.check("german", "abandin " * 8)
    assert told.status_code == 422 and "abandon" in told.json()["sentence"]
    assert players.check("german", "zoo " * 8).status_code == 422


def test_a_player_seals_by_a_button_and_the_other_checks(chromium: Any, file: Path) -> None:
    with looker(chromium, file)("british", "german") as (british, german):
        page = british.page
        page.click("[data-view=log]")
        page.click(".seals summary")
        page.click("[data-action=seal]")
        page.wait_for_selector("[data-seal='1']")
        words = page.inner_text("[data-seal='1'] strong")
        assert len(words.split()) == 8
        assert axe_in_both(page) == []
        other = german.page
        other.click("[data-view=log]")
        other.click(".seals summary")
        other.fill(".seals [name=words]", words)
        other.click("[data-action=check-seal]")
        other.wait_for_function("document.querySelector('.seals [role=status]').innerText")
        assert other.locator(".seals pre").count() == 0
        page.click("[data-action=open-seal]")
        page.wait_for_selector("[data-action=open-seal]", state="detached")
        other.click("[data-action=check-seal]")
        shown = other.locator(".seals [role=status] pre")
        shown.wait_for()
        assert MINES in shown.inner_text()
