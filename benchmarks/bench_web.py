"""How quick the page of ``pbcg serve`` is, in a real browser without a screen.

Medians and 95th percentiles in milliseconds. Run: ``python benchmarks/bench_web.py [ROUNDS]``.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from web_help import FLAGS, Served, find_browser  # noqa: E402

from asl_pbcg.kernel.answers import ListedAnswers, drive  # noqa: E402
from asl_pbcg.kernel.dice import SeededDice  # noqa: E402
from asl_pbcg.play.campaign import create_campaign, read_document  # noqa: E402
from asl_pbcg.web.folder import game_id  # noqa: E402

GOLDEN = ROOT / "tests" / "golden_cg1"
PAINT = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"""


def begun(file: Path) -> None:
    """CG I before the end of Night I."""
    settings = {"campaign": "CG1", "players": {}, "balance": "", "house_rules": {}}
    meta = {"settings": settings, "dice": "seeded", "seed": 1944}
    with create_campaign(file, meta) as game:
        state = game.session.state
        listed = ListedAnswers.read(
            GOLDEN / "new.yaml", lambda name: read_document(str(GOLDEN / name), state)
        )
        drive(
            game.session,
            listed,
            SeededDice(1944),
            until=lambda: game.session.state.at == "scenario",
        )


ANSWER = """async () => {
  const start = performance.now();
  document.querySelector('[data-option=dr]').click();
  while (!document.querySelector("[data-prompt='0.1.dr']")) {
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - start;
}"""


def told(name: str, times: list[float], bound: str) -> None:
    times = sorted(times)
    high = times[min(len(times) - 1, int(len(times) * 0.95))]
    print(f"{name:44} {statistics.median(times):8.0f} {high:8.0f}   {bound}")


def measured(page: Any, run: Callable[[], None]) -> float:
    begun_at = time.perf_counter()
    run()
    page.evaluate(PAINT)
    return (time.perf_counter() - begun_at) * 1000


def main(rounds: int) -> None:
    from playwright.sync_api import sync_playwright

    folder = Path(tempfile.mkdtemp(prefix="pbcg-bench-"))
    file = folder / "evening.pbcg"
    begun(file)
    served = Served(folder)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
            print(f"{'':44} {'median':>8} {'95%':>8}   wanted")
            look(browser, served, file, rounds)
            browser.close()
    finally:
        memory(served)
        served.stop()
        shutil.rmtree(folder)


def opened(browser: Any, served: Served, file: Path) -> Any:
    context = browser.new_context(viewport={"width": 1400, "height": 860}, bypass_csp=True)
    page = context.new_page()
    page.goto(f"{served.base}/#key={served.key('umpire')}&game={game_id(file)}")
    return page


def look(browser: Any, served: Served, file: Path, rounds: int) -> None:
    first, board = [], []
    for _ in range(max(3, rounds // 5)):
        start = time.perf_counter()
        page = opened(browser, served, file)
        page.wait_for_selector("[data-prompt]")
        first.append((time.perf_counter() - start) * 1000)
        page.wait_for_selector(".board.painted")
        board.append((time.perf_counter() - start) * 1000)
        page.context.close()
    told("page opened to the question", first, "1000")
    told("page opened to the board drawn", board, "2500")
    page = opened(browser, served, file)
    page.wait_for_selector(".board.painted")
    answers = []
    for _ in range(rounds):
        answers.append(page.evaluate(ANSWER))
        page.keyboard.press("u")
        page.wait_for_selector("[data-prompt='0.1']")
    told("answer to the next prompt", answers, "150")
    page.click("[data-option=dr]")
    while not page.locator("[data-action=enter]").count():
        page.wait_for_timeout(120)
        if page.locator(".asked:not(.waiting) [data-action=send]:not([hidden])").count():
            page.click(".asked [data-action=send]")
    editing(page, rounds)


def editing(page: Any, rounds: int) -> None:
    page.click("[data-action=enter]")
    page.wait_for_selector("[data-editor]")
    total = page.locator("[data-tray]").count()
    hexes = [f"{column}{row}" for row in (12, 13, 14, 15, 16) for column in "MNOPQRSTUVWX"]
    ids = page.evaluate(
        "() => [...document.querySelectorAll('[data-tray]')].map(e => e.dataset.tray)"
    )
    for number, id in enumerate(ids):
        page.click(f'[data-tray="{id}"]')
        page.fill("[name=at]", hexes[number % len(hexes)])
        page.press("[name=at]", "Enter")
    page.click("[data-mode=german]")
    judged = "() => document.querySelector('[data-editor]').dataset.judged"
    times = []
    for number in range(rounds):
        hex = ("J9", "K9", "K10", "K12", "K13")[number % 5]
        box = page.locator(f'.layer.hexes [data-hex="{hex}"]').bounding_box()
        before = page.evaluate(judged)

        def paint(box: Any = box, before: Any = before) -> None:
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.wait_for_function(f"(before) => ({judged})() !== before", arg=before)

        times.append(measured(page, paint))
    told("click on Control to redrawn areas", times, "150, 300")
    page.click("[data-mode=move]")
    zooms = []
    page.mouse.move(500, 450)
    for number in range(rounds):
        by = -240 if number % 10 < 5 else 240
        zooms.append(measured(page, lambda by=by: page.mouse.wheel(0, by)))  # type: ignore[misc]
    told(f"a zoom step, {total} counters", zooms, "120")
    page.keyboard.press("Escape")
    frames = page.evaluate(FRAMES)
    told(f"a frame while dragging, {total} counters", frames, "20")


FRAMES = """async () => {
  const board = document.querySelector('.board');
  const stack = document.querySelector('[data-stack] [data-piece]');
  const from = stack.getBoundingClientRect();
  const send = (type, x, y, target) => target.dispatchEvent(new PointerEvent(type, {
    bubbles: true, pointerId: 7, button: 0, clientX: x, clientY: y, isPrimary: true}));
  send('pointerdown', from.x + 5, from.y + 5, stack);
  const times = [];
  let last = performance.now();
  for (let n = 0; n < 60; n += 1) {
    send('pointermove', from.x + 5 + n * 4, from.y + 5 + n, board);
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  send('pointercancel', from.x, from.y, board);
  return times.slice(5);
}"""


def memory(served: Served) -> None:
    """The server's memory, where the system tells it."""
    status = Path(f"/proc/{served.process.pid}/status") if served.process else Path()
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        print(f"{'memory of the server':44} {lines['VmRSS'].strip():>17}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
