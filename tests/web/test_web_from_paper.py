"""A paper campaign of ninety pieces brought in by hand in a real browser, its clicks counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from paper_campaign import ninety_pieces, typed_lines
from web_help import serving
from web_screen import Screen

CLICK, KEY = 1.2, 0.28
"""Seconds of a click, and of a key of somebody who types 40 words a minute."""


class Hand:
    """Clicks and types as a person does, and counts both."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.clicks = self.keys = 0

    def click(self, selector: str) -> None:
        self.page.click(selector)
        self.clicks += 1

    def type(self, selector: str, words: str) -> None:
        self.page.fill(selector, words)
        self.page.press(selector, "Enter")
        self.keys += len(words) + 1

    def choose(self, selector: str, label: str) -> None:
        """Choose from a list what is not chosen yet: a click opens it, another one chooses."""
        box = self.page.locator(selector)
        chosen = box.evaluate("box => box.selectedOptions[0]?.text ?? ''")
        if chosen.lower() != label.lower():
            listed = box.evaluate("box => [...box.options].map((each) => each.text)")
            box.select_option(label=next(each for each in listed if each.lower() == label.lower()))
            self.clicks += 2

    def place(self, selector: str, line: str) -> None:
        """Type a line and wait until it has been taken."""
        self.type(selector, line)
        taken = "(selector) => document.querySelector(selector)?.value === ''"
        self.page.wait_for_function(taken, arg=selector)

    def answer(self, value: str = "") -> None:
        """Answer what is asked; without a value as the page proposes."""
        now = self.page.wait_for_selector(".asked:not(.waiting) [data-prompt]")
        kind, seq = now.get_attribute("data-kind"), now.get_attribute("data-seq")
        if kind == "choose":
            self.click(f".asked button[data-option='{value}']")
        elif value:
            self.type(".asked input:visible", value)
        else:
            self.click(".asked [data-action=default]")
        self.page.wait_for_function(
            "(seq) => { const now = document.querySelector('.asked:not(.waiting) [data-prompt]');"
            " return now && now.dataset.seq !== seq; }",
            arg=seq,
        )


SIDE, TYPED, MARK = "[aria-label='Whose pieces']", "[name=typed]", "[name=mark]"
NAMES = {
    "ap-mines": "A-P mines",
    "at-mines": "A-T mines",
    "rubble-stone": "Stone rubble",
    "rubble-wood": "Wooden rubble",
    "burnt-out-wreck": "Burnt-out wreck",
    "burning-wreck": "Burning wreck",
}
ANSWERS = ("", "3", "4", "german", "", "", "I5 V5", "none", "7", "agreement")
"""No file, both SAN, II13, no records of the British, none of the German, RG, CPP, the end."""


def things(data: dict[str, Any]) -> Iterator[tuple[str, str, int, list[str]]]:
    """What lies on the map, alike things together: what the list calls it, owner, size, hexes."""
    alike: dict[tuple[str, str, int], list[str]] = {}
    for row in (*data["fortifications"], *data["terrain"]):
        name = NAMES.get(row["kind"], row["kind"].capitalize())
        alike.setdefault((name, row.get("owner", ""), row.get("size", 0)), []).append(row["at"])
    for (name, owner, size), places in alike.items():
        yield name, owner, size, places


@pytest.mark.finding("G-34")
def test_ninety_pieces_take_fifteen_minutes_in_the_page(chromium: Any, tmp_path: Path) -> None:
    data = ninety_pieces()
    with serving(tmp_path) as served, Screen(chromium, served, "umpire") as screen:
        page = screen.open()
        hand = Hand(page)
        hand.click("[data-begin=paper]")
        hand.click("dialog button.main")
        for value in ANSWERS:
            hand.answer(value)
        hand.click("[data-action=enter]")
        page.wait_for_selector("[data-editor]")
        for side, line in typed_lines(data):
            hand.choose(SIDE, side)
            hand.place(TYPED, line)
        for side, places in data["control"].items():
            hand.click(f"[data-mode={side}]")
            for level in sorted({place.partition("/")[2] for place in places} & {"", "1", "2"}):
                for _ in range(int(level or 0)):
                    hand.click("[aria-label='Level up']")
                here = [
                    each.partition("/")[0] for each in places if each.partition("/")[2] == level
                ]
                hand.place(MARK, " ".join(here))
                for _ in range(int(level or 0)):
                    hand.click("[aria-label='Level down']")
        for thing, owner, size, places in things(data):
            hand.choose("[data-action=thing]", thing)
            if owner:
                hand.choose("[aria-label='Whose Fortification']", owner)
            if size:
                called = "factors" if "mines" in thing else "size"
                hand.choose("[aria-label='Its size']", f"{called} {size}")
            hand.place(MARK, " ".join(places))
        page.wait_for_selector("[data-editor] .faults .good")
    minutes = (hand.clicks * CLICK + hand.keys * KEY) / 60
    assert minutes <= 15
    page_told = (Path(__file__).parents[2] / "docs/players/from-paper.md").read_text("utf-8")
    told = f"{hand.clicks} clicks and {hand.keys:,} keys: {minutes:.0f} minutes"
    assert told in " ".join(page_told.split())
