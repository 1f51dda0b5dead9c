"""Ruled rows on pages: everything wraps, nothing is cut, a tall row runs over pages.

The headings stand again on every page; so does the heading of a section that goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from reportlab.platypus import Flowable, Table

PAD = 2.6
"""Points left and right of a cell's text."""
GAP = 2.0
"""Points above and below it."""

Command = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A row: a paragraph or "" for each column, or one paragraph over all of them."""

    cells: tuple[Any, ...]
    height: float
    colour: Any = None
    span: bool = False
    again: Row | None = None
    """The section heading to repeat when a page begins with this row."""


def cell_height(cell: Any, wide: float) -> float:
    """The height of a cell's text in a column ``wide`` points wide."""
    return float(cell.wrap(wide - 2 * PAD, 1e6)[1]) if cell else 0.0


def rows_of(
    cells: Sequence[Any],
    widths: Sequence[float],
    least: float,
    tallest: float,
    colour: Any = None,
    span: bool = False,
    again: Row | None = None,
) -> list[Row]:
    """A row at least ``least`` high, or several if it would be higher than ``tallest``."""
    columns = [sum(widths)] if span else list(widths)
    made: list[Row] = []
    rest = list(cells)
    while not made or any(rest):
        now: list[Any] = []
        left: list[Any] = []
        height = 0.0
        for cell, wide in zip(rest, columns, strict=True):
            part, more = cell, ""
            if cell and cell_height(cell, wide) > tallest - 2 * GAP:
                part, more = cell.split(wide - 2 * PAD, tallest - 2 * GAP)
            height = max(height, cell_height(part, wide))
            now.append(part)
            left.append(more)
        filled = (*now, *[""] * (len(widths) - len(now)))
        made.append(Row(filled, max(height + 2 * GAP, 0 if made else least), colour, span, again))
        rest = left
    return made


@dataclass
class Grid(Flowable):  # type: ignore[misc]
    """Rows under headings. ``rules`` gives the drawing commands for so many rows in all."""

    widths: Sequence[float]
    heads: Sequence[Row]
    rows: Sequence[Row]
    head_commands: Sequence[Command] = ()
    rules: Callable[[int], list[Command]] = field(default=lambda count: [])

    def __post_init__(self) -> None:
        super().__init__()

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Width and height of the whole grid."""
        return sum(self.widths), sum(row.height for row in (*self.heads, *self.rows))

    def split(self, _width: float, height: float) -> list[Any]:
        """The part that fits into ``height`` and the rest; nothing if no row fits."""
        left = height - sum(row.height for row in self.heads)
        count = 0
        for row in self.rows:
            left -= row.height
            if left < 0:
                break
            count += 1
        # A section heading never ends a page.
        while count and count < len(self.rows) and self._is_heading(count - 1):
            count -= 1
        if not count:
            return []
        upper, lower = list(self.rows[:count]), list(self.rows[count:])
        if lower and lower[0].again:
            lower.insert(0, lower[0].again)
        return [self._with(part) for part in (upper, lower) if part]

    def _is_heading(self, place: int) -> bool:
        return self.rows[place].span and self.rows[place + 1].again is not None

    def _with(self, rows: Sequence[Row]) -> Grid:
        return Grid(self.widths, self.heads, rows, self.head_commands, self.rules)

    def draw(self) -> None:
        """Draw it on the page."""
        rows = [*self.heads, *self.rows]
        commands: list[Command] = [
            ("LEFTPADDING", (0, 0), (-1, -1), PAD),
            ("RIGHTPADDING", (0, 0), (-1, -1), PAD),
            ("TOPPADDING", (0, 0), (-1, -1), GAP),
            ("BOTTOMPADDING", (0, 0), (-1, -1), GAP),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            *self.head_commands,
        ]
        for place, row in enumerate(rows):
            if row.colour is not None:
                commands.append(("BACKGROUND", (0, place), (-1, place), row.colour))
            if row.span:
                commands.append(("SPAN", (0, place), (-1, place)))
        table = Table(
            [row.cells for row in rows],
            colWidths=list(self.widths),
            rowHeights=[row.height for row in rows],
        )
        table.setStyle([*commands, *self.rules(len(rows))])
        table.wrapOn(self.canv, *self.wrap(0, 0))
        table.drawOn(self.canv, 0, 0)
