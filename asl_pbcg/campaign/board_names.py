"""The names of the hexes on the board's map."""

from __future__ import annotations

from asl_pbcg.campaign.board_placing import (
    house_marks,
    house_place,
    name_place,
    name_size,
    road_places,
)
from asl_pbcg.campaign.board_view import BoardView
from asl_pbcg.hexes.items import Pen
from asl_pbcg.hexes.labels import Box, Taken, picture_box
from asl_pbcg.hexes.palette import INK


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
