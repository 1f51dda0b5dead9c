"""Buying and setting up in the page: a basket by mouse and keys, a Fortification dragged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from test_web_everyone import axe
from test_web_page import Screen, await_next, chromium
from test_web_position import Dragger
from web_help import serving

from asl_pbcg.play.campaign import create_campaign
from asl_pbcg.play.seat import Seat

assert chromium  # a fixture


def to_a_fortification(file: Path) -> None:
    """CG II, until the British are asked where their minefield sets up."""
    meta = {"settings": {"campaign": "CG2", "players": {}}, "dice": "seeded", "seed": 4}
    with create_campaign(file, meta) as game:
        seat = Seat(game, "umpire")
        bought = False
        while (asked := seat.asked()) is not None and asked.id != "9.62022":
            if not hasattr(asked, "kind"):
                seat.roll()
            elif asked.id == "9.619.1" and asked.side == "british" and not bought:
                seat.answer("ap-mines")
                bought = True
            elif asked.kind == "choose":  # type: ignore[union-attr]
                open_now = [each.id for each in asked.options if not each.refused]  # type: ignore[union-attr]
                seat.answer("done" if "done" in open_now else open_now[0])
            else:
                seat.answer(asked.default)  # type: ignore[union-attr]


def test_a_fortification_is_dragged_and_a_refused_hex_tells_why(
    chromium: Any, tmp_path: Path
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
        assert "no friendly Setup Area" in page.inner_text("#notice")
        mouse.drag(".chip", "X22")
        await_next(page, "9.62022")
        assert "X22" in page.inner_text(".latest")


def test_a_basket_by_keys_alone(chromium: Any, tmp_path: Path) -> None:
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
        assert "V3 Med Tank Pltn" in told and "V10" not in told
