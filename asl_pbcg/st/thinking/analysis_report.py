"""The report of an analysis: a page with the curve, and its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import inf
from typing import Final, NamedTuple

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import Pen
from asl_pbcg.hexes.labels import round_ticks
from asl_pbcg.hexes.page import lines_of_words
from asl_pbcg.st.picture.map_frame import INK, PAPER, RED
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.thinking.analysis import TURNING, Analysis, TurningPoint
from asl_pbcg.st.thinking.balance import GameBalance

_GRID: Final = "#ddd5bf"
WIDTH: Final = 595.0
HEIGHT: Final = 842.0
TOP: Final = 266.0
"""Where the words begin, below the curve."""
_HEAD: Final = 46.0
"""Where they begin on the pages after the first."""
FOOT: Final = 30.0
SIZE: Final = 8.5


DOUBTFUL_ONES: Final = "and the doubtful ones against whatever else could be done"
NOT_BEGUN: Final = "Luck and decisions are weighed from the first turn on; it has not begun."
STOPPED_EARLY: Final = "It was stopped before luck and decisions could be balanced."
STOPPED: Final = "It was stopped before what they cost could be measured."
NONE_COST: Final = "None cost half a VP, or more than chance may make it seem."


def report_lines(analysis: Analysis) -> list[tuple[str, list[str]]]:
    """Return the report in sections: a heading and its lines."""
    turns = [
        f"Turn {step.begin.turn}, {_span(step)}: {step.gain:+.1f} VP "
        f"(from {step.begin.vp:.0f} to {step.end.vp:.0f})"
        + (f": {'; '.join(step.reasons)}." if step.reasons else ".")
        for step in analysis.turning_points[:5]
    ]
    sections = [("The game", list(_head(analysis)))]
    if analysis.balance is None:
        told = STOPPED_EARLY if analysis.stopped else NOT_BEGUN
        return [*sections, ("The balance", [told]), *([("Turning points", turns)] if turns else [])]
    return [
        *sections,
        ("The balance", _balance(analysis.balance, is_over=bool(analysis.level))),
        (
            "Decisions that cost most",
            _costs(analysis) or [STOPPED if analysis.stopped else NONE_COST],
        ),
        ("Turning points", turns or ["No phase changed the prospects by more than chance does."]),
        ("Luck", _luck(analysis) or ["No roll changed the prospects by half a VP."]),
    ]


def _head(analysis: Analysis) -> Iterator[str]:
    level = f": {victory_chart().names[analysis.level]}" if analysis.level else ", not over"
    yield f"{analysis.vp} VP{level}"
    if analysis.compared:
        yield (
            f"Better than {analysis.place:.1%} of {analysis.compared:,} games of the good player "
            f"with the same set-up (95%: {analysis.place_low:.1%} to {analysis.place_high:.1%} of "
            f"all such games), as good as {analysis.as_good:.1%}."
        )
    if analysis.moments:
        part = "all" if analysis.weighed == analysis.moments else f"{analysis.weighed}"
        yield (
            f"Of {analysis.moments} decisions {part} were weighed against the good player's"
            + ("." if analysis.stopped else f", {DOUBTFUL_ONES}.")
        )
    if analysis.otherwise:
        count = analysis.otherwise
        phases = "1 phase was" if count == 1 else f"{count} phases were"
        yield (
            f"{phases} played with another pbcg, in which a rule was read otherwise: the rest of "
            "what was decided there is not weighed."
        )


def _costs(analysis: Analysis) -> list[str]:
    costly = sorted(
        (decision for decision in analysis.decisions if decision.is_told),
        key=lambda each: (not each.sure, -each.cost),
    )
    return [
        f"Turn {each.turn}: {each.done}. It {'cost' if each.sure else 'may have cost'} "
        f"{each.cost:.1f} VP (give or take {2 * each.error:.1f}) against: {each.best}"
        + (f" ({each.why})." if each.why else ".")
        for each in costly
    ]


def _balance(balance: GameBalance, is_over: bool) -> list[str]:
    """Return how start, luck and decisions make the result, in all and turn by turn."""
    end = "VP" if is_over else "VP expected at the end"
    rolls, found = balance.total("roll"), balance.total("turned up")
    return [
        f"Start {balance.start:.1f} VP {_give(balance.start_error)}, luck {_change(rolls + found)} "
        f"{_give(balance.luck_error)}, decisions {_change(balance.total('decision'))} "
        f"{_give(balance.decisions_error)}: {balance.end:.1f} {end}.",
        "Start: what the good player makes of this set-up on average. Luck: every roll "
        f"({_change(rolls)}) and what lay face down ({_change(found)}). Decisions: against what "
        "the good player would have done in your place.",
        *_turns(balance),
    ]


def _turns(balance: GameBalance) -> Iterator[str]:
    """Yield a line for each turn, one for several in which nothing that is told changed."""
    vp = balance.start
    quiet: list[int] = []
    for turn in sorted({item.event.turn for item in balance.items}):
        luck = balance.total("roll", "turned up", turn=turn)
        made = balance.total("decision", turn=turn)
        after = vp + luck + made
        changes = {_change(luck), _change(made), _change(after - vp)}
        if changes == {_change(0)} and f"{after:.1f}" == f"{vp:.1f}":
            quiet.append(turn)
        else:
            yield from _quiet(quiet, vp)
            quiet = []
            yield (
                f"Turn {turn}: {vp:.1f}, luck {_change(luck)}, decisions {_change(made)}: "
                f"{after:.1f} VP"
            )
        vp = after
    yield from _quiet(quiet, vp)


def _quiet(turns: Sequence[int], vp: float) -> Iterator[str]:
    if turns:
        name = f"Turn {turns[0]}" if len(turns) == 1 else f"Turns {turns[0]} to {turns[-1]}"
        yield f"{name}: nothing changed, {vp:.1f} VP"


def _change(vp: float) -> str:
    """Return a change of VP with its sign; what rounds to nothing has a plus."""
    return f"{round(vp, 1) + 0.0:+.1f}"


def _give(error: float) -> str:
    return f"(give or take {2 * error:.1f})"


def _luck(analysis: Analysis) -> list[str]:
    ranked = sorted(analysis.luck, key=lambda each: each.vp)
    notable = [each for each in ranked[:4] if each.vp <= -TURNING]
    notable += [each for each in ranked[:-5:-1] if each.vp >= TURNING]
    return [
        f"Turn {each.event.turn}: {each.event.words}: {each.vp:+.1f} VP {_give(each.error)}"
        + ("." if each.event.sp is None else f", {each.event.sp:+.1f} SP by exact odds.")
        for each in notable
    ]


def _span(step: TurningPoint) -> str:
    """The phases of a step: the curve has no point between the German move and the next turn."""
    last = step.end.turn != step.begin.turn
    return f"{step.begin.phase} to the end of the turn" if last else step.begin.phase


def draw_report(analysis: Analysis, size: tuple[float, float] | None = None) -> list[Drawing]:
    """Return the report as pages of a ``size``; without one as a page as high as it must be."""
    width, height = size or (WIDTH, inf)
    lines = list(_lines(analysis, width))
    pages: list[list[tuple[float, _Line]]] = [[]]
    y = TOP
    for line in lines:
        if y + line.room > height - FOOT:
            pages.append([])
            y = _HEAD
        pages[-1].append((y, line))
        y += line.high
    end = y + 16 if height == inf else height
    return [_draw_page(analysis, placed, (width, max(HEIGHT, end) if size is None else end), number)
            for number, placed in enumerate(pages)]  # fmt: skip


class _Line(NamedTuple):
    """A line of the report: its words, where it begins, and the room it and what must follow it
    take."""

    words: str
    heading: bool
    high: float
    room: float


def _lines(analysis: Analysis, width: float) -> Iterator[_Line]:
    for heading, lines in report_lines(analysis):
        yield _Line(heading, True, 15, 15 + 23)  # with two lines at least
        for number, line in enumerate(lines):
            parts = lines_of_words(line, width - 84, SIZE)
            for part in parts[:-1]:
                yield _Line(part, False, 11.5, 11.5)
            yield _Line(parts[-1], False, 13.5 if number < len(lines) - 1 else 21.5, 11.5)


def _draw_page(
    analysis: Analysis, placed: list[tuple[float, _Line]], size: tuple[float, float], number: int
) -> Drawing:
    drawing = Drawing(*size, "Pegasus Bridge, a game weighed")
    drawing.box(0, 0, *size, Pen(fill=PAPER))
    if not number:
        drawing.text(36, 46, "PEGASUS BRIDGE: A GAME WEIGHED", 16, RED, bold=True)
        _curve(drawing, analysis, 36, 66, size[0] - 72, 170)
    for y, line in placed:
        if line.heading:
            drawing.text(36, y, line.words, 11, RED, bold=True)
        else:
            drawing.text(42, y, line.words, SIZE, INK)
    return drawing


def _curve(
    drawing: Drawing, analysis: Analysis, left: float, top: float, width: float, height: float
) -> None:
    """The prospects from phase to phase, with their errors."""
    if not analysis.curve:
        return
    least = min(point.vp - 2 * point.error for point in analysis.curve) - 2
    most = max(point.vp + 2 * point.error for point in analysis.curve) + 2

    def at(number: int, vp: float) -> tuple[float, float]:
        x = left + 24 + (width - 30) * number / max(1, len(analysis.curve) - 1)
        return x, top + height - (vp - least) / (most - least) * height

    for tick in round_ticks(least, most, 8):
        _, y = at(0, tick)
        drawing.line([(left + 24, y), (left + width, y)], Pen(stroke=_GRID, width=0.7))
        drawing.text(left + 18, y + 3, str(tick), 8, INK, anchor="end")
    for number, point in enumerate(analysis.curve):
        low, high = at(number, point.vp - 2 * point.error), at(number, point.vp + 2 * point.error)
        drawing.line([low, high], Pen(stroke=_GRID, width=2))
        if number == 0 or analysis.curve[number - 1].turn != point.turn:
            x, _ = at(number, least)
            drawing.text(x, top + height + 12, point.label, 8, INK, anchor="middle")
    drawing.line(
        [at(number, point.vp) for number, point in enumerate(analysis.curve)],
        Pen(stroke=RED, width=1.6),
    )
    drawing.text(left + 24, top - 4, "Expected VP, turn by turn (grey: give or take)", 8, INK)


def html_report(analysis: Analysis) -> str:
    """Return the report as a page that stands alone."""
    picture = Drawing(WIDTH, 215, "Expected VP")
    _curve(picture, analysis, 20, 16, WIDTH - 40, 170)
    svg = picture.to_svg().partition("?>\n")[2]
    parts = [
        f"<h2>{escape(heading)}</h2><ol>{''.join(f'<li>{escape(x)}</li>' for x in lines)}</ol>"
        for heading, lines in report_lines(analysis)
    ]
    style = "body{font:16px/1.5 Georgia,serif;max-width:46em;margin:2em auto;background:#fbf7ec}"
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Pegasus Bridge: a game '
        f"weighed</title><style>{style}h1,h2{{color:#9f2d20}}svg{{width:100%}}</style>"
        f"<h1>Pegasus Bridge: a game weighed</h1>{svg}{''.join(parts)}</html>\n"
    )
