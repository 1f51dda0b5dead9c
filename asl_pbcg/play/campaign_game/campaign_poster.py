"""The campaign on one page: its maps as a strip, losses, points, dice, luck and survivors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.areas.area_map import AreaMap
from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.map.board_view import board_view
from asl_pbcg.campaign.sheets.ledger import header
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.chronicle.luck_ledger import (
    LuckLine,
    UnlikelyRoll,
    fraction_words,
    luck_ledger,
    rarest,
    totals,
    unlikely_rolls,
)
from asl_pbcg.chronicle.service import Survivor, moments_of, survivors
from asl_pbcg.hexes.counters import WHITE
from asl_pbcg.hexes.drawing import Drawing, text_width
from asl_pbcg.hexes.hex_view import HexView, whole
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.hexes.items import BLUE, INK, RED, SOFT, WATER, Pen
from asl_pbcg.hexes.labels import Box
from asl_pbcg.hexes.outline import hatching, outline
from asl_pbcg.hexes.page import (
    MARGIN,
    TITLE,
    PageHeading,
    draw_foot,
    draw_heading,
    draw_headline,
    lines_of_words,
)
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.tables import percent
from asl_pbcg.kernel.views import UMPIRE, for_side
from asl_pbcg.play.campaign_game.campaign_map import areas_seen
from asl_pbcg.play.campaign_game.history import Fall, dates, dice_falls
from asl_pbcg.play.campaign_game.looking_back import draw_dice, side_colour
from asl_pbcg.records.layout import Layout, Paper
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.records.templates import load_layout

COLOURS: Final = (RED, BLUE)
"""The colours of the first and the second side."""
_FULL: Final = (1.0, 0.65)
"""How strong their Front-Line hexes are: in grey the first side's are the darker ones."""
_NO_MANS: Final = "#ffe84a"
_PALE: Final = "#e9e6da"
_GAP: Final = 12.0
_BARS: Final = 46.0
"""How high the tallest bar of the dice is."""
_LETTERED: Final = 12
"""From how many hexes on a Setup Area has room for a letter."""
_MOST_ROLLS: Final = 8
_NAMES: Final = 0.36
"""The part of a column of survivors that their names take."""
_MOST_LINES: Final = 2
"""The most lines that the service of a survivor takes."""
_TEXT: Final = 6.6
_LINE: Final = 8.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """All that stands on the page."""

    state: Campaign
    sees: str
    maps: Mapping[CGDate, AreaMap]
    rows: Sequence[Mapping[str, Any]]
    falls: Sequence[Fall]
    luck: Sequence[LuckLine]
    rolls: Sequence[UnlikelyRoll]
    survivors: Mapping[Side, Sequence[Survivor]]


def luck_sheet(session: Session[Campaign], sees: str) -> Sheet:
    """Return the ledger of luck by itself, with the sums of the whole campaign."""
    ledger = luck_ledger(moments_of(session), sees)
    rows = map(_luck_row, (*ledger, *totals(ledger)))
    layout = msgspec.structs.replace(load_layout("campaign"), title="Ledger of Luck")
    return _sheet(session.state, sees, layout, list(rows))


def campaign_sheet(session: Session[Campaign], sees: str, paper: str) -> Sheet:
    """Return the page of a campaign as ``sees`` may know it, and its ledger of luck."""
    ledger = luck_ledger(moments_of(session), sees)
    picture = draw_campaign(story_of(session, sees), Paper.parse(paper).size)
    sheet = _sheet(session.state, sees, load_layout("campaign"), list(map(_luck_row, ledger)))
    return replace(sheet, picture=picture, picture_first=True)


def _sheet(state: Campaign, sees: str, layout: Layout, rows: list[dict[str, object]]) -> Sheet:
    head = header(state)
    return Sheet(
        layout=layout,
        tables={"luck": rows},
        subtitle=head.campaign,
        facts=(*head.player_facts, ("CG Date", state.date.title), ("Seen by", sees.capitalize())),
        footer=f"{head.campaign}, {state.date.title}",
    )


