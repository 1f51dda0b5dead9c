"""The living map of the area game: its requests, nothing hidden in them, and played by mouse."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pseudo_words import restored
from typer.testing import CliRunner
from web_area_player import AreaMouse
from web_help import AREA_META, app_client, only_game, serving, without_clock
from web_screen import Screen, axe, looker, pinch

from asl_pbcg.cli.area_commands.st_play import Automatic
from asl_pbcg.cli.main import app
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.play.area_play.area_beginnings import begin_guide
from asl_pbcg.play.area_play.area_game import create_game
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.web.folder import game_id


@pytest.fixture
def client(turn_3: Path, tmp_path: Path) -> Iterator[Any]:
    shutil.copyfile(turn_3, tmp_path / "area.pbcg")
    with app_client(tmp_path) as found:
        found.at = f"/api/games/{only_game(found)}"
        yield found


def now(client: Any) -> Any:
    return client.get(client.at).json()


def order(client: Any, line: str) -> Any:
    body = {"seq": now(client)["seq"], "line": line}
    return client.post(f"{client.at}/area/orders", json=body)


def first_way(client: Any, least: int = 1) -> tuple[Any, Any]:
    """A stack that can go somewhere without risk, and a way of at least so many areas."""
    for option in now(client)["asked"]["options"]:
        if option["id"].startswith(("stack", "end")):
            continue
        found = client.get(f"{client.at}/area/ways", params={"unit": option["id"]}).json()
        for way in found["ways"]:
            if len(way["path"]) >= least and not way["percent"] and not way["hidden"]:
                return found, way
    raise AssertionError("nobody can go anywhere")


def lying_at(client: Any, key: str) -> str:
    counters = client.get(f"{client.at}/area/map").json()["counters"]
    return next(a for a, there in counters.items() if any(p.get("key") == key for p in there))


def test_an_order_on_the_map_is_one_order_and_is_undone_as_one(client: Any) -> None:
    assert order(client, "f auto").status_code == 200
    assert now(client)["asked"]["id"] == "break_down"
    client.post(
        f"{client.at}/answers",
        json={"seq": now(client)["seq"], "prompt": "break_down", "value": "go-on"},
    )
    before = now(client)
    found, way = first_way(client, 2)
    (key,) = found["keys"]
    stood = lying_at(client, key)
    assert stood == found["area"]
    after = order(client, " ".join([*found["units"], *way["path"]]))
    assert after.status_code == 200 and lying_at(client, key) == way["area"]
    events = client.get(f"{client.at}/area/events", params={"after": before["seq"]}).json()
    told = [each for each in events["events"] if each["kind"] == "answer"]
    assert len(told) == 1 + len(way["path"])
    seen = [
        area
        for each in events["events"]
        for area, there in each["changed"].items()
        if any(piece.get("key") == key for piece in there)
    ]
    assert list(dict.fromkeys(seen)) == [stood, *way["path"]]
    taken = client.post(f"{client.at}/area/undo", json={"seq": now(client)["seq"]})
    assert taken.status_code == 200, taken.text
    assert lying_at(client, key) == stood and taken.json()["asked"]["id"] == "act"
    order(client, " ".join([*found["units"], *way["path"]]))
    assert lying_at(client, key) == way["area"]  # the whole of it again


def test_after_a_restart_no_question_in_the_middle_of_an_order_comes_back(
    client: Any, tmp_path: Path
) -> None:
    order(client, "f auto")
    body = {"seq": now(client)["seq"], "prompt": "break_down", "value": "go-on"}
    client.post(f"{client.at}/answers", json=body)
    ids = [each["id"] for each in now(client)["asked"]["options"]]
    stack = next(id for id in ids if id.startswith("stack "))
    body = {"seq": now(client)["seq"], "prompt": "act", "value": stack}
    asked = client.post(f"{client.at}/answers", json=body).json()["asked"]
    assert asked["id"] == "stack"
    two = [each["id"] for each in asked["options"]][:2]
    body = {"seq": now(client)["seq"], "prompt": "stack", "value": two}
    assert client.post(f"{client.at}/answers", json=body).json()["asked"]["id"] == "action"
    client.__exit__(None, None, None)
    with app_client(tmp_path) as again:
        at = f"/api/games/{only_game(again)}"
        taken = again.post(f"{at}/area/undo", json={"seq": again.get(at).json()["seq"]})
        assert taken.json()["asked"]["id"] == "act"


def test_while_a_unit_is_asked_about_the_others_may_be_ordered_and_gliders_may_not(
    client: Any,
) -> None:
    order(client, "f auto")
    body = {"seq": now(client)["seq"], "prompt": "break_down", "value": "go-on"}
    client.post(f"{client.at}/answers", json=body)
    found, way = first_way(client)
    (key,) = found["keys"]
    everybody = client.get(f"{client.at}/area/map").json()["able"]
    assert key in everybody and not any(id.startswith(("glider", "stack")) for id in everybody)
    order(client, f"{found['units'][0]} {way['path'][0]}")
    assert now(client)["asked"]["id"] == "action"
    able = client.get(f"{client.at}/area/map").json()["able"]
    other = next(id for id in able if id != key)
    ways = client.get(f"{client.at}/area/ways", params={"unit": other})
    assert ways.status_code == 200 and ways.json()["left"][other] > 0


def test_what_is_no_order_is_refused_with_a_sentence(client: Any) -> None:
    order(client, "f auto")
    before = now(client)["seq"]
    for line in ("999 PX", "qqq", "split 1"):
        answer = order(client, line)
        assert answer.status_code == 422 and "." in answer.json()["sentence"]
    late = client.post(f"{client.at}/area/orders", json={"seq": before + 5, "line": "e"})
    assert late.status_code == 409
    none = client.get(f"{client.at}/area/ways", params={"unit": "nobody"})
    assert none.status_code == 422
    assert now(client)["seq"] - before in (0, 1)  # the question about splitting was passed over


def test_the_phase_ends_from_the_map_and_what_follows_is_told(client: Any) -> None:
    order(client, "f auto")
    before = now(client)["seq"]
    assert order(client, "end").status_code in (200, 422)
    client.post(
        f"{client.at}/answers",
        json={"seq": now(client)["seq"], "prompt": "break_down", "value": "go-on"},
    )
    assert order(client, "end").status_code == 200
    events = client.get(f"{client.at}/area/events", params={"after": before}).json()["events"]
    assert {"German Movement Phase"} <= {each["title"].partition(", ")[2] for each in events}
    fired = [each for each in events if each["from"]]
    assert all(each["at"] and each["dice"] and each["effect"] for each in fired)


def test_other_games_have_no_living_map(tmp_path: Path) -> None:
    with app_client(tmp_path) as client:
        made = client.post("/api/games", json={"kind": "sample", "name": "s"}).json()["id"]
        for path in ("ground.svg", "places", "map", "ways?unit=a", "events?after=0"):
            assert client.get(f"/api/games/{made}/area/{path}").status_code == 404


def test_what_the_page_says_of_vp_is_what_the_terminal_says(client: Any, tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["st", "score", str(tmp_path / "area.pbcg"), "--json"])
    score = json.loads(told.stdout)
    found = client.get(f"{client.at}/area/score").json()
    assert found["vp"] == score["vp"] == client.get(f"{client.at}/area/map").json()["vp"]
    assert [each["vp"] for each in found["scores"]] == [each["vp"] for each in score["scores"]]
    assert not found["over"] and not found["card"] and found["coming"]
    refused = client.post(f"{client.at}/area/report")
    assert refused.status_code == 422 and "over" in refused.json()["sentence"]


def test_lines_of_the_log_say_what_a_roll_did(client: Any) -> None:
    lines = client.get(f"{client.at}/log").json()["lines"]
    rolls = [each for each in lines if each["kind"] == "roll"]
    assert rolls and not any("_" in each["text"] for each in lines)
    assert any(each["text"].endswith("flies on") for each in rolls)


GAMES = (
    ({"mode": "historical", "opponent": "resolute"}, "the historical game, resolute Germans"),
    ({"mode": "variable", "difficulty": "hard"}, "a variable game, hard"),
    ({"kind": "challenge", "date": "2026-11-22"}, "a variable game, hard, resolute Germans"),
)


@pytest.mark.parametrize(("wanted", "title"), GAMES)
def test_a_new_game_of_every_kind_from_the_page(
    wanted: dict[str, str], title: str, tmp_path: Path
) -> None:
    with app_client(tmp_path) as client:
        made = client.post("/api/games", json={"kind": "st", "name": "new", **wanted})
        assert made.status_code == 200, made.text
        score = client.get(f"/api/games/{made.json()['id']}/area/score").json()
        (card,) = client.get("/api/games").json()["games"]
    day = f"The challenge of {wanted['date']}: " if "date" in wanted else ""
    played = day + title
    assert card["title"] == played[0].upper() + played[1:]
    assert score["title"] == title and score["challenge"] == wanted.get("date", "")


def test_a_challenge_of_no_date_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with app_client(tmp_path) as client:
        body = {"kind": "challenge", "name": "new", "date": "yesterday"}
        refused = client.post("/api/games", json=body)
        assert refused.status_code == 422 and "yesterday" in refused.json()["sentence"]
        assert not client.get("/api/games").json()["games"]


# -- what is hidden ---------------------------------------------------------------------------


class Twin:
    """Dice of which only those that nobody may see depend on ``secret``."""

    def __init__(self, secret: int) -> None:
        self._open, self._secret = SeededDice(5), SeededDice(secret)
        self._count = 0

    def settle(self, session: Any, roll: Roll) -> None:
        source = self._secret if roll.secret else self._open
        self._count += not roll.secret
        number = session.rolls if roll.secret else self._count
        session.throw(source.throw(roll.spec, number, roll.text), "program")


def _twin(file: Path, secret: int) -> None:
    """A historical game up to the first question on the ground."""
    meta = {"settings": {"mode": "historical"}, "dice": "seeded", "seed": 1}
    with create_game(file, meta, load_map()) as game:
        session, dice, answers = game.session, Twin(secret), Automatic("good", 3)
        while (asked := session.pending) is not None and asked.id != "act":
            if isinstance(asked, Roll):
                dice.settle(session, asked)
            else:
                session.answer(answers.answer(asked))


@pytest.mark.rule("ST-SET-23", "ST-SET-26")
def test_the_page_of_two_games_that_differ_in_hidden_things_is_the_same(tmp_path: Path) -> None:
    seen, hidden = [], []
    for secret in (1, 2):
        folder = tmp_path / str(secret) / "games"
        folder.mkdir(parents=True)
        file = folder / "area.pbcg"
        _twin(file, secret)
        with OpenGame.open(file, look=True) as game:
            state = game.session.state
            hidden.append((state.demo_marker, [unit.id for unit in state.units if unit.dummy]))
        with app_client(folder) as client:
            at = f"/api/games/{only_game(client)}"
            bodies = [without_clock(client.get(url).content).decode() for url in ("/api/games", at)]
            asked = json.loads(bodies[1])["asked"]
            units = [each["id"] for each in asked["options"] if " " not in each["id"]]
            for path in (
                "map", "area/map", "area/events?after=0", "area/film", "log", "area/score",
            ):  # fmt: skip
                bodies.append(client.get(f"{at}/{path}").text)
            for unit in units[:6]:
                bodies.append(client.get(f"{at}/area/ways", params={"unit": unit}).text)
            bodies.append(client.get(f"{at}/pieces/garrison-b4").text)
            film = client.get(f"{at}/area/film.html")
            assert film.headers["content-type"].startswith("text/html")
            bodies.append(film.text)
            seen.append(bodies)
    assert hidden[0] != hidden[1]
    for one, other in zip(*seen, strict=True):
        assert one == other


# -- by mouse -----------------------------------------------------------------------------------


def test_the_first_orders_are_given_on_the_map_by_mouse(chromium: Any, tmp_path: Path) -> None:
    file = tmp_path / "area.pbcg"
    create_game(file, AREA_META, load_map()).close()
    with looker(chromium, file)("both", size=(1400, 860)) as (screen,):
        screen.page.select_option("[name=speed]", "0")
        mouse = AreaMouse(screen.page, file)
        mouse.play(steps=9)  # the whole game: benchmarks/mouse_game.py
        assert mouse.on_map >= 4


NUMBERED = (
    "() => [...document.querySelectorAll('[data-number-of]')].some((each) => each.textContent)"
)


def test_a_challenge_is_begun_ordered_by_keys_and_scored_in_the_page(
    chromium: Any, tmp_path: Path
) -> None:
    with (
        serving(tmp_path) as served,
        Screen(chromium, served, "both", size=(1366, 768)) as screen,
    ):
        page = screen.open()
        page.click("[data-begin=st]")
        page.click("input[value=challenge]")
        page.fill("dialog [name=date]", "2026-11-23")
        page.dispatch_event("dialog [name=date]", "change")
        page.click("dialog button.main")
        page.wait_for_selector(".mapbox[data-playing]")  # the landing is shown
        page.select_option("[name=speed]", "0")
        page.wait_for_selector("[data-prompt=act]")
        page.wait_for_function(NUMBERED)
        assert page.locator(".vp").inner_text() == "0 VP"
        number = page.locator("[data-number-of]").first.inner_text()
        page.keyboard.press("o")
        page.keyboard.type(number)
        page.keyboard.press("Enter")
        page.wait_for_selector(".facts [data-to]")
        assert axe(page) == []
        page.keyboard.press("Enter")
        page.locator(".typed input").blur()
        page.keyboard.press("Escape")
        page.wait_for_selector(".facts", state="hidden")
        page.click(".vp")
        page.wait_for_selector(".verdict")
        assert axe(page) == []
        page.click("[data-view=log]")
        page.wait_for_selector(".logstep h2:has-text('Turn 1, Glider Landing Phase')")
        (file,) = tmp_path.glob("*.pbcg")
        assert file.stem == "2026-11-23"


def test_who_goes_an_own_way_closes_the_guide(chromium: Any, tmp_path: Path) -> None:
    """In the middle of the lessons too; it stays closed when the map is shown again."""
    file = tmp_path / "first.pbcg"
    begin_guide(file).close()
    with looker(chromium, file)("both", size=(1280, 800)) as (screen,):
        page = screen.page
        page.wait_for_selector(".guide [data-action=lesson]")
        page.click(".guide .close")
        page.wait_for_selector(".guide", state="hidden")
        page.evaluate(
            "() => { const { lesson, map } = document.querySelector('.mapbox').view;"
            " lesson.guideBy(map.lesson); }"
        )
        assert not page.locator(".guide").is_visible()


def test_two_fingers_that_zoom_give_no_order(chromium: Any, turn_3: Path, tmp_path: Path) -> None:
    file = tmp_path / "area.pbcg"
    shutil.copyfile(turn_3, file)
    with looker(chromium, file)("both", size=(390, 844), has_touch=True) as (screen,):
        page = screen.page
        page.locator("[data-pane=side]").tap()
        page.locator("[data-option=go-on]").tap()
        page.wait_for_selector("[data-prompt=act]")
        page.locator("[data-pane=map]").tap()
        place = page.wait_for_function(
            "() => { const view = document.querySelector('.mapbox').view;"
            " if (view?.map?.seq !== view?.game.state.seq) return null;"
            " const [found] = Object.keys(view.lying).filter((area) => view.board.centre(area)"
            "  && view.lying[area].some((each) => view.map.able.includes(each.key)));"
            " view.board.look(found, true); return found; }"
        ).json_value()
        page.wait_for_timeout(100)
        box = page.locator(f'.layer.hexes [data-hex="{place}"]').bounding_box()
        before = page.get_attribute(".board .world", "transform")
        pinch(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(200)
        assert page.get_attribute(".board .world", "transform") != before
        assert not page.locator("#notice:visible").count()
        assert not page.get_attribute(".mapbox", "data-ordered")


def test_the_whole_map_lies_clear_of_what_stands_over_it(
    chromium: Any, turn_3: Path, tmp_path: Path
) -> None:
    file = tmp_path / "area.pbcg"
    shutil.copyfile(turn_3, file)
    with looker(chromium, file)("both", size=(1280, 800)) as (screen,):
        page = screen.page
        page.wait_for_selector(".board.painted")
        page.click("[aria-label='The whole map']")
        page.wait_for_timeout(100)
        ground = page.locator(".areaboard .ground:not([hidden])").bounding_box()
        for selector in (".tools .finder", ".tools .typed"):
            over = page.locator(selector).first.bounding_box()
            assert over["x"] + over["width"] <= ground["x"]
        assert ground["x"] + ground["width"] <= page.locator(".side").bounding_box()["x"]


@pytest.mark.finding("G-75")
def test_a_new_game_goes_on_from_a_turn(client: Any) -> None:
    """It is served beside the old one; a turn that was not played is refused in a sentence."""
    body = {"name": "again", "turn": 2}
    made = client.post(f"{client.at}/area/branch", json=body)
    assert made.status_code == 200, made.text
    assert "Turn 2, British Movement" in client.get(f"/api/games/{made.json()['id']}").text
    assert client.post(f"{client.at}/area/branch", json=body).status_code == 422
    refused = client.post(f"{client.at}/area/branch", json={"name": "never", "turn": 15})
    assert "has not come to turn 15" in refused.text


COVERED = """() => {
  const apart = (one, other) => one.right <= other.left + 2 || other.right <= one.left + 2
    || one.bottom <= other.top + 2 || other.bottom <= one.top + 2;
  const chits = [...document.querySelectorAll('.astack .chit')]
    .map((each) => each.getBoundingClientRect());
  return [...document.querySelectorAll('.awords text')]
    .filter((each) => chits.some((chit) => !apart(each.getBoundingClientRect(), chit)))
    .map((each) => each.textContent);
}"""
ZOOM = """(k) => {
  const { board } = document.querySelector('.mapbox').view;
  board.zoom(k / board.k);
  return board.k; // no less than the whole map
}"""


@pytest.mark.parametrize(("size", "scheme"), [((2560, 1300), "dark"), ((390, 844), "light")])
def test_words_step_aside_for_counters(
    chromium: Any, turn_3: Path, size: tuple[int, int], scheme: str
) -> None:
    """At every zoom; where they would smear the small ones and small numbers are dropped."""
    with looker(chromium, turn_3)("both", size=size, color_scheme=scheme) as (screen,):
        page = screen.page
        page.wait_for_selector(".painted .astack", state="attached")
        for scale in (0.7, 1.0, 2.0):
            small = page.evaluate(ZOOM, scale) < 1.15
            page.wait_for_timeout(150)
            assert page.evaluate(COVERED) == []
            words = page.locator(".awords text").all_text_contents()
            assert "RANVILLE BRIDGE" in words and ("1-2" in words) is not small
            ids = page.locator(".chit:has(.sp) .id").first
            assert ids.evaluate("(id) => getComputedStyle(id).display === 'none'") is small
            tag = page.locator(".tag text").first.bounding_box()
            assert tag["height"] >= 6.5
        assert page.evaluate("() => document.documentElement.scrollWidth") <= size[0]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A challenge that the random player has played to its end."""
    file = tmp_path_factory.mktemp("finished") / "over.pbcg"
    for words in (["challenge", "2026-11-22", str(file)], ["play", str(file), "--auto", "random"]):
        assert CliRunner().invoke(app, ["st", *words]).exit_code == 0
    return file


