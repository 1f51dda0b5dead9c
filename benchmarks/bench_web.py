"""How quick the page of ``pbcg serve`` is, in a real browser without a screen.

Medians and 95th percentiles in milliseconds; beside them how they compare with the bounds. The
first line says what share of a processor this run got: a busy machine makes every figure larger by
about that. Run: ``python benchmarks/bench_web.py [ROUNDS]``; with 0 rounds Home alone.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from web_help import FLAGS, Served, find_browser  # noqa: E402
from web_player import PagePlayer  # noqa: E402

from asl_pbcg.kernel.answers import ListedAnswers, drive  # noqa: E402
from asl_pbcg.kernel.dice import SeededDice  # noqa: E402
from asl_pbcg.play.campaign_game.campaign_plug import create_campaign  # noqa: E402
from asl_pbcg.play.campaign_game.position_document import read_document  # noqa: E402
from asl_pbcg.web.folder import game_id  # noqa: E402

COUNTERS = 150
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


def share() -> float:
    """What share of a processor this program gets now: time worked to time gone by."""
    start, worked = time.perf_counter(), time.process_time()
    while time.process_time() - worked < 0.4:
        pass
    return (time.process_time() - worked) / (time.perf_counter() - start)


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
            print(f"{'share of a processor at the start':44} {share():8.2f}")
            print(f"{'':44} {'median':>8} {'95%':>8}   wanted")
            if rounds:
                look(browser, served, file, rounds)
            home(browser, rounds=3)
            browser.close()
        if rounds:
            many(served, 100)
        print(f"{'share of a processor at the end':44} {share():8.2f}")
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
    first, board, empty = [], [], []
    for _ in range(max(3, rounds // 5)):
        start = time.perf_counter()
        context = browser.new_context()
        context.new_page().goto(f"{served.base}/icon.svg")
        empty.append((time.perf_counter() - start) * 1000)
        context.close()
        start = time.perf_counter()
        page = opened(browser, served, file)
        page.wait_for_selector("[data-prompt]")
        first.append((time.perf_counter() - start) * 1000)
        page.wait_for_selector(".board.painted")
        board.append((time.perf_counter() - start) * 1000)
        page.context.close()
    told("a page with nothing on it", empty, "")
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
    PagePlayer(page, 3).play("0.2")
    drafted(served, file)
    editing(page, rounds)


def drafted(served: Served, file: Path) -> None:
    """A draft with 150 counters in 60 hexes: those of the campaign, and others like them."""
    hexes = [f"{column}{row}" for row in (12, 13, 14, 15, 16) for column in "MNOPQRSTUVWX"]
    url = f"/games/{game_id(file)}/position"
    with served.client("umpire") as client:
        found = client.get(url).json()
        position = found["position"]
        for name in ("units", "equipment", "vehicles"):
            position[name] = []
        known = [each for each in found["pieces"] if each["section"] == "units"]
        for number in range(COUNTERS):
            entry = dict(known[number % len(known)]["entry"], at=hexes[number % len(hexes)])
            if number >= len(known):
                entry["id"] = f"{entry['id']}x{number}"
            entry.pop("possesses", None)
            position["units"].append(entry)
        body = {"number": found["number"], "position": position}
        assert client.put(url, json=body).status_code == 200


def editing(page: Any, rounds: int) -> None:
    page.click("[data-action=enter]")
    page.wait_for_selector("[data-editor]")
    total = page.evaluate("() => document.querySelectorAll('[data-stack] [data-piece]').length")
    counted = page.evaluate(
        "() => [...document.querySelectorAll('[data-stack]')].reduce((sum, each) =>"
        " sum + each.getAttribute('aria-label').split('; ').length, 0)"
    )
    assert counted == COUNTERS, (counted, total)
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
    told(f"a zoom step, {COUNTERS} counters", zooms, "120")
    page.keyboard.press("Escape")
    frames = page.evaluate(FRAMES)
    told(f"a frame while dragging, {COUNTERS} counters", frames, "20")


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


GAMES = 30
USABLE = "() => document.querySelectorAll('[data-game]').length"
COMPLETE = """() => [...document.querySelectorAll('.card')]
  .filter((each) => each.getBoundingClientRect().top < innerHeight)
  .every((each) => each.querySelector('img'))"""
"""Whether every card that is in view has its picture."""


def home(browser: Any, rounds: int) -> None:
    """Home with many games, each another, nothing kept; questions are asked beside it."""
    usable, complete, again, asked = [], [], [], []
    for number in range(rounds):
        folder = Path(tempfile.mkdtemp(prefix="pbcg-home-"))
        os.environ["PBCG_CACHE"] = str(folder / "cache")
        for seed in range(GAMES):
            settings = {"campaign": "CG2", "players": {}, "balance": "", "house_rules": {}}
            meta = {"settings": settings, "dice": "seeded", "seed": 100 * number + seed}
            create_campaign(folder / f"game {seed}.pbcg", meta).close()
        served = Served(folder)
        stop = threading.Event()
        asking = threading.Thread(target=ask_beside, args=(served, stop, asked))
        try:
            for times in (complete, again):
                context = browser.new_context(viewport={"width": 1440, "height": 900})
                page = context.new_page()
                if times is complete:
                    asking.start()
                start = time.perf_counter()
                page.goto(f"{served.base}/#key={served.key('umpire')}")
                page.wait_for_function(USABLE)
                if times is complete:
                    usable.append((time.perf_counter() - start) * 1000)
                page.wait_for_function(COMPLETE, timeout=120_000)
                times.append((time.perf_counter() - start) * 1000)
                stop.set()
                context.close()
        finally:
            stop.set()
            asking.join()
            served.stop()
            shutil.rmtree(folder)
    told(f"home with {GAMES} games usable", usable, "1000")
    told("home complete, pictures drawn", complete, "5000")
    told("home complete, pictures kept", again, "")
    told("a state request beside it", asked, "100, 300")


def ask_beside(served: Served, stop: threading.Event, times: list[float]) -> None:
    """Ask where a game stands again and again; what ``times`` it takes."""
    url = f"/games/{game_id(served.folder / 'game 0.pbcg')}"
    with served.client("umpire") as client:
        while not stop.is_set():
            start = time.perf_counter()
            client.get(url)
            times.append((time.perf_counter() - start) * 1000)
            time.sleep(0.05)


def many(served: Served, count: int) -> None:
    """So many games with a listener each, on one process: how late the last hears of an answer."""
    from asl_pbcg.play.campaign_game.campaign_plug import create_campaign

    first = served.folder / "game 0.pbcg"
    settings = {"campaign": "CG2", "players": {}}
    create_campaign(first, {"settings": settings, "dice": "seeded", "seed": 1}).close()
    for number in range(1, count):
        shutil.copyfile(first, served.folder / f"game {number}.pbcg")
    with served.client("umpire") as client:
        start = time.perf_counter()
        cards = client.get("/games").json()["games"]
        told(f"the list of {len(cards)} games", [(time.perf_counter() - start) * 1000], "")
        ids = [card["id"] for card in cards if card["file"].startswith("game ")]
        heard: dict[str, float] = {}
        ready = threading.Semaphore(0)

        def listen(id: str) -> None:
            with served.client("umpire") as own, own.stream("GET", f"/games/{id}/events") as got:
                for number, _ in enumerate(line for line in got.iter_lines() if "data" in line):
                    if number:
                        heard[id] = time.perf_counter()
                        return
                    ready.release()

        threads = [threading.Thread(target=listen, args=(id,)) for id in ids]
        for thread in threads:
            thread.start()
        for _ in ids:
            ready.acquire(timeout=120)
        late, answers = [], []
        for id in ids:
            asked = client.get(f"/games/{id}").json()["asked"]
            legal = next(each["id"] for each in asked["options"] if not each["refused"])
            start = time.perf_counter()
            body = {"seq": 0, "prompt": asked["id"], "value": legal}
            client.post(f"/games/{id}/answers", json=body)
            answers.append((time.perf_counter() - start) * 1000)
            while id not in heard and time.perf_counter() < start + 20:
                time.sleep(0.001)
            late.append((heard[id] - start) * 1000)
        for thread in threads:
            thread.join(20)
    told(f"an answer in one of {count} games", answers, "")
    told("until its listener has heard of it", late, "1000")


def memory(served: Served) -> None:
    """The server's memory, where the system tells it."""
    status = Path(f"/proc/{served.process.pid}/status") if served.process else Path()
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        print(f"{'memory of the server':44} {lines['VmRSS'].strip():>17}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
