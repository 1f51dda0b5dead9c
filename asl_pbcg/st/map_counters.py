"""Counters on the map: what each looks like, and how those of one area are laid out.

A counter is plain data. Whoever fills it decides what may be seen: a hidden unit is a counter
with the symbol "hidden".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

import msgspec

from asl_pbcg.hexes.drawing import Drawing, Pen, Point, text_width
from asl_pbcg.st.map import AreaMap
from asl_pbcg.st.map_frame import BRITISH, GERMAN, INK, PAPER, RED, Frame, sign_scale
from asl_pbcg.st.map_signs import bunker_mark
from asl_pbcg.st.map_words import Room

Symbol = Literal[
    "infantry",
    "sapper",
    "hq",
    "leader",
    "tank",
    "mercedes",
    "glider",
    "mg",
    "at_gun",
    "piat",
    "gammon",
    "hidden",
    "bunker",
    "prepared",
    "pow",
    "bridge",
]

SIZE: Final = 13.6  # points, the side of a counter on the smallest paper
FULL: Final = 4  # counters shown at full size in an area; more are shown smaller
MOST: Final = 9  # counters shown in an area; more are counted


class Counter(msgspec.Struct, frozen=True, kw_only=True):
    """One counter as it lies on the map."""

    symbol: Symbol
    side: Literal["british", "german", "marker"] = "marker"
    id: str = ""
    sp: int | None = None
    """Strength points now; None for what has none."""
    state: Literal["", "wrecked", "cleared", "building", "damaged"] = ""
    badges: str = ""
    """Letters in red circles: S suppressed, W wounded, I immobile, E engaged."""
    inside: bool = False
    """In the bunker of its area, beneath the marker."""


def draw_counters(
    area_map: AreaMap, frame: Frame, counters: Mapping[str, Sequence[Counter]], room: Room
) -> None:
    """Lay the counters of each area on it, with the area's id on a tag above."""
    size = SIZE * sign_scale(frame)
    for area in sorted(area_map.areas.values(), key=lambda area: (-area.y, area.x)):
        if lying := counters.get(area.id, ()):
            x, y = frame.at(area.x, area.y)
            _stack(frame.drawing, x, y, size, area.id, lying, room)


