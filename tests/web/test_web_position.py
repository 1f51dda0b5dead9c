"""Entering the end position in the page: the draft, its faults and areas, drag and drop."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from web_help import answer, app_client, only_game
from web_screen import Look, pinch

from asl_pbcg.campaign.state.piece_changes import has_secret_number
from asl_pbcg.cli.campaign_file import open_campaign
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.refusals import NeedsAgreement
from asl_pbcg.web.folder import game_id
from asl_pbcg.web.served_game import HELD, ServedGame

GOLDEN = Path(__file__).parent.parent / "golden_cg1"


@pytest.fixture
def client(evening: Path, tmp_path: Path) -> Iterator[Any]:
    with app_client(tmp_path, "umpire") as found:
        found.folder = tmp_path
        while found.get(f"/api/games/{only_game(found)}").json()["asked"]["id"] != "0.2":
            asked = found.get(f"/api/games/{only_game(found)}").json()["asked"]
            value = "dr" if asked["id"] == "0.1" else asked["default"] or asked["least"] or "yes"
            assert answer(found, only_game(found), value).status_code == 200
        yield found


def golden() -> Any:
    return yaml.safe_load((GOLDEN / "night-1.position.yaml").read_text(encoding="utf-8"))


def test_a_draft_is_kept_judged_and_makes_areas(client: Any) -> None:
    url = f"/api/games/{only_game(client)}/position"
    first = client.get(url).json()
    assert first["number"] == 0 and len(first["pieces"]) > 60
    position = json.loads(json.dumps(golden(), default=str))
    made = client.put(url, json={"number": 0, "position": position})
    assert made.status_code == 200, made.text
    assert made.json()["faults"] == [] and made.json()["number"] == 1
    assert made.json()["areas"]["sides"]["british"]["setup_areas"]
    again = client.get(url).json()
    assert again["position"] == position and again["areas"] == made.json()["areas"]
    # Control of a Location of Pegasus Bridge is taken though it is not Strategic (SSR PB4).
    assert {"X20", "Y18", "Y21", "Z18"} <= set(made.json()["strategic"])
    position["control"]["german"].append("Y21")
    bridge = client.put(url, json={"number": 1, "position": position}).json()
    assert bridge["faults"] == [] and bridge["areas"] == made.json()["areas"]
    # One Strategic Location less makes other areas.
    position["control"]["british"].remove("W22")
    other = client.put(url, json={"number": 2, "position": position}).json()
    assert other["areas"] != made.json()["areas"]


def test_the_areas_of_a_draft_are_those_of_the_command(client: Any, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from asl_pbcg.cli.evening.areas_command import app

    url = f"/api/games/{only_game(client)}/position"
    position = json.loads(json.dumps(golden(), default=str))
    made = client.put(url, json={"number": 0, "position": position}).json()
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position), encoding="utf-8")
    printed = CliRunner().invoke(app, [str(file), "--json"])
    assert json.loads(printed.stdout)["sides"] == made["areas"]["sides"]


def test_a_draft_with_faults_tells_each_with_its_place(client: Any) -> None:
    url = f"/api/games/{only_game(client)}/position"
    position = json.loads(json.dumps(golden(), default=str))
    position["units"][0]["at"] = "ZZ99"
    position["units"][1]["status"] = ["asleep"]
    position["control"]["german"].append("A1")
    found = client.put(url, json={"number": 0, "position": position}).json()
    told = " ".join(each["sentence"] for each in found["faults"])
    assert "ZZ99" in told and "asleep" in told and "A1" in told
    assert all(each["where"] for each in found["faults"])
    assert found["areas"]["sides"]  # the rest is drawn all the same


@pytest.mark.parametrize(
    "position",
    [
        {},
        {"units": 5},
        {"units": [[], None, 7, {"at": 3}, {"at": "Y20"}]},
        {"control": []},
        {"control": {"british": "Y20", "german": [1, None, "ZZ99", "Y20/9"]}},
        {"gliders": [{"at": "W22", "state": "flying"}], "terrain": {"a": 1}},
        {"format": "other/1", "date": 3, "title": "x" * 100_000},
        {"units": [{"id": "a", "side": "german", "type": "4-6-7", "at": "off-map"}] * 500},
        {"equipment": [{"id": "x\u0000", "side": "german", "type": "<b>", "at": "Y20"}]},
    ],
)
def test_whatever_a_draft_holds_is_judged_never_a_crash(client: Any, position: Any) -> None:
    url = f"/api/games/{only_game(client)}/position"
    made = client.put(url, json={"number": 0, "position": position})
    assert made.status_code == 200, made.text
    assert made.json()["faults"]
    assert client.get(url).status_code == 200


def test_half_of_a_sign_is_no_text(client: Any) -> None:
    """JSON can write it, no file can hold it."""
    id = only_game(client)
    before = client.get(f"/api/games/{id}").json()
    seq = before["asked"]["seq"]
    for method, path, body in (
        ("PUT", "position", '{"number": 0, "position": {"title": "\\ud800"}}'),
        ("POST", "answers", f'{{"seq": {seq}, "prompt": "0.2", "value": {{"date": "\\udc00"}}}}'),
    ):
        url = f"/api/games/{id}/{path}"
        made = client.request(
            method, url, content=body, headers={"Content-Type": "application/json"}
        )
        assert made.status_code == 422 and made.json()["sentence"], made.text
    assert client.get(f"/api/games/{id}").json() == before


def test_two_who_enter_it_do_not_write_over_each_other(client: Any) -> None:
    url = f"/api/games/{only_game(client)}/position"
    assert client.put(url, json={"number": 0, "position": {}}).status_code == 200
    late = client.put(url, json={"number": 0, "position": {"units": []}})
    assert late.status_code == 409 and late.json()["sentence"]


def order(client: Any, number: int, *orders: dict[str, Any]) -> Any:
    url = f"/api/games/{only_game(client)}/position/orders"
    return client.post(url, json={"number": number, "orders": list(orders)})


def placed(position: Any) -> dict[str, str]:
    names = ("units", "equipment", "vehicles")
    return {each["id"]: each["at"] for name in names for each in position.get(name, ())}


def test_orders_are_carried_out_on_the_draft_that_the_terminal_edits(client: Any) -> None:
    url = f"/api/games/{only_game(client)}/position"
    kept = client.put(url, json={"number": 0, "position": golden_json()})
    assert kept.json()["number"] == 1 and kept.json()["undo"] and kept.json()["faults"] == []
    holder = next(each for each in golden()["units"] if each.get("possesses"))
    moved = order(client, 1, {"do": "put", "ids": [holder["id"]], "at": "Z20"}).json()
    found = placed(moved["position"])
    assert found[holder["id"]] == "Z20" == found[holder["possesses"][0]]  # it goes along
    assert moved["undo"] and not moved["redo"]
    away = order(client, 2, {"do": "put", "ids": [holder["possesses"][0]], "at": "X18"}).json()
    units = {each["id"]: each for each in away["position"]["units"]}
    assert holder["possesses"][0] not in units[holder["id"]].get("possesses", ())
    back = order(client, 3, {"do": "undo"}).json()
    assert back["position"] == moved["position"] and back["redo"]
    back = order(client, 4, {"do": "undo"}).json()
    assert placed(back["position"]) == placed(golden()) and back["undo"]
    again = order(client, 5, {"do": "redo"}).json()
    assert again["position"] == moved["position"]
    assert client.get(url).json()["position"] == moved["position"]


def test_every_kind_of_order(client: Any) -> None:
    url = f"/api/games/{only_game(client)}/position"
    client.put(url, json={"number": 0, "position": golden_json()})
    squads = [
        each for each in golden()["units"] if each["type"] == "6-4-8" and "/" not in each["at"]
    ]
    one, two = squads[:2]
    weapon = golden()["equipment"][0]["id"]
    german = next(each["id"] for each in golden()["units"] if each["side"] == "german")
    made = order(
        client, 1,
        {"do": "status", "ids": [one["id"]], "name": "broken"},
        {"do": "level", "ids": [two["id"]], "by": 1},
        {"do": "give", "ids": [one["id"], weapon]},
        {"do": "guard", "ids": [two["id"], german]},
        {"do": "control", "side": "german", "places": ["Z14", "Z15"]},
        {"do": "ground", "name": "blaze", "at": "P11"},
        {"do": "ground", "name": "foxhole", "at": "K11", "side": "british", "size": 2},
        {"do": "ground", "name": "glider", "kind": "wrecked", "at": "X24"},
        {"do": "clear", "name": "blaze", "at": "P11"},
    )  # fmt: skip
    assert made.status_code == 200, made.text
    position = made.json()["position"]
    units = {each["id"]: each for each in position["units"]}
    assert "broken" in units[one["id"]]["status"] and weapon in units[one["id"]]["possesses"]
    assert units[two["id"]]["at"] == f"{two['at']}/1" == units[german]["at"]
    assert units[german]["guarded_by"] == two["id"] and "prisoner" in units[german]["status"]
    assert {"Z14", "Z15"} <= {*position["control"]["german"]}
    assert not {"Z14", "Z15"} & {*position["control"]["british"]}
    assert [each["at"] for each in position["gliders"] if each["state"] == "wrecked"][-1:] == [
        "X24"
    ]
    assert "P11" not in [each["at"] for each in position.get("terrain", ())]
    assert ("K11", 2) in [(each["at"], each.get("size")) for each in position["fortifications"]]
    # All of that was one change.
    assert placed(order(client, 2, {"do": "undo"}).json()["position"]) == placed(golden())
    assert placed(order(client, 3, {"do": "empty"}).json()["position"]) == {}
    assert placed(order(client, 4, {"do": "last"}).json()["position"])


@pytest.mark.parametrize(
    "orders",
    [
        [{"do": "put", "ids": ["nobody"], "at": "Z20"}],
        [{"do": "put", "ids": ["b-648-1"], "at": "ZZ99"}],
        [{"do": "control", "side": "german", "places": ["Z14"]}, {"do": "off", "ids": ["no"]},
         {"do": "level", "ids": ["no"], "by": 1}],
        [{"do": "control", "side": "german", "places": ["Z14"]}, {"do": "undo"}],
        [{"do": "undo"}],
        [{"do": "status", "ids": ["b-648-1"], "name": "asleep"}],
        [{"do": "give", "ids": ["b-648-1", "b-648-2"]}],
        [{"do": "face", "ids": ["b-648-1"], "at": "Y22/Z22"}],
        [{"do": "ground", "name": "castle", "at": "P11"}],
        [{"do": "put", "ids": [], "at": "Z20", "more": 1}],
        [],
    ],
)  # fmt: skip
def test_an_order_that_cannot_be_carried_out_leaves_the_draft(client: Any, orders: Any) -> None:
    url = f"/api/games/{only_game(client)}/position"
    before = client.get(url).json()
    made = order(client, 0, *orders)
    assert made.status_code == 422 and made.json()["sentence"], made.text
    assert client.get(url).json() == before


def test_an_old_number_carries_nothing_out(client: Any) -> None:
    assert order(client, 0, {"do": "last"}).status_code == 200
    late = order(client, 0, {"do": "empty"})
    assert late.status_code == 409 and late.json()["sentence"]


def test_a_draft_file_that_is_far_too_large_or_damaged_is_told(client: Any) -> None:
    from asl_pbcg.web.draft_work import MAX_BYTES, draft_file

    url = f"/api/games/{only_game(client)}/position"
    first = client.get(url).json()
    file = draft_file(client.folder / "evening.pbcg")
    file.write_bytes(b"[" * 100_000)
    assert client.get(url).json() == first  # damaged: as if there were none
    file.write_bytes(b" " * (MAX_BYTES + 1))
    made = client.get(url)
    assert made.status_code == 422 and file.name in made.json()["sentence"]
    assert "too large" in made.json()["sentence"] and str(client.folder) not in made.text


def golden_json() -> Any:
    return json.loads(json.dumps(golden(), default=str))


def test_nothing_is_drafted_where_no_position_is_asked_for(client: Any) -> None:
    id = only_game(client)
    url = f"/api/games/{id}/position"
    made = answer(client, id, json.loads(json.dumps(golden(), default=str)))
    while made.json()["asked"]["widget"] == "hidden":  # drafts of each side's own
        made = answer(client, id, "none")
    assert made.status_code == 200, made.text
    assert client.get(url).status_code == 409
    assert client.put(url, json={"number": 0, "position": {}}).status_code == 409


def test_the_draft_tells_nothing_that_only_one_side_knows(client: Any) -> None:
    id = only_game(client)
    client.headers["Authorization"] = f"Bearer {client.keys['british']}"
    found = client.get(f"/api/games/{id}/position").json()
    known = {each["entry"]["id"] for each in found["pieces"] if each["entry"]["side"] == "german"}
    seen = client.get(f"/api/games/{id}/map").json()["counters"]
    assert known <= {each["id"] for each in seen}
    words = json.dumps(found)
    assert '"rg"' not in words and '"formation"' not in words


def test_files_are_read_by_the_same_readers(client: Any) -> None:
    url = f"/api/games/{only_game(client)}/position/file"
    good = (GOLDEN / "night-1.position.yaml").read_bytes()
    read = client.post(f"{url}?name=night.yaml", content=good)
    assert read.status_code == 200 and "units" in read.json()["summary"]
    bad = client.post(f"{url}?name=night.yaml", content=good.replace(b"at: W22", b"at: W222"))
    assert bad.status_code == 422 and "W222" in bad.json()["sentence"]
    assert "night.yaml" in bad.json()["sentence"] and "/tmp" not in bad.json()["sentence"]
    assert client.post(f"{url}?name=a.exe", content=b"MZ").status_code == 422
    assert client.post(f"{url}?name=a.xlsx", content=b"PK\x03\x04junk").status_code == 422
    assert client.post(f"{url}?name=../../x.yaml", content=b"&a [*a]").status_code == 422


# -- in the browser -----------------------------------------------------------------------


class Dragger:
    """Moves counters with the mouse, and counts what it does."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.drags = 0
        self.clicks = 0

    def click(self, selector: str) -> None:
        self.clicks += 1
        self.page.click(selector)

    def middle(self, selector: str) -> tuple[float, float]:
        box = self.page.locator(selector).first.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, start: str, hex: str) -> None:
        self.page.locator(start).first.scroll_into_view_if_needed()
        x, y = self.middle(start)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        to_x, to_y = self.middle(f'.layer.hexes [data-hex="{hex}"]')
        self.page.mouse.move((x + to_x) / 2, (y + to_y) / 2)
        self.page.mouse.move(to_x, to_y)
        self.page.mouse.up()
        self.drags += 1

    def point(self, hex: str) -> None:
        self.clicks += 1
        x, y = self.middle(f'.layer.hexes [data-hex="{hex}"]')
        self.page.mouse.click(x, y)