@pytest.fixture
def own(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(finished, tmp_path))


CURVE = [
    {"turn": turn, "phase": f"{side} Movement Phase", "vp": 40.0 + turn, "error": 2.0,
     "german": side == "German", "end": False}
    for turn in (1, 2, 3) for side in ("British", "German")
]  # fmt: skip
REPORT = {"done": 1, "page": "<p>", "curve": CURVE, "sections": [["The game", ["40 VP"]]]}


@pytest.mark.finding("G-75")
def test_film_and_curve_open_the_game(chromium: Any, own: Path) -> None:
    """A frame of the film, a point of the curve: a new game from there, and Home lists it."""
    with serving(own.parent) as served, Screen(chromium, served, "both") as screen:
        page = screen.open(own, "&view=film")
        page.get_by_label("Go to turn").select_option(label="Turn 3")
        page.get_by_label("One frame on").click()
        page.wait_for_selector(".filmbox .astack")
        title = page.locator(".filmtitle").inner_text()
        assert title.startswith("Turn 3") and axe(page) == []
        page.click(".film [data-action=branch]")
        page.fill("dialog [name=name]", "from a frame")
        assert axe(page) == []
        page.click("[data-action=branch-now]")
        page.wait_for_selector(".top:has-text('Turn 3 of 16')")
        screen.open(own, "&view=score")
        page.route(
            "**/area/report",
            lambda route: route.fulfill(json=REPORT if route.request.method == "GET" else {}),
        )
        page.click("[data-action=report]")
        page.locator(".curve .point").nth(3).focus()
        page.keyboard.press("Enter")
        assert axe(page) == []
        page.click(".report [data-action=branch]")
        assert "turn 2, German Movement Phase" in page.locator("dialog p").first.inner_text()
        page.fill("dialog [name=name]", "from the curve")
        page.click("[data-action=branch-now]")
        page.wait_for_selector(".top:has-text('Turn 2 of 16')")  # its first question: fire
        page.click(".back")
        page.wait_for_selector("[data-game]:text-is('from a frame')")
        page.wait_for_selector("[data-game]:text-is('from the curve')")


