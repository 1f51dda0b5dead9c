"""Plays a game in the page as a person would: sees what is asked, clicks or types."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from asl_pbcg.chronicle.deeds import END_POSITION

BUYING = "9.617.1"
READY = ".asked:not(.waiting) [data-prompt], .asked:not(.waiting) [data-curtain]"


class PagePlayer:
    """Answers at random what the page asks, by mouse or by keyboard alone.

    ``documents`` gives the file for each prompt that asks for one; what has none is answered by
    its default; ``always`` the option that is taken at a prompt. ``actions`` counts clicks and
    key presses.
    """

    def __init__(
        self,
        page: Any,
        seed: int,
        keyboard: bool = False,
        documents: dict[str, Path] | None = None,
        always: dict[str, str] | None = None,
    ) -> None:
        self.page = page
        self.keyboard = keyboard
        self.documents = documents or {}
        self.always = {"0.1": "dr"} | (always or {})
        self.actions = 0
        self.asked: list[str] = []
        self.bought: list[str] = []
        self._random = random.Random(seed)

    # -- what the page shows ----------------------------------------------------------------

    def now(self) -> dict[str, str]:
        """The prompt on the page: ``prompt``, ``kind``, ``seq`` and ``whose``, or ``curtain``."""
        found: dict[str, str] = self.page.wait_for_function(
            "(ready) => { const now = document.querySelector(ready);"
            " return now && {...now.dataset, whose: now.matches('.ask.all') ? 'both' : 'one'}; }",
            arg=READY,
        ).json_value()
        return found

    def _press(self, selector: str) -> None:
        """Click a control, or bring the focus to it and press Enter."""
        self.actions += 1
        if self.keyboard:
            # Tab reaches everything; that is shown once, here the focus jumps to save time.
            self.page.focus(selector)
            self.page.keyboard.press("Enter")
        else:
            self.page.click(selector)

    def _tick(self, selector: str) -> None:
        self.actions += 1
        if self.keyboard:
            self.page.focus(selector)
            self.page.keyboard.press("Space")
        else:
            self.page.click(selector)

    # -- playing ------------------------------------------------------------------------------

    def play(self, until: str, most: int = 2000) -> None:
        """Answer until the prompt ``until`` is asked, or nothing is."""
        for _ in range(most):
            now = self.now()
            if now.get("prompt") in (until, ""):
                return
            self.step(now)
        raise AssertionError(f"{until} was not reached in {most} steps")

    def step(self, now: dict[str, str]) -> None:
        """Answer what is asked and wait for what comes next."""
        if "curtain" in now:
            self._press("[data-action=curtain]")
            before = now["curtain"]
            self.page.wait_for_function(
                "(before) => document.querySelector('.asked [data-curtain]')?.dataset.curtain"
                " !== before",
                arg=before,
            )
            return
        self.asked.append(now["prompt"])
        {
            "roll": self._roll,
            "choose": self._choose,
            "choose-some": self._choose_some,
            "number": self._number,
            "text": self.answer_text,
            "document": self._document,
        }[now["kind"]](now)
        self.settled(now["seq"])

    def settled(self, seq: str) -> None:
        """Wait until the page shows what comes after the question of number ``seq``."""
        self.page.wait_for_function(
            "(seq) => { const box = document.querySelector('.asked:not(.waiting)');"
            " const now = box?.querySelector('[data-prompt], [data-curtain]');"
            " return now && now.dataset.seq !== seq; }",
            arg=seq,
        )

    def _roll(self, now: dict[str, str]) -> None:
        if self.keyboard:
            self.actions += 1
            self.page.keyboard.press("r")
        else:
            self._press("[data-action=roll]")

    def _options(self, selector: str) -> list[str]:
        found: list[str] = self.page.evaluate(
            "(selector) => [...document.querySelectorAll(selector)].map((e) => e.dataset.option)",
            selector,
        )
        return found

    def _choose(self, now: dict[str, str]) -> None:
        if now["prompt"] == BUYING:
            self._buy()
            return
        open_now = self._options(".asked button[data-option]:not([aria-disabled])")
        chosen = self.always.get(now["prompt"]) or self._random.choice(open_now)
        self._press(f".asked button[data-option={_quoted(chosen)}]")

    def _buy(self) -> None:
        """Put a few RG into the basket, one back again, and receive the rest."""
        wanted = self.always.get(BUYING, "V3 I4 V10").split()
        for id in wanted:
            card = f".rgcards [data-option={_quoted(id)}]:not([aria-disabled])"
            self.page.wait_for_selector(".purchase .basket")
            if not self.page.locator(card).count():
                continue
            before = self.page.locator("[data-bought]").count()
            self._press(card)
            self.page.wait_for_function(
                "(before) => document.querySelector('.places [data-place]')"
                " || document.querySelectorAll('[data-bought]').length > before",
                arg=before,
            )
            open_now = self.page.locator(".places [data-place]:not([aria-disabled])")
            if open_now.count():
                places = open_now.evaluate_all("(all) => all.map((e) => e.dataset.place)")
                chosen = self._random.choice(places)
                self._press(f".places [data-place={_quoted(chosen)}]")
            self.page.wait_for_function(
                "(before) => document.querySelectorAll('[data-bought]').length > before",
                arg=before,
            )
            self.bought.append(id)
        if len(self.bought) > 2:
            count = self.page.locator("[data-bought]").count()
            self._press("[data-bought] [data-action=put-back]")
            self.page.wait_for_function(
                "(before) => document.querySelectorAll('[data-bought]').length < before", arg=count
            )
            self.bought.pop(0)
        self._press("[data-action=receive]")

    def _choose_some(self, now: dict[str, str]) -> None:
        open_now = self._options(".asked input[data-option]")
        send = ".asked [data-action=send]"
        start = [each for each in open_now if self._checked(each)]
        wanted = self._random.sample(open_now, min(len(open_now), 1))
        for each in {*start} ^ {*wanted}:
            self._tick(f".asked input[data-option={_quoted(each)}]")
        for each in open_now:  # as many as must be
            if not self.page.is_disabled(send):
                break
            if each not in wanted:
                self._tick(f".asked input[data-option={_quoted(each)}]")
        self._press(send)

    def _checked(self, option: str) -> bool:
        return bool(self.page.is_checked(f".asked input[data-option={_quoted(option)}]"))

    def _number(self, now: dict[str, str]) -> None:
        self._press(".asked [data-action=send]")

    def answer_text(self, now: dict[str, str]) -> None:
        """Give the answer that the page offers, else send what its widget shows."""
        either = ".asked [data-action={}]"
        self.page.wait_for_selector(f"{either.format('send')}, {either.format('default')}")
        default = self.page.locator(either.format("default")).count()
        self._press(either.format("default" if default else "send"))

    def _document(self, now: dict[str, str]) -> None:
        file = self.documents.get(now["prompt"])
        if file is None:
            self.page.wait_for_selector(".asked [data-action=default]")
            self._press(".asked [data-action=default]")
            return
        self.actions += 1
        self.page.set_input_files(".asked [data-action=file]", str(file))
        self.page.wait_for_selector(".asked [data-action=send]:visible")
        self._press(".asked [data-action=send]")
        if now["prompt"] == END_POSITION:
            self._press("dialog [data-option=go-on]")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