def test_a_vasl_save_is_asked_about_and_becomes_a_position(client: Any) -> None:
    from vasl_writer import PASSWORD, plain, write_position

    from asl_pbcg.campaign.position import Position

    made = msgspec.convert(golden(), Position, strict=False)
    body = write_position(plain(made)).content()
    url = f"/api/games/{only_game(client)}/position/vasl"
    answers: list[Any] = []
    told: dict[str, Any] = {}
    for _ in range(60):
        reply = client.post(url, params={"answers": json.dumps(answers)}, content=body)
        assert reply.status_code == 200, reply.text
        assert PASSWORD not in reply.text
        told = reply.json()
        if told["position"] is not None:
            break
        asked = told["asked"]
        answers.append(asked["default"] or asked["options"][0]["id"])
    assert told["counted"] and len(told["position"]["units"]) == len(made.units)
    assert client.post(url, content=b"PK no save").status_code == 422


@pytest.mark.finding("G-22")
def test_the_page_says_that_a_piece_was_eliminated(client: Any) -> None:
    url = f"/api/games/{only_game(client)}/position"
    before = client.get(url).json()
    ids = [each["entry"]["id"] for each in before["pieces"]][:2]
    order = {"do": "eliminate", "ids": ids}
    told = client.post(f"{url}/orders", json={"number": before["number"], "orders": [order]})
    assert told.status_code == 200, told.text
    assert told.json()["position"]["eliminated"] == ids
    assert client.get(url).json()["position"]["eliminated"] == ids
    back = {"number": told.json()["number"], "orders": [order | {"ids": ids[:1], "on": False}]}
    assert client.post(f"{url}/orders", json=back).json()["position"]["eliminated"] == ids[1:]
    wrong = {"number": told.json()["number"] + 1, "orders": [order | {"ids": ["nobody"]}]}
    assert client.post(f"{url}/orders", json=wrong).status_code == 422