def _stack(
    drawing: Drawing,
    x: float,
    y: float,
    size: float,
    name: str,
    counters: Sequence[Counter],
    room: Room,
) -> None:
    shown = list(counters)
    more = 0
    if len(shown) > MOST:
        more = len(shown) - (MOST - 1)
        shown = shown[: MOST - 1]
    places = len(shown) + bool(more)
    columns = 1 if places == 1 else 2 if places <= FULL else 3
    side = size if places <= FULL else size * 0.72
    step = side + 1.1
    rows = -(-places // columns)
    left = x - (columns * step - 1.1) / 2
    top = y - (rows * step - 1.1) / 2
    for number, counter in enumerate(shown):
        column, row = number % columns, number // columns
        draw_counter(drawing, left + column * step, top + row * step, side, counter)
    if more:
        at_x, at_y = left + (columns - 1) * step, top + (rows - 1) * step
        drawing.box(at_x, at_y, side, side, Pen(fill=PAPER, stroke=INK, width=0.5))
        drawing.text(
            at_x + side / 2, at_y + side * 0.66, f"+{more}", side * 0.46, anchor="middle", bold=True
        )
    letters = size * 0.36
    wide = text_width(name, letters, bold=True) + 3.2
    tag_top = top - letters - 1.6
    drawing.plate(left - 0.6, tag_top, wide, letters + 1.4, Pen(fill=INK))
    drawing.text(left - 0.6 + wide / 2, tag_top + letters * 0.93, name, letters, "#ffffff",
                 anchor="middle", bold=True)  # fmt: skip
    room.take(left, tag_top, left + columns * step, top + rows * step)


def draw_counter(drawing: Drawing, left: float, top: float, side: float, counter: Counter) -> None:
    """Draw one counter with its top left corner at (left, top): symbol, id and strength."""
    ground, ink = {
        "british": (BRITISH, INK),
        "german": (GERMAN, "#ffffff"),
        "marker": ("#fffdf5", INK),
    }[counter.side]
    shadow = side * 0.06
    drawing.box(left + shadow, top + shadow, side, side, Pen(fill="#000000", opacity=0.35))
    drawing.box(left, top, side, side, Pen(fill=ground, stroke=INK, width=side * 0.04))
    if "S" in counter.badges:
        with drawing.clip(_square(left, top, side)):
            drawing.lines(
                [
                    [(left - side + i * side / 4, top + side), (left + i * side / 4, top)]
                    for i in range(9)
                ],
                Pen(stroke=ink, width=side * 0.035, opacity=0.55),
            )
    middle = left + side / 2
    words = bool(counter.id) or counter.sp is not None
    high = side * (0.4 if words else 0.5)
    symbol_y = top + side * (0.36 if words else 0.5)
    _SYMBOLS[counter.symbol](drawing, middle, symbol_y, high, ink, ground, counter)
    base = top + side * 0.91
    letters = side * 0.3
    if counter.sp is not None:
        strength = str(counter.sp)
        if counter.id:
            drawing.text(left + side * 0.95, base, strength, letters * 1.1, ink,
                         anchor="end", bold=True)  # fmt: skip
        else:
            drawing.text(middle, base, strength, letters * 1.1, ink, anchor="middle", bold=True)
    if counter.id:
        space = side * (0.88 if counter.sp is None else 0.56)
        small = min(letters, letters * space / max(1e-6, text_width(counter.id, letters)))
        if counter.sp is None:
            drawing.text(middle, base, counter.id, small, ink, anchor="middle")
        else:
            drawing.text(left + side * 0.06, base, counter.id, small, ink)
    _state(drawing, left, top, side, counter, ink)


def _state(
    drawing: Drawing, left: float, top: float, side: float, counter: Counter, ink: str
) -> None:
    if counter.state == "wrecked":
        for a, b in (((0.06, 0.06), (0.94, 0.94)), ((0.94, 0.06), (0.06, 0.94))):
            line = [
                (left + a[0] * side, top + a[1] * side),
                (left + b[0] * side, top + b[1] * side),
            ]
            drawing.line(line, Pen(stroke="#ffffff", width=side * 0.13))
            drawing.line(line, Pen(stroke=RED, width=side * 0.075))
    for number, letter in enumerate(counter.badges[:2]):
        x, y, radius = left + side * 0.84, top + side * (0.17 + 0.4 * number), side * 0.2
        drawing.circle(x, y, radius, Pen(fill="#ffffff", stroke=RED, width=side * 0.05))
        drawing.text(x, y + radius * 0.62, letter, radius * 1.65, RED, anchor="middle", bold=True)
    if counter.inside:
        bunker_mark(drawing, left + side * 0.17, top + side * 0.2, side * 0.2)


def _square(left: float, top: float, side: float) -> list[Point]:
    return [(left, top), (left + side, top), (left + side, top + side), (left, top + side)]


# Symbols: each is drawn around (x, y), ``high`` points high


def _frame_box(drawing: Drawing, x: float, y: float, high: float, ink: str) -> tuple[float, float]:
    half_wide, half_high = high * 0.74, high / 2
    drawing.box(
        x - half_wide, y - half_high, 2 * half_wide, high, Pen(stroke=ink, width=high * 0.11)
    )
    return half_wide, half_high


def _infantry(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, counter: Counter
) -> None:
    wide, half = _frame_box(drawing, x, y, high, ink)
    pen = Pen(stroke=ink, width=high * 0.11)
    drawing.lines(
        [
            [(x - wide, y - half), (x + wide, y + half)],
            [(x + wide, y - half), (x - wide, y + half)],
        ],
        pen,
    )


def _sapper(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, counter: Counter
) -> None:
    _frame_box(drawing, x, y, high, ink)
    a, b = high * 0.4, high * 0.24
    bracket = [(x - a, y + b), (x - a, y - b), (x + a, y - b), (x + a, y + b)]
    drawing.lines([bracket, [(x, y - b), (x, y + b)]], Pen(stroke=ink, width=high * 0.13))


def _letters(words: str, size: float) -> Callable[..., None]:
    def draw(
        drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, counter: Counter
    ) -> None:
        letters = high * size
        drawing.text(x, y + letters * 0.36, words, letters, ink, anchor="middle", bold=True)

    return draw


def _hq(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, counter: Counter
) -> None:
    _frame_box(drawing, x, y, high, ink)
    drawing.text(x, y + high * 0.26, "HQ", high * 0.72, ink, anchor="middle", bold=True)


def _leader(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, counter: Counter
) -> None:
    star = []
    for i in range(10):
        radius = high * (0.62 if i % 2 == 0 else 0.26)
        turn = i * math.pi / 5 - math.pi / 2
        star.append((x + radius * math.cos(turn), y + high * 0.04 + radius * math.sin(turn)))
    drawing.polygon(star, Pen(fill=ink))


def _tank(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, counter: Counter
) -> None:
    wide, half = _frame_box(drawing, x, y, high, ink)
    drawing.plate(
        x - wide * 0.7, y - half * 0.52, wide * 1.4, half * 1.04, Pen(stroke=ink, width=high * 0.11)
    )


def _mercedes(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, counter: Counter
) -> None:
    w, h = high * 0.85, high * 0.5
    body = [
        (x - w, y + h * 0.5), (x - w, y - h * 0.1), (x - w * 0.35, y - h * 0.2),
        (x - w * 0.1, y - h * 0.8), (x + w * 0.5, y - h * 0.8), (x + w * 0.62, y - h * 0.1),
        (x + w, y), (x + w, y + h * 0.5),
    ]  # fmt: skip
    drawing.polygon(body, Pen(fill=ink))
    wheels = [(x - w * 0.55, y + h * 0.55, h * 0.38), (x + w * 0.55, y + h * 0.55, h * 0.38)]
    drawing.circles(wheels, Pen(fill=ink, stroke=ground, width=high * 0.07))


def _glider(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, counter: Counter
) -> None:
    w, h = high * 0.92, high * 0.6
    drawing.polygon(
        [
            (x - w, y - h * 0.28),
            (x + w, y - h * 0.28),
            (x + w * 0.86, y + h * 0.06),
            (x - w * 0.86, y + h * 0.06),
        ],
        Pen(fill=ink),
    )
    drawing.plate(x - high * 0.1, y - h, high * 0.2, h * 0.2, Pen(fill=ink))
    drawing.polygon(
        [
            (x - high * 0.1, y - h * 0.8),
            (x + high * 0.1, y - h * 0.8),
            (x + high * 0.05, y + h),
            (x - high * 0.05, y + h),
        ],
        Pen(fill=ink),
    )
    drawing.line(
        [(x - w * 0.32, y + h * 0.86), (x + w * 0.32, y + h * 0.86)],
        Pen(stroke=ink, width=high * 0.12),
    )


def _mg(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, counter: Counter
) -> None:
    half = high * 0.55
    pen = Pen(stroke=ink, width=high * 0.13)
    drawing.lines(
        [
            [(x, y + half), (x, y - half)],
            [(x - half * 0.5, y - half * 0.45), (x, y - half), (x + half * 0.5, y - half * 0.45)],
            [(x - half * 0.55, y + half * 0.25), (x + half * 0.55, y + half * 0.25)],
        ],
        pen,
    )


def _at_gun(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, counter: Counter
) -> None:
    half = high * 0.55
    pen = Pen(stroke=ink, width=high * 0.13)
    drawing.lines(
        [
            [(x, y + half * 0.2), (x, y - half)],
            [(x - half * 0.75, y + half), (x, y + half * 0.2), (x + half * 0.75, y + half)],
            [(x - half * 0.7, y - half * 0.1), (x + half * 0.7, y - half * 0.1)],
        ],
        pen,
    )


def _piat(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, counter: Counter
) -> None:
    half = high * 0.5
    drawing.line(
        [(x - half, y + half * 0.7), (x + half * 0.6, y - half * 0.5)],
        Pen(stroke=ink, width=high * 0.22),
    )
    drawing.line(
        [(x + half * 0.5, y - half * 0.42), (x + half, y - half * 0.8)],
        Pen(stroke=ink, width=high * 0.1),
    )
    drawing.line(
        [(x - half * 0.1, y + half * 0.2), (x + half * 0.2, y + half * 0.8)],
        Pen(stroke=ink, width=high * 0.1),
    )


def _gammon(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, counter: Counter
) -> None:
    drawing.circle(x, y + high * 0.12, high * 0.36, Pen(fill=ink))
    drawing.line(
        [
            (x, y - high * 0.2),
            (x + high * 0.14, y - high * 0.42),
            (x + high * 0.34, y - high * 0.44),
        ],
        Pen(stroke=ink, width=high * 0.1),
    )


def _bunker(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, counter: Counter
) -> None:
    bunker_mark(drawing, x, y + high * 0.22, high * 0.6)
    if counter.state == "cleared":
        tick = [
            (x - high * 0.45, y),
            (x - high * 0.1, y + high * 0.4),
            (x + high * 0.6, y - high * 0.5),
        ]
        drawing.line(tick, Pen(stroke="#ffffff", width=high * 0.3))
        drawing.line(tick, Pen(stroke=RED, width=high * 0.16))


def _prepared(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, counter: Counter
) -> None:
    dash = (high * 0.16, high * 0.12) if counter.state == "building" else ()
    w, h = high * 0.72, high * 0.3
    wall = [
        (x - w, y + h), (x - w, y - h), (x - w / 3, y - h), (x - w / 3, y - h * 0.2),
        (x + w / 3, y - h * 0.2), (x + w / 3, y - h), (x + w, y - h), (x + w, y + h),
    ]  # fmt: skip
    drawing.line(wall, Pen(stroke=ink, width=high * 0.15, dash=dash))


def _bridge(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, counter: Counter
) -> None:
    w, h = high * 0.72, high * 0.24
    pen = Pen(stroke=ink, width=high * 0.12)
    for side in (-1, 1):
        wing = [
            (x - w, y + side * h * 1.7),
            (x - w * 0.75, y + side * h),
            (x + w * 0.75, y + side * h),
            (x + w, y + side * h * 1.7),
        ]
        drawing.line(wing, pen)
    if counter.state in ("damaged", "wrecked"):
        crack = [
            (x - high * 0.1, y - high * 0.5),
            (x + high * 0.12, y - high * 0.12),
            (x - high * 0.1, y + high * 0.1),
            (x + high * 0.1, y + high * 0.5),
        ]
        drawing.line(crack, Pen(stroke=ground, width=high * 0.34))
        drawing.line(crack, Pen(stroke=RED, width=high * 0.12))


_SYMBOLS: Final[dict[str, Callable[..., None]]] = {
    "infantry": _infantry,
    "sapper": _sapper,
    "hq": _hq,
    "leader": _leader,
    "tank": _tank,
    "mercedes": _mercedes,
    "glider": _glider,
    "mg": _mg,
    "at_gun": _at_gun,
    "piat": _piat,
    "gammon": _gammon,
    "hidden": _letters("?", 1.35),
    "bunker": _bunker,
    "prepared": _prepared,
    "pow": _letters("POW", 0.72),
    "bridge": _bridge,
}
