"""What would be, through the interface: nothing is written, and only who is asked is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_help import app_client, only_game


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
            assert set(refused.json()) == {"sentence", "rule"}


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
