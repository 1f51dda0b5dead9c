"""Entering the end position in the page: the draft, its faults and areas, drag and drop."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from test_web_page import Screen, chromium, night_1, replayed
from web_help import answer, app_client, journal_of, only_game, serving
from web_player import PagePlayer

GOLDEN = Path(__file__).parent / "golden_cg1"
assert chromium and night_1  # fixtures


@pytest.fixture
def client(night_1: Path, tmp_path: Path) -> Iterator[Any]:
    shutil.copyfile(night_1, tmp_path / "evening.pbcg")
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
    # One Strategic Location less makes other areas.
    position["control"]["british"].remove("W22")
    other = client.put(url, json={"number": 1, "position": position}).json()
    assert other["areas"] != made.json()["areas"]


def test_the_areas_of_a_draft_are_those_of_the_command(client: Any, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from asl_pbcg.cli.areas import app

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


def test_two_who_enter_it_do_not_write_over_each_other(client: Any) -> None:
    url = f"/api/games/{only_game(client)}/position"
    assert client.put(url, json={"number": 0, "position": {}}).status_code == 200
    late = client.put(url, json={"number": 0, "position": {"units": []}})
    assert late.status_code == 409 and late.json()["sentence"]


def test_nothing_is_drafted_where_no_position_is_asked_for(client: Any) -> None:
    id = only_game(client)
    url = f"/api/games/{id}/position"
    made = answer(client, id, json.loads(json.dumps(golden(), default=str)))
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


def test_cg_ii_by_mouse_from_the_first_purchase_to_day_i(chromium: Any, tmp_path: Path) -> None:
    import openpyxl
    import pypdf

    file = tmp_path / "evening.pbcg"
    with serving(tmp_path) as served, Screen(chromium, served, "both") as screen:
        page = screen.open()
        page.click("[data-action=new]")
        page.check("input[value=CG2]")
        page.fill("input[name=british]", "Anne")
        page.click("dialog button.main")
        player = PagePlayer(page, 11)
        player.play("0.1")
        assert len(player.bought) >= 2 and any(point.startswith("9.619") for point in player.asked)
        shutil.copyfile(file, tmp_path / "begun.copy")
        while page.get_attribute("[data-prompt]", "data-prompt") != "0.2":
            player.step(player.now())
        page.wait_for_selector(".board.painted")
        page.click("[data-action=enter]")
        page.wait_for_selector("[data-editor]")
        mouse = Dragger(page)
        hexes = iter(f"{column}{row}" for row in (10, 11, 12, 14, 15) for column in "MNOPQRSTUVWX")
        pieces = page.locator("[data-tray]").count()
        assert pieces >= 60
        for _ in range(100):
            if not page.locator("[data-tray]").count():
                break
            # Six at once: chosen one by one in their tray, dragged together.
            ids = page.evaluate(
                "() => [...document.querySelectorAll('.tray')[0].querySelectorAll('[data-tray]')]"
                ".slice(0, 6).map((each) => each.dataset.tray)"
            )
            for id in ids[1:]:
                mouse.click(f'[data-tray="{id}"]')
            if len(ids) > 1:
                mouse.click(f'[data-tray="{ids[0]}"]')
            mouse.drag(f'[data-tray="{ids[0]}"]', next(hexes))
        assert page.locator("[data-tray]").count() == 0
        mouse.click("[data-mode=british]")
        for hex in ("Z14", "Z15", "Y20"):
            mouse.point(hex)
        mouse.click("[data-mode=german]")
        for hex in ("J9", "K9"):
            mouse.point(hex)
        page.wait_for_function(
            "() => document.querySelector('.edhead .quiet').textContent === 'kept'"
        )
        areas = page.evaluate(
            "() => [...document.querySelectorAll('.plate')].map((e) => e.dataset.area)"
        )
        assert {each.split("-")[0] for each in areas} == {"british", "german"}
        print(f"{pieces} pieces: {mouse.drags} drags and {mouse.clicks} clicks")
        assert mouse.drags < pieces / 2
        faults = page.locator(".faults li").all_inner_texts()
        for _ in range(len(faults) + 5):  # what may not stand there goes off the map
            if not page.locator(".faults li").count():
                break
            before = page.locator(".faults li").count()
            page.locator(".faults li button").first.click()
            page.click("[data-action=unplace]")
            page.wait_for_function(
                "(before) => document.querySelectorAll('.faults li').length !== before", arg=before
            )
        page.click("[data-action=give]")
        page.click("[data-action=give-now]")
        page.wait_for_selector("[data-editor]", state="detached")
        page.wait_for_function(
            "() => !document.querySelector('.asked [data-prompt=\"0.2\"], .asked.waiting')"
        )
        player.play("0.1")
        assert "Day I" in page.inner_text(".top")
        page.click("[data-view=sheets]")
        page.click("[data-whose=german]")
        with page.expect_download() as pdf:
            page.click('[data-download="all.pdf"]')
        with page.expect_download() as book:
            page.click('[data-download="all.xlsx"]')
        texts = "".join(each.extract_text() for each in pypdf.PdfReader(pdf.value.path()).pages)
        assert "CG Roster" in texts and "Day I" in texts
        content = io.BytesIO(Path(book.value.path()).read_bytes())
        assert openpyxl.load_workbook(content).sheetnames
    found = journal_of(file)
    assert found == replayed(tmp_path / "again.pbcg", found, tmp_path / "begun.copy")


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
