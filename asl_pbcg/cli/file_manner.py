"""How questions about a file are asked, before anything of it is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asl_pbcg.cli.manner import Manner
from asl_pbcg.play.asked import AskedPrompt

if TYPE_CHECKING:
    from asl_pbcg.cli.terminal_keys import Shown


class FileManner(Manner):
    """The manner of a dialogue that keeps nothing until its end."""

    leaving = "leave; nothing is kept"

    def help(self, asked: Shown, topic: str) -> None:
        """Help with the question, a list in it line by line."""
        if isinstance(asked, AskedPrompt) and asked.help:
            self.paragraphs(asked.help.split("\n"))
