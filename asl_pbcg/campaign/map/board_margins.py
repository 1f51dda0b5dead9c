"""Draw the margins and names of the board's map: frame, Entry Areas, hex names, place names.

Place names come from ``data/pb/place_names.yaml`` or another module's own. A name of a building or
road stands where it covers least.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

import msgspec

from asl_pbcg.campaign.board.entry_areas import EntryArea, entry_areas
from asl_pbcg.campaign.map.board_overlay import COLOUR, Overlay, name_of
from asl_pbcg.campaign.map.board_view import (
    BoardView,
    house_marks,
    house_place,
    name_place,
    name_size,
    road_places,
)
from asl_pbcg.hexes.drawing import text_width
from asl_pbcg.hexes.hex_view import whole
from asl_pbcg.hexes.hexset import HexSet
from asl_pbcg.hexes.items import INK, Pen, Point
from asl_pbcg.hexes.labels import Box, Taken, picture_box
from asl_pbcg.hexes.lattice import SIDE_LENGTH
from asl_pbcg.kernel.typed_data import DataFile, data_file

DATES: Final = {"day-1": "Day I", "day-2": "Day II", "day-3": "Day III"}


def draw_frame(view: BoardView) -> None:
    """Draw the edge of the picture."""
    view.drawing.polygon(view.frame, Pen(stroke="#1f1d1a", width=1.4, join="miter"))


# Entry Areas


def draw_entry_areas(view: BoardView, overlay: Overlay) -> None:
    """Draw a bracket along each Entry Area outside the picture, with an arrow and a label.

    An Entry Area that is not Eligible has a hollow bracket and arrow.
    """
    for area in entry_areas(view.board).values():
        eligible = overlay.eligible is None or area.arrow in overlay.eligible
        _entry_area(view, area, eligible, overlay.eligible is not None)


def edge_of(view: BoardView, area: EntryArea) -> str | None:
    """Say at which side of the picture the Entry Area lies, or None if that side is not shown."""
    edge = {"south": "W", "north": "E", "west": "N", "east": "S"}[area.map_edge]
    left, top, right, bottom = view.window
    all_left, all_top, all_right, all_bottom = whole(view.grid)
    shown = {
        "W": left == all_left,
        "E": right == all_right,
        "N": top == all_top,
        "S": bottom == all_bottom,
    }
    return edge if shown[edge] and area.arrow in view.hexes else None


def _entry_area(view: BoardView, area: EntryArea, eligible: bool, marked: bool) -> None:
    edge = edge_of(view, area)
    if edge is None:
        return
    grid = view.board.grid
    centres = [grid.centre(name) for name in area.hexes]
    reach = 0.5 if edge in "WE" else SIDE_LENGTH / 2 + 0.1
    along = [y if edge in "WE" else x for x, y in centres]
    low, high = min(along) - reach, max(along) + reach
    window = view.window
    first, last = (window[1], window[3]) if edge in "WE" else (window[0], window[2])
    low, high = max(low, first), min(high, last)
    middle = grid.centre(area.arrow)[1 if edge in "WE" else 0]

    def place(where: float, out: float) -> Point:
        """Give a point of the sheet, ``where`` along the edge and ``out`` points outside it."""
        x, y = view.at(where, where)
        return {
            "N": (x, view.top - out),
            "S": (x, view.top + view.height + out),
            "W": (view.left - out, y),
            "E": (view.left + view.width + out, y),
        }[edge]

    colour = COLOUR[name_of(area.side)]
    size = 3.2
    bar = [place(low, 2.2), place(high, 2.2), place(high, 2.2 + size), place(low, 2.2 + size)]
    fill = colour if eligible else "#ffffff"
    view.drawing.polygon(bar, Pen(fill=fill, stroke=colour, width=0.8, join="miter"))
    if area.side.is_first and eligible:
        line = [place(low, 2.2 + size / 2), place(high, 2.2 + size / 2)]
        view.drawing.line(line, Pen(stroke="#ffffff", width=0.8))
    half = 5.0 / view.scale
    arrow = [
        place(middle - half, 3.4 + size),
        place(middle + half, 3.4 + size),
        place(middle, -3.2),
    ]
    if low <= middle <= high:
        view.drawing.polygon(arrow, Pen(fill=fill, stroke="#ffffff", width=1.6))
        view.drawing.polygon(arrow, Pen(fill=fill, stroke=colour, width=0.8))
    _entry_label(view, area, eligible, marked, edge, place((low + high) / 2, 2.2 + size))


def _entry_label(
    view: BoardView, area: EntryArea, eligible: bool, marked: bool, edge: str, base: Point
) -> None:
    words = f"{area.side.capitalize()} Entry Area {area.arrow}"
    if area.cost is not None:
        words += f" · +{area.cost} CPP"
    elif area.dates:
        words += " · " + ", ".join(DATES.get(date, date.capitalize()) for date in area.dates)
    else:
        words += " · all CG Dates"
    if marked and not eligible:
        words += " · not Eligible"
    size = 6.6
    x, y = base
    gap = 3.4
    colour = COLOUR[name_of(area.side)]
    if edge in "NS":
        shift = -gap if edge == "N" else gap + size * 0.74
        view.drawing.text(x, y + shift, words, size, colour, anchor="middle", bold=True)
    else:
        angle = -90.0 if edge == "W" else 90.0
        out = -gap if edge == "W" else gap
        view.drawing.text(
            x + out,
            y,
            words,
            size,
            colour,
            anchor="middle",
            bold=True,
            angle=angle,
        )


# Names of places


@dataclass(frozen=True, slots=True)
class Look:
    """How a large name is written; sizes in hex heights."""

    size: float
    spacing: float
    colour: str
    bold: bool
    opacity: float


LOOK: Final = {
    "village": Look(0.62, 0.2, "#4a3a1e", True, 0.7),
    "water": Look(0.5, 0.12, "#1d5d8c", False, 1.0),
}


class PlaceName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name written on the map sheet, moved by ``shift`` from the centre of its hex."""

    text: str
    at: str
    kind: Literal["village", "water", "building", "road"]
    shift: tuple[float, float] = (0.0, 0.0)


class PlaceNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``place_names.yaml``."""

    names: tuple[PlaceName, ...]


@cache
def names_file(folder: str) -> DataFile[PlaceNames]:
    """The file of the names on a module's map."""
    return data_file(f"{folder}/place_names.yaml", PlaceNames)


def draw_place_names(view: BoardView, taken: Taken) -> None:
    """Write the names of villages and water, and of buildings and roads where they cover least."""
    for place in names_file(view.board.folder).content.names:
        if place.at in view.hexes:
            _place_name(view, place, taken)


def _place_name(view: BoardView, place: PlaceName, taken: Taken) -> None:
    """Write a wide name across its place, any other in a box where it covers least."""
    if place.kind in LOOK:
        _wide_name(view, place)
        return
    scale = view.scale
    size = max(4.4, min(0.27 * scale, 8.5))
    wide, high = text_width(place.text, size) + size * 0.5, size * 1.02
    own, boxes = _boxes_for_name(view, place, wide, high)
    if not boxes:
        return
    box = taken.best(boxes)
    taken.add(box, 5)
    near = min(own, key=box.away)
    if place.kind != "road" and box.away(near) > 0.75 * scale:
        middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        view.drawing.line([middle, near], Pen(stroke=INK, width=0.5))
    view.drawing.box(box.left, box.top, wide, high, Pen(fill="#fffef4", opacity=0.82))
    view.drawing.text(
        (box.left + box.right) / 2, box.top + high * 0.5 + size * 0.34, place.text, size, INK,
        anchor="middle", italic=True,
    )  # fmt: skip


