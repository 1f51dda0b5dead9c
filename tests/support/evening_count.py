"""An evening at the terminal, counted: the RePh after Night I of the golden CG I.

It has losses, a Melee, Isolated squads, a captured Gun, wounded leaders, prisoners, repairs and
purchases. A player types what the golden answers file says, as short as the terminal takes it,
and looks up what does not stand at the prompt. ``python tests/support/evening_count.py`` prints
it all.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))

from golden_campaign import FILE, folder_of, play  # noqa: E402
from rich.console import Console  # noqa: E402

from asl_pbcg.cli.campaign_file import open_game  # noqa: E402
from asl_pbcg.cli.evening.refit_command import Evening, RefitManner  # noqa: E402
from asl_pbcg.cli.terminal.terminal import Terminal  # noqa: E402
from asl_pbcg.kernel.answers import Leave, ListedAnswers  # noqa: E402
from asl_pbcg.kernel.prompts import Prompt, Roll  # noqa: E402
from asl_pbcg.play.campaign_game.campaign_facts import END_POSITION  # noqa: E402
from asl_pbcg.play.campaign_game.position_document import read_document  # noqa: E402
from asl_pbcg.play.plug import BOTH  # noqa: E402
from asl_pbcg.play.seat import Seat  # noqa: E402

LOOKS = {
    "9.601.3": ["p"], "9.605.1": ["m all"], "9.606.1": ["p"], "9.606.2": ["m", "p"],
    "9.6071.3": ["p"],
    "9.6102.2": ["p all"], "9.613.1": ["m all"], "9.615": ["s"], "9.619.1": ["?", "s"],
    "9.62022": ["m"],
}  # fmt: skip
"""What is looked up when a decision point comes for the first time."""


class Listed:
    """The golden dice, as if the program had thrown them."""

    def __init__(self, answers: ListedAnswers, pending: Any) -> None:
        self._answers = answers
        self._pending = pending

    def throw(self, spec: Any, number: int, reason: str) -> tuple[int, ...]:
        roll = self._pending()
        assert isinstance(roll, Roll)
        faces = self._answers.dice(roll)
        return faces if faces is not None else (4,) * spec.count


class Player:
    """Types what the answers file says; counts lines, look-ups and keystrokes."""

    def __init__(self, answers: ListedAnswers, show: bool = False) -> None:
        self.answers = answers
        self.lines = 0
        self.looks = 0
        self.strokes = 0
        self.rows = 0
        self.points: Counter[str] = Counter()
        self.out = io.StringIO()
        self._show = show
        self._looked: set[str] = set()
        self._queue: list[str] = []

    def sit(self, terminal: Terminal) -> None:
        self.terminal = terminal

    def type(self, mark: Any = "", **_: Any) -> str:
        typed = self._next(str(mark))
        self.rows = max(self.rows, self.terminal.screen.rows if mark == " > " else 0)
        assert self.lines + self.looks < 400, self.out.getvalue()[-2000:]
        self.strokes += len(typed) + 1
        if typed in self._looks_now:
            self.looks += 1
        else:
            self.lines += 1
        self.out.write(f"{mark}{typed}\n")
        return typed

    def _next(self, mark: str) -> str:
        self._looks_now: list[str] = []
        asked = self.terminal.seat.pending
        if ">" not in mark or asked is None or len(mark) > 3:
            self.points["hand-over"] += 1
            return ""  # a hand-over, or back to the question
        looks = LOOKS.get(asked.id, [])
        left = [look for look in looks if f"{asked.id} {look}" not in self._looked]
        if left:
            self._looked.add(f"{asked.id} {left[0]}")
            self._looks_now = left
            return left[0]
        self.points[asked.id] += 1
        if isinstance(asked, Roll):
            return "all"
        return self._typed(asked)

    def _typed(self, asked: Prompt) -> str:
        answer = self.answers.answer(asked)
        if answer == asked.default:
            return ""
        if isinstance(answer, list):
            return ", ".join(map(str, answer)) or "none"
        return str(answer)


def evening(place: Path, show: bool = False) -> Player:
    """Play it in an empty folder."""
    from unittest.mock import patch

    with patch("golden_campaign.settings", lambda name: {**SETTINGS, "dates": []}):
        play("cg1", place, records=False)
    before = Path.cwd()
    os.chdir(place)
    try:
        with open_game(Path(FILE)) as game:
            session = game.session
            answers = ListedAnswers.read(Path("night-1.answers.yaml"))
            game.typed_dice = False
            game.dice = Listed(answers, lambda: session.pending)
            player = Player(answers, show)
            document = read_document("night-1.position.yaml", session.state)
            console = Console(
                file=player.out, width=80, height=24, force_terminal=True, color_system=None,
                highlight=False, legacy_windows=False,
            )  # fmt: skip
            console.input = player.type  # type: ignore[assignment, method-assign]
            manner = RefitManner()
            terminal = Terminal(Seat(game, BOTH), manner, console, {END_POSITION: document})
            player.sit(terminal)
            manner.begin()
            rest = Evening(game, BOTH)
            terminal.play(lambda: rest.at_next)
            assert rest.at_next, session.pending
            return player
    except Leave:
        raise AssertionError(player.out.getvalue()[-2000:]) from None
    finally:
        os.chdir(before)


def _settings() -> dict[str, Any]:
    from asl_pbcg.kernel.textfiles import read_yaml_or_json

    found: dict[str, Any] = read_yaml_or_json(folder_of("cg1") / "campaign.yaml")
    return found


SETTINGS = _settings()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        found = evening(Path(folder), True)
    print(found.out.getvalue())
    print(f"{found.lines} lines typed, {found.looks} look-ups, {found.strokes} keystrokes")
    for point, count in found.points.most_common():
        print(f"{count:4} {point}")
