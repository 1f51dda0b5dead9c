"""Ruled rows on pages: column widths are shared out, everything wraps, nothing is cut.

No word and no number is broken as long as the page is wide enough. A tall row runs over pages; the
headings stand again on every page, and so does the heading of a section that goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reportlab.platypus import Flowable, FrameBreak, Table

from asl_pbcg.records.paragraphs import SANS
from asl_pbcg.records.sheet import Picture


def share(wanted: Sequence[float], needed: Sequence[float], total: float) -> list[float] | None:
    """Column widths that add up to ``total``: in proportion to ``wanted``, none below ``needed``.

    All in points. None if what is needed is more than ``total``.
    """
    if sum(needed) > total:
        return None
    fixed: dict[int, float] = {}
    while True:
        remaining = total - sum(fixed.values())
        scale = remaining / (sum(w for i, w in enumerate(wanted) if i not in fixed) or 1)
        narrow = {
            i: needed[i] for i, w in enumerate(wanted) if i not in fixed and w * scale < needed[i]
        }
        if not narrow:
            break
        fixed |= narrow
    widths = [fixed.get(i, w * scale) for i, w in enumerate(wanted)]
    short = total - sum(widths)  # every column may have ended up at what it needs
    return [width + short * width / sum(widths) for width in widths] if short > 0.01 else widths


def squeeze(wanted: Sequence[float], needed: Sequence[float], total: float) -> list[float]:
    """Return column widths that add up to ``total``, in proportion to ``needed``.

    Where not everything fits: long words will break.
    """
    bases = [max(w, 0.1) for w in needed] if sum(needed) else list(wanted)
    return [base * total / sum(bases) for base in bases]


def settle(
    widths: Sequence[float],
    needed: Sequence[float],
    natural: Sequence[float],
    rows: Sequence[int],
) -> list[float]:
    """Give width that no text uses to columns whose texts wrap, first where most rows do.

    ``natural`` is the width in which nothing in a column would wrap, ``rows`` how many rows are
    about that wide. A column keeps two thirds of its width, as room to write by hand.
    """
    settled = list(widths)
    spare = [
        max(0.0, have - max(need, want, have * 2 / 3))
        for have, need, want in zip(widths, needed, natural, strict=True)
    ]
    remaining = total = sum(spare)
    for place in sorted(range(len(settled)), key=lambda place: -rows[place]):
        more = min(remaining, max(0.0, natural[place] - settled[place]))
        settled[place] += more
        remaining -= more
    fraction = (total - remaining) / total if total else 0.0
    return [have - more * fraction for have, more in zip(settled, spare, strict=True)]


PAD = 2.6
"""Points left and right of a cell's text."""
GAP = 2.0
"""Points above and below it."""

GUTTER = 9.0
"""Points between tables that stand side by side."""
_AIR = 0.3
"""Points above and below a drawing in its cell: it has an edge of its own."""
_TOGETHER = 3
"""Rows that a page at least begins with."""

Command = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row: a paragraph or "" for each column, or one paragraph over all of them."""

    cells: tuple[Any, ...]
    height: float
    colour: Any = None
    span: bool = False
    again: GridRow | None = None
    """The section heading to repeat when a page begins with this row."""


class SignCell(Flowable):  # type: ignore[misc]
    """A small drawing in the middle of its cell, no higher than a row of ``row_height`` points."""

    def __init__(self, picture: Picture, row_height: float) -> None:
        super().__init__()
        self.picture, self.space = picture, picture.width
        self.scale = min(1.0, (row_height - 2 * _AIR) / picture.height)

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        """Its width, which is all there is, and its height less what it takes of the cell's gap."""
        self.space = width
        return width, max(0.0, self.picture.height * self.scale - 2 * (GAP - _AIR))

    def split(self, _width: float, _height: float) -> list[Any]:
        """A drawing is not parted."""
        return [self, ""]

    def draw(self) -> None:
        """Draw it on the page."""
        self.canv.saveState()
        self.canv.translate((self.space - self.picture.width * self.scale) / 2, _AIR - GAP)
        self.canv.scale(self.scale, self.scale)
        self.picture.paint(self.canv)
        self.canv.restoreState()


def cell_height(cell: Any, wide: float) -> float:
    """Return the height of a cell's text in a column ``wide`` points wide."""
    return float(cell.wrap(wide - 2 * PAD, 1e6)[1]) if cell else 0.0


def rows_of(
    cells: Sequence[Any],
    widths: Sequence[float],
    least: float,
    tallest: float,
    colour: Any = None,
    span: bool = False,
    again: GridRow | None = None,
    gap: float = GAP,
) -> list[GridRow]:
    """Return a row at least ``least`` high, or several if it would be higher than ``tallest``."""
    columns = [sum(widths)] if span else list(widths)
    made: list[GridRow] = []
    remaining = list(cells)
    while not made or any(remaining):
        now: list[Any] = []
        overflow: list[Any] = []
        height = 0.0
        for cell, wide in zip(remaining, columns, strict=True):
            part, more = cell, ""
            if cell and cell_height(cell, wide) > tallest - 2 * gap:
                part, more = cell.split(wide - 2 * PAD, tallest - 2 * gap)
            height = max(height, cell_height(part, wide))
            now.append(part)
            overflow.append(more)
        filled = (*now, *[""] * (len(widths) - len(now)))
        made.append(
            GridRow(filled, max(height + 2 * gap, 0 if made else least), colour, span, again)
        )
        remaining = overflow
    return made


