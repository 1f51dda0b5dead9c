"""Telling the British player what happened: every step once, with its reasons, page by page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text

from asl_pbcg.kernel.views import LogLine
from asl_pbcg.play.area_log import came_to
from asl_pbcg.play.area_words import step_title


class Teller:
    """Prints the lines of a log to one who reads them as they come."""

    def __init__(self, console: Console, read: Callable[[], object]) -> None:
        self._console = console
        self._read = read
        self._step = ""
        self._since_pause = 0

    def fresh_page(self) -> None:
        """A question has been asked: the next pause is a screen away."""
        self._since_pause = 0

    def tell(self, lines: Sequence[LogLine]) -> None:
        """Print what has happened, phase by phase; answers were typed and are not told."""
        for line in lines:
            if line.kind == "answer":
                continue
            if line.step != self._step:
                self._step = line.step
                self._console.print(Text(f"\n {step_title(line.step)}", "bold underline"))
            if line.kind == "roll":
                self._console.print(roll_text(line))
            else:
                self._console.print(Text.assemble(f" {line.text}", (f"  {line.rule}", "dim")))
            self._since_pause += 1 + bool(line.roll and line.roll.drm)
            self._pause(1)

    def _pause(self, part: float) -> None:
        """At a real terminal wait once a good part of the screen is full of news."""
        console = self._console
        if not console.is_terminal or self._since_pause < part * (console.height - 4):
            return
        self._since_pause = 0
        self._read()


def roll_text(line: LogLine) -> Text:
    """Return a roll with its dice, its modifiers and what it came to."""
    rolled = line.roll
    assert rolled
    what, result = came_to(line)
    parts = [" + ".join(str(face) for face in rolled.dice)]
    parts += [f"{drm.value:+d} {drm.why}" for drm in rolled.drm]
    final = f" = {rolled.final}" if rolled.drm else ""
    return Text.assemble(
        (f" {what}", "magenta"),
        "\n   rolls " if rolled.drm else ": rolls ",
        f"{', '.join(parts)}{final}: ",
        (result, "bold magenta"),
        (f"  {line.rule}", "dim"),
    )
