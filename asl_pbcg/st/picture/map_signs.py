"""The signs of the game on the ground: areas, communication lines, arrows, and their words."""

from __future__ import annotations

import math
from typing import Final

from asl_pbcg.hexes.drawing import Drawing, text_width
from asl_pbcg.hexes.items import Pen, Point
from asl_pbcg.hexes.symbols import bunker_mark
from asl_pbcg.st.board.map import GameMap, MapArea
from asl_pbcg.st.picture.map_frame import (
    BLUE,
    INK,
    RED,
    SIGN,
    MapFrame,
    SheetRoom,
    place_words,
    sign_radius,
    sign_scale,
)
from asl_pbcg.st.state.area_tables import Landing, table

_HALO: Final = "#fdfbf3"
_OBSTRUCTED: Final = "#d8d2c0"


# Lines and arrows


def draw_lines(area_map: GameMap, frame: MapFrame, room: SheetRoom) -> None:
    """Draw the communication lines: single, double, dashed, and the hexagon link."""
    drawing = frame.drawing
    size = sign_scale(frame)
    arrows = area_map.arrows
    for line in area_map.all_lines:
        a, b = _ends(area_map, frame, line.a, line.b)
        if line.hexagon_link and any({arrow.start, arrow.end} == line.ends for arrow in arrows):
            a, b = _beside(a, b, 3.4 * size)  # an arrow runs between the same areas
        room.along(a, b)
        if line.kind == "double":
            drawing.line([a, b], Pen(stroke=_HALO, width=5.0 * size, opacity=0.85))
            for shift in (-1.25 * size, 1.25 * size):
                drawing.line(_beside(a, b, shift), Pen(stroke=INK, width=0.95 * size))
        elif line.kind == "single":
            drawing.line([a, b], Pen(stroke=_HALO, width=3.0 * size, opacity=0.85))
            dash = (5 * size, 1.6 * size, 1.2 * size, 1.6 * size) if line.hexagon_link else ()
            drawing.line([a, b], Pen(stroke=INK, width=1.25 * size, dash=dash))
        else:
            drawing.line([a, b], Pen(stroke=_HALO, width=2.6 * size, opacity=0.85))
            drawing.line([a, b], Pen(stroke=INK, width=1.0 * size, dash=(2.6 * size, 2.2 * size)))


def _ends(
    area_map: GameMap, frame: MapFrame, a: str, b: str, gap: float = 0.0
) -> tuple[Point, Point]:
    """Give the ends of a line between two signs, at their rims."""
    one, two = area_map.areas[a], area_map.areas[b]
    start, end = frame.at(one.x, one.y), frame.at(two.x, two.y)
    length = math.dist(start, end)
    if not length:  # a map that is being made may have two signs in one place
        return start, end
    run, rise = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    radius = sign_radius(frame)
    near, far = _rim(one, run, rise) * radius + gap, _rim(two, run, rise) * radius + gap
    return (
        (start[0] + run * near, start[1] + rise * near),
        (end[0] - run * far, end[1] - rise * far),
    )


def _rim(area: MapArea, run: float, rise: float) -> float:
    """Give how far a sign reaches in a direction, in sign radii."""
    if area.shape == "square":
        return 0.88 / max(abs(run), abs(rise))
    if area.shape == "oval":
        return 1 / math.hypot(run / 1.45, rise / 0.95)
    return {"triangle": 1.0, "hexagon": 1.0, "double_circle": 1.05}.get(area.shape, 0.97)


def _beside(a: Point, b: Point, shift: float) -> list[Point]:
    length = math.dist(a, b) or 1
    x, y = -(b[1] - a[1]) / length * shift, (b[0] - a[0]) / length * shift
    return [(a[0] + x, a[1] + y), (b[0] + x, b[1] + y)]


def draw_arrows(area_map: GameMap, frame: MapFrame, room: SheetRoom) -> None:
    """Draw the arrows of the gliders: blue ones full, red ones hollow."""
    for arrow in area_map.arrows:
        a, b = _ends(area_map, frame, arrow.start, arrow.end, 1.4)
        room.along(a, b, 2.0)
        draw_arrow(frame.drawing, a, b, arrow.colour, sign_scale(frame))


def draw_arrow(drawing: Drawing, a: Point, b: Point, colour: str, size: float) -> None:
    """Draw one arrow; without colour a blue one is solid and a red one hollow."""
    length = math.dist(a, b)
    if length < 1:
        return
    run, rise = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    half, head, wing = 1.15 * size, min(7.5 * size, length * 0.6), 3.7 * size

    def place(along: float, off: float) -> Point:
        return a[0] + run * along - rise * off, a[1] + rise * along + run * off

    outline = [
        place(0, -half),
        place(length - head, -half),
        place(length - head, -wing),
        place(length, 0),
        place(length - head, wing),
        place(length - head, half),
        place(0, half),
    ]
    drawing.polygon(outline, Pen(stroke=_HALO, width=2.0 * size, opacity=0.85))
    ink = BLUE if colour == "blue" else RED
    fill = BLUE if colour == "blue" else "#fff4ee"
    drawing.polygon(outline, Pen(fill=fill, stroke=ink, width=0.95 * size))


# Areas


def draw_areas(area_map: GameMap, frame: MapFrame, room: SheetRoom) -> None:
    """Draw the sign of every area with its id; set-up areas, bunkers and landing numbers too."""
    radius = sign_radius(frame)
    for area in area_map.areas.values():
        x, y = frame.at(area.x, area.y)
        wide = {"oval": 1.45, "triangle": 1.3}.get(area.shape, 1.0)
        high = 1.34 if area.shape == "triangle" else 1.0
        room.take(x - radius * wide, y - radius * high, x + radius * wide, y + radius)
    for area in area_map.areas.values():
        data = {"area": area.id}
        with frame.drawing.group(classes="area", title=f"{area.id} {area.name}", data=data):
            draw_sign(frame.drawing, area, *frame.at(area.x, area.y), radius)
    for area in area_map.areas.values():
        _marks(frame, area, radius, room)


