"""The table: what dice brought, widgets of single questions, marks, keys, room on the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from web_help import AREA_META, serving
from web_player import PagePlayer
from web_screen import Look, Screen, await_next, axe, axe_in_both

from asl_pbcg.play.area_play.area_game import create_game
from asl_pbcg.play.campaign_game.campaign_plug import create_campaign
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.st.board.map_load import load_map

GOLDEN = Path(__file__).parent.parent / "golden_cg1"
END = {"0.2": GOLDEN / "night-1.position.yaml"}
pytestmark = pytest.mark.finding("G-51")


def test_first_answer_takes_few_keys(page: Any) -> None:
    page.wait_for_function("() => document.activeElement.id === 'question'")
    page.wait_for_selector(".board.painted")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-prompt='0.1.dr']")


def test_game_end_dr_is_three_widgets(page: Any, evening: Path) -> None:
    page.click("[data-option=dr]")
    page.wait_for_selector(".numbers")
    page.click(".asked [data-action=send]")
    page.wait_for_selector("#notice.bad:visible")
    assert page.inner_text("#notice").count("CG19") <= 1  # J-82
    assert page.inner_text(".askhead .badge") == "Both sides"
    page.fill("#number0", "6")
    page.click("[aria-label='Circled number: one more']")  # 2
    page.click("[aria-label='Circled number: one more']")
    page.click("[data-face='2']")
    assert axe_in_both(page) == []
    page.click(".asked [data-action=send]")
    page.wait_for_selector("[data-prompt='0.2']")
    with OpenGame.open(evening, look=True) as game:
        assert "6 3 2" in str([entry.body for entry in game.session.journal.standing()][-1])


@pytest.fixture
def at_control(look: Look) -> Any:
    """The page where Control is to be confirmed."""
    with look("umpire", size=(1440, 900)) as (screen,):
        PagePlayer(screen.page, 3, True, END).play("9.605.1", most=40)
        screen.page.wait_for_selector(".painting")
        yield screen.page


def hex_place(page: Any, hex: str) -> dict[str, float]:
    """Where the middle of a hex is on the screen."""
    box = page.locator(f'.hexes [data-hex="{hex}"]').bounding_box()
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


def test_control_is_confirmed_or_painted_on_the_map(at_control: Any) -> None:
    page = at_control
    held = page.evaluate("() => document.querySelectorAll('.held.german').length")
    assert page.inner_text(".asked [data-action=send]") == "Yes, confirmed"
    german = page.locator('.control [data-control="german"]').first.get_attribute("data-location")
    page.click("[data-mode=british]")
    at = hex_place(page, german)
    page.mouse.click(at["x"], at["y"])
    page.wait_for_selector(f'[data-change="{german}"]')
    assert page.evaluate("() => document.querySelectorAll('.held.german').length") == held - 1
    page.fill(".painting [name=mark]", "A1")  # no Strategic Location
    page.press(".painting [name=mark]", "Enter")
    page.wait_for_selector("#notice.bad:visible")
    assert page.locator("[data-change]").count() == 1
    assert axe_in_both(page) == []
    page.click(".asked [data-action=send]")
    page.wait_for_function(
        "() => document.querySelector('.asked [data-action=send]')?.innerText === 'Yes, confirmed'"
    )
    assert f"{german} is British-Controlled" in page.inner_text(".latest")
    page.click(".asked [data-action=send]")
    await_next(page, "9.605.1")


def test_dice_of_one_command_are_shown_above_the_next_question(at_control: Any) -> None:
    page = at_control
    player = PagePlayer(page, 3, True, END)
    for _ in range(40):
        if page.locator("[data-action=roll-all]").count():
            break
        player.step(player.now())
    page.click("[data-action=roll-all]")
    page.wait_for_selector(".rollednow .die")
    assert page.locator(".askfoot [data-action=explain]").count() == 1
    assert page.locator(".ask > .help").count() == 0
    page.click(".rollednow .close")
    assert page.locator(".rollednow").count() == 0


def test_basket_survives_a_reload(chromium: Any, tmp_path: Path) -> None:
    meta = {"settings": {"campaign": "CG2", "players": {}}, "dice": "seeded", "seed": 4}
    file = tmp_path / "evening.pbcg"
    create_campaign(file, meta).close()
    with serving(tmp_path) as served, Screen(chromium, served, "german", size=(1440, 900)) as own:
        page = own.open(file)
        page.wait_for_selector(".rgcards .brings")
        page.click(".rgcards [data-option=V3]")
        page.click("[data-place=J0]")
        page.wait_for_selector("[data-bought=V3]")
        page.reload()
        page.wait_for_selector("[data-bought=V3]")
        assert widest(page) == []
        page.click("[data-action=receive]")
        await_next(page, "9.617.1")


def widest(page: Any) -> list[str]:
    """What of the page reaches beyond the window, or of a panel beyond the panel."""
    found: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('.top *, .side *, .reading *, .tools *')]"
        ".filter((each) => each.checkVisibility()"
        " && !each.closest('.scrolled, .tabs, svg, .visually-hidden, .board > *')"
        " && each.getBoundingClientRect().right > innerWidth + 1)"
        ".map((each) => each.outerHTML.slice(0, 80))"
    )
    return found


@pytest.mark.parametrize("size", [(390, 844), (1440, 900), (2560, 1300)])
def test_nothing_overflows_and_tools_cover_no_hex(look: Look, size: tuple[int, int]) -> None:
    with look("umpire", size=size) as (screen,):
        page = screen.page
        page.wait_for_selector("[data-option=dr]")
        for view in ("table", "log", "sheets", "back"):
            page.click(f"[data-view={view}]")
            page.wait_for_selector(".reading" if view != "table" else ".asked")
            assert widest(page) == [], view
        page.click("[data-view=table]")
        if size[0] < 800:
            page.click("[data-pane=map]")
        page.wait_for_selector(".board.painted")
        tools = page.locator(".tools").bounding_box()
        board = page.locator(".mapbox .board").bounding_box()
        assert tools["y"] + tools["height"] <= board["y"] + 1


def test_a_clicked_hex_is_marked_until_it_is_closed(page: Any) -> None:
    page.wait_for_selector(".board.painted")
    page.keyboard.press("g")
    page.keyboard.type("Z17")
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-clicked="Z17"]', state="attached")
    page.wait_for_selector(".facts:visible")
    page.keyboard.press("Escape")
    page.wait_for_selector("[data-clicked]", state="detached")


def test_whose_turn_it_is_stands_in_the_title(look: Look) -> None:
    with look("british", "umpire") as (anne, umpire):
        anne.page.wait_for_selector("[data-option=agreement]")
        assert "Your turn" in anne.page.title()
        umpire.page.wait_for_selector("[data-option=agreement]")
        assert "Your turn" not in umpire.page.title()
        anne.page.keyboard.press("h")
        anne.page.check("[data-action=sound]")
        assert axe(anne.page) == []
        assert anne.page.evaluate("() => localStorage.getItem('pbcg-sound')") == "on"


def test_escape_leaves_the_order_field(chromium: Any, tmp_path: Path) -> None:
    file = tmp_path / "area.pbcg"
    create_game(file, AREA_META, load_map()).close()
    with serving(tmp_path) as served, Screen(chromium, served, "umpire") as screen:
        page = screen.open(file)
        page.wait_for_selector(".board.painted")
        page.keyboard.press("o")
        page.keyboard.type("23")
        page.keyboard.press("Escape")
        assert page.evaluate("() => document.activeElement.name") != "line"


def test_log_folds_what_did_not_happen_and_tells_what_is_new(at_control: Any) -> None:
    page = at_control
    page.click("[data-view=log]")
    page.wait_for_selector(".idle summary")
    assert page.locator(".sincelast").count() == 0
    assert axe_in_both(page) == []
    page.click("[data-view=table]")
    page.click(".asked [data-action=send]")
    await_next(page, "9.605.1")
    page.click("[data-view=log]")
    page.wait_for_selector(".sincelast")
    page.check("[data-action=since]")
    new, _, whole, _ = page.inner_text(".reading > p.quiet").split()[:4]
    assert f"({new})" in page.inner_text("label:has([data-action=since])")
    assert 0 < int(new) < int(whole)
    last_step = page.locator(".logstep").first
    newest = last_step.locator("[data-correct-line]").last
    newest.focus()
    newest.click()
    page.wait_for_selector("[data-form=correct]")
    page.keyboard.press("Escape")
    back = last_step.locator("[data-undo-line]").last
    back.focus()
    back.click()
    page.fill("dialog [name=reason]", "a slip")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-prompt='9.605.1']")


def test_players_names_stand_where_their_side_does(chromium: Any, tmp_path: Path) -> None:
    names = {"british": "Anne", "german": "Karl"}
    file = tmp_path / "evening.pbcg"
    meta = {"settings": {"campaign": "CG2", "players": names}, "dice": "seeded", "seed": 4}
    create_campaign(file, meta).close()
    with serving(tmp_path) as served, Screen(chromium, served, "german") as karl:
        page = karl.open(file)
        page.wait_for_selector(".askhead .badge")
        assert page.inner_text(".top .viewer") == "German: Karl"
        assert "Karl" in page.inner_text(".askhead .who")
        with Screen(chromium, served, "british") as anne:
            anne.open(file).wait_for_selector(".nothing")
            assert "German player (Karl)" in anne.page.inner_text("#question")
