"""The picture of a study: each arm's VP with its 95% interval, and its share of victories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import Pen
from asl_pbcg.st.many.study import Compared

_PAPER: Final = "#fbf7ec"
_INK: Final = "#2b2a26"
_RED: Final = "#9f2d20"
_GRID: Final = "#ddd5bf"


def plot_study(arms: Sequence[Compared]) -> Drawing:
    """Draw the arms of a study one below the other."""
    height = 110.0 + 34 * len(arms)
    drawing = Drawing(860, height, "Pegasus Bridge, a study")
    drawing.box(0, 0, 860, height, Pen(fill=_PAPER))
    drawing.text(24, 34, "VP A GAME, 95% INTERVALS", 15, _RED, bold=True)
    low = min((each.low for each in arms), default=0.0) - 3
    high = max((each.high for each in arms), default=1.0) + 3

    def x(vp: float) -> float:
        return 330 + (vp - low) / (high - low) * 380

    step = 5 if high - low < 60 else 10
    tick = int(low // step + 1) * step
    while tick <= high:
        drawing.line([(x(tick), 56), (x(tick), height - 40)], Pen(stroke=_GRID, width=0.8))
        drawing.text(x(tick), height - 24, str(tick), 9, _INK, anchor="middle")
        tick += step
    for row, each in enumerate(arms):
        y = 74.0 + 34 * row
        drawing.text(24, y + 4, each.name, 10, _INK)
        drawing.line([(x(each.low), y), (x(each.high), y)], Pen(stroke=_INK, width=1.6))
        drawing.circle(x(each.vp), y, 4, Pen(fill=_RED))
        drawing.text(724, y + 4, f"{each.vp:.1f}   wins {each.victory:.0%}", 10, _INK)
    return drawing