def _wide_name(view: BoardView, place: PlaceName) -> None:
    """Write the name of a village or water across its place, if the picture holds all of it."""
    look = LOOK[place.kind]
    px, py = _point_of_name(view, place)
    size, spacing = min(look.size * view.scale, 16.0), min(look.spacing * view.scale, 5.0)
    text = place.text.upper() if look.bold else place.text
    half = text_width(text, size, bold=look.bold, spacing=spacing) / 2
    if Box(px - half, py - size / 2, px + half, py + size / 2).inside(picture_box(view)):
        view.drawing.text(
            px, py + size * 0.35, text, size, look.colour, anchor="middle", bold=look.bold,
            italic=not look.bold, spacing=spacing, opacity=look.opacity,
        )  # fmt: skip


def _point_of_name(view: BoardView, place: PlaceName) -> Point:
    x, y = view.board.grid.centre(place.at)
    return view.at(x + place.shift[0], y + place.shift[1])


def _boxes_for_name(
    view: BoardView, place: PlaceName, wide: float, high: float
) -> tuple[list[Point], list[tuple[Box, float]]]:
    """Return the points a name belongs to, and the boxes it may stand in, each with its cost."""
    scale = view.scale
    px, _ = _point_of_name(view, place)
    x, y = view.board.grid.centre(place.at)
    inner = picture_box(view).with_margin(-1)
    printed = _hexes_of_name(view, place)
    own = [_house(view, name) for name in printed]
    beside = (view.board.buildings & printed.spread(6) & view.near) - printed
    others = [_house(view, name) for name in beside if place.kind != "road"]
    # Between the names of two rows of hexes is a band just high enough for another name.
    boxes = []
    for band in range(-3, 4):
        cy = view.at(x, y - 0.055 + 0.5 * band)[1]
        for step in range(-14, 15):
            cx = px + 0.2 * step * scale
            box = Box(cx - wide / 2, cy - high / 2, cx + wide / 2, cy + high / 2)
            if box.inside(inner):
                away = min(box.away(house) for house in own)
                if any(box.away(house) < away + 0.12 * scale for house in others):
                    continue  # it would seem to be another building's
                boxes.append((box, 2.6 * away + 0.15 * abs(cx - px)))
    return own, boxes


def _house(view: BoardView, name: str) -> Point:
    """Where on the sheet the building of a hex stands, or else its centre."""
    if len(view.board.building(name)) == 1:
        return view.at(*house_place(view, name)[:2])
    return view.hex_at(name)


def _hexes_of_name(view: BoardView, place: PlaceName) -> HexSet:
    """The hexes of what a name belongs to: its whole building, both hexes of the bridge."""
    at = view.grid.set([place.at])
    if place.at in view.board.bridges:
        return view.board.bridges
    return view.board.building(place.at) | at


def draw_names(view: BoardView, taken: Taken) -> None:
    """Write the name of every hex in play that the picture's edge does not cut off, and its dot."""
    picture = picture_box(view)
    dots: list[tuple[float, float, float]] = []
    for name in view.hexes & view.board.in_play:
        size = name_size(view, name)
        left, top, right, bottom = name_place(view, name)
        box = Box(*view.at(left, top), *view.at(right, bottom))
        if not box.inside(picture):
            continue
        printed = (*house_marks(view, name), *road_places(view, name))
        under = any(left < x < right and top - 0.05 < y < bottom + 0.05 for x, y in printed)
        if under or name in view.board.bridges:
            plate = box.with_margin(0.14 * size)
            white = Pen(fill="#ffffff", opacity=0.8)
            wide, high = plate.right - plate.left, plate.bottom - plate.top
            view.drawing.box(plate.left, plate.top, wide, high, white)
        view.drawing.text(box.left, box.bottom, name, size, INK)
        taken.add(box, 3)
        dots.append((*view.hex_at(name), max(0.35, 0.032 * view.scale)))
        if name in view.board.buildings:
            x, y = view.at(*house_place(view, name)[:2])
            half = 0.2 * view.scale
            taken.add(Box(x - half, y - half, x + half, y + half), 1)
    halos = [(x, y, 1.7 * radius) for x, y, radius in dots]
    view.drawing.circles(halos, Pen(fill="#ffffff", opacity=0.75))
    view.drawing.circles(dots, Pen(fill=INK))
