"""Drawings as PDF (reportlab) and PNG (that PDF, rendered). Imported only when needed."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from reportlab.lib.colors import HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen import canvas

from asl_pbcg.records.glyphs import drawable

if TYPE_CHECKING:
    from asl_pbcg.hexes.drawing import Clip, Drawing, Item, Pen, Points, Shape, Words

_FONTS = {
    (False, False): "Helvetica",
    (True, False): "Helvetica-Bold",
    (False, True): "Helvetica-Oblique",
    (True, True): "Helvetica-BoldOblique",
}
_SPARE = {"Helvetica": "Vera", "Helvetica-Bold": "VeraBd", "Helvetica-Oblique": "VeraIt"}
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1}


def _runs(text: str, font: str) -> Iterator[tuple[str, str]]:
    """Part text into runs of one font: the reader's own, or an embedded one for other letters."""
    base = "Helvetica-Bold" if font == "Helvetica-BoldOblique" else font
    words = drawable(text, base)
    run, run_font = "", font
    for letter in words:
        try:
            letter.encode("cp1252")
            wanted = font
        except UnicodeEncodeError:
            wanted = _SPARE[base] if _SPARE[base] in pdfmetrics.getRegisteredFontNames() else font
        if wanted != run_font and run:
            yield run, run_font
            run = ""
        run_font = wanted
        run += letter
    if run:
        yield run, run_font


def width_of(text: str, size: float, bold: bool = False) -> float:
    """Say how wide text is drawn, in points."""
    return sum(
        float(pdfmetrics.stringWidth(run, font, size))
        for run, font in _runs(text, _FONTS[bold, False])
    )


class _Page:
    """Draws the items of one drawing on a canvas, whose y runs upward."""

    def __init__(self, sheet: Any, height: float) -> None:
        self.sheet = sheet
        self.height = height

    def items(self, items: Iterable[Item]) -> None:
        from asl_pbcg.hexes.drawing import Circles, Clip, Shape, Words

        for item in items:
            if isinstance(item, Shape):
                self.shape(item)
            elif isinstance(item, Circles):
                self.pen(item.pen)
                for x, y, radius in item.circles:
                    self.sheet.circle(
                        x,
                        self.height - y,
                        radius,
                        stroke=int(bool(item.pen.stroke)),
                        fill=int(bool(item.pen.fill)),
                    )
            elif isinstance(item, Words):
                self.words(item)
            elif isinstance(item, Clip):
                self.clip(item)
            elif not item.hidden:
                self.items(item.items)

    def pen(self, pen: Pen) -> None:
        sheet = self.sheet
        if pen.fill:
            sheet.setFillColor(HexColor(pen.fill))
            sheet.setFillAlpha(pen.opacity)
        if pen.stroke:
            sheet.setStrokeColor(HexColor(pen.stroke))
            sheet.setStrokeAlpha(pen.opacity)
            sheet.setLineWidth(pen.width)
            sheet.setDash(list(pen.dash))
            sheet.setLineCap(_CAPS[pen.cap])
            sheet.setLineJoin(_JOINS[pen.join])

    def path(self, parts: Iterable[Points], closed: bool) -> Any:
        path = self.sheet.beginPath()
        for part in parts:
            (x, y), *rest = part
            path.moveTo(x, self.height - y)
            for x, y in rest:
                path.lineTo(x, self.height - y)
            if closed:
                path.close()
        return path

    def shape(self, item: Shape) -> None:
        self.pen(item.pen)
        self.sheet.drawPath(
            self.path(item.parts, item.closed),
            stroke=int(bool(item.pen.stroke)),
            fill=int(bool(item.pen.fill)),
            fillMode=canvas.FILL_EVEN_ODD,
        )

    def words(self, item: Words) -> None:
        sheet = self.sheet
        font = _FONTS[item.bold, item.italic]
        runs = list(_runs(item.text, font))
        width = sum(float(pdfmetrics.stringWidth(run, name, item.size)) for run, name in runs)
        width += item.spacing * max(0, sum(len(run) for run, _ in runs) - 1)
        back = {"start": 0.0, "middle": width / 2, "end": width}[item.anchor]
        sheet.saveState()
        sheet.setFillColor(HexColor(item.colour))
        sheet.setFillAlpha(item.opacity)
        sheet.translate(item.x, self.height - item.y)
        if item.angle:
            sheet.rotate(-item.angle)
        x = -back
        for run, name in runs:
            sheet.setFont(name, item.size)
            sheet.drawString(x, 0, run, charSpace=item.spacing)
            x += float(pdfmetrics.stringWidth(run, name, item.size)) + item.spacing * len(run)
        sheet.restoreState()

    def clip(self, item: Clip) -> None:
        self.sheet.saveState()
        self.sheet.clipPath(self.path([item.inside], True), stroke=0, fill=0)
        self.items(item.items)
        self.sheet.restoreState()


def paint(drawing: Drawing, sheet: Any) -> None:
    """Draw on the current page of a canvas, which has the drawing's size."""
    _Page(sheet, drawing.height).items(drawing.items)


def pdf(drawings: list[Drawing]) -> bytes:
    """Give drawings as a PDF, one to a page; the same drawings always give the same bytes."""
    from asl_pbcg.hexes.drawing import one_line

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
    stream = io.BytesIO()
    picture.save(stream, "PNG", dpi=(dpi, dpi), optimize=True)
    return stream.getvalue()