@pytest.mark.finding("G-20")
@pytest.mark.parametrize(("name", "moves"), [("e.vlog", 0), ("e.vlog", 2), ("e.vsav", 2)])
def test_a_log_is_refused_in_the_page_and_nothing_taken(client: Any, name: str, moves: int) -> None:
    from vasl_writer import plain, write_position

    from asl_pbcg.campaign.position import Position

    writer = write_position(plain(msgspec.convert(golden(), Position, strict=False)))
    writer.logged = [f"D/1/{move}" for move in range(moves)]
    url = f"/api/games/{only_game(client)}/position"
    before = client.get(url).json()
    reply = client.post(f"{url}/vasl", params={"name": name}, content=writer.content())
    assert reply.status_code == 422
    assert {name, "log,"} <= set(reply.json()["sentence"].split())
    assert client.get(url).json() == before
    other = client.post(f"{url}/file", params={"name": name}, content=writer.content())
    assert other.status_code == 422


def slipped() -> tuple[Any, str]:
    """The golden position with one id mistyped, and the right id."""
    position = golden_json()
    right = "b-648-3"
    squad = next(each for each in position["units"] if each["id"] == right)
    squad["id"] = f"{right}x"
    return position, right


@pytest.mark.rule("9.2-z")
def test_a_mistyped_id_is_asked_about_before_the_position_is_taken(client: Any) -> None:
    url = f"/api/games/{only_game(client)}/position/held"
    whole = golden_json()
    shown = client.post(url, json={"position": whole}).json()
    assert shown["asked"]["id"] == "ob.difference" and len(shown["lines"]) > 20
    whole_held = client.post(url, json={"position": whole, "answers": ["go-on"]})
    assert whole_held.json().get("position") == whole, whole_held.text
    position, right = slipped()
    # With the squad gone, a HS that is new may be what is left of it: that is asked first.
    first = client.post(url, json={"position": position}).json()
    assert first["position"] is None and first["asked"]["text"].startswith("No OB has 3-3-8")
    second = client.post(url, json={"position": position, "answers": ["new"]}).json()
    assert f"{right}x" in second["asked"]["text"] and second["asked"]["default"] == right
    found = client.post(url, json={"position": position, "answers": ["new", right, "go-on"]}).json()
    assert found["asked"] is None
    assert {each["id"] for each in found["position"]["units"]} == {
        each["id"] for each in whole["units"]
    }
    assert client.post(url, json={"position": position, "answers": ["?"]}).status_code == 422
    # Most of a side is gone: is it a position of this campaign?
    for part in ("units", "equipment", "vehicles"):
        german = [each for each in whole[part] if each["side"] == "german"]
        position[part] = [each for each in german if "guarded_by" not in each]
    reply = client.post(url, json={"position": position})
    assert reply.status_code == 200, reply.text
    assert reply.json()["asked"]["id"] == "ob.missing"
    told = client.post(url, json={"position": position, "answers": ["stop"]}).json()
    assert told["position"] is None and "look at" in told["told"]


