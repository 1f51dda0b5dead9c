"""The legend of the map sheet: samples cut from the map itself, and what they mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import cos, pi, sin
from typing import Final

from asl_pbcg.campaign.board.board import Board, HexInfo
from asl_pbcg.campaign.map.board_ground import draw_ground
from asl_pbcg.campaign.map.board_overlay import (
    Overlay,
    SideName,
    boundary_lines,
    hatch,
    letter_square,
    strategic_outline,
    yellow,
)
from asl_pbcg.campaign.map.board_view import BoardView, board_view
from asl_pbcg.campaign.map.board_works import bar, cliff, draw_works, fence, hedge, wall
from asl_pbcg.hexes.hexset import Grid, HexSet
from asl_pbcg.hexes.items import INK, LEVELS, PAPER, Pen, Point
from asl_pbcg.hexes.labels import Box
from asl_pbcg.hexes.lattice import SIDE_LENGTH
from asl_pbcg.hexes.page import draw_rose
from asl_pbcg.hexes.panel import PanelRow, draw_row

LINE: Final = 12.4
"""Height of a line in points where there is room; it can shrink a little."""
SAMPLE: Final = 17.0
"""Width of a sample in points."""
COMPASS: Final = 3.6
"""Height of the compass, in lines."""


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One line of the legend: words, and how its sample is drawn (None: a heading)."""

    words: str
    sample: Callable[[BoardView, Box], None] | None = None

    @property
    def lines(self) -> float:
        """Its height in lines."""
        return 1.0 if self.sample else 1.3


# Samples cut from the board: the hex that shows the terrain and little else

Test = Callable[[HexInfo], bool]


def _has(kind: str) -> Test:
    return lambda info: kind in info.terrain


def _only(kind: str) -> Test:
    return lambda info: info.terrain == (kind,)


# What it is called, whether a hex shows it, whether a hex is a good sample.
_TERRAIN: Final[tuple[tuple[str, Test, Test], ...]] = (
    ("Woods", _has("woods"), _only("woods")),
    ("Orchard", _has("orchard"), _only("orchard")),
    ("Orchard, partial", _has("partial_orchard"), _only("partial_orchard")),
    ("Grain", _has("grain"), _only("grain")),
    ("Marsh", _has("marsh"), _only("marsh")),
    ("Swamp", _has("swamp"), _only("swamp")),
    ("Graveyard", _has("graveyard"), _has("graveyard")),
    ("Canal", _has("canal"), _only("canal")),
    ("Pond", _has("pond"), _has("pond")),
    ("Stream", _has("stream"), _has("stream")),
    ("Irrigation ditch", _has("irrigation_ditch"), _only("irrigation_ditch")),
    ("Gully", _has("gully"), _only("gully")),
    ("Path", _has("path"), _has("path")),
    (
        "Paved road",
        lambda info: bool(info.paved),
        lambda info: info.paved == ("N", "S") and not info.terrain,
    ),
    (
        "Unpaved road",
        lambda info: bool(info.unpaved),
        lambda info: info.unpaved == ("N", "S") and not info.terrain,
    ),
    (
        "Stone building",
        lambda info: info.building == "stone",
        lambda info: info.building == "stone" and not info.road,
    ),
    (
        "Wooden building",
        lambda info: info.building == "wood",
        lambda info: info.building == "wood" and not info.road,
    ),
)

_SIDES: Final = (
    "paved", "unpaved", "road_along", "hedge", "wall", "fence", "cliff", "slope", "rowhouse",
)  # fmt: skip


def _best(board: Board, fits: Callable[[HexInfo], bool]) -> str | None:
    """Choose the hex to cut a sample from: whole, and with as little else in it as may be."""

    def clutter(info: HexInfo) -> tuple[int, int]:
        sides = sum(len(getattr(info, field)) for field in _SIDES)
        return len(info.terrain) + sides + bool(info.building_id), board.grid.index(info.name)

    samples = [info for info in board if fits(info) and info.name not in board.edge]
    return min(samples, key=clutter).name if samples else None


