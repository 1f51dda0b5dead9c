"""Telling the British player what happened: every step once, with its reasons, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from asl_pbcg.cli.st_status import step_title
from asl_pbcg.st.captions import PRINTED, effect_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console

    from asl_pbcg.kernel.views import Line


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

    def tell(self, lines: Sequence[Line]) -> None:
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


def came_to(line: Line) -> tuple[str, str]:
    """Of a roll's line what was rolled for, and what it came to."""
    rolled = line.roll
    assert rolled
    what = line.text.removesuffix(f": {rolled}")
    return what, effect_words(line.point, what, rolled.result, rolled.says)


def log_text(line: Line) -> str:
    """A line of the log in one line; a roll with what the table prints and what that does."""
    rolled = line.roll
    if rolled is None or not line.text.endswith(f": {rolled}"):
        return line.text
    what, effect = came_to(line)
    printed = rolled.says or rolled.result
    dice = str(rolled).removesuffix(f": {printed}")
    if line.point in PRINTED:
        return f"{what}: {dice}: {printed} ({effect})"
    return f"{what}: {dice}: {effect}"


def roll_text(line: Line) -> Text:
    """A roll with its dice, its modifiers and what it came to."""
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
