"""How what is asked looks in a terminal: it fits on the screen, whatever there is to choose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import IO, Any, cast

from rich.console import Console, RenderableType
from rich.control import Control
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from asl_pbcg.cli.terminal.sentences import Sentences
from asl_pbcg.kernel.prompts import Option, Roll
from asl_pbcg.kernel.tables import percent
from asl_pbcg.kernel.wording import cut
from asl_pbcg.play.asked import AskedPrompt, AskedRoll

REFUSED_ALIKE = 4
"""So many options refused for the same reason are shown one by one, more of them in one line."""
BESIDE = 34
"""So many letters beside an option are shown even where its text must be cut for them."""
ROUND = 6
"""Rows of a question besides its options: blank, head, text, keys, complaint, the line typed."""
BETWEEN = "   "
"""Stands between the parts of the line above a question."""
AFTER_HEAD = 3
"""Columns of that line which the rule behind its words takes."""
SHORTEST = 8
"""So many letters of a part of that line stay in any case."""


class Screen:
    """A console that knows how many rows were printed since a question was put."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Sentences()
        self._rows = _Rows(self.console.file)
        self.console.file = cast(IO[str], self._rows)

    @property
    def height(self) -> int:
        """Rows of the terminal; 0 where what is printed goes to a file."""
        return self.console.height if self.console.is_terminal else 0

    @property
    def width(self) -> int:
        """Columns."""
        return self.console.width

    def mark(self) -> None:
        """A question is put from here on."""
        self._rows.count = 0

    @property
    def rows(self) -> int:
        """Return the number of rows printed since the question was put."""
        return self._rows.count

    @property
    def scrolled(self) -> bool:
        """Return whether the head of the question is no longer in sight, or soon will not be."""
        return bool(self.height) and self._rows.count >= self.height - 1

    def wipe(self) -> None:
        """Take everything from the screen, what has scrolled off it too."""
        if self.console.legacy_windows or not self.console.is_terminal:
            self.console.control(Control.clear(), Control.home())
        elif not self.console.is_dumb_terminal:
            self._rows.command(WIPE + FORGET_SCROLLED)

    def say(self, text: str, style: str = "") -> None:
        """Print a sentence, a blank before it."""
        self.console.print(Text(f" {text}", style))

    def rows_of(self, shown: RenderableType) -> int:
        """Return the number of rows that something takes."""
        return len(self.console.render_lines(shown, pad=False))


def fitted_head(head: Sequence[str], width: int) -> str:
    """The parts of the line above a question as one, short enough for ``width``: the longest gives
    way.

    So whose question it is and what it is about stay, and the title of a step is cut; in a narrow
    window the first part goes, the game and its date.
    """
    parts = list(head)
    room = width - AFTER_HEAD
    over = len(BETWEEN.join(parts)) - room
    longest = max(range(len(parts)), key=lambda at: len(parts[at]))
    if over > 0:
        kept = max(len(parts[longest]) - over, SHORTEST)
        parts[longest] = cut(parts[longest], kept, "…")
    fitted = BETWEEN.join(parts)
    if len(fitted) > room and len(parts) > 1:
        return fitted_head(head[1:], width)
    return fitted


WIPE = "\x1b[2J\x1b[H"
FORGET_SCROLLED = "\x1b[3J"
"""Terminals forget what has scrolled off at this (xterm, Windows Terminal, macOS Terminal)."""


