"""Buying and setting up in the page: a basket by mouse and keys, a Fortification dragged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from play_help import play_cg2_to
from sentences import Tells
from test_web_position import Dragger
from web_help import serving
from web_screen import Screen, await_next, axe

from asl_pbcg.campaign.position import PIECES
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.play.campaign_game.campaign_plug import create_campaign
from asl_pbcg.play.open_game import OpenGame


def to_a_fortification(file: Path) -> None:
    """CG II, until the British are asked where their minefield sets up."""
    play_cg2_to(file, "9.62022")


def test_a_fortification_is_dragged_and_a_refused_hex_tells_why(
    tells: Tells, chromium: Any, tmp_path: Path
) -> None:
    file = tmp_path / "evening.pbcg"
    to_a_fortification(file)
    with serving(tmp_path) as served, Screen(chromium, served, "umpire") as screen:
        page = screen.open(file)
        page.wait_for_selector(".board.painted")
        page.wait_for_selector(".veiled", state="attached")
        assert axe(page) == []
        mouse = Dragger(page)
        mouse.drag(".chip", "Y20")
        page.wait_for_function("() => /bridge/.test(document.querySelector('.placing').innerText)")
        assert page.get_attribute("[data-prompt]", "data-prompt") == "9.62022"
        mouse.point("N4")
        page.wait_for_selector("#notice.bad:visible")
        tells(page.inner_text("#notice"), "friendly")
        mouse.drag(".chip", "X22")
        await_next(page, "9.62022")
        assert "X22" in page.inner_text(".latest")


def test_a_basket_by_keys_alone(tells: Tells, chromium: Any, tmp_path: Path) -> None:
    """A card, its Entry Area, one more, one back, what it brings, received."""
    meta = {"settings": {"campaign": "CG2", "players": {}}, "dice": "seeded", "seed": 4}
    create_campaign(tmp_path / "evening.pbcg", meta).close()
    with serving(tmp_path) as served, Screen(chromium, served, "german") as screen:
        page = screen.open(tmp_path / "evening.pbcg")
        page.wait_for_selector(".rgcards .brings")
        assert axe(page) == []
        for id, place, count in (("V3", "J0", 1), ("V10", "A7", 2)):
            page.focus(f".rgcards [data-option={id}]")
            page.keyboard.press("Enter")
            page.wait_for_selector(f"[data-place={place}]")
            page.focus(f"[data-place={place}]")
            page.keyboard.press("Enter")
            page.wait_for_function(
                "(count) => document.querySelectorAll('[data-bought]').length === count", arg=count
            )
        page.focus("[data-bought=V10] button")
        page.keyboard.press("Space")
        page.wait_for_selector("[data-bought=V10]", state="detached")
        page.focus(".whatif summary")
        page.keyboard.press("Enter")
        assert page.inner_text('[data-spread="PzKpfw IVH"]').split()[-1] == "83%"
        assert axe(page) == []
        page.focus("[data-action=receive]")
        page.keyboard.press("Enter")
        await_next(page, "9.617.1")
        told = page.inner_text(".latest")
        tells(told, "V3", "Med", "Tank", "Pltn")
        assert "V10" not in told


def own_setup(served: Any, viewer: str = "british") -> Any:
    """The draft of a setup, as its side receives it."""
    with served.client(viewer) as client:
        id = client.get("/games").json()["games"][0]["id"]
        return client.get(f"/games/{id}/position")


def test_a_setup_is_its_side_s_own_and_knows_where_each_piece_may_stand(tmp_path: Path) -> None:
    file = tmp_path / "evening.pbcg"
    play_cg2_to(file, "9.620.2")
    with serving(tmp_path) as served, served.client("british") as client:
        id = client.get("/games").json()["games"][0]["id"]
        found = own_setup(served).json()
        assert found["task"] == "setup" and found["side"] == "british" and found["faults"] == []
        sides = {each["entry"]["side"] for each in found["pieces"]}
        assert sides == {"british"} and all("place" in each for each in found["pieces"])
        free = next(
            e for e in found["pieces"] if len(found["places"][e["place"]]["hexes"] or ()) > 1
        )
        hexes = found["places"][free["place"]]["hexes"]
        url = f"/games/{id}/position/orders"
        put = {"do": "put", "ids": [free["entry"]["id"]], "at": hexes[0]}
        with served.client("german") as other:
            waiting = other.get(f"/games/{id}").json()
            for refused in (other.get(f"/games/{id}/position"),
                            other.post(url, json={"number": 0, "orders": [put]})):  # fmt: skip
                assert refused.status_code == 409 and refused.json()["sentence"]
            kept = client.post(url, json={"number": found["number"], "orders": [put]})
            assert kept.status_code == 200 and kept.json()["faults"] == []
            assert other.get(f"/games/{id}").json() == waiting  # nor that anything is drafted
        wrong = next(hex for hex in ("TT10", "A1", "Y20", "L24") if hex not in hexes)
        number = kept.json()["number"]
        bad = client.post(url, json={"number": number, "orders": [{**put, "at": wrong}]})
        assert bad.json()["faults"]  # told, not refused: the rules are the players'
        assert client.get(f"/games/{id}").json()["draft"] == number + 1


def test_a_side_sets_up_on_the_map(chromium: Any, tmp_path: Path) -> None:
    file = tmp_path / "evening.pbcg"
    play_cg2_to(file, "9.620.2")
    with serving(tmp_path) as served, Screen(chromium, served, "both") as screen:
        found = own_setup(served).json()
        free = next(
            e for e in found["pieces"] if len(found["places"][e["place"]]["hexes"] or ()) > 1
        )
        id, hexes = free["entry"]["id"], found["places"][free["place"]]["hexes"]
        page = screen.open(file)
        page.click("[data-curtain=british] [data-action=curtain]")
        page.wait_for_selector(".board.painted")
        page.click("[data-action=enter]")
        page.wait_for_selector("[data-editor=british]")
        assert axe(page) == []
        mouse = Dragger(page)
        wrong = next(hex for hex in ("N4", "Y20", "L24") if hex not in hexes)
        mouse.drag(f'[data-tray="{id}"]', wrong)
        page.wait_for_selector("#notice.bad:visible")
        assert (
            short_name(id) in page.inner_text("#notice")
            and page.locator(f'[data-tray="{id}"]').count()
        )
        page.locator(f'[data-tray="{id}"]').click()
        page.wait_for_selector(".veiled", state="attached")  # where it may not stand
        mouse.drag(f'[data-tray="{id}"]', hexes[0])
        page.wait_for_function(
            "() => document.querySelector('.edhead .quiet').textContent === 'kept'"
        )
        assert not page.locator(f'[data-tray="{id}"]').count()
        mouse.point(hexes[0])
        page.click("[data-state=concealed]")
        page.wait_for_function(
            "() => document.querySelector('.edhead .quiet').textContent === 'kept'"
        )
        mouse.click("[data-action=give]")
        mouse.click("[data-action=give-now]")
        page.wait_for_selector("[data-editor]", state="detached")
        page.wait_for_selector("[data-curtain]")
    with OpenGame.open(file, look=True) as game:
        (entry,) = [each for each in game.entries() if each.point == "9.620.2"]
        placed = {each["id"]: each for name in PIECES for each in entry.body.get(name, ())}
        assert placed[id]["at"] == hexes[0] and placed[id]["status"] == ["concealed"]
        assert game.session.ahead().now.piece(id).at == hexes[0]