def test_a_report_is_given_up(chromium: Any, own: Path) -> None:
    """The work ends, and the next report begins anew."""
    with serving(own.parent) as served, Screen(chromium, served, "both") as screen:
        page = screen.open(own, "&view=score")
        page.click("[data-action=report]")
        page.wait_for_function("() => document.querySelector('.row progress').value > 0")
        page.click("[data-action=give-report-up]")
        page.wait_for_selector("[data-action=give-report-up]", state="hidden")
        assert page.locator("[data-action=report]").is_enabled()
        with served.client() as client:
            (game,) = client.get("/games").json()["games"]
            left = client.get(f"/games/{game['id']}/area/report")
            assert left.status_code == 422 and "begun" in restored(left.json()["sentence"])
            assert client.post(f"/games/{game['id']}/area/report").json()["done"] == 0
            client.delete(f"/games/{game['id']}/area/report")


@pytest.mark.finding("G-75")
def test_challenge_cards_are_compared_in_the_page(own: Path) -> None:
    """Those of the folder and those that are pasted."""
    shutil.copy(own, own.with_name("again.pbcg"))
    with app_client(own.parent) as client:
        at = f"/api/games/{game_id(own)}/area"
        card = client.get(f"{at}/score").json()["card"]
        altered = card.replace(" undone", "1 undone")
        found = client.post(f"{at}/cards", json={"text": altered})
        assert found.status_code == 200, found.text
        remarks = [each["remark"].partition(":")[0] for each in found.json()["cards"]]
        assert remarks == ["", "altered"]  # the copy has the same card
        refused = client.post(f"{at}/cards", json={"text": "no card"})
        assert refused.status_code == 422 and "What is pasted" in refused.json()["sentence"]