def test_a_file_with_a_mistyped_id_is_asked_about_in_the_page(
    look: Look, evening: Path, tmp_path: Path
) -> None:
    position, right = slipped()
    end = tmp_path / "end.json"
    end.write_text(json.dumps(position), encoding="utf-8")
    with look("umpire") as (screen,):
        page = screen.page
        page.click("[data-option=agreement]")
        page.set_input_files(".asked [data-action=file]", str(end))
        page.click(".asked [data-action=send]:visible")
        page.click('dialog [data-option="new"]')  # a HS that may be what is left of the squad
        page.wait_for_selector(f'dialog :text("{right}x")')
        page.click("dialog .row.end button:last-child")  # leave it: nothing is answered
        page.wait_for_selector("dialog", state="detached")
        page.wait_for_selector('.asked [data-prompt="0.2"]')
        page.click(".asked [data-action=send]:visible")
        page.click('dialog [data-option="new"]')
        page.wait_for_selector(f'dialog :text("{right}x")')
        page.click(f'dialog [data-option="{right}"]')
        page.click("dialog [data-option=go-on]")
        page.wait_for_function(
            "() => document.querySelector('.asked [data-prompt]').dataset.prompt !== '0.2'"
        )
    from asl_pbcg.kernel.journal import Journal

    with Journal.open(evening, "test") as journal:
        given = [entry.body for entry in journal.standing() if isinstance(entry.body, dict)]
    assert right in json.dumps(given[-1]) and f"{right}x" not in json.dumps(given[-1])


