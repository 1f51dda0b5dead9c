"""Drawings as PDF (reportlab) and PNG (that PDF, rendered). Imported only when needed."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Protocol

from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen import canvas

from asl_pbcg.hexes.items import (
    Circles,
    Clip,
    Group,
    Item,
    Lettering,
    Pen,
    Points,
    Shape,
    one_line,
)
from asl_pbcg.kernel.paper_letters import say_missing
from asl_pbcg.kernel.slow_libraries import Image
from asl_pbcg.records.paragraphs import BOLD, BOLD_ITALIC, ITALIC, SANS, runs, width

_FONTS = {
    (False, False): SANS,
    (True, False): BOLD,
    (False, True): ITALIC,
    (True, True): BOLD_ITALIC,
}
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1}


class Page(Protocol):
    """A drawing, as far as it is printed."""

    width: float
    height: float
    title: str
    items: list[Item]


def width_of(text: str, size: float, bold: bool = False) -> float:
    """Return how wide text is drawn, in points."""
    return width(text, _FONTS[bold, False], size)


class _Page:
    """Draws the items of one drawing on a canvas, whose y runs upward.

    Shapes are written as PDF operators straight away: a map has a hundred thousand points, and
    the canvas's own paths take three times as long.
    """

    def __init__(self, sheet: Any, height: float) -> None:
        self.sheet = sheet
        self.height = height

    def items(self, items: Iterable[Item]) -> None:
        for item in items:
            if isinstance(item, Shape):
                self.pen(item.pen)
                parts = self.path(item.parts, item.closed)
                self.sheet.addLiteral(f"{parts} {_OPERATORS[_paints(item.pen)]}")
            elif isinstance(item, Circles):
                self.pen(item.pen)
                operator = _OPERATORS[_paints(item.pen)]
                for circle in item.circles:
                    self.sheet.addLiteral(f"{self.circle(*circle)} {operator}")
            elif isinstance(item, Lettering):
                self.words(item)
            elif isinstance(item, Clip):
                self.clip(item)
            elif not item.hidden:
                self.group(item)

    def group(self, item: Group) -> None:
        if item.shift == (0.0, 0.0):
            self.items(item.items)
            return
        self.sheet.saveState()
        self.sheet.translate(item.shift[0], -item.shift[1])
        self.items(item.items)
        self.sheet.restoreState()

    def pen(self, pen: Pen) -> None:
        sheet = self.sheet
        if pen.fill:
            sheet.addLiteral(f"{_rgb(pen.fill)} rg")
            sheet.setFillAlpha(pen.opacity)
        if pen.stroke:
            dash = " ".join(f"{part:.3f}" for part in pen.dash)
            sheet.addLiteral(
                f"{_rgb(pen.stroke)} RG {pen.width:.3f} w [{dash}] 0 d "
                f"{_CAPS[pen.cap]} J {_JOINS[pen.join]} j"
            )
            sheet.setStrokeAlpha(pen.opacity)

    def path(self, parts: Iterable[Points], closed: bool) -> str:
        high, end = self.height, " h" if closed else ""
        return " ".join(
            " l ".join(f"{x:.2f} {high - y:.2f}" for x, y in part).replace(" l ", " m ", 1)
            + " l"
            + end
            for part in parts
        )

    def circle(self, x: float, y: float, radius: float) -> str:
        y = self.height - y
        left, right, low, high = x - radius, x + radius, y - radius, y + radius
        bend = 0.5522847 * radius
        west, east, south, north = x - bend, x + bend, y - bend, y + bend
        return (
            f"{right:.2f} {y:.2f} m "
            f"{right:.2f} {north:.2f} {east:.2f} {high:.2f} {x:.2f} {high:.2f} c "
            f"{west:.2f} {high:.2f} {left:.2f} {north:.2f} {left:.2f} {y:.2f} c "
            f"{left:.2f} {south:.2f} {west:.2f} {low:.2f} {x:.2f} {low:.2f} c "
            f"{east:.2f} {low:.2f} {right:.2f} {south:.2f} {right:.2f} {y:.2f} c h"
        )

    def words(self, item: Lettering) -> None:
        sheet = self.sheet
        font = _FONTS[item.bold, item.italic]
        parts = list(runs(item.text, font))
        wide = width(item.text, font, item.size)
        wide += item.spacing * max(0, sum(len(run) for run, _ in parts) - 1)
        back = {"start": 0.0, "middle": wide / 2, "end": wide}[item.anchor]
        sheet.saveState()
        sheet.setFillColor(HexColor(item.colour))
        sheet.setFillAlpha(item.opacity)
        sheet.translate(item.x, self.height - item.y)
        if item.angle:
            sheet.rotate(-item.angle)
        if item.spacing:  # else who searches or copies them finds letters, not words
            text = f"\ufeff{item.text}".encode("utf-16-be").hex()
            sheet.addLiteral(f"/Span <</ActualText <{text}>>> BDC")
        x = -back
        for run, name in parts:
            sheet.setFont(name, item.size)
            sheet.drawString(x, 0, run, charSpace=item.spacing)
            x += float(pdfmetrics.stringWidth(run, name, item.size)) + item.spacing * len(run)
        if item.spacing:
            sheet.addLiteral("EMC")
        sheet.restoreState()

    def clip(self, item: Clip) -> None:
        self.sheet.saveState()
        self.sheet.addLiteral(f"{self.path([item.inside], True)} W n")
        self.items(item.items)
        self.sheet.restoreState()


def _paints(pen: Pen) -> tuple[bool, bool]:
    return bool(pen.fill), bool(pen.stroke)


_OPERATORS = {(True, True): "B*", (True, False): "f*", (False, True): "S", (False, False): "n"}
"""Whether a pen fills and whether it strokes, to the operator that ends a path."""


@cache
def _rgb(colour: str) -> str:
    return " ".join(f"{int(colour[place : place + 2], 16) / 255:.4g}" for place in (1, 3, 5))


def paint(drawing: Page, sheet: Any) -> None:
    """Draw on the current page of a canvas, which has the drawing's size."""
    _Page(sheet, drawing.height).items(drawing.items)


def pdf(drawings: Sequence[Page]) -> bytes:
    """Give drawings as a PDF, one to a page; the same drawings always give the same bytes."""
    rl_config.useA85 = 0  # binary streams: a fifth smaller, and sooner written
    stream = io.BytesIO()
    sheet = canvas.Canvas(stream, invariant=1, pageCompression=1)
    for drawing in drawings:
        sheet.setPageSize((drawing.width, drawing.height))
        if title := one_line(drawing.title):
            sheet.setTitle(title)
        sheet.setCreator("pbcg")
        paint(drawing, sheet)
        sheet.showPage()
    sheet.save()
    say_missing()
    return stream.getvalue()


def png(document: bytes, dpi: float, page: int = 0) -> bytes:
    """Render a page of a PDF as PNG with ``dpi`` pixels to the inch."""

    import pypdfium2

    opened = pypdfium2.PdfDocument(document)
    try:
        sheet = opened[page]
        picture = sheet.render(scale=dpi / 72).to_pil().convert("RGB")
        sheet.close()
    finally:
        opened.close()
    # 256 colours are more than a map has: the file is a quarter as large and as quickly written.
    few = picture.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    # White stays white, or a printer puts faint dots all over the page.
    few.putpalette([255 if part > 252 else part for part in few.getpalette() or []])
    stream = io.BytesIO()
    few.save(stream, "PNG", dpi=(dpi, dpi), compress_level=6)
    return stream.getvalue()