def story_of(session: Session[Campaign], sees: str) -> Story:
    """Return what the page of a campaign tells ``sees``."""
    state, history = session.state, moments_of(session)
    maps = {
        moment.after.determined.date: areas_seen(moment.after, sees)
        for moment in history
        if moment.after.determined and not moment.undone
        and moment.after.determined is not moment.before.determined
    }  # fmt: skip
    if state.ended:  # no Setup Areas are determined any more
        maps[state.date] = areas_seen(change(state, determined=None), sees)
    return Story(
        state=state,
        sees=sees,
        maps=maps,
        rows=dates(state, sees),
        falls=[fall for fall in dice_falls(for_side(session.lines(), sees)) if fall.side],
        luck=totals(luck_ledger(history, sees)),
        rolls=unlikely_rolls(history, sees),
        survivors={side: survivors(session, sees, side) for side in _sides_seen(state, sees)},
    )


def _sides_seen(state: Campaign, sees: str) -> list[Side]:
    return [side for side in state.sides if sees in (UMPIRE, side.value)]


def _luck_row(line: LuckLine) -> dict[str, object]:
    return {
        "phase": "Whole campaign" if line.phase == "All" else f"RePh {line.phase}",
        "side": line.side.capitalize(),
        "kind": line.kind,
        "unit": line.unit,
        "rolls": line.rolls,
        "expected": fraction_words(line.expected),
        "brought": fraction_words(line.brought),
        "difference": fraction_words(line.difference, signed=True),
        "expected_number": round(float(line.expected), 6),
        "brought_number": round(float(line.brought), 6),
        "difference_number": round(float(line.difference), 6),
    }


def draw_campaign(story: Story, size: tuple[float, float]) -> Drawing:
    """Draw the page."""
    state = story.state
    title = state.frame.campaigns[state.campaign].title
    drawing = Drawing(*size, title=title)
    whom = "umpire" if story.sees == UMPIRE else f"{story.sees.capitalize()} player"
    lines = (f"{state.date.title}, for the {whom}",)
    right = size[0] - MARGIN
    draw_heading(drawing, PageHeading(title=title, lines=lines), _box(MARGIN, MARGIN, right))
    top = MARGIN + TITLE
    if state.ended:
        for line in lines_of_words(f"CG End: {state.ended}", right - MARGIN, 9, bold=True):
            drawing.text(MARGIN, top + 2, line, 9, INK, bold=True)
            top += 11
    top = _draw_strip(drawing, story, top) + _GAP
    half = (right - MARGIN - _GAP) / 2
    middle = MARGIN + half + _GAP
    left_end = draw_dice(drawing, story.falls, MARGIN, top, half, _BARS)
    served = _survivor_lines(story, half)
    below = 4 * _GAP + (4 + max(map(len, served.values()), default=0) + len(_kinds(story))) * _LINE
    right_end = _draw_rolls(drawing, story.rolls, middle, top, half, size[1] - MARGIN - below)
    top = max(left_end, right_end) + _GAP
    for left, (side, listed) in zip((MARGIN, middle), served.items(), strict=False):
        draw_headline(drawing, f"{side.title} survivors", left, top, half)
        for number, (name, words) in enumerate(listed):
            y = top + 19 + number * _LINE
            drawing.text(left, y, name, _TEXT, INK, bold=True)
            drawing.text(left + half * _NAMES, y, words, _TEXT, SOFT)
    if served:
        top += (1 + max(map(len, served.values()))) * _LINE + 2 * _GAP
    _draw_luck(drawing, story, MARGIN, top, right - MARGIN)
    draw_foot(drawing)
    return drawing


def _box(left: float, top: float, right: float) -> Box:
    return Box(left, top, right, top + TITLE)


# -- The strip of maps ----------------------------------------------------------------------