def _of_hex(name: str, draw: Callable[[BoardView], None]) -> Callable[[BoardView, Box], None]:
    """Return a sample that is one whole hex, with what ``draw`` draws in it."""

    def sample(view: BoardView, box: Box) -> None:
        board = view.board
        x, y = board.grid.centre(name)
        scale = (box.bottom - box.top) / 0.98
        left = (box.left + box.right) / 2 - SIDE_LENGTH * scale
        window = (x - SIDE_LENGTH, y - 0.5, x + SIDE_LENGTH, y + 0.5)
        small = board_view(board, view.drawing, window, scale, left, box.top)
        ring = small.points(board.grid.corners(name))
        with view.drawing.clip(ring):
            draw(small)
        view.drawing.polygon(ring, Pen(stroke="#4d4a44", width=0.4))

    return sample


def _cut(name: str) -> Callable[[BoardView, Box], None]:
    def draw(small: BoardView) -> None:
        draw_ground(small)
        draw_works(small)

    return _of_hex(name, draw)


def _hexside(
    draw: Callable[[BoardView, list[list[Point]]], None], scale: float = LINE
) -> Callable[[BoardView, Box], None]:
    def sample(view: BoardView, box: Box) -> None:
        small = board_view(view.board, view.drawing, view.window, scale, 0, 0)
        y = (box.top + box.bottom) / 2
        draw(small, [[(box.left, y), (box.right, y)]])

    return sample


def _level(colour: str) -> Callable[[BoardView, Box], None]:
    def sample(view: BoardView, box: Box) -> None:
        pen = Pen(fill=colour, stroke="#a8885a", width=0.5)
        view.drawing.box(box.left, box.top + 1, box.right - box.left, LINE - 5, pen)

    return sample


def _slope(view: BoardView, box: Box) -> None:
    y = box.top + 2.5
    count = 9
    ticks = [
        [(x, y), (x, y + (4.2 if i % 2 else 2.6))]
        for i in range(count)
        for x in [box.left + (i + 0.5) * (box.right - box.left) / count]
    ]
    view.drawing.line([(box.left, y), (box.right, y)], Pen(stroke="#4d4a44", width=0.3))
    view.drawing.lines(ticks, Pen(stroke="#8a6a3c", width=0.5))


_LINES: Final[tuple[tuple[str, str, Callable[[BoardView, Box], None]], ...]] = (
    ("hedge", "Hedge", _hexside(hedge)),
    ("wall", "Wall", _hexside(wall)),
    ("fence", "Fence", _hexside(fence)),
    ("cliff", "Cliff", _hexside(cliff)),
    ("rowhouse", "Row-house bar", _hexside(bar)),
    ("slope", "Slope", _slope),
)


def _ring(box: Box) -> list[Point]:
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    size = (box.bottom - box.top) / 2 * 1.15
    return [(x + size * cos(pi * i / 3), y + size * sin(pi * i / 3)) for i in range(6)]


def _holds(side: SideName) -> Callable[[BoardView, Box], None]:
    def sample(view: BoardView, box: Box) -> None:
        small = board_view(view.board, view.drawing, view.window, 15.5, 0, 0)
        strategic_outline(small, _ring(box), side)

    return sample


def _bounds(side: SideName) -> Callable[[BoardView, Box], None]:
    return _hexside(lambda view, line: boundary_lines(view, line, side), 15.5)


