"""A console of rich whose sentences are broken as those of all commands are."""

from __future__ import annotations

import os
import shutil
from typing import Any

from rich.console import Console
from rich.text import Text

from asl_pbcg.cli.terminal.streams import hanging, parts_of


class Sentences(Console):
    """Prints sentences with what is broken off moved in; tables as rich does."""

    def __init__(self, **settings: Any) -> None:
        if os.environ.get("TERM", "").lower() in ("dumb", "unknown"):  # rich takes it for 80x25
            width, height = shutil.get_terminal_size()
            settings = {"width": width, "height": height} | settings
        super().__init__(highlight=False, **settings)

    def print(self, *objects: Any, **manner: Any) -> None:
        """Print as rich does, but a single text broken by ``folding``."""
        if len(objects) == 1 and not manner.get("no_wrap") and not manner.get("soft_wrap"):
            (text,) = objects
            if isinstance(text, str):
                text = self.render_str(text)
            if isinstance(text, Text):
                objects = (broken(text, self.width),)
        super().print(*objects, **manner)

    def on_broken_pipe(self) -> None:
        """Leave it to the program that the reader of a pipe has gone: rich would end it with 1."""
        raise BrokenPipeError


def broken(text: Text, width: int) -> Text:
    """``text`` in lines of at most ``width``."""
    lines = []
    for line in text.split("\n", allow_blank=True):
        indent = ""
        for start, end in parts_of(line.plain, width):
            lines.append(Text.assemble(indent, line[start:end]))
            indent = " " * hanging(line.plain, width)
    folded = Text("\n").join(lines)
    folded.end = text.end
    return folded
