"""Symbols on counters: men, weapons, vehicles, works. Each is our own drawing.

A symbol is drawn round (x, y), ``high`` points high, with ``ink`` on ``ground``; ``state`` is a
word that some of them know, as "cleared" of a bunker.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import RED, Pen, Point

Drawer = Callable[[Drawing, float, float, float, str, str, str], None]

_HALO: Final = "#fdfbf3"
_DARK: Final = "#1c1a17"


def bunker_mark(drawing: Drawing, x: float, y: float, size: float) -> None:
    """Draw the sign of a bunker: an earth mound with a firing slit."""
    mound = [
        (x + size * math.cos(i * math.pi / 14), y - size * math.sin(i * math.pi / 14))
        for i in range(15)
    ]
    body = [*mound, (x - size * 1.15, y + size * 0.45), (x + size * 1.15, y + size * 0.45)]
    body = [(x + size * 1.15, y + size * 0.45), *mound, (x - size * 1.15, y + size * 0.45)]
    drawing.polygon(body, Pen(fill=_DARK, stroke=_HALO, width=0.7))
    slit = size * 0.55
    drawing.line(
        [(x - slit, y - size * 0.12), (x + slit, y - size * 0.12)],
        Pen(stroke="#ffffff", width=size * 0.24),
    )


def _frame_box(drawing: Drawing, x: float, y: float, high: float, ink: str) -> tuple[float, float]:
    half_wide, half_high = high * 0.74, high / 2
    drawing.box(
        x - half_wide, y - half_high, 2 * half_wide, high, Pen(stroke=ink, width=high * 0.11)
    )
    return half_wide, half_high


def _infantry(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
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
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    _frame_box(drawing, x, y, high, ink)
    a, b = high * 0.4, high * 0.24
    bracket = [(x - a, y + b), (x - a, y - b), (x + a, y - b), (x + a, y + b)]
    drawing.lines([bracket, [(x, y - b), (x, y + b)]], Pen(stroke=ink, width=high * 0.13))


def _letters(words: str, size: float) -> Callable[..., None]:
    def draw(
        drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
    ) -> None:
        letters = high * size
        drawing.text(x, y + letters * 0.36, words, letters, ink, anchor="middle", bold=True)

    return draw


def _hq(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    _frame_box(drawing, x, y, high, ink)
    drawing.text(x, y + high * 0.26, "HQ", high * 0.72, ink, anchor="middle", bold=True)


def _leader(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    star = []
    for i in range(10):
        radius = high * (0.62 if i % 2 == 0 else 0.26)
        turn = i * math.pi / 5 - math.pi / 2
        star.append((x + radius * math.cos(turn), y + high * 0.04 + radius * math.sin(turn)))
    drawing.polygon(star, Pen(fill=ink))


def _tank(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    wide, half = _frame_box(drawing, x, y, high, ink)
    drawing.plate(
        x - wide * 0.7, y - half * 0.52, wide * 1.4, half * 1.04, Pen(stroke=ink, width=high * 0.11)
    )


def _mercedes(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
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
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
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
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
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
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
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
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
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
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
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
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    bunker_mark(drawing, x, y + high * 0.22, high * 0.6)
    if state == "cleared":
        tick = [
            (x - high * 0.45, y),
            (x - high * 0.1, y + high * 0.4),
            (x + high * 0.6, y - high * 0.5),
        ]
        drawing.line(tick, Pen(stroke="#ffffff", width=high * 0.3))
        drawing.line(tick, Pen(stroke=RED, width=high * 0.16))


def _prepare(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    dash = (high * 0.16, high * 0.12) if state == "building" else ()
    w, h = high * 0.72, high * 0.3
    wall = [
        (x - w, y + h), (x - w, y - h), (x - w / 3, y - h), (x - w / 3, y - h * 0.2),
        (x + w / 3, y - h * 0.2), (x + w / 3, y - h), (x + w, y - h), (x + w, y + h),
    ]  # fmt: skip
    drawing.line(wall, Pen(stroke=ink, width=high * 0.15, dash=dash))


def _bridge(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
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
    if state in ("damaged", "wrecked"):
        crack = [
            (x - high * 0.1, y - high * 0.5),
            (x + high * 0.12, y - high * 0.12),
            (x - high * 0.1, y + high * 0.1),
            (x + high * 0.1, y + high * 0.5),
        ]
        drawing.line(crack, Pen(stroke=ground, width=high * 0.34))
        drawing.line(crack, Pen(stroke=RED, width=high * 0.12))


# Men, as on a counter: as many as the unit has


def _man(drawing: Drawing, x: float, y: float, high: float, ink: str) -> None:
    head = high * 0.15
    drawing.circle(x, y - high * 0.36, head, Pen(fill=ink))
    body: list[Point] = [
        (-0.17, -0.18), (0.17, -0.18), (0.2, 0.1), (0.12, 0.12), (0.13, 0.5), (0.02, 0.5),
        (0.0, 0.2), (-0.02, 0.5), (-0.13, 0.5), (-0.12, 0.12), (-0.2, 0.1),
    ]  # fmt: skip
    drawing.polygon([(x + px * high, y + py * high) for px, py in body], Pen(fill=ink))


def _men(count: int) -> Drawer:
    def draw(
        drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
    ) -> None:
        step = high * 0.5
        for number in range(count):
            _man(drawing, x + (number - (count - 1) / 2) * step, y, high, ink)

    return draw


def _crew(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    for side in (-1, 1):
        _man(drawing, x + side * high * 0.42, y, high, ink)
    drawing.circle(x, y + high * 0.24, high * 0.2, Pen(stroke=ink, width=high * 0.1))


def _chief(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    _man(drawing, x - high * 0.22, y, high, ink)
    _leader(drawing, x + high * 0.36, y - high * 0.14, high * 0.46, ink, ground, state)


def _mortar(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    half = high * 0.5
    drawing.line([(x - half * 0.7, y + half * 0.8), (x + half * 0.5, y - half)],
                 Pen(stroke=ink, width=high * 0.2))  # fmt: skip
    drawing.line([(x + half * 0.2, y - half * 0.4), (x + half * 0.6, y + half * 0.8)],
                 Pen(stroke=ink, width=high * 0.09))  # fmt: skip
    drawing.line([(x - half, y + half * 0.86), (x + half, y + half * 0.86)],
                 Pen(stroke=ink, width=high * 0.1))  # fmt: skip


def _flame(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    tongue: list[Point] = [
        (0.0, -0.55), (0.22, -0.1), (0.34, -0.28), (0.36, 0.22), (0.16, 0.5), (-0.16, 0.5),
        (-0.36, 0.2), (-0.22, -0.2),
    ]  # fmt: skip
    drawing.polygon([(x + px * high, y + py * high) for px, py in tongue], Pen(fill=ink))


def _gun(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    pen = Pen(stroke=ink, width=high * 0.13)
    drawing.line([(x - high * 0.75, y + high * 0.34), (x + high * 0.75, y - high * 0.22)], pen)
    drawing.line([(x - high * 0.05, y - high * 0.42), (x + high * 0.1, y + high * 0.22)], pen)
    drawing.circle(x - high * 0.05, y + high * 0.22, high * 0.25, Pen(fill=ground, stroke=ink,
                   width=high * 0.11))  # fmt: skip


def _hull(drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str) -> None:
    body: list[Point] = [(-0.85, 0.02), (0.72, 0.02), (0.95, 0.2), (0.85, 0.34), (-0.85, 0.34)]
    drawing.polygon([(x + px * high, y + py * high) for px, py in body], Pen(fill=ink))
    wheels = [(x + place * high, y + high * 0.36, high * 0.15) for place in (-0.62, -0.2, 0.2, 0.6)]
    drawing.circles(wheels, Pen(fill=ground, stroke=ink, width=high * 0.08))


def _afv(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    _hull(drawing, x, y, high, ink, ground)
    turret: list[Point] = [(-0.42, 0.02), (-0.32, -0.34), (0.26, -0.34), (0.4, 0.02)]
    drawing.polygon([(x + px * high, y + py * high) for px, py in turret], Pen(fill=ink))
    drawing.line([(x + high * 0.2, y - high * 0.18), (x + high * 1.0, y - high * 0.24)],
                 Pen(stroke=ink, width=high * 0.1))  # fmt: skip


def _carrier(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    _hull(drawing, x, y, high, ink, ground)
    sides: list[Point] = [(-0.8, 0.02), (-0.74, -0.26), (0.3, -0.26), (0.66, 0.02)]
    drawing.polygon([(x + px * high, y + py * high) for px, py in sides], Pen(fill=ink))


def _truck(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    body: list[Point] = [
        (-0.9, 0.24), (-0.9, -0.3), (0.2, -0.3), (0.2, -0.16), (0.56, -0.16), (0.7, 0.04),
        (0.92, 0.06), (0.92, 0.24),
    ]  # fmt: skip
    drawing.polygon([(x + px * high, y + py * high) for px, py in body], Pen(fill=ink))
    wheels = [(x + place * high, y + high * 0.3, high * 0.18) for place in (-0.55, 0.6)]
    drawing.circles(wheels, Pen(fill=ground, stroke=ink, width=high * 0.09))


def _crater(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    holes = [(-0.3, -0.16, 0.24), (0.34, -0.06, 0.19), (-0.02, 0.28, 0.21)]
    pen = Pen(fill=ground, stroke=ink, width=high * 0.12)
    drawing.circles([(x + px * high, y + py * high, r * high) for px, py, r in holes], pen)


def _bricks(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    for px, py in ((-0.42, 0.24), (0.06, 0.24), (0.54, 0.24), (-0.18, -0.04), (0.3, -0.04),
                   (0.06, -0.32)):  # fmt: skip
        wide, tall = high * 0.42, high * 0.22
        drawing.box(x + (px - 0.06) * high - wide / 2, y + py * high, wide, tall, Pen(fill=ink))


def _gap(
    drawing: Drawing, x: float, y: float, high: float, ink: str, ground: str, state: str
) -> None:
    for way in (-1, 1):
        end = x + way * high * 0.26
        drawing.box(min(end, end + way * high * 0.5), y - high * 0.2, high * 0.5, high * 0.4,
                    Pen(fill=ink))  # fmt: skip


SYMBOLS: Final[dict[str, Drawer]] = {
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
    "prepared": _prepare,
    "pow": _letters("POW", 0.72),
    "bridge": _bridge,
    "squad": _men(3),
    "half_squad": _men(2),
    "crew": _crew,
    "chief": _chief,
    "hero": _men(1),
    "mortar": _mortar,
    "flame": _flame,
    "gun": _gun,
    "afv": _afv,
    "carrier": _carrier,
    "truck": _truck,
    "crater": _crater,
    "bricks": _bricks,
    "gap": _gap,
}