def _shade(side: SideName | None, grid: Grid) -> Callable[[BoardView, Box], None]:
    name = grid.names[len(grid.names) // 2]

    def draw(small: BoardView) -> None:
        small.drawing.polygon(small.points(grid.corners(name)), Pen(fill=PAPER))
        if side is None:
            yellow(small, grid.set([name]))
        else:
            hatch(small, grid.set([name]), side)

    return _of_hex(name, draw)


def _letter(letter: str) -> Callable[[BoardView, Box], None]:
    def sample(view: BoardView, box: Box) -> None:
        size = 8.2
        middle = (box.left + box.right) / 2
        letter_square(view, middle - size / 2, (box.top + box.bottom - size) / 2, size, letter)

    return sample


_LETTERS: Final = {
    "E": "Entrenchment",
    "F": "Fortification",
    "G": "Gun, functioning",
    "V": "Vehicle, Immobile",
}


def legend_entries(board: Board, overlay: Overlay, hexes: HexSet) -> list[LegendEntry]:
    """List what the legend explains: what is marked, then what is printed in these hexes."""
    infos = [board[name] for name in hexes if name in board.in_play]
    entries: list[LegendEntry] = []
    if not overlay.empty or overlay.legend:
        entries.append(LegendEntry("Marked"))
        held = {mark.side for mark in overlay.strategic if mark.side}
        for side in sorted(held | {area.side for area in overlay.areas}):
            title = side.capitalize()
            if any(mark.side == side for mark in overlay.strategic):
                entries.append(LegendEntry(f"{title} Strategic Location", _holds(side)))
            if any(area.side == side for area in overlay.areas):
                entries.append(LegendEntry(f"{title} Setup Area", _bounds(side)))
            if any(area.side == side and area.isolated for area in overlay.areas):
                entries.append(LegendEntry(f"{title} area, Isolated", _shade(side, board.grid)))
        if overlay.no_mans_land:
            entries.append(LegendEntry("No Man's Land", _shade(None, board.grid)))
        used = {letter for mark in overlay.strategic for letter in mark.letters}
        entries += [
            LegendEntry(words, _letter(key)) for key, words in _LETTERS.items() if key in used
        ]
        entries += [LegendEntry(words, _letter(letter)) for letter, words in overlay.legend]
    entries.append(LegendEntry("Terrain"))
    for words, occurs, fits in _TERRAIN:
        name = _best(board, fits) if any(map(occurs, infos)) else None
        if name is not None:
            entries.append(LegendEntry(words, _cut(name)))
    sides = {field for info in infos for field in _SIDES if getattr(info, field)}
    entries += [LegendEntry(words, sample) for field, words, sample in _LINES if field in sides]
    levels = {info.level for info in infos}
    entries += [
        LegendEntry(f"Level {level}", _level(colour))
        for level, colour in LEVELS.items()
        if level in levels
    ]
    return entries


def length(entries: list[LegendEntry], columns: int) -> float:
    """Say how many lines the longest column of the legend takes, the compass with it."""
    parts = _columns(entries, columns)
    longest = [sum(entry.lines for entry in part) for part in parts]
    # The compass stands at the foot of the last column.
    return max(*longest, longest[-1] + COMPASS) if len(longest) > 1 else longest[0] + COMPASS


def draw_legend(view: BoardView, overlay: Overlay, room: Box, columns: int) -> None:
    """Write the legend into columns of even length, with the compass at its end."""
    entries = legend_entries(view.board, overlay, view.hexes)
    line = min(LINE, (room.bottom - room.top) / length(entries, columns))
    wide = (room.right - room.left + 8) / columns
    for number, column in enumerate(_columns(entries, columns)):
        x, y = room.left + number * wide, room.top
        for entry in column:
            sample = partial(entry.sample, view) if entry.sample else None
            if sample is None and y > room.top:
                y += 0.3 * line
            place = Box(x, y, x + wide - 8, y + line)
            draw_row(view.drawing, PanelRow(entry.words, sample), place, SAMPLE)
            y += line
    drawing = view.drawing
    draw_rose(drawing, x + 20, y + 2 * line, 15, north=90)
    drawing.text(x + 46, y + 2 * line + 2.6, "letters rise northward", 6, INK, italic=True)


def _columns(entries: list[LegendEntry], count: int) -> list[list[LegendEntry]]:
    """Part entries into columns as even as can be; no heading stands at the foot of one."""
    limit = (sum(entry.lines for entry in entries) + COMPASS) / count
    while True:
        columns: list[list[LegendEntry]] = [[]]
        used = 0.0
        for number, entry in enumerate(entries):
            needed = entry.lines + (0 if entry.sample or number + 1 == len(entries) else 1)
            if columns[-1] and used + needed > limit:
                columns.append([])
                used = 0.0
            columns[-1].append(entry)
            used += entry.lines
        if len(columns) < count or (len(columns) == count and used + COMPASS <= limit + 0.5):
            return columns
        limit += 0.5
