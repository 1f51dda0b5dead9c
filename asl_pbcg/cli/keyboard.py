"""Lines from the person at the keyboard: edited and completed at a real terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from asl_pbcg.kernel.answers import Leave
from asl_pbcg.kernel.lazy_import import lazy_import

if TYPE_CHECKING:
    import prompt_toolkit
    from prompt_toolkit import completion
    from rich.console import Console
else:
    prompt_toolkit = lazy_import("prompt_toolkit")
    completion = lazy_import("prompt_toolkit.completion")

LEAVE = ("q", "quit", "leave")


class Keyboard:
    """Reads what is typed at ``console``.

    At a real terminal prompt_toolkit edits the line, remembers the lines of this player (until
    ``forget``, at a hand-over) and completes words and paths at Tab.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._session: Any = None
        self.ended = False
        """Whether the input has ended."""

    @property
    def is_real(self) -> bool:
        """Whether a person sits at a terminal that can edit a line."""
        return (
            self._console.is_terminal
            and not self._console.is_dumb_terminal
            and sys.stdin.isatty()
            and sys.stdout.isatty()
            and os.environ.get("TERM") != "dumb"
        )

    def read(self, mark: str = " > ", words: Sequence[str] = (), paths: bool = False) -> str:
        """The next line, without blanks round it. Raises Leave at Ctrl-C and the end of input."""
        try:
            if self.is_real:
                return self._edit(mark, words, paths)
            return self._console.input(mark).strip()
        except (EOFError, KeyboardInterrupt) as error:
            self.ended = isinstance(error, EOFError)
            self._console.print()
            raise Leave from None

    def forget(self) -> None:
        """Forget the lines typed so far: somebody else sits down."""
        self._session = None

    def _edit(self, mark: str, words: Sequence[str], paths: bool) -> str:
        if self._session is None:
            self._session = prompt_toolkit.PromptSession(complete_while_typing=False)
        completer: Any = completion.PathCompleter(expanduser=True)
        if not paths:
            completer = completion.WordCompleter(list(words), ignore_case=True, sentence=True)
        line: str = self._session.prompt(mark, completer=completer)
        return line.strip()