def test_the_tray_for_both_has_what_the_initial_scenario_prints_off_map(evening: Path) -> None:
    with app_client(evening.parent) as both:
        id = only_game(both)
        answer(both, id, "agreement")
        asked = both.get(f"/api/games/{id}").json()["asked"]
        assert asked["id"] == "0.2"
        pieces = both.get(f"/api/games/{id}/position").json()["pieces"]
    names = {each["entry"]["id"] for each in pieces}
    # They enter Uncloaked on Turn 2 and wait off map until then.
    assert {"g-238-1", "g-8-1-1", "g-kfz-1-1"} <= names


@pytest.mark.finding("G-25")
def test_the_tray_for_both_has_no_rg_bought_in_secret(evening: Path) -> None:
    with app_client(evening.parent) as both:
        id = only_game(both)
        answer(both, id, "agreement")
        url = f"/api/games/{id}/position"
        found = {eyes: both.get(url, params={"eyes": eyes}).json() for eyes in EYES}
        trays = {eyes: each["pieces"] for eyes, each in found.items()}
        told = {eyes: each["hides_groups"] for eyes, each in found.items()}
        order = {"number": found[""]["number"], "orders": [{"do": "played"}]}
        assert both.post(f"{url}/orders", json=order).status_code == 200
        after = {each["entry"]["id"] for each in both.get(url).json()["pieces"]}
    names = {eyes: {each["entry"]["id"] for each in tray} for eyes, tray in trays.items()}
    session = open_campaign(evening, look=True)
    pieces = session.state.pieces
    session.journal.close()
    in_secret = [piece for piece in pieces if piece.own_rg and has_secret_number(piece.id)]
    bought = {piece.id for piece in in_secret if piece.is_unit_or_equipment}
    assert bought and not bought & names[""]  # what an RG prints both know of
    assert told[""] is True and told["german"] is False
    # What set up on the map was seen in the scenario; what waits off map still is its side's alone.
    on_map = {piece.id for piece in pieces if piece.id in bought and not waits_off_map(piece)}
    assert on_map and bought & after == on_map
    for side in ("british", "german"):
        assert {piece.id for piece in pieces if piece.id in bought and piece.side == side} <= names[
            side
        ]


