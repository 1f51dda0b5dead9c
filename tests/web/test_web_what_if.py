"""What would be, through the interface: nothing is written, and only who is asked is told."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_help import app_client, only_game, serving
from web_screen import Screen, axe

from asl_pbcg.kernel.answers import ListedAnswers
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.play.campaign_game.position_document import read_document
from asl_pbcg.play.open_game import OpenGame

GOLDEN = Path(__file__).parent.parent / "golden_cg1"


@pytest.fixture
def buying(tmp_path: Path) -> Iterator[Any]:
    """CG II while the German buys RG; ``get`` and ``post`` are those of the German."""
    with app_client(tmp_path, "both") as client:
        wanted = {"kind": "campaign", "name": "one", "campaign": "CG2", "seed": 7}
        assert client.post("/api/games", json=wanted).status_code == 200
        client.base = f"/api/games/{only_game(client)}"
        client.headers["Authorization"] = f"Bearer {client.keys['german']}"
        assert client.get(client.base).json()["asked"]["id"] == "9.617.1"
        yield client


def test_a_basket_is_looked_at_changed_and_received_in_one_go(buying: Any) -> None:
    ahead = f"{buying.base}/ahead"
    place = buying.post(ahead, json={"seq": 0, "answers": ["V3"]}).json()["asked"]
    assert place["id"] == "9.617.2" and {"A7", "J0"} <= {each["id"] for each in place["options"]}
    then = buying.post(ahead, json={"seq": 0, "answers": ["V3", "J0"]}).json()["asked"]
    refused = {each["id"]: each["refused"] for each in then["options"]}
    assert "9 are left" in refused["I5"] and not refused["V5"]
    brings = buying.get(f"{buying.base}/what-if", params={"group": ["V3@J0", "V5@A7"]}).json()
    assert brings["price"] == 14 + 2 + 5 and "I1" not in brings["groups"]
    spread = {each["what"]: each for each in brings["basket"]}
    assert spread["Marder"]["chances"][-1] == {"count": 3, "chance": "5/6", "percent": "83%"}
    assert buying.get(buying.base).json()["seq"] == 0  # nothing of it is kept
    body = {"seq": 0, "prompt": "9.617.1", "value": "V3", "more": ["J0", "V5", "A7", "done"]}
    made = buying.post(f"{buying.base}/answers", json=body)
    assert made.status_code == 200 and made.json()["seq"] == 5
    assert made.json()["asked"]["id"].startswith("9.618")


@pytest.mark.parametrize("more", [["J0", "V3"], ["J0", "done", "no"], ["nowhere"], [None]])
def test_of_several_answers_all_are_taken_or_none(buying: Any, more: list[Any]) -> None:
    before = buying.get(buying.base).json()
    body = {"seq": 0, "prompt": "9.617.1", "value": "V3", "more": more}
    refused = buying.post(f"{buying.base}/answers", json=body)
    assert refused.status_code in (409, 422) and refused.json()["sentence"]
    assert buying.get(buying.base).json() == before
    again = buying.post(f"{buying.base}/answers", json={**body, "more": ["J0"]})
    assert again.status_code == 200 and again.json()["seq"] == 2


def test_who_is_not_asked_learns_nothing(buying: Any) -> None:
    requests = [
        ("POST", "ahead", {"seq": 0, "answers": ["V3"]}),
        ("GET", "what-if?group=V3", None),
        ("GET", "places", None),
    ]
    for key in ("british", "both"):
        buying.headers["Authorization"] = f"Bearer {buying.keys[key]}"
        for method, path, body in requests:
            refused = buying.request(method, f"{buying.base}/{path}", json=body)
            assert refused.status_code == 409, (key, path, refused.text)
            assert set(refused.json()) == {"sentence", "rule", "topic"}
            assert not refused.json()["topic"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "ahead", {"seq": 1, "answers": ["V3"]}, 409),
        ("POST", "ahead", {"seq": 0, "answers": ["V99"]}, 422),
        ("POST", "ahead", {"seq": 0, "answers": ["V3"] * 61}, 422),
        ("POST", "ahead", {"seq": 0, "answers": ["done", "on", "on"]}, 422),
        ("POST", "ahead", {"seq": 0}, 422),
        ("GET", "what-if?group=V99", None, 422),
        ("GET", "what-if?group=@@@", None, 422),
        ("GET", "places", None, 409),
    ],
)
def test_what_makes_no_sense_is_refused(
    buying: Any, method: str, path: str, body: Any, status: int
) -> None:
    refused = buying.request(method, f"{buying.base}/{path}", json=body)
    assert refused.status_code == status and refused.json()["sentence"], refused.text


# -- before Escape and Shift ------------------------------------------------------------------


def to_point(begun: Path, file: Path, point: str) -> None:
    """The golden CG I, its Refit Phase played until ``point`` is asked."""
    shutil.copyfile(begun, file)
    with OpenGame.open(file) as game:
        session = game.session
        document = read_document(str(GOLDEN / "night-1.position.yaml"), session.state)
        listed = ListedAnswers.read(
            GOLDEN / "night-1.answers.yaml",
            lambda name: read_document(str(GOLDEN / name), session.state),
        )
        for _ in range(200):
            asked = session.pending
            assert asked is not None
            if asked.id == point:
                return
            if asked.id == "0.2":
                session.answer(document)
            elif isinstance(asked, Prompt):
                session.answer(listed.answer(asked))
            else:
                session.throw(listed.dice(asked) or (4,) * asked.spec.count)
    raise AssertionError(point)


def test_what_then_and_every_way_before_a_shift(
    chromium: Any, night_1: Path, tmp_path: Path
) -> None:
    file = tmp_path / "evening.pbcg"
    to_point(night_1, file, "9.613.1")
    with serving(tmp_path) as served, served.client("umpire") as client:
        id = client.get("/games").json()["games"][0]["id"]
        before = client.get(f"/games/{id}").json()
        moves = client.get(f"/games/{id}/moves").json()["moves"]
        assert moves and all(each["going"] for each in moves)
        side = before["asked"]["side"]
        other = "german" if side == "british" else "british"
        with served.client(other) as waits:
            refused = waits.get(f"/games/{id}/moves")
            assert refused.status_code == 409 and refused.json()["sentence"]
        with Screen(chromium, served, "umpire") as screen:
            page = screen.open(file)
            page.wait_for_selector(".board.painted")
            page.locator("[data-action=ahead]").first.click()
            page.wait_for_selector(".then:not(:empty)")
            assert "Shift together" in page.inner_text(".then >> nth=0")
            page.click("[data-action=moves] summary")
            page.wait_for_selector("[data-going]")
            assert page.locator("[data-going]").count() == sum(len(e["going"]) for e in moves)
            row = page.locator("[data-going]").first
            assert moves[0]["going"][0]["to"] in row.inner_text()
            assert row.locator(".oddsbar").count() or "no DR" in row.inner_text()
            with_way = next(e for e in moves[0]["going"] if len(e["path"]) > 1)
            page.locator(f'[data-going][data-to="{with_way["to"]}"]').first.hover()
            page.wait_for_selector(".way", state="attached")
            assert axe(page) == []
        assert client.get(f"/games/{id}").json() == before
