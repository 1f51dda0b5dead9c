"""The area game at a terminal, for tests: a person whose typing is a list of lines."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from rich.console import Console

from asl_pbcg.cli.area_commands.st_manner import StManner
from asl_pbcg.cli.terminal.terminal import Terminal
from asl_pbcg.kernel.answers import Leave
from asl_pbcg.kernel.dice import Dice, SeededDice
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.area_play.area_game import AreaGamePlug
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.state.game_state import State


def memory_game(dice: str = "seeded", **settings: Any) -> Session[State]:
    """A game in memory."""
    meta = {"settings": settings, "dice": dice, "seed": 7}
    return Session(AreaGame(), Journal.in_memory(meta))


class Typist:
    """A person at the keyboard who types ``lines`` and then leaves; ``screen`` is all he saw."""

    def __init__(
        self, session: Session[State], lines: Iterable[str] = (), manual: bool = False,
        width: int = 100, file: Path = Path("game.pbcg"),
    ) -> None:  # fmt: skip
        self._screen = io.StringIO()
        self._lines = iter(lines)
        console = Console(file=self._screen, width=width, highlight=False)
        console.input = self._input  # type: ignore[method-assign]
        self.session = session
        self.game = OpenGame(file, AreaGamePlug(), session, True)
        self.game.typed_dice = manual
        self.manner = StManner()
        self.terminal = Terminal(Seat(self.game, "british"), self.manner, console)
        self.terminal.skip_told()

    def _input(self, words: Any = "", **_: Any) -> str:
        line = next(self._lines, "q")
        self._screen.write(f"{words}{line}\n")
        return line

    @property
    def screen(self) -> str:
        """Everything shown and typed so far."""
        return self._screen.getvalue()

    def play(self, dice: Dice | None = None) -> str:
        """Play until the lines are used up; what was seen."""
        self.game.dice = dice or SeededDice(7)
        self.game.note_change()
        self.game.throw_by_itself()
        self.terminal.play()
        return self.screen

    def type(self, *lines: str, dice: Dice | None = None) -> str:
        """Type more lines; what was seen because of them."""
        self._lines = iter(lines)
        before = len(self.screen)
        self.play(dice)
        return self.screen[before:]


class Stopping:
    """Another's answers, up to the first question or roll for which ``wanted`` holds."""

    def __init__(self, other: Any, wanted: Callable[[Prompt | Roll], bool]) -> None:
        self._other = other
        self._wanted = wanted

    def answer(self, prompt: Prompt) -> Any:
        if self._wanted(prompt):
            raise Leave
        return self._other.answer(prompt)

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        if self._wanted(roll):
            raise Leave
        found: tuple[int, ...] | None = self._other.dice(roll)
        return found

    def refused(self, prompt: Prompt | Roll, error: Exception) -> None:
        raise AssertionError(f"{prompt.id} refused {error}")
