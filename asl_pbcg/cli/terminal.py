"""A person at the terminal: shows prompts and rolls as the rulebook's reader expects them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from asl_pbcg.kernel.answers import Again, Leave
from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Option, Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.tables import percent

Key = tuple[str, Callable[[], None]]


class TerminalAnswers:
    """Answers prompts by asking the person at the keyboard.

    ``title`` stands at the head of each prompt; ``names`` turns a side into words; ``keys`` are
    further keys with what they do; ``manual`` asks for real dice.
    """

    def __init__(
        self,
        session: Session[Any],
        title: Callable[[], str],
        console: Console | None = None,
        manual: bool = False,
        keys: dict[str, Key] | None = None,
        viewer: str = "umpire",
        read_document: Callable[[str], Any] | None = None,
    ) -> None:
        self.session = session
        self.console = console or Console(highlight=False)
        self._title = title
        self._manual = manual
        self._keys = keys or {}
        self._viewer = viewer
        self._read_document = read_document
        self._told = 0
        self._eyes = viewer

    # -- prompts ----------------------------------------------------------------------

    def answer(self, prompt: Prompt) -> Any:
        """Ask until something like an answer is typed; keys are carried out on the way."""
        self.tell_new()
        self._wait_for_other(prompt)
        self._only_for(prompt)
        self._head(prompt)
        self.console.print(f" {escape(prompt.text)}", style="bold")
        numbered = not any(option.id.isdigit() for option in prompt.options)
        if prompt.options:
            self._show_options(prompt.options, numbered)
        words = self._words_for(prompt)
        while True:
            typed = self._read(words, prompt)
            if typed == "" and prompt.default is not None:
                return prompt.default
            if typed == "":
                continue
            if prompt.kind == "document" and self._read_document and typed != prompt.default:
                try:
                    return self._read_document(typed)
                except PBCGError as error:
                    self._complain(str(error))
                    continue
            return typed

    def _show_options(self, options: tuple[Option, ...], numbered: bool) -> None:
        grid = Table(box=None, show_header=False, padding=(0, 2, 0, 1))
        for _ in range(3):
            grid.add_column(overflow="fold")
        for number, option in enumerate(options, 1):
            mark = str(number) if numbered else option.id
            odds = "  ".join(f"{result} {chance}" for result, chance in option.odds.items())
            beside = "  ".join(part for part in (option.consequence, odds) if part)
            if option.refused:
                why = f"{option.refused} {f'({option.rule})' if option.rule else ''}".strip()
                grid.add_row("-", Text(option.text, "dim"), Text(why, "dim"))
            else:
                grid.add_row(Text(mark, "bold cyan"), Text(option.text), Text(beside, "green"))
        self.console.print(grid)

    def _words_for(self, prompt: Prompt) -> str:
        kind = {
            "choose": "number",
            "choose-some": "numbers, or none",
            "number": f"{prompt.least} to {prompt.most}",
            "text": "text",
            "document": "file",
        }[prompt.kind]
        if prompt.default is not None:
            kind += f", Enter for {prompt.default}"
        return kind

    def _read(self, words: str, asked: Prompt | Roll) -> str:
        rule = asked.rule
        keys = [f"[{words}]", f"x explain {rule}".strip(), "u undo"]
        keys += [f"{key} {what}" for key, (what, _) in self._keys.items()]
        keys.append("q leave (everything is kept)")
        self.console.print(Text(" " + "  ".join(keys), "dim"))
        while True:
            try:
                typed = self.console.input(" > ").strip()
            except (EOFError, KeyboardInterrupt):
                self.console.print()
                raise Leave from None
            if typed in ("q", "quit"):
                raise Leave
            if typed == "u":
                self._undo()
            elif typed == "x":
                self._explain(asked)
            elif not self._key(typed, asked):
                return typed

    def _key(self, typed: str, asked: Prompt | Roll) -> bool:
        """Carry out one of the further keys; False if ``typed`` is none."""
        if typed not in self._keys:
            return False
        try:
            self._keys[typed][1]()
        except PBCGError as error:
            self._complain(str(error))
        return True

    def _explain(self, asked: Prompt | Roll) -> None:
        text = asked.help if isinstance(asked, Prompt) else ""
        self.console.print(Text(f" {asked.rule}  {text or 'See the rulebook at this number.'}"))

    def _undo(self) -> None:
        try:
            entry = self.session.undo()
        except PBCGError as error:
            if "reason" not in str(error):
                self._complain(str(error))
                return
            self._complain(str(error))
            try:
                reason = self.console.input(" Reason (Enter: leave it) > ").strip()
            except (EOFError, KeyboardInterrupt):
                raise Leave from None
            if not reason:
                return
            entry = self.session.undo(reason)
        self.skip_told()
        self.console.print(Text(f" Taken back: the answer to {entry.point}.", "yellow"))
        raise Again

    # -- rolls ------------------------------------------------------------------------

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """Show the roll with its modifiers and odds; take typed dice, or let the program roll."""
        self.tell_new()
        self._wait_for_other(roll)
        self._only_for(roll)
        self._head(roll)
        self.console.print(f" {escape(roll.text)}", style="bold")
        if roll.table:
            self._show_odds(roll)
        words = f"type {_example(roll.spec)}" if self._manual else "Enter rolls"
        while True:
            typed = self._read(f"{roll.spec.name}: {words}", roll)
            if not self._manual and typed in ("", "r"):
                return None
            if not self._manual:
                self._complain("The program rolls for this campaign: press Enter.")
                continue
            try:
                return roll.spec.read(typed)
            except IllegalAnswer as error:
                self._complain(str(error))

    def _show_odds(self, roll: Roll) -> None:
        assert roll.table
        for drm in roll.table.modifiers(roll.given):
            self.console.print(f"   {drm.value:+d} {escape(drm.why)}  [dim]{drm.rule}[/]")
        says = {row.result: row.says or row.result for row in roll.table.rows}
        parts = [
            f"{says.get(result, result)} {percent(Fraction(chance))}"
            for result, chance in roll.table.odds(roll.given).items()
        ]
        self.console.print(Text("   " + ", ".join(parts), "green"))

    # -- both -------------------------------------------------------------------------

    def refused(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """Say why the answer is illegal; the prompt is then asked again."""
        self._complain(str(error))

    def _complain(self, sentence: str) -> None:
        self.console.print(Text(f" {sentence}", "red"))

    def _visible(self) -> list[Any]:
        from asl_pbcg.kernel.views import for_side

        return for_side(self.session.lines(), self._viewer)

    def tell_new(self) -> None:
        """Print what has happened since the last time: rolls resolved and notes."""
        lines = self._visible()
        for line in lines[self._told :]:
            if line.kind == "roll":
                self.console.print(Text(f" {line.text}", "bold magenta"))
            elif line.kind == "note" and (not line.secret or line.side == self._eyes):
                self.console.print(Text(f" {line.text}  {line.rule}", "dim"))
        self._told = len(lines)

    def _wait_for_other(self, asked: Prompt | Roll) -> None:
        """One side alone at this keyboard: the other side's turn ends the sitting."""
        if self._viewer != "umpire" and asked.side and asked.side != self._viewer:
            self.console.print(
                Text(f" It is the {asked.side.capitalize()} player's turn now.", "bold yellow")
            )
            raise Leave

    def skip_told(self) -> None:
        """Take the log up to now as told."""
        self._told = len(self._visible())

    def _only_for(self, asked: Prompt | Roll) -> None:
        """At one keyboard: hide what the other side may not see before its prompt comes."""
        if asked.secret and self._viewer == "umpire" and self._eyes not in ("umpire", asked.side):
            self.console.input(
                f" [bold]Only the {asked.side.capitalize()} player should look now. "
                "Press Enter.[/] "
            )
            self.console.clear()
        if asked.secret:
            self._eyes = asked.side

    def _head(self, asked: Prompt | Roll) -> None:
        step = self.session.step
        parts = [self._title(), f"{asked.rule} {step.title if step else ''}".strip()]
        if asked.side:
            parts.append(asked.side.capitalize() + (" (secret)" if asked.secret else ""))
        if asked.where:
            parts.append(asked.where)
        self.console.print()
        self.console.rule(Text("   ".join(part for part in parts if part)), align="left")


def _example(spec: DiceSpec) -> str:
    return " ".join(str(face) for face in range(3, 3 + spec.count)) if spec.count < 4 else "them"
