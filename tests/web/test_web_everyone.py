"""The page for everyone: axe-core finds nothing, a phone is enough, light and dark, keyboard."""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from typing import Any

import pytest
from test_web_page import END
from web_help import serving
from web_player import PagePlayer
from web_screen import Look, Screen, await_next, axe, axe_in_both, looker

from asl_pbcg.web.folder import game_id


def test_axe_finds_nothing(chromium: Any, evening: Path) -> None:
    with serving(evening.parent) as served, Screen(chromium, served, "umpire") as screen:
        page = screen.open()
        page.wait_for_selector("[data-card] img")
        assert axe_in_both(page) == []
        page.click("[data-begin=campaign]")
        assert axe_in_both(page) == []
        page.keyboard.press("Escape")
        page.click("[data-game]")
        page.wait_for_selector(".board.painted")
        assert axe_in_both(page) == []
        page.fill(".finder input", "Z21")
        page.press(".finder input", "Enter")
        page.wait_for_selector(".facts:visible")
        page.click(".layermenu summary")
        assert axe_in_both(page) == []
        for view in ("log", "sheets", "back"):
            page.click(f"[data-view={view}]")
            page.wait_for_selector(".reading h1")
            assert axe_in_both(page) == [], view
        page.click("[data-view=table]")
        player = PagePlayer(page, 3)
        player.step(player.now())
        player.play("0.2")
        page.click("[data-action=enter]")
        page.wait_for_selector("[data-editor]")
        page.locator("[data-tray]").first.click()
        assert axe_in_both(page) == []


