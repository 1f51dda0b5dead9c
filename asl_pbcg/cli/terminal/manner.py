"""The manner of a game at the terminal: its keys, its help, and how it asks and reports.

``Manner`` and the keys of ``OwnKeys`` are common to all games (rule, odds, log, help, undo); each
game adds its own. ``FileManner`` asks about a file before anything of it is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from rich.padding import Padding
from rich.text import Text

from asl_pbcg.cli.terminal.screen import (
    Screen,
    numbers,
    odds_grid,
    option_words,
    options_grid,
    table_grid,
)
from asl_pbcg.kernel.dice import DiceSpec, too_many
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.play.asked import AskedPrompt, AskedRoll
from asl_pbcg.play.seat import Seat
from asl_pbcg.play.typed_answers import find_option, read_words

if TYPE_CHECKING:
    from pathlib import Path


Shown = AskedPrompt | AskedRoll


@dataclass(frozen=True)
class Key:
    """One key: its names (the letter first), what the line of keys says, what help says of it.

    ``run`` gets what stands after the key and what is asked; a key that ``takes`` nothing is only
    one if nothing stands after it.
    """

    names: tuple[str, ...]
    words: str
    help: str
    run: Callable[[str, Shown], None]
    takes: bool = False


def find_key(keys: Sequence[Key], typed: str) -> tuple[Key, str] | None:
    """Return the key that was typed and what stands after it; None if it is none."""
    name, _, argument = typed.strip().partition(" ")
    whole = " ".join(typed.lower().split())
    for key in keys:
        if whole in key.names:
            return key, ""
        if name.lower() in key.names and key.takes and argument.strip():
            return key, argument.strip()
    return None


SHORT = 30
"""An answer of more letters is told by its number."""


class Speaking(Protocol):
    """The parts of the terminal that a manner uses."""

    seat: Seat
    screen: Screen
    keys: list[Key]
    path: Path
    told: int
    here: int

    def complain(self, sentence: str) -> None:
        """Say what was wrong."""

    def line(self, mark: str = " > ") -> str:
        """Read one line."""

    def skip_told(self) -> None:
        """Take what happened so far as told."""

    def redo(self) -> None:
        """Redo what was undone last."""

    def play(self, until: Callable[[], bool] | None = None) -> bool:
        """Ask and roll until nothing is asked."""


class Manner:
    """The manner of a game that has nothing of its own to say."""

    terminal: Speaking
    taken: Collection[str] = ()
    """Words that the game has for something else than the keys that all games share."""
    names_files = True
    """Whether a document is asked for by its file's name."""
    odds_words = "the exact odds of the roll"
    """Help for the key o."""
    leaving = "leave; everything is kept"
    """Help for the key q."""

    def attach(self, terminal: Speaking) -> None:
        """Hear at which terminal it is."""
        self.terminal = terminal
        self._row: list[tuple[int, ...]] = []
        self._row_of = ""

    def keys(self) -> Sequence[Key]:
        """Return the game's own keys."""
        return ()

    # -- what is shown --------------------------------------------------------------------

    def head(self, asked: Shown) -> list[str]:
        """Return the parts of the line above a question."""
        step = asked.step if asked.step != asked.heading else ""
        parts = [asked.heading, f"{asked.rule} {step}".strip()]
        if asked.side:
            who = f": {asked.decider}" if asked.decider else ""
            parts.append(f"{asked.side.capitalize()}{who}{' (secret)' if asked.secret else ''}")
        if asked.where and asked.where != asked.side:
            parts.append(asked.where)
        return [part for part in parts if part]

    def is_drawn(self, asked: Shown) -> bool:
        """Return whether nothing is to be drawn of a question but what may be typed."""
        return False

    def mark(self, asked: Shown) -> str:
        """Return the mark before the line that is typed."""
        return " > "

    def options(self, asked: AskedPrompt, page: int) -> None:
        """Print what there is to choose."""
        grid, _ = options_grid(self.terminal.screen, asked, page)
        self.terminal.screen.console.print(grid)

    def hint(self, asked: Shown) -> str:
        """Return in a few words what may be typed as an answer."""
        if isinstance(asked, AskedRoll):
            spec = DiceSpec.parse(asked.dice)
            if not asked.typed:
                return f"{spec.name}: Enter rolls, all: every roll"
            return f"{spec.name} thrown, as {_example(spec)}"
        kind = {
            "choose": "number or word",
            "choose-some": "numbers, all or none",
            "number": f"{asked.least} to {asked.most}",
            "text": "text",
            "document": "file",
        }[asked.kind]
        if asked.default is not None:
            kind += f", Enter for {self.default_words(asked)}"
        return kind

    def default_words(self, asked: AskedPrompt) -> str:
        """The answer that Enter gives, in words of the screen or, if they are many, as typed."""
        wanted = asked.default if isinstance(asked.default, list | tuple) else [asked.default]
        if not asked.options:
            return str(asked.default)
        marks = numbers(asked.options)
        defaults = [option for option in asked.options if option.id in wanted]
        words = ", ".join(option.text for option in defaults)
        if len(words) > SHORT:
            words = " ".join(marks[option.id] for option in defaults)
        return words or "none"

    def tell(self, lines: Sequence[LogLine], away: bool) -> None:
        """Tell what happened; ``away``: while this player was not here."""
        for line in lines:
            if line.kind == "roll":
                self.terminal.screen.say(line.text, "bold magenta")
            elif line.kind == "note":
                self.terminal.screen.say(f"{line.text}  {line.rule}", "dim")
            elif line.kind == "correction":
                self.terminal.screen.say(line.text, "yellow")
            elif away and line.side != self.terminal.seat.viewer:
                who = f"{line.side.capitalize()}: " if line.side else ""
                self.terminal.screen.say(f"{who}{line.text}  {line.rule}", "cyan")

    def log(self, lines: Sequence[LogLine], argument: str) -> None:
        """Print what happened in the step in progress, or in the step ``argument``."""
        step = self.terminal.seat.game.session.step
        wanted = argument or (step.id if step else "")
        step_lines = [line for line in lines if wanted in line.step]
        if not step_lines:
            raise PBCGError(f"Nothing has happened in {argument or 'this step'} yet.")
        for line in step_lines:
            self.terminal.screen.say(f"{line.text}  {line.rule}")

    # -- help -----------------------------------------------------------------------------

    def help(self, asked: Shown, topic: str) -> None:
        """Help with the question; the keys are told after it."""
        text = asked.help if isinstance(asked, AskedPrompt) else ""
        if text:
            self.paragraphs([text])

    def typed_words(self, asked: Shown) -> list[tuple[str, str]]:
        """Return for help what may be typed as an answer, and its effect."""
        hint = self.hint(asked)
        if isinstance(asked, AskedRoll) and not asked.typed:
            return [(hint, "the program rolls; all: every roll up to the next decision")]
        rows = [(hint, f"the answer: {_typed_as(asked)}")]
        if isinstance(asked, AskedPrompt):
            rows.append(("1; A7; done", "several answers ahead in one line"))
        return rows

    def explain(self, asked: Shown, rule: str) -> None:
        """Say what the rule does."""
        raise PBCGError("See the rulebook at this number.")

    def odds(self, asked: Shown, argument: str) -> bool:
        """Tell the odds of choices in a game's own way; False leaves it to the roll."""
        return False

    def paragraphs(self, texts: Sequence[str]) -> None:
        """Print paragraphs, wrapped and indented."""
        for text in texts:
            self.terminal.screen.console.print(Padding(Text(" ".join(text.split())), (0, 0, 0, 3)))

    # -- what is typed --------------------------------------------------------------------

    def enter(self, asked: AskedPrompt) -> str:
        """Return what Enter alone types here; empty where it takes the default or shows it."""
        return ""

    def read(self, asked: AskedPrompt, typed: str) -> Any:
        """Return the answer that was typed. Raises IllegalAnswer if it can be none."""
        return read_words(asked, typed)

    def read_document(self, asked: AskedPrompt, path: str) -> Any:
        """Return the file at ``path`` as an answer. Raises PBCGError if it cannot be one."""
        seat = self.terminal.seat
        pending = seat.pending
        assert isinstance(pending, Prompt)
        return seat.game.plug.read_document(seat.game.session, pending, path, seat.sees)

    def read_dice(self, asked: AskedRoll, typed: str) -> tuple[int, ...]:
        """The dice that were typed; more throws in a row wait for the next rolls of the kind.

        Raises IllegalAnswer if they cannot lie so.
        """
        first, *self._row = DiceSpec.parse(asked.dice).read_row(typed)
        self._row_of = asked.id
        return first

    def words(self, asked: Shown) -> list[str]:
        """Return the words that Tab completes."""
        keys = [name for key in self.terminal.keys for name in key.names if len(name) > 1]
        if isinstance(asked, AskedRoll):
            return ["roll", "roll all", *keys]
        legal = [option for option in asked.options if not option.refused]
        return [*(option.id for option in legal), *(option.text for option in legal), *keys]

    def ahead(self, asked: AskedPrompt) -> Any:
        """Return an answer that was typed before the question came; None if there is none."""
        return None

    def ahead_dice(self, asked: AskedRoll) -> tuple[int, ...] | None:
        """Dice typed in a row with those of a roll of this kind; None if there are none."""
        if self._row and self._row_of == asked.id:
            return self._row.pop(0)
        self.forget_dice()
        return None

    def forget(self) -> None:
        """Forget what was typed ahead."""
        self.forget_dice()

    def forget_dice(self) -> None:
        """Say that dice typed in a row were too many."""
        count, self._row = sum(map(len, self._row)), []
        if count:
            self.terminal.complain(too_many(count))


