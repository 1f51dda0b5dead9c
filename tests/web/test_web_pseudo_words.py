"""The page with every word of the program's sentences changed: it goes by data alone.

``PBCG_PSEUDO_WORDS=1 python -m pytest -n0 tests/web`` runs all tests of the page so.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from pseudo_words import SIGN, changed, on_changed_words, restored, translated
from test_web_page import END, replayed
from web_area_player import AreaMouse
from web_help import journal_of, serving
from web_player import PagePlayer
from web_screen import Look, Screen

SENTENCE = "Karl's 4-6-7 B-1 with LMG 3g in Z23 must attempt Escape: 28%, as sub-units do."
SHOWN = (
    "(selector) => [...document.querySelectorAll(selector)]"
    f".map((each) => each.innerText.includes('{SIGN}'))"
)


def test_words_change_and_ids_numbers_and_names_stay() -> None:
    told = changed(SENTENCE, frozenset(["Karl's"]))
    kept = [word for word in told.split() if SIGN not in word]
    assert kept == ["Karl's", "4-6-7", "B-1", "3g", "Z23", "28%,"]
    assert restored(told) == SENTENCE


def test_fields_that_are_no_sentences_stay() -> None:
    option = {
        "id": "stack N10",
        "text": "move together",
        "odds": {"no effect": {"words": "67%", "share": 0.67}},
        "topic": {"kind": "stack", "group": "N10", "name": "Wood"},
    }
    found = translated({"options": [option]}, frozenset())["options"][0]
    assert found["id"] == "stack N10" and found["topic"]["kind"] == "stack"
    assert [*found["odds"]] == [changed("no effect")]
    assert SIGN in found["text"] and SIGN in found["topic"]["name"]


def test_a_refit_phase_on_changed_words(
    look: Look, night_1: Path, evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with on_changed_words(monkeypatch), look("umpire") as (screen,):
        page = screen.page
        player = PagePlayer(page, 3, False, END)
        player.step(player.now())
        pointed = point_at_options(page, player)
        player.play("0.1")
        assert pointed() > 5
        assert all(page.evaluate(SHOWN, ".latest .what"))
        page.click("[data-view=log]")
        page.wait_for_selector(".logstep")
        assert page.locator(".line.idle").count()
        assert fills_in_a_piece(page)
    found = journal_of(evening)
    assert len(found) > 80
    assert found == replayed(tmp_path / "replayed.pbcg", found, night_1)


def point_at_options(page: Any, player: PagePlayer) -> Any:
    """Point at an option of each question before it is answered; count those with a place."""
    count = 0
    plain = player.step

    def step(now: dict[str, str]) -> None:
        nonlocal count
        option = page.locator(".asked .options li:has([data-option])")
        if now.get("kind", "").startswith("choose") and option.count():
            option.first.hover()
            count += page.locator(".layer.pointer [data-pointed]").count() > 0
        plain(now)

    player.step = step  # type: ignore[method-assign]
    return lambda: count


def fills_in_a_piece(page: Any) -> bool:
    """Tell whether a correction begins with the piece that a line of the log is about."""
    buttons = page.locator("[data-correct-line]")
    for number in range(buttons.count()):
        buttons.nth(number).dispatch_event("click")
        piece = page.get_attribute("dialog [data-form=correct]", "data-of")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        if piece:
            return True
    return False


def test_a_turn_of_the_area_game_on_changed_words(
    chromium: Any, turn_3: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "area.pbcg"
    shutil.copyfile(turn_3, file)
    with (
        on_changed_words(monkeypatch),
        serving(tmp_path) as served,
        Screen(chromium, served, "both") as screen,
    ):
        page = screen.open(file)
        page.select_option("[name=speed]", "0")
        mouse = AreaMouse(page, file)
        mouse.play(steps=1)  # no platoon splits
        page.wait_for_selector(".unitplace")
        assert all(page.evaluate(SHOWN, ".unitplace h3"))
        assert page.locator(".unitplace header button").count()  # a stack goes together
        mouse.play(steps=8)
        assert " → " in page.inner_text(".latest")  # the steps of a move are one line
        turn, _ = mouse.play(until=4)
        assert turn == 4 and mouse.on_map > 3
        assert all(page.evaluate(SHOWN, ".latest .what"))