def test_axe_finds_nothing_on_the_curtain_and_for_who_waits(
    chromium: Any,
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as served, served.client() as client:
        made = client.post("/games", json={"kind": "campaign", "name": "x", "campaign": "CG2"})
        assert made.status_code == 200
        for viewer, wanted in (("both", "[data-curtain]"), ("british", "[data-prompt]")):
            with Screen(chromium, served, viewer) as screen:
                page = screen.open(tmp_path / "x.pbcg")
                page.wait_for_selector(wanted)
                page.wait_for_selector(".board.painted")
                assert axe(page) == []


def test_enter_closes_the_keys_and_a_new_key_is_asked_about(
    chromium: Any,
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as served, served.client() as client:
        client.post("/games", json={"kind": "campaign", "name": "x", "campaign": "CG2"})
        with Screen(chromium, served, "umpire") as screen:
            page = screen.open(tmp_path / "x.pbcg")
            page.wait_for_selector(".board.painted")
            before = page.url
            page.keyboard.press("h")
            page.wait_for_selector("dialog .keys")
            page.keyboard.press("Enter")
            page.wait_for_selector("dialog", state="detached")
            page.keyboard.press("h")
            page.click("[data-action=new-key]")
            page.wait_for_selector("[data-action=renew-now]")
            assert page.url == before
            page.click("[data-action=renew-now]")
            page.wait_for_function("(before) => location.href !== before", arg=before)


def test_a_phone_answers_rolls_and_looks_at_the_map(
    chromium: Any,
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as served, served.client() as client:
        wanted = {"kind": "campaign", "name": "x", "campaign": "CG2", "seed": 7}
        client.post("/games", json=wanted)
        with Screen(chromium, served, "umpire", size=(390, 844), has_touch=True) as screen:
            page = screen.open(tmp_path / "x.pbcg")
            page.wait_for_selector("[data-prompt]")
            wide = page.evaluate("() => document.documentElement.scrollWidth")
            assert wide <= 390
            page.locator(".rgcards [data-option=V10]").tap()
            page.locator("[data-place=A7]").tap()
            page.locator("[data-action=receive]").tap()
            await_next(page, "9.617.1")
            player = PagePlayer(page, 7)
            while player.now().get("kind") != "roll":
                player.step(player.now())
            seq = page.get_attribute("[data-prompt]", "data-seq")
            page.locator("[data-action=roll]").tap()
            page.wait_for_function(
                "(seq) => document.querySelector('.asked:not(.waiting) [data-prompt]')"
                "?.dataset.seq !== seq",
                arg=seq,
            )
            page.locator("[data-pane=map]").tap()
            page.wait_for_selector(".board.painted")
            assert page.locator(".board canvas:not([hidden])").bounding_box()["width"] > 390
            small = page.evaluate(
                "() => [...document.querySelectorAll('.phone button, .options button, .rgcard')]"
                ".filter((e) => e.offsetHeight && e.offsetHeight < 36).length"
            )
            assert small == 0


def test_everything_is_reached_by_tab(page: Any) -> None:
    """From the top of the page Tab comes to every control, and Enter answers."""
    page.wait_for_selector("[data-option=dr]")
    page.wait_for_selector(".board.painted")
    page.focus("[data-skip]")
    reached = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        found = page.evaluate(
            "() => { const e = document.activeElement;"
            " return e.dataset.option || e.dataset.view"
            " || e.dataset.step || e.dataset.action || e.className || e.tagName; }"
        )
        reached.add(found)
        if found == "agreement":
            break
    assert {"log", "scenario", "9.606", "closer", "dr", "agreement"} <= reached, reached
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-prompt='0.1.dr']")


def test_the_page_works_offline(chromium: Any, evening: Path) -> None:
    """Nothing is asked of any other host than the one that serves the page."""
    with serving(evening.parent) as served, Screen(chromium, served, "umpire") as screen:
        asked: list[str] = []
        screen.page.on("request", lambda request: asked.append(request.url))
        page = screen.open(evening)
        page.wait_for_selector(".board.painted")
        for view in ("sheets", "log", "back"):
            page.click(f"[data-view={view}]")
            page.wait_for_selector(".reading h1")
        assert asked and all(url.startswith((served.base, "blob:", "data:")) for url in asked)
        assert not any("key=" in url.partition("#")[0] for url in asked)
        assert game_id(evening) in " ".join(asked)


def test_what_the_page_says_does_not_lie_on_the_buttons_of_a_phone(look: Look) -> None:
    with look("british", size=(390, 844), has_touch=True) as (screen,):
        page = screen.page
        page.locator("[data-option=agreement]").tap()
        page.wait_for_selector("#notice:visible")
        notice = page.locator("#notice").bounding_box()
        buttons = page.locator(".phone").bounding_box()
        assert notice["y"] + notice["height"] <= buttons["y"]
        assert notice["width"] > 195  # as wide as its words need, not half of the page
        assert abs(notice["x"] * 2 + notice["width"] - 390) <= 2


BROKEN = """() => {
  const broken = [];
  const texts = document.createTreeWalker(document.querySelector(".side"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    for (const found of texts.currentNode.data.matchAll(/[^\\s,;:()]*-\\d[^\\s,;:()]*/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, found.index);
      range.setEnd(texts.currentNode, found.index + found[0].length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (lines.size > 1) broken.push(found[0]);
    }
  }
  return broken;
}"""


def test_a_type_or_an_id_is_never_broken_at_a_line_s_end(page: Any) -> None:
    """4-4-7 and g-8-0-1 stay in one line however wide the page is; what is copied is the same."""
    player = PagePlayer(page, 3, True, END)
    player.play("9.605.1", most=40)
    assert "8-0" in page.inner_text(".side")
    for width in range(300, 1100, 23):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(BROKEN) == []
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= width


def test_the_next_question_is_in_sight_on_a_phone_after_the_last_choice_of_a_long_list(
    chromium: Any, turn_3: Path, tmp_path: Path
) -> None:
    file = tmp_path / "area.pbcg"
    shutil.copyfile(turn_3, file)
    with looker(chromium, file)("both", size=(360, 640), has_touch=True) as (screen,):
        page = screen.page
        page.locator("[data-pane=side]").tap()
        page.locator("[data-option=go-on]").tap()
        page.wait_for_selector("[data-prompt=act]")
        question = page.locator("#question").bounding_box()
        assert 0 < question["y"] < 640


@pytest.mark.parametrize("size", [(320, 256), (640, 360)])
def test_a_low_window_scrolls_as_a_whole(
    chromium: Any, evening: Path, size: tuple[int, int]
) -> None:
    """As of a phone on its side, or with everything four times as large: what is asked has room."""
    with looker(chromium, evening)("umpire", size=size) as (screen,):
        page = screen.page
        page.wait_for_selector("[data-option=agreement]")
        side = page.locator(".side")
        assert side.evaluate("(each) => each.scrollHeight === each.clientHeight")
        page.click("[data-option=agreement]")
        await_next(page, "0.1")
        question = page.locator("#question").bounding_box()
        assert question["y"] >= 0 and question["y"] + question["height"] < size[1]
        page.click("[data-pane=map]")
        page.wait_for_selector(".board.painted")
        assert page.locator(".board").bounding_box()["height"] > 0.8 * size[1]
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= size[0]


def test_what_lies_on_the_map_is_named_as_sides_are_written(page: Any) -> None:
    page.wait_for_selector(".board.painted")
    names = page.locator(".plate, .held[role=img]").evaluate_all(
        "(all) => all.map((each) => each.getAttribute('aria-label'))"
    )
    assert any(name.startswith("German Setup Area A") for name in names)
    assert not [name for name in names if "german" in name or "british" in name]
    assert not [name for name in names if name.endswith(", 1 pieces")]


def test_dice_have_their_spots_where_the_colours_are_the_reader_s_own(look: Look) -> None:
    """Forced colours, as of a high-contrast mode: what the colours alone tell keeps them."""
    from PIL import Image

    with look("umpire", forced_colors="active", color_scheme="dark") as (screen,):
        page = screen.page
        die = page.locator(".die:has(.on)").first
        die.scroll_into_view_if_needed()
        picture = Image.open(io.BytesIO(die.screenshot())).convert("L")
        inside = picture.crop((4, 4, picture.width - 4, picture.height - 4))
        assert inside.getextrema()[0] < 90 and inside.getextrema()[1] > 200
        edges = "(each) => getComputedStyle(each).borderTopWidth"
        assert page.locator("[data-view=table]").evaluate(edges) == "3px"
        assert page.locator("[data-view=log]").evaluate(edges) == "1px"


def test_what_the_page_says_has_its_place_before_anything_is_said(page: Any) -> None:
    """A place that comes only with its words is often not read out."""
    page.wait_for_selector("[data-option=agreement]")
    there = "(each) => each.checkVisibility() && each.getAttribute('role')"
    assert page.locator("#notice").evaluate(there) == "status"
    assert not page.locator("#notice:visible").count()
    page.keyboard.press("g")
    page.keyboard.type("ZZ99")
    page.keyboard.press("Enter")
    page.wait_for_selector("#notice.bad:visible")
    assert page.locator("#notice").evaluate(there) == "status"
