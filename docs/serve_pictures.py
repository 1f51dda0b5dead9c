"""Takes the pictures of ``docs/players/serve.md`` and of the README in a real browser.

The games are the golden campaigns of the tests. Run: ``python docs/serve_pictures.py [NAME ...]``
with any of home, table, prompt, position, purchase, setup, history, phone, living; it needs a
browser, as the tests of the page do.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent / "tests" / "support"))

from golden_campaign import FILE, folder_of, play, settings  # noqa: E402
from play_help import play_cg2_to  # noqa: E402
from web_help import FLAGS, Served, find_browser, serving  # noqa: E402

from asl_pbcg.kernel.answers import ListedAnswers  # noqa: E402
from asl_pbcg.kernel.dice import SeededDice  # noqa: E402
from asl_pbcg.kernel.prompts import Prompt  # noqa: E402
from asl_pbcg.kernel.session import Session  # noqa: E402
from asl_pbcg.play.area_play.area_game import create_game  # noqa: E402
from asl_pbcg.play.campaign_game.position_document import read_document  # noqa: E402
from asl_pbcg.play.open_game import OpenGame  # noqa: E402
from asl_pbcg.st.board.map_load import load_map  # noqa: E402
from asl_pbcg.st.player.policy import GoodPlayer  # noqa: E402
from asl_pbcg.st.state.game_state import State  # noqa: E402
from asl_pbcg.web.folder import game_id  # noqa: E402

TITLES = {
    "evening": "Coup de Main", "ended": "Night I ends", "past": "June 1944",
    "relief": "Hold Until Relieved", "mines": "Before Dawn", "bridge": "The bridge",
}  # fmt: skip
"""The games of the folder, as their files are called."""
PLAYERS = {"british": "Anne", "german": "Karl"}


def golden(place: Path, file: Path, until: str) -> None:
    """The golden CG I up to the end of the CG Date ``until``; without, up to Night I."""
    place.mkdir()
    wanted = settings("cg1")
    with patch(
        "golden_campaign.settings", lambda _: {**wanted, "dates": wanted["dates"] * bool(until)}
    ):
        play("cg1", place, until, records=False)
    shutil.copyfile(place / FILE, file)


def go_on(file: Path, date: str, until: str, about: str = "") -> None:
    """Go on with the golden CG I after ``date`` until the question ``until`` about something."""
    source = folder_of("cg1")
    with OpenGame.open(file) as game:
        session = game.session
        document = read_document(str(source / f"{date}.position.yaml"), session.state)
        listed = ListedAnswers.read(
            source / f"{date}.answers.yaml",
            lambda name: read_document(str(source / name), session.state),
        )
        while (asked := session.pending) is not None:
            if asked.id == until and about in asked.about:
                return
            if asked.id == "0.2":
                session.answer(document)
            elif isinstance(asked, Prompt):
                session.answer(listed.answer(asked))
            else:
                session.throw(listed.dice(asked) or (4,) * asked.spec.count)
    raise AssertionError(f"{until} is never asked after {date}")


def play_area_game(session: Session[State], turn: int) -> None:
    """Play an area game as the good player would, up to British Movement of ``turn``."""
    player, dice = GoodPlayer(), SeededDice(6)
    while (asked := session.pending) is not None:
        if isinstance(asked, Prompt):
            if asked.id == "act" and session.state.turn >= turn:
                return
            session.answer(player.answer(asked))
        else:
            session.throw(dice.throw(asked.spec, session.rolls, asked.text))


class Photographer:
    """Opens pages of the served folder and keeps pictures of them."""

    def __init__(self, browser: Any, served: Served) -> None:
        self.browser, self.served = browser, served

    def page(
        self, file: Path | None = None, size: tuple[int, int] = (1280, 800), more: str = ""
    ) -> Any:
        """A page of the umpire's, on a game or at home."""
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]}, bypass_csp=True
        )
        page = context.new_page()
        page.set_default_timeout(120_000)
        game = f"&game={game_id(file)}" if file else ""
        page.goto(f"{self.served.base}/#key={self.served.key('umpire')}{game}{more}")
        return page

    def keep(self, page: Any, name: str) -> None:
        """Keep the picture ``serve-NAME.png``."""
        import io

        from PIL import Image

        page.evaluate("() => Promise.allSettled(document.getAnimations().map((e) => e.finished))")
        shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        shot.quantize(256).save(DOCS / "pictures" / f"serve-{name}.png", optimize=True)
        page.context.close()


