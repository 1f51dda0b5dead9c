"""The editor of positions on a laptop and a phone: trays in sight, tools that stay, one field."""

from __future__ import annotations

from typing import Any

import pytest
from web_screen import Look, axe_in_both

pytestmark = pytest.mark.finding("J-41")
LAPTOP, PHONE = (1366, 768), (390, 844)


def enter(page: Any) -> None:
    """Open the editor of the end position."""
    page.click("[data-option=agreement]")
    page.click("[data-action=enter]")
    page.wait_for_selector("[data-editor] [data-tray]")
    page.wait_for_selector(".board.painted")


def bottom(page: Any, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    return float(box["y"] + box["height"])


def where_units_are(page: Any, press: str) -> dict[str, str]:
    """Press a key that gives an order; return where the units stand then, by id."""
    with page.expect_response(lambda reply: reply.url.endswith("/position/orders")) as told:
        page.keyboard.press(press)
    assert told.value.status == 200
    return {each["id"]: each["at"] for each in told.value.json()["position"]["units"]}


def test_trays_are_in_sight_and_tools_stay_there(look: Look) -> None:
    with look("umpire", size=LAPTOP) as (screen,):
        page = screen.page
        enter(page)
        footer = page.locator(".edfoot").bounding_box()["y"]
        assert bottom(page, "[data-tray]") < footer - 100
        page.locator("[data-tray]").last.scroll_into_view_if_needed()
        for tool in ("[data-action=undo-draft]", "[data-mode=british]", "[name=typed]"):
            assert 0 < bottom(page, tool) < footer, tool
        board = page.locator(".mapbox").bounding_box()
        assert board["width"] > LAPTOP[0] / 2
        assert board["height"] > LAPTOP[1] / 2
        assert axe_in_both(page) == []


def test_a_hex_typed_on_a_chosen_piece_goes_into_its_field(look: Look) -> None:
    with look("umpire", size=LAPTOP) as (screen,):
        page = screen.page
        enter(page)
        for hex in ("X18", "B12"):  # `x` and `b` change the state of what stands on the map
            tray = page.locator('[data-tray^="b-"]').first
            id = tray.get_attribute("data-tray")
            tray.click()
            page.keyboard.type(hex.lower())
            fields = page.locator(".editor input[type=text]:visible")
            assert fields.count() == 1
            assert where_units_are(page, "Enter")[id] == hex


def test_who_chooses_a_piece_lays_the_brush_down(look: Look) -> None:
    with look("umpire", size=LAPTOP) as (screen,):
        page = screen.page
        enter(page)
        page.click("[data-mode=german]")
        page.wait_for_selector("[name=mark]")
        page.locator("[data-tray]").first.click()
        page.wait_for_selector("[name=at]")
        assert page.get_attribute("[data-mode=german]", "aria-pressed") == "false"


def test_orders_of_the_terminal_are_typed_by_keyboard(look: Look) -> None:
    with look("umpire", size=LAPTOP) as (screen,):
        page = screen.page
        enter(page)
        page.keyboard.press("t")
        page.keyboard.type("2 6-4-8 n11")
        stand = where_units_are(page, "Enter")
        assert [*stand.values()].count("N11") == 2
        page.keyboard.type("6-4-8 x18 broken")
        assert [*where_units_are(page, "Enter").values()].count("X18") == 1


def test_on_a_phone_the_map_says_what_is_chosen(look: Look) -> None:
    with look("umpire", size=PHONE) as (screen,):
        page = screen.page
        page.click("[data-option=agreement]")
        page.click("[data-action=enter]")
        tray = page.locator('[data-tray^="b-648"]').first
        tray.click()
        page.click("[data-pane=map]")
        page.wait_for_selector(".board.painted")
        bar = page.locator(".chosenbar")
        assert "6-4-8" in bar.inner_text()
        assert axe_in_both(page) == []
        page.click("[data-pane=side]")
        tray.click()
        page.click("[data-pane=map]")
        assert "6-4-8" not in bar.inner_text()
        page.click("[data-pane=side]")
        page.click("[data-action=close-draft]")
        assert bar.count() == 0
