"""A page of a served game in a real browser: opened, waited for, held against axe-core."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from web_help import Here, serving

from asl_pbcg.web.folder import game_id


class Screen:
    """A page of the served game, and what went wrong in it."""

    def __init__(self, chromium: Any, served: Here, viewer: str, **more: Any) -> None:
        size = more.pop("size", (1280, 800))
        self.context = chromium.new_context(
            viewport={"width": size[0], "height": size[1]}, bypass_csp=True, **more
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.served, self.viewer = served, viewer

    def open(self, file: Path | None = None, more: str = "") -> Any:
        game = f"&game={game_id(file)}" if file else ""
        self.page.goto(f"{self.served.base}/#key={self.served.key(self.viewer)}{game}{more}")
        return self.page

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()
        assert not self.wrong, self.wrong


Look = Callable[..., contextlib.AbstractContextManager[list[Screen]]]
"""``with look("british", "german") as (anne, karl)``: a game served, a page of it for each."""


def looker(chromium: Any, file: Path) -> Look:
    """Serves the folder of ``file`` and opens a page of that game for each viewer."""

    @contextlib.contextmanager
    def look(*viewers: str, **more: Any) -> Iterator[list[Screen]]:
        with serving(file.parent) as served, contextlib.ExitStack() as stack:
            screens = [Screen(chromium, served, viewer, **more) for viewer in viewers]
            for screen in screens:
                stack.enter_context(screen).open(file)
            yield screens

    return look


def await_next(page: Any, before: str) -> None:
    """Wait until something else than the prompt ``before`` is asked."""
    page.wait_for_function(
        "(before) => { const now = document.querySelector('.asked:not(.waiting) [data-prompt]');"
        " return now && now.dataset.prompt !== before; }",
        arg=before,
    )


def pinch(page: Any, x: float, y: float) -> None:
    """Two fingers that zoom in; the first of them comes down at ``x``, ``y``."""
    session = page.context.new_cdp_session(page)
    for step in range(9):
        first = {"x": x - 5 * step, "y": y - 5 * step, "id": 1}
        second = {"x": x + 40 + 5 * step, "y": y + 40 + 5 * step, "id": 2}
        fingers = [first] if step == 0 else [first, second]
        kind = "touchMove" if step > 1 else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
        page.wait_for_timeout(20)
    for left in ([first], []):
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": left})
        page.wait_for_timeout(20)


def axe(page: Any) -> list[str]:
    """What axe-core finds wrong with a page."""
    import axe_playwright_python

    script = Path(axe_playwright_python.__file__).parent / "axe.min.js"
    if not page.evaluate("() => 'axe' in window"):
        page.add_script_tag(content=script.read_text(encoding="utf-8"))
    # Colours on their way from one to another are nobody's.
    page.evaluate("() => Promise.allSettled(document.getAnimations().map((e) => e.finished))")
    found = page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']}))")
    return [
        f"{each['id']}: {each['help']} {[node['target'] for node in each['nodes'][:3]]}"
        for each in found["violations"]
    ]


def axe_in_both(page: Any) -> list[str]:
    """What axe-core finds wrong in the light and in the dark."""
    found = []
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {each}" for each in axe(page)]
    return found
