"""The players at the keyboard of a campaign: one side alone, or both who look away in turn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.control import Control
from rich.text import Text

from asl_pbcg.cli.terminal import TerminalAnswers
from asl_pbcg.kernel.answers import Leave
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import Line

if TYPE_CHECKING:
    from asl_pbcg.campaign.state import Campaign
    from asl_pbcg.hexes.grid import Grid

BOTH = "umpire"
"""The viewer at a keyboard where both sides sit; what is secret is shown to one at a time."""


class RefitPlayer(TerminalAnswers):
    """Answers prompts of a campaign by asking the person whose they are.

    ``viewer`` is a side that plays here alone, or "umpire" for both at one keyboard: then the
    screen changes hands before a secret prompt and is wiped after it. ``file`` is the campaign
    file; maps are written beside it.
    """

    def __init__(
        self,
        session: Session[Campaign],
        file: Path,
        title: Callable[[], str],
        viewer: str = BOTH,
        manual: bool = False,
        console: Console | None = None,
        read_document: Callable[[str], Any] | None = None,
    ) -> None:
        keys = {
            "p": ("position", self._position),
            "m": ("map", self._map),
            "s": ("status", self._status),
            "t": ("steps", self._steps),
        }
        super().__init__(
            session,
            title=title,
            console=console,
            manual=manual,
            viewer=viewer,
            keys=keys,
            read_document=read_document,
        )
        self._file = file
        self._asked: Prompt | Roll | None = None
        self._about = ""
        self._held: dict[str, list[Line]] = {}
        """Secret lines of a side that does not look now."""
        self._away = False
        """Whether what is told happened before this player sat down."""
        self._open = False
        """Whether whoever sits here said that all may see everything."""
        self._begin_to_tell()

    # -- what happened while this player was away --------------------------------------

    def _begin_to_tell(self) -> None:
        """Tell what came since this side last answered; both hear the step in progress."""
        lines = self._visible()
        if self._viewer == BOTH:
            step = self.session.step.id if self.session.step else ""
            told = next((i for i, line in enumerate(lines) if line.step == step), len(lines))
        else:
            own = [
                i
                for i, line in enumerate(lines)
                if line.side == self._viewer and line.kind in ("answer", "roll")
            ]
            told = own[-1] + 1 if own else 0
        self._told = told
        self._here = len(lines)

    def _tell(self, line: Line) -> None:
        """Print a line; hold a secret one until its side looks."""
        if line.secret and self._viewer == BOTH and not self._open and line.side != self._eyes:
            self._held.setdefault(line.side, []).append(line)
        elif line.kind == "answer":
            if self._away and self._viewer not in (BOTH, line.side):
                who = f"{line.side.capitalize()}: " if line.side else ""
                self.console.print(Text(f" {who}{line.text}  {line.rule}", "cyan"))
        elif line.kind == "correction":
            self.console.print(Text(f" {line.text}", "yellow"))
        elif line.kind == "note":
            self.console.print(Text(f" {line.text}  {line.rule}", "dim"))
        else:
            super()._tell(line)

    def tell_new(self) -> None:
        """Print what has happened since the last time, at first also what others answered."""
        lines = self._visible()
        self._away = True
        for line in lines[self._told : self._here]:
            self._tell(line)
        self._away = False
        self._told = max(self._told, min(self._here, len(lines)))
        super().tell_new()

    def skip_told(self) -> None:
        """Take the log up to now as told, also what was held back."""
        super().skip_told()
        self._held = {}

    # -- who looks ---------------------------------------------------------------------

    def _only_for(self, asked: Prompt | Roll) -> None:
        """Hand the screen over before a secret prompt, and wipe it before an open one."""
        self._asked = asked
        if self._viewer != BOTH or self._open or not self.console.is_terminal:
            if asked.secret:
                self._eyes = asked.side
            self._tell_held()
            return
        wanted = asked.side if asked.secret else BOTH
        if wanted == self._eyes:
            return
        if self._eyes != BOTH:
            self._pause(f"{self._eyes.capitalize()}: read this, then press Enter to wipe it.")
            self._wipe()
        if wanted != BOTH:
            self._pause(
                f"Only the {wanted.capitalize()} player should look now. Press Enter "
                '(or type "all" if you play both sides).'
            )
        self._eyes = wanted
        self._tell_held()

    def _tell_held(self) -> None:
        for side in list(self._held):
            if self._open or side == self._eyes:
                for line in self._held.pop(side):
                    self._tell(line)

    def _pause(self, words: str) -> None:
        try:
            typed = self.console.input(f" [bold]{words}[/] ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            raise Leave from None
        if typed == "all":
            self._open = True

    def _wipe(self) -> None:
        """Clear the screen and what the terminal keeps above it."""
        self.console.control(Control.clear(), Control.home())
        self.console.file.write("\x1b[3J")
        self.console.file.flush()

    def _undo(self) -> None:
        """Take back the last answer, unless it was the other side's."""
        standing = self.session.journal.standing()
        last = standing[-1] if standing else None
        if last and self._viewer != BOTH and last.side and last.side != self._viewer:
            self._complain(
                f"The last answer was the {last.side.capitalize()} player's, who alone takes it "
                "back."
            )
            return
        super()._undo()

    # -- the keys of the Refit Phase ----------------------------------------------------

    def _key(self, typed: str, asked: Prompt | Roll) -> bool:
        """Carry out a further key; ``p`` and ``m`` may name a hex, or all."""
        if typed == "o" and isinstance(asked, Prompt) and not _names(asked, "o"):
            self._complain("Nothing is rolled here; what a choice may lead to stands beside it.")
            return True
        key, _, about = typed.partition(" ")
        if about and key not in ("p", "m"):
            return False
        self._asked, self._about = asked, about.strip()
        return super()._key(key, asked)

    def _explain(self, asked: Prompt | Roll) -> None:
        """Say the rule in our words; where a prompt has no help, what the program does with it."""
        if isinstance(asked, Roll) or asked.help:
            super()._explain(asked)
            return
        from asl_pbcg.cli.rules import rows

        found = [row for row in rows() if row["book"] == "pb" and row["rule"] == asked.rule]
        if not found:
            super()._explain(asked)
        for row in found:
            self.console.print(Text(f" {row['id']}  {row['obligation']}."))

    @property
    def _sees(self) -> str:
        """Whose eyes are on the screen: a side, "umpire" for all, or "" for what both may know."""
        if self._viewer != BOTH:
            return self._viewer
        if self._open:
            return BOTH
        return "" if self._eyes == BOTH else self._eyes

    def _place(self) -> str | None:
        """The hex a key is about: the one typed, or the prompt's; None for the whole map."""

        state: Campaign = self.session.state
        grid: Grid = state.board.grid
        if self._about:
            if self._about.lower() == "all":
                return None
            return grid.check(self._about.upper())
        where = self._asked.where if self._asked else ""
        for word in where.replace("/", " ").replace(",", " ").split():
            if word in grid:
                return word
            piece = next((each for each in state.pieces if each.id == word), None)
            if piece is not None and piece.on_map:
                return piece.location.hex
        return None

    def _position(self) -> None:
        """Show what stands where, round the prompt's place or on the whole map."""
        from asl_pbcg.cli.refit_show import print_position

        print_position(self.console, self.session.state, self._sees, self._place())
        self._as_of()

    def _map(self) -> None:
        """Draw Setup Areas round the prompt's place in the terminal, and write the map."""
        from asl_pbcg.cli.refit_show import print_map, write_map

        place = self._place()
        if place:
            print_map(self.console, self.session.state, self._sees, place)
        written = write_map(self.session.state, self._sees, place, self._file)
        self.console.print(Text(f" The map is in {written}.", "dim"))
        self._as_of()

    def _as_of(self) -> None:
        """Say of what moment the picture is, if this step has changed things since."""
        step = self.session.step
        standing = self.session.journal.standing()
        if step and standing and standing[-1].step == step.id:
            name = f"{step.rule} {step.title}" if step.rule[:1].isdigit() else "this step"
            self.console.print(Text(f" As {name} began; what came since is told above.", "dim"))

    def _status(self) -> None:
        """Say where the campaign stands."""
        from asl_pbcg.cli.campaign import status_words
        from asl_pbcg.play.campaign_facts import facts

        for name, value in status_words(facts(self.session, self._sees)).items():
            self.console.print(Text(f"   {name}: {value}"))

    def _steps(self) -> None:
        """List the twenty steps and mark the one in progress."""
        for chart in self.session.state.frame.steps:
            mark = ">" if self.session.state.at == chart.step else " "
            self.console.print(Text(f" {mark} {chart.step} {chart.title}"))


def _names(prompt: Prompt, word: str) -> bool:
    """Whether a prompt has an option called ``word``, whatever its case."""
    return any(option.id.lower() == word for option in prompt.options)