@dataclass
class SheetGrid(Flowable):  # type: ignore[misc]
    """Rows under headings. ``rules`` gives the drawing commands for so many rows in all."""

    widths: Sequence[float]
    heads: Sequence[GridRow]
    rows: Sequence[GridRow]
    head_commands: Sequence[Command] = ()
    rules: Callable[[int], list[Command]] = field(default=lambda count: [])
    gap: float = GAP

    def __post_init__(self) -> None:
        super().__init__()

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Width and height of the whole grid."""
        return sum(self.widths), sum(row.height for row in (*self.heads, *self.rows))

    def split(self, _width: float, height: float) -> list[Any]:
        """Return the part that fits into ``height`` and the rest; nothing if no row fits."""
        room = height - sum(row.height for row in self.heads)
        count = 0
        for row in self.rows:
            room -= row.height
            if room < 0:
                break
            count += 1
        count = self._good_break(count)
        if not count:
            return []
        upper, lower = list(self.rows[:count]), list(self.rows[count:])
        if lower and lower[0].again:
            lower.insert(0, lower[0].again)
        if not lower:
            return [self._with(upper)]
        # Rows that were given up for a good break begin the next page, not the rest of this one.
        return [self._with(upper), FrameBreak, self._with(lower)]

    def _good_break(self, most: int) -> int:
        """The place to break at, at most ``most``: no heading ends a page, no row stands alone.

        Up to four rows are given up for it; with fewer rows than that there is no good break.
        """
        if not 0 < most < len(self.rows):
            return most
        count = most
        while count and self._is_heading(count - 1):
            count -= 1
        if not any(row.again for row in self.rows) and len(self.rows) <= 2 * _TOGETHER:
            return count
        for place in range(count, max(count - 5, 0), -1):
            if not self._is_heading(place - 1) and self._fits(place):
                return place
        return count

    def _fits(self, place: int) -> bool:
        """Return whether a break before a row leaves no row alone before or behind it."""
        behind = len(self.rows) - place
        first = place
        while first and not self._is_heading(first - 1):
            first -= 1
        last = place
        while last < len(self.rows) and not self._is_heading(last):
            last += 1
        before, after = place - first, last - place
        if behind < _TOGETHER and behind < len(self.rows):
            return False
        within = self.rows[place].again is not None and not self._is_heading(place)
        return not within or (before > 1 and after > 1)

    def _is_heading(self, place: int) -> bool:
        if place + 1 >= len(self.rows):
            return False
        return self.rows[place].span and self.rows[place + 1].again is not None

    def _with(self, rows: Sequence[GridRow]) -> SheetGrid:
        return replace(self, rows=rows)

    def draw(self) -> None:
        """Draw it on the page."""
        rows = [*self.heads, *self.rows]
        commands: list[Command] = [
            ("LEFTPADDING", (0, 0), (-1, -1), PAD),
            ("RIGHTPADDING", (0, 0), (-1, -1), PAD),
            ("TOPPADDING", (0, 0), (-1, -1), self.gap),
            ("BOTTOMPADDING", (0, 0), (-1, -1), self.gap),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            ("FONTNAME", (0, 0), (-1, -1), SANS),  # an empty cell names its font too
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


class Newspaper(Flowable):  # type: ignore[misc]
    """A grid that runs down several columns side by side, as even as they can be."""

    def __init__(self, grid: SheetGrid, count: int) -> None:
        super().__init__()
        self.grid, self.count = grid, count

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Its width, and the least height in which its columns hold everything."""
        wide = sum(self.grid.widths) * self.count + GUTTER * (self.count - 1)
        return wide, self._height()

    def split(self, _width: float, height: float) -> list[Any]:
        """Return the part that fits into ``height`` and the rest; nothing if no row fits."""
        columns, remaining = self._columns(height)
        if not columns:
            return []
        if remaining is None:
            return [_Columns(columns, self.count)]
        return [_Columns(columns, self.count), Newspaper(remaining, self.count)]

    def draw(self) -> None:
        """Draw it on the page."""
        columns, _ = self._columns(self._height())
        _draw_columns(self.canv, columns)

    def _columns(self, height: float) -> tuple[list[SheetGrid], SheetGrid | None]:
        """Return the columns of a height, from the left, and what does not fit into them."""
        columns: list[SheetGrid] = []
        remaining: SheetGrid | None = self.grid
        while remaining is not None and len(columns) < self.count:
            if remaining.wrap(0, 0)[1] <= height:
                return [*columns, remaining], None
            cut = remaining.split(0, height)
            if not cut:
                break
            columns.append(cut[0])
            remaining = cut[-1] if len(cut) > 1 else None
        return columns, remaining

    def _height(self) -> float:
        high = float(self.grid.wrap(0, 0)[1])
        low = high / (self.count + 1)
        while high - low > 1:
            middle = (low + high) / 2
            if self._columns(middle)[1] is None:
                high = middle
            else:
                low = middle
        return high


class _Columns(Flowable):  # type: ignore[misc]
    """The columns of one page, as they were parted."""

    def __init__(self, columns: Sequence[SheetGrid], count: int) -> None:
        super().__init__()
        self.columns, self.count = columns, count

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Its width and height."""
        wide = sum(self.columns[0].widths) * self.count + GUTTER * (self.count - 1)
        return wide, max(column.wrap(0, 0)[1] for column in self.columns)

    def draw(self) -> None:
        """Draw it on the page."""
        _draw_columns(self.canv, self.columns)


def _draw_columns(canvas: Any, columns: Sequence[SheetGrid]) -> None:
    """Draw columns side by side, their heads level."""
    sizes = [column.wrap(0, 0) for column in columns]
    tall = max(height for _, height in sizes)
    x = 0.0
    for column, (wide, height) in zip(columns, sizes, strict=True):
        column.drawOn(canvas, x, tall - height)
        x += wide + GUTTER
