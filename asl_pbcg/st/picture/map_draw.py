"""The map as a sheet to play on: ground, areas, lines, arrows, panels, and counters in play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import Pen
from asl_pbcg.hexes.page import draw_rose
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.records.layout import Paper
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.picture import map_panels as panels
from asl_pbcg.st.picture.map_counters import FULL, Counter, draw_counters
from asl_pbcg.st.picture.map_frame import (
    INK,
    PAPER,
    MapFrame,
    SheetRoom,
    draw_labels,
    draw_water_names,
    draw_zone_names,
    frame_for,
    sign_scale,
)
from asl_pbcg.st.picture.map_signs import draw_areas, draw_arrows, draw_landing_numbers, draw_lines
from asl_pbcg.st.picture.map_terrain import draw_ground

MARGIN = 18.0
TRACK = 30.0  # points, the height of the turn track
COLUMN = 150.0  # points kept free beside the ground when panels find no room on it


def draw_map(
    area_map: GameMap,
    *,
    paper: Paper = Paper.A4,
    counters: Mapping[str, Sequence[Counter]] | None = None,
    turn: int | None = None,
    note: str = "",
) -> Drawing:
    """Draw the map on one upright sheet of ``paper``.

    ``counters`` are the counters of each area by its id, and of the boxes "Demo Bridge" and
    "Glider 1" to "Glider 6"; ``turn`` puts the marker on the turn track; ``note`` is a line under
    the title. Raises PBCGError for counters in a place the map does not have.
    """
    lying = dict(counters or {})
    boxes = {"Demo Bridge", *(f"Glider {i}" for i in range(1, 7))}
    if unknown := sorted(lying.keys() - area_map.areas.keys() - boxes):
        raise PBCGError(f"The map has no area or box {unknown[0]} for a counter to lie in.")
    # On most maps the corners are empty enough for the panels; if not, a column is kept free.
    for column in (0.0, COLUMN, 2 * COLUMN):
        drawing, fits = _draw(area_map, paper, lying, turn, note, column)
        if fits:
            break
    return drawing


def sheet_frame(area_map: GameMap, drawing: Drawing, column: float = 0.0) -> MapFrame:
    """Where the map stands on a sheet, with a free ``column`` of so many points at the right."""
    inner = drawing.width - 2 * MARGIN
    above = drawing.height - 2 * MARGIN - TRACK - 6
    return frame_for(area_map, drawing, MARGIN, MARGIN, inner, above, column)


def _draw(
    area_map: GameMap,
    paper: Paper,
    counters: Mapping[str, Sequence[Counter]],
    turn: int | None,
    note: str,
    column: float,
) -> tuple[Drawing, bool]:
    width, height = paper.size
    title = f"Pegasus Bridge: {area_map.title}" if area_map.title else "Pegasus Bridge"
    drawing = Drawing(width, height, title, dpi=150)
    inner = width - 2 * MARGIN
    frame = sheet_frame(area_map, drawing, column)
    room = SheetRoom()
    with drawing.clip(frame.frame):
        draw_places(area_map, frame, room, counters)
    size = sign_scale(frame)
    placed = [
        panels.place_panel(frame, room, panel)
        for panel in _panels(area_map, frame, size, counters, turn, note)
    ]
    if counters:
        panels.place_panel(frame, room, panels.key_panel(drawing, size))  # left out if no room
    drawing.polygon(frame.frame, Pen(stroke=INK, width=1.4))
    panels.turn_track(drawing, MARGIN, height - MARGIN - TRACK, inner, TRACK, turn)
    return drawing, all(placed)


def draw_places(
    area_map: GameMap,
    frame: MapFrame,
    room: SheetRoom,
    counters: Mapping[str, Sequence[Counter]] | None = None,
) -> None:
    """Draw the map without panels: ground, lines, arrows, areas, counters if any, and names."""
    draw_signs(area_map, frame, room)
    if counters is not None:
        _compass(area_map, frame, room)
        draw_counters(area_map, frame, counters, room)
    draw_words(area_map, frame, room)
    draw_water_names(area_map, frame, room)


def draw_signs(area_map: GameMap, frame: MapFrame, room: SheetRoom) -> None:
    """Draw ground, lines, arrows and areas."""
    draw_ground(area_map, frame)
    draw_lines(area_map, frame, room)
    draw_arrows(area_map, frame, room)
    draw_areas(area_map, frame, room)


def draw_words(area_map: GameMap, frame: MapFrame, room: SheetRoom) -> None:
    """Write the words beside areas: landing numbers, labels, landing zones."""
    draw_landing_numbers(area_map, frame, room)
    draw_labels(area_map, frame, room)
    draw_zone_names(area_map, frame, room)


def _panels(
    area_map: GameMap,
    frame: MapFrame,
    size: float,
    counters: Mapping[str, Sequence[Counter]],
    turn: int | None,
    note: str,
) -> Iterator[panels.Panel]:
    """Yield the panels that must stand on the sheet."""
    drawing = frame.drawing
    stacks = {
        name: lying
        for name, lying in counters.items()
        if name in area_map.areas and len(lying) > FULL
    }
    yield panels.title_panel(area_map, frame, size, note)
    yield panels.legend_panel(area_map, drawing, size)
    if turn in (None, 1) or any(name.startswith("Glider ") for name in counters):
        yield panels.boxes_panel(drawing, size, counters)
    elif demo := counters.get("Demo Bridge"):
        stacks["Demo Bridge"] = demo
    if stacks:
        yield panels.stacks_panel(drawing, size, stacks)


def _compass(area_map: GameMap, frame: MapFrame, room: SheetRoom) -> None:
    radius = 15.0 * sign_scale(frame)
    if area_map.compass:
        x, y = frame.at(*area_map.compass)
    else:
        x, y = frame.left + radius * 2.4, frame.top + frame.height - radius * 2.4
    draw_rose(frame.drawing, x, y, radius, paper=PAPER)
    room.take(x - radius, y - radius * 1.6, x + radius, y + radius)