def _draw_strip(drawing: Drawing, story: Story, top: float) -> float:
    """Draw a small map of each CG Date with its points under it; give where the strip ends."""
    board = story.state.board
    window = whole(board.grid)
    count = len(story.maps)
    across = 5 if count == 5 else 4
    room = (drawing.width - 2 * MARGIN - (across - 1) * 8) / across
    scale = room / (window[2] - window[0])
    high = (window[3] - window[1]) * scale
    shapes = _water(board)
    rows = {row["date"]: row for row in story.rows}
    for number, (date, areas) in enumerate(story.maps.items()):
        left = MARGIN + number % across * (room + 8)
        y = top + number // across * (high + 3.2 * _LINE)
        view = board_view(board, drawing, window, scale, left, y)
        drawing.polygon(view.frame, Pen(fill=_PALE))
        with drawing.clip(view.frame):
            _fill(drawing, view, shapes, WATER)
            _fill(drawing, view, areas.no_mans_land, _NO_MANS)
            level = [view.points(line) for line in hatching(areas.no_mans_land, 0.5, 0.0, 0.0)]
            drawing.lines(level, Pen(stroke=INK, width=0.35))
            for side, colour, full in zip(areas.sides, COLOURS, _FULL, strict=True):
                for area in areas.areas[side]:
                    _fill(drawing, view, area.hexes - area.front_line, colour, full * 0.4)
                    _fill(drawing, view, area.front_line, colour, full)
            for side, colour in zip(areas.sides, COLOURS, strict=True):
                for area in areas.areas[side]:
                    _letter(drawing, view, area.hexes, side.title[0], colour)
        drawing.polygon(view.frame, Pen(stroke=INK, width=0.6))
        place = (left, y + high + _LINE, room)
        _draw_points(drawing, date, rows.get(date.value, {}), areas.sides, place)
    lines = -(-count // across) if count else 0
    end = top + lines * (high + 3.2 * _LINE)
    first, second = (f"{side.title[0]} {side.title}" for side in story.state.sides)
    words = (
        f"Setup Areas after each CG Date, {first}, {second}: Front-Line hexes full, the rest pale; "
        "No Man's Land yellow with lines. SAN and Casualty VP lost: "
    )
    words += f"{' : '.join(side.title for side in story.state.sides)}."
    drawing.text(MARGIN, end, words, 5.6, SOFT)
    return end + 2


def _water(board: Board) -> HexSet:
    return board.terrain("canal")


def _fill(drawing: Drawing, view: HexView, hexes: HexSet, colour: str, opacity: float = 1) -> None:
    rings = [view.points(ring) for ring in outline(hexes, 0.0)]
    drawing.polygons(rings, Pen(fill=colour, opacity=opacity))


def _letter(drawing: Drawing, view: HexView, hexes: HexSet, letter: str, colour: str) -> None:
    """Write whose a Setup Area is into its middle: in grey the colours look alike."""
    places = [view.hex_at(name) for name in hexes.names]
    if len(places) < _LETTERED:
        return
    x, y = (sum(values) / len(places) for values in zip(*places, strict=True))
    x, y = min(places, key=lambda place: hypot(place[0] - x, place[1] - y))
    drawing.plate(x - 4, y - 4, 8, 8, Pen(fill=WHITE, stroke=colour, width=0.6))
    drawing.text(x, y + 2.2, letter, 6, INK, anchor="middle", bold=True)


def _draw_points(
    drawing: Drawing,
    date: CGDate,
    row: Mapping[str, Any],
    sides: tuple[Side, Side],
    place: tuple[float, float, float],
) -> None:
    """Write the points of a CG Date under its map; ``place`` is left, top and room."""
    left, y, room = place
    drawing.text(left, y, date.title, 8, INK, bold=True)
    at = left + room
    for name, key in (("CVP", "cvp_lost"), ("SAN", "san")):
        first, second = (row.get(f"{side}_{key}") for side in sides)
        if first is None and second is None:
            continue
        for text, colour in ((str(second), BLUE), (":", SOFT), (str(first), RED), (name, SOFT)):
            drawing.text(at, y, text, _TEXT, colour, anchor="end", bold=colour != SOFT)
            at -= text_width(text, _TEXT, bold=colour != SOFT) + 1.5
        at -= 3
    cpp = row.get("cpp_available")
    if cpp is not None:
        words_of_cpp = f"CPP {cpp}, spent {row.get('cpp_spent') or 0}, left {row.get('cpp_left')}"
        drawing.text(left, y + _LINE, words_of_cpp, _TEXT, SOFT)


# -- Turning points, survivors, luck ----------------------------------------------------------


def _draw_rolls(
    drawing: Drawing,
    rolls: Sequence[UnlikelyRoll],
    left: float,
    top: float,
    room: float,
    bottom: float,
) -> float:
    """Draw the least likely rolls, as many as there is room for above ``bottom``."""
    draw_headline(drawing, "Turning points", left, top, room)
    y = top + 20
    for most in range(_MOST_ROLLS, 0, -1):
        shown = [
            (roll, lines_of_words(_roll_words(roll), room - 28, _TEXT))
            for roll in rarest(rolls, most)
        ]
        if y + sum(len(lines) * _LINE + 2 for _, lines in shown) <= bottom:
            break
    for roll, lines in shown:
        drawing.text(left, y, percent(roll.chance), 8, side_colour(roll.side), bold=True)
        for line in lines:
            drawing.text(left + 28, y, line, _TEXT, INK)
            y += _LINE
        y += 2
    if not rolls:
        drawing.text(left, y, "No roll so far was unlikely.", _TEXT, SOFT)
        y += _LINE
    words = "In front: how likely a result so good or better, or so bad or worse, was."
    if more := len(rolls) - len(shown):
        worst = percent(max(roll.chance for roll in rolls))
        words += f" {more} more had a chance of {worst} or less."
    drawing.text(left, y, words, 5.6, SOFT)
    return y


def _roll_words(roll: UnlikelyRoll) -> str:
    return f"{roll.side.capitalize()}, {roll.title}: {roll.text}"


def _survivor_lines(story: Story, room: float) -> dict[Side, list[tuple[str, str]]]:
    """Return by side the lines of its survivors: the name in the first of each, and words."""
    return {
        side: [
            ("" if number else survivor.name, words)
            for survivor in listed
            for number, words in enumerate(
                lines_of_words(survivor.words, room * (1 - _NAMES), _TEXT)[:_MOST_LINES]
            )
        ]
        for side, listed in story.survivors.items()
    }


def _kinds(story: Story) -> list[tuple[str, str]]:
    """Return the kinds of rolls in the ledger of luck, each with what is counted."""
    return list(dict.fromkeys((line.kind, line.unit) for line in story.luck))


def _draw_luck(drawing: Drawing, story: Story, left: float, top: float, room: float) -> None:
    """Draw the totals of the ledger of luck: a line for each kind, both sides beside each other."""
    draw_headline(drawing, "Ledger of luck", left, top, room)
    sides = [side.value for side in story.state.sides]
    ledger = {(line.side, line.kind, line.unit): line for line in story.luck}
    kinds = _kinds(story)
    names = ("rolls", "expected", "brought", "difference")
    width = (room - 130) / 8
    y = top + 20
    for number, side in enumerate(sides):
        x = left + 130 + number * 4 * width
        drawing.text(x, y, side.capitalize(), _TEXT, COLOURS[number], bold=True)
        for place, name in enumerate(names):
            drawing.text(x + (place + 1) * width - 6, y + _LINE, name, 5.6, SOFT, anchor="end")
    y += 2 * _LINE
    step = min(_LINE, (drawing.height - MARGIN - y) / max(1, len(kinds)))
    size = min(_TEXT, step * 0.88)
    for kind, unit in kinds:
        words = f"{kind}, {unit}"
        drawing.text(left, y, words, min(size, size * 126 / text_width(words, size)), INK)
        for number, side in enumerate(sides):
            line = ledger.get((side, kind, unit))
            if line is None:
                continue
            x = left + 130 + number * 4 * width
            values = (
                str(line.rolls),
                fraction_words(line.expected),
                fraction_words(line.brought),
                fraction_words(line.difference, signed=True),
            )
            for place, value in enumerate(values):
                bold = place == 3
                drawing.text(
                    x + (place + 1) * width - 6, y, value, size, INK, anchor="end", bold=bold
                )
        y += step