class _Rows:
    """A stream that counts the rows written to it."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self.count = 0

    def write(self, text: str) -> int:
        self.count += text.count("\n")
        return self._stream.write(text)

    def command(self, text: str) -> int:
        written: int = getattr(self._stream, "command", self._stream.write)(text)
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


# -- options ------------------------------------------------------------------------------


def options_grid(screen: Screen, asked: AskedPrompt, page: int = 0) -> tuple[RenderableType, int]:
    """Return the options as they fit on the screen, and how many pages there are.

    As long as there is room every option has all its words. Else the refused ones go into a line,
    then every option into one row, then the rest on further pages.
    """
    options = asked.options
    room = screen.height - ROUND - screen.rows_of(Text(asked.text)) + 1 if screen.height else 0
    full = _grid(options, numbers(options), whole=True)
    if not room or screen.rows_of(full) <= room:
        return full, 1
    numbered = numbers(options)
    legal = [option for option in options if not option.refused]
    refused = _refused_line(options)
    tight = _grid(legal, numbered, whole=True, below=refused)
    if screen.rows_of(tight) <= room:
        return tight, 1
    tight = _grid(legal, numbered, whole=False, below=refused, width=screen.width)
    if screen.rows_of(tight) <= room:
        return tight, 1
    size = max(3, room - 1)
    pages = -(-len(legal) // size)
    at = page % pages
    more = Text(f"page {at + 1} of {pages}: + shows the next", "dim")
    part = legal[at * size : (at + 1) * size]
    return _grid(part, numbered, whole=False, below=more, width=screen.width), pages


def numbers(options: Sequence[Option]) -> dict[str, str]:
    """Return what is typed for each option: its number, or its id where ids are numbers."""
    numbered = not any(option.id.isdigit() for option in options)
    return {
        option.id: str(number) if numbered else option.id
        for number, option in enumerate(options, 1)
    }


def _grid(
    options: Sequence[Option],
    marks: dict[str, str],
    whole: bool,
    below: Text | None = None,
    width: int = 80,
) -> Padding:
    grid = Table(box=None, show_header=False, padding=(0, 3, 0, 0), pad_edge=False)
    grid.add_column(
        no_wrap=True, min_width=max((len(marks[option.id]) for option in options), default=1)
    )
    shown = [_beside(option) for option in options]
    digits = max((len(marks[option.id]) for option in options), default=1)
    if whole:
        grid.add_column(overflow="fold")
        grid.add_column(overflow="fold")
    else:
        # A row each: number and choice stay, what stands beside them gives way.
        least = min(BESIDE, max(map(len, shown), default=0))
        longest = max(map(len, [*(option.text for option in options), (below or Text()).plain]))
        first = min(longest, max(10, width - digits - least - 8))
        grid.add_column(overflow="ellipsis", no_wrap=True, width=first)
        grid.add_column(overflow="ellipsis", no_wrap=True, width=max(1, width - digits - first - 8))
    refusals = Counter(why(option) for option in options if option.refused)
    for option in options:
        mark = marks[option.id]
        if not option.refused:
            beside = Text(_beside(option), "green")
            grid.add_row(Text(mark, "bold cyan"), Text(option.text), beside)
        elif refusals[why(option)] <= REFUSED_ALIKE:
            grid.add_row("-", Text(option.text, "dim"), Text(why(option), "dim"))
    for reason, count in refusals.items():
        if count > REFUSED_ALIKE:
            alike = [option.text for option in options if why(option) == reason]
            text = f"{', '.join(alike[:2])} and {count - 2} more"
            grid.add_row("-", Text(text, "dim"), Text(reason, "dim"))
    if below:
        grid.add_row("-", below)
    return Padding(grid, (0, 0, 0, 1))


def _beside(option: Option) -> str:
    """Return the words beside an option: what it brings, and its odds."""
    odds = "  ".join(f"{result} {chance}" for result, chance in option.odds.items())
    return "  ".join(part for part in (option.consequence, odds) if part)


def _refused_line(options: Sequence[Option]) -> Text | None:
    """Return the options that may not be chosen, in few words; ``? NUMBER`` says why."""
    refused = [option for option in options if option.refused]
    if not refused:
        return None
    names = ", ".join(option.id for option in refused)
    names = names if len(names) < 40 else f"{len(refused)} choices"
    return Text(f"not now: {names} (? and the name says why)", "dim")


def why(option: Option) -> str:
    """Why an option is refused, with the rule; empty if it is not."""
    rule = f" ({option.rule})" if option.refused and option.rule else ""
    return f"{option.refused}{rule}"


def option_words(option: Option) -> Text:
    """One option with all its words."""
    odds = "  ".join(f"{result} {chance}" for result, chance in option.odds.items())
    parts = [part for part in (option.text, option.consequence, odds, why(option)) if part]
    return Text("\n   ".join(parts))


# -- rolls --------------------------------------------------------------------------------


def roll_lines(asked: AskedRoll) -> list[Text]:
    """Return the modifiers of a roll one by one, then the chance of each result."""
    lines = [
        Text.assemble(f"   {drm.value:+d} {drm.why}  ", (drm.rule, "dim")) for drm in asked.drm
    ]
    if asked.odds:
        chances = " · ".join(f"{chance.says} {chance.percent}" for chance in asked.odds)
        lines.append(Text(f"   {chances}", "green"))
    return lines


def table_grid(roll: Roll) -> Table:
    """Return a whole table: every Final, every modifier it knows and whether it applies."""
    table = roll.table
    assert table
    grid = Table(box=None, show_header=False, padding=(0, 2, 0, 3))
    circumstances = table.check(roll.given)
    for row in table.rows:
        result = table.result(row, circumstances)
        grid.add_row(f"Final {row.finals(circumstances)}", Text(row.says or result))
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
    return grid


def odds_grid(roll: Roll) -> tuple[Text, Table]:
    """For each result the dice that bring it, and its chance as an exact fraction."""
    table = roll.table
    assert table
    total = sum(drm.value for drm in table.modifiers(roll.given))
    circumstances = table.check(roll.given)
    counts, outcomes = table.odds_counts(roll.given)
    words = ", ".join(f"{drm.value:+d} {drm.why}" for drm in table.modifiers(roll.given))
    head = Text(f" {table.title}: {words or 'no modifier'}, in all {total:+d}.")
    least, most = roll.spec.count, roll.spec.count * roll.spec.sides
    originals: dict[str, list[int]] = {}
    says: dict[str, str] = {}
    for original in range(least, most + 1):
        row = table.row(original + total, circumstances, original)
        result = table.result(row, circumstances)
        originals.setdefault(result, []).append(original)
        if row.original is None or result not in says:
            says[result] = row.says or result
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
    return head, grid
