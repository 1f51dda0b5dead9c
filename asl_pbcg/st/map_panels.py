"""What stands beside the ground: title, legend, compass, scale, glider boxes and turn track."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import Pen
from asl_pbcg.hexes.page import (
    PLATE_EDGE,
    PLATE_SOFT,
    Heading,
    draw_plate,
    draw_title_block,
    lines_of_words,
)
from asl_pbcg.hexes.symbols import bunker_mark
from asl_pbcg.st.map import AreaMap
from asl_pbcg.st.map_counters import SIZE, Counter, draw_counter
from asl_pbcg.st.map_frame import INK, PAPER, RED, Frame
from asl_pbcg.st.map_parts import Area, Shape
from asl_pbcg.st.map_rules import map_rules
from asl_pbcg.st.map_signs import draw_arrow, draw_sign, landing_number, pillbox_mark
from asl_pbcg.st.map_words import Room
from asl_pbcg.st.numbers import numbers
from asl_pbcg.st.results import Arrow
from asl_pbcg.st.tables import table

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


def place_panel(frame: Frame, room: Room, panel: Panel) -> bool:
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
        if room.free(x - 5, y - 5, x + panel.width + 5, y + panel.height + 5):
            room.take(x - 3, y - 3, x + panel.width + 3, y + panel.height + 3)
            draw_plate(frame.drawing, x, y, panel.width, panel.height)
            panel.draw(x, y)
            return True
    return False


def title_panel(area_map: AreaMap, frame: Frame, size: float, note: str) -> Panel:
    """Make the title with the scale; of a reconstruction it says that it is one."""
    drawing = frame.drawing
    width = max(158 * size, 400 * frame.scale + 30 * size)
    lines = [area_map.title] if area_map.title else []
    if area_map.origin == "reconstruction":
        lines += ["Laid out anew from the rules; not the printed map"]
    if note:
        lines += lines_of_words(note, width - 16 * size, 6.4 * size)
    height = (58 + 9 * len(lines)) * size
    heading = Heading(
        title="Pegasus Bridge",
        subtitle="Strategy & Tactics 122 area game",
        lines=tuple(lines),
    )

    def draw(x: float, y: float) -> None:
        draw_title_block(drawing, heading, x, y, width, size, RED)
        scale_bar(frame, x + width / 2, y + height - 8.5 * size, size)

    return Panel(width, height, (0.0, 0.0), draw)


def legend_panel(area_map: AreaMap, drawing: Drawing, size: float) -> Panel:
    """Make the legend: areas, what stands in them, lines, arrows and glider landing."""
    rules = map_rules()
    rows: list[tuple[str, Callable[[float, float], None] | None, str]] = []
    radius = 6.4 * size

    def sign(shape: Shape, **more: object) -> Callable[[float, float], None]:
        rule = rules.shapes[shape]
        area = Area(
            id="", name="", shape=shape, x=0, y=0, kind=rule.kind, terrain=rule.terrain,
            **more,  # type: ignore[arg-type]
        )  # fmt: skip
        return lambda x, y: draw_sign(drawing, area, x, y, radius)

    def line(kind: str) -> Callable[[float, float], None]:
        def draw(x: float, y: float) -> None:
            half = 11 * size
            if kind == "double":
                for shift in (-1.25, 1.25):
                    drawing.line([(x - half, y + shift * size), (x + half, y + shift * size)],
                                 Pen(stroke=INK, width=0.95 * size))  # fmt: skip
                return
            dash = {
                "dashed": (2.6 * size, 2.2 * size),
                "link": (5 * size, 1.6 * size, 1.2 * size, 1.6 * size),
            }.get(kind, ())
            if kind == "zone":
                pen = Pen(stroke="#7a3f8c", width=1.1, dash=(4.5, 2.0, 1.0, 2.0))
                drawing.line([(x - half, y), (x + half, y)], pen)
                return
            if kind == "road":
                for width, ink in ((6.2, "#7b5f3e"), (5.0, "#fffaf0")):
                    drawing.line(
                        [(x - half, y), (x + half, y)], Pen(stroke=ink, width=width * size)
                    )
            drawing.line(
                [(x - half, y), (x + half, y)], Pen(stroke=INK, width=1.25 * size, dash=dash)
            )

        return draw

    def arrow(colour: str) -> Callable[[float, float], None]:
        return lambda x, y: draw_arrow(
            drawing, (x - 11 * size, y), (x + 11 * size, y), colour, size
        )

    def landing(shape: str) -> str:
        return f"flight area, lands on {landing_number(shape)}"

    costs = {kind: rules.lines[kind].mp for kind in ("single", "double")}
    arrows = {row.result: row for row in table("glider.arrow").rows}
    dice = {
        "blue": f"1-{arrows[Arrow.BLUE].to}",
        "red": f"{arrows[Arrow.RED].start}-6",
    }
    circles = [
        f"{order} {landing_number(f'circle_{number}')}"
        for number, order in enumerate(("1st", "2nd", "3rd", "4th"), 1)
    ]
    rows += [
        ("AREAS", None, ""),
        ("", sign("circle"), "open"),
        ("", sign("square"), "obstructed"),
        ("", sign("oval"), "reinforcement entry, open"),
        ("", sign("triangle"), landing("triangle")),
        ("", sign("double_circle"), landing("double_circle")),
        ("", sign("hexagon"), landing("hexagon")),
        ("", sign("circle", features=frozenset({"setup"})), "German set-up (red outline)"),
        ("", lambda x, y: bunker_mark(drawing, x, y + 2 * size, 5 * size), "bunker"),
        ("", lambda x, y: pillbox_mark(drawing, x, y, 4.6 * size), "pillbox"),
        ("LINES", None, ""),
        ("", line("single"), f"single: {costs['single']} MP"),
        ("", line("double"), f"double (hedge, ditch): {costs['double']} MP"),
        ("", line("dashed"), "dashed: fire only"),
        ("", line("link"), "hexagon link (choice a or b)"),
        ("", line("road"), "road"),
        *([("", line("zone"), "landing zone")] if area_map.zones else []),
        ("GLIDERS", None, ""),
        ("", arrow("blue"), f"blue arrow: roll {dice['blue']}"),
        ("", arrow("red"), f"red arrow: roll {dice['red']}"),
    ]
    notes = [
        "Circles, in the order entered:",
        ", ".join(circles),
        f"Squares, pillbox, bunkers: {landing_number('automatic')}",
    ]
    step, head = 16.2 * size, 12.5 * size
    width = 136 * size
    height = 9 * size
    height += sum(head if title else step for title, _, _ in rows) + (len(notes) * 8.4 + 5) * size

    def draw(x: float, y: float) -> None:
        at = y + 5 * size
        for title, picture, words in rows:
            if picture is None:
                drawing.text(x + 8 * size, at + head * 0.78, title, 6.8 * size, RED, bold=True,
                             spacing=0.8)  # fmt: skip
                at += head
                continue
            picture(x + 20 * size, at + step / 2)
            drawing.text(x + 38 * size, at + step / 2 + 2.5 * size, words, 7.0 * size, INK)
            at += step
        for number, note in enumerate(notes):
            drawing.text(x + 8 * size, at + (8 + 8.4 * number) * size, note, 6.4 * size, _SOFT)

    return Panel(width, height, (1.0, 0.0), draw)


def boxes_panel(drawing: Drawing, size: float, counters: Mapping[str, Sequence[Counter]]) -> Panel:
    """Make the glider holding boxes and the Demo Bridge box."""
    number: int = map_rules().gliders.value
    box, high, gap = 66.0 * size, 46.0 * size, 4.0 * size
    columns = 3
    rows = -(-number // columns)
    width = columns * (box + gap) + gap + 6 * size
    height = (rows + 1) * (high + gap) + gap + 6 * size - high * 0.15

    def draw(x: float, y: float) -> None:
        left, top = x + 3 * size + gap, y + 3 * size + gap
        for i in range(number):
            name = f"Glider {i + 1}"
            _box(drawing, left + (i % columns) * (box + gap), top + (i // columns) * (high + gap),
                 box, high, name, counters.get(name, ()), size)  # fmt: skip
        below = top + rows * (high + gap)
        _box(drawing, left, below, 2 * box + gap, high * 0.85, "Demo Bridge",
             counters.get("Demo Bridge", ()), size)  # fmt: skip
        half = left + 2 * (box + gap)
        told = ("Gliders 1-3", "enter in the north,", "4-6 in the south")
        for line, words in enumerate(told):
            drawing.text(half + 2 * size, below + (12 + 9 * line) * size, words, 6.6 * size, _SOFT,
                         italic=True)  # fmt: skip

    return Panel(width, height, (1.0, 1.0), draw)


def _box(
    drawing: Drawing,
    x: float,
    y: float,
    width: float,
    height: float,
    name: str,
    counters: Sequence[Counter],
    size: float,
) -> None:
    drawing.box(x, y, width, height, Pen(fill="#f1ead6", stroke=_EDGE, width=0.6))
    drawing.text(
        x + 4 * size, y + 8.6 * size, name.upper(), 6.2 * size, _SOFT, bold=True, spacing=0.4
    )
    side = SIZE * size
    columns = max(1, int((width - 4 * size) / (side + 1)))
    rows = max(1, int((height - 11 * size) / (side + 1)))
    if len(counters) > columns * rows:
        side *= math.sqrt(columns * rows / len(counters)) * 0.86
        columns = max(1, int((width - 4 * size) / (side + 1)))
    for number, counter in enumerate(counters):
        draw_counter(
            drawing,
            x + 3 * size + number % columns * (side + 1),
            y + 11 * size + number // columns * (side + 1),
            side,
            counter,
        )


def key_panel(drawing: Drawing, size: float) -> Panel:
    """Make the key to the counters."""
    columns, across, step, side = 5, 47.5 * size, 14.2 * size, 12.2 * size
    rows = -(-len(_KEY) // columns)
    width, height = columns * across + 10 * size, rows * step + 20 * size

    def draw(x: float, y: float) -> None:
        drawing.text(x + 8 * size, y + 12 * size, "COUNTERS", 6.8 * size, RED, bold=True,
                     spacing=0.8)  # fmt: skip
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
        drawing.text(x + 8 * size, y + 12 * size, "STACKS", 6.8 * size, RED, bold=True, spacing=0.8)
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
    drawing.text(left + 7, top + height * 0.46, "TURN", 9, RED, bold=True, spacing=1.0)
    drawing.text(left + 7, top + height * 0.78, f"{minutes} minutes each", 6.2, _SOFT, italic=True)
    step = (width - head - 4) / turns
    for number in range(1, turns + 1):
        x = left + head + (number - 1) * step
        now = number == turn
        drawing.box(x + 1.2, top + 3.5, step - 2.4, height - 7,
                    Pen(fill=RED if now else "#f1ead6", stroke=_EDGE, width=0.6))  # fmt: skip
        drawing.text(x + step / 2, top + height / 2 + 4.4, str(number), 12.5,
                     "#ffffff" if now else INK, anchor="middle", bold=True)  # fmt: skip


def scale_bar(frame: Frame, middle: float, top: float, size: float) -> None:
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
