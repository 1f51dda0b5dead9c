"""Hidden pieces placed on the map by their owner alone: two browsers, and nothing for the other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_web_position import answer, golden_json, on_the_map
from web_help import Served, app_client, only_game
from web_screen import Look, axe_in_both

pytestmark = pytest.mark.finding("G-24")


def without_one_each() -> tuple[dict[str, Any], dict[str, Any]]:
    """The golden position without a unit of each side, and those units by side."""
    common = golden_json()
    names = {"british": "b-9-2-1", "german": "g-8-1-1"}
    left = {
        side: next(each for each in common["units"] if each["id"] == id)
        for side, id in names.items()
    }
    for unit in left.values():
        common["units"].remove(unit)
    return common, left


def begin(served: Served, id: str, common: dict[str, Any]) -> None:
    """The umpire says for both how the scenario ended and what stands on the map."""
    with served.client("umpire") as umpire:
        for value in ("agreement", common):
            state = umpire.get(f"/games/{id}").json()
            given = {"seq": state["seq"], "prompt": state["asked"]["id"], "value": value}
            assert umpire.post(f"/games/{id}/answers", json=given).status_code == 200


def place(page: Any, unit: dict[str, Any], others: dict[str, Any]) -> None:
    """Place one hidden piece on the map and give it; what follows is answered as proposed."""
    page.click("[data-action=enter]")
    page.wait_for_selector("[data-editor]")
    assert page.locator(f'[data-tray="{others["id"]}"]').count() == 0
    page.click(f'[data-tray="{unit["id"]}"]')
    page.fill(".edtools [name=at]", unit["at"])
    with page.expect_response(lambda reply: reply.url.endswith("/position/orders")) as told:
        page.press(".edtools [name=at]", "Enter")
    (placed,) = told.value.json()["position"]["units"]
    assert (placed["id"], placed["at"]) == (unit["id"], unit["at"])
    assert "hidden" in placed["status"]
    page.wait_for_selector(".faults .good")
    assert axe_in_both(page) == []


def give(page: Any) -> None:
    page.click("[data-action=give]")
    page.click("[data-action=give-now]")
    page.wait_for_selector("[data-editor]", state="detached")


def finish(served: Served, id: str, side: str) -> None:
    """Answer what is asked of a side alone until it waits for somebody else."""
    with served.client(side) as own:
        while (state := own.get(f"/games/{id}").json())["asked"] and state["asked"]["secret"]:
            asked = state["asked"]
            value = asked["default"] if asked["default"] is not None else asked["options"][0]["id"]
            given = {"seq": state["seq"], "prompt": asked["id"], "value": value}
            assert own.post(f"/games/{id}/answers", json=given).status_code == 200


def seen(served: Served, id: str, viewer: str) -> list[bytes]:
    """All that a viewer's page asks for, byte by byte; a draft is refused."""
    with served.client(viewer) as client:
        paths = ("", "/map", "/log", "/position", "/history")
        return [client.get(f"/games/{id}{path}").content for path in paths]


def test_each_player_places_hidden_pieces_in_a_browser_of_his_own(look: Look) -> None:
    common, left = without_one_each()
    british, german = left["british"], left["german"]
    with look("british", "german") as (anne, karl):
        served = anne.served
        with served.client("umpire") as umpire:
            id = umpire.get("/games").json()["games"][0]["id"]
        begin(served, id, common)
        anne.page.wait_for_selector("[data-prompt='0.2.0']")
        before = seen(served, id, "german")
        karl.page.wait_for_selector(".nothing")
        place(anne.page, british, german)
        assert seen(served, id, "german") == before
        give(anne.page)
        assert seen(served, id, "german")[1] == before[1]
        finish(served, id, "british")
        karl.page.wait_for_selector("[data-prompt='0.2.0']")
        own = seen(served, id, "british")
        place(karl.page, german, british)
        assert seen(served, id, "british") == own
        give(karl.page)
        finish(served, id, "german")
        for viewer, other in (("british", german), ("german", british)):
            found = b"".join(seen(served, id, viewer))
            assert left[viewer]["id"].encode() in found
            counters = json.loads(seen(served, id, viewer)[1])["counters"]
            assert all(each["id"] != other["id"] for each in counters)


def test_hidden_pieces_at_one_screen_stay_behind_the_curtain(evening: Path) -> None:
    common, left = without_one_each()
    unit = left["british"]
    with app_client(evening.parent) as both:
        id = only_game(both)
        answer(both, id, "agreement")
        assert answer(both, id, common).status_code == 200
        url = f"/api/games/{id}/position"
        for eyes in ("", "german"):
            assert both.get(url, params={"eyes": eyes}).status_code == 409
        eyes = {"eyes": "british"}
        draft = both.get(url, params=eyes).json()
        assert (draft["task"], draft["side"]) == ("hidden", "british")
        assert {each["entry"]["side"] for each in draft["pieces"]} == {"british"}
        assert unit["id"] in {each["entry"]["id"] for each in draft["pieces"]}

        def order(number: int, at: str) -> Any:
            orders = [{"do": "put", "ids": [unit["id"]], "at": at}]
            sent = {"number": number, "orders": orders}
            return both.post(f"{url}/orders", params=eyes, json=sent).json()

        wrong = order(draft["number"], "A1")
        made = order(wrong["number"], unit["at"])
        assert made["faults"] == []
        assert answer(both, id, made["position"], **eyes).status_code == 200
        while (asked := both.get(f"/api/games/{id}", params=eyes).json()["asked"])["asked"] != (
            "curtain"
        ):
            assert answer(both, id, asked["default"] or asked["options"][0]["id"], **eyes)
        place = (unit["id"], unit["at"])
        assert place in on_the_map(both, id, "british")
        assert place not in on_the_map(both, id, "german") | on_the_map(both, id, "")
