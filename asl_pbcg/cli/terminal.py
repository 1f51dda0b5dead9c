"""A person at the terminal: shows prompts and rolls as the rulebook's reader expects them."""

from __future__ import annotations

from collections import Counter
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
from asl_pbcg.kernel.tables import RollTable, percent
from asl_pbcg.kernel.views import Line, for_side

FAULTS_SHOWN = 12
"""So many lines of a complaint are shown at a prompt."""

REFUSED_ALIKE = 4
"""So many options refused for the same reason are shown one by one, more of them in one line."""

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
            self._show_options(tuple(prompt.options), numbered)
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
        refusals = Counter(_why(option) for option in options if option.refused)
        for number, option in enumerate(options, 1):
            mark = str(number) if numbered else option.id
            odds = "  ".join(f"{result} {chance}" for result, chance in option.odds.items())
            beside = "  ".join(part for part in (option.consequence, odds) if part)
            if not option.refused:
                grid.add_row(Text(mark, "bold cyan"), Text(option.text), Text(beside, "green"))
            elif refusals[_why(option)] <= REFUSED_ALIKE:
                grid.add_row("-", Text(option.text, "dim"), Text(_why(option), "dim"))
        for why, count in refusals.items():
            if count > REFUSED_ALIKE:
                alike = [option.text for option in options if _why(option) == why]
                text = f"{', '.join(alike[:2])} and {count - 2} more"
                grid.add_row("-", Text(text, "dim"), Text(why, "dim"))
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
        keys = [f"[{words}]", "x explain"]
        if isinstance(asked, Roll) and asked.table:
            keys.append("o odds")
        keys += [f"{key} {what}" for key, (what, _) in self._keys.items()]
        keys += ["u undo", "q leave (all is kept)"]
        self.console.print(Text(" " + "  ".join(keys), "dim"))
        while True:
            typed = self._typed()
            if typed == "u":
                self._undo()
            elif typed == "x":
                self._explain(asked)
            elif typed == "o" and isinstance(asked, Roll) and asked.table:
                self._exact_odds(asked)
            elif not self._key(typed, asked):
                return typed

    def _typed(self) -> str:
        """What is typed next. Raises Leave at q, Ctrl-C and the end of input."""
        try:
            typed = self.console.input(" > ").strip()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            raise Leave from None
        if typed in ("q", "quit"):
            raise Leave
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
        """Say the rule in our words: a prompt's help, or all of a roll's table."""
        if isinstance(asked, Roll) and asked.table:
            self._explain_table(asked, asked.table)
            return
        text = asked.help if isinstance(asked, Prompt) else ""
        self.console.print(Text(f" {asked.rule}  {text or 'See the rulebook at this number.'}"))

    def _explain_table(self, roll: Roll, table: RollTable) -> None:
        """Print a whole table: every Final, every modifier it knows and whether it applies."""
        self.console.print(Text(f" {table.rule}  {table.title}: {roll.spec.name} on this table."))
        grid = Table(box=None, show_header=False, padding=(0, 2, 0, 3))
        known = table.check(roll.given)
        for row in table.rows:
            result = table.result(row, known)
            grid.add_row(f"Final {row.finals(known)}", Text(row.says or result))
        applied = {drm.name: drm.value for drm in table.modifiers(roll.given)}
        for name, modifier in table.drm.items():
            value = applied.get(name)
            grid.add_row(
                Text(modifier.words, "bold" if value else "dim"),
                Text(
                    f"{modifier.why}  {modifier.rule or table.rule}"
                    + (f"  applies: {value:+d}" if value else ""),
                    "" if value else "dim",
                ),
            )
        self.console.print(grid)

    def _exact_odds(self, roll: Roll) -> None:
        """Print for each result the dice that bring it, and its chance as an exact fraction."""
        table = roll.table
        assert table
        total = sum(drm.value for drm in table.modifiers(roll.given))
        known = table.check(roll.given)
        counts, outcomes = table.odds_counts(roll.given)
        words = ", ".join(f"{drm.value:+d} {drm.why}" for drm in table.modifiers(roll.given))
        self.console.print(Text(f" {table.title}: {words or 'no modifier'}, in all {total:+d}."))
        least, most = roll.spec.count, roll.spec.count * roll.spec.sides
        originals: dict[str, list[int]] = {}
        says: dict[str, str] = {}
        for original in range(least, most + 1):
            row = table.row(original + total, known, original)
            result = table.result(row, known)
            originals.setdefault(result, []).append(original)
            says.setdefault(result, row.says or result)
        grid = Table(box=None, show_header=False, padding=(0, 2, 0, 3))
        for result, count in counts.items():
            if not count:
                continue
            rolled = originals[result]
            span = str(rolled[0]) if len(rolled) == 1 else f"{rolled[0]} to {rolled[-1]}"
            grid.add_row(
                Text(says[result]),
                Text(f"Original {roll.spec.name} {span}"),
                Text(f"{count}/{outcomes}", "green"),
                Text(percent(Fraction(count, outcomes)), "green"),
            )
        self.console.print(grid)

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
        self.console.print(Text("   " + " \u00b7 ".join(parts), "green"))

    # -- both -------------------------------------------------------------------------

    def refused(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """Say why the answer is illegal; the prompt is then asked again."""
        self._complain(str(error))

    def _complain(self, sentence: str) -> None:
        """Say what is wrong; of very many faults of a file the first few."""
        lines = sentence.splitlines()
        if len(lines) > FAULTS_SHOWN + 3:
            rest = len(lines) - FAULTS_SHOWN
            lines = [*lines[:FAULTS_SHOWN], f"  and {rest} more of them"]
        self.console.print(Text("\n".join(f" {line}" for line in lines), "red"))

    def _visible(self) -> list[Line]:
        return for_side(self.session.lines(), self._viewer)

    def tell_new(self) -> None:
        """Print what has happened since the last time: rolls resolved and notes."""
        lines = self._visible()
        for line in lines[self._told :]:
            self._tell(line)
        self._told = len(lines)

    def _tell(self, line: Line) -> None:
        """Print one line of the log: a roll resolved or a note."""
        if line.kind == "roll":
            self.console.print(Text(f" {line.text}", "bold magenta"))
        elif line.kind == "note" and (not line.secret or line.side == self._eyes):
            self.console.print(Text(f" {line.text}  {line.rule}", "dim"))

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


def _why(option: Option) -> str:
    """Why an option is refused, with the rule; empty if it is not."""
    rule = f" ({option.rule})" if option.refused and option.rule else ""
    return f"{option.refused}{rule}"


def _example(spec: DiceSpec) -> str:
    return " ".join(str(face) for face in range(3, 3 + spec.count)) if spec.count < 4 else "them"
