"""A game as a film: a frame for each phase in which something happened, with what was told."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import Pen
from asl_pbcg.st.map import AreaMap
from asl_pbcg.st.state import State, Unit
from asl_pbcg.st.terms import BRITISH

WIDTH: Final = 560.0
HEIGHT: Final = 620.0
_PAPER: Final = "#f4efdf"
_INK: Final = "#2b2a26"
_WATER: Final = "#9cc3d5"
_SIDE: Final = {"british": "#b8552b", "german": "#5d665f"}


class Frame(NamedTuple):
    """One frame: its title, what the player may see, what was told."""

    title: str
    state: State
    lines: tuple[str, ...]


def draw_frame(area_map: AreaMap, frame: Frame) -> Drawing:
    """Draw the areas, their lines, and a counter for each side's units in an area."""
    drawing = Drawing(WIDTH, HEIGHT, frame.title)
    drawing.box(0, 0, WIDTH, HEIGHT, Pen(fill=_PAPER))
    places = list(area_map.areas.values())
    west, east = min(a.x for a in places), max(a.x for a in places)
    south, north = min(a.y for a in places), max(a.y for a in places)
    scale = min((WIDTH - 50) / (east - west), (HEIGHT - 80) / (north - south))

    def at(x: float, y: float) -> tuple[float, float]:
        return 25 + (x - west) * scale, 50 + (north - y) * scale

    for water in area_map.water.values():
        course = [at(x, y) for x, y in water.course]
        drawing.line(course, Pen(stroke=_WATER, width=max(3.0, water.width * scale)))
    for line in area_map.lines:
        a, b = area_map.areas[line.a], area_map.areas[line.b]
        dash = (2.0, 2.0) if line.mp is None else ()
        wide = 1.8 if line.road else 0.7
        drawing.line([at(a.x, a.y), at(b.x, b.y)], Pen(stroke="#b9ad90", width=wide, dash=dash))
    for area in places:
        x, y = at(area.x, area.y)
        holder = frame.state.control.get(area.id, "")
        fill = "#e8c9b0" if holder == BRITISH else "#fffdf6"
        drawing.circle(x, y, 7, Pen(fill=fill, stroke=_INK, width=0.6))
        drawing.text(x, y + 2, area.id, 5, _INK, anchor="middle")
    stacks: dict[tuple[str, str], list[Unit]] = {}
    for unit in frame.state.units:
        if unit.status == "map" and unit.area:
            stacks.setdefault((unit.area, unit.side), []).append(unit)
    for (name, side), units in sorted(stacks.items()):
        x, y = at(area_map.areas[name].x, area_map.areas[name].y)
        left = x - 17 if side == BRITISH else x + 5
        drawing.box(left, y - 15, 13, 11, Pen(fill=_SIDE[side], stroke=_INK, width=0.5))
        drawing.text(left + 6.5, y - 7, _mark(units), 7, "#ffffff", anchor="middle", bold=True)
    drawing.text(25, 24, frame.title, 13, _INK, bold=True)
    if frame.lines:
        drawing.text(25, HEIGHT - 12, frame.lines[-1][:110], 8, _INK)
    return drawing


def _mark(units: Sequence[Unit]) -> str:
    """The SP of a stack, ``?`` if it lies face down, ``T`` for a vehicle alone."""
    if all(unit.face_down for unit in units):
        return "?"
    sp = sum(unit.strength for unit in units if unit.combat and not unit.face_down)
    if sp:
        return str(sp)
    return "T" if any(unit.kind in ("tank", "mercedes") for unit in units) else "*"


def gif(area_map: AreaMap, frames: Sequence[Frame], seconds: float) -> bytes:
    """The film as an animated GIF, each frame for so many ``seconds``."""
    from io import BytesIO

    from PIL import Image

    images = [
        Image.open(BytesIO(draw_frame(area_map, frame).to_png(dpi=72))).convert("P")
        for frame in frames
    ]
    stream = BytesIO()
    images[0].save(
        stream, "GIF", save_all=True, append_images=images[1:], duration=round(seconds * 1000),
        loop=0,
    )  # fmt: skip
    return stream.getvalue()


def html(area_map: AreaMap, frames: Sequence[Frame]) -> str:
    """The film as a page that stands alone, with a slider and the words of each frame."""
    sheets = []
    for number, frame in enumerate(frames):
        svg = draw_frame(area_map, frame).to_svg(sized=False).encode()
        words = "".join(f"<li>{escape(line)}</li>" for line in frame.lines)
        source = base64.b64encode(svg).decode()
        sheets.append(
            f'<section data-frame="{number}"{"" if number == 0 else " hidden"}>'
            f'<img alt="{escape(frame.title)}" src="data:image/svg+xml;base64,{source}">'
            f"<ol>{words}</ol></section>"
        )
    script = (
        "const s=document.querySelector('input'),f=[...document.querySelectorAll('section')];"
        "s.oninput=()=>f.forEach((e,i)=>e.hidden=i!=s.value);"
    )
    style = (
        "body{font:15px/1.4 Georgia,serif;max-width:72em;margin:1em auto;background:#f4efdf}"
        "section:not([hidden]){display:flex;gap:1em}img{width:60%}input{width:100%}"
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Pegasus Bridge, a film</title>'
        f'<style>{style}</style><input type="range" aria-label="frame" min="0" '
        f'max="{len(frames) - 1}" value="0">{"".join(sheets)}<script>{script}</script></html>\n'
    )