def take(photographer: Photographer, folder: Path, wanted: set[str]) -> None:
    """Take the pictures ``wanted``, all if there are none."""

    def want(name: str) -> bool:
        return not wanted or name in wanted

    games = {name: folder / f"{title}.pbcg" for name, title in TITLES.items()}
    if want("home"):
        page = photographer.page()
        page.wait_for_function(
            "(count) => document.querySelectorAll('.card img').length === count", arg=len(games)
        )
        photographer.keep(page, "home")
    if want("table"):
        page = photographer.page(games["evening"])
        page.wait_for_selector(".board.painted")
        look_at(page, "Y19", 0)
        stack = page.locator('[data-stack="X18"]').bounding_box()
        page.mouse.move(stack["x"] + stack["width"] / 2, stack["y"] + stack["height"] / 2)
        page.wait_for_selector(".fan:visible")
        photographer.keep(page, "table")
    if want("prompt"):
        page = photographer.page(games["evening"])
        page.wait_for_selector(".board.painted")
        look_at(page, "X18", 1)
        page.locator(".option").first.hover()
        photographer.keep(page, "prompt")
    if want("position"):
        page = photographer.page(games["ended"])
        page.wait_for_selector(".board.painted")
        page.click("[data-action=enter]")
        page.wait_for_selector("[data-editor]")
        page.set_input_files(
            "[data-action=start-file]", str(folder_of("cg1") / "night-1.position.yaml")
        )
        page.wait_for_function("() => document.querySelector('[data-editor]').dataset.judged > 0")
        look_at(page, "Y19", 1)
        page.evaluate("() => (document.getElementById('notice').textContent = '')")
        photographer.keep(page, "position")
    if want("purchase"):
        page = photographer.page(games["relief"])
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
        page = photographer.page(games["mines"])
        page.wait_for_selector(".board.painted")
        page.wait_for_selector(".veiled", state="attached")
        photographer.keep(page, "setup")
    if want("history"):
        page = photographer.page(games["past"], more="&view=back", size=(1280, 1000))
        page.wait_for_selector(".backmap .board.painted")
        page.wait_for_selector("[data-plot], .plot, .plots svg")
        photographer.keep(page, "history")
    if want("phone"):
        page = photographer.page(games["evening"], (390, 844))
        page.wait_for_selector("[data-prompt]")
        photographer.keep(page, "phone")
    if want("living"):
        page = photographer.page(games["bridge"])
        page.wait_for_selector(".areaboard.painted")
        page.wait_for_selector(".asked [data-option]")
        look_at(page, "EF", 2)
        page.locator('.layer.hexes [data-hex="N10"]').click()
        page.wait_for_selector(".mapbox [data-ways], .mapbox[data-ways]")
        page.mouse.move(5, 500)
        photographer.keep(page, "living")


def look_at(page: Any, hex: str, closer: int) -> None:
    """Bring a hex into the middle, and close its facts."""
    page.fill(".finder input", hex)
    page.press(".finder input", "Enter")
    for _ in range(closer):
        page.click("[data-action=closer]")
    if page.locator(".facts:visible").count():
        page.click(".facts .close")
    page.fill(".finder input", "")
    page.locator(".finder input").first.blur()
    page.mouse.move(5, 500)
    page.wait_for_timeout(200)


def main() -> None:
    """Take the pictures named on the command line, or all."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory(prefix="pbcg-") as place:
        folder = Path(place)
        games = {name: folder / "games" / f"{title}.pbcg" for name, title in TITLES.items()}
        (folder / "games").mkdir()
        play_cg2_to(games["relief"], "9.617.1", PLAYERS)
        play_cg2_to(games["mines"], "9.62022", PLAYERS)
        golden(folder / "all", games["past"], "day-1")
        for name, until in (("evening", "9.606.2"), ("ended", "0.2")):
            golden(folder / name, games[name], "")
            go_on(games[name], "night-1", until)
        meta = {"settings": {"mode": "historical"}, "dice": "seeded", "seed": 6}
        with create_game(games["bridge"], meta, load_map()) as game:
            play_area_game(game.session, 2)
        with serving(folder / "games") as served, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
            take(Photographer(browser, served), folder / "games", set(sys.argv[1:]))
            browser.close()


if __name__ == "__main__":
    main()
