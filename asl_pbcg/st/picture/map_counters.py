"""Counters on the map: what each looks like, and how those of one area are laid out.

A counter is plain data. Whoever fills it decides what may be seen: a hidden unit is a counter
with the symbol "hidden".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

from asl_pbcg.hexes.counters import Face, draw_face
from asl_pbcg.hexes.drawing import Drawing, text_width
from asl_pbcg.hexes.items import Pen
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.picture.map_frame import (
    BRITISH,
    GERMAN,
    INK,
    PAPER,
    MapFrame,
    SheetRoom,
    sign_scale,
)

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

CounterState = Literal["", "wrecked", "cleared", "building", "damaged"]

SIZE: Final = 13.6  # points, the side of a counter on the smallest paper
FULL: Final = 4  # counters shown at full size in an area; more are shown smaller
MAX_SHOWN: Final = 9  # counters shown in an area; more are counted


class Counter(msgspec.Struct, frozen=True, kw_only=True):
    """One counter as it lies on the map."""

    symbol: Symbol
    side: Literal["british", "german", "marker"] = "marker"
    id: str = ""
    sp: int | None = None
    """Strength points now; None for what has none."""
    state: CounterState = ""
    badges: str = ""
    """Letters in red circles: S suppressed, W wounded, I immobile, E engaged."""
    inside: bool = False
    """In the bunker of its area, beneath the marker."""
    key: str = ""
    """Which piece it is, for who points at it; empty for markers and what lies face down."""


def draw_counters(
    area_map: GameMap, frame: MapFrame, counters: Mapping[str, Sequence[Counter]], room: SheetRoom
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
    room: SheetRoom,
) -> None:
    drawn = list(counters)
    more = 0
    if len(drawn) > MAX_SHOWN:
        more = len(drawn) - (MAX_SHOWN - 1)
        drawn = drawn[: MAX_SHOWN - 1]
    places = len(drawn) + bool(more)
    columns = 1 if places == 1 else 2 if places <= FULL else 3
    side = size if places <= FULL else size * 0.72
    step = side + 1.1
    rows = -(-places // columns)
    left = x - (columns * step - 1.1) / 2
    top = y - (rows * step - 1.1) / 2
    for number, counter in enumerate(drawn):
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
    draw_face(drawing, left, top, side, face_of(counter))


_GROUND: Final = {
    "british": (BRITISH, INK),
    "german": (GERMAN, "#ffffff"),
    "marker": ("#fffdf5", INK),
}


def face_of(counter: Counter) -> Face:
    """Say what is printed on a counter: one word in the middle, or id and strength."""
    ground, ink = _GROUND[counter.side]
    strength = "" if counter.sp is None else str(counter.sp)
    alone = not counter.id or not strength
    return Face(
        symbol=counter.symbol,
        ground=ground,
        ink=ink,
        left="" if alone else counter.id,
        right="" if alone else strength,
        middle=(strength or counter.id) if alone else "",
        state=counter.state,
        hatched="S" in counter.badges,
        inside=counter.inside,
        badges=tuple(counter.badges),
        id=counter.id,
    )
