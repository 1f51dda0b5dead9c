"""Pictures of many games: the VP, levels and lines of a simulation, the arms of a study."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import Pen
from asl_pbcg.hexes.labels import round_ticks
from asl_pbcg.st.many.sim import SimulatedGames
from asl_pbcg.st.many.sim_report import Distribution, SimulationReport, report
from asl_pbcg.st.many.study import Compared
from asl_pbcg.st.picture.map_frame import BLUE, INK, PAPER, RED
from asl_pbcg.st.rules.scoring import victory_chart

WIDTH: Final = 760.0
HEIGHT: Final = 560.0
_SOFT: Final = "#6a6355"
_GRID: Final = "#ddd5bf"
COLOURS: Final = {
    "german": "#5d665f",
    "marginal": "#d9a441",
    "substantial": "#b8552b",
    "overwhelming": RED,
}
"""The colour of each victory level."""


def plot(results: SimulatedGames) -> Drawing:
    """Draw what came of a simulation; at least one game must be done."""
    summary = report(results)
    drawing = Drawing(WIDTH, HEIGHT, "Pegasus Bridge, simulated games")
    drawing.box(0, 0, WIDTH, HEIGHT, Pen(fill=PAPER))
    drawing.text(30, 38, "PEGASUS BRIDGE", 19, RED, bold=True, spacing=1.2)
    drawing.text(30, 55, _subtitle(summary), 10, _SOFT)
    _histogram(drawing, results, summary, 58, 96, 420, 196)
    _levels(drawing, summary, 520, 96, 210, 196)
    _lines(drawing, summary, 30, 340, 700, 196)
    return drawing


def set_up_words(summary: SimulationReport) -> str:
    """Return the set-up of the simulated games in words."""
    mode = str(summary.settings.get("mode", "")).replace("_", " ")
    difficulty = summary.settings.get("difficulty", "")
    return f"{mode}, {difficulty}" if difficulty else mode


def games_words(summary: SimulationReport) -> str:
    """Return how many games were played."""
    return "1 game" if summary.done == 1 else f"{summary.done} games"


def _subtitle(summary: SimulationReport) -> str:
    return (
        f"{games_words(summary)}, {set_up_words(summary)}, British player: {summary.policy}, "
        f"seed {summary.seed}"
    )


def _heading(drawing: Drawing, x: float, y: float, text: str) -> None:
    drawing.text(x, y, text.upper(), 9.5, INK, bold=True, spacing=0.6)


def thresholds(summary: SimulationReport) -> dict[str, int]:
    """The least VP of each level above a German victory, at the difficulty that was played."""
    chart = victory_chart()
    return chart.least[str(summary.settings.get("difficulty") or "easy")]


# -- how VP are spread --------------------------------------------------------------------


def _histogram(
    drawing: Drawing,
    results: SimulatedGames,
    summary: SimulationReport,
    x: float,
    y: float,
    width: float,
    height: float,
) -> None:
    _heading(drawing, x - 28, y - 12, "Victory points")
    values = results.column("vp")
    needs = thresholds(summary)
    low, high = min(*values, 0), max(*values, *needs.values()) + 1
    size = next(each for each in (1, 2, 3, 5, 10, 20, 50) if (high - low) / each <= 60)
    low = math.floor(low / size) * size
    bins = Counter(((vp - low) // size, _level(vp, needs)) for vp in values)
    heights = Counter((vp - low) // size for vp in values)
    most = max(heights.values())
    step = width / math.ceil((high - low) / size)

    def across(vp: float) -> float:
        return x + (vp - low) / size * step

    def up(games: float) -> float:
        return y + height - games / most * height

    for part in round_ticks(0, most, 4):
        drawing.line([(x, up(part)), (x + width, up(part))], Pen(stroke=_GRID, width=0.6))
        drawing.text(x - 6, up(part) + 3, str(part), 8, _SOFT, anchor="end")
    for number in sorted(heights):
        top = y + height
        for level, colour in COLOURS.items():
            if bar := bins[number, level] / most * height:
                top -= bar
                drawing.box(x + number * step + 0.4, top, step - 0.8, bar, Pen(fill=colour))
    for vp in round_ticks(low, high, 8):
        drawing.text(across(vp), y + height + 12, str(vp), 8, _SOFT, anchor="middle")
    for level, vp in needs.items():
        at = across(vp)
        pen = Pen(stroke=COLOURS[level], width=0.9, dash=(3.0, 2.0))
        drawing.line([(at, y - 4), (at, y + height)], pen)
    drawing.line([(x, y + height), (x + width, y + height)], Pen(stroke=INK, width=1))
    _mean(drawing, summary.vp, across, y, (x + width, y + height + 26))


def _mean(
    drawing: Drawing,
    vp: Distribution,
    across: Callable[[float], float],
    y: float,
    corner: tuple[float, float],
) -> None:
    """Draw the mean with its interval above the bars, and say it below them."""
    drawing.line(
        [(across(vp.low + 0.5), y - 1), (across(vp.high + 0.5), y - 1)], Pen(stroke=BLUE, width=3)
    )
    drawing.circle(across(vp.mean + 0.5), y - 1, 3, Pen(fill=BLUE))
    words = (
        f"mean {vp.mean:.1f} ({vp.low:.1f} to {vp.high:.1f}), "
        f"median {vp.median:g}, quartiles {vp.quarter:g} and {vp.three_quarters:g}"
    )
    drawing.text(*corner, words, 9, BLUE, anchor="end")


def _level(vp: int, needs: dict[str, int]) -> str:
    reached = "german"
    for level, least in needs.items():
        if vp >= least:
            reached = level
    return reached


# -- how often each level -----------------------------------------------------------------


def _levels(
    drawing: Drawing, summary: SimulationReport, x: float, y: float, width: float, height: float
) -> None:
    _heading(drawing, x, y - 12, "Victory levels, 95% intervals")
    names = victory_chart().names
    row = height / len(summary.levels)
    for number, (level, share) in enumerate(summary.levels.items()):
        top = y + number * row
        drawing.text(x, top + 10, names[level], 9, INK)
        bar = top + 15
        drawing.box(x, bar, width, 13, Pen(fill="#efe7d2"))
        drawing.box(x, bar, width * share.share, 13, Pen(fill=COLOURS[level]))
        middle = bar + 6.5
        ends = (x + width * share.low, x + width * share.high)
        drawing.line([(ends[0], middle), (ends[1], middle)], Pen(stroke=INK, width=1.2))
        for end in ends:
            drawing.line([(end, middle - 3), (end, middle + 3)], Pen(stroke=INK, width=1.2))
        drawing.text(
            x + width, top + 10,
            f"{share.share:.1%} ({share.low:.1%} to {share.high:.1%})",
            8, _SOFT, anchor="end",
        )  # fmt: skip


# -- where VP come from -------------------------------------------------------------------


def _lines(
    drawing: Drawing, summary: SimulationReport, x: float, y: float, width: float, height: float
) -> None:
    _heading(drawing, x, y, "Where the VP come from, mean of a game")
    row = (height - 14) / len(summary.lines)
    names, numbers = 210.0, 110.0
    least = min(0.0, *(line.vp for line in summary.lines.values()))
    most = max(0.1, *(line.vp for line in summary.lines.values()))
    scale = (width - names - numbers) / (most - least)
    zero = x + names - least * scale
    for number, line in enumerate(summary.lines.values()):
        top = y + 14 + number * row
        drawing.text(x, top + row * 0.65, line.text, 9, INK)
        length = abs(line.vp) * scale
        left = zero if line.vp >= 0 else zero - length
        colour = "#7a8f5a" if line.vp >= 0 else "#a04438"
        drawing.box(left, top + 1.5, length, row - 3.5, Pen(fill=colour))
        drawing.text(
            x + width, top + row * 0.65, f"{line.vp:+.2f} VP  ({line.mean:.2f} times)", 8.5, _SOFT,
            anchor="end",
        )  # fmt: skip
    drawing.line([(zero, y + 12), (zero, y + height)], Pen(stroke=INK, width=0.8))


# -- the arms of a study ------------------------------------------------------------------


def plot_study(arms: Sequence[Compared]) -> Drawing:
    """Draw the arms of a study one below the other."""
    height = 110.0 + 34 * len(arms)
    drawing = Drawing(860, height, "Pegasus Bridge, a study")
    drawing.box(0, 0, 860, height, Pen(fill=PAPER))
    drawing.text(24, 34, "VP A GAME, 95% INTERVALS", 15, RED, bold=True)
    low = min((each.low for each in arms), default=0.0) - 3
    high = max((each.high for each in arms), default=1.0) + 3

    def x(vp: float) -> float:
        return 330 + (vp - low) / (high - low) * 380

    for tick in round_ticks(low, high, 8):
        drawing.line([(x(tick), 56), (x(tick), height - 40)], Pen(stroke=_GRID, width=0.8))
        drawing.text(x(tick), height - 24, str(tick), 9, INK, anchor="middle")
    for row, each in enumerate(arms):
        y = 74.0 + 34 * row
        drawing.text(24, y + 4, each.name, 10, INK)
        drawing.line([(x(each.low), y), (x(each.high), y)], Pen(stroke=INK, width=1.6))
        drawing.circle(x(each.vp), y, 4, Pen(fill=RED))
        drawing.text(724, y + 4, f"{each.vp:.1f}   wins {each.victory:.0%}", 10, INK)
    return drawing
