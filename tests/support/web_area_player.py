"""Plays the area game in the page by mouse: stacks, rings and buttons of the living map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.st.area_terms import BRITISH
from asl_pbcg.st.british.orders import action_words
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.procedures.movement import Action, legal_actions
from asl_pbcg.st.rules.p3_british_movement import action_decision
from asl_pbcg.st.state.decision import Decision

READY = (
    "(seq) => { const box = document.querySelector('.asked:not(.waiting)');"
    " const now = box?.querySelector('[data-prompt]');"
    " const map = document.querySelector('.mapbox').view?.map;"
    " return now && now.dataset.seq !== seq && map"
    " && String(map.seq) === (now.dataset.seq ?? String(map.seq)); }"
)


CLICKABLE = (
    "(selector) => { const e = document.querySelector(selector); if (!e?.offsetParent) return null;"
    " e.scrollIntoView({ block: 'center' }); const r = e.getBoundingClientRect();"
    " const at = [r.x + r.width / 2, r.y + r.height / 2];"
    " return e.contains(document.elementFromPoint(...at)) ? at : null; }"
)
"""Where a control of the list can be clicked now; null while it is covered or away."""


class AreaMouse:
    """A mouse that does what the good automatic player would do, and counts its clicks.

    What is asked is read from the file of the game; everything is given to the page alone.
    """

    def __init__(self, page: Any, file: Path) -> None:
        self.page = page
        self.file = file
        self.clicks = 0
        self.on_map = 0
        """How many orders were given on the map itself."""
        self.player = GoodPlayer()
        self._phase = ""
        self._left: set[str] = set()
        self._stacks: set[str] = set()
        self._named: set[tuple[str, int | None, str]] = set()

    def play(self, until: int = 99, steps: int = 2000) -> tuple[int, bool]:
        """Play up to turn ``until``, so many steps, or to the end: the turn, whether it is over."""
        self.page.wait_for_function(READY, arg="")
        for _ in range(steps):
            with OpenGame.open(self.file, look=True) as game:
                state, asked = game.session.state, game.session.pending
                if state.over or state.turn >= until:
                    break
                assert isinstance(asked, Decision), asked
                self._step(asked)
        with OpenGame.open(self.file, look=True) as game:
            return game.session.state.turn, game.session.state.over

    def _answer(self, asked: Decision) -> Any:
        """What the good player says; a unit that it has left stays so until the phase is over."""
        sit = asked.situation
        if self._phase != sit.where:
            self._phase = sit.where
            self._left.clear()
            self._stacks.clear()
            self._named.clear()
        answer = self.player.answer(asked)
        if asked.id == "action" and answer == "stop":
            self._left.update(asked.pieces)
        if asked.id == "act" and answer in sit.units:
            # A unit with nothing left to decide is not asked about: do not name it for ever.
            now = (answer, sit.spent.get(answer), sit.units[answer].place)
            if now in self._named:
                self._left.add(answer)
            self._named.add(now)
        if asked.id == "act" and answer in self._left | {f"stack {s}" for s in self._stacks}:
            return asked.ids[-1]
        if asked.id == "act" and answer.startswith("stack "):
            self._stacks.add(answer.removeprefix("stack "))
        return answer

    # -- one decision ---------------------------------------------------------------------------

    def _step(self, asked: Decision) -> None:
        before = self.page.evaluate(
            "() => document.querySelector('.asked [data-prompt]').dataset.seq"
        )
        answer = self._answer(asked)
        if asked.id == "act" and answer in asked.situation.units:
            self._unit(asked, answer)
        elif asked.id == "act" and answer == asked.ids[-1]:
            self.click("[data-action=end-phase]")
            if self.page.evaluate("() => document.querySelector('.mapbox').view.map.idle !== ''"):
                self.click("[data-action=end-phase]")  # units can still act: twice
        elif asked.id == "action" and self._ordered(asked, answer):
            self.on_map += 1
        elif asked.kind == "choose-some":
            self._some(answer)
        else:
            self.click(f'.asked button[data-option="{answer}"]')
        self.page.wait_for_function(READY, arg=before)

    def _unit(self, asked: Decision, id: str) -> None:
        """Choose a unit on the map and give it its order there; else in the list."""
        sit = asked.situation
        unit = sit.units[id]
        legal = legal_actions(sit, unit)
        wanted = self.player.answer(action_decision(sit, (unit.id,), legal)) if legal else "stop"
        action = next((each for each in legal if each.id == wanted), None)
        if action is None or not self._choose(sit, id) or not self._give(sit, id, action):
            self.click(f'.asked button[data-option="{id}"]')
            return
        self.on_map += 1

    def _choose(self, sit: Any, id: str) -> bool:
        """Click the stack and leave all others of it out."""
        area = sit.units[id].area
        self._bring(area)
        self._stack(area)
        facts = self.page.locator(f'.facts:not([hidden]) [data-unit="{id}"]')
        try:
            facts.wait_for(timeout=3000)
        except Exception:
            return False
        for other in [each.id for each in sit.in_area(BRITISH, area)] + [id]:
            button = self.page.locator(f'.facts [data-unit="{other}"]')
            if button.count() and button.is_enabled():
                pressed = button.get_attribute("aria-pressed") == "true"
                if pressed != (other == id):
                    self._toggle(other)
        return bool(
            self.page.evaluate(
                "(id) => { const { chosen, ways } = document.querySelector('.mapbox').view.orders;"
                " return chosen.length === 1 && chosen[0] === id && !!ways; }",
                id,
            )
        )

    def _toggle(self, id: str) -> None:
        self.click(f'.facts [data-unit="{id}"]')
        self.page.wait_for_function("() => document.querySelector('.mapbox').view.orders.ways")

    def _give(self, sit: Any, id: str, action: Action) -> bool:
        if action.kind in ("move", "arrow"):
            way = self.page.evaluate(
                "(area) => document.querySelector('.mapbox').view.orders.way(area) ?? null",
                action.target,
            )
            if way is None or way["path"] != [action.target]:
                return False
            self._bring(action.target)
            self._ring(action.target)
            if way["safer"]:
                self.click("[data-way=quickest]")
            return True
        word = action_words(sit, id, [action])[action.id]
        return self._word(word)

    def _ordered(self, asked: Decision, answer: str) -> bool:
        """The order for the unit that is asked about, on the map."""
        if answer == "stop":
            return False
        action = next(each for each in asked.choices if each.id == answer)
        try:
            self.page.wait_for_function(
                "() => { const view = document.querySelector('.mapbox').view;"
                " return view.orders.ways && !view.host.dataset.playing; }",
                timeout=3000,
            )
        except Exception:
            return False
        return self._give(asked.situation, asked.pieces[0], action)

    def _word(self, word: str) -> bool:
        button = self.page.locator(f'.facts [data-word="{word}"]')
        if not button.count():
            return False
        self.clicks += 1
        button.first.click()
        return True

    def _some(self, wanted: list[str]) -> None:
        boxes = self.page.evaluate(
            "() => [...document.querySelectorAll('.asked input[data-option]')]"
            ".map((e) => [e.dataset.option, e.checked])"
        )
        for id, checked in boxes:
            if checked != (id in wanted):
                self.click(f'.asked input[data-option="{id}"]')
        self.click(".asked [data-action=send]")

    # -- the mouse ------------------------------------------------------------------------------

    def click(self, selector: str) -> None:
        """Click a control; what is hidden while a stack is looked at comes back when that ends."""
        self.clicks += 1
        if not selector.startswith(".asked"):
            self.page.click(selector)
            return
        for _ in range(400):
            if at := self.page.evaluate(CLICKABLE, selector):
                self.page.mouse.click(*at)
                return
            if self.page.locator(".facts .close").is_visible():
                self.clicks += 1
                self.page.evaluate("() => document.querySelector('.facts .close')?.click()")
            self.page.wait_for_timeout(25)
        raise AssertionError(f"{selector} cannot be clicked")

    def _bring(self, area: str) -> None:
        """Zoom and move the map until the area can be seen, clear of the panels."""
        self.page.evaluate(
            "(area) => { const b = document.querySelector('.mapbox').view.board;"
            " const [x, y] = b.centre(area); b.x = b.size[0] * 0.62 - x * b.k;"
            " b.y = b.size[1] * 0.4 - y * b.k; b.draw(); }",
            area,
        )
        self.page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def _stack(self, area: str) -> None:
        box = self.page.locator(f'[data-stack="{area}"] .card').first.bounding_box()
        self._at(box)

    def _ring(self, area: str) -> None:
        box = self.page.locator(f'.layer.hexes [data-hex="{area}"]').bounding_box()
        self._at(box)

    def _at(self, box: Any) -> None:
        self.clicks += 1
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