def outline(shape: str, x: float, y: float, radius: float) -> list[Point]:
    """Give the outline of an area's sign; circles are drawn as circles instead."""
    if shape == "square":
        side = radius * 0.88
        return [
            (x - side, y - side),
            (x + side, y - side),
            (x + side, y + side),
            (x - side, y + side),
        ]
    if shape == "triangle":
        return [
            (x, y - radius * 1.34),
            (x + radius * 1.3, y + radius * 0.88),
            (x - radius * 1.3, y + radius * 0.88),
        ]
    if shape == "hexagon":
        return [
            (
                x + radius * 1.06 * math.cos(i * math.pi / 3),
                y + radius * 1.06 * math.sin(i * math.pi / 3),
            )
            for i in range(6)
        ]
    wide, high = (1.45, 0.95) if shape == "oval" else (1.0, 1.0)
    return [
        (
            x + radius * wide * math.cos(i * math.pi / 24),
            y + radius * high * math.sin(i * math.pi / 24),
        )
        for i in range(48)
    ]


def draw_sign(drawing: Drawing, area: MapArea, x: float, y: float, radius: float) -> None:
    """Draw the sign of one area around (x, y) with its id."""
    size = radius / SIGN
    edge = outline(area.shape, x, y, radius)
    if "setup" in area.features:
        # A red outline; the white ring inside it keeps it apart in a grey print.
        drawing.polygon(outline(area.shape, x, y, radius * 1.3), Pen(fill=RED))
        drawing.polygon(outline(area.shape, x, y, radius * 1.1), Pen(fill="#ffffff"))
    fill = {"land": "#ffffff", "flight": "#eef3fa"}[area.kind]
    if area.terrain == "obstructed":
        fill = _OBSTRUCTED
    width = 1.5 if area.shape == "oval" else 1.05
    drawing.polygon(edge, Pen(fill=fill))
    if area.terrain == "obstructed":
        with drawing.clip(edge):
            strokes = [
                [(x + (i - radius), y + radius), (x + (i + radius), y - radius)]
                for i in (n * 3.0 * size - radius for n in range(int(2 * radius / (3 * size)) + 1))
            ]
            drawing.lines(strokes, Pen(stroke="#b9b199", width=0.5 * size))
    drawing.polygon(edge, Pen(stroke=INK, width=width * size))
    if area.shape == "double_circle":
        drawing.polygon(outline("circle", x, y, radius * 0.8), Pen(stroke=INK, width=0.7 * size))
    letters = 6.6 * size if len(area.id) < 4 else 5.4 * size
    room = (
        2 * radius * {"oval": 1.25, "double_circle": 0.72, "triangle": 0.84}.get(area.shape, 0.86)
    )
    wide = text_width(area.id, letters, bold=True)
    if wide > room:
        letters *= room / wide
    shift = radius * 0.36 if area.shape == "triangle" else 0
    drawing.text(x, y + letters * 0.36 + shift, area.id, letters, INK, anchor="middle", bold=True)


def _marks(frame: MapFrame, area: MapArea, radius: float, room: SheetRoom) -> None:
    drawing, size = frame.drawing, radius / SIGN
    x, y = frame.at(area.x, area.y)
    if "bunker" in area.features:
        bunker_mark(drawing, x + radius * 0.95, y - radius * 0.95, 4.0 * size)
        room.take(x + radius * 0.5, y - radius * 1.5, x + radius * 1.5, y - radius * 0.5)
    if "pillbox" in area.features:
        pillbox_mark(drawing, x + radius * 1.02, y - radius * 1.02, 3.9 * size)
        room.take(x + radius * 0.5, y - radius * 1.5, x + radius * 1.5, y - radius * 0.5)


def draw_landing_numbers(area_map: GameMap, frame: MapFrame, room: SheetRoom) -> None:
    """Write beside each flight area on which rolls a glider lands in it."""
    size, radius = sign_scale(frame), sign_radius(frame)
    for area in area_map.areas.values():
        if area.kind == "flight":
            number = landing_number(area.shape)
            x, y = frame.at(area.x, area.y)
            place_words(frame, room, x, y, radius * 1.05, number, 5.2 * size, BLUE, bold=True)


def landing_number(area: str) -> str:
    """Say which dice rolls land a glider in a kind of area, as the chart prints it: ``1-3``.

    ``area`` is a column of the landing table: triangle, hexagon, circle_1, automatic ...
    """
    chart = table("glider.landing")
    given = {"area": area}
    rolls = [row.at for row in chart.rows if chart.result(row, given) == Landing.LANDS]
    return f"{rolls[0]}-{rolls[-1]}" if len(rolls) > 1 else str(rolls[0])


def pillbox_mark(drawing: Drawing, x: float, y: float, size: float) -> None:
    """Draw the sign of the pillbox: a concrete block with embrasures."""
    corners = [
        (
            x + size * 1.1 * math.cos(math.pi / 8 + i * math.pi / 4),
            y + size * 1.1 * math.sin(math.pi / 8 + i * math.pi / 4),
        )
        for i in range(8)
    ]
    drawing.polygon(corners, Pen(fill=INK, stroke=_HALO, width=0.7))
    inner = [(x + (px - x) * 0.45, y + (py - y) * 0.45) for px, py in corners]
    drawing.polygon(inner, Pen(fill="#ffffff"))
