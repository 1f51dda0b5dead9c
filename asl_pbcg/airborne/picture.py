"""A picture of the drop zone: every stick where it fell, drift lines, gliders, platoons formed."""

from __future__ import annotations

from typing import Final

from asl_pbcg.airborne.boards import board_named
from asl_pbcg.airborne.counters import draw_counters, side_colour
from asl_pbcg.airborne.dropmap import DropMap
from asl_pbcg.airborne.lines import (
    draw_flights,
    draw_lines,
    draw_targets,
    line_hexes,
    shot_down,
)
from asl_pbcg.airborne.panel import PANEL, draw_panel
from asl_pbcg.airborne.plainground import draw_plain_ground
from asl_pbcg.airborne.sheet import Sheet
from asl_pbcg.airborne.state import DropState, make_map
from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import Pen
from asl_pbcg.hexes.labels import Box
from asl_pbcg.hexes.page import MARGIN, TITLE, Heading, draw_foot, draw_heading
from asl_pbcg.hexes.palette import INK
from asl_pbcg.hexes.view import Window
from asl_pbcg.kernel.errors import PBCGError

EDGE: Final = 20.0
"""Room round the picture for what lies off the map."""
LARGEST: Final = 64.0
VEIL: Final = 0.38
"""How much the ground pales, so that counters stand out."""


def drop_picture(
    state: DropState, *, turn: int | None = None, paper: tuple[float, float] = (841.89, 595.28)
) -> Drawing:
    """Draw where everything fell, in all turns so far or in one, on a sheet of ``paper`` points.

    What was shot down is marked at the hex it was aimed at. Raises PBCGError if nothing has come
    in yet. Rule: I.G, II.C, II.D, II.E, II.H, III.F.
    """
    sticks = [stick for stick in state.sticks if stick.row and turn in (None, stick.turn)]
    loads = [unit for unit in state.units if unit.landing and turn in (None, unit.turn)]
    downed = [each for each in shot_down(state) if turn in (None, each.turn)]
    if not sticks and not loads and not downed:
        when = "in that turn" if turn else "yet"
        raise PBCGError(f"Nothing has landed {when}: there is nothing to draw.")
    sticks += [
        stick
        for stick in state.sticks
        if stick.status == "shot down" and turn in (None, stick.turn)
    ]
    loads += [
        unit for unit in state.units if unit.status == "shot down" and turn in (None, unit.turn)
    ]
    dropmap = make_map(state)
    shown = state.with_(
        sticks=tuple(sticks),
        units=(*loads, *(unit for unit in state.units if unit.sticks and turn is None)),
        winds={each: wind for each, wind in state.winds.items() if turn in (None, each)},
    )
    sheet = _sheet(shown, dropmap, paper)
    _ground(sheet)
    with sheet.drawing.clip(sheet.frame):
        sheet.drawing.polygon(sheet.frame, Pen(fill="#ffffff", opacity=VEIL))
        draw_flights(sheet, shown)
        draw_targets(sheet, shown)
    draw_lines(sheet, shown)
    with sheet.drawing.clip(sheet.frame):
        draw_counters(sheet, shown)
    sheet.drawing.polygon(sheet.frame, Pen(stroke="#1f1d1a", width=1.4, join="miter"))
    _heading(sheet, shown, turn)
    draw_panel(sheet, shown, sheet.right + EDGE, MARGIN + TITLE)
    draw_foot(sheet.drawing)
    return sheet.drawing


def _sheet(state: DropState, dropmap: DropMap, paper: tuple[float, float]) -> Sheet:
    names = set(line_hexes(state, dropmap))
    names |= {item.fell for item in (*state.sticks, *state.units) if item.fell}  # type: ignore[attr-defined]
    names |= {unit.at for unit in state.units if unit.at}
    window = _window(dropmap, names, 9.6, 9.0)
    across = paper[0] - 2 * MARGIN - PANEL - 1.4 * EDGE
    down = paper[1] - 2 * MARGIN - TITLE - 1.2 * EDGE
    scale = min(across / (window[2] - window[0]), down / (window[3] - window[1]), LARGEST)
    # Room that is left shows more of the map.
    window = _window(dropmap, names, across / scale, down / scale)
    wide, high = window[2] - window[0], window[3] - window[1]
    left = MARGIN + (across - wide * scale) / 2
    top = MARGIN + TITLE + 0.7 * EDGE + (down - high * scale) / 2
    title = state.sealed.title or "Airborne drop"
    return Sheet(Drawing(*paper, title=title), window, scale, left, top, dropmap.grid, dropmap)


def _window(dropmap: DropMap, names: set[str], wide: float, high: float) -> Window:
    """The part of the map around these hexes, at least so wide and high where the map is."""
    grid = dropmap.grid
    centres = [grid.centre(name) for name in names]
    bounds = []
    for axis, (least, full) in enumerate(((wide, grid.width), (high, grid.height))):
        low = min(centre[axis] for centre in centres) - 1.6
        far = max(centre[axis] for centre in centres) + 1.6
        spare = max(0.0, least - (far - low)) / 2
        low, far = low - spare, far + spare
        # At the map's edge the picture moves inward and keeps its size as far as it can.
        low, far = (0.0, far - low) if low < 0 else (low, far)
        low, far = (low - (far - full), full) if far > full else (low, far)
        bounds.append((max(0.0, low), min(full, far)))
    return bounds[0][0], bounds[1][0], bounds[0][1], bounds[1][1]


def _ground(sheet: Sheet) -> None:
    if not sheet.map.is_board:
        draw_plain_ground(sheet)
        return
    board_named(sheet.map.spec.board).draw(sheet)


def _heading(sheet: Sheet, state: DropState, turn: int | None) -> None:
    turns = sorted(state.winds)
    span = f"turn {turns[0]}" if len(turns) == 1 else f"turns {turns[0]} to {turns[-1]}"
    heading = Heading(
        title=state.sealed.title or "Airborne drop",
        subtitle=f"where they fell, {span}",
        lines=(state.side.capitalize(),) if state.side else (),
    )
    box = Box(MARGIN, MARGIN, sheet.drawing.width - MARGIN, MARGIN + TITLE)
    draw_heading(sheet.drawing, heading, box, side_colour(state.side) if state.side else INK)
