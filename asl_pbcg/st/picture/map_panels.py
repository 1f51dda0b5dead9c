"""Panels beside the ground: title, legend, compass, scale, glider boxes and turn track."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import Pen
from asl_pbcg.hexes.labels import Box
from asl_pbcg.hexes.page import (
    PLATE_EDGE,
    PLATE_SOFT,
    PageHeading,
    draw_headline,
    draw_plate,
    draw_title_block,
    lines_of_words,
)
from asl_pbcg.hexes.panel import HEAD, PanelRow, draw_row, draw_track, draw_tray, draw_words
from asl_pbcg.hexes.symbols import bunker_mark
from asl_pbcg.st.area_terms import numbers
from asl_pbcg.st.board.map import GameMap, MapArea, Shape
from asl_pbcg.st.board.map_rules import map_rules
from asl_pbcg.st.picture.map_counters import SIZE, Counter, draw_counter
from asl_pbcg.st.picture.map_frame import INK, PAPER, RED, MapFrame, SheetRoom
from asl_pbcg.st.picture.map_signs import draw_arrow, draw_sign, landing_number, pillbox_mark
from asl_pbcg.st.state.area_tables import ArrowColour, table

_EDGE, _SOFT = PLATE_EDGE, PLATE_SOFT

_KEY: Final = (
    (Counter(symbol="infantry", side="british", sp=8), "infantry, SP"),
    (Counter(symbol="sapper", side="british", sp=1), "sappers"),
    (Counter(symbol="hq", side="british", sp=1), "HQ"),
    (Counter(symbol="leader", side="british"), "leader"),
    (Counter(symbol="piat", side="british", sp=3), "PIAT, shots"),
    (Counter(symbol="gammon", side="british", sp=3), "gammon"),
    (Counter(symbol="glider", side="british"), "glider"),
    (Counter(symbol="infantry", side="german", sp=4), "German"),
    (Counter(symbol="hidden", side="german"), "face down"),
    (Counter(symbol="mg", side="german"), "MG"),
    (Counter(symbol="at_gun", side="german"), "AT gun"),
    (Counter(symbol="tank", side="german"), "tank"),
    (Counter(symbol="mercedes", side="german"), "Mercedes"),
    (Counter(symbol="tank", side="german", state="wrecked"), "wreck"),
    (Counter(symbol="infantry", side="british", sp=4, badges="S"), "suppressed"),
    (Counter(symbol="leader", side="british", badges="W"), "wounded"),
    (Counter(symbol="infantry", side="german", sp=4, inside=True), "in bunker"),
    (Counter(symbol="bunker"), "bunker"),
    (Counter(symbol="bunker", state="cleared"), "cleared"),
    (Counter(symbol="pow"), "POW"),
    (Counter(symbol="prepared"), "position"),
    (Counter(symbol="prepared", state="building"), "being built"),
    (Counter(symbol="bridge", state="damaged"), "bridge hit"),
)


@dataclass(frozen=True, slots=True)
class Panel:
    """A block of the sheet beside the ground: its size in points and how it is drawn."""

    width: float
    height: float
    corner: tuple[float, float]
    """Where on the map it likes to stand: (0, 0) top left, (1, 1) bottom right."""
    draw: Callable[[float, float], None]


def place_panel(frame: MapFrame, room: SheetRoom, panel: Panel) -> bool:
    """Draw a panel where nothing stands, as near to its corner as it goes; say if it fitted."""
    margin = 6.0
    left, top = frame.left + margin, frame.top + margin
    right = frame.left + frame.width - margin - panel.width
    bottom = frame.top + frame.height - margin - panel.height
    if right < left or bottom < top:
        return False
    wish_x = left + (right - left) * panel.corner[0]
    wish_y = top + (bottom - top) * panel.corner[1]
    spots = [
        (left + (right - left) * i / 40, top + (bottom - top) * j / 60)
        for i in range(41)
        for j in range(61)
    ]
    spots.sort(key=lambda spot: math.dist(spot, (wish_x, wish_y)))
    for x, y in spots:
        if not room.cost(Box(x - 5, y - 5, x + panel.width + 5, y + panel.height + 5)):
            room.take(x - 3, y - 3, x + panel.width + 3, y + panel.height + 3)
            draw_plate(frame.drawing, x, y, panel.width, panel.height)
            panel.draw(x, y)
            return True
    return False


def title_panel(area_map: GameMap, frame: MapFrame, size: float, note: str) -> Panel:
    """Make the title with the scale; of a reconstruction it says that it is one."""
    drawing = frame.drawing
    width = max(158 * size, 400 * frame.scale + 30 * size)
    lines = [area_map.title] if area_map.title else []
    if area_map.origin == "reconstruction":
        lines += ["Laid out again from the rules; not the printed map"]
    if note:
        lines += lines_of_words(note, width - 16 * size, 6.4 * size)
    height = (58 + 9 * len(lines)) * size
    heading = PageHeading(
        title="Pegasus Bridge",
        subtitle="Strategy & Tactics 122 area game",
        lines=tuple(lines),
    )

    def draw(x: float, y: float) -> None:
        draw_title_block(drawing, heading, x, y, width, size, RED)
        scale_bar(frame, x + width / 2, y + height - 8.5 * size, size)

    return Panel(width, height, (0.0, 0.0), draw)


Sample = Callable[[Box], None]
"""Draws a sample of the legend into its box."""


def legend_panel(area_map: GameMap, drawing: Drawing, size: float) -> Panel:
    """Make the legend: areas, what stands in them, lines, arrows and glider landing."""
    rows = _legend_rows(area_map, drawing, size)
    circles = (
        f"{order} {landing_number(f'circle_{number}')}"
        for number, order in enumerate(("1st", "2nd", "3rd", "4th"), 1)
    )
    notes = (
        "Circles, in the order entered:",
        ", ".join(circles),
        f"Squares, pillbox, bunkers: {landing_number('automatic')}",
    )
    step, width, side = 16.2 * size, 136 * size, 8 * size
    small, between = 6.4 * size, 8.4 * size
    lines = sum(len(lines_of_words(note, width - 2 * side, small)) for note in notes)
    height = (5 + 7) * size + lines * between
    height += sum(step if row.sample else HEAD * size for row in rows)

    def draw(x: float, y: float) -> None:
        at = y + 5 * size
        for row in rows:
            high = step if row.sample else HEAD * size
            room = Box(x + side, at, x + width - side, at + high)
            draw_row(drawing, row, room, 24 * size, size, words=7.0, colour=RED)
            at += high
        for note in notes:
            room = Box(x + side, at + 1.6 * size, x + width - side, y + height)
            at += draw_words(drawing, note, room, small, between) * between

    return Panel(width, height, (1.0, 0.0), draw)


def _legend_rows(area_map: GameMap, drawing: Drawing, size: float) -> list[PanelRow]:
    def middle(draw: Callable[[float, float], None]) -> Sample:
        return lambda box: draw((box.left + box.right) / 2, (box.top + box.bottom) / 2)

    def sign(shape: Shape, **more: Any) -> Sample:
        rule = map_rules().shapes[shape]
        kind, terrain = rule.kind, rule.terrain
        area = MapArea(id="", name="", shape=shape, x=0, y=0, kind=kind, terrain=terrain, **more)
        return middle(lambda x, y: draw_sign(drawing, area, x, y, 6.4 * size))

    def line(kind: str) -> Sample:
        return middle(lambda x, y: _line_sample(drawing, kind, x, y, size))

    def arrow(colour: str) -> Sample:
        half = 11 * size
        return middle(lambda x, y: draw_arrow(drawing, (x - half, y), (x + half, y), colour, size))

    def landing(shape: Shape) -> PanelRow:
        return PanelRow(f"flight area, lands on {landing_number(shape)}", sign(shape))

    mp = {kind: map_rules().lines[kind].mp for kind in ("single", "double")}
    arrows = {row.result: row for row in table("glider.arrow").rows}
    return [
        PanelRow("Areas"),
        PanelRow("open", sign("circle")),
        PanelRow("obstructed", sign("square")),
        PanelRow("reinforcement entry, open", sign("oval")),
        landing("triangle"),
        landing("double_circle"),
        landing("hexagon"),
        PanelRow("German set-up (red outline)", sign("circle", features=frozenset({"setup"}))),
        PanelRow("bunker", middle(lambda x, y: bunker_mark(drawing, x, y + 2 * size, 5 * size))),
        PanelRow("pillbox", middle(lambda x, y: pillbox_mark(drawing, x, y, 4.6 * size))),
        PanelRow("Lines"),
        PanelRow(f"single: {mp['single']} MP", line("single")),
        PanelRow(f"double (hedge, ditch): {mp['double']} MP", line("double")),
        PanelRow("dashed: fire only", line("dashed")),
        PanelRow("hexagon link (choice a or b)", line("link")),
        PanelRow("road", line("road")),
        *([PanelRow("landing zone", line("zone"))] if area_map.zones else []),
        PanelRow("Gliders"),
        PanelRow(f"blue arrow: roll 1-{arrows[ArrowColour.BLUE].to}", arrow("blue")),
        PanelRow(f"red arrow: roll {arrows[ArrowColour.RED].start}-6", arrow("red")),
    ]


def _line_sample(drawing: Drawing, kind: str, x: float, y: float, size: float) -> None:
    """Draw a sample of a communication line, a road or the edge of a landing zone."""
    half = 11 * size

    def stroke(pen: Pen, shift: float = 0.0) -> None:
        drawing.line([(x - half, y + shift * size), (x + half, y + shift * size)], pen)

    if kind == "double":
        for shift in (-1.25, 1.25):
            stroke(Pen(stroke=INK, width=0.95 * size), shift)
    elif kind == "zone":
        stroke(Pen(stroke="#7a3f8c", width=1.1, dash=(4.5, 2.0, 1.0, 2.0)))
    else:
        if kind == "road":
            stroke(Pen(stroke="#7b5f3e", width=6.2 * size))
            stroke(Pen(stroke="#fffaf0", width=5.0 * size))
        dash = {
            "dashed": (2.6 * size, 2.2 * size),
            "link": (5 * size, 1.6 * size, 1.2 * size, 1.6 * size),
        }.get(kind, ())
        stroke(Pen(stroke=INK, width=1.25 * size, dash=dash))


def boxes_panel(drawing: Drawing, size: float, counters: Mapping[str, Sequence[Counter]]) -> Panel:
    """Make the glider holding boxes and the Demo Bridge box."""
    number: int = map_rules().gliders.value
    box, high, gap = 66.0 * size, 46.0 * size, 4.0 * size
    columns = 3
    rows = -(-number // columns)
    width = columns * (box + gap) + gap + 6 * size
    height = (rows + 1) * (high + gap) + gap + 6 * size - high * 0.15

    def tray(place: Box, name: str) -> None:
        room = draw_tray(drawing, place, name, size)
        _lay_out(drawing, room, counters.get(name, ()), SIZE * size)

    def draw(x: float, y: float) -> None:
        left, top = x + 3 * size + gap, y + 3 * size + gap
        for i in range(number):
            name = f"Glider {i + 1}"
            across, down = left + (i % columns) * (box + gap), top + (i // columns) * (high + gap)
            tray(Box(across, down, across + box, down + high), name)
        below = top + rows * (high + gap)
        tray(Box(left, below, left + 2 * box + gap, below + high * 0.85), "Demo Bridge")
        half = left + 2 * (box + gap) + 2 * size
        room = Box(half, below + 5.4 * size, half + box - 4 * size, below + high)
        words = "Gliders 1-3 enter in the north, 4-6 in the south"
        draw_words(drawing, words, room, 6.6 * size, 9 * size, italic=True)

    return Panel(width, height, (1.0, 1.0), draw)


def _lay_out(drawing: Drawing, room: Box, counters: Sequence[Counter], side: float) -> None:
    """Lay counters of this side into a room, smaller ones if there are many."""
    wide, high = room.right - room.left, room.bottom - room.top
    columns = max(1, int(wide / (side + 1)))
    rows = max(1, int((high + 1) / (side + 1)))
    if len(counters) > columns * rows:
        side *= math.sqrt(columns * rows / len(counters)) * 0.86
        columns = max(1, int(wide / (side + 1)))
    for number, counter in enumerate(counters):
        left = room.left + number % columns * (side + 1)
        top = room.top + number // columns * (side + 1)
        draw_counter(drawing, left, top, side, counter)


def key_panel(drawing: Drawing, size: float) -> Panel:
    """Make the key to the counters."""
    columns, across, step, side = 5, 47.5 * size, 14.2 * size, 12.2 * size
    rows = -(-len(_KEY) // columns)
    width, height = columns * across + 10 * size, rows * step + 20 * size

    def draw(x: float, y: float) -> None:
        draw_headline(drawing, "Counters", x + 8 * size, y + 4 * size, width - 16 * size, size, RED)
        for number, (counter, words) in enumerate(_KEY):
            left = x + 8 * size + number // rows * across
            top = y + 17 * size + number % rows * step
            draw_counter(drawing, left, top, side, counter)
            drawing.text(left + side + 3 * size, top + side * 0.68, words, 5.6 * size, INK)

    return Panel(width, height, (1.0, 1.0), draw)


def stacks_panel(drawing: Drawing, size: float, stacks: Mapping[str, Sequence[Counter]]) -> Panel:
    """Make a table of the boxes and of the areas with more counters than the map shows well."""
    side, across = 16.0 * size, 8
    rows = [(name, list(lying)) for name, lying in stacks.items()]
    lines = sum(-(-len(lying) // across) for _, lying in rows)
    width = (58 + across * 17.4 + 6) * size
    height = (17 + lines * 18.4 + 3 * len(rows)) * size

    def draw(x: float, y: float) -> None:
        draw_headline(drawing, "Stacks", x + 8 * size, y + 4 * size, width - 16 * size, size, RED)
        at = y + 17 * size
        for name, lying in rows:
            drawing.text(
                x + 56 * size, at + 11 * size, name, 7.4 * size, INK, anchor="end", bold=True
            )
            for number, counter in enumerate(lying):
                draw_counter(
                    drawing,
                    x + (59 + number % across * 17.4) * size,
                    at + number // across * 18.4 * size,
                    side,
                    counter,
                )
            at += (-(-len(lying) // across) * 18.4 + 3) * size

    return Panel(width, height, (1.0, 1.0), draw)


def turn_track(
    drawing: Drawing, left: float, top: float, width: float, height: float, turn: int | None
) -> None:
    """Draw the turn track along the foot of the sheet, the marker on ``turn``."""
    turns, minutes = numbers().turns, numbers().minutes_per_turn
    head = 62.0
    drawing.box(left, top, width, height, Pen(fill=PAPER, stroke=_EDGE, width=0.9))
    draw_headline(drawing, "Turn", left + 7, top + 3.5, head - 14, 1.2, RED)
    drawing.text(left + 7, top + height * 0.78, f"{minutes} minutes each", 6.2, _SOFT, italic=True)
    room = Box(left + head, top + 3.5, left + width - 4, top + height - 3.5)
    draw_track(drawing, range(1, turns + 1), turn, room, RED)


def scale_bar(frame: MapFrame, middle: float, top: float, size: float) -> None:
    """Draw a scale of 400 metres, its middle at ``middle``."""
    drawing, part = frame.drawing, 100 * frame.scale
    left = middle - 2 * part
    for i in range(4):
        fill = INK if i % 2 == 0 else "#ffffff"
        drawing.box(left + i * part, top, part, 3.4 * size, Pen(fill=fill, stroke=INK, width=0.5))
    for i in (0, 2, 4):
        words = f"{i * 100} m" if i else "0"
        drawing.text(left + i * part, top - 2.2 * size, words, 5.8 * size, INK,
                     anchor="middle", bold=True)  # fmt: skip
