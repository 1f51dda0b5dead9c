"""A large drawing on several sheets of paper, with marks where to cut and to join them."""

from __future__ import annotations

import re
from typing import Final

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import Pen, Point
from asl_pbcg.kernel.errors import PBCGError

EDGE: Final = 22.0
"""The margin that a printer leaves white, in points."""
OVERLAP: Final = 17.0
"""How much of its neighbour a sheet repeats, to glue on, in points."""
MOST: Final = 8
"""Sheets along a side of a poster."""

Size = tuple[float, float]


def read_tiles(typed: str) -> tuple[int, int]:
    """Read how many sheets a poster has across and down, as players type it: 2x2, 3 x 2.

    Raises PBCGError.
    """
    match = re.fullmatch(r"\s*(\d{1,2})\s*[xX×*]\s*(\d{1,2})\s*", typed)
    if match:
        across, down = int(match[1]), int(match[2])
        if 1 <= across <= MOST and 1 <= down <= MOST:
            return across, down
    raise PBCGError(
        f'"{typed[:20]}" is not a poster: say how many sheets across and down, as 2x2, at most '
        f"{MOST}x{MOST}."
    )


def poster_size(paper: Size, tiles: tuple[int, int]) -> Size:
    """Give the size of the drawing that fills so many sheets of ``paper``, in points."""
    return (
        tiles[0] * (paper[0] - 2 * EDGE) - (tiles[0] - 1) * OVERLAP,
        tiles[1] * (paper[1] - 2 * EDGE) - (tiles[1] - 1) * OVERLAP,
    )


def best_turn(paper: Size, tiles: tuple[int, int]) -> Size:
    """Turn the paper so that the poster is as near as can be to lying 4 to 3."""

    def far(size: Size) -> float:
        wide, high = poster_size(size, tiles)
        return abs(wide / high - 4 / 3)

    return min((paper, paper[::-1]), key=far)


def cut_into_tiles(drawing: Drawing, paper: Size, tiles: tuple[int, int]) -> list[Drawing]:
    """Cut a drawing of ``poster_size`` into sheets, row by row, each with its cutting marks.

    Each sheet repeats at its right and foot a strip of the next. Cut the left and the head of every
    sheet along its marks and lay it on that strip, its edge on the broken marks. The number of each
    sheet stands outside the marks.
    """
    across, down = tiles
    wide, high = paper[0] - 2 * EDGE, paper[1] - 2 * EDGE
    sheets = []
    for row in range(down):
        for column in range(across):
            title = f"{drawing.title}, row {row + 1}, sheet {column + 1}"
            sheet = Drawing(*paper, title=title)
            left, top = column * (wide - OVERLAP), row * (high - OVERLAP)
            corners = _box(EDGE, EDGE, wide, high)
            with sheet.clip(corners), sheet.group(shift=(EDGE - left, EDGE - top)):
                sheet.add(drawing.items)
            _marks(sheet, wide, high, (column + 1 < across, row + 1 < down))
            words = f"row {row + 1} of {down}, sheet {column + 1} of {across}: {drawing.title}"
            sheet.text(EDGE + 14, EDGE - 8, words, 6, "#6f6b63")
            sheets.append(sheet)
    return sheets


def _box(left: float, top: float, wide: float, high: float) -> list[Point]:
    return [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)]


def _marks(sheet: Drawing, wide: float, high: float, joins: tuple[bool, bool]) -> None:
    """Draw cutting marks at the corners, and a broken line where the next sheet is glued on."""
    pen = Pen(stroke="#000000", width=0.5)
    reach, gap = 12.0, 2.5
    lines = []
    for x in (EDGE, EDGE + wide):
        for y in (EDGE, EDGE + high):
            out_x, out_y = (-1 if x == EDGE else 1), (-1 if y == EDGE else 1)
            lines.append([(x + out_x * gap, y), (x + out_x * (gap + reach), y)])
            lines.append([(x, y + out_y * gap), (x, y + out_y * (gap + reach))])
    sheet.lines(lines, pen)
    broken = Pen(stroke="#000000", width=0.4, dash=(3.0, 3.0))
    if joins[0]:
        x = EDGE + wide - OVERLAP
        ends = [[(x, EDGE - gap - reach), (x, EDGE - gap)]]
        ends.append([(x, EDGE + high + gap), (x, EDGE + high + gap + reach)])
        sheet.lines(ends, broken)
    if joins[1]:
        y = EDGE + high - OVERLAP
        ends = [[(EDGE - gap - reach, y), (EDGE - gap, y)]]
        ends.append([(EDGE + wide + gap, y), (EDGE + wide + gap + reach, y)])
        sheet.lines(ends, broken)
