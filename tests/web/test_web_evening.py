"""The whole evening in a real browser, by mouse only and by keyboard only, as at the terminal.

New CG II with its purchases, 60 pieces after Dawn entered, the Refit Phase to Day I, sheets
downloaded. What was answered at the terminal is given in the page; the journals are the same.
"""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from web_evening import PIECES, EveningPlayer, Layout, TerminalPlayer, entries_of, plain
from web_help import Served, serving
from web_screen import Screen

SEED = 7


class Evening:
    """The game as it was begun in the page, and what the terminal made of it."""

    def __init__(self, begun: Path, script: list[dict[str, Any]], layout: Layout) -> None:
        self.begun, self.script, self.layout = begun, script, layout


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("evening")) as found:
        yield found


def with_seed(route: Any) -> None:
    """What the page sends to begin a game, with a seed: the ids of pieces are the same then."""
    sent = route.request.post_data
    if sent is None:
        route.continue_()
    else:
        route.continue_(post_data=json.dumps({**json.loads(sent), "seed": SEED}))


@pytest.fixture(scope="module")
def evening(chromium: Any, served: Served) -> Evening:
    """Begun in the page by mouse alone; a copy is played at the terminal."""
    with Screen(chromium, served, "both") as screen:
        screen.page.route("**/api/games", with_seed)
        page = screen.open()
        page.click("[data-begin=campaign]")
        page.click("label:has(input[value=CG2])")
        page.click("label:has(input[value=manual])")
        page.click("dialog button.main")
        page.wait_for_selector("[data-curtain]")
    begun = served.folder / "evening.pbcg"
    copy = served.folder / "terminal.copy"
    shutil.copyfile(begun, copy)
    shutil.copyfile(begun, served.folder / "keys.pbcg")
    player = TerminalPlayer(copy, served.folder)
    player.play()
    assert player.layout and player.layout.in_hex(player.layout.hexes()[0])
    return Evening(begun, entries_of(copy), player.layout)


def sheets_of(page: Any) -> tuple[str, list[str]]:
    """All sheets of the German, downloaded: the text of the PDF, the names of the workbook's."""
    import openpyxl
    import pypdf

    with page.expect_download() as pdf:
        page.click('[data-download="all.pdf"]')
    with page.expect_download() as book:
        page.click('[data-download="all.xlsx"]')
    read = pypdf.PdfReader(pdf.value.path())
    content = io.BytesIO(Path(book.value.path()).read_bytes())
    texts = "".join(each.extract_text() for each in read.pages)
    return texts, openpyxl.load_workbook(content).sheetnames


def test_by_mouse_alone(chromium: Any, served: Served, evening: Evening) -> None:
    with Screen(chromium, served, "both") as screen:
        page = screen.open()
        page.click(f"[data-game]:has-text('{evening.begun.stem}')")
        player = EveningPlayer(page, evening.script, evening.layout, keyboard=False)
        player.finish()
        assert "Day I" in page.inner_text(".top")
        page.click("[data-view=sheets]")
        page.click("[data-whose=german]")
        texts, books = sheets_of(page)
        assert "CG Roster" in texts and "Day I" in texts and books
    assert player.strokes == 0
    print(f"{PIECES} pieces, Control: {player.entering} actions, {player.drags} drags in all")
    print(f"the evening: {player.actions} actions of the mouse, {len(evening.script)} entries")
    assert player.entering < 3 * PIECES
    found = served.folder / "found.copy"
    shutil.copyfile(evening.begun, found)
    assert plain(entries_of(found)) == plain(evening.script)


def test_by_keyboard_alone(chromium: Any, served: Served, evening: Evening) -> None:
    copy = served.folder / "keys.pbcg"
    with Screen(chromium, served, "both") as screen:
        page = screen.open()
        # Tab comes to everything; that is shown elsewhere, here the focus jumps to save time.
        page.focus("[data-begin=campaign]")
        page.keyboard.press("Enter")
        page.focus("input[value=CG1]")
        page.keyboard.press("ArrowDown")
        page.focus("input[name=name]")
        page.keyboard.press("Control+A")
        page.keyboard.type("another")
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-curtain]")
        assert "another" in page.inner_text(".top h1")
        page = screen.open(copy)
        page.reload()
        player = EveningPlayer(page, evening.script, evening.layout, keyboard=True)
        player.finish()
        page.focus("[data-view=sheets]")
        page.keyboard.press("Enter")
        page.focus("[data-whose=german]")
        page.keyboard.press("Enter")
        with page.expect_download() as pdf:
            page.focus('[data-download="all.pdf"]')
            page.keyboard.press("Enter")
        assert Path(pdf.value.path()).read_bytes().startswith(b"%PDF")
    print(f"{PIECES} pieces by {player.entering} keys and presses; {player.strokes} keys in all")
    found = served.folder / "keys.copy"
    shutil.copyfile(copy, found)
    assert plain(entries_of(found)) == plain(evening.script)
