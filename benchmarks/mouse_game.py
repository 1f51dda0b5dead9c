"""A whole historical area game in the page, played by mouse to its end; and how quick the map is.

A scripted mouse does on the living map what the good automatic player would do: it clicks stacks,
counters, rings and buttons in a real browser without a screen. Tells the turns, the VP, the
clicks, and the times in milliseconds to redraw the map and to show where a stack can go.
Run: ``python benchmarks/mouse_game.py [SEED] [UNTIL TURN]``. Takes about five minutes.

``python benchmarks/mouse_game.py refit`` counts the clicks of a Refit Phase instead: the sample's,
at one screen, after the golden position of Night I; each question is answered as it is proposed.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from web_area_player import AreaMouse  # noqa: E402
from web_help import FLAGS, GOLDEN, Served, find_browser  # noqa: E402
from web_player import PagePlayer  # noqa: E402

from asl_pbcg.play.area_play.area_game import create_game  # noqa: E402
from asl_pbcg.play.open_game import OpenGame  # noqa: E402
from asl_pbcg.st.board.map_load import load_map  # noqa: E402
from asl_pbcg.web.folder import game_id  # noqa: E402

REDRAW = """async () => {
  const view = document.querySelector('.mapbox').view;
  const [laid, painted] = [[], []];
  for (let n = 0; n < 40; n += 1) {
    await new Promise(requestAnimationFrame);
    const from = performance.now();
    view.drawn = undefined; // every stack again
    view.lie(view.map.counters);
    view.drawControl();
    view.board.root.getBoundingClientRect();
    laid.push(performance.now() - from);
    await new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = done;
      requestAnimationFrame(() => port2.postMessage(0));
    });
    painted.push(performance.now() - from);
  }
  return [laid, painted];
}"""


def told(name: str, times: list[float], wanted: str) -> None:
    times = sorted(times)
    high = times[min(len(times) - 1, int(len(times) * 0.95))]
    print(f"{name:44} {statistics.median(times):8.1f} {high:8.1f}   {wanted}")


def main(seed: int, until: int) -> None:
    from playwright.sync_api import sync_playwright

    folder = Path(tempfile.mkdtemp(prefix="pbcg-mouse-"))
    file = folder / "game.pbcg"
    meta = {"settings": {"mode": "historical"}, "dice": "seeded", "seed": seed}
    create_game(file, meta, load_map()).close()
    served = Served(folder)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
            page = browser.new_context(viewport={"width": 1400, "height": 860}).new_page()
            wrong: list[str] = []
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.goto(f"{served.base}/#key={served.key('both')}&game={game_id(file)}")
            page.wait_for_selector(".areaboard.painted")
            page.select_option("[name=speed]", "0")
            play(page, file, until)
            print(f"errors in the page: {len(wrong)}")
            browser.close()
    finally:
        served.stop()
        shutil.rmtree(folder)


def play(page: Any, file: Path, until: int) -> None:
    mouse, begun = AreaMouse(page, file), time.monotonic()
    turn, over = mouse.play(until=min(until, 3))
    print(f"{'':44} {'median':>8} {'95%':>8}   wanted (ms)")
    laid, painted = page.evaluate(REDRAW)
    told("every stack drawn again and laid out", laid, "50")
    told("the same to the painted frame", painted, "50")
    if until > 3:
        turn, over = mouse.play(until=until)
    took = time.monotonic() - begun
    with OpenGame.open(file, look=True) as game:
        state = game.session.state
        entries = game.session.journal.standing()
    result = f"{state.result.vp} VP, {state.result.level}" if state.result else "not over"
    answers = sum(entry.kind == "answer" for entry in entries)
    print(f"turn {min(turn, 16)}, over: {over}; {result}; {took:.0f} s")
    print(
        f"{answers} decisions and {len(entries) - answers} rolls by {mouse.clicks} clicks; "
        f"{mouse.on_map} orders on the map"
    )


SETTLED = """(seq) => {
  if (document.querySelector('dialog[open] [data-option]')) return 'dialog';
  const now = document.querySelector('.asked:not(.waiting) :is([data-prompt], [data-curtain])');
  return now && now.dataset.seq !== seq && 'settled';
}"""
GO_ON = """() => {
  const button = document.querySelector('dialog[open] [data-option]:not([data-pressed])');
  if (!button) return 0;
  button.dataset.pressed = '';
  button.click();
  return 1;
}"""


class QuickPlayer(PagePlayer):
    """Answers as is proposed with the fewest clicks, and counts those of each decision point."""

    def step(self, now: dict[str, str]) -> None:
        before = self.actions
        super().step(now)
        self.clicks[now.get("prompt", "curtain")] += self.actions - before

    def __init__(self, page: Any, **more: Any) -> None:
        super().__init__(page, 1, **more)
        self.clicks: Counter[str] = Counter()

    def _roll(self, now: dict[str, str]) -> None:
        every = self.page.locator("[data-action=roll-all]").count()
        self._press("[data-action=roll-all]" if every else "[data-action=roll]")

    def _choose(self, now: dict[str, str]) -> None:
        options = self._options(".asked button[data-option]:not([aria-disabled])")
        proposed = self._options(".asked button.option.default:not([aria-disabled])")
        if now["prompt"] == "0.1":
            options = ["agreement"]
        # A Melee is not fought on.
        option = options[-1] if now["prompt"] == "9.601.2" else [*proposed, *options][0]
        self._press(f'.asked button[data-option="{option}"]')

    def _choose_some(self, now: dict[str, str]) -> None:
        for option in self._options(".asked input[data-option]"):
            if not self.page.is_disabled(".asked [data-action=send]"):
                break
            self._tick(f'.asked input[data-option="{option}"]')
        self._press(".asked [data-action=send]")

    def settled(self, seq: str) -> None:
        """Say yes to every question about the position before it is taken."""
        while self.page.wait_for_function(SETTLED, arg=seq).json_value() == "dialog":
            self.actions += self.page.evaluate(GO_ON)
        super().settled(seq)


def count_refit() -> None:
    """Print the clicks of the sample's first Refit Phase, its position and scenario end aside."""
    from playwright.sync_api import sync_playwright

    folder = Path(tempfile.mkdtemp(prefix="pbcg-mouse-"))
    served = Served(folder)
    try:
        with served.client() as client:
            client.post("/games", json={"kind": "sample", "name": "sample"}).raise_for_status()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
            page = browser.new_context(viewport={"width": 1366, "height": 768}).new_page()
            page.goto(
                f"{served.base}/#key={served.key('both')}&game={game_id(folder / 'sample.pbcg')}"
            )
            player = QuickPlayer(page, documents={"0.2": GOLDEN / "night-1.position.yaml"})
            player.play("0.2")
            player.step(player.now())
            player.clicks.clear()
            player.play("0.1")
            browser.close()
    finally:
        served.stop()
        shutil.rmtree(folder)
    for point, clicks in sorted(player.clicks.items()):
        print(f"{point:20} {clicks:4}")
    print(f"{'together':20} {player.clicks.total():4}")


if __name__ == "__main__":
    if sys.argv[1:] == ["refit"]:
        count_refit()
        sys.exit()
    arguments = [int(each) for each in sys.argv[1:]]
    main(arguments[0] if arguments else 11, arguments[1] if len(arguments) > 1 else 99)
