"""The keys that every game has at the terminal: rule, odds, log, help and undoing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec
from rich.text import Text

from asl_pbcg.cli.manner import Manner
from asl_pbcg.cli.screen import Screen, odds_grid, option_words, table_grid
from asl_pbcg.cli.terminal_keys import Key, Shown
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.play.asked import AskedPrompt
from asl_pbcg.play.seat import Seat
from asl_pbcg.play.typed_answers import find_option

HELPS = ("?", "h", "help")


class OwnKeys:
    """The keys of one terminal: those of its game (``manner``) first, then those of every game.

    ``undo`` undoes the last answer.
    """

    def __init__(
        self, seat: Seat, manner: Manner, screen: Screen, undo: Callable[[], None]
    ) -> None:
        self._seat = seat
        self._manner = manner
        self._screen = screen
        self._undo = undo
        self.all: list[Key] = [*manner.keys(), *self._of_every_game()]

    @property
    def help_key(self) -> str:
        """The key for help: a game may have taken the question mark for itself."""
        of_game = self._manner.keys()
        return "h" if any("?" in key.names for key in of_game) else "?"

    def _of_every_game(self) -> list[Key]:
        helps = HELPS if self.help_key in HELPS[:1] else HELPS[1:]
        shared = [
            Key(("x", "explain", "rule"), "rule", "what the rule says; x and its number: any rule",
                self._explain, takes=True),
            Key(("o", "odds"), "odds", self._manner.odds_words, self._odds, takes=True),
            Key(("l", "log"), "log", "what happened in this step", self._log, takes=True),
            Key(helps, "", f"this help; {helps[0]} 3 all of choice 3", self._help, takes=True),
            Key(("u", "undo"), "", "undo the last answer; over dice for a reason, which is "
                "logged", lambda rest, asked: self._undo()),
        ]  # fmt: skip
        free = [
            replace(key, names=tuple(name for name in key.names if name not in self._manner.taken))
            for key in shared
        ]
        return [key for key in free if key.names]

    def _help(self, rest: str, asked: Shown) -> None:
        if rest and isinstance(asked, AskedPrompt) and asked.options:
            try:
                option = find_option(_whatever_refused(asked), rest)
            except IllegalAnswer:
                pass
            else:
                index = [each.id for each in asked.options].index(option.id)
                words = option_words(asked.options[index])
                self._screen.console.print(Text(" ").append_text(words))
                return
        self._manner.help(asked, rest)
        if not rest:
            self._help_keys(asked)

    def _help_keys(self, asked: Shown) -> None:
        rows = self._manner.typed_words(asked)
        rows += [(", ".join(key.names[:2]), key.help) for key in self.all]
        rows.append(("q", self._manner.leaving))
        for name, words in rows:
            self._screen.console.print(Text.assemble((f"   {name:14}  ", "bold cyan"), words))

    def _explain(self, rest: str, asked: Shown) -> None:
        pending = self._seat.pending
        if not rest and isinstance(pending, Roll) and pending.table:
            table = pending.table
            self._screen.say(f"{table.rule}  {table.title}: {pending.spec.name} on this table.")
            self._screen.console.print(table_grid(pending))
            return
        self._manner.explain(asked, rest)

    def _odds(self, rest: str, asked: Shown) -> None:
        pending = self._seat.pending
        if self._manner.odds(asked, rest):
            return
        if not isinstance(pending, Roll) or not pending.table:
            raise PBCGError("Nothing is rolled here; what a choice may lead to stands beside it.")
        head, grid = odds_grid(pending)
        self._screen.console.print(head)
        self._screen.console.print(grid)

    def _log(self, rest: str, asked: Shown) -> None:
        self._manner.log(self._seat.lines(), rest)


def _whatever_refused(asked: AskedPrompt) -> AskedPrompt:
    """Return the question with nothing refused, to look at any choice."""
    options = tuple(msgspec.structs.replace(option, refused="") for option in asked.options)
    return msgspec.structs.replace(asked, options=options)
