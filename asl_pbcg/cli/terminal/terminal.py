"""A seat at the terminal: it displays prompts, reads answers and carries out keys.

``Terminal`` is composed of a seat (``play/seat.py``), a ``Keyboard``, a screen, and the manner of
one game. At a real terminal the ``Keyboard`` edits and completes lines.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from asl_pbcg.cli.terminal.manner import HELPS, Key, Manner, OwnKeys, Shown, find_key
from asl_pbcg.cli.terminal.screen import Screen, fitted_head, roll_lines
from asl_pbcg.kernel.answers import Again, Leave
from asl_pbcg.kernel.entries import ChangedUnderneath
from asl_pbcg.kernel.errors import IllegalAnswer, NeedsReason, PBCGError
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.play.asked import AskedPrompt, AskedRoll, Curtain
from asl_pbcg.play.plug import BOTH, OPEN
from asl_pbcg.play.refusals import Moved, NeedsAgreement
from asl_pbcg.play.seat import Seat

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
        """Return whether a person sits at a terminal that can edit a line."""
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
        from prompt_toolkit import completion

        if self._session is None:
            import prompt_toolkit

            self._session = prompt_toolkit.PromptSession(complete_while_typing=False)
        completer: Any = completion.PathCompleter(expanduser=True)
        if not paths:
            completer = completion.WordCompleter(list(words), ignore_case=True, sentence=True)
        line: str = self._session.prompt(mark, completer=completer)
        return line.strip()


FAULTS_SHOWN = 12
"""So many lines of a complaint are shown at a prompt."""
NOTHING: Final = object()
"""A line that was no answer: a key, a mistake, nothing at all."""
HAND_OVER = (
    "What comes next, or stood here until now, is one side's secret. When the other looks away, "
    "Enter goes on. Who plays both sides types all: nothing is handed over then. q leaves; "
    "everything is kept."
)
"""Help at a question mark where the screen changes hands."""
ALL_ROLLS = ("all", "a", "roll all")


class Terminal:
    """One viewer at the terminal.

    ``given`` are answers that are known beforehand, by decision point: each is given once, when
    it is asked for. ``path`` is the game's file, for what is written beside it.
    """

    def __init__(
        self,
        seat: Seat,
        manner: Manner,
        console: Console | None = None,
        given: dict[str, Any] | None = None,
    ) -> None:
        self.seat = seat
        self.manner = manner
        self.screen = Screen(console)
        self.keyboard = Keyboard(self.screen.console)
        self.given = dict(given or {})
        self.path: Path = seat.game.path
        self._ahead: list[str] = []
        self._page = 0
        self._asked: Shown | None = None
        self._held: dict[str, list[LogLine]] = {}
        """Secret lines of a side that does not look now."""
        self.told = 0
        """How many lines of the log have been told or need not be."""
        self.here = 0
        """Lines before this one came while this player was away."""
        manner.attach(self)
        self._own = OwnKeys(seat, manner, self.screen, self.undo)
        self.keys: list[Key] = self._own.all

    # -- playing ------------------------------------------------------------------------

    def play(self, until: Callable[[], bool] | None = None) -> bool:
        """Ask and roll until nothing is asked of this seat, or ``until`` says to stop.

        Returns False when the player left, or somebody else is due.
        """
        while True:
            try:
                if until and until():
                    self.tell_new()
                    return True
                asked = self.seat.question()
                self.tell_new()
                if asked is None:
                    return self._nobody_asked()
                if isinstance(asked, Curtain):
                    self._hand_over(asked)
                elif isinstance(asked, AskedRoll):
                    self._roll(asked)
                else:
                    self._prompt(asked)
            except (Again, Moved):
                continue
            except Leave:
                return False

    def _nobody_asked(self) -> bool:
        if self.seat.game.is_done:
            self.screen.say(
                "You are done with this date; it goes on when both players are.", "bold yellow"
            )
            return False
        side = self.seat.waiting_for()
        if side and side != BOTH:
            self.screen.say(f"It is the {side.capitalize()} player's turn now.", "bold yellow")
        return not side

    # -- prompts ------------------------------------------------------------------------

    def _prompt(self, asked: AskedPrompt) -> None:
        self.manner.forget_dice()
        if asked.id in self.given:
            value = self.given.pop(asked.id)
            try:
                self._answer(asked, value)
                return
            except IllegalAnswer as error:
                self.complain(str(error))
        ready = self.manner.ahead(asked)
        if ready is not None:
            try:
                self._answer(asked, ready)
                return
            except IllegalAnswer as error:
                self.forget_ahead()
                self.complain(str(error))
        self._page = 0
        self.show(asked)
        while True:
            try:
                value = self._read(asked)
                if value is not NOTHING:
                    self._answer(asked, value)
                    return
            except IllegalAnswer as error:
                self.forget_ahead()
                self.complain(str(error))

    def _answer(self, asked: AskedPrompt, value: Any) -> None:
        try:
            self.seat.answer(value, asked.seq, asked.id)
        except ChangedUnderneath as error:
            self._read_again(error)
            again = self.seat.question()
            if isinstance(again, AskedPrompt) and (again.id, again.text) == (asked.id, asked.text):
                self.given[asked.id] = value
            raise Again from None
        except NeedsAgreement as error:
            self.screen.say(f"Proposed. {error}", "yellow")
            raise Leave from None

    def _read_again(self, error: ChangedUnderneath) -> None:
        """Say that the file changed underneath and read it again. Raises Leave at q."""
        self.forget_ahead()
        self.complain(str(error))
        self._pause("Press Enter to read it again.")
        self.seat.game.read_again()
        self.manner.forget()
        self.skip_told()

    def _read(self, asked: AskedPrompt) -> Any:
        """One line: an answer, or NOTHING once a key is carried out."""
        typed = self._next_line(asked) or self.manner.enter(asked)
        if typed == "":
            if asked.default is not None:
                return asked.default
            self.show(asked)
            return NOTHING
        if not _is_choice(asked, typed):
            if typed == "+":
                self._page += 1
                self.show(asked)
                return NOTHING
            if self._key(typed, asked):
                return NOTHING
        if asked.kind == "document":
            return self._document(asked, typed)
        if ";" in typed and asked.kind != "text":
            typed, *self._ahead = [part.strip() for part in typed.split(";") if part.strip()]
        return self.manner.read(asked, typed)

    def _document(self, asked: AskedPrompt, typed: str) -> Any:
        if typed == asked.default:
            return typed
        try:
            return self.manner.read_document(asked, typed)
        except PBCGError as error:
            raise IllegalAnswer(str(error)) from error

    # -- rolls --------------------------------------------------------------------------

    def _roll(self, asked: AskedRoll) -> None:
        if (ready := self.manner.ahead_dice(asked)) is not None:
            self.seat.roll(ready, asked.seq, asked.id)
            return
        self.show(asked)
        while True:
            typed = self._next_line(asked)
            low = " ".join(typed.lower().split())
            try:
                if not asked.typed and low in ("", "r", "roll"):
                    self.seat.roll(None, asked.seq, asked.id)
                elif not asked.typed and low in ALL_ROLLS:
                    self.seat.roll_all()
                elif low == "":
                    self.show(asked)
                    continue
                elif self._key(typed, asked):
                    continue
                elif asked.typed:
                    first, *self._ahead = [part.strip() for part in typed.split(";")]
                    self.seat.roll(self.manner.read_dice(asked, first), asked.seq, asked.id)
                else:
                    self.complain("The program rolls for this campaign: press Enter.")
                    continue
                return
            except ChangedUnderneath as error:
                self._read_again(error)
                raise Again from None
            except IllegalAnswer as error:
                self.forget_ahead()
                self.complain(str(error))

    # -- drawing ------------------------------------------------------------------------

    def show(self, asked: Shown) -> None:
        """Print the question: head, text, what there is to choose, the keys."""
        self._asked = asked
        console = self.screen.console
        self.screen.mark()
        if self.manner.is_drawn(asked):
            return
        console.print()
        console.rule(Text(fitted_head(self.manner.head(asked), console.width)), align="left")
        console.print(Text(f" {asked.text}", "bold"))
        if isinstance(asked, AskedRoll):
            for line in roll_lines(asked):
                console.print(line)
        else:
            self._tell_proposals(asked)
            if asked.options:
                self.manner.options(asked, self._page)
        console.print(Text(f" {self._hint(asked)}", "dim"), no_wrap=True, overflow="crop")

    def _tell_proposals(self, asked: AskedPrompt) -> None:
        """Say what each side proposes, and what may be typed about it."""
        for proposal in asked.proposals:
            whose = f"The {proposal.by.capitalize()} player proposes"
            then = 'Type "accept" to agree to it, or "decline".'
            if proposal.by == self.seat.viewer:
                whose = "You propose"
                then = 'The other player must agree; type "withdraw" to take it back.'
            if asked.kind == "document":
                then += ' "look" writes it to a file.'
            self.screen.say(f"{whose}: {proposal.words.rstrip('.')}. {then}", "yellow")

    def _hint(self, asked: Shown) -> str:
        """Return what may be typed, and the keys, as many as fit; the keys below if none do."""
        parts = [f"[{self.manner.hint(asked)}]"]
        left_out = "o" if isinstance(asked, AskedPrompt) else ""
        shown = [key for key in self.keys if key.words and key.names[0] != left_out]
        keys = [f"{key.names[0]} {key.words}" for key in shown]
        last = ["u undo", "q leave"]
        parts.append(f"{self._own.help_key} help")
        while keys and len("  ".join([*parts, *keys, *last])) + 1 > self.screen.width:
            keys.pop()
        line = "  ".join([*parts, *keys, *last])
        if len(line) + 1 > self.screen.width:
            return "\n ".join([parts[0], "  ".join([*parts[1:], *last])])
        return line

    def complain(self, sentence: str) -> None:
        """Say what is wrong, the question still in sight; of very many faults the first few."""
        lines = sentence.splitlines()
        if len(lines) > FAULTS_SHOWN + 3:
            hidden = len(lines) - FAULTS_SHOWN
            lines = [*lines[:FAULTS_SHOWN], f"  and {hidden} more of them"]
        if self._asked is not None and self.screen.scrolled:
            self.show(self._asked)
        self.screen.console.print(Text("\n".join(f" {line}" for line in lines), "red"))

    def tell_new(self) -> None:
        """Tell what has happened since the last time; hold what another side alone may see."""
        lines = self._visible()
        for away, news in ((True, lines[self.told : self.here]), (False, lines[self._from :])):
            shown = []
            for line in news:
                if self._is_shown(line):
                    shown.append(line)
                else:
                    self._held.setdefault(line.side, []).append(line)
            if shown:
                self.manner.tell(shown, away)
        self.told = len(lines)
        for side in list(self._held):
            if self.seat.viewer != BOTH or self.seat.eyes in (side, OPEN):
                self.manner.tell(self._held.pop(side), False)

    @property
    def _from(self) -> int:
        return max(self.told, min(self.here, len(self._visible())))

    def _visible(self) -> list[LogLine]:
        return self.seat.game.lines(OPEN if self.seat.viewer == BOTH else self.seat.viewer)

    def _is_shown(self, line: LogLine) -> bool:
        return not line.secret or self.seat.viewer != BOTH or self.seat.eyes in (line.side, OPEN)

    def skip_told(self) -> None:
        """Take the log up to now as told."""
        self.told = len(self._visible())
        self._held = {}

    # -- who looks ----------------------------------------------------------------------

    def _hand_over(self, curtain: Curtain) -> None:
        """Hand the screen over before a secret, and wipe it after one."""
        if not self.screen.console.is_terminal:
            self.seat.lift(curtain.side)  # nobody looks on where it goes to a file
            return
        self._asked = None
        self.forget_ahead()  # what comes behind a curtain nobody can have meant
        if curtain.leaving:
            leaving = curtain.leaving.capitalize()
            self._pause(f"{leaving}: read this, then press Enter to wipe it.")
            self.screen.wipe()
        if curtain.side:
            side = curtain.side.capitalize()
            typed = self._pause(
                f"Only the {side} player should look now. Press Enter "
                '(or type "all" if you play both sides).',
                ("all", "both"),
            )
            if typed:
                self.seat.lift(OPEN)
                return
        self.keyboard.forget()
        self.seat.lift(curtain.side)

    def _pause(self, words: str, others: tuple[str, ...] = ()) -> str:
        """Wait for Enter or one of ``others``. Raises Leave at q."""
        while True:
            typed = self.line(f" [bold]{words}[/] " if not self.keyboard.is_real else f" {words} ")
            if typed == "" or typed.lower() in others:
                return typed
            if typed.lower() in HELPS:
                self.manner.paragraphs([HAND_OVER])
                continue
            self.complain("Press Enter, or q to leave.")

    # -- the keyboard -------------------------------------------------------------------

    def line(self, mark: str = " > ") -> str:
        """Return a line that belongs to no question. Raises Leave at q and at the end of input."""
        typed = self.keyboard.read(mark)
        if typed.lower() in LEAVE:
            raise Leave
        return typed

    def _next_line(self, asked: Shown) -> str:
        """Return the next line for a question: one typed ahead, or a new one."""
        if self._ahead:
            typed = self._ahead.pop(0)
            self.screen.say(f"> {typed}", "dim")
            return typed
        is_file = isinstance(asked, AskedPrompt) and asked.kind == "document"
        is_file = is_file and self.manner.names_files
        typed = self.keyboard.read(self.manner.mark(asked), self.manner.words(asked), is_file)
        if typed.lower() in LEAVE and not _is_choice(asked, typed):
            raise Leave
        return typed

    def forget_ahead(self) -> None:
        """Forget what was typed ahead: something has come in between."""
        if self._ahead:
            self.complain(f"Not done: {'; '.join(self._ahead)}.")
        self._ahead = []
        self.manner.forget()

    def _key(self, typed: str, asked: Shown) -> bool:
        """Carry out a key; False if ``typed`` is none."""
        match = find_key(self.keys, typed)
        if match is None:
            return False
        key, argument = match
        try:
            key.run(argument, asked)
        except PBCGError as error:
            self.complain(str(error))
            return True
        if self.screen.scrolled:
            if typed := self.line(" Enter: back to the question > "):
                self._ahead.insert(0, typed)
            self.show(asked)
        return True

    def undo(self) -> None:
        """Undo the last answer, asking for a reason where one is needed."""
        try:
            taken = self.seat.undo()
        except NeedsReason as error:
            self.complain(str(error))
            reason = self.line(" Reason (Enter: leave it) > ")
            if not reason:
                return
            taken = self.seat.undo(reason)
        self._go_on_from(f"Undone: {taken}.")

    def redo(self) -> None:
        """Redo what was undone last."""
        self._go_on_from(f"Redone: {self.seat.redo()}.")

    def _go_on_from(self, sentence: str) -> None:
        """Show the question that waits after an undo or a redo."""
        self._ahead = []
        self.manner.forget()
        self.skip_told()
        self.screen.say(sentence.replace("..", "."), "yellow")
        raise Again


def _is_choice(asked: Shown, typed: str) -> bool:
    """Return whether what was typed is an option's id or number, and so no key."""
    if isinstance(asked, AskedRoll):
        return False
    if asked.kind == "number":
        return typed.lstrip("-").isdigit()
    return any(option.id.lower() == typed.lower() for option in asked.options) or (
        typed.isdigit() and bool(asked.options)
    )
