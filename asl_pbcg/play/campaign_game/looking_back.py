"""Looking back on paper: what each CG Date brought and how the dice fell, as one sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from asl_pbcg.campaign.terms import Side
from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import BLUE, INK, RED, SOFT, Pen
from asl_pbcg.hexes.labels import Box
from asl_pbcg.hexes.page import MARGIN, TITLE, PageHeading, draw_heading, draw_headline
from asl_pbcg.play.campaign_game.history import Fall
from asl_pbcg.records.layout import Paper
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.records.templates import load_layout

NAMES: Final = {1: "dr", 2: "DR"}
"""The name of so many dice."""
_GAP: Final = 12.0


def percent_of(share: float) -> str:
    """A chance with a digit after the point, more of them where it is very small or large."""
    return f"{share * 100:.1f}%" if 0.001 <= share <= 0.999 else f"{share * 100:.3f}%"


def chance_words(fall: Fall) -> str:
    """Say how likely a series as low or as high was."""
    if fall.lower is None or fall.higher is None:
        return "too few to tell"
    return f"as low {percent_of(fall.lower)}, as high {percent_of(fall.higher)}"


def side_colour(side: str) -> str:
    """Return the colour in which what a side threw is drawn; nobody's is grey."""
    if not side:
        return SOFT
    return RED if Side(side).is_first else BLUE


def draw_dice(
    drawing: Drawing,
    falls: Sequence[Fall],
    left: float,
    top: float,
    room: float,
    high: float = 52.0,
    size: float = 1.0,
) -> float:
    """Draw how often each total came as bars, and how often it was to be expected as a line.

    The charts stand two beside each other, ``high`` points each, their words ``size`` times 1.
    Gives where they end.
    """
    draw_headline(drawing, "Dice", left, top, room, size)
    top += 20 * size
    wide = (room - _GAP) / 2
    for number, fall in enumerate(falls):
        x = left + number % 2 * (wide + _GAP)
        y = top + number // 2 * (high + 32 * size)
        _draw_fall(drawing, fall, Box(x, y, x + wide, y + high), size)
    return top + -(-len(falls) // 2) * (high + 32 * size)


def _draw_fall(drawing: Drawing, fall: Fall, box: Box, size: float) -> None:
    colour = side_colour(fall.side)
    expected = [float(fall.count * chance) for chance in fall.chances]
    tallest = max(*fall.faces, *expected, 1)
    step, high = (box.right - box.left) / len(fall.faces), box.bottom - box.top
    for place, (came, due) in enumerate(zip(fall.faces, expected, strict=True)):
        x, tall = box.left + place * step, came / tallest * high
        drawing.box(x + 1, box.bottom - tall, step - 2, tall, Pen(fill=colour, opacity=0.75))
        level = box.bottom - due / tallest * high
        drawing.line([(x, level), (x + step, level)], Pen(stroke=INK, width=0.9))
        middle = x + step / 2
        total = str(fall.dice + place)
        drawing.text(middle, box.bottom + 6.5 * size, total, 5.6 * size, SOFT, anchor="middle")
        if came:
            top = box.bottom - tall
            if top - 6 * size < level < top + 1:  # the line would cross the number
                top = level
            drawing.text(middle, top - 1.5, str(came), 5.2 * size, INK, anchor="middle")
    drawing.line([(box.left, box.bottom), (box.right, box.bottom)], Pen(stroke=INK, width=0.6))
    name = NAMES.get(fall.dice, f"{fall.dice}d6")
    who = fall.side.capitalize() or "Nobody's"
    words = f"{who}: {fall.count} {name}, mean {fall.mean:.2f}, expected {fall.expected:g}"
    drawing.text(box.left, box.bottom + 14 * size, words, 6.6 * size, INK, bold=True)
    drawing.text(box.left, box.bottom + 21 * size, chance_words(fall), 5.6 * size, SOFT)


def _dice_page(falls: Sequence[Fall], title: str, paper: Paper) -> Drawing:
    height, width = paper.size
    drawing = Drawing(width, height, title=f"{title}, dice")
    heading = PageHeading(title="Looking Back", subtitle=title)
    draw_heading(drawing, heading, Box(MARGIN, MARGIN, width - MARGIN, MARGIN + TITLE))
    top, size = MARGIN + TITLE + 6, 1.5
    high = (height - top - 60) / max(2, -(-len(falls) // 2)) - 32 * size
    draw_dice(drawing, falls, MARGIN, top, width - 2 * MARGIN, high, size)
    words = "Bars: how often each total came. Lines: how often it was to be expected, exactly."
    drawing.text(MARGIN, height - MARGIN, words, 7, SOFT)
    return drawing


def looking_back(
    rows: Sequence[Mapping[str, Any]],
    falls: Sequence[Fall],
    title: str,
    seen_by: str,
    paper: str = Paper.A4,
) -> Sheet:
    """The sheet of ``rows`` (of ``history.dates``) and ``falls`` (of ``history.dice_falls``)."""
    layout = load_layout("looking_back")
    dates, dice = layout.tables
    return Sheet(
        layout=layout,
        tables={dates.key: rows, dice.key: [_row(fall) for fall in falls]},
        subtitle=title,
        facts=(("Seen by", seen_by),),
        footer=title,
        picture=_dice_page(falls, title, Paper.parse(paper)) if falls else None,
    )


def _row(fall: Fall) -> dict[str, Any]:
    return {
        "who": fall.side.capitalize() or "Nobody's",
        "dice": NAMES.get(fall.dice, f"{fall.dice}d6"),
        "count": fall.count,
        "mean": round(fall.mean, 2),
        "expected": fall.expected,
        "lower": "" if fall.lower is None else percent_of(fall.lower),
        "higher": "" if fall.higher is None else percent_of(fall.higher),
        "lower_number": fall.lower,
        "higher_number": fall.higher,
    }
