"""A picture of the drop zone: every stick where it fell, drift lines, gliders, platoons formed."""

from __future__ import annotations

from typing import Final

from asl_pbcg.airborne.drop_map import DropMap, load_drop_board
from asl_pbcg.airborne.drop_panel import PANEL, draw_counters, draw_panel, side_colour
from asl_pbcg.airborne.drop_settings import default_settings
from asl_pbcg.airborne.drop_state import DropState, WholeUnit
from asl_pbcg.airborne.flight_lines import (
    DropSheet,
    draw_drift_lines,
    draw_flight,
    draw_targets,
    line_hexes,
)
from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.hex_view import Window
from asl_pbcg.hexes.items import GRAIN, INK, LEVELS, MARSH, PAPER, SWAMP, TREE, WATER, Pen
from asl_pbcg.hexes.labels import Box
from asl_pbcg.hexes.page import MARGIN, TITLE, PageHeading, draw_foot, draw_heading
from asl_pbcg.kernel.errors import PBCGError

EDGE: Final = 20.0
"""Room round the picture for what lies off the map."""
MAX_SCALE: Final = 64.0
VEIL: Final = 0.38
"""How much the ground pales, so that counters stand out."""
GROUND: Final = {
    "sea": WATER,
    "forest": TREE,
    "town": "#cbb9ac",
    "gully": GRAIN,
    "swamp": SWAMP,
    "stream": MARSH,
    "slope": LEVELS[1],
    "clear": PAPER,
}
"""The colours of a plain map, by row of the Jump Survival Chart."""


def drop_picture(
    state: DropState, *, turn: int | None = None, paper: tuple[float, float] = (841.89, 595.28)
) -> Drawing:
    """Draw where everything fell, in all turns so far or in one, on a sheet of ``paper`` points.

    What was shot down is marked at the hex it was aimed at. Raises PBCGError if nothing has come
    in yet. Rule: I.G, II.C, II.D, II.E, II.H, III.F.
    """
    shown = _only_turn(state, turn)
    if not shown.sticks and not any(unit.glider for unit in shown.units):
        when = "in that turn" if turn else "yet"
        raise PBCGError(f"Nothing has landed {when}: there is nothing to draw.")
    dropmap, colour = state.make_map(), side_colour(state.side)
    sheet = _sheet(shown, dropmap, paper)
    drawing = sheet.drawing
    if dropmap.spec.board:
        load_drop_board(dropmap.spec.board).draw(sheet)
    else:
        _draw_plain_ground(sheet)
    with drawing.clip(sheet.frame):
        drawing.polygon(sheet.frame, Pen(fill="#ffffff", opacity=VEIL))
        for unit in shown.units:
            if unit.landing:
                draw_flight(sheet, shown, unit, colour)
        draw_targets(sheet, shown)
    drawing.polygon(sheet.frame, Pen(stroke="#1f1d1a", width=1.4, join="miter"))
    draw_drift_lines(sheet, shown)  # their tags may lie across the frame
    with drawing.clip(sheet.frame):
        draw_counters(sheet, shown, colour)
    _draw_title(sheet, shown)
    draw_panel(sheet, shown, sheet.right + EDGE, MARGIN + TITLE)
    draw_foot(drawing)
    return drawing


def _only_turn(state: DropState, turn: int | None) -> DropState:
    """Return the state with what came in, in all turns or in one; platoons only with all."""
    turns = range(1, state.turn + 1) if turn is None else (turn,)

    def came_in(unit: WholeUnit) -> bool:
        return bool(unit.landing) or unit.status == "shot down"

    return state.with_(
        sticks=tuple(
            stick
            for stick in state.sticks
            if stick.turn in turns and (stick.row or stick.status == "shot down")
        ),
        units=tuple(
            unit
            for unit in state.units
            if (came_in(unit) and unit.turn in turns) or (unit.sticks and turn is None)
        ),
        winds={number: wind for number, wind in state.winds.items() if number in turns},
    )


def _sheet(state: DropState, dropmap: DropMap, paper: tuple[float, float]) -> DropSheet:
    names = set(line_hexes(state, dropmap))
    names |= {counter.fell for counter in state.counters} | {unit.at for unit in state.units}
    names.discard("")
    window = _window(dropmap, names, 9.6, 9.0)
    across = paper[0] - 2 * MARGIN - PANEL - 1.4 * EDGE
    down = paper[1] - 2 * MARGIN - TITLE - 1.2 * EDGE
    scale = min(across / (window[2] - window[0]), down / (window[3] - window[1]), MAX_SCALE)
    # Spare room shows more of the map.
    window = _window(dropmap, names, across / scale, down / scale)
    wide, high = window[2] - window[0], window[3] - window[1]
    left = MARGIN + (across - wide * scale) / 2
    top = MARGIN + TITLE + 0.7 * EDGE + (down - high * scale) / 2
    drawing = Drawing(*paper, title=_title(state))
    return DropSheet(drawing, window, scale, left, top, dropmap.grid, dropmap)


def _window(dropmap: DropMap, names: set[str], wide: float, high: float) -> Window:
    """Return the part of the map around these hexes, at least so wide and high if the map is."""
    grid = dropmap.grid
    centres = [grid.centre(name) for name in names]
    bounds = []
    for axis, (least, full) in enumerate(((wide, grid.width), (high, grid.height))):
        low = min(centre[axis] for centre in centres) - 1.6
        far = max(centre[axis] for centre in centres) + 1.6
        spare = max(0.0, least - (far - low)) / 2
        low, far = low - spare, far + spare
        # At the map's edge the picture moves inward and keeps its size as far as it can.
        shift = max(0.0, -low) - max(0.0, far - full)
        bounds.append((max(0.0, low + shift), min(full, far + shift)))
    return bounds[0][0], bounds[1][0], bounds[0][1], bounds[1][1]


def _draw_plain_ground(sheet: DropSheet) -> None:
    """Draw the hexes of a plain map: a colour and a word for each kind of terrain."""
    drawing, scale = sheet.drawing, sheet.scale
    with drawing.clip(sheet.frame):
        drawing.polygon(sheet.frame, Pen(fill=PAPER))
        for name in sheet.hexes:
            fill = GROUND[sheet.map.survival_rows(name, default_settings())[0]]
            pen = Pen(fill=fill, stroke="#8b877d", width=max(0.25, 0.014 * scale))
            drawing.polygon(sheet.hex_ring(name), pen)
        for name in sheet.hexes:
            x, y = sheet.hex_at(name)
            words = ", ".join(word for word in sheet.map.words(name) if word != "clear")
            drawing.text(x, y - 0.33 * scale, name, 0.15 * scale, "#33302b", anchor="middle")
            drawing.text(x, y + 0.46 * scale, words, 0.12 * scale, "#33302b", anchor="middle")


def _title(state: DropState) -> str:
    return state.sealed.title or "Airborne drop"


def _draw_title(sheet: DropSheet, state: DropState) -> None:
    turns = sorted(state.winds)
    span = f"turn {turns[0]}" if len(turns) == 1 else f"turns {turns[0]} to {turns[-1]}"
    lines = (state.side.capitalize(),) if state.side else ()
    heading = PageHeading(title=_title(state), subtitle=f"where they fell, {span}", lines=lines)
    box = Box(MARGIN, MARGIN, sheet.drawing.width - MARGIN, MARGIN + TITLE)
    draw_heading(sheet.drawing, heading, box, side_colour(state.side) if state.side else INK)
