"""The page by keyboard alone: the focus is never lost, Escape closes, the map moves by its keys."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from web_help import serving
from web_screen import Screen, looker

FOCUS = """() => {
  const had = document.activeElement;
  return had.checkVisibility() && had !== document.body
    && (had.id || had.dataset.view || had.dataset.unit || had.localName);
}"""


def has_focus(page: Any, wanted: str) -> None:
    """Wait until what is ``wanted`` has the focus and is seen."""
    page.wait_for_function(f"(wanted) => ({FOCUS})() === wanted", arg=wanted)


def press(page: Any, selector: str, key: str = "Enter") -> None:
    page.focus(selector)
    page.keyboard.press(key)


def test_the_focus_comes_along_from_the_games_to_a_game_and_back(
    chromium: Any, evening: Path
) -> None:
    with serving(evening.parent) as served, Screen(chromium, served, "umpire") as screen:
        page = screen.open()
        press(page, "[data-game]")
        has_focus(page, "question")
        press(page, '[data-step="scenario"]')
        page.keyboard.press("Escape")
        press(page, ".top .back")
        has_focus(page, "h1")
        assert page.inner_text(":focus") == "Pegasus Bridge"


def test_the_short_cut_at_the_head_of_the_page_keeps_the_key(chromium: Any, evening: Path) -> None:
    with serving(evening.parent) as served, Screen(chromium, served, "umpire") as screen:
        page = screen.open()
        page.wait_for_selector("[data-card]")
        before = page.url
        press(page, "[data-skip]")
        has_focus(page, "h1")
        assert page.url == before
        page = screen.open(evening)
        page.wait_for_selector("[data-prompt]")
        press(page, "[data-skip]")
        has_focus(page, "question")


def test_what_goes_away_with_the_focus_in_it_gives_it_to_the_question(page: Any) -> None:
    page.wait_for_selector(".board.painted")
    press(page, "[data-option=agreement]")
    page.wait_for_selector("[data-action=enter]")
    press(page, "[data-action=enter]")
    press(page, "[data-action=close-draft]")
    has_focus(page, "question")
    press(page, '[data-step="scenario"]')
    page.wait_for_selector("dialog")
    page.keyboard.press("Escape")
    page.focus("[data-action=undo]")
    page.evaluate("() => { location.hash += '&view=log'; }")  # as "In the log" does
    has_focus(page, "h1")
    press(page, "[data-view=table]")
    has_focus(page, "table")


def test_escape_closes_the_hex_and_the_layers(page: Any) -> None:
    page.wait_for_selector(".board.painted")
    page.keyboard.press("g")
    page.keyboard.type("Z17")
    page.keyboard.press("Enter")
    page.wait_for_selector(".facts:visible")
    press(page, ".layermenu summary")
    page.wait_for_selector(".layermenu[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector(".layermenu:not([open])")
    assert page.locator(".facts:visible").count()
    press(page, ".finder input", "Escape")
    page.wait_for_selector(".facts", state="hidden")


def test_the_map_moves_by_its_keys_while_a_position_is_entered(page: Any) -> None:
    page.wait_for_selector(".board.painted")
    press(page, "[data-option=agreement]")
    page.wait_for_selector("[data-action=enter]")
    press(page, "[data-action=enter]")
    page.wait_for_selector("[data-editor]")
    before = page.get_attribute(".board .world", "transform")
    press(page, ".board", "ArrowLeft")
    page.wait_for_function(
        "(before) => document.querySelector('.board .world').getAttribute('transform') !== before",
        arg=before,
    )


@pytest.fixture
def area(turn_3: Path, tmp_path: Path) -> Path:
    """A historical area game as its third British Movement Phase begins, in a folder of its own."""
    file = tmp_path / "area.pbcg"
    shutil.copyfile(turn_3, file)
    return file


def test_the_focus_stays_in_the_panel_of_a_stack_and_comes_back_from_it(
    chromium: Any, area: Path
) -> None:
    with looker(chromium, area)("both") as (screen,):
        page = screen.page
        press(page, "[data-option=go-on]")
        page.wait_for_selector("[data-prompt=act]")
        page.wait_for_selector("[data-number-of]:not(:empty)")
        press(page, ".unitplace:has(header .unitrow) > .unitrow")  # where there are several
        other = '.facts:visible [data-unit][aria-pressed="false"]:enabled'
        page.wait_for_selector(other)
        has_focus(page, "h2")
        unit = page.locator(other).first.get_attribute("data-unit")
        press(page, f'.facts [data-unit="{unit}"]')
        page.wait_for_selector(f'.facts [data-unit="{unit}"][aria-pressed="true"]')
        has_focus(page, str(unit))
        page.keyboard.press("Escape")
        page.wait_for_selector(".facts", state="hidden")
        has_focus(page, "question")


def test_after_going_to_a_hex_the_keys_mean_the_map_and_the_next_hex_replaces_the_last(
    page: Any,
) -> None:
    page.wait_for_selector(".board.painted")
    for hex in ("Z17", "Y19"):
        page.keyboard.press("g")
        page.keyboard.type(hex)
        page.keyboard.press("Enter")
        page.wait_for_selector(f'.facts:visible:has-text("{hex}")')
        assert page.evaluate("document.activeElement.classList.contains('board')")