def _example(spec: DiceSpec) -> str:
    return " ".join(str(face) for face in range(3, 3 + spec.count)) if spec.count < 4 else "them"


def _typed_as(asked: Shown) -> str:
    """Return what a player types for an answer, for help."""
    kind = asked.kind if isinstance(asked, AskedPrompt) else "dice"
    return {
        "dice": "what you threw, the dice one by one",
        "number": "a whole number",
        "text": "what is asked for, in your own words or as the question shows it",
        "document": "the name of a file, with its folder if it is in another",
    }.get(kind, "a number, words on the screen, or as many letters as are unique")


if TYPE_CHECKING:
    pass


class FileManner(Manner):
    """The manner of a dialogue that keeps nothing until its end."""

    leaving = "leave; nothing is kept"

    def help(self, asked: Shown, topic: str) -> None:
        """Help with the question, a list in it line by line."""
        if isinstance(asked, AskedPrompt) and asked.help:
            self.paragraphs(asked.help.split("\n"))


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
        """Return the key for help: a game may have taken the question mark for itself."""
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
                "logged", lambda argument, asked: self._undo()),
        ]  # fmt: skip
        free = [
            replace(key, names=tuple(name for name in key.names if name not in self._manner.taken))
            for key in shared
        ]
        return [key for key in free if key.names]

    def _help(self, argument: str, asked: Shown) -> None:
        if argument and isinstance(asked, AskedPrompt) and asked.options:
            try:
                option = find_option(_whatever_refused(asked), argument)
            except IllegalAnswer:
                pass
            else:
                index = [choice.id for choice in asked.options].index(option.id)
                words = option_words(asked.options[index])
                self._screen.console.print(Text(" ").append_text(words))
                return
        self._manner.help(asked, argument)
        if not argument:
            self._help_keys(asked)

    def _help_keys(self, asked: Shown) -> None:
        rows = self._manner.typed_words(asked)
        rows += [(", ".join(key.names[:2]), key.help) for key in self.all]
        rows.append(("q", self._manner.leaving))
        for name, words in rows:
            self._screen.console.print(Text.assemble((f"   {name:14}  ", "bold cyan"), words))

    def _explain(self, argument: str, asked: Shown) -> None:
        pending = self._seat.pending
        if not argument and isinstance(pending, Roll) and pending.table:
            table = pending.table
            self._screen.say(f"{table.rule}  {table.title}: {pending.spec.name} on this table.")
            self._screen.console.print(table_grid(pending))
            return
        self._manner.explain(asked, argument)

    def _odds(self, argument: str, asked: Shown) -> None:
        pending = self._seat.pending
        if self._manner.odds(asked, argument):
            return
        if not isinstance(pending, Roll) or not pending.table:
            raise PBCGError("Nothing is rolled here; what a choice may lead to stands beside it.")
        head, grid = odds_grid(pending)
        self._screen.console.print(head)
        self._screen.console.print(grid)

    def _log(self, argument: str, asked: Shown) -> None:
        self._manner.log(self._seat.lines(), argument)


def _whatever_refused(asked: AskedPrompt) -> AskedPrompt:
    """Return the question with nothing refused, to look at any choice."""
    options = tuple(msgspec.structs.replace(option, refused="") for option in asked.options)
    return msgspec.structs.replace(asked, options=options)
