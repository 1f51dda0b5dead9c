"""Home: last played first, rename, copy, download, delete, search; pictures of what is in view."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from web_help import answer, app_client, serving
from web_screen import axe

from asl_pbcg.play.campaign_game.campaign_plug import create_campaign
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.web.folder import DELETED, game_id

pytestmark = pytest.mark.finding("G-51")


def begin(folder: Path, *names: str) -> None:
    settings = {"campaign": "CG2", "players": {}, "balance": "", "house_rules": {}}
    for seed, name in enumerate(names, 1):
        meta = {"settings": settings, "dice": "seeded", "seed": seed}
        create_campaign(folder / f"{name}.pbcg", meta).close()


def cards(client: Any, **query: Any) -> list[Any]:
    found: list[Any] = client.get("/api/games", params=query).json()["games"]
    return found


def sit(client: Any, viewer: str) -> None:
    client.headers["Authorization"] = f"Bearer {client.keys[viewer]}"


def first_answer(client: Any, id: str) -> None:
    asked = client.get(f"/api/games/{id}").json()["asked"]
    legal = next(each["id"] for each in asked["options"] if not each["refused"])
    assert answer(client, id, legal).status_code == 200


def test_last_played_comes_first_and_tells_no_side_what_the_other_does(tmp_path: Path) -> None:
    begin(tmp_path, "a", "b", "c")
    with app_client(tmp_path, "british") as client:
        before = cards(client)
        assert [each["file"] for each in before] == ["a.pbcg", "b.pbcg", "c.pbcg"]
        sit(client, "german")
        ids = {each["file"]: each["id"] for each in before}
        first_answer(client, ids["b.pbcg"])  # in secret
        assert cards(client)[0]["file"] == "b.pbcg"
        sit(client, "british")
        assert cards(client) == before and not any(each["played"] for each in before)
        sit(client, "umpire")
        assert cards(client)[0]["file"] == "b.pbcg" and cards(client)[0]["played"]


@pytest.mark.finding("G-50")
def test_a_quick_list_has_names_and_each_card_comes_when_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(tmp_path, "a", "b")
    monkeypatch.setattr("asl_pbcg.web.routes_games.QUICK", -1)
    with app_client(tmp_path) as client:
        quick = cards(client, quick=True)
        assert {each["file"] for each in quick} == {"a.pbcg", "b.pbcg"}
        assert not any(each["read"] or each["title"] for each in quick)
        one = client.get(f"/api/games/{quick[0]['id']}/card").json()
        assert one["read"] and one == next(e for e in cards(client) if e["id"] == one["id"])
        assert client.get("/api/games/0/card").status_code == 404


def test_a_game_is_renamed_with_what_is_kept_beside_it(tmp_path: Path) -> None:
    begin(tmp_path, "one", "two")
    (tmp_path / ".one.pbcg.draft.json").write_text("{}")
    with app_client(tmp_path, "umpire") as client:
        id = game_id(tmp_path / "one.pbcg")
        first_answer(client, id)
        for name, words in (("two", "already"), (".x", "no dot"), ("CON", "Windows")):
            refused = client.post(f"/api/games/{id}/name", json={"name": name})
            assert refused.status_code == 422 and words in refused.json()["sentence"]
        made = client.post(f"/api/games/{id}/name", json={"name": "evening"}).json()["id"]
        assert client.get(f"/api/games/{id}").status_code == 404
        assert client.get(f"/api/games/{made}").json()["seq"] == 1
        first_answer(client, made)
    assert (tmp_path / ".evening.pbcg.draft.json").exists()
    assert not list(tmp_path.glob(".one.pbcg.*.json"))


def test_a_game_is_copied_downloaded_and_deleted_into_a_folder(tmp_path: Path) -> None:
    begin(tmp_path, "one")
    (tmp_path / "bad.pbcg").write_bytes(b"no game")
    with app_client(tmp_path) as client:
        id = game_id(tmp_path / "one.pbcg")
        copied = client.post(f"/api/games/{id}/copy", json={"name": "two"}).json()["id"]
        whole = (tmp_path / "one.pbcg").read_bytes()
        assert client.get(f"/api/games/{copied}/file").content == whole
        assert client.delete(f"/api/games/{copied}").json()["file"] == f"{DELETED}/two.pbcg"
        client.post(f"/api/games/{id}/copy", json={"name": "two"})
        assert client.delete(f"/api/games/{copied}").json()["file"] == f"{DELETED}/two 2.pbcg"
        assert client.delete(f"/api/games/{game_id(tmp_path / 'bad.pbcg')}").status_code == 200
        assert [each["file"] for each in cards(client)] == ["one.pbcg"]
        with OpenGame.open(tmp_path / "one.pbcg"):  # somebody plays it at the terminal
            refused = client.delete(f"/api/games/{id}")
        assert refused.status_code == 409 and str(tmp_path) not in refused.text
    assert (tmp_path / DELETED / "two.pbcg").read_bytes() == whole


def test_the_files_are_not_a_side_s(tmp_path: Path) -> None:
    begin(tmp_path, "one")
    at = f"/api/games/{game_id(tmp_path / 'one.pbcg')}"
    with app_client(tmp_path, "british") as client:
        told = [
            client.get(f"{at}/file"),
            client.delete(at),
            client.post(f"{at}/name", json={"name": "two"}),
            client.post(f"{at}/copy", json={"name": "two"}),
        ]
        assert not client.get("/api/games").json()["keeps"]
    assert {each.status_code for each in told} == {422}
    assert {json.dumps(each.json()) for each in told} == {json.dumps(told[0].json())}
    assert [each.name for each in tmp_path.glob("*.pbcg")] == ["one.pbcg"]


def test_home_by_keyboard_and_mouse(chromium: Any, tmp_path: Path) -> None:
    begin(tmp_path, "anne", "karl", "otto", "paul", "evening")
    with serving(tmp_path) as served:
        page = chromium.new_context(bypass_csp=True).new_page()
        page.goto(f"{served.base}/#key={served.key('umpire')}")
        page.wait_for_selector("[data-card] .picture img", timeout=90_000)
        page.fill("[data-action=search]", "karl coup")
        assert page.locator("[data-card]:visible").count() == 0
        page.fill("[data-action=search]", "KARL")
        assert page.locator("[data-card]:visible").count() == 1
        page.locator("[data-card]:visible [data-more]").focus()
        page.keyboard.press("Enter")
        page.get_by_label("Name of the file").fill("anne")
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog [role=alert]:not([hidden])")
        assert "already" in page.inner_text("dialog [role=alert]")
        assert axe(page) == []
        page.get_by_label("Name of the file").fill("karl's evening")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=karl's evening >> visible=true")
        with page.expect_download() as saved:
            page.click(f"[data-more='{game_id(Path('anne.pbcg'))}']")
            page.click("[data-action=download]")
        assert saved.value.suggested_filename == "anne.pbcg"
        for action in ("copy", "delete"):
            page.click(f"[data-more='{game_id(Path('anne.pbcg'))}']")
            page.click(f"[data-action={action}]")
            if action == "delete":
                page.click("[data-action=delete-sure]")
            page.wait_for_selector("dialog", state="detached")
        page.wait_for_selector(f"[data-card='{game_id(Path('anne.pbcg'))}']", state="detached")
        page.context.close()
    names = {each.name for each in tmp_path.rglob("*.pbcg")}
    assert names == {
        *("anne.pbcg", "anne copy.pbcg", "karl's evening.pbcg"),
        *("otto.pbcg", "paul.pbcg", "evening.pbcg"),
    }
    assert (tmp_path / DELETED / "anne.pbcg").exists()