def waits_off_map(piece: Any) -> bool:
    """Whether a piece of an RG waits at an Entry Area, hidden or not yet come."""
    area = piece.retained_in
    return bool(piece.hip or (area is not None and area.is_entry_area and not piece.on_map))


@pytest.mark.finding("G-25")
def test_a_position_just_given_is_on_the_map_under_the_curtain(evening: Path) -> None:
    with app_client(evening.parent) as both:
        id = only_game(both)
        answer(both, id, "agreement")
        assert answer(both, id, golden_json()).status_code == 200
        assert both.get(f"/api/games/{id}").json()["asked"]["asked"] == "curtain"
        shown = {eyes: on_the_map(both, id, eyes) for eyes in EYES}
    seen = {(unit["id"], unit["at"]) for unit in golden_json()["units"] if is_open(unit)}
    for eyes in EYES:
        assert seen <= shown[eyes], (eyes, len(shown[eyes]))


@pytest.mark.finding("G-24")
def test_hidden_pieces_come_by_a_workbook_in_the_page(evening: Path, tmp_path: Path) -> None:
    from asl_pbcg.campaign.entry.position_files import write_position
    from asl_pbcg.campaign.position import Position

    common = golden_json()
    squad = next(each for each in common["units"] if each["side"] == "british" and is_alone(each))
    common["units"].remove(squad)
    hidden = {"format": common["format"], "date": common["date"]}
    hidden["units"] = [squad | {"status": ["hidden"]}]
    book = tmp_path / "hidden.xlsx"
    write_position(msgspec.convert(hidden, Position, strict=False), book)
    with app_client(evening.parent) as both:
        id = only_game(both)
        answer(both, id, "agreement")
        assert answer(both, id, common).status_code == 200
        url = f"/api/games/{id}/position/file"
        eyes = {"eyes": "british"}
        read = both.post(url, params={"name": "h.xlsx", **eyes}, content=book.read_bytes())
        assert read.status_code == 200, read.text
        assert answer(both, id, read.json()["value"], **eyes).status_code == 200
        while (asked := both.get(f"/api/games/{id}", params=eyes).json()["asked"])["asked"] != (
            "curtain"
        ):
            assert answer(both, id, asked["default"] or asked["options"][0]["id"], **eyes)
        assert (squad["id"], squad["at"]) in on_the_map(both, id, "british")
        assert (squad["id"], squad["at"]) not in on_the_map(both, id, "german")
        assert (squad["id"], squad["at"]) not in on_the_map(both, id, "")


def is_alone(unit: Any) -> bool:
    """Whether a unit possesses nothing, so that it can be left out."""
    tied = any(unit.get(key) for key in ("possesses", "aboard", "status", "guarded_by"))
    return unit["type"] in ("6-4-8", "4-5-8", "2-4-8", "9-2", "8-0") and not tied


EYES = ("", "british", "german")


def on_the_map(client: Any, id: str, eyes: str) -> set[tuple[str, str]]:
    """Each counter on the map, and where."""
    found = client.get(f"/api/games/{id}/map", params={"eyes": eyes}).json()["counters"]
    return {(each["id"], each["at"]) for each in found}


def is_open(unit: Any) -> bool:
    """Whether both sides see a unit."""
    hidden = {"hidden", "cloaked", "concealed"} & {*unit.get("status", ())}
    return not hidden and not unit["at"].startswith("off-map")


def test_who_starts_from_a_file_has_nothing_chosen_of_what_stood_there(page: Any) -> None:
    page.click("[data-option=agreement]")
    page.click("[data-action=enter]")
    page.wait_for_selector("[data-editor]")
    page.locator("[data-tray]").first.click()
    assert page.locator(".edtools [data-action=place]").count() == 1
    page.click(".startfrom summary")
    page.set_input_files("#draft-file", str(GOLDEN / "night-1.position.yaml"))
    page.wait_for_selector("[data-editor][data-judged='1']")
    assert not page.locator(".edtools [data-action=place]").count()
    assert not page.locator(".startfrom[open]").count()


