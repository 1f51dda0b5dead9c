"""``pbcg st guide``: a first game of ten minutes at the pillbox, in five prompts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from rich.padding import Padding
from rich.text import Text

from asl_pbcg.cli.area_commands.st_manner import StManner
from asl_pbcg.cli.command_answers import Answer, answers, wants_json
from asl_pbcg.cli.common import in_quotes
from asl_pbcg.cli.terminal.terminal import Terminal
from asl_pbcg.kernel.answers import Again, Leave
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.play.area_play.area_beginnings import (
    GUIDE,
    begin_guide,
    begin_lesson_again,
    is_guided,
    lesson_of,
)
from asl_pbcg.play.asked import AskedPrompt
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat
from asl_pbcg.st.area_terms import BRITISH
from asl_pbcg.st.rules.area_game_steps import AreaGame

app = typer.Typer(add_completion=False)


@app.command()
@answers
def guide(
    file: Path = typer.Argument(Path("guide.pbcg"), help="The game file to make or go on with."),
) -> Answer:
    """Learn the area game: move, Opportunity Fire, grenade, bunker, hand-to-hand.

    With --json: its lessons, and nothing is asked.
    """
    if wants_json():
        return Answer(GUIDE.content)
    opened = OpenGame.open(file, game=AreaGame.name) if file.exists() else begin_guide(file)
    with opened as game:
        if not is_guided(game):
            raise PBCGError(f"{file} holds another game: name a new file for the guide.")
        terminal = Terminal(Seat(game, BRITISH), GuideManner())
        game.note_change()
        game.throw_by_itself()
        terminal.skip_told()
        terminal.play()
    guided, alone = in_quotes("st", "guide", file), in_quotes("st", "play", file)
    ending = f"{guided} goes on with the guide, {alone} without it."
    return Answer.in_lines(GUIDE.content, [ending])


class GuideManner(StManner):
    """The manner of the area game with somebody beside you who says what to try."""

    def __init__(self) -> None:
        super().__init__()
        self._greeted = False
        self._mine: list[str] = []
        """Orders that the guide gives itself."""

    def _lesson(self) -> int:
        return lesson_of(self.terminal.seat.game)

    def ahead(self, asked: AskedPrompt) -> Any:
        """Answer what need not be asked, then as the guide does; welcome first."""
        answer = super().ahead(asked)
        if answer is not None:
            return answer
        if self._mine:
            line = self._mine.pop(0)
            self.terminal.screen.say(f"> {line}", "dim")
            return super().read(asked, line)
        number, lessons = self._lesson(), GUIDE.content.lessons
        if number == len(lessons):
            self._paragraph(GUIDE.content.farewell)
            raise Leave
        if begin_lesson_again(self.terminal.seat):
            # An undo, or somebody who left in the middle of it.
            self.forget()
            self.terminal.skip_told()
            self.terminal.screen.say("The lesson begins again.", "yellow")
            raise Again
        if not self._greeted and number == 0:
            self._paragraph(GUIDE.content.welcome)
            if self.terminal.screen.console.is_terminal:
                self.terminal.line(" Enter goes on ")  # the lesson needs the whole screen
        self._greeted = True
        return None

    def options(self, asked: AskedPrompt, page: int) -> None:
        """Show the options, and below them, where it stays in sight, the lesson."""
        super().options(asked, page)
        number, lessons = self._lesson(), GUIDE.content.lessons
        lesson = lessons[number]
        title = f" {number + 1} of {len(lessons)}: {lesson.title}"
        self.terminal.screen.console.print(Text(f"\n{title}", "bold green"))
        self._paragraph(lesson.say)
        orders = ", then ".join(lesson.orders)
        self.terminal.screen.say(f"Type {orders}, or Enter to have it typed.", "green")

    def enter(self, asked: AskedPrompt) -> str:
        """Enter alone types the order of the lesson."""
        return GUIDE.content.lessons[self._lesson()].orders[0]

    def read(self, asked: AskedPrompt, typed: str) -> Any:
        """Return the order of the lesson; another one is for later. Raises IllegalAnswer."""
        lesson = GUIDE.content.lessons[self._lesson()]
        words = " ".join(typed.split())
        whole = " ".join(lesson.orders)
        if words.lower() not in (lesson.orders[0].lower(), whole.lower()):
            raise IllegalAnswer(
                f"Here the guide asks for {lesson.orders[0]}: Enter types it. Keys work too; "
                "your own orders come after the last lesson.",
                asked.rule,
            )
        self._mine = [*lesson.orders[1:], *lesson.then]
        return super().read(asked, lesson.orders[0])

    def _paragraph(self, words: str) -> None:
        self.terminal.screen.console.print(Padding(Text(" ".join(words.split())), (0, 0, 0, 3)))
