"""Takes the pictures of buying and setting up in ``docs/players/serve.md`` in a real browser.

Run: ``python docs/serve_pictures.py [NAME ...]``; it needs a browser, as the tests of the page do.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent / "tests"))

from web_help import FLAGS, Served, find_browser  # noqa: E402

from asl_pbcg.play.campaign import create_campaign  # noqa: E402
from asl_pbcg.play.seat import Seat  # noqa: E402
from asl_pbcg.web.folder import game_id  # noqa: E402

PLAYERS = {"british": "Anne", "german": "Karl"}


def hold_until_relieved(file: Path, until: str) -> None:
    """CG II up to the question ``until``; the British have bought mines."""
    meta = {"settings": {"campaign": "CG2", "players": PLAYERS}, "dice": "seeded", "seed": 4}
    with create_campaign(file, meta) as game:
        seat, mines = Seat(game, "umpire"), False
        while (asked := seat.asked()) is not None and asked.id != until:
            if not hasattr(asked, "kind"):
                seat.roll()
            elif asked.id == "9.619.1" and asked.side == "british" and not mines:
                seat.answer("ap-mines")
                mines = True
            elif asked.kind == "choose":  # type: ignore[union-attr]
                legal = [each.id for each in asked.options if not each.refused]  # type: ignore[union-attr]
                seat.answer("done" if "done" in legal else legal[0])
            else:
                seat.answer(asked.default)  # type: ignore[union-attr]


class Photographer:
    """Opens pages of the served folder and keeps pictures of them."""

    def __init__(self, browser: Any, served: Served) -> None:
        self.browser, self.served = browser, served

    def page(self, file: Path | None = None, size: tuple[int, int] = (1280, 800)) -> Any:
        """A page of the umpire's, on a game or at home."""
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]}, bypass_csp=True
        )
        page = context.new_page()
        page.set_default_timeout(120_000)
        game = f"&game={game_id(file)}" if file else ""
        page.goto(f"{self.served.base}/#key={self.served.key('umpire')}{game}")
        return page

    def keep(self, page: Any, name: str) -> None:
        """Keep the picture ``serve-NAME.png``."""
        import io

        from PIL import Image

        page.evaluate("() => Promise.allSettled(document.getAnimations().map((e) => e.finished))")
        shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        shot.quantize(128).save(DOCS / "pictures" / f"serve-{name}.png", optimize=True)
        page.context.close()


def take(photographer: Photographer, folder: Path, wanted: set[str]) -> None:
    """Take the pictures ``wanted``, all if there are none."""

    def want(name: str) -> bool:
        return not wanted or name in wanted

    relief, mines = folder / "relief.pbcg", folder / "mines.pbcg"
    if want("purchase"):
        page = photographer.page(relief)
        page.wait_for_selector(".rgcards .brings")
        page.wait_for_selector(".board.painted")
        for id, place, count in (("V3", "J0", 1), ("I4", "A7", 2)):
            page.click(f".rgcards [data-option={id}]")
            page.click(f"[data-place={place}]")
            page.wait_for_function(
                "(count) => document.querySelectorAll('[data-bought]').length === count", arg=count
            )
        photographer.keep(page, "purchase")
    if want("setup"):
        page = photographer.page(mines)
        page.wait_for_selector(".board.painted")
        page.wait_for_selector(".veiled", state="attached")
        photographer.keep(page, "setup")


def main() -> None:
    """Take the pictures named on the command line, or all."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory(prefix="pbcg-") as place:
        folder = Path(place)
        hold_until_relieved(folder / "relief.pbcg", "9.617.1")
        hold_until_relieved(folder / "mines.pbcg", "9.62022")
        served = Served(folder)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
            take(Photographer(browser, served), folder, set(sys.argv[1:]))
            browser.close()
        served.stop()


if __name__ == "__main__":
    main()
