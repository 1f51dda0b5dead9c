"""What the editor asks: about a VASL save beside the map, before it replaces what stands there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from test_web_editor_room import LAPTOP, enter
from test_web_position import golden
from vasl_writer import plain, write_position
from web_help import GOLDEN
from web_screen import Look, axe_in_both

from asl_pbcg.campaign.position import Position

pytestmark = pytest.mark.finding("J-49")
START = str(GOLDEN / "night-1.position.yaml")


@pytest.fixture
def save(tmp_path: Path) -> Path:
    """The golden end position as a VASL save, in a folder of its own."""
    file = tmp_path / "save" / "night.vsav"
    file.parent.mkdir()
    made = msgspec.convert(golden(), Position, strict=False)
    file.write_bytes(write_position(plain(made)).content())
    return file


def number(page: Any) -> tuple[int, int]:
    """Return which question it is, and of how many."""
    asked = page.locator("[data-review] [data-number]")
    return int(asked.get_attribute("data-number")), int(asked.get_attribute("data-of"))


def test_questions_about_a_save_stand_beside_the_map(look: Look, save: Path) -> None:
    with look("umpire", size=LAPTOP) as (screen,):
        page = screen.page
        enter(page)
        page.set_input_files("#draft-vasl", str(save))
        page.wait_for_selector("[data-review] [data-prompt]")
        assert page.locator("dialog[open]").count() == 0
        first, many = number(page)
        assert first == 1 and many > 2
        side = page.locator("[data-review]").bounding_box()
        map_box = page.locator(".mapbox").bounding_box()
        assert map_box["x"] + map_box["width"] <= side["x"] + 1
        assert axe_in_both(page) == []
        page.click("[data-action=likeliest]")
        page.wait_for_selector(f"[data-review] [data-number='{many}']")
        assert number(page) == (many, many)
        page.click("[data-review] [data-option=yes]")
        page.wait_for_selector("[data-editor][data-judged='1']")
        assert page.locator("[data-review]").count() == 0


def test_what_is_asked_about_a_save_is_marked_on_the_map(look: Look, save: Path) -> None:
    with look("umpire", size=LAPTOP) as (screen,):
        page = screen.page
        enter(page)
        page.set_input_files("#draft-vasl", str(save))
        for _ in range(40):
            page.wait_for_selector("[data-review] [data-prompt]")
            if page.locator(".mapbox .here").count():
                return
            before, _ = number(page)
            page.locator("[data-review] .option, [data-review] [data-action=send]").first.click()
            page.wait_for_selector(f"[data-review] [data-number='{before + 1}']")
        raise AssertionError("no question was about a hex")


def test_what_is_placed_is_replaced_only_where_one_says_so(look: Look) -> None:
    with look("umpire", size=LAPTOP) as (screen,):
        page = screen.page
        enter(page)
        page.set_input_files("#draft-file", START)  # nobody has placed anything yet
        page.wait_for_selector("[data-editor][data-judged='1']")
        page.set_input_files("#draft-file", START)
        page.click("[data-action=keep-draft]")
        page.wait_for_selector("dialog", state="detached")
        assert page.get_attribute("[data-editor]", "data-judged") == "1"
        page.set_input_files("#draft-file", START)
        page.click("[data-action=replace-draft]")
        page.wait_for_selector("[data-editor][data-judged='2']")


def test_control_against_who_stands_there_is_in_sight_while_one_draws(look: Look) -> None:
    with look("umpire", size=LAPTOP) as (screen,):
        page = screen.page
        enter(page)
        page.locator('[data-tray^="b-648"]').first.click()
        page.keyboard.type("j9")  # German Control
        page.keyboard.press("Enter")
        remark = page.locator(".faults .remarks li:has-text('J9')")
        remark.wait_for()
        assert remark.bounding_box()["y"] < LAPTOP[1] / 2
        page.click("[data-mode=british]")
        page.keyboard.press("t")
        page.keyboard.type("j9")
        page.keyboard.press("Enter")
        remark.wait_for(state="detached")