def test_two_fingers_that_zoom_move_no_counter(look: Look) -> None:
    with look("umpire", size=(1024, 768), has_touch=True) as (screen,):
        page = screen.page
        page.locator("[data-option=agreement]").tap()
        page.locator("[data-action=enter]").tap()
        page.wait_for_selector("[data-editor]")
        page.set_input_files("#draft-file", str(GOLDEN / "night-1.position.yaml"))
        page.wait_for_selector("[data-editor][data-judged='1']")
        page.fill(".finder input", golden()["units"][0]["at"])
        page.press(".finder input", "Enter")
        page.wait_for_timeout(200)
        box = page.locator(f'.counters [data-piece="{golden()["units"][0]["id"]}"]').bounding_box()
        before = page.get_attribute(".board .world", "transform")
        pinch(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(400)
        assert page.get_attribute(".board .world", "transform") != before
        assert page.get_attribute("[data-editor]", "data-judged") == "1"


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_the_trays_stay_inside_the_panel_whatever_a_formation_is_called(
    look: Look, size: tuple[int, int]
) -> None:
    """The name gives way; the button that takes the whole tray is in sight."""
    with look("umpire", size=size) as (screen,):
        page = screen.page
        page.click("[data-option=agreement]")
        page.click("[data-action=enter]")
        page.wait_for_selector(".tray header button")
        page.click(".startfrom summary")
        beyond = page.evaluate(
            "() => [...document.querySelectorAll('.trays *, .startfrom *')].filter("
            "(each) => each.getBoundingClientRect().right > innerWidth).length"
        )
        assert beyond == 0


def test_of_two_proposals_each_side_sees_both(look: Look) -> None:
    with look("british", "german") as (anne, karl):
        for screen in (anne, karl):
            screen.page.wait_for_selector("[data-option=agreement]")
        anne.page.click("[data-option=dr]")
        karl.page.wait_for_selector("[data-proposal=british]")
        karl.page.click("[data-option=agreement]")
        for screen, own, other in ((karl, "german", "british"), (anne, "british", "german")):
            words = {
                side: screen.page.inner_text(f"[data-proposal={name}]")
                for side, name in ((own, "own"), (other, other))
            }
            assert "Game End" in words["british"] and "agreement" in words["german"]
        karl.page.click("[data-proposal=british] button")
        anne.page.wait_for_selector("[data-proposal]", state="detached")


@pytest.mark.finding("J-01")
def test_the_agreeing_button_names_what_was_on_the_screen(look: Look) -> None:
    """Swapped between the click and the server: nothing is agreed to, and the page says so."""
    with look("british", "german") as (anne, karl):
        for screen in (anne, karl):
            screen.page.wait_for_selector("[data-option=agreement]")
        anne.page.click("[data-option=agreement]")
        karl.page.wait_for_selector("[data-proposal=british]")
        read = karl.page.get_attribute("[data-proposal=british]", "data-digest")
        held: list[Any] = []
        karl.page.route(re.compile("/agreement$"), lambda route: held.append(route))
        karl.page.click("[data-action=agree]")
        while not held:
            karl.page.wait_for_timeout(20)
        assert held[0].request.post_data_json["proposal"] == read
        anne.page.click("[data-option=german-concede]")
        anne.page.wait_for_selector("[data-proposal=own] >> text=concede")
        held[0].continue_()
        karl.page.wait_for_selector("#notice:visible")
        assert "changed" in karl.page.inner_text("#notice")
        karl.page.unroute(re.compile("/agreement$"))
        karl.page.wait_for_selector("[data-proposal=british] >> text=concede")
        karl.page.click("[data-action=decline]")
        for screen in (anne, karl):
            screen.page.wait_for_selector("[data-proposal]", state="detached")
            assert screen.page.locator("[data-option=agreement]").count() == 1


def test_what_becomes_of_a_proposal_is_said_though_the_other_proposes_meanwhile(
    look: Look, evening: Path
) -> None:
    with look("british", "german") as (anne, karl):
        for screen in (anne, karl):
            screen.page.wait_for_selector("[data-option=agreement]")
            screen.page.wait_for_selector(".board.painted")
        asked: list[Any] = []

        def hold(route: Any) -> None:
            asked.append(route)
            if len(asked) > 1:
                route.continue_()

        anne.page.route(re.compile(f"/api/games/{game_id(evening)}$"), hold)
        anne.page.click("[data-option=dr]")
        while not asked:
            anne.page.wait_for_timeout(20)
        karl.page.click("[data-option=agreement]")
        anne.page.wait_for_selector("[data-proposal=german]")
        assert not anne.page.locator("#notice:visible").count()
        asked[0].continue_()
        anne.page.wait_for_selector("#notice:visible")
        assert "must agree" in anne.page.inner_text("#notice")


def test_a_proposal_stands_while_nobody_answers_until_somebody_else_writes(
    evening: Path,
) -> None:
    """The file is let go after a while; who agrees later agrees to what was proposed."""
    room = ServedGame(evening, "game")

    def proposed(viewer: str) -> list[tuple[Any, str]]:
        asked = room.state(viewer)["asked"]
        return [(each["value"], each["by"]) for each in asked["proposals"]]

    def left_alone() -> None:
        room._last -= HELD + 1
        room.tend()
        assert not (room._game and room._game.writing)

    with pytest.raises(NeedsAgreement):
        room.seat("british", write=True).answer("agreement")
    for _ in range(2):
        left_alone()
        assert proposed("german") == [("agreement", "british")]
    with OpenGame.open(evening) as elsewhere:  # at a terminal
        elsewhere.session.answer("agreement")
        elsewhere.session.undo("a slip")
    assert proposed("german") == []
    with pytest.raises(NeedsAgreement):
        room.seat("british", write=True).answer("agreement")
    left_alone()
    room.seat("german", write=True).answer("agreement")
    assert room.state("german")["asked"]["id"] == "0.2"
    room.close()


def test_a_position_that_is_proposed_can_be_looked_at(look: Look) -> None:
    with look("british", "german") as (anne, karl):
        for screen in (anne, karl):
            screen.page.click("[data-option=agreement]")
        given = str(GOLDEN / "night-1.position.yaml")
        anne.page.set_input_files(".asked [data-action=file]", given)
        anne.page.click(".asked [data-action=send]")
        anne.page.wait_for_selector("dialog [data-option=go-on]")
        moved = anne.page.locator("dialog [data-what=moved]")
        assert moved.count() > 20
        anne.page.click("dialog [data-option=go-on]")
        karl.page.wait_for_selector('[data-proposal="british"]:has-text("1 piece gone")')
        karl.page.click("[data-action=look]")
        karl.page.wait_for_selector("[data-look]")
        marked = karl.page.locator(".board [data-choice]")
        assert marked.count() > 20
        karl.page.click(".difference [data-what=gone] button")
        assert marked.count() == 1
        first = golden()["units"][0]["id"]
        karl.page.wait_for_selector(f'[data-piece="{first}"]', state="attached")
        karl.page.click("[data-action=close-look]")
        karl.page.click("[data-action=agree]")
        karl.page.wait_for_selector("[data-proposal]", state="detached")


def test_who_goes_aboard_a_vehicle_in_the_page_goes_along_until_he_gets_off(page: Any) -> None:
    page.click("[data-option=agreement]")
    page.click("[data-action=enter]")
    page.wait_for_selector("[data-editor]")

    def put(hex: str, *trays: str) -> tuple[str, str]:
        for tray in trays:
            page.click(f'[data-tray="{tray}"]')
        return place(hex)

    def choose(hex: str, *ids: str) -> None:
        page.keyboard.press("Escape")
        page.keyboard.press("g")
        page.fill(".finder input", hex)
        page.keyboard.press("Enter")
        page.wait_for_selector(f'.here legend:text-is("{hex}")')
        for id in ("g-238-1", "g-kfz-1-1"):
            if page.locator(f'[data-choose="{id}"]').count():
                page.set_checked(f'[data-choose="{id}"]', id in ids)
        page.focus("[data-action=undo-draft]")

    def place(hex: str) -> tuple[str, str]:
        page.fill(".edtools [name=at]", hex)
        return after("Enter")

    def after(key: str) -> tuple[str, str]:
        """Where the squad is, and the vehicle it is aboard of, once an order is carried out."""
        with page.expect_response(lambda reply: reply.url.endswith("/position/orders")) as told:
            page.keyboard.press(key)
        units = told.value.json()["position"]["units"]
        return next(
            ((each["at"], each.get("aboard", "")) for each in units if each["id"] == "g-238-1"),
            ("", ""),
        )

    put("Z15", "g-kfz-1-1")
    assert put("Z15", "g-238-1") == ("Z15", "")
    choose("Z15", "g-238-1")
    page.keyboard.press("a")  # aboard what?
    page.wait_for_selector(':text("Choose one vehicle")')
    choose("Z15", "g-238-1", "g-kfz-1-1")
    assert after("a") == ("Z15", "g-kfz-1-1")
    choose("Z15", "g-kfz-1-1")
    assert place("Z16") == ("Z16", "g-kfz-1-1")
    choose("Z16", "g-238-1", "g-kfz-1-1")
    assert after("PageUp") == ("Z16/1", "g-kfz-1-1")
    choose("Z16", "g-238-1")
    assert place("Z15") == ("Z15", "")


@pytest.mark.finding("G-22")
def test_a_click_says_that_a_piece_was_eliminated_and_another_that_it_was_not(page: Any) -> None:
    page.click("[data-option=agreement]")
    page.click("[data-action=enter]")
    page.wait_for_selector("[data-editor]")
    first = page.locator("[data-tray]").first
    id = first.get_attribute("data-tray")
    first.click()
    page.click("[data-action=eliminate]")
    page.wait_for_selector(".eliminated summary")
    assert page.locator(f'[data-tray="{id}"]').count() == 0
    page.click(".eliminated summary")
    page.click(f'[data-restore="{id}"]')
    page.wait_for_selector(f'[data-tray="{id}"]')
    assert page.locator(".eliminated").count() == 0
